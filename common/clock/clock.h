/* clock.h: how late it is: by a clock that only goes forward, to wait and measure by, and by the one people have.
 *
 * Cores may not look at either; shells, consoles, tests and what measures itself do. */
#ifndef ARBITER_CLOCK_H
#define ARBITER_CLOCK_H

#include <stdint.h>

/* Since some moment before the process began. It never jumps. */
uint64_t clock_us(void);
uint64_t clock_ms(void);
/* Milliseconds since 1970, as the machine believes. */
uint64_t clock_wall_ms(void);

#endif
