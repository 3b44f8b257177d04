/* client_house.c: see client_house.h. Pure. */
#include "client/client_house.h"

#include <string.h>

#define WIRE_VARINT 0u
#define WIRE_BYTES 2u

bool house_field(struct reader *in, struct house_field *field)
{
    uint64_t tag;
    if (in->at == in->end || !varint_read_short(in, &tag))
        return false;
    *field = (struct house_field){ .number = (uint32_t) (tag >> 3), .body = { in->at, in->at } };
    if ((tag & 7) == WIRE_VARINT)
        return varint_read(in, &field->value);
    return (tag & 7) == WIRE_BYTES && varint_read_body(in, &field->body);
}

/* The first field of every event but two is the seat. */
static void take_first(struct house_news *news, const struct house_field *field)
{
    if (news->kind == HOUSE_DICE_COMMITTED || news->kind == HOUSE_SECRETS_SHOWN) {
        news->bytes = field->body.at;
        news->size = (size_t) (field->body.end - field->body.at);
    } else {
        news->seat = field->value > UINT32_MAX ? UINT32_MAX : (uint32_t) field->value;
    }
}

static void take_second(struct house_news *news, const struct house_field *field)
{
    size_t size = (size_t) (field->body.end - field->body.at);
    switch (news->kind) {
    case HOUSE_DICE_COMMITTED:
        if (field->value < 32)
            news->seats |= UINT32_C(1) << field->value;
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

static enum house_kind kind_of(uint32_t number)
{
    bool is_known = (number >= HOUSE_DICE_COMMITTED && number <= HOUSE_SEAT_CHANGED) ||
                    number == HOUSE_SECRETS_SHOWN;
    return is_known ? (enum house_kind) number : HOUSE_OTHER;
}

bool client_house_read(const uint8_t *bytes, size_t size, struct house_news *news)
{
    struct reader      in = reader_of(bytes, size);
    struct house_field event, field;

    memset(news, 0, sizeof *news);
    if (!house_field(&in, &event) || in.at != in.end)
        return false;
    news->kind = kind_of(event.number);
    if (news->kind == HOUSE_OTHER)
        return true;
    for (in = event.body; in.at < in.end;) {
        if (!house_field(&in, &field))
            return false;
        if (field.number == 1)
            take_first(news, &field);
        if (field.number == 2)
            take_second(news, &field);
    }
    return true;
}
