/* dead_setup.h: the set-up of a table of the dead, judged, resolved and laid out flat.
 *
 * `dead_configure` reads what a person wrote, refuses what is wrong and compiles the rest into one
 * block: this header, then arrays at offsets from its beginning. Nothing in it points anywhere, so
 * the block may be copied, and it never changes once it is written. Everything that the file names
 * by identifier is resolved to an index. The `dead_*_index` functions look up the numbers that a
 * player may send. They take any word, and answer DEAD_NONE for what does not exist.
 *
 * Order of the arrays: locations by ascending identifier, everything else as in the file. */
#ifndef ARBITER_DEAD_SETUP_H
#define ARBITER_DEAD_SETUP_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/value.h"
#include "rules/game.h"

#define DEAD_NONE 0xffffu /* No index.                                              */

/* What a set-up may hold at most. The rules of the game know no such bounds; they keep a table's
 * memory, and the events of one command, within what a server can promise. */
#define DEAD_CARDS_MAX 2048
#define DEAD_CHARACTERS_MAX 256
#define DEAD_LOCATIONS_MAX 64 /* The colony included.                                   */
#define DEAD_ENTRANCES_MAX 64 /* Of one location.                                       */
#define DEAD_CRISES_MAX 1024
#define DEAD_FATES_MAX 1024
#define DEAD_CHILDREN_MAX 500   /* At the start; each survivor met brings three at most.  */
#define DEAD_SPAWN_MAX 100      /* Zombies of one fate card at one location.              */
#define DEAD_AMOUNT_MAX 1000000 /* Any other amount; totals still want 64 bits.           */
#define DEAD_NAME_MAX 200       /* Bytes of one name.                                     */
#define DEAD_PATIENCE_MAX 1000

enum dead_edition { DEAD_BASE, DEAD_EQUIPMENT, DEAD_CROSSROADS };

enum dead_goal { DEAD_SURVIVE, DEAD_BARRICADES, DEAD_LOCATIONS_WITH_ZOMBIES };

/* The first four are also what a crisis may ask for. */
enum dead_card_kind {
    DEAD_FOOD,
    DEAD_STUFF,
    DEAD_MEDICINE,
    DEAD_FUEL,
    DEAD_LOCK,
    DEAD_SCISSORS,
    DEAD_HAMMER, /* From here on equipment.                                */
    DEAD_SNOW_BOOTS,
    DEAD_BLUEPRINT,
    DEAD_COLT,
    DEAD_SWAB,
};

enum dead_ability_kind {
    DEAD_ABILITY_WOUND,
    DEAD_ABILITY_HEAL,
    DEAD_ABILITY_NO_INFECTION,
    DEAD_ABILITY_FEED,
    DEAD_ABILITY_TRASH,
    DEAD_ABILITY_BARRICADE,
    DEAD_ABILITY_SEARCH,
    DEAD_ABILITY_KILL,
};

/* What an infection die shows, and what the WOUND ability turns into what. */
enum dead_injury { DEAD_WOUND, DEAD_FROSTBITE, DEAD_BITE };

enum dead_trigger {
    DEAD_ON_BARRICADED,
    DEAD_ON_MOVED,
    DEAD_ON_SEARCHED,
    DEAD_ON_EQUIP,
    DEAD_ON_WASTE_CHANGED,
};

enum dead_consequence_kind {
    DEAD_CHANGE_FOOD,
    DEAD_CHANGE_MORAL,
    DEAD_SPAWN_SURVIVORS,
    DEAD_SPAWN_ZOMBIES,
};

struct dead_location {
    uint32_t id;
    uint32_t spaces;         /* For survivors; 0 for the colony, which has no limit.   */
    uint32_t name_at;        /* Into the texts; the colony's name is empty.            */
    uint16_t name_size;      /* Bytes.                                                 */
    uint16_t entrances;      /* 1 or more.                                             */
    uint16_t entrance_first; /* Its first place in an array of all entrances there are. */
    uint16_t deck_first;     /* Its first card in `dead_deck`; the colony's are the start cards. */
    uint16_t deck_count;
    uint16_t unused; /* 0; keeps the struct free of holes.                     */
};

struct dead_card {
    uint32_t id;
    uint32_t amount;   /* Of a FOOD card, 1 or more; else 0.                     */
    uint16_t kind;     /* enum dead_card_kind.                                   */
    uint16_t location; /* Index, of a BLUEPRINT; else DEAD_NONE.                 */
};

