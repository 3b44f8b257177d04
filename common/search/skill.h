/* skill.h: how well a player that thinks ahead plays, as a word says it.
 *
 *     search            as the game's strongest level
 *     search:2000       with so many nodes for each command
 *     level:1           a level of the game, 1 being the weakest */
#ifndef ARBITER_SEARCH_SKILL_H
#define ARBITER_SEARCH_SKILL_H

#include <stdbool.h>
#include <stddef.h>

#include "rules/game.h"
#include "search/search.h"

/* False: the word says none of this, or nobody thinks ahead in this game. */
bool     skill_read(const char *name, size_t size, const struct game *game, struct level *skill);
/* How large a tree grows in so many nodes. */
uint32_t skill_tree(const struct level *skill);

#endif
