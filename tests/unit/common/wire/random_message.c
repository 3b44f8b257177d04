/* random_message.c: see random_message.h. It knows the convention of rules/sink.h a second time, by
 * another way than the product does: over protobuf-c's structs instead of bytes. */
#include "common/wire/random_message.h"

#include <assert.h>
#include <string.h>

uint64_t luck_draw(struct luck *luck)
{
    uint64_t z = luck->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint32_t luck_below(struct luck *luck, uint32_t bound)
{
    return (uint32_t) (luck_draw(luck) % bound);
}

/* Numbers of every length, the ends of the ranges among them, but none that stands for no number. */
static int64_t random_number(struct luck *luck)
{
    static const int64_t ends[] = {
        0, 1, -1, INT32_MAX, INT32_MIN, UINT32_MAX, INT64_MAX, 127, 128
    };
    if (luck_below(luck, 4) == 0)
        return ends[luck_below(luck, sizeof ends / sizeof *ends)];
    uint64_t number = luck_draw(luck) >> luck_below(luck, 64);
    return number == (uint64_t) ABSENT || number == (uint64_t) ABSENT + 1 ? 5 : (int64_t) number;
}

static char *random_string(struct luck *luck, struct arena *arena)
{
    static const char *const parts[] = {
        "a",  "Zug ", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x8e\xb2",
        "\"", "\\",   "\n",       "\x01",         "\x7f"
    };
    char    *text = arena_take(arena, 512);
    uint32_t count = luck_below(luck, 3) == 0 ? luck_below(luck, 100) : luck_below(luck, 6);
    assert(text != NULL);
    char *end = text;
    for (uint32_t i = 0; i < count; i++) {
        const char *part = parts[luck_below(luck, sizeof parts / sizeof *parts)];
        memcpy(end, part, strlen(part));
        end += strlen(part);
    }
    return text; /* The arena has zeroed the byte behind the last. */
}

static ProtobufCBinaryData random_bytes(struct luck *luck, struct arena *arena)
{
    ProtobufCBinaryData data = { luck_below(luck, 3) == 0 ? luck_below(luck, 300)
                                                          : luck_below(luck, 5),
                                 NULL };
    data.data = arena_take(arena, data.len + 1);
    assert(data.data != NULL);
    for (size_t i = 0; i < data.len; i++)
        data.data[i] = (uint8_t) luck_draw(luck);
    return data;
}

static void random_value(const ProtobufCFieldDescriptor *field, void *at, struct luck *luck,
                         struct arena *arena)
{
    int64_t                        number = random_number(luck);
    const ProtobufCEnumDescriptor *names = field->descriptor;
    switch (field->type) {
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64: memcpy(at, &number, 8); break;
    case PROTOBUF_C_TYPE_BOOL: *(protobuf_c_boolean *) at = number & 1; break;
    case PROTOBUF_C_TYPE_ENUM:
        *(int32_t *) at = names->values[luck_below(luck, names->n_values)].value;
        break;
    case PROTOBUF_C_TYPE_STRING: *(char **) at = random_string(luck, arena); break;
    case PROTOBUF_C_TYPE_BYTES: *(ProtobufCBinaryData *) at = random_bytes(luck, arena); break;
    case PROTOBUF_C_TYPE_MESSAGE:
        *(ProtobufCMessage **) at = random_message(field->descriptor, luck, arena);
        break;
    default: *(uint32_t *) at = (uint32_t) number; break;
    }
}

static size_t value_size(ProtobufCType type)
{
    switch (type) {
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64: return 8;
    case PROTOBUF_C_TYPE_BOOL: return sizeof(protobuf_c_boolean);
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_MESSAGE: return sizeof(void *);
    case PROTOBUF_C_TYPE_BYTES: return sizeof(ProtobufCBinaryData);
    default: return 4;
    }
}

static void random_list(const ProtobufCFieldDescriptor *field, uint8_t *message, struct luck *luck,
                        struct arena *arena)
{
    size_t   count = luck_below(luck, 4);
    size_t   size = value_size(field->type);
    uint8_t *list = arena_take(arena, count * size + 1);
    assert(list != NULL);
    for (size_t i = 0; i < count; i++)
        random_value(field, list + i * size, luck, arena);
    *(size_t *) (void *) (message + field->quantifier_offset) = count;
    if (count > 0)
        memcpy(message + field->offset, &list, sizeof list);
}

static void random_field(const ProtobufCFieldDescriptor *field, uint8_t *message, struct luck *luck,
                         struct arena *arena)
{
    if (field->label == PROTOBUF_C_LABEL_REPEATED) {
        random_list(field, message, luck, arena);
        return;
    }
    bool is_pointer =
        field->type == PROTOBUF_C_TYPE_STRING || field->type == PROTOBUF_C_TYPE_MESSAGE;
    bool is_case = field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF;
    if (!is_case && luck_below(luck, 3) == 0)
        return;
    if (!is_case && !is_pointer)
        *(protobuf_c_boolean *) (message + field->quantifier_offset) = 1;
    if (is_case)
        *(uint32_t *) (void *) (message + field->quantifier_offset) = field->id;
    random_value(field, message + field->offset, luck, arena);
}

static bool same_oneof(const ProtobufCFieldDescriptor *one, const ProtobufCFieldDescriptor *other)
{
    return one->flags & other->flags & PROTOBUF_C_FIELD_FLAG_ONEOF &&
           one->quantifier_offset == other->quantifier_offset;
}

static uint32_t oneof_end(const ProtobufCMessageDescriptor *descriptor, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < descriptor->n_fields &&
           same_oneof(&descriptor->fields[first], &descriptor->fields[end]))
        end++;
    return end;
}

