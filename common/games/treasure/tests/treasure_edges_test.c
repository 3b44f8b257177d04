/* treasure_edges_test.c: broken invariants, halves no sane program sends, and set-ups that leave little room. */
#include "games/treasure/tests/treasure_test.h"

#include "dice/kinds.h"

static const char *complaint(void)
{
    return game_treasure.check(table.setup, table.state);
}

static void assert_broken(int32_t *number, int32_t value)
{
    int32_t before = *number;
    assert_null(complaint());
    *number = value;
    if (complaint() == NULL)
        fail_msg("nothing is wrong with %d", value);
    *number = before;
}

static void every_broken_invariant_is_noticed(void **unused)
{
    struct treasure_seat *seat;
    (void) unused;
    open_match("{}");
    assert_broken(&table.state->seat[0].x, 8);
    seat = &table.state->seat[1];
    assert_broken(&table.state->phase, 1);
    assert_broken(&table.state->phase, TREASURE_END);
    assert_broken(&table.state->phase, TREASURE_END + 1);
    assert_broken(&table.state->result, TREASURE_P1_WIN);
    assert_broken(&table.state->n, -1);
    assert_broken(&table.state->n, 201);
    assert_broken(&table.state->merged, 0);
    assert_broken(&seat->x, 8);
    assert_broken(&seat->castle_y, -1);
    assert_broken(&seat->treasure_x, 64);
    assert_broken(&seat->treasure, 1);
    seat->pending.running = 1;
    assert_broken(&seat->pending.next, -1);
    seat->pending.running = 0;
    seat->x = 1;
    seat->y = 6; /* Water, on which only a loser stands. */
    assert_int_equal(treasure_terrain(table.setup, table.state, 1, 6), TREASURE_WATER);
    assert_non_null(complaint());
    table.state->phase = TREASURE_END;
    table.state->result = TREASURE_P1_WIN;
    table.state->reason = TREASURE_IN_WATER;
    assert_null(complaint());
    close_table();
}

static uint8_t hidden[1 << 12];

/* Whether all bytes of a part of the state are marked, or none: 1 or 0; -1: only some. */
static int mark_of(const void *part, size_t size)
{
    size_t from = (size_t) ((const uint8_t *) part - (const uint8_t *) table.state), marked = 0;
    for (size_t i = 0; i < size; i++)
        marked += hidden[from + i] == 0xff;
    return marked == size ? 1 : marked == 0 ? 0 : -1;
}

#define MARK(member) mark_of(&(member), sizeof(member))

static void hide_from(uint32_t viewer)
{
    assert_true(table.bounds.state_bytes <= sizeof hidden);
    memset(hidden, 0, sizeof hidden);
    game_treasure.hidden(table.setup, table.state, viewer, hidden);
}

/* What section 7 of the rules gives to its owner alone. */
static void assert_own(const struct treasure_seat *seat, int mark)
{
    assert_int_equal(MARK(seat->given), mark);
    assert_int_equal(MARK(seat->pending), mark);
    assert_int_equal(MARK(seat->treasure_seen), mark);
    assert_int_equal(MARK(seat->treasure), mark);
    assert_int_equal(MARK(seat->castle_seen), mark);
    assert_int_equal(MARK(seat->enemy_x), mark);
    assert_int_equal(MARK(seat->enemy_y), mark);
    assert_int_equal(
        mark_of(treasure_explored(table.setup, table.state, (uint32_t) (seat - table.state->seat)),
                64),
        mark);
}

static void assert_last(int mark)
{
    const struct treasure_last *last = &table.state->last;
    assert_int_equal(MARK(last->action), mark);
    assert_int_equal(MARK(last->readable), mark);
    assert_int_equal(MARK(last->x), mark);
    assert_int_equal(MARK(last->y), mark);
    assert_int_equal(MARK(last->turns), mark);
    assert_int_equal(MARK(last->violation), mark);
    assert_int_equal(MARK(last->id), 0);
    assert_int_equal(MARK(last->seat), 0);
}

