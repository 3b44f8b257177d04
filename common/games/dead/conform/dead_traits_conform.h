/* dead_traits_conform.h: what a game shows: the situations in which its commands met the rules.
 *
 * A trait is a number that stands for one situation, such as "a search whose only sufficient die is
 * exactly the search value, with one card left". Whoever looks for games that show much prefers
 * those with traits that few games before had. */
#ifndef ARBITER_DEAD_TRAITS_CONFORM_H
#define ARBITER_DEAD_TRAITS_CONFORM_H

#include <stdint.h>

#include "games/dead/conform/dead_script_conform.h"
#include "games/dead/dead_state.h"
#include "rules/word.h"

#define DEAD_TRAITS                                                                                \
    65536u /* Numbers there are; two situations seldom share one.                  */
#define DEAD_EVENTS_MAX 512u

/* Of one game. */
struct dead_traits {
    uint64_t has[DEAD_TRAITS / 64];
};

/* Of all games so far: how many had each. */
struct dead_seen {
    uint16_t games[DEAD_TRAITS];
};

/* One step and what came of it. */
struct dead_happening {
    const struct dead_setup *setup;
    const struct dead_state *before; /* A copy; NULL: the match had not begun.                    */
    const struct dead_step  *step;
    uint32_t                 seat; /* Of who said it; DEAD_NOBODY: none.                        */
    const char              *refused; /* The reason; NULL: it was accepted, or nobody answered.   */
    const word              *event[DEAD_EVENTS_MAX]; /* All that was public.                     */
    uint32_t                 events;
};

void     dead_traits_note(struct dead_traits *traits, const struct dead_happening *at);
/* How much a game adds to those that were seen. */
uint64_t dead_traits_worth(const struct dead_traits *traits, const struct dead_seen *seen);
void     dead_seen_add(struct dead_seen *seen, const struct dead_traits *traits);
/* How many different traits the games so far had. */
uint32_t dead_seen_count(const struct dead_seen *seen);

#endif
