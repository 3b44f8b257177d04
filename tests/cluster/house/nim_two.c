/* nim_two.c: see nim_two.h: the functions of nim, but for two. */
#include "nim_two.h"

#include <assert.h>

#include "games/nim/nim.h"

#define MOST 3

static_assert(NIM_TAKE == 1, "the only command");

static verdict apply(struct play *play, uint32_t seat, const struct command *command)
{
    if (command->kind == NIM_TAKE && command->arg[1] > MOST)
        return NIM_COUNT;
    return game_nim.apply(play, seat, command);
}

/* Counts are a run of 1, 2, ...: its beginning is what is left of it. */
static void legal(const void *setup, const void *state, uint32_t seat, struct legal *list)
{
    game_nim.legal(setup, state, seat, list);
    for (uint32_t i = 0; i < list->patterns; i++)
        if (list->pattern[i].arg[1].count > MOST)
            list->pattern[i].arg[1].count = MOST;
}

const struct game_wire *nim_two(void)
{
    static struct game      game;
    static struct game_wire wire;
    if (wire.game == NULL) {
        game = game_nim;
        game.version = NIM_TWO;
        game.apply = apply;
        game.legal = legal;
        wire = *registry_find("nim", 0);
        wire.game = &game;
    }
    return &wire;
}
