/* interrupt.h: Ctrl-C as a question long loops ask.
 *
 * The handler only sets a flag. Loops look at it between two units of work, stop, take half-written
 * files away and print what they have; so cleaning up is ordinary code on the ordinary way out. A
 * second Ctrl-C ends the program at once. */
#ifndef ARBITER_INTERRUPT_H
#define ARBITER_INTERRUPT_H

#include <stdbool.h>

void interrupt_watch(void);
bool interrupted(void);

#endif
