/* field.h: a message read field by field, by cores that may not call protobuf-c and need few fields of it. Pure. */
#ifndef ARBITER_FIELD_H
#define ARBITER_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/varint.h"

struct wire_field {
    uint32_t      number;
    uint64_t      value; /* A varint.                                                            */
    struct reader body;  /* A string, bytes or message; empty else.                             */
};

/* The next field; false: the end, or bytes that are no field of a kind we have. */
bool wire_field(struct reader *in, struct wire_field *field);

#endif
