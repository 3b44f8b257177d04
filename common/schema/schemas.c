/* schemas.c: see schemas.h. Pure. */
#include "schema/schemas.h"

#include "base/text.h"
#include "schema/journal.h"
#include "schema/leases.h"
#include "schema/lobby.h"
#include "schema/rest.h"

const struct schema *const schemas_shared[] = { &lobby_schema, &journal_schema, &leases_schema };

const struct schema *schema_find(const char *name)
{
    for (uint32_t i = 0; i < SCHEMAS_SHARED; i++)
        if (text_is(name, text_length(name), schemas_shared[i]->name))
            return schemas_shared[i];
    return text_is(name, text_length(name), rest_schema.name) ? &rest_schema : NULL;
}
