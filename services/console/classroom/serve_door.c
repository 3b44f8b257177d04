/* serve_door.c: frames of clients: who speaks, at the table and in the match. */
#include "services/console/classroom/serve_door.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "client/client_ask.h"
#include "contract/directory.pb-c.h"
#include "contract/plain.pb-c.h"
#include "services/console/command/console.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/progress.h"
#include "wire/names.h"
#include "wire/validate.h"

#define LOOK_MS 100

static bool fail(struct text *fault, const char *what, const char *why)
{
    text_clear(fault);
    text_put(fault, what);
    text_put(fault, why);
    return false;
}

bool serve_listen(struct serve_door *door, const char *address, bool is_open, struct text *fault)
{
    const struct bus_settings settings = {
        .is_plain = true,
        .is_open = is_open,
        .is_patient = true,
        .tells_misfits = true,
        .frames_max = SERVE_FRAMES_MAX,
        .porter = { .connections_max = SERVE_CONNECTIONS_MAX,
                    .knocks_burst = SERVE_KNOCKS_BURST,
                    .knocks_per_second = SERVE_KNOCKS_PER_S,
                    .unheard_bytes = SERVE_UNHEARD_BYTES },
    };
    const struct bus_place place = { .kind = BUS_ROUTER, .address = address };
    door->bus = bus_start(&settings, fault);
    door->chooser = PLAIN_NO_SEAT;
    door->socket = door->bus == NULL ? NULL : bus_open(door->bus, &place, fault);
    return door->socket != NULL;
}

void serve_close(struct serve_door *door)
{
    for (uint32_t i = 0; i < PLAIN_PLAYERS_MAX; i++)
        serve_log_close(&door->log[i]);
    serve_log_close(&door->public_log);
    client_close(&door->client);
    impatience_close(&door->clock);
    bus_close(&door->socket);
    bus_stop(&door->bus);
}

static bool bind_name(struct serve_door *door, const struct plain_player *player, const char *name)
{
    Arbiter__Lobby__BindName bind = ARBITER__LOBBY__BIND_NAME__INIT;
    bind.name = (char *) name;
    return serve_ask(door, player, ASK(BIND_NAME), &bind) && door->is_done;
}

static bool join(struct serve_door *door, const struct plain_player *player)
{
    Arbiter__Lobby__JoinTable join_table = ARBITER__LOBBY__JOIN_TABLE__INIT;
    join_table.has_table = true;
    join_table.table = (ProtobufCBinaryData){ CLIENT_ID_SIZE, door->table };
    return serve_ask(door, player, ASK(JOIN_TABLE), &join_table) && door->is_done;
}

static bool create_table(struct serve_door *door, const struct serve_table *table)
{
    Arbiter__Lobby__CreateTable create = ARBITER__LOBBY__CREATE_TABLE__INIT;
    create.game = (char *) table->table->wire->game->name;
    create.setup = table->table->config;
    create.options = table->table->options;
    create.has_seats = create.has_turn_ms = create.has_seed = create.has_seated = true;
    create.seats = table->table->seats;
    create.turn_ms = table->turn_ms;
    create.seed = table->seed; /* And `seated` is false: the door does not play. */
    create.has_registration = true;
    create.registration = table->table->wire->game->registration != NULL;
    return serve_ask(door, NULL, ASK(CREATE_TABLE), &create) && door->is_done;
}

/* Whoever keeps the time of a class learns how far this match is. */
static void share_phase(struct serve_door *door, enum serve_phase phase)
{
    if (door->share == NULL)
        return;
    memcpy(door->share->table, door->table, CLIENT_ID_SIZE);
    memcpy(door->share->match_id, door->match_id, CLIENT_ID_SIZE);
    atomic_store(&door->share->phase, (int) phase);
}

