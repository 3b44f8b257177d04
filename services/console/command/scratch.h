/* scratch.h: a folder of one's own for as long as a program runs. */
#ifndef ARBITER_SCRATCH_H
#define ARBITER_SCRATCH_H

#include <stdbool.h>

#define SCRATCH_MAX 64

/* Makes it below TMPDIR, private; false after a complaint. The path is short, because sockets stand in it. */
bool scratch_make(char folder[SCRATCH_MAX]);
/* Takes it away with everything in it. */
void scratch_remove(const char *folder);

#endif
