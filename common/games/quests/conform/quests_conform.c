/* quests_conform.c: plays scenarios against the rules and compares all that comes with what must come. */
#include "games/quests/conform/quests_conform.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "games/quests/conform/quests_table_conform.h"

/* What has been said since the last step must be the next part of the log. */
static bool events_agree(const struct quests_show *show, struct quests_table *table, size_t step,
                         const json_t *log, size_t *next)
{
    bool agree = true;
    for (size_t i = 0; agree && i < json_array_size(table->said); i++) {
        const json_t *expected = json_array_get(log, (*next)++);
        const json_t *came = json_array_get(table->said, i);
        agree = (expected != NULL && json_equal(expected, came)) ||
                quests_complain(show, "event", step, expected, came);
    }
    json_array_clear(table->said);
    return agree;
}

static bool views_agree(const struct quests_show *show, const struct quests_table *table,
                        size_t step, const json_t *views)
{
    size_t  i;
    json_t *look;
    bool    agree = true;
    json_array_foreach(views, i, look)
    {
        if ((size_t) json_integer_value(json_object_get(look, "after_steps")) != step)
            continue;
        const json_t *expected = json_object_get(look, "view");
        json_t       *came = quests_table_view(table, json_object_get(look, "player"));
        agree =
            (json_equal(expected, came) || quests_complain(show, "view", step, expected, came)) &&
            agree;
        json_decref(came);
    }
    return agree;
}

/* Views are asked for in steps that were played, or they would be compared with nothing. */
static bool views_come(const struct quests_show *show, size_t steps, const json_t *views)
{
    size_t  i;
    json_t *look;
    json_array_foreach(views, i, look)
    {
        json_int_t after = json_integer_value(json_object_get(look, "after_steps"));
        if (after < 0 || (size_t) after > steps)
            return quests_complain(show, "view", steps, look, NULL);
    }
    return true;
}

static bool rules_hold(const struct quests_show *show, const struct quests_table *table,
                       size_t step)
{
    const char *wrong = game_quests.check(table->setup, table->state);
    if (wrong == NULL)
        return true;
    (void) fprintf(show->complaints, "%s:%u: %s, after %zu steps: expected that %s\n", show->path,
                   show->line, show->name, step, wrong);
    return false;
}

static bool step_agrees(const struct quests_show *show, struct quests_table *table, size_t number,
                        const json_t *step)
{
    const char   *refused = quests_table_step(table, step);
    const json_t *expected = json_object_get(step, "error");
    bool          same = refused == NULL ? expected == NULL || json_is_null(expected)
                                         : expected != NULL && json_is_string(expected) &&
                                      strcmp(json_string_value(expected), refused) == 0;
    if (same)
        return true;
    json_t *came = refused != NULL ? json_string(refused) : NULL;
    (void) quests_complain(show, "error", number, expected, came);
    json_decref(came);
    return false;
}

static bool distribution_agrees(const struct quests_show *show, const struct quests_table *table,
                                const json_t *expected)
{
    if (expected == NULL)
        return true;
    json_t *came = quests_table_distribution(table);
    bool    same =
        json_equal(expected, came) || quests_complain(show, "distribution", 0, expected, came);
    json_decref(came);
    return same;
}

static bool final_agrees(const struct quests_show *show, const struct quests_table *table,
                         size_t steps, const json_t *expected)
{
    json_t *came = quests_table_final(table);
    bool same = json_equal(expected, came) || quests_complain(show, "final", steps, expected, came);
    json_decref(came);
    return same;
}

static bool play_steps(const struct quests_show *show, struct quests_table *table,
                       const json_t *scenario)
{
    const json_t *expect = json_object_get(scenario, "expect");
    const json_t *log = json_object_get(expect, "events");
    const json_t *views = json_object_get(expect, "views");
    const json_t *steps = json_object_get(scenario, "steps");
    size_t        count = json_array_size(steps), next = 0;
    bool agrees = distribution_agrees(show, table, json_object_get(expect, "distribution"));

    for (size_t step = 0; agrees && step <= count; step++) {
        if (step > 0)
            agrees = step_agrees(show, table, step, json_array_get(steps, step - 1));
        agrees = agrees && events_agree(show, table, step, log, &next) &&
                 rules_hold(show, table, step) && views_agree(show, table, step, views);
    }
    if (agrees && next < json_array_size(log))
        agrees = quests_complain(show, "event", count, json_array_get(log, next), NULL);
    return agrees && views_come(show, count, views) &&
           final_agrees(show, table, count, json_object_get(expect, "final"));
}

bool quests_scenario_agrees(struct quests_show *show, const json_t *scenario)
{
    struct quests_table table;
    const json_t       *expect = json_object_get(scenario, "expect");
    bool                refused = !quests_table_open(&table, json_object_get(scenario, "config"));
    bool                agrees;

    if (json_is_string(expect) && strcmp(json_string_value(expect), "bad_config") == 0)
        agrees = refused || quests_complain(show, "set-up", 0, expect, NULL);
    else if (refused)
        agrees = quests_complain(show, "set-up, which is refused", 0, expect, NULL);
    else
        agrees = play_steps(show, &table, scenario);
    if (!refused)
        quests_table_close(&table);
    return agrees;
}

bool quests_conform(const char *path, FILE *complaints, uint32_t *agreed, uint32_t *disagreed)
{
    struct quests_show show = { .path = path,
                                .complaints = complaints,
                                .play = quests_scenario_agrees };
    return quests_play_file(&show, agreed, disagreed);
}
