/* clock.h: how late it is by a clock that only ever goes forward, for whoever may look at one.
 *
 * Cores may not; shells, consoles, tests and what measures itself do. */
#ifndef ARBITER_CLOCK_H
#define ARBITER_CLOCK_H

#include <stdint.h>

/* Microseconds since some moment before the process began. */
uint64_t clock_us(void);

#endif
