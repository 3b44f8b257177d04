/* dead_view_test.c: what a view says, word for word, and which bytes it may not depend on, byte for
 * byte, at every stage of a match. */
#include "games/dead/tests/dead_stage_test.h"

#define FATE(n) "{\"equip\":{\"identifier\":" n ",\"consequence\":{\"changeFood\":{\"amount\":1}}}}"
#define FATES                                                                                      \
    ",\"crossroads\":[" FATE("21") "," FATE("22") "," FATE("23") "," FATE("24") "," FATE(          \
        "25") "," FATE("26") "]"

static struct dead_state *state;

static void open_crossroads(void)
{
    open_stage_with(STAGE("\"survive\":true", FATES), "{\"edition\":\"crossroads\"}");
    state = stage.state;
}

/* Numbers that differ from one another, so that none can stand in for its neighbour. */
static void put_numbers(void)
{
    state->on_turn = 1;
    state->moral = 7;
    state->food = 5;
    state->waste = 4;
    state->hunger = 6;
    state->children = 8;
    state->contributed = 12;
    state->round = 3;
    dead_u16(state, state->at.crises)[2] = 1;
    dead_u16(state, state->at.taken)[0] = 8;
    dead_u16(state, state->at.taken)[1] = 3;
    dead_u16(state, state->at.taken)[2] = 5;
    zombies_at(1)[1] = 2;
    barricades_at(1)[0] = 1;
    zombies_at(3)[0] = 3;
    barricades_at(3)[1] = 2;
    into_pool(BUILDER);
    into_pool(MOTHER);
}

/* Player 0 has a feeder and, who joined later but stands lower, a healer; player 1, who has left, still
 * a cleaner. */
static void put_people(void)
{
    state->joined = 0;
    place(FEEDER, 0, 2);
    place(HEALER, 0, 1);
    place(CLEANER, 1, 3);
    person(FEEDER)->wounds = 1;
    person(HEALER)->frostbites = 2;
    person(HEALER)->moved = 1;
    person(CLEANER)->ability_used = 9;
    give(0, COLT);
    give(0, STUFF);
    give_die(0, 2);
    give_die(0, 2);
    give_die(0, 6);
    give_die(1, 1);
    dead_seat(state, 1)->in_game = 0;
}

/* The words of one field or message. */
#define PART(...) append((const word[]){ __VA_ARGS__ }, sizeof((const word[]){ __VA_ARGS__ }) / 8)

static word     wanted[512];
static uint32_t wanted_count;

static void append(const word *part, size_t count)
{
    memcpy(wanted + wanted_count, part, count * sizeof *part);
    wanted_count += (uint32_t) count;
}

static void expect_seen_by(uint32_t viewer)
{
    word        words[512];
    struct sink out = { .words = words, .capacity = 512 };
    game_dead.view(stage.setup, stage.state, viewer, &out);
    for (uint32_t i = 0; i < out.used && i < wanted_count; i++)
        if (words[i] != wanted[i])
            fail_msg("word %u is %lld, must be %lld", (unsigned) i, (long long) words[i],
                     (long long) wanted[i]);
    assert_int_equal(out.used, wanted_count);
    wanted_count = 0;
}

static void want_seats(void)
{
    PART(2);
    PART(0, 1, 3, 2, 2, 6, 2, STUFF, COLT, 2, FEEDER, HEALER);
    PART(1, 0, 1, 1, 0, 1, CLEANER);
}

static void want_locations(void)
{
    PART(3);
    PART(1, 0, 2, 0, 1, 2, 0);
    PART(2, 7, 2, 0, 0, 0, 0);
    PART(3, 5, 2, 3, 0, 0, 2);
}

static void in_base_the_round_counts_up(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    state = stage.state;
    put_numbers();
    put_people();
    PART(DEAD_TURN, 3, 1, 1, 7, 5, 4, 6, 8, 8, 12, 2, NO, 0);
    want_seats();
    PART(3);
    PART(HEALER, 0, 1, 0, 2, 1, 0, 0);
    PART(FEEDER, 0, 2, 1, 0, 0, 0, 0);
    PART(CLEANER, 1, 3, 0, 0, 0, 9, 0);
    want_locations();
    PART(NO);
    expect_seen_by(0);
    close_stage();
}

