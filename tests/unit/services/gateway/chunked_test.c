/* chunked_test.c: a body in chunks is put together however it is cut, and what is none is noticed. */
#include "services/gateway/chunked.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <string.h>

static const char whole[] =
    "4\r\nWiki\r\n5;a=\"b\"\r\npedia\r\nB\r\n in chunks.\r\n0\r\nX: y\r\n\r\nGET";

/* What is read of `text`, given in pieces of `piece` bytes. */
static size_t read_in_pieces(struct chunked *chunked, const char *text, size_t piece, char *to)
{
    size_t written = 0, size = strlen(text);
    memset(chunked, 0, sizeof *chunked);
    for (size_t at = 0; at < size; at += piece) {
        size_t part = size - at < piece ? size - at : piece;
        written +=
            chunked_take(chunked, (const uint8_t *) text + at, part, (uint8_t *) to + written);
    }
    to[written] = '\0';
    return written;
}

static void a_body_is_whole_however_it_was_cut(void **unused)
{
    struct chunked chunked;
    char           body[128];
    (void) unused;
    for (size_t piece = 1; piece < sizeof whole; piece++) {
        assert_int_equal(read_in_pieces(&chunked, whole, piece, body), 20);
        assert_string_equal(body, "Wikipedia in chunks.");
        assert_int_equal(chunked.step, CHUNKED_DONE);
    }
}

static void lines_may_end_without_a_return(void **unused)
{
    struct chunked chunked;
    char           body[64];
    (void) unused;
    assert_int_equal(read_in_pieces(&chunked, "3\nabc\n0\n\n", 64, body), 3);
    assert_int_equal(chunked.step, CHUNKED_DONE);
}

static void what_is_cut_off_is_not_done(void **unused)
{
    struct chunked chunked;
    char           text[sizeof whole], body[128];
    (void) unused;
    for (size_t size = 0; size < sizeof whole - 4; size++) {
        memcpy(text, whole, size);
        text[size] = '\0';
        (void) read_in_pieces(&chunked, text, 7, body);
        assert_int_not_equal(chunked.step, CHUNKED_DONE);
        assert_int_not_equal(chunked.step, CHUNKED_BROKEN);
    }
}

static void what_is_no_chunk_is_broken(void **unused)
{
    static const char *const texts[] = { "\r\n",          "x\r\n",       "-1\r\na",
                                         "123456789\r\n", "1\r\nab\r\n", "0x1\r\na\r\n" };
    struct chunked           chunked;
    char                     body[64];
    (void) unused;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        (void) read_in_pieces(&chunked, texts[i], 64, body);
        assert_int_equal(chunked.step, CHUNKED_BROKEN);
    }
}

/* Somebody may send lines that mean nothing for ever. */
static void a_line_without_an_end_is_broken(void **unused)
{
    static const char *const begins[] = { "1;", "0\r\nX" };
    static char              filler[8192], body[16384];
    struct chunked           chunked;
    (void) unused;
    memset(filler, 'a', sizeof filler);
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        (void) read_in_pieces(&chunked, begins[i], 64, body);
        assert_int_not_equal(chunked.step, CHUNKED_BROKEN);
        (void) chunked_take(&chunked, (const uint8_t *) filler, sizeof filler, (uint8_t *) body);
        assert_int_equal(chunked.step, CHUNKED_BROKEN);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_is_whole_however_it_was_cut),
        cmocka_unit_test(lines_may_end_without_a_return),
        cmocka_unit_test(what_is_cut_off_is_not_done),
        cmocka_unit_test(what_is_no_chunk_is_broken),
        cmocka_unit_test(a_line_without_an_end_is_broken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
