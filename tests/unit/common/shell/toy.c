/* toy.c: see toy.h. */
#include "common/shell/toy.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/directory.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "wire/names.h"
#include "wire/validate.h"

#define PING KIND(PING)
#define PONG KIND(PONG)

static const struct column toy_columns[] = { { "number", CELL_NUMBER }, { "twice", CELL_NUMBER } };
static const struct row_table toy_tables[] = {
    { .name = "toys", .columns = toy_columns, .column_count = 2, .key_count = 1, .since = 1 },
};
static const struct schema toy_schema = {
    .name = "toy", .version = 1, .tables = toy_tables, .table_count = 1, .fences = NO_FENCES
};

static void note(struct toy *toy, const struct event *event, uint64_t nonce)
{
    assert_true(toy->event_count < TOY_EVENTS_MAX);
    toy->events[toy->event_count++] =
        (struct toy_event){ .kind = event->kind,
                            .door = event->caller.door,
                            .role = event->caller.role,
                            .tag = event->tag,
                            .route = event->caller.route,
                            .rows = event->rows,
                            .nonce = nonce,
                            .failed = event->failed,
                            .commits = shell_counters(toy->shell)->commits,
                            .sent = shell_counters(toy->shell)->out[PONG] };
}

static void keep(struct outbox *out, uint64_t number)
{
    struct row *row = outbox_row(out, ROW_PUT, 0, 2);
    row_number(row, 0, number);
    row_number(row, 1, 2 * number);
}

static const void *pong_of(struct outbox *out, uint64_t nonce)
{
    Arbiter__Wire__Pong *pong = outbox_message(out, &arbiter__wire__pong__descriptor);
    pong->has_nonce = true;
    pong->nonce = nonce;
    return pong;
}

static void send_pong(struct toy *toy, struct outbox *out, uint64_t nonce)
{
    struct header header = toy->header;
    header.kind = PONG;
    outbox_send(out, toy->asker.door, toy->asker.route, &header, pong_of(out, nonce));
}

static void on_ordinary(struct toy *toy, const struct event *event, uint64_t nonce,
                        struct outbox *out)
{
    keep(out, nonce);
    outbox_answer(out, event, PONG, pong_of(out, nonce));
    if (toy->waiting_count < 64)
        toy->waiting[toy->waiting_count++] = *event;
}

static void connect_out(struct toy *toy, struct outbox *out)
{
    static const uint8_t topic[TOPIC_SIZE] = { 0 };
    struct header        header;
    header_init(&header, PING, NULL);
    outbox_connect(out, 5, DOOR_REQUESTS, toy->peer_requests, toy->peer_key);
    outbox_connect(out, 6, DOOR_STREAM, toy->peer_stream, toy->peer_key);
    outbox_listen(out, 6, topic, sizeof topic);
    Arbiter__Wire__Ping *ping = outbox_message(out, &arbiter__wire__ping__descriptor);
    outbox_send(out, DOOR_PEER, 5, &header, ping);
}

static void publish(struct outbox *out)
{
    struct header header;
    uint8_t       match_id[HEADER_MATCH_SIZE];
    for (size_t i = 0; i < sizeof match_id; i++)
        match_id[i] = (uint8_t) (i + 1);
    header_init(&header, PONG, match_id);
    outbox_publish(out, &header, pong_of(out, 7));
}

static void answer_hugely(const struct event *event, struct outbox *out)
{
    Arbiter__Wire__Refused *refused = outbox_message(out, &arbiter__wire__refused__descriptor);
    refused->sentence = (char *) outbox_take(out, 70000);
    memset(refused->sentence, 'x', 69999);
    outbox_answer(out, event, KIND(REFUSED), refused);
}

/* A directory that still admits the client that asks, and then bans it. */
static void ban(const struct event *event, struct outbox *out)
{
    Arbiter__Directory__Directory *directory =
        outbox_message(out, &arbiter__directory__directory__descriptor);
    Arbiter__Directory__Admission *admission =
        outbox_message(out, &arbiter__directory__admission__descriptor);
    admission->has_key = admission->has_role = true;
    admission->key.data = outbox_copy(out, event->caller.key, CALLER_KEY_SIZE);
    admission->key.len = CALLER_KEY_SIZE;
    admission->role = ROLE(CLIENT);
    directory->admissions = outbox_take(out, sizeof(void *));
    directory->admissions[directory->n_admissions++] = admission;
    directory->bans = outbox_take(out, sizeof *directory->bans);
    directory->bans[directory->n_bans++] = admission->key;
    outbox_admit(out, directory);
}

static void take_ms(uint32_t ms)
{
    (void) usleep(ms * 1000);
}

/* What toy->think_ms is spent on stands before what is measured. */
static void on_measured(struct toy *toy, const struct event *event, uint64_t nonce,
                        struct outbox *out)
{
    if (nonce == TOY_THINK)
        take_ms(toy->think_ms);
    if (nonce == TOY_STALL)
        outbox_send(out, DOOR_SIDE, 0, &event->header, pong_of(out, nonce));
    struct trace *trace = outbox_took(out);
    memset(trace->id, 0xa5, sizeof trace->id);
    trace->number = nonce;
    on_ordinary(toy, event, nonce, out);
}

