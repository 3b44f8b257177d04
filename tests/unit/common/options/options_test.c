/* options_test.c: a command line is read by its table, and what is wrong is said with what was meant. */
#include "options/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct asked {
    bool             quick;
    const char      *file, *colour;
    uint64_t         count, seed;
    struct word_list names;
};

static const char *const colours[] = { "red", "green", NULL };

#define AT(member) .offset = offsetof(struct asked, member)

static const struct option table[] = {
    { .name = "quick", .kind = OPTION_FLAG, AT(quick) },
    { .name = "file", .kind = OPTION_TEXT, .value = "FILE", AT(file) },
    { .name = "count", .kind = OPTION_NUMBER, .value = "N", .least = 1, .most = 9, AT(count) },
    { .name = "seed", .kind = OPTION_NUMBER, .value = "N", .most = UINT64_MAX, AT(seed) },
    { .name = "colour", .kind = OPTION_WORD, .value = "NAME", .words = colours, AT(colour) },
    { .name = "name", .kind = OPTION_LIST, .value = "NAME", AT(names) },
    { .name = NULL },
};

static struct asked asked;
static struct words words;
static struct text  fault;

/* Splits a line at its spaces; returns how many words there are. */
static int split(char *line, char **word, int most)
{
    int count = 0;
    while (*line != '\0' && count < most) {
        word[count++] = line;
        while (*line != ' ' && *line != '\0')
            line++;
        while (*line == ' ')
            *line++ = '\0';
    }
    return count;
}

/* Reads a line of words with one space between them. */
static bool read_line(const char *line)
{
    static char  copy[256];
    static char *argv[64];
    memset(&asked, 0, sizeof asked);
    snprintf(copy, sizeof copy, "%s", line);
    int argc = split(copy, argv, 64);
    return options_read(table, argc, argv, &asked, &words, &fault);
}

static void assert_fault(const char *line, const char *sentence)
{
    assert_false(read_line(line));
    assert_string_equal(fault.bytes, sentence);
}

static void options_and_words_may_be_mixed(void **unused)
{
    (void) unused;
    assert_true(read_line("one --quick --file a.json two --count=7 --colour green three"));
    assert_true(asked.quick);
    assert_string_equal(asked.file, "a.json");
    assert_int_equal(asked.count, 7);
    assert_string_equal(asked.colour, "green");
    assert_int_equal(words.count, 3);
    assert_string_equal(words.word[0], "one");
    assert_string_equal(words.word[2], "three");
}

static void two_dashes_alone_end_the_options(void **unused)
{
    (void) unused;
    assert_true(read_line("-- --quick -x"));
    assert_false(asked.quick);
    assert_int_equal(words.count, 2);
    assert_string_equal(words.word[1], "-x");
}

static void a_list_gathers_its_values_in_order(void **unused)
{
    (void) unused;
    assert_true(read_line("--name a --name=b --name c"));
    assert_int_equal(asked.names.count, 3);
    assert_string_equal(asked.names.word[1], "b");
    static const char sixteen[] = "--name a --name a --name a --name a --name a --name a "
                                  "--name a --name a --name a --name a --name a --name a "
                                  "--name a --name a --name a --name a";
    char              more[256];
    assert_true(read_line(sixteen));
    assert_int_equal(asked.names.count, WORD_LIST_MAX);
    snprintf(more, sizeof more, "%s --name a", sixteen);
    assert_fault(more, "--name may be given at most 16 times");
}

static void what_is_wrong_is_said_in_a_sentence(void **unused)
{
    (void) unused;
    assert_fault("--fiel x", "there is no option --fiel; did you mean --file?");
    assert_fault("--xyzzyx", "there is no option --xyzzyx");
    assert_fault("--col x", "there is no option --col; did you mean --colour?");
    assert_fault("--file", "--file needs a value: FILE");
    assert_fault("--quick=yes", "--quick takes no value");
    assert_fault("-q", "options are written out with two dashes, unlike -q");
    assert_fault("--colour gren", "--colour takes red or green, not \"gren\"; did you mean green?");
}

static void a_number_is_whole_and_in_its_range(void **unused)
{
    (void) unused;
    const char *const bad[] = { "0", "10", "-1", "+1", "1x", "x", "1.5", "99999999999999999999" };
    for (uint32_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char line[64];
        snprintf(line, sizeof line, "--count=%s", bad[i]);
        assert_false(read_line(line));
        assert_non_null(strstr(fault.bytes, "a whole number from 1 to 9"));
    }
    assert_true(read_line("--count 1"));
    assert_true(read_line("--count 9"));
}

static void a_number_may_take_all_of_its_64_bits(void **unused)
{
    (void) unused;
    assert_true(read_line("--seed 18446744073709551615"));
    assert_true(asked.seed == UINT64_MAX);
    assert_true(read_line("--seed 9223372036854775808"));
    assert_true(asked.seed == (uint64_t) INT64_MAX + 1);
    assert_fault("--seed 18446744073709551616", "--seed takes a whole number from 0 to "
                                                "18446744073709551615, not "
                                                "\"18446744073709551616\"");
    assert_fault("--seed 99999999999999999999999", "--seed takes a whole number from 0 to "
                                                   "18446744073709551615, not "
                                                   "\"99999999999999999999999\"");
}

static void distance_counts_slips_of_the_finger(void **unused)
{
    (void) unused;
    assert_int_equal(word_distance("", ""), 0);
    assert_int_equal(word_distance("seed", "seed"), 0);
    assert_int_equal(word_distance("seed", "sede"), 1); /* Swapped. */
    assert_int_equal(word_distance("seed", "seeds"), 1);
    assert_int_equal(word_distance("seed", "sed"), 1);
    assert_int_equal(word_distance("seed", "deed"), 1);
    assert_int_equal(word_distance("abc", "xyz"), 3);
    assert_int_equal(word_distance("", "abc"), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_and_words_may_be_mixed),
        cmocka_unit_test(two_dashes_alone_end_the_options),
        cmocka_unit_test(a_list_gathers_its_values_in_order),
        cmocka_unit_test(what_is_wrong_is_said_in_a_sentence),
        cmocka_unit_test(a_number_is_whole_and_in_its_range),
        cmocka_unit_test(a_number_may_take_all_of_its_64_bits),
        cmocka_unit_test(distance_counts_slips_of_the_finger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
