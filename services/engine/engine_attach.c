/* engine_attach.c: who comes in, by a key, a gateway's ticket or as a spectator, and what they are
 * shown. Pure. */
#include <string.h>

#include "contract/directory.pb-c.h"
#include "services/engine/engine_parts.h"

static char *text_of(const char *text, size_t size, struct outbox *out)
{
    char *copy = outbox_take(out, size + 1);
    memcpy(copy, text, size);
    return copy;
}

static ProtobufCBinaryData bytes_of(const void *bytes, size_t size, struct outbox *out)
{
    return (ProtobufCBinaryData){ size, outbox_copy(out, bytes, size) };
}

static void put_seats(const struct hosted *hosted, Arbiter__Engine__MatchFacts *facts,
                      struct outbox *out)
{
    facts->seat = outbox_take(out, hosted->seats_held * sizeof *facts->seat);
    for (uint32_t i = 0; i < hosted->seats_held; i++) {
        const struct seat          *seat = &hosted->seats[i];
        Arbiter__Engine__SeatFacts *fact =
            outbox_message(out, &arbiter__engine__seat_facts__descriptor);
        fact->has_seat = fact->has_bot = true;
        fact->seat = i;
        fact->bot = seat->bot;
        if (seat->name_size > 0)
            fact->name = text_of(seat->name, seat->name_size, out);
        facts->seat[facts->n_seat++] = fact;
    }
}

static Arbiter__Engine__MatchFacts *facts_of(const struct hosted *hosted, struct outbox *out)
{
    const struct setup          *setup = hosted->setup;
    Arbiter__Engine__MatchFacts *facts =
        outbox_message(out, &arbiter__engine__match_facts__descriptor);
    facts->game = (char *) setup->game->game->name;
    facts->has_rules_version = facts->has_seats = true;
    facts->rules_version = setup->game->game->version;
    facts->setup = text_of(setup->text.setup, setup->text.setup_size, out);
    if (setup->text.options != NULL)
        facts->options = text_of(setup->text.options, setup->text.options_size, out);
    facts->seats = setup->terms.seats;
    facts->dice = (char *) hosted->dice;
    facts->has_seed = !is_hosted_dice(hosted);
    facts->seed = hosted->seed;
    facts->has_commitment = is_hosted_dice(hosted);
    if (facts->has_commitment)
        facts->commitment = bytes_of(hosted->commitment, sizeof hosted->commitment, out);
    facts->has_turn_ms = hosted->turn_ms > 0;
    facts->turn_ms = hosted->turn_ms;
    facts->has_table = hosted->has_table;
    if (hosted->has_table)
        facts->table = bytes_of(hosted->table, sizeof hosted->table, out);
    put_seats(hosted, facts, out);
    engine_put_contributors(hosted, facts, out);
    return facts;
}

static Arbiter__Engine__DiceRound *round_of(const struct hosted *hosted, struct outbox *out)
{
    Arbiter__Engine__DiceRound *round =
        outbox_message(out, &arbiter__engine__dice_round__descriptor);
    round->has_step = true;
    round->step = hosted->contributions->revealing != 0
                      ? ARBITER__ENGINE__DICE_ROUND__STEP__STEP_REVEALS
                      : ARBITER__ENGINE__DICE_ROUND__STEP__STEP_HASHES;
    round->awaited = outbox_take(out, SEATS_MAX * sizeof *round->awaited);
    for (uint32_t seat = 0; seat < hosted->seats_held; seat++)
        if ((hosted->contributions->awaited >> seat & 1) != 0)
            round->awaited[round->n_awaited++] = seat;
    return round;
}

static void put_clock(const struct engine *engine, const struct hosted *hosted, seat_mask seats,
                      Arbiter__Engine__Attached *attached)
{
    attached->has_wait = hosted->wait_seats != 0;
    attached->wait = hosted->wait;
    attached->has_left_ms = (hosted->wait_seats & seats) != 0;
    attached->left_ms = attached->has_left_ms ? engine_clock_left(engine, hosted) : 0;
}

