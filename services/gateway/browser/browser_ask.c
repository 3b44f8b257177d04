/* browser_ask.c: what a player asks the lobby, its answers, and what happens at the player's
 * tables. Pure. */
#include <string.h>

#include "client/client_ask.h"
#include "contract/browser_fields.h"
#include "contract/lobby_fields.h"
#include "services/gateway/browser/browser_parts.h"
#include "wire/field.h"
#include "wire/field_write.h"

#define COMMAND_BYTES_MAX 4096u /* Of an ask, too, unless it brings a set-up. */

struct browser_pending *browser_pending_new(struct browser *browser)
{
    for (uint32_t i = 0; i < browser->pendings_max; i++)
        if (browser->pendings[i].kind == WAIT_NOTHING)
            return &browser->pendings[i];
    return NULL;
}

/* What a lobby of version 1 does not read. */
static uint8_t *put_newer(uint8_t *end, const struct browser_session *session)
{
    end = field_bytes(end, FIELD_LOBBY_ASK_PROOF, session->secret, BROWSER_SECRET_SIZE);
    if (session->from != 0)
        end = field_number(end, FIELD_LOBBY_ASK_FROM, session->from);
    if (session->is_crowd)
        end = field_number(end, FIELD_LOBBY_ASK_CROWD, 1);
    return end;
}

bool browser_ask_lobby(const struct browser_turn *turn, struct browser_pending pending,
                       const uint8_t *ask, size_t size, struct browser_session *session)
{
    struct browser_pending *kept = browser_pending_new(turn->browser);
    uint8_t *bytes = outbox_take(turn->out, size + CLIENT_ID_SIZE + BROWSER_SECRET_SIZE + 32), *end;
    if (kept == NULL)
        return false;
    if (size > 0)
        memcpy(bytes, ask, size);
    end = bytes + size;
    if (session != NULL)
        end = field_bytes(end, FIELD_LOBBY_ASK_PLAYER, session->player, CLIENT_ID_SIZE);
    if (session != NULL && client_core_lobby_version(turn->browser->client) > PROTOCOL_FIRST)
        end = field_number(end, FIELD_LOBBY_ASK_BYTES, browser_origin(session));
    if (session != NULL && !client_core_lobby_is_old(turn->browser->client))
        end = put_newer(end, session);
    pending.number = client_core_ask(turn->browser->client, bytes, (size_t) (end - bytes),
                                     turn->now_ms, turn->out);
    if (pending.number != 0)
        *kept = pending;
    if (session != NULL && pending.number != 0)
        session->welcome = turn->browser->welcomes;
    return pending.number != 0;
}

/* What any player may ask for; the others are the operator's, or the door's own. */
static bool may_ask(const Arbiter__Lobby__Ask *ask)
{
    if (ask->has_player || ask->has_from || ask->has_crowd || ask->has_proof || ask->has_bytes ||
        ask->deputy != NULL || ask->kind_case == ARBITER__LOBBY__ASK__KIND__NOT_SET)
        return false;
    if (ask->kind_case == ASK(BIND_NAME))
        return !ask->bind_name->has_player && ask->bind_name->name != NULL;
    return ask->kind_case <= ASK(VOTE) || ask->kind_case == ASK(LIST_RESULTS);
}

static bool is_for_all(const Arbiter__Lobby__Ask *ask)
{
    return ask->kind_case == ASK(LIST_TABLES) || ask->kind_case == ASK(LIST_RESULTS);
}

void browser_ask(const struct browser_turn *turn, struct browser_tab *tab, uint32_t request,
                 const Arbiter__Lobby__Ask *ask, const uint8_t *bytes, size_t size)
{
    bool                    is_in = tab->state == TAB_IN;
    struct browser_session *session = is_in ? &turn->browser->sessions[tab->session] : NULL;
    struct browser_pending  pending = { .kind = WAIT_ASK, .route = tab->route, .request = request };
    if (!may_ask(ask)) {
        browser_refuse(turn, tab, request, REFUSAL(NOT_YOURS), "A player may not ask that.", 0);
        return;
    }
    if (!is_in && !is_for_all(ask)) {
        browser_refuse(turn, tab, request, REFUSAL(NOT_YOURS), "Choose a name first.", 0);
        return;
    }
    if (ask->kind_case == ASK(SAY) && !ask->say->has_command &&
        browser_is_rejoining(turn->browser, tab)) {
        browser_refuse(turn, tab, request, REFUSAL(AGAIN), BROWSER_NOT_KNOWN_YET, 500);
        return;
    }
    if (size > COMMAND_BYTES_MAX && ask->kind_case != ASK(CREATE_TABLE)) {
        browser_refuse(turn, tab, request, REFUSAL(TOO_MUCH), "That is more than 4 KiB.", 0);
        return;
    }
    pending.is_name = ask->kind_case == ASK(BIND_NAME);
    pending.session = is_in ? tab->session : 0;
    pending.serial = is_in ? turn->browser->sessions[tab->session].serial : 0;
    if (!browser_ask_lobby(turn, pending, bytes, size, session))
        browser_refuse(turn, tab, request, REFUSAL(AGAIN), "The house is busy.", 1000);
}

