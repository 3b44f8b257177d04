/* dead_table_conform.c: the house of a recording, played by the rules: who sits where, who hears what. */
#include "games/dead/conform/dead_table_conform.h"

#include <assert.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "base/value.h"
#include "dice/kinds.h"
#include "games/dead/conform/dead_names_conform.h"
#include "games/dead/dead.h"
#include "wire/arena.h"
#include "json/json.h"

#define CONFIG_MAX_BYTES 1048576

/* Opening. */

struct printed_faults {
    struct faults faults; /* First: `report` is handed its address. */
    const char   *file;
    FILE         *to;
};

static void print_fault(struct faults *faults, const struct value *at, const char *key,
                        const char *what)
{
    const struct printed_faults *printed = (const void *) faults;
    struct text                  place;
    value_place(&place, at);
    (void) fprintf(printed->to, "%s:%s%s%s: %s\n", printed->file, place.bytes, key ? "/" : "",
                   key ? key : "", what);
}

static FILE *open_config(const char *path, const char *name, char found[DEAD_PATH_MAX])
{
    static const char *const folders[] = { "../../configs/", "../configs/", "configs/", "" };
    char                     copy[DEAD_PATH_MAX];
    (void) snprintf(copy, sizeof copy, "%s", path);
    const char *folder = dirname(copy);
    FILE       *file = NULL;
    for (size_t i = 0; file == NULL && i < sizeof folders / sizeof *folders; i++) {
        (void) snprintf(found, DEAD_PATH_MAX, "%s/%s%s", folder, folders[i], name);
        file = fopen(found, "r");
    }
    return file;
}

/* NULL: there is no memory for it, or it is far too long for a set-up, as devices are. */
static char *read_all(FILE *file, size_t *size)
{
    char *text = calloc(1, CONFIG_MAX_BYTES + 2);
    if (text == NULL)
        return NULL;
    *size = fread(text, 1, CONFIG_MAX_BYTES + 1, file);
    if (*size <= CONFIG_MAX_BYTES)
        return text;
    free(text);
    return NULL;
}

static void *compile(const struct house_table *table, FILE *complaints)
{
    size_t                size = strlen(table->setup), options_size = strlen(table->options);
    size_t                bytes = JSON_VALUE_BYTES(size) + JSON_VALUE_BYTES(options_size);
    void                 *memory = malloc(bytes);
    void                 *setup = NULL;
    struct printed_faults printed = { { 0, print_fault }, table->found, complaints };
    struct arena          arena;
    arena_init(&arena, memory, bytes);
    const struct value *config = json_value(table->setup, size, &arena, &printed.faults);
    const struct value *chosen = json_value(table->options, options_size, &arena, &printed.faults);
    if (config && chosen)
        bytes = game_dead.configure(config, chosen, NULL, 0, &printed.faults);
    if (printed.faults.count == 0) {
        setup = calloc(1, bytes);
        game_dead.configure(config, chosen, setup, bytes, &printed.faults);
    }
    free(memory);
    return setup;
}

bool dead_config_is_good(const struct house_table *table, FILE *complaints)
{
    void *setup = compile(table, complaints);
    bool  good = setup != NULL;
    free(setup);
    return good;
}

char *dead_config_text(const json_t *header, const char *path, uint32_t line, FILE *complaints,
                       char found[DEAD_PATH_MAX], size_t *size)
{
    const char *name = json_string_value(json_object_get(header, "config"));
    FILE       *file = open_config(path, name, found);
    if (file == NULL) {
        (void) fprintf(complaints, "%s:%u: its config %s is not to be found\n", path, line, name);
        return NULL;
    }
    char *text = read_all(file, size);
    if (text == NULL)
        (void) fprintf(complaints, "%s:%u: its config %s is too long\n", path, line, name);
    (void) fclose(file);
    return text;
}

/* Hearing. */

