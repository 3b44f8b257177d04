/* objectron_placements_test.c: what a set-up places itself is judged one by one, each fault alone. */
#include "games/objectron/tests/objectron_setup_test.h"

static void placements_are_judged_one_by_one(void **unused)
{
    (void) unused;
    says_one(PLACED(""), NULL, "");
    says_one(RACE("\"width\":10,\"height\":10,\"placements\":[]"), NULL, "");
    says_one(RACE("\"width\":10,\"height\":10,\"placements\":[{}]"), NULL, "needs a grid");
    says_one(DRAWN("\"placements\":7"), NULL, "must be a list of at most 1000");
    says_one(PLACED("7"), NULL, "PLACEMENT_INVALID: is a whole number, must be an object");
    says_one(PLACED("{\"id\":1}"), NULL, "kind: PLACEMENT_INVALID: is missing");
    says_one(PLACED("{\"id\":1,\"kind\":\"bomb\",\"at\":[1,0]}"), NULL,
             "must be one of light_grenade");
    says_one(PLACED("{\"id\":1,\"kind\":\"identity_disc\",\"at\":7}"), NULL, "must be a square");
    says_one(PLACED("{\"id\":1,\"kind\":\"identity_disc\",\"at\":[1]}"), NULL, "must be a square");
    says_one(PLACED("{\"id\":1,\"kind\":\"identity_disc\",\"at\":[6,0]}"), NULL,
             "PLACEMENT_INVALID: is 6, must be at most 5");
    says_one(PLACED("{\"id\":1,\"kind\":\"identity_disc\",\"at\":[2,1]}"), NULL,
             "PLACEMENT_INVALID: is on no free square");
    says_one(PLACED("{\"id\":1,\"kind\":\"identity_disc\"}"), NULL, "must be somewhere");
    says_one(PLACED("{\"id\":1,\"kind\":\"identity_disc\",\"at\":[5,0]}"), NULL, "player's start");
    says_one(PLACED("{\"id\":1,\"kind\":\"identity_disc\",\"at\":[0,0]}"), NULL, "player's start");
    says_one(PLACED("{\"id\":1000000,\"kind\":\"identity_disc\",\"at\":[1,0]}"), NULL, "");
    says_one(PLACED("{\"id\":1000001,\"kind\":\"identity_disc\",\"at\":[1,0]}"), NULL,
             "at most 1000000");
    says_one(PLACED("{\"id\":\"1\",\"kind\":\"identity_disc\",\"at\":[1,0]}"), NULL,
             "is a string, must be");
    says_one(PLACED("{\"id\":1,\"kind\":\"light_grenade\",\"in\":1,\"state\":\"active\"}"), NULL,
             "a grenade that is carried is idle");
    says_one(PLACED("{\"id\":1,\"kind\":\"light_grenade\",\"at\":[1,0],\"state\":\"new\"}"), NULL,
             "must be one of idle");
    says_one(PLACED("{\"id\":1,\"kind\":\"light_grenade\",\"at\":[1,0],\"by\":3}"), NULL,
             "at most 2");
    says_one(PLACED("{\"id\":1,\"kind\":\"teleporter\",\"at\":[1,0]}"), NULL, "dest must be");
    says_one(PLACED("{\"id\":1,\"kind\":\"teleporter\",\"at\":[1,0],\"dest\":\"1\"}"), NULL,
             "dest must");
    says_one(PLACED("{\"id\":1,\"kind\":\"teleporter\",\"at\":[1,0],\"dest\":1}"), NULL,
             "dest must");
    says_one(PLACED("{\"id\":1,\"kind\":\"teleporter\",\"at\":[1,0],\"dest\":2},"
                    "{\"id\":2,\"kind\":\"identity_disc\",\"at\":[2,0]}"),
             NULL, "dest must");
    says_one(PLACED("{\"id\":1,\"kind\":\"teleporter\",\"in\":1,\"dest\":2},"
                    "{\"id\":2,\"kind\":\"teleporter\",\"at\":[2,0],\"dest\":1}"),
             NULL, "dest must");
}

#define SEVEN                                                                                      \
    CARRIED(1)                                                                                     \
    "," CARRIED(2) "," CARRIED(3) "," CARRIED(4) "," CARRIED(5) "," CARRIED(6) "," CARRIED(7)

/* What is in an inventory from the start is as much as it holds, and no more. */
static void an_inventory_holds_what_its_limit_says(void **unused)
{
    (void) unused;
    says_of(DRAWN("\"inventory_limit\":20,\"placements\":[" SEVEN "]"), NULL, "");
    says_of(DRAWN("\"inventory_limit\":7,\"placements\":[" SEVEN "]"), NULL, "");
    says_of(DRAWN("\"inventory_limit\":1,\"placements\":[" CARRIED(1) "]"), NULL, "");
    says_of(PLACED(SEVEN), NULL, "more than he can carry");
    says_of(DRAWN("\"inventory_limit\":21,\"placements\":[" SEVEN "]"), NULL,
            "more than he can carry");
}

