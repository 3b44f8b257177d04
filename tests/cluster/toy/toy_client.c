/* toy_client.c: a client that wants to be counted, and asks until it is; see toy.h. */
#include <string.h>

#include "contract/envelope.pb-c.h"
#include "toy.h"
#include "wire/names.h"

#define RESEND_MS 400u
#define APART_MS 130u
/* A server that is asked takes the slot first; only then it can answer. */
#define TRIES 6u

void toy_client_init(void *memory, const struct toy_client_settings *settings)
{
    struct toy_client *client = memory;
    memset(client, 0, sizeof *client);
    client->settings = *settings;
    client->request = 1;
}

static void ask(struct toy_client *client, uint64_t now_ms, struct outbox *out)
{
    /* No two of them in step, or they would drive two servers against each other for ever. */
    client->resend_ms = now_ms + RESEND_MS + client->settings.client * APART_MS;
    outbox_wake(out, client->resend_ms);
    if (client->request > TOY_REQUESTS)
        return;
    Arbiter__Wire__Ping *ping = outbox_message(out, &arbiter__wire__ping__descriptor);
    struct header        header;
    header_init(&header, KIND(PING), NULL);
    header.session = client->settings.client;
    header.request = client->request;
    outbox_send(out, DOOR_PEER, client->server, &header, ping);
}

static void toy_client_step(void *core, const struct event *event, struct outbox *out)
{
    struct toy_client *client = core;
    if (event->kind == EVENT_STARTED) {
        for (uint32_t i = 0; i < client->settings.servers; i++)
            outbox_connect(out, i, DOOR_REQUESTS, client->settings.server_address[i],
                           client->settings.server_key[i]);
        ask(client, event->now_ms, out);
    } else if (event->kind == EVENT_TIME) {
        /* A server without an answer may be dead, or not hold the slot: the next one, please. */
        if (event->now_ms >= client->resend_ms) {
            if (++client->tries % TRIES == 0)
                client->server = (client->server + 1) % client->settings.servers;
            ask(client, event->now_ms, out);
        }
        outbox_wake(out, client->resend_ms);
    } else if (event->kind == EVENT_MESSAGE && event->header.kind == KIND(PONG) &&
               event->header.request == client->request &&
               event->header.session == client->settings.client) {
        client->acked = client->request++;
        ask(client, event->now_ms, out);
    }
}

static void toy_client_settle(void *core, enum store_outcome outcome, struct outbox *out)
{
    (void) core;
    (void) outcome;
    (void) out;
}

const struct core_ops toy_client_ops = { .step = toy_client_step,
                                         .settle = toy_client_settle,
                                         .schema = NULL };
