/* browser_seat.c: the seats of players: taken by the lobby's ticket when a match begins, and played. Pure. */
#include <string.h>

#include "contract/browser_fields.h"
#include "contract/lobby_fields.h"
#include "services/gateway/browser/browser_parts.h"
#include "wire/field.h"
#include "wire/field_write.h"

#define RETRY_MS 500u
#define TICKETS_MAX 4u /* One after the other that were of no use. */
#define COMMAND_BYTES_MAX 4096u

struct browser_seat *browser_seat_of(const struct browser *browser, const uint8_t *match_id,
                                     uint32_t seat)
{
    for (uint32_t i = 0; i < browser->settings.seats_max; i++) {
        struct browser_seat *held = &browser->seats[i];
        if (held->is_used && held->seat == seat &&
            memcmp(held->match_id, match_id, CLIENT_ID_SIZE) == 0)
            return held;
    }
    return NULL;
}

/* Nobody tells us of it any more, so nobody waits for a view of it either. */
static void free_seat(const struct browser_turn *turn, struct browser_seat *seat)
{
    browser_look_lost(turn, seat->match_id, seat->seat);
    browser_log_close(&turn->browser->logs, seat->log);
    seat->is_used = false;
}

static void ask_ticket(const struct browser_turn *turn, struct browser_seat *seat)
{
    const struct browser_session *session = &turn->browser->sessions[seat->session];
    uint8_t                       inside[32], ask[48 + BROWSER_SECRET_SIZE];
    uint8_t                      *end =
        field_bytes(inside, FIELD_LOBBY_ASK_TICKET_PLAYER, session->player, CLIENT_ID_SIZE);
    struct browser_pending pending = {
        .kind = WAIT_TICKET, .session = seat->session, .serial = session->serial, .seat = seat->seat
    };
    memcpy(pending.match_id, seat->match_id, CLIENT_ID_SIZE);
    end = field_bytes(ask, FIELD_LOBBY_ASK_ASK_TICKET, inside, (size_t) (end - inside));
    if (!client_core_lobby_is_old(turn->browser->client))
        end = field_bytes(end, FIELD_LOBBY_ASK_PROOF, session->secret, BROWSER_SECRET_SIZE);
    bool is_asked = browser_ask_lobby(turn, pending, ask, (size_t) (end - ask), NULL);
    seat->state = is_asked ? SEAT_ASKS_TICKET : SEAT_WANTS_TICKET;
    seat->retry_ms = turn->now_ms + RETRY_MS;
}

void browser_seat_want(const struct browser_turn *turn, struct browser_session *session,
                       const uint8_t *match_id, uint32_t seat, uint32_t game)
{
    struct browser      *browser = turn->browser;
    uint32_t             index = (uint32_t) (session - browser->sessions);
    struct browser_seat *held = browser_seat_of(browser, match_id, seat);
    if (held != NULL && held->session == index) {
        if (game != BROWSER_NO_GAME) /* It was not known yet what is played there. */
            held->game = game;
        return;
    }
    if (held != NULL) { /* It was another's, who has lost it. */
        client_core_detach(browser->client, match_id, seat, turn->out);
        free_seat(turn, held);
    }
    held = browser_place_for(turn, session);
    if (held == NULL) {
        browser_place_wait(turn, session, match_id, seat);
        return;
    }
    *held = (struct browser_seat){ .is_used = true, .session = index, .seat = seat, .game = game };
    memcpy(held->match_id, match_id, CLIENT_ID_SIZE);
    held->log = browser_log_open(&browser->logs); /* There is a log for each. */
    ask_ticket(turn, held);
}

static void read_part(struct reader in, uint32_t number, ProtobufCBinaryData *part)
{
    struct wire_field field;
    while (wire_field(&in, &field))
        if (field.number == number)
            *part = (ProtobufCBinaryData){ (size_t) (field.body.end - field.body.at),
                                           (uint8_t *) field.body.at };
}

void browser_ticket_told(const struct browser_turn *turn, const struct browser_pending *pending,
                         const struct client_event *event)
{
    struct client_core     *client = turn->browser->client;
    struct browser_session *session = browser_session_asked(turn->browser, pending);
    struct browser_seat    *seat = browser_seat_of(turn->browser, pending->match_id, pending->seat);
    Arbiter__Wire__SignedTicket ticket = ARBITER__WIRE__SIGNED_TICKET__INIT;
    ProtobufCBinaryData         signed_ticket = { 0, NULL };
    if (session == NULL || seat == NULL || seat->session != pending->session)
        return;
    seat->state = SEAT_WANTS_TICKET; /* Asked for again, unless this is one. */
    if (event->kind != CLIENT_ANSWER || event->size == 0)
        return;
    read_part(reader_of(event->bytes, event->size), FIELD_LOBBY_ANSWER_TICKET, &signed_ticket);
    if (signed_ticket.len == 0)
        return;
    const struct reader parts = reader_of(signed_ticket.data, signed_ticket.len);
    ticket.has_ticket = ticket.has_signature = true;
    read_part(parts, 1, &ticket.ticket);
    read_part(parts, 2, &ticket.signature);
    if (!client_core_attach_for(client, seat->match_id, seat->seat, &ticket.base, turn->now_ms,
                                turn->out))
        return;
    client_core_past(client, seat->match_id, seat->seat, BROWSER_PAST_MAX);
    browser_follow_seat(turn, seat);
    seat->state = SEAT_ATTACHING;
}