#define FLAGS(items)                                                                               \
    "{\"mode\":\"ctf\",\"players\":3,\"inventory_limit\":1,\"grid\":[\"1 2 3 "                     \
    "\"],\"placements\":[" items "]}"

/* A thousand things that are none, and one more. */
static void a_thousand_placements_are_read(void **unused)
{
    char text[4096];
    (void) unused;
    for (uint32_t count = 1000; count <= 1001; count++) {
        size_t used = (size_t) snprintf(text, sizeof text,
                                        "{\"mode\":\"race\",\"players\":2,\"grid\":[\"1    2\"],"
                                        "\"placements\":[7");
        for (uint32_t i = 1; i < count; i++)
            used += (size_t) snprintf(text + used, sizeof text - used, ",7");
        (void) snprintf(text + used, sizeof text - used, "]}");
        says_of(text, NULL, count == 1000 ? "must be an object" : "must be a list of at most 1000");
    }
}

static void flags_have_owners_and_few_carriers(void **unused)
{
    (void) unused;
    says_of(FLAGS("{\"id\":1,\"kind\":\"flag\",\"at\":[1,0],\"owner\":1}"), NULL, "");
    says_of(FLAGS("{\"id\":1,\"kind\":\"flag\",\"at\":[1,0]}"), NULL,
            "owner: PLACEMENT_INVALID: is missing");
    says_of(FLAGS("{\"id\":1,\"kind\":\"flag\",\"at\":[1,0],\"owner\":0}"), NULL, "at least 1");
    says_of(FLAGS("{\"id\":1,\"kind\":\"flag\",\"at\":[1,0],\"owner\":4}"), NULL, "at most 3");
    says_of(FLAGS("{\"id\":1,\"kind\":\"identity_disc\",\"in\":0}"), NULL, "at least 1");
    says_of(FLAGS("{\"id\":1,\"kind\":\"flag\",\"at\":[1,0],\"owner\":3},"
                  "{\"id\":2,\"kind\":\"flag\",\"at\":[3,0],\"owner\":3}"),
            NULL, "its owner has a flag already");
    says_of(FLAGS("{\"id\":1,\"kind\":\"flag\",\"at\":[1,0],\"owner\":1},"
                  "{\"id\":2,\"kind\":\"flag\",\"at\":[3,0],\"owner\":1}"),
            NULL, "its owner has a flag already");
    says_of(FLAGS("{\"id\":1,\"kind\":\"flag\",\"in\":1,\"owner\":1}"), NULL, "nobody carries");
    says_of(FLAGS("{\"id\":1,\"kind\":\"flag\",\"in\":1,\"owner\":2},"
                  "{\"id\":2,\"kind\":\"flag\",\"in\":1,\"owner\":3}"),
            NULL, "that is more than he can carry");
    says_of(FLAGS("{\"id\":901,\"kind\":\"identity_disc\",\"at\":[1,0]}"), NULL, "ids from 901");
}

#define CORNER(items) RACE("\"grid\":[\"1#2\",\"   \"],\"placements\":[" items "]")
#define DISC(where) "{\"id\":1,\"kind\":\"identity_disc\"," where "}"
#define GRENADE(more) "{\"id\":1,\"kind\":\"light_grenade\"," more "}"

/* What follows from a fault is none: the first squares, a start and a wall, are not held against it. */
static void an_item_with_one_fault_is_told_that_one(void **unused)
{
    (void) unused;
    says_one(CORNER(DISC("\"at\":7")), NULL, "must be a square, [x, y]");
    says_one(CORNER(DISC("\"at\":[1,1,1]")), NULL, "must be a square, [x, y]");
    says_one(CORNER(DISC("\"at\":[3,1]")), NULL, "is 3, must be at most 2");
    says_one(CORNER(DISC("\"at\":[0,2]")), NULL, "is 2, must be at most 1");
    says_one(CORNER(DISC("\"at\":[0,-1]")), NULL, "is -1, must be at least 0");
    says_one(CORNER(DISC("\"at\":[0,1],\"in\":1")), NULL, "must be somewhere");
    says_one(CORNER(DISC("\"at\":[0,1],\"colour\":1")), NULL, "is not a key here");
    says_one(CORNER("{\"id\":0,\"kind\":\"identity_disc\",\"at\":[0,1]}"), NULL, "at least 1");
    says_one(CORNER("{\"id\":2,\"kind\":\"identity_disc\",\"at\":[0,1]},"
                    "{\"id\":2,\"kind\":\"light_grenade\",\"at\":[1,1]}"),
             NULL, "its id is taken");
    says_one(CORNER(GRENADE("\"at\":7,\"state\":\"active\"")), NULL, "must be a square, [x, y]");
    says_one(CORNER(GRENADE("\"in\":1,\"state\":\"new\"")), NULL, "must be one of idle");
    says_one(CORNER(GRENADE("\"at\":[0,1],\"state\":\"placed\"")), NULL, "needs by, who placed it");
    says_one(CORNER(GRENADE("\"at\":[0,1],\"state\":\"placed\",\"by\":0")), NULL, "at least 1");
    says_one(CORNER(GRENADE("\"in\":2,\"state\":\"placed\",\"by\":1")), NULL,
             "a grenade that is carried is idle");
    says_one(CORNER("{\"id\":1,\"kind\":\"teleporter\",\"at\":7,\"dest\":2},"
                    "{\"id\":2,\"kind\":\"teleporter\",\"at\":[0,1],\"dest\":1}"),
             NULL, "must be a square, [x, y]");
    says_one(CORNER("{\"id\":1,\"kind\":\"identity_disc\",\"at\":[0,1]},"
                    "{\"id\":2,\"kind\":\"identity_disc\",\"at\":[0,1]}"),
             NULL, "is the second of its kind on the square");
}

