/* certs_test.c: our key files and CZMQ's certificates are the same: each reads what the other writes. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h> // cmocka needs these four, in this order

#include <cmocka.h>

#include <czmq.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bus/keys.h"

static char        folder[] = "/tmp/arbiter-certs-XXXXXX";
static char        path[64], secret_path[80];
static zcert_t    *cert;
static struct text fault;

static int make_folder(void **unused)
{
    (void) unused;
    assert_non_null(mkdtemp(folder));
    (void) snprintf(path, sizeof path, "%s/some.key", folder);
    (void) snprintf(secret_path, sizeof secret_path, "%s_secret", path);
    return 0;
}

static int remove_folder(void **unused)
{
    (void) unused;
    return rmdir(folder);
}

static int remove_files(void **unused)
{
    (void) unused;
    (void) unlink(path);
    (void) unlink(secret_path);
    zcert_destroy(&cert);
    return 0;
}

/* Both halves, as CZMQ's tools leave them: `path` for everybody, `secret_path` for its owner. */
static void save_theirs(const char *role)
{
    cert = zcert_new();
    if (role != NULL)
        zcert_set_meta(cert, "role", "%s", role);
    zcert_set_meta(cert, "email", "%s", "somebody@example.org");
    assert_int_equal(zcert_save(cert, path), 0);
}

static void expect_theirs(const char *named, const char *asked, const char *role)
{
    struct bus_keys keys;
    if (!bus_keys_load(&keys, named, asked, &fault))
        fail_msg("%s", fault.bytes);
    assert_memory_equal(keys.public_key, zcert_public_key(cert), BUS_KEY_SIZE);
    assert_memory_equal(keys.secret_key, zcert_secret_key(cert), BUS_KEY_SIZE);
    assert_string_equal(keys.role, role);
}

