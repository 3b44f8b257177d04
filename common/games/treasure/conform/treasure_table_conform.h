/* treasure_table_conform.h: a table at which a scenario is played: set-up, desk, match and dice. */
#ifndef ARBITER_TREASURE_TABLE_CONFORM_H
#define ARBITER_TREASURE_TABLE_CONFORM_H

#include <jansson.h>
#include <stdio.h>

#include "games/treasure/treasure_rules.h"

struct treasure_table {
    struct treasure_setup *setup;
    struct treasure_state *state;
    void                  *desk;
    struct bounds          bounds;
    struct dice            dice;
    struct sink            out; /* What was said by the last act. */
};

/* The set-up, as JSON text, that a scenario's `config` means; the caller frees it. */
char   *treasure_table_config(const json_t *leaves);
/* Opens a table of a scenario's `config`, whose keys are leaf names. False, and the faults printed. */
bool    treasure_table_open(struct treasure_table *table, const json_t *leaves, uint64_t seed,
                            FILE *complaints);
void    treasure_table_close(struct treasure_table *table);
void    treasure_table_start(struct treasure_table *table);
verdict treasure_table_hear(struct treasure_table *table, uint32_t seat,
                            const struct command *command);
verdict treasure_table_half(struct treasure_table *table, uint32_t seat, const char *half,
                            word think_ms);
void    treasure_table_expire(struct treasure_table *table, seat_mask late);
void    treasure_bare(struct command *command, uint32_t kind);

/* What a seat is shown, under the keys of section 9 of the rules. The caller drops it. */
json_t *treasure_table_view(struct treasure_table *table, uint32_t seat);

/* Plays a `clock` scenario; the result, reason and `at` that came. */
json_t *treasure_play_clock(const json_t *scenario, FILE *complaints);

#endif
