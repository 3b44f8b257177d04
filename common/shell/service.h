/* service.h: what every service's main.c shares: settings, key, log, bus, doors, and the end.
 *
 *     service_begin  -> settings, key, signals, bus, doors opened and proved
 *     (main places its core, with service_peers)
 *     service_run    -> until it ends
 *     service_finish
 */
#ifndef ARBITER_SHELL_SERVICE_H
#define ARBITER_SHELL_SERVICE_H

#include "bus/reach.h"
#include "shell/keyring.h"
#include "shell/settings.h"
#include "shell/shell.h"

#define SERVICE_ROLE_LOBBY 1u /* directory.Role. */
#define SERVICE_PATH_MAX 1024
#define SERVICE_MEMORIES 4 /* Cores of one process.                                       */
#define SERVICE_MIRRORS 4

/* Settings of which a core has a copy: what changes while it runs is changed there, too. */
struct service_mirror {
    const void *from;
    void       *to;
    size_t      size;
};

struct service {
    /* Set by main.c before service_begin. */
    const char *program;          /* "engine": arbiter-engine, and its key's role.              */
    const char *about;            /* What it is for, in a sentence.                             */
    void (*put_rules)(FILE *out); /* Names and versions of the rules it knows; NULL: none.     */
    /* What the settings name beside them; it says each fault. NULL: nothing. */
    bool (*judge)(void);
    uint32_t role;                  /* directory.Role.                                            */
    bool     has_door[PEERS_DOORS]; /* By enum door.                                */
    bool has_own_history; /* Its history door is another shell's, in another thread.              */
    bool keeps_in_database; /* In spite of a schema it keeps nothing but where several share it. */
    bool is_only_one;       /* Of all that are given a folder, without a database, one may run. */
    bool may_keep_nothing;  /* Without --data it keeps nothing, in spite of a schema.            */
    const struct schema *schema;   /* What it keeps; NULL: nothing.                              */
    const struct shell_side *side; /* A door beside the sockets; NULL: none.                  */
    struct settings_list     own;  /* Settings of its own.                                       */
    /* Of those the names that may change while it runs, with a SIGHUP; NULL behind the last. NULL: none may. */
    const char *const       *live;
    /* After a SIGHUP: reads the files again that its settings name, and judges the `fresh` ones. False, and a sentence: all
     * stays as it was. NULL: there is nothing to judge. Then `changed`, when settings are what they are to be. */
    bool (*again)(struct service *service, const struct settings_copy *fresh, struct text *fault);
    void (*changed)(struct service *service);

    /* Settings of every service. */
    char name[PEER_NAME_MAX];
    char key[SERVICE_PATH_MAX], data[SERVICE_PATH_MAX];
    char place[SERVICE_PATH_MAX];      /* Of a database, instead of the folder.                   */
    char key_folder[SERVICE_PATH_MAX]; /* Instead of a key: it takes one of these.               */
    char pulse[SERVICE_PATH_MAX];      /* A file that is touched while the loop turns.           */
    char lobby[PEER_ADDRESS_MAX], lobby_stream[PEER_ADDRESS_MAX], lobby_key[BUS_KEY_TEXT];
    char listen[PEERS_DOORS][PEER_ADDRESS_MAX]; /* Where doors are opened ...                     */
    /* ... and what others are told; empty: the same. */
    char public_address[PEERS_DOORS][PEER_ADDRESS_MAX];
    char advertise[PEER_ADDRESS_MAX]; /* HOST:PORTS for those outside; empty: none.              */
    char log_level[16];
    bool log_json;
    bool make_key; /* If the key file is not there.                                          */
    bool check;    /* Read the settings, say whether they are good, and end.                 */
    uint32_t             io_threads;
    struct porter_limits porter; /* Of all doors together.                                        */
    struct pace_limits   pace;   /* Of each client.                                               */
    uint32_t             client_topics_max;
    uint32_t             stuck_ms, slow_ms;

    struct bus_keys keys;
    struct keyring  keyring;
    int           hold; /* On the folder, if one alone may keep something in it.                 */
    char          host[REACH_HOST_MAX]; /* Where doors that are open on all addresses are found. */
    struct log    log;
    struct bus   *bus;
    struct store *store, *reader;
    struct shell *shell;
    struct shell *history; /* Of its own history door; main.c opens and closes it.             */
    int           signals;
    void         *memory[SERVICE_MEMORIES]; /* What service_memory gave.                      */
    uint32_t      memories;
    int           argc; /* The command line, to be read again.                                */
    char        **argv;
    struct settings_copy  defaults, read; /* Before anything was read, and as it was read last.   */
    struct service_mirror mirrors[SERVICE_MIRRORS];
    uint32_t              mirror_count;
};

/* Where it keeps what it keeps: a folder, or a database (store.h). */
const char *service_place(const struct service *service);
/* Everything up to the open doors. False: the process ends with *end, all said. */
bool        service_begin(struct service *service, int argc, char **argv, int *end);
/* Where others find a door: as the settings say, or where it is. */
void  service_address(const struct service *service, uint32_t door, char address[PEER_ADDRESS_MAX]);
/* Where those find it who come from outside; empty: they do not. */
void  service_outside(const struct service *service, uint32_t door, char address[PEER_ADDRESS_MAX]);
/* Where its doors are found that are open on all addresses; waits some seconds for the lobby's name. False, and a
 * sentence. */
bool  service_find_host(struct service *service, struct text *fault);
/* Whether --advertise names every door; what is wrong has been said. */
bool  service_judge_outside(const struct service *service);
/* What a shell of this process is told; without doors. */
void  service_shell(const struct service *service, struct shell_settings *settings);
/* What a core is told of itself and of the lobby. */
void  service_peers(const struct service *service, struct peers_settings *peers);
/* Memory for a core, zeroed; says how much. NULL: there is not so much, or something is `wrong` with
 * the settings, which it says. */
void *service_memory(struct service *service, size_t bytes, const char *wrong);
/* What a text is among settings; "": there is none of this name. */
const char *settings_text(const struct settings_copy *settings, const char *name);
/* A core's copy of settings in `from`. */
void        service_mirror(struct service *service, const void *from, void *to, size_t size);
/* Runs until the end; enum shell_end. */
int         service_run(struct service *service, void *core, const struct core_ops *ops);
void        service_finish(struct service *service);

#endif
