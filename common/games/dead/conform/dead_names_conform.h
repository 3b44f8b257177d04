/* dead_names_conform.h: between the recordings' JSON and the rules' words, by the .proto's descriptors.
 *
 * The recordings carry the names of the original's tables, CamelCase and camelCase. The .proto has
 * the same names in snake_case, and its fields stand in the order of the words. */
#ifndef ARBITER_DEAD_NAMES_CONFORM_H
#define ARBITER_DEAD_NAMES_CONFORM_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rules/command.h"

/* A command by its name and arguments; false if there is none of that name, or with such arguments.
 * The command's text lives as long as `args`. */
bool    dead_read_command(const char *name, const json_t *args, struct command *command);
/* The name of a kind of event, in an object {"ev": name, "args": {...}} of what the words say. */
json_t *dead_show_event(const word *event);
/* The same of an Event's bytes, texts included; NULL: they are none. A field that the message does not
 * have is left out, and so is the player of what is said to one client alone. */
json_t *dead_read_event(const uint8_t *bytes, size_t size);
/* A command in the form of the recordings: {"cmd": name, "args": {...}}. */
json_t *dead_show_command(const struct command *command);

#endif
