/* config_file_test.c: a set-up's file is read whole, judged by its game, and complained of line by
 * line. */
#include "json/config_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A game whose set-up is {"n": 1 to 9} and whose options may say {"twice": true}. */
static size_t toy_configure(const struct value *config, const struct value *options, void *setup,
                            size_t capacity, struct faults *faults)
{
    static const char *const keys[] = { "n", NULL }, *const option_keys[] = { "twice", NULL };
    int64_t n = value_int(config, "n", 1, 9, faults);
    bool    twice = value_bool_or(options, "twice", false, faults);
    value_only(config, keys, faults);
    value_only(options, option_keys, faults);
    if (faults->count > 0)
        return 0;
    if (setup != NULL && capacity >= sizeof n) {
        n *= twice ? 2 : 1;
        memcpy(setup, &n, sizeof n);
    }
    return sizeof n;
}

static const struct game toy = { .name = "toy", .configure = toy_configure };

static char  path[] = "/tmp/arbiter-config-XXXXXX";
static char *said; /* What was complained of. */

static bool load(struct config *config, const char *bytes, size_t size, const char *options)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);

    size_t said_size;
    free(said);
    FILE *complaints = open_memstream(&said, &said_size);
    bool  loaded = config_load(config, &toy, path, options, complaints);
    fclose(complaints);
    return loaded;
}

/* Compares what was said, in which '@' stands for the file's path. */
static void expect_said(const char *expected)
{
    char   text[1024];
    size_t used = 0;
    for (; *expected != '\0' && used + sizeof path < sizeof text; expected++)
        if (*expected == '@')
            used += (size_t) snprintf(text + used, sizeof text - used, "%s", path);
        else
            text[used++] = *expected;
    text[used] = '\0';
    assert_string_equal(said, text);
}

static int setup(void **unused)
{
    (void) unused;
    int fd = mkstemp(path);
    return fd < 0 || close(fd) != 0;
}

static int teardown(void **unused)
{
    (void) unused;
    free(said);
    return unlink(path);
}

static void a_good_file_becomes_text_and_setup(void **unused)
{
    (void) unused;
    struct config config;
    const char    text[] = " {\"n\" : 4}\n";
    assert_true(load(&config, text, strlen(text), "{\"twice\":true}"));
    expect_said("");
    assert_string_equal(config.text, text);
    assert_int_equal(config.text_size, strlen(text));
    assert_int_equal(config.setup_size, sizeof(int64_t));
    assert_int_equal(*(int64_t *) config.setup, 8);
    config_free(&config);
    assert_null(config.setup);
    config_free(&config);
}

static void every_fault_is_a_line_with_file_and_place(void **unused)
{
    (void) unused;
    struct config config;
    const char    text[] = "{\"n\":0,\"m\":1,\"m\":1}";
    assert_false(load(&config, text, strlen(text), "{\"twice\":1,\"once\":true}"));
    expect_said("@:/m: is there more than once; each key may stand once in an object\n"
                "@:/n: is 0, must be at least 1\n"
                "options:/twice: is a whole number, must be true or false\n"
                "@:/m: is not a key here; allowed are n\n"
                "@:/m: is not a key here; allowed are n\n"
                "options:/once: is not a key here; allowed are twice\n");
    assert_null(config.setup);
    assert_null(config.text);
}

/* The game finds nothing wrong here; the parser did. */
static void a_fault_of_the_text_alone_refuses_it(void **unused)
{
    (void) unused;
    struct config config;
    const char    text[] = "{\"n\":1,\"n\":2}";
    assert_false(load(&config, text, strlen(text), NULL));
    expect_said("@:/n: is there more than once; each key may stand once in an object\n");
    assert_false(load(&config, "{\"n\":1}", 7, "{\"twice\":true,\"twice\":true}"));
    expect_said("options:/twice: is there more than once; each key may stand once in an object\n");
}

static void bad_syntax_of_either_is_said(void **unused)
{
    (void) unused;
    struct config config;
    assert_false(load(&config, "{\"n\":1", 6, "{"));
    assert_memory_equal(said, "options: line 1, column ", 24);
    assert_non_null(strstr(said, "\n/tmp/"));
    assert_false(load(&config, "{\"n\":1}", 7, "{"));
    assert_false(load(&config, "", 0, NULL));
}

static void control_characters_do_not_reach_the_terminal(void **unused)
{
    (void) unused;
    struct config config;
    const char    text[] = "{\"n\":1,\"\\u001b[2J\\n\":0}";
    assert_false(load(&config, text, strlen(text), NULL));
    expect_said("@:/?[2J?: is not a key here; allowed are n\n");
    const char turned[] = "{\"n\":1,\"a\xe2\x80\xae\xc2\x9b\xc3\xa4\xf0\x9f\x8e\xb2\":0}";
    assert_false(load(&config, turned, strlen(turned), NULL));
    expect_said("@:/a??\xc3\xa4\xf0\x9f\x8e\xb2: is not a key here; allowed are n\n");
}

static void a_file_of_64_kib_is_read_and_a_bigger_one_refused(void **unused)
{
    (void) unused;
    static char   text[CONFIG_READ_MAX + 5];
    struct config config;
    memset(text, ' ', sizeof text);
    memcpy(text, "{\"n\":1}", 7);
    assert_true(load(&config, text, CONFIG_TEXT_MAX, NULL));
    config_free(&config);
    assert_false(load(&config, text, CONFIG_TEXT_MAX + 1, NULL));
    expect_said("@: has 65537 bytes, must have at most 65536\n");
    assert_false(load(&config, text, sizeof text, NULL));
    assert_non_null(strstr(said, ": has more than 10"));
}

static void what_cannot_be_read_is_said(void **unused)
{
    (void) unused;
    struct config config;
    size_t        said_size;
    free(said);
    FILE *complaints = open_memstream(&said, &said_size);
    assert_false(config_load(&config, &toy, "/nowhere/at/all.json", NULL, complaints));
    assert_false(config_load(&config, &toy, "/", NULL, complaints));
    fclose(complaints);
    assert_string_equal(said, "/nowhere/at/all.json: cannot be read: No such file or directory\n"
                              "/: cannot be read: Is a directory\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_file_becomes_text_and_setup),
        cmocka_unit_test(every_fault_is_a_line_with_file_and_place),
        cmocka_unit_test(a_fault_of_the_text_alone_refuses_it),
        cmocka_unit_test(bad_syntax_of_either_is_said),
        cmocka_unit_test(control_characters_do_not_reach_the_terminal),
        cmocka_unit_test(a_file_of_64_kib_is_read_and_a_bigger_one_refused),
        cmocka_unit_test(what_cannot_be_read_is_said),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
