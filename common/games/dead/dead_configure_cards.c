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

static void enter_card(struct draft *draft, uint32_t id, const struct value *at)
{
    uint32_t twin = find_card(draft, id);
    if (twin != DEAD_NONE)
        draft_repeats(draft, at, "identifier", id, draft->card_at[twin]);
    draft_put_row(draft->card_row, DEAD_CARD_ROWS, id, draft->cards);
}

/* The card is known by its identifier even if its kind is not, so that the deck it lies in need not
 * be called wrong as well. */
static void enter_unknown(struct draft *draft, const struct value *entry)
{
    const struct value *inside = entry->kind == VALUE_OBJECT ? entry->first : NULL;
    const struct value *id = value_get(inside, "identifier");
    if (id != NULL && id->kind == VALUE_INT && id->number >= 1 && id->number <= INT32_MAX)
        draft_put_row(draft->card_row, DEAD_CARD_ROWS, (uint32_t) id->number, draft->cards);
}

static void read_card_fields(struct draft *draft, struct dead_card *card,
                             const struct value *object)
{
    static const char *const plain[] = { "identifier", NULL };
    static const char *const food[] = { "identifier", "amount", NULL };
    static const char *const blueprint[] = { "identifier", "location", NULL };
    const char *const       *keys = plain;

    card->id = draft_id(draft, object, "identifier");
    enter_card(draft, card->id, object); /* 0, if it could not be read, enters nothing. */
    if (card->kind == DEAD_FOOD) {
        card->amount = draft_amount(draft, object, "amount", 1);
        keys = food;
    } else if (card->kind == DEAD_BLUEPRINT) {
        card->location = (uint16_t) draft_place(draft, object, "location");
        keys = blueprint;
    }
    value_only(object, keys, draft->faults);
}

static void read_card(struct draft *draft, const struct value *entry)
{
    struct dead_card   *card = &draft->card[draft->cards];
    int                 kind;
    const struct value *object = value_choice(entry, kinds, &kind, draft->faults);

    draft->card_at[draft->cards] = object != NULL ? object : entry;
    card->location = DEAD_NONE;
    if (object == NULL) {
        enter_unknown(draft, entry);
    } else if (value_as_object(object, draft->faults)) {
        card->kind = (uint16_t) kind;
        read_card_fields(draft, card, object);
    }
    draft->cards++;
}

void draft_read_cards(struct draft *draft, const struct value *config)
{
    const struct value *list = draft_list(draft, config, "cards", DEAD_CARDS_MAX);
    if (list == NULL)
        return;
    draft->cards_known = list->count <= DEAD_CARDS_MAX;
    for (const struct value *entry = list->first; entry != NULL && draft->cards < DEAD_CARDS_MAX;
         entry = entry->next)
        read_card(draft, entry);
}

/* A card lies in one deck at most, and there once. */
static void lay_card(struct draft *draft, struct dead_location *location, const struct value *entry)
{
    uint32_t before = draft->faults->count;
    uint32_t id = (uint32_t) value_as_int(entry, 1, INT32_MAX, draft->faults);
    if (draft->faults->count > before || !draft->cards_known)
        return;
    uint32_t card = find_card(draft, id);
    if (card == DEAD_NONE) {
        fault_numbers(draft->faults, entry, NULL, "names card ", id, ", must name one of the ",
                      draft->cards, " that are in cards");
        return;
    }
    if (draft->card_in[card] != NULL) {
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
