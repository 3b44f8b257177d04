/* engine_clock.c: whose time runs since when, told to the watchdogs, and what happens when it is up. Pure.
 *
 * A wait is the seats whose time began first; its number is the act that opened it. A seat's time begins
 * when it becomes awaited or its question changes (game.h), not with every act. */
#include <string.h>

#include "contract/directory.pb-c.h"
#include "contract/watchdog.pb-c.h"
#include "services/engine/engine_parts.h"

#define WAITS_IN_MESSAGE 500u

/* How long a seat may take: the set-up's word, else the table's; 0: for ever. */
static uint64_t full_ms(const struct engine *engine, const struct hosted *hosted)
{
    const struct match_terms *terms = &hosted->setup->terms;
    if (hosted->phase == PHASE_DICE)
        return engine->settings.dice_ms;
    if (terms->game->expire == NULL || terms->bounds.answer_ms == NO_TIME_LIMIT)
        return 0;
    return terms->bounds.answer_ms != 0 ? terms->bounds.answer_ms : hosted->turn_ms;
}

static seat_mask awaited_seats(const struct hosted *hosted)
{
    switch (hosted->phase) {
    case PHASE_DICE: return hosted->contributions != NULL ? hosted->contributions->awaited : 0;
    case PHASE_PLAYED: return match_to_act(hosted->match);
    default: return 0;
    }
}

static uint64_t question_of(const struct hosted *hosted, uint32_t seat)
{
    const struct match_terms *terms = &hosted->setup->terms;
    if (hosted->phase == PHASE_DICE)
        return hosted->contributions->revealing;
    if (terms->game->question == NULL)
        return hosted->match->number;
    return terms->game->question(terms->setup, hosted->match->state, seat);
}

uint64_t engine_clock_left(const struct engine *engine, const struct hosted *hosted)
{
    uint64_t gone = engine->now_ms > hosted->wait_ms ? engine->now_ms - hosted->wait_ms : 0;
    return gone < hosted->wait_full_ms ? hosted->wait_full_ms - gone : 0;
}

uint64_t engine_clock_think_ms(const struct engine *engine, const struct hosted *hosted,
                               uint32_t index)
{
    const struct seat *seat = &hosted->seats[index];
    return seat->asked && engine->now_ms > seat->asked_ms ? engine->now_ms - seat->asked_ms : 0;
}

static Arbiter__Watchdog__Wait *wait_of(const struct engine *engine, const struct hosted *hosted,
                                        struct outbox *out)
{
    Arbiter__Watchdog__Wait *wait = outbox_message(out, &arbiter__watchdog__wait__descriptor);
    wait->has_match_id = wait->has_wait = wait->has_epoch = true;
    wait->match_id =
        (ProtobufCBinaryData){ MATCH_ID_SIZE, outbox_copy(out, hosted->id, MATCH_ID_SIZE) };
    wait->wait = hosted->wait;
    wait->epoch = engine->slots[hosted->slot].epoch;
    wait->has_left_ms = hosted->wait_seats != 0;
    wait->left_ms = wait->has_left_ms ? engine_clock_left(engine, hosted) : 0;
    wait->seats = outbox_take(out, SEATS_MAX * sizeof *wait->seats);
    for (uint32_t seat = 0; seat < hosted->seats_held; seat++)
        if ((hosted->wait_seats >> seat & 1) != 0)
            wait->seats[wait->n_seats++] = seat;
    return wait;
}

static void send_waits(const struct listener *to, const Arbiter__Watchdog__Waits *waits,
                       struct outbox *out)
{
    struct header header;
    header_init(&header, KIND(WAITS), NULL);
    outbox_send(out, to->door, to->route, &header, waits);
}

void engine_repeat_wait(struct engine *engine, const struct hosted *hosted, struct outbox *out)
{
    Arbiter__Watchdog__Waits *waits = outbox_message(out, &arbiter__watchdog__waits__descriptor);
    waits->waits = outbox_take(out, sizeof *waits->waits);
    waits->waits[0] = wait_of(engine, hosted, out);
    waits->n_waits = 1;
    for (uint32_t i = 0; i < WATCHDOGS_MAX; i++)
        if (engine->watchdogs[i].door != 0)
            send_waits(&engine->watchdogs[i], waits, out);
}

