/* env_test.c: games inside a program: every game, by the public header alone.
 *
 * What an observation may depend on is asked of all games by tests/conformance; that a match here is the one a
 * match file tells, by tests/conformance/env_trace_test.c. */
#include "env/arbiter_games.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GAMES_MAX 32
#define MATCHES 6
#define STEPS 400

static const char *game_names[GAMES_MAX];
static char        names[1024];

static struct arbiter_rules *open_rules(const char *game, const struct arbiter_settings *settings)
{
    char                  fault[256] = "";
    struct arbiter_rules *rules = arbiter_rules_open(game, settings, fault, sizeof fault);
    if (rules == NULL)
        fail_msg("%s: %s", game, fault);
    return rules;
}

static uint8_t *core_of(const struct arbiter_rules *rules, const struct arbiter_env *env)
{
    struct arbiter_shape shape;
    arbiter_rules_shape(rules, &shape);
    uint8_t *bytes = malloc(shape.core_bytes);
    assert_non_null(bytes);
    arbiter_env_core(env, bytes);
    return bytes;
}

static void assert_same_core(const struct arbiter_rules *rules, const struct arbiter_env *one,
                             const struct arbiter_env *other)
{
    struct arbiter_shape shape;
    arbiter_rules_shape(rules, &shape);
    uint8_t *ours = core_of(rules, one), *theirs = core_of(rules, other);
    assert_memory_equal(ours, theirs, shape.core_bytes);
    free(ours);
    free(theirs);
}

/* A choice that any test can repeat. */
static uint64_t choice(uint64_t *luck, uint64_t below)
{
    *luck = *luck * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (*luck >> 33) % below;
}

static void step_on(struct arbiter_env *env, uint64_t *luck, uint32_t most, uint8_t *mask)
{
    for (uint32_t i = 0; i < most && arbiter_env_seat(env) >= 0; i++)
        assert_true(arbiter_env_step(env, choice(luck, arbiter_env_mask(env, mask))));
}

static void each_game(void (*test)(const char *game, struct arbiter_rules *rules))
{
    uint32_t count = 0;
    for (; game_names[count] != NULL; count++) {
        struct arbiter_rules *rules = open_rules(game_names[count], NULL);
        test(game_names[count], rules);
        arbiter_rules_close(rules);
    }
    assert_in_range(count, 6, GAMES_MAX);
}

/* Settings. */

/* A set-up with fate cards is one for the edition that has them. */
static const char *options_of(const char *setup)
{
    return strstr(setup, "-crossroads") != NULL && strstr(setup, "hotel") == NULL
               ? "{\"edition\": \"crossroads\"}"
               : NULL;
}

