/* env_test.c: games inside a program: every game, by the public header alone.
 *
 * What an observation may depend on is asked of all games by tests/conformance; that a match here is the one a
 * match file tells, by tests/conformance/env_trace_test.c. */
#include "common/env/env_help.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MATCHES 6
#define STEPS 400

/* Settings. */

/* A set-up with fate cards is one for the edition that has them. */
static const char *options_of(const char *setup)
{
    return strstr(setup, "-crossroads") != NULL && strstr(setup, "hotel") == NULL
               ? "{\"edition\": \"crossroads\"}"
               : NULL;
}

static uint32_t opened;

static void all_open(const char *game, struct arbiter_rules *unused)
{
    char *setups = strdup(arbiter_setups(game)), *rest = setups;
    (void) unused;
    for (char *name = strsep(&rest, "\n"); name != NULL; name = strsep(&rest, "\n"), opened++)
        arbiter_rules_close(open_rules(
            game, &(struct arbiter_settings){ .setup = name, .options = options_of(name) }));
    free(setups);
}

static void every_set_up_that_comes_along_can_be_opened(void **unused)
{
    (void) unused;
    each_game(all_open);
    assert_in_range(opened, 30, 200);
}

static void assert_fault(const char *game, const struct arbiter_settings *settings,
                         const char *wanted)
{
    char fault[256] = "";
    assert_null(arbiter_rules_open(game, settings, fault, sizeof fault));
    assert_non_null(strstr(fault, wanted));
}

static void what_is_wrong_is_said(void **unused)
{
    (void) unused;
    assert_fault("chess", NULL, "there is no game \"chess\"");
    assert_fault("nim", &(struct arbiter_settings){ .setup = "vast" }, "is named \"vast\"");
    assert_fault("nim", &(struct arbiter_settings){ .seats = 9 }, "sit 2 to 4");
    assert_fault("nim", &(struct arbiter_settings){ .setup = "{\"heaps\": [3, 0]}" },
                 "set-up:/heaps/1");
    assert_fault("nim", &(struct arbiter_settings){ .options = "{\"haste\": 1}" },
                 "options:/haste");
    assert_null(arbiter_setups("chess"));
}

/* One match. */

/* Of another seed: its dice, at least, are others. */
static void assert_other_core(const struct arbiter_rules *rules, struct arbiter_env *one,
                              struct arbiter_env *other, uint8_t *mask)
{
    struct arbiter_shape shape;
    uint64_t             luck = 1, again = 1;
    arbiter_rules_shape(rules, &shape);
    arbiter_env_reset(one, 1);
    arbiter_env_reset(other, 2);
    step_on(one, &luck, 3, mask);
    step_on(other, &again, 3, mask);
    uint8_t *ours = core_of(rules, one), *theirs = core_of(rules, other);
    assert_memory_not_equal(ours, theirs, shape.core_bytes);
    free(ours);
    free(theirs);
}

static void plays_alike(const char *game, struct arbiter_rules *rules)
{
    struct arbiter_env  *one = arbiter_env_new(rules), *other = arbiter_env_new(rules);
    struct arbiter_shape shape;
    uint64_t             luck, again;
    arbiter_rules_shape(rules, &shape);
    uint8_t *mask = malloc(shape.actions);
    (void) game;
    for (uint64_t seed = 1; seed <= MATCHES; seed++) {
        luck = again = seed;
        arbiter_env_reset(one, seed);
        step_on(one, &luck, STEPS, mask);
        arbiter_env_reset(other, seed);
        step_on(other, &again, STEPS, mask);
        assert_same_core(rules, one, other);
    }
    assert_other_core(rules, one, other, mask);
    free(mask);
    arbiter_env_free(one);
    arbiter_env_free(other);
}

static void the_same_seed_and_actions_give_the_same_bytes(void **unused)
{
    (void) unused;
    each_game(plays_alike);
}

