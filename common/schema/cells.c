/* cells.c: see cells.h. */
#include "schema/cells.h"

#include <string.h>

#include "wire/order.h"

void cell_put_bytes(struct row *row, uint32_t column, const void *bytes, size_t size,
                    struct outbox *out)
{
    row_bytes(row, column, outbox_copy(out, bytes, size), size);
}

void cell_put_text(struct row *row, uint32_t column, const char *text, struct outbox *out)
{
    size_t size = text_length(text);
    row_text(row, column, (const char *) outbox_copy(out, text, size), size);
}

void cell_put_numbers(struct row *row, uint32_t column, const uint32_t *numbers, uint32_t count,
                      struct outbox *out)
{
    uint8_t *bytes = outbox_take(out, (size_t) 4 * count);
    for (uint32_t i = 0; i < count; i++)
        order_put(bytes + (size_t) 4 * i, numbers[i], 4);
    row_bytes(row, column, bytes, (size_t) 4 * count);
}

bool cell_number(const struct row *row, uint32_t column, uint64_t *number)
{
    if (column >= row->count || row->cells[column].kind != CELL_NUMBER)
        return false;
    *number = (uint64_t) row->cells[column].number;
    return true;
}

bool cell_bytes(const struct row *row, uint32_t column, void *bytes, size_t size)
{
    if (column >= row->count || row->cells[column].kind != CELL_BYTES ||
        row->cells[column].size != size)
        return false;
    if (size > 0)
        memcpy(bytes, row->cells[column].bytes, size);
    return true;
}

bool cell_find(const struct row *row, uint32_t column, const uint8_t **bytes, size_t *size)
{
    *bytes = NULL;
    *size = 0;
    if (column >= row->count || row->cells[column].kind == CELL_NUMBER)
        return false;
    if (row->cells[column].kind != CELL_NULL) {
        *bytes = row->cells[column].bytes;
        *size = row->cells[column].size;
    }
    return true;
}

uint32_t cell_numbers(const uint8_t *bytes, size_t size, uint32_t *numbers, uint32_t most)
{
    uint32_t count = size / 4 < most ? (uint32_t) (size / 4) : most;
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = (uint32_t) order_get(&bytes, 4);
    return count;
}
