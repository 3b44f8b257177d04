/* quests_conform.h: playing scenarios of quests against the rules.
 *
 * A file has a JSON object a line. Most are scenarios: a set-up, its steps and everything that must
 * come of them. The others are set-ups that must be refused ("expect": "bad_config"). */
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

struct quests_show;
/* Plays a scenario against the rules alone; false: it disagrees, and the complaint is printed. */
bool quests_scenario_agrees(struct quests_show *show, const json_t *scenario);

/* A file being played. Whoever plays it puts this first into a struct of its own. */
struct quests_show {
    const char *path;
    FILE       *complaints;
    uint32_t    line;
    const char *name;                                               /* Of the scenario. */
    bool (*play)(struct quests_show *show, const json_t *scenario); /* Whether all agrees. */
};

/* Reads it and has each scenario played; false: a line is none, or there is none. */
bool quests_play_file(struct quests_show *show, uint32_t *agreed, uint32_t *disagreed);
/* What was expected after so many steps, and what came; NULL: nothing. Always false. */
bool quests_complain(const struct quests_show *show, const char *what, size_t step,
                     const json_t *expected, const json_t *came);

#endif
