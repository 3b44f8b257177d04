/* serve_door.h: the plain door of one match: frames of a classroom in and out of the house.
 *
 * It is a gateway with one client connection for all its players. One frame is read, carried out
 * and answered before the next one is read. So what comes first is played first, and a client that
 * floods the door waits in its own socket. libzmq takes from all of them in turn. */
#ifndef ARBITER_SERVE_DOOR_H
#define ARBITER_SERVE_DOOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "bus/bus.h"
#include "client/client.h"
#include "contract/lobby.pb-c.h"
#include "services/console/classroom/plain.h"
#include "services/console/classroom/serve_record.h"
#include "services/console/command/table.h"
#include "services/console/home/cluster.h"
#include "services/console/trial/impatience.h"

#define SERVE_SENTENCE_MAX 512
/* So many frames wait for a client who does not read. */
#define SERVE_FRAMES_MAX 4096
/* Nobody proves a key here, so numbers bound strangers. They limit connections in all, and of one
 * address at once and each second. They also limit the bytes of one connection without a
 * message. */
#define SERVE_CONNECTIONS_MAX 1024
#define SERVE_KNOCKS_BURST 128
#define SERVE_KNOCKS_PER_S 20
#define SERVE_UNHEARD_BYTES (1u << 20)
/* So many who send what is no message are remembered. */
#define SERVE_MISFITS_MAX 64u

struct serve_door {
    struct plain       plain;
    struct bus        *bus;
    struct bus_socket *socket;
    struct client     *client;
    struct cluster    *cluster;
    uint8_t            table[CLIENT_ID_SIZE], match_id[CLIENT_ID_SIZE];
    bool has_begun, is_seated; /* The match; everybody's seat in it.                              */
    bool is_over;
    bool has_failed; /* Not by rules or time: `sentence` says why.                              */
    bool has_spoken; /* A command breaks off the registration if it does so now.                */
    enum serve_ending    ending;
    uint32_t             actor;  /* Of the last act that was told ...                           */
    uint64_t             acts;   /* ... and its number.                                         */
    struct serve_record *record; /* NULL: nothing is kept.                                      */

    /* Whom all wait for before the first round: PLAIN_NO_SEAT: nobody; since when, and whether it was said. */
    uint32_t chooser;
    double   chooses_s;
    bool     is_chooser_named;

    /* Those who were told what is wrong with their frames, and whether an answer goes to a REQ. */
    uint64_t misfit_told[SERVE_MISFITS_MAX];
    uint32_t misfits, misfit_lines;
    bool     is_enveloped;
    uint64_t drowned; /* Connections that were cut because of what came over them.              */

    /* The original's clock: it begins anew with everything that anybody says. */
    struct impatience clock;
    double            patience_s; /* 0: the house keeps the time.                                */
    double            heard_s;    /* When something was heard last.                              */

    /* The one question under way. */
    uint32_t awaited;
    bool     is_answered, is_done;
    char     sentence[SERVE_SENTENCE_MAX];
    uint8_t  memory[4096]; /* A ticket, packed.                                                  */
    size_t   ticket_size;
};

/* What the table is opened with. */
struct serve_table {
    const struct table *table;
    int64_t             seed;
    uint64_t            turn_ms;
};

/* Listens; nobody is read before serve_run. `is_open`: not on loopback only. False, and a sentence. */
bool serve_listen(struct serve_door *door, const char *address, bool is_open, struct text *fault);
/* Opens the table in a cluster whose processes have been started. False, and a sentence. */
bool serve_open_table(struct serve_door *door, struct cluster *cluster,
                      const struct serve_table *table, struct text *fault);
/* Until the match is over, or somebody interrupts. */
void serve_run(struct serve_door *door);
void serve_close(struct serve_door *door);

/* serve_misfit.c: what is no message, and those who send it. */
void serve_misfit(struct serve_door *door, const struct bus_message *message);
/* Says whose connections were cut since the last look. */
void serve_count_drowned(struct serve_door *door);

/* serve_ask.c: questions to the house, each waited for. False: nobody answered. */
bool serve_await(struct serve_door *door, uint32_t request);
/* Asks the lobby, for this player; NULL: for the door itself. `is_done` says whether it was done. */
bool serve_ask(struct serve_door *door, const struct plain_player *player,
               Arbiter__Lobby__Ask__KindCase kind, void *message);

/* serve_tell.c: what clients are told. */
void serve_take(struct serve_door *door, const struct client_event *event);
void serve_refuse(struct serve_door *door, uint64_t route, const char *sentence);
void serve_begins(struct serve_door *door, struct plain_player *player);

#endif
