/* json_grammar.h: whether a text is JSON, before json_value.c makes values of it. */
#ifndef ARBITER_JSON_GRAMMAR_H
#define ARBITER_JSON_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/value.h"

/* Whether the text is JSON that nests no deeper than 32. If not, the first mistake is reported with line
 * and column. Numbers of any size, \u0000 and half surrogate pairs are JSON. */
bool   json_grammar(const char *text, size_t size, struct faults *faults);
/* Reads the escape whose 'u' is at `from`: the character it means, or half of a surrogate pair that
 * is not whole. Returns the bytes it takes from there, 5 or 11; 0: it is no escape. */
size_t json_escape(const char *from, const char *end, uint32_t *code);

#endif
