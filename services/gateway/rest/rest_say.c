/* rest_say.c: what is said for a player next, to the lobby before the match and to the engine in
 * it. Pure. */
#include <string.h>

#include "services/gateway/rest/rest_half.h"
#include "services/gateway/rest/rest_parts.h"

#define RETRY_MS 500u
#define LEAVE_RETRY_MS 5000u
#define DOUBT_MS 200u

bool rest_half_is_first(const struct rest_player *player)
{
    return rest_half_same(player->half, player->half_size, player->sent, player->sent_size);
}

static uint64_t think_of(const struct rest_player *player, const struct rest_held *held)
{
    uint64_t since = player->is_joined ? player->turn_ms : player->half_ms;
    bool     runs = since != 0 && (!player->is_joined || player->is_turn);
    return runs && held->came_ms > since ? held->came_ms - since : 0;
}

uint64_t rest_came_of(const struct rest_turn *turn, const struct rest_player *player,
                      const struct rest_held *held)
{
    uint64_t since = player->is_joined ? player->turn_ms : player->half_ms;
    uint64_t came_ms = held->came_ms > since ? held->came_ms : since;
    return came_ms < turn->now_ms ? came_ms : turn->now_ms;
}

static void say(const struct rest_turn *turn, struct rest_player *player, enum rest_said said,
                const struct rest_held *held, const uint8_t *command, size_t size)
{
    struct client_core *client = turn->rest->client;
    player->said = said;
    player->retry_ms = turn->now_ms + RETRY_MS;
    if (player->state == REST_PLAYING) {
        const struct client_came came = { .came_ms = rest_came_of(turn, player, held) };
        player->command = client_core_play_for(client, player->match_id, player->seat, command,
                                               size, &came, turn->now_ms, turn->out);
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
    say(turn, player, REST_MALFORMED, held, command,
        rest_command_malformed(command, think_of(player, held), held == &player->map));
}

/* The first half goes first, whatever came since. */
static void say_half(const struct rest_turn *turn, struct rest_player *player)
{
    bool     is_first = !player->is_first_said;
    char    *half = is_first ? player->half : player->sent;
    uint32_t half_size = is_first ? player->half_size : player->sent_size;
    uint8_t *command = outbox_take(turn->out, REST_ASK_MAX + half_size);
    size_t   size = rest_command_half(command, think_of(player, &player->map), half, half_size);
    say(turn, player, REST_HALF, &player->map, command, size);
    if (player->ask == 0 && player->command == 0)
        return;
    player->is_first_said = true;
    player->map.is_said = !is_first || rest_half_is_first(player);
}

static void say_update(const struct rest_turn *turn, struct rest_player *player)
{
    uint8_t command[REST_ASK_MAX];
    size_t  size = rest_command_update(command, think_of(player, &player->update), &player->update);
    say(turn, player, REST_UPDATE, &player->update, command, size);
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

/* Whether this is the player's last action once more. */
static bool repeats(const struct rest_player *player, const struct rest_held *update)
{
    const struct rest_view *view = &player->view;
    const int32_t          *place = update->place;
    if (!update->is_held || update->is_malformed || update->turns < 0)
        return false;
    if (update->turns == 0)
        return !view->has_pending && view->x == place[2] && view->y == place[3] &&
               (place[0] != place[2] || place[1] != place[3]);
    return view->has_pending && view->x == place[0] && view->y == place[1] &&
           view->pending_x == place[2] && view->pending_y == place[3] &&
           view->pending_next == update->turns - 1;
}

/* Whether a client repeats the action that was under way when the last process ended, or when its
 * line was cut. The action was carried out, so the client is told so now. To judge it a second time
 * would make a mistake of it. */
static bool is_told_again(const struct rest_turn *turn, struct rest_player *player)
{
    struct rest_held *update = &player->update;
    if (!player->may_repeat || !repeats(player, update))
        return false;
    update->is_held = player->may_repeat = player->is_doubted = false;
    player->flight = update->route;
    rest_answer_update(turn, update->route, player);
    return true;
}

/* It would be a mistake, unless the client's line was cut. That may be heard a little later than
 * what it says on another line. */
static bool is_in_doubt(const struct rest_turn *turn, const struct rest_player *player)
{
    return player->is_turn && repeats(player, &player->update) &&
           turn->now_ms < player->update.came_ms + DOUBT_MS;
}

/* The next thing the player says, or nothing yet. */
static void say_next(const struct rest_turn *turn, struct rest_player *player)
{
    struct rest_held *map = &player->map, *update = &player->update;
    bool              has_new_half = map->is_held && !map->is_malformed && !map->is_said;
    if (player->state == REST_PLAYING && (!player->is_asked || player->acts < player->acts_there))
        return; /* Dice are being made, or what has happened is being told. */
    if (player->state == REST_PLAYING && is_told_again(turn, player))
        return;
    player->is_doubted = player->state == REST_PLAYING && is_in_doubt(turn, player);
    bool is_hasty = update->is_held && !player->has_half && !has_new_half;
    if (map->is_held && map->is_malformed)
        say_malformed(turn, player, map);
    else if (update->is_held && update->is_malformed)
        say_malformed(turn, player, update);
    else if (has_new_half && !is_behind(turn, player))
        say_half(turn, player);
    else if (is_hasty && player->state != REST_PLAYING)
        say_malformed(turn, player, update);
    else if (update->is_held && player->state == REST_PLAYING && (player->is_turn || is_hasty) &&
             !player->is_doubted)
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

/* The player has waited alone long enough. The first who comes, bot or person, is the opponent. */
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
    size_t  size =
        rest_ask_fill(bytes, player->player, player->table, turn->rest->settings.bot_level);
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

/* Whose half is known, and joined, has nothing to wait for. The player who begins thinks from the
 * awaited answer on. Asking for the map once more gains no time. */
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
