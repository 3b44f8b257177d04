/* grid_setup.h: a set-up of objectron out of a few words of the command line, without JSON. */
#ifndef ARBITER_GRID_SETUP_H
#define ARBITER_GRID_SETUP_H

#include "services/console/command/table.h"

/* What the command line said of the arena. */
struct grid_words {
    const char *grid, *size, *mode;
    uint64_t    players;
};

extern const char *const grid_modes[];

/* The rows every command that plays has for it. */
#define GRID_OPTIONS(asked, member)                                                                \
    { .name = "grid",                                                                              \
      .value = "FILE",                                                                             \
      .kind = OPTION_TEXT,                                                                         \
      .offset = offsetof(asked, member.grid),                                                      \
      .help = "objectron: a grid as one draws it, instead of --config." },                         \
        { .name = "size",                                                                          \
          .value = "WxH",                                                                          \
          .kind = OPTION_TEXT,                                                                     \
          .offset = offsetof(asked, member.size),                                                  \
          .help = "objectron: a grid of this size, drawn by dice, instead of --config." },         \
        { .name = "mode",                                                                          \
          .value = "race|ctf",                                                                     \
          .kind = OPTION_WORD,                                                                     \
          .words = grid_modes,                                                                     \
          .offset = offsetof(asked, member.mode),                                                  \
          .help = "With these two: race, for two players (default), or ctf: capture the flag." },  \
    {                                                                                              \
        .name = "players", .value = "N", .kind = OPTION_NUMBER, .least = 2, .most = 9,             \
        .offset = offsetof(asked, member.players),                                                 \
        .help = "With these two: how many play. Default: as many as the grid has starts, or 2."    \
    }

/* Puts the set-up into `ask`, if there was any such word. A console_exit; each fault of a grid has been
 * said with its line and column. */
int grid_setup(const struct grid_words *words, const char *game, struct table_ask *ask);

/* Behind the last use of what it put there, also if there was nothing. */
void grid_setup_forget(struct table_ask *ask);

#endif
