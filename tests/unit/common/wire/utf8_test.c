/* utf8_test.c: characters are told apart by their bytes, and which of them are shown, at both sides of every
 * border. */
#include "wire/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void characters_have_their_number_and_size(void **unused)
{
    (void) unused;
    static const struct {
        const char *bytes;
        size_t      size;
        uint32_t    code;
    } rows[] = {
        { "a", 1, 'a' },
        { "\x7f", 1, 0x7f },
        { "\xc2\x80", 2, 0x80 },
        { "\xdf\xbf", 2, 0x7ff },
        { "\xe0\xa0\x80", 3, 0x800 },
        { "\xef\xbf\xbf", 3, 0xffff },
        { "\xf0\x90\x80\x80", 4, 0x10000 },
        { "\xf4\x8f\xbf\xbf", 4, 0x10ffff },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint8_t *bytes = (const uint8_t *) rows[i].bytes;
        uint32_t       code = 0;
        assert_int_equal(utf8_character(bytes, strlen(rows[i].bytes), &code), rows[i].size);
        assert_int_equal(code, rows[i].code);
        assert_int_equal(utf8_character(bytes, rows[i].size - 1, &code), 0);
    }
}

static void what_is_no_character_has_no_size(void **unused)
{
    (void) unused;
    static const char *const bad[] = { "\x80",         "\xc1\xbf",         "\xe0\x9f\xbf",
                                       "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc3." };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint32_t code;
        assert_int_equal(utf8_character((const uint8_t *) bad[i], strlen(bad[i]), &code), 0);
    }
}

static void what_is_hidden_has_its_borders(void **unused)
{
    (void) unused;
    static const uint32_t hidden[][2] = {
        { 0x0, 0x1f },        { 0x7f, 0x9f },     { 0xad, 0xad },       { 0x34f, 0x34f },
        { 0x600, 0x605 },     { 0x61c, 0x61c },   { 0x6dd, 0x6dd },     { 0x70f, 0x70f },
        { 0x115f, 0x1160 },   { 0x17b4, 0x17b5 }, { 0x180b, 0x180f },   { 0x200b, 0x200f },
        { 0x2028, 0x202e },   { 0x2060, 0x206f }, { 0x3164, 0x3164 },   { 0xfeff, 0xfeff },
        { 0xffa0, 0xffa0 },   { 0xfff0, 0xfffb }, { 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a },
        { 0xe0000, 0xe0fff },
    };
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        assert_false(utf8_is_shown(hidden[i][0]));
        assert_false(utf8_is_shown(hidden[i][1]));
        assert_true(utf8_is_shown(hidden[i][1] + 1));
        if (hidden[i][0] > 0)
            assert_true(utf8_is_shown(hidden[i][0] - 1));
    }
}

static bool is_name(const char *text)
{
    return utf8_is_name((const uint8_t *) text, strlen(text));
}

static void a_name_is_what_is_seen(void **unused)
{
    (void) unused;
    static const char *const good[] = { "Ann",
                                        "Ann-Kathrin O'Neil",
                                        "Zo\u00eb M\u00fcller",
                                        "Mu\u0308ller", /* Umlauts, and in two parts. */
                                        "\u738b\u5c0f\u660e",
                                        "\uc720\uc7ac\uc11d",
                                        "\u0410\u043d\u043d\u0430",
                                        "\u0639\u0644\u064a",
                                        "\U0001f3b2",
                                        "\U0001f44b\U0001f3fd",
                                        "\U0001f1e9\U0001f1ea",
                                        "\u2764", /* Dice, skin, a flag, a heart. */
                                        "a\ufffdb",
                                        "\u2030" };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!is_name(good[i]))
            fail_msg("no name: %s", good[i]);
}

/* Ann with one of them is another name that looks the same. */
static void what_nobody_sees_is_in_no_name(void **unused)
{
    (void) unused;
    static const char *const unseen[] = {
        "\x01",       "\n",         "\x7f",       "\xc2\x85",   "\u00a0",     "\u00ad",
        "\u034f",     "\u061c",     "\u115f",     "\u1160",     "\u1680",     "\u17b4",
        "\u180b",     "\u180e",     "\u2000",     "\u200a",     "\u200b",     "\u200c",
        "\u200d",     "\u200e",     "\u200f",     "\u2028",     "\u202e",     "\u202f",
        "\u205f",     "\u2060",     "\u2066",     "\u2069",     "\u2800",     "\u3000",
        "\u3164",     "\ufe00",     "\ufe0f",     "\ufeff",     "\uffa0",     "\ufff9",
        "\U0001d159", "\U0001d173", "\U000e0001", "\U000e0041", "\U000e007f", "\U000e0100",
        "\U000e01ef", "\xff",       "\xc3",       "\u08e2",     "\u0890",     "\U000110bd",
        "\U00013430", "\U00016fe4"
    };
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++) {
        char name[16];
        (void) snprintf(name, sizeof name, "A%snn", unseen[i]);
        if (is_name(name) || is_name(unseen[i]))
            fail_msg("a name with character %zu of the list", i);
    }
    assert_false(is_name(""));
}

/* An accent stands on a letter, or on another accent. */
static void a_mark_stands_on_a_letter(void **unused)
{
    (void) unused;
    static const char *const good[] = { "o\u0302\u0301", "\u0928\u093f", "\u0e17\u0e35\u0e48" };
    static const char *const bad[] = { "\u0301",    "\u0301Ann", "Ann \u0301", "\u20ddAnn",
                                       "\u0e35Ann", "A \u093f",  "\u3099",     "\U0001e000A" };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!is_name(good[i]))
            fail_msg("no name: %s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (is_name(bad[i]))
            fail_msg("a name: %zu of the list", i);
}

static void what_is_seen_is_left(void **unused)
{
    (void) unused;
    static const char *const rows[][2] = {
        { "A\u00adnn\u200b", "Ann" },       { "\u0301Ann", "Ann" }, { "Ann", "Ann" },
        { "Mu\u0308ller", "Mu\u0308ller" }, { "\u3164\u2800", "" }, { "A\U000e0041nn", "Ann" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t seen[32];
        size_t  size = utf8_seen(seen, (const uint8_t *) rows[i][0], strlen(rows[i][0]));
        assert_int_equal(size, strlen(rows[i][1]));
        assert_memory_equal(seen, rows[i][1], size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_have_their_number_and_size),
        cmocka_unit_test(what_is_no_character_has_no_size),
        cmocka_unit_test(what_is_hidden_has_its_borders),
        cmocka_unit_test(a_name_is_what_is_seen),
        cmocka_unit_test(what_nobody_sees_is_in_no_name),
        cmocka_unit_test(a_mark_stands_on_a_letter),
        cmocka_unit_test(what_is_seen_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
