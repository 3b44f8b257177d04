/* lobby_versions.c: which version of the protocol a match is of, and whose bytes its dice are made of. Pure. */
#include "services/lobby/lobby_parts.h"

bool lobby_services_are_new(const struct lobby *lobby)
{
    for (uint32_t i = 0; i < lobby->settings.services_max; i++)
        if (lobby->services[i].used && lobby->services[i].protocol < PROTOCOL_NEWEST)
            return false;
    return true;
}

uint32_t lobby_protocol_of(const struct lobby *lobby, const struct table *table)
{
    for (uint32_t i = 0; i < table->match_seats; i++) {
        uint32_t key = player_of(lobby, table->seat[i].player)->key;
        if (key == NOBODY || lobby->routes[key].protocol < PROTOCOL_NEWEST)
            return 0;
    }
    return lobby_services_are_new(lobby) ? PROTOCOL_NEWEST : 0;
}

bool lobby_may_hold(const struct lobby *lobby, const struct table *table, uint32_t player)
{
    uint32_t key = player_of(lobby, player)->key;
    return table->protocol == 0 ||
           (key != NOBODY && lobby->routes[key].protocol >= table->protocol);
}

/* A player who connects directly makes its own bytes, and a gateway those of its players, until somebody says
 * otherwise. */
static uint32_t origin_of(const struct player *player)
{
    if (player->origin != ARBITER__WIRE__ORIGIN__ORIGIN_UNSPECIFIED)
        return player->origin;
    return player->guest ? ARBITER__WIRE__ORIGIN__ORIGIN_GATEWAY
                         : ARBITER__WIRE__ORIGIN__ORIGIN_OWN;
}

/* An engine of the build before knows no such fields, and such a match is never asked of it. */
void lobby_put_protocol(const struct lobby *lobby, const struct table *table,
                        Arbiter__Engine__MatchFacts *to, struct outbox *out)
{
    if (table->protocol == 0)
        return;
    SET(to, protocol, table->protocol);
    to->contributors = outbox_take(out, table->match_seats * sizeof to->contributors[0]);
    for (uint32_t i = 0; i < table->match_seats && !table->has_seed; i++) {
        const struct player *player = player_of(lobby, table->seat[i].player);
        if (player->bot)
            continue;
        Arbiter__Wire__Contributor *contributor = MAKE(out, wire, contributor);
        SET(contributor, seat, i);
        SET(contributor, origin, (Arbiter__Wire__Origin) origin_of(player));
        to->contributors[to->n_contributors++] = contributor;
    }
}