/* How the match stands. False: the view does not fit a message. */
static bool put_standing(const struct engine *engine, const struct hosted *hosted, uint32_t viewer,
                         bool with_view, Arbiter__Engine__Attached *attached, struct outbox *out)
{
    bool fits = true;
    attached->has_number = attached->has_over = true;
    attached->number = hosted->match->number;
    attached->over = hosted->phase == PHASE_OVER;
    bool has_begun = hosted->phase != PHASE_DICE && hosted->contributions == NULL;
    if (hosted->phase == PHASE_DICE)
        attached->dice = round_of(hosted, out);
    else if (has_begun && with_view) {
        attached->has_view = true;
        fits = engine_put_view(engine, hosted, viewer, &attached->view, out);
    }
    return fits;
}

/* What the seat is asked. */
static void put_question(const struct engine *engine, const struct hosted *hosted, uint32_t index,
                         Arbiter__Engine__Attached *attached, struct outbox *out)
{
    const uint8_t *asks = NULL;
    size_t         size = engine_write_asks(engine, hosted, index, &asks);
    seat_mask      to_act = hosted->phase == PHASE_PLAYED ? match_to_act(hosted->match) : 0;
    attached->has_to_act = true;
    attached->to_act = (to_act >> index & 1) != 0;
    if (attached->to_act)
        engine_put_asks(asks, size, &attached->n_asks, &attached->asks, out);
}

Arbiter__Engine__Attached *engine_standing(const struct engine *engine, const struct hosted *hosted,
                                           uint32_t seat, struct outbox *out)
{
    Arbiter__Engine__Attached *shown = outbox_message(out, &arbiter__engine__attached__descriptor);
    if (!put_standing(engine, hosted, seat, true, shown, out))
        return NULL;
    put_question(engine, hosted, seat, shown, out);
    put_clock(engine, hosted, 1u << seat, shown);
    return shown;
}

static void put_seat(const struct engine *engine, const struct hosted *hosted, uint32_t index,
                     const struct session *session, Arbiter__Engine__Attached *attached,
                     struct outbox *out)
{
    attached->has_session = attached->has_request = attached->has_generation = true;
    attached->session = session->number;
    attached->request = session->request;
    attached->has_key = true;
    attached->key = bytes_of(match_keys(hosted->match, index)->seal, CRYPTO_KEY_SIZE, out);
    attached->generation = hosted->match->generation[index];
    put_question(engine, hosted, index, attached, out);
}

/* What the match looks like to this viewer; NULL: the refusal says that it fits no message, without
 * a time to come back, for it would not fit then either. */
static Arbiter__Engine__Attached *show(const struct engine *engine, const struct hosted *hosted,
                                       uint32_t viewer, const struct event *event,
                                       struct outbox *out)
{
    const Arbiter__Engine__Attach *ask = BODY(Arbiter__Engine__Attach, event);
    Arbiter__Engine__Attached     *attached =
        outbox_message(out, &arbiter__engine__attached__descriptor);
    attached->has_chain = true;
    attached->chain = bytes_of(hosted->match->chain, MATCH_HASH_SIZE, out);
    attached->match = facts_of(hosted, out);
    if (put_standing(engine, hosted, viewer, !ask->has_view || ask->view, attached, out))
        return attached;
    engine_refuse(engine, event, REFUSAL(TOO_MUCH), 0,
                  "The match is too large to be shown: its view does not fit a message.", out);
    return NULL;
}

static void let_in(const struct engine *engine, const struct hosted *hosted,
                   const struct session *session, const struct event *event,
                   Arbiter__Engine__Attached *attached, struct outbox *out)
{
    uint32_t     viewer = session != NULL ? event->header.seat : SPECTATOR;
    struct event about = *event;
    if (session != NULL) {
        put_seat(engine, hosted, viewer, session, attached, out);
        about.header.session = session->number;
        about.header.request = session->request;
    }
    put_clock(engine, hosted, session != NULL ? 1u << viewer : UINT32_MAX, attached);
    engine_answer(engine, &about, KIND(ATTACHED), hosted->match->number, attached, out);
}

/* Whether the caller holds the seat, by its key or by a gateway's ticket for the player. */
static bool holds_seat(const struct engine *engine, const struct seat *seat,
                       const struct event *event, uint8_t player[PLAYER_SIZE], struct outbox *out)
{
    const Arbiter__Engine__Attach *ask = BODY(Arbiter__Engine__Attach, event);
    memcpy(player, seat->player, PLAYER_SIZE);
    if (seat->has_key && memcmp(seat->key, event->caller.key, sizeof seat->key) == 0)
        return true;
    return ask->ticket != NULL && engine_ticket_holds(engine, event, ask->ticket, player, out) &&
           memcmp(seat->player, player, PLAYER_SIZE) == 0;
}

