/* dead_sentences_test.c: what is said of each mistake in a set-up, word for word, and said once. */
#include "games/dead/tests/dead_changes_test.h"

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
      { { IN_ALL, "/locations/0/cards/-", "0", NULL } },
      "/locations/0/cards/15 is 0, must be at least 1\n" },
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
      { { IN_ALL, "/cards/-", "{'knife':{'identifier':'47'}}", NULL } },
      "/cards/46/knife is not a key here; allowed are food, stuff, medicine, fuel, lock, scissors, "
      "hammer, snow_boots, blueprint, colt, swab\n" },
    { "base",
      { { IN_ALL, "/cards/-", "{'knife':{'identifier':0}}", NULL } },
      "/cards/46/knife is not a key here; allowed are food, stuff, medicine, fuel, lock, scissors, "
      "hammer, snow_boots, blueprint, colt, swab\n" },
    { "base",
      { { IN_ALL, "/cards/-", "{'knife':{'identifier':2147483648}}", NULL } },
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
      "/goal/barricades is 1000001, must be at most 27: three for each entrance there is\n" },
    { "base",
      { { IN_ALL, "/goal/survive", NULL, NULL },
        { IN_ALL, "/goal/locationWithZombies", "1000001", NULL } },
      "/goal/locationWithZombies is 1000001, must be at most 3, the number of locations with the "
      "colony\n" },
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
      "/locations/2/identifier is 0, must be at least 1\n" },
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
    { "base", { { IN_ALL, "/goal", NULL, NULL } }, "/goal is missing, must be an object\n" },
    { "crossroads",
      { { IN_ALL, "/locations/0/identifier", "1", NULL },
        { IN_ALL, "/characters/6/ability/search/location", "1", NULL } },
      "/crossroads/3/equip/consequence/spawnZombies/locationId names location 30, must name one of "
      "the 3 that are in locations\n" },
    { "base",
      { { IN_ALL, "/characters/6/ability/search/location", "1", NULL } },
      "/characters/6/ability/search/location names location 1, must name one of the 3 that are in "
      "locations\n" },
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

static void no_set_up_at_all_is_a_fault(void **unused)
{
    (void) unused;
    memset(&log_, 0, sizeof log_);
    log_.faults.report = note;
    assert_int_equal(dead_configure(NULL, NULL, block, sizeof block, &log_.faults), 0);
    assert_string_equal(log_.seen, " is no set-up\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mistake_has_its_sentence),
        cmocka_unit_test(no_set_up_at_all_is_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
