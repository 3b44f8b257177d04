/* dead_once_test.c: a mistake in a set-up is told once, where it is, and not again where something right
 * refers to it; and none hides another one. */
#include "games/dead/tests/dead_changes_test.h"

static const struct row {
    const char   *edition;
    struct change change[3];
    const char   *said;
} rows[] = {
    /* An identifier that cannot be read may be the one that a deck names. */
    { "base",
      { { IN_ALL, "/cards/0/stuff/identifier", "2.5", NULL } },
      "/cards/0/stuff/identifier is a fraction, must be a whole number\n" },
    { "base",
      { { IN_ALL, "/cards/0/stuff/identifier", "-5", NULL } },
      "/cards/0/stuff/identifier is -5, must be at least 1\n" },
    { "base",
      { { IN_ALL, "/cards/0/stuff/identifier", NULL, NULL } },
      "/cards/0/stuff/identifier is missing, must be a whole number\n" },
    { "base",
      { { IN_ALL, "/cards/0", "{'stuff':7}", NULL } },
      "/cards/0/stuff is a whole number, must be an object\n" },
    { "base",
      { { IN_ALL, "/cards/0", "7", NULL } },
      "/cards/0 is a whole number, must be an object\n" },
    { "base",
      { { IN_ALL, "/cards/0", "{}", NULL } },
      "/cards/0 has 0 keys, must have exactly one of food, stuff, medicine, fuel, lock, scissors, "
      "hammer, snow_boots, blueprint, colt, swab\n" },
    { "base",
      { { IN_ALL, "/cards/0", "{'axe':{'identifier':0}}", NULL } },
      "/cards/0/axe is not a key here; allowed are food, stuff, medicine, fuel, lock, scissors, "
      "hammer, snow_boots, blueprint, colt, swab\n" },
    /* One of no known kind has its identifier nevertheless, and so does the deck. */
    { "base",
      { { IN_ALL, "/cards/0", "{'axe':{'identifier':1}}", NULL },
        { IN_ALL, "/locations/0/cards/-", "99", NULL } },
      "/cards/0/axe is not a key here; allowed are food, stuff, medicine, fuel, lock, scissors, "
      "hammer, snow_boots, blueprint, colt, swab\n"
      "/locations/0/cards/15 names card 99, must name one of the 46 that are in cards\n" },
    { "base",
      { { IN_ALL, "/cards/0", "{'axe':{'identifier':2147483647}}", NULL },
        { IN_ALL, "/locations/0/cards/0", "2147483647", NULL },
        { IN_ALL, "/locations/0/cards/-", "99", NULL } },
      "/cards/0/axe is not a key here; allowed are food, stuff, medicine, fuel, lock, scissors, "
      "hammer, snow_boots, blueprint, colt, swab\n"
      "/locations/0/cards/15 names card 99, must name one of the 46 that are in cards\n" },
    { "base",
      { { IN_ALL, "/cards/45/stuff/identifier", "1", NULL },
        { IN_ALL, "/locations/0/cards/-", "46", NULL } },
      "/cards/45/stuff/identifier is 1 as in /cards/0/stuff, must differ from every other\n"
      "/locations/0/cards/15 names card 46, must name one of the 46 that are in cards\n" },
    { "base",
      { { IN_ALL, "/cards/0/stuff/identifier", "99999999999999999999", NULL } },
      "/cards/0/stuff/identifier is 99999999999999999999, must be at most 2147483647\n" },
    /* What a deck names twice is wrong all the same. */
    { "base",
      { { IN_ALL, "/cards/0/stuff/identifier", "null", NULL },
        { IN_ALL, "/locations/0/cards/-", "2", NULL } },
      "/cards/0/stuff/identifier is null, must be a whole number\n"
      "/locations/0/cards/15 is 2 as in /locations/0/cards/1, must differ from every other\n" },

    /* The same of locations. */
    { "crossroads",
      { { IN_ALL, "/locations/0/identifier", "null", NULL } },
      "/locations/0/identifier is null, must be a whole number\n" },
    { "crossroads",
      { { IN_ALL, "/locations/1/colony", "7", NULL } },
      "/locations/1/colony is a whole number, must be an object\n" },
    { "crossroads",
      { { IN_ALL, "/locations/2", "7", NULL } },
      "/locations/2 is a whole number, must be an object\n" },
    { "crossroads",
      { { IN_ALL, "/locations/1", NULL, NULL }, { IN_ALL, "/goal/zombiesColony", "13", NULL } },
      "/locations has no colony, must have exactly one\n" },
    { "base",
      { { IN_ALL, "/locations/1", NULL, NULL },
        { IN_ALL, "/goal/survive", NULL, NULL },
        { IN_ALL, "/goal/barricades", "16", NULL } },
      "/locations has no colony, must have exactly one\n" },

    /* Of an object with two keys each is read. */
    { "base",
      { { IN_ALL, "/cards/0", "{'food':{'identifier':1,'amount':0},'stuff':{'identifier':47}}",
          NULL },
        { IN_ALL, "/locations/0/cards/-", "47", NULL } },
      "/cards/0 has 2 keys, must have exactly one of food, stuff, medicine, fuel, lock, scissors, "
      "hammer, snow_boots, blueprint, colt, swab\n"
      "/cards/0/food/amount is 0, must be at least 1\n" },
    { "base",
      { { IN_ALL, "/cards/0", "{'fuel':{'identifier':1},'stuff':{'identifier':1}}", NULL } },
      "/cards/0 has 2 keys, must have exactly one of food, stuff, medicine, fuel, lock, scissors, "
      "hammer, snow_boots, blueprint, colt, swab\n" },
    { "base",
      { { IN_ALL, "/cards/0", "{'fuel':{'identifier':1},'stuff':{'identifier':2}}", NULL } },
      "/cards/0 has 2 keys, must have exactly one of food, stuff, medicine, fuel, lock, scissors, "
      "hammer, snow_boots, blueprint, colt, swab\n"
      "/cards/1/stuff/identifier is 2 as in /cards/0, must differ from every other\n" },
    { "base",
      { { IN_ALL, "/cards/0", "{'fuel':{'identifier':1},'axe':{'identifier':46}}", NULL } },
      "/cards/0/axe is not a key here; allowed are food, stuff, medicine, fuel, lock, scissors, "
      "hammer, snow_boots, blueprint, colt, swab\n"
      "/cards/45/stuff/identifier is 46 as in /cards/0, must differ from every other\n" },
    { "base",
      { { IN_ALL, "/cards/0/note", "'red'", NULL },
        { IN_ALL, "/locations/0/cards/-", "47", NULL } },
      "/cards/0/note is not a key here; allowed are food, stuff, medicine, fuel, lock, scissors, "
      "hammer, snow_boots, blueprint, colt, swab\n"
      "/locations/0/cards/15 names card 47, must name one of the 46 that are in cards\n" },
    { "base",
      { { IN_ALL, "/cards/45", "{'axe':{'identifier':3}}", NULL } },
      "/cards/45/axe is not a key here; allowed are food, stuff, medicine, fuel, lock, scissors, "
      "hammer, snow_boots, blueprint, colt, swab\n"
      "/cards/45/axe/identifier is 3 as in /cards/2/stuff, must differ from every other\n" },
    { "base",
      { { IN_ALL, "/characters/0/ability", "{'heal':{'x':1},'y':0,'feed':{'numFood':-1}}", NULL } },
      "/characters/0/ability/y is not a key here; allowed are wound, heal, no_infection, feed, "
      "trash, barricade, search, kill\n"
      "/characters/0/ability has 2 keys, must have exactly one of wound, heal, no_infection, feed, "
      "trash, barricade, search, kill\n"
      "/characters/0/ability/heal/x is not a key here; no keys are allowed here\n"
      "/characters/0/ability/feed/numFood is -1, must be at least 0\n" },
    { "base",
      { { IN_ALL, "/crises/0",
          "{'food':7,'fuel':{'identifier':1,'moralChange':0,'requiredCards':1}}", NULL } },
      "/crises/0 has 2 keys, must have exactly one of food, stuff, medicine, fuel\n"
      "/crises/0/food is a whole number, must be an object\n"
      "/crises/0/fuel/moralChange is 0, must be at least 1\n" },
    { "crossroads",
      { { IN_ALL, "/crossroads/3/moved", "{'identifier':1,'consequence':{'changeFood':{}}}",
          NULL } },
      "/crossroads/3 has 2 keys, must have exactly one of barricaded, moved, searched, equip, "
      "wasteChanged\n"
      "/crossroads/3/moved/consequence/changeFood/amount is missing, must be a whole number\n"
      "/crossroads/3/moved/identifier is 1 as in /crossroads/0/barricaded, must differ from every "
      "other\n" },
    { "crossroads",
      { { IN_ALL, "/crossroads/3/moved", "7", NULL } },
      "/crossroads/3 has 2 keys, must have exactly one of barricaded, moved, searched, equip, "
      "wasteChanged\n"
      "/crossroads/3/moved is a whole number, must be an object\n" },
    { "crossroads",
      { { IN_ALL, "/crossroads/0/barricaded/consequence/changeMoral", "7", NULL } },
      "/crossroads/0/barricaded/consequence has 2 keys, must have exactly one of changeFood, "
      "changeMoral, spawnSurvivors, spawnZombies, choice\n"
      "/crossroads/0/barricaded/consequence/changeMoral is a whole number, must be an object\n" },
    { "crossroads",
      { { IN_ALL, "/crossroads/5/equip/consequence/choice/consequence1/changeMoral", "7", NULL } },
      "/crossroads/5/equip/consequence/choice/consequence1 has 2 keys, must have exactly one of "
      "changeFood, changeMoral, spawnSurvivors, spawnZombies\n"
      "/crossroads/5/equip/consequence/choice/consequence1/changeMoral is a whole number, must be "
      "an object\n" },

    /* The limit that is told is the one that holds. */
    { "base",
      { { IN_ALL, "/goal/zombiesColony", "10000000", NULL },
        { IN_ALL, "/goal/zombiesLocations", "99999999999999999999", NULL } },
      "/goal/zombiesColony is 10000000, must be at most 12: three for each entrance of the colony\n"
      "/goal/zombiesLocations is 99999999999999999999, must be at most 6: three for each entrance "
      "of the location that has the fewest\n" },
    { "base",
      { { IN_ALL, "/goal/zombiesColony", "1000001", NULL },
        { IN_ALL, "/goal/zombiesLocations", "1000001", NULL },
        { IN_ALL, "/locations", "7", NULL } },
      "/locations is a whole number, must be a list\n"
      "/goal/zombiesColony is 1000001, must be at most 1000000\n"
      "/goal/zombiesLocations is 1000001, must be at most 1000000\n" },
    { "base",
      { { IN_ALL, "/goal/survive", NULL, NULL },
        { IN_ALL, "/goal/locationWithZombies", "1000001", NULL },
        { IN_ALL, "/locations", "7", NULL } },
      "/locations is a whole number, must be a list\n"
      "/goal/locationWithZombies is 1000001, must be at most 1000000\n" },
    { "base",
      { { IN_ALL, "/goal/survive", NULL, NULL },
        { IN_ALL, "/goal/barricades", "1000001", NULL },
        { IN_ALL, "/locations", "7", NULL } },
      "/locations is a whole number, must be a list\n"
      "/goal/barricades is 1000001, must be at most 1000000\n" },
    { "base",
      { { IN_ALL, "/goal/survive", NULL, NULL }, { IN_ALL, "/goal/barricades", "-1000001", NULL } },
      "/goal/barricades is -1000001, must be at least -1000000\n" },
    { "base",
      { { IN_ALL, "/goal/zombiesColony", "null", NULL },
        { IN_ALL, "/goal/zombiesLocations", NULL, NULL } },
      "/goal/zombiesColony is null, must be a whole number\n"
      "/goal/zombiesLocations is missing, must be a whole number\n" },
    { "base",
      { { IN_ALL, "/maxPlayers", "99999999999999999999", NULL } },
      "/maxPlayers is 99999999999999999999, must be at most 16\n" },

    /* What is missing is told with what it must be. */
    { "base",
      { { IN_ALL, "/characters/0/ability", NULL, NULL },
        { IN_ALL, "/characters/1/name", NULL, NULL } },
      "/characters/0/ability is missing, must be an object\n"
      "/characters/1/name is missing, must be a string\n" },
    { "base",
      { { IN_ALL, "/characters/0/ability/wound/before", "'frostbite'", NULL },
        { IN_ALL, "/characters/0/ability/wound/after", NULL, NULL } },
      "/characters/0/ability/wound/before is \"frostbite\", must be one of wound, frostBite, bite\n"
      "/characters/0/ability/wound/after is missing, must be one of wound, frostBite, bite\n" },
    { "crossroads",
      { { IN_ALL, "/crossroads/0/barricaded/consequence", NULL, NULL },
        { IN_ALL, "/crossroads/5/equip/consequence/choice/consequence1", NULL, NULL } },
      "/crossroads/0/barricaded/consequence is missing, must be an object\n"
      "/crossroads/5/equip/consequence/choice/consequence1 is missing, must be an object\n" },
};

