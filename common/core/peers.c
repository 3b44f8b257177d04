/* peers.c: connections, hellos and the directory, for every core but the lobby's. Pure. */
#include "core/peers.h"

#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "contract/directory.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "wire/names.h"

#define BIT(door) (1u << (door))

/* A service says hello to the lobby so often: who is silent for longer drops out of the directory. */
#define HELLO_MS 1000u
/* Others are told so often where a service can be reached. */
#define HELLO_AGAIN_MS 5000u
/* A directory is repeated each second; after so many without one the lobby may be another. */
#define LOBBY_SILENT_MS 3000u
/* A lobby that has just started knows nobody yet; for so long nobody is taken for gone. */
#define GONE_MS 5000u

/* To whose doors a process of each role connects. */
static const struct {
    uint32_t role, other, doors;
} wanted[] = {
    { ROLE(ENGINE), ROLE(WATCHDOG), BIT(DOOR_REQUESTS) | BIT(DOOR_STREAM) },
    { ROLE(FANOUT), ROLE(ENGINE), BIT(DOOR_REQUESTS) | BIT(DOOR_STREAM) | BIT(DOOR_HISTORY) },
    { ROLE(FANOUT), ROLE(WATCHDOG), BIT(DOOR_REQUESTS) },
    { ROLE(WATCHDOG), ROLE(ENGINE), BIT(DOOR_REQUESTS) },
    { ROLE(WATCHDOG), ROLE(WATCHDOG),
      BIT(DOOR_REQUESTS) }, /* Itself too: it beats like everybody. */
    { ROLE(GATEWAY), ROLE(ENGINE), BIT(DOOR_REQUESTS) | BIT(DOOR_HISTORY) },
    { ROLE(GATEWAY), ROLE(FANOUT), BIT(DOOR_STREAM) | BIT(DOOR_HISTORY) },
    { ROLE(GATEWAY), ROLE(WATCHDOG), BIT(DOOR_REQUESTS) },
    { ROLE(BOT), ROLE(ENGINE), BIT(DOOR_REQUESTS) | BIT(DOOR_HISTORY) },
    { ROLE(BOT), ROLE(FANOUT), BIT(DOOR_STREAM) | BIT(DOOR_HISTORY) },
    { ROLE(CLIENT), ROLE(ENGINE), BIT(DOOR_REQUESTS) | BIT(DOOR_HISTORY) },
    { ROLE(CLIENT), ROLE(FANOUT), BIT(DOOR_STREAM) | BIT(DOOR_HISTORY) },
    { ROLE(CONSOLE), ROLE(ENGINE), BIT(DOOR_REQUESTS) | BIT(DOOR_HISTORY) },
    { ROLE(CONSOLE), ROLE(FANOUT), BIT(DOOR_STREAM) | BIT(DOOR_HISTORY) },
    { ROLE(CONSOLE), ROLE(WATCHDOG), BIT(DOOR_REQUESTS) | BIT(DOOR_STREAM) },
};

static const uint8_t own_news[TOPIC_SIZE]; /* A service's own news: slot 0, no match. */

/* A fanout with an upstream follows that one fanout and no engine. */
static bool is_upstream(const struct peers *peers, const struct peer *peer)
{
    return peers->settings.upstream[0] != '\0' && peer->role == ROLE(FANOUT) &&
           memcmp(peer->name, peers->settings.upstream, sizeof peer->name) == 0;
}

static uint32_t doors_wanted(const struct peers *peers, const struct peer *peer)
{
    uint32_t role = peers->settings.role, other = peer->role;
    if (role == ROLE(FANOUT) && is_upstream(peers, peer))
        return BIT(DOOR_STREAM) | BIT(DOOR_HISTORY);
    if (role == ROLE(FANOUT) && other == ROLE(ENGINE) && peers->settings.upstream[0] != '\0')
        return 0;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (wanted[i].role == role && wanted[i].other == other)
            return wanted[i].doors;
    return other == ROLE(LOBBY) ? BIT(DOOR_REQUESTS) | BIT(DOOR_STREAM) : 0;
}

/* Whether others may have to find this process, and the lobby has to know that it lives. */
static bool is_service(const struct peers *peers)
{
    return peers->settings.role != ROLE(CLIENT) && peers->settings.role != ROLE(CONSOLE);
}

uint64_t peers_connection(uint32_t peer, uint32_t door)
{
    assert(peer < PEERS_MAX && door < PEERS_DOORS);
    return (uint64_t) peer * PEERS_DOORS + door;
}

