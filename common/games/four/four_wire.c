/* four_wire.c: which messages carry four in a row; what the rules say in words becomes them by itself. */
#include "four.pb-c.h"
#include "games/four/four.h"
#include "games/registry.h"

const struct game_wire wire_four = {
    .game = &game_four,
    .command = &arbiter__four__command__descriptor,
    .event = &arbiter__four__event__descriptor,
    .view = &arbiter__four__view__descriptor,
};