static void expect_fault(const char *named, const char *role, const char *words)
{
    struct bus_keys keys;
    assert_false(bus_keys_load(&keys, named, role, &fault));
    if (strstr(fault.bytes, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", fault.bytes, words);
}

static void czmq_reads_a_key_file_of_ours(void **unused)
{
    (void) unused;
    struct bus_keys keys;
    for (int i = 0; i < 100; i++) { /* Keys may have any of the 85 characters. */
        bus_keys_make(&keys, "watchdog");
        assert_true(bus_keys_save(&keys, path, &fault));
        cert = zcert_load(path);
        assert_non_null(cert);
        assert_memory_equal(zcert_public_key(cert), keys.public_key, BUS_KEY_SIZE);
        assert_memory_equal(zcert_secret_key(cert), keys.secret_key, BUS_KEY_SIZE);
        assert_string_equal(zcert_meta(cert, "role"), "watchdog");
        remove_files(NULL);
    }
}

static void we_read_a_certificate_of_czmqs(void **unused)
{
    (void) unused;
    for (int i = 0; i < 100; i++) {
        save_theirs("engine");
        expect_theirs(secret_path, "engine", "engine");
        expect_theirs(path, "engine", "engine"); /* The public half names the secret one. */
        expect_theirs(path, NULL, "engine");
        remove_files(NULL);
    }
}

static void one_with_a_role_is_for_no_other(void **unused)
{
    (void) unused;
    save_theirs("engine");
    expect_fault(path, "lobby", "this key is for another role: engine");
    remove_files(NULL);
    save_theirs("a role of a program that is not ours");
    expect_fault(path, "lobby", "this key is for another role: a role of a pro");
}

static void one_without_a_role_is_good_for_each(void **unused)
{
    (void) unused;
    save_theirs(NULL);
    expect_theirs(path, "engine", "engine");
    expect_theirs(path, "lobby", "lobby");
    expect_theirs(secret_path, NULL, "");
}

static void the_secret_half_must_be_its_owners_alone(void **unused)
{
    (void) unused;
    struct stat facts;
    save_theirs(NULL);
    assert_int_equal(stat(path, &facts), 0);
    /* The public half is for everybody, and may be. */
    assert_int_not_equal(facts.st_mode & 0044, 0);
    assert_int_equal(chmod(secret_path, 0640), 0);
    expect_fault(path, NULL, "others may read this key; say: chmod 600");
    assert_non_null(strstr(fault.bytes, secret_path));
    expect_fault(secret_path, NULL, "others may read this key; say: chmod 600");
}

static void a_public_half_alone_is_no_key(void **unused)
{
    (void) unused;
    save_theirs("engine");
    assert_int_equal(unlink(secret_path), 0);
    expect_fault(path, "engine", secret_path);
}

static void halves_of_two_certificates_are_no_key(void **unused)
{
    (void) unused;
    char bytes[1024] = "";
    save_theirs("engine");
    FILE *file = fopen(secret_path, "r+");
    assert_true(fread(bytes, 1, sizeof bytes - 1, file) > 0);
    zcert_t *other = zcert_new();
    memcpy(strstr(bytes, zcert_public_txt(cert)), zcert_public_txt(other), BUS_KEY_TEXT - 1);
    zcert_destroy(&other);
    rewind(file);
    assert_true(fputs(bytes, file) >= 0);
    assert_int_equal(fclose(file), 0);
    expect_fault(path, "engine", "do not belong together");
}

/* zconfig's own reader would print the line it does not understand on the standard output. */
static void a_damaged_secret_is_not_printed(void **unused)
{
    (void) unused;
    char said[64] = "";
    save_theirs("engine");
    FILE *file = fopen(secret_path, "a");
    assert_true(fputs(" odd = \"secret\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    (void) fflush(stdout);
    FILE *heard = tmpfile();
    int   own = dup(STDOUT_FILENO);
    assert_true(heard != NULL && dup2(fileno(heard), STDOUT_FILENO) >= 0);
    expect_theirs(secret_path, "engine", "engine");
    (void) fflush(stdout);
    assert_true(dup2(own, STDOUT_FILENO) >= 0);
    assert_int_equal(close(own), 0);
    rewind(heard);
    assert_null(fgets(said, sizeof said, heard));
    assert_int_equal(fclose(heard), 0);
}

static void a_public_key_is_named_by_its_text_or_a_file(void **unused)
{
    (void) unused;
    uint8_t         key[BUS_KEY_SIZE];
    struct bus_keys ours;
    save_theirs(NULL);
    assert_true(bus_key_find(key, zcert_public_txt(cert), &fault));
    assert_memory_equal(key, zcert_public_key(cert), sizeof key);
    memset(key, 0, sizeof key);
    assert_int_equal(unlink(secret_path), 0);
    assert_true(bus_key_find(key, path, &fault));
    assert_memory_equal(key, zcert_public_key(cert), sizeof key);
    bus_keys_make(&ours, "client");
    assert_true(bus_keys_save(&ours, secret_path, &fault));
    assert_true(bus_key_find(key, secret_path, &fault));
    assert_memory_equal(key, ours.public_key, sizeof key);
    assert_false(bus_key_find(key, folder, &fault));
    assert_non_null(strstr(fault.bytes, "not a file: this is a folder; name the key file in it"));
    expect_fault(folder, NULL, "this is a folder; name the key file in it");
    assert_false(bus_key_find(key, "/nowhere", &fault));
}

/* Nobody writes into it, and who opened it would wait; the alarm ends such a test. */
static void a_pipe_is_no_key_and_holds_nobody_up(void **unused)
{
    (void) unused;
    uint8_t key[BUS_KEY_SIZE];
    assert_int_equal(mkfifo(path, 0600), 0);
    (void) alarm(30);
    expect_fault(path, NULL, "the key is not a file");
    assert_false(bus_key_find(key, path, &fault));
    assert_non_null(strstr(fault.bytes, "not a file"));
    (void) alarm(0);
}

#define CLEAN(test) cmocka_unit_test_teardown(test, remove_files)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLEAN(czmq_reads_a_key_file_of_ours),
        CLEAN(we_read_a_certificate_of_czmqs),
        CLEAN(one_with_a_role_is_for_no_other),
        CLEAN(one_without_a_role_is_good_for_each),
        CLEAN(the_secret_half_must_be_its_owners_alone),
        CLEAN(a_public_half_alone_is_no_key),
        CLEAN(halves_of_two_certificates_are_no_key),
        CLEAN(a_damaged_secret_is_not_printed),
        CLEAN(a_public_key_is_named_by_its_text_or_a_file),
        CLEAN(a_pipe_is_no_key_and_holds_nobody_up),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