static void on_ping(struct toy *toy, const struct event *event, uint64_t nonce, struct outbox *out)
{
    struct query all = { .tag = 77 };
    toy->asker = event->caller;
    toy->header = event->header;
    switch (nonce) {
    case TOY_READ: outbox_read(out, &all); return;
    case TOY_EXIT: outbox_exit(out); return;
    case TOY_BAN: ban(event, out); return;
    case TOY_CONNECT: connect_out(toy, out); return;
    case TOY_DISCONNECT:
        outbox_disconnect(out, 5);
        outbox_disconnect(out, 6);
        return;
    case TOY_PUBLISH: publish(out); return;
    case TOY_MORE:
        toy->more = 2;
        keep(out, nonce);
        return;
    case TOY_WAKE: outbox_wake(out, event->now_ms + 20); return;
    case TOY_HUGE: answer_hugely(event, out); return;
    case TOY_FULL:
        outbox_full(out, BOUND_TABLES);
        on_ordinary(toy, event, nonce, out);
        return;
    case TOY_TOOK:
    case TOY_THINK:
    case TOY_STALL: on_measured(toy, event, nonce, out); return;
    case TOY_HANG:
        for (;;)
            (void) pause();
    default: on_ordinary(toy, event, nonce, out);
    }
}

static void on_row(struct toy *toy, const struct event *event, struct outbox *out)
{
    if (!toy->reads_much)
        return;
    keep(out, 500000 + (uint64_t) event->row->cells[0].number);
    (void) outbox_take(out, 4096); /* So that batches fill while rows are read. */
}

static void toy_step(void *core, const struct event *event, struct outbox *out)
{
    struct toy *toy = core;
    uint64_t    nonce = 0;
    if (event->kind == EVENT_MESSAGE && event->header.kind == PING)
        nonce = (BODY(Arbiter__Wire__Ping, event))->nonce;
    if (event->kind == EVENT_ROW)
        nonce = (uint64_t) event->row->cells[0].number;
    note(toy, event, nonce);
    if (event->kind == EVENT_MESSAGE && event->header.kind == PING)
        on_ping(toy, event, nonce, out);
    if (event->kind == EVENT_READER_GONE)
        atomic_fetch_add(&toy->readers_gone, 1);
    if (event->kind == EVENT_ROW)
        on_row(toy, event, out);
    if (event->kind == EVENT_READ_DONE || event->kind == EVENT_TIME)
        send_pong(toy, out, event->rows);
    if (event->kind == EVENT_CUT)
        send_pong(toy, out, event->caller.route);
    if (event->kind == EVENT_STOP && !toy->is_stubborn)
        outbox_exit(out);
}

static void toy_settle(void *core, enum store_outcome outcome, struct outbox *out)
{
    struct toy *toy = core;
    assert_true(toy->outcome_count < TOY_EVENTS_MAX);
    toy->outcomes[toy->outcome_count++] = outcome;
    if (outcome != STORE_COMMITTED)
        for (uint32_t i = 0; i < toy->waiting_count; i++)
            outbox_refuse(out, &toy->waiting[i], REFUSAL(AGAIN), "again");
    toy->waiting_count = 0;
    if (toy->more > 0) {
        keep(out, 900000 + toy->more);
        if (--toy->more == 0)
            send_pong(toy, out, 2);
    }
}

const struct core_ops toy_ops = { .step = toy_step, .settle = toy_settle, .schema = &toy_schema };

/* A slow disk. */
static void take_time(const struct toy *toy)
{
    take_ms(toy->store_ms);
}

static enum store_outcome toy_commit(void *store, const struct row *const *rows, uint32_t row_count,
                                     const struct fence *fences, uint32_t fence_count)
{
    struct toy *toy = store;
    (void) fences;
    (void) fence_count;
    take_time(toy);
    toy->sent_before[toy->commits++] = shell_counters(toy->shell)->out[PONG];
    if (toy->script_at < toy->script_count && toy->script[toy->script_at++] != STORE_COMMITTED)
        return toy->script[toy->script_at - 1];
    for (uint32_t i = 0; i < row_count; i++)
        toy->kept[toy->kept_count++] = (uint64_t) rows[i]->cells[0].number;
    return STORE_COMMITTED;
}

static bool toy_read(void *store, const struct query                        *query,
                     bool (*each)(void *taker, const struct row *row), void *taker)
{
    struct toy *toy = store;
    (void) query;
    take_time(toy);
    if (toy->read_fails)
        return false;
    bool        is_wanted = true;
    struct row *row = calloc(1, sizeof *row + 2 * sizeof row->cells[0]);
    assert_non_null(row);
    row->count = 2;
    for (uint32_t i = 0; i < toy->kept_count && is_wanted; i++) {
        row->cells[0] = (struct cell){ .kind = CELL_NUMBER, .number = (int64_t) toy->kept[i] };
        is_wanted = each(taker, row);
    }
    free(row);
    return is_wanted;
}

