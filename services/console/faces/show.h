/* show.h: a match as lines a person reads: who did what, and what came of it.
 *
 * A game without a face speaks in its words, in the reader's language.
 * One with a face shows its messages: a reader who checks such a match wants to see all that was
 * said. */
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

/* One act: a line for who did it, one for each event. Secrets are shown, in brackets with whose
 * they are: a match that is played here is no secret to its reader. */
void show_act(const struct show *show, const struct match_act *act);
/* Parts of such a line: who sits there, and a command. */
void show_seat(const struct show *show, uint32_t seat);
void show_command(const struct show *show, const struct command *command);
/* What a viewer, a seat or SPECTATOR, may know, and who that is. */
void show_view(const struct show *show, const struct match *match, uint32_t viewer);
/* Of a game without a face how it stands, as spectators may know it; else nothing. */
void show_board(const struct show *show, const struct match *match);
/* The result, or the seats that are awaited. */
void show_end(const struct show *show, const struct match *match);

#endif