/* Where the player sits. */
static bool ask_seats(const struct browser_turn *turn, struct browser_session *session,
                      enum browser_wait kind, uint64_t route)
{
    uint32_t                     index = (uint32_t) (session - turn->browser->sessions);
    uint8_t                      ask[8];
    uint8_t                     *end = field_bytes(ask, FIELD_LOBBY_ASK_REJOIN, NULL, 0);
    const struct browser_pending pending = {
        .kind = kind, .route = route, .session = index, .serial = session->serial
    };
    return browser_ask_lobby(turn, pending, ask, (size_t) (end - ask), session);
}

void browser_rejoin(const struct browser_turn *turn, struct browser_tab *tab)
{
    struct browser_session *session = &turn->browser->sessions[tab->session];
    if (!ask_seats(turn, session, WAIT_REJOIN, tab->route))
        browser_close(turn, tab, "The house is busy: come back in a moment.");
}

bool browser_is_rejoining(const struct browser *browser, const struct browser_tab *tab)
{
    for (uint32_t i = 0; i < browser->pendings_max && tab->state == TAB_IN; i++)
        if (browser->pendings[i].kind == WAIT_REJOIN &&
            browser->pendings[i].session == tab->session &&
            browser->pendings[i].serial == browser->sessions[tab->session].serial)
            return true;
    return false;
}

bool browser_seek_seats(const struct browser_turn *turn, struct browser_session *session)
{
    session->is_sought = ask_seats(turn, session, WAIT_SEATS, 0);
    return session->is_sought;
}

uint32_t browser_game_named(const struct browser *browser, const uint8_t *name, size_t size)
{
    for (uint32_t i = 0; i < browser->settings.games_count; i++)
        if (text_length(browser->settings.games[i]) == size &&
            memcmp(browser->settings.games[i], name, size) == 0)
            return i;
    return BROWSER_NO_GAME;
}

static struct browser_table *table_known(struct browser *browser, const uint8_t *id)
{
    uint32_t count =
        browser->tables_known < BROWSER_TABLES ? browser->tables_known : BROWSER_TABLES;
    for (uint32_t i = 0; i < count; i++)
        if (memcmp(browser->tables[i].table, id, CLIENT_ID_SIZE) == 0)
            return &browser->tables[i];
    return NULL;
}

static struct browser_table *table_of(struct browser *browser, const uint8_t *id)
{
    struct browser_table *table = table_known(browser, id);
    if (table != NULL)
        return table;
    table = &browser->tables[browser->tables_known++ % BROWSER_TABLES];
    memset(table, 0, sizeof *table);
    memcpy(table->table, id, CLIENT_ID_SIZE);
    table->game = BROWSER_NO_GAME;
    return table;
}

uint32_t browser_game_of_table(const struct browser *browser, const uint8_t *table)
{
    uint32_t count =
        browser->tables_known < BROWSER_TABLES ? browser->tables_known : BROWSER_TABLES;
    for (uint32_t i = 0; i < count; i++)
        if (memcmp(browser->tables[i].table, table, CLIENT_ID_SIZE) == 0)
            return browser->tables[i].game;
    return BROWSER_NO_GAME;
}

static bool is_id(const struct wire_field *field)
{
    return field->body.end - field->body.at == CLIENT_ID_SIZE;
}

/* A lobby.TableSeat: is it this player's? */
static bool is_his(struct reader in, const uint8_t *player, uint32_t *seat)
{
    struct wire_field field, inside;
    bool              is_found = false;
    *seat = 0;
    while (wire_field(&in, &field)) {
        if (field.number == FIELD_LOBBY_TABLE_SEAT_SEAT)
            *seat = (uint32_t) field.value;
        for (struct reader who = field.body;
             field.number == FIELD_LOBBY_TABLE_SEAT_PLAYER && wire_field(&who, &inside);)
            is_found = is_found || (inside.number == FIELD_LOBBY_PLAYER_PLAYER && is_id(&inside) &&
                                    memcmp(inside.body.at, player, CLIENT_ID_SIZE) == 0);
    }
    return is_found;
}

