/* life.c: who beats, who has fallen silent, and whose loop stands still. */
#include <string.h>

#include "services/watchdog/watchdog_parts.h"

/* A commit of this length is worth a sentence. */
#define DISK_SLOW_MS 5000u
/* A service that stopped as asked is shown for so long, so that nobody wonders where it is. */
#define STOPPED_SHOWN_MS 120000u

static struct watchdog_service *find(const struct watchdog *watchdog, uint32_t role,
                                     const char name[PEER_NAME_MAX])
{
    for (uint32_t i = 0; i < watchdog->settings.services_max; i++)
        if (watchdog->services[i].role == role &&
            memcmp(watchdog->services[i].name, name, PEER_NAME_MAX) == 0)
            return &watchdog->services[i];
    return NULL;
}

const struct watchdog_service *watchdog_find(const struct watchdog *watchdog, uint32_t role,
                                             const char *name)
{
    return find(watchdog, role, name);
}

static struct watchdog_service *make(struct watchdog *watchdog, uint32_t role,
                                     const char name[PEER_NAME_MAX])
{
    for (uint32_t i = 0; i < watchdog->settings.services_max; i++) {
        struct watchdog_service *service = &watchdog->services[i];
        if (service->role != 0)
            continue;
        memset(service, 0, sizeof *service);
        service->role = role;
        memcpy(service->name, name, PEER_NAME_MAX);
        watchdog->facts.services++;
        return service;
    }
    return NULL;
}

static void close_alerts(struct watchdog_service *service, struct outbox *out)
{
    for (uint32_t alert = 0; alert < ALERTS; alert++)
        watchdog_alert(service, (enum watchdog_alert) alert, true, out);
}

static bool read_name(const char *said, char name[PEER_NAME_MAX])
{
    size_t size = said == NULL ? 0 : text_length(said);
    if (size == 0 || size >= PEER_NAME_MAX)
        return false;
    memset(name, 0, PEER_NAME_MAX);
    memcpy(name, said, size);
    return true;
}

/* Of a histogram what can be kept; how many steps that is. */
static uint32_t keep_steps(uint64_t kept[COMMIT_STEPS_MAX], const uint64_t *steps, size_t count)
{
    uint32_t i = 0;
    for (; i < count && i < COMMIT_STEPS_MAX; i++)
        kept[i] = steps[i];
    return i;
}

static uint64_t *put_numbers(const uint64_t *kept, size_t count, struct outbox *out)
{
    return count == 0 ? NULL : (uint64_t *) (void *) outbox_copy(out, kept, count * sizeof kept[0]);
}

void watchdog_on_beat(struct watchdog *watchdog, const struct event *event, struct outbox *out)
{
    const Arbiter__Watchdog__Beat *beat = BODY(Arbiter__Watchdog__Beat, event);
    char                           name[PEER_NAME_MAX];
    if (!beat->has_role || beat->role != event->caller.role) {
        outbox_refuse(out, event, REFUSAL(NOT_YOURS), "role: not the one this key is admitted as");
        return;
    }
    if (!read_name(beat->name, name)) {
        outbox_refuse(out, event, REFUSAL(MALFORMED), "name: 1 to 31 bytes");
        return;
    }
    struct watchdog_service *service = find(watchdog, beat->role, name);
    uint64_t                 started_ms = beat->has_started_ms ? beat->started_ms : 0;
    watchdog->facts.beats++;
    if (service == NULL) {
        service = make(watchdog, beat->role, name);
        if (service == NULL) {
            outbox_refuse(out, event, REFUSAL(FULL), "more services beat than services_max allows");
            outbox_full(out, BOUND_SERVICES);
            return;
        }
        service->well_ms = event->now_ms;
    } else if (service->started_ms != started_ms) {
        /* The old process's last beats come late, but not a second behind those of the new one. The
         * one that alone beats on is the new one, though the wall clock by which it was started has
         * been set back since. */
        if (service->started_ms > started_ms &&
            event->now_ms - service->heard_ms < watchdog->settings.suspect_ms)
            return;
        watchdog_note_restart(service, out);
        service->well_ms = event->now_ms;
    }
    service->started_ms = started_ms;
    service->heard_ms = event->now_ms;
    service->commit_ms = beat->has_commit_ms ? beat->commit_ms : NOT_IN_COMMIT;
    service->is_stopped = beat->has_stopped && beat->stopped;
    service->beat = beat->has_beat ? beat->beat : 0;
    figures_take(&service->figures, beat);
    bounds_take(&service->bounds, beat->bounds, beat->n_bounds);
    service->steps = keep_steps(service->commit_steps, beat->commit_steps, beat->n_commit_steps);
    service->turn_steps = keep_steps(service->loop_steps, beat->loop_steps, beat->n_loop_steps);
}

