/* stage_games.c: the games of the simulated house, and what its services cannot do purely; see stage.h.
 *
 * There are two builds: the older one knows nim in version 1 and the dead, the newer one nim in version 2
 * besides. As in the product, a lobby offers the newest version of each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/registry.h"
#include "nim_two.h"
#include "oracle/replica.h"
#include "stage.h"
#include "stage_dead.h"
#include "json/config_file.h"
#include "json/json.h"

#define GAMES_MAX 3

static const struct lobby_setup nim_setups[] = {
    { "classic", "Classic", "{ \"heaps\": [3, 4, 5] }", NULL },
    { "random", "Random", "{ \"heaps\": \"random\" }", NULL },
};
static struct lobby_setup dead_setups[] = {
    { STAGE_DEAD_SETUP, "One night", NULL, STAGE_DEAD_OPTIONS },
};

/* What a process has been built with. */
struct build {
    struct engine_game engine[GAMES_MAX];
    struct lobby_game  lobby[GAMES_MAX];
    struct mind_game   bot[GAMES_MAX];
    uint32_t           games, offered;
};

static struct build builds[2];

static void add_game(struct build *build, const char *name, uint32_t version)
{
    const struct played_game *played = replica_game(name, version);
    const struct game        *game = played->wire->game;
    build->engine[build->games] = (struct engine_game){ game, played->form, played->view, 0 };
    build->bot[build->games++] =
        (struct mind_game){ .game = game, .commands = played->form.commands };
}

static void offer(struct build *build, const char *name, uint32_t version,
                  const struct lobby_setup *setups, uint32_t count)
{
    const struct played_game *played = replica_game(name, version);
    build->lobby[build->offered++] = (struct lobby_game){ played->wire->game, played->form.commands,
                                                          played->form.events, setups, count };
}

static const struct build *build_of(bool is_new)
{
    struct build *build = &builds[is_new];
    if (build->games > 0)
        return build;
    dead_setups[0].text = stage_dead();
    add_game(build, "dead", 1);
    add_game(build, "nim", 1);
    if (is_new)
        add_game(build, "nim", NIM_TWO);
    offer(build, "nim", is_new ? NIM_TWO : 1, nim_setups, sizeof nim_setups / sizeof nim_setups[0]);
    offer(build, "dead", 1, dead_setups, 1);
    return build;
}

const struct engine_game *stage_engine_games(bool is_new, uint32_t *count)
{
    *count = build_of(is_new)->games;
    return build_of(is_new)->engine;
}

const struct lobby_game *stage_lobby_games(bool is_new, uint32_t *count)
{
    *count = build_of(is_new)->offered;
    return build_of(is_new)->lobby;
}

const struct mind_game *stage_bot_games(bool is_new, uint32_t *count)
{
    *count = build_of(is_new)->games;
    return build_of(is_new)->bot;
}

static size_t compile(const struct game *game, const struct engine_setup_text *text, void *setup,
                      size_t capacity, struct text *fault)
{
    struct config_text config = { "set-up", text->setup, text->setup_size };
    struct config_text options = { "options", text->options, text->options_size };
    size_t             size = 0;
    FILE              *nowhere = fopen("/dev/null", "w");
    void              *compiled =
        nowhere != NULL ? config_compile(game, &config, &options, &size, nowhere) : NULL;
    if (nowhere != NULL)
        fclose(nowhere);
    if (compiled == NULL) {
        text_clear(fault);
        text_put(fault, "set-up: it is none");
        return 0;
    }
    if (setup != NULL && size <= capacity)
        memcpy(setup, compiled, size);
    free(compiled);
    return size;
}

const struct engine_helpers *stage_engine_helpers(void)
{
    static const struct engine_helpers helpers = { &crypto_sodium, compile, NULL };
    return &helpers;
}

/* Nobody in this house comes by a gateway, so nobody reads what is signed. */
static void sign(uint8_t signature[64], const uint8_t secret[64], const struct piece *pieces,
                 uint32_t count)
{
    crypto_sodium.keyed(signature, 64, secret, pieces, count);
}

const struct lobby_helpers *stage_lobby_helpers(void)
{
    static const struct lobby_helpers helpers = { json_value, sign, &crypto_sodium };
    return &helpers;
}
