/* live_clock.c: a watchdog that knows no patience: time is up when the recording says so.
 *
 * It has a watchdog's rights and greets lobby and engine like the real one, hears of every wait, and says
 * Expire about the one it is asked to end. */
#include <stdio.h>
#include <string.h>

#include "contract/directory.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "contract/watchdog.pb-c.h"
#include "services/console/live_parts.h"
#include "services/console/progress.h"
#include "wire/validate.h"

#define KIND(name) ARBITER__WIRE__KIND__KIND_##name
#define LOOK_MS 5
#define AGAIN_S 0.25

static void send_body(struct bus_socket *socket, const struct header *header,
                      const ProtobufCMessage *body)
{
    uint8_t *frame = bus_compose(socket, HEADER_SIZE + protobuf_c_message_get_packed_size(body));
    header_encode(frame, header);
    (void) protobuf_c_message_pack(body, frame + HEADER_SIZE);
    (void) bus_send(socket, 0);
}

static void say_hello(struct bus_socket *socket)
{
    Arbiter__Directory__Hello hello = ARBITER__DIRECTORY__HELLO__INIT;
    struct header             header;
    hello.has_role = hello.has_protocol = true;
    hello.role = ARBITER__DIRECTORY__ROLE__ROLE_WATCHDOG;
    hello.protocol = HEADER_VERSION;
    hello.name = (char *) "conform";
    header_init(&header, KIND(HELLO), NULL);
    send_body(socket, &header, &hello.base);
}

static void take_waits(struct live *live, const Arbiter__Watchdog__Waits *waits)
{
    for (size_t i = 0; i < waits->n_waits; i++) {
        const Arbiter__Watchdog__Wait *wait = waits->waits[i];
        if (wait->match_id.len != CLIENT_ID_SIZE ||
            memcmp(wait->match_id.data, live->match_id, CLIENT_ID_SIZE) != 0)
            continue;
        live->wait = wait->wait;
        live->wait_epoch = wait->epoch;
        live->late_count = 0;
        for (size_t s = 0; s < wait->n_seats && s < SEATS_MAX; s++)
            live->late[live->late_count++] = wait->seats[s];
    }
}

/* The first engine of the directory; one machine has one. */
static void take_directory(struct live *live, const Arbiter__Directory__Directory *directory)
{
    for (size_t i = 0; directory != NULL && i < directory->n_services; i++) {
        const Arbiter__Directory__Service *service = directory->services[i];
        if (service->role != ARBITER__DIRECTORY__ROLE__ROLE_ENGINE ||
            service->key.len != BUS_KEY_SIZE)
            continue;
        memcpy(live->engine_key, service->key.data, BUS_KEY_SIZE);
        for (size_t d = 0; d < service->n_doors; d++)
            if (service->doors[d]->kind == ARBITER__DIRECTORY__DOOR__KIND__KIND_REQUESTS)
                (void) snprintf(live->engine_address, sizeof live->engine_address, "%s",
                                service->doors[d]->address);
    }
}

static void take(struct live *live, const struct bus_message *message)
{
    static uint8_t memory[VALIDATE_ARENA_BYTES];
    struct arena   arena;
    struct header  header;
    arena_init(&arena, memory, sizeof memory);
    if (header_decode(&header, message->bytes, message->size) != HEADER_GOOD)
        return;
    const uint8_t *body = message->bytes + HEADER_SIZE;
    size_t         size = message->size - HEADER_SIZE;
    if (header.kind == KIND(WAITS)) {
        const void *waits =
            validate_unpack(&arbiter__watchdog__waits__descriptor, body, size, &arena);
        if (waits != NULL)
            take_waits(live, waits);
    } else if (header.kind == KIND(WELCOME)) {
        const Arbiter__Directory__Welcome *welcome = (const void *) validate_unpack(
            &arbiter__directory__welcome__descriptor, body, size, &arena);
        live->is_welcome = welcome != NULL;
        if (welcome != NULL)
            take_directory(live, welcome->directory);
    }
}

void clock_pump(struct live *live, int wait_ms)
{
    struct bus_socket *sockets[2] = { NULL, NULL };
    struct bus_message message;
    size_t             count = 0;
    if (live->bus == NULL)
        return;
    if (live->lobby != NULL)
        sockets[count++] = live->lobby;
    if (live->engine != NULL)
        sockets[count++] = live->engine;
    (void) bus_wait(sockets, count, NULL, 0, wait_ms);
    for (size_t i = 0; i < count; i++)
        while (bus_receive(sockets[i], &message) == BUS_MESSAGE)
            take(live, &message);
}

