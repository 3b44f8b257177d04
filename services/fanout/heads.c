/* heads.c: where matches stand, said to their readers at a bounded pace, so that the last act is not lost
 * unnoticed. */
#include "services/fanout/parts.h"

#include <string.h>

/* Heads go out in windows of this length, each with its share of heads_per_second. They go out
 * evenly, because a reader's socket drops part of a burst, and always the same part. */
#define WINDOW_MS 10u
/* So many that have to wait are looked at in one step. */
#define LOOKS_MAX 256u

/* From one head to the next, after an act. The last delay stays. */
static const uint32_t delays_ms[] = { 1000, 2000, 4000, 8000, 16000, 30000 };
#define DELAYS (sizeof delays_ms / sizeof delays_ms[0])

void fanout_head_soon(struct fanout *fanout, struct fanout_match *match, uint64_t now_ms,
                      uint64_t delay_ms)
{
    uint32_t index = fanout_match_index(fanout, match);
    uint64_t due_ms = now_ms + delay_ms;
    if (match->last == 0 || !fanout_match_is_wanted(fanout, match))
        return;
    if (match->head_ms != 0 && due_ms < match->head_ms + fanout->settings.head_gap_ms)
        due_ms = match->head_ms + fanout->settings.head_gap_ms;
    if (!wheel_is_set(fanout->heads, index) || wheel_due(fanout->heads, index) > due_ms)
        wheel_set(fanout->heads, index, due_ms);
}

static void publish(struct fanout *fanout, struct fanout_match *match, uint64_t now_ms,
                    struct outbox *out)
{
    const uint8_t         *chain = fanout_last_chain(match);
    Arbiter__Stream__Head *head = outbox_message(out, &arbiter__stream__head__descriptor);
    struct header          header;
    header_init(&header, KIND(HEAD), match->id);
    header.epoch = fanout->slots[match->slot].epoch;
    header.number = match->last;
    head->has_number = true;
    head->number = match->last;
    head->has_over = head->over = match->is_over;
    if (chain != NULL) {
        head->has_chain = true;
        head->chain.data = outbox_copy(out, chain, CRYPTO_HASH_SIZE);
        head->chain.len = CRYPTO_HASH_SIZE;
    }
    outbox_publish(out, &header, head);
    fanout->facts.heads++;
    match->head_ms = now_ms;
}

/* A match whose head is due: now, later, or never again. True: one was published. */
static bool is_due(struct fanout *fanout, uint32_t index, uint64_t now_ms, struct outbox *out)
{
    struct fanout_match *match = &fanout->matches[index];
    if (match->last == 0 || !fanout_match_is_wanted(fanout, match))
        return false;
    if (!fanout_slot_is_level(&fanout->slots[match->slot])) {
        wheel_set(fanout->heads, index, now_ms + fanout->settings.head_gap_ms);
        return false;
    }
    publish(fanout, match, now_ms, out);
    if (match->is_over && match->head_step >= DELAYS)
        return true;
    size_t step = match->head_step < DELAYS ? match->head_step : DELAYS - 1;
    match->head_step++;
    /* What fell due together shall not do so again. */
    wheel_set(fanout->heads, index, now_ms + delays_ms[step] + index % 64);
    return true;
}

static uint32_t window_max(const struct fanout *fanout)
{
    uint32_t share = fanout->settings.heads_per_second / (1000 / WINDOW_MS);
    return share > 0 ? share : 1;
}

void fanout_publish_heads(struct fanout *fanout, uint64_t now_ms, struct outbox *out)
{
    if (now_ms - fanout->window_ms >= WINDOW_MS) {
        fanout->window_ms = now_ms;
        fanout->window_heads = 0;
    }
    for (uint32_t i = 0; i < LOOKS_MAX && fanout->window_heads < window_max(fanout); i++) {
        uint32_t index = wheel_next(fanout->heads, now_ms);
        if (index == NO_TIMER)
            return;
        fanout->window_heads += is_due(fanout, index, now_ms, out);
    }
}

uint64_t fanout_heads_wake(const struct fanout *fanout)
{
    uint64_t due_ms = wheel_wake(fanout->heads);
    uint64_t window_ms = fanout->window_ms + WINDOW_MS;
    return due_ms < window_ms && fanout->window_heads >= window_max(fanout) ? window_ms : due_ms;
}

void fanout_on_head(struct fanout *fanout, const struct event *event, struct outbox *out)
{
    const Arbiter__Stream__Head *head = BODY(Arbiter__Stream__Head, event);
    uint8_t                      slot = event->header.slot;
    if (!head->has_number || head->number == 0 ||
        (head->has_chain && head->chain.len != CRYPTO_HASH_SIZE) ||
        slot != header_slot(event->header.match_id)) {
        fanout->facts.malformed++;
        return;
    }
    if (!fanout_slot_takes(fanout, event) || !fanout->slots[slot].is_followed)
        return;
    struct fanout_match *match = fanout_match_make(fanout, event->header.match_id);
    if (match == NULL)
        return;
    fanout_learn(fanout, match, head->number, head->has_chain ? head->chain.data : NULL,
                 event->now_ms, out);
    if (head->has_over && head->over && head->number == match->last && !match->is_over) {
        match->is_over = true;
        fanout_head_soon(fanout, match, event->now_ms, 0);
    }
}