static void tell_gone(const struct browser_turn *turn, const struct browser_seat *seat,
                      const char *sentence)
{
    struct down down = down_begin(turn->browser->scratch);
    down_match(&down, seat->match_id, seat->seat);
    down_text(&down, FIELD_BROWSER_GONE_SENTENCE, sentence);
    browser_tell_player(turn, &turn->browser->sessions[seat->session], &down,
                        FIELD_BROWSER_DOWN_GONE, BROWSER_NO_GAME, 0, 0);
}

/* Whether what he played was done will not be known any more. */
static void play_is_lost(const struct browser_turn *turn, struct browser_seat *seat,
                         const struct client_event *event)
{
    if (seat->play != 0) {
        struct client_event unsure = *event;
        unsure.outcome = CLIENT_UNSURE;
        struct down down = down_begin(turn->browser->scratch);
        down_played(&down, &unsure);
        browser_tell_player(turn, &turn->browser->sessions[seat->session], &down,
                            FIELD_BROWSER_DOWN_PLAYED, seat->game, seat->route, seat->request);
        seat->play = 0;
    }
}

static const char *why_lost(uint32_t refusal)
{
    if (refusal == REFUSAL(TOO_MUCH))
        return "The match is too large to be shown.";
    if (refusal == REFUSAL(QUARANTINED))
        return BROWSER_HELD;
    return "This seat is not yours any more, or the match is not here.";
}

static void on_lost(const struct browser_turn *turn, struct browser_seat *seat,
                    const struct client_event *event)
{
    play_is_lost(turn, seat, event);
    browser_look_lost(turn, seat->match_id, seat->seat);
    if (event->closed == 0 && event->refusal == REFUSAL(NOT_YOURS) && ++seat->tries < TICKETS_MAX) {
        seat->state = SEAT_WANTS_TICKET; /* The ticket may have been too old. */
        seat->retry_ms = turn->now_ms + RETRY_MS;
        return;
    }
    tell_gone(turn, seat, why_lost(event->refusal));
    free_seat(turn, seat);
}

/* The match is told in two ways. He is told so, and nothing more is shown as if it were one. */
static void on_fault(const struct browser_turn *turn, struct browser_seat *seat,
                     const struct client_event *event)
{
    if (!browser_is_set_back(event))
        return;
    play_is_lost(turn, seat, event);
    tell_gone(turn, seat, BROWSER_SET_BACK);
    client_core_detach(turn->browser->client, seat->match_id, seat->seat, turn->out);
    free_seat(turn, seat);
}

/* Into the player's stream, unless it was in the view with which that began; and for tabs that want it again. */
static void on_act(const struct browser_turn *turn, struct browser_seat *seat,
                   const struct client_event *event)
{
    struct down down = down_begin(turn->browser->scratch);
    down_happened(&down, event);
    if (event->number > seat->begins)
        browser_tell_player(turn, &turn->browser->sessions[seat->session], &down,
                            FIELD_BROWSER_DOWN_HAPPENED, seat->game, 0, 0);
    if (event->number <= seat->logged || seat->log == BROWSER_NO_LOG)
        return; /* It was attached anew, and told again. */
    browser_put(turn, seat->log, &down, FIELD_BROWSER_DOWN_HAPPENED, 0, 0,
                (struct browser_facts){ .act = event->number, .game = seat->game });
    seat->logged = event->number;
}

bool browser_seat_past(const struct browser_turn *turn, struct browser_tab *tab,
                       const struct browser_seat *seat, uint32_t past)
{
    const struct browser_logs *logs = &turn->browser->logs;
    uint64_t                   to = seat->logged > seat->begins ? seat->logged : seat->begins;
    uint64_t                   most = past < BROWSER_PAST_MAX ? past : BROWSER_PAST_MAX;
    if (to == 0)
        return true;
    for (uint32_t i = 0; i < BROWSER_PASTS; i++) {
        struct browser_past *mine = &tab->past[i];
        if (mine->is_used && mine->cursor.log != seat->log)
            continue;
        *mine = (struct browser_past){ .is_used = true,
                                       .from = to > most ? to - most + 1 : 1,
                                       .to = to };
        mine->cursor =
            browser_cursor_behind(logs, seat->log, logs->logs[seat->log].first_number - 1);
        return true;
    }
    return false;
}

