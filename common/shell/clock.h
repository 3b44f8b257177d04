/* clock.h: the two clocks of a shell: one to wait by, one for people. */
#ifndef ARBITER_SHELL_CLOCK_H
#define ARBITER_SHELL_CLOCK_H

#include <stdint.h>

/* Milliseconds of a clock that never jumps. */
uint64_t clock_now_ms(void);
/* The same in microseconds, for measuring. */
uint64_t clock_now_us(void);
/* Milliseconds since 1970, as the machine believes. */
uint64_t clock_wall_ms(void);

#endif
