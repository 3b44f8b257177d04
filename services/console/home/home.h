/* home.h: where a machine's own Arbiter lives: one folder with its keys, its store, its sockets and logs.
 *
 *     keys/ROLE.key     a pair for each role, made at the first start, 0600
 *     keys/admitted     whom the lobby lets in from the beginning: "KEY ROLE NAME" lines
 *     keys/operator.token   what the operator's page wants; made at the first start, 0600
 *     config/           settings of services, SERVICE.json, for who wants other ones
 *     run/              sockets (unless it listens on ports), and `doors`: where the lobby is
 *     data/             what lobby and engine keep
 *     log/              what the services say
 *
 * `up` makes it; `play`, `watch`, `bot` and `top` find the lobby and the operator's key by it.
 *
 * Where `arbiter keys HOME/keys` made the keys (containers, systemd), each role has a folder. Each
 * process of a role keeps what it keeps in a folder of its own: keys/engine/engine-1.key,
 * data/engine/engine-1/journal.db. The operator's commands have a home of their own in
 * keys/console. Commands that look after stores and keys find both layouts. */
#ifndef ARBITER_HOME_H
#define ARBITER_HOME_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "bus/keys.h"

#define HOME_ADDRESS_MAX 128
/* A token with its line's end and NUL; a gateway takes up to 128 characters. */
#define HOME_TOKEN_MAX 130

struct home {
    char folder[PATH_MAX];
    char lobby[HOME_ADDRESS_MAX]; /* The lobby's doors.                                 */
    char lobby_stream[HOME_ADDRESS_MAX];
    char lobby_key[BUS_KEY_TEXT];
};

/* The folder: `asked`, or ARBITER_HOME, or one below XDG_DATA_HOME or HOME; as it is called from the root, without links.
 * False, and a sentence. */
bool home_find(struct home *home, const char *asked, struct text *fault);
/* A path in it; false: too long. */
bool home_path(const struct home *home, char path[PATH_MAX], const char *below, const char *name,
               const char *ending);
/* The folder in which a service keeps this store: data/SERVICE, or the one folder below it that has the store. False, and
 * a sentence. */
bool home_store(const struct home *home, char folder[PATH_MAX], const char *service,
                const char *name, struct text *fault);
/* The folder of the engine's journal in the home that was asked for. False, and a sentence, if it is not there. */
bool home_journal(const char *asked, char folder[PATH_MAX], struct text *fault);
/* Whether its keys lie in a folder for each role. */
bool home_has_roles(const struct home *home);
/* Makes the folders that are not there yet; then, too, the keys, and the list of whom the lobby lets in, whole. */
bool home_make_folders(const struct home *home, struct text *fault);
bool home_make(struct home *home, struct text *fault);
/* Whether the lobby's key is gone from this path of a house that was at work already. */
bool home_has_lost_its_key(const struct home *home, char path[PATH_MAX]);
/* Makes a folder and those above it, private. */
bool home_folder(char *path, struct text *fault);
/* Makes a role's key, unless the file is there; reads it, and adds its line for the lobby. */
bool home_key(const char *path, const char *role, const char *name, FILE *admitted,
              char key[BUS_KEY_TEXT], struct text *fault);
/* Where the operator's token is: made, unless it is there, and read. */
bool home_token(const struct home *home, char path[PATH_MAX], char token[HOME_TOKEN_MAX],
                struct text *fault);
/* Whether "arbiter up" has this home open. */
bool home_is_running(const struct home *home);
/* Writes where the lobby is, and reads it, for whoever wants to reach it. */
bool home_write_doors(const struct home *home, struct text *fault);
bool home_read_doors(struct home *home, struct text *fault);

/* The roles that have a key here, in the order in which their processes are started; NULL behind them. */
extern const char *const home_roles[];

#endif