uint32_t peers_of_event(const struct event *event)
{
    if (event->kind != EVENT_MESSAGE || event->caller.door != DOOR_PEER ||
        event->caller.route >= (uint64_t) PEERS_MAX * PEERS_DOORS)
        return NO_PEER;
    return (uint32_t) (event->caller.route / PEERS_DOORS);
}

uint32_t peers_engine_of(const struct peers *peers, uint8_t slot)
{
    return peers->owner[slot];
}

uint8_t peers_version(const struct peers *peers, uint32_t peer)
{
    return peer < PEERS_MAX ? header_spoken(peers->list[peer].protocol) : PROTOCOL_FIRST;
}

uint32_t peers_next(const struct peers *peers, uint32_t role, uint32_t after)
{
    for (uint32_t i = after == NO_PEER ? 0 : after + 1; i < PEERS_MAX; i++)
        if (peers->list[i].role == role && peers->list[i].welcome)
            return i;
    return NO_PEER;
}

void peers_init(struct peers *peers, const struct peers_settings *settings)
{
    memset(peers, 0, sizeof *peers);
    peers->settings = *settings;
    struct peer *lobby = &peers->list[PEERS_LOBBY];
    lobby->role = ROLE(LOBBY);
    lobby->doors = settings->lobby;
    memcpy(lobby->key, settings->lobby_key, sizeof lobby->key);
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        peers->owner[slot] = NO_PEER;
}

/* Runs of neighbouring slots under one epoch, as the directory writes them. */
static void put_slots(const struct peers *peers, Arbiter__Directory__Service *service,
                      struct outbox *out)
{
    service->slots = outbox_take(out, SLOTS * sizeof(Arbiter__Directory__Slots *));
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        uint64_t epoch = peers->own_epoch[slot];
        if (epoch == 0)
            continue;
        if (slot > 0 && peers->own_epoch[slot - 1] == epoch) {
            service->slots[service->n_slots - 1]->last = slot;
            continue;
        }
        Arbiter__Directory__Slots *run =
            outbox_message(out, &arbiter__directory__slots__descriptor);
        run->has_first = run->has_last = run->has_epoch = true;
        run->first = run->last = slot;
        run->epoch = epoch;
        service->slots[service->n_slots++] = run;
    }
}

static void put_doors(const struct peers_doors *doors, const struct peers_doors *outside,
                      Arbiter__Directory__Service *service, struct outbox *out)
{
    service->doors = outbox_take(out, PEERS_DOORS * sizeof(Arbiter__Directory__Door *));
    for (uint32_t door = 0; door < PEERS_DOORS; door++) {
        if (doors->address[door][0] == '\0')
            continue;
        Arbiter__Directory__Door *put = outbox_message(out, &arbiter__directory__door__descriptor);
        put->has_kind = true;
        put->kind = (Arbiter__Directory__Door__Kind) door;
        put->address = (char *) outbox_copy(out, doors->address[door], PEER_ADDRESS_MAX);
        if (outside->address[door][0] != '\0')
            put->outside = (char *) outbox_copy(out, outside->address[door], PEER_ADDRESS_MAX);
        service->doors[service->n_doors++] = put;
    }
}

static Arbiter__Directory__Service *own_entry(const struct peers *peers, struct outbox *out)
{
    Arbiter__Directory__Service *service =
        outbox_message(out, &arbiter__directory__service__descriptor);
    service->has_role = service->has_load = service->has_draining = service->has_started_ms = true;
    service->role = (Arbiter__Directory__Role) peers->settings.role;
    service->name = (char *) outbox_copy(out, peers->settings.name, PEER_NAME_MAX);
    service->software = (char *) outbox_copy(out, peers->settings.software, PEER_NAME_MAX);
    service->load = peers->load;
    service->draining = peers->draining;
    service->started_ms = peers->started_ms;
    put_doors(&peers->settings.doors, &peers->settings.outside, service, out);
    put_slots(peers, service, out);
    return service;
}

static uint32_t own_protocol(const struct peers *peers)
{
    return peers->settings.protocol != 0 ? peers->settings.protocol : PROTOCOL_NEWEST;
}

