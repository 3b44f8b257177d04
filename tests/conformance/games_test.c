/* games_test.c: every game in the registry, with every set-up it brings, before the referee.
 *
 * Nothing is listed here: a new game's folder is found, its setups/ are played, and game.h's promises
 * are asked of it. How much is played is up to the caller:
 *
 *     ARBITER_GAMES=1000     matches of each set-up (50)
 *     ARBITER_SECONDS=600    at most so long for each game (20); one match of each set-up always is
 *     ARBITER_COMMANDS=5000  a match that need not end stops after so many commands (3000)
 *     ARBITER_ONLY=nim       this game only
 *     ARBITER_ONLY=nim/classic/2/17   this match only: game, set-up, seats, seed; prints every command
 *
 * A failure ends with the ARBITER_ONLY that shows it again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "referee.h"
#include "tables.h"
#include "json/config_file.h"

static const char *program;
static char        paste[TABLE_NAME_MAX + 200]; /* How to see the present match again. */
static uint64_t    games_each, seconds_each, commands_max;

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

/* An assertion in the rules ends the program; it shall still say which match that was. */
static void on_abort(int signal)
{
    (void) signal;
    static const char again[] = "\nTo see it again: ";
    if (write(STDERR_FILENO, again, sizeof again - 1) < 0 ||
        write(STDERR_FILENO, paste, strlen(paste)) < 0 || write(STDERR_FILENO, "\n", 1) < 0)
        _exit(134);
}

static bool play_one(const struct table *table, uint32_t seats, uint64_t seed, FILE *trace,
                     struct report *report)
{
    struct fixture fixture = { table->wire, table, seats, seed, commands_max, trace };

    snprintf(paste, sizeof paste, "ARBITER_ONLY='%s/%s/%u/%" PRIu64 "' %s", table->wire->game->name,
             table->name, seats, seed, program);
    if (referee_match(&fixture, report))
        return true;
    print_error("%s, set-up %s: after command %" PRIu64 " this does not hold:\n  %s\n"
                "To see it again: %s\n",
                table->wire->game->name, table->name, report->commands, report->broken, paste);
    return false;
}

/* ARBITER_ONLY, if it names a whole game; NULL: all are played. */
static const struct game_wire *alone;

/* What was played of one set-up. */
struct tally {
    uint64_t matches, ended, commands, tried;
};

static bool play_table(const struct table *table, double until, struct tally *tally)
{
    struct report report;

    for (uint64_t seed = 1; seed <= games_each; seed++) {
        uint32_t seats = table->seats[seed % table->seat_counts];
        if (!play_one(table, seats, seed, NULL, &report))
            return false;
        tally->matches++;
        tally->ended += report.ended;
        tally->commands += report.commands;
        tally->tried += report.tried;
        if (now() > until)
            break;
    }
    return true;
}

static bool play_game(const struct game_wire *wire)
{
    struct tables tables;
    struct tally  tally = { 0 };
    bool          sound = tables_load(wire, &tables);
    double        from = now();

    for (uint32_t i = 0; i < tables.count && sound; i++) {
        double share = (double) seconds_each * (i + 1) / tables.count;
        sound = play_table(&tables.table[i], from + share, &tally);
    }
    print_message("%s: %u set-ups, %" PRIu64 " matches, %" PRIu64 " of them to the end, %" PRIu64
                  " commands, %" PRIu64 " tried, %.1f s\n",
                  wire->game->name, tables.count, tally.matches, tally.ended, tally.commands,
                  tally.tried, now() - from);
    if (sound && tally.ended == 0) {
        print_error("%s: no match came to its end\n", wire->game->name);
        sound = false;
    }
    tables_free(&tables);
    return sound;
}

static void every_game_keeps_its_promises(void **unused)
{
    (void) unused;
    bool sound = true;
    for (const struct game_wire *const *wire = registry_games(); *wire != NULL; wire++)
        if (alone == NULL || alone == *wire)
            sound = play_game(*wire) && sound;
    assert_true(sound);
}

/* Somebody may write anything as a table's options. A game that looks only for its keys would take
 * a list for none of them. */
static bool refuses_options(const struct table *table, const char *options)
{
    const struct game *game = table->wire->game;
    struct config_text config = { "config", table->config, strlen(table->config) };
    struct config_text beside = { "options", options, strlen(options) };
    char               said[1024] = "";
    size_t             size;
    FILE              *file = fmemopen(said, sizeof said, "w");

    assert_non_null(file);
    void *setup = config_compile(game, &config, &beside, &size, file);
    (void) fclose(file);
    bool refused = setup == NULL && strstr(said, "options: ") != NULL &&
                   strstr(said, "must be an object") != NULL;
    if (!refused)
        print_error("%s: the options %s are taken, or refused with: %s\n", game->name, options,
                    said);
    free(setup);
    return refused;
}

static void options_that_are_no_object_are_refused(void **unused)
{
    (void) unused;
    static const char *const others[] = { "[]", "5", "true", "null", "\"rigged\"" };
    bool                     sound = true;
    for (const struct game_wire *const *wire = registry_games(); *wire != NULL; wire++) {
        struct tables tables;
        if (alone != NULL && alone != *wire)
            continue;
        assert_true(tables_load(*wire, &tables) && tables.count > 0);
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
            sound = refuses_options(&tables.table[0], others[i]) && sound;
        tables_free(&tables);
    }
    assert_true(sound);
}

/* ARBITER_ONLY: one match, command by command. */
static bool play_only(const char *only)
{
    char          game[64], name[TABLE_NAME_MAX];
    uint32_t      seats;
    uint64_t      seed;
    struct tables tables;
    struct report report;
    bool          sound = false, found = false;

    if (sscanf(only, "%63[^/]/%95[^/]/%" SCNu32 "/%" SCNu64, game, name, &seats, &seed) != 4 ||
        registry_find(game, 0) == NULL) {
        print_error("ARBITER_ONLY is GAME or GAME/SET-UP/SEATS/SEED, not %s\n", only);
        return false;
    }
    tables_load(registry_find(game, 0), &tables);
    for (uint32_t i = 0; i < tables.count; i++)
        if (strcmp(tables.table[i].name, name) == 0) {
            found = true;
            sound = play_one(&tables.table[i], seats, seed, stderr, &report);
        }
    if (!found)
        print_error("%s has no set-up %s\n", game, name);
    tables_free(&tables);
    return sound;
}

int main(int argc, char **argv)
{
    (void) argc;
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_game_keeps_its_promises),
                                        cmocka_unit_test(options_that_are_no_object_are_refused) };

    program = argv[0];
    games_each = setting("ARBITER_GAMES", 50);
    seconds_each = setting("ARBITER_SECONDS", 20);
    commands_max = setting("ARBITER_COMMANDS", 3000);
    signal(SIGABRT, on_abort);
    const char *only = getenv("ARBITER_ONLY");
    if (only != NULL)
        alone = registry_find(only, 0);
    if (only != NULL && alone == NULL)
        return play_only(only) ? 0 : 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
