/* watched.c: see watched.h. */
#include "services/watchdog/watched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct core_ops *ops_of(const struct watched *watched)
{
    return watched->rows == NULL ? &watchdog_single_ops : &watchdog_ops;
}

static void see(struct watched *watched, const struct effect *effect)
{
    if (effect->kind == EFFECT_SEND && effect->header.kind == KIND(EXPIRE)) {
        const Arbiter__Watchdog__Expire *expire =
            (const Arbiter__Watchdog__Expire *) (const void *) effect->body;
        watched->expires++;
        watched->expired_wait = expire->wait;
        watched->expired_peer = (uint32_t) (effect->route / PEERS_DOORS);
        watched->expired_seats = 0;
        for (size_t i = 0; i < expire->n_seats; i++)
            watched->expired_seats |= 1u << expire->seats[i];
        memcpy(watched->expired_match, expire->match_id.data, HEADER_MATCH_SIZE);
        assert_memory_equal(expire->match_id.data, effect->header.match_id, HEADER_MATCH_SIZE);
        assert_int_equal(effect->route % PEERS_DOORS, DOOR_REQUESTS);
    }
    if (effect->kind == EFFECT_PUBLISH && effect->header.kind == KIND(ALERT)) {
        const Arbiter__Watchdog__Alert *alert =
            (const Arbiter__Watchdog__Alert *) (const void *) effect->body;
        assert_true(alert->has_level && alert->has_over && strlen(alert->sentence) > 10);
        if (watched->alerts < 32)
            snprintf(watched->codes[watched->alerts++], sizeof watched->codes[0], "%s%s",
                     alert->over ? "-" : "", alert->code);
    }
    if (effect->kind == EFFECT_PUBLISH && effect->header.kind == KIND(LEASES)) {
        const Arbiter__Watchdog__Leases *leases =
            (const Arbiter__Watchdog__Leases *) (const void *) effect->body;
        watched->leases++;
        watched->leases_number = leases->number;
        watched->leases_runs = (uint32_t) leases->n_leases;
    }
}

/* Keeps the batch as a store would: whole, if every fence holds. */
static enum store_outcome commit(struct watched *watched)
{
    struct watched_rows *rows = watched->rows;
    if (watched->is_store_full && watched->out.row_count > 0)
        return STORE_FULL;
    if (watched->is_overtaken && watched->out.row_count > 0) {
        for (uint32_t slot = 0; slot < SLOTS; slot++) {
            rows->epoch[slot]++;
            memcpy(rows->engine[slot], "engine-2", sizeof "engine-2");
        }
        watched->is_overtaken = false;
    }
    for (uint32_t i = 0; i < watched->out.fence_count; i++) {
        uint32_t slot = watched->out.fences[i].slot;
        if (watched->out.fences[i].epoch != (rows->is_there[slot] ? rows->epoch[slot] : 0))
            return STORE_OLD_EPOCH;
    }
    for (uint32_t i = 0; i < watched->out.row_count; i++) {
        const struct row *row = watched->out.rows[i];
        int64_t           slot = row->cells[0].number;
        assert_int_equal(row->op, ROW_PUT);
        rows->is_there[slot] = true;
        rows->epoch[slot] = (uint64_t) row->cells[1].number;
        memset(rows->engine[slot], 0, PEER_NAME_MAX);
        memcpy(rows->engine[slot], row->cells[2].bytes, row->cells[2].size);
        rows->renewed[slot] = (uint64_t) row->cells[3].number;
    }
    return STORE_COMMITTED;
}

static void step(struct watched *watched, struct event *event);

static void read_rows(struct watched *watched, uint32_t tag)
{
    for (int64_t slot = 0; slot < SLOTS; slot++) {
        if (!watched->rows->is_there[slot])
            continue;
        const char  *engine = watched->rows->engine[slot];
        struct row  *row = calloc(1, sizeof *row + 5 * sizeof row->cells[0]);
        struct event event = { .kind = EVENT_ROW, .tag = tag, .row = row };
        row->count = 5;
        for (uint32_t cell = 0; cell < 5; cell++)
            row->cells[cell].kind = CELL_NUMBER;
        row->cells[0].number = slot;
        row->cells[1].number = (int64_t) watched->rows->epoch[slot];
        row->cells[2] = (struct cell){ .kind = CELL_TEXT,
                                       .bytes = (const uint8_t *) engine,
                                       .size = strlen(engine) };
        row->cells[3].number = (int64_t) watched->rows->renewed[slot];
        step(watched, &event);
        free(row);
    }
    struct event done = { .kind = EVENT_READ_DONE, .tag = tag };
    step(watched, &done);
}

