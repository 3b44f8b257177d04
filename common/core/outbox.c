/* outbox.c: effects and rows, kept in one block until the batch is settled. Pure. */
#include "core/outbox.h"

#include <assert.h>
#include <string.h>

#include "base/room.h"
#include "contract/envelope.pb-c.h"
#include "wire/names.h"

/* What the lists may hold, by the outbox's size: they stand at its beginning. */
#define BYTES_PER_ENTRY 512u

void *outbox_take(struct outbox *out, size_t size)
{
    assert(size <= out->capacity - out->used);
    uint8_t *memory = out->memory + out->used;
    size_t   taken = room_for(size);
    out->used += taken <= out->capacity - out->used ? taken : out->capacity - out->used;
    memset(memory, 0, size);
    return memory;
}

/* The lists at the beginning are not cleared but where they are used: there is a megabyte of them, and
 * a batch may be one message. */
void outbox_reset(struct outbox *out)
{
    uint8_t *at = out->memory;
    out->effects = room_take(&at, out->effects_max * sizeof *out->effects);
    out->rows = room_take(&at, out->rows_max * sizeof(struct row *));
    out->fences = room_take(&at, SLOTS * sizeof *out->fences);
    out->used = (size_t) (at - out->memory);
    out->effect_count = out->row_count = out->fence_count = 0;
    out->wants_commit = false;
    out->judged = NULL;
}

void outbox_init(struct outbox *out, void *memory, size_t bytes)
{
    assert(bytes >= OUTBOX_BYTES_MIN);
    memset(out, 0, sizeof *out);
    out->memory = memory;
    out->capacity = bytes;
    out->effects_max = out->rows_max = (uint32_t) (bytes / BYTES_PER_ENTRY);
    out->wake_ms = NO_WAKE;
    outbox_reset(out);
}

bool outbox_is_full(const struct outbox *out)
{
    return out->wants_commit || out->capacity - out->used < OUTBOX_STEP_BYTES ||
           out->effects_max - out->effect_count < OUTBOX_STEP_EFFECTS ||
           out->rows_max - out->row_count < OUTBOX_STEP_EFFECTS;
}

uint8_t *outbox_copy(struct outbox *out, const void *bytes, size_t size)
{
    uint8_t *copy = outbox_take(out, size);
    if (size > 0)
        memcpy(copy, bytes, size);
    return copy;
}

void *outbox_message(struct outbox *out, const ProtobufCMessageDescriptor *descriptor)
{
    ProtobufCMessage *message = outbox_take(out, descriptor->sizeof_message);
    descriptor->message_init(message);
    return message;
}

static struct effect *add(struct outbox *out, enum effect_kind kind)
{
    assert(out->effect_count < out->effects_max);
    struct effect *effect = &out->effects[out->effect_count++];
    memset(effect, 0, sizeof *effect);
    effect->kind = kind;
    return effect;
}

void outbox_send(struct outbox *out, uint32_t door, uint64_t route, const struct header *header,
                 const void *body)
{
    struct effect *effect = add(out, EFFECT_SEND);
    effect->door = door;
    effect->route = route;
    effect->header = *header;
    effect->body = body;
}

void outbox_send_bytes(struct outbox *out, uint32_t door, uint64_t route,
                       const struct header *header, const uint8_t *body, size_t size)
{
    outbox_send(out, door, route, header, NULL);
    struct effect *effect = &out->effects[out->effect_count - 1];
    effect->bytes = body;
    effect->size = size;
}

void outbox_answer(struct outbox *out, const struct event *event, uint16_t kind, const void *body)
{
    struct header header = event->header;
    header.kind = kind;
    outbox_send(out, event->caller.door, event->caller.route, &header, body);
}

void outbox_refuse(struct outbox *out, const struct event *event, uint32_t refusal,
                   const char *sentence)
{
    Arbiter__Wire__Refused *refused = outbox_message(out, &arbiter__wire__refused__descriptor);
    refused->has_refusal = true;
    refused->refusal = (Arbiter__Wire__Refusal) refusal;
    refused->sentence = (char *) outbox_copy(out, sentence, text_length(sentence) + 1);
    outbox_answer(out, event, KIND(REFUSED), refused);
}

void outbox_publish(struct outbox *out, const struct header *header, const void *body)
{
    struct effect *effect = add(out, EFFECT_PUBLISH);
    effect->header = *header;
    effect->body = body;
}

void outbox_relay(struct outbox *out, const struct header *header, const uint8_t *body, size_t size)
{
    struct effect *effect = add(out, EFFECT_PUBLISH);
    effect->header = *header;
    effect->bytes = outbox_copy(out, body, size);
    effect->size = size;
}

