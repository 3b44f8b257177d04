/* objectron_stage_test.h: a table to stage a moment of a match on, for the tests of objectron. */
#ifndef ARBITER_OBJECTRON_STAGE_TEST_H
#define ARBITER_OBJECTRON_STAGE_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dice/draw.h"
#include "dice/kinds.h"
#include "games/objectron/conform/objectron_conform.h"

/* A match of this set-up, with what a scenario puts into its state, from this seed. Both are JSON. */
static inline void stage(struct objectron_table *table, const char *config, const char *scenario,
                         uint64_t seed)
{
    json_t *with = json_loads(config, 0, NULL), *scene = json_loads(scenario, 0, NULL);
    assert_non_null(with);
    assert_non_null(scene);
    assert_true(objectron_table_open(table, with, scene));
    objectron_table_start(table, seed);
    json_decref(with);
    json_decref(scene);
}

static inline struct play staged(struct objectron_table *table)
{
    table->out.used = 0;
    table->out.events = 0;
    return (struct play){ table->setup, table->state, &table->dice, &table->out };
}

/* What the player on turn may do. */
struct choices {
    struct legal   list;
    struct pattern pattern[8];
    word           value[256];
};

static inline void list_choices(const struct objectron_table *table, struct choices *choices)
{
    choices->list = (struct legal){
        .pattern = choices->pattern, .value = choices->value, .patterns_max = 8, .values_max = 256
    };
    game_objectron.legal(table->setup, table->state, (uint32_t) table->state->current,
                         &choices->list);
}

/* One of them, evenly, but never a resignation, which would end every match at once. */
static inline struct command pick_any(const struct objectron_table *table, struct dice *luck)
{
    struct choices choices;
    struct command command;
    list_choices(table, &choices);
    uint64_t count = legal_count(&choices.list);
    assert_true(count > 1);
    do
        legal_pick(&choices.list, draw_below_u64(luck, 0, count), &command);
    while (command.kind == OBJECTRON_RESIGN);
    return command;
}

/* The one that the bot likes best; of equals, the first. */
static inline struct command pick_best(const struct objectron_table *table)
{
    struct choices choices;
    struct command best = { 0 };
    int64_t        most = INT64_MIN;
    list_choices(table, &choices);
    for (uint64_t k = 0; k < legal_count(&choices.list); k++) {
        struct command command;
        legal_pick(&choices.list, k, &command);
        int64_t liking = game_objectron.judge(table->setup, table->state,
                                              (uint32_t) table->state->current, &command);
        if (liking <= most)
            continue;
        most = liking;
        best = command;
    }
    return best;
}

#endif
