/* dead_table_conform.c: the table of a recording: who sits where, who hears what. */
#include "games/dead/dead_table_conform.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "base/value.h"
#include "dice/kinds.h"
#include "games/dead/dead.h"
#include "games/dead/dead_names_conform.h"
#include "wire/arena.h"
#include "wire/json.h"

#define PATH_MAX_BYTES 4096
#define OPTIONS_MAX_BYTES 128
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

static FILE *open_config(const char *path, const char *name, char found[PATH_MAX_BYTES])
{
    static const char *const folders[] = { "../../configs/", "../configs/", "configs/", "" };
    char                     copy[PATH_MAX_BYTES];
    (void) snprintf(copy, sizeof copy, "%s", path);
    const char *folder = dirname(copy);
    FILE       *file = NULL;
    for (size_t i = 0; file == NULL && i < sizeof folders / sizeof *folders; i++) {
        (void) snprintf(found, PATH_MAX_BYTES, "%s/%s%s", folder, folders[i], name);
        file = fopen(found, "r");
    }
    return file;
}

/* NULL: there is no memory for it, or it is far too long for a set-up, as devices are. */
static char *read_all(FILE *file, size_t *size)
{
    char *text = malloc(CONFIG_MAX_BYTES + 1);
    if (text == NULL)
        return NULL;
    *size = fread(text, 1, CONFIG_MAX_BYTES + 1, file);
    if (*size <= CONFIG_MAX_BYTES)
        return text;
    free(text);
    return NULL;
}

static void *compile(const char *text, size_t size, const char *edition,
                     struct printed_faults *printed)
{
    char options[OPTIONS_MAX_BYTES];
    int  options_size = snprintf(options, sizeof options, "{\"edition\": \"%s\"}", edition);
    if (options_size >= OPTIONS_MAX_BYTES)
        return NULL;
    size_t       bytes = JSON_VALUE_BYTES(size) + JSON_VALUE_BYTES(OPTIONS_MAX_BYTES);
    void        *memory = malloc(bytes);
    void        *setup = NULL;
    struct arena arena;
    arena_init(&arena, memory, bytes);
    const struct value *config = json_value(text, size, &arena, &printed->faults);
    const struct value *chosen =
        json_value(options, (size_t) options_size, &arena, &printed->faults);
    if (config && chosen)
        bytes = game_dead.configure(config, chosen, NULL, 0, &printed->faults);
    if (printed->faults.count == 0) {
        setup = calloc(1, bytes);
        game_dead.configure(config, chosen, setup, bytes, &printed->faults);
    }
    free(memory);
    return setup;
}

static void *load_setup(const json_t *header, const char *path, FILE *complaints)
{
    const char *name = json_string_value(json_object_get(header, "config"));
    const char *edition = json_string_value(json_object_get(header, "edition"));
    char        found[PATH_MAX_BYTES];
    FILE       *file = open_config(path, name, found);
    if (file == NULL) {
        (void) fprintf(complaints, "%s:1: its config %s is not to be found\n", path, name);
        return NULL;
    }
    size_t                size;
    char                 *text = read_all(file, &size);
    struct printed_faults printed = { { 0, print_fault }, found, complaints };
    void                 *setup = NULL;
    if (text != NULL)
        setup = compile(text, size, edition, &printed);
    else
        (void) fprintf(complaints, "%s:1: its config %s is too long\n", path, name);
    free(text);
    (void) fclose(file);
    return setup;
}

bool dead_table_open(struct dead_table *table, const json_t *header, const char *path,
                     FILE *complaints)
{
    *table = (struct dead_table){ .setup = load_setup(header, path, complaints) };
    if (table->setup == NULL)
        return false;
    struct bounds bounds;
    uint32_t      least, most;
    game_dead.seats(table->setup, &least, &most);
    game_dead.bounds(table->setup, most, &bounds);
    table->state = calloc(1, bounds.state_bytes);
    table->desk = calloc(1, dead_registration.state_bytes);
    table->out.words = calloc(bounds.event_words, sizeof(word));
    table->out.capacity = bounds.event_words;
    table->names = json_object();
    table->queue = json_array();
    dice_java(&table->dice, (uint64_t) json_integer_value(json_object_get(header, "seed")));
    dead_registration.open(table->setup, table->desk);
    return true;
}

void dead_table_close(struct dead_table *table)
{
    json_decref(table->queue);
    json_decref(table->names);
    free(table->out.words);
    free(table->desk);
    free(table->state);
    free(table->setup);
}

json_t *dead_table_next(struct dead_table *table)
{
    json_t *event = json_incref(json_array_get(table->queue, 0));
    json_array_remove(table->queue, 0);
    return event;
}

/* Who hears what. */

static void send_to(struct dead_table *table, json_t *to, json_t *shown)
{
    json_object_set_new(shown, "to", to);
    json_array_append_new(table->queue, shown);
}

