/* command.h: one command as rules see it: a kind and its arguments, flat.
 *
 * The kind is the number of the field in the .proto's `Command.kind`. The arguments are the fields
 * of that message in the order of their declaration; ABSENT stands for a field that the sender left
 * out. A message may have at most one string or bytes field; it comes as `text` and takes no
 * argument's place.
 *
 * Some rules tell a field that is missing from one that holds nonsense, and in which order. So:
 *   - ABSENT      was not sent;
 *   - 0 of an enum (NAME_UNSPECIFIED): a word was sent that is none of its names;
 *   - MISTYPED    something was sent that cannot be a value of this field. The bus refuses such bytes
 *                 before any rule sees them; only doors and recordings that speak text say this. No
 *                 rule accepts it.
 * A kind the .proto does not have, or a field that its message does not have where the rules mind, is
 * kind 0. */
#ifndef ARBITER_COMMAND_H
#define ARBITER_COMMAND_H

#include <stdint.h>

#include "rules/word.h"

#define COMMAND_ARGS_MAX 6
#define MISTYPED (INT64_MIN + 1)

struct command {
    uint32_t       kind;      /* 0: the sender named none, or none that exists.       */
    uint32_t       text_size; /* Bytes of `text`.                                     */
    const uint8_t *text;      /* NULL without one; lives as long as the call.         */
    word           arg[COMMAND_ARGS_MAX];
};

#endif
