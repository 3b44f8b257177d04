/* play_where.h: where to play and as whom: the lobby's doors and a key it knows.
 *
 * On this machine both come from the home's folder (home.h). The doors are in `run/doors`. Each
 * name that plays here has a key of its own, `keys/player-NAME.key`. It is made at its first use
 * and admitted with the operator's key, which lies in the same folder. NAME is in lower case, and
 * has a hash of what a file cannot be called. Elsewhere they are named on the command line. */
#ifndef ARBITER_PLAY_WHERE_H
#define ARBITER_PLAY_WHERE_H

#include <limits.h>

#include "client/client.h"
#include "options/options.h"
#include "services/console/home/home.h"

/* What the command line said; NULL: nothing. */
struct play_where {
    const char *home, *lobby, *lobby_stream, *lobby_key, *key, *name;
};

#define PLAY_WHERE_ROW(asked, option, member, words, sentence)                                     \
    {                                                                                              \
        .name = option, .value = words, .kind = OPTION_TEXT, .offset = offsetof(asked, member),    \
        .help = sentence                                                                           \
    }

/* The rows every subcommand that takes part has in its options. */
#define PLAY_WHERE_OPTIONS(asked, member)                                                          \
    PLAY_WHERE_ROW(asked, "home", member.home, "DIR",                                              \
                   "The folder of \"arbiter up\". Default: ~/.local/share/arbiter."),              \
        PLAY_WHERE_ROW(                                                                            \
            asked, "lobby", member.lobby, "ADDRESS",                                               \
            "The lobby of another machine: tcp://HOST:PORT. Needs --lobby-key and --key."),        \
        PLAY_WHERE_ROW(asked, "lobby-stream", member.lobby_stream, "ADDRESS",                      \
                       "The lobby's stream. Default: the next port."),                             \
        PLAY_WHERE_ROW(asked, "lobby-key", member.lobby_key, "KEY", "The lobby's public key."),    \
        PLAY_WHERE_ROW(asked, "key", member.key, "FILE",                                           \
                       "Your key. The operator there must have admitted it."),                     \
        PLAY_WHERE_ROW(asked, "name", member.name, "NAME",                                         \
                       "Your name. Default: the name you log in with.")

/* The name somebody plays by: asked for, or that of the user who is logged in. */
const char    *play_where_name(const struct play_where *where);
/* Whether the lobby could take it: UTF-8, and short enough; else false, after the complaint. */
bool           play_where_is_name(const char *name);
/* The same options again, for a command that is typed later; without `is_player` those of the place alone. */
void           play_where_put(const struct play_where *where, bool is_player, FILE *out);
/* A client that connects there, once its key is admitted; NULL after a complaint. `code` is the
 * console_exit then. `role` 0: as a player; else as who the operator's own key is. */
struct client *play_where_open(const struct play_where *where, uint32_t role, int *code);

#endif