static void say_hello(struct peers *peers, uint32_t index, uint64_t now_ms, struct outbox *out)
{
    struct peer *peer = &peers->list[index];
    peer->hello_ms = now_ms;
    if ((doors_wanted(peers, peer) & BIT(DOOR_REQUESTS)) == 0) {
        peer->welcome = true; /* There is no door at which one is asked who one is. */
        return;
    }
    Arbiter__Directory__Hello *hello = outbox_message(out, &arbiter__directory__hello__descriptor);
    hello->has_role = hello->has_protocol = true;
    hello->role = (Arbiter__Directory__Role) peers->settings.role;
    hello->protocol = own_protocol(peers);
    hello->name = (char *) outbox_copy(out, peers->settings.name, PEER_NAME_MAX);
    hello->software = (char *) outbox_copy(out, peers->settings.software, PEER_NAME_MAX);
    if (index == PEERS_LOBBY && is_service(peers)) {
        hello->service = own_entry(peers, out);
        peers->has_news = false;
    }
    struct header header;
    header_init(&header, KIND(HELLO), NULL);
    outbox_send(out, DOOR_PEER, peers_connection(index, DOOR_REQUESTS), &header, hello);
}

static void open_connections(struct peers *peers, uint32_t index, uint64_t now_ms,
                             struct outbox *out)
{
    struct peer *peer = &peers->list[index];
    uint32_t     doors = doors_wanted(peers, peer);
    for (uint32_t door = 0; door < PEERS_DOORS; door++)
        if ((doors & BIT(door)) != 0 && peer->doors.address[door][0] != '\0')
            outbox_connect(out, peers_connection(index, door), door, peer->doors.address[door],
                           peer->key);
    if ((doors & BIT(DOOR_STREAM)) != 0 &&
        (peer->role == ROLE(LOBBY) || peer->role == ROLE(WATCHDOG)))
        outbox_listen(out, peers_connection(index, DOOR_STREAM), own_news, sizeof own_news);
    say_hello(peers, index, now_ms, out);
}

static void close_connections(struct peers *peers, uint32_t index, struct outbox *out)
{
    struct peer *peer = &peers->list[index];
    uint32_t     doors = doors_wanted(peers, peer);
    for (uint32_t door = 0; door < PEERS_DOORS; door++)
        if ((doors & BIT(door)) != 0 && peer->doors.address[door][0] != '\0')
            outbox_disconnect(out, peers_connection(index, door));
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        if (peers->owner[slot] == index)
            peers->owner[slot] = NO_PEER;
    memset(peer, 0, sizeof *peer);
}

/* A service of the directory as a peer; false: it cannot be one. Who is outside has no use for addresses inside. */
static bool read_service(const Arbiter__Directory__Service *service, bool is_outside,
                         struct peer *peer)
{
    memset(peer, 0, sizeof *peer);
    if (!service->has_role || service->key.len != CALLER_KEY_SIZE || service->name == NULL ||
        !text_copy(peer->name, sizeof peer->name, service->name))
        return false;
    peer->role = service->role;
    memcpy(peer->key, service->key.data, sizeof peer->key);
    peer->started_ms = service->has_started_ms ? service->started_ms : 0;
    peer->load = service->has_load ? service->load : 0;
    peer->draining = service->has_draining && service->draining;
    for (size_t i = 0; i < service->n_doors; i++) {
        const Arbiter__Directory__Door *door = service->doors[i];
        if (door->has_kind && door->kind < PEERS_DOORS)
            if (!text_copy(peer->doors.address[door->kind], PEER_ADDRESS_MAX,
                           is_outside ? door->outside : door->address))
                return false;
    }
    return true;
}

/* Where a service stands in the list, or could stand; NO_PEER: it is full. */
static uint32_t place_of(const struct peers *peers, const struct peer *found)
{
    uint32_t free_place = NO_PEER;
    for (uint32_t i = PEERS_LOBBY + 1; i < PEERS_MAX; i++) {
        const struct peer *peer = &peers->list[i];
        if (peer->role == found->role && memcmp(peer->name, found->name, sizeof peer->name) == 0)
            return i;
        if (peer->role == 0 && free_place == NO_PEER)
            free_place = i;
    }
    return free_place;
}

static bool is_elsewhere(const struct peer *peer, const struct peer *found)
{
    return memcmp(&peer->doors, &found->doors, sizeof peer->doors) != 0 ||
           memcmp(peer->key, found->key, sizeof peer->key) != 0;
}

/* Those who may be anywhere; the others' addresses are told to each other. */
static bool may_be_outside(const struct peers *peers)
{
    uint32_t role = peers->settings.role;
    return role == ROLE(CLIENT) || role == ROLE(CONSOLE) || role == ROLE(BOT);
}

/* The lobby says where it is, inside and for those outside: who came to it by another address than the one inside is
 * not there. */
