/* plan_decode.c: bytes to words, by a plan. Pure: memcpy, memset and the assert are all it calls.
 *
 * The bytes may be anybody's, so every doubt is a `false` and none an assert: a field that is not
 * in the .proto, a wire type that is not the field's, a number out of its type's range, an enum's
 * value that nobody declared, a string that is not UTF-8 or holds a NUL, a second value where one
 * is allowed, a length that leads outside. The order of fields is free, as in protobuf. A first
 * pass over a message finds where its fields begin, a second writes their words in order. */
#include <assert.h>
#include <string.h>

#include "wire/plan_program.h"
#include "wire/utf8.h"
#include "wire/varint.h"

enum wire_type { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

/* Where the words go. */
struct row {
    const struct plan *plan;
    word              *at;
    word              *end;
};

/* Where a field was found in its message. */
struct found {
    const uint8_t *first; /* Its first tag.                                        */
    uint32_t       count; /* How often it is there; for packed ones, its elements. */
};

static bool get_fields(struct row *row, uint32_t message, struct reader body);

static inline bool put(struct row *row, word value)
{
    if (row->at == row->end)
        return false;
    *row->at++ = value;
    return true;
}

static bool get_little(struct reader *in, uint32_t bytes, uint64_t *value)
{
    if (in->end - in->at < (ptrdiff_t) bytes)
        return false;
    *value = 0;
    for (uint32_t i = 0; i < bytes; i++)
        *value |= (uint64_t) *in->at++ << 8 * i;
    return true;
}

static bool skip_value(struct reader *in, uint32_t wire)
{
    uint64_t      number;
    struct reader body;
    switch (wire) {
    case WIRE_VARINT: return varint_read(in, &number);
    case WIRE_64: return get_little(in, 8, &number);
    case WIRE_32: return get_little(in, 4, &number);
    default: return varint_read_body(in, &body);
    }
}

static bool is_declared(const struct plan *plan, const struct plan_op *op, word value)
{
    if (value == ABSENT || value == MISTYPED || value < op->least || value > op->most)
        return false;
    if (op->count == 0)
        return true;
    for (uint32_t i = 0; i < op->count; i++)
        if (plan->values[op->first + i] == value)
            return true;
    return false;
}

static bool get_number(const struct plan *plan, const struct plan_op *op, struct reader *in,
                       word *value)
{
    uint64_t number;
    bool     read;
    switch ((enum plan_form) op->form) {
    case FORM_FIXED32: read = get_little(in, 4, &number); break;
    case FORM_FIXED64: read = get_little(in, 8, &number); break;
    default: read = varint_read(in, &number); break;
    }
    if (!read)
        return false;
    if (op->form == FORM_ZIGZAG)
        number = number >> 1 ^ (0 - (number & 1));
    if (op->form == FORM_FIXED32 && op->least < 0)
        number = (uint64_t) (int64_t) (int32_t) (uint32_t) number;
    *value = (word) number;
    return is_declared(plan, op, *value);
}

static bool get_text(struct row *row, const struct plan_op *op, struct reader *in)
{
    struct reader text;
    if (!varint_read_body(in, &text))
        return false;
    size_t size = (size_t) (text.end - text.at);
    if (op->form == FORM_STRING && !utf8_is_string(text.at, size))
        return false;
    if (!put(row, (word) size) || (size_t) (row->end - row->at) < size)
        return false;
    while (text.at < text.end)
        *row->at++ = *text.at++;
    return true;
}

/* A value that is there, behind its tag. */
static bool get_present(struct row *row, const struct plan_op *op, struct reader *in)
{
    struct reader body;
    word          value;
    switch ((enum plan_form) op->form) {
    case FORM_MESSAGE: return varint_read_body(in, &body) && get_fields(row, op->first, body);
    case FORM_STRING:
    case FORM_BYTES: return get_text(row, op, in);
    default: return get_number(row->plan, op, in, &value) && put(row, value);
    }
}

/* A tag, in any of the ways a tag can be written. */
static bool get_tag(struct reader *in, uint32_t *number, uint32_t *wire)
{
    uint64_t tag;
    if (!varint_read_short(in, &tag))
        return false;
    *number = (uint32_t) tag >> 3;
    *wire = (uint32_t) tag & 7;
    return true;
}

/* How many numbers a packed field holds: each ends in a byte below 128, or is as wide as its type. */
static bool count_packed(const struct plan_op *op, struct reader body, uint32_t *count)
{
    size_t size = (size_t) (body.end - body.at);
    size_t width = op->form == FORM_FIXED32 ? 4 : op->form == FORM_FIXED64 ? 8 : 0;
    if (width > 0) {
        *count += (uint32_t) (size / width);
        return size % width == 0;
    }
    for (; body.at < body.end; body.at++)
        *count += *body.at < 0x80;
    return size == 0 || body.at[-1] < 0x80;
}

/* The operation of a field, searched from the last one found: mostly it is that or the next. */
static const struct plan_op *find_op(const struct plan_op *ops, uint32_t count, uint32_t hint,
                                     uint32_t number)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct plan_op *op = &ops[hint + i < count ? hint + i : hint + i - count];
        if (op->number == number)
            return op;
    }
    return NULL;
}

