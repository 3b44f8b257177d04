/* keyring_test.c: processes with the same words take different keys, and a dead one's key is free again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shell/keyring.h"

static char        folder[] = "/tmp/arbiter-keyring-XXXXXX";
static struct text fault;

static void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void remove_file(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(unlink(path), 0);
}

static int make_folder(void **unused)
{
    (void) unused;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **unused)
{
    (void) unused;
    return rmdir(folder);
}

static void expect_taken(struct keyring *keyring, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s.key", folder, name);
    if (!keyring_take(keyring, folder, &fault))
        fail_msg("%s", fault.bytes);
    assert_string_equal(keyring->name, name);
    assert_string_equal(keyring->path, path);
}

static void expect_none(const char *words)
{
    struct keyring none;
    assert_false(keyring_take(&none, folder, &fault));
    if (strstr(fault.bytes, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", fault.bytes, words);
}

static void each_takes_a_key_of_his_own(void **unused)
{
    (void) unused;
    static const char *const names[] = { "fanout-10.key", "fanout-2.key", "fanout-1.key",
                                         "lobby.pub", ".key" };
    struct keyring           first, second, third;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        write_file(names[i], "");
    expect_taken(&first, "fanout-1");
    expect_taken(&second, "fanout-2");
    expect_taken(&third, "fanout-10");
    expect_none("in use");
    keyring_give_back(&second);
    expect_taken(&second, "fanout-2");
    keyring_give_back(&first);
    keyring_give_back(&second);
    keyring_give_back(&third);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        remove_file(names[i]);
}

static void what_is_missing_is_said(void **unused)
{
    (void) unused;
    struct keyring none;
    expect_none("there is no key yet");
    assert_false(keyring_take(&none, "/nowhere/at/all", &fault));
    assert_non_null(strstr(fault.bytes, "/nowhere/at/all"));
}

static void the_lobbys_key_lies_beside_them(void **unused)
{
    (void) unused;
    struct bus_keys keys;
    char            text[BUS_KEY_TEXT], read[BUS_KEY_TEXT], line[BUS_KEY_TEXT + 1];
    bus_keys_make(&keys, "lobby");
    bus_key_write(text, keys.public_key);
    assert_false(keyring_lobby(read, folder, &fault));
    snprintf(line, sizeof line, "%s\n", text);
    write_file(KEYRING_LOBBY, line);
    assert_true(keyring_lobby(read, folder, &fault));
    assert_string_equal(read, text);
    line[39] = '\0';
    write_file(KEYRING_LOBBY, line);
    assert_false(keyring_lobby(read, folder, &fault));
    assert_non_null(strstr(fault.bytes, "no public key"));
    remove_file(KEYRING_LOBBY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_takes_a_key_of_his_own),
        cmocka_unit_test(what_is_missing_is_said),
        cmocka_unit_test(the_lobbys_key_lies_beside_them),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