static Arbiter__Watchdog__Beat *beat_of(const struct watchdog_service *service, struct outbox *out)
{
    Arbiter__Watchdog__Beat *beat = outbox_message(out, &arbiter__watchdog__beat__descriptor);
    beat->has_role = beat->has_started_ms = beat->has_beat = true;
    beat->role = (Arbiter__Directory__Role) service->role;
    beat->name = (char *) outbox_copy(out, service->name, text_length(service->name) + 1);
    beat->started_ms = service->started_ms;
    beat->beat = service->beat;
    beat->has_commit_ms = service->commit_ms != NOT_IN_COMMIT;
    beat->commit_ms = beat->has_commit_ms ? service->commit_ms : 0;
    figures_put(&service->figures, beat);
    uint64_t bounds[BOUND_NUMBERS];
    beat->n_bounds = bounds_put(&service->bounds, bounds);
    beat->bounds = put_numbers(bounds, beat->n_bounds, out);
    beat->n_commit_steps = service->steps;
    beat->commit_steps = put_numbers(service->commit_steps, service->steps, out);
    beat->n_loop_steps = service->turn_steps;
    beat->loop_steps = put_numbers(service->loop_steps, service->turn_steps, out);
    return beat;
}

/* What one watchdog alone knows, under its name: there may be several. */
static void put_own(const struct watchdog *watchdog, Arbiter__Watchdog__Life *life,
                    struct outbox *out)
{
    life->name = (char *) outbox_copy(out, watchdog->settings.peers.name, PEER_NAME_MAX);
    life->has_waits = life->has_expires = true;
    life->waits = watchdog->facts.waits;
    life->expires = watchdog->facts.expires;
    life->has_unowned = life->has_moves = !watchdog->settings.single;
    life->unowned = watchdog->facts.unowned;
    life->moves = watchdog->facts.moves + watchdog->moved;
}

static bool is_suspect(const struct watchdog_service *service)
{
    return !service->is_stopped && (service->is_silent || service->is_stuck);
}

/* A service takes up to 650 bytes, and a message holds 64 KiB. */
#define LIFE_MAX 100u

void watchdog_on_life_ask(const struct watchdog *watchdog, const struct event *event,
                          struct outbox *out)
{
    Arbiter__Watchdog__Life *life = outbox_message(out, &arbiter__watchdog__life__descriptor);
    struct header            header = event->header;
    header.kind = KIND(LIFE);
    life->services = outbox_take(out, LIFE_MAX * sizeof(void *));
    for (uint32_t i = 0; i < watchdog->settings.services_max && life->n_services < LIFE_MAX; i++) {
        const struct watchdog_service *service = &watchdog->services[i];
        if (service->role == 0)
            continue;
        Arbiter__Watchdog__Alive *alive =
            outbox_message(out, &arbiter__watchdog__alive__descriptor);
        alive->has_age_ms = alive->has_suspect = true;
        alive->age_ms = watchdog->now_ms - service->heard_ms;
        alive->suspect = is_suspect(service);
        alive->has_stopped = service->is_stopped;
        alive->stopped = service->is_stopped;
        alive->beat = beat_of(service, out);
        life->services[life->n_services++] = alive;
    }
    put_own(watchdog, life, out);
    outbox_send(out, event->caller.door, event->caller.route, &header, life);
}