static void goes_on_alike(const char *game, struct arbiter_rules *rules)
{
    struct arbiter_env  *env = arbiter_env_new(rules), *copy = arbiter_env_new(rules);
    struct arbiter_env  *loaded = arbiter_env_new(rules);
    struct arbiter_shape shape;
    uint64_t             luck = 7, ours, theirs;
    arbiter_rules_shape(rules, &shape);
    uint8_t *mask = malloc(shape.actions), *bytes = malloc(shape.save_bytes);
    (void) game;
    step_on(env, &luck, 9, mask);
    arbiter_env_copy(copy, env);
    arbiter_env_save(env, bytes);
    assert_true(arbiter_env_load(loaded, bytes, shape.save_bytes));
    ours = theirs = luck;
    step_on(env, &luck, STEPS, mask);
    step_on(copy, &ours, STEPS, mask);
    step_on(loaded, &theirs, STEPS, mask);
    assert_same_core(rules, env, copy);
    assert_same_core(rules, env, loaded);
    assert_int_equal(arbiter_env_number(env), arbiter_env_number(loaded));
    assert_false(arbiter_env_load(loaded, bytes, shape.save_bytes - 1));
    bytes[0] ^= 1;
    assert_false(arbiter_env_load(loaded, bytes, shape.save_bytes));
    free(mask);
    free(bytes);
    arbiter_env_free(env);
    arbiter_env_free(copy);
    arbiter_env_free(loaded);
}

static void copies_and_saved_bytes_go_on_alike(void **unused)
{
    (void) unused;
    each_game(goes_on_alike);
}

/* A state's bytes are as long in both, but the heaps are others. */
static void a_match_of_another_set_up_is_not_loaded(void **unused)
{
    static const char *const heaps[] = { "{\"heaps\": [3, 4]}", "{\"heaps\": [4, 3]}" };
    struct arbiter_rules    *rules[2];
    struct arbiter_env      *env[2];
    struct arbiter_shape     shape;
    (void) unused;
    for (uint32_t i = 0; i < 2; i++) {
        rules[i] = open_rules("nim", &(struct arbiter_settings){ .setup = heaps[i], .seats = 2 });
        env[i] = arbiter_env_new(rules[i]);
    }
    arbiter_rules_shape(rules[0], &shape);
    uint8_t *bytes = malloc(shape.save_bytes);
    arbiter_env_save(env[0], bytes);
    assert_true(arbiter_env_load(env[0], bytes, shape.save_bytes));
    assert_false(arbiter_env_load(env[1], bytes, shape.save_bytes));
    free(bytes);
    for (uint32_t i = 0; i < 2; i++) {
        arbiter_env_free(env[i]);
        arbiter_rules_close(rules[i]);
    }
}

/* Nobody played there, and here somebody plays the seat whose turn it is. */
static void who_plays_goes_on_in_a_copy(void **unused)
{
    struct arbiter_rules *rules = open_rules("nim", NULL);
    struct arbiter_env   *from = arbiter_env_new(rules), *copy = arbiter_env_new(rules);
    struct arbiter_shape  shape;
    (void) unused;
    arbiter_rules_shape(rules, &shape);
    uint8_t *bytes = malloc(shape.save_bytes);
    assert_true(arbiter_env_player(copy, 1, "greedy"));
    assert_true(arbiter_env_step(from, 0));
    assert_int_equal(arbiter_env_seat(from), 1);
    arbiter_env_copy(copy, from);
    assert_int_equal(arbiter_env_seat(copy), 2);
    arbiter_env_reset(copy, 1);
    arbiter_env_save(from, bytes);
    assert_true(arbiter_env_load(copy, bytes, shape.save_bytes));
    assert_int_equal(arbiter_env_seat(copy), 2);
    free(bytes);
    arbiter_env_free(from);
    arbiter_env_free(copy);
    arbiter_rules_close(rules);
}

/* The dice of those who play by themselves are copied and saved, too, and their notes. */
static void house_players_go_on_alike(void **unused)
{
    (void) unused;
    for (uint32_t way = 0; way < 2; way++) {
        struct arbiter_rules *rules = open_rules("dead", NULL);
        struct arbiter_env   *env = arbiter_env_new(rules), *other = arbiter_env_new(rules);
        struct arbiter_shape  shape;
        uint64_t              luck = 5, again = 5;
        uint8_t               mask[512];
        arbiter_rules_shape(rules, &shape);
        uint8_t *bytes = malloc(shape.save_bytes);
        for (uint32_t seat = 1; seat < 4; seat++) {
            assert_true(arbiter_env_player(env, seat, seat == 1 ? "search:9" : "random"));
            assert_true(arbiter_env_player(other, seat, seat == 1 ? "search:9" : "random"));
        }
        arbiter_env_reset(env, 3);
        step_on(env, &luck, 5, mask);
        again = luck;
        arbiter_env_save(env, bytes);
        if (way == 0)
            arbiter_env_copy(other, env);
        else
            assert_true(arbiter_env_load(other, bytes, shape.save_bytes));
        step_on(env, &luck, 25, mask);
        step_on(other, &again, 25, mask);
        assert_same_core(rules, env, other);
        free(bytes);
        arbiter_env_free(env);
        arbiter_env_free(other);
        arbiter_rules_close(rules);
    }
}

