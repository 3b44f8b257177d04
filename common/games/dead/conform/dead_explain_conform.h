/* dead_explain_conform.h: what a difference between a server and the rules is about.
 *
 * A difference belongs to one topic, and to one paragraph of the specification. Both are read off the
 * event that was expected and the one that came, and off what else came of the same command. */
#ifndef ARBITER_DEAD_EXPLAIN_CONFORM_H
#define ARBITER_DEAD_EXPLAIN_CONFORM_H

#include <jansson.h>
#include <stdbool.h>

#include "games/dead/conform/dead_script_conform.h"

enum dead_topic {
    DEAD_TOPIC_RULES,
    DEAD_TOPIC_ORDER,
    DEAD_TOPIC_DICE,
    DEAD_TOPIC_AUDIENCE,
    DEAD_TOPIC_CLOCK,
    DEAD_TOPIC_VALIDATION,
    DEAD_TOPIC_START,
    DEAD_TOPICS
};

/* Where what one client heard of one step first differs from what it should have heard. */
struct dead_gap {
    const struct dead_step *step;
    const json_t           *expected; /* NULL: nothing more.                                      */
    const json_t           *came;     /* NULL: nothing.                                           */
    const json_t           *before;   /* What this client should have heard before, of this step. */
    bool                    is_refused;   /* The rules refuse the command.                        */
    bool                    others_heard; /* Somebody else did hear what was expected.            */
    bool                    is_of_others; /* What came should have gone to somebody else.         */
    bool                    is_shuffled;  /* All that was expected came, in another order.        */
    bool                    is_untimely;  /* Time ran out too early or too late.                  */
};

struct dead_cause {
    enum dead_topic topic;
    const char     *section;  /* Of the specification, such as "12.4".                            */
    const char     *sentence; /* What stands there, in short.                                     */
};

/* In a word and for people: "rules", "Rules of the game". */
const char       *dead_topic_name(enum dead_topic topic);
const char       *dead_topic_title(enum dead_topic topic);
struct dead_cause dead_explain(const struct dead_gap *gap);

#endif
