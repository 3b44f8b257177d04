/* evening.h: a match of the dead played by the greedy, and what somebody at the table may see of it. */
#ifndef ARBITER_TEST_EVENING_H
#define ARBITER_TEST_EVENING_H

#include "services/console/phrase.h"
#include "services/console/playing.h"

struct evening {
    struct table   table;
    struct playing playing;
    struct plan   *views;
    struct phrase  phrase; /* With the view of its seat.                                         */
};

/* Opens a set-up that comes with the game, in an edition, and begins; players are Ada, Ben, ... */
void evening_open(struct evening *evening, const char *config, const char *edition, uint32_t seats);
void evening_close(struct evening *evening);
/* Plays so many more acts; false: the match is over. */
bool evening_play(struct evening *evening, uint32_t acts);
/* Puts what a seat (NOT_SEATED: a spectator) sees into the phrase. */
void evening_look(struct evening *evening, uint32_t seat);

#endif
