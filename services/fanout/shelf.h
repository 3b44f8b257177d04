/* shelf.h: acts as bytes, in one block of memory, with a stated order of what goes first. Pure.
 *
 * An act lies in cells of a fixed size and is found by its owner and number. Acts stand in two queues: the
 * *common* ones, and the *kept* ones, which are the last acts of matches somebody reads. When room is
 * needed the common one goes that was not touched for longest; only when there is none, the kept one. */
#ifndef ARBITER_SHELF_H
#define ARBITER_SHELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_ACT UINT32_MAX
#define SHELF_CELL_BYTES 256u

struct shelf;

struct shelf_facts {
    uint64_t evicted, evicted_kept;
    uint32_t acts, kept;
};

/* A shelf that fills so many bytes of memory, aligned for a uint64_t. */
struct shelf *shelf_init(void *memory, size_t bytes);

/* Puts an act there, whatever must go for it; one that is there already stays as it is. Not more than
 * an eighth of the shelf at once. */
void     shelf_put(struct shelf *shelf, uint64_t owner, uint64_t number, const uint8_t *bytes,
                   uint32_t size);
uint32_t shelf_find(const struct shelf *shelf, uint64_t owner, uint64_t number);
uint32_t shelf_size(const struct shelf *shelf, uint32_t act);
void     shelf_read(const struct shelf *shelf, uint32_t act, uint8_t *bytes);
/* Which queue it stands in; either way it counts as touched. */
void     shelf_keep(struct shelf *shelf, uint32_t act, bool is_kept);
bool     shelf_is_kept(const struct shelf *shelf, uint32_t act);

struct shelf_facts shelf_facts(const struct shelf *shelf);

#endif
