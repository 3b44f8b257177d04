/* oracle_heard.c: what is said and heard, held against what is durable; see oracle.h. */
#include <string.h>

#include "contract/directory.pb-c.h"
#include "contract/engine.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "contract/stream.pb-c.h"
#include "contract/watchdog.pb-c.h"
#include "oracle.h"
#include "schema/journal.h"
#include "wire/names.h"
#include "world/net_private.h"

#define VIEW_BYTES_MAX (60u << 10)

static bool is_bytes(const ProtobufCBinaryData *data, const uint8_t *bytes, size_t size)
{
    return data->len == size && memcmp(data->data, bytes, size) == 0;
}

/* "Accepted as number n": it is there, it is this player's, and it is durable. */
static void accepted(struct world *world, struct oracle *oracle, struct replica *replica,
                     const struct header *header, const Arbiter__Engine__Reply *reply)
{
    struct replica_act *act = reply->number > 0 && reply->number <= replica->count
                                  ? &replica->acts[reply->number - 1]
                                  : NULL;
    oracle->answers++;
    if (act != NULL && act->answers++ > 0)
        mark(world->marks, MARK_ANSWERED_TWICE);
    if (act != NULL && header->epoch > act->epoch)
        mark(world->marks, MARK_ANSWERED_BY_SUCCESSOR);
    if (act == NULL)
        world_fail(world, "I1", "act %llu is acknowledged, %u are kept",
                   (unsigned long long) reply->number, replica->count);
    else if ((act->actor != header->seat && act->actor != ACTOR_SAY) ||
             act->session != header->session || act->request != header->request)
        world_fail(world, "I11", "seat %u's request %u is answered with somebody else's act %llu",
                   header->seat, header->request, (unsigned long long) reply->number);
    else if (!is_bytes(&reply->chain, act->chain, sizeof act->chain))
        world_fail(world, "I3", "act %llu is acknowledged with another chain",
                   (unsigned long long) reply->number);
}

static void refused(struct world *world, struct oracle *oracle, const struct replica *replica,
                    const struct header *header)
{
    struct replica_act asked = { .actor = header->seat,
                                 .session = header->session,
                                 .request = header->request };
    for (uint32_t i = 0; i < replica->count; i++) {
        const struct replica_act *act = &replica->acts[i];
        if (act->actor == asked.actor && act->session == asked.session &&
            act->request == asked.request) {
            world_fail(world, "I11", "seat %u hears that request %u is refused; it is act %u",
                       header->seat, header->request, i + 1);
            return;
        }
    }
    mark(world->marks, MARK_REFUSED_BY_RULES);
    if (oracle->refusals < REFUSED_MAX && !oracle_was_refused(oracle, replica, &asked))
        oracle->refused[oracle->refusals++] =
            (struct refused){ (uint32_t) (replica - oracle->match), header->seat, header->session,
                              header->request };
}

static void hear_reply(struct world *world, struct oracle *oracle, const struct event *event)
{
    struct replica               *replica = oracle_match(oracle, event->header.match_id);
    const Arbiter__Engine__Reply *reply = BODY(Arbiter__Engine__Reply, event);
    if (replica == NULL)
        world_fail(world, "I11", "an answer about a match that was never kept");
    else if (reply->accepted)
        accepted(world, oracle, replica, &event->header, reply);
    else
        refused(world, oracle, replica, &event->header);
}

/* A seat's key is its own, and nobody else's: a spectator gets none. */
static void check_key(struct world *world, const struct replica *replica, uint32_t seat,
                      const Arbiter__Engine__Attached *attached)
{
    struct box_keys keys;
    if (seat == NO_SEAT && attached->has_key && attached->key.len > 0)
        world_fail(world, "I10", "somebody who watches is handed a key");
    if (seat == NO_SEAT || !attached->has_key)
        return;
    box_keys_of_secret(&keys, &crypto_sodium, replica->match->secret, seat, attached->generation);
    if (!is_bytes(&attached->key, keys.seal, sizeof keys.seal))
        world_fail(world, "I10", "seat %u is handed a key that is not its own", seat);
}

static void hear_attached(struct world *world, struct oracle *oracle, const struct event *event)
{
    static uint8_t                   view[VIEW_BYTES_MAX];
    const struct replica            *replica = oracle_match(oracle, event->header.match_id);
    const Arbiter__Engine__Attached *attached = BODY(Arbiter__Engine__Attached, event);
    if (replica == NULL || attached->number > replica->count || attached->number == 0) {
        world_fail(world, "I1", "somebody attaches at act %llu, which is not kept",
                   (unsigned long long) attached->number);
        return;
    }
    const struct replica_act *act = &replica->acts[attached->number - 1];
    if (!is_bytes(&attached->chain, act->chain, sizeof act->chain))
        world_fail(world, "I3", "somebody attaches to another chain");
    if (attached->number > 2)
        mark(world->marks, MARK_ATTACHED_LATE);
    check_key(world, replica, event->header.seat, attached);
    if (!attached->has_view || attached->view.len == 0)
        return;
    size_t size = replica_view(replica, attached->number, event->header.seat, view, sizeof view);
    oracle->views++;
    if (size > 0 && !is_bytes(&attached->view, view, size))
        world_fail(world, "I10", "seat %u's view at act %llu is not what it may see",
                   event->header.seat, (unsigned long long) attached->number);
}

