/* client_table.c: the tables one sits at: their events in order, and the matches that begin there. Pure.
 *
 * The client follows a table from the first answer that shows it. Events come by themselves. The
 * client asks for missing ones, ever more seldom when all is quiet. When a match begins at it, our
 * seats are attached; that the match is over is told behind the match's last act. Who speaks for
 * several players follows a table for each of them. */
#include <string.h>

#include "client/client_private.h"
#include "contract/lobby_fields.h"
#include "wire/field.h"

/* An end that its match does not reach for so long is told nevertheless. */
#define HELD_MAX_MS 30000u

bool id_is_none(const uint8_t id[CLIENT_ID_SIZE])
{
    static const uint8_t zeros[CLIENT_ID_SIZE];
    return memcmp(id, zeros, CLIENT_ID_SIZE) == 0;
}

bool id_is_whole(const ProtobufCBinaryData *id)
{
    return id->len == CLIENT_ID_SIZE;
}

static void say_table_ask(const struct turn *turn, struct client_follow *follow)
{
    Arbiter__Lobby__TableAsk *ask =
        outbox_message(turn->out, &arbiter__lobby__table_ask__descriptor);
    struct header header;
    ask->has_table = ask->has_from = true;
    ask->table.data = outbox_copy(turn->out, follow->table, CLIENT_ID_SIZE);
    ask->table.len = CLIENT_ID_SIZE;
    ask->from = follow->next;
    if (!id_is_none(follow->player)) {
        ask->has_player = true;
        ask->player.data = outbox_copy(turn->out, follow->player, CLIENT_ID_SIZE);
        ask->player.len = CLIENT_ID_SIZE;
    }
    lobby_header(turn->core, &header, KIND(TABLE_ASK), TAG_TABLE | follow->serial);
    outbox_send(turn->out, DOOR_PEER, peers_connection(PEERS_LOBBY, DOOR_REQUESTS), &header, ask);
}

void table_pump(const struct turn *turn)
{
    for (uint32_t i = 0; i < turn->core->settings.tables_max; i++) {
        struct client_follow *follow = &turn->core->tables[i];
        if (!follow->is_used || !is_due(turn, &follow->ask))
            continue;
        say_table_ask(turn, follow);
        due_again(turn, &follow->ask);
    }
}

static struct client_follow *follow_find(struct client_core *core, const uint8_t *table,
                                         const uint8_t *player)
{
    for (uint32_t i = 0; i < core->settings.tables_max; i++) {
        struct client_follow *follow = &core->tables[i];
        if (follow->is_used && memcmp(follow->table, table, CLIENT_ID_SIZE) == 0 &&
            memcmp(follow->player, player, CLIENT_ID_SIZE) == 0)
            return follow;
    }
    return NULL;
}

static struct client_follow *follow_add(struct client_core *core, const uint8_t *table,
                                        const uint8_t *player)
{
    for (uint32_t i = 0; i < core->settings.tables_max; i++) {
        struct client_follow *follow = &core->tables[i];
        if (follow->is_used)
            continue;
        memset(follow, 0, sizeof *follow);
        follow->is_used = true;
        follow->serial = ++core->follows & TAG_SERIAL;
        memcpy(follow->table, table, CLIENT_ID_SIZE);
        memcpy(follow->player, player, CLIENT_ID_SIZE);
        return follow;
    }
    return NULL;
}

/* Who has got up hears no more of the table: its place is free for the next one. */
void table_left(struct client_core *core, const uint8_t table[CLIENT_ID_SIZE],
                const uint8_t player[CLIENT_ID_SIZE])
{
    struct client_follow *follow = follow_find(core, table, player);
    if (follow != NULL)
        follow->is_used = false;
}

/* All is told: ask again when it has been quiet for a while. */
static void follow_waits(const struct turn *turn, struct client_follow *follow)
{
    follow->ask = due_now(turn);
    follow->ask.at_ms += follow->quiet_ms;
    outbox_wake(turn->out, follow->ask.at_ms);
}

