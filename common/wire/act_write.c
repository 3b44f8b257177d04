/* act_write.c: from a sink to the body of an act and the texts of its boxes. Pure. */
#include <assert.h>
#include <string.h>

#include "contract/stream_fields.h"
#include "wire/act.h"
#include "wire/field_write.h"
#include "wire/order.h"

/* The tags of stream.proto, all of numbers below 16. */
enum {
    TAG_ENTRY = BYTES_TAG(FIELD_STREAM_ACT_BODY_EVENTS), /* ActBody.events, BoxText.events. */
    TAG_BOX = BYTES_TAG(FIELD_STREAM_ACT_BODY_BOXES),    /* ActBody.boxes.                  */
    TAG_HIDDEN_FROM = NUMBER_TAG(FIELD_STREAM_PUBLIC_EVENT_HIDDEN_FROM),
    TAG_REPEAT = NUMBER_TAG(FIELD_STREAM_PUBLIC_EVENT_REPEAT),
    TAG_EVENT = BYTES_TAG(FIELD_STREAM_PUBLIC_EVENT_EVENT),
    TAG_HOUSE = BYTES_TAG(FIELD_STREAM_PUBLIC_EVENT_HOUSE),
    TAG_PLACE = NUMBER_TAG(FIELD_STREAM_PRIVATE_EVENT_PLACE),
    TAG_PRIVATE_EVENT = BYTES_TAG(FIELD_STREAM_PRIVATE_EVENT_EVENT)
};

/* What stands in an entry before its event. */
struct front {
    uint8_t bytes[8];
    uint8_t size;
    uint8_t event_tag;
};

static bool is_public(audience to)
{
    return (to & 0xff00) != TO_SEAT(0) && to != TO_SEATS_NOW;
}

static bool is_for(audience to, uint32_t seat)
{
    return to == TO_SEAT(seat) || to == TO_SEATS_NOW;
}

/* The bytes before an entry's event: tag and length of the entry, its front, tag and length of the
 * event. Returns how many; writes them if `at` is not NULL. */
static uint32_t entry_head(uint8_t *at, const struct front *front, size_t event_size)
{
    uint64_t entry_size = front->size + 1 + varint_size(event_size) + (uint64_t) event_size;
    if (at != NULL) {
        *at++ = TAG_ENTRY;
        at = varint_write(at, entry_size);
        memcpy(at, front->bytes, front->size);
        at += front->size;
        *at++ = front->event_tag;
        varint_write(at, event_size);
    }
    return 1 + varint_size(entry_size) + front->size + 1 + varint_size(event_size);
}

/* Appends one event of a sink. Most are shorter than 100 bytes, so it is encoded where it would then
 * stand, and once more if it turns out that its lengths take more room. */
static bool put_entry(struct act_body *out, const struct plan *events, const word *event,
                      const struct front *front)
{
    uint32_t head = entry_head(NULL, front, 0);
    for (;;) {
        if (out->capacity - out->size <= head)
            return false;
        uint8_t *start = out->bytes + out->size;
        size_t   size =
            plan_encode_kind(events, event_kind(event), event_fields(event), event_length(event),
                             start + head, out->capacity - out->size - head);
        if (size == 0)
            return false;
        uint32_t true_head = entry_head(NULL, front, size);
        if (true_head == head) {
            entry_head(start, front, size);
            out->size += head + size;
            return true;
        }
        head = true_head;
    }
}

static struct front public_front(audience to)
{
    struct front front = { .event_tag = TAG_EVENT };
    if ((to & 0xff00) == TO_ALL_BUT(0)) {
        assert((to & 0xff) < SEATS_MAX);
        front.bytes[front.size++] = TAG_HIDDEN_FROM;
        front.bytes[front.size++] = (uint8_t) (to & 0xff);
    }
    if (to == TO_SPECTATORS_LATER) {
        front.bytes[front.size++] = TAG_REPEAT;
        front.bytes[front.size++] = 1;
    }
    return front;
}

bool act_put_public(struct act_body *body, const struct plan *events, const struct sink *sink)
{
    for (const word *event = sink_first(sink); event; event = sink_next(sink, event)) {
        audience to = event_to(event);
        if (!is_public(to))
            continue;
        struct front front = public_front(to);
        if (!put_entry(body, events, event, &front))
            return false;
    }
    return true;
}

bool act_put_house(struct act_body *body, const uint8_t *house, size_t size)
{
    const struct front front = { .event_tag = TAG_HOUSE };
    uint32_t           head = entry_head(NULL, &front, size);
    if (body->capacity - body->size < head + size)
        return false;
    entry_head(body->bytes + body->size, &front, size);
    memcpy(body->bytes + body->size + head, house, size);
    body->size += head + size;
    return true;
}

bool act_has_private(const struct sink *sink)
{
    for (const word *event = sink_first(sink); event; event = sink_next(sink, event))
        if (!is_public(event_to(event)))
            return true;
    return false;
}

size_t act_text_size(const struct game *game, const struct bounds *bounds, const struct sink *sink)
{
    uint32_t box_class = 0;
    for (const word *event = sink_first(sink); event; event = sink_next(sink, event)) {
        if (!is_public(event_to(event)))
            continue;
        assert(event_kind(event) < game->event_kinds);
        uint32_t asked = game->events[event_kind(event)].box_class;
        assert(asked < BOX_CLASSES_MAX);
        if (asked > box_class)
            box_class = asked;
    }
    return bounds->box_bytes[box_class];
}

bool act_write_text(uint8_t *text, size_t size, const struct plan *events, const struct sink *sink,
                    uint32_t seat)
{
    struct act_body out = { text, size, ACT_TEXT_OVERHEAD };
    uint64_t        place = 0;
    if (size < ACT_TEXT_OVERHEAD)
        return false;
    for (const word *event = sink_first(sink); event; event = sink_next(sink, event)) {
        audience to = event_to(event);
        if (is_public(to))
            place++;
        if (!is_for(to, seat))
            continue;
        struct front front = { .bytes = { TAG_PLACE }, .event_tag = TAG_PRIVATE_EVENT };
        front.size = (uint8_t) (varint_write(front.bytes + 1, place) - front.bytes);
        if (!put_entry(&out, events, event, &front))
            return false;
    }
    order_put(text, out.size - ACT_TEXT_OVERHEAD, ACT_TEXT_OVERHEAD);
    memset(text + out.size, 0, size - out.size);
    return true;
}

bool act_put_boxes(struct act_body *body, const struct crypto_ops *crypto,
                   const struct plan *events, const struct sink *sink, const struct box_keys *keys,
                   uint32_t seats, const struct box_place *place, uint8_t *text, size_t text_size)
{
    size_t box_size = text_size + BOX_OVERHEAD;
    size_t entry_size = 1 + varint_size(box_size) + box_size;
    for (uint32_t seat = 0; seat < seats; seat++) {
        assert(keys[seat].seat == seat);
        if (body->capacity - body->size < entry_size ||
            !act_write_text(text, text_size, events, sink, seat))
            return false;
        uint8_t *at = body->bytes + body->size;
        *at++ = TAG_BOX;
        box_seal(varint_write(at, box_size), crypto, &keys[seat], place, text, text_size);
        body->size += entry_size;
    }
    return true;
}
