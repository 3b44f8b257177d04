/* rest_sources.c: where players come from: so many of one address, and the lobby is told it. Pure. */
#include "contract/lobby_fields.h"
#include "services/gateway/rest/rest_parts.h"
#include "wire/field_write.h"

static bool plays_from(const struct rest_player *player, uint64_t from)
{
    return player->from == from && player->state != REST_FREE && player->state != REST_OVER;
}

/* From the place `first` on. */
static uint32_t players_from(const struct rest *rest, uint32_t first, uint64_t from)
{
    uint32_t count = 0;
    for (uint32_t i = first; i < rest->settings.players_max; i++)
        count += plays_from(&rest->players[i], from);
    return count;
}

bool rest_is_too_many(const struct rest *rest, const Arbiter__Gateway__RestAsk *ask)
{
    bool     is_crowd = ask->has_crowd && ask->crowd;
    uint64_t most =
        (uint64_t) rest->settings.per_address * (is_crowd ? rest->settings.crowd_times : 1);
    if (!ask->has_from || ask->from == 0 || most == 0)
        return false;
    return players_from(rest, 0, ask->from) >= most;
}

/* Once a second. Of 4,096 players, each from elsewhere, these are 8 million comparisons: 5 ms. */
uint32_t rest_most_from_one(const struct rest *rest)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i + most < rest->settings.players_max; i++) {
        const struct rest_player *player = &rest->players[i];
        uint32_t                  count = 0;
        if (player->from != 0 && !player->is_crowd && plays_from(player, player->from))
            count = players_from(rest, i, player->from);
        most = count > most ? count : most;
    }
    return most;
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
