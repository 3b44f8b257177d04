/* toy_server.c: a server that counts; see toy.h. */
#include <assert.h>
#include <string.h>

#include "contract/directory.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "toy.h"
#include "wire/names.h"

/* A server that has lost the slot lets the other work for a while. */
#define MODEST_MS 1500u

enum stage { IDLE, ASKING, TAKING, READING, SERVING };

struct count {
    uint32_t request;
    uint64_t value;
};

struct toy_server {
    struct toy_server_settings settings;
    enum stage                 stage;
    uint64_t                   epoch;
    uint64_t                   now_ms, lost_ms;
    struct count               count[TOY_CLIENTS_MAX];
    struct count               before[TOY_CLIENTS_MAX]; /* As they were before this batch.      */
};

static const struct column slot_columns[] = { { "slot", CELL_NUMBER }, { "epoch", CELL_NUMBER } };
static const struct column count_columns[] = { { "client", CELL_NUMBER },
                                               { "value", CELL_NUMBER } };
static const struct column answer_columns[] = { { "client", CELL_NUMBER },
                                                { "request", CELL_NUMBER } };
static const struct column step_columns[] = { { "client", CELL_NUMBER },
                                              { "number", CELL_NUMBER },
                                              { "epoch", CELL_NUMBER } };
static const struct row_table tables[] = {
    [TOY_SLOTS] = { "slots", slot_columns, 2, 1, 1 },
    [TOY_COUNTS] = { "counts", count_columns, 2, 1, 1 },
    [TOY_ANSWERS] = { "answers", answer_columns, 2, 1, 1 },
    [TOY_STEPS] = { "steps", step_columns, 3, 2, 1 },
};
static const struct schema schema = {
    .name = "toy", .version = 1, .tables = tables, .table_count = 4, .fences = TOY_SLOTS
};

size_t toy_server_bytes(void)
{
    return sizeof(struct toy_server);
}

void toy_server_init(void *memory, const struct toy_server_settings *settings)
{
    struct toy_server *server = memory;
    memset(server, 0, sizeof *server);
    server->settings = *settings;
}

static void admit_clients(const struct toy_server *server, struct outbox *out)
{
    Arbiter__Directory__Directory *directory =
        outbox_message(out, &arbiter__directory__directory__descriptor);
    directory->admissions =
        outbox_take(out, server->settings.clients * sizeof directory->admissions[0]);
    for (uint32_t i = 0; i < server->settings.clients; i++) {
        Arbiter__Directory__Admission *admission =
            outbox_message(out, &arbiter__directory__admission__descriptor);
        admission->has_key = admission->has_role = true;
        admission->key.data = outbox_copy(out, server->settings.client_key[i], CALLER_KEY_SIZE);
        admission->key.len = CALLER_KEY_SIZE;
        admission->role = ROLE(CLIENT);
        directory->admissions[directory->n_admissions++] = admission;
    }
    outbox_admit(out, directory);
}

static void ask(uint32_t table, struct outbox *out)
{
    struct query query = { .tag = table, .table = table };
    outbox_read(out, &query);
}

static void put_pair(struct outbox *out, uint32_t table, uint64_t key, uint64_t value)
{
    struct row *row = outbox_row(out, ROW_PUT, table, 2);
    row_number(row, 0, key);
    row_number(row, 1, value);
}

static void answer(const struct event *event, uint64_t value, struct outbox *out)
{
    Arbiter__Wire__Pong *pong = outbox_message(out, &arbiter__wire__pong__descriptor);
    pong->has_nonce = true;
    pong->nonce = value;
    outbox_answer(out, event, KIND(PONG), pong);
}

/* An answer given again is fenced, too: it may have been judged on what never became history. */
static void count_one(struct toy_server *server, const struct event *event, struct outbox *out)
{
    uint32_t client = event->header.session;
    uint32_t request = event->header.request;
    if (client >= server->settings.clients ||
        memcmp(event->caller.key, server->settings.client_key[client], CALLER_KEY_SIZE) != 0)
        return;
    struct count *count = &server->count[client];
    if (request == count->request + 1) {
        count->request++;
        count->value++;
        put_pair(out, TOY_COUNTS, client, count->value);
        put_pair(out, TOY_ANSWERS, client, request);
        struct row *row = outbox_row(out, ROW_ADD, TOY_STEPS, 3);
        row_number(row, 0, client);
        row_number(row, 1, count->value);
        row_number(row, 2, server->epoch);
    } else if (request != count->request) {
        return;
    }
    outbox_fence(out, TOY_SLOT, server->epoch);
    answer(event, count->value, out);
}

static void take_slot(struct toy_server *server, struct outbox *out)
{
    outbox_fence(out, TOY_SLOT, server->epoch);
    server->epoch++;
    put_pair(out, TOY_SLOTS, TOY_SLOT, server->epoch);
    server->stage = TAKING;
    out->wants_commit = true;
}

static void on_row(struct toy_server *server, const struct event *event)
{
    const struct cell *cells = event->row->cells;
    if (event->tag == TOY_SLOTS) {
        server->epoch = (uint64_t) cells[1].number;
        return;
    }
    struct count *count = &server->count[cells[0].number];
    if (event->tag == TOY_COUNTS)
        count->value = (uint64_t) cells[1].number;
    else
        count->request = (uint32_t) cells[1].number;
}

static void on_read(struct toy_server *server, const struct event *event, struct outbox *out)
{
    if (event->failed)
        server->stage = IDLE;
    else if (server->stage == ASKING && event->tag == TOY_SLOTS)
        take_slot(server, out);
    else if (server->stage == READING && event->tag == TOY_ANSWERS)
        server->stage = SERVING;
    memcpy(server->before, server->count, sizeof server->before);
}

static void toy_server_step(void *core, const struct event *event, struct outbox *out)
{
    struct toy_server *server = core;
    server->now_ms = event->now_ms;
    switch (event->kind) {
    case EVENT_STARTED: admit_clients(server, out); break;
    case EVENT_ROW: on_row(server, event); break;
    case EVENT_READ_DONE: on_read(server, event, out); break;
    case EVENT_MESSAGE:
        if (server->stage == SERVING) {
            count_one(server, event, out);
        } else if (server->stage == IDLE && event->now_ms >= server->lost_ms + MODEST_MS) {
            server->stage = ASKING;
            server->epoch = 0;
            ask(TOY_SLOTS, out);
        }
        break;
    default: break;
    }
}

static void toy_server_settle(void *core, enum store_outcome outcome, struct outbox *out)
{
    struct toy_server *server = core;
    if (outcome == STORE_COMMITTED) {
        memcpy(server->before, server->count, sizeof server->before);
        if (server->stage != TAKING)
            return;
        memset(server->count, 0, sizeof server->count);
        server->stage = READING;
        ask(TOY_COUNTS, out);
        ask(TOY_ANSWERS, out);
        return;
    }
    memcpy(server->count, server->before, sizeof server->before);
    if (outcome == STORE_OLD_EPOCH)
        server->lost_ms = server->now_ms;
    if (server->stage == TAKING || outcome == STORE_OLD_EPOCH || outcome == STORE_UNKNOWN)
        server->stage = IDLE;
}

const struct core_ops toy_server_ops = { .step = toy_server_step,
                                         .settle = toy_server_settle,
                                         .schema = &schema };