static const char *toy_fault(void *store)
{
    (void) store;
    return "the toy's store was told to say so";
}

static bool toy_survives(void *store)
{
    return ((const struct toy *) store)->survives;
}

struct keeper toy_keeper(struct toy *toy)
{
    return (struct keeper){ .store = toy,
                            .reader = toy,
                            .commit = toy_commit,
                            .read = toy_read,
                            .fault = toy_fault,
                            .survives = toy_survives };
}

void toy_world_admit(struct toy_world *world, uint32_t role)
{
    struct bus_admission admission = { .role = role };
    memcpy(admission.key, world->caller->settings.keys.public_key, BUS_KEY_SIZE);
    assert_true(bus_admit(world->bus, &admission, 1));
}

void toy_world_open(struct toy_world *world, void (*change)(struct toy_world *world))
{
    struct text fault = { 0 };
    memset(world, 0, sizeof *world);
    world->bus = help_bus(NULL);
    world->caller = help_bus(NULL);
    world->toy = calloc(1, sizeof *world->toy);
    assert_non_null(world->toy);
    world->log = (struct log){ .file = STDERR_FILENO, .level = SAY_ERROR + 1, .service = "toy" };
    world->settings = (struct shell_settings){ .bus = world->bus,
                                               .log = &world->log,
                                               .keeper = toy_keeper(world->toy),
                                               .name = "toy-1",
                                               .role = ROLE(ENGINE),
                                               .signals = -1 };
    world->settings.listen[DOOR_REQUESTS] = "tcp://127.0.0.1:*";
    world->settings.listen[DOOR_STREAM] = "tcp://127.0.0.1:*";
    if (change != NULL)
        change(world);
    world->shell = shell_open(&world->settings, &fault);
    assert_string_equal(fault.bytes, "");
    world->toy->shell = world->shell;
    toy_world_admit(world, ROLE(CLIENT));
    world->line = help_connect(world->caller, BUS_DEALER, world->shell->doors[DOOR_REQUESTS]);
}

static void *run(void *argument)
{
    struct toy_world *world = argument;
    world->end = shell_run(world->shell, world->toy, &toy_ops);
    return NULL;
}

void toy_world_run(struct toy_world *world)
{
    world->is_running = true;
    assert_int_equal(pthread_create(&world->thread, NULL, run, world), 0);
}

int toy_world_end(struct toy_world *world)
{
    assert_int_equal(pthread_join(world->thread, NULL), 0);
    world->is_running = false;
    return world->end;
}

void toy_world_close(struct toy_world *world)
{
    if (world->is_running) {
        shell_stop(world->shell);
        shell_stop(world->shell);
        (void) toy_world_end(world);
    }
    bus_close(&world->line);
    shell_close(&world->shell);
    bus_stop(&world->caller);
    bus_stop(&world->bus);
    free(world->toy);
}

void toy_world_ping(struct toy_world *world, uint64_t nonce)
{
    Arbiter__Wire__Ping ping = ARBITER__WIRE__PING__INIT;
    struct header       header;
    ping.has_nonce = true;
    ping.nonce = nonce;
    header_init(&header, PING, NULL);
    header.request = (uint32_t) nonce;
    size_t   size = arbiter__wire__ping__get_packed_size(&ping);
    uint8_t *frame = bus_compose(world->line, HEADER_SIZE + size);
    header_encode(frame, &header);
    (void) arbiter__wire__ping__pack(&ping, frame + HEADER_SIZE);
    assert_true(bus_send(world->line, 0));
}

uint16_t toy_world_hear(struct toy_world *world, uint64_t *number)
{
    struct bus_message message;
    struct header      header;
    *number = 0;
    if (help_receive(world->line, &message) != BUS_MESSAGE)
        return 0;
    assert_int_equal(header_decode(&header, message.bytes, message.size), HEADER_GOOD);
    if (header.kind == PONG) {
        Arbiter__Wire__Pong *pong = arbiter__wire__pong__unpack(NULL, message.size - HEADER_SIZE,
                                                                message.bytes + HEADER_SIZE);
        assert_non_null(pong);
        *number = pong->nonce;
        arbiter__wire__pong__free_unpacked(pong, NULL);
    } else {
        assert_int_equal(header.kind, KIND(REFUSED));
        Arbiter__Wire__Refused *refused = arbiter__wire__refused__unpack(
            NULL, message.size - HEADER_SIZE, message.bytes + HEADER_SIZE);
        assert_non_null(refused);
        *number = refused->refusal;
        arbiter__wire__refused__free_unpacked(refused, NULL);
    }
    return header.kind;
}

void toy_world_expect(struct toy_world *world, uint64_t nonce)
{
    uint64_t number = 0;
    assert_int_equal(toy_world_hear(world, &number), PONG);
    assert_int_equal(number, nonce);
}

void toy_world_expect_refusal(struct toy_world *world, uint32_t refusal)
{
    uint64_t number = 0;
    assert_int_equal(toy_world_hear(world, &number), KIND(REFUSED));
    assert_int_equal(number, refusal);
}
