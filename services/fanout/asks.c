/* asks.c: the history door: answered from the shelf, or kept waiting until upstream has answered. */
#include "services/fanout/parts.h"

#include <string.h>

#include "contract/directory.pb-c.h"
#include "contract/stream_fields.h"
#include "wire/field_write.h"
#include "wire/varint.h"

/* What one step may answer of what waited; the rest comes in the next. */
#define STEP_ANSWERS_MAX 512u
#define STEP_BYTES_MAX (192u << 10)
/* Tag and length of one act in an answer, at most. */
#define ACT_AROUND 8u

/* An answer's body, put together once for all who ask the same. */
struct composed {
    const struct fanout_match *match;
    uint64_t                   from, to;
    const uint8_t             *bytes;
    size_t                     size;
    uint64_t                   count; /* Of acts. */
};

void fanout_asks_init(struct fanout *fanout)
{
    for (uint32_t i = 0; i < fanout->settings.asks_max; i++)
        fanout->asks[i].next = i + 1 < fanout->settings.asks_max ? i + 1 : NO_ASK;
    fanout->free_ask = 0;
    fanout->ready_first = fanout->ready_last = NO_MATCH;
}

/* The acts from `from` to `to` that are here, in order, within the budget, and what the last one is. */
static void compose(struct fanout *fanout, const struct fanout_match *match, uint64_t from,
                    uint64_t to, struct composed *body, struct outbox *out)
{
    uint8_t *at = fanout->scratch;
    uint64_t owner = fanout_match_owner(fanout, match), number = from;
    for (; number <= to && number != UINT64_MAX; number++) {
        uint32_t act = shelf_find(fanout->shelf, owner, number);
        if (act == NO_ACT)
            break;
        uint32_t size = shelf_size(fanout->shelf, act);
        if (number > from &&
            (size_t) (at - fanout->scratch) + size + ACT_AROUND > fanout->settings.answer_bytes_max)
            break;
        *at++ = BYTES_TAG(FIELD_STREAM_HISTORY_ANSWER_ACTS);
        at = varint_write(at, size);
        shelf_read(fanout->shelf, act, at);
        shelf_keep(fanout->shelf, act, shelf_is_kept(fanout->shelf, act));
        at += size;
    }
    *at++ = NUMBER_TAG(FIELD_STREAM_HISTORY_ANSWER_LAST);
    at = varint_write(at, match->last);
    body->match = match;
    body->from = from;
    body->to = to;
    body->count = number - from;
    body->size = (size_t) (at - fanout->scratch);
    body->bytes = outbox_copy(out, fanout->scratch, body->size);
}

/* Whether there is nothing from this act on, as far as anybody knows. */
static bool is_ahead(const struct fanout *fanout, const struct fanout_match *match, uint64_t from)
{
    return match->last != 0 && from > match->last &&
           fanout_slot_is_level(&fanout->slots[match->slot]);
}

static bool is_here(const struct fanout *fanout, const struct fanout_match *match, uint64_t from,
                    uint64_t to)
{
    return from > to || is_ahead(fanout, match, from) ||
           shelf_find(fanout->shelf, fanout_match_owner(fanout, match), from) != NO_ACT;
}

static void send_answer(struct fanout *fanout, const struct fanout_match *match, uint32_t door,
                        uint64_t route, const struct header *asked, const struct composed *body,
                        struct outbox *out)
{
    struct header header = *asked;
    header.kind = KIND(HISTORY_ANSWER);
    header.version = header_spoken(match->version);
    header.epoch = fanout->slots[match->slot].epoch;
    header.number = match->last;
    outbox_send_bytes(out, door, route, &header, body->bytes, body->size);
    fanout->facts.answers++;
}

static void send_refusal(struct fanout *fanout, const struct fanout_ask *ask, uint32_t refusal,
                         struct outbox *out)
{
    Arbiter__Wire__Refused *refused = outbox_message(out, &arbiter__wire__refused__descriptor);
    static const char       sentence[] = "the match's owner did not give these acts: ask again, or "
                                         "ask the engine itself";
    refused->has_refusal = true;
    refused->refusal = (Arbiter__Wire__Refusal) refusal;
    refused->sentence = (char *) outbox_copy(out, sentence, sizeof sentence);
    struct header header = ask->header;
    header.kind = KIND(REFUSED);
    outbox_send(out, ask->door, ask->route, &header, refused);
    fanout->facts.refused++;
}

