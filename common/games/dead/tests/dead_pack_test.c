/* dead_pack_test.c: what is compiled is what was written, found by index and by identifier; what is too
 * much is refused with both numbers. */
#include "games/dead/tests/dead_changes_test.h"

static const struct dead_setup *compiled(const char *edition)
{
    size_t size = configure_json(base_setup(edition), edition);
    if (size == 0)
        fail_msg("%s", log_.seen);
    const struct dead_setup *dead = (const void *) block;
    assert_int_equal(dead->bytes, size);
    return dead;
}

static void assert_name(const struct dead_setup *dead, uint32_t at, uint32_t size, const char *name)
{
    assert_int_equal(size, strlen(name));
    assert_memory_equal(dead_name(dead, at), name, size);
}

static void the_table_is_as_written(void **unused)
{
    (void) unused;
    const struct dead_setup *dead = compiled("equipment");
    uint32_t                 least, most;
    assert_int_equal(dead->edition, DEAD_EQUIPMENT);
    assert_int_equal(dead->patience, 3);
    assert_int_equal(dead->players_max, 3);
    assert_int_equal(dead->goal, DEAD_SURVIVE);
    assert_int_equal(dead->rounds, 2);
    assert_int_equal(dead->moral, 5);
    assert_int_equal(dead->children, 2);
    assert_int_equal(dead->zombies_colony, 1);
    assert_int_equal(dead->zombies_locations, 1);
    assert_int_equal(dead->entrances, 9);
    assert_int_equal(dead->fates.count, 0);
    dead_seats(dead, &least, &most);
    assert_int_equal(least, 1);
    assert_int_equal(most, 3);
}

static void locations_ascend_by_identifier(void **unused)
{
    (void) unused;
    static const struct {
        uint32_t    id, entrances, entrance_first, spaces, first_card;
        const char *name;
    } expected[] = {
        { 10, 3, 0, 1, 31, "Mill" },
        { 20, 4, 3, 0, 16, "" },
        { 30, 2, 7, 2, 1, "Well" },
    };
    const struct dead_setup *dead = compiled("base");
    assert_int_equal(dead->locations.count, 3);
    assert_int_equal(dead->colony, 1);
    for (uint32_t i = 0; i < 3; i++) {
        const struct dead_location *location = dead_location(dead, i);
        assert_int_equal(location->id, expected[i].id);
        assert_int_equal(location->entrances, expected[i].entrances);
        assert_int_equal(location->entrance_first, expected[i].entrance_first);
        assert_int_equal(location->spaces, expected[i].spaces);
        assert_name(dead, location->name_at, location->name_size, expected[i].name);
        assert_int_equal(location->deck_count, 15);
        for (uint32_t k = 0; k < 15; k++)
            assert_int_equal(dead_card(dead, dead_deck_card(dead, i, k))->id,
                             expected[i].first_card + k);
        assert_int_equal(dead_location_index(dead, expected[i].id), i);
    }
}

static void cards_keep_their_order_and_are_found(void **unused)
{
    (void) unused;
    const struct dead_setup *dead = compiled("base");
    assert_int_equal(dead->cards.count, 46);
    for (uint32_t i = 0; i < 46; i++) {
        const struct dead_card *card = dead_card(dead, i);
        assert_int_equal(card->id, i + 1);
        assert_int_equal(card->kind, card->id % 5 == 0 ? DEAD_FOOD : DEAD_STUFF);
        assert_int_equal(card->amount, card->id % 5 == 0 ? 3 : 0);
        assert_int_equal(card->location, DEAD_NONE);
        assert_int_equal(dead_card_index(dead, card->id), i);
    }
}

static void every_kind_of_card_is_told_apart(void **unused)
{
    (void) unused;
    static const char *const kinds[] = { "food",      "stuff",    "medicine", "fuel",
                                         "lock",      "scissors", "hammer",   "snow_boots",
                                         "blueprint", "colt",     "swab" };
    for (uint32_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        char text[96];
        snprintf(text, sizeof text, "{'%s':{'identifier':77%s}}", kinds[kind],
                 kind == DEAD_FOOD        ? ",'amount':4"
                 : kind == DEAD_BLUEPRINT ? ",'location':30"
                                          : "");
        const struct change change = { IN_ALL, "/cards/-", text, NULL };
        assert_true(configure_json(changed(base_setup("base"), &change), "base") > 0);
        const struct dead_setup *dead = (const void *) block;
        const struct dead_card  *card = dead_card(dead, dead_card_index(dead, 77));
        assert_int_equal(card->kind, kind);
        assert_int_equal(card->amount, kind == DEAD_FOOD ? 4 : 0);
        assert_int_equal(card->location, kind == DEAD_BLUEPRINT ? 2 : DEAD_NONE);
        assert_int_equal(dead_is_equipment(kind), kind >= DEAD_HAMMER);
        assert_int_equal(dead_helps(kind), kind < DEAD_LOCK ? kind : DEAD_STUFF);
    }
}

