/* impatience.c: hears of waits, and ends them when it is told to. */
#include "services/console/trial/impatience.h"

#include <string.h>

#include "contract/directory.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "contract/watchdog.pb-c.h"
#include "wire/names.h"
#include "wire/validate.h"

#define GREET_S 0.5

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
    hello.role = ROLE(WATCHDOG);
    hello.protocol = PROTOCOL_NEWEST;
    hello.name = (char *) "impatience";
    header_init(&header, KIND(HELLO), NULL);
    send_body(socket, &header, &hello.base);
}

static struct impatience_match *find_match(struct impatience *clock, const ProtobufCBinaryData *id)
{
    for (uint32_t i = 0; i < clock->matches && id->len == IMPATIENCE_ID_SIZE; i++)
        if (memcmp(id->data, clock->match[i].match_id, IMPATIENCE_ID_SIZE) == 0)
            return &clock->match[i];
    return NULL;
}

static void take_waits(struct impatience *clock, const Arbiter__Watchdog__Waits *waits)
{
    for (size_t i = 0; i < waits->n_waits; i++) {
        const Arbiter__Watchdog__Wait *wait = waits->waits[i];
        struct impatience_match       *match = find_match(clock, &wait->match_id);
        if (match == NULL)
            continue;
        match->wait = wait->wait;
        match->epoch = wait->epoch;
        match->late_count = 0;
        for (size_t s = 0; s < wait->n_seats && s < SEATS_MAX; s++)
            match->late[match->late_count++] = wait->seats[s];
    }
}

static void connect_to(struct impatience *clock, const Arbiter__Directory__Service *service)
{
    for (size_t i = 0; i < service->n_doors && clock->engine == NULL; i++) {
        struct text      fault;
        struct bus_place place = { .kind = BUS_DEALER,
                                   .address = service->doors[i]->address,
                                   .key = service->key.data };
        if (service->doors[i]->kind == ARBITER__DIRECTORY__DOOR__KIND__KIND_REQUESTS)
            clock->engine = bus_open(clock->bus, &place, &fault);
    }
    if (clock->engine != NULL)
        say_hello(clock->engine);
}

/* The first engine of the directory: one machine has one, and it comes back to the same place. */
static void take_directory(struct impatience *clock, const Arbiter__Directory__Directory *directory)
{
    for (size_t i = 0; directory != NULL && clock->engine == NULL && i < directory->n_services; i++)
        if (directory->services[i]->role == ROLE(ENGINE) &&
            directory->services[i]->key.len == BUS_KEY_SIZE)
            connect_to(clock, directory->services[i]);
}

static void take(struct impatience *clock, const struct bus_message *message)
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
        const Arbiter__Watchdog__Waits *waits = (const void *) validate_unpack(
            &arbiter__watchdog__waits__descriptor, body, size, &arena);
        if (waits != NULL)
            take_waits(clock, waits);
    } else if (header.kind == KIND(WELCOME)) {
        const Arbiter__Directory__Welcome *welcome = (const void *) validate_unpack(
            &arbiter__directory__welcome__descriptor, body, size, &arena);
        if (welcome != NULL)
            take_directory(clock, welcome->directory);
    }
}

bool impatience_open(struct impatience *clock, const struct home *home, const struct bus_keys *keys,
                     struct text *fault)
{
    uint8_t             key[BUS_KEY_SIZE];
    struct bus_settings settings = { .keys = *keys };
    struct bus_place    place = { .kind = BUS_DEALER, .address = home->lobby, .key = key };
    memset(clock, 0, sizeof *clock);
    if (!bus_key_read(key, home->lobby_key))
        return false;
    clock->bus = bus_start(&settings, fault);
    clock->lobby = clock->bus == NULL ? NULL : bus_open(clock->bus, &place, fault);
    return clock->lobby != NULL;
}

void impatience_close(struct impatience *clock)
{
    bus_close(&clock->engine);
    bus_close(&clock->lobby);
    bus_stop(&clock->bus);
}

void impatience_follow(struct impatience *clock, const uint8_t match_id[IMPATIENCE_ID_SIZE])
{
    impatience_follow_at(clock, 0, match_id);
}

void impatience_follow_at(struct impatience *clock, uint32_t number,
                          const uint8_t match_id[IMPATIENCE_ID_SIZE])
{
    if (number >= IMPATIENCE_MATCHES_MAX)
        return;
    clock->matches = number >= clock->matches ? number + 1 : clock->matches;
    memcpy(clock->match[number].match_id, match_id, IMPATIENCE_ID_SIZE);
    clock->match[number].wait = 0;
    clock->said = 0; /* An engine that is greeted says again what is awaited. */
}

/* A door that does not know us yet may turn us away; libzmq would leave it at that. */
static void greet(struct bus_socket *socket)
{
    (void) bus_mend(socket);
    say_hello(socket);
}

void impatience_look(struct impatience *clock, double now)
{
    struct bus_message message;
    if (now - clock->said >= GREET_S) {
        clock->said = now;
        greet(clock->lobby);
        if (clock->engine != NULL)
            greet(clock->engine);
    }
    while (bus_receive(clock->lobby, &message) == BUS_MESSAGE)
        take(clock, &message);
    while (clock->engine != NULL && bus_receive(clock->engine, &message) == BUS_MESSAGE)
        take(clock, &message);
}

static void say_expire(struct bus_socket *socket, const uint8_t id[IMPATIENCE_ID_SIZE],
                       const struct impatience_match *match)
{
    Arbiter__Watchdog__Expire expire = ARBITER__WATCHDOG__EXPIRE__INIT;
    struct header             header;
    expire.has_match_id = true;
    expire.match_id = (ProtobufCBinaryData){ IMPATIENCE_ID_SIZE, (uint8_t *) id };
    header_init(&header, KIND(EXPIRE), id);
    if (match != NULL) {
        expire.has_wait = true;
        expire.wait = match->wait;
        expire.n_seats = match->late_count;
        expire.seats = (uint32_t *) match->late;
        header.epoch = match->epoch;
    }
    send_body(socket, &header, &expire.base);
}

void impatience_expire_table(struct impatience *clock, const uint8_t table[IMPATIENCE_ID_SIZE])
{
    say_expire(clock->lobby, table, NULL);
}

void impatience_expire_match(struct impatience *clock)
{
    impatience_expire_match_at(clock, 0);
}

void impatience_expire_match_at(struct impatience *clock, uint32_t number)
{
    const struct impatience_match *match = &clock->match[number % IMPATIENCE_MATCHES_MAX];
    if (clock->engine != NULL && match->wait != 0)
        say_expire(clock->engine, match->match_id, match);
}
