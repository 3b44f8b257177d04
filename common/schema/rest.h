/* rest.h: the tables in which a gateway's door of 2017 keeps the ids it has given out.
 *
 *     meta   place    the next id, of a door that gave them out itself, as it did before the lobby did; never written
 *     ids    id       the lobby's player: table, match and seat, half, and how it ended */
#ifndef ARBITER_SCHEMA_REST_H
#define ARBITER_SCHEMA_REST_H

#include "core/row.h"

enum { REST_META, REST_IDS, REST_TABLES };

enum { META_PLACE, META_NEXT_ID, META_COLUMNS };

enum {
    IDS_ID, /* Or, while the player has none, a number that no id can be. */
    IDS_IS, /* What is true of the player, bit by bit: the door's own. */
    IDS_PLAYER,
    IDS_TABLE,
    IDS_MATCH,
    IDS_SEAT,
    IDS_KNOWS, /* What the player was told last, of a match that is over: numbers of 4 bytes. */
    IDS_HALF,  /* Of the map, as the player handed it in; null: not yet. */
    IDS_MAP,   /* The whole, of a match that is over.                                           */
    IDS_PERSON,
    IDS_COLUMNS
};

extern const struct schema rest_schema;

#endif
