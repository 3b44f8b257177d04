/* top_house.c: hellos, pings and questions, and what comes back. */
#include "services/console/care/top_house.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock/clock.h"
#include "contract/directory.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "contract/lobby.pb-c.h"
#include "contract/watchdog.pb-c.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/progress.h"
#include "wire/names.h"

#define MATCHES_LISTED 200u
#define GONE_S 5.0 /* A service without a beat for so long shows no figures any more. */

static void say_of(struct bus_socket *socket, uint16_t kind, const uint8_t *match_id,
                   const ProtobufCMessage *message)
{
    struct header header;
    size_t        size = protobuf_c_message_get_packed_size(message);
    uint8_t      *frame = bus_compose(socket, HEADER_SIZE + size);
    header_init(&header, kind, match_id);
    header_encode(frame, &header);
    (void) protobuf_c_message_pack(message, frame + HEADER_SIZE);
    (void) bus_send(socket, 0);
}

static void say(struct bus_socket *socket, uint16_t kind, const ProtobufCMessage *message)
{
    say_of(socket, kind, NULL, message);
}

static void ask_slow(const struct top_house *house, struct bus_socket *watchdog)
{
    static const uint8_t       any[TRACE_ID_SIZE];
    Arbiter__Watchdog__SlowAsk ask = ARBITER__WATCHDOG__SLOW_ASK__INIT;
    const uint8_t             *match_id = house->slow->match_id;
    ask.has_number = house->slow->number > 0;
    ask.number = house->slow->number;
    say_of(watchdog, KIND(SLOW_ASK), memcmp(match_id, any, sizeof any) == 0 ? NULL : match_id,
           &ask.base);
}

static void say_hello(const struct top_house *house, struct bus_socket *socket)
{
    Arbiter__Directory__Hello hello = ARBITER__DIRECTORY__HELLO__INIT;
    char                      name[PEER_NAME_MAX];
    memcpy(name, house->name, sizeof name);
    hello.has_role = hello.has_protocol = true;
    hello.role = ROLE(CONSOLE);
    hello.name = name;
    hello.software = (char[]){ "arbiter top" };
    hello.protocol = PROTOCOL_NEWEST;
    say(socket, KIND(HELLO), &hello.base);
}

bool top_open(struct top_house *house, const char *home, struct text *fault)
{
    struct bus_settings bus = { 0 };
    char                path[PATH_MAX], why[TEXT_MAX] = "";
    uint8_t             key[BUS_KEY_SIZE];
    memset(house, 0, sizeof *house);
    (void) snprintf(house->name, sizeof house->name, "top-%ld", (long) getpid());
    if (!home_find(&house->home, home, fault) || !home_read_doors(&house->home, fault) ||
        !home_path(&house->home, path, "keys", "console", ".key") ||
        !bus_keys_load(&bus.keys, path, NULL, fault))
        return false;
    text_clear(fault);
    text_put(fault, "the lobby's key is none");
    house->bus = bus_key_read(key, house->home.lobby_key) ? bus_start(&bus, fault) : NULL;
    if (house->bus == NULL)
        return false;
    struct bus_place place = { .kind = BUS_DEALER, .address = house->home.lobby, .key = key };
    house->lobby = bus_open(house->bus, &place, fault);
    const struct client_settings settings = { .lobby = house->home.lobby,
                                              .lobby_stream = house->home.lobby_stream,
                                              .lobby_key = house->home.lobby_key,
                                              .key_file = path,
                                              .name = "top",
                                              .role = ROLE(CONSOLE) };
    house->client = client_open(&settings, why, sizeof why);
    if (house->client == NULL) {
        text_clear(fault);
        text_put(fault, why);
    }
    return house->lobby != NULL && house->client != NULL;
}

void top_close(struct top_house *house)
{
    for (uint32_t i = 0; i < house->count; i++)
        if (house->services[i].socket != NULL)
            bus_close(&house->services[i].socket);
    if (house->lobby != NULL)
        bus_close(&house->lobby);
    if (house->client != NULL)
        client_close(&house->client);
    if (house->bus != NULL)
        bus_stop(&house->bus);
}

static struct top_service *service_of(struct top_house *house, uint32_t role, const char *name)
{
    for (uint32_t i = 0; i < house->count; i++)
        if (house->services[i].role == role && strcmp(house->services[i].name, name) == 0)
            return &house->services[i];
    if (house->count == TOP_SERVICES_MAX || strlen(name) >= PEER_NAME_MAX)
        return NULL;
    struct top_service *service = &house->services[house->count++];
    memset(service, 0, sizeof *service);
    service->role = role;
    memcpy(service->name, name, strlen(name) + 1);
    service->ping_ms = service->acts_s = service->commit_ms = TOP_UNKNOWN;
    return service;
}

