/* objectron_conform.c: plays files of scenarios and golden set-ups, a line each, against the rules. */
#include "games/objectron/conform/objectron_conform.h"
#include "games/lines_conform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LONG_DIGITS 19 /* The least that may not fit into 63 bits. */

/* A line being played. */
struct show {
    const char            *path;
    FILE                  *complaints;
    uint32_t               line;
    const char            *name;
    struct objectron_table table;
};

/* Prints a disagreement; takes the reference to `came`. */
static bool complain(const struct show *show, const json_t *expected, json_t *came)
{
    char *wished = expected ? json_dumps(expected, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    char *text = came ? json_dumps(came, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    (void) fprintf(show->complaints, "%s:%u: %s: expected %s, came %s\n", show->path, show->line,
                   show->name, wished ? wished : "nothing", text ? text : "nothing");
    free(wished);
    free(text);
    json_decref(came);
    return false;
}

static bool complain_of(const struct show *show, const char *what, const char *came)
{
    (void) fprintf(show->complaints, "%s:%u: %s: expected %s, came %s\n", show->path, show->line,
                   show->name, what, came);
    return false;
}

/* The set-up of a line: its config, with what stands beside it. */
json_t *objectron_config_of(const json_t *line)
{
    static const char *const beside[] = { "grid", "placements" };
    json_t                  *config = json_deep_copy(json_object_get(line, "config"));
    for (size_t i = 0; i < 2; i++)
        if (json_object_get(line, beside[i]) != NULL)
            json_object_set(config, beside[i], json_object_get(line, beside[i]));
    return config;
}

uint64_t objectron_seed_of(const struct objectron_table *table)
{
    return table->setup->has_seed ? table->setup->seed : 1;
}

/* Jansson reads no integer beyond 63 bits, but a seed may be one: numbers of so many digits become texts of
 * them, which say the same. The copy is the caller's. */
static char *quote_long_numbers(const char *text)
{
    FILE  *copy;
    char  *bytes = NULL, before = ' ';
    size_t size = 0;
    bool   quoted = false;
    if ((copy = open_memstream(&bytes, &size)) == NULL)
        abort();
    while (*text != '\0') {
        size_t digits = quoted ? 0 : strspn(text, "0123456789");
        bool   is_long =
            digits >= LONG_DIGITS && !strchr("-+.eE", before) && !strchr(".eE", text[digits]);
        size_t taken = digits > 0 ? digits : quoted && *text == '\\' && text[1] != '\0' ? 2 : 1;
        quoted = quoted != (*text == '"');
        (void) fprintf(copy, is_long ? "\"%.*s\"" : "%.*s", (int) taken, text);
        before = text[taken - 1];
        text += taken;
    }
    (void) fclose(copy);
    return bytes;
}

json_t *objectron_read_line(const char *text)
{
    char   *quoted = quote_long_numbers(text);
    json_t *line = json_loads(quoted, 0, NULL);
    free(quoted);
    return line;
}

/* Events that are expected must come in this order; more may come between. */
static bool compare_events(const struct show *show, const json_t *expected, const json_t *said)
{
    size_t  index, next = 0;
    json_t *event;
    json_array_foreach(expected, index, event)
    {
        while (next < json_array_size(said) && !objectron_has(event, json_array_get(said, next)))
            next++;
        if (next++ >= json_array_size(said))
            return complain(show, event, json_deep_copy(said));
    }
    return true;
}

static bool play_command(struct show *show, const json_t *line)
{
    json_t     *said = NULL;
    const char *wished = json_string_value(json_object_get(line, "error"));
    const char *error = objectron_table_hear(&show->table, line, &said);
    bool        agreed = strcmp(wished ? wished : "no error", error ? error : "no error") == 0;
    if (!agreed)
        complain_of(show, wished ? wished : "no error", error ? error : "no error");
    agreed = agreed && compare_events(show, json_object_get(line, "events"), said);
    json_decref(said);
    const char *broken = game_objectron.check(show->table.setup, show->table.state);
    return broken == NULL ? agreed : complain_of(show, "a state that can be", broken);
}

static bool play_scenario(struct show *show, const json_t *line)
{
    size_t  index;
    json_t *each;
    objectron_table_start(&show->table, objectron_seed_of(&show->table));
    json_array_foreach(json_object_get(line, "commands"), index,
                       each) if (!play_command(show, each)) return false;
    json_array_foreach(
        json_object_get(line, "facts"), index,
        each) if (!objectron_holds(&show->table,
                                   each)) return complain(show, each,
                                                          objectron_table_view(&show->table));
    return true;
}

static bool play_drawn(struct show *show, const json_t *line)
{
    const json_t *drawn = json_object_get(line, "generate");
    const json_t *seeds = json_object_get(drawn, "seeds");
    json_int_t    from = json_integer_value(json_array_get(seeds, 0));
    json_int_t    to = json_integer_value(json_array_get(seeds, 1));
    size_t        index;
    json_t       *check;
    for (json_int_t seed = from; seed <= to; seed++) {
        objectron_table_start(&show->table, (uint64_t) seed);
        json_t *view = objectron_table_view(&show->table);
        objectron_table_start(&show->table, (uint64_t) seed);
        json_t *again = objectron_table_view(&show->table);
        bool    same = json_equal(view, again);
        json_decref(again);
        if (!same)
            return complain(show, json_object_get(line, "config"), view);
        json_array_foreach(json_object_get(drawn, "check"), index, check)
        {
            const char *broken = objectron_judge_drawn(&show->table, json_string_value(check));
            if (broken != NULL) {
                complain_of(show, json_string_value(check), broken);
                return complain(show, drawn, view);
            }
        }
        json_decref(view);
    }
    return from <= to;
}

/* Every element of a list, in order, has what is expected of it; there are no more. */
static bool compare_list(const struct show *show, const json_t *expected, const json_t *came)
{
    size_t  index;
    json_t *each;
    if (json_array_size(expected) != json_array_size(came))
        return complain(show, expected, json_deep_copy(came));
    json_array_foreach(
        expected, index,
        each) if (!objectron_has(each,
                                 json_array_get(
                                     came, index))) return complain(show, each,
                                                                    json_deep_copy(json_array_get(
                                                                        came, index)));
    return true;
}

static bool play_golden(struct show *show, const json_t *line)
{
    static const char *const lists[][2] = { { "walls", "rows" },
                                            { "items", "items" },
                                            { "failures", "failures" },
                                            { "force_fields", "fields" } };
    bool                     agreed = true;
    objectron_table_start(&show->table, objectron_seed_of(&show->table));
    json_t *view = objectron_table_view(&show->table);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        agreed = compare_list(show, json_object_get(line, lists[i][0]),
                              json_object_get(view, lists[i][1])) &&
                 agreed;
    const json_t *actions = json_object_get(line, "first_turn_actions");
    if (!json_equal(actions, json_object_get(view, "actions_left")))
        agreed = complain(show, actions, json_deep_copy(json_object_get(view, "actions_left")));
    json_decref(view);
    return agreed;
}

static bool play_line(struct show *show, const json_t *line)
{
    const char *wished = json_string_value(json_object_get(line, "setup_error"));
    json_t     *config = objectron_config_of(line);
    bool        opened = objectron_table_open(&show->table, config, line), agreed;
    json_decref(config);
    if (wished != NULL || !opened)
        agreed =
            strcmp(wished ? wished : "no fault", opened ? "no fault" : show->table.fault) == 0 ||
            complain_of(show, wished ? wished : "no fault",
                        opened ? "no fault" : show->table.fault);
    else if (json_object_get(line, "generate") != NULL)
        agreed = play_drawn(show, line);
    else if (json_object_get(line, "walls") != NULL)
        agreed = play_golden(show, line);
    else
        agreed = play_scenario(show, line);
    objectron_table_close(&show->table);
    return agreed;
}

static bool is_drawn(const json_t *drawn)
{
    const json_t *seeds = json_object_get(drawn, "seeds"),
                 *checks = json_object_get(drawn, "check");
    bool named = json_array_size(checks) > 0;
    for (size_t i = 0; i < json_array_size(checks); i++)
        named = named && json_is_string(json_array_get(checks, i));
    return named && json_is_integer(json_array_get(seeds, 0)) &&
           json_is_integer(json_array_get(seeds, 1));
}

/* A scenario that asks nothing would agree with everything: some key of it must be misspelled. */
static bool asks_something(const json_t *line)
{
    const json_t *drawn = json_object_get(line, "generate");
    const json_t *fault = json_object_get(line, "setup_error");
    if (drawn != NULL)
        return is_drawn(drawn);
    if (fault != NULL)
        return json_is_string(fault);
    return json_array_size(json_object_get(line, "commands")) > 0 ||
           json_array_size(json_object_get(line, "facts")) > 0;
}

/* A scenario or a golden set-up has these; anything else is another file. */
bool objectron_is_recording(const json_t *line)
{
    return json_is_object(json_object_get(line, "config")) &&
           (json_is_array(json_object_get(line, "walls")) ||
            (json_is_string(json_object_get(line, "name")) && asks_something(line)));
}

bool objectron_line_agrees(const char *path, uint32_t number, const json_t *line, FILE *complaints)
{
    struct show show = { .path = path, .complaints = complaints, .line = number };
    const char *name = json_string_value(json_object_get(line, "name"));
    show.name = name != NULL ? name : "golden set-up";
    return play_line(&show, line);
}

bool objectron_conform(const char *path, FILE *complaints, uint32_t *agreed, uint32_t *disagreed)
{
    FILE    *file = fopen(path, "r");
    char    *text = NULL;
    size_t   capacity = 0;
    uint32_t number = 0;
    bool     good = true;
    *agreed = 0;
    *disagreed = 0;
    if (file == NULL) {
        (void) fprintf(complaints, "%s: %s\n", path, strerror(errno));
        return false;
    }
    while (good && recording_line(file, &text, &capacity, &number)) {
        json_t *line = objectron_read_line(text);
        good = objectron_is_recording(line);
        if (!good)
            (void) fprintf(complaints, "%s:%u: neither scenario nor golden set-up of objectron\n",
                           path, number);
        else
            ++*(objectron_line_agrees(path, number, line, complaints) ? agreed : disagreed);
        json_decref(line);
    }
    if (number == 0)
        (void) fprintf(complaints, "%s: there is no scenario in it\n", path);
    free(text);
    (void) fclose(file);
    return good && number > 0;
}
