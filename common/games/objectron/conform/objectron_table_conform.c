/* objectron_table_conform.c: the table of a scenario: its set-up with what it lays, and who says what. */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dice/kinds.h"
#include "games/objectron/conform/objectron_conform.h"
#include "wire/arena.h"
#include "json/json.h"

static const char *const directions[] = { "N", "NE", "E", "SE", "S", "SW", "W", "NW" };

/* The set-up. */

struct first_fault {
    struct faults faults; /* First: `report` is handed its address. */
    char         *code;
    size_t        size;
};

/* A sentence with a code begins with it; all others are faults of the schema. */
static void keep_code(struct faults *faults, const struct value *at, const char *key,
                      const char *what)
{
    const struct first_fault *first = (const void *) faults;
    const char               *colon = strchr(what, ':');
    bool                      code = colon != NULL;
    (void) at;
    (void) key;
    for (const char *c = what; code && c < colon; c++)
        code = (*c >= 'A' && *c <= 'Z') || *c == '_';
    if (first->code[0] == '\0')
        (void) snprintf(first->code, first->size, "%.*s", code ? (int) (colon - what) : 14,
                        code ? what : "INVALID_CONFIG");
}

static void make(struct objectron_table *table)
{
    game_objectron.bounds(table->setup, (uint32_t) table->setup->players, &table->bounds);
    table->state = calloc(1, table->bounds.state_bytes);
    table->out.capacity = table->bounds.event_words;
    table->out.words = calloc(table->out.capacity, sizeof(word));
}

json_t *objectron_options_of(const json_t *line)
{
    const json_t *players = json_object_get(line, "players");
    json_t       *failures = json_object_get(line, "power_failures");
    if (json_object_size(players) == 0 && json_array_size(failures) == 0)
        return NULL;
    return json_pack("{s:b, s:O*, s:O*}", "rigged", 1, "players",
                     json_is_object(players) ? players : NULL, "power_failures", failures);
}

/* A tree, and what it stands on. */
struct parsed {
    char               *text;
    void               *memory;
    const struct value *tree;
};

static struct parsed parse(const json_t *from, struct faults *faults)
{
    struct parsed parsed = { .text = from != NULL ? json_dumps(from, 0) : NULL };
    struct arena  arena;
    if (parsed.text == NULL)
        return parsed;
    size_t size = strlen(parsed.text);
    parsed.memory = malloc(JSON_VALUE_BYTES(size));
    arena_init(&arena, parsed.memory, JSON_VALUE_BYTES(size));
    parsed.tree = json_value(parsed.text, size, &arena, faults);
    return parsed;
}

static void forget(struct parsed *parsed)
{
    free(parsed->memory);
    free(parsed->text);
}

bool objectron_table_open(struct objectron_table *table, json_t *config, const json_t *line)
{
    struct first_fault first = { { 0, keep_code }, table->fault, sizeof table->fault };
    *table = (struct objectron_table){ 0 };
    json_t       *laid = objectron_options_of(line);
    struct parsed setup = parse(config, &first.faults), options = parse(laid, &first.faults);
    size_t bytes = game_objectron.configure(setup.tree, options.tree, NULL, 0, &first.faults);
    if (bytes > 0) {
        table->setup = calloc(1, bytes);
        (void) game_objectron.configure(setup.tree, options.tree, table->setup, bytes,
                                        &first.faults);
        make(table);
    }
    json_decref(laid);
    forget(&setup);
    forget(&options);
    return bytes > 0;
}

void objectron_table_close(struct objectron_table *table)
{
    free(table->out.words);
    free(table->state);
    free(table->setup);
}

void objectron_table_start(struct objectron_table *table, uint64_t seed)
{
    struct play play = { table->setup, table->state, &table->dice, &table->out };
    memset(table->state, 0, table->bounds.state_bytes);
    table->out.used = 0;
    table->seed = seed;
    dice_splitmix(&table->dice, seed);
    game_objectron.start(&play, (uint32_t) table->setup->players);
}

/* Who says what. */

