/* terminal_test.c: what others wrote reaches a terminal without its control characters. */
#include "services/console/command/terminal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_shown(const char *bytes, size_t size, const char *expected)
{
    char  *shown = NULL;
    size_t shown_size = 0;
    FILE  *out = open_memstream(&shown, &shown_size);
    assert_non_null(out);
    terminal_put(out, bytes, size);
    fclose(out);
    assert_string_equal(shown, expected);
    free(shown);
}

#define SHOWN(bytes, expected) assert_shown(bytes, sizeof bytes - 1, expected)

static void letters_of_all_alphabets_pass(void **unused)
{
    (void) unused;
    SHOWN("Anna", "Anna");
    SHOWN("J\xc3\xbcrgen \xe2\x82\xac \xf0\x9f\x8e\xb2",
          "J\xc3\xbcrgen \xe2\x82\xac \xf0\x9f\x8e\xb2");
}

static void control_characters_become_question_marks(void **unused)
{
    (void) unused;
    SHOWN("a\033[31mb", "a?[31mb");
    SHOWN("a\r\n\tb\x7f", "a???b?");
    SHOWN("a\0b", "a?b");
    SHOWN("C1 in UTF-8: \xc2\x9b", "C1 in UTF-8: ?");
    SHOWN("no break space: \xc2\xa0", "no break space: \xc2\xa0");
}

/* By which one text could pass for another: a turned direction, what takes no room, a tag. */
static void what_cannot_be_seen_becomes_a_question_mark(void **unused)
{
    (void) unused;
    SHOWN("a\xe2\x80\xae"
          "b",
          "a?b");
    SHOWN("\xe2\x80\xaa\xe2\x81\xa6\xe2\x81\xa9\xd8\x9c", "????");
    SHOWN("\xe2\x80\x8b\xe2\x80\x8f\xe2\x81\xa0\xef\xbb\xbf\xc2\xad", "?????");
    SHOWN("\xf3\xa0\x80\x81\xe2\x80\xa8\xe3\x85\xa4", "???");
    SHOWN("\xe2\x80\xaf\xe2\x80\x90\xe2\x81\x9f", "\xe2\x80\xaf\xe2\x80\x90\xe2\x81\x9f");
}

static void bytes_that_are_no_utf8_become_question_marks(void **unused)
{
    (void) unused;
    SHOWN("\x9b\xff", "??");
    SHOWN("cut \xe2\x82", "cut ??");
    SHOWN("overlong \xc0\x9b \xe0\x80\x9b", "overlong ?? ???");
    SHOWN("surrogate \xed\xa0\x80", "surrogate ???");
    SHOWN("too far \xf4\x90\x80\x80", "too far ????");
}

static void nothing_is_painted_where_nothing_stands(void **unused)
{
    char  *shown = NULL;
    size_t shown_size = 0;
    FILE  *out = open_memstream(&shown, &shown_size);
    (void) unused;
    assert_non_null(out);
    terminal_put_in(out, true, COLOUR_RED, "");
    terminal_put_in(out, true, COLOUR_RED, "red");
    terminal_put_in(out, false, COLOUR_RED, "plain");
    fclose(out);
    assert_string_equal(shown, "\033[31mred\033[0mplain");
    free(shown);
}

/* A character that comes in two pieces is one, as long as its line goes on. */
static void lines_through_a_plain_stream_lose_what_a_terminal_would_obey(void **unused)
{
    char  *shown = NULL;
    size_t shown_size = 0;
    FILE  *out = open_memstream(&shown, &shown_size);
    (void) unused;
    assert_non_null(out);
    FILE *plain = terminal_plain(out);
    assert_non_null(plain);
    fputs("a long line\n\033[31mred \xc3", plain);
    fflush(plain);
    fputs("\xa9\n\nthe \xc2\x9b"
          "2J last",
          plain);
    fclose(plain);
    fclose(out);
    assert_string_equal(shown, "a long line\n?[31mred \xc3\xa9\n\nthe ?2J last");
    free(shown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_of_all_alphabets_pass),
        cmocka_unit_test(control_characters_become_question_marks),
        cmocka_unit_test(what_cannot_be_seen_becomes_a_question_mark),
        cmocka_unit_test(bytes_that_are_no_utf8_become_question_marks),
        cmocka_unit_test(nothing_is_painted_where_nothing_stands),
        cmocka_unit_test(lines_through_a_plain_stream_lose_what_a_terminal_would_obey),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
