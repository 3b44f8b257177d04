/* stage_games.c: the games of the simulated house, and what its services cannot do purely; see stage.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/registry.h"
#include "replica.h"
#include "stage.h"
#include "wire/config_file.h"
#include "wire/json.h"

static const struct lobby_setup nim_setups[] = {
    { "classic", "Classic", "{ \"heaps\": [3, 4, 5] }", NULL },
    { "random", "Random", "{ \"heaps\": \"random\" }", NULL },
};

static struct engine_game engine_games[1];
static struct lobby_game  lobby_games[1];
static struct bot_game    bot_games[1];

static void prepare(void)
{
    const struct played_game *nim = replica_game("nim", 0);
    const struct game        *game = nim->wire->game;
    bot_games[0] = (struct bot_game){ game, nim->form.commands };
    engine_games[0] = (struct engine_game){ game, nim->form, nim->view, 0 };
    lobby_games[0] = (struct lobby_game){ game, nim->form.commands, nim->form.events, nim_setups,
                                          sizeof nim_setups / sizeof nim_setups[0] };
}

const struct engine_game *stage_engine_games(uint32_t *count)
{
    prepare();
    *count = 1;
    return engine_games;
}

const struct lobby_game *stage_lobby_games(uint32_t *count)
{
    prepare();
    *count = 1;
    return lobby_games;
}

const struct bot_game *stage_bot_games(uint32_t *count)
{
    prepare();
    *count = 1;
    return bot_games;
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
    static const struct lobby_helpers helpers = { json_value, sign };
    return &helpers;
}
