/* main_test.c: the program itself: help, exit codes, bad input, and files that were tampered with.
 *
 * Runs the built binary as a person would, in a folder of its own, with its output in a pipe. */
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define MATCHES ARBITER_SOURCE "/tests/unit/common/match/"

static char folder[] = "/tmp/arbiter-test-XXXXXX";
static char said[1 << 17]; /* What the last run printed, complaints included. */

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

static void become_arbiter(char *line, const int pipe_ends[2])
{
    char *argv[32] = { "arbiter" };
    int   nothing = open("/dev/null", O_RDONLY); /* Not the terminal of whoever runs this. */
    argv[1 + split(line, argv + 1, 30)] = NULL;
    if (chdir(folder) == 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
        dup2(pipe_ends[1], STDOUT_FILENO) >= 0 && dup2(pipe_ends[1], STDERR_FILENO) >= 0) {
        close(pipe_ends[0]);
        close(pipe_ends[1]);
        execv(ARBITER_BINARY, argv);
    }
    _exit(99);
}

/* Runs `arbiter LINE`; returns its exit code. */
static int arbiter(const char *line)
{
    char    copy[1024];
    int     ends[2], status = 0;
    size_t  size = 0;
    ssize_t got;
    snprintf(copy, sizeof copy, "%s", line);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        become_arbiter(copy, ends);
    close(ends[1]);
    while ((got = read(ends[0], said + size, sizeof said - 1 - size)) > 0)
        size += (size_t) got;
    said[size] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void assert_said(const char *words)
{
    if (strstr(said, words) == NULL)
        fail_msg("expected \"%s\" in:\n%s", words, said);
}

static void everything_has_a_help_text(void **unused)
{
    (void) unused;
    const char *const commands[] = { "check-config", "conform",  "games", "help",
                                     "replay",       "simulate", "verify" };
    assert_int_equal(arbiter("--help"), 0);
    for (uint32_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        assert_said(commands[i]);
    for (uint32_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char line[64], usage[64];
        snprintf(usage, sizeof usage, "usage: arbiter %s", commands[i]);
        snprintf(line, sizeof line, "%s --help", commands[i]);
        assert_int_equal(arbiter(line), 0);
        assert_said(usage);
        assert_said("Exit code: 0");
        snprintf(line, sizeof line, "help %s", commands[i]);
        assert_int_equal(arbiter(line), 0);
        assert_said(usage);
    }
}

static void versions_are_said_everywhere(void **unused)
{
    (void) unused;
    assert_int_equal(arbiter("--version"), 0);
    assert_said(", protocol 2, rules:");
    assert_said(" nim 1");
    assert_int_equal(arbiter("simulate --version"), 0);
    assert_said(", protocol 2, rules:");
}

static void a_wrong_command_line_is_explained(void **unused)
{
    (void) unused;
    assert_int_equal(arbiter(""), 2);
    assert_said("usage: arbiter COMMAND");
    assert_int_equal(arbiter("simulat nim"), 2);
    assert_said("did you mean simulate?");
    assert_int_equal(arbiter("simulate nmi"), 2);
    assert_said("did you mean nim?");
    assert_int_equal(arbiter("simulate nim --sede 4"), 2);
    assert_said("did you mean --seed?");
    assert_int_equal(arbiter("simulate"), 2);
    assert_said("needs to be told \"GAME\". ");
    assert_int_equal(arbiter("conform dead"), 2);
    assert_said("needs to be told \"GAME FILE...\", and something is missing");
    assert_int_equal(arbiter("games dead"), 2);
    assert_said("takes options only, not \"dead\"");
    assert_int_equal(arbiter("--halp"), 2);
    assert_said("there is no option \"--halp\"");
    assert_int_equal(arbiter("simulate nim dead"), 2);
    assert_said("one word too many");
    assert_int_equal(arbiter("simulate nim --seats 9"), 2);
    assert_said("sit 2 to 4, not 9");
    assert_int_equal(arbiter("simulate nim --set edition"), 2);
    assert_said("KEY=VALUE");
    assert_int_equal(arbiter("simulate dead --set edition=base --set edition=base"), 2);
    assert_said("has been set already");
    assert_int_equal(arbiter("simulate dead --set edition=bas"), 2);
    assert_said("is \"bas\", must be one of");
    assert_int_equal(arbiter("simulate nim --options {"), 2);
    assert_int_equal(arbiter("simulate nim --policy greedy,random,greedy,random,greedy"), 2);
    assert_said("names 5 players, but only 4 sit");
    assert_int_equal(arbiter("simulate nim --seats 2 --policy greedy,random,random"), 2);
    assert_said("names 3 players, but only 2 sit");
    assert_int_equal(arbiter("simulate nim --seats 2 --policy greedy,random"), 0);
    assert_int_equal(arbiter("simulate nim --seed 9223372036854775808"), 2);
    assert_said("--seed takes a whole number from -9223372036854775808 to");
    assert_int_equal(arbiter("simulate nim --json --show"), 2);
    assert_said("choose one");
}

static void every_seed_of_the_original_is_one_here(void **unused)
{
    (void) unused;
    assert_int_equal(arbiter("simulate nim --seed -9223372036854775808 --json"), 0);
    assert_said("\"seed\": \"-9223372036854775808\"");
}

/* A file at the limit the shell has set is like a full disk: a sentence, and nothing half is left. */
static void a_file_that_may_not_grow_is_said_once(void **unused)
{
    struct rlimit before;
    struct rlimit small = { .rlim_cur = 1024 };
    (void) unused;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small.rlim_max = before.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    int code = arbiter("simulate dead --trace grows.match");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(code, 3);
    assert_said("grows.match cannot be written: File too large.");
    assert_null(strstr(strstr(said, "cannot be written") + 1, "cannot be written"));
    char part[PATH_MAX];
    snprintf(part, sizeof part, "%s/grows.match.part", folder);
    assert_int_equal(access(part, F_OK), -1);
}

static void bad_input_is_named(void **unused)
{
    (void) unused;
    assert_int_equal(arbiter("simulate nim --config ./absent.json"), 3);
    assert_said("absent.json");
    assert_int_equal(arbiter("verify absent.match"), 3);
    assert_said("absent.match cannot be read: No such file");
    assert_int_equal(arbiter("simulate nim --trace absent/file"), 3);
    assert_said("cannot be written");
    assert_int_equal(arbiter("conform dead absent"), 3);
    assert_said("absent");
    assert_int_equal(arbiter("check-config nim " ARBITER_SOURCE "/CMakeLists.txt"), 3);
    assert_said("CMakeLists.txt:");
    assert_int_equal(arbiter("check-config nim -"), 3); /* Which has nothing in it here. */
    assert_said("-: is empty, must be one JSON value");
    assert_int_equal(arbiter("simulate dead --config stndard"), 3);
    assert_said("big, hard-crossroads, hard, intro-crossroads, intro,");
    assert_null(strstr(said, "texts"));
    assert_int_equal(arbiter("simulate dead --config intro-crossroads"), 3);
    assert_said("/configs/dead/intro-crossroads.json:/crossroads: is for the edition crossroads");
}

static void who_names_no_seats_fills_the_table(void **unused)
{
    (void) unused;
    assert_int_equal(arbiter("simulate nim"), 0);
    assert_said("nim, rules 1, 4 seats: 1 game from seed 1");
    assert_int_equal(arbiter("simulate dead --config big"), 0);
    assert_said("dead, rules 1, 6 seats: ");
    assert_int_equal(arbiter("simulate nim --seats 3"), 0);
    assert_said("nim, rules 1, 3 seats: ");
}

/* A script that asks for the exit code must not take a full disk for success. */
static void a_result_that_cannot_be_written_is_no_success(void **unused)
{
    (void) unused;
    static const char *const places[] = { "/dev/null", "/dev/full" };
    static const int         codes[] = { 0, 3 };
    for (uint32_t i = 0; i < 2; i++) {
        char  line[] = "games";
        int   status = 0;
        int   ends[2] = { open("/dev/null", O_RDONLY), open(places[i], O_WRONLY) };
        pid_t child = fork();
        assert_true(child >= 0 && ends[0] >= 0 && ends[1] >= 0);
        if (child == 0)
            become_arbiter(line, ends);
        close(ends[0]);
        close(ends[1]);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), codes[i]);
    }
}

