/* dead_conform.h: playing recorded games of the original server against the rules.
 *
 * A recording is one game, a JSON object a line. It begins with a header: edition, config, seed,
 * players; patience, too, if it is not 0. Then it lists in exact order what clients sent, when the wait for a command ran out, and
 * what the server sent to whom. Registration, preparation and game are replayed without sockets,
 * and every event is compared in its place. A file of verdicts on set-ups, one a line, is taken as
 * well. */
#ifndef ARBITER_DEAD_CONFORM_H
#define ARBITER_DEAD_CONFORM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "games/house_conform.h"

/* As `conform` in games/registry.h says. The config is looked for beside the recording, and in folders
 * `configs` beside it and up to two levels above it. */
bool dead_conform(const char *path, FILE *complaints, uint32_t *agreed, uint32_t *disagreed);
/* As `conform_live` there: the same against whatever answers. */
bool dead_conform_live(const char *path, struct house *house, FILE *complaints, uint32_t *agreed,
                       uint32_t *disagreed);

#endif
