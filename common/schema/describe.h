/* describe.h: the words in which this room describes its tables; private to common/schema. */
#ifndef ARBITER_SCHEMA_DESCRIBE_H
#define ARBITER_SCHEMA_DESCRIBE_H

#include "core/row.h"

#define NUMBER(called)                                                                             \
    {                                                                                              \
        (called), CELL_NUMBER                                                                      \
    }
#define BYTES(called)                                                                              \
    {                                                                                              \
        (called), CELL_BYTES                                                                       \
    }
#define TEXT(called)                                                                               \
    {                                                                                              \
        (called), CELL_TEXT                                                                        \
    }

/* A table whose first `keys` columns tell its rows apart, there since a version of the schema. */
#define TABLE_SINCE(called, columns, keys, version)                                                \
    {                                                                                              \
        (called), (columns), (uint32_t) (sizeof(columns) / sizeof(columns)[0]), (keys), (version)  \
    }
#define TABLE(called, columns, keys) TABLE_SINCE(called, columns, keys, 1)

/* An enumeration of columns names as many as the table has. */
#define NAMES_ALL(columns, names)                                                                  \
    _Static_assert(sizeof(columns) / sizeof(columns)[0] == (names), "every column has a name")

#endif
