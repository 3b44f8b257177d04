/* leases.c: which engine holds which slots: rows that are renewed while their holder beats, and moved when
 * nobody has renewed them for a lease's length. */
#include <string.h>

#include "schema/cells.h"
#include "schema/leases.h"
#include "services/watchdog/watchdog_parts.h"

/* A read without an end is asked for again. */
#define READ_LATE_MS 5000u
/* So many slots are handed over in one look, of which there are two a second. */
#define HANDED_MAX 16u

void watchdog_on_row(struct watchdog *watchdog, const struct event *event)
{
    const struct row *row = event->row;
    if (event->tag != watchdog->tag || row->count != LEASES_COLUMNS ||
        row->cells[LEASES_SLOT].kind != CELL_NUMBER || row->cells[LEASES_SLOT].number < 0 ||
        row->cells[LEASES_SLOT].number >= SLOTS || row->cells[LEASES_ENGINE].size >= PEER_NAME_MAX)
        return;
    struct watchdog_lease *lease = &watchdog->read[row->cells[LEASES_SLOT].number];
    memset(lease, 0, sizeof *lease);
    lease->epoch = (uint64_t) row->cells[LEASES_EPOCH].number;
    lease->renewed = (uint64_t) row->cells[LEASES_RENEWED].number;
    lease->is_held = row->cells[LEASES_ENGINE].size > 0;
    if (lease->is_held)
        memcpy(lease->engine, row->cells[LEASES_ENGINE].bytes, row->cells[LEASES_ENGINE].size);
}

static bool is_same_holder(const struct watchdog_lease *one, const struct watchdog_lease *other)
{
    return one->epoch == other->epoch && one->is_held == other->is_held &&
           memcmp(one->engine, other->engine, sizeof one->engine) == 0;
}

/* Takes a row over that may be another watchdog's work. */
static void take_row(struct watchdog *watchdog, uint32_t slot)
{
    struct watchdog_lease *lease = &watchdog->leases[slot], *row = &watchdog->read[slot];
    bool                   is_same = is_same_holder(lease, row);
    if (is_same && lease->renewed == row->renewed && watchdog->has_read)
        return;
    if (!is_same) {
        bool is_moved = memcmp(lease->engine, row->engine, sizeof lease->engine) != 0;
        row->moved_ms = is_moved && lease->is_held ? watchdog->now_ms : lease->moved_ms;
        row->taken_ms = is_moved && lease->is_held ? watchdog->now_ms : lease->taken_ms;
        *lease = *row;
        watchdog->number++;
        watchdog->must_publish = true;
    }
    lease->renewed = row->renewed;
    lease->changed_ms = watchdog->now_ms;
}

static bool beats(const struct watchdog *watchdog, const struct watchdog_lease *lease)
{
    const struct watchdog_service *engine =
        lease->is_held ? watchdog_find(watchdog, ROLE(ENGINE), lease->engine) : NULL;
    return engine != NULL && !engine->is_silent;
}

/* An engine that was well for so long may be given what others hold; one that comes up and dies
 * again may not. */
static bool is_steady(const struct watchdog *watchdog, const struct watchdog_service *service)
{
    return watchdog->now_ms - service->well_ms >= watchdog->settings.lease_ms;
}

/* The engine with the fewest slots among those that are well and not to be drained; NO_SERVICE. */
static uint32_t least_loaded(const struct watchdog *watchdog, const uint32_t *held)
{
    uint32_t best = NO_SERVICE;
    for (uint32_t i = 0; i < watchdog->settings.services_max; i++) {
        const struct watchdog_service *service = &watchdog->services[i];
        if (service->role != ROLE(ENGINE) || service->is_silent || service->is_stuck ||
            service->is_stopped || watchdog_is_draining(watchdog, service))
            continue;
        if (best == NO_SERVICE || held[i] < held[best])
            best = i;
    }
    return best;
}

/* A slot that was handed over by one who lived may be taken from its new holder at once: nobody was doubted. */
static bool may_move(const struct watchdog *watchdog, const struct watchdog_lease *lease)
{
    const struct watchdog_settings *settings = &watchdog->settings;
    if (watchdog->now_ms - lease->changed_ms < settings->lease_ms)
        return false;
    return lease->taken_ms == 0 || watchdog->now_ms - lease->taken_ms >= settings->move_ms;
}

static void put_row(struct watchdog *watchdog, uint32_t slot, uint64_t wall_ms, struct outbox *out)
{
    const struct watchdog_lease *lease = &watchdog->changed[slot];
    struct row                  *row = outbox_row(out, ROW_PUT, LEASES, LEASES_COLUMNS);
    row_number(row, LEASES_SLOT, slot);
    row_number(row, LEASES_EPOCH, lease->epoch);
    cell_put_text(row, LEASES_ENGINE, lease->engine, out);
    row_number(row, LEASES_RENEWED, lease->renewed);
    row_number(row, LEASES_UNTIL, wall_ms + watchdog->settings.lease_ms);
    outbox_fence(out, slot, watchdog->leases[slot].epoch);
}