static void a_simulation_says_the_same_each_time(void **unused)
{
    char digest[80];
    (void) unused;
    assert_int_equal(arbiter("simulate nim --games 50 --seed 3 --check"), 0);
    assert_said("50 games from seed 3");
    char *line = strstr(said, "digest");
    assert_non_null(line);
    snprintf(digest, sizeof digest, "%.74s", line);
    assert_int_equal(arbiter("simulate nim --games 50 --seed 3"), 0);
    assert_said(digest);
    assert_int_equal(arbiter("simulate nim --games 50 --seed 3 --trace same.match"), 0);
    assert_said(digest); /* Whether somebody looks changes nothing. */
    assert_int_equal(arbiter("simulate quests --config won"), 0);
    assert_said("1 game from seed -1\n"); /* As the set-up says it. */
    assert_int_equal(arbiter("simulate nim --games 50 --seed 4"), 0);
    assert_null(strstr(said, digest));
}

/* Starts an endless run, waits until it plays, and presses Ctrl-C. */
/* Waits until a process handles SIGINT, as the kernel tells: a fixed pause would be too short on a busy
 * machine. */
static void wait_for_handler(pid_t process)
{
    char     path[64], line[256];
    uint64_t handled = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int) process);
    while ((handled >> (SIGINT - 1) & 1) == 0) {
        FILE *status = fopen(path, "r");
        assert_non_null(status);
        while (fgets(line, sizeof line, status) != NULL)
            if (strncmp(line, "SigCgt:", 7) == 0)
                handled = strtoull(line + 7, NULL, 16);
        fclose(status);
        sched_yield();
    }
}

