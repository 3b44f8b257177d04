/* quests_names_conform.h: between the scenarios' JSON and the rules' words, by the .proto's descriptors. */
#ifndef ARBITER_QUESTS_NAMES_CONFORM_H
#define ARBITER_QUESTS_NAMES_CONFORM_H

#include <jansson.h>

#include "games/quests/quests.h"

/* The seat of "P1" to "P4"; QUESTS_SEATS for anything else. */
uint32_t       quests_read_player(const json_t *name);
json_t        *quests_show_player(uint32_t seat);
/* A step as a command; kind 0 if it is none of ours. */
struct command quests_read_command(const json_t *step);
/* An event as {"to": ..., "ev": ..., ...}; a view. The caller holds the reference. */
json_t        *quests_show_event(const word *event);
json_t        *quests_show_view(const word *words);

#endif