static bool is_ours(const struct client_core *core, const struct client_follow *follow,
                    const Arbiter__Lobby__Player *player)
{
    const uint8_t *us = id_is_none(follow->player) ? core->player : follow->player;
    return player != NULL && id_is_whole(&player->player) && !id_is_none(us) &&
           memcmp(player->player.data, us, CLIENT_ID_SIZE) == 0;
}

/* A seat that a table names. */
static void take_seat(const struct turn *turn, const uint8_t *match_id, uint32_t seat,
                      const char *code)
{
    if (!seat_is_told(turn->core, match_id, seat))
        seat_open(turn, match_id, seat, code);
}

/* Takes our seats of a match that goes on at this table, or a place to watch it from. */
static void take_seats(const struct turn *turn, struct client_follow *follow,
                       const ProtobufCBinaryData *match_id, Arbiter__Lobby__TableSeat **seats,
                       size_t count)
{
    if (!id_is_whole(match_id))
        return;
    memcpy(follow->match_id, match_id->data, CLIENT_ID_SIZE);
    bool needs_ticket = turn->core->settings.peers.role == ROLE(GATEWAY);
    bool is_seated = false;
    for (size_t i = 0; i < count && !needs_ticket; i++)
        if (seats[i]->has_seat && is_ours(turn->core, follow, seats[i]->player)) {
            take_seat(turn, match_id->data, seats[i]->seat, NULL);
            is_seated = true;
        }
    /* Who came to watch may have sat down since: a registration gives seats later. */
    if (follow->is_watched && !is_seated)
        take_seat(turn, match_id->data, NO_SEAT, follow->code);
}

/* A table as the lobby shows it. Known ones are known better from their events. */
void table_look(const struct turn *turn, const Arbiter__Lobby__Table *table,
                const uint8_t player[CLIENT_ID_SIZE], bool is_asked_for)
{
    struct client_core *core = turn->core;
    if (!id_is_whole(&table->table) || !table->has_last_event)
        return;
    struct client_follow  self = { .is_used = true };
    struct client_follow *follow = follow_find(core, table->table.data, player);
    bool                  is_member = table->has_watching && table->watching;
    memcpy(self.player, player, CLIENT_ID_SIZE);
    for (size_t i = 0; i < table->n_seats; i++)
        is_member = is_member || is_ours(core, &self, table->seats[i]->player);
    if (follow == NULL && (is_member || is_asked_for)) {
        follow = follow_add(core, table->table.data, player);
        if (follow == NULL)
            return;
        follow->next = table->last_event + 1;
        follow->quiet_ms = core->settings.quiet_ms;
        follow_waits(turn, follow);
    }
    if (follow == NULL)
        return;
    follow->is_watched = table->has_watching && table->watching;
    size_t size = table->code == NULL ? 0 : text_length(table->code);
    if (size > 0 && size < CLIENT_CODE_MAX) {
        memset(follow->code, 0, sizeof follow->code);
        memcpy(follow->code, table->code, size);
    }
    if (table->has_phase && table->phase == ARBITER__LOBBY__TABLE__PHASE__PHASE_PLAYING)
        take_seats(turn, follow, &table->match_id, table->seats, table->n_seats);
}

/* Whether this event may be told now. A match's end waits for the match's last act. */
static bool is_held(const struct turn *turn, struct client_follow *follow,
                    const Arbiter__Lobby__TableEvent *event)
{
    struct client_core *core = turn->core;
    if (event->kind_case != ARBITER__LOBBY__TABLE_EVENT__KIND_MATCH_ENDED ||
        event->match_ended->result == NULL || !id_is_whole(&event->match_ended->result->match_id))
        return false;
    const uint8_t *match_id = event->match_ended->result->match_id.data;
    bool           is_followed = seat_first(core, match_id) != NULL;
    if (follow->held_ms == 0)
        follow->held_ms = turn->now_ms + 1;
    return is_followed && turn->now_ms + 1 - follow->held_ms < HELD_MAX_MS;
}

