/* show.h: a match as lines a person reads: who did what, and what came of it. */
#ifndef ARBITER_SHOW_H
#define ARBITER_SHOW_H

#include "match/match.h"
#include "services/console/faces/lines.h"

/* What a match is shown with. */
struct show {
    struct lines       lines;
    bool               coloured;
    const struct plan *commands;
    /* The name of who holds a seat now, or NULL. */
    const char *(*name)(const void *names, uint32_t seat);
    const void *names;
};

/* One act: a line for who did it, one for each event. Secrets are shown, in brackets with whose they
 * are: who plays a match here holds all of it. */
void show_act(const struct show *show, const struct match_act *act);
/* The result, or who is awaited. */
void show_end(const struct show *show, const struct match *match);

#endif
