/* kinds.c: the kinds of dice by name, and dice to bytes and back. */
#include "dice/kinds.h"

#include <assert.h>
#include <string.h>

static const struct dice_kind *const kinds[] = { &dice_kind_java, &dice_kind_splitmix,
                                                 &dice_kind_chacha, NULL };

const struct dice_kind *dice_kind_find(const char *name)
{
    for (uint32_t i = 0; kinds[i] != NULL; i++)
        if (strcmp(kinds[i]->name, name) == 0)
            return kinds[i];
    return NULL;
}

bool dice_open(struct dice *dice, const char *kind, uint64_t seed)
{
    const struct dice_kind *found = dice_kind_find(kind);
    if (found == &dice_kind_java)
        dice_java(dice, seed);
    else if (found == &dice_kind_splitmix)
        dice_splitmix(dice, seed);
    else
        return false;
    return true;
}

static void put_number(uint8_t **at, uint64_t number)
{
    for (uint32_t i = 0; i < 8; i++)
        *(*at)++ = (uint8_t) (number >> (8 * i));
}

static uint64_t take_number(const uint8_t **at)
{
    uint64_t number = 0;
    for (uint32_t i = 0; i < 8; i++)
        number |= (uint64_t) * (*at)++ << (8 * i);
    return number;
}

void dice_save(const struct dice *dice, uint8_t bytes[DICE_SAVED_BYTES])
{
    uint8_t *at = bytes + DICE_NAME_BYTES;
    size_t   size = strlen(dice->kind->name);

    assert(size < DICE_NAME_BYTES);
    memset(bytes, 0, DICE_NAME_BYTES);
    memcpy(bytes, dice->kind->name, size);
    put_number(&at, dice->draws);
    for (uint32_t i = 0; i < DICE_STATE_WORDS; i++)
        put_number(&at, dice->state[i]);
}

bool dice_load(struct dice *dice, const uint8_t bytes[DICE_SAVED_BYTES])
{
    char           name[DICE_NAME_BYTES + 1] = "";
    const uint8_t *at = bytes + DICE_NAME_BYTES;

    memcpy(name, bytes, DICE_NAME_BYTES);
    const struct dice_kind *kind = dice_kind_find(name);
    if (kind == NULL)
        return false;
    memset(dice, 0, sizeof *dice);
    dice->kind = kind;
    dice->draws = take_number(&at);
    for (uint32_t i = 0; i < DICE_STATE_WORDS; i++)
        dice->state[i] = take_number(&at);
    return true;
}
