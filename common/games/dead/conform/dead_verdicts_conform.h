/* dead_verdicts_conform.h: recorded verdicts on set-ups, held against what the rules say of them. */
#ifndef ARBITER_DEAD_VERDICTS_CONFORM_H
#define ARBITER_DEAD_VERDICTS_CONFORM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Whether the file begins with a verdict, and not with a game. It is read from its beginning again. */
bool dead_has_verdicts(FILE *file);
/* Each line is a verdict by itself and counts as one. */
void dead_play_verdicts(const char *path, FILE *file, FILE *complaints, uint32_t *agreed,
                        uint32_t *disagreed);

#endif
