/* rest_sources.c: where players come from: so many of one address, and the lobby is told it. Pure. */
#include <string.h>

#include "contract/lobby_fields.h"
#include "services/gateway/rest/rest_parts.h"
#include "wire/field_write.h"

static bool plays(const struct rest_player *player)
{
    return player->state != REST_FREE && player->state != REST_OVER;
}

bool rest_is_too_many(const struct rest *rest, const Arbiter__Gateway__RestAsk *ask)
{
    bool     is_crowd = ask->has_crowd && ask->crowd;
    uint64_t most =
        (uint64_t) rest->settings.per_address * (is_crowd ? rest->settings.crowd_times : 1);
    uint64_t count = 0;
    if (!ask->has_from || ask->from == 0 || most == 0)
        return false;
    for (uint32_t i = 0; i < rest->settings.players_max; i++)
        count += plays(&rest->players[i]) && rest->players[i].from == ask->from;
    return count >= most;
}

/* What an address is called here is a hash, so its last bits are spread. */
static struct rest_tally *tally_of(const struct rest *rest, uint64_t from)
{
    uint32_t at = (uint32_t) from & (rest->tallies_size - 1);
    while (rest->tallies[at].from != 0 && rest->tallies[at].from != from)
        at = (at + 1) & (rest->tallies_size - 1);
    return &rest->tallies[at];
}

/* Once a second, while others wait: in one pass, however many players there are. */
uint32_t rest_most_from_one(const struct rest *rest)
{
    uint32_t most = 0;
    memset(rest->tallies, 0, rest->tallies_size * sizeof *rest->tallies);
    for (uint32_t i = 0; i < rest->settings.players_max; i++) {
        const struct rest_player *player = &rest->players[i];
        if (player->from == 0 || player->is_crowd || !plays(player))
            continue;
        struct rest_tally *tally = tally_of(rest, player->from);
        tally->from = player->from;
        tally->count++;
        most = tally->count > most ? tally->count : most;
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
