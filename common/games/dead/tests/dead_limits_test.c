/* dead_limits_test.c: every rule of players, goal, locations and cards at both sides of its limit,
 * in every edition. Each case makes one change to a set-up that stands exactly at the limits. */
#include "games/dead/tests/dead_changes_test.h"

static const struct change changes[] = {
    { IN_ALL, "", "[]", "" },
    { IN_ALL, "", "null", "" },
    { IN_ALL, "/more", "1", "/more" },
    { IN_OTHERS, "/crossroads", "[]", "/crossroads" },

    /* Players. Four would want more of everything. */
    { IN_ALL, "/maxPlayers", "1", NULL },
    { IN_ALL, "/maxPlayers", "3.0", NULL },
    { IN_ALL, "/maxPlayers", "0", "/maxPlayers" },
    { IN_ALL, "/maxPlayers", "-1", "/maxPlayers" },
    { IN_ALL, "/maxPlayers", "2.5", "/maxPlayers" },
    { IN_ALL, "/maxPlayers", "'3'", "/maxPlayers" },
    { IN_ALL, "/maxPlayers", "true", "/maxPlayers" },
    { IN_ALL, "/maxPlayers", "null", "/maxPlayers" },
    { IN_ALL, "/maxPlayers", "17", "/maxPlayers" },
    { IN_ALL, "/maxPlayers", NULL, "/maxPlayers" },
    { IN_ALL, "/maxPlayers", "4",
      "/characters|/locations/*/cards|/locations/*/colony/startCards|/crossroads" },
    { IN_ALL, "/characters/7", NULL, "/characters" },
    { IN_ALL, "/locations/0/cards/0", NULL, "/locations/0/cards" },
    { IN_ALL, "/locations/0/cards/-", "46", NULL },
    { IN_ALL, "/locations/2/cards/14", NULL, "/locations/2/cards" },
    { IN_ALL, "/locations/1/colony/startCards/3", NULL, "/locations/1/colony/startCards" },
    { IN_ALL, "/locations/1/colony/startCards/-", "46", NULL },

    /* Goal. */
    { IN_ALL, "/goal", "3", "/goal" },
    { IN_ALL, "/goal/rounds", "1", NULL },
    { IN_ALL, "/goal/rounds", "0", "/goal/rounds" },
    { IN_ALL, "/goal/rounds", "3", "/crises|/crossroads" },
    { IN_ALL, "/goal/rounds", NULL, "/goal/rounds" },
    { IN_ALL, "/goal/moral", "1", NULL },
    { IN_ALL, "/goal/moral", "0", "/goal/moral" },
    { IN_ALL, "/goal/moral", "1000000", NULL },
    { IN_ALL, "/goal/moral", "1000001", "/goal/moral" },
    { IN_ALL, "/goal/moral", NULL, "/goal/moral" },
    { IN_ALL, "/goal/zombiesColony", "0", NULL },
    { IN_ALL, "/goal/zombiesColony", "-1", "/goal/zombiesColony" },
    { IN_ALL, "/goal/zombiesColony", "12", NULL },
    { IN_ALL, "/goal/zombiesColony", "13", "/goal/zombiesColony" },
    { IN_ALL, "/goal/zombiesColony", NULL, "/goal/zombiesColony" },
    { IN_ALL, "/goal/zombiesLocations", "0", NULL },
    { IN_ALL, "/goal/zombiesLocations", "-1", "/goal/zombiesLocations" },
    { IN_ALL, "/goal/zombiesLocations", "6", NULL },
    { IN_ALL, "/goal/zombiesLocations", "7", "/goal/zombiesLocations" },
    { IN_ALL, "/goal/zombiesLocations", NULL, "/goal/zombiesLocations" },
    { IN_ALL, "/goal/childrenInColony", "0", NULL },
    { IN_ALL, "/goal/childrenInColony", "-1", "/goal/childrenInColony" },
    { IN_ALL, "/goal/childrenInColony", "500", NULL },
    { IN_ALL, "/goal/childrenInColony", "501", "/goal/childrenInColony" },
    { IN_ALL, "/goal/childrenInColony", NULL, "/goal/childrenInColony" },
    { IN_ALL, "/goal/survive", "false", NULL },
    { IN_ALL, "/goal/survive", "1", "/goal/survive" },
    { IN_ALL, "/goal/survive", NULL, "/goal" },
    { IN_ALL, "/goal/barricades", "1", "/goal" },
    { IN_ALL, "/goal/locationWithZombies", "1", "/goal" },
    { IN_ALL, "/goal/more", "1", "/goal/more" },

    /* Locations. */
    { IN_ALL, "/locations", "{}", "/locations" },
    { IN_ALL, "/locations/1", NULL, "/locations" },
    { IN_ALL, "/locations/-", "7", "/locations/3" },
    { IN_ALL, "/locations/-", "{}",
      "/locations/3/name|/locations/3/identifier|/locations/3/entrances"
      "|/locations/3/survivorSpaces|/locations/3/cards" },
    { IN_ALL, "/locations/-", "{'colony':7}", "/locations/3/colony|/locations/3" },
    { IN_ALL, "/locations/-", "{'colony':{'identifier':9,'entrances':1,'startCards':[46]}}",
      "/locations/3/colony|/locations/3/colony/startCards" },
    { IN_ALL, "/locations/0/name", NULL, "/locations/0/name" },
    { IN_ALL, "/locations/0/name", "7", "/locations/0/name" },
    { IN_ALL, "/locations/0/name", "''", NULL },
    { IN_ALL, "/locations/0/identifier", "31",
      "/characters/6/ability/search/location"
      "|/crossroads/3/equip/consequence/spawnZombies/locationId" },
    { IN_ALL, "/locations/2/identifier", NULL, "/locations/2/identifier" },
    { IN_ALL, "/locations/2/identifier", "0", "/locations/2/identifier" },
    { IN_ALL, "/locations/2/identifier", "20",
      "/locations/2/identifier|/characters/7/ability/kill/locationId" },
    { IN_ALL, "/locations/1/colony/identifier", "30",
      "/locations/1/colony/identifier|/crossroads/0/barricaded/locationId" },
    { IN_ALL, "/locations/0/entrances", "1", NULL },
    { IN_ALL, "/locations/0/entrances", "0", "/locations/0/entrances" },
    { IN_ALL, "/locations/0/entrances", "64", NULL },
    { IN_ALL, "/locations/0/entrances", "65", "/locations/0/entrances" },
    { IN_ALL, "/locations/0/entrances", "1.5", "/locations/0/entrances" },
    { IN_ALL, "/locations/0/entrances", NULL, "/locations/0/entrances" },
    { IN_ALL, "/locations/0/survivorSpaces", "1", NULL },
    { IN_ALL, "/locations/0/survivorSpaces", "0", "/locations/0/survivorSpaces" },
    { IN_ALL, "/locations/0/survivorSpaces", NULL, "/locations/0/survivorSpaces" },
    { IN_ALL, "/locations/0/cards", NULL, "/locations/0/cards" },
    { IN_ALL, "/locations/0/cards", "[]", "/locations/0/cards" },
    { IN_ALL, "/locations/0/more", "1", "/locations/0/more" },
    { IN_ALL, "/locations/0/startCards", "[]", "/locations/0/startCards" },
    { IN_ALL, "/locations/1/colony/entrances", "1", NULL },
    { IN_ALL, "/locations/1/colony/entrances", "0", "/locations/1/colony/entrances" },
    { IN_ALL, "/locations/1/colony/entrances", NULL, "/locations/1/colony/entrances" },
    { IN_ALL, "/locations/1/colony/startCards", NULL, "/locations/1/colony/startCards" },
    { IN_ALL, "/locations/1/colony/name", "'Home'", "/locations/1/colony/name" },
    { IN_ALL, "/locations/1/name", "'Home'", "/locations/1/name" },

    /* Decks. */
    { IN_ALL, "/locations/0/cards/-", "1", "/locations/0/cards/15" },
    { IN_ALL, "/locations/0/cards/-", "45", "/locations/0/cards/15" },
    { IN_ALL, "/locations/0/cards/-", "47", "/locations/0/cards/15" },
    { IN_ALL, "/locations/0/cards/-", "0", "/locations/0/cards/15" },
    { IN_ALL, "/locations/0/cards/-", "'46'", "/locations/0/cards/15" },
    { IN_ALL, "/locations/0/cards/-", "46.0", NULL },
    { IN_ALL, "/locations/0/cards/-", "46.5", "/locations/0/cards/15" },

    /* Cards. */
    { IN_ALL, "/cards", NULL, "/cards" },
    { IN_ALL, "/cards/-", "{'lock':{'identifier':47}}", NULL },
    { IN_ALL, "/cards/-", "{'scissors':{'identifier':47}}", NULL },
    { IN_ALL, "/cards/-", "{'stuff':{'identifier':47}}", NULL },
    { IN_ALL, "/cards/-", "{'fuel':{'identifier':47}}", NULL },
    { IN_ALL, "/cards/-", "{'medicine':{'identifier':47}}", NULL },
    { IN_ALL, "/cards/-", "{'hammer':{'identifier':47}}", NULL },
    { IN_ALL, "/cards/-", "{'snow_boots':{'identifier':47}}", NULL },
    { IN_ALL, "/cards/-", "{'colt':{'identifier':47}}", NULL },
    { IN_ALL, "/cards/-", "{'swab':{'identifier':2147483647}}", NULL },
    { IN_ALL, "/cards/-", "{'swab':{'identifier':2147483648}}", "/cards/46/swab/identifier" },
    { IN_ALL, "/cards/-", "{'swab':{'identifier':0}}", "/cards/46/swab/identifier" },
    { IN_ALL, "/cards/-", "{'swab':{'identifier':46}}", "/cards/46/swab/identifier" },
    { IN_ALL, "/cards/-", "{'swab':{}}", "/cards/46/swab/identifier" },
    { IN_ALL, "/cards/-", "{'swab':4}", "/cards/46/swab" },
    { IN_ALL, "/cards/-", "{'lock':{'identifier':47,'amount':1}}", "/cards/46/lock/amount" },
    { IN_ALL, "/cards/-", "{'food':{'identifier':47,'amount':1}}", NULL },
    { IN_ALL, "/cards/-", "{'food':{'identifier':47,'amount':0}}", "/cards/46/food/amount" },
    { IN_ALL, "/cards/-", "{'food':{'identifier':47}}", "/cards/46/food/amount" },
    { IN_ALL, "/cards/-", "{'blueprint':{'identifier':47,'location':20}}", NULL },
    { IN_ALL, "/cards/-", "{'blueprint':{'identifier':47,'location':21}}",
      "/cards/46/blueprint/location" },
    { IN_ALL, "/cards/-", "{'blueprint':{'identifier':47}}", "/cards/46/blueprint/location" },
    { IN_ALL, "/cards/-", "{'Lock':{'identifier':47}}", "/cards/46/Lock" },
    { IN_ALL, "/cards/-", "{'lock':{'identifier':47},'swab':{'identifier':48}}", "/cards/46" },
    { IN_ALL, "/cards/-", "{}", "/cards/46" },
    { IN_ALL, "/cards/-", "47", "/cards/46" },
    { IN_ALL, "/cards/44", "{'axe':{'identifier':45}}", "/cards/44/axe" },
};