static void every_set_up_that_comes_along_can_be_opened(void **unused)
{
    uint32_t count = 0;
    (void) unused;
    for (uint32_t i = 0; game_names[i] != NULL; i++) {
        char *setups = strdup(arbiter_setups(game_names[i])), *rest = setups;
        for (char *name = strsep(&rest, "\n"); name != NULL; name = strsep(&rest, "\n"), count++)
            arbiter_rules_close(open_rules(
                game_names[i],
                &(struct arbiter_settings){ .setup = name, .options = options_of(name) }));
        free(setups);
    }
    assert_in_range(count, 30, 200);
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

/* Many at once. */

static void plays_as_one_does(const char *game, struct arbiter_rules *rules)
{
    enum { MANY = 5 };
    struct arbiter_envs        *envs = arbiter_envs_new(rules, MANY, 3);
    const struct arbiter_batch *batch = arbiter_envs_batch(envs);
    struct arbiter_env         *one = arbiter_env_new(rules);
    struct arbiter_shape        shape;
    uint64_t                    luck = 11, ended = 0;
    int64_t                     action[MANY];
    arbiter_rules_shape(rules, &shape);
    uint8_t *mask = malloc(shape.actions);
    int32_t *cells = malloc(shape.cells * sizeof *cells);
    arbiter_envs_reset(envs, 40);
    arbiter_env_reset(one, 42);
    for (uint32_t i = 0; i < 300; i++) {
        assert_int_equal(batch->seat[2], arbiter_env_seat(one));
        assert_int_equal(batch->legal[2], arbiter_env_mask(one, mask));
        assert_memory_equal(batch->mask + 2 * shape.actions, mask, shape.actions);
        arbiter_env_observe(one, (uint32_t) batch->seat[2], cells);
        assert_memory_equal(batch->cells + 2 * shape.cells, cells, shape.cells * sizeof *cells);
        for (uint32_t k = 0; k < MANY; k++)
            action[k] = (int64_t) choice(&luck, batch->legal[k]);
        assert_int_equal(arbiter_envs_step(envs, action), 0);
        assert_true(arbiter_env_step(one, (uint64_t) action[2]));
        assert_int_equal(batch->over[2] != ARBITER_GOES_ON, arbiter_env_seat(one) < 0);
        if (arbiter_env_seat(one) >= 0)
            continue;
        ended++;
        arbiter_env_reset(one, 42 + MANY * ended);
        assert_int_equal(batch->seed[2], 42 + MANY * ended);
    }
    action[0] = -1;
    action[1] = (int64_t) arbiter_env_legal(arbiter_envs_match(envs, 1));
    assert_int_equal(arbiter_envs_step(envs, action) >= 2, 1);
    (void) game;
    free(mask);
    free(cells);
    arbiter_env_free(one);
    arbiter_envs_free(envs);
}

static void a_match_among_many_is_the_match_alone(void **unused)
{
    (void) unused;
    each_game(plays_as_one_does);
}

static void threads_change_nothing(void **unused)
{
    struct arbiter_rules *rules = open_rules("dead", NULL);
    struct arbiter_envs  *one = arbiter_envs_new(rules, 7, 1),
                        *other = arbiter_envs_new(rules, 7, 4);
    struct arbiter_shape shape;
    (void) unused;
    arbiter_rules_shape(rules, &shape);
    for (uint32_t i = 0; i < 300; i++) {
        arbiter_envs_step_random(one);
        arbiter_envs_step_random(other);
    }
    assert_memory_equal(arbiter_envs_batch(one)->cells, arbiter_envs_batch(other)->cells,
                        7 * shape.cells * sizeof(int32_t));
    assert_memory_equal(arbiter_envs_batch(one)->seed, arbiter_envs_batch(other)->seed,
                        7 * sizeof(uint64_t));
    arbiter_envs_free(one);
    arbiter_envs_free(other);
    arbiter_rules_close(rules);
}

static void an_end_is_rewarded_once_and_a_cut_is_told(void **unused)
{
    struct arbiter_rules *rules =
        open_rules("nim", &(struct arbiter_settings){ .setup = "{\"heaps\": [1]}", .seats = 2 });
    struct arbiter_envs        *envs = arbiter_envs_new(rules, 1, 1);
    const struct arbiter_batch *batch = arbiter_envs_batch(envs);
    (void) unused;
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(batch->reward[0] == (i > 0 ? 1.0f : 0.0f));
        assert_true(batch->reward[1] == (i > 0 ? -1.0f : 0.0f));
        assert_int_equal(batch->length[0], i > 0);
        assert_int_equal(arbiter_envs_step(envs, (const int64_t[]){ 0 }), 0);
    }
    arbiter_envs_reset(envs, 1);
    assert_true(batch->reward[0] == 0 && batch->over[0] == ARBITER_GOES_ON);
    arbiter_envs_free(envs);
    arbiter_rules_close(rules);
    rules = open_rules("nim", &(struct arbiter_settings){ .setup = "{\"heaps\": [9]}", .most = 2 });
    envs = arbiter_envs_new(rules, 1, 1);
    batch = arbiter_envs_batch(envs);
    assert_int_equal(arbiter_envs_step(envs, (const int64_t[]){ 0 }), 0);
    assert_int_equal(batch->over[0], ARBITER_GOES_ON);
    assert_int_equal(arbiter_envs_step(envs, (const int64_t[]){ 0 }), 0);
    assert_int_equal(batch->over[0], ARBITER_CUT);
    assert_true(batch->reward[0] == 0 && batch->length[0] == 2);
    arbiter_envs_free(envs);
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
        cmocka_unit_test(an_action_is_a_command_and_the_command_is_found_again),
        cmocka_unit_test(a_match_ends_with_outcome_and_ranks),
        cmocka_unit_test(an_observation_is_laid_out_as_its_fields_say),
        cmocka_unit_test(a_command_is_judged_as_at_a_server),
        cmocka_unit_test(house_players_play_their_seats),
        cmocka_unit_test(a_player_who_searches_wins_what_can_be_won),
        cmocka_unit_test(a_match_among_many_is_the_match_alone),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(an_end_is_rewarded_once_and_a_cut_is_told),
        cmocka_unit_test(giving_up_is_offered_only_if_wanted),
    };
    (void) snprintf(names, sizeof names, "%s", arbiter_games());
    char *rest = names;
    for (uint32_t i = 0; i + 1 < GAMES_MAX && rest != NULL; i++)
        game_names[i] = strsep(&rest, "\n");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
