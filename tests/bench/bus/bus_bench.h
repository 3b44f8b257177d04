/* bus_bench.h: what the parts of bus_bench share: raw libzmq, a house of real processes, and who plays in it.
 *
 * Everything is measured in turns, raw and product, in the same run; what counts are the ratios. */
#ifndef ARBITER_BENCH_BUS_H
#define ARBITER_BENCH_BUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bus/bus.h"

#define SECOND 1000000000ull
#define SEATS 4
#define MOVES_MAX 160
#define MOVE_BYTES 40
#define PATH_BYTES 200
#define ID_SIZE 16
#define FRAME_BYTES 400 /* Of raw news: as long as an act's frame usually is.                     */

/* One game as a list of commands: dice are open, so it goes the same way each time it is played. */
struct script {
    int64_t  seed;
    uint32_t count;
    struct {
        uint32_t seat;
        size_t   size;
        uint8_t  bytes[MOVE_BYTES];
    } move[MOVES_MAX];
};

struct scripts {
    char          *setup, *options; /* The set-up's text, for who begins matches.                 */
    size_t         state_bytes;     /* Of a match's state.                                        */
    uint32_t       count;
    struct script *script;
};

/* Games of the dead's recorded standard set-up that last so many moves. False: said why. */
bool scripts_make(struct scripts *scripts, uint32_t count, uint32_t moves);
void scripts_free(struct scripts *scripts);

enum service { LOBBY, ENGINE, FANOUT, WATCHDOG, SERVICES };

#define FANOUTS_MAX 4 /* Of one house. */

/* What a house is to be like. */
struct plan {
    uint32_t    matches_max;
    uint32_t    fanouts; /* 0: one.                                                               */
    const char *place;   /* The database of lobby, engine and watchdog; NULL: files.              */
};

/* Four processes, or with more fanouts more, in a folder of their own, started from a folder of programs. */
struct house {
    char            programs[PATH_BYTES], folder[PATH_BYTES], place[PATH_BYTES];
    char            matches_max[16], memory_bytes[24];
    pid_t           process[SERVICES], fanout[FANOUTS_MAX]; /* The first fanout is `process`'s.   */
    uint32_t        fanouts;
    /* We begin matches as a lobby does, and play. */
    struct bus_keys keys[SERVICES], fanout_keys[FANOUTS_MAX], starter, player;
    struct bus     *starter_bus, *player_bus;
};

bool     house_open(struct house *house, const char *programs, const struct plan *plan);
void     house_close(struct house *house);
void     house_start(struct house *house, enum service service);
void     house_kill(struct house *house, enum service service);
void     house_address(const struct house *house, enum service service, const char *door,
                       char address[BUS_ADDRESS_MAX]);
/* Of the at-th of its fanouts: its stream, and whose key it has. */
void     house_fanout(const struct house *house, uint32_t at, char address[BUS_ADDRESS_MAX],
                      const uint8_t **key);
/* With everything in it. */
void     remove_folder(const char *folder);
/* Bytes a service has in memory, and the seconds of a core it has had. */
uint64_t process_bytes(pid_t process);
double   process_core_s(pid_t process);
/* The programs' folder, which lies one above this one; and as many open files as the kernel gives. */
void     bench_begin(char programs[PATH_BYTES]);
void     say_load(void);

/* A player of one match, all seats of it, over a connection. */
struct player {
    struct bus_socket   *socket; /* Players may share one: then `route` finds them.               */
    const struct script *script;
    uint8_t              match_id[ID_SIZE];
    uint32_t             session[SEATS], request[SEATS];
    uint32_t             attached, at;
    bool                 is_waiting;
    uint64_t             sent_ns;
};

/* How long something took, each time. */
struct times {
    double  *ms;
    uint32_t count, capacity;
};

void   times_add(struct times *times, double ms);
double times_at(struct times *times, double share); /* 0.5: the median. Sorts.                    */
double median(double *numbers, uint32_t count);

uint64_t now_ns(void);
void     sleep_ms(long ms);

/* Until the engine hears us. */
bool               house_wait(const struct house *house, struct bus *bus);
/* A DEALER to the engine's requests, by the player's key. */
struct bus_socket *player_connect(const struct house *house);
/* Begins so many matches, whose ids are put into `ids`; the first `moves` of each are said with its start. */
bool               matches_begin(const struct house *house, const struct scripts *scripts,
                                 uint8_t (*ids)[ID_SIZE], uint32_t count, uint32_t moves);
/* Sits every player down in a new match and plays it to its middle. */
bool players_begin(const struct house *house, const struct scripts *scripts, struct player *players,
                   uint32_t count, uint32_t moves);
/* Each has one command under way, always, until the time is up or every script has `until` moves behind
 * it. How many were answered. */
uint64_t players_play(struct player *players, uint32_t count, uint32_t until, uint64_t ns,
                      struct times *times);
/* One message: an attach to the next seat; the next move, with a new number. */
void     player_attach(struct player *player);
void     player_move(struct player *player);
/* Waits for the next frame; false: none came, which is said. */
bool     bench_next(struct bus_socket *socket, struct bus_message *message, struct header *header);
/* Attaches to a match's first seat; true: it was answered in time. */
bool     match_answers(struct bus_socket *socket, const uint8_t match_id[ID_SIZE], uint64_t ns);

/* Matches that are live while the engine is killed; the last bytes of an id are its place among them. Put into
 * `again`: how long each waited who wanted to move meanwhile. */
#define OUTAGE_MATCHES 10000u
bool outage_run(struct house *house, const struct scripts *scripts, uint8_t (*ids)[ID_SIZE],
                struct times *again);

/* Raw libzmq: processes that answer and publish, with CURVE or without. */
struct raw {
    char  folder[PATH_BYTES], server_public[41], server_secret[41], public_key[41], secret_key[41];
    pid_t echo[2], publisher[2]; /* Without CURVE, with.                                          */
    volatile uint32_t *is_publishing; /* Shared; of each publisher.                               */
};

bool     raw_open(struct raw *raw, const char *folder);
void     raw_close(struct raw *raw);
/* Round trips in a closed loop of so many sockets; how many. */
uint64_t raw_round_trips(const struct raw *raw, bool has_curve, uint32_t clients, uint64_t ns,
                         struct times *times);

/* A listener, in a process of its own: counts what arrives. */
struct listeners {
    pid_t              process;
    volatile uint64_t *heard; /* Shared: acts, and their bytes.                                   */
};

bool raw_listen(const struct raw *raw, bool has_curve, uint32_t count, struct listeners *listeners);
/* Each of `count` sockets listens to `topics` matches, or, with topics 0, to one of `count`. It
 * listens at the first fanout, or at the first so many in turn. */
bool house_listen_at(const struct house *house, uint32_t fanouts, uint8_t (*ids)[ID_SIZE],
                     uint32_t count, uint32_t topics, struct listeners *listeners);
bool house_listen(const struct house *house, uint8_t (*ids)[ID_SIZE], uint32_t count,
                  uint32_t topics, struct listeners *listeners);
void listeners_end(struct listeners *listeners);

#endif