static void act_on(const struct turn *turn, struct client_follow *follow,
                   const Arbiter__Lobby__TableEvent *event)
{
    if (event->kind_case == ARBITER__LOBBY__TABLE_EVENT__KIND_MATCH_BEGINS)
        take_seats(turn, follow, &event->match_begins->match_id, event->match_begins->seats,
                   event->match_begins->n_seats);
    if (event->kind_case == ARBITER__LOBBY__TABLE_EVENT__KIND_SEAT_GIVEN &&
        turn->core->settings.peers.role != ROLE(GATEWAY) &&
        is_ours(turn->core, follow, event->seat_given->player) && !id_is_none(follow->match_id))
        take_seat(turn, follow->match_id, event->seat_given->seat, NULL);
    if (event->kind_case != ARBITER__LOBBY__TABLE_EVENT__KIND_TABLE_CLOSED)
        return;
    /* Perhaps because its match could not begin: then nobody waits for a view of it any more. */
    if (turn->core->settings.peers.role != ROLE(GATEWAY))
        seat_lose_unbegun(turn, follow->match_id);
    follow->is_used = false;
}

/* Tells an event that is the next one; false: not now. */
static bool take_event(const struct turn *turn, struct client_follow *follow,
                       const Arbiter__Lobby__TableEvent *event, const uint8_t *bytes, size_t size)
{
    struct client_event told = { .kind = CLIENT_TABLE, .seat = NO_SEAT, .number = event->number };
    memcpy(told.table, follow->table, CLIENT_ID_SIZE);
    memcpy(told.player, follow->player, CLIENT_ID_SIZE);
    if (is_held(turn, follow, event) || !tell(turn->core, &told, bytes, size))
        return false;
    follow->held_ms = 0;
    follow->next = event->number + 1;
    follow->quiet_ms = turn->core->settings.quiet_ms;
    follow_waits(turn, follow);
    act_on(turn, follow, event);
    return true;
}

static void player_of(const ProtobufCBinaryData *id, protobuf_c_boolean has,
                      uint8_t player[CLIENT_ID_SIZE])
{
    memset(player, 0, CLIENT_ID_SIZE);
    if (has && id_is_whole(id))
        memcpy(player, id->data, CLIENT_ID_SIZE);
}

/* A call without a number, as to a bot service; it is repeated until it is followed. */
static void on_call(const struct turn *turn, const struct event *event,
                    const Arbiter__Lobby__TableEvent *call)
{
    struct client_event told = { .kind = CLIENT_TABLE, .seat = NO_SEAT };
    memcpy(told.table, call->table.data, CLIENT_ID_SIZE);
    player_of(&call->player, call->has_player, told.player);
    tell(turn->core, &told, event->bytes, event->size);
}

void table_event(const struct turn *turn, const struct event *event)
{
    const Arbiter__Lobby__TableEvent *happened = BODY(Arbiter__Lobby__TableEvent, event);
    uint8_t                           player[CLIENT_ID_SIZE];
    if (!id_is_whole(&happened->table))
        return;
    if (!happened->has_number || happened->number == 0) {
        on_call(turn, event, happened);
        return;
    }
    player_of(&happened->player, happened->has_player, player);
    struct client_follow *follow = follow_find(turn->core, happened->table.data, player);
    if (follow == NULL || happened->number < follow->next)
        return;
    bool is_next = happened->number == follow->next;
    if (!is_next)
        follow->ask = due_now(turn);
    else if (!take_event(turn, follow, happened, event->bytes, event->size))
        due_again(turn, &follow->ask);
}