static bool is_from_outside(const struct peers                  *peers,
                            const Arbiter__Directory__Directory *directory)
{
    const char *ours = peers->settings.lobby.address[DOOR_REQUESTS];
    for (size_t i = 0; may_be_outside(peers) && i < directory->n_services; i++) {
        const Arbiter__Directory__Service *service = directory->services[i];
        for (size_t k = 0; service->role == ROLE(LOBBY) && k < service->n_doors; k++) {
            const Arbiter__Directory__Door *door = service->doors[k];
            if (door->kind == ARBITER__DIRECTORY__DOOR__KIND__KIND_REQUESTS &&
                door->outside != NULL && door->outside[0] != '\0')
                return door->address == NULL || !text_is(ours, text_length(ours), door->address);
        }
    }
    return false;
}

static bool has_wanted_door(const struct peers *peers, const struct peer *peer)
{
    uint32_t doors = doors_wanted(peers, peer);
    for (uint32_t door = 0; door < PEERS_DOORS; door++)
        if ((doors & BIT(door)) != 0 && peer->doors.address[door][0] != '\0')
            return true;
    return false;
}

/* Takes one service of the directory over; returns its place, NO_PEER if it is none of ours. */
static uint32_t take_service(struct peers *peers, const Arbiter__Directory__Service *service,
                             const struct event *event, struct outbox *out)
{
    struct peer found;
    if (!read_service(service, peers->is_outside, &found) || found.role == ROLE(LOBBY) ||
        doors_wanted(peers, &found) == 0)
        return NO_PEER;
    if (peers->is_outside && !has_wanted_door(peers, &found))
        return NO_PEER; /* It is not there for us. */
    uint32_t place = place_of(peers, &found);
    if (place == NO_PEER)
        return NO_PEER;
    struct peer *peer = &peers->list[place];
    if (peer->role != 0 && is_elsewhere(peer, &found))
        close_connections(peers, place, out);
    bool is_new = peer->role == 0;
    bool is_restarted = !is_new && peer->started_ms != found.started_ms;
    if (is_new)
        *peer = found;
    peer->started_ms = found.started_ms;
    peer->load = found.load;
    peer->draining = found.draining;
    peer->seen_ms = event->now_ms;
    if (is_new) {
        open_connections(peers, place, event->now_ms, out);
    } else if (is_restarted) {
        peer->welcome = false;
        peer->protocol = 0;
        say_hello(peers, place, event->now_ms, out);
    }
    return place;
}

/* Who owns which slots, as far as this service says; the higher epoch is right. */
static void take_slots(struct peers *peers, uint32_t place,
                       const Arbiter__Directory__Service *service)
{
    for (size_t i = 0; i < service->n_slots; i++) {
        const Arbiter__Directory__Slots *run = service->slots[i];
        if (!run->has_first || !run->has_last || !run->has_epoch || run->last >= SLOTS)
            continue;
        for (uint32_t slot = run->first; slot <= run->last; slot++)
            if (peers->owner[slot] == NO_PEER || run->epoch >= peers->owner_epoch[slot]) {
                peers->owner[slot] = place;
                peers->owner_epoch[slot] = run->epoch;
            }
    }
}

/* Admissions and bans, copied: the directory they came in lives no longer than its message. */
static void hand_on(const Arbiter__Directory__Directory *directory, struct outbox *out)
{
    Arbiter__Directory__Directory *copy =
        outbox_message(out, &arbiter__directory__directory__descriptor);
    copy->admissions = outbox_take(out, directory->n_admissions * sizeof copy->admissions[0]);
    for (size_t i = 0; i < directory->n_admissions; i++) {
        const Arbiter__Directory__Admission *from = directory->admissions[i];
        Arbiter__Directory__Admission       *to =
            outbox_message(out, &arbiter__directory__admission__descriptor);
        to->has_key = to->has_role = true;
        to->key.data = outbox_copy(out, from->key.data, from->key.len);
        to->key.len = from->key.len;
        to->role = from->role;
        copy->admissions[copy->n_admissions++] = to;
    }
    copy->bans = outbox_take(out, directory->n_bans * sizeof copy->bans[0]);
    for (size_t i = 0; i < directory->n_bans; i++) {
        copy->bans[copy->n_bans].data =
            outbox_copy(out, directory->bans[i].data, directory->bans[i].len);
        copy->bans[copy->n_bans++].len = directory->bans[i].len;
    }
    outbox_admit(out, copy);
}

static void forget_gone(struct peers *peers, uint64_t now_ms, struct outbox *out)
{
    for (uint32_t i = PEERS_LOBBY + 1; i < PEERS_MAX; i++)
        if (peers->list[i].role != 0 && now_ms - peers->list[i].seen_ms >= GONE_MS)
            close_connections(peers, i, out);
}

