/* house.c: see house.h. An event is tag, length, fields. */
#include "wire/house.h"

#include <string.h>

#include "base/text.h"
#include "dice/commitment.h"
#include "wire/field.h"

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

void house_dice_committed(struct house_said *said, const uint8_t *commitment, seat_mask seats)
{
    struct fields fields;
    fields.at = fields.bytes;
    put_bytes(&fields, 1, commitment, COMMITMENT_BYTES);
    for (uint32_t seat = 0; seat < SEATS_MAX; seat++)
        if ((seats >> seat & 1) != 0)
            put_number(&fields, 2, seat);
    said->size = close_event(said->bytes, HOUSE_DICE_COMMITTED, &fields);
}

void house_contribution(struct house_said *said, enum house_kind kind, uint32_t seat,
                        const uint8_t *bytes, size_t size)
{
    struct fields fields;
    fields.at = fields.bytes;
    put_number(&fields, 1, seat);
    if (size > 0)
        put_bytes(&fields, 2, bytes, size);
    said->size = close_event(said->bytes, kind, &fields);
}

void house_seat_changed(struct house_said *said, uint32_t seat, uint32_t generation, bool bot)
{
    struct fields fields;
    fields.at = fields.bytes;
    put_number(&fields, 1, seat);
    put_number(&fields, 2, generation);
    put_number(&fields, 3, bot);
    said->size = close_event(said->bytes, HOUSE_SEAT_CHANGED, &fields);
}

void house_wait_restarted(struct house_said *said, uint64_t wait, uint64_t full_ms)
{
    struct fields fields;
    fields.at = fields.bytes;
    put_number(&fields, 1, wait);
    put_number(&fields, 2, full_ms);
    said->size = close_event(said->bytes, HOUSE_WAIT_RESTARTED, &fields);
}

/* A sentence that is too long is cut, but not in the middle of a character. */
void house_match_aborted(struct house_said *said, const char *reason)
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
    said->size = close_event(said->bytes, HOUSE_MATCH_ABORTED, &fields);
}

size_t house_secrets(uint8_t *bytes, const uint8_t *sealing, const uint8_t *dice)
{
    struct fields fields;
    fields.at = fields.bytes;
    put_bytes(&fields, 1, sealing, HOUSE_SECRET_SIZE);
    if (dice != NULL)
        put_bytes(&fields, 2, dice, HOUSE_SECRET_SIZE);
    return close_event(bytes, HOUSE_SECRETS_SHOWN, &fields);
}

/* Reading. */

/* The first field of most events is the seat. */
static void take_first(struct house_news *news, const struct wire_field *field)
{
    if (news->kind == HOUSE_DICE_COMMITTED || news->kind == HOUSE_SECRETS_SHOWN) {
        news->bytes = field->body.at;
        news->size = (size_t) (field->body.end - field->body.at);
    } else {
        news->seat = field->value < SEATS_MAX ? (uint32_t) field->value : SEATS_MAX;
    }
}

static void take_second(struct house_news *news, const struct wire_field *field)
{
    size_t size = (size_t) (field->body.end - field->body.at);
    switch (news->kind) {
    case HOUSE_DICE_COMMITTED:
        news->seats |= field->value < SEATS_MAX ? 1u << field->value : 0;
        break;
    case HOUSE_HASH_POSTED:
    case HOUSE_BYTES_REVEALED:
        news->bytes = field->body.at;
        news->size = size;
        break;
    case HOUSE_SEAT_CHANGED: news->generation = (uint32_t) field->value; break;
    case HOUSE_SECRETS_SHOWN:
        news->dice = field->body.at;
        news->dice_size = size;
        break;
    default: break;
    }
}

bool house_read(const uint8_t *bytes, size_t size, struct house_news *news)
{
    struct reader     in = reader_of(bytes, size);
    struct wire_field event, field;

    memset(news, 0, sizeof *news);
    if (!wire_field(&in, &event) || in.at != in.end)
        return false;
    if (event.number > HOUSE_SECRETS_SHOWN)
        return true;
    news->kind = (enum house_kind) event.number;
    for (in = event.body; in.at < in.end;) {
        if (!wire_field(&in, &field))
            return false;
        if (field.number == 1)
            take_first(news, &field);
        if (field.number == 2)
            take_second(news, &field);
    }
    return true;
}
