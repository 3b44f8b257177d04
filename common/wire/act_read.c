/* act_read.c: a seat's events, in order, out of a body and an opened box. Pure.
 *
 * Bodies and boxes come from peers. `act_read` walks both once and judges everything; the walk that
 * follows can then be short, and cannot fail. */
#include <assert.h>
#include <string.h>

#include "contract/stream_fields.h"
#include "wire/act.h"
#include "wire/field_write.h"
#include "wire/order.h"

/* An entry is a PublicEvent or, in a BoxText, a PrivateEvent. */
enum {
    TAG_ENTRY = BYTES_TAG(FIELD_STREAM_ACT_BODY_EVENTS),
    TAG_BOX = BYTES_TAG(FIELD_STREAM_ACT_BODY_BOXES),
    HIDDEN_FROM = FIELD_STREAM_PUBLIC_EVENT_HIDDEN_FROM,
    REPEAT = FIELD_STREAM_PUBLIC_EVENT_REPEAT,
    EVENT = FIELD_STREAM_PUBLIC_EVENT_EVENT,
    HOUSE_EVENT = FIELD_STREAM_PUBLIC_EVENT_HOUSE,
    PLACE = FIELD_STREAM_PRIVATE_EVENT_PLACE,
    PRIVATE_EVENT = FIELD_STREAM_PRIVATE_EVENT_EVENT,
    LARGEST = HOUSE_EVENT
};
static_assert((int) FIELD_STREAM_BOX_TEXT_EVENTS == (int) FIELD_STREAM_ACT_BODY_EVENTS,
              "entries have one tag");

#define BIT(field) (1u << (field))

/* One PublicEvent or PrivateEvent, taken apart. */
struct entry {
    uint64_t      fields; /* Bit n: field n is there.                                   */
    uint64_t      number[LARGEST + 1];
    struct reader body; /* Of the event, whichever field it stands in.                  */
};

/* Other readers would cut a longer number to 32 bits, and see another seat or place than we do. */
static bool take_number(struct reader *in, uint64_t *number)
{
    return varint_read(in, number) && *number <= UINT32_MAX;
}

/* Takes an entry apart; `numbers` and `bodies` are the masks of fields of either sort. */
static bool take_entry(struct reader in, uint32_t numbers, uint32_t bodies, struct entry *entry)
{
    memset(entry, 0, sizeof *entry);
    while (in.at < in.end) {
        uint64_t tag;
        if (!varint_read_short(&in, &tag) || tag >> 3 > LARGEST || entry->fields >> (tag >> 3) & 1)
            return false;
        uint32_t field = (uint32_t) tag >> 3;
        bool     is_number = (tag & 7) == 0 && (numbers >> field & 1) != 0;
        bool     is_body = (tag & 7) == 2 && (bodies >> field & 1) != 0;
        if (!(is_number && take_number(&in, &entry->number[field])) &&
            !(is_body && (entry->fields & bodies) == 0 && varint_read_body(&in, &entry->body)))
            return false;
        entry->fields |= UINT64_C(1) << field;
    }
    return (entry->fields & bodies) != 0;
}

static bool take_public(struct reader *in, struct entry *entry)
{
    struct reader body;
    return in->at < in->end && *in->at++ == TAG_ENTRY && varint_read_body(in, &body) &&
           take_entry(body, BIT(HIDDEN_FROM) | BIT(REPEAT), BIT(EVENT) | BIT(HOUSE_EVENT), entry) &&
           entry->number[REPEAT] <= 1;
}

static bool take_private(struct reader *in, struct entry *entry)
{
    struct reader body;
    return in->at < in->end && *in->at++ == TAG_ENTRY && varint_read_body(in, &body) &&
           take_entry(body, BIT(PLACE), BIT(PRIVATE_EVENT), entry) &&
           (entry->fields & BIT(PLACE)) != 0;
}

/* Steps over all entries of a body; what is left are its boxes. */
static bool skip_entries(struct reader *in, uint64_t *count)
{
    struct entry entry;
    for (*count = 0; in->at < in->end && *in->at == TAG_ENTRY; ++*count)
        if (!take_public(in, &entry))
            return false;
    return true;
}