static struct fanout_ask *same_question(struct fanout *fanout, const struct fanout_match *match,
                                        const struct event *event)
{
    for (uint32_t i = match->first_ask; i != NO_ASK; i = fanout->asks[i].next)
        if (fanout->asks[i].route == event->caller.route &&
            fanout->asks[i].door == event->caller.door)
            return &fanout->asks[i];
    return NULL;
}

static bool asks_too_much(const struct fanout *fanout, const struct caller *caller)
{
    uint32_t count = 0;
    if (caller->role == ROLE(FANOUT) || caller->role == ROLE(GATEWAY))
        return false;
    for (uint32_t i = 0; i < fanout->settings.asks_max; i++)
        count += fanout->asks[i].is_used &&
                 memcmp(fanout->asks[i].key, caller->key, CALLER_KEY_SIZE) == 0;
    return count >= fanout->settings.asks_per_caller_max;
}

/* A place for a question, at the end of its match's. NULL: there is none for this caller. */
static struct fanout_ask *new_question(struct fanout *fanout, struct fanout_match *match,
                                       const struct caller *caller)
{
    uint32_t index = fanout->free_ask;
    if (index == NO_ASK || asks_too_much(fanout, caller))
        return NULL;
    struct fanout_ask *ask = &fanout->asks[index];
    fanout->free_ask = ask->next;
    ask->next = NO_ASK;
    ask->is_used = true;
    if (match->last_ask == NO_ASK)
        match->first_ask = index;
    else
        fanout->asks[match->last_ask].next = index;
    match->last_ask = index;
    fanout->facts.waited++;
    fanout->facts.waiting++;
    return ask;
}

static void refuse_too_much(struct fanout *fanout, const struct event *event, struct outbox *out)
{
    Arbiter__Wire__Refused *refused = outbox_message(out, &arbiter__wire__refused__descriptor);
    static const char       sentence[] = "too many questions wait here: come back a little later";
    refused->has_refusal = refused->has_after_ms = true;
    refused->refusal = REFUSAL(TOO_MUCH);
    refused->sentence = (char *) outbox_copy(out, sentence, sizeof sentence);
    refused->after_ms = fanout->settings.ask_again_ms;
    outbox_answer(out, event, KIND(REFUSED), refused);
    fanout->facts.refused++;
}

static void wait_for(struct fanout *fanout, struct fanout_match *match, const struct event *event,
                     uint64_t from, uint64_t to, struct outbox *out)
{
    struct fanout_ask *ask = same_question(fanout, match, event);
    if (ask == NULL)
        ask = new_question(fanout, match, &event->caller);
    if (ask == NULL) {
        if (fanout->free_ask == NO_ASK)
            outbox_full(out, BOUND_ASKS);
        refuse_too_much(fanout, event, out);
        return;
    }
    ask->door = event->caller.door;
    ask->route = event->caller.route;
    memcpy(ask->key, event->caller.key, sizeof ask->key);
    ask->header = event->header;
    ask->from = from;
    ask->to = to;
    ask->since_ms = event->now_ms;
    ask->is_covered = false;
    fanout_fetch(fanout, match, event->now_ms, out);
}

void fanout_on_history_ask(struct fanout *fanout, const struct event *event, struct outbox *out)
{
    const Arbiter__Stream__HistoryAsk *asked = BODY(Arbiter__Stream__HistoryAsk, event);
    uint64_t                           from = asked->has_from && asked->from > 0 ? asked->from : 1;
    uint64_t                           to = asked->has_to ? asked->to : UINT64_MAX;
    struct fanout_match               *match = fanout_match_make(fanout, event->header.match_id);
    if (match == NULL) {
        refuse_too_much(fanout, event, out);
        return;
    }
    if (!is_here(fanout, match, from, to)) {
        wait_for(fanout, match, event, from, to, out);
        return;
    }
    struct composed body;
    compose(fanout, match, from, to, &body, out);
    send_answer(fanout, match, event->caller.door, event->caller.route, &event->header, &body, out);
}

