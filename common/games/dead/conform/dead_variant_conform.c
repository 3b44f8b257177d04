/* dead_variant_conform.c: see dead_variant_conform.h.
 *
 * People become quick or slow and good at something else, cards and crises something else, places
 * narrow. Identifiers and decks stay as they are, so most of what comes out is valid. */
#include "games/dead/conform/dead_variant_conform.h"

#include <jansson.h>
#include <stdint.h>

#include "dice/draw.h"

static json_int_t from_to(struct dice *dice, int least, int most)
{
    return least + (json_int_t) draw_below(dice, (uint32_t) (most - least + 1));
}

static bool one_in(struct dice *dice, uint32_t so_many)
{
    return draw_below(dice, so_many) == 0;
}

static void set(json_t *object, const char *key, json_int_t number)
{
    json_object_set_new(object, key, json_integer(number));
}

static bool as(struct dice *dice)
{
    return draw_below(dice, 2) == 1;
}

/* Any place's identifier, the colony's included. */
static json_int_t a_place(const json_t *config, struct dice *dice)
{
    const json_t *places = json_object_get(config, "locations");
    const json_t *place =
        json_array_get(places, draw_below(dice, (uint32_t) json_array_size(places)));
    const json_t *colony = json_object_get(place, "colony");
    return json_integer_value(json_object_get(colony != NULL ? colony : place, "identifier"));
}

static json_int_t the_colony(const json_t *config)
{
    size_t  i;
    json_t *place;
    json_array_foreach(json_object_get(config, "locations"), i, place)
    {
        const json_t *colony = json_object_get(place, "colony");
        if (colony != NULL)
            return json_integer_value(json_object_get(colony, "identifier"));
    }
    return 0;
}

static const char *an_injury(struct dice *dice)
{
    static const char *const injuries[] = { "wound", "frostBite", "bite" };
    return injuries[draw_below(dice, 3)];
}

/* What is drawn stands in rows of its own: compilers may work out arguments in any order. */
static json_t *an_ability(const json_t *config, struct dice *dice)
{
    uint32_t    kind = draw_below(dice, 8);
    json_int_t  place = a_place(config, dice), amount = from_to(dice, 1, 3);
    json_int_t  times = from_to(dice, 1, 2), value = from_to(dice, 0, 5);
    bool        infects = as(dice), needs_child = one_in(dice, 3);
    const char *before = an_injury(dice);
    const char *after = an_injury(dice);
    /* In the colony everybody begins: what works there is used. */
    json_int_t  there = as(dice) ? place : the_colony(config);
    switch (kind) {
    case 0: return json_pack("{s:{}}", "heal");
    case 1: return json_pack("{s:{}}", "no_infection");
    case 2: return json_pack("{s:{s:I}}", "feed", "numFood", amount);
    case 3: return json_pack("{s:{s:I}}", "trash", "numCards", infects ? amount : amount + value);
    case 4:
        return json_pack("{s:{s:I, s:I}}", "barricade", "numBarricades", amount, "maxActivations",
                         times);
    case 5:
        return json_pack("{s:{s:I, s:I, s:I}}", "search", "location", place, "numCards", amount,
                         "maxActivations", times);
    case 6:
        return json_pack("{s:{s:I, s:I, s:I, s:I, s:b, s:b}}", "kill", "locationId", there,
                         "dieValue", value, "numZombies", amount, "maxActivations", times,
                         "infectionDie", infects, "children", needs_child);
    default: return json_pack("{s:{s:s, s:s}}", "wound", "before", before, "after", after);
    }
}

static void vary_people(json_t *config, struct dice *dice)
{
    size_t  i;
    json_t *one;
    json_array_foreach(json_object_get(config, "characters"), i, one)
    {
        if (!one_in(dice, 3)) {
            set(one, "attack", from_to(dice, 1, one_in(dice, 4) ? 6 : 3));
            set(one, "search", from_to(dice, 1, one_in(dice, 4) ? 6 : 3));
        }
        if (as(dice))
            json_object_set_new(one, "ability", an_ability(config, dice));
    }
}

static json_t *a_card(const json_t *config, json_int_t id, bool has_tools, struct dice *dice)
{
    static const char *const kinds[] = { "lock",   "scissors",   "stuff",     "fuel", "medicine",
                                         "hammer", "snow_boots", "blueprint", "colt", "swab" };
    uint32_t                 kind = draw_below(dice, has_tools ? 11 : 6);
    if (kind == 0)
        return json_pack("{s:{s:I, s:I}}", "food", "identifier", id, "amount", from_to(dice, 1, 5));
    if (kind == 8)
        return json_pack("{s:{s:I, s:I}}", "blueprint", "identifier", id, "location",
                         a_place(config, dice));
    return json_pack("{s:{s:I}}", kinds[kind - 1], "identifier", id);
}

static void vary_cards(json_t *config, struct dice *dice)
{
    json_t  *cards = json_object_get(config, "cards"), *card;
    size_t   i;
    bool     has_tools = !one_in(dice, 4);
    uint32_t keeps = 1 + draw_below(dice, 4);
    json_array_foreach(cards, i, card)
    {
        const json_t *inside = json_object_iter_value(json_object_iter(card));
        json_int_t    id = json_integer_value(json_object_get(inside, "identifier"));
        if (draw_below(dice, 5) >= keeps)
            json_array_set_new(cards, i, a_card(config, id, has_tools, dice));
    }
}

