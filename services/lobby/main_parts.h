/* main_parts.h: what the lobby's process brings its core: games with their set-ups, keys, signatures. */
#ifndef ARBITER_LOBBY_MAIN_PARTS_H
#define ARBITER_LOBBY_MAIN_PARTS_H

#include "services/lobby/lobby.h"
#include "shell/log.h"

/* Every game of this build, the newest rules of each, with the set-ups found in `folder`/GAME/, or, if
 * that is empty, beside the program. What is no set-up is named in the log and left out. Lives until the
 * process ends. */
const struct lobby_game *main_games(const char *folder, const struct log *log, uint32_t *count);

/* The keys of a file, one a line: KEY ROLE NAME; '#' begins a remark. NULL: it cannot be read, or a line is
 * none, said in the log with its number. No path: no keys. Lives until the process ends. */
const struct lobby_seed *main_seeds(const char *path, const struct log *log, uint32_t *count);

void main_forget_seeds(const struct lobby_seed *seeds);

/* The Ed25519 pair that signs tickets, made of the lobby's secret key: the same at every start. */
void main_ticket_keys(uint8_t public_key[32], uint8_t secret[64],
                      const uint8_t curve_secret[CALLER_KEY_SIZE]);

extern const struct lobby_helpers main_helpers;

#endif
