/* objectron_conform.h: scenarios and golden set-ups of objectron, played against the rules. */
#ifndef ARBITER_OBJECTRON_CONFORM_H
#define ARBITER_OBJECTRON_CONFORM_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "games/objectron/objectron_rules.h"

struct house; /* games/house_conform.h */

/* Plays one file (games/registry.h). */
bool objectron_conform(const char *path, FILE *complaints, uint32_t *agreed, uint32_t *disagreed);
/* The same through real processes. */
bool objectron_conform_live(const char *path, struct house *house, FILE *complaints,
                            uint32_t *agreed, uint32_t *disagreed);

/* Plays a line that is a recording; false: it disagrees, and the complaint is printed. */
bool objectron_line_agrees(const char *path, uint32_t number, const json_t *line, FILE *complaints);

/* A line as JSON, in which numbers too long for it are texts. Whether it is a scenario or a golden set-up;
 * its set-up, with what stands beside it. */
json_t *objectron_read_line(const char *text);
bool    objectron_is_recording(const json_t *line);
json_t *objectron_config_of(const json_t *line);

/* A table at which a line of a recording is played. */
struct objectron_table {
    struct objectron_setup *setup;
    struct objectron_state *state;
    struct dice             dice;
    struct sink             out;
    struct bounds           bounds;
    uint64_t                seed;
    char                    fault[64]; /* Code of the first fault of the set-up.         */
};

/* The seed of a table's set-up, or 1. */
uint64_t objectron_seed_of(const struct objectron_table *table);

/* What a line lays into the state, as the table's options say it; NULL: nothing. */
json_t *objectron_options_of(const json_t *line);
/* A set-up from a config, with what a line (NULL: none) lays; false: it was refused, `fault` says why. */
bool    objectron_table_open(struct objectron_table *table, json_t *config, const json_t *line);
void    objectron_table_close(struct objectron_table *table);
/* Lays the match out from a seed, and begins. */
void    objectron_table_start(struct objectron_table *table, uint64_t seed);
/* The command of a line of a scenario. */
struct command objectron_read_command(const json_t *line);
/* A command or an expiry of a scenario; the code of its refusal, or NULL. `said` becomes its events. */
const char *objectron_table_hear(struct objectron_table *table, const json_t *line, json_t **said);
/* What a spectator sees. */
json_t     *objectron_table_view(struct objectron_table *table);

/* objectron_names_conform.c: a message of the rules as recordings write it, from its words. */
json_t     *objectron_show_event(const word *event);
json_t     *objectron_show_view(const word *words, uint32_t count);
/* Whether everything that is expected has come; more may have. */
bool        objectron_has(const json_t *expected, const json_t *came);
/* objectron_facts_conform.c: whether a fact holds at the end of a scenario. */
bool        objectron_holds(struct objectron_table *table, const json_t *fact);
/* objectron_drawn_conform.c: the first rule that what the dice made breaks, or NULL. */
const char *objectron_judge_drawn(const struct objectron_table *table, const char *check);

#endif
