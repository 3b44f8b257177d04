/* operator.h: what only who runs the house may ask of its lobby. */
#ifndef ARBITER_OPERATOR_H
#define ARBITER_OPERATOR_H

#include "contract/lobby.pb-c.h"
#include "services/console/play/play_where.h"

#define OPERATOR_HOME_ROW(ask)                                                                     \
    PLAY_WHERE_ROW(ask, "home", where.home, "DIR",                                                 \
                   "The folder of \"arbiter up\". Default: ~/.local/share/arbiter.")

/* For those deeds that a helper may do, from anywhere, with his own key. */
#define OPERATOR_WHERE_ROWS(asked)                                                                 \
    OPERATOR_HOME_ROW(asked),                                                                      \
        PLAY_WHERE_ROW(                                                                            \
            asked, "lobby", where.lobby, "ADDRESS",                                                \
            "The lobby of another machine: tcp://HOST:PORT. Needs --lobby-key and --key."),        \
        PLAY_WHERE_ROW(asked, "lobby-stream", where.lobby_stream, "ADDRESS",                       \
                       "The lobby's stream. Default: the next port."),                             \
        PLAY_WHERE_ROW(asked, "lobby-key", where.lobby_key, "KEY", "The lobby's public key."),     \
        PLAY_WHERE_ROW(asked, "key", where.key, "FILE",                                            \
                       "A helper's key. Default: the operator's own, in the home.")

/* Whether players can be told it (NULL: nothing): 120 bytes at most; else false, after the complaint. */
bool           operator_is_reason(const char *reason);
/* Says it with the operator's key. A console_exit; what is wrong has been said. */
int            operator_say(const struct play_where *where, const Arbiter__Lobby__Ask *ask);
/* A client that speaks with the operator's key, or with a helper's that was named; NULL after a complaint. */
struct client *operator_open(const struct play_where *where, int *code);

#endif