static int32_t read_direction(const json_t *name)
{
    for (int32_t dir = 0; json_is_string(name) && dir < 8; dir++)
        if (strcmp(json_string_value(name), directions[dir]) == 0)
            return dir;
    return -1;
}

static word read_word(const json_t *value, bool typed, word read)
{
    return value == NULL ? ABSENT : typed ? read : MISTYPED;
}

struct command objectron_read_command(const json_t *line)
{
    const json_t  *dir = json_object_get(line, "dir"), *item = json_object_get(line, "item");
    const json_t  *confirm = json_object_get(line, "confirm");
    const char    *name = json_string_value(json_object_get(line, "cmd"));
    struct command command = { 0 };
    word           way = read_word(dir, json_is_string(dir), read_direction(dir) + 1);
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command.arg[i] = ABSENT;
    for (uint32_t kind = 1; name != NULL && kind < game_objectron.command_kinds; kind++)
        if (strcmp(name, game_objectron.commands[kind].name) == 0)
            command.kind = kind;
    if (command.kind == OBJECTRON_MOVE)
        command.arg[0] = way;
    if (command.kind == OBJECTRON_PICK_UP || command.kind == OBJECTRON_USE)
        command.arg[0] = read_word(item, json_is_integer(item), json_integer_value(item));
    if (command.kind == OBJECTRON_USE)
        command.arg[1] = way;
    if (command.kind == OBJECTRON_END_TURN)
        command.arg[0] = read_word(confirm, json_is_boolean(confirm), json_is_true(confirm));
    return command;
}

/* The answer to an end of turn that is not confirmed is an event of recordings. */
static json_t *show_warning(uint32_t seat, verdict refused)
{
    bool moved = refused >= OBJECTRON_NO_WARNING_MOVED;
    bool loses =
        refused == OBJECTRON_NO_WARNING_LOSES || refused == OBJECTRON_NO_WARNING_MOVED_LOSES;
    return json_pack("[{s:s, s:i, s:b, s:b}]", "ev", "end_turn_warning", "player", (int) seat + 1,
                     "moved", moved, "loses", loses);
}

/* Whoever shows the end of a game with open dice says their seed (objectron.proto). */
static json_t *show_seed(uint64_t seed)
{
    char text[32];
    (void) snprintf(text, sizeof text, "%" PRIu64, seed);
    return seed <= INT64_MAX ? json_integer((json_int_t) seed) : json_string(text);
}

static json_t *show_events(const struct objectron_table *table)
{
    json_t *said = json_array();
    for (const word *event = sink_first(&table->out); event != NULL;
         event = sink_next(&table->out, event)) {
        json_t *shown = objectron_show_event(event);
        if (event_kind(event) == OBJECTRON_GAME_OVER)
            json_object_set_new(shown, "seed", show_seed(table->seed));
        json_array_append_new(said, shown);
    }
    return said;
}

const char *objectron_table_hear(struct objectron_table *table, const json_t *line, json_t **said)
{
    const json_t  *late = json_object_get(line, "expire");
    struct play    play = { table->setup, table->state, &table->dice, &table->out };
    struct command command = objectron_read_command(line);
    const json_t  *from = late != NULL ? late : json_object_get(line, "player");
    uint32_t       seat = (uint32_t) (json_integer_value(from) - 1);
    verdict        refused = ACCEPTED;
    table->out.used = 0;
    bool expired = late != NULL && seat < SEATS_MAX && game_objectron.expire(&play, 1u << seat);
    if (late != NULL)
        command.kind = 0;
    if (!expired)
        refused = game_objectron.apply(&play, seat, &command);
    if (refused >= OBJECTRON_NO_WARNING) {
        *said = show_warning(seat, refused);
        return NULL;
    }
    *said = show_events(table);
    return refused ? game_objectron.reasons[refused].name : NULL;
}

json_t *objectron_table_view(struct objectron_table *table)
{
    struct sink look = { .capacity = table->bounds.view_words };
    look.words = calloc(look.capacity, sizeof(word));
    game_objectron.view(table->setup, table->state, SPECTATOR, &look);
    json_t *view = objectron_show_view(look.words, look.used);
    free(look.words);
    return view;
}
