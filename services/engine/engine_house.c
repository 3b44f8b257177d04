/* engine_house.c: HouseEvents of stream.proto, written and read by hand, since cores have no packer. Pure.
 *
 * Each is one small message inside another, of numbers and bytes: house event = tag, length, fields. */
#include <assert.h>
#include <string.h>

#include "services/engine/engine_parts.h"
#include "wire/varint.h"

#define NUMBER_TAG(field) ((uint8_t) ((field) << 3))
#define BYTES_TAG(field) ((uint8_t) ((field) << 3 | 2))
#define REASON_MAX 240u

/* The inner message while it is written. */
struct fields {
    uint8_t  bytes[HOUSE_BYTES_MAX - 8];
    uint8_t *at;
};

static void put_number(struct fields *fields, uint32_t field, uint64_t number)
{
    *fields->at++ = NUMBER_TAG(field);
    fields->at = varint_write(fields->at, number);
}

static void put_bytes(struct fields *fields, uint32_t field, const void *bytes, size_t size)
{
    *fields->at++ = BYTES_TAG(field);
    fields->at = varint_write(fields->at, size);
    if (size > 0)
        memcpy(fields->at, bytes, size);
    fields->at += size;
}

static size_t close_event(uint8_t *bytes, enum house_kind kind, const struct fields *fields)
{
    size_t size = (size_t) (fields->at - fields->bytes);
    bytes[0] = BYTES_TAG(kind);
    uint8_t *at = varint_write(bytes + 1, size);
    memcpy(at, fields->bytes, size);
    return (size_t) (at - bytes) + size;
}

void engine_house_dice_committed(struct house *house, const uint8_t *commitment, seat_mask seats)
{
    struct fields fields;
    fields.at = fields.bytes;
    put_bytes(&fields, 1, commitment, COMMITMENT_BYTES);
    for (uint32_t seat = 0; seat < SEATS_MAX; seat++)
        if ((seats >> seat & 1) != 0)
            put_number(&fields, 2, seat);
    house->size = close_event(house->bytes, HOUSE_DICE_COMMITTED, &fields);
}

void engine_house_contribution(struct house *house, enum house_kind kind, uint32_t seat,
                               const uint8_t *bytes, size_t size)
{
    struct fields fields;
    fields.at = fields.bytes;
    put_number(&fields, 1, seat);
    if (size > 0)
        put_bytes(&fields, 2, bytes, size);
    house->size = close_event(house->bytes, kind, &fields);
}

void engine_house_seat_changed(struct house *house, uint32_t seat, uint32_t generation, bool bot)
{
    struct fields fields;
    fields.at = fields.bytes;
    put_number(&fields, 1, seat);
    put_number(&fields, 2, generation);
    put_number(&fields, 3, bot);
    house->size = close_event(house->bytes, HOUSE_SEAT_CHANGED, &fields);
}

void engine_house_wait_restarted(struct house *house, uint64_t wait, uint64_t full_ms)
{
    struct fields fields;
    fields.at = fields.bytes;
    put_number(&fields, 1, wait);
    put_number(&fields, 2, full_ms);
    house->size = close_event(house->bytes, HOUSE_WAIT_RESTARTED, &fields);
}

/* A sentence that is too long is cut, but not in the middle of a character. */
void engine_house_match_aborted(struct house *house, const char *reason)
{
    struct fields fields;
    size_t        size = text_length(reason);
    fields.at = fields.bytes;
    if (size > REASON_MAX) {
        size = REASON_MAX;
        while (size > 0 && ((uint8_t) reason[size] & 0xc0) == 0x80)
            size--;
    }
    put_bytes(&fields, 1, reason, size);
    house->size = close_event(house->bytes, HOUSE_MATCH_ABORTED, &fields);
}

size_t engine_house_secrets(uint8_t *bytes, const uint8_t *sealing, const uint8_t *dice)
{
    struct fields fields;
    fields.at = fields.bytes;
    put_bytes(&fields, 1, sealing, MATCH_SECRET_SIZE);
    if (dice != NULL)
        put_bytes(&fields, 2, dice, SECRET_BYTES);
    return close_event(bytes, HOUSE_SECRETS_SHOWN, &fields);
}

/* One field of the inner message. Numbers: the first is the seat, but where a list of seats is. */
static bool read_field(struct reader *in, struct heard *heard, bool *has_seat)
{
    uint64_t      tag;
    uint64_t      number;
    struct reader body;
    if (!varint_read_short(in, &tag))
        return false;
    if ((tag & 7) == 2) {
        if (!varint_read_body(in, &body))
            return false;
        heard->bytes = body.at;
        heard->size = (size_t) (body.end - body.at);
        return true;
    }
    if ((tag & 7) != 0 || !varint_read(in, &number))
        return false;
    if (heard->kind == HOUSE_DICE_COMMITTED)
        heard->seats |= number < SEATS_MAX ? 1u << number : 0;
    else if (!*has_seat)
        heard->seat = number < SEATS_MAX ? (uint32_t) number : SEATS_MAX;
    *has_seat = true;
    return true;
}

bool engine_house_read(const uint8_t *bytes, size_t size, struct heard *heard)
{
    struct reader in = reader_of(bytes, size);
    struct reader body;
    uint64_t      tag;
    bool          has_seat = false;
    memset(heard, 0, sizeof *heard);
    if (!varint_read_short(&in, &tag) || (tag & 7) != 2 || !varint_read_body(&in, &body) ||
        in.at != in.end)
        return false;
    heard->kind = (uint32_t) tag >> 3;
    while (body.at < body.end)
        if (!read_field(&body, heard, &has_seat))
            return false;
    return true;
}
