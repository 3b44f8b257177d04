/* client_ask.h: numbers of lobby.Ask's fields, for cores that write or read an ask without protobuf-c.
 *
 * Here alone; tests/unit/common/client/client_ask_test.c holds them to the contract. */
#ifndef ARBITER_CLIENT_ASK_H
#define ARBITER_CLIENT_ASK_H

#include "contract/lobby.pb-c.h"

#define ASK(name) ARBITER__LOBBY__ASK__KIND_##name

enum {
    ASK_BIND_NAME = 1,
    ASK_CREATE_TABLE = 3,
    ASK_JOIN_TABLE = 4,
    ASK_LEAVE_TABLE = 5,
    ASK_FILL_WITH_BOTS = 9,
    ASK_REJOIN = 12,
    ASK_SPECTATE = 13,
    ASK_SAY = 14,
    ASK_TICKET = 18,
    ASK_PLAYER = 26 /* Beside any of them: for whom a gateway or a bot service asks. */
};

#endif