/* A player who searches begins each match with empty notes, and a random one draws by the match's seed. */
static void players_begin_anew_with_each_match(void **unused)
{
    static const char *const players[] = { "random", "search:9" };
    (void) unused;
    for (uint32_t i = 0; i < 2; i++) {
        struct arbiter_rules *rules =
            open_rules("quests", &(struct arbiter_settings){ .most = 300 });
        struct arbiter_env *env = arbiter_env_new(rules), *other = arbiter_env_new(rules);
        for (uint32_t seat = 0; seat < 4; seat++) {
            assert_true(arbiter_env_player(env, seat, players[i]));
            assert_true(arbiter_env_player(other, seat, players[i]));
        }
        arbiter_env_reset(env, 8);
        arbiter_env_reset(env, 9);
        arbiter_env_reset(other, 9);
        assert_same_core(rules, env, other);
        arbiter_env_free(env);
        arbiter_env_free(other);
        arbiter_rules_close(rules);
    }
}

/* In four in a row only the players have dice. */
static void another_seed_is_another_player(void **unused)
{
    struct arbiter_rules *rules = open_rules("four", NULL);
    struct arbiter_env   *one = arbiter_env_new(rules), *other = arbiter_env_new(rules);
    int32_t               cells[2][48];
    (void) unused;
    for (uint32_t seat = 0; seat < 2; seat++) {
        assert_true(arbiter_env_player(one, seat, "random"));
        assert_true(arbiter_env_player(other, seat, "random"));
    }
    arbiter_env_reset(one, 1);
    arbiter_env_reset(other, 2);
    arbiter_env_observe(one, 0, cells[0]);
    arbiter_env_observe(other, 0, cells[1]);
    assert_memory_not_equal(cells[0], cells[1], sizeof cells[0]);
    arbiter_env_free(one);
    arbiter_env_free(other);
    arbiter_rules_close(rules);
}

static void all_are_found(const char *game, struct arbiter_rules *rules)
{
    struct arbiter_env  *env = arbiter_env_new(rules);
    struct arbiter_shape shape;
    uint64_t             luck = 3, found = 0, listed = 0;
    char                 text[400];
    arbiter_rules_shape(rules, &shape);
    uint8_t *mask = malloc(shape.actions);
    for (uint32_t i = 0; i < 60 && arbiter_env_seat(env) >= 0; i++) {
        for (uint64_t action = 0; action < arbiter_env_legal(env); action++) {
            struct arbiter_command command;
            uint64_t               again;
            assert_true(arbiter_env_action(env, action, &command));
            assert_in_range(arbiter_env_action_text(env, action, text, sizeof text), 3, 399);
            assert_non_null(arbiter_rules_kind(rules, command.kind));
            found += arbiter_env_find(env, &command, &again) && again == action;
            listed += command.text_size == 0;
        }
        assert_false(arbiter_env_step(env, arbiter_env_legal(env)));
        step_on(env, &luck, 1, mask);
    }
    if (found != listed)
        fail_msg("%s: %u of %u actions are found again", game, (uint32_t) found, (uint32_t) listed);
    free(mask);
    arbiter_env_free(env);
}

static void an_action_is_a_command_and_the_command_is_found_again(void **unused)
{
    (void) unused;
    each_game(all_are_found);
}

