/* quests_table_conform.h: a table at which a scenario is played, with a look behind every screen. */
#ifndef ARBITER_QUESTS_TABLE_CONFORM_H
#define ARBITER_QUESTS_TABLE_CONFORM_H

#include <jansson.h>

#include "games/quests/quests.h"

struct quests_table {
    struct quests_setup *setup;
    struct quests_state *state;
    struct dice          dice;
    struct sink          out;
    struct bounds        bounds;
    json_t              *said; /* Events since they were last taken, in the scenarios' form. */
};

/* Opens the table and begins the match; false if the set-up is refused. */
bool        quests_table_open(struct quests_table *table, const json_t *config);
void        quests_table_close(struct quests_table *table);
/* Plays a step; the code with which it was refused, or NULL. */
const char *quests_table_step(struct quests_table *table, const json_t *step);
/* What a player may see; what nobody may: how it ended, and where the cards are. The caller holds the
 * reference. */
json_t     *quests_table_view(const struct quests_table *table, const json_t *player);
json_t     *quests_table_final(const struct quests_table *table);
json_t     *quests_table_distribution(const struct quests_table *table);

#endif
