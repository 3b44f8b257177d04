/* bugs.h: bugs planted at run time, so that the simulation itself is tested: each must be caught.
 *
 * The product's source is not touched. A bug is planted in what runs a core. It hands the core
 * something else than what happened, or does something else than what the core said. What the core
 * then does is what a core with that bug would do. */
#ifndef ARBITER_CLUSTER_BUGS_H
#define ARBITER_CLUSTER_BUGS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/event.h"
#include "core/outbox.h"
#include "core/row.h"

#define BUGS(BUG)                                                                                  \
    BUG(ACK_EARLY, "ack-early", "effects are performed before the commit")                         \
    BUG(SETTLE_SKIPPED, "settle-skipped", "a refused batch is settled as committed")               \
    BUG(UNKNOWN_REFUSED, "unknown-refused", "an unknown outcome is taken for a refusal")           \
    BUG(NO_FENCE, "no-fence", "fences are dropped from the batch")                                 \
    BUG(WRONG_ROUTE, "wrong-route", "an answer goes to another route")                             \
    BUG(ANSWERS_FORGOTTEN, "answers-forgotten", "the answers given are not stored")                \
    BUG(READ_SHORT, "read-short", "a recovery misses the last row of what it reads")               \
    BUG(REFUSAL_EARLY, "refusal-early", "a refusal is said without waiting for the commit")        \
    BUG(SNAPSHOT_OFF, "snapshot-off", "a recovery reads on one act too far behind its snapshot")   \
    BUG(ATTACH_OFF, "attach-off", "a view is said to stand one act earlier than it does")          \
    BUG(ACT_TWICE, "act-twice", "an act is published a second time with other bytes")              \
    BUG(COUNT_WRONG, "count-wrong", "a slot's count is one too high")                              \
    BUG(NO_HEADS, "no-heads", "heads and counts are never said")                                   \
    BUG(WALL_CLOCK, "wall-clock", "timers run on the wall clock")                                  \
    BUG(KEY_LEAKS, "key-leaks", "a spectator is handed a seat's key")                              \
    BUG(STALE_WAIT, "stale-wait", "an Expire counts whatever wait it names")                       \
    BUG(OLD_FRAMES, "old-frames", "a fanout relays frames of an old epoch")                        \
    BUG(OVER_LOST, "over-lost", "the lobby never hears that a match is over")                      \
    BUG(NEWEST_RULES, "newest-rules", "a recovery plays all matches by the newest rules")          \
    BUG(RULES_DENIED, "rules-denied", "a match whose rules an engine lacks is said not to be")     \
    BUG(NO_MARKS, "no-marks", "a fanout does not say what it was told to an engine that begins")   \
    BUG(DAMAGE_UNSEEN, "damage-unseen", "an engine opens a journal that is damaged in the middle") \
    BUG(NEWEST_VERSION, "newest-version", "an answer is of the newest version, whoever asked")

enum bug {
    BUG_NONE,
#define BUG(name, word, sentence) BUG_##name,
    BUGS(BUG)
#undef BUG
        BUGS_END
};

const char *bug_word(enum bug bug);
const char *bug_sentence(enum bug bug);
/* BUGS_END: there is none of this name. */
enum bug    bug_named(const char *called);

struct world;
struct process;
/* Whether it is planted here: in engines, unless it is another service's. */
bool               bug_is(const struct world *world, const struct process *process, enum bug bug);
/* Spoils what a core is about to be handed. */
void               bugs_in_event(struct world *world, struct process *process, struct event *event);
/* Spoils a batch before it is committed. */
void               bugs_in_batch(struct world *world, struct process *process);
/* What the core is told instead of what became of its batch. */
enum store_outcome bugs_in_outcome(const struct world *world, const struct process *process,
                                   enum store_outcome outcome);
/* How many of so many rows a read gives. */
uint32_t bugs_in_read(const struct world *world, const struct process *process, uint32_t rows);
/* Spoils what a core asks the store. */
void bugs_in_query(const struct world *world, const struct process *process, struct query *query);
/* Spoils an effect before it is performed; false: it is not performed at all. */
bool bugs_in_effect(struct world *world, struct process *process, struct effect *effect);

#endif
