/* cells.h: cells of rows: filled in from what a core has, and read back with distrust. Pure.
 *
 * A store is its owner's own, yet its cells are checked. A cell of another kind or size than was
 * written reads as damage, never as something else. */
#ifndef ARBITER_SCHEMA_CELLS_H
#define ARBITER_SCHEMA_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/outbox.h"
#include "core/row.h"

/* A copy in the outbox, which lives until the batch is settled; a text ends with NUL. (Numbers: row_number.) */
void cell_put_bytes(struct row *row, uint32_t column, const void *bytes, size_t size,
                    struct outbox *out);
void cell_put_text(struct row *row, uint32_t column, const char *text, struct outbox *out);
/* Numbers as bytes, four for each, in network byte order. */
void cell_put_numbers(struct row *row, uint32_t column, const uint32_t *numbers, uint32_t count,
                      struct outbox *out);

/* False: it is not what was written. */
bool     cell_number(const struct row *row, uint32_t column, uint64_t *number);
/* Exactly so many bytes. */
bool     cell_bytes(const struct row *row, uint32_t column, void *bytes, size_t size);
/* Bytes or text of any size, where they stand; a null gives NULL and 0. */
bool     cell_find(const struct row *row, uint32_t column, const uint8_t **bytes, size_t *size);
/* What cell_put_numbers wrote: so many of them, at most `most`. */
uint32_t cell_numbers(const uint8_t *bytes, size_t size, uint32_t *numbers, uint32_t most);

#endif
