/* rest_leave.c: clients that hang up while they wait, or close their side and may have gone.
 * Pure. */
#include <string.h>

#include "services/gateway/rest/rest_parts.h"

/* A program that waits alone sends its half, and waits for the answer. One that is silent so long has
 * crashed: before its half, or behind it, when its connection has gone and it does not ask again. */
#define SILENT_MS 30000u
#define CUT_OFF_MS 5000u

/* An Update that nobody waits for is not judged: who sends it again would be judged twice. */
static void let_go(const struct rest_turn *turn, struct rest_player *player, bool is_half)
{
    struct rest_held *update = &player->update;
    if (update->is_malformed && is_half)
        return;
    if (is_half)
        rest_answer_problem(turn, update->route, player);
    update->is_held = update->is_malformed;
    update->route = 0;
}

static void hang_up(const struct rest_turn *turn, struct rest_player *player, uint64_t route,
                    bool is_half)
{
    if (player->route == route)
        rest_leave(turn, player, is_half);
    else if (player->told == route && !is_half)
        rest_unheard(turn, player);
    if (player->flight == route) { /* It is unknown whether the program hears the result. */
        player->may_repeat = true;
        player->flight = is_half ? route : 0;
    }
    if (player->map.route == route)
        player->map.is_mute = true;
    if (player->map.route == route && !is_half)
        player->map.route = 0;
    if (player->update.route == route && player->update.is_held)
        let_go(turn, player, is_half);
}

void rest_hang_up(const struct rest_turn *turn, uint64_t route, bool is_half)
{
    for (uint32_t i = 0; i < turn->rest->settings.players_max; i++)
        if (turn->rest->players[i].state != REST_FREE)
            hang_up(turn, &turn->rest->players[i], route, is_half);
}

bool rest_is_alone(const struct rest_turn *turn, const struct rest_player *player)
{
    const struct rest *rest = turn->rest;
    bool               is_another_near = rest->registering != rest->settings.players_max &&
                           rest->players[rest->registering].is_second;
    return player->state == REST_ENTERED && !player->has_match && player->alone_ms != 0 &&
           player->ask == 0 && rest->has_open && !is_another_near &&
           memcmp(rest->open, player->table, CLIENT_ID_SIZE) == 0;
}

static bool waits(const struct rest_held *held)
{
    return held->is_held && held->route != 0 && !held->is_mute;
}

void rest_leave_silent(const struct rest_turn *turn, struct rest_player *player)
{
    if (waits(&player->map) || waits(&player->update))
        player->heard_ms = turn->now_ms;
    uint64_t patience_ms = player->has_first ? CUT_OFF_MS : SILENT_MS;
    if (!rest_is_alone(turn, player) || turn->now_ms < player->heard_ms + patience_ms)
        return;
    player->has_ended = player->wants_out = true;
    rest_pump(turn, player);
}
