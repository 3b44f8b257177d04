/* client_followed.c: view and list that come behind acts unasked: wished for, kept until their act, told. Pure.
 *
 * The engine says them to us alone, and their act goes by a fanout. So they are mostly here first. What
 * waits lies in a ring that all seats share. If it is full, the oldest is lost: it was a hint. */
#include <string.h>

#include "client/client_private.h"
#include "contract/engine_fields.h"
#include "wire/field.h"

/* One that waits for its act; the message's bytes stand behind it. */
struct waiting {
    uint8_t  match_id[CLIENT_ID_SIZE];
    uint32_t seat;
    bool     is_done;
    uint64_t number;
};

void followed_begin(const struct client_core *core, struct client_seat *seat)
{
    seat->follows = core->settings.follows && seat->seat != NO_SEAT;
}

void followed_wish(const struct turn *turn, struct client_seat *seat, uint32_t version,
                   Arbiter__Engine__Attach *attach)
{
    seat->must_say_so = false;
    if (!seat->follows || version == PROTOCOL_FIRST)
        return;
    attach->follow = outbox_message(turn->out, &arbiter__engine__legal_ask__descriptor);
    attach->follow->has_best = true;
    attach->follow->best = seat->wish.best;
    attach->follow->has_luck = seat->wish.has_luck;
    attach->follow->luck = seat->wish.luck;
}

void client_core_follow(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                        uint32_t seat, const struct client_wish *wish, uint64_t now_ms,
                        struct outbox *out)
{
    const struct turn   turn = { core, now_ms, out };
    struct client_seat *found = seat_find(core, match_id, seat);
    if (found == NULL || seat == NO_SEAT)
        return;
    found->follows = wish != NULL;
    found->must_say_so = true;
    if (wish != NULL)
        found->wish = *wish;
    attach_pump(&turn, found);
}

uint64_t client_core_looks(const struct client_core *core)
{
    return core->looks;
}

static void tell_one(const struct turn *turn, const struct client_seat *seat,
                     enum client_event_kind kind, const struct reader *body)
{
    struct client_event told = { .kind = kind, .seat = seat->seat, .number = seat->next - 1 };
    bool                was_short = turn->core->is_short;
    memcpy(told.match_id, seat->match_id, CLIENT_ID_SIZE);
    (void) tell(turn->core, &told, body->at, (size_t) (body->end - body->at));
    turn->core->is_short = was_short; /* For want of a hint nothing is asked for again. */
}

/* Both, as if they had been asked for: the parts of the message are the messages that are told then. */
static void tell_both(const struct turn *turn, const struct client_seat *seat, const uint8_t *bytes,
                      size_t size)
{
    struct wire_field field;
    for (struct reader in = reader_of(bytes, size); wire_field(&in, &field);) {
        if (field.number == FIELD_ENGINE_FOLLOWED_SHOWN)
            tell_one(turn, seat, CLIENT_VIEW, &field.body);
        if (field.number == FIELD_ENGINE_FOLLOWED_LEGAL)
            tell_one(turn, seat, CLIENT_LEGAL, &field.body);
    }
}

static void keep(const struct turn *turn, const struct client_seat *seat, uint64_t number,
                 const struct event *event)
{
    struct client_ring *ring = &turn->core->followed;
    size_t              size = sizeof(struct waiting) + event->size;
    struct waiting     *waiting = ring_reserve(ring, size);
    while (waiting == NULL && ring->count > 0) {
        ring_drop(ring);
        waiting = ring_reserve(ring, size);
    }
    if (waiting == NULL)
        return;
    *waiting = (struct waiting){ .seat = seat->seat, .number = number };
    memcpy(waiting->match_id, seat->match_id, CLIENT_ID_SIZE);
    memcpy(waiting + 1, event->bytes, event->size);
    ring_put(ring, size);
}

void followed_hear(const struct turn *turn, struct client_seat *seat, const struct event *event)
{
    const Arbiter__Engine__Followed *followed = BODY(Arbiter__Engine__Followed, event);
    uint64_t                         number = followed->shown != NULL   ? followed->shown->number
                                              : followed->legal != NULL ? followed->legal->number
                                                                        : 0;
    bool is_attached = seat->attach.at_ms == NO_WAKE && event->header.session == seat->session;
    if (!seat->follows || !is_attached || seat->next == 0 || number + 1 < seat->next)
        return;
    if (number + 1 == seat->next) {
        tell_both(turn, seat, event->bytes, event->size);
        return;
    }
    keep(turn, seat, number, event);
    stream_known(turn, seat, number, turn->core->settings.act_wait_ms);
}

void followed_act(const struct turn *turn, const struct client_seat *seat)
{
    struct client_ring *ring = &turn->core->followed;
    size_t              size;
    struct waiting     *waiting = ring_first(ring, &size);
    for (; waiting != NULL; waiting = ring_behind(ring, waiting, &size)) {
        if (waiting->is_done || waiting->number >= seat->next || waiting->seat != seat->seat ||
            memcmp(waiting->match_id, seat->match_id, CLIENT_ID_SIZE) != 0)
            continue;
        waiting->is_done = true;
        if (waiting->number + 1 == seat->next)
            tell_both(turn, seat, (const uint8_t *) (waiting + 1), size - sizeof *waiting);
    }
    for (waiting = ring_first(ring, &size); waiting != NULL && waiting->is_done;
         waiting = ring_first(ring, &size))
        ring_drop(ring);
}