/* A new key may be turned away until everybody has heard of it: then another connection is tried. */
static bool greet(struct live *live, struct bus_socket **socket, const struct bus_place *place,
                  struct text *fault)
{
    double begun = seconds_now();
    live->is_welcome = false;
    while (!live->is_welcome && seconds_now() - begun < LIVE_PATIENCE_S) {
        double opened = seconds_now();
        if (*socket != NULL)
            bus_close(socket);
        *socket = bus_open(live->bus, place, fault);
        if (*socket == NULL)
            return false;
        say_hello(*socket);
        while (!live->is_welcome && seconds_now() - opened < AGAIN_S)
            clock_pump(live, LOOK_MS);
    }
    text_clear(fault);
    text_put(fault, "nobody answers at ");
    text_put(fault, place->address);
    return live->is_welcome;
}

bool clock_open(struct live *live, struct text *fault)
{
    char                path[PATH_MAX];
    uint8_t             key[BUS_KEY_SIZE];
    struct bus_settings settings = { .io_threads = 1 };
    struct bus_place    lobby = { .kind = BUS_DEALER, .address = live->home.lobby, .key = key };
    struct bus_place    engine = { .kind = BUS_DEALER,
                                   .address = live->engine_address,
                                   .key = live->engine_key };
    if (!bus_key_read(key, live->home.lobby_key) ||
        !home_path(&live->home, path, "keys", "conform-clock", ".key") ||
        !live_make_key(live, path, "watchdog", ARBITER__DIRECTORY__ROLE__ROLE_WATCHDOG, fault) ||
        !bus_keys_load(&settings.keys, path, "watchdog", fault))
        return false;
    live->bus = bus_start(&settings, fault);
    if (live->bus == NULL)
        return false;
    double begun = seconds_now();
    while (live->engine_address[0] == '\0' && seconds_now() - begun < LIVE_PATIENCE_S)
        if (!greet(live, &live->lobby, &lobby, fault))
            return false;
    return greet(live, &live->engine, &engine, fault);
}

void clock_close(struct live *live)
{
    if (live->engine != NULL)
        bus_close(&live->engine);
    if (live->lobby != NULL)
        bus_close(&live->lobby);
    if (live->bus != NULL)
        bus_stop(&live->bus);
}

void clock_expire_table(struct live *live)
{
    Arbiter__Watchdog__Expire expire = ARBITER__WATCHDOG__EXPIRE__INIT;
    struct header             header;
    expire.has_match_id = true;
    expire.match_id = (ProtobufCBinaryData){ .len = CLIENT_ID_SIZE, .data = live->table };
    header_init(&header, KIND(EXPIRE), live->table);
    send_body(live->lobby, &header, &expire.base);
}

static void say_expire(struct live *live)
{
    Arbiter__Watchdog__Expire expire = ARBITER__WATCHDOG__EXPIRE__INIT;
    struct header             header;
    expire.has_match_id = expire.has_wait = true;
    expire.match_id = (ProtobufCBinaryData){ .len = CLIENT_ID_SIZE, .data = live->match_id };
    expire.wait = live->wait;
    expire.n_seats = live->late_count;
    expire.seats = live->late;
    header_init(&header, KIND(EXPIRE), live->match_id);
    header.epoch = live->wait_epoch;
    send_body(live->engine, &header, &expire.base);
}

/* News of a wait may come a moment after the act that began it, and an Expire of an old one is ignored: so
 * it is said again. A wait's number is that of the act that opened it: one behind the last act we know
 * says that time has run out already, and the act is still on its way to us. */
bool clock_expire_match(struct live *live)
{
    uint64_t before = live_last_act(live);
    double   begun = seconds_now(), said = 0;
    clock_pump(live, LOOK_MS);
    while (live_last_act(live) == before && seconds_now() - begun < LIVE_PATIENCE_S) {
        if (live->wait != 0 && live->wait <= before && seconds_now() - said > AGAIN_S) {
            say_expire(live);
            said = seconds_now();
        }
        clock_pump(live, LOOK_MS);
        accounts_pump(live);
    }
    return live_last_act(live) > before;
}
