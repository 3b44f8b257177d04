/* dead_bounds_test.c: what a match can need at most is exactly what its parts add up to. */
#include "games/dead/tests/dead_changes_test.h"

#include "games/dead/dead.h"
#include "games/dead/dead_state.h"

static struct dead_setup *compiled(const char *edition)
{
    if (configure_json(base_setup(edition), edition) == 0)
        fail_msg("%s", log_.seen);
    return (void *) block;
}

static struct dead_character *character(struct dead_setup *setup, uint32_t index)
{
    return (struct dead_character *) (block + setup->characters.at) + index;
}

static struct dead_fate *fate(struct dead_setup *setup, uint32_t index)
{
    return (struct dead_fate *) (block + setup->fates.at) + index;
}

static struct bounds bounds_of(const struct dead_setup *setup, uint32_t seats)
{
    struct bounds bounds;
    memset(&bounds, 0xa5, sizeof bounds);
    game_dead.bounds(setup, seats, &bounds);
    return bounds;
}

/* Eight characters, 46 cards, three places with nine entrances, three players. Children: three at
 * the start and four for each character, so 35. One healer; twelve activations, one for each
 * character and four that are limited; the fate cards bring one zombie at most. */
static void the_bounds_are_what_the_parts_of_a_match_add_up_to(void **unused)
{
    (void) unused;
    struct dead_setup *setup = compiled("crossroads");
    struct dead_state  header;
    setup->children = 3;
    const struct bounds bounds = bounds_of(setup, 3);
    uint32_t            round = 32 + 3 * (8 + 3) + 3 * (22 + 8);

    assert_int_equal(bounds.state_bytes, dead_lay_out(setup, 3, &header));
    assert_int_equal(bounds.legal_patterns, 5 + 3 * 10 + 8);
    assert_int_equal(bounds.legal_values, 46 + 80 + 3 * (3 + 2) + 18 + 8 + 16);
    assert_int_equal(bounds.event_words,
                     64 + 3 * round + 9 + 3 * 46 + 20 * 8 + 5 * 35 + 35 + 3 * 1);
    assert_int_equal(bounds.view_words,
                     18 + (1 + 15) + (8 + 3) + (46 + 8) + (1 + 64) + 92 + (1 + 9) + (18 + 1));
    assert_int_equal(bounds.commands, 3 + 2 * 3 * (1 + 24 + 1 + 12 + 46 + 3) + 2 * 46);
    assert_int_equal(bounds.box_bytes[0], 0);
    assert_int_equal(bounds.box_bytes[1], 96);
    assert_int_equal(bounds.box_bytes[2], 0);
    assert_int_equal(bounds.box_bytes[3], 0);
    assert_int_equal(bounds.text_bytes, 0);
}

/* Two people cannot be in three places: what is counted per place where somebody stands, is counted
 * twice. */
static void no_more_places_count_than_there_are_people_to_stand_there(void **unused)
{
    (void) unused;
    struct dead_setup *setup = compiled("base");
    setup->characters.count = 2;
    struct bounds bounds = bounds_of(setup, 1);
    assert_int_equal(bounds.legal_patterns, 5 + 2 * 10 + 2);
    assert_int_equal(bounds.legal_values, 46 + 20 + 2 * (3 + 2) + 18 + 2 + 16);
}

static void each_healer_may_heal_everybody(void **unused)
{
    (void) unused;
    struct dead_setup *setup = compiled("base");
    uint32_t           before = bounds_of(setup, 3).legal_values;
    character(setup, 0)->ability = DEAD_ABILITY_HEAL;
    assert_int_equal(bounds_of(setup, 3).legal_values, before + 8);
}

/* Three words for each zombie of the worst of all fate cards, wherever it stands in the pile and in
 * the card. A card without a place brings them to each. */
