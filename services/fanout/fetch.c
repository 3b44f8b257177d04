/* fetch.c: what is missing is asked for at the owner's history door: one question a match, for all. */
#include "services/fanout/parts.h"

#include <string.h>

#include "contract/stream_fields.h"
#include "wire/chain.h"
#include "wire/field_write.h"
#include "wire/varint.h"

/* So many matches are looked after in one step. */
#define LOOKS_MAX 256u
/* A question that could not be asked for lack of room is tried again after this. */
#define CROWDED_MS 20u

struct range {
    uint64_t from, to; /* `to` UINT64_MAX: as far as there are. */
};

/* What the match lacks: what its live readers miss, or what somebody asked. They take turns if the first
 * brings nothing. */
static bool lacks(struct fanout *fanout, struct fanout_match *match, uint64_t now_ms,
                  struct range *range)
{
    const struct fanout_ask *ask = fanout_asks_open(fanout, match, now_ms);
    bool                     is_wanted = fanout_match_is_wanted(fanout, match) && match->next != 0;
    bool has_gap = is_wanted && (match->is_doubted || match->last >= match->next);
    if (has_gap && (ask == NULL || match->attempts % 2 == 0)) {
        *range = (struct range){ match->next, match->is_doubted ? match->next : match->last };
        return true;
    }
    if (ask != NULL)
        *range = (struct range){ ask->from, ask->to };
    return ask != NULL;
}

static void ask_upstream(struct fanout *fanout, struct fanout_match *match, uint32_t peer,
                         const struct range *range, struct outbox *out)
{
    Arbiter__Stream__HistoryAsk *ask =
        outbox_message(out, &arbiter__stream__history_ask__descriptor);
    ask->has_from = true;
    ask->from = range->from;
    ask->has_to = range->to != UINT64_MAX;
    ask->to = ask->has_to ? range->to : 0;
    struct header header;
    header_init(&header, KIND(HISTORY_ASK), match->id);
    outbox_send(out, DOOR_PEER, peers_connection(peer, DOOR_HISTORY), &header, ask);
    match->fetch_from = range->from;
    fanout->in_flight++;
    fanout->facts.asked++;
}

/* Longer each time that nothing came. */
static uint64_t patience_ms(const struct fanout *fanout, const struct fanout_match *match)
{
    return fanout->settings.ask_again_ms << (match->attempts < 3 ? match->attempts : 3);
}

void fanout_fetch(struct fanout *fanout, struct fanout_match *match, uint64_t now_ms,
                  struct outbox *out)
{
    uint32_t     index = fanout_match_index(fanout, match);
    struct range range;
    if (match->fetch_from != 0)
        return;
    if (!lacks(fanout, match, now_ms, &range)) {
        match->attempts = 0;
        wheel_clear(fanout->fetches, index);
        return;
    }
    if (fanout->in_flight >= fanout->settings.fetches_max) {
        wheel_set(fanout->fetches, index, now_ms + CROWDED_MS);
        return;
    }
    uint32_t peer = fanout_slot_source(fanout, match->slot, match->attempts);
    if (peer != NO_PEER)
        ask_upstream(fanout, match, peer, &range, out);
    wheel_set(fanout->fetches, index, now_ms + patience_ms(fanout, match));
}

static void is_back(struct fanout *fanout, struct fanout_match *match)
{
    match->fetch_from = 0;
    fanout->in_flight--;
}

void fanout_look_after_fetches(struct fanout *fanout, uint64_t now_ms, struct outbox *out)
{
    for (uint32_t i = 0; i < LOOKS_MAX; i++) {
        uint32_t index = wheel_next(fanout->fetches, now_ms);
        if (index == NO_TIMER)
            return;
        struct fanout_match *match = &fanout->matches[index];
        if (match->fetch_from != 0) {
            is_back(fanout, match);
            match->attempts++;
        }
        fanout_fetch(fanout, match, now_ms, out);
    }
}

/* The next act's own bytes in a HistoryAnswer: what is kept and relayed is what came. The message was
 * judged before, so its fields are well formed; still nothing here relies on it. */
static bool next_act(struct reader *in, struct reader *act)
{
    uint64_t tag, skipped;
    while (in->at < in->end && varint_read_short(in, &tag)) {
        if (tag == BYTES_TAG(FIELD_STREAM_HISTORY_ANSWER_ACTS))
            return varint_read_body(in, act);
        if ((tag & 7) != 0 || !varint_read(in, &skipped))
            return false;
    }
    return false;
}

/* Takes the answer's acts, as long as they are whole and follow each other; how many. */
static size_t take_acts(struct fanout *fanout, struct fanout_match *match,
                        const struct event *event, struct outbox *out)
{
    const Arbiter__Stream__HistoryAnswer *answer = BODY(Arbiter__Stream__HistoryAnswer, event);
    struct reader                         in = { event->bytes, event->bytes + event->size }, act;
    size_t                                count = 0;
    for (; count < answer->n_acts && next_act(&in, &act); count++) {
        if (!fanout_act_is_whole(answer->acts[count]) ||
            (count > 0 && answer->acts[count]->number != answer->acts[count - 1]->number + 1)) {
            fanout->facts.malformed++;
            break;
        }
        fanout_take_past(fanout, match, answer->acts[count], act.at, (size_t) (act.end - act.at),
                         event, out);
    }
    return count;
}

