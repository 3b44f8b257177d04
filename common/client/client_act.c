/* client_act.c: one act: judged, its place in the chain checked, our box opened, and told. Pure.
 *
 * An act is told when it is the next one, continues the chain we know, and everything in it that is for
 * us can be read. Nothing of it is believed before all of that holds; what is no act of ours leaves no
 * trace, and another door is asked for it. */
#include <assert.h>
#include <string.h>

#include "client/client_private.h"
#include "wire/act.h"

/* An act may bring news of its own for the caller, told behind it; there must be room for these, too. */
#define SLACK_BYTES (4 * (sizeof(struct client_event) + 32))

static const struct box_keys *keys_now(const struct client_seat *seat)
{
    for (uint32_t i = 0; i < 2; i++)
        if (seat->keys[i].seat == seat->seat && seat->keys[i].generation == seat->generation)
            return &seat->keys[i];
    return NULL;
}

/* What there is to read of an act. */
struct opening {
    const uint8_t         *box;
    size_t                 box_size; /* 0: none.                                                  */
    const struct box_keys *keys;
};

static enum taken find_opening(const struct client_seat *seat, const Arbiter__Stream__Act *act,
                               struct opening *opening)
{
    memset(opening, 0, sizeof *opening);
    if (seat->seat == NO_SEAT ||
        !act_find_box(act->body.data, act->body.len, seat->seat, &opening->box, &opening->box_size))
        return ACT_TAKEN;
    if (opening->box_size < BOX_OVERHEAD)
        return ACT_BAD;
    opening->keys = keys_now(seat);
    return opening->keys == NULL ? ACT_LATER : ACT_TAKEN; /* The next attach brings the key. */
}

static bool is_whole(const Arbiter__Stream__Act *act)
{
    return act->has_number && act->has_actor && act->chain_before.len == CRYPTO_HASH_SIZE &&
           act->command_hash.len == CRYPTO_HASH_SIZE && act->has_body;
}

/* Copies the body and opens the box right behind it; false: it does not open, or it is no body. */
static bool fill(const struct turn *turn, const struct client_seat *seat,
                 const Arbiter__Stream__Act *act, const struct opening *opening,
                 struct client_event *told, struct act_reader *reader)
{
    const struct crypto_ops *crypto = turn->core->settings.crypto;
    uint8_t                 *body = told_bytes(told);
    if (act->body.len > 0)
        memcpy(body, act->body.data, act->body.len);
    told->bytes = body;
    told->size = act->body.len;
    if (opening->keys != NULL) {
        struct box_place place = { .epoch = act->epoch, .number = act->number };
        memcpy(place.match_id, seat->match_id, sizeof place.match_id);
        if (!box_open(body + act->body.len, crypto, opening->keys, &place, opening->box,
                      opening->box_size))
            return false;
        told->box = body + act->body.len;
        told->box_size = opening->box_size - BOX_OVERHEAD;
    }
    return act_read(reader, body, act->body.len, seat->seat == NO_SEAT ? SPECTATOR : seat->seat,
                    told->box, told->box_size);
}

void act_compare(const struct turn *turn, struct client_seat *seat, const Arbiter__Stream__Act *act)
{
    uint8_t chain[CRYPTO_HASH_SIZE];
    if (!is_whole(act) || act->number == 0 || act->number >= seat->next)
        return;
    memcpy(chain, act->chain_before.data, sizeof chain);
    stream_compare(turn, seat, act->number - 1, chain, sizeof chain);
    chain_next(chain, turn->core->settings.crypto, act->number, act->actor, act->command_hash.data,
               act->body.data, act->body.len);
    stream_compare(turn, seat, act->number, chain, sizeof chain);
}

/* The act is ours: the chain goes on, and we with it. */
static void advance(const struct turn *turn, struct client_seat *seat,
                    const Arbiter__Stream__Act *act, struct act_reader *reader)
{
    uint8_t         *chain = seat->chain[act->number % CLIENT_CHAINS];
    struct act_event event;
    memcpy(chain, act->chain_before.data, CRYPTO_HASH_SIZE);
    chain_next(chain, turn->core->settings.crypto, act->number, act->actor, act->command_hash.data,
               act->body.data, act->body.len);
    seat->next = act->number + 1;
    if (act->number == seat->promised)
        stream_compare(turn, seat, act->number, seat->promised_chain, CRYPTO_HASH_SIZE);
    if (seat->next > seat->oldest + CLIENT_CHAINS)
        seat->oldest = seat->next - CLIENT_CHAINS;
    if (seat->known < act->number)
        seat->known = act->number;
    if (act->actor == seat->seat)
        command_seen(seat, act->number);
    while (act_next(reader, &event))
        if (event.is_house)
            dice_hear(turn, seat, act->number, event.bytes, event.size);
}

/* An act of before our time, for the dice alone. Its boxes are not ours to open. */
static enum taken hear_only(const struct turn *turn, struct client_seat *seat,
                            const Arbiter__Stream__Act *act)
{
    struct act_reader reader;
    if (!act_read(&reader, act->body.data, act->body.len, SPECTATOR, NULL, 0))
        return ACT_BAD;
    if (told_reserve(turn->core, CLIENT_DICE, SLACK_BYTES) == NULL)
        return ACT_LATER;
    advance(turn, seat, act, &reader);
    return ACT_TAKEN;
}

enum taken act_take(const struct turn *turn, struct client_seat *seat,
                    const Arbiter__Stream__Act *act)
{
    struct opening    opening;
    struct act_reader reader;
    if (!is_whole(act))
        return ACT_BAD;
    assert(act->number == seat->next && seat->next > 0);
    const uint8_t *before = seat->chain[(act->number - 1) % CLIENT_CHAINS];
    /* Nobody has shown us the chain before the first act we are told; whether that is the right one, the promised
     * chain tells. */
    if (act->number > 1 && act->number > seat->oldest &&
        memcmp(before, act->chain_before.data, CRYPTO_HASH_SIZE) != 0) {
        seat_fault(turn, seat, CLIENT_FAULT_FORK, act->number);
        return ACT_BAD;
    }
    if (act->number < seat->told_from)
        return hear_only(turn, seat, act);
    enum taken found = find_opening(seat, act, &opening);
    if (found != ACT_TAKEN)
        return found;
    size_t size = act->body.len + (opening.keys == NULL ? 0 : opening.box_size - BOX_OVERHEAD);
    struct client_event *told = told_reserve(turn->core, CLIENT_ACT, size + SLACK_BYTES);
    if (told == NULL)
        return ACT_LATER;
    if (!fill(turn, seat, act, &opening, told, &reader)) {
        if (opening.keys != NULL)
            seat_fault(turn, seat, CLIENT_FAULT_BOX, act->number);
        return ACT_BAD;
    }
    memcpy(told->match_id, seat->match_id, CLIENT_ID_SIZE);
    told->seat = seat->seat;
    told->number = act->number;
    told->epoch = act->epoch;
    told->actor = act->actor;
    told_put(turn->core, told, size);
    advance(turn, seat, act, &reader);
    return ACT_TAKEN;
}
