/* replay_hear.c: what acts say beside the game, held against what the file's other records say of it.
 *
 * These are contributions to the dice, seats that changed hands, and the secrets at the end.
 * Players saw each as an act of the house, under the chain. The file repeats them in records that
 * no chain covers. Who could write other contributions there than were posted could choose the
 * dice; so both must say the same. The numbers of epochs, sessions and requests, which no chain
 * covers either, must at least be such as an engine gives. None of this asks the rules of the
 * game. */
#include <string.h>

#include "contract/stream.pb-c.h"
#include "match/replay_private.h"
#include "wire/act.h"
#include "wire/header.h"
#include "wire/validate.h"

#define HOUSE(name) ARBITER__STREAM__HOUSE_EVENT__KIND_##name

/* An act while it is heard. */
struct hearing {
    struct replay                     *replay;
    const Arbiter__Match__Act         *act;
    const Arbiter__Stream__HouseEvent *event;
    bool     is_command; /* The event that the act of the house is about.  */
    uint32_t asker;      /* Whose request the act may be; SEATS_MAX: nobody's.  */
};

static bool hear_committed(struct hearing *at, const Arbiter__Stream__DiceCommitted *committed)
{
    struct replay       *replay = at->replay;
    struct replay_heard *heard = replay->heard;
    seat_mask            seats = 0;
    for (size_t i = 0; i < committed->n_seats; i++) {
        uint32_t seat = committed->seats[i];
        if (seat >= replay->seats || seats >> seat != 0)
            return match_file_fault(&replay->file, "it asks seats for dice that cannot be asked");
        seats |= 1u << seat;
    }
    for (uint32_t seat = 0; seat < SEATS_MAX && replay->protocol > PROTOCOL_FIRST; seat++)
        if ((seats >> seat & 1) != (replay->origin[seat] != 0))
            return match_file_fault(&replay->file,
                                    "it asks other seats for dice than the header names");
    if (heard->is_committed || committed->commitment.len != COMMITMENT_BYTES ||
        memcmp(committed->commitment.data, heard->written.house, COMMITMENT_BYTES) != 0)
        return match_file_fault(&replay->file,
                                "the house commits itself to another secret than in the header");
    heard->is_committed = true;
    contributions_open(&heard->said, replay->id, heard->written.house, seats);
    return true;
}

static void tell_of(struct hearing *at, uint32_t seat)
{
    at->replay->heard->told |= seat < SEATS_MAX ? 1u << seat : 0;
}

static bool hear_hash(struct hearing *at, const Arbiter__Stream__HashPosted *posted)
{
    at->asker = posted->seat;
    tell_of(at, posted->seat);
    return (posted->hash.len == COMMITMENT_BYTES &&
            contributions_post(&at->replay->heard->said, posted->seat, posted->hash.data)) ||
           match_file_fault(&at->replay->file, "nobody awaits this hash");
}

static bool hear_revealed(struct hearing *at, const Arbiter__Stream__BytesRevealed *revealed)
{
    at->asker = revealed->seat;
    tell_of(at, revealed->seat);
    return (revealed->revealed.len == CONTRIBUTION_BYTES &&
            contributions_reveal(&at->replay->heard->said, revealed->seat,
                                 revealed->revealed.data)) ||
           match_file_fault(&at->replay->file, "nobody awaits these bytes, or others");
}

static bool hear_silent(struct hearing *at, const Arbiter__Stream__SeatSilent *silent)
{
    struct contributions *said = &at->replay->heard->said;
    if (silent->seat >= at->replay->seats || (said->awaited >> silent->seat & 1) == 0)
        return match_file_fault(&at->replay->file, "nobody awaits anything of this seat");
    tell_of(at, silent->seat);
    contributions_silent(said, 1u << silent->seat);
    return true;
}

static bool hear_dice(struct hearing *at)
{
    const Arbiter__Stream__HouseEvent *event = at->event;
    if (!at->replay->heard->is_hosted || at->replay->heard->has_begun)
        return match_file_fault(&at->replay->file, "no dice are made here");
    switch (event->kind_case) {
    case HOUSE(DICE_COMMITTED): return hear_committed(at, event->dice_committed);
    case HOUSE(HASH_POSTED): return hear_hash(at, event->hash_posted);
    case HOUSE(BYTES_REVEALED): return hear_revealed(at, event->bytes_revealed);
    default: return hear_silent(at, event->seat_silent);
    }
}

