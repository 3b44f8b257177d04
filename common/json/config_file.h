/* config_file.h: a set-up as its owner has it, text and compiled, and its faults as a person reads them.
 *
 * Every tool and service that opens a table comes through here, so that a fault looks the same
 * everywhere. Each fault is a line: `file:/json/pointer: what is wrong and what is allowed`. */
#ifndef ARBITER_CONFIG_FILE_H
#define ARBITER_CONFIG_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "rules/game.h"

#define CONFIG_TEXT_MAX 65536     /* Bytes of one set-up.                                   */
#define CONFIG_READ_MAX (1 << 20) /* What is read of a file to be able to say how big it is. */

/* A text and what to call it in complaints. */
struct config_text {
    const char *where; /* "configs/dead/intro.json", "options".                             */
    const char *bytes; /* NULL: there is none.                                              */
    size_t      size;
};

struct config {
    char  *text; /* As a person wrote it, with a NUL behind it.                          */
    size_t text_size;
    void  *setup; /* What the game compiled; aligned for anything.                        */
    size_t setup_size;
};

/* Hears of faults one by one. It gets the text they are in, the pointer to the place ("" for the
 * whole text), and what is wrong there. Keys in a pointer are as the text has them, and may hold
 * anything. */
struct config_ear {
    void (*hear)(struct config_ear *ear, const char *where, const char *pointer, const char *what);
};

/* An ear that prints each fault as a line. */
struct config_printer {
    struct config_ear ear; /* First, so that what it hears finds the rest. */
    FILE             *out;
};
struct config_printer config_printer_of(FILE *out);

/* The folder in which the running program lies, of PATH_MAX bytes: what was installed with it is found from there. */
bool config_program(char *folder);

/* Reads a whole file, with a NUL behind it; "-" is the standard input. NULL, and a line saying why, if
 * it cannot be read or is too big. The caller frees it. */
char *config_read(const char *path, size_t *size, FILE *complaints);
char *config_read_heard(const char *path, size_t *size, struct config_ear *ear);

/* Parses and compiles a set-up, with `options` (bytes NULL: none) beside it. NULL, and a line for each
 * fault, if there is any. The caller frees it. */
void *config_compile(const struct game *game, const struct config_text *config,
                     const struct config_text *options, size_t *setup_size, FILE *complaints);
void *config_compile_heard(const struct game *game, const struct config_text *config,
                           const struct config_text *options, size_t *setup_size,
                           struct config_ear *ear);

/* The same into memory of the caller's, and nobody hears of faults: the bytes it takes. 0: it is none, or takes more
 * than `capacity`. */
size_t config_compile_into(const struct game *game, const struct config_text *config,
                           const struct config_text *options, void *setup, size_t capacity);

/* Both: a file and options as JSON (NULL: none) become a config; false, with every fault printed. */
bool config_load(struct config *config, const struct game *game, const char *path,
                 const char *options, FILE *complaints);
/* Frees what config_load gave; harmless on a zeroed one. */
void config_free(struct config *config);

#endif
