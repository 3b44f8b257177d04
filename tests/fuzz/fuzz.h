/* fuzz.h: what every fuzz target offers, one function that must survive any bytes, and what they share. */
#ifndef ARBITER_FUZZ_H
#define ARBITER_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "games/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Input that is taken byte by byte; behind its end there are zeros. */
struct input {
    const uint8_t *at, *end;
};

uint8_t  input_byte(struct input *input);
/* `count` bytes, the most significant one first. */
uint64_t input_number(struct input *input, uint32_t count);

/* A game by the first letter of its name, so that inputs mean the same when a game is added; any other
 * letter means any game. */
const struct game_wire *input_game(struct input *input);

#endif