ProtobufCMessage *random_message(const ProtobufCMessageDescriptor *descriptor, struct luck *luck,
                                 struct arena *arena)
{
    ProtobufCMessage *message = arena_take(arena, descriptor->sizeof_message);
    assert(message != NULL);
    protobuf_c_message_init(descriptor, message);
    for (uint32_t i = 0; i < descriptor->n_fields;) {
        uint32_t end = oneof_end(descriptor, i);
        uint32_t pick = end > i + 1 ? luck_below(luck, end - i + 1) : 0;
        if (i + pick < end)
            random_field(&descriptor->fields[i + pick], (uint8_t *) message, luck, arena);
        i = end;
    }
    return message;
}

/* Words. */

struct row {
    word    *words;
    uint32_t count, capacity;
};

static void put(struct row *row, word value)
{
    assert(row->count < row->capacity);
    row->words[row->count++] = value;
}

static void put_message(struct row *row, const ProtobufCMessage *message);

static void put_text(struct row *row, const uint8_t *bytes, size_t size)
{
    put(row, (word) size);
    for (size_t i = 0; i < size; i++)
        put(row, bytes[i]);
}

static void put_value(struct row *row, const ProtobufCFieldDescriptor *field, const void *at)
{
    const ProtobufCBinaryData *data = at;
    const char *const         *text = at;
    switch (field->type) {
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64: put(row, *(const int64_t *) at); break;
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_FIXED32: put(row, *(const uint32_t *) at); break;
    case PROTOBUF_C_TYPE_STRING: put_text(row, (const uint8_t *) *text, strlen(*text)); break;
    case PROTOBUF_C_TYPE_BYTES: put_text(row, data->data, data->len); break;
    case PROTOBUF_C_TYPE_MESSAGE: put_message(row, *(ProtobufCMessage *const *) at); break;
    default: put(row, *(const int32_t *) at); break;
    }
}

static void put_list(struct row *row, const ProtobufCFieldDescriptor *field, const uint8_t *message)
{
    size_t count = *(const size_t *) (const void *) (message + field->quantifier_offset);
    const uint8_t *const *list = (const uint8_t *const *) (const void *) (message + field->offset);
    put(row, (word) count);
    for (size_t i = 0; i < count; i++)
        put_value(row, field, *list + i * value_size(field->type));
}

static void put_optional(struct row *row, const ProtobufCFieldDescriptor *field,
                         const uint8_t *message)
{
    const void *const *pointer = (const void *const *) (const void *) (message + field->offset);
    if (field->type == PROTOBUF_C_TYPE_MESSAGE) {
        put(row, *pointer != NULL);
        if (*pointer != NULL)
            put_value(row, field, pointer);
        return;
    }
    bool is_there = field->type == PROTOBUF_C_TYPE_STRING
                        ? *pointer != NULL
                        : *(const protobuf_c_boolean *) (message + field->quantifier_offset) != 0;
    if (is_there)
        put_value(row, field, message + field->offset);
    else
        put(row, ABSENT);
}

static void put_oneof(struct row *row, const ProtobufCMessageDescriptor *descriptor, uint32_t first,
                      uint32_t end, const uint8_t *message)
{
    uint32_t set =
        *(const uint32_t *) (const void *) (message + descriptor->fields[first].quantifier_offset);
    put(row, set);
    for (uint32_t i = first; i < end; i++)
        if (descriptor->fields[i].id == set)
            put_value(row, &descriptor->fields[i], message + descriptor->fields[i].offset);
}

static void put_message(struct row *row, const ProtobufCMessage *message)
{
    const ProtobufCMessageDescriptor *descriptor = message->descriptor;
    const uint8_t                    *bytes = (const uint8_t *) message;
    for (uint32_t i = 0; i < descriptor->n_fields;) {
        const ProtobufCFieldDescriptor *field = &descriptor->fields[i];
        uint32_t                        end = oneof_end(descriptor, i);
        if (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF)
            put_oneof(row, descriptor, i, end, bytes);
        else if (field->label == PROTOBUF_C_LABEL_REPEATED)
            put_list(row, field, bytes);
        else
            put_optional(row, field, bytes);
        i = end;
    }
}

uint32_t words_of_message(const ProtobufCMessage *message, word *words, uint32_t capacity)
{
    struct row row = { words, 0, capacity };
    put_message(&row, message);
    return row.count;
}
