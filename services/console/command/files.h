/* files.h: whole files into memory, and files written so that nobody ever sees half of one. */
#ifndef ARBITER_FILES_H
#define ARBITER_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A match file of a long game is some megabytes; what is larger than this is something else. */
#define FILE_BYTES_MAX ((size_t) 1 << 30)

/* Whether more can follow these bytes, a file's first; where the question was left last time stands in
 * `at`, 0 at first. Once it says no, nothing more is read: what is there is enough to see what is wrong. */
typedef bool file_goes_on(const uint8_t *bytes, size_t size, size_t *at);

/* Reads a whole file, or, with `goes_on`, as far as that says; "-" is the standard input. NULL after a
 * complaint. The bytes are the caller's to free, and a NUL stands behind them. */
uint8_t *file_read(const char *path, size_t *size, file_goes_on *goes_on);

/* A file in the making: PATH.part, which becomes PATH when all of it is there. */
struct half_file {
    FILE *stream;
    char *path;
    char *part;
};

/* False after a complaint. */
bool half_file_open(struct half_file *file, const char *path);
/* Makes it whole, or, unless `whole`, takes it away; false after a complaint. */
bool half_file_close(struct half_file *file, bool whole);

#endif
