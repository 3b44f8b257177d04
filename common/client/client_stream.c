/* client_stream.c: acts in order: from the stream as they come, from history where there are holes. Pure.
 *
 * The stream is a hint. The client asks for acts that are known to exist and were not told: at the
 * fanout it listens to, at the others, and now and then at the engine's own door. When all is quiet
 * somebody is asked whether it should be, ever more seldom. Whom, and what a lost stream has to do
 * with it: client_cut.c. */
#include <string.h>

#include "client/client_private.h"

/* Each kind of fault is told once for a seat; it would be found again with every frame. */
void seat_fault(const struct turn *turn, struct client_seat *seat, enum client_fault fault,
                uint64_t number)
{
    struct client_event told = {
        .kind = CLIENT_FAULT, .seat = seat->seat, .fault = fault, .number = number
    };
    seat->found |= 1u << fault;
    if ((seat->faults >> fault & 1) != 0)
        return;
    memcpy(told.match_id, seat->match_id, CLIENT_ID_SIZE);
    if (tell(turn->core, &told, NULL, 0))
        seat->faults |= 1u << fault;
}

/* One promise at a time is held to: the first one, until its act is there. */
static const uint8_t *known_chain(struct client_seat *seat, uint64_t number, const uint8_t *chain)
{
    if (number < seat->next)
        return seat->chain[number % CLIENT_CHAINS];
    if (seat->promised < seat->next) {
        seat->promised = number;
        memcpy(seat->promised_chain, chain, CRYPTO_HASH_SIZE);
    }
    return number == seat->promised ? seat->promised_chain : chain;
}

void stream_compare(const struct turn *turn, struct client_seat *seat, uint64_t number,
                    const uint8_t *chain, size_t size)
{
    if (size != CRYPTO_HASH_SIZE || number < seat->oldest || seat->next == 0)
        return;
    if (memcmp(known_chain(seat, number, chain), chain, size) != 0)
        seat_fault(turn, seat, CLIENT_FAULT_FORK, number);
}

void stream_known(const struct turn *turn, struct client_seat *seat, uint64_t number,
                  uint64_t wait_ms)
{
    if (number > 0 && seat->known == 0)
        seat_has_begun(turn, seat);
    if (number > seat->known)
        seat->known = number;
    if (seat->next == 0 || seat->known < seat->next)
        return;
    /* What is being fetched already is not asked for twice. */
    if (seat->fetch.tries == 0 && seat->fetch.at_ms > turn->now_ms + wait_ms) {
        seat->fetch.at_ms = turn->now_ms + wait_ms;
        outbox_wake(turn->out, seat->fetch.at_ms);
    }
}

/* How long it may be quiet before somebody is asked for the first time. */
static uint32_t first_quiet_ms(const struct client_core *core, const struct client_seat *seat)
{
    return seat->is_cut ? core->settings.retry_ms : core->settings.quiet_ms;
}

/* Some act was told: go on at once, or wait for what comes by itself. */
static void progressed(const struct turn *turn, struct client_seat *seat)
{
    seat->quiet_ms = first_quiet_ms(turn->core, seat);
    seat->fetch = due_now(turn);
    seat->asked = NO_PEER;
    if (seat->known < seat->next)
        seat->fetch.at_ms += seat->quiet_ms;
    outbox_wake(turn->out, seat->fetch.at_ms);
}

void stream_begin(const struct turn *turn, struct client_seat *seat, uint64_t number,
                  const uint8_t *chain)
{
    seat->next = number + 1;
    seat->known = number > seat->known ? number : seat->known;
    seat->oldest = number;
    memcpy(seat->chain[number % CLIENT_CHAINS], chain, CRYPTO_HASH_SIZE);
    progressed(turn, seat);
}

void stream_begin_at(const struct turn *turn, struct client_seat *seat, uint64_t first,
                     uint64_t number, const uint8_t *chain)
{
    seat->promised = number;
    memcpy(seat->promised_chain, chain, CRYPTO_HASH_SIZE);
    seat->next = first;
    seat->known = number > seat->known ? number : seat->known;
    seat->oldest = first;
    progressed(turn, seat);
}

void stream_over(struct client_seat *seat, uint64_t number)
{
    if (number + 1 < seat->next)
        return;
    seat->is_over = true;
    seat->last = number;
}

