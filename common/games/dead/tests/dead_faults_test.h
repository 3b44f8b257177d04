/* dead_faults_test.h: for tests of set-ups: notes every fault as a line "place what", and compares the
 * places with where they should be. */
#ifndef ARBITER_DEAD_FAULTS_TEST_H
#define ARBITER_DEAD_FAULTS_TEST_H

#include <stdalign.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "games/dead/dead_setup.h"
#include "json/json.h"

#define TEXT_BYTES 65536

static alignas(16) uint8_t tree_of[TEXT_BYTES * 48 + 4096];
static alignas(16) uint8_t block[1 << 20];

/* Faults, one a line. */
static struct {
    struct faults faults; /* First, so that a report finds the rest. */
    char          seen[1 << 16];
} log_;

static inline void note(struct faults *faults, const struct value *at, const char *key,
                        const char *what)
{
    (void) faults;
    struct text place;
    size_t      used = strlen(log_.seen);
    value_place(&place, at);
    snprintf(log_.seen + used, sizeof log_.seen - used, "%s%s%s %s\n", place.bytes, key ? "/" : "",
             key ? key : "", what);
}

/* The size of what is compiled into `block`, or 0. */
static inline size_t configure(const char *text, size_t size, const char *edition)
{
    struct arena arena;
    char         options[64];
    arena_init(&arena, tree_of, sizeof tree_of);
    memset(&log_, 0, sizeof log_);
    log_.faults.report = note;
    snprintf(options, sizeof options, "{\"edition\":\"%s\",\"patience\":3}", edition);
    const struct value *said = json_value(options, strlen(options), &arena, &log_.faults);
    const struct value *config = json_value(text, size, &arena, &log_.faults);
    return dead_configure(config, said, block, sizeof block, &log_.faults);
}

/* Whether a line's place, which ends at the first space, is of this shape, which ends at a bar. */
static inline bool is_at(const char *line, const char *shape)
{
    while (*shape != '\0' && *shape != '|') {
        if (*shape == '*') {
            while (*line != '/' && *line != ' ')
                line++;
        } else if (*line++ != *shape) {
            return false;
        }
        shape++;
    }
    return *line == ' ';
}

static inline bool is_at_any(const char *line, const char *shapes)
{
    for (; shapes != NULL; shapes = strchr(shapes, '|')) {
        shapes += *shapes == '|';
        if (is_at(line, shapes))
            return true;
    }
    return false;
}

/* Whether a fault is at the first place, and every other fault at one of the places. One mistake
 * must not be answered with others. */
static inline bool faults_are_at(const char *shapes)
{
    bool found = false, astray = false;
    for (const char *line = log_.seen; *line != '\0'; line = strchr(line, '\n') + 1) {
        found |= is_at(line, shapes);
        astray |= !is_at_any(line, shapes);
    }
    return found && !astray;
}

#endif
