/* dead_sentences_test.c: what is said of each mistake in a set-up, word for word, and said once. */
#include "games/dead/dead_changes_test.h"

/* One or two changes, and all that is said of them. */
static const struct {
    const char   *edition;
    struct change change[2];
    const char   *said;
} rows[] = {
    { "base",
      { { IN_ALL, "/goal/survive", NULL, NULL } },
      "/goal has 0 kinds of goal, must have 1 of survive, barricades, locationWithZombies\n" },
    { "base",
      { { IN_ALL, "/goal/barricades", "1", NULL } },
      "/goal has 2 kinds of goal, must have 1 of survive, barricades, locationWithZombies\n" },
    { "base",
      { { IN_ALL, "/goal/zombiesColony", "13", NULL } },
      "/goal/zombiesColony is 13, must be at most 12: three for each entrance of the colony\n" },
    { "base",
      { { IN_ALL, "/goal/zombiesLocations", "7", NULL } },
      "/goal/zombiesLocations is 7, must be at most 6: three for each entrance of the location "
      "that has the fewest\n" },
    { "base",
      { { IN_ALL, "/goal/barricades", "28", NULL }, { IN_ALL, "/goal/survive", NULL, NULL } },
      "/goal/barricades is 28, must be at most 27: three for each entrance there is\n" },
    { "base",
      { { IN_ALL, "/goal/locationWithZombies", "4", NULL },
        { IN_ALL, "/goal/survive", NULL, NULL } },
      "/goal/locationWithZombies is 4, must be at most 3, the number of locations with the "
      "colony\n" },
    { "base",
      { { IN_ALL, "/locations/0/cards/0", NULL, NULL } },
      "/locations/0/cards has 14 cards, must have at least 15: five for each of maxPlayers\n" },
    { "base",
      { { IN_ALL, "/characters/0", NULL, NULL } },
      "/characters has 7 characters, must have at least 8: two for each of maxPlayers and two "
      "more\n" },
    { "base",
      { { IN_ALL, "/crises/0", NULL, NULL } },
      "/crises has 1 crises, must have at least 2: one for each of goal.rounds\n" },
    { "crossroads",
      { { IN_ALL, "/crossroads/0", NULL, NULL } },
      "/crossroads has 5 fate cards, must have at least 6: one for each of maxPlayers in each of "
      "goal.rounds\n" },
    { "crossroads",
      { { IN_ALL, "/crossroads/1/moved/locationId", "11", NULL } },
      "/crossroads/1/moved/locationId names location 11, must name one of the 3 that are in "
      "locations\n" },
    { "base",
      { { IN_ALL, "/locations/0/cards/-", "47", NULL } },
      "/locations/0/cards/15 names card 47, must name one of the 46 that are in cards\n" },
    { "base",
      { { IN_ALL, "/locations/0/cards/-", "1", NULL } },
      "/locations/0/cards/15 is 1 as in /locations/0/cards/0, must differ from every other\n" },
    { "base",
      { { IN_ALL, "/cards/-", "{'swab':{'identifier':3}}", NULL } },
      "/cards/46/swab/identifier is 3 as in /cards/2/stuff, must differ from every other\n" },
    { "base",
      { { IN_ALL, "/characters/1/identifier", "1", NULL },
        { IN_ALL, "/characters/2/identifier", "1", NULL } },
      "/characters/1/identifier is 1 as in /characters/0, must differ from every other\n"
      "/characters/2/identifier is 1 as in /characters/0, must differ from every other\n" },
    { "base",
      { { IN_ALL, "/characters/1/status", "10", NULL },
        { IN_ALL, "/characters/2/status", "10", NULL } },
      "/characters/1/status is 10 as in /characters/0, must differ from every other\n"
      "/characters/2/status is 10 as in /characters/0, must differ from every other\n" },
    { "base",
      { { IN_ALL, "/crises/-", "{'food':{'identifier':-1,'moralChange':1,'requiredCards':1}}",
          NULL },
        { IN_ALL, "/crises/-", "{'food':{'identifier':-1,'moralChange':1,'requiredCards':1}}",
          NULL } },
      "/crises/2 is wholly the same as /crises/0, must differ in something\n"
      "/crises/3 is wholly the same as /crises/0, must differ in something\n" },
    { "crossroads",
      { { IN_ALL, "/crossroads/1/moved/identifier", "1", NULL },
        { IN_ALL, "/crossroads/2/searched/identifier", "1", NULL } },
      "/crossroads/1/moved/identifier is 1 as in /crossroads/0/barricaded, must differ from every "
      "other\n"
      "/crossroads/2/searched/identifier is 1 as in /crossroads/0/barricaded, must differ from "
      "every other\n" },
    { "base",
      { { IN_ALL, "/locations/2/identifier", "30", NULL } },
      "/locations/2/identifier is 30 as in /locations/0, must differ from every other\n"
      "/characters/7/ability/kill/locationId names location 10, must name one of the 3 that are in "
      "locations\n" },
    { "base",
      { { IN_ALL, "/locations/1", NULL, NULL }, { IN_ALL, "/characters/7", NULL, NULL } },
      "/locations has no colony, must have exactly one\n"
      "/characters has 7 characters, must have at least 8: two for each of maxPlayers and two "
      "more\n" },
    { "base",
      { { IN_ALL, "/locations/-", "{'colony':{'identifier':9,'entrances':4,'startCards':[]}}",
          NULL } },
      "/locations/3/colony is a second colony, must be the only one\n"
      "/locations/3/colony/startCards has 0 cards, must have at least 15: five for each of "
      "maxPlayers\n" },
    { "base",
      { { IN_ALL, "/characters/0/name", "7", NULL } },
      "/characters/0/name is a whole number, must be a string\n" },
    { "base",
      { { IN_ALL, "/characters/7/ability/kill/dieValue", "7", NULL } },
      "/characters/7/ability/kill/dieValue is 7, must be at most 6\n" },
    { "base",
      { { IN_ALL, "/cards/-", "{'knife':{'identifier':47}}", NULL } },
      "/cards/46/knife is not a key here; allowed are food, stuff, medicine, fuel, lock, scissors, "
      "hammer, snow_boots, blueprint, colt, swab\n" },
    { "base",
      { { IN_ALL, "/cards/44", "{'axe':{'identifier':45}}", NULL } },
      "/cards/44/axe is not a key here; allowed are food, stuff, medicine, fuel, lock, scissors, "
      "hammer, snow_boots, blueprint, colt, swab\n" },
    { "base",
      { { IN_ALL, "/crises/0", "{'swab':{}}", NULL } },
      "/crises/0/swab is not a key here; allowed are food, stuff, medicine, fuel\n" },
    { "crossroads",
      { { IN_ALL, "/crossroads/0", "{'slept':{}}", NULL } },
      "/crossroads/0/slept is not a key here; allowed are barricaded, moved, searched, equip, "
      "wasteChanged\n" },
    { "crossroads",
      { { IN_ALL, "/crossroads/1/moved/consequence", "{'rain':{}}", NULL } },
      "/crossroads/1/moved/consequence/rain is not a key here; allowed are changeFood, "
      "changeMoral, spawnSurvivors, spawnZombies, choice\n" },
    { "crossroads",
      { { IN_ALL, "/crossroads/5/equip/consequence/choice/consequence1", "{'choice':{}}", NULL } },
      "/crossroads/5/equip/consequence/choice/consequence1/choice is not a key here; allowed are "
      "changeFood, changeMoral, spawnSurvivors, spawnZombies\n" },
    { "base", { { IN_ALL, "", "null", NULL } }, " is null, must be an object\n" },
    { "base",
      { { IN_ALL, "/characters/0/identifier", "0", NULL },
        { IN_ALL, "/characters/1/identifier", "0", NULL } },
      "/characters/0/identifier is 0, must be at least 1\n"
      "/characters/1/identifier is 0, must be at least 1\n" },
    { "base",
      { { IN_ALL, "/characters/0/status", "'low'", NULL },
        { IN_ALL, "/characters/3/status", "'low'", NULL } },
      "/characters/0/status is a string, must be a whole number\n"
      "/characters/3/status is a string, must be a whole number\n" },
    { "base",
      { { IN_ALL, "/locations/0",
          "{'colony':{'identifier':40,'entrances':2,'startCards':[1,2,3,4,5,6,7,8,9,10,11,12,13,14,"
          "15]}}",
          NULL },
        { IN_ALL, "/characters/6/ability/search/location", "40", NULL } },
      "/locations/1/colony is a second colony, must be the only one\n" },
    { "base",
      { { IN_ALL, "/cards/0", "{'axe':{'identifier':1}}", NULL } },
      "/cards/0/axe is not a key here; allowed are food, stuff, medicine, fuel, lock, scissors, "
      "hammer, snow_boots, blueprint, colt, swab\n" },
    { "base",
      { { IN_ALL, "/cards/44", "{'axe':{'identifier':2147483647}}", NULL },
        { IN_ALL, "/locations/2/cards/14", "2147483647", NULL } },
      "/cards/44/axe is not a key here; allowed are food, stuff, medicine, fuel, lock, scissors, "
      "hammer, snow_boots, blueprint, colt, swab\n" },
    { "crossroads",
      { { IN_ALL, "/crossroads/0/barricaded/identifier", "0", NULL },
        { IN_ALL, "/crossroads/1/moved/identifier", "0", NULL } },
      "/crossroads/0/barricaded/identifier is 0, must be at least 1\n"
      "/crossroads/1/moved/identifier is 0, must be at least 1\n" },
    { "crossroads",
      { { IN_ALL, "/crossroads/1", "7", NULL },
        { IN_ALL, "/crossroads/2/searched/identifier", "-1", NULL } },
      "/crossroads/1 is a whole number, must be an object\n"
      "/crossroads/2/searched/identifier is -1, must be at least 1\n" },
    { "base",
      { { IN_ALL, "/crises/0", "7", NULL }, { IN_ALL, "/crises/1", "7", NULL } },
      "/crises/0 is a whole number, must be an object\n"
      "/crises/1 is a whole number, must be an object\n" },
    { "base",
      { { IN_ALL, "/locations/0/entrances", "0", NULL },
        { IN_ALL, "/goal/zombiesLocations", "10", NULL } },
      "/locations/0/entrances is 0, must be at least 1\n"
      "/goal/zombiesLocations is 10, must be at most 9: three for each entrance of the location "
      "that has the fewest\n" },
    { "base",
      { { IN_ALL, "/locations/0/entrances", "3", NULL },
        { IN_ALL, "/goal/zombiesLocations", "10", NULL } },
      "/goal/zombiesLocations is 10, must be at most 9: three for each entrance of the location "
      "that has the fewest\n" },
    { "base",
      { { IN_ALL, "/locations/1/colony/entrances", "0", NULL },
        { IN_ALL, "/goal/zombiesColony", "200", NULL } },
      "/locations/1/colony/entrances is 0, must be at least 1\n" },
    { "base",
      { { IN_ALL, "/locations/0/entrances", "'x'", NULL },
        { IN_ALL, "/goal",
          "{'rounds':2,'moral':5,'zombiesColony':1,'zombiesLocations':1,'childrenInColony':0,'"
          "barricades':900}",
          NULL } },
      "/locations/0/entrances is a string, must be a whole number\n" },
    { "base",
      { { IN_ALL, "/locations/2/entrances", "0", NULL },
        { IN_ALL, "/goal",
          "{'rounds':2,'moral':5,'zombiesColony':1,'zombiesLocations':1,'childrenInColony':0,'"
          "barricades':900}",
          NULL } },
      "/locations/2/entrances is 0, must be at least 1\n" },
    { "base",
      { { IN_ALL, "/goal/survive", NULL, NULL }, { IN_ALL, "/goal/barricades", "1000001", NULL } },
      "/goal/barricades is 1000001, must be at most 1000000\n" },
    { "base",
      { { IN_ALL, "/goal/survive", NULL, NULL },
        { IN_ALL, "/goal/locationWithZombies", "1000001", NULL } },
      "/goal/locationWithZombies is 1000001, must be at most 1000000\n" },
    { "base",
      { { IN_ALL, "/maxPlayers", "0", NULL }, { IN_ALL, "/characters/7", NULL, NULL } },
      "/maxPlayers is 0, must be at least 1\n" },
    { "base",
      { { IN_ALL, "/goal/rounds", "0", NULL }, { IN_ALL, "/crises", "[]", NULL } },
      "/goal/rounds is 0, must be at least 1\n" },
    { "crossroads",
      { { IN_ALL, "/maxPlayers", "17", NULL }, { IN_ALL, "/crossroads", "[]", NULL } },
      "/maxPlayers is 17, must be at most 16\n" },
    { "base",
      { { IN_ALL, "/goal/survive", NULL, NULL }, { IN_ALL, "/goal/barricades", "1000000", NULL } },
      "/goal/barricades is 1000000, must be at most 27: three for each entrance there is\n" },
    { "base",
      { { IN_ALL, "/goal/survive", NULL, NULL },
        { IN_ALL, "/goal/locationWithZombies", "1000000", NULL } },
      "/goal/locationWithZombies is 1000000, must be at most 3, the number of locations with the "
      "colony\n" },
    { "base",
      { { IN_ALL, "/locations/0/identifier", "1", NULL },
        { IN_ALL, "/locations/2/identifier", "1", NULL } },
      "/locations/2/identifier is 1 as in /locations/0, must differ from every other\n"
      "/characters/6/ability/search/location names location 30, must name one of the 3 that are in "
      "locations\n"
      "/characters/7/ability/kill/locationId names location 10, must name one of the 3 that are in "
      "locations\n" },
    { "base",
      { { IN_ALL, "/locations/0/identifier", "0", NULL },
        { IN_ALL, "/locations/2/identifier", "0", NULL } },
      "/locations/0/identifier is 0, must be at least 1\n"
      "/locations/2/identifier is 0, must be at least 1\n"
      "/characters/6/ability/search/location names location 30, must name one of the 3 that are in "
      "locations\n"
      "/characters/7/ability/kill/locationId names location 10, must name one of the 3 that are in "
      "locations\n" },
    { "base",
      { { IN_ALL, "/characters/2/identifier", "2", NULL },
        { IN_ALL, "/characters/4/status", "7", NULL } },
      "/characters/2/identifier is 2 as in /characters/1, must differ from every other\n"
      "/characters/4/status is 7 as in /characters/2, must differ from every other\n" },
    { "crossroads",
      { { IN_ALL, "/crossroads/2/searched/identifier", "2", NULL } },
      "/crossroads/2/searched/identifier is 2 as in /crossroads/1/moved, must differ from every "
      "other\n" },
    { "base",
      { { IN_ALL, "/crises/-", "{'stuff':{'identifier':-1,'moralChange':2,'requiredCards':3}}",
          NULL } },
      "/crises/2 is wholly the same as /crises/1, must differ in something\n" },
    { "base",
      { { IN_ALL, "/goal",
          "{'rounds':2,'moral':5,'zombiesColony':1,'zombiesLocations':1,'childrenInColony':0,'"
          "barricades':5}",
          NULL },
        { IN_ALL, "/locations", "7", NULL } },
      "/locations is a whole number, must be a list\n" },
    { "base", { { IN_ALL, "/goal", NULL, NULL } }, "/goal is missing\n" },
};

