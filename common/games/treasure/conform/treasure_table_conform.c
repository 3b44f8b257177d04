/* treasure_table_conform.c: a table at which a scenario is played. */
#include "games/treasure/conform/treasure_table_conform.h"

#include <stdlib.h>

#include "dice/kinds.h"
#include "json/config_file.h"

/* Where in a set-up the key of a scenario stands. */
static const char *section_of(const char *leaf)
{
    static const char *const places[][2] = {
        { "countdown", "movement" },      { "enter_cost", "movement" },
        { "leave_cost", "movement" },     { "max_actions", "limits" },
        { "limit_result", "limits" },     { "think_ms", "limits" },
        { "out_of_turn", "limits" },      { "registration_ms", "limits" },
        { "mask_actions", "visibility" }, { "mountain_radius", "visibility" },
        { "spectators", "visibility" },   { "spectator_delay_actions", "visibility" },
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (text_is(places[i][0], text_length(places[i][0]), leaf))
            return places[i][1];
    return "map";
}

char *treasure_table_config(const json_t *leaves)
{
    json_t     *config = json_pack("{s:s}", "game", "treasure"), *value;
    const char *leaf;
    json_object_foreach((json_t *) leaves, leaf, value)
    {
        const char *name = section_of(leaf);
        if (json_object_get(config, name) == NULL)
            json_object_set_new(config, name, json_object());
        json_object_set(json_object_get(config, name), leaf, value);
    }
    char *text = json_dumps(config, JSON_COMPACT);
    json_decref(config);
    return text;
}

bool treasure_table_open(struct treasure_table *table, const json_t *leaves, uint64_t seed,
                         FILE *complaints)
{
    size_t             size;
    char              *text = treasure_table_config(leaves);
    struct config_text config = { "the scenario's config", text, text_length(text) };
    struct config_text options = { "options", NULL, 0 };

    *table = (struct treasure_table){ 0 };
    table->setup = config_compile(&game_treasure, &config, &options, &size, complaints);
    free(text);
    if (table->setup == NULL)
        return false;
    game_treasure.bounds(table->setup, TREASURE_SEATS, &table->bounds);
    table->state = calloc(1, table->bounds.state_bytes);
    table->desk = calloc(1, treasure_registration.state_bytes);
    table->out.words = calloc(table->bounds.event_words, sizeof(word));
    table->out.capacity = table->bounds.event_words;
    dice_java(&table->dice, seed);
    treasure_registration.open(table->setup, table->desk);
    return true;
}

void treasure_table_close(struct treasure_table *table)
{
    free(table->out.words);
    free(table->desk);
    free(table->state);
    free(table->setup);
}

static struct play play_of(struct treasure_table *table)
{
    table->out.used = 0;
    table->out.events = 0;
    return (struct play){ table->setup, table->state, &table->dice, &table->out };
}

void treasure_table_start(struct treasure_table *table)
{
    struct play play = play_of(table);
    game_treasure.start(&play, TREASURE_SEATS);
}

verdict treasure_table_hear(struct treasure_table *table, uint32_t seat,
                            const struct command *command)
{
    struct play play = play_of(table);
    return game_treasure.apply(&play, seat, command);
}

void treasure_table_expire(struct treasure_table *table, seat_mask late)
{
    struct play play = play_of(table);
    (void) game_treasure.expire(&play, late);
}

void treasure_bare(struct command *command, uint32_t kind)
{
    *command = (struct command){ .kind = kind };
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command->arg[i] = ABSENT;
}

verdict treasure_table_half(struct treasure_table *table, uint32_t seat, const char *half,
                            word think_ms)
{
    struct command command;
    treasure_bare(&command, TREASURE_SUBMIT_HALF);
    command.arg[0] = think_ms;
    command.text = (const uint8_t *) half;
    command.text_size = (uint32_t) text_length(half);
    return treasure_table_hear(table, seat, &command);
}

/* Reading the words of a PlayerView, in the order of the .proto. */

static json_t *number_or_null(word value)
{
    return value == ABSENT ? json_null() : json_integer(value);
}

static json_t *take_rows(const word **at)
{
    json_t *list = json_array();
    for (word rows = *(*at)++; rows > 0; rows--) {
        char text[2 * TREASURE_SIDE_MAX];
        word columns = *(*at)++;
        for (word x = 0; x < columns; x++)
            text[x] = (char) *(*at)++;
        json_array_append_new(list, json_stringn(text, (size_t) columns));
    }
    return list;
}

static json_t *take_area(const word **at)
{
    if (*(*at)++ == 0)
        return json_null();
    *at += 4;
    return json_pack("{s:I, s:I, s:I, s:I}", "x", (json_int_t) (*at)[-4], "y",
                     (json_int_t) (*at)[-3], "w", (json_int_t) (*at)[-2], "h",
                     (json_int_t) (*at)[-1]);
}

static json_t *take_field(const word **at)
{
    if (*(*at)++ == 0)
        return json_null();
    *at += 2;
    return json_pack("[I, I]", (json_int_t) (*at)[-2], (json_int_t) (*at)[-1]);
}

static json_t *take_pending(const word **at)
{
    if (*(*at)++ == 0)
        return json_null();
    json_t *target = take_field(at);
    return json_pack("[o, I]", target, (json_int_t) * (*at)++);
}

/* Fields marked with an x, in reading order. */
static json_t *take_explored(const word **at)
{
    json_t *list = json_array();
    word    rows = *(*at)++;
    for (word y = 0; y < rows; y++) {
        word columns = *(*at)++;
        for (word x = 0; x < columns; x++)
            if (*(*at)++ == 'x')
                json_array_append_new(list, json_pack("[I, I]", (json_int_t) x, (json_int_t) y));
    }
    return list;
}

/* Seats count from 1 there, and words stand for numbers. */
static void take_head(const word **at, json_t *view)
{
    static const char *const phases[] = { NULL, "register", "half", "move", "end" };
    const word              *head = *at;
    json_object_set_new(view, "seat", json_integer(head[0] + 1));
    json_object_set_new(view, "n", json_integer(head[1]));
    json_object_set_new(view, "turn", number_or_null(head[2] == ABSENT ? ABSENT : head[2] + 1));
    json_object_set_new(view, "phase", json_string(phases[head[3]]));
    json_object_set_new(view, "width", number_or_null(head[4]));
    json_object_set_new(view, "height", number_or_null(head[5]));
    *at += 6;
    json_object_set_new(view, "terrain", take_rows(at));
    json_object_set_new(view, "own_half", take_area(at));
}

static void take_end(const word *at, json_t *view)
{
    const char *result = at[2] != ABSENT ? treasure_result_name((int32_t) at[2]) : NULL;
    const char *reason = at[3] != ABSENT ? treasure_reason_name((int32_t) at[3]) : NULL;
    json_object_set_new(view, "win", json_boolean(at[0]));
    json_object_set_new(view, "loss", json_boolean(at[1]));
    json_object_set_new(view, "result", result != NULL ? json_string(result) : json_null());
    json_object_set_new(view, "reason", reason != NULL ? json_string(reason) : json_null());
}

json_t *treasure_table_view(struct treasure_table *table, uint32_t seat)
{
    word       *words = calloc(table->bounds.view_words, sizeof *words);
    struct sink out = { .words = words, .capacity = table->bounds.view_words };
    json_t     *view = json_object();
    const word *at =
        words + 2; /* Behind the oneof and the game's number, which the house fills in. */

    game_treasure.view(table->setup, table->state, seat, &out);
    take_head(&at, view);
    json_object_set_new(view, "castle", take_field(&at));
    json_object_set_new(view, "pos", take_field(&at));
    json_object_set_new(view, "pending", take_pending(&at));
    json_object_set_new(view, "enemy", take_field(&at));
    json_object_set_new(view, "enemy_masked", json_boolean(*at++ == 1));
    json_object_set_new(view, "treasure", json_boolean(*at++));
    json_object_set_new(view, "treasure_pos", take_field(&at));
    json_object_set_new(view, "enemy_castle", take_field(&at));
    json_object_set_new(view, "explored", take_explored(&at));
    take_end(at, view);
    free(words);
    return view;
}
