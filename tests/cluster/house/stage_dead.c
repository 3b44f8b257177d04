/* stage_dead.c: see stage_dead.h: written rather than read, since a universe needs nothing but its seed. */
#include "stage_dead.h"

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define PLAYERS 3
#define DECK (5u * PLAYERS)
#define PLACES 3 /* The colony is the first. */
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const kinds[] = { "food",     "stuff",  "lock", "scissors",   "fuel",
                                     "medicine", "hammer", "colt", "snow_boots", "swab",
                                     "food",     "stuff",  "fuel", "medicine" };
static const char *const abilities[] = {
    "\"feed\": {\"numFood\": 2}",
    "\"heal\": {}",
    "\"barricade\": {\"numBarricades\": 2, \"maxActivations\": 1}",
    "\"kill\": {\"locationId\": 1, \"dieValue\": 2, \"numZombies\": 2, \"maxActivations\": 1}",
    "\"search\": {\"location\": 2, \"numCards\": 1, \"maxActivations\": 1}",
    "\"trash\": {\"numCards\": 5}",
    "\"wound\": {\"before\": \"bite\", \"after\": \"wound\"}",
    "\"no_infection\": {}",
    "\"wound\": {\"before\": \"wound\", \"after\": \"frostBite\"}",
};
/* Triggers that come true early, so that there are votes: before their number, and behind it. */
static const char *const fates[PLAYERS][2] = {
    { "moved",
      "\"consequence\": {\"choice\": {\"consequence1\": {\"changeMoral\": {\"amount\": 1}}, "
      "\"consequence2\": {\"changeFood\": {\"amount\": 1}}}}" },
    { "searched", "\"consequence\": {\"spawnSurvivors\": {\"amount\": 1}}" },
    { "wasteChanged", "\"amount\": 1, \"consequence\": {\"choice\": {\"consequence1\": "
                      "{\"spawnZombies\": {\"amount\": 2}}, \"consequence2\": "
                      "{\"changeMoral\": {\"amount\": -1}}}}" },
};

static char     text[16384];
static uint32_t used;

static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(text + used, sizeof text - used, format, arguments);
    va_end(arguments);
    assert(size >= 0 && used + (uint32_t) size < sizeof text);
    used += (uint32_t) size;
}

/* What stands between two of a list. */
static void comma(uint32_t index)
{
    put("%s", index > 0 ? ", " : "");
}

static void put_deck(const char *name, uint32_t place)
{
    put("\"%s\": [", name);
    for (uint32_t i = 0; i < DECK; i++) {
        comma(i);
        put("%u", place * 100 + i);
    }
    put("]");
}

static void put_places(void)
{
    put("\"locations\": [{\"colony\": {\"identifier\": 1, \"entrances\": 2, ");
    put_deck("startCards", 1);
    put("}}");
    for (uint32_t place = 2; place <= PLACES; place++) {
        put(", {\"name\": \"Place %u\", \"identifier\": %u, \"entrances\": 2, \"survivorSpaces\": "
            "3, ",
            place, place);
        put_deck("cards", place);
        put("}");
    }
    put("]");
}

static void put_cards(void)
{
    put("\"cards\": [");
    for (uint32_t i = 0; i < PLACES * DECK; i++) {
        const char *kind = kinds[i % COUNT(kinds)];
        comma(i);
        put("{\"%s\": {\"identifier\": %u%s}}", kind, (i / DECK + 1) * 100 + i % DECK,
            kind[0] == 'f' && kind[1] == 'o' ? ", \"amount\": 2" : "");
    }
    put("]");
}

static void put_people(void)
{
    put("\"characters\": [");
    for (uint32_t i = 0; i < COUNT(abilities); i++) {
        comma(i);
        put("{\"identifier\": %u, \"name\": \"Person %u\", \"status\": %u, \"attack\": %u, "
            "\"search\": %u, \"ability\": {%s}}",
            i + 1, i + 1, 10 * (i + 1), 1 + i % 3, 1 + i % 4, abilities[i]);
    }
    put("]");
}

static void put_fates(void)
{
    put("\"crossroads\": [");
    for (uint32_t i = 0; i < PLAYERS; i++) {
        comma(i);
        put("{\"%s\": {\"identifier\": %u, %s}}", fates[i][0], i + 1, fates[i][1]);
    }
    put("]");
}

const char *stage_dead(void)
{
    if (used > 0)
        return text;
    put("{\"maxPlayers\": %u, \"goal\": {\"rounds\": 1, \"moral\": 6, \"zombiesColony\": 3, "
        "\"zombiesLocations\": 1, \"childrenInColony\": 1, \"survive\": true}, ",
        PLAYERS);
    put_places();
    put(", ");
    put_cards();
    put(", \"crises\": [{\"food\": {\"identifier\": 1, \"moralChange\": 1, \"requiredCards\": "
        "2}}], ");
    put_people();
    put(", ");
    put_fates();
    put("}");
    return text;
}
