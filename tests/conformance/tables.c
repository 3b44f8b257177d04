/* tables.c: finding, reading and compiling the set-ups that tests play with. */
#include "tables.h"

#include <assert.h>
#include <glob.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json/config_file.h"

#define PATH_BYTES 1024

/* One file of setups/, being read. */
struct wanted {
    const struct game_wire *wire;
    const char             *path;
    struct tables          *tables;
    char                   *options; /* As text; NULL: none. */
    const json_t           *seats;
};

static bool complain(const char *path, const char *what)
{
    fprintf(stderr, "%s: %s\n", path, what);
    return false;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static int without_ending(const char *file)
{
    const char *dot = strrchr(file, '.');
    return (int) (dot != NULL ? (size_t) (dot - file) : strlen(file));
}

static void name_table(struct table *table, const char *setups_file, const char *config_file)
{
    const char *file = base_name(setups_file);
    snprintf(table->name, sizeof table->name, "%.*s", without_ending(file), file);
    if (config_file == setups_file)
        return;
    const char *config = base_name(config_file);
    size_t      used = strlen(table->name);
    snprintf(table->name + used, sizeof table->name - used, ":%.*s", without_ending(config),
             config);
}

static bool take_seats(const struct wanted *wanted, struct table *table)
{
    uint32_t least, most;
    table->wire->game->seats(table->setup, &least, &most);
    for (uint32_t seats = least; wanted->seats == NULL && seats <= most; seats++)
        table->seats[table->seat_counts++] = seats;
    for (size_t i = 0; i < json_array_size(wanted->seats) && i < SEATS_MAX; i++) {
        json_int_t seats = json_integer_value(json_array_get(wanted->seats, i));
        if (seats < least || seats > most)
            return complain(wanted->path,
                            "\"seats\" asks for more or fewer than the set-up allows");
        table->seats[table->seat_counts++] = (uint32_t) seats;
    }
    return table->seat_counts > 0 || complain(wanted->path, "\"seats\" is no list of numbers");
}

/* Compiles one set-up into a new table, which then owns its text. */
static bool take_config(const struct wanted *wanted, const char *path, char *text)
{
    const char        *options_text = wanted->options;
    struct table       table = { .wire = wanted->wire, .config = text };
    struct config_text config = { path, text, strlen(text) };
    struct config_text options = { "options", options_text,
                                   options_text != NULL ? strlen(options_text) : 0 };
    struct tables     *tables = wanted->tables;

    table.setup = config_compile(wanted->wire->game, &config, &options, &table.setup_bytes, stderr);
    if (table.setup == NULL || !take_seats(wanted, &table)) {
        free(table.setup);
        free(text);
        return false;
    }
    table.options = options_text != NULL ? strdup(options_text) : NULL;
    name_table(&table, wanted->path, path);
    tables->table = realloc(tables->table, (tables->count + 1) * sizeof table);
    assert(tables->table != NULL);
    tables->table[tables->count++] = table;
    return true;
}

static bool take_pattern(const struct wanted *wanted, const char *pattern)
{
    char   path[PATH_BYTES];
    glob_t found;
    bool   sound = true;

    snprintf(path, sizeof path, "%s/%s", ARBITER_SOURCE, pattern);
    if (glob(path, GLOB_BRACE, NULL, &found) != 0)
        return complain(path, "\"config_files\" names no file");
    for (size_t i = 0; i < found.gl_pathc; i++) {
        size_t size;
        char  *text = config_read(found.gl_pathv[i], &size, stderr);
        sound = text != NULL && take_config(wanted, found.gl_pathv[i], text) && sound;
    }
    globfree(&found);
    return sound;
}

static bool knows_all_keys(const char *path, json_t *root)
{
    const char *key;
    json_t     *member;
    json_object_foreach(root, key, member)
    {
        if (strcmp(key, "config") != 0 && strcmp(key, "config_files") != 0 &&
            strcmp(key, "options") != 0 && strcmp(key, "seats") != 0)
            return complain(path, "allowed are config, config_files, options, seats");
    }
    return true;
}

/* One file of setups/. */
static bool take_file(const struct game_wire *wire, const char *path, struct tables *tables)
{
    json_error_t  error;
    json_t       *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    struct wanted wanted = { .wire = wire, .path = path, .tables = tables };
    bool          sound;

    if (root == NULL)
        return complain(path, error.text);
    const json_t *config = json_object_get(root, "config");
    const json_t *pattern = json_object_get(root, "config_files");
    wanted.seats = json_object_get(root, "seats");
    if (json_object_get(root, "options") != NULL)
        wanted.options = json_dumps(json_object_get(root, "options"), JSON_ENCODE_ANY);
    sound = knows_all_keys(path, root);
    if (config != NULL)
        sound = take_config(&wanted, path, json_dumps(config, JSON_ENCODE_ANY)) && sound;
    else if (json_is_string(pattern))
        sound = take_pattern(&wanted, json_string_value(pattern)) && sound;
    else
        sound = complain(path, "has neither \"config\" nor \"config_files\"");
    free(wanted.options);
    json_decref(root);
    return sound;
}

bool tables_load(const struct game_wire *wire, struct tables *tables)
{
    char   path[PATH_BYTES];
    glob_t found;
    bool   sound = true;

    *tables = (struct tables){ 0 };
    snprintf(path, sizeof path, "%s/common/games/%s/setups/*.json", ARBITER_SOURCE,
             wire->game->name);
    if (glob(path, 0, NULL, &found) != 0)
        return complain(path, "there is no set-up to play with");
    for (size_t i = 0; i < found.gl_pathc; i++)
        sound = take_file(wire, found.gl_pathv[i], tables) && sound;
    globfree(&found);
    return sound && tables->count > 0;
}

void tables_free(struct tables *tables)
{
    for (uint32_t i = 0; i < tables->count; i++) {
        free(tables->table[i].config);
        free(tables->table[i].options);
        free(tables->table[i].setup);
    }
    free(tables->table);
    *tables = (struct tables){ 0 };
}