static void step(struct watched *watched, struct event *event)
{
    static const uint8_t entropy[ENTROPY_SIZE];
    uint32_t             tag = 0;
    bool                 reads = false;
    event->now_ms = watched->now_ms;
    event->wall_ms = 5000000 + watched->now_ms;
    event->entropy = entropy;
    outbox_reset(&watched->out);
    ops_of(watched)->step(watched->watchdog, event, &watched->out);
    enum store_outcome outcome = watched->rows == NULL ? STORE_COMMITTED : commit(watched);
    if (outcome != STORE_COMMITTED)
        outbox_reset(&watched->out);
    ops_of(watched)->settle(watched->watchdog, outcome, &watched->out);
    for (uint32_t i = 0; i < watched->out.effect_count; i++) {
        see(watched, &watched->out.effects[i]);
        if (watched->out.effects[i].kind == EFFECT_READ) {
            reads = true;
            tag = watched->out.effects[i].query->tag;
        }
    }
    if (reads)
        read_rows(watched, tag);
}

void watched_hear(struct watched *watched, uint32_t peer, uint32_t role, uint16_t kind,
                  const ProtobufCMessage *body)
{
    struct event event = { .kind = EVENT_MESSAGE, .body = body };
    header_init(&event.header, kind, NULL);
    event.caller.door = peer == NO_PEER ? DOOR_REQUESTS : DOOR_PEER;
    event.caller.route = peer == NO_PEER ? 7 : peers_connection(peer, DOOR_REQUESTS);
    event.caller.role = role;
    step(watched, &event);
}

void watched_drain(struct watched *watched, uint32_t drained)
{
    Arbiter__Directory__Directory directory = ARBITER__DIRECTORY__DIRECTORY__INIT;
    Arbiter__Directory__Service   services[2], *list[2];
    Arbiter__Directory__Door      door = ARBITER__DIRECTORY__DOOR__INIT, *doors = &door;
    static uint8_t                keys[2][CALLER_KEY_SIZE] = { { 1 }, { 2 } };
    static char                   names[2][9] = { "engine-1", "engine-2" };
    door.has_kind = true;
    door.kind = ARBITER__DIRECTORY__DOOR__KIND__KIND_REQUESTS;
    door.address = (char[]){ "ipc://x" };
    for (uint32_t i = 0; i < 2; i++) {
        services[i] = (Arbiter__Directory__Service) ARBITER__DIRECTORY__SERVICE__INIT;
        services[i].has_role = services[i].has_key = true;
        services[i].role = ROLE(ENGINE);
        services[i].name = names[i];
        services[i].key.data = keys[i];
        services[i].key.len = CALLER_KEY_SIZE;
        services[i].doors = &doors;
        services[i].n_doors = 1;
        services[i].has_draining = true;
        services[i].draining = (drained >> (i + 1) & 1) != 0;
        list[i] = &services[i];
    }
    directory.has_number = true;
    directory.number = ++watched->directory;
    directory.services = list;
    directory.n_services = 2;
    struct event event = { .kind = EVENT_MESSAGE, .body = &directory.base };
    header_init(&event.header, KIND(DIRECTORY), NULL);
    event.caller.door = DOOR_PEER;
    event.caller.route = peers_connection(PEERS_LOBBY, DOOR_STREAM);
    step(watched, &event);
}

void watched_begin(struct watched *watched, const struct watchdog_settings *settings,
                   struct watched_rows *rows)
{
    memset(watched, 0, sizeof *watched);
    watched->settings = *settings;
    watched->settings.single = rows == NULL;
    watched->settings.peers.role = ROLE(WATCHDOG);
    watched->rows = rows;
    watched->now_ms = 1000;
    assert_null(watchdog_check(&watched->settings));
    watched->memory = malloc(watchdog_bytes(&watched->settings));
    memset(watched->memory, 0xa5, watchdog_bytes(&watched->settings));
    watched->outbox = malloc(OUTBOX_BYTES_MIN);
    outbox_init(&watched->out, watched->outbox, OUTBOX_BYTES_MIN);
    watched->watchdog = watchdog_init(watched->memory, &watched->settings);
    struct event event = { .kind = EVENT_STARTED };
    step(watched, &event);
    watched_drain(watched, 0);
    watched_clear(watched);
}

void watched_end(struct watched *watched)
{
    free(watched->memory);
    free(watched->outbox);
}

void watched_clear(struct watched *watched)
{
    watched->expires = watched->alerts = watched->leases = 0;
}