/* Two rows of equipment, of which one piece is used up for this turn. */
static void put_on(word id, word newest, word older)
{
    uint32_t new = dead_card_index(stage.setup, newest);
    uint32_t old = dead_card_index(stage.setup, older);
    person(id)->equipment = (uint16_t) new;
    dead_u16(state, state->at.next)[new] = (uint16_t) old;
    dead_u16(state, state->at.next)[old] = DEAD_NONE;
    set_put(dead_u64(state, state->at.worn), new);
    set_put(dead_u64(state, state->at.worn), old);
}

static void in_a_vote_the_voter_is_awaited_and_the_card_is_known(void **unused)
{
    (void) unused;
    open_crossroads();
    put_numbers();
    put_people();
    put_on(CLEANER, SWAB, HAMMER);
    set_put(dead_u64(state, state->at.spent), dead_card_index(stage.setup, HAMMER));
    state->phase = DEAD_VOTING;
    state->fate = 3;
    state->fate_state = DEAD_FATE_TRUE;
    state->voter = 0;
    PART(DEAD_VOTING, 1, 0, 1, 7, 5, 4, 6, 8, 8, 12, 2, 24, 0);
    want_seats();
    PART(3);
    PART(HEALER, 0, 1, 0, 2, 1, 0, 0);
    PART(FEEDER, 0, 2, 1, 0, 0, 0, 0);
    PART(CLEANER, 1, 3, 0, 0, 0, 9, 2, SWAB, 0, HAMMER, 1);
    want_locations();
    PART(NO);
    expect_seen_by(1);
    close_stage();
}

static void in_the_end_nobody_is_awaited_and_the_result_is_known(void **unused)
{
    (void) unused;
    for (uint8_t won = 0; won < 2; won++) {
        OPEN_STAGE("equipment");
        state = stage.state;
        put_numbers();
        state->phase = DEAD_OVER;
        state->won = won;
        PART(DEAD_OVER, 1, NO, NO, 7, 5, 4, 6, 8, 8, 12, 2, NO, 0);
        PART(2, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0);
        PART(0);
        want_locations();
        PART(won);
        expect_seen_by(SPECTATOR);
        close_stage();
    }
}

/* In every edition the round is 0, there is no crisis, and only who chooses sees the offer. */
static void in_preparation_only_who_chooses_sees_the_offer(void **unused)
{
    (void) unused;
    static const char *const options[] = { "{\"edition\":\"base\"}",
                                           "{\"edition\":\"equipment\"}" };
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t viewer = i % 3 < 2 ? i % 3 : SPECTATOR;
        open_stage_with(STAGE("\"survive\":true", ""), options[i / 3]);
        state = stage.state;
        put_numbers();
        into_pool(HEALER);
        into_pool(FINDER);
        into_pool(KILLER);
        state->phase = DEAD_PREPARATION;
        state->round = 0;
        PART(DEAD_PREPARATION, 0, 1, NO, 7, 5, 4, 6, 8, NO, 12, 5, NO);
        if (viewer == 1)
            PART(4, BUILDER, MOTHER, HEALER, FINDER);
        else
            PART(0);
        PART(2, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0);
        PART(0);
        want_locations();
        PART(NO);
        expect_seen_by(viewer);
        close_stage();
    }
}

static void each_round_shows_its_crisis(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    state = stage.state;
    for (uint16_t round = 1; round <= 3; round++) {
        word        words[512];
        struct sink out = { .words = words, .capacity = 512 };
        state->round = round;
        dead_u16(state, state->at.crises)[round - 1] = 3 - round;
        game_dead.view(stage.setup, state, 0, &out);
        assert_int_equal(words[1], round);
        assert_int_equal(words[9], 10 - round);
    }
    close_stage();
}

