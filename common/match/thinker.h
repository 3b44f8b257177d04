/* thinker.h: lets seats of a match in this process be played by search (search/search.h).
 *
 * Who owns the match has its state. The search is still shown only what a seat sees. So a thinker
 * listens to each act with the ears of each seat, keeps a seat's notes, and takes a view when a
 * command is wanted. */
#ifndef ARBITER_MATCH_THINKER_H
#define ARBITER_MATCH_THINKER_H

#include "match/match.h"
#include "match/policy.h"
#include "search/search.h"

struct thinker {
    const struct match_terms *terms;
    struct search             search;
    struct sink               view;
    word                     *notes; /* Of each seat, one behind the other. */
};

/* Memory for trees of so many nodes; to be aligned for a uint64_t. The game offers foresight. */
size_t       thinker_bytes(const struct match_terms *terms, uint32_t nodes);
void         thinker_init(struct thinker *thinker, const struct match_terms *terms, uint32_t nodes,
                          void *memory);
/* A match begins: nothing was heard. */
void         thinker_begin(struct thinker *thinker);
/* An act, its first one included. */
void         thinker_hear(struct thinker *thinker, const struct match_act *act);
/* What this seat knows now; its view and its notes are the thinker's, until the next such call. */
struct known thinker_know(struct thinker *thinker, const struct match *match, uint32_t seat);
/* Picks a command. Where there is nothing to think about, or its level is careless, the other player
 * picks, who may also propose. False: there is none to pick. */
bool         thinker_pick(struct thinker *thinker, struct policy *other, const struct match *match,
                          uint32_t seat, const struct level *skill, struct command *command);

#endif
