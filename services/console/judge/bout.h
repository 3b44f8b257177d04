/* bout.h: one game against a server, step by step, with the rules beside it.
 *
 * After each step everything that the rules say must have reached every client, in this order and
 * nothing else. What comes too much shows before the next thing that is expected. So nothing waits
 * but where silence is the question. In a careful bout each step is followed by a moment of
 * listening, and what comes too much shows where it comes. */
#ifndef ARBITER_JUDGE_BOUT_H
#define ARBITER_JUDGE_BOUT_H

#include <jansson.h>

#include "games/dead/conform/dead_explain_conform.h"
#include "services/console/judge/callers.h"
#include "services/console/judge/started.h"
#include "wire/plan.h"

enum bout_end {
    BOUT_AGREES,
    BOUT_DIFFERS,
    BOUT_CANNOT, /* The script's set-up is not ours to play, or nothing can be sent.              */
    BOUT_INTERRUPTED
};

/* Where a server first did something else. */
struct difference {
    struct dead_cause cause;
    uint32_t          steps;    /* Taken before.                                                  */
    uint32_t          client;   /* Who heard something else; CALLERS_MAX: the program itself.     */
    char             *said;     /* The step, for people.                                          */
    char             *expected; /* What should have come, for whom; texts are for people.         */
    char             *came;
    json_t           *story; /* What was said and should have been heard before: texts.           */
};

struct bout_terms {
    const struct dead_script *script;
    struct started           *started;   /* NULL: the server runs somewhere else.                 */
    uint32_t                  timeout_s; /* The server's.                                         */
    double                    patience_s; /* So long an answer may take.                          */
    double                    start_s;    /* So long the first one, and the program's end.        */
    bool                      is_careful;
};

/* What a judge keeps from bout to bout. */
struct bout_room {
    struct callers callers; /* They call at the server.                                           */
    struct house  *house;   /* The rules.                                                         */
    struct plan   *commands;
    uint64_t       heard; /* Frames of servers, in all bouts.                                     */
};

bool bout_room_open(struct bout_room *room, struct text *fault);
void bout_room_close(struct bout_room *room);

enum bout_end bout_play(struct bout_room *room, const struct bout_terms *terms,
                        struct difference *difference);
void          difference_close(struct difference *difference);
/* "MoralChanged(amount=-1, reason=WASTE)". The caller frees it. */
char         *bout_event_text(const json_t *event);

#endif
