/* field.c: see field.h. */
#include "wire/field.h"

#define WIRE_VARINT 0u
#define WIRE_BYTES 2u

bool wire_field(struct reader *in, struct wire_field *field)
{
    uint64_t tag;
    if (in->at == in->end || !varint_read_short(in, &tag))
        return false;
    *field = (struct wire_field){ .number = (uint32_t) (tag >> 3), .body = { in->at, in->at } };
    if ((tag & 7) == WIRE_VARINT)
        return varint_read(in, &field->value);
    return (tag & 7) == WIRE_BYTES && varint_read_body(in, &field->body);
}
