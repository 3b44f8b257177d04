/* shadow.h: what of a file would survive if the power went now.
 *
 * A shadow knows the bytes that were synced, and in their order the writes that were not. When the power
 * goes any part of the latter may be there. After a sync that failed the kernel holds those writes for done
 * and forgets them: no later sync brings them to the disk. */
#ifndef ARBITER_TEST_SHADOW_H
#define ARBITER_TEST_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shadow;

/* What becomes of writes that were never synced. */
enum power_loss { LOSE_ALL, LOSE_NOTHING, LOSE_SOME_WRITES, LOSE_SOME_SECTORS, POWER_LOSSES };

/* The shadow of this file; a new file's is empty. */
struct shadow *shadow_of(const char *path);
void           shadow_write(struct shadow *shadow, const void *bytes, size_t size, uint64_t offset);
void           shadow_truncate(struct shadow *shadow, uint64_t size);
void           shadow_sync(struct shadow *shadow);
void           shadow_sync_failed(struct shadow *shadow);
void           shadow_delete(const char *path);

/* Makes every file what the loss of power leaves of it. Nobody has one open. */
void shadows_lose_power(enum power_loss loss, uint64_t seed);
void shadows_forget(void);

#endif
