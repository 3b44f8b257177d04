/* kinds.h: the three generators a match's dice can be, and how dice are made, kept and read back.
 *
 * `java` and `splitmix` are *open dice*: made from a seed that is public from the start, so a recorded
 * game replays exactly. `chacha` is made from a key (dice/commitment.h says whose) and is for hosted
 * tables. Every kind answers both questions of dice.h, whatever it was made for; README.md in this
 * folder defines each answer to the bit. */
#ifndef ARBITER_DICE_KINDS_H
#define ARBITER_DICE_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dice/dice.h"

#define DICE_KEY_BYTES 32
#define DICE_NAME_BYTES 16
#define DICE_SAVED_BYTES (DICE_NAME_BYTES + 8 + 8 * DICE_STATE_WORDS)

extern const struct dice_kind dice_kind_java;
extern const struct dice_kind dice_kind_splitmix;
extern const struct dice_kind dice_kind_chacha;

/* A kind by its name; NULL if there is none. */
const struct dice_kind *dice_kind_find(const char *name);

/* Open dice of the named kind. False for a name that is unknown or needs a key instead of a seed. */
bool dice_open(struct dice *dice, const char *kind, uint64_t seed);

/* Each kind by itself. A negative seed of Java's is its two's complement. */
void dice_java(struct dice *dice, uint64_t seed);
void dice_splitmix(struct dice *dice, uint64_t seed);
void dice_chacha(struct dice *dice, const uint8_t key[DICE_KEY_BYTES]);
/* The key that chacha dice were made from. */
void dice_chacha_key(const struct dice *dice, uint8_t key[DICE_KEY_BYTES]);

/* The dice as bytes of a snapshot, the same on every machine. */
void dice_save(const struct dice *dice, uint8_t bytes[DICE_SAVED_BYTES]);
/* And back; false if the bytes name no kind of this build. */
bool dice_load(struct dice *dice, const uint8_t bytes[DICE_SAVED_BYTES]);

#endif
