/* env_many_test.c: many matches at once are each the match alone, on any number of threads. */
#include "common/env/env_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_match_among_many_is_the_match_alone),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(an_end_is_rewarded_once_and_a_cut_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
