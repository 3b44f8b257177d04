/* grid_faults.h: everything that is wrong with a grid of objectron that somebody drew, where it stands.
 *
 * The rules stop at the first fault, since a table needs no more. Somebody who draws a grid wants
 * all of them, each with its line and column. Whether there is any, both agree. */
#ifndef ARBITER_GRID_FAULTS_H
#define ARBITER_GRID_FAULTS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What is known of a good grid. */
struct grid_facts {
    uint32_t width, height, starts;
};

/* Prints "path:line:column: CODE: sentence" for each fault of a grid's text and returns how many there are. */
uint32_t grid_faults(const char *path, const char *text, size_t size, struct grid_facts *facts,
                     FILE *out);

#endif
