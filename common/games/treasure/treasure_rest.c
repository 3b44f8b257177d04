/* treasure_rest.c: the part of a set-up that is the 2017 door's. It is judged here, so that one run
 * finds every fault of the file. The rules keep nothing of it. */
#include "games/treasure/treasure_rules.h"

static void judge_word(const struct value *rest, const char *key, const char *const *words,
                       bool null_too, struct faults *faults)
{
    const struct value *found = value_get(rest, key);
    if (found != NULL && !(null_too && found->kind == VALUE_NULL))
        (void) value_word(found, words, faults);
}

static void judge_base(const struct value *rest, struct faults *faults)
{
    const struct value *found = value_get(rest, "coordinate_base");
    if (found != NULL && found->kind != VALUE_NULL)
        (void) value_as_int(found, 0, 1, faults);
}

void treasure_read_rest(const struct value *rest, struct faults *faults)
{
    static const char *const dialects[] = { "doc", "impl", NULL };
    static const char *const axes[] = { "x_column", "x_row", NULL };
    static const char *const ids[] = { "sequential", "random31", NULL };
    static const char *const keys[] = {
        "port",       "bind",    "default_dialect", "coordinate_base", "axis",
        "extensions", "id_mode", "max_body",        "retention_ms",    NULL
    };
    if (rest == NULL)
        return;
    (void) value_int_or(rest, "port", 1, 65535, 8080, faults);
    if (value_get(rest, "bind") != NULL)
        (void) value_string(rest, "bind", faults);
    judge_word(rest, "default_dialect", dialects, false, faults);
    judge_base(rest, faults);
    judge_word(rest, "axis", axes, true, faults);
    (void) value_bool_or(rest, "extensions", false, faults);
    judge_word(rest, "id_mode", ids, false, faults);
    (void) value_int_or(rest, "max_body", 1024, INT32_MAX, 65536, faults);
    (void) value_int_or(rest, "retention_ms", 0, INT32_MAX, 600000, faults);
    value_only(rest, keys, faults);
}
