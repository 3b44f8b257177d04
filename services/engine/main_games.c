/* main_games.c: the games an engine's process plays, their set-ups compiled, tickets verified. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/registry.h"
#include "services/engine/main_parts.h"
#include "json/config_file.h"

const struct engine_game *main_games(struct journal_schema *schema, uint32_t *count)
{
    const struct game_wire *const *wires = registry_games();
    uint32_t                       most = 0;
    while (wires[most] != NULL)
        most++;
    struct engine_game *games = calloc(most + 1, sizeof *games);
    *count = games != NULL ? most : 0;
    journal_schema_init(schema, NULL);
    for (uint32_t i = 0; i < *count; i++) {
        games[i].game = wires[i]->game;
        games[i].form = (struct match_form){ plan_new(wires[i]->command), plan_new(wires[i]->event),
                                             &crypto_sodium };
        games[i].view = plan_new(wires[i]->view);
        if (wires[i]->game->record != NULL)
            games[i].first_table = journal_schema_add(schema, wires[i]->game->record);
    }
    return games;
}

/* The first of the faults: the sender of the set-up finds the others with other tools. */
static void say_first(struct text *fault, const char *said, size_t size)
{
    size_t line = said != NULL ? strcspn(said, "\n") : 0;
    text_clear(fault);
    text_put_bytes(fault, said, line < size ? line : size);
    if (fault->size == 0)
        text_put(fault, "the set-up cannot be read");
}

static size_t compile(const struct game *game, const struct engine_setup_text *text, void *setup,
                      size_t capacity, struct text *fault)
{
    struct config_text config = { "setup", text->setup, text->setup_size };
    struct config_text options = { "options", text->options, text->options_size };
    char              *said = NULL;
    size_t             said_size = 0;
    size_t             size = 0;
    FILE              *complaints = open_memstream(&said, &said_size);
    void              *compiled =
        complaints != NULL ? config_compile(game, &config, &options, &size, complaints) : NULL;
    if (complaints != NULL)
        (void) fclose(complaints);
    if (compiled == NULL)
        say_first(fault, said, said_size);
    else if (setup != NULL && size <= capacity)
        memcpy(setup, compiled, size);
    size = compiled != NULL ? size : 0;
    free(compiled);
    free(said);
    return size;
}

static bool verify(const uint8_t *signature, const uint8_t *text, size_t size, const uint8_t *key)
{
    return crypto_sign_verify_detached(signature, text, size, key) == 0;
}

const struct engine_helpers main_helpers = { .crypto = &crypto_sodium,
                                             .compile = compile,
                                             .verify = verify };