/* The epoch a holder has announced may be above the lease's, after a restart of its own. */
static uint64_t newest_epoch(const struct watchdog *watchdog, uint32_t slot)
{
    uint64_t lease = watchdog->leases[slot].epoch;
    bool     is_owned = watchdog->peers.owner[slot] != NO_PEER;
    uint64_t owner = is_owned ? watchdog->peers.owner_epoch[slot] : 0;
    return owner > lease ? owner : lease;
}

static void give(struct watchdog *watchdog, uint32_t slot, uint32_t engine, uint32_t *held)
{
    const struct watchdog_lease *lease = &watchdog->leases[slot];
    struct watchdog_lease       *changed = &watchdog->changed[slot];
    held[engine]++;
    changed->is_held = true;
    memcpy(changed->engine, watchdog->services[engine].name, sizeof changed->engine);
    changed->epoch = newest_epoch(watchdog, slot) + 1;
    changed->renewed++;
    if (lease->is_held)
        changed->moved_ms = watchdog->now_ms;
}

/* Whether a living holder hands a slot over: it is drained, or another engine has fewer by two. A
 * few at a time, so that most matches play on while some are read by their new engine. */
static bool hands_over(struct watchdog *watchdog, uint32_t slot, uint32_t *held)
{
    const struct watchdog_lease   *lease = &watchdog->leases[slot];
    const struct watchdog_service *holder = watchdog_find(watchdog, ROLE(ENGINE), lease->engine);
    uint32_t                       to = least_loaded(watchdog, held);
    uint32_t                      *has = &held[holder - watchdog->services];
    if (to == NO_SERVICE || watchdog->handed == HANDED_MAX ||
        !is_steady(watchdog, &watchdog->services[to]))
        return false;
    bool is_fresh =
        lease->moved_ms != 0 && watchdog->now_ms - lease->moved_ms < watchdog->settings.move_ms;
    if (!watchdog_is_draining(watchdog, holder) && (is_fresh || *has < held[to] + 2))
        return false;
    (*has)--;
    watchdog->handed++;
    give(watchdog, slot, to, held);
    return true;
}

static bool renew(struct watchdog *watchdog, uint32_t slot)
{
    const struct watchdog_lease *lease = &watchdog->leases[slot];
    struct watchdog_lease       *changed = &watchdog->changed[slot];
    changed->epoch = newest_epoch(watchdog, slot);
    changed->renewed++;
    return watchdog->now_ms - lease->changed_ms >= watchdog->settings.lease_ms / 3 ||
           changed->epoch != lease->epoch;
}

/* What is to be done about one slot, in `changed`; false: nothing. */
static bool decide(struct watchdog *watchdog, uint32_t slot, uint32_t *held)
{
    const struct watchdog_lease *lease = &watchdog->leases[slot];
    watchdog->changed[slot] = *lease;
    if (beats(watchdog, lease))
        return hands_over(watchdog, slot, held) || renew(watchdog, slot);
    uint32_t engine = least_loaded(watchdog, held);
    if (engine == NO_SERVICE || !may_move(watchdog, lease))
        return false;
    give(watchdog, slot, engine, held);
    watchdog->changed[slot].taken_ms = watchdog->changed[slot].moved_ms;
    return true;
}

static void count_held(const struct watchdog *watchdog, uint32_t *held)
{
    for (uint32_t i = 0; i < watchdog->settings.services_max; i++) {
        const struct watchdog_service *service = &watchdog->services[i];
        held[i] = 0;
        for (uint32_t slot = 0; service->role == ROLE(ENGINE) && slot < SLOTS; slot++)
            held[i] += watchdog->leases[slot].is_held &&
                       memcmp(watchdog->leases[slot].engine, service->name, PEER_NAME_MAX) == 0;
    }
}

static void decide_all(struct watchdog *watchdog, uint64_t wall_ms, struct outbox *out)
{
    uint32_t *held = outbox_take(out, watchdog->settings.services_max * sizeof *held);
    count_held(watchdog, held);
    watchdog->handed = 0;
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        if (decide(watchdog, slot, held)) {
            put_row(watchdog, slot, wall_ms, out);
            watchdog->is_committing = true;
            out->wants_commit = true;
        } else {
            watchdog->changed[slot] = watchdog->leases[slot];
        }
}

void watchdog_on_read(struct watchdog *watchdog, const struct event *event, struct outbox *out)
{
    if (!watchdog->is_reading || event->tag != watchdog->tag)
        return;
    watchdog->is_reading = false;
    if (event->failed)
        return;
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        take_row(watchdog, slot);
    watchdog->has_read = true;
    decide_all(watchdog, event->wall_ms, out);
}

/* A renewal says when its holder was heard, not when it was written. Else we would wait for a dead
 * holder as long again as it takes to miss it. */