/* True: it is another one than the last. */
static bool take_directory(struct peers *peers, const Arbiter__Directory__Directory *directory,
                           const struct event *event, struct outbox *out)
{
    bool was_silent = event->now_ms - peers->heard_ms >= LOBBY_SILENT_MS;
    bool is_older = directory->number < peers->directory && !was_silent;
    bool is_news = directory->number != peers->directory || was_silent;
    peers->heard_ms = event->now_ms;
    if (is_older)
        return false;
    peers->directory = directory->number;
    peers->is_outside = is_from_outside(peers, directory);
    if (is_news)
        for (uint32_t slot = 0; slot < SLOTS; slot++)
            peers->owner[slot] = NO_PEER;
    for (size_t i = 0; i < directory->n_services; i++) {
        uint32_t place = take_service(peers, directory->services[i], event, out);
        if (place != NO_PEER && is_news)
            take_slots(peers, place, directory->services[i]);
    }
    forget_gone(peers, event->now_ms, out);
    /* What is published to all has no admissions; they come to services alone, under the same number. */
    bool has_admissions = directory->n_admissions > 0;
    if (is_service(peers) && has_admissions && (is_news || directory->number != peers->admitted)) {
        peers->admitted = directory->number;
        hand_on(directory, out);
    }
    return is_news;
}

static enum peers_news on_welcome(struct peers *peers, uint32_t index, const struct event *event,
                                  struct outbox *out)
{
    const Arbiter__Directory__Welcome *welcome = BODY(Arbiter__Directory__Welcome, event);
    struct peer                       *peer = &peers->list[index];
    bool                               is_first = !peer->welcome;
    bool                               is_news = false;
    peer->welcome = true;
    peer->protocol = welcome->protocol;
    if (index == PEERS_LOBBY && welcome->directory != NULL)
        is_news = take_directory(peers, welcome->directory, event, out);
    if (is_first)
        return PEERS_WELCOME;
    return is_news ? PEERS_CHANGED : PEERS_CONSUMED;
}

static void on_started(struct peers *peers, const struct event *event, struct outbox *out)
{
    peers->started_ms = event->wall_ms;
    peers->heard_ms = event->now_ms;
    open_connections(peers, PEERS_LOBBY, event->now_ms, out);
    outbox_wake(out, event->now_ms + HELLO_MS);
}

/* How long after the last hello the next one is due. A peer that has not answered is asked again. A
 * service tells the lobby each time that it lives, and the other peers now and then where it can be
 * reached. A connection may have been made anew beneath us, and what they say unasked went to the
 * old one. */
static uint64_t patience_with(const struct peers *peers, uint32_t index)
{
    const struct peer *peer = &peers->list[index];
    if (!peer->welcome)
        return HELLO_MS;
    if (!is_service(peers) || (doors_wanted(peers, peer) & BIT(DOOR_REQUESTS)) == 0)
        return NO_WAKE;
    return index == PEERS_LOBBY ? HELLO_MS : HELLO_AGAIN_MS;
}

static void on_time(struct peers *peers, const struct event *event, struct outbox *out)
{
    uint64_t now_ms = event->now_ms;
    if (now_ms - peers->heard_ms >= LOBBY_SILENT_MS)
        peers->list[PEERS_LOBBY].welcome = false;
    for (uint32_t i = 0; i < PEERS_MAX; i++)
        if (peers->list[i].role != 0 && now_ms - peers->list[i].hello_ms >= patience_with(peers, i))
            say_hello(peers, i, now_ms, out);
    outbox_wake(out, now_ms + HELLO_MS);
}

enum peers_news peers_step(struct peers *peers, const struct event *event, struct outbox *out)
{
    if (event->kind == EVENT_STARTED)
        on_started(peers, event, out);
    if (event->kind == EVENT_TIME)
        on_time(peers, event, out);
    /* Players of an engine that took its slots wait for nothing but this. */
    if (peers->has_news && peers->list[PEERS_LOBBY].welcome)
        say_hello(peers, PEERS_LOBBY, event->now_ms, out);
    uint32_t index = peers_of_event(event);
    if (index == NO_PEER || peers->list[index].role == 0)
        return PEERS_NOTHING;
    if (event->header.kind == KIND(WELCOME))
        return on_welcome(peers, index, event, out);
    if (index != PEERS_LOBBY || event->header.kind != KIND(DIRECTORY))
        return PEERS_NOTHING;
    const Arbiter__Directory__Directory *directory = BODY(Arbiter__Directory__Directory, event);
    return take_directory(peers, directory, event, out) ? PEERS_CHANGED : PEERS_CONSUMED;
}
