/* rest_read_test.c: elements, types and declarations of 2017 as they may come from anybody, without a reader of XML between. */
#include "services/gateway/rest/rest_read.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <string.h>

#include "services/gateway/chunked.h"
#include "services/gateway/rest/rest_write.h"

#define PATH(name) ARBITER__GATEWAY__REST_PATH__REST_PATH_##name

static struct rest_paper         paper;
static char                      half[64];
static struct rest_words         words = { .half = half };
static Arbiter__Gateway__RestAsk ask;

static int a_paper(void **unused)
{
    (void) unused;
    memset(&paper, 0, sizeof paper);
    paper.is_whole = true;
    return 0;
}

static void stands(enum rest_element element, const char *text)
{
    paper.element[element] = (struct rest_text){ text, strlen(text), 1 };
}

/* A good one of each kind. */
static void writes(const char *root)
{
    memset(paper.root, 0, sizeof paper.root);
    memcpy(paper.root, root, strlen(root));
    stands(REST_ID, "7");
    stands(REST_FIRST_NAME, "A");
    stands(REST_SUR_NAME, "B");
    stands(REST_NUMBER, "01234567");
    stands(REST_MAP_HALF, "0102");
    for (uint32_t i = REST_PLAYER_X; i <= REST_TURNS; i++)
        stands(i, "3");
}

static bool is_good(Arbiter__Gateway__RestPath path)
{
    rest_read(&paper, path, &words, &ask);
    return !ask.malformed;
}

static void each_element_is_needed_and_once(void **unused)
{
    (void) unused;
    static const struct {
        Arbiter__Gateway__RestPath path;
        const char                *root;
        enum rest_element          first, last;
    } kinds[] = {
        { PATH(NEW_PLAYER), "NewPlayerRequest", REST_FIRST_NAME, REST_NUMBER },
        { PATH(MAP), "CreateNewMapRequest", REST_MAP_HALF, REST_MAP_HALF },
        { PATH(UPDATE), "UpdateRequest", REST_PLAYER_X, REST_TURNS },
    };
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t element = kinds[i].first; element <= (uint32_t) kinds[i].last; element++) {
            writes(kinds[i].root);
            assert_true(is_good(kinds[i].path));
            paper.element[element].times = 2;
            assert_false(is_good(kinds[i].path));
            paper.element[element].times = 0;
            assert_false(is_good(kinds[i].path));
        }
    writes("ConnectionProblemRequest");
    assert_true(is_good(PATH(PROBLEM)));
    assert_false(is_good(PATH(UPDATE))); /* It is another request. */
}

static void the_first_letter_tells_the_dialect(void **unused)
{
    (void) unused;
    static const struct {
        const char *root;
        bool        is_impl, is_known;
    } roots[] = { { "updateRequest", true, true },
                  { "UpdateRequest", false, true },
                  { "~pdateRequest", false, false },
                  { "_pdateRequest", false, false },
                  { "updateRequestt", true, false } };
    for (uint32_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        writes(roots[i].root);
        assert_int_equal(is_good(PATH(UPDATE)), roots[i].is_known);
        assert_int_equal(ask.impl, roots[i].is_impl);
    }
    writes("");
    assert_false(is_good(PATH(UPDATE)) || ask.has_impl || ask.impl);
}

static void an_empty_half_is_a_half(void **unused)
{
    (void) unused;
    writes("CreateNewMapRequest");
    stands(REST_MAP_HALF, "");
    assert_true(is_good(PATH(MAP)));
    assert_string_equal(ask.half, "");
}

static void names_have_characters_and_no_others(void **unused)
{
    (void) unused;
    static const char *const wrong[] = { "A\x7f", "A\x1f", "A\xc2\x85", "" };
    static const char *const right[] = { "\xc2\xa0z", "\xc3\x85", "z\xc2", "\r\n\t A \t\r\n" };
    for (uint32_t i = 0; i < 4; i++) {
        writes("NewPlayerRequest");
        stands(REST_SUR_NAME, wrong[i]);
        assert_false(is_good(PATH(NEW_PLAYER)));
        stands(REST_SUR_NAME, right[i]);
        assert_true(is_good(PATH(NEW_PLAYER)));
    }
}