static uint64_t vouched_ms(const struct watchdog *watchdog, const struct watchdog_lease *lease)
{
    const struct watchdog_service *engine = watchdog_find(watchdog, ROLE(ENGINE), lease->engine);
    return engine != NULL ? engine->heard_ms : watchdog->now_ms;
}

void watchdog_leases_settle(struct watchdog *watchdog, enum store_outcome outcome)
{
    if (!watchdog->is_committing)
        return;
    watchdog->is_committing = false;
    if (outcome != STORE_COMMITTED) {
        watchdog->facts.refused++; /* Another watchdog was faster, or nobody knows: the rows say. */
        return;
    }
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        struct watchdog_lease *lease = &watchdog->leases[slot], *changed = &watchdog->changed[slot];
        if (lease->renewed == changed->renewed && lease->epoch == changed->epoch)
            continue;
        if (!is_same_holder(lease, changed)) {
            watchdog->moved += changed->moved_ms != lease->moved_ms;
            watchdog->number++;
            watchdog->must_publish = true;
        }
        *lease = *changed;
        lease->changed_ms = vouched_ms(watchdog, lease);
    }
}

void watchdog_look_after_leases(struct watchdog *watchdog, struct outbox *out)
{
    bool is_late = watchdog->is_reading && watchdog->now_ms - watchdog->asked_ms >= READ_LATE_MS;
    if (watchdog->now_ms < watchdog->look_ms || (watchdog->is_reading && !is_late))
        return;
    struct query query = { .tag = ++watchdog->tag };
    memset(watchdog->read, 0, sizeof watchdog->read);
    outbox_read(out, &query);
    watchdog->is_reading = true;
    watchdog->asked_ms = watchdog->now_ms;
    watchdog->look_ms = watchdog->now_ms + watchdog->settings.publish_ms;
}

/* Slots next to each other that are held alike, as one. */
static void put_lease(const struct watchdog *watchdog, uint32_t slot,
                      Arbiter__Watchdog__Leases *leases, struct outbox *out)
{
    const struct watchdog_lease *lease = &watchdog->leases[slot];
    uint64_t                     age_ms = watchdog->now_ms - lease->changed_ms;
    uint64_t                     left_ms =
        age_ms < watchdog->settings.lease_ms ? watchdog->settings.lease_ms - age_ms : 0;
    if (slot > 0 && is_same_holder(lease, &watchdog->leases[slot - 1])) {
        Arbiter__Watchdog__Lease *run = leases->leases[leases->n_leases - 1];
        run->last = slot;
        run->left_ms = run->left_ms < left_ms ? run->left_ms : left_ms;
        return;
    }
    Arbiter__Watchdog__Lease *run = outbox_message(out, &arbiter__watchdog__lease__descriptor);
    run->has_first = run->has_last = run->has_epoch = run->has_left_ms = true;
    run->first = run->last = slot;
    run->epoch = lease->epoch;
    run->left_ms = left_ms;
    if (lease->is_held)
        run->engine = (char *) outbox_copy(out, lease->engine, PEER_NAME_MAX);
    leases->leases[leases->n_leases++] = run;
}

/* Its holder is gone, and there is nobody to whom it could have been given by now. */
static bool is_nobodys(const struct watchdog *watchdog, const struct watchdog_lease *lease)
{
    uint64_t patience_ms = 2 * watchdog->settings.lease_ms;
    return !lease->is_held ||
           (!beats(watchdog, lease) && watchdog->now_ms - lease->changed_ms >= patience_ms);
}

static void look_for_unowned(struct watchdog *watchdog, struct outbox *out)
{
    watchdog->facts.unowned = 0;
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        watchdog->facts.unowned += is_nobodys(watchdog, &watchdog->leases[slot]);
    bool is_unowned = watchdog->facts.unowned > 0;
    if (is_unowned != watchdog->is_unowned)
        watchdog_alert_unowned(out, !is_unowned);
    watchdog->is_unowned = is_unowned;
}

void watchdog_publish_leases(struct watchdog *watchdog, struct outbox *out)
{
    if (!watchdog->has_read || (!watchdog->must_publish && watchdog->now_ms < watchdog->publish_ms))
        return;
    Arbiter__Watchdog__Leases *leases = outbox_message(out, &arbiter__watchdog__leases__descriptor);
    struct header              header;
    header_init(&header, KIND(LEASES), NULL);
    leases->has_number = true;
    leases->number = watchdog->number;
    leases->leases = outbox_take(out, SLOTS * sizeof leases->leases[0]);
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        put_lease(watchdog, slot, leases, out);
    outbox_publish(out, &header, leases);
    if (watchdog->moved > 0)
        watchdog_note_moved(watchdog->moved, out);
    watchdog->facts.moves += watchdog->moved;
    watchdog->moved = 0;
    watchdog->must_publish = false;
    watchdog->publish_ms = watchdog->now_ms + watchdog->settings.publish_ms;
    look_for_unowned(watchdog, out);
}
