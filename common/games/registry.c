/* registry.c: the games CMake found, and finding one of them. */
#include "games/registry.h"

#include <string.h>

#define GAME(name) extern const struct game_wire wire_##name;
#include "registry_list.h"
#undef GAME

static const struct game_wire *const games[] = {
#define GAME(name) &wire_##name,
#include "registry_list.h"
#undef GAME
    NULL,
};

const struct game_wire *const *registry_games(void)
{
    return games;
}

const struct game_wire *registry_find(const char *name, uint32_t version)
{
    const struct game_wire *found = NULL;
    for (uint32_t i = 0; games[i] != NULL; i++) {
        const struct game *game = games[i]->game;
        if (strcmp(game->name, name) != 0 || (version != 0 && game->version != version))
            continue;
        if (found == NULL || game->version > found->game->version)
            found = games[i];
    }
    return found;
}

void registry_put_versions(FILE *out)
{
    for (const struct game_wire *const *at = registry_games(); *at != NULL; at++)
        fprintf(out, "%s%s %u", at == registry_games() ? "" : " ", (*at)->game->name,
                (*at)->game->version);
}
