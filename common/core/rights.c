/* rights.c: the table of who may say what. Pure. */
#include "core/rights.h"

#include "wire/header.h"
#include "wire/names.h"

#define BIT(role) (1u << ROLE(role))

#define PLAYERS (BIT(GATEWAY) | BIT(BOT) | BIT(CLIENT) | BIT(CONSOLE))
#define SERVICES (BIT(LOBBY) | BIT(ENGINE) | BIT(FANOUT) | BIT(WATCHDOG) | BIT(GATEWAY) | BIT(BOT))
/* Gateways and bots are both, which is why this is not written as the two. */
#define EVERYBODY                                                                                  \
    (BIT(LOBBY) | BIT(ENGINE) | BIT(FANOUT) | BIT(WATCHDOG) | BIT(GATEWAY) | BIT(BOT) |            \
     BIT(CLIENT) | BIT(CONSOLE))

static const struct {
    uint16_t kind;
    uint32_t roles;
} rights[] = {
    { KIND(HELLO), EVERYBODY },
    { KIND(PING), EVERYBODY },
    { KIND(LOBBY_ASK), PLAYERS },
    { KIND(TABLE_ASK), PLAYERS },
    { KIND(ATTACH), PLAYERS },
    { KIND(COMMAND), PLAYERS },
    { KIND(LEGAL_ASK), PLAYERS },
    { KIND(HISTORY_ASK), PLAYERS | BIT(FANOUT) },
    { KIND(FILE_ASK), PLAYERS },
    { KIND(MOVED_ASK), BIT(FANOUT) },
    { KIND(START_MATCH), BIT(LOBBY) },
    { KIND(CHANGE_SEAT), BIT(LOBBY) },
    { KIND(ABORT_MATCH), BIT(LOBBY) },
    { KIND(MATCH_OVER_HEARD), BIT(LOBBY) },
    { KIND(ACCEPT_MATCH), BIT(LOBBY) },
    { KIND(REGISTER), BIT(LOBBY) },
    { KIND(EXPIRE), BIT(WATCHDOG) },
    { KIND(BEAT), SERVICES },
    { KIND(LIFE_ASK), BIT(CONSOLE) | BIT(GATEWAY) },
    { KIND(SLOW), BIT(ENGINE) | BIT(GATEWAY) },
    { KIND(SLOW_ASK), BIT(CONSOLE) },
};

bool rights_may_say(uint32_t role, uint16_t kind)
{
    for (size_t i = 0; i < sizeof rights / sizeof rights[0]; i++)
        if (rights[i].kind == kind)
            return role < 32 && (rights[i].roles >> role & 1) != 0;
    return false;
}

bool rights_may_subscribe(uint32_t role, size_t size)
{
    uint32_t bit = role < 32 ? 1u << role : 0;
    if (size == TOPIC_SIZE)
        return (bit & EVERYBODY) != 0;
    return size == 1 && (bit & (BIT(FANOUT) | BIT(GATEWAY))) != 0;
}
