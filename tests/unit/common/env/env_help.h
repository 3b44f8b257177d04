/* env_help.h: what the tests of this folder share: rules that open, matches that are played by a choice of one's own. */
#ifndef ARBITER_TESTS_ENV_HELP_H
#define ARBITER_TESTS_ENV_HELP_H

#include "env/arbiter_games.h"

#define GAMES_MAX 32

/* Fails the test, with the fault, if they do not open. */
struct arbiter_rules *open_rules(const char *game, const struct arbiter_settings *settings);
/* Asks something of every game; there are at least six. */
void                  each_game(void (*test)(const char *game, struct arbiter_rules *rules));
/* The core, to be freed. */
uint8_t              *core_of(const struct arbiter_rules *rules, const struct arbiter_env *env);
void     assert_same_core(const struct arbiter_rules *rules, const struct arbiter_env *one,
                          const struct arbiter_env *other);
/* A choice that any test can repeat. */
uint64_t choice(uint64_t *luck, uint64_t below);
void     step_on(struct arbiter_env *env, uint64_t *luck, uint32_t most, uint8_t *mask);

#endif
