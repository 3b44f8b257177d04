/* quests_configure.c: reading a set-up, and taking rigged cards out of the decks. */
#include "games/quests/quests_rules.h"

#include <string.h>

static const char *const players[] = { "P1", "P2", "P3", "P4", NULL };
static const char *const fills[] = { "shuffled", "ordered", "none", NULL };
static const char *const deck_keys[] = { "adventure_deck", "event_deck" };
static const char *const fill_keys[] = { "adventure_fill", "event_fill" };
static const char *const discard_keys[] = { "adventure_discard", "event_discard" };

/* Who could lay the cards would win: these need a table that says it is a test. */
static const char *const rigging_keys[] = {
    "hands",          "shields",           "adventure_deck",
    "adventure_fill", "adventure_discard", "event_deck",
    "event_fill",     "event_discard",     NULL,
};

static const char *const keys[] = {
    "players",           "winning_shields", "hand_limit", "seed",           "sponsor_redraw_on_win",
    "first_player",      "hands",           "shields",    "adventure_deck", "adventure_fill",
    "adventure_discard", "event_deck",      "event_fill", "event_discard",  NULL,
};

/* A set-up being read: `left` is what has not been rigged to lie somewhere. */
struct reading {
    struct quests_setup setup;
    uint16_t            left[QUESTS_DECKS][QUESTS_CARDS];
    struct faults      *faults;
};

/* A card out of the full deck; 0 and a fault if there is none such, or not so many. */
static uint32_t read_card(struct reading *read, const struct value *value, enum quests_deck deck)
{
    int which = value_word(value, quests_card_names[deck], read->faults);
    if (which < 0)
        return 0;
    uint32_t card = (uint32_t) which + 1;
    if (read->left[deck][card] == 0) {
        fault_numbers(read->faults, value, NULL, "is one more of its kind than the ",
                      quests_copies[deck][card], " there are in all; leave out ", 1,
                      ", wherever it lies");
        return 0;
    }
    read->left[deck][card]--;
    return card;
}

static void read_hand(struct reading *read, const struct value *hands, uint32_t seat)
{
    const struct value *hand = value_list(hands, players[seat], read->faults);
    if (hand == NULL)
        return;
    read->setup.dealt &= ~(1u << seat);
    if (hand->count > QUESTS_HAND) {
        fault_numbers(read->faults, hand, NULL, "has ", hand->count, " cards, may have at most ",
                      QUESTS_HAND, "");
        return;
    }
    for (const struct value *card = hand->first; card != NULL; card = card->next)
        read->setup.hand[seat][read_card(read, card, QUESTS_ADVENTURE)]++;
}

static void read_hands(struct reading *read, const struct value *config)
{
    read->setup.dealt = (1u << QUESTS_SEATS) - 1;
    if (value_get(config, "hands") == NULL)
        return;
    const struct value *hands = value_object(config, "hands", read->faults);
    if (hands == NULL)
        return;
    value_only(hands, players, read->faults);
    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++)
        if (value_get(hands, players[seat]) != NULL)
            read_hand(read, hands, seat);
}

static void read_shields(struct reading *read, const struct value *config)
{
    if (value_get(config, "shields") == NULL)
        return;
    const struct value *shields = value_object(config, "shields", read->faults);
    if (shields == NULL)
        return;
    value_only(shields, players, read->faults);
    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++)
        read->setup.shields[seat] =
            (uint32_t) value_int_or(shields, players[seat], 0, QUESTS_SHIELDS_MAX, 0, read->faults);
}

static void read_pile(struct reading *read, const struct value *config, const char *key,
                      enum quests_deck deck, struct quests_pile *pile)
{
    if (value_get(config, key) == NULL)
        return;
    const struct value *list = value_list(config, key, read->faults);
    for (const struct value *at = list != NULL ? list->first : NULL; at != NULL; at = at->next) {
        uint32_t card = read_card(read, at, deck);
        if (card != 0)
            quests_put(pile, card);
    }
}

static uint32_t read_word(struct reading *read, const struct value *config, const char *key,
                          const char *const *words)
{
    const struct value *value = value_get(config, key);
    int                 which = value != NULL ? value_word(value, words, read->faults) : 0;
    return which > 0 ? (uint32_t) which : 0;
}