/* Goals of the two other kinds, against 9 entrances and 3 locations. */
static const struct {
    const char *kind, *place;
} goals[] = {
    { "'barricades':27", NULL },
    { "'barricades':28", "/goal/barricades" },
    { "'barricades':0", NULL },
    { "'barricades':true", "/goal/barricades" },
    { "'barricades':-1", NULL },
    { "'locationWithZombies':3", NULL },
    { "'locationWithZombies':4", "/goal/locationWithZombies" },
    { "'locationWithZombies':0", NULL },
    { "'locationWithZombies':-1", NULL },
    { "'locationWithZombies':0.5", "/goal/locationWithZombies" },
    { "'barricades':1,'locationWithZombies':1", "/goal" },
};

static void each_limit_holds_from_both_sides(void **unused)
{
    (void) unused;
    assert_int_equal(misjudged(changes, sizeof changes / sizeof *changes), 0);
}

static void each_goal_is_bounded_by_the_board(void **unused)
{
    (void) unused;
    int wrong = 0;
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "{'rounds':2,'moral':5,'zombiesColony':1,'zombiesLocations':1,"
                 "'childrenInColony':0,%s}",
                 goals[i].kind);
        const struct change change = { IN_ALL, "/goal", text, goals[i].place };
        for (int e = 0; e < 3; e++)
            wrong += judge(configure_json(changed(base_setup(editions[e]), &change), editions[e]),
                           goals[i].place, editions[e], goals[i].kind);
    }
    assert_int_equal(wrong, 0);
}

