/* treasure_conform.h: playing scenarios of the treasure hunt against the rules.
 *
 * A file holds one scenario a line. Halves, merges, games and clocks are played. Exchanges of the
 * 2017 door (`rest`) are the gateway's to answer. They are counted apart, said aloud, and neither
 * agree nor disagree. A line of another type disagrees. */
#ifndef ARBITER_TREASURE_CONFORM_H
#define ARBITER_TREASURE_CONFORM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* As `conform` in games/registry.h says. */
bool treasure_conform(const char *path, FILE *complaints, uint32_t *agreed, uint32_t *disagreed);
/* As `conform_live` there. Clocks, exchanges and messages that could not be read are left to the door. */
struct house;
bool treasure_conform_live(const char *path, struct house *house, FILE *complaints,
                           uint32_t *agreed, uint32_t *disagreed);

#endif
