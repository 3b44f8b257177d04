/* contestant.h: who plays in a tournament: a bot of this build, or a program of somebody's.
 *
 * A program is started anew for every game. It uses one of three doors. They are lines of JSON over
 * its standard input and output, treasure's HTTP of 2017 (door_rest.h), and the frames of a
 * classroom (door_plain.h). In the words of its command line {port}, {url} and {address} stand for
 * where its door is. Lines are these:
 *
 *     house    {"hello": {"game": "nim", "seat": 0, "seats": 2, "setup": {...}}}
 *     house    {"ask": {"act": 7, "limit_ms": 1000, "latency_ms": 3, "view": {...}, "legal": [{...}, ...],
 *                       "proposal": {...}}}
 *     program  {"command": {...}}
 *     house    {"over": {"outcome": [1, -1]}}
 *
 * Views and commands are messages of the game's .proto as JSON. At most 256 commands stand in
 * `legal`. If something may be done that cannot be listed, there is a `proposal`. How long the
 * answer before took, measured here, stands in `latency_ms`. A contestant that answers late, with
 * nonsense, or not at all forfeits the game. Its process and all that it started are ended. Its
 * standard error goes to no terminal. The last line is told if it forfeits, and all of it is added
 * to a file on request. */
#ifndef ARBITER_CONTESTANT_H
#define ARBITER_CONTESTANT_H

#include <jansson.h>
#include <sys/types.h>

#include "match/policy.h"
#include "services/console/command/table.h"

#define CONTESTANT_NAME_MAX 40
#define CONTESTANT_WORDS_MAX 32
#define CONTESTANTS_MAX 64
#define CONTESTANT_SAID_MAX 200

enum contestant_door { CONTESTANT_BOT, CONTESTANT_LINES, CONTESTANT_REST, CONTESTANT_PLAIN };

struct contestant {
    char                 name[CONTESTANT_NAME_MAX];
    enum contestant_door door;
    struct policy_choice policy;                 /* Of a bot.                             */
    const char *words[CONTESTANT_WORDS_MAX + 1]; /* Of a program: its command line; of a bot: */
                                                 /* how it plays, as it was written.      */
    uint64_t    sandbox_mb; /* Of a program: in a sandbox, with so much memory; 0: in none.  */
};

struct contestants {
    char             *words; /* All of them, each with a NUL behind it. */
    struct contestant list[CONTESTANTS_MAX];
    uint32_t          count;
};

/* [{"name": "greedy", "bot": "greedy"}, {"name": "mine", "program": ["python3", "mine.py"]},
 *  {"name": "old", "rest": ["java", "-jar", "old.jar", "{port}"]}], for this game. A console_exit; what is
 * wrong has been said, programs that are not there included (contestants.c). */
int     contestants_read(struct contestants *all, const char *path, const char *game);
void    contestants_close(struct contestants *all);
/* All of them by name, so that their order says nothing: {"mine": {"program": ["python3", "mine.py"]}}. */
json_t *contestants_json(const struct contestants *all);

/* A program at work. */
struct contestant_run {
    pid_t    pid; /* 0: none, or it has been ended. */
    int      to, from, errors;
    FILE    *errors_to; /* What comes from `errors` goes there; NULL: nowhere. */
    char     last[CONTESTANT_SAID_MAX - 40]; /* The end of it.                                */
    size_t   last_size;
    char    *line; /* What has come of its next one.                                            */
    size_t   size;
    bool     has_answered; /* Before, it may be starting up, which is not held against it.       */
    uint64_t latency_ms, slowest_ms;
    uint64_t limit_ms, start_ms; /* For an answer, and for the first one besides.               */
};

/* `where`: the address of its door, "tcp://127.0.0.1:4711"; NULL: lines. 0, or the errno that says why it
 * cannot be started. */
int     contestant_start(struct contestant_run *run, const struct contestant *of, const char *where,
                         uint64_t limit_ms, uint64_t start_ms);
/* Whether it has ended by itself. */
bool    contestant_is_gone(const struct contestant_run *run);
/* Takes what it has printed on its standard error. */
void    contestant_drain(struct contestant_run *run);
/* The last line of that, fit to be shown; empty if there is none. */
void    contestant_last_words(struct contestant_run *run, char words[CONTESTANT_SAID_MAX]);
/* Sends a line; 0, or the errno: EAGAIN if it does not read within the limit. The JSON is dropped. */
int     contestant_say(struct contestant_run *run, json_t *json);
/* The next line within the limit; NULL, and why not: "hung", "crashed" or "nonsense". */
json_t *contestant_hear(struct contestant_run *run, const char **why);
/* How long it has for what it is asked now: a first answer has more. */
uint64_t contestant_time_ms(const struct contestant_run *run);
/* It has let all that time pass, which is the slowest answer one can give. */
void     contestant_hung(struct contestant_run *run);
/* Ends it and its group. */
void     contestant_end(struct contestant_run *run);
/* Once: whatever programs start and leave behind becomes this process's. And when all programs have ended:
 * what they left behind does, too. This process may have no other children then. */
void     contestants_adopt_strays(void);
void     contestants_end_strays(void);

#endif