void fanout_make_ready(struct fanout *fanout, struct fanout_match *match)
{
    uint32_t index = fanout_match_index(fanout, match);
    if (match->is_ready)
        return;
    match->is_ready = true;
    match->ready_next = NO_MATCH;
    if (fanout->ready_last == NO_MATCH)
        fanout->ready_first = index;
    else
        fanout->matches[fanout->ready_last].ready_next = index;
    fanout->ready_last = index;
}

void fanout_asks_cover(struct fanout *fanout, struct fanout_match *match, uint64_t from,
                       uint64_t to, uint64_t last)
{
    for (uint32_t i = match->first_ask; i != NO_ASK; i = fanout->asks[i].next) {
        struct fanout_ask *ask = &fanout->asks[i];
        if (ask->from >= from && (ask->from <= to || ask->from > last))
            ask->is_covered = true;
    }
    if (match->first_ask != NO_ASK)
        fanout_make_ready(fanout, match);
}

const struct fanout_ask *fanout_asks_open(struct fanout *fanout, struct fanout_match *match,
                                          uint64_t now_ms)
{
    const struct fanout_ask *open = NULL;
    for (uint32_t i = match->first_ask; i != NO_ASK && open == NULL; i = fanout->asks[i].next) {
        struct fanout_ask *ask = &fanout->asks[i];
        if (!ask->is_covered && now_ms - ask->since_ms >= fanout->settings.ask_lives_ms) {
            ask->is_covered = true;
            fanout_make_ready(fanout, match);
        }
        if (!ask->is_covered)
            open = ask;
    }
    return open;
}

static void free_question(struct fanout *fanout, struct fanout_match *match, uint32_t index,
                          uint32_t before)
{
    struct fanout_ask *ask = &fanout->asks[index];
    if (before == NO_ASK)
        match->first_ask = ask->next;
    else
        fanout->asks[before].next = ask->next;
    if (match->last_ask == index)
        match->last_ask = before;
    ask->is_used = false;
    ask->next = fanout->free_ask;
    fanout->free_ask = index;
    fanout->facts.waiting--;
}

/* Answers a question if it can be; false: it goes on waiting. */
static bool settle_question(struct fanout *fanout, const struct fanout_match *match,
                            const struct fanout_ask *ask, struct composed *body, struct outbox *out)
{
    bool is_known = is_here(fanout, match, ask->from, ask->to);
    bool is_behind = match->last != 0 && ask->from > match->last; /* Upstream has no more either. */
    if (!is_known && !ask->is_covered)
        return false;
    if (!is_known && !is_behind) {
        send_refusal(fanout, ask, match->refusal != 0 ? match->refusal : REFUSAL(AGAIN), out);
        return true;
    }
    if (body->match != match || body->from != ask->from || body->to != ask->to)
        compose(fanout, match, ask->from, ask->to, body, out);
    send_answer(fanout, match, ask->door, ask->route, &ask->header, body, out);
    return true;
}

/* All questions of a match that can be answered; false: the step's budget was used up. */
static bool answer_match(struct fanout *fanout, struct fanout_match *match, size_t used_before,
                         uint32_t *answers, struct outbox *out)
{
    struct composed body = { 0 };
    uint32_t        before = NO_ASK, index = match->first_ask;
    while (index != NO_ASK) {
        if (*answers >= STEP_ANSWERS_MAX || out->used - used_before >= STEP_BYTES_MAX)
            return false;
        uint32_t next = fanout->asks[index].next;
        if (settle_question(fanout, match, &fanout->asks[index], &body, out)) {
            free_question(fanout, match, index, before);
            ++*answers;
        } else {
            before = index;
        }
        index = next;
    }
    return true;
}

bool fanout_answer_ready(struct fanout *fanout, uint64_t now_ms, struct outbox *out)
{
    size_t   used_before = out->used;
    uint32_t answers = 0;
    while (fanout->ready_first != NO_MATCH) {
        struct fanout_match *match = &fanout->matches[fanout->ready_first];
        if (!answer_match(fanout, match, used_before, &answers, out))
            return true;
        fanout->ready_first = match->ready_next;
        if (fanout->ready_first == NO_MATCH)
            fanout->ready_last = NO_MATCH;
        match->is_ready = false;
        if (match->first_ask != NO_ASK)
            fanout_fetch(fanout, match, now_ms, out);
    }
    return false;
}
