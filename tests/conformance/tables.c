/* tables.c: finding, reading and compiling the set-ups that tests play with. */
#include "tables.h"

#include <assert.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/json.h"

#define ARENA_BYTES (8u << 20)

/* What is being read; `faults` is first, so that the callback finds the rest. */
struct reading {
    struct faults           faults;
    const char             *path;
    const struct game_wire *wire;
    struct tables          *tables;
    bool                    sound;
};

static void report(struct faults *faults, const struct value *at, const char *key, const char *what)
{
    const struct reading *reading = (const struct reading *) faults;
    struct text           place;

    value_place(&place, at);
    fprintf(stderr, "%s:%s%s%s: %s\n", reading->path, place.bytes, key != NULL ? "/" : "",
            key != NULL ? key : "", what);
}

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long  end;

    if (file == NULL)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (end = ftell(file)) >= 0) {
        rewind(file);
        *size = (size_t) end;
        text = malloc(*size + 1);
        assert(text != NULL);
        if (fread(text, 1, *size, file) != *size) {
            free(text);
            text = NULL;
        }
    }
    fclose(file);
    return text;
}

/* Reads a file and hands its tree on; the tree is gone afterwards. */
static void with_file(struct reading *reading, const char *path,
                      void (*use)(struct reading *reading, const struct value *root, void *more),
                      void *more)
{
    struct arena arena;
    size_t       size = 0;
    const char  *before = reading->path;
    char        *text = read_file(path, &size);
    void        *memory = malloc(ARENA_BYTES);

    assert(memory != NULL);
    arena_init(&arena, memory, ARENA_BYTES);
    reading->path = path;
    reading->faults.count = 0;
    const struct value *root =
        text != NULL ? json_value(text, size, &arena, &reading->faults) : NULL;
    if (root != NULL && reading->faults.count == 0)
        use(reading, root, more);
    else
        fprintf(stderr, "%s: cannot be read as JSON\n", path);
    reading->sound = reading->sound && root != NULL && reading->faults.count == 0;
    reading->path = before;
    free(memory);
    free(text);
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

/* What a file in setups/ asks for. */
struct wanted {
    const char         *file;
    const struct value *options;
    const struct value *seats;
};

static void take_seats(struct reading *reading, struct table *table, const struct wanted *wanted)
{
    uint32_t least, most;
    table->wire->game->seats(table->setup, &least, &most);
    assert(least >= 1 && least <= most && most <= SEATS_MAX);
    for (uint32_t seats = least; wanted->seats == NULL && seats <= most; seats++)
        table->seats[table->seat_counts++] = seats;
    const struct value *each = wanted->seats != NULL ? wanted->seats->first : NULL;
    for (; each != NULL && table->seat_counts < SEATS_MAX; each = each->next)
        table->seats[table->seat_counts++] =
            (uint32_t) value_as_int(each, least, most, &reading->faults);
}

/* Compiles one set-up into a new table. */
static void take_config(struct reading *reading, const struct value *config, void *more)
{
    const struct wanted *wanted = more;
    const struct game   *game = reading->wire->game;
    struct tables       *tables = reading->tables;
    const char          *file = base_name(reading->path);
    struct table         table = { .wire = reading->wire };
    const struct value  *options = wanted->options;

    table.setup_bytes = game->configure(config, options, NULL, 0, &reading->faults);
    if (table.setup_bytes == 0)
        return;
    table.setup = calloc(1, table.setup_bytes);
    assert(table.setup != NULL);
    game->configure(config, options, table.setup, table.setup_bytes, &reading->faults);
    take_seats(reading, &table, wanted);
    snprintf(table.name, sizeof table.name, "%.*s", without_ending(wanted->file), wanted->file);
    if (config->parent == NULL) /* It is a file of its own. */
        snprintf(table.name, sizeof table.name, "%.*s:%.*s", without_ending(wanted->file),
                 wanted->file, without_ending(file), file);
    tables->table = realloc(tables->table, (tables->count + 1) * sizeof table);
    assert(tables->table != NULL);
    tables->table[tables->count++] = table;
}

static void take_pattern(struct reading *reading, const struct value *pattern,
                         struct wanted *wanted)
{
    char   path[1024];
    glob_t found;

    snprintf(path, sizeof path, "%s/%.*s", ARBITER_SOURCE, (int) pattern->text_size, pattern->text);
    int result = glob(path, 0, NULL, &found);
    if (result != 0)
        fault(&reading->faults, pattern, NULL, "names no file");
    for (size_t i = 0; result == 0 && i < found.gl_pathc; i++)
        with_file(reading, found.gl_pathv[i], take_config, wanted);
    globfree(&found);
}

/* One file of setups/. */
static void take_file(struct reading *reading, const struct value *root, void *unused)
{
    (void) unused;
    struct faults      *faults = &reading->faults;
    struct wanted       wanted = { .file = base_name(reading->path),
                                   .options = value_get(root, "options"),
                                   .seats = value_get(root, "seats") };
    const struct value *config = value_get(root, "config");

    value_only(root, (const char *const[]){ "config", "config_files", "options", "seats", NULL },
               faults);
    if (config != NULL) {
        take_config(reading, config, &wanted);
        return;
    }
    const struct value *pattern = value_string(root, "config_files", faults);
    if (pattern != NULL)
        take_pattern(reading, pattern, &wanted);
}

bool tables_load(const struct game_wire *wire, struct tables *tables)
{
    char           path[1024];
    glob_t         found;
    struct reading reading = {
        .faults = { .report = report }, .wire = wire, .tables = tables, .sound = true
    };

    *tables = (struct tables){ 0 };
    snprintf(path, sizeof path, "%s/common/games/%s/setups/*.json", ARBITER_SOURCE,
             wire->game->name);
    int result = glob(path, 0, NULL, &found);
    for (size_t i = 0; result == 0 && i < found.gl_pathc; i++)
        with_file(&reading, found.gl_pathv[i], take_file, NULL);
    globfree(&found);
    if (tables->count == 0)
        fprintf(stderr, "%s: there is no set-up to play with\n", path);
    return reading.sound && tables->count > 0;
}

void tables_free(struct tables *tables)
{
    for (uint32_t i = 0; i < tables->count; i++)
        free(tables->table[i].setup);
    free(tables->table);
    *tables = (struct tables){ 0 };
}