/* Seats of one match share a topic; who stops listening must not stop the others. */
static bool is_shared(struct client_core *core, const struct client_seat *seat)
{
    const struct client_seat *other = seat_first(core, seat->match_id);
    while (other != NULL && (other == seat || other->fanout != seat->fanout))
        other = seat_after(core, other);
    return other != NULL;
}

void stream_unlisten(const struct turn *turn, struct client_seat *seat)
{
    uint8_t             topic[TOPIC_SIZE];
    const struct peers *peers = &turn->core->peers;
    if (seat->fanout != NO_PEER && peers->list[seat->fanout].role == ROLE(FANOUT) &&
        peers->list[seat->fanout].hello_ms == seat->fanout_ms && !is_shared(turn->core, seat)) {
        header_topic(topic, seat->match_id);
        outbox_unlisten(turn->out, peers_connection(seat->fanout, DOOR_STREAM), topic,
                        sizeof topic);
    }
    seat->fanout = NO_PEER;
}

void stream_listen(const struct turn *turn, struct client_seat *seat, uint32_t fanout)
{
    uint8_t topic[TOPIC_SIZE];
    stream_unlisten(turn, seat);
    if (fanout == NO_PEER)
        return;
    seat->fanout = fanout;
    seat->chosen_ms = turn->now_ms;
    seat->fanout_ms = turn->core->peers.list[fanout].hello_ms;
    if (is_shared(turn->core, seat))
        return;
    header_topic(topic, seat->match_id);
    outbox_listen(turn->out, peers_connection(fanout, DOOR_STREAM), topic, sizeof topic);
}

bool stream_is_listening(const struct client_core *core, const struct client_seat *seat)
{
    const struct peer *fanout = seat->fanout == NO_PEER ? NULL : &core->peers.list[seat->fanout];
    return fanout != NULL && fanout->role == ROLE(FANOUT) && fanout->hello_ms == seat->fanout_ms &&
           !fanout->draining;
}

static void say_history(const struct turn *turn, struct client_seat *seat)
{
    uint32_t peer = cut_choose_door(turn, seat);
    if (peer == NO_PEER)
        return;
    Arbiter__Stream__HistoryAsk *ask =
        outbox_message(turn->out, &arbiter__stream__history_ask__descriptor);
    ask->has_from = true;
    ask->from = seat->next;
    struct header header;
    header_init(&header, KIND(HISTORY_ASK), seat->match_id);
    header.version = header_spoken(seat->protocol); /* A fanout is not asked what it reads. */
    header.request = TAG_HISTORY;
    outbox_send(turn->out, DOOR_PEER, peers_connection(peer, DOOR_HISTORY), &header, ask);
}

/* The last act was told, and nothing of ours is under way: that was it. */
static bool finish(const struct turn *turn, struct client_seat *seat)
{
    struct client_event told = { .kind = CLIENT_OVER, .seat = seat->seat, .number = seat->last };
    if (!seat->is_over || seat->next == 0 || seat->next <= seat->last || seat->own.kind != OWN_NONE)
        return false;
    told.proof = seat->proof;
    memcpy(told.match_id, seat->match_id, CLIENT_ID_SIZE);
    if (!tell(turn->core, &told, NULL, 0))
        return false;
    seat_was_told(turn->core, seat);
    seat_close(turn, seat);
    return true;
}

/* It has come to this, that there is another one to listen to, or the same anew. */
static void listen_anew(const struct turn *turn, struct client_seat *seat)
{
    struct client_core *core = turn->core;
    uint32_t            before = seat->fanout, best = spread_choose(core, seat);
    bool                is_anew =
        best != before || best == NO_PEER || core->peers.list[best].hello_ms != seat->fanout_ms;
    if (!is_anew)
        return; /* It is stopping, and there is no other. */
    stream_listen(turn, seat, best);
    if (before != NO_PEER)
        cut_doubt(turn, seat, seat->fanout == before, core->settings.act_wait_ms);
}

/* Listens somewhere; and elsewhere, when a fanout has come that is the better one for this seat. Not all clients
 * at the same moment: the newcomer fetches what they ask for. */
