/* engine_faults.c: faults inside an engine, each in front of one function of the product's. */
#include <string.h>

#include "faults.h"
#include "services/engine/engine_parts.h"
#include "wire/act.h"

/* Rules. */

WRAPPED(verdict, match_play,
        (struct match *, uint32_t, const struct command *, struct match_room *,
         struct match_act *) );

verdict planted_match_play(struct match *match, uint32_t seat, const struct command *command,
                           struct match_room *room, struct match_act *act)
{
    struct command played = *command;
    seat_mask      to_act = match_to_act(match);
    if (fault_is(FAULT_OTHER_MOVE) && played.arg[1] > 1)
        played.arg[1]--;
    if (fault_is(FAULT_OUT_OF_TURN) && to_act != 0 && (to_act >> seat & 1) == 0)
        for (seat = 0; (to_act >> seat & 1) == 0;)
            seat++;
    if (fault_is(FAULT_NUMBER_GAP) && match->number == 1)
        match->number++;
    return real_match_play(match, seat, &played, room, act);
}

/* Seals, and who may know. */

WRAPPED(void, box_seal,
        (uint8_t *, const struct crypto_ops *, const struct box_keys *, const struct box_place *,
         const uint8_t *, size_t));

void planted_box_seal(uint8_t *box, const struct crypto_ops *crypto, const struct box_keys *keys,
                      const struct box_place *place, const uint8_t *text, size_t size)
{
    if (fault_is(FAULT_BOX_OF_ANOTHER) && keys->seat > 0)
        keys--; /* They stand in a row. */
    real_box_seal(box, crypto, keys, place, text, size);
    if (fault_is(FAULT_NONCE_AGAIN)) {
        memset(box, 7, CRYPTO_NONCE_SIZE);
        crypto->seal(box + CRYPTO_NONCE_SIZE, text, size, box, keys->seal);
    }
}

WRAPPED(bool, act_put_public, (struct act_body *, const struct plan *, const struct sink *) );

bool planted_act_put_public(struct act_body *body, const struct plan *events,
                            const struct sink *sink)
{
    for (uint32_t at = 0; at < sink->used; at += 1 + event_length(&sink->words[at])) {
        audience to = event_to(&sink->words[at]);
        if (fault_is(FAULT_PUBLIC_SECRET) && (to & 0xff00) == TO_SEAT(0))
            sink->words[at] &= ~((word) 0xffff << 16);
        if (fault_is(FAULT_BOX_EMPTY) && (to & 0xff00) == TO_SEAT(0))
            sink->words[at] |= (word) 0xff << 16; /* To a seat that there is not. */
    }
    return real_act_put_public(body, events, sink);
}

WRAPPED(void, match_view, (const struct match *, uint32_t, struct sink *) );

void planted_match_view(const struct match *match, uint32_t viewer, struct sink *out)
{
    real_match_view(match, fault_is(FAULT_OTHERS_VIEW) && viewer == SPECTATOR ? 0 : viewer, out);
}

/* Sessions and answers. */

WRAPPED(struct session *, engine_session_find, (const struct hosted *, uint32_t, uint32_t));

struct session *planted_engine_session_find(const struct hosted *hosted, uint32_t seat,
                                            uint32_t number)
{
    struct session *session = real_engine_session_find(hosted, seat, number);
    if (session == NULL && fault_is(FAULT_ANY_SESSION) && seat < hosted->seats_held)
        session = hosted->seats[seat].sessions;
    return session;
}

WRAPPED(void, engine_on_command, (struct engine *, const struct event *, struct outbox *) );

void planted_engine_on_command(struct engine *engine, const struct event *event, struct outbox *out)
{
    const struct hosted *hosted = engine_table_find(engine, event->header.match_id);
    struct session      *session = hosted == NULL ? NULL
                                                  : real_engine_session_find(hosted, event->header.seat,
                                                                             event->header.session);
    if (fault_is(FAULT_PLAYED_TWICE) && session != NULL && session->request > 0 &&
        session->request == event->header.request)
        session->request--;
    real_engine_on_command(engine, event, out);
}

/* An accepted command's act is its answer, too. */
WRAPPED(void, engine_replay_act,
        (struct engine *, struct hosted *, const struct row *, struct outbox *) );

void planted_engine_replay_act(struct engine *engine, struct hosted *hosted, const struct row *row,
                               struct outbox *out)
{
    struct cell *request = (struct cell *) (uintptr_t) &row->cells[ACTS_REQUEST];
    if (fault_is(FAULT_ANSWERS_FORGOTTEN) && request->number > 0)
        request->number--;
    real_engine_replay_act(engine, hosted, row, out);
}

/* Dice. */

WRAPPED(size_t, house_secrets, (uint8_t *, const uint8_t *, const uint8_t *) );

size_t planted_house_secrets(uint8_t *bytes, const uint8_t *sealing, const uint8_t *dice)
{
    static const uint8_t other[SECRET_BYTES] = { 1 };
    return real_house_secrets(bytes, sealing,
                              fault_is(FAULT_OTHER_SECRET) && dice != NULL ? other : dice);
}

WRAPPED(bool, contributions_key,
        (const struct contributions *, const uint8_t[SECRET_BYTES], uint8_t[DICE_KEY_BYTES]));

bool planted_contributions_key(const struct contributions *table,
                               const uint8_t secret[SECRET_BYTES], uint8_t key[DICE_KEY_BYTES])
{
    struct contributions without = *table;
    if (fault_is(FAULT_HOUSE_DICE))
        memset(without.bytes, 0, sizeof without.bytes);
    return real_contributions_key(&without, secret, key);
}