static void every_mistake_has_its_sentence(void **unused)
{
    (void) unused;
    int wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *setup = base_setup(rows[i].edition);
        for (int k = 0; k < 2 && rows[i].change[k].at != NULL; k++)
            setup = changed(setup, &rows[i].change[k]);
        assert_int_equal(configure_json(setup, rows[i].edition), 0);
        if (strcmp(log_.seen, rows[i].said) == 0)
            continue;
        print_error("row %zu: expected\n%scame\n%s", i, rows[i].said, log_.seen);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static json_t *list_of(json_t *setup, const char *list)
{
    json_t *colony =
        json_object_get(json_array_get(json_object_get(setup, "locations"), 1), "colony");
    return json_object_get(strcmp(list, "startCards") == 0 ? colony : setup, list);
}

/* Each entry that is read is at fault; so the faults tell how many were read. */
static void of_too_long_a_list_only_what_there_is_room_for_is_read(void **unused)
{
    (void) unused;
    static const struct {
        const char *list;
        uint32_t    good, most;
    } lists[] = {
        { "locations", 3, DEAD_LOCATIONS_MAX },   { "cards", 46, DEAD_CARDS_MAX },
        { "characters", 8, DEAD_CHARACTERS_MAX }, { "crises", 2, DEAD_CRISES_MAX },
        { "crossroads", 6, DEAD_FATES_MAX },      { "startCards", 15, DEAD_CARDS_MAX },
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        json_t *setup = base_setup("crossroads"), *list = list_of(setup, lists[i].list);
        while (json_array_size(list) <= lists[i].most)
            json_array_append_new(list, json_true());
        assert_int_equal(configure_json(setup, "crossroads"), 0);
        assert_int_equal(log_.faults.count, 1 + lists[i].most - lists[i].good);
    }
}

/* One player wants five cards in each deck. */
static json_t *place_of_five_cards(json_t *cards, int number)
{
    char text[256];
    int  first = 100 + 5 * number;
    for (int card = first; card < first + 5; card++) {
        snprintf(text, sizeof text, "{'fuel':{'identifier':%d}}", card);
        json_array_append_new(cards, of_text(text));
    }
    snprintf(text, sizeof text,
             "{'name':'','identifier':%d,'entrances':64,'survivorSpaces':1,"
             "'cards':[%d,%d,%d,%d,%d]}",
             1000 - number, first, first + 1, first + 2, first + 3, first + 4);
    return of_text(text);
}

static void there_is_room_for_as_many_locations_and_fate_cards_as_are_allowed(void **unused)
{
    (void) unused;
    static const struct change one_player = { IN_ALL, "/maxPlayers", "1", NULL };
    json_t                    *setup = changed(base_setup("crossroads"), &one_player);
    json_t                    *places = json_object_get(setup, "locations"),
           *fates = json_object_get(setup, "crossroads");
    for (int i = 0; json_array_size(places) < DEAD_LOCATIONS_MAX; i++)
        json_array_append_new(places, place_of_five_cards(json_object_get(setup, "cards"), i));
    for (int id = 7; json_array_size(fates) < DEAD_FATES_MAX; id++) {
        char text[128];
        snprintf(text, sizeof text,
                 "{'equip':{'identifier':%d,'consequence':{'changeFood':{'amount':%d}}}}", id, id);
        json_array_append_new(fates, of_text(text));
    }
    if (configure_json(setup, "crossroads") == 0)
        fail_msg("%s", log_.seen);
    const struct dead_setup *dead = (const void *) block;
    assert_int_equal(dead->locations.count, DEAD_LOCATIONS_MAX);
    assert_int_equal(dead->entrances, 9 + 61 * 64);
    for (uint32_t i = 3; i < DEAD_LOCATIONS_MAX; i++)
        assert_int_equal(dead_location(dead, i)->id, 1000 - 63 + i);
    assert_int_equal(dead->fates.count, DEAD_FATES_MAX);
    assert_int_equal(dead_fate(dead, DEAD_FATES_MAX - 1)->outcome[0].amount, DEAD_FATES_MAX);
}

static const struct dead_setup *compiled(const char *edition, const struct change *change)
{
    if (configure_json(changed(base_setup(edition), change), edition) == 0)
        fail_msg("%s", log_.seen);
    return (const void *) block;
}

/* Numbers from which a table of 4096 rows, or of any fewer, makes its last row. */
static uint32_t next_of_the_last_row(uint32_t after)
{
    do
        after++;
    while (dead_row_of(after, 2 * DEAD_CARDS_MAX) != 2 * DEAD_CARDS_MAX - 1);
    return after;
}

static void identifiers_that_share_a_row_are_told_apart(void **unused)
{
    (void) unused;
    json_t *setup = base_setup("base");
    json_t *deck = json_object_get(json_array_get(json_object_get(setup, "locations"), 0), "cards");
    uint32_t id[4] = { 100 };
    for (int i = 1; i < 4; i++) {
        char text[64];
        id[i] = next_of_the_last_row(id[i - 1]);
        snprintf(text, sizeof text, "{'fuel':{'identifier':%u}}", (unsigned) id[i]);
        json_array_append_new(json_object_get(setup, "cards"), of_text(text));
        json_array_append_new(deck, json_integer(id[i]));
    }
    if (configure_json(setup, "base") == 0)
        fail_msg("%s", log_.seen);
    const struct dead_setup *dead = (const void *) block;
    for (uint32_t i = 1; i < 4; i++) {
        assert_int_equal(dead_card_index(dead, id[i]), 45 + i);
        assert_int_equal(dead_deck_card(dead, 2, 14 + i), 45 + i);
    }
    assert_int_equal(dead_card_index(dead, next_of_the_last_row(id[3])), DEAD_NONE);
}

static void no_set_up_at_all_is_a_fault(void **unused)
{
    (void) unused;
    memset(&log_, 0, sizeof log_);
    log_.faults.report = note;
    assert_int_equal(dead_configure(NULL, NULL, block, sizeof block, &log_.faults), 0);
    assert_string_equal(log_.seen, " is no set-up\n");
}

static void what_is_left_out_is_false_and_what_is_said_is_kept(void **unused)
{
    (void) unused;
    static const char *const said[] = { NULL, "false", "true" };
    for (int i = 0; i < 3; i++) {
        const struct change die = { IN_ALL, "/characters/7/ability/kill/infectionDie", said[i],
                                    NULL };
        const struct change needs = { IN_ALL, "/characters/7/ability/kill/children", said[i],
                                      NULL };
        const struct change brings = { IN_ALL,
                                       "/crossroads/2/searched/consequence/spawnSurvivors/children",
                                       said[i], NULL };
        assert_int_equal(dead_character(compiled("base", &die), 7)->infection_die, i == 2);
        assert_int_equal(dead_character(compiled("base", &needs), 7)->children, i == 2);
        assert_int_equal(dead_fate(compiled("crossroads", &brings), 2)->outcome[0].children,
                         i == 2);
    }
}

static void a_die_of_less_than_one_is_none(void **unused)
{
    (void) unused;
    static const struct {
        const char *said;
        int         value;
    } dice[] = { { "-300", 0 }, { "-1", 0 }, { "0", 0 }, { "1", 1 }, { "6", 6 } };
    for (size_t i = 0; i < sizeof dice / sizeof *dice; i++) {
        const struct change change = { IN_ALL, "/characters/7/ability/kill/dieValue", dice[i].said,
                                       NULL };
        assert_int_equal(dead_character(compiled("base", &change), 7)->die_value, dice[i].value);
    }
}

/* Nothing is wasted: the arrays, tables of at least two rows an entry in a power of two, 45 cards of
 * decks, 26 bytes of names, these two rounded up to four. */
static void a_block_is_as_large_as_what_it_holds(void **unused)
{
    (void) unused;
    static const struct change short_name = { IN_ALL, "/characters/0/name", "'X'", NULL };
    const struct dead_setup   *dead = compiled("base", &short_name);
    assert_int_equal(dead->location_rows.count, 8);
    assert_int_equal(dead->card_rows.count, 128);
    assert_int_equal(dead->character_rows.count, 16);
    assert_int_equal(dead->texts.count, 26);
    assert_int_equal(dead->bytes, sizeof *dead + 3 * 24 + 46 * 12 + 8 * 36 + 2 * 16 +
                                      (8 + 128 + 16) * 8 + 92 + 16 + 28);
    const struct dead_character *first = dead_character(dead, 0);
    assert_int_equal(first->name_size, 1);
    assert_int_equal(*dead_name(dead, first->name_at), 'X');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mistake_has_its_sentence),
        cmocka_unit_test(of_too_long_a_list_only_what_there_is_room_for_is_read),
        cmocka_unit_test(there_is_room_for_as_many_locations_and_fate_cards_as_are_allowed),
        cmocka_unit_test(what_is_left_out_is_false_and_what_is_said_is_kept),
        cmocka_unit_test(identifiers_that_share_a_row_are_told_apart),
        cmocka_unit_test(no_set_up_at_all_is_a_fault),
        cmocka_unit_test(a_die_of_less_than_one_is_none),
        cmocka_unit_test(a_block_is_as_large_as_what_it_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