/* Notes one field and steps over it. */
static bool note(const struct plan_op *op, struct found *found, const uint8_t *tag,
                 struct reader *in)
{
    struct reader body;
    if (found->first == NULL)
        found->first = tag;
    else if (op->shape == SHAPE_ONE)
        return false;
    if (op->shape == SHAPE_PACKED)
        return varint_read_body(in, &body) && count_packed(op, body, &found->count);
    found->count++;
    return skip_value(in, op->wire);
}

/* The first pass: finds every field, and judges tags and wire types. */
static bool find_fields(const struct plan_op *ops, uint32_t count, struct reader in,
                        struct found *found)
{
    memset(found, 0, count * sizeof *found);
    uint32_t hint = 0;
    while (in.at < in.end) {
        const uint8_t *tag = in.at;
        uint32_t       number, wire;
        if (!get_tag(&in, &number, &wire) || number == 0)
            return false;
        const struct plan_op *op = find_op(ops, count, hint, number);
        if (op == NULL || op->wire != wire || !note(op, &found[op - ops], tag, &in))
            return false;
        hint = (uint32_t) (op - ops);
    }
    return true;
}

/* Steps to the next occurrence of a field of which there is one, and over its tag. */
static void seek(struct reader *in, const struct plan_op *op)
{
    uint32_t number, wire;
    while (get_tag(in, &number, &wire) && number != op->number)
        skip_value(in, wire);
}

static bool get_list(struct row *row, const struct plan_op *op, const struct found *found,
                     struct reader in)
{
    if (!put(row, found->count))
        return false;
    in.at = found->first;
    for (uint32_t i = 0; i < found->count; i++) {
        seek(&in, op);
        if (!get_present(row, op, &in))
            return false;
    }
    return true;
}

static bool get_packed(struct row *row, const struct plan_op *op, const struct found *found,
                       struct reader in)
{
    if (!put(row, found->count))
        return false;
    in.at = found->first;
    for (uint32_t left = found->count; left > 0;) {
        struct reader body;
        seek(&in, op);
        if (!varint_read_body(&in, &body))
            return false;
        for (; body.at < body.end; left--)
            if (!get_present(row, op, &body))
                return false;
    }
    return true;
}

static bool get_one(struct row *row, const struct plan_op *op, const struct found *found,
                    struct reader in)
{
    if (found->first == NULL)
        return put(row, op->form == FORM_MESSAGE ? 0 : ABSENT);
    if (op->form == FORM_MESSAGE && !put(row, 1))
        return false;
    in.at = found->first;
    seek(&in, op);
    return get_present(row, op, &in);
}

static bool get_oneof(struct row *row, const struct plan_op *oneof, const struct found *found,
                      struct reader in)
{
    uint32_t set = 0;
    for (uint32_t i = 1; i <= oneof->count; i++) {
        if (found[i].first == NULL)
            continue;
        if (set != 0)
            return false;
        set = i;
    }
    if (set == 0)
        return put(row, 0);
    in.at = found[set].first;
    seek(&in, &oneof[set]);
    return put(row, oneof[set].number) && get_present(row, &oneof[set], &in);
}