bool serve_open_table(struct serve_door *door, struct cluster *cluster,
                      const struct serve_table *table, struct text *fault)
{
    char                         key[PATH_MAX], why[200] = "", name[32], called[32];
    const struct home           *home = &cluster->home;
    const struct client_settings settings = { .lobby = home->lobby,
                                              .lobby_stream = home->lobby_stream,
                                              .lobby_key = home->lobby_key,
                                              .key_file = key,
                                              .name = door->number > 0 ? name : "gateway-1",
                                              .role = ROLE(GATEWAY),
                                              .seats_max = PLAIN_PLAYERS_MAX + 1,
                                              .from_start = true };
    door->cluster = cluster;
    plain_init(&door->plain, table->table->wire);
    (void) snprintf(name, sizeof name, door->number > 0 ? SERVE_DOOR_NAME : "gateway",
                    door->number);
    (void) snprintf(called, sizeof called, door->number > 0 ? "plain door %u" : "plain door",
                    door->number);
    if (!home_path(home, key, "keys", name, ".key"))
        return fail(fault, "the path is too long: ", home->folder);
    door->client = client_open(&settings, why, sizeof why);
    if (door->client == NULL)
        return fail(fault, "the door cannot reach the house: ", why);
    if (bind_name(door, NULL, called) && create_table(door, table)) {
        share_phase(door, SERVE_TABLE);
        return true;
    }
    size_t size = strlen(door->sentence);
    if (size > 0 && door->sentence[size - 1] == '.')
        door->sentence[size - 1] = '\0';
    return fail(fault, "the lobby opens no table: ",
                door->sentence[0] != '\0' ? door->sentence : "it does not answer");
}

/* A client that is nobody's yet; made when it is needed. NULL: there is no room, or no answer. */
static struct plain_player *spare(struct serve_door *door)
{
    uint8_t              id[PLAIN_ID_SIZE];
    char                 name[32];
    struct plain_player *player = plain_spare(&door->plain);
    if (player != NULL)
        return player;
    if (getrandom(id, sizeof id, 0) != (ssize_t) sizeof id)
        return NULL;
    player = plain_add(&door->plain, id);
    if (player == NULL)
        return NULL;
    if (door->number > 0) /* Names are the whole house's. */
        (void) snprintf(name, sizeof name, "%u player %u", door->number, door->plain.count);
    else
        (void) snprintf(name, sizeof name, "player %u", door->plain.count);
    bool is_known = bind_name(door, player, name);
    if (is_known && door->plain.wire->game->registration != NULL)
        is_known = join(door, player); /* Without a seat: the game's own words give the player
                                        * one. */
    if (is_known)
        return player;
    door->plain.count--; /* It was the last one. */
    return NULL;
}

static void refuse_in_words(struct serve_door *door, const char *sentence)
{
    door->is_answered = true;
    door->is_done = false;
    (void) snprintf(door->sentence, sizeof door->sentence, "%s", sentence);
}

/* The game's own words. A refused one changes nothing for the player who said it. */
static void say(struct serve_door *door, struct plain_player *player,
                const ProtobufCBinaryData *command)
{
    Arbiter__Lobby__Say ask = ARBITER__LOBBY__SAY__INIT;
    const char         *name;
    size_t              size;
    bool is_named = plain_find_name(door->plain.wire, command->data, command->len, &name, &size);
    if (is_named && size > PLAIN_NAME_MAX) {
        refuse_in_words(door, "A name has at most 255 bytes.");
        return;
    }
    serve_note_command(door->record, door, player->route, command->data, command->len);
    serve_note_said(door->record, 0);
    ask.has_table = ask.has_command = true;
    ask.table = (ProtobufCBinaryData){ CLIENT_ID_SIZE, door->table };
    ask.command = *command;
    door->has_spoken = true;
    if (serve_ask(door, player, ASK(SAY), &ask) && door->is_done && is_named &&
        plain_call(player, name, size))
        serve_note_player(door->record, player->route, player->name);
}

static void sit_down(struct serve_door *door, struct plain_player *player,
                     const Arbiter__Plain__SitDown *ask)
{
    const char *name = ask->name != NULL ? ask->name : "";
    if (door->plain.wire->game->registration != NULL)
        refuse_in_words(door, "This game has a registration: use its own command for it.");
    else if (player->is_owned)
        refuse_in_words(door, "You sit already.");
    else if (!plain_call(player, name, strlen(name)))
        refuse_in_words(door, "A name has at most 255 bytes.");
    else if (join(door, player))
        serve_note_player(door->record, player->route, player->name);
}

static void start(struct serve_door *door, const struct plain_player *player)
{
    Arbiter__Lobby__StartTable ask = ARBITER__LOBBY__START_TABLE__INIT;
    ask.has_table = true;
    ask.table = (ProtobufCBinaryData){ CLIENT_ID_SIZE, door->table };
    if (door->plain.wire->game->registration != NULL)
        refuse_in_words(door, "This game has a registration: use its own command to begin.");
    else if (!player->is_owned)
        refuse_in_words(door, "Who does not sit here does not begin.");
    else
        (void) serve_ask(door, NULL, ASK(START_TABLE), &ask);
}

