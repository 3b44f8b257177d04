/* erase.h: a player's name taken out of a journal: of a home that stands still, or of a database that engines share. */
#ifndef ARBITER_ERASE_H
#define ARBITER_ERASE_H

/* Whoever sat under this name, in the home at `where` (NULL: the usual one) or in the database `store` (NULL: in the
 * home). A console_exit; what became of it has been said. */
int erase_player(const char *where, const char *store, const char *name);

#endif
