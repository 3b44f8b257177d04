/* started.h: somebody else's server as a process: started, watched, ended, what it prints kept.
 *
 * The command line is one text, split into words as a shell splits them, and by no shell: quotes and
 * backslashes work, everything else is just a letter. What stands in braces is filled in after the
 * split, so no value becomes two words. */
#ifndef ARBITER_JUDGE_STARTED_H
#define ARBITER_JUDGE_STARTED_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"

#define START_WORDS_MAX 64

/* What may stand in braces. */
enum start_hole { START_PORT, START_CONFIG, START_SEED, START_TIMEOUT, START_EDITION, START_HOLES };

struct start_line {
    char    *word[START_WORDS_MAX + 1]; /* NULL behind the last.                                  */
    uint32_t count;
    bool     has[START_HOLES]; /* Which of the holes it has.                                      */
};

struct started {
    pid_t pid;   /* 0: it does not run.                                                           */
    int   ended; /* How it ended, as waitpid says.                                                */
    char  said[PATH_MAX]; /* The file with all it prints.                                         */
};

/* Splits it. False, and a sentence. */
bool        start_split(struct start_line *line, const char *command, struct text *fault);
void        start_drop(struct start_line *line);
const char *start_hole_name(enum start_hole hole);

/* Starts it with these in its holes; one that is NULL is left out, with the option in front of it.
 * `more` are words behind the last; NULL: none. False, and a sentence: there is no such program. */
bool started_begin(struct started *started, const struct start_line *line,
                   const char *const holes[START_HOLES], const char *const *more,
                   struct text *fault);
/* Whether it still runs. */
bool started_runs(struct started *started);
/* The exit code as a shell says it; it has ended. */
int  started_code(const struct started *started);
/* Ends it and all it has started: asks first. */
void started_end(struct started *started);

#endif