static void assert_places(const struct treasure_seat *seat, int figure, int castle, int treasure)
{
    assert_int_equal(MARK(seat->x), figure);
    assert_int_equal(MARK(seat->y), figure);
    assert_int_equal(MARK(seat->castle_x), castle);
    assert_int_equal(MARK(seat->castle_y), castle);
    assert_int_equal(MARK(seat->treasure_x), treasure);
    assert_int_equal(MARK(seat->treasure_y), treasure);
}

/* Before the halves are joined, a half is its owner's; afterwards everybody knows the terrain. */
static void assert_half(uint32_t seat, int mark)
{
    assert_int_equal(mark_of(treasure_field(table.setup, table.state, seat), 32), mark);
}

static void what_a_player_must_not_know_is_marked(void **unused)
{
    struct treasure_seat *own, *other;
    (void) unused;
    open_table("{}");
    assert_int_equal(hand_in(1, LOWER), ACCEPTED);
    hide_from(0);
    assert_half(0, 0);
    assert_half(1, 1);
    assert_int_equal(hand_in(0, UPPER), ACCEPTED);
    assert_int_equal(step(0, TREASURE_UP), ACCEPTED);
    own = &table.state->seat[0];
    other = &table.state->seat[1];
    hide_from(0);
    assert_own(own, 0);
    assert_own(other, 1);
    assert_places(own, 0, 0, 1); /* A treasure is unknown until it is seen, even to its owner. */
    assert_places(other, 1, 1, 1);
    assert_last(0);
    assert_half(1, 0);
    hide_from(1);
    assert_own(own, 1);
    assert_last(1);
    own->castle_seen = own->treasure_seen = 1;
    table.state->n = 10; /* Figures are masked in snapshots 0 to 9. */
    hide_from(0);
    assert_places(own, 0, 0, 0);
    assert_places(other, 0, 0, 1);
    close_table();
}

static void what_spectators_must_not_know_is_marked(void **unused)
{
    (void) unused;
    open_match("{}");
    assert_int_equal(step(0, TREASURE_UP), ACCEPTED);
    hide_from(SPECTATOR);
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++) {
        assert_own(&table.state->seat[seat], 1);
        assert_places(&table.state->seat[seat], 1, 1, 1);
    }
    assert_last(1);
    hide_from(TREASURE_SEATS); /* Nobody sits there: somebody who watches. */
    assert_last(1);
    assert_int_equal(ask(0, TREASURE_LEAVE, ABSENT, ABSENT), ACCEPTED);
    hide_from(SPECTATOR); /* At the end all is laid open. */
    for (size_t i = 0; i < sizeof hidden; i++)
        assert_int_equal(hidden[i], 0);
    close_table();
    open_match("{\"spectators\": \"all\", \"spectator_delay_actions\": 1}");
    assert_int_equal(step(0, TREASURE_UP), ACCEPTED);
    const struct treasure_snapshot *ring = treasure_ring(table.state);
    hide_from(SPECTATOR); /* They see the start; what came after it waits. */
    assert_int_equal(MARK(ring[0]), 0);
    assert_int_equal(MARK(ring[1]), 1);
    assert_places(&table.state->seat[0], 0, 0, 0);
    hide_from(0);
    assert_int_equal(MARK(ring[0]), 1);
    assert_int_equal(MARK(ring[1]), 1);
    close_table();
}

/* What is wrong with a half, read and judged; 0: nothing. */
static uint32_t first_fault(const char *text)
{
    struct treasure_half   half;
    struct treasure_faults faults;
    struct command         command;
    treasure_bare(&command, TREASURE_SUBMIT_HALF);
    command.text = (const uint8_t *) text;
    command.text_size = (uint32_t) strlen(text);
    assert_true(treasure_take_half(table.setup, &command, &half, &faults));
    return faults.count > 0 ? faults.code[0] : 0;
}