/* The door that answers a ping. */
static const char *door_of(const Arbiter__Directory__Service *service)
{
    const char *found = NULL;
    for (size_t i = 0; i < service->n_doors; i++) {
        const Arbiter__Directory__Door *door = service->doors[i];
        if (door->kind == ARBITER__DIRECTORY__DOOR__KIND__KIND_REQUESTS)
            return door->address;
        if (door->kind == ARBITER__DIRECTORY__DOOR__KIND__KIND_HISTORY)
            found = door->address;
    }
    return found;
}

/* Opens the way to a service, anew if it is another process or somewhere else. */
static void connect_to(struct top_house *house, struct top_service *service,
                       const Arbiter__Directory__Service *listed)
{
    const char *address = door_of(listed);
    bool        is_same = service->started_ms == listed->started_ms && address != NULL &&
                   strcmp(service->address, address) == 0;
    if (address == NULL || strlen(address) >= PEER_ADDRESS_MAX || listed->key.len != BUS_KEY_SIZE ||
        (is_same && service->socket != NULL))
        return;
    struct text fault;
    if (service->socket != NULL)
        bus_close(&service->socket);
    memcpy(service->address, address, strlen(address) + 1);
    memcpy(service->key, listed->key.data, sizeof service->key);
    struct bus_place place = { .kind = BUS_DEALER,
                               .address = service->address,
                               .key = service->key };
    service->socket = bus_open(house->bus, &place, &fault);
    service->pinged_s = 0;
    service->pings = 0;
}

static void on_directory(struct top_house *house, const Arbiter__Directory__Directory *directory)
{
    house->is_connected = true;
    for (uint32_t i = 0; i < house->count; i++)
        house->services[i].is_listed = false;
    for (size_t i = 0; i < directory->n_services; i++) {
        const Arbiter__Directory__Service *listed = directory->services[i];
        struct top_service                *service =
            listed->name == NULL ? NULL : service_of(house, listed->role, listed->name);
        if (service == NULL)
            continue;
        connect_to(house, service, listed);
        service->is_listed = true;
        service->started_ms = listed->started_ms;
        if (listed->software != NULL)
            (void) snprintf(service->software, sizeof service->software, "%s", listed->software);
        service->is_draining = listed->draining;
        service->slots = 0;
        for (size_t k = 0; k < listed->n_slots; k++)
            service->slots += listed->slots[k]->last - listed->slots[k]->first + 1;
    }
}

static void on_welcome(struct top_house *house, const Arbiter__Directory__Welcome *welcome)
{
    if (welcome->has_now_ms)
        house->clock_off_ms = (int64_t) welcome->now_ms - (int64_t) clock_wall_ms();
    on_directory(house, welcome->directory);
}

/* Rates need two beats of the same process. */
static void on_alive(struct top_house *house, const Arbiter__Watchdog__Alive *alive)
{
    const Arbiter__Watchdog__Beat *beat = alive->beat;
    if (beat == NULL || beat->name == NULL)
        return;
    struct top_service *service = service_of(house, beat->role, beat->name);
    if (service == NULL)
        return;
    double         now_s = seconds_now() - (double) alive->age_ms / 1000;
    double         passed_s = now_s - service->beaten_s;
    struct figures now, *before = &service->before;
    figures_take(&now, beat);
    bool goes_on =
        service->beaten_s > 0 && now.acts >= before->acts && now.commits >= before->commits;
    if (goes_on && passed_s > 0.5) {
        uint64_t commits = now.commits - before->commits;
        service->acts_s = (double) (now.acts - before->acts) / passed_s;
        service->commit_ms =
            commits == 0 ? TOP_UNKNOWN
                         : (double) (now.commit_us - before->commit_us) / 1000 / (double) commits;
    }
    service->is_suspect = alive->suspect;
    service->is_stopped = alive->stopped;
    service->has_beat = alive->age_ms < (uint64_t) (GONE_S * 1000);
    service->figures = now;
    if (goes_on && passed_s <= 0.5)
        return;
    service->before = now;
    service->beaten_s = now_s;
}

static void on_life(struct top_house *house, const Arbiter__Watchdog__Life *life)
{
    house->is_watched = true;
    house->has_leases = life->has_unowned;
    house->unowned = life->unowned;
    house->moves = life->moves;
    house->waits = life->waits;
    for (size_t i = 0; i < life->n_services; i++)
        on_alive(house, life->services[i]);
}

static const ProtobufCMessageDescriptor *descriptor_of(uint16_t kind)
{
    switch (kind) {
    case KIND(WELCOME): return &arbiter__directory__welcome__descriptor;
    case KIND(LIFE): return &arbiter__watchdog__life__descriptor;
    case KIND(SLOW_LIST): return &arbiter__watchdog__slow_list__descriptor;
    default: return NULL;
    }
}