static void at_table(struct serve_door *door, uint64_t route, const Arbiter__Plain__Up *up)
{
    struct plain_player *player = plain_of_route(&door->plain, route);
    if (player == NULL)
        player = spare(door);
    if (player == NULL) {
        serve_refuse(door, route, "There is no room for you.");
        return;
    }
    bool was_owned = player->is_owned;
    player->route = route;
    player->is_spoken = true;
    door->is_answered = door->is_done = false;
    if (up->kind_case == ARBITER__PLAIN__UP__KIND_SIT_DOWN)
        sit_down(door, player, up->sit_down);
    else if (up->kind_case == ARBITER__PLAIN__UP__KIND_START)
        start(door, player);
    else if (door->plain.wire->game->registration != NULL)
        say(door, player, &up->command);
    else
        refuse_in_words(door, "The match has not begun; sit down first.");
    player->is_owned = was_owned || door->is_done;
    if (!player->is_owned)
        door->log[player - door->plain.player].size = 0; /* The next one speaks through it. */
    if (door->is_done && up->has_secret)
        serve_keep_secret(door, player, &up->secret);
    if (door->is_answered && !door->is_done)
        serve_refuse(door, route, door->sentence);
    serve_note_done(door->record);
    player->is_spoken = door->has_spoken = false;
}

/* Said by whoever is not answered. */
static void note_in_vain(struct serve_door *door, uint64_t route, const Arbiter__Plain__Up *up)
{
    if (up->kind_case != ARBITER__PLAIN__UP__KIND_COMMAND)
        return;
    serve_note_command(door->record, door, route, up->command.data, up->command.len);
    serve_note_said(door->record, door->acts);
    serve_note_done(door->record);
}

/* An accepted command stands in the match; one that was refused is noted behind the act that it met. */
static void await_reply(struct serve_door *door, uint64_t route, const Arbiter__Plain__Up *up,
                        uint32_t request)
{
    serve_note_command(door->record, door, route, up->command.data, up->command.len);
    (void) serve_await(door, request);
    serve_note_done(door->record);
}

/* A client without a seat is not answered any more: it could only disturb. */
static void in_match(struct serve_door *door, uint64_t route, const Arbiter__Plain__Up *up)
{
    struct plain_player *player = plain_of_route(&door->plain, route);
    if (player == NULL || player->seat == PLAIN_NO_SEAT || player->has_left) {
        note_in_vain(door, route, up);
        return;
    }
    if (up->kind_case != ARBITER__PLAIN__UP__KIND_COMMAND) {
        serve_refuse(door, route, "The match has begun.");
        return;
    }
    uint32_t request = client_play_bytes(door->client, door->match_id, player->seat,
                                         up->command.data, up->command.len);
    if (request == 0)
        serve_refuse(door, route, "This cannot be said now: the match is over, or it is too long.");
    else
        await_reply(door, route, up, request);
}

/* What is wrong with a frame whatever the match is at; NULL: nothing. */
static const char *fault_of(const Arbiter__Plain__Up *up)
{
    if (up == NULL || up->kind_case == ARBITER__PLAIN__UP__KIND__NOT_SET)
        return "This frame is no Up of plain.proto.";
    bool is_empty = up->kind_case == ARBITER__PLAIN__UP__KIND_COMMAND && up->command.len == 0;
    return is_empty ? "This is no command of the game." : NULL;
}

static void hear(struct serve_door *door, const struct bus_message *message)
{
    static uint8_t memory[VALIDATE_ARENA_BYTES];
    struct arena   arena;
    arena_init(&arena, memory, sizeof memory);
    door->heard_s = seconds_now();
    if (door->share != NULL)
        atomic_store(&door->share->heard_ms, (uint64_t) (door->heard_s * 1000));
    const Arbiter__Plain__Up *up = (const Arbiter__Plain__Up *) (const void *) validate_unpack(
        &arbiter__plain__up__descriptor, message->bytes, message->size, &arena);
    const char *fault = fault_of(up);
    if (fault != NULL) {
        if (!door->has_begun || plain_of_route(&door->plain, message->route) != NULL)
            serve_refuse(door, message->route, fault);
    } else if (up->kind_case == ARBITER__PLAIN__UP__KIND_WATCH) {
        serve_watch(door, message->route);
    } else if (up->kind_case == ARBITER__PLAIN__UP__KIND_REJOIN) {
        serve_rejoin(door, message->route, &up->rejoin->secret);
    } else if (door->has_begun) {
        in_match(door, message->route, up);
    } else {
        at_table(door, message->route, up);
    }
}