static bool get_fields(struct row *row, uint32_t message, struct reader body)
{
    const struct plan_message *shape = &row->plan->messages[message];
    const struct plan_op      *ops = &row->plan->ops[shape->first];
    struct found               found[PLAN_FIELDS_MAX];
    if (!find_fields(ops, shape->count, body, found))
        return false;
    for (uint32_t i = 0; i < shape->count; i++) {
        bool good;
        if (ops[i].form == FORM_ONEOF)
            good = get_oneof(row, &ops[i], &found[i], body);
        else if (ops[i].shape == SHAPE_ONE)
            good = get_one(row, &ops[i], &found[i], body);
        else if (ops[i].shape == SHAPE_LIST)
            good = get_list(row, &ops[i], &found[i], body);
        else
            good = get_packed(row, &ops[i], &found[i], body);
        if (!good)
            return false;
        if (ops[i].form == FORM_ONEOF)
            i += ops[i].count;
    }
    return true;
}

bool plan_decode(const struct plan *plan, const uint8_t *bytes, size_t size, struct arena *arena,
                 word *words, uint32_t capacity, uint32_t *count)
{
    (void) arena; /* Everything fits the stack: depth and fields are bounded by the plan. */
    struct row row = { plan, words, words + capacity };
    if (size > INT32_MAX || !get_fields(&row, 0, reader_of(bytes, size)))
        return false;
    *count = (uint32_t) (row.at - words);
    return true;
}

/* Copies a command's text into the arena, where it outlives the frame. */
static bool get_command_text(const struct plan_op *op, const struct found *found,
                             struct reader body, struct arena *arena, struct command *command)
{
    struct reader text;
    if (found->first == NULL)
        return true;
    body.at = found->first;
    seek(&body, op);
    if (!varint_read_body(&body, &text))
        return false;
    size_t size = (size_t) (text.end - text.at);
    if (op->form == FORM_STRING && !utf8_is_string(text.at, size))
        return false;
    uint8_t *copy = arena_take(arena, size + 1);
    if (copy == NULL)
        return false;
    memcpy(copy, text.at, size);
    command->text = copy;
    command->text_size = (uint32_t) size;
    return true;
}

static bool get_arguments(const struct plan *plan, const struct plan_op *kind, struct reader body,
                          struct arena *arena, struct command *command)
{
    const struct plan_message *shape = &plan->messages[kind->first];
    const struct plan_op      *ops = &plan->ops[shape->first];
    struct found               found[PLAN_FIELDS_MAX];
    if (!find_fields(ops, shape->count, body, found))
        return false;
    struct row row = { plan, command->arg, command->arg + COMMAND_ARGS_MAX };
    for (uint32_t i = 0; i < shape->count; i++) {
        bool is_text = ops[i].form == FORM_STRING || ops[i].form == FORM_BYTES;
        if (is_text ? !get_command_text(&ops[i], &found[i], body, arena, command)
                    : !get_one(&row, &ops[i], &found[i], body))
            return false;
    }
    return true;
}

bool plan_decode_command(const struct plan *plan, const uint8_t *bytes, size_t size,
                         struct arena *arena, struct command *command)
{
    assert(plan->commands);
    *command = (struct command){ .kind = 0 };
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command->arg[i] = ABSENT;
    if (size == 0 || size > INT32_MAX)
        return size == 0;
    struct reader in = reader_of(bytes, size);
    struct reader body;
    uint32_t      number, wire;
    if (!get_tag(&in, &number, &wire) || number == 0 || wire != WIRE_BYTES)
        return false;
    const struct plan_op *kind = find_op(plan->ops + 1, plan->ops->count, 0, number);
    if (kind == NULL || !varint_read_body(&in, &body) || in.at != in.end)
        return false;
    command->kind = number;
    return get_arguments(plan, kind, body, arena, command);
}