struct dead_character {
    uint32_t id;
    int32_t  status;
    uint32_t name_at; /* Into the texts.                                        */
    uint16_t name_size;
    uint16_t rank;            /* By status: 0 is the lowest, no two the same.           */
    uint8_t  attack, search;  /* 1 to 6: a die of at least so much is needed.           */
    uint8_t  ability;         /* enum dead_ability_kind.                                */
    uint8_t  before, after;   /* WOUND: enum dead_injury.                               */
    int8_t   die_value;       /* KILL: 1 to 6; 0: no die needed (the file may say less).  */
    uint8_t  infection_die;   /* KILL: 0 or 1.                                          */
    uint8_t  children;        /* KILL: 0 or 1, needs a child in the colony.             */
    uint32_t amount;          /* FEED food, TRASH cards, BARRICADE barricades, SEARCH cards
                               * beyond the first, KILL zombies.                        */
    uint32_t activations_max; /* A turn: BARRICADE, SEARCH, KILL.                       */
    uint16_t location;        /* Index: SEARCH, KILL; else DEAD_NONE.                   */
    uint16_t unused;          /* 0; keeps the struct free of holes.                     */
};

struct dead_crisis {
    int32_t  id;         /* Any number; several crises may share it.               */
    uint32_t moral_loss; /* 1 or more.                                             */
    uint32_t required;   /* Cards, 1 or more.                                      */
    uint32_t kind;       /* DEAD_FOOD, DEAD_STUFF, DEAD_MEDICINE or DEAD_FUEL.     */
};

struct dead_consequence {
    int32_t  amount;   /* Change of food or morale; survivors or zombies, 0 or more.     */
    uint16_t location; /* Index, of SPAWN_ZOMBIES; DEAD_NONE: the colony, then each.     */
    uint8_t  kind;     /* enum dead_consequence_kind.                                    */
    uint8_t  children; /* 0 or 1, of SPAWN_SURVIVORS.                                    */
};

struct dead_fate {
    uint32_t                id;
    int32_t                 amount;     /* Of WASTE_CHANGED, any sign.                  */
    uint16_t                location;   /* Index; DEAD_NONE: anywhere.                  */
    uint8_t                 trigger;    /* enum dead_trigger.                           */
    uint8_t                 is_choice;  /* 1: a vote chooses between the two.           */
    struct dead_consequence outcome[2]; /* Only the first without a choice.             */
};

/* A row of a lookup table: open addressing, an empty row has id 0. */
struct dead_row {
    uint32_t id;
    uint32_t index;
};

struct dead_array {
    uint32_t at; /* Offset in bytes from the beginning of the set-up.      */
    uint32_t count;
};

struct dead_setup {
    uint32_t bytes;       /* Of the whole block.                                    */
    uint8_t  edition;     /* enum dead_edition.                                     */
    uint8_t  goal;        /* enum dead_goal.                                        */
    uint8_t  players_max; /* 1 to SEATS_MAX.                                        */
    uint8_t  unused;      /* 0.                                                     */
    uint32_t patience;    /* Timeouts in a row before the game decides; 0: never.   */
    int32_t  goal_amount; /* Barricades at least, or locations with zombies at most. */
    uint32_t rounds;
    uint32_t moral;
    uint32_t children; /* At the start.                                          */
    uint32_t zombies_colony;
    uint32_t zombies_locations; /* At each of them.                                       */
    uint32_t colony;            /* Index of the colony among the locations.               */
    uint32_t entrances;         /* Of all locations together.                             */

    struct dead_array locations;  /* struct dead_location, ascending identifiers.           */
    struct dead_array cards;      /* struct dead_card.                                      */
    struct dead_array deck;       /* uint16_t, indexes of cards: all decks, one after another. */
    struct dead_array characters; /* struct dead_character.                                 */
    struct dead_array by_rank;    /* uint16_t, indexes of characters, lowest status first.  */
    struct dead_array crises;     /* struct dead_crisis.                                    */
    struct dead_array fates;      /* struct dead_fate; none but in crossroads.              */
    struct dead_array texts;      /* Bytes of UTF-8: the names.                             */

