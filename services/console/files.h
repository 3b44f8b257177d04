/* files.h: whole files into memory, and files written so that nobody ever sees half of one. */
#ifndef ARBITER_FILES_H
#define ARBITER_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A match file of a long game is some megabytes; what is larger than this is something else. */
#define FILE_BYTES_MAX ((size_t) 1 << 30)

/* Reads a whole file; NULL after a complaint. The bytes are the caller's to free, and a NUL stands
 * behind them. */
uint8_t *file_read(const char *path, size_t *size);

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
