/* replay_compare.c: what the rules say now against what was published then.
 *
 * The same bytes are the same events, and that is the usual case. Other bytes may still be: a later
 * build may write a field of an event in another way. So then both are read as everybody would read
 * them, each seat with its box and the spectators without, and compared event by event, in words. What
 * the house said stands only in the stored bytes and is passed over: no rule says it. */
#include <stdlib.h>
#include <string.h>

#include "match/replay_private.h"
#include "wire/act.h"

#define EVENT_WORDS_MAX 16384
#define TEXT_BYTES_MAX 65536

/* One reader's way through one body. */
struct reading {
    struct act_reader reader;
    uint8_t           text[TEXT_BYTES_MAX];
};

struct spoken {
    uint32_t count;
    bool     is_private;
    word     words[EVENT_WORDS_MAX];
};

/* Opens a body as a seat sees it, or as spectators do. */
static bool reading_open(struct replay *replay, struct reading *reading, const uint8_t *body,
                         size_t size, uint32_t viewer)
{
    struct box_place place = { .epoch = replay->match->epoch, .number = replay->match->number };
    const uint8_t   *box = NULL;
    size_t           box_size = 0;
    memcpy(place.match_id, replay->id, sizeof place.match_id);
    if (viewer == SPECTATOR || !act_find_box(body, size, viewer, &box, &box_size))
        return act_read(&reading->reader, body, size, viewer, NULL, 0);
    if (box_size < BOX_OVERHEAD || box_size - BOX_OVERHEAD > TEXT_BYTES_MAX)
        return false;
    return box_open(reading->text, &crypto_sodium, match_keys(replay->match, viewer), &place, box,
                    box_size) &&
           act_read(&reading->reader, body, size, viewer, reading->text, box_size - BOX_OVERHEAD);
}

/* The next event of the game. 1: there is one; 0: none is left; -1: it is no event of this game. */
static int reading_next(struct replay *replay, struct reading *reading, struct spoken *spoken)
{
    struct act_event event;
    do {
        if (!act_next(&reading->reader, &event))
            return 0;
    } while (event.is_house);
    spoken->is_private = event.is_private;
    arena_reset(&replay->decoded);
    return plan_decode(replay->events, event.bytes, event.size, &replay->decoded, spoken->words,
                       EVENT_WORDS_MAX, &spoken->count)
               ? 1
               : -1;
}

/* Both bodies side by side. Large, and needed only if their bytes differ. */
struct comparison {
    struct reading stored, played;
    struct spoken  then, now;
};

static bool same_for(struct replay *replay, struct comparison *both, const uint8_t *body,
                     size_t size, uint32_t viewer)
{
    if (!reading_open(replay, &both->stored, body, size, viewer) ||
        !reading_open(replay, &both->played, replay->act.body, replay->act.body_size, viewer))
        return false;
    for (;;) {
        int was = reading_next(replay, &both->stored, &both->then);
        int is = reading_next(replay, &both->played, &both->now);
        if (was != is || was < 0)
            return false;
        if (was == 0)
            return true;
        if (both->then.is_private != both->now.is_private || both->then.count != both->now.count ||
            memcmp(both->then.words, both->now.words, both->now.count * sizeof(word)) != 0)
            return false;
    }
}

static bool same_for_all(struct replay *replay, struct comparison *both, const uint8_t *body,
                         size_t size)
{
    if (!same_for(replay, both, body, size, SPECTATOR))
        return match_file_fault(&replay->file, "its public events are not what the rules say");
    for (uint32_t seat = 0; seat < replay->seats; seat++)
        if (!same_for(replay, both, body, size, seat))
            return match_file_fault(&replay->file, "a seat's box holds not what the rules say");
    return true;
}

bool replay_compare(struct replay *replay, const uint8_t *body, size_t size)
{
    if (size == replay->act.body_size && (size == 0 || memcmp(body, replay->act.body, size) == 0))
        return true;
    struct comparison *both = malloc(sizeof *both);
    if (both == NULL)
        return match_file_fault(&replay->file, "there is not enough memory to compare it");
    bool same = same_for_all(replay, both, body, size);
    free(both);
    return same;
}
