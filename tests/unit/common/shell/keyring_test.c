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
#include <sys/stat.h>
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
    struct keyring  none = { .is_ring = false };
    struct bus_keys keys;
    char            text[BUS_KEY_TEXT], read[BUS_KEY_TEXT], line[BUS_KEY_TEXT + 1];
    bus_keys_make(&keys, "lobby");
    bus_key_write(text, keys.public_key);
    assert_false(keyring_lobby(&none, read, folder, &fault));
    snprintf(line, sizeof line, "%s\n", text);
    write_file(KEYRING_LOBBY, line);
    assert_true(keyring_lobby(&none, read, folder, &fault));
    assert_string_equal(read, text);
    line[39] = '\0';
    write_file(KEYRING_LOBBY, line);
    assert_false(keyring_lobby(&none, read, folder, &fault));
    assert_non_null(strstr(fault.bytes, "no public key"));
    remove_file(KEYRING_LOBBY);
}

/* Where replicas run on several machines no lock keeps them apart: each is called like its machine. */
static void who_is_called_like_his_machine_takes_that_key(void **unused)
{
    (void) unused;
    char           host[64] = "", file[80];
    struct keyring first, second;
    assert_int_equal(gethostname(host, sizeof host - 1), 0);
    assert_true(strlen(host) < PEER_NAME_MAX);
    snprintf(file, sizeof file, "%s.key", host);
    write_file("a-1.key", "");
    write_file(file, "");
    expect_taken(&first, host);
    expect_taken(&second, "a-1");
    keyring_give_back(&first);
    keyring_give_back(&second);
    remove_file("a-1.key");
    remove_file(file);
}

static void write_ring(const char *second, const struct bus_keys keys[2])
{
    char path[128], text[BUS_KEY_TEXT], secret[BUS_KEY_TEXT];
    snprintf(path, sizeof path, "%s/ring", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    bus_key_write(text, keys[0].public_key);
    fprintf(file, "lobby %s\n", text);
    for (int i = 0; i < 2; i++) {
        bus_key_write(text, keys[i].public_key);
        bus_key_write(secret, keys[i].secret_key);
        fprintf(file, "name %s\n# A key.\nrole fanout\npublic %s\nsecret %s\n",
                i == 0 ? "somebody-1" : second, text, secret);
    }
    fclose(file);
    assert_int_equal(chmod(path, 0600), 0);
}

/* Of files as they are written now; the one above has those of older builds. */
static void of_a_ring_of_certificates(void **unused)
{
    (void) unused;
    char            host[64] = "", path[128], one[128], bytes[1024] = "";
    struct keyring  ring;
    struct bus_keys keys[2], found;
    assert_int_equal(gethostname(host, sizeof host - 1), 0);
    snprintf(path, sizeof path, "%s/ring", folder);
    snprintf(one, sizeof one, "%s/one", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 2; i++) {
        bus_keys_make(&keys[i], "fanout");
        assert_true(bus_keys_save(&keys[i], one, &fault));
        FILE *saved = fopen(one, "r");
        assert_true(saved != NULL && fread(bytes, 1, sizeof bytes - 1, saved) > 0);
        assert_int_equal(fclose(saved), 0);
        fprintf(file, "name %s\n%s", i == 0 ? "somebody-1" : host, bytes);
        memset(bytes, 0, sizeof bytes);
        remove_file("one");
    }
    fclose(file);
    assert_int_equal(chmod(path, 0600), 0);
    assert_true(keyring_take(&ring, path, &fault));
    assert_true(bus_keys_pick(&found, ring.path, ring.name, "fanout", &fault));
    assert_memory_equal(&found, &keys[1], sizeof found);
    assert_true(bus_keys_pick(&found, ring.path, "somebody-1", "fanout", &fault));
    assert_memory_equal(&found, &keys[0], sizeof found);
    assert_false(bus_keys_pick(&found, ring.path, host, "engine", &fault));
    assert_non_null(strstr(fault.bytes, "another role"));
    remove_file("ring");
}

static void of_a_ring_too(void **unused)
{
    (void) unused;
    char            host[64] = "", path[128], text[BUS_KEY_TEXT], read[BUS_KEY_TEXT];
    struct keyring  ring;
    struct bus_keys keys[2], found;
    assert_int_equal(gethostname(host, sizeof host - 1), 0);
    snprintf(path, sizeof path, "%s/ring", folder);
    bus_keys_make(&keys[0], "fanout");
    bus_keys_make(&keys[1], "fanout");
    write_ring(host, keys);
    assert_true(keyring_take(&ring, path, &fault));
    assert_true(ring.is_ring);
    assert_string_equal(ring.name, host);
    assert_true(bus_keys_pick(&found, ring.path, ring.name, "fanout", &fault));
    assert_memory_equal(&found, &keys[1], sizeof found);
    assert_true(bus_keys_pick(&found, ring.path, "somebody-1", "fanout", &fault));
    assert_memory_equal(&found, &keys[0], sizeof found);
    assert_false(bus_keys_pick(&found, ring.path, "somebody", "fanout", &fault));
    assert_false(bus_keys_pick(&found, ring.path, host, "engine", &fault));
    assert_non_null(strstr(fault.bytes, "another role"));
    assert_true(keyring_lobby(&ring, read, path, &fault));
    bus_key_write(text, keys[0].public_key);
    assert_string_equal(read, text);
    write_ring("somebody-2", keys);
    assert_false(keyring_take(&ring, path, &fault));
    assert_non_null(strstr(fault.bytes, host));
    assert_int_equal(chmod(path, 0640), 0);
    assert_false(keyring_take(&ring, path, &fault));
    assert_non_null(strstr(fault.bytes, "chmod 600"));
    remove_file("ring");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_takes_a_key_of_his_own),
        cmocka_unit_test(what_is_missing_is_said),
        cmocka_unit_test(who_is_called_like_his_machine_takes_that_key),
        cmocka_unit_test(of_a_ring_too),
        cmocka_unit_test(of_a_ring_of_certificates),
        cmocka_unit_test(the_lobbys_key_lies_beside_them),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
