/* client.c: opening, closing, and the one stream of events: the core with sockets and a clock around it. */
#include "client/client.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "client/client_shell.h"
#include "contract/directory.pb-c.h"
#include "wire/names.h"
#include "wire/validate.h"

#define OUTBOX_BYTES OUTBOX_BYTES_MIN

static bool cannot(char *fault, size_t fault_max, const char *what, const char *why)
{
    (void) snprintf(fault, fault_max, "%s%s%s", what, why == NULL ? "" : ": ",
                    why == NULL ? "" : why);
    return false;
}

/* What contributions to dice are made of: a secret of its own, made from our key. */
static void derive_secret(uint8_t secret[CLIENT_KEY_SIZE], const struct bus_keys *keys)
{
    static const char  label[] = "arbiter client contributions";
    const struct piece piece = { label, sizeof label - 1 };
    crypto_sodium.keyed(secret, CLIENT_KEY_SIZE, keys->secret_key, &piece, 1);
}

static bool fill_settings(const struct client_settings *from, const struct bus_keys *keys,
                          struct client_core_settings *to, char *fault, size_t fault_max)
{
    struct peers_settings *peers = &to->peers;
    client_core_defaults(to);
    to->crypto = &crypto_sodium;
    derive_secret(to->secret, keys);
    to->own_bytes = from->own_bytes;
    to->own = from->own;
    to->from_start = from->from_start;
    to->follows = from->follows;
    if (from->seats_max > 0)
        to->seats_max = to->tables_max = from->seats_max;
    peers->role = from->role != 0 ? from->role : ROLE(CLIENT);
    if (!text_copy(peers->name, sizeof peers->name, from->name != NULL ? from->name : "client"))
        return cannot(fault, fault_max, "the name is too long", from->name);
    if (!text_copy(peers->software, sizeof peers->software, "arbiter client"))
        return cannot(fault, fault_max, "the name of the software is too long", NULL);
    if (from->lobby == NULL || from->lobby_stream == NULL ||
        !text_copy(peers->lobby.address[DOOR_REQUESTS], PEER_ADDRESS_MAX, from->lobby) ||
        !text_copy(peers->lobby.address[DOOR_STREAM], PEER_ADDRESS_MAX, from->lobby_stream))
        return cannot(fault, fault_max,
                      "two addresses of the lobby are needed: of its requests and "
                      "of its stream",
                      NULL);
    if (from->lobby_key == NULL || !bus_key_read(peers->lobby_key, from->lobby_key))
        return cannot(fault, fault_max, "the lobby's key must be 40 characters of Z85", NULL);
    return true;
}

static bool take_memory(struct client *client, const struct client_core_settings *settings)
{
    client->core_memory = malloc(client_core_bytes(settings));
    client->out_memory = malloc(OUTBOX_BYTES);
    client->memory = malloc(2 * VALIDATE_ARENA_BYTES);
    client->words = malloc(CLIENT_WORDS_MAX * sizeof *client->words);
    client->packed = malloc(VALIDATE_BODY_MAX);
    if (client->core_memory == NULL || client->out_memory == NULL || client->memory == NULL ||
        client->words == NULL || client->packed == NULL)
        return false;
    arena_init(&client->incoming, client->memory, VALIDATE_ARENA_BYTES);
    arena_init(&client->reading, (uint8_t *) client->memory + VALIDATE_ARENA_BYTES,
               VALIDATE_ARENA_BYTES);
    outbox_init(&client->out, client->out_memory, OUTBOX_BYTES);
    client->core = client_core_init(client->core_memory, settings);
    return true;
}

static bool start(struct client *client, const struct client_settings *settings, char *fault,
                  size_t fault_max)
{
    struct client_core_settings core;
    struct bus_settings         bus = { 0 };
    struct text                 why;
    if (settings->key_file == NULL || !bus_keys_load(&bus.keys, settings->key_file, NULL, &why))
        return cannot(fault, fault_max, "our own key",
                      settings->key_file == NULL ? "no file is named" : why.bytes);
    bool is_filled = fill_settings(settings, &bus.keys, &core, fault, fault_max);
    if (is_filled) {
        client->bus = bus_start(&bus, &why);
        if (client->bus == NULL)
            is_filled = cannot(fault, fault_max, "the bus does not start", why.bytes);
        else if (!take_memory(client, &core))
            is_filled = cannot(fault, fault_max, "there is not enough memory", NULL);
    }
    sodium_memzero(&bus.keys, sizeof bus.keys);
    return is_filled;
}

struct client *client_open(const struct client_settings *settings, char *fault, size_t fault_max)
{
    struct client *client = calloc(1, sizeof *client);
    struct event   event = { .kind = EVENT_STARTED };
    uint8_t        entropy[ENTROPY_SIZE];
    if (client == NULL || sodium_init() < 0) {
        cannot(fault, fault_max, "there is not enough memory", NULL);
        free(client);
        return NULL;
    }
    if (!start(client, settings, fault, fault_max)) {
        client_close(&client);
        return NULL;
    }
    randombytes_buf(entropy, sizeof entropy);
    event.now_ms = client_now_ms();
    event.entropy = entropy;
    client_core_ops.step(client->core, &event, &client->out);
    client_perform(client);
    return client;
}

void client_close(struct client **client)
{
    struct client *closed = *client;
    if (closed == NULL)
        return;
    client_close_links(closed);
    if (closed->bus != NULL)
        bus_stop(&closed->bus);
    client_free_plans(closed);
    free(closed->list.pattern);
    free(closed->list.value);
    free(closed->packed);
    free(closed->words);
    free(closed->memory);
    free(closed->out_memory);
    free(closed->core_memory);
    free(closed);
    *client = NULL;
}

/* How long nothing is to be done: until the core wants to be woken, or the caller's time is over. */
static int64_t wait_of(const struct client *client, uint64_t now_ms, uint64_t end_ms)
{
    uint64_t until_ms = now_ms + 1000; /* Connections are mended. */
    if (client->out.wake_ms < until_ms)
        until_ms = client->out.wake_ms;
    if (end_ms < until_ms)
        until_ms = end_ms;
    return until_ms > now_ms ? (int64_t) (until_ms - now_ms) : 0;
}

/* One round: what is due, then what comes in. */
static void turn_round(struct client *client, uint64_t end_ms, const int *files, size_t count)
{
    uint64_t now_ms = client_now_ms();
    if (client->out.wake_ms <= now_ms)
        client_step_time(client);
    client_receive(client, wait_of(client, now_ms, end_ms), files, count);
}

static uint64_t end_of(int timeout_ms)
{
    return timeout_ms < 0 ? UINT64_MAX : client_now_ms() + (uint64_t) timeout_ms;
}

bool client_next(struct client *client, int timeout_ms, struct client_event *event)
{
    uint64_t end_ms = end_of(timeout_ms);
    arena_reset(&client->reading);
    while (!client_core_next(client->core, event)) {
        client_step_time(client); /* What there was no room for is asked for now. */
        turn_round(client, end_ms, NULL, 0);
        if (!client_core_has_next(client->core) && client_now_ms() >= end_ms) {
            memset(event, 0, sizeof *event);
            event->kind = CLIENT_NOTHING;
            return false;
        }
    }
    client_remember_game(client, event);
    return true;
}

void client_wait(struct client *client, const int *files, size_t count, int timeout_ms)
{
    if (!client_core_has_next(client->core))
        turn_round(client, end_of(timeout_ms), files, count);
}
