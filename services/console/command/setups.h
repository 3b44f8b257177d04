/* setups.h: where the set-ups that come with the program stand.
 *
 * Set-ups for people are GAME/NAME.json in configs/; a game may also bring small ones in its own
 * folder, setups/NAME.json. There "config", "options" and "seats" stand as one object. Both are
 * looked for in the folder that ARBITER_CONFIGS names, and beside the installed program. A program
 * that was built and not installed also looks in its source tree. */
#ifndef ARBITER_SETUPS_H
#define ARBITER_SETUPS_H

#include <limits.h>
#include <stdbool.h>

#include "base/text.h"

struct setup_place {
    char path[PATH_MAX];
    bool is_bundle; /* "config", "options" and "seats" stand in it. */
};

/* The set-up of a game by name; NULL asks for its standard one, or failing that the first its folder
 * brings. False: there is none. */
bool setups_find(const char *game, const char *name, struct setup_place *place);
/* The names one may ask for, joined by commas: those of the first of these folders that has any.
 * False: none has. */
bool setups_names(const char *game, struct text *names);

#endif
