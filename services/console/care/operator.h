/* operator.h: what only who runs the house may ask of its lobby. */
#ifndef ARBITER_OPERATOR_H
#define ARBITER_OPERATOR_H

#include "contract/lobby.pb-c.h"
#include "services/console/play/play_where.h"

#define OPERATOR_HOME_ROW(ask)                                                                     \
    PLAY_WHERE_ROW(ask, "home", where.home, "DIR",                                                 \
                   "The folder of \"arbiter up\". Default: ~/.local/share/arbiter.")

/* Whether players can be told it (NULL: nothing): 120 bytes at most; else false, after the complaint. */
bool operator_is_reason(const char *reason);
/* Says it with the operator's key. A console_exit; what is wrong has been said. */
int  operator_say(const struct play_where *where, const Arbiter__Lobby__Ask *ask);

#endif
