/* rest_door.c: requests, held until the house has told what became of them; what is said next stands in rest_say.c. Pure. */
#include <assert.h>
#include <string.h>

#include "base/room.h"
#include "services/gateway/rest/rest_half.h"
#include "services/gateway/rest/rest_parts.h"

void rest_defaults(struct rest_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    settings->setup = "{\"game\": \"treasure\"}"; /* What it leaves out is as the rules have it. */
    settings->fields = 32;
    settings->players_max = 4096;
    settings->per_address = 64;
    settings->crowd_times = 50;
    settings->retention_ms = 600000;
}

static size_t player_bytes(const struct rest_settings *settings)
{
    return 2 * REST_HALF_MAX(settings->fields) + 4 * (size_t) settings->fields;
}

/* At most half full. */
static uint32_t tallies_for(const struct rest_settings *settings)
{
    uint32_t size = 1;
    while (size < 2 * settings->players_max)
        size *= 2;
    return size;
}

size_t rest_bytes(const struct rest_settings *settings)
{
    return room_for(tallies_for(settings) * sizeof(struct rest_tally)) +
           room_for(settings->players_max * sizeof(struct rest_player)) +
           room_for((size_t) settings->players_max * CLIENT_ID_SIZE) +
           room_for(settings->players_max * player_bytes(settings));
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
    rest->tallies_size = tallies_for(settings);
    rest->tallies = room_take(&at, rest->tallies_size * sizeof(struct rest_tally));
    rest->players = room_take(&at, settings->players_max * sizeof(struct rest_player));
    rest->spares = room_take(&at, (size_t) settings->players_max * CLIENT_ID_SIZE);
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

/* Answers after the end. */

static void answer_late_map(const struct rest_turn *turn, struct rest_player *player,
                            struct rest_held *held)
{
    bool is_same = !held->is_malformed && player->has_half && rest_half_is_first(player);
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

/* Requests. */

/* A second request takes the place of the first. The first is answered at once, unless the second
 * one loses; then it is among those that are held at the end. */
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

/* A client that has gone asks again on another connection, which may have been read first. It does
 * not displace itself. */
static bool is_overtaken(const struct rest_player *player, const Arbiter__Gateway__RestAsk *ask)
{
    bool is_map = ask->path == ARBITER__GATEWAY__REST_PATH__REST_PATH_MAP;
    return ask->closed && !ask->malformed &&
           (is_map ? player->map.is_held : player->update.is_held);
}

static void hear_player(const struct rest_turn *turn, struct rest_player *player, uint64_t route,
                        const Arbiter__Gateway__RestAsk *ask)
{
    if (ask->path == ARBITER__GATEWAY__REST_PATH__REST_PATH_PROBLEM) {
        rest_answer_problem(turn, route, player);
        return;
    }
    bool is_map = ask->path == ARBITER__GATEWAY__REST_PATH__REST_PATH_MAP;
    player->told = 0; /* The program has heard it, then. */
    player->heard_ms = turn->now_ms;
    if (is_overtaken(player, ask)) {
        rest_answer_problem(turn, route, player);
        return;
    }
    if (is_map)
        take_half(turn, player, ask);
    bool loses = ask->malformed || (is_map && player->is_first_said && !rest_half_is_first(player));
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

static void tick(const struct rest_turn *turn, struct rest_player *player)
{
    rest_leave_queue(turn, player);
    if (player->ask != 0 || player->command != 0)
        return;
    if (player->state == REST_OVER && turn->now_ms >= player->until_ms && !player->wants_out) {
        rest_free(turn, player);
        return;
    }
    if (player->state < REST_ENTERED || turn->now_ms < player->retry_ms)
        return;
    rest_leave_silent(turn, player);
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