/* What an answer said: acts `first` to `end` came (end is first-1: none), `last` is the last there is. */
struct told {
    uint64_t                    first, end, last;
    const Arbiter__Stream__Act *last_act; /* NULL: none came.                                   */
};

/* A match of which nothing had been seen, and of which history has told all: live goes on from there. */
static void begin_live(struct fanout *fanout, struct fanout_match *match, const struct told *told)
{
    bool is_all = told->last_act != NULL ? told->end >= told->last : told->last < told->first;
    if (match->next != 0 || !is_all || told->last < match->last)
        return;
    match->next = told->last + 1;
    fanout_stands_at(match, told->last, EPOCH_UNKNOWN);
    match->has_chain = told->last_act != NULL;
    if (told->last_act != NULL)
        fanout_chain_after(fanout, told->last_act, match->chain);
}

static struct told what_was_told(struct fanout *fanout, struct fanout_match *match,
                                 const struct event *event, struct outbox *out)
{
    const Arbiter__Stream__HistoryAnswer *answer = BODY(Arbiter__Stream__HistoryAnswer, event);
    size_t                                count = take_acts(fanout, match, event, out);
    struct told told = { .first = match->fetch_from, .last = match->last };
    if (count > 0) {
        told.last_act = answer->acts[count - 1];
        told.first = answer->acts[0]->number;
    }
    told.end = told.first + count - 1;
    if (answer->has_last)
        told.last = answer->last;
    if (count > 0 && told.last < told.end)
        told.last = told.end;
    return told;
}

static void learn_from(struct fanout *fanout, struct fanout_match *match, const struct told *told,
                       uint64_t now_ms, struct outbox *out)
{
    match->refusal = 0;
    match->attempts = told->last_act != NULL ? 0 : match->attempts + 1;
    if (match->is_doubted && told->last < match->next)
        match->is_doubted = false; /* The owner knows of no such act. */
    begin_live(fanout, match, told);
    if (told->last > match->last)
        fanout_learn(fanout, match, told->last, NULL, now_ms, out);
    fanout_asks_cover(fanout, match, told->first, told->end, told->last);
}

void fanout_on_history_answer(struct fanout *fanout, const struct event *event, struct outbox *out)
{
    struct fanout_match *match = fanout_match_find(fanout, event->header.match_id);
    if (match == NULL)
        return;
    if (event->header.epoch != 0 && event->header.epoch < fanout->slots[match->slot].epoch) {
        fanout->facts.old_epochs++;
        return; /* Asked again, and perhaps another one, when patience ends. */
    }
    match->version = event->header.version;
    struct told told = what_was_told(fanout, match, event, out);
    if (told.first == 0)
        return; /* Nothing came, to a question that is no longer out. */
    if (match->fetch_from == told.first)
        is_back(fanout, match);
    learn_from(fanout, match, &told, event->now_ms, out);
    if (told.last_act != NULL)
        fanout_fetch(fanout, match, event->now_ms, out);
    else if (match->fetch_from == 0)
        wheel_set(fanout->fetches, fanout_match_index(fanout, match),
                  event->now_ms + patience_ms(fanout, match));
}

/* Whether asking again, or another one, may go differently. */
static bool is_final(uint32_t refusal)
{
    return refusal == REFUSAL(NO_SUCH_MATCH) || refusal == REFUSAL(QUARANTINED) ||
           refusal == REFUSAL(NOT_YOURS);
}

void fanout_on_refused(struct fanout *fanout, const struct event *event, struct outbox *out)
{
    (void) out;
    const Arbiter__Wire__Refused *refused = BODY(Arbiter__Wire__Refused, event);
    struct fanout_match          *match = fanout_match_find(fanout, event->header.match_id);
    if (match == NULL || match->fetch_from == 0)
        return;
    is_back(fanout, match);
    uint64_t wait_ms = fanout->settings.ask_lives_ms;
    if (!refused->has_after_ms) {
        match->attempts++;
        wait_ms = patience_ms(fanout, match);
    } else if (refused->after_ms < wait_ms) {
        /* It says when: neither sooner, nor later than anybody waits for it. That is no silence, and no
         * reason to be patient with the next one, or to ask another. */
        wait_ms = refused->after_ms;
    }
    wheel_set(fanout->fetches, fanout_match_index(fanout, match), event->now_ms + wait_ms);
    if (!refused->has_refusal || !is_final(refused->refusal))
        return;
    match->refusal = refused->refusal;
    fanout_asks_cover(fanout, match, 1, UINT64_MAX, UINT64_MAX);
}