/* The lobby's word for the engine that we speak for this player; then the player's seat. */
static bool take_seat(struct serve_door *door, const struct plain_player *player)
{
    static uint8_t            memory[VALIDATE_ARENA_BYTES];
    struct arena              arena;
    Arbiter__Lobby__AskTicket ask = ARBITER__LOBBY__ASK_TICKET__INIT;
    ask.has_player = true;
    ask.player = (ProtobufCBinaryData){ PLAIN_ID_SIZE, (uint8_t *) player->id };
    door->ticket_size = 0;
    if (!serve_ask(door, NULL, ASK(ASK_TICKET), &ask) || !door->is_done)
        return false;
    arena_init(&arena, memory, sizeof memory);
    const ProtobufCMessage *ticket = validate_unpack(&arbiter__wire__signed_ticket__descriptor,
                                                     door->memory, door->ticket_size, &arena);
    return ticket != NULL && client_attach_for(door->client, door->match_id, player->seat, ticket);
}

static bool is_attached(const struct serve_door *door)
{
    for (uint32_t i = 0; i < door->plain.count; i++)
        if (door->plain.player[i].seat != PLAIN_NO_SEAT && !door->plain.player[i].is_attached)
            return false;
    return true;
}

static void take_seats(struct serve_door *door)
{
    serve_begins_for_all(door);
    for (uint32_t seat = 0; seat < SEATS_MAX && !interrupted(); seat++) {
        struct plain_player *player = plain_of_seat(&door->plain, seat);
        if (player == NULL)
            break;
        serve_begins(door, player);
        if (take_seat(door, player))
            continue;
        door->is_over = door->has_failed = true;
        (void) snprintf(door->sentence, sizeof door->sentence, "a seat could not be taken");
        return;
    }
    door->is_seated = true;
    door->heard_s = 0;
    share_phase(door, SERVE_MATCH);
    impatience_follow(&door->clock, door->match_id);
}

static void end_unbegun(struct serve_door *door)
{
    door->is_over = true;
    door->ending = SERVE_NOT_BEGUN;
}

/* The original's timeout: nobody has said anything for so long. */
static void keep_time(struct serve_door *door)
{
    double now = seconds_now();
    impatience_look(&door->clock, now);
    if (door->heard_s == 0)
        door->heard_s = now;
    if (now - door->heard_s < door->patience_s)
        return;
    door->heard_s = now;
    if (door->has_begun)
        impatience_expire_match(&door->clock);
    else if (door->plain.wire->game->registration != NULL)
        impatience_expire_table(&door->clock, door->table);
    else
        end_unbegun(door);
}

/* Whoever is offered something for so long is named to those who wait. */
#define CHOICE_S 10.0

static void name_chooser(struct serve_door *door)
{
    const struct plain_player *player = plain_of_seat(&door->plain, door->chooser);
    if (player == NULL || door->is_chooser_named || seconds_now() - door->chooses_s < CHOICE_S)
        return;
    door->is_chooser_named = true;
    complain("all wait for \"%s\" at seat %u, who chooses characters.", player->name, player->seat);
}

/* Nothing is there: waits a little. */
static void rest(struct serve_door *door, const int *file, bool may_hear)
{
    serve_count_drowned(door);
    name_chooser(door);
    if (door->share != NULL && atomic_load(&door->share->is_late) && !door->has_begun)
        end_unbegun(door);
    client_wait(door->client, file, may_hear ? 1 : 0, LOOK_MS);
}

void serve_run(struct serve_door *door)
{
    const int           file = bus_file(door->socket);
    struct bus_message  message;
    struct client_event event;
    while (!door->is_over && !interrupted()) {
        (void) children_tend(&door->cluster->children, seconds_now());
        if (client_next(door->client, 0, &event)) {
            serve_take(door, &event);
            continue;
        }
        if (door->has_begun && !door->is_seated) {
            take_seats(door);
            continue;
        }
        if (door->patience_s > 0)
            keep_time(door);
        bool          may_hear = !door->has_begun || is_attached(door);
        enum bus_news news = may_hear ? bus_receive(door->socket, &message) : BUS_NOTHING;
        if (news == BUS_MESSAGE)
            hear(door, &message);
        else if (news == BUS_MISFIT)
            serve_misfit(door, &message);
        else
            rest(door, &file, may_hear);
    }
}
