/* lobby_events.c: what happens at a table, numbered, told to its members, and told again. Pure.
 *
 * Of an event only its figures are kept. The message is made of them whenever it is said, so a
 * forgotten name is in no event any more. Each member sees every number once. An event that is not
 * for a member appears as Nothing. */
#include <assert.h>
#include <string.h>

#include "services/lobby/lobby_parts.h"

/* So many events go into one answer. */
#define EVENTS_AT_ONCE 32u

struct table_event *lobby_add_event(struct lobby *lobby, uint32_t place, uint32_t kind)
{
    struct table       *table = touch_table(lobby, place);
    uint32_t            kept = lobby->settings.events_kept;
    uint64_t            number = ++table->last_event;
    uint32_t            at = place * kept + (uint32_t) (number % kept);
    struct table_event *event = lobby_touch(lobby, RECORD_EVENT, at);
    memset(event, 0, sizeof *event);
    event->number = number;
    event->kind = kind;
    event->to = EVERYBODY;
    event->seat = event->from = event->player = event->other = NOBODY;
    lobby->clocks[place].happened_ms = lobby->now_ms;
    return event;
}

static void put_player(const struct lobby *lobby, uint32_t player, protobuf_c_boolean *has,
                       ProtobufCBinaryData *to, struct outbox *out)
{
    if (player == NOBODY)
        return;
    *has = true;
    to->len = ID_SIZE;
    to->data = outbox_copy(out, player_of(lobby, player)->id, ID_SIZE);
}

/* Who took a seat, which may be another's by now. */
static Arbiter__Lobby__Player *taker(const struct lobby *lobby, const struct table *table,
                                     const struct table_event *event, struct outbox *out)
{
    const struct seat *seat = &table->seat[event->seat % SEATS_MAX];
    return seat->player == event->player ? lobby_seated_message(lobby, seat, out)
                                         : lobby_player_message(lobby, event->player, out);
}

static Arbiter__Lobby__Seated *seated(const struct lobby *lobby, const struct table *table,
                                      const struct table_event *event, struct outbox *out)
{
    Arbiter__Lobby__Seated *to = MAKE(out, lobby, seated);
    SET(to, seat, event->seat);
    to->player = taker(lobby, table, event, out);
    if (event->from != NOBODY)
        SET(to, from, event->from);
    return to;
}

static Arbiter__Lobby__Left *left(const struct lobby *lobby, const struct table_event *event,
                                  struct outbox *out)
{
    Arbiter__Lobby__Left *to = MAKE(out, lobby, left);
    if (event->seat != NOBODY)
        SET(to, seat, event->seat);
    put_player(lobby, event->player, &to->has_player, &to->player, out);
    return to;
}

static Arbiter__Lobby__Invited *invited(const struct lobby *lobby, const struct table_event *event,
                                        struct outbox *out)
{
    Arbiter__Lobby__Invited *to = MAKE(out, lobby, invited);
    if (event->player != NOBODY)
        to->name = lobby_string_in(out, player_of(lobby, event->player)->name);
    put_player(lobby, event->other, &to->has_by, &to->by, out);
    if (event->seat != NOBODY)
        SET(to, seat, event->seat);
    return to;
}

static Arbiter__Lobby__Said *said(const struct lobby *lobby, const struct table *table,
                                  const struct table_event *event, struct outbox *out)
{
    Arbiter__Lobby__Said *to = MAKE(out, lobby, said);
    if (event->size > 0)
        SET_BYTES(to, event, outbox_copy(out, event->text, event->size), event->size);
    if (event->choice != 0)
        SET(to, private_, true);
    if (event->player != NOBODY && player_of(lobby, event->player)->name[0] != '\0')
        to->name = lobby_string_in(out, player_of(lobby, event->player)->name);
    if (event->with_setup)
        to->setup = (char *) lobby_setup_text(lobby, table);
    return to;
}

static Arbiter__Lobby__Chatted *chatted(const struct lobby *lobby, const struct table_event *event,
                                        struct outbox *out)
{
    Arbiter__Lobby__Chatted *to = MAKE(out, lobby, chatted);
    put_player(lobby, event->player, &to->has_player, &to->player, out);
    if (event->choice > 0) {
        SET(to, phrase, event->choice);
    } else {
        char *text = outbox_take(out, event->size + 1);
        memcpy(text, event->text, event->size);
        to->text = text;
    }
    return to;
}

