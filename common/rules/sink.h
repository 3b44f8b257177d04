/* sink.h: the one way out for what rules have to say.
 *
 * An event is a kind, an audience and a row of words. The words are the fields of its message in
 * the game's .proto, in the order of their declaration. That convention is all the mapping there is
 * - the wire layer reads the .proto's descriptor and writes the bytes (wire/plan.h):
 *
 *     a number, bool or enum     one word; ABSENT where the field is left out
 *     a list                     its count, then its elements
 *     a string or bytes          its length, then one word per byte
 *     a message                  1 and its fields, or 0 if it is left out
 *     a oneof                    the number of the field that is set (0: none), then that field
 *
 * A string that is left out has ABSENT for its length. In a list and in a oneof a message is just
 * its fields, without the leading 1. A list of strings is its count, then each string. The one
 * number that has no word is INT64_MIN, and the same bits of a uint64.
 *
 * Events stand in one flat buffer of bounded size, each behind a header word. A view is written the
 * same way, as the words of one View message, without a header. */
#ifndef ARBITER_SINK_H
#define ARBITER_SINK_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "rules/word.h"

typedef uint32_t audience;

/* Who may know an event. A secret has no other way out than TO_SEAT. */
#define TO_ALL 0u /* Everybody, spectators included.                         */
#define TO_SEAT(seat) (0x100u | (seat)) /* One seat; sealed on its way. */
/* Public, with the secret taken out; that seat, which has */
#define TO_ALL_BUT(seat) (0x200u | (seat))
/* seen the whole in the event before, skips it.           */
#define TO_SEATS_NOW 0x300u        /* Every seat now; spectators when the game says so again  */
                                   /* with TO_SPECTATORS_LATER.                               */
#define TO_SPECTATORS_LATER 0x400u /* Public, and no seat reads it: the repeat of an earlier  */
                                   /* TO_SEATS_NOW, or what spectators alone are shown.       */

struct sink {
    word    *words;    /* NULL: everything is dropped (a trial run on a copy).        */
    uint32_t used;     /* Words written.                                              */
    uint32_t capacity; /* What the game declared in `bounds`; more is a bug of ours.  */
    uint32_t events;   /* Events written.                                             */
    uint32_t header;   /* Where the open event's header stands.                       */
};

static inline void sink_put(struct sink *out, word value)
{
    if (out->words == NULL)
        return;
    assert(out->used < out->capacity);
    out->words[out->used++] = value;
}

/* An event with fields put one by one: open, put ..., close. */
static inline void sink_open(struct sink *out, audience to, uint32_t kind)
{
    out->header = out->used;
    sink_put(out, (word) kind | (word) to << 16);
}

static inline void sink_close(struct sink *out)
{
    if (out->words == NULL)
        return;
    out->words[out->header] |= (word) (out->used - out->header - 1) << 32;
    out->events++;
}

/* An event whose fields stand in an array. */
static inline void sink_event(struct sink *out, audience to, uint32_t kind, const word *fields,
                              uint32_t count)
{
    if (out->words == NULL)
        return;
    assert(out->capacity - out->used > count);
    out->words[out->used] = (word) kind | (word) to << 16 | (word) count << 32;
    if (count > 0)
        memcpy(out->words + out->used + 1, fields, count * sizeof(word));
    out->used += count + 1;
    out->events++;
}

/* EMIT(out, TO_ALL, EVENT_MOVED, character, place): an event with its fields in one line. */
#define EMIT(out, to, kind, ...)                                                                   \
    sink_event((out), (to), (kind), (const word[]){ __VA_ARGS__ },                                 \
               (uint32_t) (sizeof((const word[]){ __VA_ARGS__ }) / sizeof(word)))
#define EMIT_BARE(out, to, kind) sink_event((out), (to), (kind), NULL, 0)

/* Reading a sink: for (e = sink_first(out); e; e = sink_next(out, e)). */
static inline const word *sink_first(const struct sink *out)
{
    return out->used > 0 ? out->words : NULL;
}

static inline uint32_t event_kind(const word *event)
{
    return (uint32_t) (*event & 0xffff);
}

static inline audience event_to(const word *event)
{
    return (audience) (*event >> 16 & 0xffff);
}

static inline uint32_t event_length(const word *event)
{
    return (uint32_t) (*event >> 32);
}

static inline const word *event_fields(const word *event)
{
    return event + 1;
}

static inline const word *sink_next(const struct sink *out, const word *event)
{
    const word *next = event + 1 + event_length(event);
    return next < out->words + out->used ? next : NULL;
}

#endif
