/* settings_test.c: what a service is told: a file, options over it, and every fault with its place. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h> // cmocka needs these four, in this order

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shell/settings.h"

static char     name[8];
static bool     is_loud;
static uint32_t count;
static uint64_t size_bytes;

static const struct setting common[] = {
    { "name", SETTING_TEXT, name, 0, sizeof name, "What it is called." },
    { "is_loud", SETTING_FLAG, &is_loud, 0, 0, "Whether it shouts." },
};
static const struct setting own[] = {
    { "things_max", SETTING_NUMBER32, &count, 1, 100, "So many things." },
    { "size_bytes", SETTING_NUMBER64, &size_bytes, 0, 1u << 30, "So big." },
};
static const struct settings_list lists[] = { { common, 2 }, { own, 2 } };

static char  path[] = "/tmp/arbiter-settings-XXXXXX";
static char *said;

static int reset(void **unused)
{
    (void) unused;
    memset(name, 0, sizeof name);
    is_loud = false;
    count = 7;
    size_bytes = 8;
    return 0;
}

static int forget(void **unused)
{
    (void) unused;
    free(said);
    said = NULL;
    return 0;
}

/* Reads these bytes as a file; what was complained about is in `said`, with the path as "FILE". */
static bool read_file(const char *bytes)
{
    size_t said_size = 0;
    char   file_path[sizeof path];
    memcpy(file_path, path, sizeof path);
    int file = mkstemp(file_path);
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes, strlen(bytes)), strlen(bytes));
    assert_int_equal(close(file), 0);
    FILE *complaints = open_memstream(&said, &said_size);
    bool  is_good = settings_file(lists, 2, file_path, complaints);
    assert_int_equal(fclose(complaints), 0);
    assert_int_equal(unlink(file_path), 0);
    for (char *at = strstr(said, file_path); at != NULL; at = strstr(said, file_path)) {
        memcpy(at, "FILE", 4);
        memmove(at + 4, at + strlen(file_path), strlen(at + strlen(file_path)) + 1);
    }
    return is_good;
}

static bool read_options(int argc, char **argv)
{
    size_t said_size = 0;
    FILE  *complaints = open_memstream(&said, &said_size);
    bool   is_good = settings_options(lists, 2, argc, argv, complaints);
    assert_int_equal(fclose(complaints), 0);
    return is_good;
}

static void a_file_sets_what_it_names_and_may_hold_remarks(void **unused)
{
    (void) unused;
    assert_true(read_file("{\"#name\": \"a remark\", \"name\": \"joe\", \"is_loud\": true,"
                          " \"things_max\": 100}"));
    assert_string_equal(said, "");
    assert_string_equal(name, "joe");
    assert_true(is_loud);
    assert_int_equal(count, 100);
    assert_int_equal(size_bytes, 8);
}

static void every_fault_of_a_file_is_named_with_its_place(void **unused)
{
    (void) unused;
    assert_false(
        read_file("{\"name\": \"much too long\", \"things_max\": 0, \"size_bytes\": \"big\","
                  " \"nothing\": 1}"));
    assert_non_null(strstr(said, "FILE:/name: has 13 bytes, may have 7\n"));
    assert_non_null(strstr(said, "FILE:/things_max: "));
    assert_non_null(strstr(said, "FILE:/size_bytes: "));
    assert_non_null(strstr(said, "FILE:/nothing: there is no such setting"));
}

static void what_is_no_json_or_no_object_is_refused(void **unused)
{
    (void) unused;
    assert_false(read_file("{\"name\": "));
    assert_non_null(strstr(said, "FILE:"));
    (void) forget(NULL);
    assert_false(read_file("[1]"));
    assert_non_null(strstr(said, "FILE:"));
}

static void options_go_over_the_file(void **unused)
{
    (void) unused;
    char *words[] = { "x",         "--config",   "--name",       "--things-max", "9",
                      "--is-loud", "--name=ann", "--size_bytes", "1024" };
    assert_true(read_options(9, words));
    assert_string_equal(said, "");
    assert_int_equal(count, 9);
    assert_int_equal(size_bytes, 1024);
    assert_true(is_loud);
    assert_string_equal(name, "ann");
}

static void every_fault_of_the_options_is_named(void **unused)
{
    (void) unused;
    char *words[] = { "x",        "--things-max", "101",   "--size-bytes", "-1", "--name",
                      "abcdefgh", "--nothing",    "stray", "--things-max", "7x", "--size-bytes" };
    assert_false(read_options(12, words));
    assert_non_null(strstr(said, "--things-max takes a whole number from 1 to 100, not \"101\"\n"));
    assert_non_null(
        strstr(said, "--size-bytes takes a whole number from 0 to 1073741824, not \"-1\"\n"));
    assert_non_null(strstr(said, "--name has 8 bytes, may have 7\n"));
    assert_non_null(strstr(said, "there is no option --nothing"));
    assert_non_null(strstr(said, "two dashes, unlike stray\n"));
    assert_non_null(strstr(said, "from 1 to 100, not \"7x\"\n"));
    assert_non_null(strstr(said, "--size-bytes needs a value: VALUE\n"));
    assert_int_equal(count, 7);
}

static void help_names_them_all_with_what_they_are(void **unused)
{
    (void) unused;
    size_t said_size = 0;
    FILE  *to = open_memstream(&said, &said_size);
    settings_help(lists, 2, to);
    assert_int_equal(fclose(to), 0);
    assert_non_null(strstr(said, "--things-max VALUE\n        So many things. Now: 7.\n"));
    assert_non_null(strstr(said, "--is-loud\n        Whether it shouts. Now: no.\n"));
}

static void a_password_is_not_printed(void **unused)
{
    (void) unused;
    static const char *const pairs[][2] = {
        { "postgresql://ann:se@cret@db:5432/x?a=b@c", "\"postgresql://...@db:5432/x?a=b@c\"" },
        { "http://db/a@b", "\"http://db/a@b\"" },
        { "ann@db", "\"ann@db\"" },
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char                 text[64], *printed = NULL;
        size_t               size = 0;
        FILE                *to = open_memstream(&printed, &size);
        const struct setting one = { .kind = SETTING_TEXT, .at = text };
        (void) snprintf(text, sizeof text, "%s", pairs[i][0]);
        settings_print(&one, to);
        assert_int_equal(fclose(to), 0);
        assert_string_equal(printed, pairs[i][1]);
        free(printed);
    }
}

#define FRESH(test) cmocka_unit_test_setup_teardown(test, reset, forget)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FRESH(a_file_sets_what_it_names_and_may_hold_remarks),
        FRESH(every_fault_of_a_file_is_named_with_its_place),
        FRESH(what_is_no_json_or_no_object_is_refused),
        FRESH(options_go_over_the_file),
        FRESH(every_fault_of_the_options_is_named),
        FRESH(help_names_them_all_with_what_they_are),
        cmocka_unit_test(a_password_is_not_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
