/* door_plain.c: see door_plain.h. */
#include "services/console/tournament/door_plain.h"

#include <stdlib.h>
#include <string.h>

#include "clock/clock.h"
#include "contract/plain.pb-c.h"
#include "wire/validate.h"

#define EVENT_MAX ((size_t) BUS_FRAME_MAX)

bool door_plain_open(struct door_plain *door, const struct table *table, uint32_t seat,
                     const char *const *names)
{
    const struct bus_settings settings = { .is_plain = true, .is_patient = true };
    const struct bus_place    place = { .kind = BUS_ROUTER, .address = "tcp://127.0.0.1:*" };
    struct text               fault;
    memset(door, 0, sizeof *door);
    door->table = table;
    door->seat = seat;
    plain_init(&door->plain, table->wire);
    for (uint32_t i = 0; i < table->seats; i++) {
        const uint8_t        id[PLAIN_ID_SIZE] = { (uint8_t) i };
        struct plain_player *player = plain_add(&door->plain, id);
        if (player == NULL)
            return false;
        player->seat = i;
        (void) plain_call(player, names[i], strlen(names[i]));
    }
    door->bytes = malloc(2 * EVENT_MAX);
    door->bus = door->bytes != NULL ? bus_start(&settings, &fault) : NULL;
    door->socket = door->bus != NULL ? bus_open(door->bus, &place, &fault) : NULL;
    return door->socket != NULL;
}

void door_plain_close(struct door_plain *door)
{
    bus_close(&door->socket);
    bus_stop(&door->bus);
    free(door->bytes);
    free(door->early);
    memset(door, 0, sizeof *door);
}

const char *door_plain_address(const struct door_plain *door)
{
    return bus_address(door->socket);
}

/* What happens before it has come. */
static void keep(struct door_plain *door, const uint8_t *event, size_t size)
{
    uint32_t length = (uint32_t) size;
    size_t   wanted = door->early_size + sizeof length + size;
    if (wanted > door->early_room) {
        door->early_room = 2 * wanted;
        door->early = realloc(door->early, door->early_room);
        if (door->early == NULL)
            abort();
    }
    memcpy(door->early + door->early_size, &length, sizeof length);
    memcpy(door->early + door->early_size + sizeof length, event, size);
    door->early_size = wanted;
}

/* A stream with a hole is none: a client that does not read is told nothing more. */
static void send_down(struct door_plain *door, Arbiter__Plain__Down *down)
{
    down->has_latency_ms = true;
    down->latency_ms = (uint32_t) door->latency_ms;
    size_t size = arbiter__plain__down__get_packed_size(down);
    if (size > EVENT_MAX || door->is_deaf)
        return;
    (void) arbiter__plain__down__pack(down, bus_compose(door->socket, size));
    door->is_deaf = !bus_send(door->socket, door->route);
}

static void send_event(struct door_plain *door, const uint8_t *event, size_t size)
{
    Arbiter__Plain__Down down = ARBITER__PLAIN__DOWN__INIT;
    down.kind_case = ARBITER__PLAIN__DOWN__KIND_EVENT;
    down.event = (ProtobufCBinaryData){ size, (uint8_t *) event };
    if (size > 0)
        send_down(door, &down);
}

/* As `arbiter serve` says it: with names, and what is for one player to that one alone. */
static void tell(struct door_plain *door, const uint8_t *event, size_t size)
{
    uint8_t             *whole = door->bytes + EVENT_MAX;
    struct plain_player *player = &door->plain.player[door->seat];
    uint32_t             seat;
    plain_follow(&door->plain, player, event, size);
    if (plain_is_for_one(&door->plain, event, size, &seat) && seat != door->seat)
        return;
    send_event(door, whole,
               plain_complete(&door->plain, event, size, door->table->config, whole, EVENT_MAX));
}

static bool is_for(audience to, uint32_t seat)
{
    return to == TO_ALL || to == TO_SEATS_NOW || to == TO_SEAT(seat) ||
           ((to & ~0xffu) == TO_ALL_BUT(0) && to != TO_ALL_BUT(seat));
}

void door_plain_told(struct door_plain *door, const struct sink *events)
{
    for (const word *event = sink_first(events); event != NULL; event = sink_next(events, event)) {
        if (!is_for(event_to(event), door->seat))
            continue;
        size_t size = plan_encode_kind(door->table->events, event_kind(event), event_fields(event),
                                       event_length(event), door->bytes, EVENT_MAX);
        if (door->is_there)
            tell(door, door->bytes, size);
        else
            keep(door, door->bytes, size);
    }
}

void door_plain_await(struct door_plain *door)
{
    if (door->turn_ms == 0)
        door->turn_ms = clock_ms();
}

static void send_refused(struct door_plain *door, const struct reason *reason, const char *sentence)
{
    Arbiter__Plain__Down    down = ARBITER__PLAIN__DOWN__INIT;
    Arbiter__Plain__Refused refused = ARBITER__PLAIN__REFUSED__INIT;
    refused.reason = reason != NULL ? (char *) reason->name : NULL;
    refused.sentence = (char *) sentence;
    down.kind_case = ARBITER__PLAIN__DOWN__KIND_REFUSED;
    down.refused = &refused;
    send_down(door, &down);
}

