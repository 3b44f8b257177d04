/* dead_configure_cards.c: reads the cards of a set-up, and which of them lie where. */
#include "games/dead/dead_draft.h"

/* By enum dead_card_kind. */
static const char *const kinds[] = { "food",      "stuff",    "medicine", "fuel",
                                     "lock",      "scissors", "hammer",   "snow_boots",
                                     "blueprint", "colt",     "swab",     NULL };

static uint32_t find_card(const struct draft *draft, uint32_t id)
{
    uint32_t at = dead_row_of(id, DEAD_CARD_ROWS);
    while (draft->card_row[at].id != 0 && draft->card_row[at].id != id)
        at = (at + 1) & (DEAD_CARD_ROWS - 1);
    return draft->card_row[at].id == 0 ? DEAD_NONE : draft->card_row[at].index;
}

/* 0 stands for an identifier that could not be read, and is not entered. Nothing is entered either
 * if the table is as full as it may be. An entry that wrongly has many kinds may have any number of
 * identifiers. One with two kinds may give both the same, which is no second fault. */
static void enter_card(struct draft *draft, uint32_t id, const struct value *at)
{
    uint32_t twin = find_card(draft, id);
    bool     is_free = twin == DEAD_NONE && id > 0 && draft->card_rows_used < DEAD_CARDS_MAX;
    if (twin == draft->cards)
        return;
    if (twin != DEAD_NONE)
        draft_repeats(draft, at, "identifier", id, draft->card_at[twin]);
    else if (!is_free)
        draft->card_ids_known = false;
    if (is_free) {
        draft_put_row(draft->card_row, DEAD_CARD_ROWS, id, draft->cards);
        draft->card_rows_used++;
    }
}

/* The card is known by its identifier even if its kind is not. So the deck it lies in need not be
 * called wrong as well. Beside a known kind, what has no identifier was not meant as a card. */
static void enter_unknown(struct draft *draft, const struct value *inside, bool is_beside)
{
    const struct value *id = value_get(inside, "identifier");
    if (id != NULL && id->kind == VALUE_INT && id->number >= 1 && id->number <= INT32_MAX)
        enter_card(draft, (uint32_t) id->number, inside);
    else if (!is_beside)
        draft->card_ids_known = false;
}

static void read_card_fields(struct draft *draft, struct dead_card *card,
                             const struct value *object)
{
    static const char *const plain[] = { "identifier", NULL };
    static const char *const food[] = { "identifier", "amount", NULL };
    static const char *const blueprint[] = { "identifier", "location", NULL };
    const char *const       *keys = plain;

    card->id = draft_id(draft, object, "identifier");
    enter_card(draft, card->id, object);
    if (card->kind == DEAD_FOOD) {
        card->amount = draft_amount(draft, object, "amount", 1);
        keys = food;
    } else if (card->kind == DEAD_BLUEPRINT) {
        card->location = (uint16_t) draft_place(draft, object, "location");
        keys = blueprint;
    }
    value_only(object, keys, draft->faults);
}

/* What is inside an entry, under its kind. */
static void read_card_of_kind(struct draft *draft, const struct value *object, bool is_beside)
{
    struct dead_card *card = &draft->card[draft->cards];
    int               kind = value_key(object, kinds);
    if (kind < 0) {
        enter_unknown(draft, object, is_beside);
    } else if (value_as_object(object, draft->faults)) {
        card->kind = (uint16_t) kind;
        read_card_fields(draft, card, object);
    } else {
        draft->card_ids_known = false;
    }
}

static void read_card(struct draft *draft, const struct value *entry)
{
    int                 kind;
    const struct value *object = value_choice(entry, kinds, &kind, draft->faults);

    draft->card_at[draft->cards] = object != NULL && entry->count == 1 ? object : entry;
    draft->card[draft->cards].location = DEAD_NONE;
    if (entry->kind != VALUE_OBJECT || entry->count == 0)
        draft->card_ids_known = false;
    else
        for (const struct value *inside = entry->first; inside != NULL; inside = inside->next)
            read_card_of_kind(draft, inside, object != NULL);
    draft->cards++;
}

void draft_read_cards(struct draft *draft, const struct value *config)
{
    const struct value *list = draft_list(draft, config, "cards", DEAD_CARDS_MAX);
    if (list == NULL)
        return;
    draft->card_ids_known = list->count <= DEAD_CARDS_MAX;
    for (const struct value *entry = list->first; entry != NULL && draft->cards < DEAD_CARDS_MAX;
         entry = entry->next)
        read_card(draft, entry);
}

/* A card lies in one deck at most, and there once. */
static void lay_card(struct draft *draft, struct dead_location *location, const struct value *entry)
{
    uint32_t before = draft->faults->count;
    uint32_t id = (uint32_t) value_as_int(entry, 1, INT32_MAX, draft->faults);
    if (draft->faults->count > before)
        return;
    uint32_t card = find_card(draft, id);
    if (card == DEAD_NONE) {
        if (draft->card_ids_known)
            fault_numbers(draft->faults, entry, NULL, "names card ", id, ", must name one of the ",
                          draft->cards, " that are in cards");
        return;
    }
    if (draft->card_in[card] != NULL) {
        /* An entry that wrongly has two kinds is one card with two identifiers. */
        if (draft->card_in[card]->number == id)
            draft_repeats(draft, entry, NULL, id, draft->card_in[card]);
        return;
    }
    draft->card_in[card] = entry;
    draft->deck[draft->deck_count++] = (uint16_t) card;
    location->deck_count++;
}

void draft_read_decks(struct draft *draft)
{
    for (uint32_t i = 0; i < draft->locations; i++) {
        struct dead_location *location = &draft->location[i].is;
        const struct value   *deck = draft->location[i].deck;
        location->deck_first = (uint16_t) draft->deck_count;
        if (deck == NULL)
            continue;
        for (const struct value *entry = deck->first;
             entry != NULL && entry->index < DEAD_CARDS_MAX; entry = entry->next)
            lay_card(draft, location, entry);
    }
}
