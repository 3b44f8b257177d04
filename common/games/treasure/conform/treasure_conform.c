/* treasure_conform.c: plays scenarios of the treasure hunt and compares all that they expect. */
#include "games/treasure/conform/treasure_conform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "games/lines_conform.h"
#include "games/treasure/conform/treasure_table_conform.h"

struct show {
    const char            *path;
    FILE                  *complaints;
    uint32_t               line, apart;
    const json_t          *scenario;
    struct treasure_table *table;
};

static const char *const seat_names[] = { "1", "2" };

static const json_t *of(const struct show *show, const char *key)
{
    return json_object_get(show->scenario, key);
}

static bool complain(const struct show *show, const char *what, const json_t *expected,
                     const json_t *came)
{
    const char *id = json_string_value(of(show, "id"));
    char       *one = expected ? json_dumps(expected, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    char       *other = came ? json_dumps(came, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    (void) fprintf(show->complaints, "%s:%u: %s, %s: expected %s, came %s\n", show->path,
                   show->line, id ? id : "a scenario", what, one ? one : "a scenario",
                   other ? other : "nothing");
    free(one);
    free(other);
    return false;
}

/* Every expected key must have come with its value; takes over `came`. */
static bool agrees(const struct show *show, const char *what, const json_t *expected, json_t *came)
{
    bool          agreed = json_is_object(expected);
    const char   *key;
    const json_t *value;
    json_object_foreach((json_t *) expected, key, value) agreed =
        agreed && json_object_get(came, key) != NULL &&
        json_equal(value, json_object_get(came, key));
    if (!agreed)
        complain(show, what, expected, came);
    json_decref(came);
    return agreed;
}

static json_t *name_or_null(const char *name)
{
    return name != NULL ? json_string(name) : json_null();
}

/* Halves. */

static bool compare_faults(const struct show *show, const struct treasure_faults *faults)
{
    json_t *errors = json_array();
    for (uint32_t i = 0; i < faults->count; i++)
        json_array_append_new(errors, json_string(treasure_fault_name(faults->code[i])));
    return agrees(show, "the half", of(show, "expect"),
                  json_pack("{s:b, s:o}", "valid", faults->count == 0, "errors", errors));
}

static bool play_half(const struct show *show)
{
    const char            *text = json_string_value(of(show, "half"));
    uint32_t               size = (uint32_t) json_string_length(of(show, "half"));
    struct treasure_faults faults = { 0 };
    struct treasure_half   half;
    if (text == NULL)
        return complain(show, "half", NULL, NULL);
    if (treasure_read_text(show->table->setup, (const uint8_t *) text, size, &half, &faults))
        treasure_judge_half(show->table->setup, &half, &faults);
    return compare_faults(show, &faults);
}

static char *join_rows(const json_t *rows)
{
    size_t  size, i;
    json_t *row;
    char   *text = NULL;
    FILE   *out = open_memstream(&text, &size);
    json_array_foreach((json_t *) rows, i, row)(void)
        fprintf(out, "%s%s", i > 0 ? "\n" : "", json_string_value(row));
    (void) fclose(out);
    return text;
}

static bool play_rows(const struct show *show)
{
    char                        *text = join_rows(of(show, "rows"));
    const struct treasure_setup *setup = show->table->setup;
    struct treasure_faults       faults = { 0 };
    struct treasure_half         half;
    size_t                       i;
    json_t                      *castle;
    if (treasure_read_rows(setup, (const uint8_t *) text, (uint32_t) strlen(text), &half,
                           &faults)) {
        json_array_foreach((json_t *) of(show, "castles"), i, castle)
            treasure_put_castle(setup, json_integer_value(json_array_get(castle, 0)),
                                json_integer_value(json_array_get(castle, 1)), &half);
        treasure_judge_half(setup, &half, &faults);
    }
    free(text);
    return compare_faults(show, &faults);
}

/* Merging. */

static json_t *event_text(const struct treasure_table *table, uint32_t kind, audience to,
                          uint32_t at)
{
    for (const word *event = sink_first(&table->out); event != NULL;
         event = sink_next(&table->out, event)) {
        const word *fields = event_fields(event);
        if (event_kind(event) != kind || event_to(event) != to || fields[at] == ABSENT)
            continue;
        char   text[4 * TREASURE_FIELDS_MAX];
        size_t size = (size_t) fields[at];
        for (size_t i = 0; i < size; i++)
            text[i] = (char) fields[at + 1 + i];
        return json_stringn(text, size);
    }
    return json_null();
}

/* A player's map as the player's dialect has it: at the start the figure stands on the castle. */
static json_t *in_symbols(json_t *numbers)
{
    static const char *const symbols[] = { "PC", "0G", "0M", "0W" };
    const char              *from = json_string_value(numbers);
    char                     text[4 * TREASURE_FIELDS_MAX];
    size_t                   size = json_string_length(numbers);
    for (size_t i = 0; i < size; i += 2)
        memcpy(text + i, symbols[from[i + 1] - '0'], 2);
    json_decref(numbers);
    return json_stringn(text, size);
}

static json_t *pair(int32_t x, int32_t y)
{
    return json_pack("[i, i]", x, y);
}

/* Both halves go in; each must be accepted. */
static bool join(const struct show *show)
{
    treasure_table_start(show->table);
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++) {
        json_t     *given = json_object_get(of(show, "halves"), seat_names[seat]);
        const char *half = json_string_value(given);
        if (half == NULL || treasure_table_half(show->table, seat, half, 0) != ACCEPTED)
            return complain(show, "a half that is accepted", given, NULL);
    }
    return show->table->state->merged || complain(show, "halves that are joined", NULL, NULL);
}

static bool play_merge(const struct show *show)
{
    struct treasure_table       *table = show->table;
    const struct treasure_state *state = table->state;
    const struct treasure_seat  *one = &state->seat[0], *two = &state->seat[1];

    if (!join(show))
        return false;
    const char *alphabet = json_string_value(of(show, "alphabet"));
    bool        is_symbolic = alphabet != NULL && strcmp(alphabet, "symbolic") == 0;
    json_t     *maps = json_object();
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++) {
        json_t *map = event_text(table, TREASURE_MAP_READY, TO_SEAT(seat), 2);
        json_object_set_new(maps, seat_names[seat], is_symbolic ? in_symbols(map) : map);
    }
    struct play play = { table->setup, table->state, &table->dice, &table->out };
    table->out.used = 0;
    (void) game_treasure.annul(&play);
    json_t *came = json_pack(
        "{s:i, s:i, s:{s:o, s:o}, s:{s:o, s:o}, s:o, s:o}", "width",
        treasure_columns(table->setup, state), "height", treasure_rows(table->setup, state),
        "castles", "1", pair(one->castle_x, one->castle_y), "2", pair(two->castle_x, two->castle_y),
        "treasures", "1", pair(one->treasure_x, one->treasure_y), "2",
        pair(two->treasure_x, two->treasure_y), "referee_map",
        event_text(table, TREASURE_REVEAL, TO_ALL, 0), "player_map", maps);
    return agrees(show, "the map", of(show, "expect"), came);
}

