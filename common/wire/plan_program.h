/* plan_program.h: the flat program a plan is: one operation per field, messages as runs of them.
 *
 * plan_build.c writes it from a descriptor; plan_encode.c and plan_decode.c run it, and are pure.
 * Everything that would need protobuf-c at run time (tags, ranges, enum values) is worked out
 * beforehand. No other file includes this one. */
#ifndef ARBITER_PLAN_PROGRAM_H
#define ARBITER_PLAN_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/plan.h"

#define PLAN_FIELDS_MAX 192 /* Fields of one message; the decoder keeps that many places.   */
#define PLAN_DEPTH_MAX 8    /* Messages inside messages; a recursive one never gets so far. */

/* How one value is written. */
enum plan_form {
    FORM_VARINT,  /* int32, int64, uint32, uint64, bool, enum. */
    FORM_ZIGZAG,  /* sint32, sint64.                           */
    FORM_FIXED32, /* fixed32, sfixed32.                        */
    FORM_FIXED64, /* fixed64, sfixed64.                        */
    FORM_STRING,  /* UTF-8 without NUL.                        */
    FORM_BYTES,
    FORM_MESSAGE,
    FORM_ONEOF /* No field itself: `cases` operations follow that are one. */
};

enum plan_shape { SHAPE_ONE, SHAPE_LIST, SHAPE_PACKED };

struct plan_op {
    uint8_t  form;     /* enum plan_form.                                               */
    uint8_t  shape;    /* enum plan_shape.                                              */
    uint8_t  wire;     /* The wire type in the tag.                                     */
    uint8_t  tag_size; /* Bytes of `tag`.                                               */
    uint32_t number;   /* The field's number.                                           */
    uint8_t  tag[8];   /* The tag as it is written.                                     */
    uint32_t first;    /* FORM_MESSAGE: its index; a sparse enum: its first value.      */
    uint32_t count;    /* FORM_ONEOF: its cases; a sparse enum: its values, else 0.     */
    word     least;    /* What a number may be at least ...                             */
    word     most;     /* ... and at most.                                              */
};

struct plan_message {
    uint32_t first; /* Its first operation.              */
    uint32_t count; /* Its operations, oneofs included. */
};

struct plan {
    const struct plan_message *messages; /* [0] is the message the plan was made for.          */
    const struct plan_op      *ops;
    const int32_t             *values;   /* Of enums with gaps, ascending.                     */
    bool                       kinds;    /* The message is one oneof and nothing else.         */
    bool                       commands; /* And each kind fits a struct command.               */
};

#endif
