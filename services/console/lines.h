/* lines.h: words of the rules as lines a person can read, by reflection.
 *
 * An event is its name and its fields: "moved character=3 place=4". Which word is which field, and what
 * an enum's value is called, the .proto's descriptor says (games/sink.h has the convention), so no game
 * writes a line of code to be shown. Fields that are left out are left out here too. */
#ifndef ARBITER_LINES_H
#define ARBITER_LINES_H

#include <protobuf-c/protobuf-c.h>
#include <stdint.h>
#include <stdio.h>

#include "games/command.h"
#include "games/sink.h"

/* The name and fields of one kind of a message with the oneof `kind`. */
void lines_kind(FILE *out, const ProtobufCMessageDescriptor *message, uint32_t kind,
                const word *fields, uint32_t count);
/* A command, its text included. */
void lines_command(FILE *out, const ProtobufCMessageDescriptor *message,
                   const struct command *command);
/* A whole message, such as a view, in one line. */
void lines_message(FILE *out, const ProtobufCMessageDescriptor *message, const word *words,
                   uint32_t count);

#endif
