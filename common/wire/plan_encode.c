/* plan_encode.c: words to bytes, by a plan. Pure: memcpy and the assert are all it calls.
 *
 * The words come from our own rules, so a row that is too short or a number out of its field's range
 * is a bug of ours and an assert. Nothing a peer sent gets here unjudged. */
#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "wire/plan_program.h"
#include "wire/varint.h"

/* A tag as an 8-byte copy and a varint of at most 10 bytes. */
#define SCALAR_MAX 18

struct writer {
    const struct plan *plan;
    const word        *word; /* The next word.  */
    const word        *last; /* Behind the words. */
    uint8_t           *at;   /* The next byte.  */
    uint8_t           *end;  /* Behind the room. */
};

static bool put_fields(struct writer *out, uint32_t message);

static inline word take(struct writer *out)
{
    assert(out->word < out->last);
    return *out->word++;
}

static uint8_t *write_little(uint8_t *at, uint64_t value, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        *at++ = (uint8_t) (value >> 8 * i);
    return at;
}

static inline uint8_t *write_number(uint8_t *at, const struct plan_op *op, word value)
{
    assert(value >= op->least && value <= op->most);
    switch ((enum plan_form) op->form) {
    case FORM_ZIGZAG: return varint_write(at, (uint64_t) value << 1 ^ (value < 0 ? UINT64_MAX : 0));
    case FORM_FIXED32: return write_little(at, (uint64_t) value, 4);
    case FORM_FIXED64: return write_little(at, (uint64_t) value, 8);
    default: return varint_write(at, (uint64_t) value);
    }
}

static inline uint8_t *write_tag(uint8_t *at, const struct plan_op *op)
{
    memcpy(at, op->tag, sizeof op->tag);
    return at + op->tag_size;
}

static bool put_bytes(struct writer *out, const uint8_t *bytes, size_t size)
{
    if ((size_t) (out->end - out->at) < size)
        return false;
    memcpy(out->at, bytes, size);
    out->at += size;
    return true;
}

/* Near the end of the room a value is written aside first, so that the room is used to its last byte. */
static inline bool put_number(struct writer *out, const struct plan_op *op, word value)
{
    if (out->end - out->at >= SCALAR_MAX) {
        out->at = write_number(write_tag(out->at, op), op, value);
        return true;
    }
    uint8_t        aside[SCALAR_MAX];
    const uint8_t *end = write_number(write_tag(aside, op), op, value);
    return put_bytes(out, aside, (size_t) (end - aside));
}

static bool put_bare_number(struct writer *out, const struct plan_op *op, word value)
{
    uint8_t        aside[SCALAR_MAX];
    const uint8_t *end = write_number(aside, op, value);
    return put_bytes(out, aside, (size_t) (end - aside));
}

static bool put_tag_and_length(struct writer *out, const struct plan_op *op, uint64_t length)
{
    uint8_t        aside[SCALAR_MAX];
    const uint8_t *end = varint_write(write_tag(aside, op), length);
    return put_bytes(out, aside, (size_t) (end - aside));
}

/* Moves the bytes from `start` to the end back by `gap`: memmove, which pure code may not call. The
 * fence keeps compilers from seeing through it and calling it all the same. */
static bool open_gap(struct writer *out, uint8_t *start, size_t gap)
{
    if ((size_t) (out->end - out->at) < gap)
        return false;
    uint8_t aside[32];
    size_t  left = (size_t) (out->at - start);
    while (left > 0) {
        size_t part = left < sizeof aside ? left : sizeof aside;
        left -= part;
        memcpy(aside, start + left, part);
        atomic_signal_fence(memory_order_seq_cst);
        memcpy(start + left + gap, aside, part);
    }
    out->at += gap;
    return true;
}

/* What stands behind a length of one byte gets its true length; most bodies are shorter than 128. */
static bool close_length(struct writer *out, uint8_t *start)
{
    size_t  size = (size_t) (out->at - start);
    uint8_t aside[SCALAR_MAX];
    size_t  length_size = (size_t) (varint_write(aside, size) - aside);
    if (length_size > 1 && !open_gap(out, start, length_size - 1))
        return false;
    memcpy(start - 1, aside, length_size);
    return true;
}

static bool put_message(struct writer *out, const struct plan_op *op)
{
    if (!put_tag_and_length(out, op, 0))
        return false;
    uint8_t *start = out->at;
    return put_fields(out, op->first) && close_length(out, start);
}

/* A string or bytes, whose length is known already. */
static bool put_text(struct writer *out, const struct plan_op *op, word length)
{
    assert(length >= 0 && length <= out->last - out->word);
    if (!put_tag_and_length(out, op, (uint64_t) length) || out->end - out->at < length)
        return false;
    for (word i = 0; i < length; i++) {
        word byte = take(out);
        assert(byte >= 0 && byte <= UINT8_MAX);
        *out->at++ = (uint8_t) byte;
    }
    return true;
}

