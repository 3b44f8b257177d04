/* objectron_grid_test.c: what a person drew is judged in the rules' order, and only the first fault told. */
#include "games/objectron/tests/objectron_setup_test.h"

#define GRID(rows) CTF("2", "\"grid\":[" rows "]")

/* Of a grid with several faults the first in the rules' order is told, and of each kind the first in the grid. */
static void a_grid_has_one_fault_at_a_time(void **unused)
{
    static const char *const rows[][2] = {
        { GRID("\"1::2\",\" ?  \""),
          "/grid: GRID_INVALID_CHARACTER: neither blank, *, # nor 1 to 9 in line 1, column 2\n" },
        { GRID("\"1    0\",\"1 x  2\""),
          "/grid: GRID_INVALID_CHARACTER: neither blank, *, # nor 1 to 9 in line 1, column 6\n" },
        { GRID("\"***\",\"*\""), "/grid: GRID_EMPTY: has no square but holes\n" },
        { GRID("\"1#121\""), "/grid: GRID_DUPLICATE_START: start 1 occurs so often: 3\n" },
        { GRID("\"22#11\""), "/grid: GRID_DUPLICATE_START: start 2 occurs so often: 2\n" },
        { GRID("\"1#3\""), "/grid: GRID_START_GAP: there are starts up to 3, but only 2\n" },
        { GRID("\"9\""), "/grid: GRID_START_GAP: there are starts up to 9, but only 1\n" },
        { GRID("\"1# \""), "/grid: GRID_TOO_FEW_STARTS: has 1 starts, must have at least 2\n" },
        { GRID("\" # \""), "/grid: GRID_TOO_FEW_STARTS: has 0 starts, must have at least 2\n" },
        { GRID("\"12#3# 4\""),
          "/grid: GRID_NO_PATH_BETWEEN_STARTS: no way leads from start 1 to start 3\n" },
        { GRID("\"12#   # \""), "/grid: GRID_UNREACHABLE_SQUARES: of the free squares, 4 cannot "
                                "be reached from start 1\n" },
    };
    (void) unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        says_only(rows[i][0], NULL, rows[i][1]);
}

/* Of a grid that cannot be, nobody asks how many it has starts for. */
static void a_bad_grid_is_no_reason_to_count_players(void **unused)
{
    (void) unused;
    says_one(CTF("5", "\"grid\":[\"12#3\"]"), NULL, "GRID_NO_PATH_BETWEEN_STARTS");
    says_one(CTF("5", "\"grid\":[\"12# \"]"), NULL, "GRID_UNREACHABLE_SQUARES");
    says_one(CTF("5", "\"grid\":[\"11 2\"]"), NULL, "GRID_DUPLICATE_START");
    says_one(CTF("5", "\"grid\":[\"1 0 2\"]"), NULL, "GRID_INVALID_CHARACTER");
    says_one(CTF("5", "\"grid\":[\"**\"]"), NULL, "GRID_EMPTY");
    says_one(CTF("5", "\"grid\":7"), NULL, "must be a string, or a list of strings");
    says_one(CTF("5", "\"grid\":[\"1 3 \"]"), NULL, "GRID_START_GAP");
}

/* A text\"s lines end in LF or CRLF; behind the last end there is none, if nothing stands there. */
static void the_lines_of_a_text_are_what_its_ends_divide(void **unused)
{
    static const struct {
        const char *text;
        int32_t     height;
    } grids[] = { { "12", 1 },        { "12\\n", 1 },         { "12\\r\\n", 1 },
                  { "12\\n\\n", 2 },  { "\\n12", 2 },         { "\\r\\n12\\r\\n", 2 },
                  { "1\\n2\\n ", 3 }, { "12\\r\\n\\r\\n", 2 } };
    (void) unused;
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        char config[128];
        (void) snprintf(config, sizeof config, CTF("2", "\"grid\":\"%s\""), grids[i].text);
        const struct objectron_setup *setup = compiled(config);
        assert_int_equal(setup->height, grids[i].height);
        assert_int_equal(setup->width, strstr(grids[i].text, "12") ? 2 : 1);
    }
    says_one(CTF("2", "\"grid\":\"1\\r2\""), NULL, "in line 1, column 2");
    /* Shorter lines are padded with holes. */
    assert_memory_equal(objectron_letters(compiled(CTF("2", "\"grid\":\"1  2\\n#\\n\""))),
                        "    #***", 8);
}

/* A way goes from a square to the eight around it, and no further, not over walls nor round the border. */
static void a_row_of_walls_cuts_a_grid_in_two(void **unused)
{
    static const char *const grids[] = {
        "\"12  \",\"####\",\"    \"", "\"    \",\"####\",\"12  \"", "\"1#  \",\"2#  \"",
        "\"  #1\",\"  #2\"",          "\"12# \",\"  # \",\"  # \"", "\"   #1\",\" ###2\"",
    };
    static const int cut_off[] = { 4, 4, 4, 4, 3, 4 };
    (void) unused;
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        char config[128], said[128];
        (void) snprintf(config, sizeof config, GRID("%s"), grids[i]);
        (void) snprintf(
            said, sizeof said,
            "/grid: GRID_UNREACHABLE_SQUARES: of the free squares, %d cannot be reached "
            "from start 1\n",
            cut_off[i]);
        says_only(config, NULL, said);
    }
    says_only(GRID("\"1#\",\"#2\""), NULL, "");
    says_only(GRID("\"#1\",\"2#\""), NULL, "");
    says_only(GRID("\"2 \",\"# \",\"1#\""), NULL, "");
}

static void a_grid_may_be_as_large_as_the_rules_say_and_no_larger(void **unused)
{
    static char text[11000];
    (void) unused;
    for (uint32_t side = 99; side <= 101; side++) {
        size_t used = (size_t) snprintf(text, sizeof text,
                                        "{\"mode\":\"race\",\"players\":2,"
                                        "\"power_failure_bp\":0,\"grid\":[");
        for (uint32_t y = 0; y < side; y++)
            used += (size_t) snprintf(text + used, sizeof text - used, "%s\"%s%*s\"", y ? "," : "",
                                      y ? "" : "12", (int) (y ? 100 : 98), "");
        (void) snprintf(text + used, sizeof text - used, "]}");
        says_of(text, NULL, side > 100 ? "GRID_TOO_LARGE" : "");
    }
    (void) snprintf(text, sizeof text, RACE("\"grid\":[\"12%99s\"]"), "");
    says_one(text, NULL, "GRID_TOO_LARGE");
    (void) snprintf(text, sizeof text, CTF("5", "\"grid\":[\"12%99s\"]"), "");
    says_one(text, NULL, "GRID_TOO_LARGE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_has_one_fault_at_a_time),
        cmocka_unit_test(a_bad_grid_is_no_reason_to_count_players),
        cmocka_unit_test(the_lines_of_a_text_are_what_its_ends_divide),
        cmocka_unit_test(a_row_of_walls_cuts_a_grid_in_two),
        cmocka_unit_test(a_grid_may_be_as_large_as_the_rules_say_and_no_larger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
