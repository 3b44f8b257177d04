/* xml_test.c: documents of 2017 from XML to request: what is read leniently, what strictly, what not at all. */
#include "services/gateway/shell/xml/xml.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH(name) ARBITER__GATEWAY__REST_PATH__REST_PATH_##name

static char                      texts[1 << 16], half[1 << 16];
static struct rest_words         words = { .half = half };
static Arbiter__Gateway__RestAsk ask;

static const Arbiter__Gateway__RestAsk *read_as(Arbiter__Gateway__RestPath path, const char *text)
{
    struct rest_paper paper;
    size_t            size = strlen(text);
    char             *copy = malloc(size + 1); /* So that a sanitizer sees every byte too far. */
    assert_non_null(copy);
    memcpy(copy, text, size);
    xml_read(copy, size, texts, &paper);
    rest_read(&paper, path, &words, &ask);
    free(copy);
    return &ask;
}

#define PERSON(first, sur, number)                                                                 \
    "<NewPlayerRequest><FirstName>" first "</FirstName><SurName>" sur                              \
    "</SurName><MatriculationNumber>" number "</MatriculationNumber></NewPlayerRequest>"

static void a_person_is_read_and_trimmed(void **unused)
{
    (void) unused;
    assert_false(
        read_as(PATH(NEW_PLAYER), PERSON(" Anna\n", "M&#252;ller", "\ta1234567 "))->malformed);
    assert_string_equal(ask.person, "Anna\nM\xc3\xbcller\na1234567");
    assert_false(ask.impl);
}

static void a_number_that_lost_its_zeros_gets_them_back(void **unused)
{
    (void) unused;
    (void) read_as(PATH(NEW_PLAYER),
                   "<newPlayerRequest><firstName>A</firstName><secondName>B</secondName>"
                   "<matrikelnummer>42</matrikelnummer></newPlayerRequest>");
    assert_false(ask.malformed);
    assert_true(ask.impl);
    assert_string_equal(ask.person, "A\nB\n00000042");
}

static void a_person_without_a_name_or_number_is_none(void **unused)
{
    static const char *const wrong[] = {
        PERSON("", "B", "01234567"),
        PERSON("A", " \t ", "01234567"),
        PERSON("A", "B", "123456"),
        PERSON("A", "B", "b1234567"),
        PERSON("A", "B", "123456789"),
        PERSON("A&#9;A", "B", "01234567"),
        PERSON("A&#133;", "B", "01234567"),
        PERSON("1234567890123456789012345678901", "B", "01234567"),
        "<NewPlayerRequest><FirstName>A</FirstName><SurName>B</SurName></NewPlayerRequest>",
        ("<newPlayerRequest><firstName>A</firstName><surName>B</surName><secondName>C</secondName>"
         "<matrikelnummer>1</matrikelnummer></newPlayerRequest>"),
    };
    (void) unused;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_true(read_as(PATH(NEW_PLAYER), wrong[i])->malformed);
    assert_false(read_as(PATH(NEW_PLAYER), PERSON("123456789012345678901234567890", "B", "1234567"))
                     ->malformed);
}

#define UPDATE(id, turns)                                                                          \
    "<UpdateRequest><PlayerPositionX>-3</PlayerPositionX><PlayerPositionY>+04</PlayerPositionY>"   \
    "<WantedPositionX>2147483647</WantedPositionX><WantedPositionY>-2147483648</"                  \
    "WantedPositionY>" id turns "</UpdateRequest>"
#define TURNS "<TurnsLeft> 2 </TurnsLeft>"

static void numbers_are_those_of_the_schema(void **unused)
{
    (void) unused;
    (void) read_as(PATH(UPDATE), UPDATE("<ID>7</ID>", TURNS));
    assert_false(ask.malformed);
    assert_true(ask.has_id);
    assert_int_equal(ask.id, 7);
    assert_int_equal(ask.player_x, -3);
    assert_int_equal(ask.player_y, 4);
    assert_int_equal(ask.wanted_x, INT32_MAX);
    assert_int_equal(ask.wanted_y, INT32_MIN);
    assert_int_equal(ask.turns, 2);
}

static void what_is_no_number_is_malformed_and_still_names_its_player(void **unused)
{
    static const char *const wrong[] = { "<TurnsLeft>2.0</TurnsLeft>",
                                         "<TurnsLeft/>",
                                         "<TurnsLeft>2147483648</TurnsLeft>",
                                         "<TurnsLeft>-</TurnsLeft>",
                                         TURNS TURNS,
                                         TURNS "<TurnsUntilMovement>2</TurnsUntilMovement>",
                                         "<TurnsLeft>1 2</TurnsLeft>",
                                         "<turns>2</turns>" };
    char                     text[1024];
    (void) unused;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        (void) snprintf(text, sizeof text, UPDATE("<ID>7</ID>", "%s"), wrong[i]);
        assert_true(read_as(PATH(UPDATE), text)->malformed);
        assert_true(ask.has_id);
    }
}