static const struct {
    struct dead_character is; /* Without identifier, name and rank. */
    const char           *name;
    uint16_t              rank;
} people[] = {
#define NOWHERE .location = DEAD_NONE
    { { .status = 10,
        .attack = 1,
        .search = 6,
        .ability = DEAD_ABILITY_WOUND,
        .before = DEAD_BITE,
        .after = DEAD_FROSTBITE,
        NOWHERE },
      "Ada",
      3 },
    { { .status = -3, .attack = 6, .search = 1, .ability = DEAD_ABILITY_HEAL, NOWHERE }, "Bo", 0 },
    { { .status = 7, .attack = 2, .search = 2, .ability = DEAD_ABILITY_NO_INFECTION, NOWHERE },
      "Cy",
      2 },
    { { .status = 0, .attack = 2, .search = 2, .ability = DEAD_ABILITY_FEED, .amount = 2, NOWHERE },
      "Di",
      1 },
    { { .status = 12,
        .attack = 2,
        .search = 2,
        .ability = DEAD_ABILITY_TRASH,
        .amount = 5,
        NOWHERE },
      "Ed",
      4 },
    { { .status = 44,
        .attack = 2,
        .search = 2,
        .ability = DEAD_ABILITY_BARRICADE,
        .amount = 2,
        .activations_max = 1,
        NOWHERE },
      "Flo",
      6 },
    { { .status = 43,
        .attack = 2,
        .search = 2,
        .ability = DEAD_ABILITY_SEARCH,
        .amount = 1,
        .activations_max = 2,
        .location = 2 },
      "Gus",
      5 },
    { { .status = 45,
        .attack = 2,
        .search = 2,
        .ability = DEAD_ABILITY_KILL,
        .amount = 2,
        .activations_max = 1,
        .location = 0,
        .die_value = 3,
        .infection_die = 1 },
      "Hal",
      7 },
#undef NOWHERE
};

static void people_have_their_abilities_and_ranks(void **unused)
{
    (void) unused;
    const struct dead_setup *dead = compiled("base");
    assert_int_equal(dead->characters.count, 8);
    for (uint32_t i = 0; i < 8; i++) {
        const struct dead_character *character = dead_character(dead, i);
        struct dead_character        want = people[i].is;
        want.id = i + 1;
        want.rank = people[i].rank;
        want.name_at = character->name_at;
        want.name_size = character->name_size;
        assert_memory_equal(character, &want, sizeof want);
        assert_name(dead, character->name_at, character->name_size, people[i].name);
        assert_int_equal(dead_of_rank(dead, people[i].rank), i);
        assert_int_equal(dead_character_index(dead, i + 1), i);
    }
}

static void crises_and_fates_are_as_written(void **unused)
{
    (void) unused;
    static const struct dead_crisis      crises[] = { { -1, 1, 1, DEAD_FOOD },
                                                      { -1, 2, 3, DEAD_STUFF } };
    static const struct dead_consequence none = { .location = DEAD_NONE };
    const struct dead_fate               fates[] = {
                      { 1, 0, 1, DEAD_ON_BARRICADED, 0, { { -1, DEAD_NONE, DEAD_CHANGE_FOOD, 0 }, none } },
                      { 2, 0, DEAD_NONE, DEAD_ON_MOVED, 0, { { 1, DEAD_NONE, DEAD_CHANGE_MORAL, 0 }, none } },
                      { 3,
                        0,
                        DEAD_NONE,
                        DEAD_ON_SEARCHED,
                        0,
                        { { 1, DEAD_NONE, DEAD_SPAWN_SURVIVORS, 1 }, none } },
                      { 4, 0, DEAD_NONE, DEAD_ON_EQUIP, 0, { { 1, 2, DEAD_SPAWN_ZOMBIES, 0 }, none } },
                      { 5,
                        -2,
                        DEAD_NONE,
                        DEAD_ON_WASTE_CHANGED,
                        0,
                        { { 0, DEAD_NONE, DEAD_SPAWN_ZOMBIES, 0 }, none } },
                      { 6,
                        0,
                        DEAD_NONE,
                        DEAD_ON_EQUIP,
                        1,
                        { { 2, DEAD_NONE, DEAD_CHANGE_FOOD, 0 }, { -1, DEAD_NONE, DEAD_CHANGE_MORAL, 0 } } },
    };
    const struct dead_setup *dead = compiled("crossroads");
    assert_int_equal(dead->crises.count, 2);
    assert_int_equal(dead->fates.count, 6);
    assert_memory_equal(dead_crisis(dead, 0), &crises[0], sizeof *crises);
    assert_memory_equal(dead_crisis(dead, 1), &crises[1], sizeof *crises);
    for (uint32_t i = 0; i < 6; i++)
        assert_memory_equal(dead_fate(dead, i), &fates[i], sizeof *fates);
}

