/* rest_rows.h: what the 2017 door keeps (schema/rest.h), so that an id outlives the process. Pure.
 *
 * A player is kept as soon as there is a table. So the next process looks there for the number that
 * the lobby has given meanwhile. Until it is known, the row has a key that is no id.
 *
 * The house knows what happened in a match, and tells it again from the first act on. So a row
 * changes when somebody registers, hands in a half, begins and ends, and never with an action. */
#ifndef ARBITER_GATEWAY_REST_ROWS_H
#define ARBITER_GATEWAY_REST_ROWS_H

#include "core/event.h"
#include "services/gateway/rest/rest.h"

/* Asks for everything; each row that comes; the end of a table. */
void rest_rows_read(struct rest *rest, struct outbox *out);
void rest_rows_take(struct rest *rest, const struct event *event);
void rest_rows_taken(struct rest *rest, const struct event *event, struct outbox *out);

/* What has changed since the last call. */
void rest_rows_write(struct rest *rest, struct outbox *out);
/* The player is nobody any more. */
void rest_rows_drop(const struct rest *rest, struct rest_player *player, struct outbox *out);

#endif
