/* erase.h: a player's name taken out of the journal of a house that stands still. */
#ifndef ARBITER_ERASE_H
#define ARBITER_ERASE_H

/* Whoever sat under this name, in the home at `where` (NULL: the usual one). A console_exit; what became of
 * it has been said. */
int erase_player(const char *where, const char *name);

#endif
