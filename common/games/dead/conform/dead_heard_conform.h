/* dead_heard_conform.h: what a client hears, in the form of the recordings.
 *
 * The original sent some questions to one client alone; our stream makes them public and names the
 * player. They are ActNow, VoteNow, and a CommandFailed without a command. So each client keeps
 * those put to itself. The text of the config is called "@file". */
#ifndef ARBITER_DEAD_HEARD_CONFORM_H
#define ARBITER_DEAD_HEARD_CONFORM_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "games/house_conform.h"

/* Appends all that a client has heard since it was asked last. `has_left` is the client's own: false
 * at first, true once it heard that it left. */
void dead_listen(struct house *house, uint32_t client, bool *has_left, json_t *heard);

#endif