static void an_interrupted_run_says_what_it_played(void **unused)
{
    char   line[] = "simulate nim --games 4000000000 --json";
    int    ends[2], status = 0;
    size_t size = 0;
    (void) unused;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        become_arbiter(line, ends);
    close(ends[1]);
    wait_for_handler(child);
    kill(child, SIGINT);
    ssize_t got;
    while ((got = read(ends[0], said + size, sizeof said - 1 - size)) > 0)
        size += (size_t) got;
    said[size] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 130);
    assert_said("\"digest\": \"");
}

static void a_simulation_speaks_json(void **unused)
{
    (void) unused;
    assert_int_equal(arbiter("simulate nim --games 5 --json"), 0);
    assert_said("\"games\": 5");
    assert_said("\"digest\": \"");
    assert_int_equal(arbiter("games --json"), 0);
    assert_said("\"name\": \"nim\"");
}

static void a_game_is_shown_traced_replayed_and_verified(void **unused)
{
    (void) unused;
    const char *const dice[] = { "java", "splitmix", "chacha" };
    for (uint32_t i = 0; i < 3; i++) {
        char line[128];
        snprintf(line, sizeof line, "simulate nim --show --dice %s --trace a.match", dice[i]);
        assert_int_equal(arbiter(line), 0);
        assert_said("the match begins");
        assert_said("Seat 0: Take ");
        assert_said(" from heap ");
        assert_said(" wins");
        assert_null(strchr(said, '\033')); /* No colour into a pipe. */
        assert_int_equal(arbiter("replay a.match"), 0);
        assert_said("Bot 1: Take ");
        assert_said(" wins");
        assert_int_equal(arbiter("replay a.match --to 2 --view"), 0);
        assert_said("after act 2 the match waits for ");
        assert_said("what a spectator may know:");
        assert_int_equal(arbiter("replay a.match --to 999"), 2);
        assert_said(" wins");
        assert_said("the match has no act 999: it ends with act ");
        assert_int_equal(arbiter("replay a.match --json --to 999"), 2);
        assert_int_equal(arbiter("replay a.match --json --to 2"), 0);
        assert_said("{\"number\":1,\"actor\":\"start\",\"events\":[{\"to\":\"all\",\"event\":{"
                    "\"started\":{");
        assert_said("{\"number\":2,\"actor\":0,\"command\":{\"take\":{");
        assert_int_equal(arbiter("verify a.match"), 0);
        assert_said("a.match: holds: nim, rules 1, ");
        assert_int_equal(arbiter("verify --json a.match"), 0);
        assert_said("\"holds\":true");
    }
}

static void numbers_have_the_names_of_the_set_up_beside_them(void **unused)
{
    (void) unused;
    assert_int_equal(arbiter("simulate dead --config intro --most 6 --show --trace cut.match"), 0);
    assert_said("character_id0=3 (Babette Moll)");
    assert_said("card_id=126 (scissors)");
    assert_said("next_round round=1\n"); /* No identifier, no name. */
    assert_int_equal(arbiter("replay cut.match --view --to 1"), 0);
    assert_said("location_id=1 (colony) cards_left=0");
    assert_said("location_id=2 (Bäckerei Moll) cards_left=22");
    assert_said("offer=[3 (Babette Moll) 9 (");
}