/* One thing somebody heard, and who. */
struct said {
    struct house_heard heard;
    word              *event; /* The row's own memory.                                      */
    bool               to[DEAD_CLIENTS_MAX];
};

struct table {
    struct house house; /* First: the functions are handed its address.                 */
    void        *setup; /* Compiled.                                                     */
    void        *state;
    void        *desk; /* The registration's.                                           */
    struct dice  dice;
    struct sink  out;
    char        *text;                   /* The config's.                                 */
    char        *name[DEAD_CLIENTS_MAX]; /* As registered; NULL: not.                     */
    uint32_t     client[SEATS_MAX];
    uint32_t     seats;
    uint32_t     gone; /* Bit s: seat s has left.                                     */
    bool         begun;
    bool         over;
    struct said *said;
    uint32_t     said_count, said_capacity;
    uint32_t     heard[DEAD_CLIENTS_MAX]; /* So many of `said` each has been offered.      */
};

static struct said *say(struct table *table)
{
    if (table->said_count == table->said_capacity) {
        table->said_capacity = table->said_capacity * 2 + 64;
        table->said = realloc(table->said, table->said_capacity * sizeof *table->said);
    }
    struct said *said = &table->said[table->said_count++];
    memset(said, 0, sizeof *said);
    return said;
}

static void fail(struct table *table, uint32_t client, const char *sentence)
{
    struct said *said = say(table);
    said->heard.refused = sentence;
    said->to[client] = true;
}

/* Before the match, whoever has registered; then, whoever sits there and has not left. */
static void to_all(const struct table *table, struct said *said)
{
    for (uint32_t client = 0; client < DEAD_CLIENTS_MAX; client++)
        said->to[client] = table->name[client] != NULL && !table->begun;
    for (uint32_t seat = 0; table->begun && seat < table->seats; seat++)
        said->to[table->client[seat]] = (table->gone >> seat & 1) == 0;
}

static void send_event(struct table *table, const word *event)
{
    struct said *said = say(table);
    size_t       size = (1 + event_length(event)) * sizeof *event;
    said->event = malloc(size);
    assert(said->event != NULL);
    memcpy(said->event, event, size);
    said->heard.event = said->event;
    uint32_t first = event_length(event) > 0 ? (uint32_t) event_fields(event)[0] : 0;
    if (event_to(event) != TO_ALL)
        said->to[table->client[event_to(event) & 0xff]] = true;
    else
        to_all(table, said);
    if (event_kind(event) == DEAD_PLAYER)
        said->heard.name = table->name[table->client[first]];
    if (event_kind(event) == DEAD_LEFT)
        table->gone |= 1u << first;
}

static void send_all(struct table *table)
{
    for (const word *event = sink_first(&table->out); event != NULL;
         event = sink_next(&table->out, event))
        send_event(table, event);
    table->out.used = 0;
}

static bool next_heard(struct house *house, uint32_t client, struct house_heard *heard)
{
    struct table *table = (struct table *) house;
    while (table->heard[client] < table->said_count) {
        const struct said *said = &table->said[table->heard[client]++];
        if (!said->to[client])
            continue;
        *heard = said->heard;
        return true;
    }
    return false;
}

/* Speaking. */

static struct play play_of(struct table *table)
{
    return (struct play){ table->setup, table->state, &table->dice, &table->out };
}

static uint32_t seat_of(struct house *house, uint32_t client)
{
    const struct table *table = (const struct table *) house;
    for (uint32_t seat = 0; table->begun && seat < table->seats; seat++)
        if (table->client[seat] == client)
            return seat;
    return NO_SEAT_HERE;
}

static void after_registration(struct table *table)
{
    enum registration_status status = dead_registration.status(table->setup, table->desk);
    table->seats = dead_registration.seats(table->setup, table->desk, table->client);
    table->over = status == REGISTRATION_ABORTED;
    if (status == REGISTRATION_BEGINS) {
        struct play play = play_of(table);
        table->begun = true;
        game_dead.start(&play, table->seats);
    }
    send_all(table);
}

