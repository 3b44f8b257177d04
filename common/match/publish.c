/* publish.c: an act's command, body with its boxes, and chain, written into a room. */
#include "match/publish.h"

#include <assert.h>
#include <string.h>

#include "wire/act.h"
#include "wire/chain.h"

/* Each argument is a tag of at most 5 bytes and a varint of at most 10; so are the text's length and
 * the message around them. */
#define COMMAND_MAX (16 * (COMMAND_ARGS_MAX + 3) + MATCH_TEXT_MAX)
/* A word is a field of at most 5 and 10 bytes, and may begin a message of its own; an event is at least
 * one word, its header. */
#define WORD_BYTES 21
#define EVENT_BYTES ACT_ENTRY_OVERHEAD

static size_t words_bytes(const struct match_terms *terms)
{
    return sizeof(word) * terms->bounds.event_words;
}

static size_t text_bytes(const struct match_terms *terms)
{
    size_t most = 0;
    if ((terms->flags & MATCH_SEALED) == 0)
        return 0;
    for (uint32_t i = 0; i < BOX_CLASSES_MAX; i++)
        if (terms->bounds.box_bytes[i] > most)
            most = terms->bounds.box_bytes[i];
    return most;
}

static size_t body_bytes(const struct match_terms *terms)
{
    size_t boxes = text_bytes(terms) + BOX_OVERHEAD + ACT_ENTRY_OVERHEAD;
    return terms->bounds.event_words * (size_t) (WORD_BYTES + EVENT_BYTES) + MATCH_HOUSE_MAX +
           MATCH_TEXT_MAX + terms->seats * boxes;
}

/* The greatest number of bytes of each part, the words' alignment kept by their standing first. */
size_t match_room_bytes(const struct match_terms *terms)
{
    return words_bytes(terms) + COMMAND_MAX + body_bytes(terms) + text_bytes(terms);
}

void match_room_init(struct match_room *room, const struct match_terms *terms, void *memory)
{
    uint8_t *at = memory;
    assert((uintptr_t) memory % sizeof(word) == 0);
    memset(room, 0, sizeof *room);
    room->sink.words = memory;
    room->sink.capacity = terms->bounds.event_words;
    at += words_bytes(terms);
    room->command = at;
    room->command_max = COMMAND_MAX;
    room->body = at + COMMAND_MAX;
    room->body_max = body_bytes(terms);
    room->text = room->body + room->body_max;
    room->text_max = text_bytes(terms);
}

size_t publish_command(const struct match_terms *terms, const struct command *command,
                       struct match_room *room)
{
    if (terms->flags == MATCH_WORDS)
        return 0;
    assert(command->text_size <= MATCH_TEXT_MAX);
    size_t size =
        plan_encode_command(terms->form->commands, command, room->command, room->command_max);
    assert(size > 0);
    return size;
}

static void put_boxes(struct match *match, struct match_room *room, uint64_t number,
                      struct act_body *body)
{
    const struct match_terms *terms = match->terms;
    struct box_place          place = { .epoch = match->epoch, .number = number };
    size_t                    size = act_text_size(terms->game, &terms->bounds, &room->sink);
    if (size == 0) {
        /* A secret without a box would be lost in silence. */
        assert(!act_has_private(&room->sink));
        return;
    }
    memcpy(place.match_id, match->id, sizeof place.match_id);
    assert(size <= room->text_max);
    bool put = act_put_boxes(body, terms->form->crypto, terms->form->events, &room->sink,
                             match_keys(match, 0), terms->seats, &place, room->text, size);
    assert(put);
}

/* A HouseEvent behind what stands there. */
static void put_house(struct act_body *body, const uint8_t *event, size_t size)
{
    bool put = size == 0 || act_put_house(body, event, size);
    assert(put);
}

/* What the house says goes behind the game's events and before the boxes; its own acts have none. */
static void put_rest(struct match *match, struct match_room *room, const struct match_act *act,
                     struct act_body *body)
{
    bool is_say = act->actor == ACTOR_SAY;
    if (is_say)
        put_house(body, act->command, act->command_size);
    put_house(body, room->said.bytes, room->said.size);
    if (room->last.size > 0 && (is_say || match_to_act(match) == 0))
        put_house(body, room->last.bytes, room->last.size);
    if (!is_say && (match->terms->flags & MATCH_SEALED) != 0)
        put_boxes(match, room, act->number, body);
}

void publish(struct match *match, struct match_room *room, struct match_act *act)
{
    const struct match_terms *terms = match->terms;
    struct act_body           body = { .bytes = room->body, .capacity = room->body_max };
    bool                      put = act_put_public(&body, terms->form->events, &room->sink);
    assert(put);
    put_rest(match, room, act, &body);
    act->body = body.bytes;
    act->body_size = body.size;
    if ((terms->flags & MATCH_CHAINED) != 0) {
        uint8_t hash[CRYPTO_HASH_SIZE];
        chain_command(hash, terms->form->crypto, match->secret, act->command, act->command_size);
        chain_next(match->chain, terms->form->crypto, act->number, act->actor, hash, body.bytes,
                   body.size);
    }
    memcpy(act->chain, match->chain, sizeof act->chain);
}
