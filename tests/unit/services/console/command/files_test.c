/* files_test.c: a file has its name when all of it is on the disk, and the name is there with it. */
#include "services/console/command/files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64], path[96];
static char
    synced[8]; /* In order: 'f' a file, 'd' a folder in which the name is there, '-' one without. */

/* The C library's, heard of. */
int fsync(int fd)
{
    struct stat facts;
    size_t      at = strlen(synced);
    assert_int_equal(fstat(fd, &facts), 0);
    assert_true(at + 1 < sizeof synced);
    synced[at] = (char) (!S_ISDIR(facts.st_mode) ? 'f' : access(path, F_OK) == 0 ? 'd' : '-');
    return (int) syscall(SYS_fsync, fd);
}

static int begin(void **unused)
{
    (void) unused;
    (void) snprintf(folder, sizeof folder, "/tmp/arbiter-files-XXXXXX");
    assert_non_null(mkdtemp(folder));
    (void) snprintf(path, sizeof path, "%s/it", folder);
    memset(synced, 0, sizeof synced);
    return 0;
}

static int end(void **unused)
{
    (void) unused;
    (void) unlink(path);
    return rmdir(folder); /* Nothing else is left in it. */
}

static void its_bytes_are_synced_and_then_its_name(void **unused)
{
    (void) unused;
    struct half_file file;
    assert_true(half_file_open(&file, path));
    assert_int_equal(fputs("all of it", file.stream) < 0, 0);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_true(half_file_close(&file, true));
    assert_string_equal(synced, "fd");
}

static void of_one_that_was_given_up_nothing_is_left(void **unused)
{
    (void) unused;
    struct half_file file;
    assert_true(half_file_open(&file, path));
    assert_true(half_file_close(&file, false));
    assert_int_not_equal(access(path, F_OK), 0);
    assert_string_equal(synced, "");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(its_bytes_are_synced_and_then_its_name, begin, end),
        cmocka_unit_test_setup_teardown(of_one_that_was_given_up_nothing_is_left, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
