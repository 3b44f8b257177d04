/* registration.h: the conversation before a match, for games whose rules describe it.
 *
 * Pure like the rules; the lobby runs it. Clients are numbered by whoever runs it; an audience names
 * clients instead of seats, and TO_ALL means all who have registered and not left. When `status` says
 * the match begins, `seats` lists the registered clients in seat order. */
#ifndef ARBITER_REGISTRATION_H
#define ARBITER_REGISTRATION_H

#include <stdint.h>

#include "rules/command.h"
#include "rules/sink.h"

enum registration_status { REGISTRATION_OPEN, REGISTRATION_BEGINS, REGISTRATION_ABORTED };

struct registration {
    uint32_t state_bytes;
    void (*open)(const void *setup, void *desk);
    /* A client's command. Returns 0 if it was accepted, else an index into the game's reasons. A name
     * comes as the command's text; rules judge it and forget it. */
    uint32_t (*apply)(const void *setup, void *desk, uint32_t client, const struct command *command,
                      struct sink *out);
    /* Nobody said anything in time. */
    void (*expire)(const void *setup, void *desk, struct sink *out);
    enum registration_status (*status)(const void *setup, const void *desk);
    /* The registered clients in seat order; returns how many. `clients` has room for SEATS_MAX. */
    uint32_t (*seats)(const void *setup, const void *desk, uint32_t *clients);
    /* What was already said at the desk but belongs to the match, such as half a map that came
     * early. The owner plays these as the match begins: 0, 1, 2, ... until false, right after its
     * start, in this order and as that client's seat. Texts point into the desk. NULL: there is
     * nothing of the kind. */
    bool (*opening)(const void *setup, const void *desk, uint32_t index, uint32_t *client,
                    struct command *command);
    /* What a client registered with, as lines of text in the desk. It is kept beside the client's
     * seat (record.h). False: the client has not registered. NULL: the name is all there is. */
    bool (*person)(const void *setup, const void *desk, uint32_t client, const uint8_t **text,
                   uint32_t *size);
};

#endif