#define TRIO(items)                                                                                \
    CTF("3", "\"inventory_limit\":6,\"grid\":[\"1 2 3 \"],\"placements\":[" items "]")

static void nobody_carries_two_flags(void **unused)
{
    (void) unused;
    says_one(TRIO("{\"id\":1,\"kind\":\"flag\",\"in\":2,\"owner\":1},"
                  "{\"id\":2,\"kind\":\"flag\",\"in\":2,\"owner\":3}"),
             NULL, "nobody carries his own flag, or two");
    says_one(TRIO("{\"id\":1,\"kind\":\"flag\",\"in\":3,\"owner\":2},"
                  "{\"id\":2,\"kind\":\"flag\",\"in\":3,\"owner\":1}"),
             NULL, "nobody carries his own flag, or two");
    says_one(TRIO("{\"id\":1,\"kind\":\"flag\",\"in\":3,\"owner\":3}"), NULL,
             "nobody carries his own flag, or two");
    says_one(TRIO("{\"id\":1,\"kind\":\"flag\",\"in\":2,\"owner\":1},"
                  "{\"id\":2,\"kind\":\"flag\",\"in\":1,\"owner\":2},"
                  "{\"id\":3,\"kind\":\"flag\",\"in\":2,\"owner\":3}"),
             NULL, "nobody carries his own flag, or two");
    says_one(TRIO("{\"id\":1,\"kind\":\"flag\",\"in\":2,\"owner\":1},"
                  "{\"id\":2,\"kind\":\"flag\",\"in\":1,\"owner\":2},"
                  "{\"id\":3,\"kind\":\"flag\",\"at\":[1,0],\"owner\":3}"),
             NULL, "");
    says_one(TRIO("{\"id\":902,\"kind\":\"identity_disc\",\"at\":[1,0]}"), NULL, "ids from 901");
    says_one(TRIO("{\"id\":900,\"kind\":\"identity_disc\",\"at\":[1,0]}"), NULL, "");
    says_one(TRIO("{\"id\":904,\"kind\":\"identity_disc\",\"at\":[1,0]}"), NULL, "");
}

/* In the set-up\"s order, and behind them the flags that are missing, at home. */
static void what_is_placed_is_compiled_as_it_is_written(void **unused)
{
    static const struct objectron_placement placed[] = {
        { 7, OBJECTRON_GRENADE, 1, -1, OBJECTRON_PLACED, 2, 0, -1 },
        { 3, OBJECTRON_GRENADE, 3, -1, OBJECTRON_IDLE, -1, 0, -1 },
        { 4, OBJECTRON_DISC, -1, 1, 0, -1, 0, -1 },
        { 5, OBJECTRON_TELEPORTER, 1, -1, 0, -1, 6, -1 },
        { 6, OBJECTRON_TELEPORTER, 5, -1, 0, -1, 5, -1 },
        { 8, OBJECTRON_FLAG, 3, -1, 0, -1, 0, 1 },
        { 901, OBJECTRON_FLAG, 0, -1, 0, -1, 0, 0 },
        { 903, OBJECTRON_FLAG, 4, -1, 0, -1, 0, 2 },
    };
    const struct objectron_setup *setup = compiled(
        TRIO("{\"id\":7,\"kind\":\"light_grenade\",\"at\":[1,0],\"state\":\"placed\",\"by\":3},"
             "{\"id\":3,\"kind\":\"light_grenade\",\"at\":[3,0]},"
             "{\"id\":4,\"kind\":\"identity_disc\",\"in\":2},"
             "{\"id\":5,\"kind\":\"teleporter\",\"at\":[1,0],\"dest\":6},"
             "{\"id\":6,\"kind\":\"teleporter\",\"at\":[5,0],\"dest\":5},"
             "{\"id\":8,\"kind\":\"flag\",\"at\":[3,0],\"owner\":2}"));
    (void) unused;
    assert_int_equal(setup->placements, sizeof placed / sizeof *placed);
    assert_memory_equal(objectron_placements(setup), placed, sizeof placed);
    assert_memory_equal(objectron_letters(setup), "      ", 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(placements_are_judged_one_by_one),
        cmocka_unit_test(an_inventory_holds_what_its_limit_says),
        cmocka_unit_test(a_thousand_placements_are_read),
        cmocka_unit_test(flags_have_owners_and_few_carriers),
        cmocka_unit_test(an_item_with_one_fault_is_told_that_one),
        cmocka_unit_test(nobody_carries_two_flags),
        cmocka_unit_test(what_is_placed_is_compiled_as_it_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
