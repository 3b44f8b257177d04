/* quests_wire.c: quests' row in the registry: its rules, its messages, its recordings. */
#include "games/quests/conform/quests_conform.h"
#include "games/quests/quests.h"
#include "games/registry.h"
#include "quests.pb-c.h"

extern const struct game_wire wire_quests;

const struct game_wire wire_quests = {
    .game = &game_quests,
    .command = &arbiter__quests__command__descriptor,
    .event = &arbiter__quests__event__descriptor,
    .view = &arbiter__quests__view__descriptor,
    .conform = quests_conform,
    .conform_live = quests_conform_live,
};