/* The player's seats of a match that goes on; `field` is the number of the seats in the message. */
static void want_seats(const struct browser_turn *turn, struct browser_session *session,
                       struct reader in, uint32_t number, const struct browser_table *table)
{
    struct wire_field field;
    uint32_t          seat;
    while (wire_field(&in, &field))
        if (field.number == number && is_his(field.body, session->player, &seat))
            browser_seat_want(turn, session, table->match_id, seat, table->game);
}

/* A table as the lobby shows it: what is played there, and where this player sits. NULL: it is none. */
static struct browser_table *learn_table(const struct browser_turn *turn,
                                         struct browser_session *session, struct reader in)
{
    struct reader         all = in;
    struct wire_field     field;
    struct browser_table *table = NULL;
    bool                  is_playing = false;
    while (wire_field(&in, &field)) {
        if (field.number == FIELD_LOBBY_TABLE_TABLE && is_id(&field))
            table = table_of(turn->browser, field.body.at);
        if (field.number == FIELD_LOBBY_TABLE_PHASE)
            is_playing = field.value == ARBITER__LOBBY__TABLE__PHASE__PHASE_PLAYING;
        if (table == NULL)
            continue;
        if (field.number == FIELD_LOBBY_TABLE_GAME)
            table->game = browser_game_named(turn->browser, field.body.at,
                                             (size_t) (field.body.end - field.body.at));
        if (field.number == FIELD_LOBBY_TABLE_MATCH_ID && is_id(&field))
            memcpy(table->match_id, field.body.at, CLIENT_ID_SIZE);
    }
    if (table != NULL && is_playing && session != NULL)
        want_seats(turn, session, all, FIELD_LOBBY_TABLE_SEATS, table);
    return table;
}

static void tell_bytes(const struct browser_turn *turn, struct browser_tab *tab,
                       struct reader bytes, uint32_t kind, uint32_t request)
{
    struct down down = down_begin(turn->browser->scratch);
    size_t      size = (size_t) (bytes.end - bytes.at);
    down.is_short = size > (size_t) (down.end - down.at);
    if (!down.is_short && size > 0)
        memcpy(down.at, bytes.at, size);
    down.at += down.is_short ? 0 : size;
    browser_tell(turn, tab, &down, kind, request, BROWSER_NO_GAME);
}

/* The player's places: each table, and each seat as it sees its match. */
static void on_rejoined(const struct browser_turn *turn, struct browser_tab *tab,
                        struct browser_session *session, struct reader tables)
{
    struct wire_field     field;
    struct browser_table *table;
    while (wire_field(&tables, &field)) {
        if (field.number != FIELD_LOBBY_TABLES_TABLES)
            continue;
        tell_bytes(turn, tab, field.body, FIELD_BROWSER_DOWN_TABLE_NOW, 0);
        table = learn_table(turn, session, field.body);
        for (uint32_t i = 0; table != NULL && i < turn->browser->settings.seats_max; i++) {
            const struct browser_seat *seat = &turn->browser->seats[i];
            if (seat->is_used && seat->session == tab->session && seat->state == SEAT_IN &&
                memcmp(seat->match_id, table->match_id, CLIENT_ID_SIZE) == 0)
                browser_look_for(turn, tab, seat);
        }
    }
}

/* Seats of the player that find no place again wait anew. */
static void on_sought(const struct browser_turn *turn, struct browser_session *session,
                      struct reader tables)
{
    struct wire_field field;
    session->is_seatless = false;
    while (wire_field(&tables, &field))
        if (field.number == FIELD_LOBBY_TABLES_TABLES)
            (void) learn_table(turn, session, field.body);
}

static void take_name(struct browser_session *session, struct reader player)
{
    struct wire_field field;
    while (wire_field(&player, &field)) {
        size_t size = (size_t) (field.body.end - field.body.at);
        if (field.number != FIELD_LOBBY_PLAYER_NAME || size > BROWSER_NAME_MAX)
            continue;
        memset(session->name, 0, sizeof session->name);
        memcpy(session->name, field.body.at, size);
    }
}