static void spread(const struct turn *turn, struct client_seat *seat)
{
    struct client_core *core = turn->core;
    if (!stream_is_listening(core, seat)) {
        listen_anew(turn, seat);
        return;
    }
    if (seat->directory == core->peers.directory)
        return;
    if (turn->now_ms < core->spread_ms) {
        outbox_wake(turn->out, core->spread_ms);
        return;
    }
    seat->directory = core->peers.directory;
    uint32_t better = spread_better(core, seat);
    if (better != NO_PEER)
        stream_listen(turn, seat, better);
}

void stream_pump(const struct turn *turn, struct client_seat *seat)
{
    spread(turn, seat);
    if (finish(turn, seat) || seat->next == 0 || !is_due(turn, &seat->fetch) ||
        cut_waits_for_engine(turn, seat))
        return;
    say_history(turn, seat);
    due_again(turn, &seat->fetch);
}

/* Takes an act that is the next one; whatever is wrong with it, another door is asked. */
static bool take(const struct turn *turn, struct client_seat *seat, const Arbiter__Stream__Act *act)
{
    if (act_take(turn, seat, act) == ACT_TAKEN) {
        followed_act(turn, seat);
        progressed(turn, seat);
        return true;
    }
    stream_known(turn, seat, act->number, turn->core->settings.act_wait_ms);
    return false;
}

static void on_act(const struct turn *turn, struct client_seat *seat,
                   const Arbiter__Stream__Act *act)
{
    if (!act->has_number || seat->next == 0) {
        stream_known(turn, seat, act->has_number ? act->number : 0, 0);
        return;
    }
    if (act->number == seat->next)
        take(turn, seat, act);
    else if (act->number > seat->next)
        stream_known(turn, seat, act->number, 0);
    else
        act_compare(turn, seat, act);
}

static void on_head(const struct turn *turn, struct client_seat *seat,
                    const Arbiter__Stream__Head *head)
{
    if (!head->has_number)
        return;
    if (head->has_over && head->over)
        stream_over(seat, head->number);
    stream_compare(turn, seat, head->number, head->chain.data, head->chain.len);
    stream_known(turn, seat, head->number, turn->core->settings.act_wait_ms);
}

static void on_history(const struct turn *turn, struct client_seat *seat, const struct event *event)
{
    const Arbiter__Stream__HistoryAnswer *answer = BODY(Arbiter__Stream__HistoryAnswer, event);
    bool                                  is_progress = false;
    bool                                  is_old =
        event->header.epoch != 0 && event->header.epoch < turn->core->epoch[event->header.slot];
    if (is_old)
        seat->is_behind = true;
    if (seat->next == 0 || is_old)
        return;
    if (answer->has_last && answer->last > seat->known)
        seat->known = answer->last;
    for (size_t i = 0; i < answer->n_acts; i++) {
        const Arbiter__Stream__Act *act = answer->acts[i];
        if (act->has_number && act->number < seat->next)
            act_compare(turn, seat, act);
        if (!act->has_number || act->number != seat->next)
            continue;
        if (!take(turn, seat, act))
            return;
        is_progress = true;
    }
    if (is_progress || seat->known >= seat->next)
        return; /* Told, or asked for again when that is due. */
    /* All is told, and somebody has said so. */
    seat->asked = NO_PEER;
    seat->fetch = due_now(turn);
    seat->fetch.at_ms += seat->quiet_ms;
    outbox_wake(turn->out, seat->fetch.at_ms);
    uint32_t most_ms =
        seat->is_cut ? turn->core->settings.quiet_ms : turn->core->settings.quiet_max_ms;
    if (seat->quiet_ms < most_ms)
        seat->quiet_ms *= 2;
}

void stream_message(const struct turn *turn, const struct event *event)
{
    struct client_core *core = turn->core;
    struct client_seat *seat = seat_first(core, event->header.match_id);
    for (; seat != NULL; seat = seat_after(core, seat)) {
        cut_heard_from(seat, event);
        if (event->header.kind == KIND(ACT))
            on_act(turn, seat, BODY(Arbiter__Stream__Act, event));
        else if (event->header.kind == KIND(HEAD))
            on_head(turn, seat, BODY(Arbiter__Stream__Head, event));
        else
            on_history(turn, seat, event);
    }
}