/* Only engines stand in a watchdog's list of peers. */
bool watchdog_is_draining(const struct watchdog *watchdog, const struct watchdog_service *service)
{
    for (uint32_t i = 0; i < PEERS_MAX; i++) {
        const struct peer *peer = &watchdog->peers.list[i];
        if (peer->role == service->role && peer->draining &&
            memcmp(peer->name, service->name, sizeof peer->name) == 0)
            return true;
    }
    return false;
}

static void forget(struct watchdog *watchdog, struct watchdog_service *service, struct outbox *out)
{
    close_alerts(service, out);
    memset(service, 0, sizeof *service);
    watchdog->facts.services--;
}

/* An engine that says it stops, and is silent, is at its end though its last beat may be lost. */
static bool is_gone_for_good(const struct watchdog         *watchdog,
                             const struct watchdog_service *service, uint64_t silence_ms)
{
    if (service->is_stopped)
        return silence_ms >= STOPPED_SHOWN_MS;
    return silence_ms >= watchdog->settings.forget_ms ||
           (service->is_silent && watchdog_is_draining(watchdog, service));
}

static void judge(struct watchdog *watchdog, struct watchdog_service *service, struct outbox *out)
{
    const struct watchdog_settings *settings = &watchdog->settings;
    uint64_t                        silence_ms = watchdog->now_ms - service->heard_ms;
    bool                            is_in_commit = service->commit_ms != NOT_IN_COMMIT;
    uint64_t                        commit_ms = is_in_commit ? service->commit_ms + silence_ms : 0;
    bool                            is_left_alone = is_in_commit && commit_ms < settings->commit_ms;
    bool                            was_suspect = is_suspect(service);
    /* With an embedded store nobody could take its place. Of several engines one that dies under load dies in a
     * commit, and one that only waits for the database beats meanwhile. */
    service->is_silent = silence_ms >= settings->suspect_ms && !(is_left_alone && settings->single);
    service->is_stuck = !service->is_silent && !is_left_alone &&
                        service->figures.loop_age_ms + silence_ms >= settings->stuck_ms;
    if (service->is_silent || service->is_stuck)
        service->well_ms = watchdog->now_ms;
    watchdog->facts.suspected += !was_suspect && is_suspect(service);
    if (is_gone_for_good(watchdog, service, silence_ms)) {
        forget(watchdog, service, out);
        return;
    }
    if (service->is_stopped) {
        close_alerts(service, out);
        return;
    }
    if (service->role == ROLE(BOT))
        return; /* Bots come and go. */
    watchdog_alert(service, ALERT_SILENT, !service->is_silent, out);
    watchdog_alert(service, ALERT_STUCK, !service->is_stuck, out);
    watchdog_alert(service, ALERT_DISK_SLOW, commit_ms < DISK_SLOW_MS, out);
    watchdog_alert(service, ALERT_FORKED, service->figures.forks == 0, out);
    watchdog_alert(service, ALERT_HOLDS, service->figures.held == 0, out);
}

void watchdog_look_after_life(struct watchdog *watchdog, struct outbox *out)
{
    watchdog->facts.suspects = 0;
    for (uint32_t i = 0; i < watchdog->settings.services_max; i++) {
        struct watchdog_service *service = &watchdog->services[i];
        if (service->role == 0)
            continue;
        judge(watchdog, service, out);
        watchdog->facts.suspects += is_suspect(service);
    }
}

void watchdog_was_away(struct watchdog *watchdog)
{
    for (uint32_t i = 0; i < watchdog->settings.services_max; i++)
        if (watchdog->services[i].role != 0 && !watchdog->services[i].is_silent)
            watchdog->services[i].heard_ms = watchdog->now_ms;
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        watchdog->leases[slot].changed_ms = watchdog->now_ms;
}