/* Larger numbers than jansson has must come as text: "@" stands for them in what is dumped. */
static size_t configure_row(const struct row *row)
{
    static const char huge[] = "99999999999999999999";
    char              text[TEXT_BYTES];
    json_t           *setup = base_setup(row->edition);
    for (int k = 0; k < 3 && row->change[k].at != NULL; k++) {
        struct change change = row->change[k];
        if (change.value != NULL && strcmp(change.value, huge) == 0)
            change.value = "'@'";
        setup = changed(setup, &change);
    }
    char  *dumped = json_dumps(setup, JSON_COMPACT);
    size_t used = 0;
    for (const char *at = dumped; *at != '\0'; at += strncmp(at, "\"@\"", 3) == 0 ? 3 : 1)
        used += (size_t) snprintf(text + used, sizeof text - used, "%.*s",
                                  strncmp(at, "\"@\"", 3) == 0 ? 20 : 1,
                                  strncmp(at, "\"@\"", 3) == 0 ? huge : at);
    free(dumped);
    json_decref(setup);
    return configure(text, used, row->edition);
}

static void a_mistake_is_told_once_and_hides_none(void **unused)
{
    (void) unused;
    int wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(configure_row(&rows[i]), 0);
        if (strcmp(log_.seen, rows[i].said) == 0)
            continue;
        print_error("row %zu: expected\n%scame\n%s", i, rows[i].said, log_.seen);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* One entry may wrongly have any number of keys with identifiers. The table of them does not
 * overflow, and what then has no room in it is not missed. */
static void more_identifiers_than_there_is_room_for_are_not_missed(void **unused)
{
    (void) unused;
    static const struct change named = { IN_ALL, "/locations/0/cards/-", "99999", NULL };
    json_t                    *setup = changed(base_setup("base"), &named);
    json_t *entry = json_array_get(json_object_get(setup, "cards"), 45), *extra = json_object();
    for (int id = 47; id <= 47 + DEAD_CARDS_MAX; id++) {
        char key[32], text[64];
        snprintf(key, sizeof key, "k%d", id);
        snprintf(text, sizeof text, "{'identifier':%d}", id);
        json_object_set_new(extra, key, of_text(text));
    }
    json_object_update(entry, extra);
    json_decref(extra);
    assert_int_equal(configure_json(setup, "base"), 0);
    assert_int_equal(log_.faults.count, DEAD_CARDS_MAX + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mistake_is_told_once_and_hides_none),
        cmocka_unit_test(more_identifiers_than_there_is_room_for_are_not_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
