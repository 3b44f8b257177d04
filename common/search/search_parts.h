/* search_parts.h: what the files of the search share. */
#ifndef ARBITER_SEARCH_PARTS_H
#define ARBITER_SEARCH_PARTS_H

#include "search/search.h"

#define SEARCH_VALUE_MOST (2 * ESTIMATE_MOST) /* What a future is worth: 0 lost, all of this won. */

/* search_play.c: a guessed match goes on. */

/* Fills the state with a guess; false: there is none at this moment. */
bool      search_guess(struct search *search);
/* Lists what a seat may do, in `list`, the usual commands first; returns how many there are. */
uint64_t  search_list(struct search *search, uint32_t seat);
/* Does it in the guessed match. */
void      search_do(struct search *search, uint32_t seat, const struct command *command);
/* Does it if the rules of the guessed match accept it. */
bool      search_allows(struct search *search, uint32_t seat, const struct command *command);
/* Whom the guessed match waits for. */
seat_mask search_awaited(const struct search *search);
/* The next command by rule of thumb, of this seat. False: it has none, and the future is cut here. */
bool      search_go_on(struct search *search, uint32_t seat);
/* Plays to the end, or as far as the game wants, and says what it is worth for each seat. */
void      search_finish(struct search *search, uint32_t worth[SEATS_MAX]);
/* Of so many listed commands the best judged but for those that were tried at this node; false: all
 * were. `liked`: no other was judged better. */
bool      search_find_new(struct search *search, uint32_t seat, uint64_t count, uint32_t at,
                          struct command *found, bool *liked);

/* search.c */

/* The node of a command that was tried behind this one; 0: it was not. */
uint32_t search_tried(const struct search *search, uint32_t at, const struct command *command);

#endif