/* Marks who is asked since when; whether anybody of the wait is asked something new. */
static bool ask_seats(const struct engine *engine, struct hosted *hosted, seat_mask awaited)
{
    bool is_new = false;
    for (uint32_t i = 0; i < hosted->seats_held; i++) {
        struct seat *seat = &hosted->seats[i];
        bool         is_awaited = (awaited >> i & 1) != 0;
        uint64_t     question = is_awaited ? question_of(hosted, i) : 0;
        if (is_awaited && (!seat->asked || seat->question != question)) {
            seat->asked_ms = engine->now_ms;
            seat->question = question;
            is_new = is_new || (hosted->wait_seats >> i & 1) != 0;
        }
        seat->asked = is_awaited;
    }
    return is_new;
}

/* Those whose time began first. */
static seat_mask first_asked(const struct hosted *hosted, uint64_t *since_ms)
{
    seat_mask first = 0;
    for (uint32_t i = 0; i < hosted->seats_held; i++) {
        const struct seat *seat = &hosted->seats[i];
        if (!seat->asked || (first != 0 && seat->asked_ms > *since_ms))
            continue;
        first = first != 0 && seat->asked_ms == *since_ms ? first | 1u << i : 1u << i;
        *since_ms = seat->asked_ms;
    }
    return first;
}

void engine_clock_follow(struct engine *engine, struct hosted *hosted, struct outbox *out)
{
    uint64_t  since_ms = 0;
    uint64_t  full = full_ms(engine, hosted);
    bool      is_new = ask_seats(engine, hosted, awaited_seats(hosted));
    seat_mask seats = full == 0 ? 0 : first_asked(hosted, &since_ms);
    if (seats == hosted->wait_seats && !is_new)
        return;
    bool was_open = hosted->wait_seats != 0;
    hosted->wait_seats = seats;
    hosted->wait_ms = since_ms;
    hosted->wait_full_ms = full;
    if (seats != 0)
        hosted->wait = hosted->match->number;
    if (seats != 0 || was_open)
        engine_repeat_wait(engine, hosted, out);
}

/* After an outage every awaited player gets the full time again, and is told so. */
void engine_clock_recovered(struct engine *engine, struct hosted *hosted)
{
    ask_seats(engine, hosted, awaited_seats(hosted));
    hosted->restarts = full_ms(engine, hosted) != 0 && awaited_seats(hosted) != 0;
    if (!hosted->restarts)
        return;
    engine_undo_keep(&engine->undo, &engine->restarts, sizeof engine->restarts);
    engine->restarts++;
}

static void restart(struct engine *engine, struct hosted *hosted, struct outbox *out)
{
    struct house_said said;
    engine_touch(engine, hosted);
    for (uint32_t i = 0; i < hosted->seats_held; i++)
        hosted->seats[i].asked = false; /* So that everybody is asked anew. */
    engine_undo_keep(&engine->undo, &engine->restarts, sizeof engine->restarts);
    hosted->restarts = false;
    engine->restarts--;
    if (awaited_seats(hosted) == 0)
        return; /* It has ended meanwhile: behind the last act there is none. */
    house_wait_restarted(&said, hosted->match->number + 1, full_ms(engine, hosted));
    engine_act_say(engine, hosted, &said, NULL, out);
}

/* A few in each step, so that who moves at once after a recovery is not kept waiting. */
bool engine_clocks_restart(struct engine *engine, struct outbox *out)
{
    uint32_t most = engine->careful > 0 ? 1 : engine->settings.restarts_max;
    uint32_t done = 0, waiting = 0;
    for (uint32_t looked = 0; looked < engine->list_count && done < most; looked++) {
        if (engine->restart_at >= engine->list_count)
            engine->restart_at = 0;
        struct hosted *hosted = engine->list[engine->restart_at++];
        if (!hosted->restarts || engine->slots[hosted->slot].state != SLOT_OURS ||
            hosted->quarantined != NULL)
            continue;
        if (!engine_marks_are_heard(engine, hosted->slot)) {
            waiting++;
            continue;
        }
        restart(engine, hosted, out);
        done++;
    }
    if (done + waiting == 0)
        engine->restarts = 0; /* What was to begin anew has gone with its slot. */
    return done > 0;
}

