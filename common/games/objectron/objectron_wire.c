/* objectron_wire.c: objectron's row in the registry: its rules, its messages, its recordings. */
#include "games/objectron/conform/objectron_conform.h"
#include "games/objectron/objectron.h"
#include "games/registry.h"
#include "objectron.pb-c.h"

extern const struct game_wire wire_objectron;

const struct game_wire wire_objectron = {
    .game = &game_objectron,
    .command = &arbiter__objectron__command__descriptor,
    .event = &arbiter__objectron__event__descriptor,
    .view = &arbiter__objectron__view__descriptor,
    .conform = objectron_conform,
    .conform_live = objectron_conform_live,
};