/* No count names an act that is not kept. */
static void hear_count(struct world *world, struct oracle *oracle, const struct event *event)
{
    const Arbiter__Stream__SlotCount *said = BODY(Arbiter__Stream__SlotCount, event);
    if (event->header.epoch == oracle->slot[event->header.slot].epoch &&
        said->count > oracle->slot[event->header.slot].count &&
        oracle->slot[event->header.slot].count_epoch == event->header.epoch)
        world_fail(world, "I1", "slot %u is said to have had %llu acts, %llu are kept",
                   event->header.slot, (unsigned long long) said->count,
                   (unsigned long long) oracle->slot[event->header.slot].count);
}

/* An act as anybody gets it: durable, and the same bytes everywhere. */
static void hear_act(struct world *world, struct oracle *oracle, const uint8_t *id,
                     const Arbiter__Stream__Act *act)
{
    const struct replica *replica = oracle_match(oracle, id);
    oracle->observed++;
    if (replica == NULL || act->number == 0 || act->number > replica->count) {
        world_fail(world, "I1", "act %llu is published and not kept",
                   (unsigned long long) act->number);
        return;
    }
    const struct replica_act *kept = &replica->acts[act->number - 1];
    const struct cell        *cells = kept->row->row->cells;
    if (act->actor != kept->actor || act->epoch != kept->epoch ||
        act->slot_count != kept->slot_count ||
        !is_bytes(&act->body, cells[ACTS_BODY].bytes, cells[ACTS_BODY].size) ||
        !is_bytes(&act->chain_before, cells[ACTS_CHAIN_BEFORE].bytes,
                  cells[ACTS_CHAIN_BEFORE].size) ||
        !is_bytes(&act->command_hash, cells[ACTS_COMMAND_HASH].bytes,
                  cells[ACTS_COMMAND_HASH].size))
        world_fail(world, "I3", "act %llu is published as another than was kept",
                   (unsigned long long) act->number);
}

static void hear_head(struct world *world, struct oracle *oracle, const struct event *event)
{
    const struct replica        *replica = oracle_match(oracle, event->header.match_id);
    const Arbiter__Stream__Head *head = BODY(Arbiter__Stream__Head, event);
    if (replica == NULL || head->number == 0 || head->number > replica->count) {
        world_fail(world, "I1", "a head stands at act %llu, which is not kept",
                   (unsigned long long) head->number);
        return;
    }
    /* A relay that does not hold the last act yet leaves its chain out. */
    if (head->has_chain &&
        !is_bytes(&head->chain, replica->acts[head->number - 1].chain, MATCH_HASH_SIZE))
        world_fail(world, "I3", "a head names another chain for act %llu",
                   (unsigned long long) head->number);
    if (head->over && head->number != replica->count)
        world_fail(world, "I4", "a head says that act %llu is the last, there are %u",
                   (unsigned long long) head->number, replica->count);
}

/* What players are refused for reasons of the house's. */
static void hear_refused(struct world *world, struct oracle *oracle, const struct event *event)
{
    static const struct {
        Arbiter__Wire__Refusal refusal;
        enum mark              mark;
    } known[] = {
        { REFUSAL(AGAIN), MARK_TOLD_AGAIN },
        { REFUSAL(ELSEWHERE), MARK_TOLD_ELSEWHERE },
        { REFUSAL(ATTACH_AGAIN), MARK_TOLD_ATTACH_AGAIN },
        { REFUSAL(NO_SUCH_MATCH), MARK_TOLD_NO_SUCH_MATCH },
        { REFUSAL(GAP), MARK_TOLD_GAP },
        { REFUSAL(QUARANTINED), MARK_TOLD_HELD },
    };
    const Arbiter__Wire__Refused *refused = BODY(Arbiter__Wire__Refused, event);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (refused->refusal == known[i].refusal)
            mark(world->marks, known[i].mark);
    const struct replica *replica = oracle_match(oracle, event->header.match_id);
    /* The engine that took the slot later has found the match there. */
    if (refused->refusal == REFUSAL(NO_SUCH_MATCH) && replica != NULL && !replica->has_result &&
        !replica->is_set_back && replica->count > 0 && event->header.epoch > replica->acts[0].epoch)
        world_fail(world, "I11", "somebody hears that there is no match %02x%02x, which goes on",
                   replica->id[0], replica->id[1]);
}

static void hear_history(struct world *world, struct oracle *oracle, const struct event *event)
{
    const Arbiter__Stream__HistoryAnswer *answer = BODY(Arbiter__Stream__HistoryAnswer, event);
    if (answer->n_acts > 0)
        mark(world->marks, MARK_FETCHED);
    for (size_t i = 0; i < answer->n_acts && !world->is_over; i++)
        hear_act(world, oracle, event->header.match_id, answer->acts[i]);
}

