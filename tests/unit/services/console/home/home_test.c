/* home_test.c: a home is the same folder from wherever it is looked at, and what it holds is whole at any moment. */
#include "services/console/home/home.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char        folder[PATH_MAX]; /* Where we stand; its true name. */
static struct home home;
static struct text fault;

static void expect(const char *asked, const char *below)
{
    char path[PATH_MAX];
    assert_true(snprintf(path, sizeof path, "%s%s", folder, below) < PATH_MAX);
    if (!home_find(&home, asked, &fault))
        fail_msg("%s: %s", asked, fault.bytes);
    assert_string_equal(home.folder, path);
}

static void a_folder_is_named_from_the_root(void **unused)
{
    (void) unused;
    expect("here", "/here");
    expect("./not/there", "/not/there");
    expect("here/", "/here");
    expect("new//", "/new");
    expect(".", "");
    expect("here/..", "");
    expect("new/../other/.", "/other");
    assert_true(home_find(&home, "/", &fault));
    assert_string_equal(home.folder, "/");
    assert_true(home_find(&home, "/no-such-folder-at-all/", &fault));
    assert_string_equal(home.folder, "/no-such-folder-at-all");
    assert_false(home_find(&home, "", &fault));
}

static void links_are_followed(void **unused)
{
    (void) unused;
    expect("link", "/here");
    expect("link/new", "/here/new");
}

/* What the environment names is one, too. */
static void so_is_that_of_the_environment(void **unused)
{
    (void) unused;
    assert_int_equal(setenv("ARBITER_HOME", "link/", 1), 0);
    expect(NULL, "/here");
    assert_int_equal(unsetenv("ARBITER_HOME"), 0);
}

static void a_path_that_is_too_long_is_refused(void **unused)
{
    (void) unused;
    char asked[PATH_MAX];
    memset(asked, 'x', sizeof asked);
    asked[sizeof asked - 2] = '\0';
    assert_false(home_find(&home, asked, &fault));
}

static void read_admitted(char *bytes, size_t capacity)
{
    char path[PATH_MAX];
    assert_true(home_path(&home, path, "keys", "admitted", ""));
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    bytes[fread(bytes, 1, capacity - 1, file)] = '\0';
    fclose(file);
}

/* Services that run were let in by it. */
static void the_list_of_whom_the_lobby_lets_in_stays_whole_when_a_key_is_bad(void **unused)
{
    (void) unused;
    char path[PATH_MAX], whole[4096], left[4096];
    assert_true(home_find(&home, "house", &fault));
    if (!home_make(&home, &fault))
        fail_msg("%s", fault.bytes);
    read_admitted(whole, sizeof whole);
    assert_non_null(strstr(whole, " console console\n"));
    assert_true(home_path(&home, path, "keys", "engine", ".key"));
    assert_int_equal(chmod(path, 0644), 0);
    assert_false(home_make(&home, &fault));
    read_admitted(left, sizeof left);
    assert_string_equal(left, whole);
    assert_int_equal(chmod(path, 0600), 0);
    assert_true(home_make(&home, &fault));
    read_admitted(left, sizeof left);
    assert_string_equal(left, whole);
}

static int enter(void **unused)
{
    char name[] = "/tmp/home-test-XXXXXX";
    (void) unused;
    return mkdtemp(name) == NULL || chdir(name) != 0 || getcwd(folder, sizeof folder) == NULL ||
           mkdir("here", 0700) != 0 || symlink("here", "link") != 0;
}

static int take_away(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    (void) facts, (void) kind, (void) place;
    return remove(path);
}

static int leave(void **unused)
{
    (void) unused;
    return chdir("/") != 0 || nftw(folder, take_away, 8, FTW_DEPTH | FTW_PHYS) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_is_named_from_the_root),
        cmocka_unit_test(links_are_followed),
        cmocka_unit_test(so_is_that_of_the_environment),
        cmocka_unit_test(a_path_that_is_too_long_is_refused),
        cmocka_unit_test(the_list_of_whom_the_lobby_lets_in_stays_whole_when_a_key_is_bad),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
