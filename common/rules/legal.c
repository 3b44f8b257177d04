/* legal.c: counting, picking and finding commands in a list of patterns. */
#include "rules/game.h"

static uint64_t pattern_count(const struct pattern *pattern)
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < pattern->args; i++)
        count *= pattern->arg[i].count;
    return count;
}

uint64_t legal_count(const struct legal *list)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < list->patterns; i++)
        count += pattern_count(&list->pattern[i]);
    return count;
}

static void pattern_pick(const struct legal *list, const struct pattern *pattern, uint64_t k,
                         struct command *command)
{
    *command = (struct command){ .kind = pattern->kind };
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command->arg[i] = ABSENT;
    for (uint32_t i = pattern->args; i-- > 0;) {
        const struct pattern_arg *arg = &pattern->arg[i];
        command->arg[i] = list->value[arg->first + k % arg->count];
        k /= arg->count;
    }
}

void legal_pick(const struct legal *list, uint64_t k, struct command *command)
{
    uint32_t i = 0;
    uint64_t count = pattern_count(&list->pattern[0]);
    while (k >= count) {
        k -= count;
        i++;
        assert(i < list->patterns);
        count = pattern_count(&list->pattern[i]);
    }
    pattern_pick(list, &list->pattern[i], k, command);
}

static bool arg_has(const struct legal *list, const struct pattern_arg *arg, word value)
{
    for (uint32_t i = 0; i < arg->count; i++)
        if (list->value[arg->first + i] == value)
            return true;
    return false;
}

static bool pattern_has(const struct legal *list, const struct pattern *pattern,
                        const struct command *command)
{
    if (pattern->kind != command->kind || command->text_size > 0)
        return false;
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++) {
        if (i >= pattern->args && command->arg[i] != ABSENT)
            return false;
        if (i < pattern->args && !arg_has(list, &pattern->arg[i], command->arg[i]))
            return false;
    }
    return true;
}

bool legal_has(const struct legal *list, const struct command *command)
{
    for (uint32_t i = 0; i < list->patterns; i++)
        if (pattern_has(list, &list->pattern[i], command))
            return true;
    return false;
}

uint32_t legal_usual_first(struct legal *list, const struct command_kind *commands)
{
    uint32_t others = 0;
    for (uint32_t i = 0; i < list->patterns; i++) {
        if (commands[list->pattern[i].kind].flags & COMMAND_SELDOM)
            continue;
        if (others != i) {
            struct pattern seldom = list->pattern[others];
            list->pattern[others] = list->pattern[i];
            list->pattern[i] = seldom;
        }
        others++;
    }
    return others;
}
