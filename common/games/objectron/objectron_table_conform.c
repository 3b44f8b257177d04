/* objectron_table_conform.c: the table of a scenario: its set-up, what it puts into the state, and who
 * says what. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "dice/kinds.h"
#include "games/objectron/objectron_conform.h"
#include "wire/arena.h"
#include "wire/json.h"

#define FIXTURES_MAX 32

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

bool objectron_table_open(struct objectron_table *table, json_t *config)
{
    *table = (struct objectron_table){ 0 };
    struct first_fault first = { { 0, keep_code }, table->fault, sizeof table->fault };
    char              *text = json_dumps(config, 0);
    size_t             size = strlen(text);
    void              *memory = malloc(JSON_VALUE_BYTES(size));
    struct arena       arena;
    arena_init(&arena, memory, JSON_VALUE_BYTES(size));
    const struct value *tree = json_value(text, size, &arena, &first.faults);
    size_t              bytes = game_objectron.configure(tree, NULL, NULL, 0, &first.faults);
    if (bytes > 0) {
        table->setup = calloc(1, bytes);
        (void) game_objectron.configure(tree, NULL, table->setup, bytes, &first.faults);
        /* A scenario may let power fail where the set-up has none of it. */
        table->setup->failures_most += FIXTURES_MAX;
        make(table);
    }
    free(memory);
    free(text);
    return bytes > 0;
}

void objectron_table_close(struct objectron_table *table)
{
    free(table->out.words);
    free(table->state);
    free(table->setup);
}

/* What a scenario puts into the state. */

static int32_t read_square(const struct objectron_table *table, const json_t *at)
{
    return (int32_t) (json_integer_value(json_array_get(at, 1)) * table->setup->width +
                      json_integer_value(json_array_get(at, 0)));
}

static int32_t read_direction(const json_t *name)
{
    for (int32_t dir = 0; json_is_string(name) && dir < 8; dir++)
        if (strcmp(json_string_value(name), directions[dir]) == 0)
            return dir;
    return -1;
}

/* Which draw bends a direction into another. */
static uint32_t bend(uint32_t from, uint32_t to)
{
    return from == to ? 0 : to == ((from + 7) & 7) ? 1 : 2;
}

static void put_failure(struct objectron_table *table, const json_t *from)
{
    struct objectron_state   *state = table->state;
    const json_t             *spread = json_object_get(from, "spread");
    struct objectron_failure *failure = &objectron_failures(state)[state->failures++];
    assert(state->failures <= state->failures_most);
    *failure = (struct objectron_failure){
        .id = state->next_failure++,
        .primary = (int16_t) read_square(table, json_object_get(from, "at")),
        .turns = 1 + (int32_t) json_integer_value(json_object_get(from, "turns")),
        .secondary = -1,
        .tertiary = -1
    };
    if (!json_is_object(spread))
        return;
    const char *rotation = json_string_value(json_object_get(spread, "rotation"));
    failure->dir = (uint8_t) read_direction(json_object_get(spread, "dir"));
    failure->rotation = rotation != NULL && strcmp(rotation, "ccw") == 0 ? 2 : 1;
    objectron_spread(state, failure);
    int32_t tertiary = read_direction(json_object_get(spread, "tertiary"));
    if (failure->secondary >= 0 && tertiary >= 0)
        objectron_spread_on(state, failure, bend(failure->dir, (uint32_t) tertiary));
}

static void put_trail(struct objectron_table *table, struct objectron_player *player,
                      const json_t *trail)
{
    size_t  index;
    json_t *piece;
    json_array_foreach(trail, index, piece) if (player->pieces < OBJECTRON_TRAIL_MAX)
        player->trail[player->pieces++] =
        (struct objectron_piece){ .at = (int16_t) read_square(table, piece),
                                  .left = (uint8_t) json_integer_value(json_array_get(piece, 2)),
                                  .link = 1 };
}

static void put_player(struct objectron_table *table, struct objectron_player *player,
                       const json_t *from)
{
    const json_t *at = json_object_get(from, "at");
    size_t        index;
    json_t       *owner;
    if (at != NULL)
        player->at = (int16_t) read_square(table, at);
    put_trail(table, player, json_object_get(from, "trail"));
    player->pending = (int32_t) json_integer_value(json_object_get(from, "pending_actions"));
    player->skip = (int32_t) json_integer_value(json_object_get(from, "skip_turns"));
    json_array_foreach(json_object_get(from, "captured"), index, owner) player->captured |=
        1u << (json_integer_value(owner) - 1);
}

void objectron_table_start(struct objectron_table *table, const json_t *scenario, uint64_t seed)
{
    size_t      index;
    const char *name;
    json_t     *each;
    struct play play = { table->setup, table->state, &table->dice, &table->out };
    memset(table->state, 0, table->bounds.state_bytes);
    table->out.used = 0;
    dice_splitmix(&table->dice, seed);
    objectron_lay_out(table->setup, &table->dice, table->state);
    json_array_foreach(json_object_get(scenario, "power_failures"), index, each)
        put_failure(table, each);
    json_object_foreach(json_object_get(scenario, "players"), name, each)
        put_player(table, &table->state->player[strtol(name, NULL, 10) - 1], each);
    struct objectron o = objectron_of(&play);
    objectron_begin(&o);
}

/* Who says what. */

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

static json_t *show_events(const struct objectron_table *table)
{
    json_t *said = json_array();
    for (const word *event = sink_first(&table->out); event != NULL;
         event = sink_next(&table->out, event))
        json_array_append_new(said, objectron_show_event(event));
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
