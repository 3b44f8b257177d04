/* registry.h: the games this build knows, by name and version of the rules.
 *
 * The list is written by CMake from the folders it finds; a game's NAME_wire.c ends with its row,
 * `const struct game_wire wire_NAME`. A version of the rules stays compiled in, in a folder of its own,
 * while unfinished matches of it may exist. */
#ifndef ARBITER_REGISTRY_H
#define ARBITER_REGISTRY_H

#include <protobuf-c/protobuf-c.h>
#include <stdint.h>
#include <stdio.h>

#include "rules/game.h"

struct house; /* house_conform.h */

/* A game and what maps it to the outside. */
struct game_wire {
    const struct game                *game;
    const ProtobufCMessageDescriptor *command; /* Message with the oneof `kind`.              */
    const ProtobufCMessageDescriptor *event;   /* Message with the oneof `kind`.              */
    const ProtobufCMessageDescriptor *view;

    /* What people call the value of a field of these messages, such as a character's name for its
     * identifier. It is `size` bytes of the set-up or of the program, without a NUL. NULL: it has
     * no name but its number. The function itself is NULL in a game without names. */
    const char *(*called)(const void *setup, const char *field, int64_t value, size_t *size);

    /* Plays one file of recorded games or scenarios against the rules and prints every disagreement as
     * "file:line: expected ..., came ...". Returns how many games or scenarios agreed and disagreed;
     * false if the file cannot be read as one, with the reason printed. NULL: nothing is recorded. */
    bool (*conform)(const char *path, FILE *complaints, uint32_t *agreed, uint32_t *disagreed);
    /* The same through real processes. NULL: this game's recordings cannot be played so. */
    bool (*conform_live)(const char *path, struct house *house, FILE *complaints, uint32_t *agreed,
                         uint32_t *disagreed);
};

/* The games, in order of name and version; NULL behind the last. */
const struct game_wire *const *registry_games(void);
/* A game by name; version 0 means its newest. NULL if there is none. */
const struct game_wire        *registry_find(const char *name, uint32_t version);

/* Their names and versions: "dead 1 nim 1". */
void registry_put_versions(FILE *out);

#endif
