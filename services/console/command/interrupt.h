/* interrupt.h: Ctrl-C as a question long loops ask.
 *
 * The handler only notes it. Loops look between two units of work. Then they stop, remove
 * half-written files and print what they have. So cleaning up is ordinary code on the ordinary way
 * out. The same happens when a supervisor asks us to end, or when the terminal goes away. It also
 * happens when nobody reads what we print any more (`arbiter replay FILE | head`). A signal the
 * caller had us ignore (nohup) stays ignored. A third Ctrl-C ends the program at once. The second
 * may be timeout(1), which signals both us and our group. */
#ifndef ARBITER_INTERRUPT_H
#define ARBITER_INTERRUPT_H

#include <stdbool.h>

void interrupt_watch(void);
bool interrupted(void);
/* If nobody reads what we print: ends the program as that ends every other, and with no complaint. */
void interrupt_if_unread(void);

#endif