static void a_name_has_nothing_that_nobody_sees(void **unused)
{
    (void) unused;
    static const char *const wrong[] = {
        "A\u00ad", "A\u200dB",    "\u202eA", "\u3164", "A\ufe0f",
        "\u2800",  "A\U000e0041", "A\ufeff", "\u0301", "A \u0301"
    };
    static const char *const right[] = { "M\u00fcller", "\u738b", "\U0001f3b2", "O\u2019Neil" };
    writes("NewPlayerRequest");
    for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        stands(REST_SUR_NAME, wrong[i]);
        assert_false(is_good(PATH(NEW_PLAYER)));
    }
    for (uint32_t i = 0; i < sizeof right / sizeof *right; i++) {
        stands(REST_SUR_NAME, right[i]);
        assert_true(is_good(PATH(NEW_PLAYER)));
    }
}

static void numbers_of_people_and_of_programs(void **unused)
{
    (void) unused;
    static const char *const wrong[] = { "", "a", "a123456", "123456789", "0123/567", "0123:567" };
    for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        writes("NewPlayerRequest");
        stands(REST_NUMBER, wrong[i]);
        assert_false(is_good(PATH(NEW_PLAYER)));
    }
    paper.is_int_number = true;
    static const struct {
        const char *text;
        bool        is_good;
    } ints[] = {
        { "7", true }, { "123456789", true }, { "1234567890", false }, { "a1234567", true }
    };
    for (uint32_t i = 0; i < 4; i++) {
        stands(REST_NUMBER, ints[i].text);
        assert_int_equal(is_good(PATH(NEW_PLAYER)), ints[i].is_good);
    }
}

static void an_id_is_a_number_of_32_bits(void **unused)
{
    (void) unused;
    static const struct {
        const char *text;
        bool        is_id;
        int32_t     id;
    } ids[] = { { " +7\r", true, 7 },        { "-2147483648", true, INT32_MIN },
                { "2147483648", false, 0 },  { "99999999999999999999", false, 0 },
                { "-", false, 0 },           { "", false, 0 },
                { "1 2", false, 0 },         { "1:", false, 0 },
                { "-2147483649", false, 0 }, { "007", true, 7 } };
    for (uint32_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        writes("UpdateRequest");
        stands(REST_ID, ids[i].text);
        (void) is_good(PATH(UPDATE));
        assert_int_equal(ask.has_id, ids[i].is_id);
        if (ids[i].is_id)
            assert_int_equal(ask.id, ids[i].id);
    }
}

static void elements_have_their_names(void **unused)
{
    (void) unused;
    bool is_int = false;
    assert_int_equal(rest_element_of("secondName", 10, &is_int), REST_SUR_NAME);
    assert_int_equal(rest_element_of("~econdName", 10, &is_int), REST_ELEMENTS);
    assert_int_equal(rest_element_of("iD", 2, &is_int), REST_ELEMENTS);
    assert_int_equal(rest_element_of("ID", 2, &is_int), REST_ID);
    assert_int_equal(rest_element_of("", 0, &is_int), REST_ELEMENTS);
    assert_false(is_int);
    assert_int_equal(rest_element_of("matrikelnummer", 14, &is_int), REST_NUMBER);
    assert_true(is_int);
    assert_int_equal(rest_element_of("ID", 2, &is_int), REST_ID); /* Said once, it stays so. */
    assert_true(is_int);
}

static void types_that_are_xml(void **unused)
{
    (void) unused;
    static const char *const right[] = { "", "application/xml", "Text/XML ; charset=utf-8",
                                         "\ttext/xml\r\n", ";" };
    static const char *const wrong[] = { "application/json", "text/xmlx", "application/xm1" };
    assert_true(rest_type_fits(NULL, 0));
    for (uint32_t i = 0; i < sizeof right / sizeof *right; i++)
        assert_true(rest_type_fits(right[i], strlen(right[i])));
    for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(rest_type_fits(wrong[i], strlen(wrong[i])));
}