static Arbiter__Lobby__MatchBegins *begins(const struct lobby *lobby, const struct table *table,
                                           const struct table_event *event, struct outbox *out)
{
    Arbiter__Lobby__MatchBegins *to = MAKE(out, lobby, match_begins);
    SET_BYTES(to, match_id, outbox_copy(out, event->text, ID_SIZE), ID_SIZE);
    if (lobby_same_id(event->text, table->match_id))
        to->n_seats =
            lobby_seat_messages(lobby, table, table->match_seats, NOBODY, out, &to->seats);
    return to;
}

static Arbiter__Lobby__MatchEnded *ended(const struct lobby *lobby, const struct table *table,
                                         const struct table_event *event, struct outbox *out)
{
    Arbiter__Lobby__MatchEnded *to = MAKE(out, lobby, match_ended);
    const struct result        *result = lobby_find_result(lobby, event->figure);
    if (result != NULL)
        to->result = lobby_result_message(lobby, result, out);
    to->asks_rematch = outbox_take(out, MEMBERS_MAX * sizeof to->asks_rematch[0]);
    for (uint32_t i = 0; i < MEMBERS_MAX && table->result == event->figure; i++)
        if (table->member[i].player != NOBODY && table->member[i].rematch)
            to->asks_rematch[to->n_asks_rematch++] =
                lobby_player_message(lobby, table->member[i].player, out);
    return to;
}

static Arbiter__Lobby__SeatGiven *given(const struct lobby *lobby, const struct table *table,
                                        const struct table_event *event, struct outbox *out)
{
    Arbiter__Lobby__SeatGiven *to = MAKE(out, lobby, seat_given);
    SET(to, seat, event->seat);
    to->player = taker(lobby, table, event, out);
    SET(to, generation, event->choice);
    return to;
}

static Arbiter__Lobby__Voted *voted(const struct lobby *lobby, const struct table_event *event,
                                    struct outbox *out)
{
    Arbiter__Lobby__Voted *to = MAKE(out, lobby, voted);
    SET(to, seat, event->seat);
    put_player(lobby, event->player, &to->has_player, &to->player, out);
    SET(to, choice, (Arbiter__Lobby__Vote__Choice) event->choice);
    return to;
}

static Arbiter__Lobby__SeatVacated *vacated(const struct table_event *event, struct outbox *out)
{
    Arbiter__Lobby__SeatVacated *to = MAKE(out, lobby, seat_vacated);
    SET(to, seat, event->seat);
    SET(to, decide_ms, event->figure);
    return to;
}

static Arbiter__Lobby__HostChanged *host_changed(const struct lobby       *lobby,
                                                 const struct table_event *event,
                                                 struct outbox            *out)
{
    Arbiter__Lobby__HostChanged *to = MAKE(out, lobby, host_changed);
    put_player(lobby, event->player, &to->has_player, &to->player, out);
    return to;
}

static Arbiter__Lobby__TableClosed *closed(const struct table_event *event, struct outbox *out)
{
    Arbiter__Lobby__TableClosed *to = MAKE(out, lobby, table_closed);
    char                        *sentence = outbox_take(out, event->size + 1);
    memcpy(sentence, event->text, event->size);
    to->sentence = sentence;
    return to;
}

static Arbiter__Lobby__Opened *opened(const struct lobby *lobby, uint32_t place, struct outbox *out)
{
    Arbiter__Lobby__Opened *to = MAKE(out, lobby, opened);
    to->table = lobby_table_message(lobby, place, NOBODY, false, out);
    return to;
}

static Arbiter__Lobby__TableEvent *empty_message(const struct table *table, uint64_t number,
                                                 struct outbox *out)
{
    Arbiter__Lobby__TableEvent *to = MAKE(out, lobby, table_event);
    SET_BYTES(to, table, outbox_copy(out, table->id, ID_SIZE), ID_SIZE);
    if (number > 0)
        SET(to, number, number);
    return to;
}

