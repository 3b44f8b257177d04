/* house.c: see house.h. An event is tag, length, fields. */
#include "wire/house.h"

#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "dice/commitment.h"
#include "wire/field.h"
#include "wire/field_write.h"

#define REASON_MAX 240u
#define FIELDS_MAX (HOUSE_BYTES_MAX - 8)

/* Of a contribution, whatever was contributed. */
static_assert((int) FIELD_STREAM_HASH_POSTED_SEAT == (int) FIELD_STREAM_BYTES_REVEALED_SEAT &&
                  (int) FIELD_STREAM_HASH_POSTED_SEAT == (int) FIELD_STREAM_SEAT_SILENT_SEAT &&
                  (int) FIELD_STREAM_HASH_POSTED_HASH == (int) FIELD_STREAM_BYTES_REVEALED_REVEALED,
              "the three messages have the same fields");

/* Puts the event around its fields. */
static size_t close_event(uint8_t *bytes, enum house_kind kind, const uint8_t *fields,
                          const uint8_t *end)
{
    return (size_t) (field_bytes(bytes, kind, fields, (size_t) (end - fields)) - bytes);
}

void house_dice_committed(struct house_said *said, const uint8_t *commitment, seat_mask seats)
{
    uint8_t  fields[FIELDS_MAX];
    uint8_t *at =
        field_bytes(fields, FIELD_STREAM_DICE_COMMITTED_COMMITMENT, commitment, COMMITMENT_BYTES);
    for (uint32_t seat = 0; seat < SEATS_MAX; seat++)
        if ((seats >> seat & 1) != 0)
            at = field_number(at, FIELD_STREAM_DICE_COMMITTED_SEATS, seat);
    said->size = close_event(said->bytes, HOUSE_DICE_COMMITTED, fields, at);
}

void house_contribution(struct house_said *said, enum house_kind kind, uint32_t seat,
                        const uint8_t *bytes, size_t size)
{
    uint8_t  fields[FIELDS_MAX];
    uint8_t *at = field_number(fields, FIELD_STREAM_HASH_POSTED_SEAT, seat);
    if (size > 0)
        at = field_bytes(at, FIELD_STREAM_HASH_POSTED_HASH, bytes, size);
    said->size = close_event(said->bytes, kind, fields, at);
}

void house_seat_changed(struct house_said *said, uint32_t seat, uint32_t generation, bool bot)
{
    uint8_t  fields[FIELDS_MAX];
    uint8_t *at = field_number(fields, FIELD_STREAM_SEAT_CHANGED_SEAT, seat);
    at = field_number(at, FIELD_STREAM_SEAT_CHANGED_GENERATION, generation);
    at = field_number(at, FIELD_STREAM_SEAT_CHANGED_BOT, bot);
    said->size = close_event(said->bytes, HOUSE_SEAT_CHANGED, fields, at);
}

void house_wait_restarted(struct house_said *said, uint64_t wait, uint64_t full_ms)
{
    uint8_t  fields[FIELDS_MAX];
    uint8_t *at = field_number(fields, FIELD_STREAM_WAIT_RESTARTED_WAIT, wait);
    at = field_number(at, FIELD_STREAM_WAIT_RESTARTED_FULL_MS, full_ms);
    said->size = close_event(said->bytes, HOUSE_WAIT_RESTARTED, fields, at);
}

/* A sentence that is too long is cut, but not in the middle of a character. */
void house_match_aborted(struct house_said *said, const char *reason)
{
    uint8_t fields[FIELDS_MAX];
    size_t  size = text_length(reason);
    if (size > REASON_MAX) {
        size = REASON_MAX;
        while (size > 0 && ((uint8_t) reason[size] & 0xc0) == 0x80)
            size--;
    }
    const uint8_t *end = field_bytes(fields, FIELD_STREAM_MATCH_ABORTED_REASON, reason, size);
    said->size = close_event(said->bytes, HOUSE_MATCH_ABORTED, fields, end);
}

size_t house_secrets(uint8_t *bytes, const uint8_t *sealing, const uint8_t *dice)
{
    uint8_t  fields[FIELDS_MAX];
    uint8_t *at =
        field_bytes(fields, FIELD_STREAM_SECRETS_SHOWN_SEALING_SECRET, sealing, HOUSE_SECRET_SIZE);
    if (dice != NULL)
        at = field_bytes(at, FIELD_STREAM_SECRETS_SHOWN_DICE_SECRET, dice, HOUSE_SECRET_SIZE);
    return close_event(bytes, HOUSE_SECRETS_SHOWN, fields, at);
}

/* Reading. */

/* Which field of which event: both numbers at once. */
#define OF(event, field) ((uint64_t) HOUSE_##event << 32 | FIELD_STREAM_##event##_##field)

static void take(struct house_news *news, const struct wire_field *field)
{
    size_t size = (size_t) (field->body.end - field->body.at);
    switch ((uint64_t) news->kind << 32 | field->number) {
    case OF(DICE_COMMITTED, COMMITMENT):
    case OF(HASH_POSTED, HASH):
    case OF(BYTES_REVEALED, REVEALED):
    case OF(SECRETS_SHOWN, SEALING_SECRET):
        news->bytes = field->body.at;
        news->size = size;
        break;
    case OF(HASH_POSTED, SEAT):
    case OF(BYTES_REVEALED, SEAT):
    case OF(SEAT_SILENT, SEAT):
    case OF(SEAT_CHANGED, SEAT):
        news->seat = field->value < SEATS_MAX ? (uint32_t) field->value : SEATS_MAX;
        break;
    case OF(DICE_COMMITTED, SEATS):
        news->seats |= field->value < SEATS_MAX ? 1u << field->value : 0;
        break;
    case OF(SEAT_CHANGED, GENERATION): news->generation = (uint32_t) field->value; break;
    case OF(SECRETS_SHOWN, DICE_SECRET):
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
        take(news, &field);
    }
    return true;
}
