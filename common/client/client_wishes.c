/* client_wishes.c: what a caller wants, as messages for the core. */
#include <string.h>

#include "client/client_ask.h"
#include "client/client_shell.h"
#include "contract/lobby.pb-c.h"
#include "games/registry.h"
#include "wire/validate.h"

uint32_t client_ask(struct client *client, const ProtobufCMessage *ask)
{
    size_t size = protobuf_c_message_get_packed_size(ask);
    if (size > VALIDATE_BODY_MAX || !validate_message(ask))
        return 0;
    protobuf_c_message_pack(ask, client->packed);
    uint32_t number =
        client_core_ask(client->core, client->packed, size, client_now_ms(), &client->out);
    client_perform(client);
    return number;
}

/* Asks with one of the messages of lobby.proto's Ask. */
static uint32_t ask_kind(struct client *client, Arbiter__Lobby__Ask__KindCase kind, void *message)
{
    Arbiter__Lobby__Ask ask = ARBITER__LOBBY__ASK__INIT;
    ask.kind_case = kind;
    ask.rejoin = message; /* All of the oneof's members are pointers at one place. */
    return client_ask(client, &ask.base);
}

static ProtobufCBinaryData id_of(const uint8_t *id)
{
    return (ProtobufCBinaryData){ id == NULL ? 0 : CLIENT_ID_SIZE, (uint8_t *) id };
}

uint32_t client_bind_name(struct client *client, const char *name)
{
    Arbiter__Lobby__BindName bind = ARBITER__LOBBY__BIND_NAME__INIT;
    bind.name = (char *) name;
    return ask_kind(client, ASK(BIND_NAME), &bind);
}

uint32_t client_list_tables(struct client *client, const char *game)
{
    Arbiter__Lobby__ListTables list = ARBITER__LOBBY__LIST_TABLES__INIT;
    list.game = (char *) game;
    return ask_kind(client, ASK(LIST_TABLES), &list);
}

uint32_t client_create_table(struct client *client, const struct client_table *table)
{
    Arbiter__Lobby__CreateTable create = ARBITER__LOBBY__CREATE_TABLE__INIT;
    create.game = (char *) table->game;
    create.setup_name = (char *) table->setup_name;
    create.setup = (char *) table->setup;
    create.options = (char *) table->options;
    create.has_seats = table->seats > 0;
    create.seats = table->seats;
    create.has_turn_ms = table->turn_ms > 0;
    create.turn_ms = table->turn_ms;
    create.has_seed = table->seed != NULL;
    create.seed = table->seed == NULL ? 0 : *table->seed;
    create.has_private_table = create.private_table = table->is_private;
    create.has_spectators = table->is_closed;
    create.has_seated = table->not_seated;
    return ask_kind(client, ASK(CREATE_TABLE), &create);
}

uint32_t client_join_table(struct client *client, const uint8_t *table, const char *code)
{
    Arbiter__Lobby__JoinTable join = ARBITER__LOBBY__JOIN_TABLE__INIT;
    join.has_table = table != NULL;
    join.table = id_of(table);
    join.code = (char *) code;
    return ask_kind(client, ASK(JOIN_TABLE), &join);
}

uint32_t client_quick_play(struct client *client, const char *game, const char *setup_name)
{
    Arbiter__Lobby__QuickPlay play = ARBITER__LOBBY__QUICK_PLAY__INIT;
    play.game = (char *) game;
    play.setup_name = (char *) setup_name;
    return ask_kind(client, ASK(QUICK_PLAY), &play);
}

uint32_t client_rejoin(struct client *client)
{
    Arbiter__Lobby__Rejoin rejoin = ARBITER__LOBBY__REJOIN__INIT;
    return ask_kind(client, ASK(REJOIN), &rejoin);
}

uint32_t client_spectate(struct client *client, const uint8_t *table, const char *code)
{
    Arbiter__Lobby__Spectate spectate = ARBITER__LOBBY__SPECTATE__INIT;
    spectate.has_table = table != NULL;
    spectate.table = id_of(table);
    spectate.code = (char *) code;
    return ask_kind(client, ASK(SPECTATE), &spectate);
}

uint32_t client_leave_table(struct client *client, const uint8_t *table)
{
    Arbiter__Lobby__LeaveTable leave = ARBITER__LOBBY__LEAVE_TABLE__INIT;
    leave.has_table = true;
    leave.table = id_of(table);
    return ask_kind(client, ASK(LEAVE_TABLE), &leave);
}

