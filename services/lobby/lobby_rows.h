/* lobby_rows.h: the lobby's records as rows of its tables (schema/lobby.h), and back. */
#ifndef ARBITER_LOBBY_ROWS_H
#define ARBITER_LOBBY_ROWS_H

#include <stdbool.h>

#include "core/event.h"
#include "core/outbox.h"
#include "core/row.h"
#include "schema/lobby.h"
#include "services/lobby/lobby_state.h"

/* What has to be written because this record is not any more what `old` was. */
void lobby_rows_write(const struct lobby *lobby, enum record kind, uint32_t place, const void *old,
                      struct outbox *out);
/* Asks for everything there is, in the order of the tables. */
void lobby_rows_read(struct lobby *lobby, struct outbox *out);
/* One row into its record. False: it has no place here, since capacities were larger once. */
bool lobby_rows_load(struct lobby *lobby, uint32_t table, const struct row *row);

#endif
