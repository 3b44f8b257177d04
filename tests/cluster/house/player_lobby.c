/* player_lobby.c: what a player asks of the lobby, and what follows from its answers; see
 * player.h. */
#include <stdio.h>
#include <string.h>

#include "client/client_ask.h"
#include "contract/lobby.pb-c.h"
#include "core/outbox.h"
#include "player_private.h"
#include "stage_dead.h"
#include "wire/header.h"

#define ASK_BYTES_MAX 512
#define NAME_MAX_SIZE 32
#define ANSWER_BYTES_MAX (256u << 10)

static void ask(struct player *player, const Arbiter__Lobby__Ask *wanted, uint64_t now_ms,
                struct outbox *out)
{
    uint8_t bytes[ASK_BYTES_MAX];
    size_t  size = arbiter__lobby__ask__get_packed_size(wanted);
    if (size <= sizeof bytes) {
        arbiter__lobby__ask__pack(wanted, bytes);
        player->ask = client_core_ask(player->client, bytes, size, now_ms, out);
    }
}

/* A second device binds none: it asks who it is, until the first one has. An eavesdropper with a
 * key may repeat what was overheard, and have the name before its owner. The owner then takes
 * another one. */
static void bind_name(struct player *player, uint64_t now_ms, struct outbox *out)
{
    char                     name[NAME_MAX_SIZE];
    Arbiter__Lobby__BindName bind = ARBITER__LOBBY__BIND_NAME__INIT;
    Arbiter__Lobby__Ask      wanted = ARBITER__LOBBY__ASK__INIT;
    snprintf(name, sizeof name, "%s%.*s", player->settings.name, (int) player->names_taken, "''");
    bind.name = player->settings.is_second ? NULL : name;
    wanted.kind_case = ASK(BIND_NAME);
    wanted.bind_name = &bind;
    ask(player, &wanted, now_ms, out);
}

/* Open tables, to sit down at; or those that play, to watch. */
static void list(struct player *player, uint64_t now_ms, struct outbox *out)
{
    Arbiter__Lobby__ListTables tables = ARBITER__LOBBY__LIST_TABLES__INIT;
    Arbiter__Lobby__Ask        wanted = ARBITER__LOBBY__ASK__INIT;
    tables.has_phase = true;
    tables.phase = player->settings.watches ? ARBITER__LOBBY__TABLE__PHASE__PHASE_PLAYING
                                            : ARBITER__LOBBY__TABLE__PHASE__PHASE_OPEN;
    wanted.kind_case = ASK(LIST_TABLES);
    wanted.list_tables = &tables;
    ask(player, &wanted, now_ms, out);
}

static void create(struct player *player, uint64_t now_ms, struct outbox *out)
{
    Arbiter__Lobby__CreateTable table = ARBITER__LOBBY__CREATE_TABLE__INIT;
    Arbiter__Lobby__Ask         wanted = ARBITER__LOBBY__ASK__INIT;
    if (player->settings.opens_dead) {
        table.game = (char *) "dead";
        table.setup_name = (char *) STAGE_DEAD_SETUP;
    } else {
        table.game = (char *) "nim";
        table.setup = player->settings.setup;
    }
    table.has_seats = true;
    table.seats = player->settings.seats;
    table.has_turn_ms = player->settings.turn_ms > 0;
    table.turn_ms = player->settings.turn_ms;
    table.has_seed = !player->settings.hosted;
    table.seed = 7;
    wanted.kind_case = ASK(CREATE_TABLE);
    wanted.create_table = &table;
    ask(player, &wanted, now_ms, out);
}

static void join(struct player *player, const ProtobufCBinaryData *id, uint64_t now_ms,
                 struct outbox *out)
{
    Arbiter__Lobby__JoinTable table = ARBITER__LOBBY__JOIN_TABLE__INIT;
    Arbiter__Lobby__Ask       wanted = ARBITER__LOBBY__ASK__INIT;
    table.has_table = true;
    table.table = *id;
    wanted.kind_case = ASK(JOIN_TABLE);
    wanted.join_table = &table;
    ask(player, &wanted, now_ms, out);
}