static void what_does_not_exist_is_not_found(void **unused)
{
    (void) unused;
    const struct dead_setup *dead = compiled("base");
    static const word        absent[] = {
               0, -1, 47, 1000, INT32_MAX, (word) INT32_MAX + 1, ((word) 1 << 32) + 1, INT64_MAX, ABSENT
    };
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        assert_int_equal(dead_card_index(dead, absent[i]), DEAD_NONE);
        assert_int_equal(dead_character_index(dead, absent[i]), DEAD_NONE);
        assert_int_equal(dead_location_index(dead, absent[i]), DEAD_NONE);
    }
}

static void too_small_a_place_is_not_written_to(void **unused)
{
    (void) unused;
    size_t       size = configure_json(base_setup("base"), "base");
    json_t      *setup = base_setup("base");
    char        *text = json_dumps(setup, 0);
    struct arena arena;
    arena_init(&arena, tree_of, sizeof tree_of);
    const struct value *config = json_value(text, strlen(text), &arena, &log_.faults);

    uint8_t *tight = malloc(size);
    memset(tight, 0xa5, size);
    assert_int_equal(dead_configure(config, NULL, NULL, 0, &log_.faults), size);
    assert_int_equal(dead_configure(config, NULL, tight, size - 1, &log_.faults), size);
    for (size_t i = 0; i < size; i++)
        assert_int_equal(tight[i], 0xa5);
    assert_int_equal(dead_configure(config, NULL, tight, size, &log_.faults), size);
    ((struct dead_setup *) block)->patience = 0; /* Nothing was said of it this time. */
    assert_memory_equal(tight, block, size);
    free(tight);
    free(text);
    json_decref(setup);
}