/* As `arbiter serve` says it: by an event where the game has one, and then what is still asked. */
void door_plain_refuse(struct door_plain *door, const struct reason *reason)
{
    const struct plain_player *player = &door->plain.player[door->seat];
    uint8_t                    asked[PLAIN_QUESTION_MAX];
    size_t                     asked_size = player->asked_size;
    const char *sentence = reason != NULL ? reason->sentence : "This is no command of the game.";
    size_t      size = plain_failure(&door->plain, door->seat, sentence, door->bytes, EVENT_MAX);
    memcpy(asked, player->asked, asked_size);
    if (size == 0) {
        send_refused(door, reason, sentence);
        return;
    }
    send_event(door, door->bytes, size);
    if (asked_size > 0)
        tell(door, asked, asked_size);
}

static void send_begins(struct door_plain *door)
{
    Arbiter__Plain__Down   down = ARBITER__PLAIN__DOWN__INIT;
    Arbiter__Plain__Begins begins = ARBITER__PLAIN__BEGINS__INIT;
    char                  *names[SEATS_MAX];
    for (uint32_t i = 0; i < door->table->seats; i++)
        names[begins.n_names++] = door->plain.player[i].name;
    begins.names = names;
    begins.has_seat = true;
    begins.seat = door->seat;
    down.kind_case = ARBITER__PLAIN__DOWN__KIND_BEGINS;
    down.begins = &begins;
    send_down(door, &down);
}

/* Whoever registers is called so from now on, and is sent the set-up. */
static void greet(struct door_plain *door, const Arbiter__Plain__Up *up)
{
    struct plain_player *player = &door->plain.player[door->seat];
    const char          *name;
    size_t               size;
    if (up->kind_case != ARBITER__PLAIN__UP__KIND_COMMAND ||
        !plain_find_name(door->table->wire, up->command.data, up->command.len, &name, &size))
        return;
    (void) plain_call(player, name, size);
    send_event(door, door->bytes,
               plain_config(&door->plain, door->table->config, door->bytes, EVENT_MAX));
}

/* It has come: where it sits, and all that happened without it. */
static void begin(struct door_plain *door, const Arbiter__Plain__Up *up)
{
    door->is_there = true;
    greet(door, up);
    send_begins(door);
    for (size_t at = 0; at < door->early_size;) {
        uint32_t size;
        memcpy(&size, door->early + at, sizeof size);
        tell(door, door->early + at + sizeof size, size);
        at += sizeof size + size;
    }
    door->early_size = 0;
}

/* Takes a place, which it has already. */
static bool is_hello(const struct door_plain *door, const Arbiter__Plain__Up *up)
{
    const char *name;
    size_t      size;
    return up->kind_case != ARBITER__PLAIN__UP__KIND_COMMAND ||
           plain_find_name(door->table->wire, up->command.data, up->command.len, &name, &size);
}

/* One frame; true: it is a command to be judged. */
static bool hear(struct door_plain *door, const struct bus_message *message, struct arena *arena,
                 struct command *command)
{
    static uint8_t memory[VALIDATE_ARENA_BYTES];
    struct arena   room;
    if (door->is_there && message->route != door->route)
        return false; /* Somebody else has found the port. */
    arena_init(&room, memory, sizeof memory);
    const Arbiter__Plain__Up *up = (const Arbiter__Plain__Up *) (const void *) validate_unpack(
        &arbiter__plain__up__descriptor, message->bytes, message->size, &room);
    bool is_up = up != NULL && up->kind_case != ARBITER__PLAIN__UP__KIND__NOT_SET;
    door->route = message->route;
    if (is_up && !door->is_there)
        begin(door, up);
    if (is_up && is_hello(door, up))
        return false;
    arena_reset(arena);
    if (is_up && plan_decode_command(door->table->commands, up->command.data, up->command.len,
                                     arena, command))
        return true;
    if (door->is_there)
        door_plain_refuse(door, NULL);
    return false;
}

bool door_plain_take(struct door_plain *door, uint64_t wait_ms, struct arena *arena,
                     struct command *command)
{
    struct bus_message message;
    while (bus_receive(door->socket, &message) != BUS_MESSAGE) {
        if (wait_ms == 0)
            return false;
        struct bus_socket *const sockets[] = { door->socket };
        (void) bus_wait(sockets, 1, NULL, 0, (int64_t) wait_ms);
        wait_ms = 0;
    }
    if (!hear(door, &message, arena, command))
        return false;
    door->latency_ms = door->turn_ms != 0 ? clock_ms() - door->turn_ms : 0;
    door->turn_ms = 0;
    if (door->latency_ms > door->slowest_ms)
        door->slowest_ms = door->latency_ms;
    return true;
}