static Arbiter__Lobby__TableEvent *event_message(const struct lobby *lobby, uint32_t place,
                                                 const struct table_event *event,
                                                 struct outbox            *out)
{
    const struct table         *table = table_of(lobby, place);
    Arbiter__Lobby__TableEvent *to = empty_message(table, event->number, out);
    to->kind_case = (Arbiter__Lobby__TableEvent__KindCase) event->kind;
    switch (event->kind) {
    case EVENT(OPENED): to->opened = opened(lobby, place, out); break;
    case EVENT(SEATED): to->seated = seated(lobby, table, event, out); break;
    case EVENT(LEFT): to->left = left(lobby, event, out); break;
    case EVENT(INVITED): to->invited = invited(lobby, event, out); break;
    case EVENT(HOST_CHANGED): to->host_changed = host_changed(lobby, event, out); break;
    case EVENT(SAID): to->said = said(lobby, table, event, out); break;
    case EVENT(CHATTED): to->chatted = chatted(lobby, event, out); break;
    case EVENT(MATCH_BEGINS): to->match_begins = begins(lobby, table, event, out); break;
    case EVENT(SEAT_VACATED): to->seat_vacated = vacated(event, out); break;
    case EVENT(VOTED): to->voted = voted(lobby, event, out); break;
    case EVENT(SEAT_GIVEN): to->seat_given = given(lobby, table, event, out); break;
    case EVENT(MATCH_ENDED): to->match_ended = ended(lobby, table, event, out); break;
    case EVENT(TABLE_CLOSED): to->table_closed = closed(event, out); break;
    default: assert(false);
    }
    return to;
}

static Arbiter__Lobby__TableEvent *nothing_message(const struct table *table, uint64_t number,
                                                   struct outbox *out)
{
    Arbiter__Lobby__TableEvent *to = empty_message(table, number, out);
    to->kind_case = EVENT(NOTHING);
    to->nothing = MAKE(out, lobby, nothing);
    return to;
}

/* An event for some members only is not for somebody who took the place of one of them later. */
static bool may_see(const struct table *table, uint32_t member, const struct table_event *event)
{
    bool is_his = (event->to >> member & 1) != 0 && event->number > table->member[member].since;
    return event->to == EVERYBODY || is_his;
}

void lobby_send_to_key(struct lobby *lobby, uint32_t key, uint16_t kind, uint64_t number,
                       const void *body, struct outbox *out)
{
    if (key == NOBODY || !lobby->routes[key].is_known || !key_of(lobby, key)->admitted)
        return;
    struct header header;
    header_init(&header, kind, NULL);
    header.version = header_spoken(lobby->routes[key].protocol);
    header.number = number;
    outbox_send(out, lobby->routes[key].door, lobby->routes[key].route, &header, body);
}

/* Whoever speaks for several players is told which of them this is for. */
static const Arbiter__Lobby__TableEvent *addressed(const struct lobby               *lobby,
                                                   const Arbiter__Lobby__TableEvent *message,
                                                   uint32_t player, struct outbox *out)
{
    if (!player_of(lobby, player)->guest)
        return message;
    Arbiter__Lobby__TableEvent *copy =
        (Arbiter__Lobby__TableEvent *) (void *) outbox_copy(out, message, sizeof *message);
    put_player(lobby, player, &copy->has_player, &copy->player, out);
    return copy;
}

void lobby_send_event(struct lobby *lobby, uint32_t place, const struct table_event *event,
                      struct outbox *out)
{
    const struct table               *table = table_of(lobby, place);
    uint32_t                          asked = lobby->spoken;
    const Arbiter__Lobby__TableEvent *whole[PROTOCOL_NEWEST + 1] = { 0 };
    const Arbiter__Lobby__TableEvent *nothing = nothing_message(table, event->number, out);
    for (uint32_t i = 0; i < MEMBERS_MAX; i++) {
        uint32_t player = table->member[i].player;
        if (player == NOBODY)
            continue;
        uint32_t key = player_of(lobby, player)->key;
        lobby->spoken = key == NOBODY ? 0 : header_spoken(lobby->routes[key].protocol);
        if (whole[lobby->spoken] == NULL)
            whole[lobby->spoken] = event_message(lobby, place, event, out);
        lobby_send_to_key(lobby, key, KIND(TABLE_EVENT), event->number,
                          addressed(lobby,
                                    may_see(table, i, event) ? whole[lobby->spoken] : nothing,
                                    player, out),
                          out);
    }
    lobby->spoken = asked;
}

