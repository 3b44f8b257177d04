/* refusal.h: why a half of a hunt's map was refused: the match's own event says it, the tables do not. */
#ifndef ARBITER_REFUSAL_H
#define ARBITER_REFUSAL_H

#include <jansson.h>

#include "services/console/records/export.h"

/* All that was wrong with it, in order: ["ISLAND", "EDGE_WATER_TOP"]; NULL: no half was refused, or the
 * match cannot be played again. `id`: of the match, in hexadecimal digits. */
json_t *refusal_of(const struct export_place *place, const char *id);

#endif