static void vary_crises(json_t *config, struct dice *dice)
{
    static const char *const kinds[] = { "food", "stuff", "stuff", "medicine", "fuel" };
    json_t                  *crises = json_object_get(config, "crises"), *crisis;
    size_t                   i;
    json_array_foreach(crises, i, crisis)
    {
        const json_t *inside = json_object_iter_value(json_object_iter(crisis));
        json_int_t    id = json_integer_value(json_object_get(inside, "identifier"));
        uint32_t      kind = draw_below(dice, 5);
        json_int_t    loss = from_to(dice, 1, 3), cards = from_to(dice, 1, 2);
        if (!one_in(dice, 4))
            json_array_set_new(crises, i,
                               json_pack("{s:{s:I, s:I, s:I}}", kinds[kind], "identifier", id,
                                         "moralChange", loss, "requiredCards", cards));
    }
}

static json_t *a_consequence(const json_t *config, bool may_choose, struct dice *dice)
{
    uint32_t   kind = draw_below(dice, may_choose ? 8 : 5);
    json_int_t change = from_to(dice, -3, 3), people = from_to(dice, 0, 3);
    json_int_t zombies = from_to(dice, 0, 7), place = a_place(config, dice);
    bool       has_children = as(dice);
    switch (kind) {
    case 0: return json_pack("{s:{s:I}}", "changeFood", "amount", change);
    case 1: return json_pack("{s:{s:I}}", "changeMoral", "amount", change);
    case 2:
        return json_pack("{s:{s:I, s:b}}", "spawnSurvivors", "amount", people, "children",
                         has_children);
    case 3: return json_pack("{s:{s:I}}", "spawnZombies", "amount", zombies % 5);
    case 4:
        return json_pack("{s:{s:I, s:I}}", "spawnZombies", "amount", zombies, "locationId", place);
    default: break;
    }
    json_t *one = a_consequence(config, false, dice);
    json_t *other = a_consequence(config, false, dice);
    return json_pack("{s:{s:o, s:o}}", "choice", "consequence1", one, "consequence2", other);
}

static void vary_fates(json_t *config, struct dice *dice)
{
    static const char *const triggers[] = { "barricaded", "moved", "searched", "equip" };
    json_t                  *fates = json_object_get(config, "crossroads"), *fate;
    size_t                   i;
    json_array_foreach(fates, i, fate)
    {
        const json_t *inside = json_object_iter_value(json_object_iter(fate));
        json_t       *other = json_object();
        uint32_t      kind = draw_below(dice, 6);
        if (one_in(dice, 4)) {
            json_decref(other);
            continue;
        }
        json_object_set(other, "identifier", json_object_get(inside, "identifier"));
        json_object_set_new(other, "consequence", a_consequence(config, true, dice));
        if (kind >= 4)
            set(other, "amount", from_to(dice, -2, 3));
        else if (kind < 3 && one_in(dice, 3))
            set(other, "locationId", a_place(config, dice));
        json_array_set_new(fates, i,
                           json_pack("{s:o}", kind < 4 ? triggers[kind] : "wasteChanged", other));
    }
}

static void vary_places(json_t *config, struct dice *dice)
{
    size_t  i;
    json_t *place;
    json_array_foreach(json_object_get(config, "locations"), i, place)
    {
        json_t *colony = json_object_get(place, "colony");
        if (as(dice))
            set(colony != NULL ? colony : place, "entrances", from_to(dice, 1, 4));
        if (colony == NULL && as(dice))
            set(place, "survivorSpaces", from_to(dice, 1, 4));
    }
}

/* Decks as small as may be: some will be empty before the game is over. */
static void shorten_decks(json_t *config, struct dice *dice)
{
    size_t  least = 5 * (size_t) json_integer_value(json_object_get(config, "maxPlayers"));
    size_t  i;
    json_t *place;
    json_array_foreach(json_object_get(config, "locations"), i, place)
    {
        json_t *cards = json_object_get(place, "cards");
        while (json_array_size(cards) > least)
            json_array_remove(cards, draw_below(dice, (uint32_t) json_array_size(cards)));
    }
}

static void vary_goal(json_t *config, struct dice *dice)
{
    json_t *goal = json_object_get(config, "goal");
    if (!one_in(dice, 4))
        set(goal, "moral", one_in(dice, 3) ? from_to(dice, 1, 6) : from_to(dice, 15, 70));
    if (as(dice))
        set(goal, "rounds", from_to(dice, 1, 5));
    if (as(dice))
        set(goal, "zombiesColony", from_to(dice, 0, 9));
    if (as(dice))
        set(goal, "zombiesLocations", from_to(dice, 0, 3));
    if (as(dice))
        set(goal, "childrenInColony", from_to(dice, 0, 5));
    if (as(dice))
        return;
    json_object_del(goal, "survive");
    json_object_del(goal, "barricades");
    json_object_del(goal, "locationWithZombies");
    if (one_in(dice, 4))
        json_object_set_new(goal, "survive", json_boolean(as(dice)));
    else
        set(goal, as(dice) ? "barricades" : "locationWithZombies", from_to(dice, 0, 4));
}

char *dead_variant(const char *text, bool has_fates, struct dice *dice)
{
    json_t *config = json_loads(text, 0, NULL);
    if (!json_is_object(config))
        return NULL;
    vary_goal(config, dice);
    vary_places(config, dice);
    vary_people(config, dice);
    vary_crises(config, dice);
    if (!one_in(dice, 3))
        vary_cards(config, dice);
    if (has_fates)
        vary_fates(config, dice);
    if (one_in(dice, 6))
        set(config, "maxPlayers", 1);
    if (as(dice))
        shorten_decks(config, dice);
    char *varied = json_dumps(config, JSON_INDENT(1));
    json_decref(config);
    return varied;
}