/* The old holder's sessions close with this act. */
static void close_sessions(struct replay_asker *asker)
{
    for (uint32_t i = 0; i < REPLAY_SESSIONS; i++)
        if (asker->session[i] > asker->closed)
            asker->closed = asker->session[i];
}

static bool hear_hands(struct hearing *at, const Arbiter__Stream__SeatChanged *changed)
{
    struct replay *replay = at->replay;
    for (uint32_t i = 0; i < replay->holder_count; i++) {
        struct replay_holder *holder = &replay->holders[i];
        if (holder->seat != changed->seat || holder->generation != changed->generation ||
            holder->since != at->act->number + 1 || holder->bot != (changed->bot != 0))
            continue;
        holder->is_told = true;
        close_sessions(&replay->heard->asker[holder->seat]);
        return true;
    }
    return match_file_fault(&replay->file, "the file does not know of this change of hands");
}

static bool is_secret(const ProtobufCBinaryData *shown, const uint8_t *secret)
{
    return shown->len == 32 && memcmp(shown->data, secret, 32) == 0;
}

static bool hear_secrets(struct hearing *at, const Arbiter__Stream__SecretsShown *shown)
{
    const struct replay_end *end = &at->replay->end;
    bool                     is_dice = shown->has_dice_secret
                                           ? end->has_dice_secret && is_secret(&shown->dice_secret, end->dice_secret)
                                           : !end->has_dice_secret;
    if (at->act->number != end->acts || !is_dice ||
        !is_secret(&shown->sealing_secret, end->sealing_secret))
        return match_file_fault(&at->replay->file,
                                "the secrets shown are not those of the end, or too early");
    return true;
}

static bool hear_aborted(struct hearing *at)
{
    if (at->act->number == at->replay->end.acts && !at->replay->end.finished)
        return true;
    return match_file_fault(&at->replay->file, "the match goes on although the house ended it");
}

/* Beside its command an act holds of the house only what ends a match. */
static bool hear_event(struct hearing *at)
{
    bool is_rest = !at->is_command;
    if (is_rest && at->event->kind_case == HOUSE(SECRETS_SHOWN))
        return hear_secrets(at, at->event->secrets_shown);
    if (is_rest && at->act->actor == ACTOR_ANNUL && at->event->kind_case == HOUSE(MATCH_ABORTED))
        return hear_aborted(at);
    if (is_rest)
        return match_file_fault(&at->replay->file, "the house says what has no place here");
    switch (at->event->kind_case) {
    case HOUSE(DICE_COMMITTED):
    case HOUSE(HASH_POSTED):
    case HOUSE(BYTES_REVEALED):
    case HOUSE(SEAT_SILENT): return hear_dice(at);
    case HOUSE(SEAT_CHANGED): return hear_hands(at, at->event->seat_changed);
    case HOUSE(WAIT_RESTARTED): return true; /* Of clocks the file knows nothing. */
    case HOUSE(MATCH_ABORTED): return hear_aborted(at);
    default: return match_file_fault(&at->replay->file, "the house says what no house would");
    }
}

static bool take_event(struct hearing *at, const struct act_event *event)
{
    struct arena *arena = &at->replay->decoded;
    arena_reset(arena);
    const ProtobufCMessage *message = validate_unpack(&arbiter__stream__house_event__descriptor,
                                                      event->bytes, event->size, arena);
    at->event = (const Arbiter__Stream__HouseEvent *) (const void *) message;
    if (message == NULL)
        return match_file_fault(&at->replay->file, "the house says what cannot be read");
    return hear_event(at);
}