/* What services are told: more than once does no harm. */
static void hear_house(struct world *world, struct oracle *oracle, const struct event *event)
{
    const uint8_t *id = event->header.match_id;
    if (event->header.kind == KIND(EXPIRE))
        id = (BODY(Arbiter__Watchdog__Expire, event))->match_id.data;
    struct replica *replica = id != NULL ? oracle_match(oracle, id) : NULL;
    if (replica == NULL)
        return;
    if (event->header.kind == KIND(MATCH_OVER) && replica->overs++ > 0)
        mark(world->marks, MARK_OVER_TWICE);
    if (event->header.kind == KIND(MATCH_STARTED) && replica->starts++ > 0)
        mark(world->marks, MARK_STARTED_TWICE);
    if (event->header.kind != KIND(EXPIRE))
        return;
    uint64_t wait = (BODY(Arbiter__Watchdog__Expire, event))->wait;
    if (wait == replica->expired)
        mark(world->marks, MARK_EXPIRE_TWICE);
    replica->expired = wait;
}

/* What is left in the inbox of a closed connection is nobody's word any more. By now its number may
 * be another service's, which says no such thing. */
static bool is_from_upstream(const struct world *world, const struct process *process,
                             const struct event *event)
{
    uint32_t place = net_find(world, process, event->caller.route);
    if (event->caller.door != DOOR_PEER || place == NO_CONNECTION ||
        world->net.connection[place].target == NO_PROCESS)
        return false;
    for (uint32_t i = 0; i < process->out.effect_count; i++)
        if (process->out.effects[i].kind == EFFECT_DISCONNECT &&
            process->out.effects[i].route == event->caller.route)
            return false;
    uint32_t role = world->process[world->net.connection[place].target].role;
    return role == ROLE(ENGINE) || role == ROLE(FANOUT);
}

/* Which epochs relays have heard of. */
static void note_epoch(struct world *world, struct oracle *oracle, const struct process *process,
                       const struct event *event)
{
    uint16_t kind = event->header.kind;
    uint32_t index = process_index(world, process);
    if (process->role != ROLE(FANOUT) ||
        (kind != KIND(ACT) && kind != KIND(HEAD) && kind != KIND(SLOT_COUNT) &&
         kind != KIND(MOVED_ANSWER)) ||
        !is_from_upstream(world, process, event))
        return;
    uint8_t slot = event->header.slot;
    bool    is_reborn = oracle->seen[index][slot].incarnation != process->incarnation;
    if (!is_reborn && event->header.epoch < oracle->seen[index][slot].epoch)
        mark(world->marks, MARK_OLD_EPOCH_FRAME);
    if (!is_reborn && event->header.epoch <= oracle->seen[index][slot].epoch)
        return;
    oracle->seen[index][slot].epoch = event->header.epoch;
    oracle->seen[index][slot].batch = process->batches;
    oracle->seen[index][slot].incarnation = process->incarnation;
}

void oracle_heard(struct world *world, struct oracle *oracle, struct process *process,
                  const struct event *event)
{
    if (event->kind != EVENT_MESSAGE)
        return;
    switch (event->header.kind) {
    case KIND(REPLY): hear_reply(world, oracle, event); break;
    case KIND(ATTACHED): hear_attached(world, oracle, event); break;
    case KIND(ACT):
        hear_act(world, oracle, event->header.match_id, BODY(Arbiter__Stream__Act, event));
        break;
    case KIND(HEAD): hear_head(world, oracle, event); break;
    case KIND(SLOT_COUNT): hear_count(world, oracle, event); break;
    case KIND(HISTORY_ANSWER): hear_history(world, oracle, event); break;
    case KIND(CLOSED): mark(world->marks, MARK_CLOSED); break;
    case KIND(REFUSED):
        if (process->role == ROLE(CLIENT))
            hear_refused(world, oracle, event);
        break;
    case KIND(EXPIRE):
    case KIND(MATCH_OVER):
    case KIND(MATCH_STARTED): hear_house(world, oracle, event); break;
    default: break;
    }
    note_epoch(world, oracle, process, event);
}

/* Of heads and counts with an older epoch than it has heard of before this batch a relay says nothing. */
void oracle_said(struct world *world, struct oracle *oracle, struct process *process,
                 const struct effect *effect)
{
    if (process->role != ROLE(FANOUT) || effect->kind != EFFECT_PUBLISH)
        return;
    uint16_t kind = effect->header.kind;
    uint32_t index = process_index(world, process);
    uint8_t  slot = effect->header.slot;
    uint64_t seen = oracle->seen[index][slot].epoch;
    bool     is_fresh = oracle->seen[index][slot].batch + 1 >= process->batches;
    if (oracle->seen[index][slot].incarnation != process->incarnation)
        return;
    if ((kind == KIND(HEAD) || kind == KIND(SLOT_COUNT)) && effect->header.epoch < seen &&
        !is_fresh)
        world_fail(world, "I5", "%s says %s of epoch %llu, and has heard of %llu", process->name,
                   kind == KIND(HEAD) ? "a head" : "a count",
                   (unsigned long long) effect->header.epoch, (unsigned long long) seen);
}
