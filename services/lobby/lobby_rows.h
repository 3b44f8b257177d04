/* lobby_rows.h: the lobby's records as rows, and back.
 *
 *     meta     id                      how often it started, how much it has counted
 *     keys     place                   admissions, the player of each, its last answer
 *     players  place                   accounts; bans; a guest's last answer
 *     tables   place                   phase, set-up, match id and stage, ...
 *     texts    table                   a set-up of one's own, as it was written
 *     desks    table                   where the game's registration stands
 *     seats    table, seat             who holds it, vacant or promised
 *     members  table, member           who is there
 *     votes    table, seat, voter
 *     events   table, number % kept    what members may have missed
 *     results  number
 *     persons  place                   who has registered, until an engine has his row (version 3)
 *
 * A place is a record's index in its pool. Seats and members are rows of their own, written only when
 * they change. */
#ifndef ARBITER_LOBBY_ROWS_H
#define ARBITER_LOBBY_ROWS_H

#include <stdbool.h>

#include "core/event.h"
#include "core/outbox.h"
#include "core/row.h"
#include "services/lobby/lobby_state.h"

enum lobby_table {
    ROWS_META,
    ROWS_KEYS,
    ROWS_PLAYERS,
    ROWS_TABLES,
    ROWS_TEXTS,
    ROWS_DESKS,
    ROWS_SEATS,
    ROWS_MEMBERS,
    ROWS_VOTES,
    ROWS_EVENTS,
    ROWS_RESULTS,
    ROWS_PERSONS,
    ROWS_TABLES_COUNT
};

extern const struct schema lobby_schema;

/* What has to be written because this record is not any more what `old` was. */
void lobby_rows_write(const struct lobby *lobby, enum record kind, uint32_t place, const void *old,
                      struct outbox *out);
/* Asks for everything there is, in the order of the tables. */
void lobby_rows_read(struct lobby *lobby, struct outbox *out);
/* One row into its record. False: it has no place here, since capacities were larger once. */
bool lobby_rows_load(struct lobby *lobby, uint32_t table, const struct row *row);

#endif
