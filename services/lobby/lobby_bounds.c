/* lobby_bounds.c: how much of the lobby's limits is used, and who hears that one is reached. Pure. */
#include "services/lobby/lobby_parts.h"

/* Of services that come in any number, each needs a key that nobody else holds. */
static const struct {
    uint32_t   role;
    enum bound bound;
} replicas[] = { { ROLE(FANOUT), BOUND_FANOUT_KEYS },
                 { ROLE(GATEWAY), BOUND_GATEWAY_KEYS },
                 { ROLE(BOT), BOUND_BOT_KEYS } };

static struct bound_use *replica(struct fullness *bounds, uint32_t role)
{
    for (size_t i = 0; i < sizeof replicas / sizeof *replicas; i++)
        if (replicas[i].role == role)
            return &bounds->of[replicas[i].bound];
    return NULL;
}

static void count_keys(const struct lobby *lobby, struct fullness *bounds)
{
    for (uint32_t i = 0; i < lobby->settings.keys_max; i++) {
        const struct key *key = key_of(lobby, i);
        struct bound_use *use = replica(bounds, key->role);
        bounds->of[BOUND_KEYS].used += key->used != 0;
        if (key->used && key->admitted && use != NULL)
            use->limit++;
    }
    for (uint32_t i = 0; i < lobby->settings.services_max; i++) {
        const struct service *service = &lobby->services[i];
        struct bound_use     *use = replica(bounds, service->role);
        bounds->of[BOUND_SERVICES].used += service->used;
        if (service->used && use != NULL)
            use->used++;
    }
}

static void count_players(const struct lobby *lobby, struct fullness *bounds)
{
    for (uint32_t i = 0; i < lobby->settings.players_max; i++) {
        const struct player *player = player_of(lobby, i);
        bounds->of[BOUND_PLAYERS].used += player->used != 0;
        bounds->of[BOUND_BANS].used += player->used && player->banned;
    }
}

/* What all share. */
static void count_all(const struct lobby *lobby, struct fullness *bounds)
{
    const struct lobby_settings *settings = &lobby->settings;
    bounds->of[BOUND_SERVICES].limit = settings->services_max;
    bounds->of[BOUND_KEYS].limit = settings->keys_max;
    bounds->of[BOUND_PLAYERS].limit = settings->players_max;
    bounds->of[BOUND_BANS].limit = settings->bans_max;
    count_keys(lobby, bounds);
    count_players(lobby, bounds);
    bounds->of[BOUND_TABLES] = (struct bound_use){ settings->tables_max - lobby_tables_left(lobby),
                                                   settings->tables_max, 0 };
    bounds->of[BOUND_TEXTS] =
        (struct bound_use){ settings->texts_max - lobby_texts_left(lobby), settings->texts_max, 0 };
    bounds->of[BOUND_PERSONS] =
        (struct bound_use){ lobby_persons(lobby), settings->persons_max, 0 };
}

void lobby_bounds(const void *core, struct fullness *bounds)
{
    const struct lobby *lobby = core;
    if (!lobby->is_ready)
        return; /* Its rows are being read. */
    count_all(lobby, bounds);
    lobby_source_bounds(lobby, bounds);
}

void lobby_say_full(const struct lobby *lobby, struct outbox *out)
{
    struct fullness bounds = { 0 };
    count_all(lobby, &bounds);
    for (size_t i = 0; i < sizeof replicas / sizeof *replicas; i++)
        bounds.of[replicas[i].bound].limit = 0; /* That all keys are in use keeps no player out. */
    outbox_full_of(out, &bounds);
}
