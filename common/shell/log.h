/* log.h: what a service says to its operator: one line each, in logfmt or JSON, to a file.
 *
 * Whatever a player wrote is escaped here, at the output: a line is always one line, and drives no
 * terminal. Lines are written whole, so threads may share a log. */
#ifndef ARBITER_SHELL_LOG_H
#define ARBITER_SHELL_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "core/outbox.h"

#define LOG_LINE_MAX 2048

struct log {
    int file; /* A descriptor; usually the standard error.                            */
    _Atomic(enum say_level)
                level; /* Lines below it are not written. It may change at any moment.  */
    bool        is_json;
    const char *service; /* "engine-1".                                                        */
};

/* The level a word names; -1: none. */
int  log_level_of(const char *word);
/* Whether a line of this level would be written. */
bool log_says(const struct log *log, enum say_level level);
void log_say(const struct log *log, enum say_level level, const char *sentence);
/* The same as printf does it. */
void log_print(const struct log *log, enum say_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same whatever the level is: somebody has just asked. */
void log_tell(const struct log *log, enum say_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The line that would be written, at this wall time; its size. */
size_t log_line(char line[LOG_LINE_MAX], const struct log *log, enum say_level level,
                const char *sentence, uint64_t wall_ms);

#endif
