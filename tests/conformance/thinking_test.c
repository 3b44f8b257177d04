/* thinking_test.c: whoever thinks ahead is shown no more than the seat may know, in any game.
 *
 * Greedy players play each set-up of each game that can be thought about. Now and then the seat on turn
 * thinks twice: about the match as it is, and about one in which all that is hidden from the seat is
 * something else. Both thoughts must end with the same command, and none may change the match.
 *
 * An analysis is held to the same. It judges what the seat chose, and what the match is worth to every
 * seat, in the match as it is and in the other one. Not one number may differ. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "dice/kinds.h"
#include "luck.h"
#include "match/analyst.h"
#include "match/thinker.h"
#include "rules/foresight.h"
#include "tables.h"

#define NODES 6
#define WEIGHED 4 /* Futures of an analysis: enough to differ, if something does. */
#define ROOMS 7
#define ACTS_MAX 150     /* Of one match.                             */
#define THINKS_ONE_IN 9  /* Acts before which somebody thinks twice.  */
#define WEIGHS_ONE_IN 40 /* Acts before which a choice is judged twice. */
#define TABLES_MAX 8     /* Of one game, evenly spread.               */

struct evening {
    struct match_terms terms;
    struct match_room  room;
    struct match_act   act;
    struct match      *match;
    struct policy      policy;
    struct thinker     thinker;
    struct analyst     analyst;
    struct luck        luck;
    void              *memory[ROOMS];
    uint64_t           thoughts;
};

static void *room_of(struct evening *evening, uint32_t which, size_t size)
{
    evening->memory[which] = calloc(1, size);
    assert_non_null(evening->memory[which]);
    return evening->memory[which];
}

static void hear(struct evening *evening)
{
    thinker_hear(&evening->thinker, &evening->act);
    analyst_hear(&evening->analyst, &evening->act);
}

static void begin(struct evening *evening, const struct table *table)
{
    struct match_begin how = { .epoch = 1, .id = { 1 }, .secret = { 2 } };
    struct dice        dice;
    memset(evening, 0, sizeof *evening);
    dice_splitmix(&dice, 7);
    how.dice = &dice;
    evening->luck.state = 7;
    match_terms_init(&evening->terms, table->wire->game, table->setup, table->seats[0], MATCH_WORDS,
                     NULL);
    const struct match_terms *terms = &evening->terms;
    match_room_init(&evening->room, terms, room_of(evening, 0, match_room_bytes(terms)));
    policy_init(&evening->policy, POLICY_GREEDY, 1000, 7, terms,
                room_of(evening, 1, policy_bytes(terms)));
    thinker_init(&evening->thinker, terms, NODES + 1,
                 room_of(evening, 2, thinker_bytes(terms, NODES + 1)));
    (void) room_of(evening, 3, match_bytes(terms));
    (void) room_of(evening, 4, match_bytes(terms));
    (void) room_of(evening, 5, terms->bounds.state_bytes);
    analyst_init(&evening->analyst, terms, WEIGHED, 7,
                 room_of(evening, 6, analyst_bytes(terms, WEIGHED)));
    evening->match = match_start(evening->memory[3], terms, &how, &evening->room, &evening->act);
    hear(evening);
}

static void end(struct evening *evening)
{
    for (uint32_t i = 0; i < ROOMS; i++)
        free(evening->memory[i]);
}

/* The match as it is, but for what is hidden from this seat. */
static struct match *another_match(struct evening *evening, uint32_t seat)
{
    const struct match_terms *terms = &evening->terms;
    uint8_t                  *mask = evening->memory[5];
    struct match             *other = evening->memory[4];
    memcpy(other, evening->match, match_bytes(terms));
    memset(mask, 0, terms->bounds.state_bytes);
    terms->game->hidden(terms->setup, evening->match->state, seat, mask);
    for (uint32_t i = 0; i < terms->bounds.state_bytes; i++)
        if (mask[i] != 0)
            ((uint8_t *) other->state)[i] ^= (uint8_t) (1 + luck_below(&evening->luck, 255));
    return other;
}

static struct command think(struct evening *evening, const struct match *match, uint32_t seat)
{
    const struct level skill = { .nodes = NODES };
    struct policy      other = evening->policy; /* The same dice for both thoughts. */
    struct command     command = { 0 };
    assert_true(thinker_pick(&evening->thinker, &other, match, seat, &skill, &command));
    return command;
}

/* What is worked out for a whole list is what is said of each command. */
static void like_as_judged(struct evening *evening, uint32_t seat)
{
    const struct match_terms *terms = &evening->terms;
    const struct foresight   *foresight = terms->game->foresight;
    const struct legal       *list = &evening->policy.list;
    uint64_t                  count = legal_count(list);
    if (foresight->like == NULL)
        return;
    foresight->consider(terms->setup, evening->match->state, seat, evening->thinker.search.opinion);
    for (uint64_t k = 0; k < count; k++) {
        struct command command;
        legal_pick(list, k, &command);
        if (foresight->like(evening->thinker.search.opinion, &command) !=
            terms->game->judge(terms->setup, evening->match->state, seat, &command))
            fail_msg("%s: after act %llu seat %u likes command %llu otherwise than it is judged",
                     terms->game->name, (unsigned long long) evening->match->number, seat,
                     (unsigned long long) k);
    }
}