static void on_frame(struct top_house *house, struct top_service *service,
                     const struct bus_message *message)
{
    struct header header;
    if (message->size < HEADER_SIZE ||
        header_decode(&header, message->bytes, message->size) != HEADER_GOOD)
        return;
    if (service != NULL && header.kind == KIND(PONG) && service->pinged_s > 0) {
        service->ping_ms = (seconds_now() - service->pinged_s) * 1000;
        service->pinged_s = 0;
    }
    const ProtobufCMessageDescriptor *descriptor = descriptor_of(header.kind);
    if (descriptor == NULL)
        return;
    ProtobufCMessage *body = protobuf_c_message_unpack(
        descriptor, NULL, message->size - HEADER_SIZE, message->bytes + HEADER_SIZE);
    if (body == NULL)
        return;
    const Arbiter__Directory__Welcome *welcome =
        (const Arbiter__Directory__Welcome *) (const void *) body;
    if (header.kind == KIND(LIFE))
        on_life(house, (const Arbiter__Watchdog__Life *) (const void *) body);
    else if (header.kind == KIND(SLOW_LIST) && house->slow != NULL)
        slow_take(house->slow, (const Arbiter__Watchdog__SlowList *) (const void *) body);
    else if (service == NULL && welcome->directory != NULL)
        on_welcome(house, welcome);
    protobuf_c_message_free_unpacked(body, NULL);
}

static void ask_matches(struct top_house *house)
{
    Arbiter__Lobby__ListTables list = ARBITER__LOBBY__LIST_TABLES__INIT;
    Arbiter__Lobby__Ask        ask = ARBITER__LOBBY__ASK__INIT;
    list.has_phase = list.has_limit = true;
    list.phase = ARBITER__LOBBY__TABLE__PHASE__PHASE_PLAYING;
    list.limit = MATCHES_LISTED;
    ask.kind_case = ARBITER__LOBBY__ASK__KIND_LIST_TABLES;
    ask.list_tables = &list;
    if (house->listing == 0)
        house->listing = client_ask(house->client, &ask.base);
}

void top_ask(struct top_house *house)
{
    Arbiter__Wire__Ping        ping = ARBITER__WIRE__PING__INIT;
    Arbiter__Watchdog__LifeAsk life = ARBITER__WATCHDOG__LIFE_ASK__INIT;
    (void) bus_mend(house->lobby);
    say_hello(house, house->lobby);
    ask_matches(house);
    for (uint32_t i = 0; i < house->count; i++) {
        struct top_service *service = &house->services[i];
        if (service->socket == NULL)
            continue;
        (void) bus_mend(service->socket);
        if (service->role == ROLE(WATCHDOG))
            say(service->socket, KIND(LIFE_ASK), &life.base);
        if (service->role == ROLE(WATCHDOG) && house->slow != NULL)
            ask_slow(house, service->socket);
        if (service->pinged_s > 0)
            service->ping_ms = TOP_UNKNOWN; /* The last one was not answered. */
        service->pinged_s = seconds_now();
        service->pings++;
        say(service->socket, KIND(PING), &ping.base);
    }
}

static void hear_client(struct top_house *house)
{
    struct client_event event;
    while (client_next(house->client, 0, &event)) {
        if (event.kind != CLIENT_ANSWER || event.request != house->listing)
            continue;
        const Arbiter__Lobby__Answer *answer =
            (const Arbiter__Lobby__Answer *) (const void *) client_message(house->client, &event);
        house->listing = 0;
        if (answer == NULL || answer->kind_case != ARBITER__LOBBY__ANSWER__KIND_TABLES)
            continue;
        house->has_matches = true;
        house->matches = (uint32_t) answer->tables->n_tables;
        house->has_more = answer->tables->has_more && answer->tables->more;
    }
}

static void hear_all(struct top_house *house)
{
    struct bus_message message;
    while (bus_receive(house->lobby, &message) == BUS_MESSAGE)
        on_frame(house, NULL, &message);
    for (uint32_t i = 0; i < house->count; i++)
        while (house->services[i].socket != NULL &&
               bus_receive(house->services[i].socket, &message) == BUS_MESSAGE)
            on_frame(house, &house->services[i], &message);
    hear_client(house);
}

void top_hear(struct top_house *house, double seconds)
{
    double until_s = seconds_now() + seconds;
    while (seconds_now() < until_s && !interrupted()) {
        struct bus_socket *sockets[TOP_SERVICES_MAX + 1];
        size_t             count = 0;
        double             left_s = until_s - seconds_now();
        sockets[count++] = house->lobby;
        for (uint32_t i = 0; i < house->count; i++)
            if (house->services[i].socket != NULL)
                sockets[count++] = house->services[i].socket;
        int64_t wait_ms = left_s < 0.1 ? (int64_t) (left_s * 1000) + 1 : 100;
        (void) bus_wait(sockets, count, NULL, 0, wait_ms);
        hear_all(house);
    }
}