static void a_match_ends_with_outcome_and_ranks(void **unused)
{
    struct arbiter_rules *rules = open_rules(
        "nim", &(struct arbiter_settings){ .setup = "{\"heaps\": [1, 1, 1]}", .seats = 3 });
    struct arbiter_env *env = arbiter_env_new(rules);
    int32_t             outcome[3], rank[3];
    (void) unused;
    for (int32_t seat = 0; seat < 3; seat++) {
        arbiter_env_outcome(env, outcome, rank);
        assert_int_equal(rank[2], 0);
        assert_int_equal(arbiter_env_seat(env), seat);
        assert_true(arbiter_env_step(env, 0));
    }
    arbiter_env_outcome(env, outcome, rank);
    assert_int_equal(arbiter_env_seat(env), ARBITER_NOBODY);
    assert_true(outcome[0] < 0 && outcome[1] < 0 && outcome[2] > 0);
    assert_true(rank[0] == 2 && rank[1] == 2 && rank[2] == 1);
    assert_false(arbiter_env_step(env, 0));
    arbiter_env_free(env);
    arbiter_rules_close(rules);
}

/* Heaps of 3, 4 and 5: 1 field, 4 cells of heaps, 3 of seats, turn, 3 of winners. */
static void an_observation_is_laid_out_as_its_fields_say(void **unused)
{
    static const int32_t  wanted[] = { 0, 3, 3, 4, 5, 2, 0, 1, 0, 0, -1, -1 };
    static const int32_t  after[] = { 0, 3, 2, 4, 5, 2, 0, 1, 1, 0, -1, -1 };
    struct arbiter_rules *rules = open_rules(
        "nim", &(struct arbiter_settings){ .setup = "{\"heaps\": [3, 4, 5]}", .seats = 2 });
    struct arbiter_env  *env = arbiter_env_new(rules);
    struct arbiter_shape shape;
    struct arbiter_field field;
    int32_t              cells[12];
    char                 text[200];
    (void) unused;
    arbiter_rules_shape(rules, &shape);
    assert_int_equal(shape.cells, 12);
    assert_int_equal(shape.actions, 12);
    assert_true(arbiter_rules_field(rules, 1, &field));
    assert_string_equal(field.name, "heaps");
    assert_true(field.at == 1 && field.most == 3 && field.cells == 4 && field.depth == 0);
    assert_false(arbiter_rules_field(rules, shape.fields, &field));
    arbiter_env_observe(env, 0, cells);
    assert_memory_equal(cells, wanted, sizeof wanted);
    assert_true(arbiter_env_step(env, 0));
    arbiter_env_observe(env, ARBITER_SPECTATOR, cells);
    assert_memory_equal(cells, after, sizeof after);
    arbiter_env_text(env, 0, text, sizeof text);
    assert_string_equal(text, "misere no\nheaps 2 4 5\nseats 0 1\nturn 1\nwinners\n");
    assert_int_equal(arbiter_env_text(env, 0, text, 9), 47);
    assert_string_equal(text, "misere n");
    arbiter_env_free(env);
    arbiter_rules_close(rules);
}

static void a_command_is_judged_as_at_a_server(void **unused)
{
    struct arbiter_rules  *rules = open_rules("nim", NULL);
    struct arbiter_env    *env = arbiter_env_new(rules);
    struct arbiter_command command = { .kind = 1, .arg = { 0, 99 } };
    (void) unused;
    for (uint32_t i = 2; i < ARBITER_ARGS_MAX; i++)
        command.arg[i] = ARBITER_ABSENT;
    assert_string_equal(arbiter_rules_reason(rules, arbiter_env_command(env, 0, &command)),
                        "COUNT");
    assert_string_equal(arbiter_rules_reason(rules, arbiter_env_command(env, 1, &command)),
                        "NOT_YOUR_TURN");
    command.arg[1] = 1;
    assert_int_equal(arbiter_env_command(env, 0, &command), 0);
    assert_int_equal(arbiter_env_seat(env), 1);
    assert_true(arbiter_env_expire(env, 1u << 1));
    assert_int_equal(arbiter_env_seat(env), 2);
    arbiter_env_free(env);
    arbiter_rules_close(rules);
}

/* Cut after one command: nothing goes on, whoever asks. */
static void a_match_that_was_cut_stands(void **unused)
{
    struct arbiter_rules  *rules = open_rules("nim", &(struct arbiter_settings){ .most = 1 });
    struct arbiter_env    *env = arbiter_env_new(rules);
    struct arbiter_command command;
    (void) unused;
    assert_true(arbiter_env_action(env, 0, &command));
    assert_int_equal(arbiter_env_command(env, 0, &command), 0);
    assert_true(arbiter_env_is_cut(env));
    assert_int_equal(arbiter_env_command(env, 1, &command), UINT32_MAX);
    assert_false(arbiter_env_expire(env, 1u << 1));
    assert_int_equal(arbiter_env_number(env), 2);
    arbiter_env_free(env);
    arbiter_rules_close(rules);
}

