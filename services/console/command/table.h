/* table.h: what a match is played with: the game, its set-up read and compiled, and how many sit.
 *
 * A set-up is a file somebody wrote, or one of those that come with the program (setups.h). Options
 * (the dead's edition) are given as JSON, or one by one. Nobody said how many sit: then the table is
 * full, which is what set-ups are balanced for. */
#ifndef ARBITER_CONSOLE_TABLE_H
#define ARBITER_CONSOLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/registry.h"
#include "match/match.h"
#include "options/options.h"
#include "wire/plan.h"
#include "json/config_file.h"

/* What the command line said. */
struct table_ask {
    const char *config; /* NULL: the one that comes with the game. A word without "/" or "."  */
                        /* is one of those by name: "hard".                                   */
    char       *text; /* What stands in the set-up, whose file `config` names; NULL: it is read. */
    const char *options;    /* JSON; NULL: none.                                                  */
    struct word_list set;   /* "edition=base", after `options`.                                   */
    uint64_t         seats; /* 0: as many as the set-up allows.                                   */
    /* Where faults of set-up and options are written; NULL: it is printed. */
    struct config_ear *ear;
};

struct table {
    const struct game_wire *wire;
    char                   *config; /* Text, as a person wrote it.                              */
    size_t                  config_size;
    char                   *options; /* Text; NULL: none.                                       */
    size_t                  options_size;
    void                   *setup; /* Compiled.                                                */
    uint32_t                seats;
    struct plan            *commands, *events;
    struct match_form       form; /* Of the two.                                                */
};

/* The rows every subcommand that opens a table has in its options. */
#define TABLE_OPTIONS(asked, member)                                                               \
    { .name = "config",                                                                            \
      .value = "FILE",                                                                             \
      .kind = OPTION_TEXT,                                                                         \
      .help = "The set-up: a file, or the name of one that comes with the game.",                  \
      .offset = offsetof(asked, member.config) },                                                  \
        { .name = "options",                                                                       \
          .value = "JSON",                                                                         \
          .kind = OPTION_TEXT,                                                                     \
          .help = "Options of the table: '{\"edition\": \"base\"}'.",                              \
          .offset = offsetof(asked, member.options) },                                             \
        { .name = "set",                                                                           \
          .value = "KEY=VALUE",                                                                    \
          .kind = OPTION_LIST,                                                                     \
          .help = "One such option: edition=base. May be repeated.",                               \
          .offset = offsetof(asked, member.set) },                                                 \
    {                                                                                              \
        .name = "seats", .value = "N", .kind = OPTION_NUMBER, .least = 1, .most = SEATS_MAX,       \
        .help = "How many seats the table has. Default: as many as the set-up allows.",            \
        .offset = offsetof(asked, member.seats)                                                    \
    }

/* A game by name; NULL after a complaint naming the nearest. */
const struct game_wire *table_game(const char *name);
/* Reads and compiles; a console_exit, with everything that is wrong printed. */
int  table_open(struct table *table, const char *game, const struct table_ask *ask);
void table_close(struct table *table);
/* Where people type: whether the set-up leaves them the standard input; false after the complaint. */
bool table_leaves_stdin(const struct table_ask *ask);

#endif
