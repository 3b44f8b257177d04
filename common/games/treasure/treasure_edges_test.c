/* treasure_edges_test.c: broken invariants, halves no sane program sends, and set-ups that leave little room. */
#include "games/treasure/treasure_test.h"

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

static bool propose(uint32_t seat, uint32_t room, struct command *command)
{
    static uint8_t text[2 * TREASURE_FIELDS_MAX];
    struct dice    dice;
    dice_splitmix(&dice, 5);
    return game_treasure.propose(table.setup, table.state, seat, &dice, command, text, room);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_broken_invariant_is_noticed),
        cmocka_unit_test(codes_are_of_one_alphabet),
        cmocka_unit_test(rows_have_their_shape_and_letters),
        cmocka_unit_test(a_half_without_land_has_no_island),
        cmocka_unit_test(where_water_is_tight_it_is_put_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
