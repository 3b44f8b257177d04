/* command.h: one command as rules see it: a kind and its arguments, flat.
 *
 * The kind is the number of the field in the .proto's `Command.kind`; the arguments are the fields of
 * that message in the order of their declaration, ABSENT where the sender left one out. A message may
 * have at most one string or bytes field; it comes as `text` and takes no argument's place. */
#ifndef ARBITER_COMMAND_H
#define ARBITER_COMMAND_H

#include <stdint.h>

#include "games/sink.h"

#define COMMAND_ARGS_MAX 6

struct command {
    uint32_t       kind;      /* 0: the sender named none, or none that exists.       */
    uint32_t       text_size; /* Bytes of `text`.                                     */
    const uint8_t *text;      /* NULL without one; lives as long as the call.         */
    word           arg[COMMAND_ARGS_MAX];
};

#endif
