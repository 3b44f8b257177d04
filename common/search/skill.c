/* skill.c: reads how well a player plays. */
#include "search/skill.h"

#define DIGITS_MAX 7u

/* Whether a text begins with this word; how long the word is. */
static bool begins(const char *name, size_t size, const char *wanted, size_t *length)
{
    for (*length = 0; wanted[*length] != '\0'; ++*length)
        if (*length >= size || name[*length] != wanted[*length])
            return false;
    return true;
}

/* A number behind a word and a colon; 0: it is something else. */
static uint32_t number_behind(const char *name, size_t size, const char *wanted)
{
    size_t   from;
    uint32_t number = 0;
    if (!begins(name, size, wanted, &from) || size <= from || size > from + DIGITS_MAX)
        return 0;
    for (size_t i = from; i < size; i++) {
        if (name[i] < '0' || name[i] > '9')
            return 0;
        number = 10 * number + (uint32_t) (name[i] - '0');
    }
    return number;
}

bool skill_read(const char *name, size_t size, const struct game *game, struct level *skill)
{
    const struct foresight *foresight = game->foresight;
    size_t                  length;
    if (foresight == NULL)
        return false;
    uint32_t level = number_behind(name, size, "level:");
    if (begins(name, size, "search", &length) && length == size)
        level = foresight->levels;
    *skill = (struct level){ .nodes = number_behind(name, size, "search:") };
    if (level > 0 && level <= foresight->levels)
        *skill = foresight->level[level - 1];
    return skill->nodes > 0 && skill->nodes <= SEARCH_NODES_MAX;
}

/* A future adds one node at most, beside the present. */
uint32_t skill_tree(const struct level *skill)
{
    return skill->nodes < SEARCH_NODES_MAX ? skill->nodes + 1 : SEARCH_NODES_MAX;
}
