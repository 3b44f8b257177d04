/* fanout.c: the fanout's settings, its memory, and what it does with each event. See fanout.h. */
#include "services/fanout/fanout.h"

#include <assert.h>
#include <string.h>

#include "base/room.h"
#include "core/greet.h"
#include "services/fanout/parts.h"

#define ACTS_BYTES_MIN (1u << 20)
#define BODY_MAX (64u << 10) /* Of any message. */
#define SCRATCH_BYTES (2 * BODY_MAX)
#define SLOTS_EACH_MS 250u
#define MARKS_AGAIN_MS 10u /* There were more than a step may say. */

void fanout_defaults(struct fanout_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    settings->acts_bytes = 64u << 20;
    settings->matches_max = 20000;
    settings->keep_acts = 16;
    settings->asks_max = 4096;
    settings->asks_per_caller_max = 64;
    settings->fetches_max = 256;
    settings->answer_bytes_max = 48u << 10;
    settings->heads_per_second = 5000;
    settings->head_gap_ms = 100;
    settings->ask_again_ms = 500;
    settings->ask_lives_ms = 10000;
    settings->idle_ms = 60000;
}

const char *fanout_check(const struct fanout_settings *settings)
{
    if (settings->acts_bytes < ACTS_BYTES_MIN)
        return "acts_bytes: at least 1 MiB (1048576), so that one act evicts few others";
    if (settings->matches_max == 0 || settings->matches_max > 1u << 24)
        return "matches_max: 1 to 16777216";
    if (settings->keep_acts == 0 || settings->keep_acts > 4096)
        return "keep_acts: 1 to 4096";
    if (settings->asks_max == 0 || settings->asks_max > 1u << 20)
        return "asks_max: 1 to 1048576";
    if (settings->asks_per_caller_max == 0 || settings->fetches_max == 0)
        return "asks_per_caller_max, fetches_max: at least 1";
    if (settings->answer_bytes_max < 1024 || settings->answer_bytes_max > 60u << 10)
        return "answer_bytes_max: 1024 to 61440, because a message has at most 64 KiB";
    if (settings->heads_per_second == 0 || settings->ask_again_ms == 0)
        return "heads_per_second, ask_again_ms: at least 1";
    if (settings->crypto == NULL)
        return "crypto: the table of functions is missing";
    return NULL;
}

size_t fanout_bytes(const struct fanout_settings *settings)
{
    size_t matches = settings->matches_max, asks = settings->asks_max;
    return room_for(sizeof(struct fanout)) + room_for(matches * sizeof(struct fanout_match)) +
           room_for(matches * sizeof(uint32_t)) + room_for(asks * sizeof(struct fanout_ask)) +
           2 * room_for(wheel_bytes(settings->matches_max)) + room_for(SCRATCH_BYTES) +
           room_for(settings->acts_bytes);
}

struct fanout_settings *fanout_told(struct fanout *fanout)
{
    return &fanout->settings;
}

struct fanout *fanout_init(void *memory, const struct fanout_settings *settings)
{
    assert(fanout_check(settings) == NULL);
    uint8_t *at = memory;
    size_t   matches = settings->matches_max, asks = settings->asks_max;
    memset(memory, 0, fanout_bytes(settings) - settings->acts_bytes);
    struct fanout *fanout = room_take(&at, sizeof *fanout);
    fanout->settings = *settings;
    fanout->matches = room_take(&at, matches * sizeof *fanout->matches);
    fanout->buckets = room_take(&at, matches * sizeof *fanout->buckets);
    fanout->asks = room_take(&at, asks * sizeof *fanout->asks);
    fanout->heads =
        wheel_init(room_take(&at, wheel_bytes(settings->matches_max)), settings->matches_max);
    fanout->fetches =
        wheel_init(room_take(&at, wheel_bytes(settings->matches_max)), settings->matches_max);
    fanout->scratch = room_take(&at, SCRATCH_BYTES);
    fanout->shelf = shelf_init(room_take(&at, settings->acts_bytes), settings->acts_bytes);
    peers_init(&fanout->peers, &settings->peers);
    fanout_matches_init(fanout);
    fanout_slots_init(fanout);
    fanout_asks_init(fanout);
    return fanout;
}

/* What a peer said over a connection of ours. */
static void on_upstream(struct fanout *fanout, const struct event *event, struct outbox *out)
{
    uint32_t peer = peers_of_event(event);
    if (peer == NO_PEER || fanout->peers.list[peer].role != fanout_upstream_role(fanout))
        return;
    switch (event->header.kind) {
    case KIND(ACT): fanout_on_act(fanout, event, out); break;
    case KIND(HEAD): fanout_on_head(fanout, event, out); break;
    case KIND(SLOT_COUNT): fanout_on_slot_count(fanout, event, out); break;
    case KIND(MOVED_ANSWER): fanout_on_moved_answer(fanout, event, out); break;
    case KIND(HISTORY_ANSWER): fanout_on_history_answer(fanout, event, out); break;
    case KIND(REFUSED): fanout_on_refused(fanout, event, out); break;
    default: break;
    }
}