/* UPPER with its first field replaced. */
static uint32_t fault_with(const char *field)
{
    char text[80];
    (void) snprintf(text, sizeof text, "%s%s", field, &UPPER[2]);
    return first_fault(text);
}

/* A symbolic half of grass whose first field is this. */
static uint32_t symbolic_with(const char *field)
{
    char text[80];
    (void) snprintf(text, sizeof text,
                    "%s0g0G0G0G0G0G0G0GPC0M0M0G0W0W0G0G0G0G0M0G0W0W0G0G0G0G0G0G0G0G0G", field);
    return first_fault(text);
}

static void codes_are_of_one_alphabet(void **unused)
{
    static const char *const bad[] = { "04",   "0/", "10", "2:", "0a", "a0", "\xc3\xa4\xc3\xb6",
                                       "0\x7f" };
    static const char *const bad_symbols[] = {
        "PG", "PM", "PW", "PX", "XX", "0[", "0@", "QC", "0P"
    };
    (void) unused;
    open_table("{}");
    assert_int_equal(first_fault(UPPER), 0);
    assert_int_equal(first_fault("\t \r\n" UPPER " "), 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (fault_with(bad[i]) != TREASURE_BAD_CODE)
            fail_msg("\"%s\" is a code", bad[i]);
    assert_int_equal(symbolic_with("0G"), 0);
    assert_int_equal(symbolic_with("og"), 0);
    assert_int_equal(symbolic_with("0m"), 0);
    assert_int_equal(symbolic_with("0w"), 0);
    assert_int_equal(symbolic_with("0C"), TREASURE_CASTLE_COUNT);
    for (size_t i = 0; i < sizeof bad_symbols / sizeof *bad_symbols; i++)
        if (symbolic_with(bad_symbols[i]) != TREASURE_BAD_CODE)
            fail_msg("\"%s\" is a code", bad_symbols[i]);
    assert_int_equal(symbolic_with("0T"), TREASURE_FORBIDDEN);
    assert_int_equal(symbolic_with("PT"), TREASURE_FORBIDDEN);
    assert_int_equal(symbolic_with("0X"), TREASURE_FORBIDDEN);
    assert_int_equal(first_fault(UPPER "\x80"), TREASURE_BAD_CODE); /* Begins no character. */
    assert_int_equal(symbolic_with("0G"), 0);
    assert_int_equal(
        first_fault("0g0G0G0G0G0G0G0G0GPC0M0M0G0W0W0G0G0G0G0M0G0W0W0G0G0G0G0G0G0G0G0G\x80"),
        TREASURE_BAD_CODE);
    assert_int_equal(fault_with("0"), TREASURE_BAD_LENGTH);
    assert_int_equal(first_fault(""), TREASURE_BAD_LENGTH);
    close_table();
}

static uint32_t fault_of_rows(const char *rows, word x, word y)
{
    struct treasure_half   half;
    struct treasure_faults faults;
    struct command         command;
    treasure_bare(&command, TREASURE_SUBMIT_ROWS);
    command.text = (const uint8_t *) rows;
    command.text_size = (uint32_t) strlen(rows);
    command.arg[1] = x;
    command.arg[2] = y;
    if (!treasure_take_half(table.setup, &command, &half, &faults))
        return UINT32_MAX;
    return faults.count > 0 ? faults.code[0] : 0;
}

static void rows_have_their_shape_and_letters(void **unused)
{
    static const char good[] = "GGGGGGGG\nGGMMGWWG\nGGGMGWWG\nGGGGGGGG";
    (void) unused;
    open_table("{}");
    assert_int_equal(fault_of_rows(good, 1, 1), 0);
    assert_int_equal(fault_of_rows(good, ABSENT, ABSENT), TREASURE_CASTLE_COUNT);
    assert_int_equal(fault_of_rows(good, -1, 1), TREASURE_CASTLE_NOT_ON_GRASS);
    assert_int_equal(fault_of_rows(good, 1, -1), TREASURE_CASTLE_NOT_ON_GRASS);
    assert_int_equal(fault_of_rows(good, 8, 1), TREASURE_CASTLE_NOT_ON_GRASS);
    assert_int_equal(fault_of_rows(good, 1, 4), TREASURE_CASTLE_NOT_ON_GRASS);
    assert_int_equal(fault_of_rows(good, MISTYPED, 1), UINT32_MAX);
    assert_int_equal(fault_of_rows(good, 1, MISTYPED), UINT32_MAX);
    assert_int_equal(fault_of_rows("GGGGGGG\nGGMMGWWG\nGGGMGWWG\nGGGGGGGGG", 1, 1),
                     TREASURE_BAD_LENGTH);
    assert_int_equal(fault_of_rows("GGGGGGGG\nGGMMGWWG\nGGGMGWWG", 1, 1), TREASURE_BAD_LENGTH);
    assert_int_equal(fault_of_rows("GGGGGGGG\nGGMMGWWG\nGGGMGWWG\nGGGGGGG", 1, 1),
                     TREASURE_BAD_LENGTH);
    assert_int_equal(fault_of_rows("GGGGGGGG\nGGMMGWWG\nGGGMGWWG\nGGGGGGGX", 1, 1),
                     TREASURE_BAD_CODE);
    close_table();
}

static void a_half_without_land_has_no_island(void **unused)
{
    char text[65] = "";
    (void) unused;
    open_table("{}");
    for (uint32_t i = 0; i < 32; i++)
        memcpy(text + 2 * (size_t) i, "03", 3);
    struct treasure_half   half;
    struct treasure_faults faults;
    struct command         command;
    treasure_bare(&command, TREASURE_SUBMIT_HALF);
    command.text = (const uint8_t *) text;
    command.text_size = 64;
    assert_true(treasure_take_half(table.setup, &command, &half, &faults));
    for (uint32_t i = 0; i < faults.count; i++)
        assert_int_not_equal(faults.code[i], TREASURE_ISLAND);
    close_table();
}

/* Two shores that only water joins, at the first field and diagonally behind it, are two. */
static void water_joins_no_land(void **unused)
{
    struct treasure_half   half;
    struct treasure_faults faults;
    struct command         command;
    bool                   is_island = false;
    (void) unused;
    open_table("{\"min_mountain\": 0, \"edge_water_max_long\": 8, \"edge_water_max_short\": 4}");
    treasure_bare(&command, TREASURE_SUBMIT_HALF);
    command.text = (const uint8_t *) "0301010101010101"
                                     "0103030303030303"
                                     "0101010101010101"
                                     "0101010101010100";
    command.text_size = 64;
    assert_true(treasure_take_half(table.setup, &command, &half, &faults));
    for (uint32_t i = 0; i < faults.count; i++)
        is_island = is_island || faults.code[i] == TREASURE_ISLAND;
    assert_true(is_island);
    close_table();
}

/* Of a square half the first two edges are the long ones. */
static void edges_of_a_square_have_a_most_each(void **unused)
{
    (void) unused;
    open_table("{\"half_width\": 4, \"half_height\": 4, \"min_mountain\": 0, \"min_water\": 0, "
               "\"edge_water_max_long\": 1, \"edge_water_max_short\": 0}");
    assert_int_equal(first_fault("00030101010101010101010101010101"), 0);
    assert_int_equal(first_fault("00010101010101010101010101030101"), 0);
    assert_int_equal(first_fault("00010101030101010101010101010101"), TREASURE_EDGE_TOP + 2);
    assert_int_equal(first_fault("00010101010101030101010101010101"), TREASURE_EDGE_TOP + 3);
    close_table();
}

static bool propose_from(uint64_t seed, uint32_t seat, uint32_t room, struct command *command)
{
    static uint8_t text[2 * TREASURE_FIELDS_MAX];
    struct dice    dice;
    dice_splitmix(&dice, seed);
    return game_treasure.propose(table.setup, table.state, seat, &dice, command, text, room);
}

static bool propose(uint32_t seat, uint32_t room, struct command *command)
{
    return propose_from(5, seat, room, command);
}

/* It is put onto an empty half: on what the last order left there, one in fourteen would not come out. */
static void where_water_is_tight_halves_come_out_whatever_the_dice(void **unused)
{
    struct command command;
    uint32_t       proposed = 0;
    (void) unused;
    open_table("{\"half_width\": 8, \"half_height\": 8, \"min_water\": 25, \"min_mountain\": 2, "
               "\"min_grass\": 5}");
    for (uint64_t seed = 0; seed < 200; seed++)
        proposed += propose_from(seed, 0, 2 * 64, &command);
    assert_true(proposed >= 198);
    close_table();
}

/* So much water that no random order of the fields has it by chance. */
static void where_water_is_tight_it_is_put_one_by_one(void **unused)
{
    struct command command;
    (void) unused;
    open_table("{\"half_width\": 8, \"half_height\": 8, \"min_water\": 26, \"min_mountain\": 2, "
               "\"min_grass\": 5}");
    assert_true(propose(0, 2 * 64, &command));
    assert_int_equal(treasure_table_hear(&table, 0, &command), ACCEPTED);
    assert_int_equal(table.state->result, 0);
    assert_false(propose(0, 2 * 64, &command));
    assert_false(propose(1, 2 * 64 - 1, &command));
    assert_false(propose(2, 2 * 64, &command));
    close_table();
    open_table("{\"half_width\": 2, \"half_height\": 2, \"min_water\": 1, \"min_mountain\": 0, "
               "\"min_grass\": 2}");
    assert_false(propose(0, 8, &command)); /* Every edge of two fields forbids water. */
    close_table();
    open_match("{}");
    assert_false(propose(0, 2 * 64, &command));
    close_table();
}

/* One more of water and two more of mountains, if four fields or more are nobody's yet; and nothing but the half. */
static void a_proposal_has_more_than_the_least_where_there_is_room(void **unused)
{
    (void) unused;
    for (uint32_t spare = 0; spare <= 6; spare++) {
        char                   leaves[128];
        struct treasure_half   half;
        struct treasure_faults faults;
        struct treasure_counts counts;
        struct command         command;
        (void) snprintf(leaves, sizeof leaves,
                        "{\"min_water\": 2, \"min_mountain\": 3, \"min_grass\": %u}",
                        32 - 2 - 3 - spare);
        open_table(leaves);
        for (uint64_t seed = 0; seed < 40; seed++) {
            assert_true(propose_from(seed, 0, 2 * 32, &command));
            for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
                assert_true(command.arg[i] == ABSENT);
            assert_true(treasure_take_half(table.setup, &command, &half, &faults));
            assert_int_equal(faults.count, 0);
            treasure_count_half(table.setup, &half, &counts);
            assert_int_equal(counts.terrain[TREASURE_WATER], spare > 3 ? 3 : 2);
            assert_int_equal(counts.terrain[TREASURE_MOUNTAIN], spare > 3 ? 5 : 3);
        }
        close_table();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_broken_invariant_is_noticed),
        cmocka_unit_test(what_a_player_must_not_know_is_marked),
        cmocka_unit_test(what_spectators_must_not_know_is_marked),
        cmocka_unit_test(codes_are_of_one_alphabet),
        cmocka_unit_test(rows_have_their_shape_and_letters),
        cmocka_unit_test(a_half_without_land_has_no_island),
        cmocka_unit_test(water_joins_no_land),
        cmocka_unit_test(edges_of_a_square_have_a_most_each),
        cmocka_unit_test(a_proposal_has_more_than_the_least_where_there_is_room),
        cmocka_unit_test(where_water_is_tight_it_is_put_one_by_one),
        cmocka_unit_test(where_water_is_tight_halves_come_out_whatever_the_dice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
