/* console.h: what every subcommand of `arbiter` is, and what all of them share.
 *
 * `arbiter` is one program with a table of subcommands, one file each. A subcommand is its name, a
 * sentence, its options as a table (options.h) and a function that runs it. The help texts are made
 * from these, so help and behaviour cannot drift apart. Results go to the standard output,
 * complaints and progress to the standard error, and the exit code says how it ended. */
#ifndef ARBITER_CONSOLE_H
#define ARBITER_CONSOLE_H

#include <stdio.h>

#include "options/options.h"

/* How a run ends; the same for every subcommand. */
enum console_exit {
    CONSOLE_OK = 0,            /* Done, and everything agrees.                                  */
    CONSOLE_DISAGREES = 1,     /* A check failed: a recording, a match file, an invariant.      */
    CONSOLE_USAGE = 2,         /* The command line makes no sense; a sentence says why.         */
    CONSOLE_BAD_INPUT = 3,     /* A file cannot be read or written, or is not what it should be. */
    CONSOLE_INTERRUPTED = 130, /* Ctrl-C; half-written files are gone, partial results printed. */
};

struct console_command {
    const char *name;
    const char *arguments; /* "GAME FILE...", for the usage line; "" for none.              */
    const char *summary;   /* One line of the list of commands.                             */
    const char *about;     /* What it does, for its own help; ends in a newline.            */
    const struct option *options; /* Ends with a nameless row; NULL: none but --help. */
    uint32_t             words_least, words_most; /* How many words it takes beside the options.  */
    int (*run)(const struct console_command *self, int argc, char **argv);
};

extern const struct console_command command_admit;
extern const struct console_command command_alive;
extern const struct console_command command_analyse;
extern const struct console_command command_announce;
extern const struct console_command command_audit;
extern const struct console_command command_backup;
extern const struct console_command command_bot;
extern const struct console_command command_check_config;
extern const struct console_command command_completion;
extern const struct console_command command_conform;
extern const struct console_command command_doctor;
extern const struct console_command command_drain;
extern const struct console_command command_games;
extern const struct console_command command_grid;
extern const struct console_command command_help;
extern const struct console_command command_hotseat;
extern const struct console_command command_judge;
extern const struct console_command command_keygen;
extern const struct console_command command_keys;
extern const struct console_command command_leaderboard;
extern const struct console_command command_match;
extern const struct console_command command_play;
extern const struct console_command command_player;
extern const struct console_command command_reload;
extern const struct console_command command_replay;
extern const struct console_command command_restore;
extern const struct console_command command_results;
extern const struct console_command command_retain;
extern const struct console_command command_serve;
extern const struct console_command command_simulate;
extern const struct console_command command_store;
extern const struct console_command command_top;
extern const struct console_command command_tournament;
extern const struct console_command command_trace;
extern const struct console_command command_up;
extern const struct console_command command_verify;
extern const struct console_command command_watch;

/* All of them, in order of name; NULL behind the last. */
const struct console_command *const *console_commands(void);

/* One of them by name; NULL after a complaint naming the nearest. */
const struct console_command *console_find(const char *name);

/* What is said can be typed as it stands: this program as it was called, and a word as a shell reads it. */
const char *console_program(void);
void        console_put_word(FILE *out, const char *typed);

/* Reads the command line of a subcommand into its struct; false after the complaint. */
bool console_read(const struct console_command *self, int argc, char **argv, void *into,
                  struct words *words);
/* Whether "-", the standard input, stands at most once among words that name files, from the first of these
 * on; else false, after the complaint. */
bool console_reads_once(const struct words *words, uint32_t first);
/* Whether an option that names a file to be written (NULL: it was not given) does not say "-"; else false, after
 * the complaint. */
bool console_writes_file(const char *option, const char *path);
/* Said where files are named: */
#define CONSOLE_STDIN "\"-\" is the standard input, \"./-\" a file of that name."
/* The help of one subcommand, and of all. */
void console_help(FILE *out, const struct console_command *command);
void console_overview(FILE *out);
void console_versions(FILE *out);

/* A seed as somebody typed it: any signed number of 64 bits; false after the complaint. */
bool console_seed(const char *typed, int64_t *seed);
/* "arbiter: " and a sentence, on the standard error; complain() is printf for such a sentence. */
void console_complain(const char *line);
/* From now on this process complains of something: "arbiter: match 3: " and a sentence. Kept, not copied. */
void console_speak_of(const char *what);
#define complain(...)                                                                              \
    do {                                                                                           \
        char complaint_line[12288]; /* Two paths and a sentence. */                                \
        snprintf(complaint_line, sizeof complaint_line, __VA_ARGS__);                              \
        console_complain(complaint_line);                                                          \
    } while (0)

#endif