/* What somebody said at a door of ours. */
static void on_door(struct fanout *fanout, const struct event *event, struct outbox *out)
{
    if (greet_step(event, out))
        return;
    switch (event->header.kind) {
    case KIND(HISTORY_ASK): fanout_on_history_ask(fanout, event, out); break;
    case KIND(MOVED_ASK): fanout_on_moved_ask(fanout, event, out); break;
    default:
        outbox_refuse(out, event, REFUSAL(NOT_YOURS),
                      "a fanout is asked for history and for what moved, and nothing else");
    }
}

static void on_time(struct fanout *fanout, uint64_t now_ms, struct outbox *out)
{
    fanout_look_after_fetches(fanout, now_ms, out);
    fanout_publish_heads(fanout, now_ms, out);
    if (now_ms < fanout->slots_ms)
        return;
    fanout->slots_ms = now_ms + SLOTS_EACH_MS;
    fanout_look_after_slots(fanout, now_ms, out);
    if (fanout->marks_left == 0)
        fanout->slots_ms = now_ms + MARKS_AGAIN_MS;
    fanout->peers.load =
        (uint32_t) ((uint64_t) fanout->facts.read * 100 / fanout->settings.matches_max);
}

static void dispatch(struct fanout *fanout, const struct event *event, struct outbox *out)
{
    switch (event->kind) {
    case EVENT_MESSAGE:
        if (event->caller.door == DOOR_PEER)
            on_upstream(fanout, event, out);
        else
            on_door(fanout, event, out);
        break;
    case EVENT_READER:
    case EVENT_READER_GONE: fanout_on_reader(fanout, event, out); break;
    case EVENT_TIME: on_time(fanout, event->now_ms, out); break;
    case EVENT_STOP: outbox_exit(out); break;
    default: break;
    }
}

static uint64_t earlier(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

static void step(void *core, const struct event *event, struct outbox *out)
{
    struct fanout *fanout = core;
    fanout->marks_left = MARKS_IN_STEP;
    uint32_t        first_effect = out->effect_count;
    enum peers_news news = peers_step(&fanout->peers, event, out);
    bool            is_more = fanout_listen_again(fanout, out, first_effect);
    if (news == PEERS_NOTHING)
        dispatch(fanout, event, out);
    is_more |= fanout_answer_ready(fanout, event->now_ms, out);
    uint64_t wake_ms = earlier(fanout_heads_wake(fanout), wheel_wake(fanout->fetches));
    outbox_wake(out, is_more ? event->now_ms : earlier(wake_ms, fanout->slots_ms));
}

/* It keeps nothing, so nothing is refused or unknown. */
static void settle(void *core, enum store_outcome outcome, struct outbox *out)
{
    (void) core;
    (void) out;
    assert(outcome == STORE_COMMITTED);
}

static void show(const void *core, struct figures *figures)
{
    const struct fanout *fanout = core;
    figures->matches = fanout->facts.matches;
    figures->slots = fanout->facts.slots;
    figures->slots_behind = fanout->facts.slots - fanout->facts.level;
    figures->behind_ms = fanout->facts.behind_ms;
    figures->forks = fanout->facts.forks + fanout->facts.rollbacks;
}

static void show_bounds(const void *core, struct fullness *bounds)
{
    const struct fanout *fanout = core;
    uint64_t             used = 0;
    for (uint32_t i = 0; i < fanout->settings.asks_max; i++)
        used += fanout->asks[i].is_used;
    bounds->of[BOUND_ASKS] = (struct bound_use){ used, fanout->settings.asks_max, 0 };
}

const struct core_ops fanout_ops = {
    .step = step, .settle = settle, .schema = NULL, .figures = show, .bounds = show_bounds
};

struct fanout_facts fanout_facts(const struct fanout *fanout)
{
    struct fanout_facts facts = fanout->facts;
    struct shelf_facts  shelf = shelf_facts(fanout->shelf);
    facts.evicted = shelf.evicted;
    facts.evicted_kept = shelf.evicted_kept;
    return facts;
}

uint64_t fanout_stands(struct fanout *fanout, const uint8_t *match_id)
{
    const struct fanout_match *match = fanout_match_find(fanout, match_id);
    return match != NULL ? match->last : 0;
}