static void a_half_written_file_never_stays(void **unused)
{
    (void) unused;
    /* A match of one act is cut, which is no failure; its file is whole, and says it was cut. */
    assert_int_equal(arbiter("simulate nim --most 1 --trace cut.match"), 0);
    assert_int_equal(arbiter("verify cut.match"), 0);
    assert_said("ended by the house");
    char path[64];
    snprintf(path, sizeof path, "%s/cut.match.part", folder);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* A device renamed away would be lost to everybody on the machine. */
static void what_is_no_file_is_never_replaced(void **unused)
{
    (void) unused;
    struct stat there;
    char        path[64];
    snprintf(path, sizeof path, "%s/pipe", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(arbiter("simulate nim --trace pipe"), 3);
    assert_said("pipe cannot be written: it exists and is no file.");
    assert_int_equal(stat(path, &there), 0);
    assert_true(S_ISFIFO(there.st_mode));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(arbiter("simulate nim --trace ."), 3);
    assert_said(". cannot be written: it exists and is no file.");
    /* /dev/stdout is such a link, and leads to a file when the output goes to one. */
    assert_int_equal(symlink("cut.match", path), 0);
    assert_int_equal(arbiter("simulate nim --trace pipe"), 3);
    assert_said("pipe cannot be written: it exists and is no file.");
    assert_int_equal(lstat(path, &there), 0);
    assert_true(S_ISLNK(there.st_mode));
    assert_int_equal(unlink(path), 0);
}

/* A recorded match with one bit changed becomes bad.match. */
static void make_bad_match(void)
{
    uint8_t bytes[4096];
    char    path[64];
    FILE   *file = fopen(MATCHES "nim-open.match", "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(size > 600 && size < sizeof bytes);
    bytes[600] ^= 1;
    snprintf(path, sizeof path, "%s/bad.match", folder);
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void tampering_is_found(void **unused)
{
    (void) unused;
    make_bad_match();
    assert_int_equal(arbiter("verify " MATCHES "nim-open.match " MATCHES "nim-hosted.match"), 0);
    assert_int_equal(arbiter("verify bad.match"), 1);
    assert_said("does not hold: after act ");
    assert_said("the bytes of a record are damaged");
    assert_int_equal(arbiter("verify --json bad.match"), 1);
    assert_said("\"holds\":false");
    assert_int_equal(arbiter("replay bad.match"), 1);
    assert_int_equal(arbiter("verify " ARBITER_SOURCE "/LICENSE"), 3);
    assert_said("this is no match file");
}

static void what_the_house_said_is_shown_too(void **unused)
{
    (void) unused;
    assert_int_equal(arbiter("replay " MATCHES "nim-house.match"), 0);
    assert_said("    1  the house says dice_committed {\"commitment\":\"");
    assert_said("    5  the house says seat_silent {\"seat\":1}\n    6  the match begins\n");
    assert_said("the house says seat_changed {\"seat\":1,\"generation\":2,\"bot\":true}");
    assert_int_equal(arbiter("replay " MATCHES "nim-house.match --to 5 --view"), 0);
    assert_said("the match has not begun"); /* So there is nothing to be seen. */
    assert_int_equal(arbiter("replay " MATCHES "nim-house.match --to 5 --json"), 0);
    assert_said("\"actor\":\"say\",\"command\":{\"seat_silent\":{\"seat\":1}},");
}

/* A forger who names rules that no build has need not play by any: the chain holds all the same. */
static void moves_nobody_can_replay_are_no_success(void **unused)
{
    (void) unused;
    assert_int_equal(arbiter("verify " MATCHES "nim-unknown-rules.match"), 3);
    assert_said("chain holds, moves not replayed: nim, rules 99");
    assert_int_equal(arbiter("verify --json " MATCHES "nim-unknown-rules.match"), 3);
    assert_said("\"holds\":true,\"replayed\":false");
}

static void recordings_conform(void **unused)
{
    (void) unused;
    const char *line = "conform dead " ARBITER_SOURCE "/common/games/dead/recorded/base";
    assert_int_equal(arbiter(line), 0);
    assert_said(" agreed, 0 disagreed");
    assert_int_equal(arbiter("conform nim x"), 2);
    assert_said("nothing is recorded for nim");
}

static int make_folder(void **unused)
{
    (void) unused;
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **unused)
{
    static const char *const files[] = { "a.match", "same.match", "cut.match", "bad.match" };
    (void) unused;
    for (uint32_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    return rmdir(folder); /* Fails, and the test with it, if anything else was left there. */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_has_a_help_text),
        cmocka_unit_test(versions_are_said_everywhere),
        cmocka_unit_test(a_wrong_command_line_is_explained),
        cmocka_unit_test(every_seed_of_the_original_is_one_here),
        cmocka_unit_test(a_file_that_may_not_grow_is_said_once),
        cmocka_unit_test(bad_input_is_named),
        cmocka_unit_test(who_names_no_seats_fills_the_table),
        cmocka_unit_test(a_result_that_cannot_be_written_is_no_success),
        cmocka_unit_test(a_simulation_says_the_same_each_time),
        cmocka_unit_test(an_interrupted_run_says_what_it_played),
        cmocka_unit_test(a_simulation_speaks_json),
        cmocka_unit_test(a_game_is_shown_traced_replayed_and_verified),
        cmocka_unit_test(numbers_have_the_names_of_the_set_up_beside_them),
        cmocka_unit_test(a_half_written_file_never_stays),
        cmocka_unit_test(what_is_no_file_is_never_replaced),
        cmocka_unit_test(tampering_is_found),
        cmocka_unit_test(what_the_house_said_is_shown_too),
        cmocka_unit_test(moves_nobody_can_replay_are_no_success),
        cmocka_unit_test(recordings_conform),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
