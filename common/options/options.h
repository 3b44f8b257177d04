/* options.h: a command line read by a table.
 *
 * A row names an option and, for the help, its value. It says what the value may be and where it
 * goes: into the reader's own struct, or to a place of its own. What is wrong is said in one
 * sentence that names the nearest thing that would have been right. */
#ifndef ARBITER_OPTIONS_H
#define ARBITER_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum option_kind {
    OPTION_FLAG,     /* bool:            given or not.                                  */
    OPTION_TEXT,     /* const char *:    the value as it stands.                        */
    OPTION_CHARS,    /* char[most]:      a copy of it, its NUL included.                */
    OPTION_NUMBER,   /* uint64_t:        a whole number from `least` to `most`.         */
    OPTION_NUMBER32, /* uint32_t:      the same.                                      */
    OPTION_WORD,     /* const char *:    one of `words`.                                */
    OPTION_LIST,     /* struct word_list: may be given several times.                   */
};

struct option {
    const char        *name;  /* Without its dashes; NULL ends the table.                      */
    const char        *value; /* What the help calls its value; NULL for a flag.               */
    const char        *help;  /* One sentence.                                                 */
    enum option_kind   kind;
    size_t             offset; /* Where in the reader's struct ...                              */
    void              *at;     /* ... or, if it is not NULL, where else.                         */
    uint64_t           least, most;
    const char *const *words; /* OPTION_WORD: what it may be; NULL behind the last.            */
};

/* Words of a command line; they live as long as it does. */
struct words {
    char   **word;
    uint32_t count;
};

/* The values of an option that may be given several times. */
#define WORD_LIST_MAX 16
struct word_list {
    const char *word[WORD_LIST_MAX];
    uint32_t    count;
};

/* Whether `size` bytes are the name `own`; '-' and '_' are the same. */
bool option_is_named(const char *own, const char *name, size_t size);
/* Reads the option at argv[*at] and moves `at` to its last word. False, with a sentence in `fault`. */
bool option_read(const struct option *table, int argc, char **argv, int *at, void *into,
                 struct text *fault);

/* Reads argv[0..argc) by the table into `into`; what is no option is gathered at the front of argv and
 * handed back in `words`. False, with a sentence in `fault`, if something is wrong. `--` ends the
 * options. */
bool options_read(const struct option *table, int argc, char **argv, void *into,
                  struct words *words, struct text *fault);

/* The word of a NULL-terminated list that is nearest to one that is not in it; NULL if none is near. */
const char *nearest_word(const char *word, const char *const *list);
/* How many letters must be added, dropped, changed or swapped with their neighbour to turn one word
 * into another. Words beyond 40 letters count as far from everything. */
uint32_t    word_distance(const char *one, const char *other);

#endif
