/* match.c: playing one match: begin, commands, time, undo. How an act becomes bytes is publish.c. */
#include "match/match.h"

#include <assert.h>
#include <string.h>

#include "match/publish.h"
#include "wire/order.h"

_Static_assert(sizeof(struct match) % sizeof(uint64_t) == 0 &&
                   sizeof(struct box_keys) % sizeof(uint32_t) == 0,
               "the state behind it is aligned");

void match_terms_init(struct match_terms *terms, const struct game *game, const void *setup,
                      uint32_t seats, uint32_t flags, const struct match_form *form)
{
    uint32_t least = 0;
    uint32_t most = 0;
    game->seats(setup, &least, &most);
    assert(seats >= least && seats <= most && most <= SEATS_MAX);
    assert(flags == MATCH_WORDS || form != NULL);
    memset(terms, 0, sizeof *terms);
    terms->game = game;
    terms->setup = setup;
    terms->form = form;
    terms->seats = seats;
    terms->flags = flags;
    game->bounds(setup, seats, &terms->bounds);
}

static size_t state_bytes(const struct match_terms *terms)
{
    return ((size_t) terms->bounds.state_bytes + 7) / 8 * 8;
}

size_t match_bytes(const struct match_terms *terms)
{
    size_t keys = (terms->flags & MATCH_SEALED) != 0 ? terms->seats * sizeof(struct box_keys) : 0;
    return sizeof(struct match) + state_bytes(terms) + (keys + 7) / 8 * 8;
}

static struct box_keys *keys_of(struct match *match)
{
    return (struct box_keys *) (void *) ((uint8_t *) match->state + state_bytes(match->terms));
}

const struct box_keys *match_keys(const struct match *match, uint32_t seat)
{
    const uint8_t *behind = (const uint8_t *) match->state + state_bytes(match->terms);
    assert((match->terms->flags & MATCH_SEALED) != 0 && seat < match->terms->seats);
    return (const struct box_keys *) (const void *) behind + seat;
}

void match_set_generation(struct match *match, uint32_t seat, uint32_t generation)
{
    assert(seat < match->terms->seats);
    match->generation[seat] = generation;
    if ((match->terms->flags & MATCH_SEALED) != 0)
        box_keys_of_secret(keys_of(match) + seat, match->terms->form->crypto, match->secret, seat,
                           generation);
}

/* What the rules may touch. The room's sink is emptied for what they have to say. */
static struct play play_of(struct match *match, struct match_room *room)
{
    room->sink.used = 0;
    room->sink.events = 0;
    return (struct play){ match->terms->setup, match->state, &match->dice, &room->sink };
}

/* Something happened: it gets the next number and is written down as the terms ask. */
static void act_of(struct match *match, uint32_t actor, size_t command_size,
                   struct match_room *room, struct match_act *act)
{
    match->number++;
    *act = (struct match_act){ .number = match->number,
                               .actor = actor,
                               .events = &room->sink,
                               .command = room->command,
                               .command_size = command_size };
    if (match->terms->flags != MATCH_WORDS)
        publish(match, room, act);
}

/* Commands of no seat are a number, most significant byte first. */
static size_t number_command(struct match_room *room, uint32_t number)
{
    order_put(room->command, number, 4);
    return 4;
}

struct match *match_prepare(void *memory, const struct match_terms *terms,
                            const struct match_begin *begin)
{
    struct match *match = memory;
    assert((uintptr_t) memory % sizeof(uint64_t) == 0);
    memset(match, 0, match_bytes(terms));
    match->terms = terms;
    match->epoch = begin->epoch;
    match->dice = *begin->dice;
    memcpy(match->id, begin->id, sizeof match->id);
    memcpy(match->secret, begin->secret, sizeof match->secret);
    memcpy(match->chain, begin->chain, sizeof match->chain);
    for (uint32_t seat = 0; seat < terms->seats; seat++)
        match_set_generation(match, seat, 1);
    return match;
}

void match_first(struct match *match, struct match_room *room, struct match_act *act)
{
    struct play play = play_of(match, room);
    match->terms->game->start(&play, match->terms->seats);
    act_of(match, ACTOR_START, 0, room, act);
}

struct match *match_start(void *memory, const struct match_terms *terms,
                          const struct match_begin *begin, struct match_room *room,
                          struct match_act *act)
{
    struct match *match = match_prepare(memory, terms, begin);
    match_first(match, room, act);
    return match;
}

verdict match_play(struct match *match, uint32_t seat, const struct command *command,
                   struct match_room *room, struct match_act *act)
{
    const struct match_terms *terms = match->terms;
    assert(seat < terms->seats);
    struct play play = play_of(match, room);
    verdict     judged = terms->game->apply(&play, seat, command);
    if (judged != ACCEPTED)
        return judged;
    act_of(match, seat, publish_command(terms, command, room), room, act);
    return ACCEPTED;
}

bool match_expire(struct match *match, seat_mask late, struct match_room *room,
                  struct match_act *act)
{
    struct play play = play_of(match, room);
    if (match->terms->game->expire == NULL || !match->terms->game->expire(&play, late))
        return false;
    act_of(match, ACTOR_TIME, number_command(room, late), room, act);
    return true;
}

bool match_leave(struct match *match, uint32_t seat, struct match_room *room, struct match_act *act)
{
    assert(seat < match->terms->seats);
    struct play play = play_of(match, room);
    if (match->terms->game->leave == NULL || !match->terms->game->leave(&play, seat))
        return false;
    act_of(match, ACTOR_HOUSE, number_command(room, seat), room, act);
    return true;
}

bool match_annul(struct match *match, struct match_room *room, struct match_act *act)
{
    struct play play = play_of(match, room);
    if (match->terms->game->annul == NULL || !match->terms->game->annul(&play))
        return false;
    act_of(match, ACTOR_ANNUL, 0, room, act);
    return true;
}

void match_say(struct match *match, const uint8_t *event, size_t size, struct match_room *room,
               struct match_act *act)
{
    assert(size <= MATCH_TEXT_MAX);
    (void) play_of(match, room);
    if (size > 0) /* What is empty may be nowhere. */
        memcpy(room->command, event, size);
    act_of(match, ACTOR_SAY, size, room, act);
}

seat_mask match_to_act(const struct match *match)
{
    return match->terms->game->to_act(match->terms->setup, match->state);
}

void match_legal(const struct match *match, uint32_t seat, struct legal *list)
{
    match->terms->game->legal(match->terms->setup, match->state, seat, list);
}

void match_view(const struct match *match, uint32_t viewer, struct sink *out)
{
    match->terms->game->view(match->terms->setup, match->state, viewer, out);
}

void match_outcome(const struct match *match, int32_t *per_seat)
{
    match->terms->game->outcome(match->terms->setup, match->state, per_seat);
}

const char *match_check(const struct match *match)
{
    return match->terms->game->check(match->terms->setup, match->state);
}

void match_keep(const struct match *match, void *copy)
{
    memcpy(copy, match, match_bytes(match->terms));
}

void match_undo(struct match *match, const void *copy)
{
    memcpy(match, copy, match_bytes(match->terms));
}