static void tell_over(const struct browser_turn *turn, const struct browser_seat *seat,
                      const struct client_event *event)
{
    struct down down = down_begin(turn->browser->scratch);
    down_match(&down, seat->match_id, seat->seat);
    down_number(&down, FIELD_BROWSER_OVER_SEALS, (event->proof & CLIENT_PROOF_SEALS) != 0);
    down_number(&down, FIELD_BROWSER_OVER_DICE, (event->proof & CLIENT_PROOF_DICE) != 0);
    down_number(&down, FIELD_BROWSER_OVER_OWN_BYTES, (event->proof & CLIENT_PROOF_OWN_BYTES) != 0);
    browser_tell_player(turn, &turn->browser->sessions[seat->session], &down,
                        FIELD_BROWSER_DOWN_OVER, BROWSER_NO_GAME, 0, 0);
}

void browser_seat_told(const struct browser_turn *turn, struct browser_seat *seat,
                       const struct client_event *event)
{
    struct browser_session *session = &turn->browser->sessions[seat->session];
    struct down             down = down_begin(turn->browser->scratch);
    switch (event->kind) {
    case CLIENT_ATTACHED:
        seat->state = SEAT_IN;
        seat->tries = 0;
        seat->begins = event->number;
        browser_dice_begin(turn, seat, event);
        down_shown(&down, event);
        browser_tell_player(turn, session, &down, FIELD_BROWSER_DOWN_SHOWN, seat->game, 0, 0);
        break;
    case CLIENT_ACT: on_act(turn, seat, event); break;
    case CLIENT_DICE_WANTED: browser_dice_wanted(turn, seat); break;
    case CLIENT_REPLY:
        if (seat->play == 0 || event->request != seat->play)
            return;
        seat->play = 0;
        down_played(&down, event);
        browser_tell_player(turn, session, &down, FIELD_BROWSER_DOWN_PLAYED, seat->game,
                            seat->route, seat->request);
        break;
    case CLIENT_VIEW:
    case CLIENT_LEGAL:
        if (event->request == 0)
            browser_followed(turn, seat, event);
        else
            browser_looked(turn, event, seat->game);
        break;
    case CLIENT_REFUSED: browser_looked(turn, event, seat->game); break;
    case CLIENT_OVER:
        tell_over(turn, seat, event);
        client_core_detach(turn->browser->client, seat->match_id, seat->seat, turn->out);
        free_seat(turn, seat);
        break;
    case CLIENT_LOST: on_lost(turn, seat, event); break;
    case CLIENT_FAULT: on_fault(turn, seat, event); break;
    default: break;
    }
}

/* The seat, if the tab's player holds it. */
static struct browser_seat *seat_of(const struct browser_turn *turn, const struct browser_tab *tab,
                                    const ProtobufCBinaryData *match_id, uint32_t number)
{
    struct browser_seat *seat = NULL;
    if (tab->state == TAB_IN && match_id->len == CLIENT_ID_SIZE)
        seat = browser_seat_of(turn->browser, match_id->data, number);
    return seat != NULL && seat->session == tab->session ? seat : NULL;
}

/* Whether a seat of this tab's player waits for a place. */
static bool is_seatless(const struct browser *browser, const struct browser_tab *tab)
{
    return tab->state == TAB_IN && browser->sessions[tab->session].is_seatless;
}

/* The player holds no such seat here, or none yet. */
static void refuse_seatless(const struct browser_turn *turn, struct browser_tab *tab,
                            uint32_t request)
{
    if (is_seatless(turn->browser, tab))
        browser_refuse(turn, tab, request, REFUSAL(AGAIN), "Your seat waits for a place here.",
                       1000);
    else if (browser_is_rejoining(turn->browser, tab))
        browser_refuse(turn, tab, request, REFUSAL(AGAIN), BROWSER_NOT_KNOWN_YET, 500);
    else
        browser_refuse(turn, tab, request, REFUSAL(NOT_YOURS), "You do not sit there.", 0);
}

struct browser_seat *browser_seat_held(const struct browser_turn *turn, struct browser_tab *tab,
                                       uint32_t request, const ProtobufCBinaryData *match_id,
                                       uint32_t number)
{
    struct browser_seat *seat = seat_of(turn, tab, match_id, number);
    if (seat == NULL)
        refuse_seatless(turn, tab, request);
    return seat;
}

