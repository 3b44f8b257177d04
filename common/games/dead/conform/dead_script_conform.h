/* dead_script_conform.h: one game to be played against a server: who says what, in which order.
 *
 * A script says nothing of what is heard: the rules know that. It is read from a recording, or made
 * up (dead_made_conform.h). */
#ifndef ARBITER_DEAD_SCRIPT_CONFORM_H
#define ARBITER_DEAD_SCRIPT_CONFORM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "games/house_conform.h"
#include "rules/command.h"

#define DEAD_LABEL_MAX 96
#define DEAD_PLAYER_NAME_MAX 64

enum dead_step_kind {
    DEAD_SAYS,   /* A client says a command.                                                      */
    DEAD_NOISE,  /* A client sends bytes that are no command; refused like one.                   */
    DEAD_PAUSE,  /* Nobody says anything for more than half of the time there is.                 */
    DEAD_SILENCE /* Nobody says anything until time is up.                                        */
};

struct dead_step {
    enum dead_step_kind kind;
    uint32_t            client;
    struct command      command; /* Its text stands in `name`; dead_step_command puts it there.   */
    char                name[DEAD_PLAYER_NAME_MAX];
};

struct dead_script {
    char              label[DEAD_LABEL_MAX]; /* Where it comes from, for people.                */
    char              setup[DEAD_LABEL_MAX]; /* What its set-up is called.                      */
    char              edition[16];
    int64_t           seed;
    char             *config; /* The set-up's text, as it is written.                             */
    uint32_t          silences;
    struct dead_step *step;
    uint32_t          count, capacity;
};

/* Makes room for a step behind the last, zeroed but for its arguments, which are ABSENT. */
struct dead_step *dead_script_add(struct dead_script *script);
void              dead_script_close(struct dead_script *script);
/* A step's command, with its text. */
struct command    dead_step_command(const struct dead_step *step);
/* A recording's commands. False: it is none, with the reason printed. */
bool              dead_script_read(struct dead_script *script, const char *path, FILE *complaints);

/* Opens a house's table for it. False, with the reason printed. */
bool dead_script_open(const struct dead_script *script, struct house *house, FILE *complaints);
/* Takes a step in a house of the rules. */
void dead_script_take(const struct dead_step *step, struct house *house);

#endif