static void attach_spectator(const struct engine *engine, struct hosted *hosted,
                             const struct event *event, struct outbox *out)
{
    const Arbiter__Engine__Attach *ask = BODY(Arbiter__Engine__Attach, event);
    bool knows = hosted->code_size > 0 && ask->code.len == hosted->code_size &&
                 memcmp(ask->code.data, hosted->code, hosted->code_size) == 0;
    if (!(hosted->spectators ? hosted->code_size == 0 || knows : knows)) {
        engine_refuse(engine, event, REFUSAL(NOT_YOURS), 0,
                      "The table is private: its code is needed to watch.", out);
        return;
    }
    Arbiter__Engine__Attached *attached = show(engine, hosted, SPECTATOR, event, out);
    if (attached != NULL)
        let_in(engine, hosted, NULL, event, attached, out);
}

/* What the caller was told of the match before. The house's own programs are believed. A player might say so only
 * because he is about to lose; his word is for the log. True: the match is held, and he was told so. */
static bool hear_mark(struct engine *engine, struct hosted *hosted, const struct event *event,
                      struct outbox *out)
{
    const Arbiter__Engine__Attach *ask = BODY(Arbiter__Engine__Attach, event);
    const uint8_t *chain = ask->last_chain.len == MATCH_HASH_SIZE ? ask->last_chain.data : NULL;
    uint32_t       role = event->caller.role;
    if (!ask->has_last)
        return false;
    if (role == ROLE(GATEWAY) || role == ROLE(BOT))
        engine_mark_heard(engine, hosted->id, ask->last, chain,
                          role == ROLE(BOT) ? "a bot" : "a gateway", out);
    else
        engine_mark_doubted(engine, hosted, ask->last, chain, out);
    if (hosted->held_to > 0)
        (void) engine_match_here(engine, event, out); /* It refuses. */
    return hosted->held_to > 0;
}

static void attach_seat(struct engine *engine, struct hosted *hosted, const struct event *event,
                        struct outbox *out)
{
    const Arbiter__Engine__Attach *ask = BODY(Arbiter__Engine__Attach, event);
    uint32_t                       index = event->header.seat;
    uint8_t                        player[PLAYER_SIZE];
    struct session                *session = NULL;
    if (index >= hosted->seats_held ||
        !holds_seat(engine, &hosted->seats[index], event, player, out)) {
        engine_refuse(engine, event, REFUSAL(NOT_YOURS), 0, "This seat is another's.", out);
        return;
    }
    if (hear_mark(engine, hosted, event, out))
        return;
    /* First of all, so that who cannot be shown it takes no session from anybody. */
    Arbiter__Engine__Attached *attached = show(engine, hosted, index, event, out);
    if (attached == NULL)
        return;
    if (ask->has_session)
        session = engine_session_find(hosted, index, ask->session);
    else
        session = engine_session_unused(hosted, index, event, player);
    if (session != NULL && memcmp(session->key, event->caller.key, sizeof session->key) == 0) {
        engine_undo_keep(&engine->undo, session, sizeof *session);
        session->door = event->caller.door;
        session->route = event->caller.route;
        session->version = event->header.version;
    } else if (!engine_may_write(engine, event, out)) {
        return;
    } else {
        session = engine_session_open(engine, hosted, index, event, player, out);
    }
    if (session != NULL) {
        let_in(engine, hosted, session, event, attached, out);
        engine_follow(engine, hosted, session, event, out);
        return;
    }
    engine_refuse(engine, event, REFUSAL(FULL), 1000, "There is no room for a session.", out);
    engine_say_full(engine, out);
}

void engine_on_attach(struct engine *engine, const struct event *event, struct outbox *out)
{
    struct hosted *hosted = engine_match_asked(engine, event, out);
    if (hosted == NULL)
        return;
    if (event->header.version < hosted->protocol)
        engine_refuse(engine, event, REFUSAL(VERSION), 0,
                      "The acts of this match are of version 2 of the protocol; it takes a program "
                      "that speaks it.",
                      out);
    else if (event->header.seat == NO_SEAT)
        attach_spectator(engine, hosted, event, out);
    else
        attach_seat(engine, hosted, event, out);
}
