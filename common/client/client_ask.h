/* client_ask.h: the kinds of lobby.Ask as they are said in code: ASK(JOIN_TABLE). Pure. */
#ifndef ARBITER_CLIENT_ASK_H
#define ARBITER_CLIENT_ASK_H

#include "contract/lobby.pb-c.h"

#define ASK(name) ARBITER__LOBBY__ASK__KIND_##name

#endif
