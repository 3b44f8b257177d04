/* oracle.h: what must always be true, asked after every event that could make it false.
 *
 * It knows what was kept, because it sees every transaction become durable. It plays every match a
 * second time from that (replica.h), and it hears what everybody is told. So an answer is held
 * against what is durable at the moment in which it is heard, and against everything that becomes
 * durable later.
 *
 *   I1   acknowledged: durable, for ever         I7   accepted: legal by the rules
 *   I2   no request is played twice              I8   nothing outgrows what was declared
 *   I3   one order, the same bytes everywhere    I9   no clock runs while its owner is away
 *   I4   observers see k, k+1, ... to the end    I10  a view is the view of the reference
 *   I5   one owner per slot and epoch            I11  every answer is true, refusals too
 *   I6   what was kept, played again, is what is I12  one seat a player, one match a start */
#ifndef ARBITER_CLUSTER_ORACLE_H
#define ARBITER_CLUSTER_ORACLE_H

#include <stdint.h>

#include "core/event.h"
#include "core/outbox.h"
#include "replica.h"
#include "wire/header.h"
#include "world/world.h"

#define ORACLE_MATCHES_MAX 1024
#define REFUSED_MAX 4096

/* A request that was refused must be in no history. */
struct refused {
    uint32_t replica;
    uint32_t seat, session, request;
};

struct oracle {
    struct vault  *journal;
    struct replica match[ORACLE_MATCHES_MAX];
    uint32_t       matches;
    struct refused refused[REFUSED_MAX];
    uint32_t       refusals;
    struct {
        uint64_t epoch, raised_ns, incarnation;
        uint64_t count, count_epoch; /* Of its last act.                                       */
        uint32_t process;
    } slot[SLOTS];
    /* By fanouts: the highest epoch that upstream has said, in which of their batches, and of which of their lives. */
    struct {
        uint64_t epoch, batch, incarnation;
    } seen[PROCESSES_MAX][SLOTS];
    uint64_t acts, answers, views, observed;
};

struct replica *oracle_match(struct oracle *oracle, const uint8_t *id);
/* A transaction of the journal's has become durable. */
void oracle_kept(struct world *world, struct oracle *oracle, const struct transaction *transaction);
/* Somebody hears something. */
void oracle_heard(struct world *world, struct oracle *oracle, struct process *process,
                  const struct event *event);
/* Something is said. */
void oracle_said(struct world *world, struct oracle *oracle, struct process *process,
                 const struct effect *effect);
/* A seat's act is in the history; was its request refused before? */
bool oracle_was_refused(const struct oracle *oracle, const struct replica *replica,
                        const struct replica_act *act);
/* The lobby has kept something. */
void oracle_seats(struct world *world, const struct vault *vault);
/* Whether one of its tables still plays, as far as it has heard. */
bool oracle_plays_on(const struct vault *vault);
void oracle_close(struct oracle *oracle);
/* So many acts the journal, or an older copy of it, has of a match. */
uint32_t oracle_acts_in(const struct vault *journal, const uint8_t *match_id);
/* The journal was set back: what it has lost is noted. */
void     oracle_set_back(struct world *world, struct oracle *oracle);

#endif