static void read_answer(const struct browser_turn *turn, const struct browser_pending *pending,
                        const struct client_event *event)
{
    struct browser_session *session = browser_session_asked(turn->browser, pending);
    struct browser_tab     *tab = browser_tab_of(turn->browser, pending->route);
    struct wire_field       field;
    bool                    is_his_tab = tab != NULL && session != NULL &&
                      tab->session == (uint32_t) (session - turn->browser->sessions);
    for (struct reader in = reader_of(event->bytes, event->size); wire_field(&in, &field);) {
        if (field.number == FIELD_LOBBY_ANSWER_TABLE)
            (void) learn_table(turn, session, field.body);
        if (field.number == FIELD_LOBBY_ANSWER_PLAYER && pending->is_name && session != NULL)
            take_name(session, field.body);
        if (field.number == FIELD_LOBBY_ANSWER_TABLES && pending->kind == WAIT_REJOIN && is_his_tab)
            on_rejoined(turn, tab, session, field.body);
        if (field.number == FIELD_LOBBY_ANSWER_TABLES && pending->kind == WAIT_SEATS &&
            session != NULL)
            on_sought(turn, session, field.body);
    }
}

bool browser_answer_told(const struct browser_turn *turn, const struct client_event *event)
{
    struct browser        *browser = turn->browser;
    struct browser_pending pending = { .kind = WAIT_NOTHING };
    for (uint32_t i = 0; i < browser->pendings_max && pending.kind == WAIT_NOTHING; i++)
        if (browser->pendings[i].kind != WAIT_NOTHING && browser->pendings[i].kind < WAIT_LOOK &&
            browser->pendings[i].number == event->request) {
            pending = browser->pendings[i];
            browser->pendings[i].kind = WAIT_NOTHING;
        }
    bool                    is_answer = event->kind == CLIENT_ANSWER;
    struct browser_tab     *tab = browser_tab_of(browser, pending.route);
    struct browser_session *session = browser_session_asked(browser, &pending);
    switch (pending.kind) {
    case WAIT_NOTHING: return false;
    case WAIT_WHO:
    case WAIT_NAME: browser_who_told(turn, &pending, event); return true;
    case WAIT_TICKET: browser_ticket_told(turn, &pending, event); return true;
    case WAIT_ASK:
        if (tab != NULL)
            tell_bytes(turn, tab, reader_of(event->bytes, event->size),
                       is_answer ? FIELD_BROWSER_DOWN_ANSWER : FIELD_BROWSER_DOWN_REFUSED,
                       pending.request);
        break;
    case WAIT_SEATS:
        if (session == NULL)
            break;
        session->is_sought = false;
        session->seatless_ms = turn->now_ms;
        break;
    default: break;
    }
    if (is_answer)
        read_answer(turn, &pending, event);
    return true;
}

static void act_on(const struct browser_turn *turn, struct browser_session *session,
                   struct browser_table *table, const struct wire_field *event)
{
    struct reader     in = event->body;
    struct wire_field field;
    uint32_t          seat;
    if (event->number == FIELD_LOBBY_TABLE_EVENT_OPENED && wire_field(&in, &field) &&
        field.number == FIELD_LOBBY_OPENED_TABLE)
        (void) learn_table(turn, session, field.body);
    if (event->number == FIELD_LOBBY_TABLE_EVENT_MATCH_BEGINS) {
        for (struct reader parts = event->body; wire_field(&parts, &field);)
            if (field.number == FIELD_LOBBY_MATCH_BEGINS_MATCH_ID && is_id(&field))
                memcpy(table->match_id, field.body.at, CLIENT_ID_SIZE);
        want_seats(turn, session, event->body, FIELD_LOBBY_MATCH_BEGINS_SEATS, table);
    }
    if (event->number == FIELD_LOBBY_TABLE_EVENT_SEAT_GIVEN &&
        is_his(event->body, session->player, &seat))
        browser_seat_want(turn, session, table->match_id, seat, table->game);
}

bool browser_table_told(const struct browser_turn *turn, const struct client_event *event)
{
    struct browser_session *session = browser_session_of(turn->browser, event->player);
    struct reader           bytes = reader_of(event->bytes, event->size);
    struct wire_field       field;
    struct down             down = down_begin(turn->browser->scratch);
    if (session == NULL)
        return false;
    if (event->kind == CLIENT_TABLE_LOST)
        return true; /* The player has left it, and knows. */
    struct browser_table *table = table_of(turn->browser, event->table);
    if (event->kind == CLIENT_TABLE_NOW)
        (void) learn_table(turn, session, bytes);
    down.is_short = event->size > (size_t) (down.end - down.at);
    if (!down.is_short && event->size > 0)
        memcpy(down.at, event->bytes, event->size);
    down.at += down.is_short ? 0 : event->size;
    browser_tell_player(turn, session, &down,
                        event->kind == CLIENT_TABLE ? FIELD_BROWSER_DOWN_TABLE
                                                    : FIELD_BROWSER_DOWN_TABLE_NOW,
                        table->game, 0, 0);
    if (event->kind == CLIENT_TABLE)
        while (wire_field(&bytes, &field))
            act_on(turn, session, table, &field);
    return true;
}
