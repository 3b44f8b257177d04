/* evening.h: a match, mostly of the dead, played by the greedy, and what somebody at the table may see of it. */
#ifndef ARBITER_TEST_EVENING_H
#define ARBITER_TEST_EVENING_H

#include "services/console/faces/phrase.h"
#include "services/console/trial/playing.h"

struct evening {
    struct table   table;
    struct playing playing;
    struct plan   *views;
    struct phrase  phrase; /* With the view of its seat, which is `seen`.                        */
    ProtobufCMessage *seen;
    char             *said; /* What its face has put last.                                      */
    size_t            said_size;
};

/* Opens a set-up that comes with the game, in an edition, and begins; players are Ada, Ben, ... */
void evening_open(struct evening *evening, const char *config, const char *edition, uint32_t seats);
/* The same of any game, with an option ("key=value") or NULL. */
void evening_open_game(struct evening *evening, const char *game, const char *config,
                       const char *option, uint32_t seats);
void evening_close(struct evening *evening);
/* Plays so many more acts; false: the match is over. */
bool evening_play(struct evening *evening, uint32_t acts);
/* Puts what a seat (NOT_SEATED: a spectator) sees into the phrase. */
void evening_look(struct evening *evening, uint32_t seat);

/* Where its face shall speak; what was put is `said` once it is closed. */
FILE       *evening_listen(struct evening *evening);
/* The board, without colours; an event as a sentence. Both are `said`, too. */
const char *evening_draw(struct evening *evening, uint32_t columns, uint32_t rows);
const char *evening_draw_whole(struct evening *evening, uint32_t columns);
const char *evening_event(struct evening *evening, uint32_t kind, const word *fields,
                          uint32_t count);
#define EVENING_EVENT(evening, kind, ...)                                                          \
    evening_event(evening, kind, (const word[]){ __VA_ARGS__ },                                    \
                  sizeof((const word[]){ __VA_ARGS__ }) / sizeof(word))
/* These words are among what was said. */
void     evening_assert_said(const struct evening *evening, const char *words);
/* No line of a screen is wider than it may be, or begins with what ends a word; returns how many there are. */
uint32_t evening_assert_fits(const char *screen, uint32_t columns);
/* The screen is the one that was found good, screens/NAME.txt. ARBITER_DRAW=FOLDER writes it there instead. */
void     evening_assert_screen(const char *name, const char *screen, uint32_t columns);

#endif
