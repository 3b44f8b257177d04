/* web_minds.c: what hints need: the games of this build with their messages, and set-ups compiled. */
#include <stdlib.h>

#include "games/registry.h"
#include "services/gateway/shell/ws/web_json.h"
#include "wire/plan.h"
#include "json/config_file.h"

static size_t compile(const struct game *game, const struct mind_text *text, void *setup,
                      size_t capacity)
{
    const struct config_text config = { "setup", text->setup, text->setup_size };
    const struct config_text options = { "options", text->options, text->options_size };
    return config_compile_into(game, &config, &options, setup, capacity);
}

bool web_minds_open(struct browser_settings *settings)
{
    const struct game_wire *const *wires = registry_games();
    struct mind_game              *games = calloc(BROWSER_GAMES_MAX, sizeof *games);
    if (games == NULL)
        return false;
    for (uint32_t i = 0; i < BROWSER_GAMES_MAX && wires[i] != NULL; i++)
        games[settings->mind_games_count++] =
            (struct mind_game){ .game = wires[i]->game,
                                .commands = plan_new(wires[i]->command),
                                .event = plan_new(wires[i]->event),
                                .view = plan_new(wires[i]->view) };
    settings->mind_games = games;
    settings->mind.crypto = settings->crypto;
    settings->mind.compile = compile;
    return true;
}

void web_minds_close(struct browser_settings *settings)
{
    for (uint32_t i = 0; i < settings->mind_games_count; i++) {
        const struct mind_game *game = &settings->mind_games[i];
        struct plan *plans[] = { (struct plan *) game->commands, (struct plan *) game->event,
                                 (struct plan *) game->view };
        for (uint32_t k = 0; k < 3; k++)
            plan_destroy(&plans[k]);
    }
    free((struct mind_game *) settings->mind_games);
    settings->mind_games = NULL;
    settings->mind_games_count = 0;
}
