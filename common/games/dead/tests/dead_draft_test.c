/* dead_draft_test.c: a set-up is read as far as there is room for it, to the last entry. The
 * compiled set-up is as large as what it holds. */
#include "games/dead/tests/dead_changes_test.h"

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

/* As many locations and fate cards as there may be. */
static json_t *full_setup(void)
{
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
    return setup;
}

static void there_is_room_for_as_many_locations_and_fate_cards_as_are_allowed(void **unused)
{
    (void) unused;
    if (configure_json(full_setup(), "crossroads") == 0)
        fail_msg("%s", log_.seen);
    const struct dead_setup *dead = (const void *) block;
    assert_int_equal(dead->locations.count, DEAD_LOCATIONS_MAX);
    assert_int_equal(dead->entrances, 9 + 61 * 64);
    for (uint32_t i = 3; i < DEAD_LOCATIONS_MAX; i++)
        assert_int_equal(dead_location(dead, i)->id, 1000 - 63 + i);
    for (uint32_t i = 0; i < dead->cards.count; i++) /* Which the draft keeps behind the places. */
        assert_int_equal(dead_card(dead, i)->amount, i < 46 && i % 5 == 4 ? 3 : 0);
    assert_int_equal(dead->fates.count, DEAD_FATES_MAX);
    assert_int_equal(dead_fate(dead, DEAD_FATES_MAX - 1)->outcome[0].amount, DEAD_FATES_MAX);
}

/* What names something of a full list is still held to it. */
static void what_is_not_in_a_full_list_is_missed(void **unused)
{
    (void) unused;
    static const struct change place = { IN_ALL,
                                         "/crossroads/3/equip/consequence/spawnZombies/locationId",
                                         "7", NULL };
    static const struct change card = { IN_ALL, "/locations/0/cards/-", "7777", NULL };
    json_t                    *setup = base_setup("base"), *cards = json_object_get(setup, "cards");
    assert_int_equal(configure_json(changed(full_setup(), &place), "crossroads"), 0);
    assert_true(faults_are_at(place.at));
    for (int id = 47; id <= DEAD_CARDS_MAX; id++) {
        char text[64];
        snprintf(text, sizeof text, "{'fuel':{'identifier':%d}}", id);
        json_array_append_new(cards, of_text(text));
    }
    assert_int_equal(configure_json(changed(setup, &card), "base"), 0);
    assert_true(faults_are_at("/locations/0/cards/15"));
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

/* Nothing is wasted. There are the arrays, and tables of at least two rows an entry in a power of
 * two. Then 45 cards of decks and 26 bytes of names, these two rounded up to four. */
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
        cmocka_unit_test(of_too_long_a_list_only_what_there_is_room_for_is_read),
        cmocka_unit_test(there_is_room_for_as_many_locations_and_fate_cards_as_are_allowed),
        cmocka_unit_test(what_is_not_in_a_full_list_is_missed),
        cmocka_unit_test(what_is_left_out_is_false_and_what_is_said_is_kept),
        cmocka_unit_test(identifiers_that_share_a_row_are_told_apart),
        cmocka_unit_test(a_die_of_less_than_one_is_none),
        cmocka_unit_test(a_block_is_as_large_as_what_it_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
