/* log_test.c: lines for the operator: one each, whatever a player wrote. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h> // cmocka needs these four, in this order

#include <cmocka.h>

#include <string.h>
#include <unistd.h>

#include "shell/counters.h"
#include "shell/log.h"

#define WHEN_MS 1700000000123u /* 14 November 2023, 22:13:20 UTC */

static void expect_line(bool is_json, const char *sentence, const char *wanted)
{
    struct log log = { .level = SAY_INFO, .is_json = is_json, .service = "engine-1" };
    char       line[LOG_LINE_MAX];
    size_t     size = log_line(line, &log, SAY_WARNING, sentence, WHEN_MS);
    assert_int_equal(size, strlen(wanted));
    assert_memory_equal(line, wanted, size);
}

static void a_line_says_when_how_bad_who_and_what(void **unused)
{
    (void) unused;
    expect_line(false, "the disk is full",
                "time=2023-11-14T22:13:20.123Z level=warning service=engine-1 "
                "message=\"the disk is full\"\n");
    expect_line(true, "the disk is full",
                "{\"time\":\"2023-11-14T22:13:20.123Z\",\"level\":\"warning\","
                "\"service\":\"engine-1\",\"message\":\"the disk is full\"}\n");
}

static void what_a_player_wrote_drives_no_terminal_and_makes_no_line(void **unused)
{
    (void) unused;
    expect_line(false,
                "a\nb\x1b[2Jc\"d\\e\x7f"
                "f\xc2\x9b"
                "g\xc3\xa4",
                "time=2023-11-14T22:13:20.123Z level=warning service=engine-1 "
                "message=\"a?b?[2Jc\\\"d\\\\e?f?g\xc3\xa4\"\n");
}

static void a_long_sentence_is_cut_and_still_a_line(void **unused)
{
    (void) unused;
    char       sentence[3 * LOG_LINE_MAX];
    char       line[LOG_LINE_MAX];
    struct log log = { .is_json = true, .service = "x" };
    memset(sentence, '"', sizeof sentence);
    sentence[sizeof sentence - 1] = '\0';
    size_t size = log_line(line, &log, SAY_INFO, sentence, WHEN_MS);
    assert_true(size <= LOG_LINE_MAX);
    assert_memory_equal(line + size - 4, "\"\"}\n", 4);
    assert_int_equal(line[size - 5], '\\');
}

static void levels_go_by_name(void **unused)
{
    (void) unused;
    assert_int_equal(log_level_of("debug"), SAY_DEBUG);
    assert_int_equal(log_level_of("error"), SAY_ERROR);
    assert_int_equal(log_level_of("loud"), -1);
}

static void what_is_below_the_level_is_not_written(void **unused)
{
    (void) unused;
    int  ends[2];
    char line[LOG_LINE_MAX] = { 0 };
    assert_int_equal(pipe(ends), 0);
    struct log log = { .file = ends[1], .level = SAY_WARNING, .service = "x" };
    log_say(&log, SAY_INFO, "unheard");
    log_print(&log, SAY_DEBUG, "%s", "unheard");
    log_print(&log, SAY_ERROR, "number %d", 7);
    assert_true(read(ends[0], line, sizeof line - 1) > 0);
    assert_null(strstr(line, "unheard"));
    assert_non_null(strstr(line, "message=\"number 7\"\n"));
    (void) close(ends[0]);
    (void) close(ends[1]);
}

static void counters_say_what_is_not_nothing(void **unused)
{
    (void) unused;
    struct shell_counters counters = { .batches = 3, .in = { [34] = 5 }, .dropped = 1 };
    char                  line[200];
    counters.refused[REFUSED_BODY] = 2;
    counters_print(&counters, line, sizeof line);
    assert_string_equal(line, "batches=3 dropped=1 refused_body=2 in_34=5");
    counters_print(&counters, line, 12);
    assert_string_equal(line, "batches=3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_says_when_how_bad_who_and_what),
        cmocka_unit_test(what_a_player_wrote_drives_no_terminal_and_makes_no_line),
        cmocka_unit_test(a_long_sentence_is_cut_and_still_a_line),
        cmocka_unit_test(levels_go_by_name),
        cmocka_unit_test(what_is_below_the_level_is_not_written),
        cmocka_unit_test(counters_say_what_is_not_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
