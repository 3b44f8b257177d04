/* wheel.h: a million deadlines in one block of memory: a hierarchical timer wheel. Pure.
 *
 * A timer is a number below `timers_max`. Time is cut into digits of six bits. A timer lies at the
 * level of the highest digit in which its deadline differs from the present, in the slot that this
 * digit names. When the present reaches a slot of a higher level, its timers move to lower levels.
 * So setting and clearing cost the same however many timers there are, and a timer is touched at
 * most once for each level. Timers fire in the order of their deadlines; of equal ones no order is
 * promised. */
#ifndef ARBITER_WHEEL_H
#define ARBITER_WHEEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_TIMER UINT32_MAX

struct wheel;

/* What so many timers take, and a wheel without any that are set, in memory of that size which is
 * aligned for a uint64_t. */
size_t        wheel_bytes(uint32_t timers_max);
struct wheel *wheel_init(void *memory, uint32_t timers_max);

/* Sets a timer, or sets it anew. What is past already fires at the next question. */
void     wheel_set(struct wheel *wheel, uint32_t timer, uint64_t due_ms);
/* No harm if it is not set. */
void     wheel_clear(struct wheel *wheel, uint32_t timer);
bool     wheel_is_set(const struct wheel *wheel, uint32_t timer);
/* When a timer that is set fires. */
uint64_t wheel_due(const struct wheel *wheel, uint32_t timer);
uint32_t wheel_count(const struct wheel *wheel);

/* A timer whose deadline is not behind `now_ms`, the earliest first; it is cleared by that. NO_TIMER: there
 * is none. A clock that went back is taken for one that stood. */
uint32_t wheel_next(struct wheel *wheel, uint64_t now_ms);
/* When to ask again: never later than the earliest deadline. UINT64_MAX: no timer is set. */
uint64_t wheel_wake(const struct wheel *wheel);

#endif