uint32_t client_start_table(struct client *client, const uint8_t *table)
{
    Arbiter__Lobby__StartTable start = ARBITER__LOBBY__START_TABLE__INIT;
    start.has_table = true;
    start.table = id_of(table);
    return ask_kind(client, ASK(START_TABLE), &start);
}

uint32_t client_fill_with_bots(struct client *client, const uint8_t *table, uint32_t count,
                               const char *policy)
{
    Arbiter__Lobby__FillWithBots fill = ARBITER__LOBBY__FILL_WITH_BOTS__INIT;
    fill.has_table = true;
    fill.table = id_of(table);
    fill.has_count = count > 0;
    fill.count = count;
    fill.policy = (char *) policy;
    return ask_kind(client, ASK(FILL_WITH_BOTS), &fill);
}

uint32_t client_chat(struct client *client, const uint8_t *table, const char *text)
{
    Arbiter__Lobby__Chat chat = ARBITER__LOBBY__CHAT__INIT;
    chat.has_table = true;
    chat.table = id_of(table);
    chat.text = (char *) text;
    return ask_kind(client, ASK(CHAT), &chat);
}

uint32_t client_say_bytes(struct client *client, const uint8_t *table, const uint8_t *command,
                          size_t size)
{
    Arbiter__Lobby__Say say = ARBITER__LOBBY__SAY__INIT;
    say.has_table = say.has_command = true;
    say.table = id_of(table);
    say.command = (ProtobufCBinaryData){ size, (uint8_t *) command };
    return ask_kind(client, ASK(SAY), &say);
}

/* A command's words as bytes, in memory of the reading arena; 0: there is no room, or no such game. */
static size_t encode(struct client *client, const struct game_wire *game,
                     const struct command *command, uint8_t **bytes)
{
    const struct client_plans *plans = client_plans_of(client, game);
    *bytes = plans == NULL ? NULL : arena_take(&client->reading, VALIDATE_BODY_MAX);
    if (*bytes == NULL || command->kind == 0)
        return 0;
    return plan_encode_command(plans->command, command, *bytes, VALIDATE_BODY_MAX);
}

uint32_t client_say(struct client *client, const uint8_t *table, const char *game,
                    const struct command *command)
{
    uint8_t *bytes;
    size_t   size = encode(client, registry_find(game, 0), command, &bytes);
    return size == 0 ? 0 : client_say_bytes(client, table, bytes, size);
}

bool client_attach(struct client *client, const uint8_t *match_id, uint32_t seat, const char *code)
{
    bool is_open =
        client_core_attach(client->core, match_id, seat, code, client_now_ms(), &client->out);
    client_perform(client);
    return is_open;
}

bool client_attach_for(struct client *client, const uint8_t *match_id, uint32_t seat,
                       const ProtobufCMessage *ticket)
{
    bool is_open =
        client_core_attach_for(client->core, match_id, seat, ticket, client_now_ms(), &client->out);
    client_perform(client);
    return is_open;
}

void client_detach(struct client *client, const uint8_t *match_id, uint32_t seat)
{
    client_core_detach(client->core, match_id, seat, &client->out);
    client_perform(client);
}

uint32_t client_play_bytes(struct client *client, const uint8_t *match_id, uint32_t seat,
                           const uint8_t *command, size_t size)
{
    uint32_t number = client_core_play(client->core, match_id, seat, command, size, client_now_ms(),
                                       &client->out);
    client_perform(client);
    return number;
}

uint32_t client_play(struct client *client, const uint8_t *match_id, uint32_t seat,
                     const struct command *command)
{
    struct client_event match = { .kind = CLIENT_NOTHING };
    uint8_t            *bytes;
    memcpy(match.match_id, match_id, CLIENT_ID_SIZE);
    size_t size = encode(client, client_game(client, &match), command, &bytes);
    return size == 0 ? 0 : client_play_bytes(client, match_id, seat, bytes, size);
}

uint32_t client_look(struct client *client, const uint8_t *match_id, uint32_t seat)
{
    uint32_t number = client_core_look(client->core, match_id, seat, client_now_ms(), &client->out);
    client_perform(client);
    return number;
}

uint32_t client_legal(struct client *client, const uint8_t *match_id, uint32_t seat, uint64_t luck,
                      bool best)
{
    uint32_t number =
        client_core_legal(client->core, match_id, seat, luck, best, client_now_ms(), &client->out);
    client_perform(client);
    return number;
}

uint32_t client_file(struct client *client, const uint8_t *match_id, const char *code)
{
    uint32_t number =
        client_core_file(client->core, match_id, (const uint8_t *) code,
                         code == NULL ? 0 : strlen(code), client_now_ms(), &client->out);
    client_perform(client);
    return number;
}
