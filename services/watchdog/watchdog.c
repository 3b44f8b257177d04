/* watchdog.c: the watchdog's settings, its memory, and what it does with each event. See watchdog.h. */
#include "services/watchdog/watchdog.h"

#include <assert.h>
#include <string.h>

#include "base/room.h"
#include "core/greet.h"
#include "schema/leases.h"
#include "services/watchdog/watchdog_parts.h"

/* Events come at least each TICK_MS; after so long without one this process did not run. */
#define AWAY_MS 500u

void watchdog_defaults(struct watchdog_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    settings->single = true;
    settings->waits_max = 100000;
    settings->services_max = 256;
    settings->suspect_ms = 1000;
    settings->stuck_ms = 5000;
    settings->commit_ms = 30000;
    settings->forget_ms = 600000;
    settings->expire_again_ms = 500;
    settings->expires_max = 12;
    settings->lease_ms = 3000;
    settings->move_ms = 10000;
    settings->publish_ms = 500;
    settings->alert_ms = 10000;
}

const char *watchdog_check(const struct watchdog_settings *settings)
{
    if (settings->waits_max == 0 || settings->waits_max > 1u << 24)
        return "waits_max: 1 to 16777216";
    if (settings->services_max == 0 || settings->services_max > 1024)
        return "services_max: 1 to 1024";
    if (settings->suspect_ms < 2 * TICK_MS)
        return "suspect_ms: at least 200";
    if (settings->expire_again_ms == 0 || settings->expires_max == 0)
        return "expire_again_ms, expires_max: at least 1";
    if (settings->publish_ms == 0 || settings->lease_ms < 2 * settings->publish_ms)
        return "lease_ms: at least twice publish_ms, which is at least 1, so that a holder that "
               "lives "
               "is renewed in time";
    return NULL;
}

size_t watchdog_bytes(const struct watchdog_settings *settings)
{
    size_t waits = settings->waits_max, services = settings->services_max;
    return room_for(sizeof(struct watchdog)) + room_for(waits * sizeof(struct watchdog_wait)) +
           room_for(waits * sizeof(uint32_t)) + room_for(wheel_bytes(settings->waits_max)) +
           room_for(services * sizeof(struct watchdog_service));
}

struct watchdog_settings *watchdog_told(struct watchdog *watchdog)
{
    return &watchdog->settings;
}

struct watchdog *watchdog_init(void *memory, const struct watchdog_settings *settings)
{
    assert(watchdog_check(settings) == NULL);
    uint8_t *at = memory;
    size_t   waits = settings->waits_max, services = settings->services_max;
    memset(memory, 0, watchdog_bytes(settings));
    struct watchdog *watchdog = room_take(&at, sizeof *watchdog);
    watchdog->settings = *settings;
    watchdog->waits = room_take(&at, waits * sizeof *watchdog->waits);
    watchdog->buckets = room_take(&at, waits * sizeof *watchdog->buckets);
    watchdog->wheel =
        wheel_init(room_take(&at, wheel_bytes(settings->waits_max)), settings->waits_max);
    watchdog->services = room_take(&at, services * sizeof *watchdog->services);
    peers_init(&watchdog->peers, &settings->peers);
    watchdog_waits_init(watchdog);
    return watchdog;
}

static void on_message(struct watchdog *watchdog, const struct event *event, struct outbox *out)
{
    uint32_t peer = peers_of_event(event);
    bool     is_engine = peer != NO_PEER && watchdog->peers.list[peer].role == ROLE(ENGINE);
    if (is_engine && event->header.kind == KIND(WAITS))
        watchdog_on_waits(watchdog, event, out);
    if (event->caller.door == DOOR_PEER || greet_step(event, out))
        return;
    if (event->header.kind == KIND(BEAT))
        watchdog_on_beat(watchdog, event, out);
    else if (event->header.kind == KIND(LIFE_ASK))
        watchdog_on_life_ask(watchdog, event, out);
    else if (event->header.kind == KIND(SLOW))
        watchdog_on_slow(watchdog, event, out);
    else if (event->header.kind == KIND(SLOW_ASK))
        watchdog_on_slow_ask(watchdog, event, out);
    else
        outbox_refuse(out, event, REFUSAL(NOT_YOURS),
                      "a watchdog hears beats and the operator, and nothing else");
}

static void on_time(struct watchdog *watchdog, struct outbox *out)
{
    watchdog_expire(watchdog, out);
    if (watchdog->now_ms < watchdog->tick_ms)
        return;
    watchdog->tick_ms = watchdog->now_ms + TICK_MS;
    watchdog_look_after_life(watchdog, out);
    if (!watchdog->settings.single)
        watchdog_look_after_leases(watchdog, out);
    if (watchdog->now_ms < watchdog->alerts_ms)
        return;
    watchdog->alerts_ms = watchdog->now_ms + watchdog->settings.alert_ms;
    watchdog_repeat_alerts(watchdog, out);
}

static void dispatch(struct watchdog *watchdog, const struct event *event, struct outbox *out)
{
    switch (event->kind) {
    case EVENT_STARTED: watchdog->tick_ms = event->now_ms + TICK_MS; break;
    case EVENT_MESSAGE: on_message(watchdog, event, out); break;
    case EVENT_TIME: on_time(watchdog, out); break;
    case EVENT_ROW: watchdog_on_row(watchdog, event); break;
    case EVENT_READ_DONE: watchdog_on_read(watchdog, event, out); break;
    case EVENT_STOP: outbox_exit(out); break;
    default: break;
    }
}

static void step(void *core, const struct event *event, struct outbox *out)
{
    struct watchdog *watchdog = core;
    bool was_away = event->kind != EVENT_STARTED && event->now_ms - watchdog->now_ms >= AWAY_MS;
    watchdog->now_ms = event->now_ms;
    if (was_away)
        watchdog_was_away(watchdog);
    if (peers_step(&watchdog->peers, event, out) == PEERS_NOTHING)
        dispatch(watchdog, event, out);
    if (!watchdog->settings.single)
        watchdog_publish_leases(watchdog, out);
    uint64_t wake_ms = wheel_wake(watchdog->wheel);
    outbox_wake(out, wake_ms < watchdog->tick_ms ? wake_ms : watchdog->tick_ms);
}

static void settle(void *core, enum store_outcome outcome, struct outbox *out)
{
    struct watchdog *watchdog = core;
    watchdog_leases_settle(watchdog, outcome);
    if (watchdog->must_publish)
        outbox_wake(out, watchdog->now_ms);
}

static void show_bounds(const void *core, struct fullness *bounds)
{
    const struct watchdog          *watchdog = core;
    const struct watchdog_settings *settings = &watchdog->settings;
    bounds->of[BOUND_SERVICES] =
        (struct bound_use){ watchdog->facts.services, settings->services_max, 0 };
    bounds->of[BOUND_WAITS] = (struct bound_use){ watchdog->facts.waits, settings->waits_max, 0 };
}

const struct core_ops watchdog_ops = {
    .step = step, .settle = settle, .schema = &leases_schema, .bounds = show_bounds
};
const struct core_ops watchdog_single_ops = {
    .step = step, .settle = settle, .schema = NULL, .bounds = show_bounds
};

struct watchdog_facts watchdog_facts(const struct watchdog *watchdog)
{
    return watchdog->facts;
}
