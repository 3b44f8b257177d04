/* slab.h: memory for things of many sizes out of one region, and the log that undoes a batch.
 *
 * Sizes go up in classes, four to a doubling, so at most a fifth of a piece is waste. Pages of one class
 * lie in a common pool: a page without a piece goes back and may serve another class next. Free memory
 * is zeros, so what is taken is zeroed, and what was taken and undone leaves no trace.
 *
 * A function that changes something which the batch may have to undo says so first
 * (`engine_undo_keep`), and the bytes are copied. `engine_undo_all` puts everything back in the
 * opposite order. The slab says it of itself. */
#ifndef ARBITER_SLAB_H
#define ARBITER_SLAB_H

#include <stddef.h>
#include <stdint.h>

#define SLAB_PAGE (64u << 10)
#define SLAB_CLASSES 44u

/* What was there before a batch changed it. */
struct undo {
    uint8_t *bytes;
    size_t   capacity, used;
    size_t   last; /* Where the last entry begins.                                              */
};

struct slab_page;

struct slab {
    uint8_t          *region;
    struct slab_page *pages;
    uint32_t          page_count;
    uint32_t          first_free; /* No page before it is free.                                 */
    uint64_t          used;       /* Bytes handed out, waste included.                          */
    uint32_t          open[SLAB_CLASSES]; /* A page of the class that has room; else NO_PAGE.   */
};

void   engine_undo_init(struct undo *undo, void *memory, size_t bytes);
/* Copies what stands there, to be put back if the batch is not kept. */
void   engine_undo_keep(struct undo *undo, void *at, size_t size);
size_t engine_undo_room(const struct undo *undo);
/* The batch was kept: nothing of it is to be undone. */
void   engine_undo_forget(struct undo *undo);
void   engine_undo_all(struct undo *undo);

/* The bytes a slab of so many bytes takes beside its own struct, and a slab in them. */
size_t slab_bytes(uint64_t bytes);
void   slab_init(struct slab *slab, void *memory, uint64_t bytes);
/* Zeroed memory, aligned for a uint64_t; NULL: there is none. */
void  *slab_take(struct slab *slab, struct undo *undo, size_t size);
/* Gives back a piece that was taken with this size. */
void   slab_give(struct slab *slab, struct undo *undo, void *piece, size_t size);

#endif
