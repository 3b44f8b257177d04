/* rest_leave.c: clients that hang up while they wait, or close their side and may have gone.
 * Pure. */
#include "services/gateway/rest/rest_parts.h"

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
