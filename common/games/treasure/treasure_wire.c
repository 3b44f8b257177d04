/* treasure_wire.c: the treasure hunt's row in the registry: its rules, its messages, its scenarios. */
#include "games/registry.h"
#include "games/treasure/conform/treasure_conform.h"
#include "games/treasure/treasure.h"
#include "treasure.pb-c.h"

extern const struct game_wire wire_treasure;

const struct game_wire wire_treasure = {
    .game = &game_treasure,
    .command = &arbiter__treasure__command__descriptor,
    .event = &arbiter__treasure__event__descriptor,
    .view = &arbiter__treasure__view__descriptor,
    .conform = treasure_conform,
    .conform_live = treasure_conform_live,
};