/* Games. */

static void put_treasures(const struct show *show)
{
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++) {
        json_t *place = json_object_get(of(show, "treasures"), seat_names[seat]);
        if (!json_is_array(place))
            continue;
        show->table->state->seat[seat].treasure_x =
            (int32_t) json_integer_value(json_array_get(place, 0));
        show->table->state->seat[seat].treasure_y =
            (int32_t) json_integer_value(json_array_get(place, 1));
    }
}

/* A row of the table ActionList: places count from 1 there. */
static json_t *stored_row(const struct treasure_last *last)
{
    json_t *row = json_pack("[i, s]", last->id, treasure_action_name(last->action));
    bool    told = last->readable != 0;
    json_array_append_new(row, told ? json_integer((json_int_t) last->x + 1) : json_null());
    json_array_append_new(row, told ? json_integer((json_int_t) last->y + 1) : json_null());
    json_array_append_new(row, told ? json_integer(last->turns) : json_null());
    json_array_append_new(row, name_or_null(treasure_reason_name(last->violation)));
    return row;
}

static bool play_step(const struct show *show, const json_t *step, json_t *stored)
{
    uint32_t       seat = (uint32_t) json_integer_value(json_array_get(step, 0)) - 1;
    size_t         size = json_array_size(step);
    int32_t        before = show->table->state->n;
    struct command command;

    if (seat >= TREASURE_SEATS || (size != 1 && size != 6))
        return complain(show, "a step", NULL, step);
    treasure_bare(&command, size == 1 ? TREASURE_MALFORMED : TREASURE_UPDATE);
    for (size_t i = 1; i < size; i++)
        command.arg[i] = json_integer_value(json_array_get(step, i));
    (void) treasure_table_hear(show->table, seat, &command);
    if (show->table->state->n != before)
        json_array_append_new(stored, stored_row(&show->table->state->last));
    return true;
}

static bool compare_seat(const struct show *show, const json_t *expected, uint32_t seat)
{
    json_t *view = json_object_get(json_object_get(expected, "view"), seat_names[seat]);
    json_t *pos = json_object_get(json_object_get(expected, "pos"), seat_names[seat]);
    json_t *wanted = json_pack("{}");
    if (view != NULL)
        json_object_update(wanted, view);
    if (pos != NULL && json_object_get(wanted, "pos") == NULL)
        json_object_set(wanted, "pos", pos);
    bool agreed = (pos == NULL || json_equal(pos, json_object_get(wanted, "pos"))) &&
                  agrees(show, seat_names[seat], wanted, treasure_table_view(show->table, seat));
    json_decref(wanted);
    return agreed;
}

