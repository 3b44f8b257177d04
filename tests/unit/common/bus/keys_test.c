/* keys_test.c: key files: what is written is read back, and what is wrong with one is said. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h> // cmocka needs these four, in this order

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bus/keys.h"

static char            folder[] = "/tmp/arbiter-keys-XXXXXX";
static char            path[64];
static struct bus_keys keys;
static struct text     fault;

static int make_folder(void **unused)
{
    (void) unused;
    assert_non_null(mkdtemp(folder));
    return 0;
}

static int remove_folder(void **unused)
{
    (void) unused;
    return rmdir(folder);
}

static int save_one(void **unused)
{
    (void) unused;
    (void) snprintf(path, sizeof path, "%s/engine.key", folder);
    bus_keys_make(&keys, "engine");
    assert_true(bus_keys_save(&keys, path, &fault));
    text_clear(&fault);
    return 0;
}

/* The three lines of builds before certificates, which go on to be read. */
static int save_old(void **unused)
{
    char public_text[BUS_KEY_TEXT], secret_text[BUS_KEY_TEXT];
    (void) unused;
    (void) snprintf(path, sizeof path, "%s/old.key", folder);
    bus_keys_make(&keys, "engine");
    bus_key_write(public_text, keys.public_key);
    bus_key_write(secret_text, keys.secret_key);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "# A key of Arbiter.\nrole engine\npublic %s\nsecret %s\n", public_text,
            secret_text);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0600), 0);
    return 0;
}

static int remove_one(void **unused)
{
    (void) unused;
    return unlink(path);
}

static void expect_fault(const char *role, const char *words)
{
    struct bus_keys read;
    assert_false(bus_keys_load(&read, path, role, &fault));
    assert_int_equal(strncmp(fault.bytes, path, strlen(path)), 0);
    if (strstr(fault.bytes, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", fault.bytes, words);
}

static void a_saved_key_is_read_back(void **unused)
{
    (void) unused;
    struct bus_keys read;
    struct stat     facts;
    assert_true(bus_keys_load(&read, path, "engine", &fault));
    assert_memory_equal(&read, &keys, sizeof keys);
    assert_true(bus_keys_load(&read, path, NULL, &fault));
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
}

static void a_key_is_never_written_over(void **unused)
{
    (void) unused;
    struct bus_keys other;
    bus_keys_make(&other, "engine");
    assert_false(bus_keys_save(&other, path, &fault));
    a_saved_key_is_read_back(NULL);
}

static void a_key_that_others_may_read_is_refused(void **unused)
{
    (void) unused;
    static const unsigned wider[] = { 0640, 0604, 0620, 0610, 0601 };
    for (size_t i = 0; i < sizeof wider / sizeof *wider; i++) {
        assert_int_equal(chmod(path, wider[i]), 0);
        expect_fault("engine", "chmod 600");
    }
    assert_int_equal(chmod(path, 0400), 0);
    struct bus_keys read;
    assert_true(bus_keys_load(&read, path, "engine", &fault));
}

static void a_key_of_another_role_is_refused(void **unused)
{
    (void) unused;
    expect_fault("lobby", "this key is for another role: engine");
}

/* Puts one character in the place of another, behind this line of the file or, of an old one, behind that. */
static void spoil(const char *line, const char *old_line, long behind)
{
    char  bytes[1024] = { 0 };
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    assert_true(fread(bytes, 1, sizeof bytes - 1, file) > 0);
    char *at = strstr(bytes, strstr(path, "old.key") == NULL ? line : old_line);
    assert_non_null(at);
    long where = at - bytes + behind;
    assert_int_equal(fseek(file, where, SEEK_SET), 0);
    assert_int_equal(fputc(bytes[where] == 'a' ? 'b' : 'a', file), bytes[where] == 'a' ? 'b' : 'a');
    assert_int_equal(fclose(file), 0);
}

static void a_damaged_key_is_refused(void **unused)
{
    (void) unused;
    spoil("    secret-key = ", "\nsecret ", 20);
    expect_fault("engine", "do not belong together");
}

static void a_public_half_of_another_key_is_refused(void **unused)
{
    (void) unused;
    spoil("    public-key = ", "\npublic ", 20);
    expect_fault("engine", "do not belong together");
}

static void a_key_without_a_line_is_refused(void **unused)
{
    (void) unused;
    spoil("    public-key = ", "\nrole ", 4);
    expect_fault(NULL, "this is no key file");
}

static void a_key_that_is_not_there_is_named(void **unused)
{
    (void) unused;
    (void) snprintf(path, sizeof path, "%s/none.key", folder);
    expect_fault("engine", "arbiter keygen makes one");
}

static void text_and_key_are_each_others_inverse(void **unused)
{
    (void) unused;
    char    text[BUS_KEY_TEXT];
    uint8_t key[BUS_KEY_SIZE];
    for (int i = 0; i < 100; i++) {
        bus_keys_make(&keys, "x");
        bus_key_write(text, keys.public_key);
        assert_int_equal(strlen(text), 40);
        assert_true(bus_key_read(key, text));
        assert_memory_equal(key, keys.public_key, sizeof key);
    }
    text[39] = ' ';
    assert_false(bus_key_read(key, text));
    text[39] = '\0';
    assert_false(bus_key_read(key, text));
    assert_false(bus_key_read(key, ""));
}

/* One key in 85 would begin with a dash; of a thousand all but one in a hundred thousand runs had one. */
static void no_key_looks_like_an_option(void **unused)
{
    (void) unused;
    char text[BUS_KEY_TEXT];
    for (int i = 0; i < 1000; i++) {
        bus_keys_make(&keys, "x");
        bus_key_write(text, keys.public_key);
        assert_true(text[0] != '-');
    }
}

#define WITH_FILE(test) cmocka_unit_test_setup_teardown(test, save_one, remove_one)
#define WITH_OLD_FILE(test)                                                                        \
    {                                                                                              \
#test " (old)", test, save_old, remove_one, NULL                                           \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FILE(a_saved_key_is_read_back),
        WITH_FILE(a_key_is_never_written_over),
        WITH_FILE(a_key_that_others_may_read_is_refused),
        WITH_FILE(a_key_of_another_role_is_refused),
        WITH_FILE(a_damaged_key_is_refused),
        WITH_FILE(a_public_half_of_another_key_is_refused),
        WITH_FILE(a_key_without_a_line_is_refused),
        WITH_OLD_FILE(a_saved_key_is_read_back),
        WITH_OLD_FILE(a_key_that_others_may_read_is_refused),
        WITH_OLD_FILE(a_key_of_another_role_is_refused),
        WITH_OLD_FILE(a_damaged_key_is_refused),
        WITH_OLD_FILE(a_public_half_of_another_key_is_refused),
        WITH_OLD_FILE(a_key_without_a_line_is_refused),
        cmocka_unit_test(a_key_that_is_not_there_is_named),
        cmocka_unit_test(text_and_key_are_each_others_inverse),
        cmocka_unit_test(no_key_looks_like_an_option),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