/* Food up to what its field holds is shown as it is. */
static void no_more_food_is_shown_than_fits(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    state = stage.state;
    for (int64_t over = -1; over <= 1; over++) {
        word        words[512];
        struct sink out = { .words = words, .capacity = 512 };
        state->food = INT32_MAX + over;
        game_dead.view(stage.setup, state, 0, &out);
        assert_int_equal(words[5], INT32_MAX + (over < 0 ? over : 0));
    }
    close_stage();
}

/* Hidden bytes: marked one range after the other, and then compared with what the game hides. */
static uint8_t marked[4096];

static void mark(size_t at, size_t bytes)
{
    memset(marked + at, 0xff, bytes);
}

/* Entries of an array of 16-bit numbers. */
static void mark_entries(uint16_t at, uint32_t from, uint32_t end)
{
    mark(at + from * 2u, (end - from) * 2u);
}

static void mark_always(uint32_t round)
{
    memset(marked, 0, sizeof marked);
    mark_entries(state->at.deck, 8, 10);  /* Of the colony's cards eight are taken, */
    mark_entries(state->at.deck, 13, 20); /* of the second location's three,        */
    mark_entries(state->at.deck, 25, 30); /* of the third's five.                   */
    mark_entries(state->at.crises, round, 3);
    mark(offsetof(struct dead_state, votes_for), 1);
    mark(offsetof(struct dead_state, votes_against), 1);
}

static void expect_hidden_from(uint32_t viewer)
{
    uint8_t mask[4096] = { 0 };
    game_dead.hidden(stage.setup, state, viewer, mask);
    assert_memory_equal(mask, marked, sizeof mask);
}

static void what_lies_in_decks_and_pool_is_hidden_and_nothing_else(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    state = stage.state;
    put_numbers();
    for (uint16_t round = 1; round <= 3; round++) {
        state->round = round;
        mark_always(round);
        mark_entries(state->at.pool, 0, 2);
        expect_hidden_from(0);
        expect_hidden_from(1);
        expect_hidden_from(SPECTATOR);
    }
    close_stage();
}

static void the_offer_is_hidden_from_all_but_who_chooses(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    state = stage.state;
    put_numbers();
    into_pool(HEALER);
    into_pool(FINDER);
    into_pool(KILLER);
    state->phase = DEAD_PREPARATION;
    state->round = 0;
    mark_always(0);
    mark_entries(state->at.pool, 4, 5);
    expect_hidden_from(1);
    mark_entries(state->at.pool, 0, 5);
    expect_hidden_from(0);
    expect_hidden_from(SPECTATOR);
    close_stage();
}

static void a_fate_card_is_hidden_with_all_that_tells_of_it_until_it_comes_true(void **unused)
{
    (void) unused;
    open_crossroads();
    put_numbers();
    state->fates_used = 3;
    for (uint32_t fate = DEAD_FATE_NONE; fate <= DEAD_FATE_DONE; fate++) {
        bool waits = fate == DEAD_FATE_WAITING;
        state->fate_state = (uint8_t) fate;
        mark_always(3);
        mark_entries(state->at.pool, 0, 2);
        mark_entries(state->at.fates, waits ? 2 : 3, 6);
        mark(offsetof(struct dead_state, fate), waits ? sizeof state->fate : 0);
        mark(offsetof(struct dead_state, waste_mark), waits ? sizeof state->waste_mark : 0);
        expect_hidden_from(0);
        expect_hidden_from(1);
    }
    close_stage();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_base_the_round_counts_up),
        cmocka_unit_test(in_a_vote_the_voter_is_awaited_and_the_card_is_known),
        cmocka_unit_test(in_the_end_nobody_is_awaited_and_the_result_is_known),
        cmocka_unit_test(in_preparation_only_who_chooses_sees_the_offer),
        cmocka_unit_test(each_round_shows_its_crisis),
        cmocka_unit_test(no_more_food_is_shown_than_fits),
        cmocka_unit_test(what_lies_in_decks_and_pool_is_hidden_and_nothing_else),
        cmocka_unit_test(the_offer_is_hidden_from_all_but_who_chooses),
        cmocka_unit_test(a_fate_card_is_hidden_with_all_that_tells_of_it_until_it_comes_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
