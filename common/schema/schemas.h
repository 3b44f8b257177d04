/* schemas.h: all schemas of this build. */
#ifndef ARBITER_SCHEMAS_H
#define ARBITER_SCHEMAS_H

#include "core/row.h"

/* What one database holds for all who share it: the lobby's, the journal (without tables of games), the leases. */
#define SCHEMAS_SHARED 3
extern const struct schema *const schemas_shared[SCHEMAS_SHARED];

/* The one of this name, which is also its file's; NULL: this build has none. */
const struct schema *schema_find(const char *name);

#endif
