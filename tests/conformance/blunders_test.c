/* blunders_test.c: whether analysis finds moves that were made worse on purpose, and spares the best ones.
 *
 * A good player plays matches from fixed seeds. At every few decisions a much deeper search, with dice of its
 * own, says two things: which command is best, and whether a command drawn at random is a blunder. It is
 * one if it gives away at least the threshold, twice its standard error taken off. Then both are put to the
 * analysis, which knows of neither. The share of blunders that it flags and of best commands that it
 * flags are printed, with what they were called.
 *
 *     tests.conformance.blunders.test                     a few positions; what every check runs
 *     tests.conformance.blunders.test GAME TABLE POSITIONS    one of the game's setups/, judged: 90 % and 5 %
 *     tests.conformance.blunders.test GAME TABLE POSITIONS FUTURES    with so many futures for each decision */
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
#include "tables.h"

#define DEEPER 8u         /* Times as many futures say what is best, and what is a blunder. */
#define GOOD_PART 8u      /* Of the futures of an analysis the good player has. */
#define DECISIONS_EACH 4u /* One in so many decisions is looked at.             */
#define DRAWS_MOST 4u     /* Commands that are drawn until one is a blunder.    */
#define MATCHES_MOST 400u
#define ACTS_MOST 4000u
#define FOUND_PERCENT 90u
#define SPARED_PERCENT 95u

/* What came of it. */
struct tally {
    uint32_t positions; /* Where a blunder was found. */
    uint32_t looked_at; /* Decisions.                 */
    uint32_t worse[WEIGH_KINDS], best[WEIGH_KINDS];
    int64_t  deep_loss, found_loss;
};

struct evening {
    struct match_terms terms;
    struct match_room  room;
    struct match_act   act;
    struct match      *match;
    struct policy      policy;
    struct thinker     player;
    struct analyst     quick, deep;
    struct luck        luck;
    void              *memory[5];
    struct tally       tally;
    uint32_t           futures, wanted;
};

static void *room_of(struct evening *evening, uint32_t which, size_t size)
{
    evening->memory[which] = calloc(1, size);
    assert_non_null(evening->memory[which]);
    return evening->memory[which];
}

static void open_evening(struct evening *evening, const struct table *table)
{
    struct match_terms *terms = &evening->terms;
    uint32_t            deep = DEEPER * evening->futures, good = evening->futures / GOOD_PART + 2;
    match_terms_init(terms, table->wire->game, table->setup, table->seats[0], MATCH_WORDS, NULL);
    match_room_init(&evening->room, terms, room_of(evening, 0, match_room_bytes(terms)));
    (void) room_of(evening, 1, match_bytes(terms));
    policy_init(&evening->policy, POLICY_GREEDY, 1000, 7, terms,
                room_of(evening, 2, policy_bytes(terms)));
    thinker_init(&evening->player, terms, good, room_of(evening, 3, thinker_bytes(terms, good)));
    size_t   quick_bytes = analyst_bytes(terms, evening->futures);
    uint8_t *both = room_of(evening, 4, quick_bytes + analyst_bytes(terms, deep) + 64);
    analyst_init(&evening->quick, terms, evening->futures, 1, both);
    analyst_init(&evening->deep, terms, deep, 2, both + ((quick_bytes + 63) & ~(size_t) 63));
    evening->luck.state = 11;
}

static void hear(struct evening *evening)
{
    thinker_hear(&evening->player, &evening->act);
    analyst_hear(&evening->quick, &evening->act);
    analyst_hear(&evening->deep, &evening->act);
}

/* A command that is drawn until the deep search says it is a blunder; false: none was. */
static bool find_blunder(struct evening *evening, struct analyst_deed *deed,
                         struct weighing *weighing)
{
    struct legal *list = &evening->policy.list;
    match_legal(evening->match, deed->seat, list);
    struct legal usual = *list;
    usual.patterns = legal_usual_first(list, evening->terms.game->commands);
    uint64_t count = usual.patterns > 0 ? legal_count(&usual) : legal_count(list);
    for (uint32_t i = 0; i < DRAWS_MOST; i++) {
        legal_pick(list, luck_next(&evening->luck) % count, &deed->command);
        if (analyst_decision(&evening->deep, deed, weighing) == ANALYST_JUDGED &&
            weighing->loss.worth - 2 * weighing->loss.error >= WEIGH_BLUNDER)
            return true;
    }
    return false;
}

/* A decision is about to be made. Each analyst looks before it. */
static void examine(struct evening *evening, uint32_t seat)
{
    struct tally       *tally = &evening->tally;
    struct analyst_deed worse = { .seat = seat }, best = { .seat = seat };
    struct weighing     deep, quick;
    analyst_look(&evening->quick, evening->match);
    analyst_look(&evening->deep, evening->match);
    if (evening->quick.choices[seat] < 2)
        return;
    tally->looked_at++;
    if (!find_blunder(evening, &worse, &deep))
        return;
    best.command = deep.best;
    tally->positions++;
    tally->deep_loss += deep.loss.worth;
    assert_int_equal(analyst_decision(&evening->quick, &worse, &quick), ANALYST_JUDGED);
    tally->found_loss += quick.loss.worth;
    tally->worse[weigh_kind(&quick)]++;
    assert_int_equal(analyst_decision(&evening->quick, &best, &quick), ANALYST_JUDGED);
    tally->best[weigh_kind(&quick)]++;
}