static void declarations_may_say_utf_8_and_nothing_else(void **unused)
{
    (void) unused;
    static const char *const right[] = {
        "<?xml version='1.0'?><a/>",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a/>",
        "<?xml encoding = 'us-ascii'?><a/>",
        "<?xml\tencoding\r\n=\n'utf-0'?><a/>",
        "<?xml xencoding='latin1'?><a/>", /* Something else. */
        "<?xml encodings='latin1'?><a/>",
        "<?xml encoding=utf-16?><a/>", /* Says nothing: libxml2 judges it. */
        "<?xml encoding=?><a/>",
        "<?xml encoding?><a/>",
        "<?xml encoding='utf-8?><a/>", /* Not closed: it ends with the declaration. */
        "<?xml ? encoding='utf-8'?><a/>",
        "<?xmlx?><a/>",
        "<?xm",
        "\xef\xbb\xbf<?xml encoding='utf-8'?><a/>",
        "\xef\xbb\xbf<a/>",
        "<a/>",
    };
    static const char *const wrong[] = { "<?xml encoding='latin1'?><a/>", "<?xml encoding='utf-8'",
                                         "<?xml version='1.0' ?", "\xff" };
    for (uint32_t i = 0; i < sizeof right / sizeof *right; i++)
        assert_non_null(rest_skip_declaration(right[i], strlen(right[i])));
    for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_null(rest_skip_declaration(wrong[i], strlen(wrong[i])));
}

static void sizes_of_chunks_are_hexadecimal(void **unused)
{
    (void) unused;
    static const struct {
        const char       *text;
        enum chunked_step step;
    } sizes[] = { { "1f\t\r\n", CHUNKED_DATA },    { "1F \r\n", CHUNKED_DATA },
                  { "1g\r\n", CHUNKED_BROKEN },    { "1G\r\n", CHUNKED_BROKEN },
                  { "1/\r\n", CHUNKED_BROKEN },    { "1@\r\n", CHUNKED_BROKEN },
                  { "1`\r\n", CHUNKED_BROKEN },    { ";\r\n", CHUNKED_BROKEN },
                  { "123456789", CHUNKED_BROKEN }, { "0\r\n\r\n", CHUNKED_DONE },
                  { "1\r\nab", CHUNKED_BROKEN } };
    uint8_t to[64];
    for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct chunked chunked = { 0 };
        (void) chunked_take(&chunked, (const uint8_t *) sizes[i].text, strlen(sizes[i].text), to);
        assert_int_equal(chunked.step, sizes[i].step);
    }
}

/* In both dialects, with and without what a set-up may add. */
static void answers_are_written(void **unused)
{
    (void) unused;
    char                         text[REST_XML_MAX];
    Arbiter__Gateway__RestAnswer answer = ARBITER__GATEWAY__REST_ANSWER__INIT;
    answer.kind = ARBITER__GATEWAY__REST_ANSWER__KIND__KIND_UPDATE;
    answer.has_castle_x = answer.has_treasure_x = true;
    answer.castle_x = -4;
    text[rest_write(text, &answer)] = '\0';
    assert_non_null(strstr(text, "<EnemyCastlePositionX>-4</EnemyCastlePositionX>"));
    answer.impl = true;
    text[rest_write(text, &answer)] = '\0';
    assert_non_null(strstr(text, "<updateResponse>"));
    assert_non_null(strstr(text, "<treasurePositionX>0</treasurePositionX>"));
    answer.kind = ARBITER__GATEWAY__REST_ANSWER__KIND__KIND_MAP;
    text[rest_write(text, &answer)] = '\0';
    assert_non_null(strstr(text, "<fullMap></fullMap>"));
}

#define TEST(name) cmocka_unit_test_setup(name, a_paper)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_element_is_needed_and_once),
        TEST(the_first_letter_tells_the_dialect),
        TEST(an_empty_half_is_a_half),
        TEST(names_have_characters_and_no_others),
        TEST(a_name_has_nothing_that_nobody_sees),
        TEST(numbers_of_people_and_of_programs),
        TEST(an_id_is_a_number_of_32_bits),
        TEST(elements_have_their_names),
        TEST(types_that_are_xml),
        TEST(declarations_may_say_utf_8_and_nothing_else),
        TEST(sizes_of_chunks_are_hexadecimal),
        TEST(answers_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
