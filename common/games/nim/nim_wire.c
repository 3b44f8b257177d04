/* nim_wire.c: which messages carry nim; what the rules say in words becomes them by itself. */
#include "games/nim/nim.h"
#include "games/registry.h"
#include "nim.pb-c.h"

const struct game_wire wire_nim = {
    .game = &game_nim,
    .command = &arbiter__nim__command__descriptor,
    .event = &arbiter__nim__event__descriptor,
    .view = &arbiter__nim__view__descriptor,
};