/* What only the house says has its command as the first event, no game beside it, and no secrets. */
static bool hear_house(struct hearing *at)
{
    const Arbiter__Match__Act *act = at->act;
    struct match_file         *file = &at->replay->file;
    struct act_reader          reader;
    struct act_event           event;
    const uint8_t             *box = NULL;
    size_t                     box_size = 0;
    if (!act_read(&reader, act->body.data, act->body.len, SPECTATOR, NULL, 0))
        return match_file_fault(file, "its body is none");
    at->is_command = act->actor == ACTOR_SAY;
    if (at->is_command &&
        (!act_next(&reader, &event) || !event.is_house || event.size != act->command.len ||
         memcmp(event.bytes, act->command.data, event.size) != 0))
        return match_file_fault(file, "the house said something else than its command");
    if (at->is_command && !take_event(at, &event))
        return false;
    at->is_command = false;
    while (act_next(&reader, &event)) {
        if (event.is_house && !take_event(at, &event))
            return false;
        if (!event.is_house && act->actor == ACTOR_SAY)
            return match_file_fault(file, "by the rules nothing happens here");
    }
    if (act->actor == ACTOR_SAY && act_find_box(act->body.data, act->body.len, 0, &box, &box_size))
        return match_file_fault(file, "the house has no secrets to tell here");
    return true;
}

/* Where a session's last request is kept; a newer session takes the oldest one's place, for of a seat's
 * sessions only the eight newest are open. NULL: it is closed. */
static uint32_t *request_of(struct replay_asker *asker, uint32_t session)
{
    uint32_t oldest = 0;
    for (uint32_t i = 0; i < REPLAY_SESSIONS; i++) {
        if (asker->session[i] == session)
            return session > asker->closed ? &asker->request[i] : NULL;
        oldest = asker->session[i] < asker->session[oldest] ? i : oldest;
    }
    if (session <= asker->closed || session < asker->session[oldest])
        return NULL;
    asker->session[oldest] = session;
    asker->request[oldest] = 0;
    return &asker->request[oldest];
}

/* Whose request it was: of nobody (0 and 0), or of a session of the seat, each request above the last. */
static bool hear_request(struct hearing *at)
{
    const Arbiter__Match__Act *act = at->act;
    struct replay             *replay = at->replay;
    uint32_t                  *last = NULL;
    if (act->session == 0 && act->request == 0)
        return true;
    if (at->asker < replay->seats && act->session > 0)
        last = request_of(&replay->heard->asker[at->asker], act->session);
    if (last == NULL || act->request <= *last)
        return match_file_fault(&replay->file,
                                "no such request can have been made: session and request of a "
                                "seat only grow, and closed sessions stay closed");
    *last = act->request;
    return true;
}

/* The dice are made of what the records say; the acts must have said the same. */
static bool check_contributions(struct replay *replay)
{
    const struct replay_heard  *heard = replay->heard;
    const struct contributions *said = &heard->said, *written = &heard->written;
    bool same = heard->told == heard->recorded && said->posted == written->posted &&
                said->revealed == written->revealed;
    for (uint32_t seat = 0; seat < SEATS_MAX && same; seat++)
        same = memcmp(said->hash[seat], written->hash[seat], COMMITMENT_BYTES) == 0 &&
               memcmp(said->bytes[seat], written->bytes[seat], CONTRIBUTION_BYTES) == 0;
    return same ||
           match_file_fault(&replay->file, "the contributions are not those that its acts tell of");
}

bool replay_hear(struct replay *replay, const Arbiter__Match__Act *act)
{
    struct replay_heard *heard = replay->heard;
    struct hearing       at = { .replay = replay, .act = act, .asker = SEATS_MAX };
    if (act->actor < replay->seats)
        at.asker = act->actor;
    if (act->epoch < heard->epoch)
        return match_file_fault(&replay->file, "its epoch is lower than the one before");
    heard->epoch = act->epoch;
    if (act->actor == ACTOR_START && heard->is_hosted &&
        (heard->is_committed ? !contributions_done(&heard->said)
                             : replay->protocol > PROTOCOL_FIRST))
        return match_file_fault(&replay->file, "the match begins before its dice are made");
    if (!hear_house(&at) || !hear_request(&at))
        return false;
    heard->has_begun = heard->has_begun || act->actor == ACTOR_START;
    return true;
}

bool replay_heard_all(struct replay *replay)
{
    for (uint32_t i = 0; i < replay->holder_count; i++)
        if (replay->holders[i].generation > 1 && !replay->holders[i].is_told)
            return match_file_fault(&replay->file, "no act tells of a change of hands");
    return check_contributions(replay);
}