void outbox_connect(struct outbox *out, uint64_t connection, uint32_t door, const char *address,
                    const uint8_t key[CALLER_KEY_SIZE])
{
    struct effect *effect = add(out, EFFECT_CONNECT);
    effect->route = connection;
    effect->door = door;
    effect->address = (const char *) outbox_copy(out, address, text_length(address) + 1);
    effect->key = outbox_copy(out, key, CALLER_KEY_SIZE);
}

void outbox_disconnect(struct outbox *out, uint64_t connection)
{
    add(out, EFFECT_DISCONNECT)->route = connection;
}

static void add_topic(struct outbox *out, enum effect_kind kind, uint64_t connection,
                      const uint8_t *topic, size_t size)
{
    struct effect *effect = add(out, kind);
    effect->route = connection;
    effect->bytes = outbox_copy(out, topic, size);
    effect->size = size;
}

void outbox_listen(struct outbox *out, uint64_t connection, const uint8_t *topic, size_t size)
{
    add_topic(out, EFFECT_LISTEN, connection, topic, size);
}

void outbox_unlisten(struct outbox *out, uint64_t connection, const uint8_t *topic, size_t size)
{
    add_topic(out, EFFECT_UNLISTEN, connection, topic, size);
}

void outbox_admit(struct outbox *out, const void *directory)
{
    add(out, EFFECT_ADMIT)->body = directory;
}

void outbox_read(struct outbox *out, const struct query *query)
{
    add(out, EFFECT_READ)->query =
        (const struct query *) (const void *) outbox_copy(out, query, sizeof *query);
}

void outbox_say(struct outbox *out, enum say_level level, const struct text *text)
{
    struct effect *effect = add(out, EFFECT_SAY);
    effect->level = level;
    effect->text = (const struct text *) (const void *) outbox_copy(out, text, sizeof *text);
}

void outbox_full(struct outbox *out, enum bound bound)
{
    struct text text;
    text_clear(&text);
    text_put(&text, bound_list[bound].setting);
    text_put(&text, " is reached");
    outbox_say(out, SAY_WARNING, &text);
    out->effects[out->effect_count - 1].is_full = true;
    out->effects[out->effect_count - 1].bound = bound;
}

void outbox_full_of(struct outbox *out, const struct fullness *bounds)
{
    for (uint32_t i = 0; i < BOUND_COUNT; i++)
        if (bounds->of[i].limit > 0 && bounds->of[i].used >= bounds->of[i].limit)
            outbox_full(out, (enum bound) i);
}

struct trace *outbox_took(struct outbox *out)
{
    struct trace *trace = outbox_take(out, sizeof *trace);
    add(out, EFFECT_TOOK)->trace = trace;
    out->judged = trace;
    return trace;
}

void outbox_exit(struct outbox *out)
{
    add(out, EFFECT_EXIT);
}

void outbox_wake(struct outbox *out, uint64_t at_ms)
{
    if (at_ms < out->wake_ms)
        out->wake_ms = at_ms;
}

struct row *outbox_row(struct outbox *out, enum row_op op, uint32_t table, uint32_t count)
{
    assert(count <= ROW_COLUMNS_MAX && out->row_count < out->rows_max);
    struct row *row = outbox_take(out, sizeof *row + count * sizeof row->cells[0]);
    row->op = op;
    row->table = table;
    row->count = count;
    out->rows[out->row_count++] = row;
    return row;
}

static struct cell *cell_of(struct row *row, uint32_t cell, enum cell_kind kind)
{
    assert(cell < row->count);
    row->cells[cell].kind = kind;
    return &row->cells[cell];
}

void row_number(struct row *row, uint32_t cell, uint64_t number)
{
    cell_of(row, cell, CELL_NUMBER)->number = (int64_t) number;
}

void row_bytes(struct row *row, uint32_t cell, const void *bytes, size_t size)
{
    struct cell *filled = cell_of(row, cell, CELL_BYTES);
    filled->bytes = bytes;
    filled->size = size;
}

void row_text(struct row *row, uint32_t cell, const char *text, size_t size)
{
    struct cell *filled = cell_of(row, cell, CELL_TEXT);
    filled->bytes = (const uint8_t *) text;
    filled->size = size;
}

void outbox_fence(struct outbox *out, uint32_t slot, uint64_t epoch)
{
    for (uint32_t i = 0; i < out->fence_count; i++)
        if (out->fences[i].slot == slot) {
            assert(out->fences[i].epoch == epoch);
            return;
        }
    assert(out->fence_count < SLOTS);
    out->fences[out->fence_count++] = (struct fence){ .slot = slot, .epoch = epoch };
}