void watched_beat(struct watched *watched, uint32_t role, const char *name, uint64_t started_ms,
                  uint64_t loop_age_ms, uint64_t commit_ms)
{
    Arbiter__Watchdog__Beat beat = ARBITER__WATCHDOG__BEAT__INIT;
    char                    copy[64];
    snprintf(copy, sizeof copy, "%s", name);
    beat.has_role = beat.has_started_ms = beat.has_loop_age_ms = true;
    beat.role = (Arbiter__Directory__Role) role;
    beat.name = copy;
    beat.started_ms = started_ms;
    beat.loop_age_ms = loop_age_ms;
    beat.has_commit_ms = commit_ms != UINT64_MAX;
    beat.commit_ms = commit_ms;
    watched_hear(watched, NO_PEER, role, KIND(BEAT), &beat.base);
}

void watched_wait(struct watched *watched, uint64_t ms, uint32_t beating)
{
    static const char *const names[] = { "", "engine-1", "engine-2" };
    for (uint64_t end_ms = watched->now_ms + ms; watched->now_ms < end_ms;) {
        watched->now_ms += end_ms - watched->now_ms < 100 ? end_ms - watched->now_ms : 100;
        for (uint32_t engine = ENGINE_1; engine <= ENGINE_2; engine++)
            if ((beating >> engine & 1) != 0)
                watched_beat(watched, ROLE(ENGINE), names[engine], 1, 0, UINT64_MAX);
        struct event event = { .kind = EVENT_TIME };
        step(watched, &event);
    }
}

void watched_pause(struct watched *watched, uint64_t ms)
{
    struct event event = { .kind = EVENT_TIME };
    watched->now_ms += ms;
    step(watched, &event);
}

void watched_name(struct watched *watched, uint32_t engine, uint8_t match, uint64_t wait,
                  uint64_t left_ms, uint64_t epoch, bool whole)
{
    Arbiter__Watchdog__Waits waits = ARBITER__WATCHDOG__WAITS__INIT;
    Arbiter__Watchdog__Wait  named = ARBITER__WATCHDOG__WAIT__INIT, *list = &named;
    uint8_t                  id[HEADER_MATCH_SIZE] = { match };
    uint32_t                 seats[] = { 1, 3 };
    named.has_match_id = named.has_wait = named.has_epoch = true;
    named.match_id.data = id;
    named.match_id.len = sizeof id;
    named.wait = wait;
    named.epoch = epoch;
    named.has_left_ms = left_ms != UINT64_MAX;
    named.left_ms = left_ms;
    named.seats = seats;
    named.n_seats = 2;
    waits.waits = &list;
    waits.n_waits = 1;
    waits.has_whole = whole;
    waits.whole = whole;
    watched_hear(watched, engine, 0, KIND(WAITS), &waits.base);
}

bool watched_was_told(const struct watched *watched, const char *code)
{
    for (uint32_t i = 0; i < watched->alerts; i++)
        if (strcmp(watched->codes[i], code) == 0)
            return true;
    return false;
}

const Arbiter__Watchdog__Life *watched_life(struct watched *watched)
{
    Arbiter__Watchdog__LifeAsk ask = ARBITER__WATCHDOG__LIFE_ASK__INIT;
    watched_hear(watched, NO_PEER, ROLE(CONSOLE), KIND(LIFE_ASK), &ask.base);
    for (uint32_t i = 0; i < watched->out.effect_count; i++)
        if (watched->out.effects[i].header.kind == KIND(LIFE))
            return (const Arbiter__Watchdog__Life *) (const void *) watched->out.effects[i].body;
    fail_msg("there is no answer");
    return NULL;
}

const Arbiter__Watchdog__SlowList *watched_slow(struct watched *watched, uint8_t match,
                                                uint64_t number)
{
    Arbiter__Watchdog__SlowAsk ask = ARBITER__WATCHDOG__SLOW_ASK__INIT;
    struct event               event = { .kind = EVENT_MESSAGE, .body = &ask.base };
    uint8_t                    match_id[HEADER_MATCH_SIZE];
    memset(match_id, match, sizeof match_id);
    header_init(&event.header, KIND(SLOW_ASK), match_id);
    event.caller.door = DOOR_REQUESTS;
    event.caller.role = ROLE(CONSOLE);
    ask.has_number = number > 0;
    ask.number = number;
    step(watched, &event);
    for (uint32_t i = 0; i < watched->out.effect_count; i++)
        if (watched->out.effects[i].header.kind == KIND(SLOW_LIST))
            return (const Arbiter__Watchdog__SlowList *) (const void *) watched->out.effects[i]
                .body;
    fail_msg("there is no answer");
    return NULL;
}