void browser_play(const struct browser_turn *turn, struct browser_tab *tab, uint32_t request,
                  const Arbiter__Browser__Play *play)
{
    struct browser_seat *seat = browser_seat_held(turn, tab, request, &play->match_id, play->seat);
    if (seat == NULL)
        return;
    if (!play->has_command) {
        browser_refuse(turn, tab, request, REFUSAL(MALFORMED), "A play has a command.", 0);
        return;
    }
    if (play->command.len > COMMAND_BYTES_MAX) {
        browser_refuse(turn, tab, request, REFUSAL(TOO_MUCH), "A command has at most 4 KiB.", 0);
        return;
    }
    if (play->has_id && play->id.len != TRACE_ID_SIZE) {
        browser_refuse(turn, tab, request, REFUSAL(MALFORMED), "A command's id has 16 bytes.", 0);
        return;
    }
    struct client_came came = { .came_ms = turn->came_ms != 0 ? turn->came_ms : turn->now_ms,
                                .has_id = play->has_id };
    if (play->has_id)
        memcpy(came.id, play->id.data, sizeof came.id);
    uint32_t number = 0;
    if (seat->state == SEAT_IN && seat->play == 0)
        number = client_core_play_for(turn->browser->client, seat->match_id, seat->seat,
                                      play->command.data, play->command.len, &came, turn->now_ms,
                                      turn->out);
    if (number == 0) {
        browser_refuse(turn, tab, request, REFUSAL(AGAIN),
                       "This seat is just being played, or not taken yet: say it again.", 100);
        return;
    }
    seat->play = number;
    seat->route = tab->route;
    seat->request = request;
}

static void refuse_look(const struct browser_turn *turn, struct browser_tab *tab, uint32_t request,
                        const Arbiter__Browser__Look *look)
{
    if (look->match_id.len == CLIENT_ID_SIZE && is_seatless(turn->browser, tab))
        browser_place_none(turn, tab, request, look->match_id.data, look->seat);
    else
        refuse_seatless(turn, tab, request);
}

void browser_look(const struct browser_turn *turn, struct browser_tab *tab, uint32_t request,
                  const Arbiter__Browser__Look *look)
{
    struct browser_seat    *seat = NULL;
    struct browser_pending *pending = browser_pending_new(turn->browser);
    struct client_core     *client = turn->browser->client;
    if (look->has_seat) {
        seat = seat_of(turn, tab, &look->match_id, look->seat);
        if (seat == NULL) {
            refuse_look(turn, tab, request, look);
            return;
        }
    } else if (look->match_id.len != CLIENT_ID_SIZE ||
               !browser_is_watching(turn->browser, tab, look->match_id.data)) {
        browser_refuse(turn, tab, request, REFUSAL(NOT_YOURS), "Watch it first.", 0);
        return;
    }
    if (seat != NULL && look->past > 0 && !browser_seat_past(turn, tab, seat, look->past)) {
        browser_refuse(turn, tab, request, REFUSAL(AGAIN), "So much is not told at once.", 200);
        return;
    }
    uint32_t number = seat != NULL ? seat->seat : NO_SEAT, view = 0;
    if (pending != NULL)
        view = client_core_look(client, look->match_id.data, number, turn->now_ms, turn->out);
    if (view == 0) {
        browser_refuse(turn, tab, request, REFUSAL(AGAIN), "It cannot be shown yet.", 200);
        return;
    }
    browser_wait_for(pending, WAIT_LOOK, view, tab->route, request, look->match_id.data, number);
    pending = browser_pending_new(turn->browser);
    if (seat == NULL || !look->legal || pending == NULL)
        return;
    if (look->best && browser_hint_begin(turn, seat, look->luck)) {
        browser_wait_for(pending, WAIT_HINT, 0, tab->route, request, seat->match_id, seat->seat);
        return;
    }
    uint32_t list = client_core_legal(client, seat->match_id, seat->seat, look->luck, look->best,
                                      turn->now_ms, turn->out);
    if (list != 0)
        browser_wait_for(pending, WAIT_LEGAL, list, tab->route, request, seat->match_id,
                         seat->seat);
}

void browser_seats_tick(const struct browser_turn *turn)
{
    for (uint32_t i = 0; i < turn->browser->settings.seats_max; i++) {
        struct browser_seat *seat = &turn->browser->seats[i];
        if (seat->is_used && seat->state == SEAT_WANTS_TICKET && turn->now_ms >= seat->retry_ms)
            ask_ticket(turn, seat);
    }
    browser_places_tick(turn);
}

void browser_seats_free(const struct browser_turn *turn, const struct browser_session *session)
{
    uint32_t index = (uint32_t) (session - turn->browser->sessions);
    for (uint32_t i = 0; i < turn->browser->settings.seats_max; i++) {
        struct browser_seat *seat = &turn->browser->seats[i];
        if (!seat->is_used || seat->session != index)
            continue;
        client_core_detach(turn->browser->client, seat->match_id, seat->seat, turn->out);
        free_seat(turn, seat);
    }
}