/* What the watchdog says is judged by the number of the wait alone: an old one changes nothing. */
void engine_on_expire(struct engine *engine, const struct event *event, struct outbox *out)
{
    const Arbiter__Watchdog__Expire *expire = BODY(Arbiter__Watchdog__Expire, event);
    struct match_act                 act;
    seat_mask                        late = 0;
    if (!engine_is_from(engine, event, ROLE(WATCHDOG)) || expire->match_id.len != MATCH_ID_SIZE ||
        engine->full || engine->checking)
        return;
    struct hosted *hosted = engine_table_find(engine, expire->match_id.data);
    if (hosted == NULL || hosted->quarantined != NULL || hosted->restarts ||
        engine->slots[hosted->slot].state != SLOT_OURS || hosted->wait_seats == 0 ||
        hosted->wait != expire->wait)
        return;
    for (size_t i = 0; i < expire->n_seats; i++)
        late |= expire->seats[i] < SEATS_MAX ? 1u << expire->seats[i] : 0;
    late = expire->n_seats == 0 ? hosted->wait_seats : late & hosted->wait_seats;
    if (late == 0)
        return;
    if (hosted->phase == PHASE_DICE) {
        engine_dice_expire(engine, hosted, late, out);
        return;
    }
    engine_act_begin(engine, hosted);
    if (match_expire(hosted->match, late, &engine->room, &act))
        engine_act_done(engine, hosted, &act, NULL, out);
}

/* What it calls itself; too long a name is cut. */
static void name_of(const struct event *event, char name[PEER_NAME_MAX])
{
    const char *said = (BODY(Arbiter__Directory__Hello, event))->name;
    size_t      size = said != NULL ? text_length(said) : 0;
    memset(name, 0, PEER_NAME_MAX);
    if (size > 0)
        memcpy(name, said, size < PEER_NAME_MAX ? size : PEER_NAME_MAX - 1);
}

static bool is_listener(const struct listener *listener, const struct event *event)
{
    char name[PEER_NAME_MAX];
    name_of(event, name);
    return memcmp(listener->key, event->caller.key, CALLER_KEY_SIZE) == 0 &&
           memcmp(listener->name, name, sizeof name) == 0;
}

void engine_watchdog_hello(struct engine *engine, const struct event *event)
{
    struct listener *place = NULL;
    for (uint32_t i = WATCHDOGS_MAX; i-- > 0;)
        if (engine->watchdogs[i].door == 0)
            place = &engine->watchdogs[i];
    for (uint32_t i = 0; i < WATCHDOGS_MAX; i++)
        if (engine->watchdogs[i].door != 0 && is_listener(&engine->watchdogs[i], event))
            place = &engine->watchdogs[i];
    if (place == NULL)
        place = &engine->watchdogs[engine->now_ms % WATCHDOGS_MAX];
    /* A watchdog that did not change has heard everything; a hello is also a sign of life. */
    if (place->door != event->caller.door || place->route != event->caller.route ||
        !is_listener(place, event))
        place->cursor = 0;
    memcpy(place->key, event->caller.key, CALLER_KEY_SIZE);
    name_of(event, place->name);
    place->door = event->caller.door;
    place->route = event->caller.route;
}

static void tell_one(struct engine *engine, struct listener *to, struct outbox *out)
{
    Arbiter__Watchdog__Waits *waits = outbox_message(out, &arbiter__watchdog__waits__descriptor);
    waits->waits = outbox_take(out, WAITS_IN_MESSAGE * sizeof *waits->waits);
    while (to->cursor < engine->list_count && waits->n_waits < WAITS_IN_MESSAGE) {
        const struct hosted *hosted = engine->list[to->cursor++];
        if (hosted->wait_seats != 0 && !hosted->restarts && hosted->quarantined == NULL)
            waits->waits[waits->n_waits++] = wait_of(engine, hosted, out);
    }
    if (waits->n_waits > 0)
        send_waits(to, waits, out);
}

/* Who said hello is told all that is open, and everybody from time to time: a message in each step. */
bool engine_tell_waits(struct engine *engine, struct outbox *out)
{
    if (engine->now_ms >= engine->waits_ms) {
        engine->waits_ms = engine->now_ms + engine->settings.waits_ms;
        for (uint32_t i = 0; i < WATCHDOGS_MAX; i++)
            engine->watchdogs[i].cursor = 0;
    }
    for (uint32_t i = 0; i < WATCHDOGS_MAX; i++) {
        struct listener *to = &engine->watchdogs[i];
        if (to->door == 0 || to->cursor >= engine->list_count)
            continue;
        tell_one(engine, to, out);
        return true;
    }
    return false;
}
