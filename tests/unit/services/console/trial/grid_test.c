/* grid_test.c: every fault of a drawn grid is named where it stands, and there is one if and only if the rules
 * find one, too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/value.h"
#include "dice/draw.h"
#include "dice/kinds.h"
#include "games/objectron/objectron_setup.h"
#include "services/console/trial/grid_faults.h"

/* What is said of a text; to be freed. */
static char *judge(const char *text, size_t size, struct grid_facts *facts, uint32_t *faults)
{
    char  *said = NULL;
    size_t length = 0;
    FILE  *out = open_memstream(&said, &length);
    assert_non_null(out);
    *faults = grid_faults("g", text, size, facts, out);
    (void) fclose(out);
    return said;
}

static void says(const char *text, const char *wished)
{
    struct grid_facts facts;
    uint32_t          faults;
    char             *said = judge(text, strlen(text), &facts, &faults);
    assert_string_equal(said, wished);
    free(said);
}

static void every_fault_is_named_with_its_line_and_column(void **unused)
{
    (void) unused;
    says("1 x\n  2\n y ",
         "g:1:3: GRID_INVALID_CHARACTER: \"x\" is neither blank, *, # nor 1 to 9\n"
         "g:3:2: GRID_INVALID_CHARACTER: \"y\" is neither blank, *, # nor 1 to 9\n");
    says("\xef\xbb\xbf"
         "1\t2\r",
         "g:1:1: GRID_INVALID_CHARACTER: a byte order mark is neither blank, *, # nor 1 to 9\n"
         "g:1:5: GRID_INVALID_CHARACTER: a tab is neither blank, *, # nor 1 to 9\n"
         "g:1:7: GRID_INVALID_CHARACTER: a carriage return is neither blank, *, # nor 1 to 9\n");
    says("1\xc3\xa9\x1b\xff"
         "02",
         "g:1:2: GRID_INVALID_CHARACTER: \"\xc3\xa9\" is neither blank, *, # nor 1 to 9\n"
         "g:1:4: GRID_INVALID_CHARACTER: byte 0x1B is neither blank, *, # nor 1 to 9\n"
         "g:1:5: GRID_INVALID_CHARACTER: byte 0xFF is neither blank, *, # nor 1 to 9\n"
         "g:1:6: GRID_INVALID_CHARACTER: \"0\" is neither blank, *, # nor 1 to 9\n");
    says("1 2\r\n2 1\r\n", "g:2:1: GRID_DUPLICATE_START: start 2 stands in line 1 already\n"
                           "g:2:3: GRID_DUPLICATE_START: start 1 stands in line 1 already\n");
    says("14", "g:1:2: GRID_START_GAP: there is a start 4, but no start 2\n"
               "g:1:2: GRID_START_GAP: there is a start 4, but no start 3\n");
    says("**\n", "g:1:1: GRID_EMPTY: has no square but holes\n");
    says("1 ", "g:1:1: GRID_TOO_FEW_STARTS: has 1, must have at least 2\n");
    says("1#2#  \n ### #", "g:1:3: GRID_NO_PATH_BETWEEN_STARTS: no way leads from start 1 to "
                           "start 2\n"
                           "g:1:3: GRID_UNREACHABLE_SQUARES: start 1 has no way to here; squares: "
                           "1\n"
                           "g:1:5: GRID_UNREACHABLE_SQUARES: start 1 has no way to here; squares: "
                           "3\n");
}

static void what_is_too_large_is_named_where_it_begins_to_be(void **unused)
{
    char wide[120], tall[220];
    (void) unused;
    memset(wide, ' ', sizeof wide);
    memcpy(wide, "12", 2);
    wide[110] = '\0';
    says(wide, "g:1:101: GRID_TOO_LARGE: has more than 100 columns\n");
    memcpy(tall, "12\n", 3);
    for (size_t i = 3; i < sizeof tall - 2; i += 2)
        memcpy(tall + i, " \n", 2);
    tall[213] = '\0';
    says(tall, "g:101:1: GRID_TOO_LARGE: has more than 100 lines\n");
}

static void a_good_grid_is_measured(void **unused)
{
    struct grid_facts facts;
    uint32_t          faults;
    (void) unused;
    char *said = judge("1  \n **\r\n#  2", 13, &facts, &faults);
    assert_int_equal(faults, 0);
    assert_string_equal(said, "");
    assert_int_equal(facts.width, 4);
    assert_int_equal(facts.height, 3);
    assert_int_equal(facts.starts, 2);
    free(said);
}

static void drop(struct faults *faults, const struct value *at, const char *key, const char *what)
{
    (void) at;
    (void) key;
    char *code = *(char **) (faults + 1);
    if (code[0] == '\0')
        (void) snprintf(code, 40, "%.*s", (int) strcspn(what, ":"), what);
}

/* Random scribbles: both find fault, and what the rules find first is among what the console finds. */
static void the_console_and_the_rules_agree(void **unused)
{
    static struct objectron_drawing drawing;
    static const char               letters[] = "12     ####**\n\n\n3x";
    struct dice                     luck;
    uint32_t                        good = 0;
    (void) unused;
    dice_splitmix(&luck, 1);
    for (uint32_t round = 0; round < 20000; round++) {
        char              text[24], code[40] = "";
        struct grid_facts facts;
        uint32_t          faults, size = 1 + (uint32_t) draw_below_u64(&luck, 0, sizeof text);
        uint64_t          kinds = sizeof letters - 1 - (round % 2) * 2;
        for (uint32_t i = 0; i < size; i++)
            text[i] = letters[draw_below_u64(&luck, 0, kinds)];
        struct {
            struct faults faults;
            char         *code;
        } first = { { 0, drop }, code };
        struct value grid = { .kind = VALUE_STRING, .text = text, .text_size = size };
        char        *said = judge(text, size, &facts, &faults);
        bool         is_good = objectron_read_grid(&drawing, &grid, &first.faults);
        assert_int_equal(is_good, faults == 0);
        assert_true(is_good || strstr(said, code) != NULL);
        good += is_good;
        free(said);
    }
    assert_true(good > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fault_is_named_with_its_line_and_column),
        cmocka_unit_test(what_is_too_large_is_named_where_it_begins_to_be),
        cmocka_unit_test(a_good_grid_is_measured),
        cmocka_unit_test(the_console_and_the_rules_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