static void options_are_judged_too(void **unused)
{
    (void) unused;
    static const struct {
        const char *options, *said;
    } rows[] = {
        { "{}", "" },
        { "{'patience':0}", "" },
        { "{'patience':1000}", "" },
        { "{'patience':-1}", "/patience is -1, must be at least 0\n" },
        { "{'patience':1001}", "/patience is 1001, must be at most 1000\n" },
        { "{'edition':'original'}",
          "/edition is \"original\", must be one of base, equipment, crossroads\n" },
        { "{'edition':3}",
          "/edition is a whole number, must be one of base, equipment, crossroads\n" },
        { "{'seed':3}", "/seed is not a key here; allowed are edition, patience\n" },
        { "[]", " is a list, must be an object\n" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t      *options = of_text(rows[i].options), *setup = base_setup("base");
        char        *said = json_dumps(options, 0), *text = json_dumps(setup, 0);
        struct arena arena;
        arena_init(&arena, tree_of, sizeof tree_of);
        memset(&log_, 0, sizeof log_);
        log_.faults.report = note;
        const struct value *tree = json_value(said, strlen(said), &arena, &log_.faults);
        size_t size = dead_configure(json_value(text, strlen(text), &arena, &log_.faults), tree,
                                     block, sizeof block, &log_.faults);
        assert_string_equal(log_.seen, rows[i].said);
        assert_int_equal(size > 0, rows[i].said[0] == '\0');
        if (size > 0)
            assert_int_equal(((struct dead_setup *) block)->patience, i == 2 ? 1000 : 0);
        free(said);
        free(text);
        json_decref(options);
        json_decref(setup);
    }
}

/* Puts `count` values, each made of a format with its number in it, behind those of a list. */
static json_t *swollen(json_t *setup, const char *list, const char *format, int count)
{
    json_t *json =
        strcmp(list, "startCards") == 0
            ? json_object_get(
                  json_object_get(json_array_get(json_object_get(setup, "locations"), 1), "colony"),
                  list)
            : json_object_get(setup, list);
    for (int i = 0; i < count; i++) {
        char text[256];
        snprintf(text, sizeof text, format, 5000 + i, 5000 + i);
        json_array_append_new(json, of_text(text));
    }
    return setup;
}

static void each_list_has_a_most(void **unused)
{
    (void) unused;
    static const struct {
        const char *list, *format;
        int         count, most;
    } rows[] = {
        { "cards", "{'fuel':{'identifier':%d}}", 46, DEAD_CARDS_MAX },
        { "crises", "{'fuel':{'identifier':%d,'moralChange':1,'requiredCards':1}}", 2,
          DEAD_CRISES_MAX },
        { "characters",
          "{'identifier':%d,'name':'','status':%d,'attack':1,'search':1,'ability':{'heal':{}}}", 8,
          DEAD_CHARACTERS_MAX },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int     room = rows[i].most - rows[i].count;
        json_t *setup = swollen(base_setup("base"), rows[i].list, rows[i].format, room);
        assert_true(configure_json(setup, "base") > 0);
        setup = swollen(base_setup("base"), rows[i].list, rows[i].format, room + 1);
        assert_int_equal(configure_json(setup, "base"), 0);
        char said[128];
        snprintf(said, sizeof said,
                 "/%s has %d entries, must have at most %d, which is all this server keeps room "
                 "for\n",
                 rows[i].list, rows[i].most + 1, rows[i].most);
        assert_string_equal(log_.seen, said);
    }
}

static void a_name_has_a_most(void **unused)
{
    (void) unused;
    char name[DEAD_NAME_MAX + 4] = "'";
    memset(name + 1, 'n', DEAD_NAME_MAX);
    memcpy(name + 1 + DEAD_NAME_MAX, "'", sizeof "'");
    struct change change = { IN_ALL, "/characters/0/name", name, NULL };
    assert_true(configure_json(changed(base_setup("base"), &change), "base") > 0);
    memcpy(name + 1 + DEAD_NAME_MAX, "n'", sizeof "n'");
    assert_int_equal(configure_json(changed(base_setup("base"), &change), "base"), 0);
    assert_string_equal(log_.seen, "/characters/0/name has 201 bytes, must have at most 200\n");
}

/* Most who meet this fault have forgotten the option; so it is named. */
static void fate_cards_in_another_edition_are_sent_to_theirs(void **unused)
{
    (void) unused;
    json_t *setup = base_setup("equipment");
    json_object_set_new(setup, "crossroads", json_array());
    assert_int_equal(configure_json(setup, "equipment"), 0);
    assert_string_equal(log_.seen, "/crossroads is for the edition crossroads only; allowed with "
                                   "the option edition=crossroads\n");
}

/* Whatever a stranger sends is answered at once: 64 KiB of nearly nothing, in every list. */
static void hostile_lists_end(void **unused)
{
    (void) unused;
    static const char *const lists[] = { "cards", "crises", "characters", "locations",
                                         "startCards" };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        json_t *setup = swollen(base_setup("base"), lists[i], "1", 20000);
        assert_int_equal(configure_json(setup, "base"), 0);
        setup = swollen(base_setup("base"), lists[i], "{}", 15000);
        assert_int_equal(configure_json(setup, "base"), 0);
        assert_true(log_.faults.count < 20000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_as_written),
        cmocka_unit_test(locations_ascend_by_identifier),
        cmocka_unit_test(cards_keep_their_order_and_are_found),
        cmocka_unit_test(every_kind_of_card_is_told_apart),
        cmocka_unit_test(people_have_their_abilities_and_ranks),
        cmocka_unit_test(crises_and_fates_are_as_written),
        cmocka_unit_test(what_does_not_exist_is_not_found),
        cmocka_unit_test(too_small_a_place_is_not_written_to),
        cmocka_unit_test(options_are_judged_too),
        cmocka_unit_test(each_list_has_a_most),
        cmocka_unit_test(a_name_has_a_most),
        cmocka_unit_test(fate_cards_in_another_edition_are_sent_to_theirs),
        cmocka_unit_test(hostile_lists_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