static bool take_box(struct reader *in, struct reader *box)
{
    return *in->at++ == TAG_BOX && varint_read_body(in, box);
}

bool act_find_box(const uint8_t *body, size_t size, uint32_t seat, const uint8_t **box,
                  size_t *box_size)
{
    struct reader in = reader_of(body, size);
    struct reader found = { NULL, NULL };
    struct reader each;
    uint64_t      entries;
    if (!skip_entries(&in, &entries))
        return false;
    for (uint32_t at = 0; in.at < in.end; at++) {
        if (!take_box(&in, &each))
            return false;
        if (at == seat)
            found = each;
    }
    if (found.at == NULL)
        return false;
    *box = found.at;
    *box_size = (size_t) (found.end - found.at);
    return true;
}

/* Cuts a text to what its length says, and judges it: places never go back, none lies behind the last
 * public event, and the rest is zeros. */
static bool judge_text(struct reader *text, uint64_t entries)
{
    struct entry entry;
    uint64_t     place = 0;
    if (text->end - text->at < ACT_TEXT_OVERHEAD)
        return false;
    uint64_t size = order_get(&text->at, ACT_TEXT_OVERHEAD);
    if (size > (uint64_t) (text->end - text->at))
        return false;
    for (const uint8_t *pad = text->at + size; pad < text->end; pad++)
        if (*pad != 0)
            return false;
    text->end = text->at + size;
    for (struct reader in = *text; in.at < in.end; place = entry.number[PLACE])
        if (!take_private(&in, &entry) || entry.number[PLACE] < place ||
            entry.number[PLACE] > entries)
            return false;
    return true;
}

bool act_read(struct act_reader *reader, const uint8_t *body, size_t size, uint32_t seat,
              const uint8_t *text, size_t text_size)
{
    struct reader in = reader_of(body, size);
    struct reader opened = { text, text };
    struct reader box;
    uint64_t      entries;
    if (!skip_entries(&in, &entries))
        return false;
    const uint8_t *end = in.at;
    while (in.at < in.end)
        if (!take_box(&in, &box))
            return false;
    if (text != NULL) {
        opened.end = text + text_size;
        if (!judge_text(&opened, entries))
            return false;
    }
    *reader = (struct act_reader){ body, end, opened.at, opened.end, seat, 0 };
    return true;
}

/* The next private event, if its place has come. */
static bool next_private(struct act_reader *reader, struct act_event *event)
{
    struct reader in = { reader->text_at, reader->text_end };
    struct entry  entry;
    if (!take_private(&in, &entry) || entry.number[PLACE] > reader->place)
        return false;
    reader->text_at = in.at;
    *event = (struct act_event){ .bytes = entry.body.at,
                                 .size = (size_t) (entry.body.end - entry.body.at),
                                 .is_private = true };
    return true;
}

/* Whether a seat has seen it elsewhere: whole in its box, or earlier. */
static bool is_skipped(const struct act_reader *reader, const struct entry *entry)
{
    if (reader->seat == SPECTATOR)
        return false;
    bool is_hidden =
        (entry->fields & BIT(HIDDEN_FROM)) != 0 && entry->number[HIDDEN_FROM] == reader->seat;
    return is_hidden || entry->number[REPEAT] != 0;
}

bool act_next(struct act_reader *reader, struct act_event *event)
{
    struct reader in = { reader->at, reader->end };
    struct entry  entry;
    for (;;) {
        if (next_private(reader, event))
            return true;
        if (!take_public(&in, &entry))
            return false;
        reader->at = in.at;
        reader->place++;
        if (is_skipped(reader, &entry))
            continue;
        *event = (struct act_event){ .bytes = entry.body.at,
                                     .size = (size_t) (entry.body.end - entry.body.at),
                                     .is_house = (entry.fields & BIT(HOUSE_EVENT)) != 0 };
        return true;
    }
}
