/* env_tensor.c: a View's words as cells, each field in its place.
 *
 * This runs for every observation, so it is a walk over two rows and nothing else. Cells that nothing is said of
 * stay -1: fields that are left out, and what is behind the end of a list. */
#include <string.h>

#include "env/env_private.h"

static inline int32_t cell_of(word value)
{
    if (value == ABSENT)
        return -1;
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t) value;
}

static const word *put_ops(const struct arbiter_rules *rules, uint32_t first, uint32_t count,
                           const word *at, int32_t *cells);

/* Cells NULL: what is said is only passed over. */
static const word *put_numbers(const word *at, uint32_t count, uint32_t most, int32_t *cells)
{
    uint32_t kept = cells == NULL ? 0 : count < most ? count : most;
    for (uint32_t i = 0; i < kept; i++)
        cells[i] = cell_of(at[i]);
    return at + count;
}

static const word *put_text(const word *at, uint32_t most, int32_t *cells)
{
    if (cells != NULL)
        *cells = cell_of(*at);
    uint32_t count = *at == ABSENT ? 0 : (uint32_t) *at;
    return put_numbers(at + 1, count, most, cells != NULL ? cells + 1 : NULL);
}

static const word *put_list(const struct arbiter_rules *rules, const struct env_op *op,
                            const word *at, int32_t *cells)
{
    uint32_t count = (uint32_t) *at++;
    if (cells != NULL)
        *cells++ = (int32_t) count;
    if (op->shape == ENV_NUMBERS)
        return put_numbers(at, count, op->most, cells);
    for (uint32_t i = 0; i < count; i++) {
        int32_t *one = cells != NULL && i < op->most ? cells + (size_t) i * op->width : NULL;
        at = op->shape == ENV_TEXTS ? put_text(at, op->width - 1, one)
                                    : put_ops(rules, op->first, op->count, at, one);
    }
    return at;
}

static const word *put_oneof(const struct arbiter_rules *rules, const struct env_op *op,
                             const word *at, int32_t *cells)
{
    uint32_t which = (uint32_t) *at++;
    if (cells != NULL)
        *cells = (int32_t) which;
    if (which == 0 || which > op->count)
        return at;
    return put_ops(rules, op->first + which - 1, 1, at, cells);
}

static const word *put_op(const struct arbiter_rules *rules, const struct env_op *op,
                          const word *at, int32_t *cells)
{
    switch (op->shape) {
    case ENV_TEXT: return put_text(at, op->most, cells);
    case ENV_ONEOF: return put_oneof(rules, op, at, cells);
    case ENV_CASE: return put_ops(rules, op->first, op->count, at, cells);
    case ENV_MESSAGE:
        if (cells != NULL)
            *cells = (int32_t) *at;
        if (*at++ == 0)
            return at;
        return put_ops(rules, op->first, op->count, at, cells != NULL ? cells + 1 : NULL);
    default: return put_list(rules, op, at, cells);
    }
}

static const word *put_ops(const struct arbiter_rules *rules, uint32_t first, uint32_t count,
                           const word *at, int32_t *cells)
{
    const struct env_op *end = &rules->op[first] + count;
    for (const struct env_op *op = &rules->op[first]; op < end; op++) {
        int32_t *to = cells != NULL ? cells + op->at : NULL;
        if (op->shape != ENV_NUMBER) {
            at = put_op(rules, op, at, to);
            continue;
        }
        if (to != NULL)
            *to = cell_of(*at);
        at++;
    }
    return at;
}

void env_put_cells(const struct arbiter_rules *rules, const word *words, uint32_t count,
                   int32_t *cells)
{
    memset(cells, 0xff, rules->cells * sizeof *cells);
    if (rules->roots == 1 && rules->op[0].field == NULL && rules->op[0].shape == ENV_NUMBERS) {
        cells[0] = (int32_t) count;
        put_numbers(words, count, rules->op[0].most, cells + 1);
        return;
    }
    const word *end = put_ops(rules, 0, rules->roots, words, cells);
    assert(end == words + count);
    (void) end;
}
