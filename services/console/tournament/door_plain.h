/* door_plain.h: a tournament's door for a program of a classroom: plain.proto over ZeroMQ, at a port of its own.
 *
 * `arbiter serve` serves a whole match; this serves one seat of one. The tournament plays the rules
 * and tells what happened. This door passes it on as the game's Events, in their order, as `arbiter
 * serve` does. The program's seat is settled before it connects. So its first words - the game's own
 * registration, or SitDown - only say that it is there, and how it calls itself. What happened until
 * then is told behind Begins. A command that is refused may be said better. */
#ifndef ARBITER_DOOR_PLAIN_H
#define ARBITER_DOOR_PLAIN_H

#include "bus/bus.h"
#include "rules/command.h"
#include "services/console/classroom/plain.h"
#include "services/console/command/table.h"
#include "wire/arena.h"

struct door_plain {
    const struct table *table;
    struct bus         *bus;
    struct bus_socket  *socket;
    struct plain        plain; /* Who sits where, for events that have names in them. */
    uint32_t            seat;
    bool                is_there, is_deaf;
    uint64_t            route;
    uint8_t            *early; /* Events from before it came: a size of 4 bytes, then they.     */
    size_t              early_size, early_room;
    uint8_t            *bytes; /* Room for one event, and for the same made whole. */
    uint64_t turn_ms;          /* Since when it is awaited; 0: it is not.                        */
    uint64_t latency_ms, slowest_ms;
};

/* `names`: of who sits where. False: no port, or no memory. */
bool        door_plain_open(struct door_plain *door, const struct table *table, uint32_t seat,
                            const char *const *names);
void        door_plain_close(struct door_plain *door);
/* Where a DEALER connects to. */
const char *door_plain_address(const struct door_plain *door);

/* Passes on what happened, as far as this seat may know it. */
void door_plain_told(struct door_plain *door, const struct sink *events);
/* It is awaited now; its time runs from here. */
void door_plain_await(struct door_plain *door);
/* Waits at most `wait_ms` for its next command; false: nothing yet. The command's text is the arena's. */
bool door_plain_take(struct door_plain *door, uint64_t wait_ms, struct arena *arena,
                     struct command *command);
/* What it said was refused. `reason` NULL: it was no command. */
void door_plain_refuse(struct door_plain *door, const struct reason *reason);

#endif
