/* browser_write.c: messages as bytes. What the house said is copied field by field, and only what a page may
 * have: an Attached also holds the key of the seat. Pure. */
#include "services/gateway/browser/browser_write.h"

#include <assert.h>
#include <string.h>

#include "contract/browser_fields.h"
#include "contract/engine_fields.h"
#include "contract/envelope_fields.h"
#include "wire/act.h"
#include "wire/field.h"
#include "wire/field_write.h"
#include "wire/header.h"

#define FIELD_MAX 16u /* Of a tag and a length, or a number. */

struct down down_begin(uint8_t memory[DOWN_BYTES])
{
    return (struct down){ .memory = memory,
                          .at = memory + DOWN_BEFORE,
                          .end = memory + DOWN_BYTES - DOWN_BEHIND };
}

static bool has_room(struct down *down, size_t size)
{
    if (down->is_short || (size_t) (down->end - down->at) < size + FIELD_MAX)
        down->is_short = true;
    return !down->is_short;
}

void down_bytes(struct down *down, uint32_t field, const void *bytes, size_t size)
{
    if (has_room(down, size))
        down->at = field_bytes(down->at, field, bytes, size);
}

void down_text(struct down *down, uint32_t field, const char *text)
{
    down_bytes(down, field, text, text_length(text));
}

void down_number(struct down *down, uint32_t field, uint64_t value)
{
    if (has_room(down, 0))
        down->at = field_number(down->at, field, value);
}

const uint8_t *down_finish(const struct down *down, uint32_t kind, uint64_t number,
                           uint32_t request, uint32_t *tail, size_t *size)
{
    uint8_t  before[DOWN_BEFORE];
    uint8_t *at = before, *inside = down->memory + DOWN_BEFORE, *end = down->at;
    assert(!down->is_short);
    if (number != 0)
        at = field_number(at, FIELD_BROWSER_DOWN_NUMBER, number);
    if (request != 0 && tail == NULL)
        at = field_number(at, FIELD_BROWSER_DOWN_REQUEST, request);
    at = varint_write(at, BYTES_TAG((uint64_t) kind));
    at = varint_write(at, (uint64_t) (end - inside));
    size_t length = (size_t) (at - before);
    assert(length <= sizeof before);
    memcpy(inside - length, before, length);
    if (request != 0 && tail != NULL) {
        uint8_t *behind = field_number(end, FIELD_BROWSER_DOWN_REQUEST, request);
        *tail = (uint32_t) (behind - end);
        end = behind;
    }
    *size = (size_t) (end - (inside - length));
    return inside - length;
}

/* Every message about a match has these two at the same place. */
void down_match(struct down *down, const uint8_t *match_id, uint32_t seat)
{
    down_bytes(down, FIELD_BROWSER_SHOWN_MATCH_ID, match_id, CLIENT_ID_SIZE);
    if (seat != NO_SEAT)
        down_number(down, FIELD_BROWSER_SHOWN_SEAT, seat);
}

static void copy_body(struct down *down, uint32_t to, const struct wire_field *field)
{
    down_bytes(down, to, field->body.at, (size_t) (field->body.end - field->body.at));
}

void down_shown(struct down *down, const struct client_event *event)
{
    struct wire_field field;
    down_match(down, event->match_id, event->seat);
    down_number(down, FIELD_BROWSER_SHOWN_NUMBER, event->number);
    for (struct reader in = { event->bytes, event->bytes + event->size };
         wire_field(&in, &field);) {
        switch (field.number) {
        case FIELD_ENGINE_ATTACHED_MATCH: copy_body(down, FIELD_BROWSER_SHOWN_MATCH, &field); break;
        case FIELD_ENGINE_ATTACHED_VIEW: copy_body(down, FIELD_BROWSER_SHOWN_VIEW, &field); break;
        case FIELD_ENGINE_ATTACHED_ASKS: copy_body(down, FIELD_BROWSER_SHOWN_ASKS, &field); break;
        case FIELD_ENGINE_ATTACHED_TO_ACT:
            down_number(down, FIELD_BROWSER_SHOWN_TO_ACT, field.value);
            break;
        case FIELD_ENGINE_ATTACHED_LEFT_MS:
            down_number(down, FIELD_BROWSER_SHOWN_LEFT_MS, field.value);
            break;
        case FIELD_ENGINE_ATTACHED_DICE: copy_body(down, FIELD_BROWSER_SHOWN_DICE, &field); break;
        case FIELD_ENGINE_ATTACHED_OVER:
            down_number(down, FIELD_BROWSER_SHOWN_OVER, field.value);
            break;
        default: break; /* The key, the session, the chain: not a page's. */
        }
    }
}

static void put_event(struct down *down, const struct act_event *event)
{
    size_t inside = 1 + varint_size(event->size) + event->size + (event->is_private ? 2 : 0);
    if (!has_room(down, inside + FIELD_MAX))
        return;
    down->at = varint_write(down->at, BYTES_TAG(FIELD_BROWSER_HAPPENED_EVENTS));
    down->at = varint_write(down->at, inside);
    down->at = field_bytes(down->at,
                           event->is_house ? FIELD_BROWSER_EVENT_HOUSE : FIELD_BROWSER_EVENT_EVENT,
                           event->bytes, event->size);
    if (event->is_private)
        down->at = field_number(down->at, FIELD_BROWSER_EVENT_PRIVATE, 1);
}

void down_happened(struct down *down, const struct client_event *event)
{
    struct act_reader reader;
    struct act_event  happened;
    uint32_t          viewer = event->seat == NO_SEAT ? SPECTATOR : event->seat;
    down_match(down, event->match_id, event->seat);
    down_number(down, FIELD_BROWSER_HAPPENED_NUMBER, event->number);
    down_number(down, FIELD_BROWSER_HAPPENED_ACTOR, event->actor);
    if (act_read(&reader, event->bytes, event->size, viewer, event->box, event->box_size))
        while (act_next(&reader, &happened))
            put_event(down, &happened);
}

void down_played(struct down *down, const struct client_event *event)
{
    struct wire_field field;
    bool              is_reply = event->outcome != CLIENT_UNFIT;
    down_match(down, event->match_id, event->seat);
    if (event->outcome == CLIENT_UNSURE) {
        down_number(down, FIELD_BROWSER_PLAYED_UNSURE, 1);
        return;
    }
    down_number(down, FIELD_BROWSER_PLAYED_ACCEPTED, event->outcome == CLIENT_ACCEPTED);
    if (event->outcome == CLIENT_ACCEPTED) {
        down_number(down, FIELD_BROWSER_PLAYED_NUMBER, event->number);
        return;
    }
    for (struct reader in = { event->bytes, event->bytes + event->size };
         wire_field(&in, &field);) {
        if (is_reply && field.number == FIELD_ENGINE_REPLY_REASON)
            copy_body(down, FIELD_BROWSER_PLAYED_REASON, &field);
        if (field.number == (is_reply ? FIELD_ENGINE_REPLY_SENTENCE : FIELD_WIRE_REFUSED_SENTENCE))
            copy_body(down, FIELD_BROWSER_PLAYED_SENTENCE, &field);
        if (is_reply && field.number == FIELD_ENGINE_REPLY_ASKS)
            copy_body(down, FIELD_BROWSER_PLAYED_ASKS, &field);
    }
}