static void leave(struct player *player, uint64_t now_ms, struct outbox *out)
{
    Arbiter__Lobby__LeaveTable table = ARBITER__LOBBY__LEAVE_TABLE__INIT;
    Arbiter__Lobby__Ask        wanted = ARBITER__LOBBY__ASK__INIT;
    table.has_table = true;
    table.table.data = player->table;
    table.table.len = sizeof player->table;
    wanted.kind_case = ASK(LEAVE_TABLE);
    wanted.leave_table = &table;
    ask(player, &wanted, now_ms, out);
}

static void call_bots(struct player *player, uint64_t now_ms, struct outbox *out)
{
    Arbiter__Lobby__FillWithBots table = ARBITER__LOBBY__FILL_WITH_BOTS__INIT;
    Arbiter__Lobby__Ask          wanted = ARBITER__LOBBY__ASK__INIT;
    table.has_table = true;
    table.table.data = player->table;
    table.table.len = sizeof player->table;
    wanted.kind_case = ASK(FILL_WITH_BOTS);
    wanted.fill_with_bots = &table;
    ask(player, &wanted, now_ms, out);
}

/* Where the player's other device sits, or where an ask without an answer has seated the player:
 * the library takes the seats, too. */
static void look_for_seats(struct player *player, uint64_t now_ms, struct outbox *out)
{
    Arbiter__Lobby__Rejoin rejoin = ARBITER__LOBBY__REJOIN__INIT;
    Arbiter__Lobby__Ask    wanted = ARBITER__LOBBY__ASK__INIT;
    wanted.kind_case = ASK(REJOIN);
    wanted.rejoin = &rejoin;
    ask(player, &wanted, now_ms, out);
}

void player_asks(struct player *player, const struct event *event, struct outbox *out)
{
    if (player->ask != 0)
        return;
    if (player->settings.is_second && player->is_healed)
        return;
    if (player->settings.is_second && player->wants != WANTS_NAME) {
        look_for_seats(player, event->now_ms, out);
        return;
    }
    switch (player->wants) {
    case WANTS_NAME: bind_name(player, event->now_ms, out); break;
    case WANTS_LIST:
        if (!player->is_healed)
            list(player, event->now_ms, out);
        break;
    case WANTS_SEATS: look_for_seats(player, event->now_ms, out); break;
    case WANTS_TABLE:
        if (!player->is_healed)
            create(player, event->now_ms, out);
        break;
    case WANTS_BOTS: call_bots(player, event->now_ms, out); break;
    case WANTS_OUT:
        if (player->has_table)
            leave(player, event->now_ms, out);
        else
            player->wants = WANTS_LIST;
        break;
    case WANTS_MATCH: break;
    }
}

static void watch(struct player *player, const Arbiter__Lobby__Tables *tables, uint64_t now_ms,
                  struct outbox *out)
{
    for (size_t i = 0; i < tables->n_tables; i++) {
        const Arbiter__Lobby__Table *table = tables->tables[i];
        if (!table->has_match_id || table->match_id.len != CLIENT_ID_SIZE)
            continue;
        struct player_seat *held = player_seat(player, table->match_id.data, NO_SEAT);
        if (held != NULL && !held->is_over && !held->is_told)
            held->is_used = client_core_attach(player->client, table->match_id.data, NO_SEAT, NULL,
                                               now_ms, out);
        return;
    }
}

static void sat_down(struct player *player, const Arbiter__Lobby__Table *table)
{
    player->wants = WANTS_MATCH;
    if (table == NULL || table->table.len != sizeof player->table)
        return;
    memcpy(player->table, table->table.data, sizeof player->table);
    player->has_table = true;
}

