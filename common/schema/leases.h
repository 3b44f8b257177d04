/* leases.h: the table in which watchdogs say which engine holds which slot. */
#ifndef ARBITER_SCHEMA_LEASES_H
#define ARBITER_SCHEMA_LEASES_H

#include "core/row.h"

enum { LEASES, LEASES_TABLES };

enum {
    LEASES_SLOT,
    LEASES_EPOCH,
    LEASES_ENGINE,  /* Its name; empty: nobody holds it.                                        */
    LEASES_RENEWED, /* So many times, by whichever watchdog.                                    */
    LEASES_UNTIL,   /* For people: nothing is decided by it.                                    */
    LEASES_COLUMNS
};

extern const struct schema leases_schema;

#endif