/* All that is expected after so many steps; counts what was compared. */
static bool compare_after(const struct show *show, size_t steps, size_t *compared)
{
    size_t  i;
    json_t *expected;
    json_array_foreach((json_t *) of(show, "expect"), i, expected)
    {
        if (json_integer_value(json_object_get(expected, "after")) != (json_int_t) steps)
            continue;
        ++*compared;
        for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++)
            if (!compare_seat(show, expected, seat))
                return false;
    }
    return true;
}

static bool compare_end(const struct show *show, json_t *stored)
{
    const struct treasure_state *state = show->table->state;
    json_t                      *came = json_pack("{s:i, s:o, s:o}", "n", state->n, "result",
                                                  name_or_null(treasure_result_name(state->result)), "reason",
                                                  name_or_null(treasure_reason_name(state->reason)));
    if (!agrees(show, "the end", of(show, "final"), came))
        return false;
    return of(show, "stored") == NULL || json_equal(of(show, "stored"), stored) ||
           complain(show, "what is stored", of(show, "stored"), stored);
}

static bool play_game(const struct show *show)
{
    json_t *stored = json_array(), *step;
    size_t  compared = 0, i;
    bool    agreed = join(show);

    if (agreed) {
        put_treasures(show);
        agreed = compare_after(show, 0, &compared);
    }
    json_array_foreach((json_t *) of(show, "steps"), i, step) agreed =
        agreed && play_step(show, step, stored) && compare_after(show, i + 1, &compared);
    agreed = agreed && compare_end(show, stored);
    if (agreed && compared != json_array_size(of(show, "expect")))
        agreed = complain(show, "expectations behind the last step", of(show, "expect"), NULL);
    json_decref(stored);
    return agreed;
}

/* Files. */

static bool play_at_table(struct show *show, bool (*play)(const struct show *show))
{
    struct treasure_table table;
    uint64_t              seed = (uint64_t) json_integer_value(of(show, "seed"));
    if (!treasure_table_open(&table, of(show, "config"), seed, show->complaints))
        return complain(show, "a config that is none", NULL, of(show, "config"));
    show->table = &table;
    bool agreed = play(show);
    show->table = NULL;
    treasure_table_close(&table);
    return agreed;
}

static bool play_scenario(struct show *show, const char *type)
{
    static const struct {
        const char *type;
        bool (*play)(const struct show *show);
    } types[] = { { "half", play_half },
                  { "half_rows", play_rows },
                  { "merge", play_merge },
                  { "game", play_game } };
    if (strcmp(type, "clock") == 0)
        return agrees(show, "the clock", of(show, "expect"),
                      treasure_play_clock(show->scenario, show->complaints));
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(type, types[i].type) == 0)
            return play_at_table(show, types[i].play);
    return complain(show, "a type of scenario", NULL, of(show, "type"));
}

/* One line; false: it is no scenario. */
static bool play_line(struct show *show, const char *text, uint32_t *agreed, uint32_t *disagreed)
{
    json_t     *scenario = json_loads(text, JSON_ALLOW_NUL, NULL);
    const char *type = json_string_value(json_object_get(scenario, "type"));
    show->scenario = scenario;
    if (type != NULL && strcmp(type, "rest") == 0)
        show->apart++;
    else if (type != NULL)
        ++*(play_scenario(show, type) ? agreed : disagreed);
    else
        (void) fprintf(show->complaints, "%s:%u: no scenario of treasure\n", show->path,
                       show->line);
    json_decref(scenario);
    return type != NULL;
}

bool treasure_conform(const char *path, FILE *complaints, uint32_t *agreed, uint32_t *disagreed)
{
    struct show show = { .path = path, .complaints = complaints };
    FILE       *file = fopen(path, "r");
    char       *text = NULL;
    size_t      capacity = 0;
    bool        readable = true;

    *agreed = *disagreed = 0;
    if (file == NULL) {
        (void) fprintf(complaints, "%s: %s\n", path, strerror(errno));
        return false;
    }
    while (readable && recording_line(file, &text, &capacity, &show.line))
        readable = play_line(&show, text, agreed, disagreed);
    if (show.line == 0)
        (void) fprintf(complaints, "%s: there is no scenario in it\n", path);
    if (show.apart > 0)
        (void) fprintf(
            complaints,
            "%s: %u exchanges of the 2017 door were not played: they are the gateway's\n", path,
            show.apart);
    free(text);
    (void) fclose(file);
    return readable && show.line > 0;
}
