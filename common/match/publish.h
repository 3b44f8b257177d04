/* publish.h: how what the rules said becomes what is published: a body, sealed boxes, the chain.
 *
 * Private to common/match. An act's events stand in the room's sink as words, each with its audience.
 * What everybody may know becomes the body; what one seat may know goes, with its place among the
 * others, into that seat's box. There is a box for every seat in every act, all of one size, so that
 * neither presence nor length tells anything. */
#ifndef ARBITER_MATCH_PUBLISH_H
#define ARBITER_MATCH_PUBLISH_H

#include "match/match.h"

/* Encodes an accepted command into the room; returns its bytes, 0 with MATCH_WORDS. */
size_t publish_command(const struct match_terms *terms, const struct command *command,
                       struct match_room *room);
/* Fills in the act's body, boxes and chain, and moves the match's chain on. */
void   publish(struct match *match, struct match_room *room, struct match_act *act);

#endif
