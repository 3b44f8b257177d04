/* dead_wire.c: the dead's row in the registry: its rules, its messages, its recordings. */
#include "dead.pb-c.h"
#include "games/dead/dead.h"
#include "games/dead/dead_conform.h"
#include "games/registry.h"

extern const struct game_wire wire_dead;

const struct game_wire wire_dead = {
    .game = &game_dead,
    .command = &arbiter__dead__command__descriptor,
    .event = &arbiter__dead__event__descriptor,
    .view = &arbiter__dead__view__descriptor,
    .conform = dead_conform,
    .conform_live = dead_conform_live,
};
