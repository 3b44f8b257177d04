/* started_test.c: how a command line becomes words, and a program's start and end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "services/console/judge/started.h"

static void assert_splits(const char *command, const char *const *words)
{
    struct start_line line;
    struct text       fault;
    assert_true(start_split(&line, command, &fault));
    uint32_t count = 0;
    for (; words[count] != NULL; count++)
        assert_string_equal(line.word[count], words[count]);
    assert_int_equal(line.count, count);
    start_drop(&line);
}

static void words_end_at_spaces_unless_quotes_or_backslashes_hold_them(void **unused)
{
    (void) unused;
    assert_splits(" ./a  --b c ", (const char *const[]){ "./a", "--b", "c", NULL });
    assert_splits("'a b' \"c 'd'\" e\\ f", (const char *const[]){ "a b", "c 'd'", "e f", NULL });
    assert_splits("\"a\\\"b\" 'c\\d'", (const char *const[]){ "a\"b", "c\\d", NULL });
    assert_splits("a '' b", (const char *const[]){ "a", "", "b", NULL });
    assert_splits("a$HOME `ls` *", (const char *const[]){ "a$HOME", "`ls`", "*", NULL });
}

static void assert_refused(const char *command, const char *sentence)
{
    struct start_line line;
    struct text       fault;
    assert_false(start_split(&line, command, &fault));
    if (strstr(fault.bytes, sentence) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", fault.bytes, sentence);
    start_drop(&line);
}

static void what_only_a_shell_would_understand_is_refused(void **unused)
{
    (void) unused;
    assert_refused("cd x && ./a", "\"&&\" has no meaning");
    assert_refused("./a > file", "\">\" has no meaning");
    assert_refused("./a 'b", "a quote has no end");
    assert_refused("  ", "names no program");
    assert_refused("./a {prot}", "there is no {prot}");
}

static char *printed(const struct started *started)
{
    static char text[256];
    FILE       *file = fopen(started->said, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void) fclose(file);
    (void) unlink(started->said);
    return text;
}

static void begin(struct started *started, const char *command, const char *const *holes,
                  const char *const *more)
{
    struct start_line line;
    struct text       fault;
    memset(started, 0, sizeof *started);
    (void) snprintf(started->said, sizeof started->said, "/tmp/started_test.%d", (int) getpid());
    assert_true(start_split(&line, command, &fault));
    if (!started_begin(started, &line, holes, more, &fault))
        fail_msg("%s", fault.bytes);
    start_drop(&line);
}

static void wait_for(struct started *started)
{
    while (started_runs(started))
        (void) usleep(1000);
}

/* A value with a space, a quote or a semicolon in it stays one word, and nobody reads it. */
static void what_is_filled_in_stays_one_word(void **unused)
{
    (void) unused;
    struct started    started;
    const char *const holes[START_HOLES] = { "7", "a b'; touch \"$x", "-3", "1", "base" };
    begin(&started, "printf '[%s]' {config} p{port}-{seed} {edition}", holes, NULL);
    wait_for(&started);
    assert_int_equal(started_code(&started), 0);
    assert_string_equal(printed(&started), "[a b'; touch \"$x][p7--3][base]");
}

static void what_is_left_out_takes_its_option_along(void **unused)
{
    (void) unused;
    struct started    started;
    const char *const holes[START_HOLES] = { NULL, "c", NULL, "1", "base" };
    const char *const more[] = { "--more", NULL };
    begin(&started, "printf '[%s]' --port {port} --config {config} --seed={seed} end", holes, more);
    wait_for(&started);
    assert_string_equal(printed(&started), "[--config][c][end][--more]");
}

static void a_program_that_is_not_there_is_said(void **unused)
{
    (void) unused;
    struct started    started = { .pid = 0, .said = "/dev/null" };
    struct start_line line;
    struct text       fault;
    const char *const holes[START_HOLES] = { "", "", "", "", "" };
    assert_true(start_split(&line, "/nonexistent/server {port}", &fault));
    assert_false(started_begin(&started, &line, holes, NULL, &fault));
    assert_string_equal(fault.bytes, "/nonexistent/server: No such file or directory");
    start_drop(&line);
}

/* The shell's child ignores being asked, and goes all the same. */
static void all_that_was_started_is_ended(void **unused)
{
    (void) unused;
    struct started    started;
    const char *const holes[START_HOLES] = { "", "", "", "", "" };
    begin(&started, "sh -c 'trap \"\" TERM; (sleep 60) & echo $!; exec sleep 60'", holes, NULL);
    long child = 0;
    while (child == 0) {
        FILE *file = fopen(started.said, "r");
        char  line[32] = "";
        if (file != NULL && fgets(line, sizeof line, file) != NULL && strchr(line, '\n') != NULL)
            child = strtol(line, NULL, 10);
        if (file != NULL)
            (void) fclose(file);
    }
    char path[64];
    (void) snprintf(path, sizeof path, "/proc/%ld/exe", child);
    started_end(&started);
    for (uint32_t i = 0; i < 1000 && readlink(path, (char[8]){ 0 }, 8) >= 0; i++)
        (void) usleep(1000);
    assert_true(readlink(path, (char[8]){ 0 }, 8) < 0);
    (void) printed(&started);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_end_at_spaces_unless_quotes_or_backslashes_hold_them),
        cmocka_unit_test(what_only_a_shell_would_understand_is_refused),
        cmocka_unit_test(what_is_filled_in_stays_one_word),
        cmocka_unit_test(what_is_left_out_takes_its_option_along),
        cmocka_unit_test(a_program_that_is_not_there_is_said),
        cmocka_unit_test(all_that_was_started_is_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
