/* toy.c: the toys on their stage, and what must be true of them; see toy.h. */
#include "toy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/directory.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "wire/names.h"
#include "world/hostile.h"
#include "world/memory.h"

struct stage {
    uint32_t servers, clients;
    uint32_t server[TOY_SERVERS_MAX], client[TOY_CLIENTS_MAX];
    uint64_t acked[TOY_CLIENTS_MAX];
    uint64_t kept[TOY_CLIENTS_MAX];
    uint32_t owner; /* The server that raised the epoch last, and in which life. */
    uint64_t incarnation;
};

static void boot_server(struct world *world, struct process *process)
{
    (void) world;
    toy_server_init(process->core, process->settings);
}

static void boot_client(struct world *world, struct process *process)
{
    (void) world;
    toy_client_init(process->core, process->settings);
}

static void add_servers(struct world *world, struct stage *stage)
{
    world->vaults = 1;
    world->vault[0].name = "toy";
    world->vault[0].is_embedded = stage->servers == 1;
    vault_open(&world->vault[0], toy_server_ops.schema);
    for (uint32_t i = 0; i < stage->servers; i++) {
        char name[PROCESS_NAME_MAX], address[PROCESS_NAME_MAX + 8];
        snprintf(name, sizeof name, "server-%u", i + 1);
        struct process *server = process_add(world, name, ROLE(ENGINE));
        server->ops = &toy_server_ops;
        server->core_bytes = toy_server_bytes();
        server->vault = &world->vault[0];
        server->boot = boot_server;
        server->settings = memory_new(sizeof(struct toy_server_settings));
        stage->server[i] = process_index(world, server);
        snprintf(address, sizeof address, "sim://%s/1", name);
        net_bind(world, stage->server[i], address);
    }
}

/* Clients live for ever: what they were told must stay true, and a dead one cannot say so. */
static void add_clients(struct world *world, struct stage *stage)
{
    for (uint32_t i = 0; i < stage->clients; i++) {
        char name[PROCESS_NAME_MAX];
        snprintf(name, sizeof name, "client-%u", i + 1);
        struct process *client = process_add(world, name, ROLE(CLIENT));
        client->ops = &toy_client_ops;
        client->core_bytes = sizeof(struct toy_client);
        client->boot = boot_client;
        client->is_steady = true;
        client->cast_number = i;
        struct toy_client_settings *settings = memory_new(sizeof *settings);
        settings->client = i;
        settings->servers = stage->servers;
        for (uint32_t s = 0; s < stage->servers; s++) {
            struct process *server = &world->process[stage->server[s]];
            memcpy(settings->server_key[s], server->key, CALLER_KEY_SIZE);
            snprintf(settings->server_address[s], sizeof settings->server_address[s],
                     "sim://server-%u/1", s + 1);
            struct toy_server_settings *known = server->settings;
            memcpy(known->client_key[i], client->key, CALLER_KEY_SIZE);
            known->clients = i + 1;
        }
        client->settings = settings;
        stage->client[i] = process_index(world, client);
    }
}

static void toy_open(struct world *world)
{
    struct stage *stage = memory_new(sizeof *stage);
    world->stage = stage;
    stage->owner = NO_PROCESS;
    stage->servers = world->plan.engines;
    stage->clients = world->plan.players;
    add_servers(world, stage);
    add_clients(world, stage);
    hostile_add(world, "stranger");
}

static void toy_close(struct world *world)
{
    free(world->stage);
}

/* What a client is told: request n is answered with n, by then kept; and it is this client's. */
static void toy_taken(struct world *world, struct process *process, const struct event *event)
{
    struct stage *stage = world->stage;
    if (process->ops != &toy_client_ops || event->kind != EVENT_MESSAGE)
        return;
    uint32_t                   client = process->cast_number;
    const Arbiter__Wire__Pong *pong = BODY(Arbiter__Wire__Pong, event);
    if (event->header.session != client) {
        world_fail(world, "I11", "client %u hears what is client %u's", client,
                   event->header.session);
        return;
    }
    uint64_t value = pong->nonce;
    if (value != event->header.request)
        world_fail(world, "I2", "client %u: request %u is answered with %llu", client,
                   event->header.request, (unsigned long long) value);
    if (value > stage->kept[client])
        world_fail(world, "I1", "client %u: %llu is acknowledged, %llu are kept", client,
                   (unsigned long long) value, (unsigned long long) stage->kept[client]);
    if (value > stage->acked[client])
        stage->acked[client] = value;
}

static void toy_kept(struct world *world, const struct transaction *transaction)
{
    struct stage *stage = world->stage;
    bool          is_taking = false;
    bool          is_writing = false;
    for (uint32_t i = 0; i < transaction->row_count; i++) {
        const struct row *row = transaction->rows[i]->row;
        is_taking = is_taking || row->table == TOY_SLOTS;
        is_writing = is_writing || row->table == TOY_COUNTS;
        if (row->table == TOY_COUNTS)
            stage->kept[row->cells[0].number] = (uint64_t) row->cells[1].number;
    }
    if (is_writing &&
        (stage->owner != transaction->process || stage->incarnation != transaction->incarnation))
        world_fail(world, "I5", "%s commits, and does not own the slot",
                   world->process[transaction->process].name);
    if (is_taking) {
        stage->owner = transaction->process;
        stage->incarnation = transaction->incarnation;
    }
    for (uint32_t c = 0; c < stage->clients; c++)
        if (stage->kept[c] < stage->acked[c])
            world_fail(world, "I1", "client %u: %llu was acknowledged, %llu are kept", c,
                       (unsigned long long) stage->acked[c], (unsigned long long) stage->kept[c]);
}

static bool toy_is_quiet(struct world *world)
{
    const struct stage *stage = world->stage;
    for (uint32_t c = 0; c < stage->clients; c++) {
        const struct toy_client *client = world->process[stage->client[c]].core;
        if (client->acked < TOY_REQUESTS) {
            snprintf(world->worry, sizeof world->worry, "client %u waits for the answer to %u", c,
                     client->request);
            return false;
        }
    }
    return true;
}

const struct cast toy_cast = {
    .name = "toy",
    .is_toy = true,
    .open = toy_open,
    .close = toy_close,
    .taken = toy_taken,
    .kept = toy_kept,
    .is_quiet = toy_is_quiet,
};
