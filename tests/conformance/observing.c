/* observing.c: a View as cells (common/env): a function of the view alone, and no list is longer than the game says. */
#include <stdlib.h>
#include <string.h>

#include "bout.h"
#include "env/env_private.h"

void observing_open(struct bout *bout)
{
    struct extents        extents = { 0 };
    struct arbiter_rules *rules = calloc(1, sizeof *rules);
    assert(rules != NULL);
    rules->wire = bout->wire;
    rules->terms.bounds = bout->bounds;
    if (bout->game->extents != NULL)
        bout->game->extents(bout->fixture->table->setup, bout->fixture->seats, &extents);
    bool laid = env_layout(rules, bout->game->extents != NULL ? &extents : NULL);
    assert(laid);
    rules->actions = extents.commands;
    bout->observed = rules;
    bout->home.cells = guard_new(rules->cells * sizeof(int32_t), 0);
    bout->twin.cells = guard_new(rules->cells * sizeof(int32_t), 8);
}

void observing_close(struct bout *bout)
{
    free(bout->observed);
    guard_free(bout->home.cells);
    guard_free(bout->twin.cells);
}

static bool list_fits(struct bout *bout, const struct env_op *op, const int32_t *cells);

static bool lists_fit(struct bout *bout, uint32_t first, uint32_t count, const int32_t *cells)
{
    for (uint32_t i = first; i < first + count; i++)
        if (!list_fits(bout, &bout->observed->op[i], cells + bout->observed->op[i].at))
            return false;
    return true;
}

/* The first cell of a list or text is how long it is, cut or not. */
static bool list_fits(struct bout *bout, const struct env_op *op, const int32_t *cells)
{
    bool is_list = op->shape == ENV_NUMBERS || op->shape == ENV_TEXTS || op->shape == ENV_MESSAGES;
    PROMISE(bout, (!is_list && op->shape != ENV_TEXT) || cells[0] <= (int32_t) op->most,
            "%s is at most as long as its extent, %u, not %d",
            op->field != NULL ? op->field->name : "a view", op->most, cells[0]);
    for (int32_t i = 0; is_list && i < cells[0]; i++) {
        const int32_t *one = cells + 1 + (size_t) i * op->width;
        PROMISE(bout, op->shape != ENV_TEXTS || *one < (int32_t) op->width,
                "a text in %s is at most as long as its extent, %u, not %d", op->field->name,
                op->width - 1, *one);
        if (op->shape == ENV_MESSAGES && !lists_fit(bout, op->first, op->count, one))
            return false;
    }
    if (op->shape == ENV_MESSAGE)
        return cells[0] != 1 || lists_fit(bout, op->first, op->count, cells + 1);
    return is_list || lists_fit(bout, op->first, op->count, cells);
}

bool observations_agree(struct bout *bout, const char *whatever)
{
    struct side *home = &bout->home, *twin = &bout->twin;
    env_put_cells(bout->observed, home->look.words, home->look.used, home->cells);
    env_put_cells(bout->observed, twin->look.words, twin->look.used, twin->cells);
    PROMISE(bout, memcmp(home->cells, twin->cells, bout->observed->cells * sizeof(int32_t)) == 0,
            "an observation is the same whatever %s", whatever);
    return lists_fit(bout, 0, bout->observed->roots, home->cells);
}

bool commands_fit(struct bout *bout, const struct legal *list)
{
    uint64_t count = legal_count(list);
    PROMISE(bout, bout->game->extents == NULL || count <= bout->observed->actions,
            "at most %u commands are listed at once, not %u", bout->observed->actions,
            (uint32_t) count);
    return true;
}