/* What is left lies under the top, or, with "none", is not in the game. */
static void lay_the_rest(struct reading *read, enum quests_deck deck)
{
    for (uint32_t card = 1; card < QUESTS_CARDS; card++) {
        uint32_t left = read->left[deck][card];
        bool     out = read->setup.fill[deck] == QUESTS_NONE;
        read->setup.total[deck][card] = (uint16_t) (quests_copies[deck][card] - (out ? left : 0));
        for (uint32_t i = 0; !out && i < left; i++)
            quests_put(&read->setup.under[deck], card);
    }
}

/* Enough to deal from, and an event card for every turn. */
static void judge_decks(struct reading *read, const struct value *config)
{
    const struct quests_setup *setup = &read->setup;
    uint32_t                   needed = 0;

    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++)
        needed += quests_has(setup->dealt, seat) ? QUESTS_HAND : 0;
    uint32_t there =
        (uint32_t) setup->top[QUESTS_ADVENTURE].count + setup->under[QUESTS_ADVENTURE].count;
    if (there < needed)
        fault_numbers(read->faults, config, NULL, "leaves ", there,
                      " cards in the adventure deck, but there are ", needed, " to deal");
    if (setup->top[QUESTS_EVENT].count + setup->under[QUESTS_EVENT].count +
            setup->discard[QUESTS_EVENT].count ==
        0)
        fault(read->faults, config, "event_fill",
              "leaves no event card at all; name one in event_deck or event_discard");
}

/* Taken out of the full decks in this order: hands, piles, decks. */
static void read_cards(struct reading *read, const struct value *config)
{
    struct quests_setup *setup = &read->setup;

    for (uint32_t deck = 0; deck < QUESTS_DECKS; deck++)
        for (uint32_t card = 0; card < QUESTS_CARDS; card++)
            read->left[deck][card] = quests_copies[deck][card];
    read_hands(read, config);
    for (uint32_t deck = 0; deck < QUESTS_DECKS; deck++) {
        read_pile(read, config, discard_keys[deck], deck, &setup->discard[deck]);
        read_pile(read, config, deck_keys[deck], deck, &setup->top[deck]);
        setup->fill[deck] = read_word(read, config, fill_keys[deck], fills);
        lay_the_rest(read, deck);
    }
}

static void read_numbers(struct reading *read, const struct value *config)
{
    struct quests_setup *setup = &read->setup;
    struct faults       *faults = read->faults;

    value_int_or(config, "players", QUESTS_SEATS, QUESTS_SEATS, QUESTS_SEATS, faults);
    setup->winning_shields =
        (uint32_t) value_int_or(config, "winning_shields", 1, QUESTS_SHIELDS_MAX, 7, faults);
    setup->hand_limit =
        (uint32_t) value_int_or(config, "hand_limit", 1, QUESTS_HAND, QUESTS_HAND, faults);
    setup->has_seed = value_get(config, "seed") != NULL;
    setup->seed = (uint64_t) value_int_or(config, "seed", INT64_MIN, INT64_MAX, 1, faults);
    setup->redraw_on_win = value_bool_or(config, "sponsor_redraw_on_win", false, faults);
    setup->first_player = read_word(read, config, "first_player", players);
}

static void judge_rigging(const struct value *config, const struct value *options,
                          struct faults *faults)
{
    bool allowed = value_bool_or(options, "rigged", false, faults);

    value_only(options, (const char *const[]){ "rigged", NULL }, faults);
    for (uint32_t i = 0; !allowed && rigging_keys[i] != NULL; i++)
        if (value_get(config, rigging_keys[i]) != NULL)
            fault(faults, config, rigging_keys[i],
                  "lays the cards; leave it out, or open a table for tests, with \"rigged\": true "
                  "in its options");
}

size_t quests_configure(const struct value *config, const struct value *options, void *setup,
                        size_t capacity, struct faults *faults)
{
    struct reading read = { .faults = faults };

    value_as_object(config, faults);
    value_as_object(options, faults);
    value_only(config, keys, faults);
    judge_rigging(config, options, faults);
    read_numbers(&read, config);
    read_shields(&read, config);
    read_cards(&read, config);
    if (faults->count == 0)
        judge_decks(&read, config);
    if (faults->count > 0)
        return 0;
    if (setup != NULL && capacity >= sizeof read.setup)
        memcpy(setup, &read.setup, sizeof read.setup);
    return sizeof read.setup;
}
