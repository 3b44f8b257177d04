/* dead_wire_test.c: what people call the numbers of the dead's messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "games/dead/tests/dead_test.h"
#include "games/registry.h"

static void *setup;

static int open_setup(void **unused)
{
    (void) unused;
    setup = setup_of_file("standard-base", "{\"edition\": \"base\"}");
    return 0;
}

static int close_setup(void **unused)
{
    (void) unused;
    free(setup);
    return 0;
}

static void expect_called(const char *field, word value, const char *expected)
{
    size_t      size = 0;
    const char *name = registry_find("dead", 0)->called(setup, field, value, &size);
    if (expected == NULL) {
        assert_null(name);
        return;
    }
    assert_non_null(name);
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(name, expected, size);
}

static void people_places_and_kinds_of_cards_have_names(void **unused)
{
    (void) unused;
    const struct dead_setup     *dead = setup;
    const struct dead_character *somebody = dead_character(dead, 3);
    char                         name[DEAD_NAME_MAX + 1] = "";
    memcpy(name, dead_name(dead, somebody->name_at), somebody->name_size);
    assert_int_not_equal(somebody->name_size, 0);
    expect_called("character_id", somebody->id, name);
    expect_called("character_id3", somebody->id, name);
    expect_called("survivors", somebody->id, name);
    const struct dead_location *elsewhere = dead_location(dead, dead->colony == 0 ? 1 : 0);
    expect_called("location_id", dead_location(dead, dead->colony)->id, "colony");
    memset(name, 0, sizeof name);
    memcpy(name, dead_name(dead, elsewhere->name_at), elsewhere->name_size);
    assert_int_not_equal(elsewhere->name_size, 0);
    expect_called("location_id", elsewhere->id, name);
    for (uint32_t card = 0; card < dead->cards.count; card++)
        if (dead_card(dead, card)->kind == DEAD_MEDICINE)
            expect_called("card_id", dead_card(dead, card)->id, "medicine");
}

static void what_is_not_in_the_set_up_has_no_name(void **unused)
{
    (void) unused;
    static const word others[] = { ABSENT, -1, 0, 999999, INT64_MAX };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        expect_called("character_id", others[i], NULL);
        expect_called("location_id", others[i], NULL);
        expect_called("card_id", others[i], NULL);
    }
    expect_called("round", 1, NULL);
    expect_called("player", 1, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_places_and_kinds_of_cards_have_names),
        cmocka_unit_test(what_is_not_in_the_set_up_has_no_name),
    };
    return cmocka_run_group_tests(tests, open_setup, close_setup);
}
