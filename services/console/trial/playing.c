/* playing.c: begins matches from a seed and plays them to their end. */
#include "services/console/trial/playing.h"

#include <assert.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "dice/draw.h"
#include "dice/kinds.h"
#include "match/replay.h"
#include "services/console/trial/trace.h"

static void *memory_of(size_t size)
{
    void *memory = calloc(1, size > 0 ? size : 1);
    if (memory == NULL) {
        fputs("arbiter: out of memory\n", stderr);
        abort();
    }
    return memory;
}

/* The largest tree that somebody needs; 0: nobody thinks ahead. */
static uint32_t tree_of(const struct playing_rules *rules)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < rules->seat_policies; i++) {
        const struct policy_choice *choice = &rules->seat_policy[i];
        uint32_t tree = choice->kind == POLICY_SEARCH ? skill_tree(&choice->skill) : 0;
        most = tree > most ? tree : most;
    }
    return most;
}

void playing_open(struct playing *playing, const struct table *table,
                  const struct playing_rules *rules)
{
    memset(playing, 0, sizeof *playing);
    playing->table = table;
    playing->rules = *rules;
    match_terms_init(&playing->terms, table->wire->game, table->setup, table->seats, rules->flags,
                     &table->form);
    playing->memory[0] = memory_of(match_bytes(&playing->terms));
    playing->memory[1] = memory_of(match_room_bytes(&playing->terms));
    playing->memory[2] = memory_of(policy_bytes(&playing->terms));
    match_room_init(&playing->room, &playing->terms, playing->memory[1]);
    if (tree_of(rules) > 0) {
        playing->memory[3] = memory_of(thinker_bytes(&playing->terms, tree_of(rules)));
        thinker_init(&playing->thinker, &playing->terms, tree_of(rules), playing->memory[3]);
    }
}

void playing_close(struct playing *playing)
{
    for (uint32_t i = 0; i < 4; i++)
        free(playing->memory[i]);
    memset(playing, 0, sizeof *playing);
}

/* 32 bytes for a purpose, from the seed. Not secret, and not meant to be: it is a simulation. */
static void bytes_for(const char *purpose, uint64_t seed, uint8_t bytes[32])
{
    char      text[64];
    const int size = snprintf(text, sizeof text, "%s of simulation %" PRIu64, purpose, seed);
    crypto_hash_sha256(bytes, (const uint8_t *) text, (unsigned long long) size);
}

static void dice_of(struct playing *playing, struct dice *dice)
{
    if (strcmp(playing->rules.dice, "chacha") != 0) {
        bool opened = dice_open(dice, playing->rules.dice, playing->seed);
        assert(opened);
        return;
    }
    struct contributions none;
    uint8_t              commitment[COMMITMENT_BYTES];
    uint8_t              key[DICE_KEY_BYTES];
    commit_secret(playing->house, commitment);
    contributions_open(&none, playing->id, commitment, 0);
    bool agreed = contributions_key(&none, playing->house, key);
    assert(agreed);
    dice_chacha(dice, key);
}

void playing_begin(struct playing *playing, uint64_t seed)
{
    struct match_begin     begin = { .epoch = 1 };
    struct dice            dice;
    uint8_t                id[32];
    uint8_t                commitment[COMMITMENT_BYTES];
    Arbiter__Match__Header header;
    playing->seed = seed;
    text_clear(&playing->fault);
    bytes_for("match id", seed, id);
    memcpy(playing->id, id, sizeof playing->id);
    bytes_for("sealing secret", seed, playing->secret);
    bytes_for("house secret", seed, playing->house);
    dice_of(playing, &dice);
    memcpy(begin.id, playing->id, sizeof begin.id);
    memcpy(begin.secret, playing->secret, sizeof begin.secret);
    begin.dice = &dice;
    trace_header(&header, playing, commitment);
    replay_chain_begin(begin.chain, &header);
    policy_init(&playing->policy, playing->rules.policy, playing->rules.leave_one_in, seed,
                &playing->terms, playing->memory[2]);
    playing->match =
        match_start(playing->memory[0], &playing->terms, &begin, &playing->room, &playing->act);
    if (playing->memory[3] != NULL)
        thinker_begin(&playing->thinker);
    playing_hear(playing);
}

bool playing_over(const struct playing *playing)
{
    return match_to_act(playing->match) == 0;
}

static bool faulty(struct playing *playing, const char *what, const char *more)
{
    text_put(&playing->fault, "the match of seed ");
    text_put_number(&playing->fault, (int64_t) playing->seed);
    text_put(&playing->fault, " after act ");
    text_put_number(&playing->fault, (int64_t) playing->match->number);
    text_put(&playing->fault, ": ");
    text_put(&playing->fault, what);
    text_put(&playing->fault, more);
    return false;
}

bool playing_pick(struct playing *playing, struct policy *policy, const struct policy_choice *how,
                  uint32_t seat, struct command *command)
{
    policy->kind = how->kind;
    if (how->kind == POLICY_SEARCH)
        return thinker_pick(&playing->thinker, policy, playing->match, seat, &how->skill, command);
    return policy_pick(policy, playing->match, seat, command);
}

void playing_hear(struct playing *playing)
{
    if (playing->memory[3] != NULL)
        thinker_hear(&playing->thinker, &playing->act);
}

/* The player of this seat chooses in a way of its own, with the dice of all. */
static struct policy_choice policy_of(const struct playing_rules *rules, uint32_t seat)
{
    if (rules->seat_policies == 0)
        return (struct policy_choice){ .kind = rules->policy };
    return rules->seat_policy[seat < rules->seat_policies ? seat : rules->seat_policies - 1];
}

static bool play_command(struct playing *playing, seat_mask awaited)
{
    const struct game   *game = playing->terms.game;
    struct command       command;
    uint32_t             seat = policy_seat(&playing->policy, awaited);
    struct policy_choice how = policy_of(&playing->rules, seat);
    if (!playing_pick(playing, &playing->policy, &how, seat, &command))
        return faulty(playing, "a seat is awaited, but there is nothing it may do", "");
    verdict judged = match_play(playing->match, seat, &command, &playing->room, &playing->act);
    if (judged == ACCEPTED)
        return true;
    assert(judged < game->reason_kinds);
    return faulty(playing, "a listed command was refused: ", game->reasons[judged].name);
}

bool playing_step(struct playing *playing)
{
    struct playing_rules *rules = &playing->rules;
    seat_mask             awaited = match_to_act(playing->match);
    if (awaited == 0 || playing->match->number >= rules->most)
        return false;
    bool late =
        rules->late_one_in > 0 && draw_below_u64(&playing->policy.dice, 0, rules->late_one_in) == 0;
    if (!late || !match_expire(playing->match, awaited, &playing->room, &playing->act))
        if (!play_command(playing, awaited))
            return false;
    playing_hear(playing);
    const char *broken = rules->check ? match_check(playing->match) : NULL;
    if (broken != NULL)
        return faulty(playing, "an invariant is broken: ", broken);
    return true;
}
