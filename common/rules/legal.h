/* legal.h: what a seat may do now, listed as patterns.
 *
 * A pattern is a kind of command and, for each argument, the values it may have; it stands for every
 * combination of them. Patterns of one list never overlap, so counting is multiplying, and picking the
 * k-th command is one division per argument. Value lists may be shared between patterns: a game puts
 * "the open places" once and points at it from every survivor's move. */
#ifndef ARBITER_LEGAL_H
#define ARBITER_LEGAL_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "rules/command.h"

struct pattern_arg {
    uint32_t first; /* Index into the list's values. */
    uint32_t count; /* At least 1.                   */
};

struct pattern {
    uint32_t           kind;
    uint32_t           args; /* Arguments beyond these are ABSENT. */
    struct pattern_arg arg[COMMAND_ARGS_MAX];
};

struct legal {
    struct pattern *pattern;
    word           *value;
    uint32_t        patterns;
    uint32_t        values;
    uint32_t        patterns_max; /* The game's `bounds`; more is a bug of ours. */
    uint32_t        values_max;
};

/* Writing a list. */

static inline void legal_clear(struct legal *list)
{
    list->patterns = 0;
    list->values = 0;
}

/* Appends a value and returns its index; a run of such calls is one argument's values. */
static inline uint32_t legal_value(struct legal *list, word value)
{
    assert(list->values < list->values_max);
    list->value[list->values] = value;
    return list->values++;
}

/* The values put since `first`, as one argument. */
static inline struct pattern_arg legal_since(const struct legal *list, uint32_t first)
{
    return (struct pattern_arg){ first, list->values - first };
}

/* A single value as an argument. */
static inline struct pattern_arg legal_one(struct legal *list, word value)
{
    return (struct pattern_arg){ legal_value(list, value), 1 };
}

/* Appends a pattern; its arguments are set by the caller. */
static inline struct pattern *legal_pattern(struct legal *list, uint32_t kind, uint32_t args)
{
    assert(list->patterns < list->patterns_max && args <= COMMAND_ARGS_MAX);
    struct pattern *pattern = &list->pattern[list->patterns++];
    pattern->kind = kind;
    pattern->args = args;
    return pattern;
}

/* Reading one. */

/* How many commands the list stands for. */
uint64_t legal_count(const struct legal *list);
/* The k-th of them, 0 <= k < legal_count. */
void     legal_pick(const struct legal *list, uint64_t k, struct command *command);
/* Whether the list stands for this command. */
bool     legal_has(const struct legal *list, const struct command *command);
/* Moves the patterns of kinds that are COMMAND_SELDOM behind the others; returns how many others there
 * are. Who plays without a plan chooses from those, unless there are none. */
struct command_kind;
uint32_t legal_usual_first(struct legal *list, const struct command_kind *commands);

#endif
