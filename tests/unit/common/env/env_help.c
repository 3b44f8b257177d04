/* env_help.c: see env_help.h. */
#include "common/env/env_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arbiter_rules *open_rules(const char *game, const struct arbiter_settings *settings)
{
    char                  fault[256] = "";
    struct arbiter_rules *rules = arbiter_rules_open(game, settings, fault, sizeof fault);
    if (rules == NULL)
        fail_msg("%s: %s", game, fault);
    return rules;
}

uint8_t *core_of(const struct arbiter_rules *rules, const struct arbiter_env *env)
{
    struct arbiter_shape shape;
    arbiter_rules_shape(rules, &shape);
    uint8_t *bytes = malloc(shape.core_bytes);
    assert_non_null(bytes);
    arbiter_env_core(env, bytes);
    return bytes;
}

void assert_same_core(const struct arbiter_rules *rules, const struct arbiter_env *one,
                      const struct arbiter_env *other)
{
    struct arbiter_shape shape;
    arbiter_rules_shape(rules, &shape);
    uint8_t *ours = core_of(rules, one), *theirs = core_of(rules, other);
    assert_memory_equal(ours, theirs, shape.core_bytes);
    free(ours);
    free(theirs);
}

uint64_t choice(uint64_t *luck, uint64_t below)
{
    *luck = *luck * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (*luck >> 33) % below;
}

void step_on(struct arbiter_env *env, uint64_t *luck, uint32_t most, uint8_t *mask)
{
    for (uint32_t i = 0; i < most && arbiter_env_seat(env) >= 0; i++)
        assert_true(arbiter_env_step(env, choice(luck, arbiter_env_mask(env, mask))));
}

void each_game(void (*test)(const char *game, struct arbiter_rules *rules))
{
    char     names[1024], *rest = names;
    uint32_t count = 0;
    (void) snprintf(names, sizeof names, "%s", arbiter_games());
    for (char *game = strsep(&rest, "\n"); game != NULL; game = strsep(&rest, "\n"), count++) {
        struct arbiter_rules *rules = open_rules(game, NULL);
        test(game, rules);
        arbiter_rules_close(rules);
    }
    assert_in_range(count, 6, GAMES_MAX);
}
