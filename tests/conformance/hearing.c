/* hearing.c: the events of an act: that they are what the .proto says, and who has heard them. */
#include <stdlib.h>
#include <string.h>

#include "bout.h"
#include "wire/act.h"
#include "wire/arena.h"

#define MESSAGE_BYTES (1u << 20)
#define MEMORY_BYTES (8u << 20)

/* FNV-1a over kind, length and fields; the audience is not part of what is said. */
static uint64_t hash_of(const word *event)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ event_kind(event);
    for (uint32_t i = 0; i < event_length(event); i++)
        hash = (hash ^ (uint64_t) event_fields(event)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static seat_mask heard_by(const struct bout *bout, audience to)
{
    seat_mask seats = (1u << bout->fixture->seats) - 1;
    switch (to & 0xff00u) {
    case 0x100u: return 1u << (to & 0xff);
    case 0x200u: return EVERYBODY & ~(1u << (to & 0xff));
    case TO_SEATS_NOW: return seats;
    case TO_SPECTATORS_LATER: return EVERYBODY & ~seats;
    default: return EVERYBODY;
    }
}

static bool audience_exists(const struct bout *bout, audience to)
{
    uint32_t seats = bout->fixture->seats;
    return to == TO_ALL || to == TO_SEATS_NOW || to == TO_SPECTATORS_LATER ||
           (to >= TO_SEAT(0) && to < TO_SEAT(seats)) ||
           (to >= TO_ALL_BUT(0) && to < TO_ALL_BUT(seats));
}

bool was_heard(const struct bout *bout, uint32_t seat, const word *event)
{
    uint64_t hash = hash_of(event);
    uint64_t first = bout->said_count > SAID_MAX ? bout->said_count - SAID_MAX : 0;
    for (uint64_t i = bout->said_count; i-- > first;) {
        const struct said *said = &bout->said[i % SAID_MAX];
        if (said->hash == hash && (said->heard >> seat & 1) != 0)
            return true;
    }
    return first > 0; /* So long ago that it is forgotten here. */
}

/* Encodes and decodes words, which must come back as they were. */
static bool survives(const struct plan *plan, uint32_t kind, const word *words, uint32_t count)
{
    static uint8_t bytes[MESSAGE_BYTES];
    static uint8_t memory[MEMORY_BYTES];
    static word    back[MESSAGE_BYTES / sizeof(word)];
    struct arena   arena;
    uint32_t       used = 0, head = kind > 0 ? 1 : 0;

    arena_init(&arena, memory, sizeof memory);
    size_t size = kind > 0 ? plan_encode_kind(plan, kind, words, count, bytes, sizeof bytes)
                           : plan_encode(plan, words, count, bytes, sizeof bytes);
    return plan_decode(plan, bytes, size, &arena, back, sizeof back / sizeof back[0], &used) &&
           used == count + head && (head == 0 || back[0] == (word) kind) &&
           memcmp(back + head, words, count * sizeof(word)) == 0;
}

bool words_are_a_view(struct bout *bout, const struct sink *look)
{
    PROMISE(bout, look->used <= bout->bounds.view_words, "a view has at most %u words, not %u",
            bout->bounds.view_words, look->used);
    PROMISE(bout, survives(bout->views, 0, look->words, look->used),
            "a view's words are the fields of View");
    return true;
}

/* The whole goes to one seat first, then what the others may know of it. */
static bool is_second_half(const word *event, const word *before)
{
    return (event_to(event) & 0xff00u) != 0x200u ||
           (before != NULL && event_to(before) == TO_SEAT(event_to(event) & 0xff));
}

static bool event_is_sound(struct bout *bout, const word *event, const word *before)
{
    const struct game *game = bout->game;
    uint32_t           kind = event_kind(event);

    PROMISE(bout, kind >= 1 && kind < game->event_kinds, "event %u exists", kind);
    const char *name = game->events[kind].name;
    PROMISE(bout, audience_exists(bout, event_to(event)), "the audience %#x of %s exists",
            event_to(event), name);
    PROMISE(bout, is_second_half(event, before),
            "%s leaves out a seat that has just been told the whole", name);
    PROMISE(bout, survives(bout->events, kind, event_fields(event), event_length(event)),
            "the words of %s are the fields of its message", name);
    return true;
}

/* What one seat alone is told travels in its box, whose size the act's public events decide. Without
 * one, or in one too small, nobody would ever hear it. */
static bool secrets_fit_their_boxes(struct bout *bout, const struct sink *out)
{
    static uint8_t text[MESSAGE_BYTES];
    size_t         size = act_text_size(bout->game, &bout->bounds, out);

    if (!act_has_private(out))
        return true;
    PROMISE(bout, size <= sizeof text, "a box has at most %u bytes, not %zu", MESSAGE_BYTES, size);
    for (uint32_t seat = 0; seat < bout->fixture->seats; seat++)
        PROMISE(bout, act_write_text(text, size, bout->events, out, seat),
                "what only seat %u is told fits its box of %zu bytes", seat, size);
    return true;
}

bool events_are_sound(struct bout *bout, const struct sink *out)
{
    const word *before = NULL;
    uint32_t    events = 0, words = 0;

    for (const word *event = sink_first(out); event != NULL; event = sink_next(out, event)) {
        words += 1 + event_length(event);
        events++;
        PROMISE(bout, words <= out->used, "the events of an act fill its words");
        if (!event_is_sound(bout, event, before))
            return false;
        bout->said[bout->said_count++ % SAID_MAX] =
            (struct said){ hash_of(event), heard_by(bout, event_to(event)) };
        before = event;
    }
    PROMISE(bout, words == out->used && events == out->events,
            "the events of an act fill its words");
    return secrets_fit_their_boxes(bout, out);
}
