/* client_shell.h: what the parts of the client's shell share; nobody else's business. */
#ifndef ARBITER_CLIENT_SHELL_H
#define ARBITER_CLIENT_SHELL_H

#include "bus/bus.h"
#include "client/client.h"
#include "client/client_core.h"
#include "core/outbox.h"
#include "wire/arena.h"
#include "wire/plan.h"

#define CLIENT_CONNECTIONS_MAX ((size_t) PEERS_MAX * PEERS_DOORS)
#define CLIENT_GAMES_MAX 64 /* Matches whose game is remembered.                                  */
#define CLIENT_WORDS_MAX 262144u /* Of one view or event: a body of 64 KiB, with room for ABSENT. */

/* A connection that the core asked for. */
struct client_link {
    struct bus_socket *socket; /* NULL: not open.                                                */
    uint32_t           door;
    uint8_t            key[BUS_KEY_SIZE];
};

/* Which game a match is: said once, with its view. */
struct client_match_game {
    uint8_t                 match_id[CLIENT_ID_SIZE];
    const struct game_wire *game;
};

/* The plans of one game, made when they are needed. */
struct client_plans {
    const struct game_wire *game;
    struct plan            *command, *event, *view;
};

struct client {
    struct bus         *bus;
    struct client_core *core;
    void               *core_memory;
    struct outbox       out;
    void               *out_memory;
    struct client_link  links[CLIENT_CONNECTIONS_MAX];
    struct bus_socket *open[CLIENT_CONNECTIONS_MAX]; /* Those that are, to be waited for.         */
    size_t             open_count;
    uint64_t           mend_ms; /* When connections were last looked after.                     */

    struct arena incoming; /* One message on its way in.                                          */
    struct arena reading;  /* What the caller has had unpacked since the last event.              */
    void        *memory;   /* Of both.                                                            */
    word        *words;  /* CLIENT_WORDS_MAX.                                                    */
    struct legal list;   /* Grows.                                                              */
    uint8_t     *packed; /* An ask or a command on its way out.                                 */

    struct client_match_game games[CLIENT_GAMES_MAX];
    uint32_t                 games_known; /* The oldest is forgotten first.                       */
    struct client_plans     *plans;       /* One for each game of the registry.                   */
    uint32_t                 plan_count;
};

/* client_links.c: the core's effects on sockets, and what comes in over them as events. */
uint64_t client_now_ms(void);
void     client_perform(struct client *client);
void     client_step_time(struct client *client);
/* Waits at most so long, then steps the core with all that has come. */
void     client_receive(struct client *client, int64_t wait_ms, const int *files, size_t count);
void     client_close_links(struct client *client);

/* client_words.c */
void client_remember_game(struct client *client, const struct client_event *event);
const struct client_plans *client_plans_of(struct client *client, const struct game_wire *game);
void                       client_free_plans(struct client *client);

#endif