static void register_client(struct table *table, uint32_t client, const struct command *command)
{
    uint32_t refused =
        dead_registration.apply(table->setup, table->desk, client, command, &table->out);
    if (refused) {
        fail(table, client, game_dead.reasons[refused].sentence);
    } else if (command->kind == DEAD_REGISTER) {
        table->name[client] = strndup((const char *) command->text, command->text_size);
        struct said *said = say(table);
        said->heard.setup = table->text;
        said->to[client] = true;
    }
    after_registration(table);
}

static bool hear(struct house *house, uint32_t client, const struct command *command)
{
    struct table *table = (struct table *) house;
    uint32_t      seat = seat_of(house, client);
    if (table->over)
        return true;
    if (!table->begun) {
        register_client(table, client, command);
        return true;
    }
    if (seat == NO_SEAT_HERE || table->gone >> seat & 1)
        return true; /* Strangers and leavers are not answered. */
    struct play play = play_of(table);
    verdict     refused = game_dead.apply(&play, seat, command);
    send_all(table);
    if (refused) {
        fail(table, client, game_dead.reasons[refused].sentence);
        game_dead.asks(table->setup, table->state, seat, &table->out);
        send_all(table);
    }
    table->over = game_dead.to_act(table->setup, table->state) == 0;
    return true;
}

static bool expire(struct house *house)
{
    struct table *table = (struct table *) house;
    if (table->over)
        return true;
    if (!table->begun) {
        dead_registration.expire(table->setup, table->desk, &table->out);
        after_registration(table);
        return true;
    }
    struct play play = play_of(table);
    bool        happened = game_dead.expire(&play, game_dead.to_act(table->setup, table->state));
    send_all(table);
    table->over = game_dead.to_act(table->setup, table->state) == 0;
    return happened;
}

/* Opening and closing. */

static bool open_table(struct house *house, const struct house_table *asked, FILE *complaints)
{
    struct table *table = (struct table *) house;
    struct bounds bounds;
    uint32_t      least, most;
    table->setup = compile(asked, complaints);
    if (table->setup == NULL)
        return false;
    game_dead.seats(table->setup, &least, &most);
    game_dead.bounds(table->setup, most, &bounds);
    table->state = calloc(1, bounds.state_bytes);
    table->desk = calloc(1, dead_registration.state_bytes);
    table->out.words = calloc(bounds.event_words, sizeof(word));
    table->out.capacity = bounds.event_words;
    table->text = strdup(asked->setup);
    dice_java(&table->dice, (uint64_t) asked->seed);
    dead_registration.open(table->setup, table->desk);
    return true;
}

static void close_table(struct house *house)
{
    struct table *table = (struct table *) house;
    for (uint32_t i = 0; i < table->said_count; i++)
        free(table->said[i].event);
    for (uint32_t client = 0; client < DEAD_CLIENTS_MAX; client++)
        free(table->name[client]);
    free(table->said);
    free(table->text);
    free(table->out.words);
    free(table->desk);
    free(table->state);
    free(table->setup);
    *table = (struct table){ .house = table->house };
}

struct house *dead_house_new(void)
{
    struct table *table = calloc(1, sizeof *table);
    if (table == NULL)
        return NULL;
    table->house = (struct house){ .open = open_table,
                                   .say = hear,
                                   .expire = expire,
                                   .next = next_heard,
                                   .seat = seat_of,
                                   .close = close_table };
    return &table->house;
}

void dead_house_destroy(struct house **house)
{
    free(*house);
    *house = NULL;
}

struct dead_inside dead_house_inside(const struct house *house)
{
    const struct table *table = (const struct table *) house;
    return (struct dead_inside){ .setup = table->setup,
                                 .state = table->begun ? table->state : NULL,
                                 .clients = table->client,
                                 .seats = table->seats,
                                 .is_over = table->over };
}