static void fail(struct dead_table *table, uint32_t client, const char *sentence)
{
    send_to(table, json_integer(client),
            json_pack("{s:s, s:{s:s}}", "ev", "CommandFailed", "args", "message", sentence));
}

/* Puts in what the rules do not know, and addresses what the original sent to one player alone. */
static void send_event(struct dead_table *table, const word *event)
{
    json_t  *shown = dead_show_event(event);
    json_t  *args = json_object_get(shown, "args");
    uint32_t kind = event_kind(event);
    uint32_t first = event_length(event) > 0 ? (uint32_t) event_fields(event)[0] : 0;
    char     client[16];
    switch (kind) {
    case DEAD_PLAYER:
        (void) snprintf(client, sizeof client, "%u", table->client[first]);
        json_object_set(args, "playerName", json_object_get(table->names, client));
        break;
    case DEAD_COMMAND_FAILED:
        json_object_set_new(args, "message", json_string("Time is up."));
        json_object_del(args, "player");
        break;
    case DEAD_ACT_NOW:
    case DEAD_VOTE_NOW: json_object_del(args, "player"); break;
    default: break;
    }
    if (kind == DEAD_ACT_NOW || kind == DEAD_VOTE_NOW || kind == DEAD_COMMAND_FAILED)
        send_to(table, json_integer(table->client[first]), shown);
    else if (event_to(event) != TO_ALL)
        send_to(table, json_integer(table->client[event_to(event) & 0xff]), shown);
    else
        send_to(table, json_string("all"), shown);
    if (kind == DEAD_LEFT)
        table->gone |= 1u << first;
}

static void send_all(struct dead_table *table)
{
    for (const word *event = sink_first(&table->out); event != NULL;
         event = sink_next(&table->out, event))
        send_event(table, event);
    table->out.used = 0;
}

static struct play play_of(struct dead_table *table)
{
    return (struct play){ table->setup, table->state, &table->dice, &table->out };
}

/* Speaking. */

static void after_registration(struct dead_table *table)
{
    enum registration_status status = dead_registration.status(table->setup, table->desk);
    table->seats = dead_registration.seats(table->setup, table->desk, table->client);
    table->over = status == REGISTRATION_ABORTED;
    if (table->over && table->seats == 0)
        table->out.used = 0; /* Nobody is there to hear of it. */
    if (status == REGISTRATION_BEGINS) {
        struct play play = play_of(table);
        table->begun = true;
        game_dead.start(&play, table->seats);
    }
    send_all(table);
}

/* A player is announced by the name under which he registered, whatever the header says. */
static void remember_name(const struct dead_table *table, uint32_t client,
                          const struct command *command)
{
    char key[16];
    (void) snprintf(key, sizeof key, "%u", client);
    json_object_set_new(table->names, key,
                        json_stringn((const char *) command->text, command->text_size));
}

static void register_client(struct dead_table *table, uint32_t client,
                            const struct command *command)
{
    uint32_t refused =
        dead_registration.apply(table->setup, table->desk, client, command, &table->out);
    if (refused) {
        fail(table, client, game_dead.reasons[refused].sentence);
    } else if (command->kind == DEAD_REGISTER) {
        remember_name(table, client, command);
        send_to(table, json_integer(client),
                json_pack("{s:s, s:{s:s}}", "ev", "Config", "args", "config", "@file"));
    }
    after_registration(table);
}

/* A failed command of the player who is asked is followed by the question, but for the offer. */
static void repeat_question(struct dead_table *table, uint32_t seat)
{
    game_dead.asks(table->setup, table->state, seat, &table->out);
    const word *asked = sink_first(&table->out);
    if (asked != NULL && event_kind(asked) == DEAD_CHARACTERS)
        table->out.used = 0;
}

void dead_table_hear(struct dead_table *table, uint32_t client, const struct command *command)
{
    uint32_t seat = 0;
    if (table->over)
        return;
    if (!table->begun) {
        register_client(table, client, command);
        return;
    }
    while (seat < table->seats && table->client[seat] != client)
        seat++;
    if (seat == table->seats || table->gone >> seat & 1)
        return; /* Strangers and leavers are not answered. */
    struct play play = play_of(table);
    verdict     refused = game_dead.apply(&play, seat, command);
    if (refused) {
        fail(table, client, game_dead.reasons[refused].sentence);
        repeat_question(table, seat);
    }
    send_all(table);
    table->over = game_dead.to_act(table->setup, table->state) == 0;
}

void dead_table_expire(struct dead_table *table)
{
    if (table->over)
        return;
    if (!table->begun) {
        dead_registration.expire(table->setup, table->desk, &table->out);
        after_registration(table);
        return;
    }
    struct play play = play_of(table);
    (void) game_dead.expire(&play, game_dead.to_act(table->setup, table->state));
    send_all(table);
    table->over = game_dead.to_act(table->setup, table->state) == 0;
}
