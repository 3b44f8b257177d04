/* export.h: a match out of the engine's journal, as a file that stands for itself. */
#ifndef ARBITER_EXPORT_H
#define ARBITER_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct store;

/* Where the journal is. */
struct export_place {
    const char *home;  /* NULL: the usual one.                                                   */
    const char *store; /* A database instead; NULL: none.                                        */
};

/* Writes the match of this id to `path`. A console_exit; what is wrong has been said. */
int export_match(const struct export_place *place, const uint8_t *id, const char *path);

/* The journal of that place, for reading. NULL, and a sentence. */
struct store *export_open(const struct export_place *place, struct text *fault);
/* Whether somebody typed a match's id: 32 hexadecimal digits. */
bool          export_is_id(const char *said, uint8_t id[16]);
/* The bytes of a match file: of the file of this name ("-": the standard input), or, if it is an id and
 * there is no such file, out of the journal. NULL after a complaint. The caller frees them. */
uint8_t      *export_bytes(const struct export_place *place, const char *said, size_t *size);

/* The rows of every command that takes a match's id where it takes a file. */
#define EXPORT_OPTIONS(asked, member)                                                              \
    { .name = "home",                                                                              \
      .value = "DIR",                                                                              \
      .kind = OPTION_TEXT,                                                                         \
      .offset = offsetof(asked, member.home),                                                      \
      .help = "For an id: the folder of keys, store and logs. Default: ~/.local/share/arbiter." }, \
    {                                                                                              \
        .name = "store", .value = "PLACE", .kind = OPTION_TEXT,                                    \
        .offset = offsetof(asked, member.store),                                                   \
        .help = "For an id: the engines' database, postgresql://HOST/NAME, instead of a home."     \
    }

#endif
