/* policy.c: picking a command at random, or the one a game's own judgement likes best. */
#include "match/policy.h"

#include <assert.h>
#include <string.h>

#include "dice/draw.h"
#include "dice/kinds.h"

static size_t patterns_bytes(const struct match_terms *terms)
{
    return (sizeof(struct pattern) * terms->bounds.legal_patterns + 7) / 8 * 8;
}

size_t policy_bytes(const struct match_terms *terms)
{
    return patterns_bytes(terms) + sizeof(word) * terms->bounds.legal_values +
           terms->bounds.text_bytes;
}

void policy_init(struct policy *policy, enum policy_kind kind, uint32_t seldom_one_in,
                 uint64_t seed, const struct match_terms *terms, void *memory)
{
    uint8_t *bytes = memory;
    assert((uintptr_t) memory % sizeof(uint64_t) == 0);
    memset(policy, 0, sizeof *policy);
    policy->kind = kind;
    policy->commands = terms->game->commands;
    policy->seldom_one_in = seldom_one_in;
    /* Matches may have open splitmix dice of the same seed; ours are to be others. */
    dice_splitmix(&policy->dice, ~seed);
    policy->list.pattern = memory;
    policy->list.patterns_max = terms->bounds.legal_patterns;
    bytes += patterns_bytes(terms);
    policy->list.value = (word *) (void *) bytes;
    policy->list.values_max = terms->bounds.legal_values;
    policy->text = bytes + sizeof(word) * terms->bounds.legal_values;
}

/* The part of the list this player draws from: now and then what is seldom chosen, else the rest. */
static struct legal choices(struct policy *policy)
{
    struct legal *list = &policy->list;
    uint32_t      others = legal_usual_first(list, policy->commands);
    struct legal  part = *list;
    part.patterns = others;
    if (others == list->patterns)
        return part;
    bool seldom = policy->kind == POLICY_RANDOM && policy->seldom_one_in > 0 &&
                  draw_below_u64(&policy->dice, 0, policy->seldom_one_in) == 0;
    if (seldom || others == 0) {
        part.pattern += others;
        part.patterns = list->patterns - others;
    }
    return part;
}

static void pick_best(struct policy *policy, const struct match *match, uint32_t seat,
                      const struct legal *list, uint64_t count, struct command *best)
{
    const struct match_terms *terms = match->terms;
    uint64_t                  looks = count < POLICY_LOOKS_MAX ? count : POLICY_LOOKS_MAX;
    int64_t                   most = INT64_MIN;
    uint64_t                  equals = 0;
    for (uint64_t i = 0; i < looks; i++) {
        struct command command;
        legal_pick(list, i * count / looks, &command);
        int64_t liking = terms->game->judge(terms->setup, match->state, seat, &command);
        if (i > 0 && liking < most)
            continue;
        equals = i > 0 && liking == most ? equals + 1 : 1;
        most = liking;
        /* Each of n equals stays with probability 1/n. */
        if (draw_below_u64(&policy->dice, 0, equals) == 0)
            *best = command;
    }
}

static bool propose(struct policy *policy, const struct match *match, uint32_t seat,
                    struct command *command)
{
    const struct match_terms *terms = match->terms;
    return terms->game->propose != NULL &&
           terms->game->propose(terms->setup, match->state, seat, &policy->dice, command,
                                policy->text, terms->bounds.text_bytes);
}

bool policy_pick(struct policy *policy, const struct match *match, uint32_t seat,
                 struct command *command)
{
    const struct game *game = match->terms->game;
    match_legal(match, seat, &policy->list);
    struct legal list = choices(policy);
    uint64_t     count = legal_count(&list);
    /* A command of an open kind counts as one more. */
    if (game->propose != NULL && draw_below_u64(&policy->dice, 0, count + 1) == 0 &&
        propose(policy, match, seat, command))
        return true;
    if (count == 0)
        return false;
    if (policy->kind == POLICY_GREEDY && game->judge != NULL)
        pick_best(policy, match, seat, &list, count, command);
    else
        legal_pick(&list, draw_below_u64(&policy->dice, 0, count), command);
    return true;
}

uint32_t policy_seat(struct policy *policy, seat_mask to_act)
{
    uint32_t count = 0;
    for (seat_mask rest = to_act; rest != 0; rest &= rest - 1)
        count++;
    assert(count > 0);
    uint32_t nth = count == 1 ? 0 : (uint32_t) draw_below_u64(&policy->dice, 0, count);
    while (nth-- > 0)
        to_act &= to_act - 1;
    return (uint32_t) __builtin_ctz(to_act);
}

static bool is_word(const char *name, size_t size, const char *wanted)
{
    return size == strlen(wanted) && memcmp(name, wanted, size) == 0;
}

bool policy_read(const char *name, size_t size, const struct game *game,
                 struct policy_choice *choice)
{
    *choice = (struct policy_choice){ .kind = POLICY_RANDOM };
    if (is_word(name, size, "random"))
        return true;
    choice->kind = POLICY_GREEDY;
    if (is_word(name, size, "greedy"))
        return true;
    choice->kind = POLICY_SEARCH;
    return skill_read(name, size, game, &choice->skill);
}