static void two_ids_name_nobody(void **unused)
{
    (void) unused;
    assert_false(read_as(PATH(UPDATE), UPDATE("<ID>7</ID><ID>7</ID>", TURNS))->has_id);
    assert_false(read_as(PATH(UPDATE), UPDATE("<ID>x</ID>", TURNS))->has_id);
    assert_false(read_as(PATH(UPDATE), UPDATE("<id>7</id>", TURNS))->has_id);
}

static void order_spelling_and_what_is_unknown_do_not_matter(void **unused)
{
    (void) unused;
    (void) read_as(
        PATH(MAP),
        "\xef\xbb\xbf<?xml version='1.0' encoding='utf-0' standalone='yes'?><!-- a -->"
        "<x:createNewMapRequest xmlns:x='urn:y' a='1'><other><ID>9</ID></other>"
        "<MapHalf b='2'>0<![CDATA[1]]>\n</MapHalf><z:ID>3</z:ID></x:createNewMapRequest>");
    assert_false(ask.malformed);
    assert_true(ask.impl);
    assert_int_equal(ask.id, 3);
    assert_string_equal(ask.half, "01\n");
}

static void a_wrong_root_is_malformed(void **unused)
{
    (void) unused;
    assert_true(read_as(PATH(MAP), "<Map><ID>3</ID><MapHalf>01</MapHalf></Map>")->malformed);
    assert_true(ask.has_id);
    assert_false(
        read_as(PATH(PROBLEM), "<ConnectionProblemRequest><ID>3</ID></ConnectionProblemRequest>")
            ->malformed);
}

/* Nothing of these is read: no name, no id, no dialect. */
static void what_is_no_xml_of_ours_is_not_read(void **unused)
{
    static const char *const wrong[] = {
        "",
        " ",
        "\xef\xbb\xbf",
        "ID=3",
        "<a>",
        "<a></b>",
        "<a/><a/>",
        "<a><ID>3</ID>",
        "<!DOCTYPE a [<!ENTITY e 'x'>]><a><ID>3</ID></a>",
        "<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a><ID>&e;</ID></a>",
        "<!DOCTYPE a SYSTEM 'http://127.0.0.1/x.dtd'><a><ID>3</ID></a>",
        ("<!DOCTYPE l [<!ENTITY a '0123456789'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>"
         "<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;'>]><a><ID>&c;</ID></a>"),
        "<a><ID>&unknown;</ID></a>",
        "<?xml version='1.0' encoding='ISO-8859-1'?><a><ID>3</ID></a>",
        "<?xml version='1.0' encoding='UTF-16'?><a><ID>3</ID></a>",
        "<a><ID>3\xff</ID></a>",
        "<a><b><c><d><e><f><g><h><i/></h></g></f></e></d></c></b><ID>3</ID></a>",
    };
    (void) unused;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        (void) read_as(PATH(MAP), wrong[i]);
        assert_true(ask.malformed);
        assert_false(ask.has_id);
        assert_false(ask.has_impl);
    }
    (void) read_as(PATH(MAP), "<a><b><c><d><e><f><g><h/></g></f></e></d></c></b><ID>3</ID></a>");
    assert_true(ask.has_id);
}

static void media_types_and_paths(void **unused)
{
    (void) unused;
    assert_true(rest_type_fits(NULL, 0));
    assert_true(rest_type_fits("Text/XML ; charset=x", 20));
    assert_false(rest_type_fits("text/xmlx", 9));
    assert_false(rest_type_fits("application/json", 16));
    assert_int_equal(rest_path_of("/Updates/", 9), PATH(UPDATE));
    assert_int_equal(rest_path_of("/updates", 8), PATH(UNSPECIFIED));
    assert_int_equal(rest_path_of("/", 1), PATH(UNSPECIFIED));
    assert_int_equal(rest_path_of("/Problem", 8), PATH(PROBLEM));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_person_is_read_and_trimmed),
        cmocka_unit_test(a_number_that_lost_its_zeros_gets_them_back),
        cmocka_unit_test(a_person_without_a_name_or_number_is_none),
        cmocka_unit_test(numbers_are_those_of_the_schema),
        cmocka_unit_test(what_is_no_number_is_malformed_and_still_names_its_player),
        cmocka_unit_test(two_ids_name_nobody),
        cmocka_unit_test(order_spelling_and_what_is_unknown_do_not_matter),
        cmocka_unit_test(a_wrong_root_is_malformed),
        cmocka_unit_test(what_is_no_xml_of_ours_is_not_read),
        cmocka_unit_test(media_types_and_paths),
    };
    xml_begin();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    xml_end();
    return failed;
}
