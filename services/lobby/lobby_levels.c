/* lobby_levels.c: how well bots play, by word and by number. Pure. */
#include <assert.h>

#include "rules/foresight.h"
#include "services/lobby/lobby_parts.h"

/* As they are stored; behind these the levels, from the weakest. */
enum bot_policy { POLICY_BEST, POLICY_RANDOM, POLICY_GREEDY, POLICY_LEVEL };

static const char *const policies[] = { "",        "random",  "greedy", "level:1",
                                        "level:2", "level:3", "level:4" };

#define POLICIES (sizeof policies / sizeof policies[0])
static_assert(POLICIES == POLICY_LEVEL + LEVELS_MAX, "each level has a name");

uint32_t lobby_policy_named(const char *name, const struct game *game)
{
    uint32_t levels = game->foresight != NULL ? game->foresight->levels : 0;
    for (uint32_t i = 0; i < POLICY_LEVEL + levels; i++)
        if (text_is(name == NULL ? "" : name, name == NULL ? 0 : text_length(name), policies[i]))
            return i;
    return NOBODY;
}

uint32_t lobby_bot_level(const struct lobby *lobby, const struct seat *seat)
{
    bool is_bots = seat->player != NOBODY && player_of(lobby, seat->player)->bot;
    return is_bots && seat->policy >= POLICY_LEVEL ? seat->policy - POLICY_LEVEL + 1 : 0;
}

const char *lobby_policy_name(uint32_t policy)
{
    return policy < POLICIES && policy != POLICY_BEST ? policies[policy] : NULL;
}
