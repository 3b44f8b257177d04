/* analyst.c: takes what seats know before and behind an act, and has it weighed. */
#include "match/analyst.h"

#include <string.h>

#include "base/room.h"

#define NODES_SPARE 8u /* Of few futures each part of a weighing still has two. */
#define CHANCE_PART 4u /* Of the futures of a decision. */
#define CHANCE_LEAST 16u

uint32_t analyst_futures(const struct game *game)
{
    const struct foresight *foresight = game->foresight;
    return foresight == NULL ? 0 : foresight->level[foresight->levels - 1].nodes;
}

static uint32_t nodes_for(uint32_t futures)
{
    return futures < SEARCH_NODES_MAX - NODES_SPARE ? futures + NODES_SPARE : SEARCH_NODES_MAX;
}

static size_t views_bytes(const struct match_terms *terms)
{
    return (size_t) terms->seats * terms->bounds.view_words * sizeof(word);
}

static size_t notes_bytes(const struct match_terms *terms)
{
    return (size_t) terms->seats * terms->game->foresight->notes_words * sizeof(word);
}

size_t analyst_bytes(const struct match_terms *terms, uint32_t futures)
{
    return room_for(views_bytes(terms)) + room_for(notes_bytes(terms)) +
           thinker_bytes(terms, nodes_for(futures));
}

void analyst_init(struct analyst *analyst, const struct match_terms *terms, uint32_t futures,
                  uint64_t seed, void *memory)
{
    uint8_t *at = memory;
    memset(analyst, 0, sizeof *analyst);
    analyst->terms = terms;
    analyst->futures = futures;
    analyst->seed = seed;
    analyst->views = room_take(&at, views_bytes(terms));
    analyst->notes = room_take(&at, notes_bytes(terms));
    thinker_init(&analyst->thinker, terms, nodes_for(futures), at);
}

/* What is on offer to a seat that is awaited. */
static uint64_t choices_of(struct analyst *analyst, const struct match *match, uint32_t seat)
{
    struct legal *list = &analyst->thinker.search.list;
    match_legal(match, seat, list);
    return legal_count(list);
}

void analyst_look_as(struct analyst *analyst, const struct match *match, uint32_t seat)
{
    const struct match_terms *terms = analyst->terms;
    uint32_t                  words = terms->game->foresight->notes_words;
    struct known             *known = &analyst->known[seat];
    word                     *view = analyst->views + (size_t) seat * terms->bounds.view_words;
    word                     *notes = analyst->notes + (size_t) seat * words;
    seat_mask                 awaited = match_to_act(match);
    *known = thinker_know(&analyst->thinker, match, seat);
    memcpy(view, known->view, known->view_words * sizeof(word));
    memcpy(notes, known->notes, words * sizeof(word));
    known->view = view;
    known->notes = notes;
    analyst->number = match->number;
    analyst->choices[seat] = (awaited >> seat & 1) != 0 ? choices_of(analyst, match, seat) : 0;
}

void analyst_look(struct analyst *analyst, const struct match *match)
{
    for (uint32_t seat = 0; seat < analyst->terms->seats; seat++)
        analyst_look_as(analyst, match, seat);
}

void analyst_hear(struct analyst *analyst, const struct match_act *act)
{
    thinker_hear(&analyst->thinker, act);
}

/* Each judgement has dice of its own, whatever was asked before. */
static uint64_t seed_of(const struct analyst *analyst, uint32_t seat, uint32_t purpose)
{
    uint64_t seed = analyst->seed * UINT64_C(0x9e3779b97f4a7c15) + analyst->number;
    seed = (seed ^ seed >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
    return seed ^ (uint64_t) seat << 8 ^ purpose;
}

/* As it would be listed: how long somebody thought about it is no part of the choice. */
static struct command as_listed(const struct game *game, const struct command *command)
{
    struct command listed = *command;
    if (command->kind < game->command_kinds &&
        (game->commands[command->kind].flags & COMMAND_TIMED) != 0)
        listed.arg[0] = ABSENT;
    return listed;
}

enum analyst_said analyst_decision(struct analyst *analyst, const struct analyst_deed *deed,
                                   struct weighing *weighing)
{
    uint32_t       seat = deed->seat;
    struct command given = as_listed(analyst->terms->game, &deed->command);
    if (analyst->choices[seat] == 1)
        return ANALYST_FORCED;
    if (analyst->choices[seat] == 0 ||
        !weigh(&analyst->thinker.search, &analyst->known[seat], &given, analyst->futures,
               seed_of(analyst, seat, 1), weighing))
        return ANALYST_CANNOT;
    return ANALYST_JUDGED;
}

int32_t analyst_result(int32_t outcome)
{
    return outcome > 0 ? WEIGH_WON : outcome == 0 ? WEIGH_WON / 2 : 0;
}

/* What the match is worth to a seat that has heard the act: its result, if it is over. */
static bool worth_behind(struct analyst *analyst, const struct match *match,
                         const struct known *known, uint32_t futures, struct weight *weight)
{
    int32_t outcome[SEATS_MAX] = { 0 };
    if (match_to_act(match) != 0)
        return weigh_match(&analyst->thinker.search, known, 0, NULL, futures,
                           seed_of(analyst, known->seat, 3), weight);
    match_outcome(match, outcome);
    *weight = (struct weight){ .worth = analyst_result(outcome[known->seat]) };
    return true;
}

bool analyst_chance(struct analyst *analyst, const struct match *match,
                    const struct analyst_deed *deed, uint32_t seat, struct analyst_chance *chance)
{
    struct search      *search = &analyst->thinker.search;
    struct known        now = thinker_know(&analyst->thinker, match, seat);
    const struct known *before = &analyst->known[seat];
    uint64_t            seed = seed_of(analyst, seat, 2);
    uint32_t            futures = analyst->futures / CHANCE_PART;
    if (futures < CHANCE_LEAST)
        futures = CHANCE_LEAST;
    if (deed->command.text_size > 0 ||
        !weigh_is_chance(search, before, deed->seat, &deed->command, &analyst->thinker.view, seed))
        return false;
    return worth_behind(analyst, match, &now, futures, &chance->after) &&
           weigh_match(search, before, deed->seat, &deed->command, futures, seed, &chance->before);
}
