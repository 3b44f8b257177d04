/* lines.h: words of the rules as lines a person can read, by reflection.
 *
 * An event is its name and its fields: "moved character=3 place=4". The .proto's descriptor says
 * which word is which field, and what an enum's value is called (rules/sink.h has the convention).
 * So no game needs code of its own to be shown. One whose set-up names what its numbers stand for
 * may say so (`called` in games/registry.h): "moved character=3 (Anna) place=4 (Bakery)". Fields
 * that are left out are left out here too. */
#ifndef ARBITER_LINES_H
#define ARBITER_LINES_H

#include <stdint.h>
#include <stdio.h>

#include "games/registry.h"
#include "rules/command.h"
#include "rules/sink.h"

/* Where lines go, and whose they are. */
struct lines {
    FILE                   *out;
    const struct game_wire *wire;
    const void *setup; /* Holds names, if the game has any.                            */
};

/* The name and fields of one event. */
void lines_event(const struct lines *lines, const word *event);
/* A command, its text included. */
void lines_command(const struct lines *lines, const struct command *command);
/* What may be known, in one line. */
void lines_view(const struct lines *lines, const word *words, uint32_t count);

#endif