/* Who calls, and what to: the set-up, the others, the time for each turn. Bots need none of it. */
static void put_where_to(struct lobby *lobby, uint32_t place, const struct table_event *event,
                         uint32_t to_player, Arbiter__Lobby__Invited *to, struct outbox *out)
{
    uint32_t key = player_of(lobby, to_player)->key, asked = lobby->spoken;
    if (key == NOBODY || player_of(lobby, to_player)->bot ||
        header_spoken(lobby->routes[key].protocol) < PROTOCOL_NEWEST)
        return;
    lobby->spoken = PROTOCOL_NEWEST;
    if (event->other != NOBODY)
        to->inviter = lobby_player_message(lobby, event->other, out);
    to->at = lobby_table_message(lobby, place, NOBODY, false, out);
    lobby->spoken = asked;
}

/* To one who is not at the table yet: without a number, with what it takes to join. */
void lobby_send_invitation(struct lobby *lobby, uint32_t place, const struct table_event *event,
                           uint32_t to_player, struct outbox *out)
{
    const struct table         *table = table_of(lobby, place);
    Arbiter__Lobby__TableEvent *message = event_message(lobby, place, event, out);
    message->has_number = false;
    if (lobby_policy_name(event->choice) != NULL)
        message->invited->policy = lobby_string_in(out, lobby_policy_name(event->choice));
    message->invited->code = lobby_string_in(out, table->code);
    message->invited->game = lobby_string_in(out, game_of(lobby, table)->game->name);
    put_where_to(lobby, place, event, to_player, message->invited, out);
    lobby_send_to_key(lobby, player_of(lobby, to_player)->key, KIND(TABLE_EVENT), 0,
                      addressed(lobby, message, to_player, out), out);
}

/* The events from `from` on, as many as go into one answer; at most one of them with the set-up. */
static void put_events(const struct lobby *lobby, uint32_t place, uint32_t member, uint64_t from,
                       Arbiter__Lobby__TableAnswer *answer, struct outbox *out)
{
    const struct table *table = table_of(lobby, place);
    uint32_t            kept = lobby->settings.events_kept;
    bool                has_setup = false;
    answer->events = outbox_take(out, EVENTS_AT_ONCE * sizeof answer->events[0]);
    for (uint64_t n = from; n <= table->last_event && answer->n_events < EVENTS_AT_ONCE; n++) {
        const struct table_event *event =
            record_of(lobby, RECORD_EVENT, place * kept + (uint32_t) (n % kept));
        bool is_shown = event->number == n && may_see(table, member, event);
        if (is_shown && event->with_setup && has_setup)
            return;
        has_setup = has_setup || (is_shown && event->with_setup);
        answer->events[answer->n_events++] =
            is_shown ? event_message(lobby, place, event, out) : nothing_message(table, n, out);
    }
}

void lobby_on_table_ask(struct lobby *lobby, const struct event *event, struct outbox *out)
{
    const Arbiter__Lobby__TableAsk *ask = BODY(Arbiter__Lobby__TableAsk, event);
    uint32_t                        player, key = lobby_key_of_caller(lobby, event, out);
    const struct speaking           speaking = { ask->has_player, &ask->player, NULL };
    if (key == NOBODY || !lobby_who_speaks(lobby, event, key, speaking, &player, out))
        return;
    uint32_t place =
        ask->has_table ? lobby_find_table(lobby, ask->table.data, ask->table.len) : NOBODY;
    uint32_t member = place == NOBODY || player == NOBODY
                          ? NOBODY
                          : lobby_member_of(table_of(lobby, place), player);
    if (member == NOBODY) {
        outbox_refuse(out, event, REFUSAL(NOT_YOURS), "You are not at this table.");
        return;
    }
    const struct table          *table = table_of(lobby, place);
    uint64_t                     from = ask->has_from && ask->from > 0 ? ask->from : 1;
    Arbiter__Lobby__TableAnswer *answer = MAKE(out, lobby, table_answer);
    SET(answer, last, table->last_event);
    if (from + lobby->settings.events_kept <= table->last_event)
        answer->table = lobby_table_message(lobby, place, player, true, out);
    else
        put_events(lobby, place, member, from, answer, out);
    outbox_answer(out, event, KIND(TABLE_ANSWER), answer);
}