    /* Lookup tables of struct dead_row; their counts are powers of two. */
    struct dead_array location_rows, card_rows, character_rows;
};

/* Reading the arrays. An index must exist. */

static inline const void *dead_at(const struct dead_setup *setup, struct dead_array array,
                                  uint32_t index, size_t size)
{
    assert(index < array.count);
    return (const uint8_t *) setup + array.at + index * size;
}

static inline const struct dead_location *dead_location(const struct dead_setup *setup,
                                                        uint32_t                 index)
{
    return dead_at(setup, setup->locations, index, sizeof(struct dead_location));
}

static inline const struct dead_card *dead_card(const struct dead_setup *setup, uint32_t index)
{
    return dead_at(setup, setup->cards, index, sizeof(struct dead_card));
}

static inline const struct dead_character *dead_character(const struct dead_setup *setup,
                                                          uint32_t                 index)
{
    return dead_at(setup, setup->characters, index, sizeof(struct dead_character));
}

static inline const struct dead_crisis *dead_crisis(const struct dead_setup *setup, uint32_t index)
{
    return dead_at(setup, setup->crises, index, sizeof(struct dead_crisis));
}

static inline const struct dead_fate *dead_fate(const struct dead_setup *setup, uint32_t index)
{
    return dead_at(setup, setup->fates, index, sizeof(struct dead_fate));
}

/* The k-th card, as an index, of the deck as the file orders it. */
static inline uint32_t dead_deck_card(const struct dead_setup *setup, uint32_t location, uint32_t k)
{
    const struct dead_location *place = dead_location(setup, location);
    assert(k < place->deck_count);
    return *(const uint16_t *) dead_at(setup, setup->deck, place->deck_first + k, sizeof(uint16_t));
}

/* The character, as an index, with the rank-th lowest status. */
static inline uint32_t dead_of_rank(const struct dead_setup *setup, uint32_t rank)
{
    return *(const uint16_t *) dead_at(setup, setup->by_rank, rank, sizeof(uint16_t));
}

/* The bytes of a name; `name_size` of them, without a NUL. */
static inline const char *dead_name(const struct dead_setup *setup, uint32_t name_at)
{
    return (const char *) setup + setup->texts.at + name_at;
}

/* Looking up what a player named. */

/* Spreads identifiers, which people tend to count up, over the table (Knuth's golden ratio). */
static inline uint32_t dead_row_of(uint32_t id, uint32_t count)
{
    return (uint32_t) (id * UINT32_C(2654435769) >> 7) & (count - 1);
}

/* Ends at an empty row, of which there always is one: tables are at most half full. */
static inline uint32_t dead_find(const struct dead_setup *setup, struct dead_array rows, word id)
{
    if (id < 1 || id > INT32_MAX)
        return DEAD_NONE;
    const struct dead_row *row = (const void *) ((const uint8_t *) setup + rows.at);
    uint32_t               at = dead_row_of((uint32_t) id, rows.count);
    while (row[at].id != 0 && row[at].id != (uint32_t) id)
        at = (at + 1) & (rows.count - 1);
    return row[at].id == 0 ? DEAD_NONE : row[at].index;
}

static inline uint32_t dead_location_index(const struct dead_setup *setup, word id)
{
    return dead_find(setup, setup->location_rows, id);
}

static inline uint32_t dead_card_index(const struct dead_setup *setup, word id)
{
    return dead_find(setup, setup->card_rows, id);
}

static inline uint32_t dead_character_index(const struct dead_setup *setup, word id)
{
    return dead_find(setup, setup->character_rows, id);
}

/* What kinds of card are. */

static inline bool dead_is_equipment(uint32_t kind)
{
    return kind >= DEAD_HAMMER;
}

/* The kind of crisis a card helps in: stuff takes also locks, scissors and all equipment. */
static inline uint32_t dead_helps(uint32_t kind)
{
    return kind <= DEAD_FUEL ? kind : DEAD_STUFF;
}

/* Two functions of `struct game` (rules/game.h).
 *
 * `options` may be NULL or {"edition": "base" | "equipment" | "crossroads", "patience": 0...}; base
 * and 0 if left out. */
size_t dead_configure(const struct value *config, const struct value *options, void *setup,
                      size_t capacity, struct faults *faults);
void   dead_seats(const void *setup, uint32_t *least, uint32_t *most);

#endif
