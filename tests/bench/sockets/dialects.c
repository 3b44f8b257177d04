/* dialects.c: what our door and Colyseus' say to a spectator, read no further than counting needs it. */
#include <string.h>

#include "contract/browser_fields.h"
#include "crowd.h"

/* A protobuf field at `*at`: its number, and its value or its body. False: there is none. */
struct field {
    uint64_t       number, value;
    const uint8_t *body;
};

static bool read_varint(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
        uint8_t byte = *(*at)++;
        *value |= (uint64_t) (byte & 127) << shift;
        if (byte < 128)
            return true;
    }
    return false;
}

static bool read_field(const uint8_t **at, const uint8_t *end, struct field *field)
{
    uint64_t tag;
    if (!read_varint(at, end, &tag) || !read_varint(at, end, &field->value))
        return false;
    field->number = tag >> 3;
    field->body = *at;
    if ((tag & 7) == 2) {
        if (field->value > (uint64_t) (end - *at))
            return false;
        *at += field->value;
    }
    return (tag & 7) == 0 || (tag & 7) == 2;
}

static size_t arbiter_hello(uint8_t words[WORDS_MAX])
{
    words[0] = FIELD_BROWSER_UP_HELLO << 3 | 2;
    words[1] = 0;
    return 2;
}

static size_t arbiter_asks(uint8_t words[WORDS_MAX], const uint8_t match_id[16])
{
    words[0] = FIELD_BROWSER_UP_WATCH << 3 | 2;
    words[1] = 18;
    words[2] = 1 << 3 | 2;
    words[3] = 16;
    memcpy(words + 4, match_id, 16);
    return 20;
}

static uint64_t act_number(const struct field *happened)
{
    const uint8_t *at = happened->body, *end = at + happened->value;
    struct field   field;
    while (read_field(&at, end, &field))
        if (field.number == 3)
            return field.value;
    return 0;
}

static enum meaning arbiter_read(const uint8_t *bytes, size_t size, uint64_t *number)
{
    const uint8_t *end = bytes + size;
    struct field   field;
    while (read_field(&bytes, end, &field)) {
        switch (field.number) {
        case FIELD_BROWSER_DOWN_WELCOME: return MEANS_HELLO;
        case FIELD_BROWSER_DOWN_SHOWN: return MEANS_SHOWN;
        case FIELD_BROWSER_DOWN_HAPPENED: *number = act_number(&field); return MEANS_EVENT;
        case FIELD_BROWSER_DOWN_CLOSING: return MEANS_CLOSING;
        default: break;
        }
    }
    return MEANS_NOTHING;
}

const struct dialect dialect_arbiter = {
    .name = "arbiter",
    .subprotocol = "arbiter.v1",
    .hello = arbiter_hello,
    .asks = arbiter_asks,
    .read = arbiter_read,
};

#define JOIN_ROOM 10 /* First bytes of Colyseus' messages. */
#define ROOM_DATA 13

static size_t colyseus_hello(uint8_t words[WORDS_MAX])
{
    (void) words;
    return 0; /* The door speaks first. */
}

static size_t colyseus_asks(uint8_t words[WORDS_MAX], const uint8_t match_id[16])
{
    (void) match_id;
    words[0] = JOIN_ROOM; /* "I have heard that I am in." */
    return 1;
}

/* MessagePack: the number behind the key "n". */
static uint64_t number_behind_n(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i + 6 < size; i++) {
        const uint8_t *at = bytes + i + 2;
        if (bytes[i] != 0xa1 || bytes[i + 1] != 'n')
            continue;
        switch (at[0]) {
        case 0xcc: return at[1];
        case 0xcd: return (uint64_t) at[1] << 8 | at[2];
        case 0xce:
            return (uint64_t) at[1] << 24 | (uint64_t) at[2] << 16 | (uint64_t) at[3] << 8 | at[4];
        default: return at[0] < 128 ? at[0] : 0;
        }
    }
    return 0;
}

static enum meaning colyseus_read(const uint8_t *bytes, size_t size, uint64_t *number)
{
    if (size > 0 && bytes[0] == JOIN_ROOM)
        return MEANS_SHOWN;
    if (size == 0 || bytes[0] != ROOM_DATA)
        return MEANS_NOTHING;
    *number = number_behind_n(bytes, size);
    return MEANS_EVENT;
}

const struct dialect dialect_colyseus = {
    .name = "colyseus",
    .hello = colyseus_hello,
    .asks = colyseus_asks,
    .read = colyseus_read,
};
