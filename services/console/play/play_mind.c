/* play_mind.c: see play_mind.h. */
#include "services/console/play/play_mind.h"

#include <stdlib.h>
#include <string.h>

#include "search/skill.h"
#include "services/console/command/progress.h"

#define SLICE 8u /* Futures between two looks at the clock. */

/* As many nodes as the strongest level has. */
static uint32_t most_nodes(const struct foresight *foresight)
{
    uint32_t most = 2;
    for (uint32_t i = 0; i < foresight->levels; i++)
        if (skill_tree(&foresight->level[i]) > most)
            most = skill_tree(&foresight->level[i]);
    return most;
}

void play_mind_open(struct play_mind *mind, const struct game *game, const void *setup,
                    uint32_t seat, uint32_t seats)
{
    struct bounds bounds;
    play_mind_close(mind);
    if (game->foresight == NULL || setup == NULL || seat >= seats)
        return;
    game->bounds(setup, seats, &bounds);
    mind->game = game;
    mind->seat = seat;
    mind->seats = seats;
    mind->nodes = most_nodes(game->foresight);
    mind->seed = (uint64_t) (seconds_now() * 1e6);
    mind->memory = calloc(1, search_bytes(game, setup, seats, mind->nodes));
    mind->view = calloc(bounds.view_words + 1, sizeof(word));
    if (mind->memory == NULL || mind->view == NULL)
        abort();
    search_init(&mind->search, game, setup, seats, mind->nodes, mind->memory);
}

void play_mind_close(struct play_mind *mind)
{
    free(mind->memory);
    free(mind->view);
    memset(mind, 0, sizeof *mind);
}

void play_mind_hear(struct play_mind *mind, const void *setup,
                    const struct client_happening *happening)
{
    if (mind->game == NULL || mind->game->foresight->note == NULL || happening->is_house ||
        happening->kind == 0)
        return;
    word *event = malloc((happening->count + 1) * sizeof *event);
    if (event == NULL)
        abort();
    event[0] =
        (word) happening->kind | (word) TO_SEAT(mind->seat) << 16 | (word) happening->count << 32;
    if (happening->count > 0)
        memcpy(event + 1, happening->words, happening->count * sizeof *event);
    mind->game->foresight->note(setup, mind->seat, event, mind->notes);
    free(event);
}

void play_mind_see(struct play_mind *mind, const word *view, uint32_t words)
{
    mind->view_words = 0;
    if (mind->game == NULL || view == NULL || words > mind->search.bounds.view_words)
        return;
    memcpy(mind->view, view, words * sizeof(word));
    mind->view_words = words;
}

bool play_mind_best(struct play_mind *mind, uint32_t nodes, uint32_t most_ms,
                    struct command *command)
{
    const struct known known = { .seat = mind->seat,
                                 .seats = mind->seats,
                                 .view = mind->view,
                                 .view_words = mind->view_words,
                                 .notes = mind->notes };
    double             until_s = seconds_now() + most_ms / 1e3;
    if (mind->game == NULL || mind->view_words == 0 ||
        !search_begin(&mind->search, &known, mind->seed++))
        return false;
    for (uint32_t left = nodes - 1; left > 0 && seconds_now() < until_s;) {
        uint32_t futures = left < SLICE ? left : SLICE;
        search_think(&mind->search, futures);
        left -= futures;
    }
    search_best(&mind->search, command);
    return true;
}
