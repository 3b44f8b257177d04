/* quests_conform.h: playing scenarios of quests against the rules.
 *
 * A file has a JSON object a line: a scenario, with its set-up, its steps and everything that must come
 * of them, or a set-up that must be refused ("expect": "bad_config"). */
#ifndef ARBITER_QUESTS_CONFORM_H
#define ARBITER_QUESTS_CONFORM_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* As `conform` in games/registry.h says. */
bool quests_conform(const char *path, FILE *complaints, uint32_t *agreed, uint32_t *disagreed);
/* As `conform_live` there. */
struct house;
bool quests_conform_live(const char *path, struct house *house, FILE *complaints, uint32_t *agreed,
                         uint32_t *disagreed);

/* Whether a line is a scenario. */
bool quests_is_scenario(const json_t *line);

#endif
