/* dead_wire.c: the dead's row in the registry: its rules, its messages, its names, its recordings. */
#include <string.h>

#include "dead.pb-c.h"
#include "games/dead/conform/dead_conform.h"
#include "games/dead/dead.h"
#include "games/dead/dead_setup.h"
#include "games/registry.h"

extern const struct game_wire wire_dead;

enum thing { LOCATION, CHARACTER, CARD };

/* Fields that hold an identifier, or identifiers, and of what. */
static const struct {
    const char *field;
    enum thing  thing;
} named[] = {
    { "location_id", LOCATION },
    { "character_id", CHARACTER },
    { "character_id0", CHARACTER },
    { "character_id1", CHARACTER },
    { "character_id2", CHARACTER },
    { "character_id3", CHARACTER },
    { "offer", CHARACTER },
    { "survivors", CHARACTER },
    { "card_id", CARD },
    { "cards", CARD },
};

/* Cards have no names; what they are is their kind. */
static const char *const kinds[] = {
    [DEAD_FOOD] = "food",           [DEAD_STUFF] = "stuff",
    [DEAD_MEDICINE] = "medicine",   [DEAD_FUEL] = "fuel",
    [DEAD_LOCK] = "lock",           [DEAD_SCISSORS] = "scissors",
    [DEAD_HAMMER] = "hammer",       [DEAD_SNOW_BOOTS] = "snow boots",
    [DEAD_BLUEPRINT] = "blueprint", [DEAD_COLT] = "colt",
    [DEAD_SWAB] = "swab",
};

static const char *location_called(const struct dead_setup *setup, word id, size_t *size)
{
    uint32_t index = dead_location_index(setup, id);
    if (index == DEAD_NONE)
        return NULL;
    *size = index == setup->colony ? strlen("colony") : dead_location(setup, index)->name_size;
    return index == setup->colony ? "colony"
                                  : dead_name(setup, dead_location(setup, index)->name_at);
}

static const char *character_called(const struct dead_setup *setup, word id, size_t *size)
{
    uint32_t index = dead_character_index(setup, id);
    if (index == DEAD_NONE)
        return NULL;
    *size = dead_character(setup, index)->name_size;
    return dead_name(setup, dead_character(setup, index)->name_at);
}

static const char *card_called(const struct dead_setup *setup, word id, size_t *size)
{
    uint32_t index = dead_card_index(setup, id);
    if (index == DEAD_NONE)
        return NULL;
    *size = strlen(kinds[dead_card(setup, index)->kind]);
    return kinds[dead_card(setup, index)->kind];
}

static const char *called(const void *setup, const char *field, int64_t value, size_t *size)
{
    uint32_t i = 0;
    while (i < sizeof named / sizeof *named && strcmp(named[i].field, field) != 0)
        i++;
    if (i == sizeof named / sizeof *named)
        return NULL;
    switch (named[i].thing) {
    case LOCATION: return location_called(setup, value, size);
    case CHARACTER: return character_called(setup, value, size);
    default: return card_called(setup, value, size);
    }
}

const struct game_wire wire_dead = {
    .game = &game_dead,
    .command = &arbiter__dead__command__descriptor,
    .event = &arbiter__dead__event__descriptor,
    .view = &arbiter__dead__view__descriptor,
    .called = called,
    .conform = dead_conform,
    .conform_live = dead_conform_live,
};
