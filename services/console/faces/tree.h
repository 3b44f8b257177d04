/* tree.h: what rules say, as JSON with the names of the .proto: the form in which a game's words speak of it.
 *
 * An event, a command and a view are rows of words (rules/sink.h). Here they become the objects
 * that pages and programs get, too (json/json.h), such as {"heap":1,"count":2}. Enums go by name,
 * and what is left out is left out. */
#ifndef ARBITER_TREE_H
#define ARBITER_TREE_H

#include <jansson.h>

#include "games/registry.h"
#include "rules/command.h"

/* What one kind of command or event consists of; NULL: there is no such kind. */
const ProtobufCFieldDescriptor *tree_kind(const ProtobufCMessageDescriptor *message, uint32_t kind);

/* A message from its words. The caller holds the reference. */
json_t *tree_of_words(const ProtobufCMessageDescriptor *message, const word *words, uint32_t count);
/* The fields of a command, its text included. */
json_t *tree_of_command(const ProtobufCMessageDescriptor *message, const struct command *command);

#endif