/* A value that is there: of a list, or the one a oneof has set. */
static bool put_present(struct writer *out, const struct plan_op *op)
{
    switch ((enum plan_form) op->form) {
    case FORM_MESSAGE: return put_message(out, op);
    case FORM_STRING:
    case FORM_BYTES: return put_text(out, op, take(out));
    default: return put_number(out, op, take(out));
    }
}

static inline bool put_optional(struct writer *out, const struct plan_op *op)
{
    word value = take(out);
    switch ((enum plan_form) op->form) {
    case FORM_MESSAGE: assert(value == 0 || value == 1); return value == 0 || put_message(out, op);
    case FORM_STRING:
    case FORM_BYTES: return value == ABSENT || put_text(out, op, value);
    default: return value == ABSENT || put_number(out, op, value);
    }
}

static bool put_list(struct writer *out, const struct plan_op *op)
{
    word count = take(out);
    assert(count >= 0);
    for (word i = 0; i < count; i++)
        if (!put_present(out, op))
            return false;
    return true;
}

static bool put_packed(struct writer *out, const struct plan_op *op)
{
    word count = take(out);
    assert(count >= 0);
    if (count == 0)
        return true;
    if (!put_tag_and_length(out, op, 0))
        return false;
    uint8_t *start = out->at;
    for (word i = 0; i < count; i++)
        if (!put_bare_number(out, op, take(out)))
            return false;
    return close_length(out, start);
}

/* The case of a oneof with that number; the cases of a game's kinds count from 1 without a gap. */
static const struct plan_op *find_case(const struct plan_op *oneof, word number)
{
    word guess = number - oneof[1].number;
    if (guess >= 0 && guess < oneof->count && oneof[1 + guess].number == number)
        return &oneof[1 + guess];
    for (uint32_t i = 1; i <= oneof->count; i++)
        if (oneof[i].number == number)
            return &oneof[i];
    return NULL;
}

static bool put_oneof(struct writer *out, const struct plan_op *oneof)
{
    word number = take(out);
    if (number == 0)
        return true;
    const struct plan_op *op = find_case(oneof, number);
    assert(op != NULL);
    return put_present(out, op);
}

static bool put_fields(struct writer *out, uint32_t message)
{
    const struct plan_message *shape = &out->plan->messages[message];
    const struct plan_op      *op = &out->plan->ops[shape->first];
    const struct plan_op      *end = op + shape->count;
    while (op < end) {
        bool fits;
        if (op->form == FORM_ONEOF)
            fits = put_oneof(out, op);
        else if (op->shape == SHAPE_ONE)
            fits = put_optional(out, op);
        else
            fits = op->shape == SHAPE_LIST ? put_list(out, op) : put_packed(out, op);
        if (!fits)
            return false;
        op += op->form == FORM_ONEOF ? 1 + op->count : 1;
    }
    return true;
}

size_t plan_encode(const struct plan *plan, const word *words, uint32_t count, uint8_t *bytes,
                   size_t capacity)
{
    struct writer out = { plan, words, words + count, bytes, bytes + capacity };
    if (!put_fields(&out, 0))
        return 0;
    assert(out.word == out.last);
    return (size_t) (out.at - bytes);
}

size_t plan_encode_kind(const struct plan *plan, uint32_t kind, const word *fields, uint32_t count,
                        uint8_t *bytes, size_t capacity)
{
    assert(plan->kinds);
    struct writer         out = { plan, fields, fields + count, bytes, bytes + capacity };
    const struct plan_op *op = find_case(plan->ops, kind);
    assert(op != NULL);
    if (!put_present(&out, op))
        return 0;
    assert(out.word == out.last);
    return (size_t) (out.at - bytes);
}

/* One field of a command's message; its text stands beside the arguments. */
static bool put_argument(struct writer *out, const struct plan_op *op,
                         const struct command *command)
{
    if (op->form != FORM_STRING && op->form != FORM_BYTES)
        return put_optional(out, op);
    if (command->text == NULL)
        return true;
    return put_tag_and_length(out, op, command->text_size) &&
           put_bytes(out, command->text, command->text_size);
}

size_t plan_encode_command(const struct plan *plan, const struct command *command, uint8_t *bytes,
                           size_t capacity)
{
    assert(plan->commands);
    const struct plan_op *kind = find_case(plan->ops, command->kind);
    if (command->kind == 0 || kind == NULL)
        return 0;
    struct writer out = { plan, command->arg, command->arg + COMMAND_ARGS_MAX, bytes,
                          bytes + capacity };
    if (!put_tag_and_length(&out, kind, 0))
        return 0;
    uint8_t                   *start = out.at;
    const struct plan_message *shape = &plan->messages[kind->first];
    for (uint32_t i = 0; i < shape->count; i++)
        if (!put_argument(&out, &plan->ops[shape->first + i], command))
            return 0;
    return close_length(&out, start) ? (size_t) (out.at - bytes) : 0;
}
