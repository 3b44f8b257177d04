/* thinker.c: a seat's eyes and ears in a match of this process, and the search behind them. */
#include "match/thinker.h"

#include <string.h>

#include "base/room.h"
#include "dice/draw.h"

static size_t notes_bytes(const struct match_terms *terms)
{
    return (size_t) terms->seats * terms->game->foresight->notes_words * sizeof(word);
}

size_t thinker_bytes(const struct match_terms *terms, uint32_t nodes)
{
    return room_for(notes_bytes(terms)) + room_for(terms->bounds.view_words * sizeof(word)) +
           search_bytes(terms->game, terms->setup, terms->seats, nodes);
}

void thinker_init(struct thinker *thinker, const struct match_terms *terms, uint32_t nodes,
                  void *memory)
{
    uint8_t *at = memory;
    thinker->terms = terms;
    thinker->notes = room_take(&at, notes_bytes(terms));
    thinker->view = (struct sink){ .capacity = terms->bounds.view_words };
    thinker->view.words = room_take(&at, terms->bounds.view_words * sizeof(word));
    search_init(&thinker->search, terms->game, terms->setup, terms->seats, nodes, at);
    thinker_begin(thinker);
}

void thinker_begin(struct thinker *thinker)
{
    memset(thinker->notes, 0, notes_bytes(thinker->terms));
}

void thinker_hear(struct thinker *thinker, const struct match_act *act)
{
    const struct match_terms *terms = thinker->terms;
    const struct foresight   *foresight = terms->game->foresight;
    if (foresight->note == NULL)
        return;
    for (const word *event = sink_first(act->events); event != NULL;
         event = sink_next(act->events, event))
        for (uint32_t seat = 0; seat < terms->seats; seat++)
            if (event_is_for(event, seat))
                foresight->note(terms->setup, seat, event,
                                thinker->notes + (size_t) seat * foresight->notes_words);
}

struct known thinker_know(struct thinker *thinker, const struct match *match, uint32_t seat)
{
    uint32_t     notes = thinker->terms->game->foresight->notes_words;
    struct sink *view = &thinker->view;
    view->used = view->events = view->header = 0;
    match_view(match, seat, view);
    return (struct known){ .seat = seat,
                           .seats = thinker->terms->seats,
                           .view = view->words,
                           .view_words = view->used,
                           .notes = thinker->notes + (size_t) seat * notes };
}

bool thinker_pick(struct thinker *thinker, struct policy *other, const struct match *match,
                  uint32_t seat, const struct level *skill, struct command *command)
{
    uint64_t seed = dice_u64(&other->dice, 0);
    other->kind = POLICY_RANDOM;
    if (draw_below_u64(&other->dice, 0, 100) < skill->careless)
        return policy_pick(other, match, seat, command);
    other->kind = POLICY_GREEDY;
    const struct known known = thinker_know(thinker, match, seat);
    if (!search_begin(&thinker->search, &known, seed))
        return policy_pick(other, match, seat, command);
    search_think(&thinker->search, skill->nodes - 1);
    search_best(&thinker->search, command);
    return true;
}