/* Bytes of the n-th message in field `number` of a body; false: there is none. */
static bool part_of(const struct event *event, uint32_t number, size_t nth, struct reader *part)
{
    struct wire_field field;
    for (struct reader in = { event->bytes, event->bytes + event->size }; wire_field(&in, &field);)
        if (field.number == number && nth-- == 0) {
            *part = field.body;
            return true;
        }
    return false;
}

/* So long away that events are not kept: here is the table as it is. */
static void take_table(const struct turn *turn, struct client_follow *follow,
                       const struct event *event, const Arbiter__Lobby__Table *table)
{
    struct client_event told = { .kind = CLIENT_TABLE_NOW, .seat = NO_SEAT };
    struct reader       part;
    uint8_t             player[CLIENT_ID_SIZE];
    if (!table->has_last_event || !part_of(event, FIELD_LOBBY_TABLE_ANSWER_TABLE, 0, &part))
        return;
    told.number = table->last_event;
    memcpy(told.table, follow->table, CLIENT_ID_SIZE);
    memcpy(told.player, follow->player, CLIENT_ID_SIZE);
    if (!tell(turn->core, &told, part.at, (size_t) (part.end - part.at)))
        return;
    follow->next = table->last_event + 1;
    follow_waits(turn, follow);
    memcpy(player, follow->player, CLIENT_ID_SIZE);
    table_look(turn, table, player, true);
}

/* The table that was asked about. A late answer about one that stood in its place before is nobody's. */
static struct client_follow *follow_of(struct client_core *core, uint32_t request)
{
    for (uint32_t i = 0; i < core->settings.tables_max; i++)
        if ((request & TAG_TABLE) != 0 && core->tables[i].is_used &&
            core->tables[i].serial == (request & TAG_SERIAL))
            return &core->tables[i];
    return NULL;
}

void table_answer(const struct turn *turn, const struct event *event)
{
    const Arbiter__Lobby__TableAnswer *answer = BODY(Arbiter__Lobby__TableAnswer, event);
    struct client_follow              *follow = follow_of(turn->core, event->header.request);
    struct reader                      part;
    if (follow == NULL)
        return;
    if (answer->table != NULL && id_is_whole(&answer->table->table) &&
        memcmp(answer->table->table.data, follow->table, CLIENT_ID_SIZE) == 0) {
        take_table(turn, follow, event, answer->table);
        return;
    }
    bool is_whole = true;
    for (size_t i = 0; i < answer->n_events && is_whole && follow->is_used; i++) {
        const Arbiter__Lobby__TableEvent *happened = answer->events[i];
        if (!id_is_whole(&happened->table) || happened->number != follow->next ||
            memcmp(happened->table.data, follow->table, CLIENT_ID_SIZE) != 0 ||
            !part_of(event, FIELD_LOBBY_TABLE_ANSWER_EVENTS, i, &part))
            continue;
        is_whole = take_event(turn, follow, happened, part.at, (size_t) (part.end - part.at));
    }
    if (!is_whole || !follow->is_used)
        return;
    if (answer->last >= follow->next) {
        follow->ask = due_now(turn);
    } else {
        follow_waits(turn, follow);
        if (follow->quiet_ms < turn->core->settings.quiet_max_ms)
            follow->quiet_ms *= 2;
    }
}

void table_refused(const struct turn *turn, const struct event *event, bool is_for_later)
{
    const Arbiter__Wire__Refused *refused = BODY(Arbiter__Wire__Refused, event);
    struct client_follow         *follow = follow_of(turn->core, event->header.request);
    if (follow == NULL)
        return;
    if (is_for_later) {
        due_refused(turn, &follow->ask, event);
        return;
    }
    struct client_event told = { .kind = CLIENT_TABLE_LOST,
                                 .seat = NO_SEAT,
                                 .number = follow->next - 1,
                                 .refusal = refused->refusal };
    memcpy(told.table, follow->table, CLIENT_ID_SIZE);
    memcpy(told.player, follow->player, CLIENT_ID_SIZE);
    if (tell(turn->core, &told, event->bytes, event->size))
        follow->is_used = false;
}