static void think_twice(struct evening *evening, uint32_t seat)
{
    const struct game *game = evening->terms.game;
    match_legal(evening->match, seat, &evening->policy.list);
    if (evening->policy.list.patterns == 0)
        return; /* What is proposed is asked of all games elsewhere. */
    like_as_judged(evening, seat);
    struct match  *other = another_match(evening, seat);
    struct command one = think(evening, evening->match, seat);
    struct command two = think(evening, other, seat);
    evening->thoughts++;
    if (one.kind != two.kind || memcmp(one.arg, two.arg, sizeof one.arg) != 0)
        fail_msg("%s: after act %llu seat %u chooses by what it cannot know", game->name,
                 (unsigned long long) evening->match->number, seat);
    assert_int_equal(evening->thinker.search.futures, NODES);
}

/* What a command of this seat was worth, as it looks from this match. */
static void weigh_choice(struct evening *evening, const struct match *match, uint32_t seat,
                         const struct command *command, struct weighing *weighing)
{
    const struct analyst_deed deed = { seat, *command };
    memset(weighing, 0, sizeof *weighing);
    analyst_look_as(&evening->analyst, match, seat);
    (void) analyst_decision(&evening->analyst, &deed, weighing);
}

/* What the match is worth to this seat, as it looks from there. */
static struct weight weigh_all(struct evening *evening, const struct match *match, uint32_t seat)
{
    struct analyst *analyst = &evening->analyst;
    struct weight   weight = { -1, -1 };
    analyst_look_as(analyst, match, seat);
    (void) weigh_match(&analyst->thinker.search, &analyst->known[seat], 0, NULL, WEIGHED, 7,
                       &weight);
    return weight;
}

static bool is_same_weight(struct weight one, struct weight other)
{
    return one.worth == other.worth && one.error == other.error;
}

static bool is_same_weighing(const struct weighing *one, const struct weighing *other)
{
    return one->best.kind == other->best.kind &&
           memcmp(one->best.arg, other->best.arg, sizeof one->best.arg) == 0 &&
           is_same_weight(one->value, other->value) && is_same_weight(one->given, other->given) &&
           is_same_weight(one->loss, other->loss) && one->tried == other->tried;
}

/* An analysis is the same, whatever is hidden from whom it judges. */
static void weigh_twice(struct evening *evening, uint32_t seat, const struct command *command)
{
    struct weighing one, two;
    weigh_choice(evening, evening->match, seat, command, &one);
    weigh_choice(evening, another_match(evening, seat), seat, command, &two);
    if (!is_same_weighing(&one, &two))
        fail_msg("%s: after act %llu seat %u is judged by what it cannot know",
                 evening->terms.game->name, (unsigned long long) evening->match->number, seat);
    for (uint32_t viewer = 0; viewer < evening->terms.seats; viewer++) {
        assert_true(is_same_weight(weigh_all(evening, evening->match, viewer),
                                   weigh_all(evening, another_match(evening, viewer), viewer)));
    }
}

static uint64_t play(const struct table *table)
{
    struct evening evening;
    begin(&evening, table);
    for (uint32_t i = 0; i < ACTS_MAX && match_to_act(evening.match) != 0; i++) {
        struct command command;
        uint32_t       seat = policy_seat(&evening.policy, match_to_act(evening.match));
        if (i % THINKS_ONE_IN == 0)
            think_twice(&evening, seat);
        evening.policy.kind = POLICY_GREEDY;
        assert_true(policy_pick(&evening.policy, evening.match, seat, &command));
        if (i % WEIGHS_ONE_IN == 0)
            weigh_twice(&evening, seat, &command);
        assert_int_equal(match_play(evening.match, seat, &command, &evening.room, &evening.act),
                         ACCEPTED);
        hear(&evening);
    }
    uint64_t thoughts = evening.thoughts;
    end(&evening);
    return thoughts;
}

static void nobody_chooses_by_what_is_hidden(void **unused)
{
    (void) unused;
    for (const struct game_wire *const *wire = registry_games(); *wire != NULL; wire++) {
        struct tables tables;
        uint64_t      thoughts = 0;
        if ((*wire)->game->foresight == NULL)
            continue;
        assert_true(tables_load(*wire, &tables));
        for (uint32_t i = 0; i < tables.count && i < TABLES_MAX; i++)
            thoughts +=
                play(&tables.table[tables.count <= TABLES_MAX ? i : i * tables.count / TABLES_MAX]);
        print_message("%s: %llu thoughts\n", (*wire)->game->name, (unsigned long long) thoughts);
        assert_true(thoughts > 0);
        tables_free(&tables);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(nobody_chooses_by_what_is_hidden) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