static void take_answer(struct player *player, const Arbiter__Lobby__Answer *answer,
                        uint64_t now_ms, struct outbox *out)
{
    bool is_done = answer->verdict == ARBITER__LOBBY__VERDICT__VERDICT_DONE;
    if (answer->verdict == ARBITER__LOBBY__VERDICT__VERDICT_SEATED_ELSEWHERE) {
        player->wants = WANTS_SEATS;
        return;
    }
    switch (player->wants) {
    case WANTS_NAME:
        player->wants = is_done ? WANTS_LIST : WANTS_NAME;
        player->names_taken += answer->verdict == ARBITER__LOBBY__VERDICT__VERDICT_NAME_TAKEN;
        break;
    case WANTS_LIST:
        if (answer->kind_case == ARBITER__LOBBY__ANSWER__KIND_TABLES && player->settings.watches)
            watch(player, answer->tables, now_ms, out);
        else if (answer->kind_case == ARBITER__LOBBY__ANSWER__KIND_TABLES &&
                 answer->tables->n_tables > 0)
            join(player, &answer->tables->tables[0]->table, now_ms, out);
        else if (answer->kind_case == ARBITER__LOBBY__ANSWER__KIND_TABLES)
            player->wants = player->settings.opens ? WANTS_TABLE : WANTS_LIST;
        else if (is_done)
            sat_down(player, answer->kind_case == ARBITER__LOBBY__ANSWER__KIND_TABLE ? answer->table
                                                                                     : NULL);
        break;
    case WANTS_SEATS:
        player->wants = WANTS_LIST;
        if (answer->kind_case == ARBITER__LOBBY__ANSWER__KIND_TABLES &&
            answer->tables->n_tables > 0)
            sat_down(player, answer->tables->tables[0]);
        break;
    case WANTS_TABLE:
        player->wants = WANTS_LIST;
        if (is_done && answer->kind_case == ARBITER__LOBBY__ANSWER__KIND_TABLE)
            sat_down(player, answer->table);
        if (player->wants == WANTS_MATCH && player->settings.bots)
            player->wants = WANTS_BOTS;
        break;
    case WANTS_BOTS: player->wants = WANTS_MATCH; break;
    case WANTS_OUT:
        player->wants = WANTS_LIST;
        player->has_table = false;
        break;
    case WANTS_MATCH: break;
    }
}

void player_answered(struct player *player, const struct client_event *event, uint64_t now_ms,
                     struct outbox *out)
{
    if (event->request != player->ask)
        return;
    player->ask = 0;
    Arbiter__Lobby__Answer *answer =
        arbiter__lobby__answer__unpack(NULL, event->size, event->bytes);
    if (answer == NULL)
        return;
    take_answer(player, answer, now_ms, out);
    arbiter__lobby__answer__free_unpacked(answer, NULL);
}

/* Nobody knows what became of it: another device asked meanwhile. */
void player_refused(struct player *player, const struct client_event *event)
{
    if (event->request != player->ask)
        return;
    player->ask = 0;
    if (player->wants == WANTS_LIST || player->wants == WANTS_TABLE)
        player->wants = WANTS_SEATS;
}

static bool has_view(const struct player *player, const ProtobufCBinaryData *match_id)
{
    for (uint32_t i = 0; i < PLAYER_SEATS_MAX; i++)
        if (player->seat[i].is_told && match_id->len == CLIENT_ID_SIZE &&
            memcmp(player->seat[i].match_id, match_id->data, CLIENT_ID_SIZE) == 0)
            return true;
    return false;
}

/* The table's end sends the player away, whatever became of the match. */
void player_at_table(struct player *player, const struct client_event *event)
{
    if (memcmp(event->table, player->table, sizeof player->table) != 0)
        return;
    if (event->kind == CLIENT_TABLE_LOST) {
        player->has_table = player->awaits_match = false;
        player->wants = WANTS_LIST;
        return;
    }
    if (event->kind != CLIENT_TABLE)
        return;
    Arbiter__Lobby__TableEvent *told =
        arbiter__lobby__table_event__unpack(NULL, event->size, event->bytes);
    if (told == NULL)
        return;
    if (told->kind_case == ARBITER__LOBBY__TABLE_EVENT__KIND_MATCH_BEGINS &&
        !has_view(player, &told->match_begins->match_id))
        player->awaits_match = true;
    if (told->kind_case == ARBITER__LOBBY__TABLE_EVENT__KIND_MATCH_ENDED) {
        player->wants = WANTS_OUT;
        player->awaits_match = false;
    }
    if (told->kind_case == ARBITER__LOBBY__TABLE_EVENT__KIND_TABLE_CLOSED) {
        player->has_table = player->awaits_match = false;
        player->wants = WANTS_LIST;
    }
    arbiter__lobby__table_event__free_unpacked(told, NULL);
}