static void the_fate_card_with_the_most_zombies_counts(void **unused)
{
    (void) unused;
    const uint16_t     nowhere = DEAD_NONE;
    struct dead_setup *setup = compiled("crossroads");
    uint32_t           before = bounds_of(setup, 3).event_words; /* One zombie. */
    for (uint32_t i = 0; i < 2 * setup->fates.count; i++) {
        struct dead_consequence *outcome = &fate(setup, i / 2)->outcome[i % 2];
        struct dead_consequence  kept = *outcome;
        *outcome = (struct dead_consequence){ 100, 2, DEAD_SPAWN_ZOMBIES, 0 };
        assert_int_equal(bounds_of(setup, 3).event_words, before + 3 * 99);
        outcome->location = nowhere;
        assert_int_equal(bounds_of(setup, 3).event_words, before + 3 * 299);
        *outcome = (struct dead_consequence){ 100, nowhere, DEAD_CHANGE_FOOD, 0 };
        assert_true(bounds_of(setup, 3).event_words <= before);
        *outcome = kept;
    }
    fate(setup, 3)->outcome[0].amount = 0;
    assert_int_equal(bounds_of(setup, 3).event_words, before - 3);
}

static void only_a_cleaner_of_nothing_in_a_later_edition_may_go_on_for_ever(void **unused)
{
    (void) unused;
    struct dead_setup *setup = compiled("base");
    character(setup, 4)->amount = 0;
    assert_int_not_equal(bounds_of(setup, 3).commands, 0);

    setup = compiled("equipment");
    assert_int_not_equal(bounds_of(setup, 3).commands, 0);
    /* Who cleans nothing, but has another gift. */
    assert_int_equal(character(setup, 0)->amount, 0);
    character(setup, 4)->amount = 0;
    assert_int_equal(bounds_of(setup, 3).commands, 0);
}

/* A number of commands too large for its field is told as none; up to there it is told. */
static void more_commands_than_the_field_holds_are_no_bound(void **unused)
{
    (void) unused;
    struct dead_setup *setup = compiled("base");
    setup->rounds = 1;
    uint32_t before = bounds_of(setup, 1).commands;
    character(setup, 5)->activations_max += UINT32_MAX - before;
    assert_int_equal(bounds_of(setup, 1).commands, UINT32_MAX);
    character(setup, 5)->activations_max++;
    assert_int_equal(bounds_of(setup, 1).commands, 0);
}

/* A set of people, or of cards, has one bit for each and takes whole words of 64. */
static void sets_take_a_word_for_every_64_and_no_more(void **unused)
{
    (void) unused;
    static const struct {
        uint32_t things, words;
    } rows[] = { { 1, 1 }, { 64, 1 }, { 65, 2 }, { 128, 2 }, { 129, 3 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct dead_setup *setup = compiled("base");
        struct dead_state  header;
        setup->characters.count = rows[i].things;
        setup->cards.count = 1;
        (void) dead_lay_out(setup, 1, &header);
        assert_int_equal(header.people_words, rows[i].words);
        assert_int_equal(header.card_words, 1);
        setup->characters.count = 1;
        setup->cards.count = rows[i].things;
        (void) dead_lay_out(setup, 1, &header);
        assert_int_equal(header.people_words, 1);
        assert_int_equal(header.card_words, rows[i].words);
    }
}

static void behind_the_last_bit_of_a_set_there_is_none(void **unused)
{
    (void) unused;
    const uint64_t set[] = { 1, UINT64_C(1) << 63 };
    uint32_t       seen[3] = { 0 }, count = 0;
    FOR_EACH (bit, set, 2) {
        assert_true(count < 3);
        seen[count++] = bit;
    }
    assert_int_equal(count, 2);
    assert_int_equal(seen[0], 0);
    assert_int_equal(seen[1], 127);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bounds_are_what_the_parts_of_a_match_add_up_to),
        cmocka_unit_test(no_more_places_count_than_there_are_people_to_stand_there),
        cmocka_unit_test(each_healer_may_heal_everybody),
        cmocka_unit_test(the_fate_card_with_the_most_zombies_counts),
        cmocka_unit_test(only_a_cleaner_of_nothing_in_a_later_edition_may_go_on_for_ever),
        cmocka_unit_test(more_commands_than_the_field_holds_are_no_bound),
        cmocka_unit_test(sets_take_a_word_for_every_64_and_no_more),
        cmocka_unit_test(behind_the_last_bit_of_a_set_there_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