static void play(struct evening *evening, uint64_t seed)
{
    struct match_begin how = { .epoch = 1, .id = { 1 }, .secret = { 2 } };
    struct level       good = { .nodes = evening->futures / GOOD_PART + 1 };
    struct dice        dice;
    dice_splitmix(&dice, seed);
    how.dice = &dice;
    thinker_begin(&evening->player);
    thinker_begin(&evening->quick.thinker);
    thinker_begin(&evening->deep.thinker);
    evening->match =
        match_start(evening->memory[1], &evening->terms, &how, &evening->room, &evening->act);
    hear(evening);
    for (uint32_t i = 0; i < ACTS_MOST && match_to_act(evening->match) != 0 &&
                         evening->tally.positions < evening->wanted;
         i++) {
        struct command command;
        uint32_t       seat = policy_seat(&evening->policy, match_to_act(evening->match));
        if (luck_one_in(&evening->luck, DECISIONS_EACH))
            examine(evening, seat);
        assert_true(thinker_pick(&evening->player, &evening->policy, evening->match, seat, &good,
                                 &command));
        assert_int_equal(match_play(evening->match, seat, &command, &evening->room, &evening->act),
                         ACCEPTED);
        hear(evening);
    }
}

static uint32_t flagged(const uint32_t kinds[WEIGH_KINDS])
{
    return kinds[WEIGH_IS_INACCURACY] + kinds[WEIGH_IS_MISTAKE] + kinds[WEIGH_IS_BLUNDER];
}

static void print_kinds(const char *what, const uint32_t kinds[WEIGH_KINDS], uint32_t of)
{
    print_message("  %s: %u of %u flagged (%.1f %%): %u blunders, %u mistakes, %u inaccuracies\n",
                  what, flagged(kinds), of, of > 0 ? 100.0 * flagged(kinds) / of : 0,
                  kinds[WEIGH_IS_BLUNDER], kinds[WEIGH_IS_MISTAKE], kinds[WEIGH_IS_INACCURACY]);
}

static const struct table *table_of(const struct tables *tables, const char *name)
{
    for (uint32_t i = 0; i < tables->count; i++)
        if (strcmp(tables->table[i].name, name) == 0)
            return &tables->table[i];
    for (uint32_t i = 0; i < tables->count; i++)
        print_message("  there is a table %s\n", tables->table[i].name);
    fail_msg("there is no table %s", name);
    return NULL;
}

/* Match after match, until there are enough positions. */
static struct tally examine_game(const char *name, const char *table, uint32_t positions,
                                 uint32_t futures)
{
    const struct game_wire *wire = registry_find(name, 0);
    struct tables           tables;
    struct evening          evening;
    assert_non_null(wire);
    assert_true(tables_load(wire, &tables));
    memset(&evening, 0, sizeof evening);
    evening.futures = futures > 0 ? futures : analyst_futures(wire->game);
    evening.wanted = positions;
    open_evening(&evening, table_of(&tables, table));
    for (uint64_t i = 0; i < MATCHES_MOST && evening.tally.positions < positions; i++)
        play(&evening, i + 1);
    for (uint32_t k = 0; k < 5; k++)
        free(evening.memory[k]);
    tables_free(&tables);
    struct tally *tally = &evening.tally;
    print_message(
        "%s, %u futures for a decision, %u for the truth: %u positions with a blunder, of "
        "%u decisions\n",
        name, evening.futures, DEEPER * evening.futures, tally->positions, tally->looked_at);
    print_kinds("made worse on purpose", tally->worse, tally->positions);
    print_kinds("the best commands", tally->best, tally->positions);
    if (tally->positions > 0)
        print_message("  mean loss of what was made worse: %.3f, and %.3f by the analysis\n",
                      (double) tally->deep_loss / tally->positions / WEIGH_WON,
                      (double) tally->found_loss / tally->positions / WEIGH_WON);
    return *tally;
}

static bool is_good(const struct tally *tally)
{
    uint32_t spared = tally->positions - flagged(tally->best);
    return 100 * flagged(tally->worse) >= FOUND_PERCENT * tally->positions &&
           100 * spared >= SPARED_PERCENT * tally->positions;
}

static void judge(const char *game, const char *table, uint32_t positions, uint32_t futures)
{
    struct tally tally = examine_game(game, table, positions, futures);
    assert_int_equal(tally.positions, positions);
    assert_true(is_good(&tally));
}

static void blunders_are_found_and_best_commands_spared(void **unused)
{
    (void) unused;
    judge("nim", "classic", 10, 200);
    judge("objectron", "small", 3, 300);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(
        blunders_are_found_and_best_commands_spared) };
    if (argc < 4)
        return cmocka_run_group_tests(tests, NULL, NULL);
    uint32_t     positions = (uint32_t) strtoul(argv[3], NULL, 10);
    uint32_t     futures = argc > 4 ? (uint32_t) strtoul(argv[4], NULL, 10) : 0;
    struct tally tally = examine_game(argv[1], argv[2], positions, futures);
    return tally.positions < positions || !is_good(&tally);
}
