/* guard.h: memory with a canary on each side, to see a write past the end of what was promised.
 *
 * `shift` moves the block by so many bytes (a multiple of 8) from an address that is a multiple of
 * 64. So two blocks of one purpose never look alike to code that peeks at its own address. */
#ifndef ARBITER_TESTS_GUARD_H
#define ARBITER_TESTS_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory; never NULL. */
void *guard_new(size_t size, size_t shift);
/* Whether both canaries are untouched. */
bool  guard_whole(const void *block);
void  guard_free(void *block);

#endif
