/* rest_sources.c: where players come from: so many of one address, and the lobby is told it. Pure. */
#include "contract/lobby_fields.h"
#include "services/gateway/rest/rest_parts.h"
#include "wire/field_write.h"

bool rest_is_too_many(const struct rest *rest, const Arbiter__Gateway__RestAsk *ask)
{
    bool     is_crowd = ask->has_crowd && ask->crowd;
    uint64_t most =
        (uint64_t) rest->settings.per_address * (is_crowd ? rest->settings.crowd_times : 1);
    uint64_t count = 0;
    if (!ask->has_from || ask->from == 0 || most == 0)
        return false;
    for (uint32_t i = 0; i < rest->settings.players_max; i++)
        count += rest->players[i].state != REST_FREE && rest->players[i].state != REST_OVER &&
                 rest->players[i].from == ask->from;
    return count >= most;
}

size_t rest_ask_from(uint8_t *bytes, size_t size, const struct rest_player *player,
                     const struct client_core *client)
{
    uint8_t *end = bytes + size;
    if (client_core_lobby_is_old(client))
        return size; /* It would not read the ask. */
    if (player->from != 0)
        end = field_number(end, FIELD_LOBBY_ASK_FROM, player->from);
    if (player->is_crowd)
        end = field_number(end, FIELD_LOBBY_ASK_CROWD, 1);
    return (size_t) (end - bytes);
}

void rest_is_from(struct rest_player *player, const Arbiter__Gateway__RestAsk *ask)
{
    player->from = ask->has_from ? ask->from : 0;
    player->is_crowd = ask->has_crowd && ask->crowd;
}