/* All at once: whatever is wrong is said in one run. */
static void one_run_finds_every_fault(void **unused)
{
    (void) unused;
    static const struct change wrong[] = {
        { IN_ALL, "/goal/moral", "0", "/goal/moral" },
        { IN_ALL, "/goal/more", "0", "/goal/more" },
        { IN_ALL, "/goal/zombiesColony", "13", "/goal/zombiesColony" },
        { IN_ALL, "/locations/0/entrances", "0", "/locations/0/entrances" },
        { IN_ALL, "/locations/0/name", "0", "/locations/0/name" },
        { IN_ALL, "/locations/2/cards/0", "99", "/locations/2/cards/0" },
        { IN_ALL, "/locations/2/cards/1", NULL, "/locations/2/cards" },
        { IN_ALL, "/cards/4/food/amount", "0", "/cards/4/food/amount" },
        { IN_ALL, "/cards/-", "{'blueprint':{'identifier':1,'location':1}}",
          "/cards/46/blueprint/location" },
        { IN_ALL, "/characters/6/ability/search/location", "1",
          "/characters/6/ability/search/location" },
        { IN_ALL, "/characters/0/attack", "7", "/characters/0/attack" },
        { IN_ALL, "/characters/0/status", "45", "/characters/7/status" },
        { IN_ALL, "/crises/0", "{}", "/crises/0" },
        { IN_ALL, "/crossroads/1/moved/locationId", "1", "/crossroads/1/moved/locationId" },
        { IN_ALL, "/more", "0", "/more" },
    };
    size_t  count = sizeof wrong / sizeof *wrong;
    json_t *setup = base_setup("crossroads");
    for (size_t i = 0; i < count; i++)
        setup = changed(setup, &wrong[i]);
    assert_int_equal(configure_json(setup, "crossroads"), 0);
    for (size_t i = 0; i < count; i++) {
        bool found = false;
        for (const char *line = log_.seen; *line != '\0'; line = strchr(line, '\n') + 1)
            found |= is_at(line, wrong[i].place);
        if (!found)
            fail_msg("nothing was said of %s in\n%s", wrong[i].place, log_.seen);
    }
    assert_int_equal(log_.faults.count, count + 1); /* The blueprint also repeats an identifier. */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_limit_holds_from_both_sides),
        cmocka_unit_test(each_goal_is_bounded_by_the_board),
        cmocka_unit_test(one_run_finds_every_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
