/* mind.h: what it takes to think ahead in a process that holds no state: set-ups, and one tree. Pure.
 *
 * A seat's match is known by what the seat is sent. Its set-up is compiled once, for all seats that are
 * played with it. What was heard goes into the seat's notes. When the seat is to move, its view is
 * thought about (search/search.h), a slice at a time, so that the process hears on meanwhile.
 *
 * There is one tree for all seats. So memory has a bound, whoever wants to think. */
#ifndef ARBITER_MIND_H
#define ARBITER_MIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mind/mind_settings.h"
#include "rules/foresight.h"
#include "rules/game.h"
#include "wire/crypto.h"
#include "wire/plan.h"

#define MIND_NO_SETUP UINT32_MAX
#define MIND_NODES_MOST 1000000u /* As many as there is time for. */

struct mind;

size_t       mind_bytes(const struct mind_settings *settings);
struct mind *mind_init(void *memory, const struct mind_settings *settings);

/* A match's set-up, for one more seat. MIND_NO_SETUP: it cannot be thought about, or there is no room. */
uint32_t mind_take_setup(struct mind *mind, const struct mind_game *game,
                         const struct mind_text *text, uint32_t seats);
void     mind_leave_setup(struct mind *mind, uint32_t setup);
/* The seat hears an act, and writes down what is worth remembering. */
struct mind_act {
    uint32_t       seat;
    const uint8_t *body, *box; /* The box opened; NULL: it has none. */
    size_t         body_size, box_size;
};
void mind_hear(struct mind *mind, uint32_t setup, word *notes, const struct mind_act *act);

/* What is to be thought about: a seat's View, as bytes, and its notes. */
struct mind_task {
    uint32_t       setup, seat;
    const uint8_t *view;
    size_t         view_size;
    const word    *notes;
    struct level   skill;
    uint64_t       seed;
    uint64_t       until_ms; /* The best so far is good enough then. */
};
/* Begins a thought, instead of the one before. False: there is nothing to think about. */
bool   mind_begin(struct mind *mind, const struct mind_task *task, uint64_t now_ms);
/* Thinks for one slice: some milliseconds, as far as the clock of events has told so far. True: it is done. */
bool   mind_go_on(struct mind *mind, uint64_t now_ms);
/* The command that did best; returns the size of the game's Command. */
size_t mind_best(struct mind *mind, uint8_t *command, size_t capacity);

#endif
