/* dead_draft.h: a set-up of the dead while it is being read, between dead_configure's files.
 *
 * The draft stands on the stack with room for the largest set-up there may be. So reading needs no
 * other memory, and the exact size of the compiled block is known at the end. An entry of a list
 * keeps its place in the draft even if it is faulty. What could not be read is left zero. This does
 * no harm, because with a fault nothing is compiled. */
#ifndef ARBITER_DEAD_DRAFT_H
#define ARBITER_DEAD_DRAFT_H

#include "games/dead/dead_setup.h"

#define DEAD_CARD_ROWS (2 * DEAD_CARDS_MAX) /* A power of two, at most half full. */

struct draft_location {
    struct dead_location is;
    const struct value  *at;   /* The object with its fields.                            */
    const struct value  *name; /* NULL for the colony.                                   */
    const struct value  *deck; /* Its cards, or the start cards; NULL if unreadable.     */
    bool                 is_colony;
};

struct draft {
    struct faults    *faults;
    struct dead_setup head; /* The scalars; arrays are laid out at the end.           */

    /* What could be read well enough to judge by. A rule that compares is silent if what it compares
     * with is itself at fault: one mistake gives one sentence. */
    bool players_known, rounds_known;
    bool locations_known; /* How many there are, the colony among them. */

    /* Whether the identifier of every entry could be read. Otherwise what is named and not found may be
     * the one that could not. */
    bool place_ids_known, card_ids_known;

    uint32_t locations, cards, deck_count, characters, crises, fates;
    uint32_t characters_listed, crises_listed, fates_listed; /* Entries, however many are read. */
    const struct value *goal, *character_list, *crisis_list, *fate_list;

    struct draft_location location[DEAD_LOCATIONS_MAX]; /* Ascending by identifier, once read. */
    struct dead_card      card[DEAD_CARDS_MAX];
    const struct value   *card_at[DEAD_CARDS_MAX];
    const struct value   *card_in[DEAD_CARDS_MAX]; /* Its place in a deck.             */
    struct dead_row       card_row[DEAD_CARD_ROWS];
    uint32_t              card_rows_used; /* At most DEAD_CARDS_MAX.            */
    uint16_t              deck[DEAD_CARDS_MAX];
    struct dead_character character[DEAD_CHARACTERS_MAX];
    const struct value   *character_at[DEAD_CHARACTERS_MAX];
    const struct value   *character_name[DEAD_CHARACTERS_MAX];
    bool                  status_known[DEAD_CHARACTERS_MAX];
    uint16_t              by_rank[DEAD_CHARACTERS_MAX];
    struct dead_crisis    crisis[DEAD_CRISES_MAX];
    const struct value   *crisis_at[DEAD_CRISES_MAX]; /* NULL if it is faulty.            */
    struct dead_fate      fate[DEAD_FATES_MAX];
    const struct value   *fate_at[DEAD_FATES_MAX];
};

/* Helpers. */

/* A list under `key` of at most `most` entries; those beyond are reported together and not read. NULL
 * if there is none. */
const struct value *draft_list(struct draft *draft, const struct value *object, const char *key,
                               uint32_t most);
/* An identifier of 1 or more; 0, and a fault, if it is none. */
uint32_t            draft_id(struct draft *draft, const struct value *object, const char *key);
/* An amount from `least` to DEAD_AMOUNT_MAX. */
uint32_t            draft_amount(struct draft *draft, const struct value *object, const char *key,
                                 int64_t least);
/* The name of a location or a character; NULL, and a fault, if it is no string or too long. */
const struct value *draft_name(struct draft *draft, const struct value *object);
/* The location with an identifier, as an index, or DEAD_NONE. */
uint32_t            draft_find_place(const struct draft *draft, uint32_t id);
/* The location named under `key`, as an index; DEAD_NONE, and a fault, if there is none such. */
uint32_t            draft_place(struct draft *draft, const struct value *object, const char *key);
/* The next member of an object, behind one that value_choice gave, with its key among `keys`; NULL if
 * there is none. That there are two is a fault, but what is wrong in the second is said all the same. */
const struct value *draft_other_choice(const struct value *member, const char *const *keys,
                                       int *which);
/* Reports that a value repeats another one: "is 7, as already at /cards/3; must be unique". */
void draft_repeats(struct draft *draft, const struct value *at, const char *key, int64_t number,
                   const struct value *first);

/* The parts of a set-up, in the order in which they can be read: each may use those before it. */

void draft_read_locations(struct draft *draft, const struct value *config);
void draft_read_cards(struct draft *draft, const struct value *config);
void draft_read_decks(struct draft *draft);
void draft_read_characters(struct draft *draft, const struct value *config);
void draft_read_crises(struct draft *draft, const struct value *config);
void draft_read_fates(struct draft *draft, const struct value *config);

/* Lays the draft out as one block, written if `capacity` suffices; returns its size. */
size_t draft_pack(struct draft *draft, void *block, size_t capacity);
/* Enters an identifier in a lookup table of `count` rows. The first of several stays. */
void   draft_put_row(struct dead_row *rows, uint32_t count, uint32_t id, uint32_t index);

#endif
