/* serve_door.h: the plain door of one match: frames of a classroom in and out of the house.
 *
 * It is a gateway with one client connection for all its players. One frame is read, carried out
 * and answered before the next one is read. So what comes first is played first. A client that
 * floods the door waits in its own socket. The socket takes from all of them in turn. */
#ifndef ARBITER_SERVE_DOOR_H
#define ARBITER_SERVE_DOOR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "bus/bus.h"
#include "client/client.h"
#include "contract/lobby.pb-c.h"
#include "contract/plain.pb-c.h"
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

/* What a door of a class shares with whoever keeps the time. Ids are written before the phase. */
enum serve_phase { SERVE_CLOSED, SERVE_TABLE, SERVE_MATCH };
struct serve_share {
    _Atomic uint64_t heard_ms; /* When something was heard last.                                */
    _Atomic int      phase;
    _Atomic bool     is_late; /* Nobody began in time.                                          */
    uint8_t          table[CLIENT_ID_SIZE], match_id[CLIENT_ID_SIZE];
};

/* A key and a name of its own for each door of a class. */
#define SERVE_DOOR_NAME "door-%u"

#define SERVE_WATCHERS_MAX 64u
#define SERVE_SECRET_MAX 64u
/* So much that a place was told is kept for whoever takes it over. */
#define SERVE_LOG_MAX ((size_t) 4 << 20)

/* The frames that somebody was told: each behind its size. */
struct serve_log {
    uint8_t *bytes;
    size_t   size, room;
    bool     is_cut; /* It grew too large, and is no use any more.                              */
};

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

    uint32_t            number; /* Of a class, from 1; 0: it is alone.                          */
    struct serve_share *share;  /* NULL: it is alone.                                           */

    /* The original's clock: it begins anew with everything that anybody says. */
    struct impatience clock;
    double            patience_s; /* 0: the house keeps the time.                                */
    double            heard_s;    /* When something was heard last.                              */

    /* Of each place, by its number in `plain`: what it was told, and what takes it over. */
    struct serve_log log[PLAIN_PLAYERS_MAX];
    uint8_t          secret[PLAIN_PLAYERS_MAX][SERVE_SECRET_MAX];
    size_t           secret_size[PLAIN_PLAYERS_MAX];
    /* Those who watch, and what all may hear. */
    uint64_t         watcher[SERVE_WATCHERS_MAX];
    uint32_t         watchers;
    struct serve_log public_log;

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

void serve_begins_for_all(struct serve_door *door);

/* serve_places.c: those who watch, and those who come back. */
void serve_log_add(struct serve_log *log, const uint8_t *frame, size_t size);
void serve_log_close(struct serve_log *log);
/* Sends it all to this connection; false: it does not go. */
bool serve_log_send(struct serve_door *door, const struct serve_log *log, uint64_t route);
/* Tells all who watch, now and later. */
void serve_tell_watchers(struct serve_door *door, const Arbiter__Plain__Down *down);
void serve_watch(struct serve_door *door, uint64_t route);
void serve_rejoin(struct serve_door *door, uint64_t route, const ProtobufCBinaryData *secret);
/* The place of this player can be taken over with that. */
void serve_keep_secret(struct serve_door *door, const struct plain_player *player,
                       const ProtobufCBinaryData *secret);

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