/* Players. */

static void ends_by_itself(const char *game, struct arbiter_rules *rules)
{
    struct arbiter_env  *env = arbiter_env_new(rules);
    struct arbiter_shape shape;
    arbiter_rules_shape(rules, &shape);
    for (uint32_t seat = 0; seat < shape.seats; seat++)
        if (!arbiter_env_player(env, seat, "greedy"))
            fail_msg("%s: no greedy player sits down", game);
    assert_int_equal(arbiter_env_seat(env), ARBITER_NOBODY);
    uint8_t *first = core_of(rules, env);
    arbiter_env_reset(env, 2);
    arbiter_env_reset(env, 1);
    uint8_t *again = core_of(rules, env);
    assert_memory_equal(first, again, shape.core_bytes);
    free(first);
    free(again);
    assert_false(arbiter_env_player(env, 0, "clever"));
    assert_false(arbiter_env_player(env, shape.seats, "greedy"));
    arbiter_env_free(env);
}

static void house_players_play_their_seats(void **unused)
{
    (void) unused;
    each_game(ends_by_itself);
}

/* Who takes first wins 1 and 2 by one move alone. */
static void a_player_who_searches_wins_what_can_be_won(void **unused)
{
    struct arbiter_rules *rules =
        open_rules("nim", &(struct arbiter_settings){ .setup = "{\"heaps\": [1, 2]}", .seats = 2 });
    struct arbiter_env    *env = arbiter_env_new(rules);
    struct arbiter_command command;
    int32_t                outcome[2], rank[2];
    (void) unused;
    assert_true(arbiter_env_player(env, 1, "search:400"));
    while (arbiter_env_seat(env) >= 0) {
        assert_true(arbiter_env_pick(env, "search:400", &command));
        assert_int_equal(arbiter_env_command(env, 0, &command), 0);
    }
    arbiter_env_outcome(env, outcome, rank);
    assert_true(outcome[0] > 0);
    assert_false(arbiter_env_pick(env, "greedy", &command));
    arbiter_env_free(env);
    arbiter_rules_close(rules);
}

/* Leaving is offered only to who asks for it. */
static void giving_up_is_offered_only_if_wanted(void **unused)
{
    uint64_t offered[2];
    (void) unused;
    for (uint32_t gives_up = 0; gives_up < 2; gives_up++) {
        struct arbiter_rules *rules = open_rules(
            "objectron", &(struct arbiter_settings){ .actions = 30, .gives_up = gives_up });
        struct arbiter_env *env = arbiter_env_new(rules);
        uint8_t             mask[30];
        offered[gives_up] = arbiter_env_mask(env, mask);
        assert_int_equal(mask[offered[gives_up] - 1], 1);
        assert_int_equal(mask[offered[gives_up]], 0);
        arbiter_env_free(env);
        arbiter_rules_close(rules);
    }
    assert_int_equal(offered[1], offered[0] + 1); /* Resign. */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_up_that_comes_along_can_be_opened),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(the_same_seed_and_actions_give_the_same_bytes),
        cmocka_unit_test(copies_and_saved_bytes_go_on_alike),
        cmocka_unit_test(a_match_of_another_set_up_is_not_loaded),
        cmocka_unit_test(who_plays_goes_on_in_a_copy),
        cmocka_unit_test(house_players_go_on_alike),
        cmocka_unit_test(players_begin_anew_with_each_match),
        cmocka_unit_test(another_seed_is_another_player),
        cmocka_unit_test(an_action_is_a_command_and_the_command_is_found_again),
        cmocka_unit_test(a_match_ends_with_outcome_and_ranks),
        cmocka_unit_test(an_observation_is_laid_out_as_its_fields_say),
        cmocka_unit_test(a_command_is_judged_as_at_a_server),
        cmocka_unit_test(a_match_that_was_cut_stands),
        cmocka_unit_test(house_players_play_their_seats),
        cmocka_unit_test(a_player_who_searches_wins_what_can_be_won),
        cmocka_unit_test(giving_up_is_offered_only_if_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
