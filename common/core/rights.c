/* rights.c: the table of who may say what. Pure. */
#include "core/rights.h"

#include "contract/directory.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "wire/header.h"

#define ROLE(name) (1u << ARBITER__DIRECTORY__ROLE__ROLE_##name)
#define KIND(name) ARBITER__WIRE__KIND__KIND_##name

#define PLAYERS (ROLE(GATEWAY) | ROLE(BOT) | ROLE(CLIENT) | ROLE(CONSOLE))
#define SERVICES                                                                                   \
    (ROLE(LOBBY) | ROLE(ENGINE) | ROLE(FANOUT) | ROLE(WATCHDOG) | ROLE(GATEWAY) | ROLE(BOT))
/* Gateways and bots are both, which is why this is not written as the two. */
#define EVERYBODY                                                                                  \
    (ROLE(LOBBY) | ROLE(ENGINE) | ROLE(FANOUT) | ROLE(WATCHDOG) | ROLE(GATEWAY) | ROLE(BOT) |      \
     ROLE(CLIENT) | ROLE(CONSOLE))

static const struct {
    uint16_t kind;
    uint32_t roles;
} rights[] = {
    { KIND(HELLO), EVERYBODY },         { KIND(PING), EVERYBODY },
    { KIND(LOBBY_ASK), PLAYERS },       { KIND(TABLE_ASK), PLAYERS },
    { KIND(ATTACH), PLAYERS },          { KIND(COMMAND), PLAYERS },
    { KIND(LEGAL_ASK), PLAYERS },       { KIND(HISTORY_ASK), PLAYERS | ROLE(FANOUT) },
    { KIND(FILE_ASK), PLAYERS },        { KIND(MOVED_ASK), ROLE(FANOUT) },
    { KIND(START_MATCH), ROLE(LOBBY) }, { KIND(CHANGE_SEAT), ROLE(LOBBY) },
    { KIND(ABORT_MATCH), ROLE(LOBBY) }, { KIND(MATCH_OVER_HEARD), ROLE(LOBBY) },
    { KIND(REGISTER), ROLE(LOBBY) },    { KIND(EXPIRE), ROLE(WATCHDOG) },
    { KIND(BEAT), SERVICES },           { KIND(LIFE_ASK), ROLE(CONSOLE) | ROLE(GATEWAY) },
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
    return size == 1 && (bit & (ROLE(FANOUT) | ROLE(GATEWAY))) != 0;
}
