/* rest_door.c: requests, held until the house has told what became of them. Pure. */
#include <assert.h>
#include <stdalign.h>
#include <string.h>

#include "services/gateway/rest_half.h"
#include "services/gateway/rest_parts.h"

#define RETRY_MS 500u
#define LEAVE_RETRY_MS 5000u

void rest_defaults(struct rest_settings *settings)
{
    static const char classic[] = "classic";
    memset(settings, 0, sizeof *settings);
    memcpy(settings->setup_name, classic, sizeof classic);
    settings->fields = 32;
    settings->players_max = 4096;
    settings->retention_ms = 600000;
}

static size_t rounded(size_t size)
{
    return (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
}

static size_t player_bytes(const struct rest_settings *settings)
{
    return 2 * REST_HALF_MAX(settings->fields) + 4 * (size_t) settings->fields;
}

size_t rest_bytes(const struct rest_settings *settings)
{
    return rounded(settings->players_max * sizeof(struct rest_player)) +
           rounded((size_t) settings->players_max * CLIENT_ID_SIZE) +
           rounded(settings->players_max * player_bytes(settings));
}

void rest_init(struct rest *rest, void *memory, const struct rest_settings *settings,
               struct client_core *client)
{
    uint8_t *at = memory;
    memset(rest, 0, sizeof *rest);
    memset(memory, 0, rest_bytes(settings));
    rest->settings = *settings;
    rest->client = client;
    rest->registering = settings->players_max;
    rest->players = (struct rest_player *) (void *) at;
    at += rounded(settings->players_max * sizeof(struct rest_player));
    rest->spares = (uint8_t(*)[CLIENT_ID_SIZE])(void *) at;
    at += rounded((size_t) settings->players_max * CLIENT_ID_SIZE);
    for (uint32_t i = 0; i < settings->players_max; i++, at += player_bytes(settings)) {
        rest->players[i].half = (char *) at;
        rest->players[i].sent = (char *) at + REST_HALF_MAX(settings->fields);
        rest->players[i].field = at + 2 * REST_HALF_MAX(settings->fields);
    }
}

/* Whose id this is, and who knows it. */
static struct rest_player *find_id(struct rest *rest, int32_t id)
{
    for (uint32_t i = 0; i < rest->settings.players_max; i++) {
        struct rest_player *player = &rest->players[i];
        if (player->state >= REST_ENTERED && player->id == id && id != 0)
            return player;
    }
    return NULL;
}

/* Whether the half that came last is his first one. */
static bool is_same_half(const struct rest_player *player)
{
    return rest_half_same(player->half, player->half_size, player->sent, player->sent_size);
}

/* Answers after the end. */

static void answer_late_map(const struct rest_turn *turn, struct rest_player *player,
                            struct rest_held *held)
{
    bool is_same = !held->is_malformed && player->has_half && is_same_half(player);
    held->is_held = false;
    rest_answer_map(turn, held->route, player, !player->is_joined || !is_same);
}

static void answer_late_update(const struct rest_turn *turn, const struct rest_player *player,
                               uint64_t route)
{
    if (player->is_joined && !player->lost_on_message)
        rest_answer_update(turn, route, player);
    else
        rest_answer_problem(turn, route, player);
}

static void answer_displaced(const struct rest_turn *turn, struct rest_player *player,
                             struct rest_held *held)
{
    uint64_t route = held->displaced;
    held->displaced = 0;
    if (held == &player->map)
        rest_answer_map(turn, route, player, true);
    else if (player->state == REST_OVER)
        answer_late_update(turn, player, route);
    else
        rest_answer_problem(turn, route, player);
}

static void answer_late(const struct rest_turn *turn, struct rest_player *player)
{
    if (player->is_in_flight)
        answer_late_update(turn, player, player->flight);
    player->is_in_flight = false;
    if (player->map.is_held)
        answer_late_map(turn, player, &player->map);
    if (player->update.is_held)
        answer_late_update(turn, player, player->update.route);
    player->update.is_held = false;
    answer_displaced(turn, player, &player->map);
    answer_displaced(turn, player, &player->update);
}

void rest_finish(const struct rest_turn *turn, struct rest_player *player)
{
    if (player->state == REST_OVER)
        return;
    struct rest *rest = turn->rest;
    if (rest->has_open && memcmp(rest->open, player->table, CLIENT_ID_SIZE) == 0)
        rest->has_open = false;
    player->state = REST_OVER;
    player->wants_out = player->wants_out || player->is_back;
    rest_changed(turn, player);
    player->until_ms = turn->now_ms + rest->settings.retention_ms;
    rest_answer_id(turn, player);
    answer_late(turn, player);
}

/* Saying things. */

static uint64_t think_of(const struct rest_player *player, const struct rest_held *held)
{
    uint64_t since = player->is_joined ? player->turn_ms : player->half_ms;
    bool     runs = since != 0 && (!player->is_joined || player->is_turn);
    return runs && held->came_ms > since ? held->came_ms - since : 0;
}

static void say(const struct rest_turn *turn, struct rest_player *player, enum rest_said said,
                const uint8_t *command, size_t size)
{
    struct client_core *client = turn->rest->client;
    player->said = said;
    player->retry_ms = turn->now_ms + RETRY_MS;
    if (player->state == REST_PLAYING) {
        player->command = client_core_play(client, player->match_id, player->seat, command, size,
                                           turn->now_ms, turn->out);
        return;
    }
    uint8_t *bytes = outbox_take(turn->out, REST_ASK_MAX + size);
    size = rest_ask_say(bytes, player->player, player->table, command, size);
    player->ask = client_core_ask(client, bytes, size, turn->now_ms, turn->out);
}

static void say_malformed(const struct rest_turn *turn, struct rest_player *player,
                          struct rest_held *held)
{
    uint8_t command[REST_ASK_MAX];
    say(turn, player, REST_MALFORMED, command,
        rest_command_malformed(command, think_of(player, held), held == &player->map));
}

/* His first half goes first, whatever came since. */
static void say_half(const struct rest_turn *turn, struct rest_player *player)
{
    bool     is_first = !player->is_first_said;
    char    *half = is_first ? player->half : player->sent;
    uint32_t half_size = is_first ? player->half_size : player->sent_size;
    uint8_t *command = outbox_take(turn->out, REST_ASK_MAX + half_size);
    size_t   size = rest_command_half(command, think_of(player, &player->map), half, half_size);
    say(turn, player, REST_HALF, command, size);
    if (player->ask == 0 && player->command == 0)
        return;
    player->is_first_said = true;
    player->map.is_said = !is_first || is_same_half(player);
}

static void say_update(const struct rest_turn *turn, struct rest_player *player)
{
    uint8_t command[REST_ASK_MAX];
    size_t  size = rest_command_update(command, think_of(player, &player->update), &player->update);
    say(turn, player, REST_UPDATE, command, size);
    if (player->command == 0)
        return;
    player->is_turn = player->may_repeat = false;
    player->is_in_flight = true;
    player->flight = player->update.route;
    player->update.is_held = false;
}

static struct rest_player *mate_of(struct rest *rest, const struct rest_player *player)
{
    for (uint32_t i = 0; i < rest->settings.players_max; i++) {
        struct rest_player *other = &rest->players[i];
        if (other != player && other->has_match &&
            memcmp(other->match_id, player->match_id, CLIENT_ID_SIZE) == 0)
            return other;
    }
    return NULL;
}

/* Halves are judged in the order in which they came: the other's is on its way still. */
static bool is_behind(const struct rest_turn *turn, const struct rest_player *player)
{
    const struct rest_player *mate =
        player->state == REST_PLAYING ? mate_of(turn->rest, player) : NULL;
    return mate != NULL && mate->map.is_held && mate->map.order < player->map.order &&
           (!mate->map.is_said || mate->command != 0);
}

/* Whether this is the action that was under way when the last process ended, or when his line was cut, said
 * again by who was not answered, and it had been carried out: then he is told so now. To judge it a second
 * time would make a mistake of it. */
static bool was_done(const struct rest_player *player, const struct rest_held *update)
{
    const struct rest_view *view = &player->view;
    const int32_t          *place = update->place;
    if (!player->may_repeat || update->is_malformed || update->turns < 0)
        return false;
    if (update->turns == 0)
        return !view->has_pending && view->x == place[2] && view->y == place[3] &&
               (place[0] != place[2] || place[1] != place[3]);
    return view->has_pending && view->x == place[0] && view->y == place[1] &&
           view->pending_x == place[2] && view->pending_y == place[3] &&
           view->pending_next == update->turns - 1;
}

/* The next thing he says, or nothing yet. */
static void say_next(const struct rest_turn *turn, struct rest_player *player)
{
    struct rest_held *map = &player->map, *update = &player->update;
    bool              has_new_half = map->is_held && !map->is_malformed && !map->is_said;
    if (player->state == REST_PLAYING && (!player->is_asked || player->acts < player->acts_there))
        return; /* Dice are being made, or what has happened is being told. */
    if (update->is_held && player->state == REST_PLAYING && was_done(player, update)) {
        update->is_held = player->may_repeat = false;
        rest_answer_update(turn, update->route, player);
        return;
    }
    bool is_hasty = update->is_held && !player->has_half && !has_new_half;
    if (map->is_held && map->is_malformed)
        say_malformed(turn, player, map);
    else if (update->is_held && update->is_malformed)
        say_malformed(turn, player, update);
    else if (has_new_half && !is_behind(turn, player))
        say_half(turn, player);
    else if (is_hasty && player->state != REST_PLAYING)
        say_malformed(turn, player, update);
    else if (update->is_held && player->state == REST_PLAYING && (player->is_turn || is_hasty))
        say_update(turn, player);
}

static void ask_ticket(const struct rest_turn *turn, struct rest_player *player)
{
    uint8_t bytes[REST_ASK_MAX];
    size_t  size = rest_ask_ticket(bytes, player->player);
    player->state = REST_ATTACHING;
    player->retry_ms = turn->now_ms + RETRY_MS;
    player->ask = client_core_ask(turn->rest->client, bytes, size, turn->now_ms, turn->out);
}

static void leave_table(const struct rest_turn *turn, struct rest_player *player)
{
    uint8_t bytes[REST_ASK_MAX];
    size_t  size = rest_ask_leave(bytes, player->player, player->table);
    player->said = REST_LEAVE;
    player->retry_ms = turn->now_ms + LEAVE_RETRY_MS;
    player->ask = client_core_ask(turn->rest->client, bytes, size, turn->now_ms, turn->out);
}

/* He has waited alone long enough. Whoever comes first, bot or person, is his opponent. */
static bool wants_a_bot(const struct rest_turn *turn, const struct rest_player *player)
{
    const struct rest *rest = turn->rest;
    return rest->settings.bot_ms > 0 && player->state == REST_ENTERED && !player->has_match &&
           player->alone_ms != 0 && rest->has_open &&
           memcmp(rest->open, player->table, CLIENT_ID_SIZE) == 0 &&
           turn->now_ms >= player->alone_ms + rest->settings.bot_ms;
}

static void call_a_bot(const struct rest_turn *turn, struct rest_player *player)
{
    uint8_t bytes[REST_ASK_MAX];
    size_t  size = rest_ask_fill(bytes, player->player, player->table);
    player->said = REST_FILL;
    player->alone_ms = turn->now_ms; /* Should there be none now, one may be called again. */
    player->ask = client_core_ask(turn->rest->client, bytes, size, turn->now_ms, turn->out);
}

void rest_pump(const struct rest_turn *turn, struct rest_player *player)
{
    if (player->has_ended && player->state != REST_OVER && player->state >= REST_ENTERED)
        rest_finish(turn, player);
    if (player->ask != 0 || player->command != 0)
        return;
    if (player->state == REST_OVER && player->wants_out)
        leave_table(turn, player);
    else if (wants_a_bot(turn, player))
        call_a_bot(turn, player);
    else if (player->must_rejoin)
        rest_rejoin(turn, player);
    else if (player->state == REST_ENTERED && player->has_match)
        ask_ticket(turn, player);
    else if (player->state == REST_ENTERED || player->state == REST_PLAYING)
        say_next(turn, player);
}

/* Whose half is known, and joined, has nothing to wait for. Who begins thinks from the answer he waited for on;
 * who asks for the map once more gains no time by it. */
void rest_answer_joined(const struct rest_turn *turn, struct rest_player *player)
{
    struct rest_held *map = &player->map;
    if (!player->is_joined || !map->is_held || !map->is_said || player->command != 0 ||
        player->state == REST_OVER)
        return;
    map->is_held = false;
    rest_answer_map(turn, map->route, player, false);
    if (player->is_turn && map->came_ms <= player->turn_ms)
        player->turn_ms = turn->now_ms;
}

void rest_pump_mate(const struct rest_turn *turn, const struct rest_player *player)
{
    struct rest_player *mate = mate_of(turn->rest, player);
    if (mate != NULL && mate->state == REST_PLAYING)
        rest_pump(turn, mate);
}

/* Requests. */

/* A second request takes the place of the first, which is answered: at once, unless the second one loses;
 * then it is among those that are held at the end. */
static struct rest_held *hold(const struct rest_turn *turn, struct rest_player *player,
                              uint64_t route, const Arbiter__Gateway__RestAsk *ask, bool loses)
{
    bool              is_map = ask->path == ARBITER__GATEWAY__REST_PATH__REST_PATH_MAP;
    struct rest_held *held = is_map ? &player->map : &player->update;
    if (held->displaced != 0)
        answer_displaced(turn, player, held);
    held->displaced = held->is_held ? held->route : 0;
    if (!loses)
        answer_displaced(turn, player, held);
    *held = (struct rest_held){ .is_held = true,
                                .is_malformed = ask->malformed,
                                .route = route,
                                .displaced = held->displaced,
                                .order = turn->rest->requests++,
                                .came_ms = ask->has_came_ms ? ask->came_ms : turn->now_ms };
    return held;
}

static void take_half(const struct rest_turn *turn, struct rest_player *player,
                      const Arbiter__Gateway__RestAsk *ask)
{
    player->sent_size = 0;
    if (!ask->malformed && ask->half != NULL)
        player->sent_size = (uint32_t) rest_half_strip(player->sent, turn->rest->settings.fields,
                                                       ask->half, text_length(ask->half));
    if (!ask->malformed && !player->has_first) {
        player->has_first = true;
        player->half_size = player->sent_size;
        memcpy(player->half, player->sent, player->sent_size);
        rest_changed(turn, player);
    }
}

static void take_update(const struct rest_turn *turn, const struct rest_player *player,
                        struct rest_held *held, const Arbiter__Gateway__RestAsk *ask)
{
    held->turns = ask->turns;
    rest_place_in(turn->rest, player, ask->player_x, ask->player_y, held->place);
    rest_place_in(turn->rest, player, ask->wanted_x, ask->wanted_y, held->place + 2);
}

static void hear_player(const struct rest_turn *turn, struct rest_player *player, uint64_t route,
                        const Arbiter__Gateway__RestAsk *ask)
{
    if (ask->path == ARBITER__GATEWAY__REST_PATH__REST_PATH_PROBLEM) {
        rest_answer_problem(turn, route, player);
        return;
    }
    bool is_map = ask->path == ARBITER__GATEWAY__REST_PATH__REST_PATH_MAP;
    if (is_map)
        take_half(turn, player, ask);
    bool loses = ask->malformed || (is_map && player->is_first_said && !is_same_half(player));
    struct rest_held *held = hold(turn, player, route, ask, loses);
    held->is_said = is_map && player->is_first_said && !loses;
    if (!is_map)
        take_update(turn, player, held, ask);
    if (player->state == REST_OVER)
        answer_late(turn, player);
    else
        rest_pump(turn, player);
    rest_answer_joined(turn, player);
}

void rest_hear(const struct rest_turn *turn, uint64_t route, const Arbiter__Gateway__RestAsk *ask)
{
    if (!turn->rest->is_loaded) { /* Nobody knows yet who this is. */
        rest_answer_stranger(turn, route, ask, true);
        return;
    }
    if (ask->path == ARBITER__GATEWAY__REST_PATH__REST_PATH_NEW_PLAYER) {
        rest_enter(turn, route, ask);
        return;
    }
    struct rest_player *player = ask->has_id ? find_id(turn->rest, ask->id) : NULL;
    if (player != NULL)
        hear_player(turn, player, route, ask);
    else
        rest_answer_stranger(turn, route, ask, false);
}

/* An Update that nobody waits for is not judged: who sends it again would be judged twice. */
void rest_hang_up(const struct rest_turn *turn, uint64_t route)
{
    for (uint32_t i = 0; i < turn->rest->settings.players_max; i++) {
        struct rest_player *player = &turn->rest->players[i];
        if (player->state == REST_FREE)
            continue;
        if (player->route == route)
            player->route = 0;
        if (player->flight == route) { /* He will not hear what becomes of it. */
            player->flight = 0;
            player->may_repeat = player->may_repeat || player->is_in_flight;
        }
        if (player->map.route == route)
            player->map.route = 0;
        if (player->update.route == route) {
            player->update.route = 0;
            player->update.is_held = player->update.is_held && player->update.is_malformed;
        }
    }
}

static void tick(const struct rest_turn *turn, struct rest_player *player)
{
    if (player->ask != 0 || player->command != 0)
        return;
    if (player->state == REST_OVER && turn->now_ms >= player->until_ms && !player->wants_out) {
        rest_free(turn, player);
        return;
    }
    if (player->state < REST_ENTERED || turn->now_ms < player->retry_ms)
        return;
    if (player->state == REST_ATTACHING)
        player->state = REST_ENTERED;
    rest_answer_id(turn, player);
    rest_pump(turn, player);
}

void rest_tick(const struct rest_turn *turn)
{
    for (uint32_t i = 0; i < turn->rest->settings.players_max; i++)
        if (turn->rest->players[i].state != REST_FREE)
            tick(turn, &turn->rest->players[i]);
    rest_enter_next(turn);
}

static void dismiss(const struct rest_turn *turn, const struct rest_player *player, uint64_t route)
{
    const Arbiter__Gateway__RestAsk ask = { .has_impl = true, .impl = player->is_impl };
    if (route != 0)
        rest_answer_stranger(turn, route, &ask, true);
}

void rest_stop(const struct rest_turn *turn)
{
    for (uint32_t i = 0; i < turn->rest->settings.players_max; i++) {
        struct rest_player *player = &turn->rest->players[i];
        if (player->state == REST_FREE)
            continue;
        dismiss(turn, player, player->route);
        if (player->map.is_held)
            dismiss(turn, player, player->map.route);
        if (player->update.is_held)
            dismiss(turn, player, player->update.route);
        if (player->is_in_flight)
            dismiss(turn, player, player->flight);
        player->route = 0;
        player->map.is_held = player->update.is_held = player->is_in_flight = false;
    }
}
