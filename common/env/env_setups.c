/* env_setups.c: the set-ups that come with the games, compiled in, so that a program needs no file beside the library. */
#include <string.h>

#include "env/env_private.h"
#include "env_setups_list.h"

static bool is_of(const struct env_setup *setup, const char *game)
{
    return strcmp(setup->game, game) == 0;
}

const struct env_setup *env_setup_find(const char *game, const char *name)
{
    const struct env_setup *first = NULL;
    for (const struct env_setup *at = env_setups_list; at->game != NULL; at++) {
        if (!is_of(at, game))
            continue;
        if (strcmp(at->name, name != NULL ? name : "standard") == 0)
            return at;
        if (first == NULL || strcmp(at->name, first->name) < 0)
            first = at;
    }
    return name == NULL ? first : NULL;
}

const char *arbiter_setups(const char *game)
{
    for (const struct env_setup_names *at = env_setups_names; at->game != NULL; at++)
        if (strcmp(at->game, game) == 0)
            return at->names;
    return NULL;
}

const char *arbiter_games(void)
{
    return env_setups_games;
}
