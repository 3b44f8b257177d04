/* store.c: `arbiter store`: a database's tables made or brought up to date, and a home's files copied into one.
 *
 * Rows are copied table by table in the order of their keys, so a copy that was interrupted goes on behind the last
 * row that is there. In the end both sides are read once more and compared. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "games/registry.h"
#include "services/console/console.h"
#include "services/console/home.h"
#include "services/console/operator.h"
#include "services/engine/journal.h"
#include "services/lobby/lobby.h"
#include "services/watchdog/watchdog.h"
#include "store/store.h"

/* One transaction of a copy. */
#define COPY_ROWS 500u
#define COPY_BYTES (4u << 20)

struct store_ask {
    struct play_where where;
};

/* What a home keeps: of the leases it has none. */
static const struct schema *schemas[3];
static const char *const    owners[3] = { "lobby", "engine", NULL };

static void know_schemas(void)
{
    static struct journal_schema journal;
    journal_schema_init(&journal);
    for (const struct game_wire *const *wires = registry_games(); *wires != NULL; wires++)
        if ((*wires)->game->record != NULL)
            (void) journal_schema_add(&journal, (*wires)->game->record);
    schemas[0] = lobby_ops.schema;
    schemas[1] = &journal.schema;
    schemas[2] = watchdog_ops.schema;
}

static int run_migrate(const struct store_ask *asked, const char *place)
{
    struct text fault;
    (void) asked;
    for (uint32_t i = 0; i < 3; i++) {
        if (!store_migrate(schemas[i], place, &fault)) {
            complain("%s", fault.bytes);
            return CONSOLE_BAD_INPUT;
        }
        printf("%s has version %u\n", schemas[i]->name, schemas[i]->version);
    }
    return CONSOLE_OK;
}

struct copy {
    struct store *from, *to;
    struct row   *rows[COPY_ROWS];
    uint32_t      row_count;
    size_t        bytes;
    uint64_t      copied;
};

static void drop_rows(struct copy *copy)
{
    for (uint32_t i = 0; i < copy->row_count; i++)
        free(copy->rows[i]);
    copy->row_count = 0;
    copy->bytes = 0;
}

static bool write_rows(struct copy *copy)
{
    const struct row *const *rows = (const struct row *const *) copy->rows;
    enum store_outcome       outcome = store_commit(copy->to, rows, copy->row_count, NULL, 0);
    copy->copied += outcome == STORE_COMMITTED ? copy->row_count : 0;
    drop_rows(copy);
    return outcome == STORE_COMMITTED;
}

/* One block: the row, and behind it what its cells point to. */
static struct row *twin_of(const struct row *row, size_t *size)
{
    *size = sizeof *row + row->count * sizeof row->cells[0];
    for (uint32_t i = 0; i < row->count; i++)
        *size += row->cells[i].size;
    struct row *twin = malloc(*size);
    if (twin == NULL)
        return NULL;
    uint8_t *at = (uint8_t *) twin + sizeof *row + row->count * sizeof row->cells[0];
    memcpy(twin, row, sizeof *row + row->count * sizeof row->cells[0]);
    twin->op = ROW_PUT;
    for (uint32_t i = 0; i < row->count; i++) {
        struct cell *cell = &twin->cells[i];
        if (cell->size == 0)
            continue;
        memcpy(at, cell->bytes, cell->size);
        cell->bytes = at;
        at += cell->size;
    }
    return twin;
}

static bool take_row(void *taker, const struct row *row)
{
    struct copy *copy = taker;
    size_t       size = 0;
    struct row  *twin = twin_of(row, &size);
    if (twin == NULL)
        return false;
    copy->rows[copy->row_count++] = twin;
    copy->bytes += size;
    return (copy->row_count < COPY_ROWS && copy->bytes < COPY_BYTES) || write_rows(copy);
}

static bool take_last(void *taker, const struct row *row)
{
    struct row **last = taker;
    size_t       size = 0;
    *last = twin_of(row, &size);
    return *last != NULL;
}

/* From the last key that is there on: what bears its first cell is written once more, which harms nobody. */
static bool copy_table(struct copy *copy, uint32_t table)
{
    struct query newest = { .table = table, .descending = true, .limit = 1 };
    struct query rest = { .table = table };
    struct row  *last = NULL;
    if (!store_read(copy->to, &newest, take_last, &last))
        return false;
    if (last != NULL) {
        rest.has_from = true;
        rest.from = last->cells[0];
    }
    bool is_done = store_read(copy->from, &rest, take_row, copy) && write_rows(copy);
    free(last);
    drop_rows(copy);
    return is_done;
}

struct sum {
    crypto_generichash_state state;
    uint64_t                 rows;
};

static bool add_row(void *taker, const struct row *row)
{
    struct sum *sum = taker;
    for (uint32_t i = 0; i < row->count; i++) {
        const struct cell *cell = &row->cells[i];
        uint64_t           head[3] = { cell->kind, (uint64_t) cell->number, cell->size };
        (void) crypto_generichash_update(&sum->state, (const uint8_t *) head, sizeof head);
        if (cell->size > 0)
            (void) crypto_generichash_update(&sum->state, cell->bytes, cell->size);
    }
    sum->rows++;
    return true;
}

static bool add_table(struct store *store, uint32_t table, uint8_t hash[32], uint64_t *rows)
{
    struct query all = { .table = table };
    struct sum   sum = { .rows = 0 };
    (void) crypto_generichash_init(&sum.state, NULL, 0, 32);
    bool is_read = store_read(store, &all, add_row, &sum);
    (void) crypto_generichash_final(&sum.state, hash, 32);
    *rows = sum.rows;
    return is_read;
}

static bool is_same(struct copy *copy, const struct row_table *table, uint32_t index)
{
    uint8_t  one[32], other[32];
    uint64_t rows = 0, there = 0;
    if (!add_table(copy->from, index, one, &rows) || !add_table(copy->to, index, other, &there))
        return false;
    if (rows == there && memcmp(one, other, sizeof one) == 0) {
        fprintf(stderr, "  %-12s %llu rows\n", table->name, (unsigned long long) rows);
        return true;
    }
    complain("%s has %llu rows here and %llu there, or they are not the same: empty the database, "
             "and copy again.",
             table->name, (unsigned long long) rows, (unsigned long long) there);
    return false;
}

static bool copy_all(struct copy *copy, const struct schema *schema)
{
    for (uint32_t i = 0; i < schema->table_count; i++)
        if (!copy_table(copy, i)) {
            complain("%s %s. Say it again, and it goes on from here.", store_fault(copy->from),
                     store_fault(copy->to));
            return false;
        }
    for (uint32_t i = 0; i < schema->table_count; i++)
        if (!is_same(copy, &schema->tables[i], i))
            return false;
    return store_filled(copy->to);
}

/* Opening would make it. */
static bool is_there(const char *folder, const char *name)
{
    char path[PATH_MAX + 32];
    (void) snprintf(path, sizeof path, "%s/%s.db", folder, name);
    if (access(path, R_OK) == 0)
        return true;
    complain("there is no %s: name the home with --home.", path);
    return false;
}

static int copy_schema(const struct schema *schema, const char *folder, const char *place)
{
    static struct copy copy;
    struct text        fault;
    int                code = CONSOLE_BAD_INPUT;
    memset(&copy, 0, sizeof copy);
    if (!is_there(folder, schema->name))
        return CONSOLE_BAD_INPUT;
    copy.from = store_open(schema, folder, &fault);
    copy.to = copy.from != NULL ? store_open_empty(schema, place, &fault) : NULL;
    if (copy.to == NULL) {
        complain("%s", fault.bytes);
    } else {
        fprintf(stderr, "%s: %s\n", schema->name, folder);
        code = copy_all(&copy, schema) ? CONSOLE_OK : CONSOLE_BAD_INPUT;
    }
    store_close(&copy.to);
    store_close(&copy.from);
    return code;
}

static int run_copy(const struct store_ask *asked, const char *place)
{
    struct home home;
    struct text fault;
    char        folder[PATH_MAX];
    int         code = CONSOLE_OK;
    if (!home_find(&home, asked->where.home, &fault)) {
        complain("%s", fault.bytes);
        return CONSOLE_BAD_INPUT;
    }
    for (uint32_t i = 0; owners[i] != NULL && code == CONSOLE_OK; i++)
        code = home_path(&home, folder, "data", owners[i], "")
                   ? copy_schema(schemas[i], folder, place)
                   : CONSOLE_BAD_INPUT;
    if (code == CONSOLE_OK)
        puts("everything is there: start lobby, watchdog and engines with --store, and keep the "
             "files until you are sure");
    return code;
}

static int run(const struct console_command *self, int argc, char **argv)
{
    struct store_ask asked;
    struct words     words;
    memset(&asked, 0, sizeof asked);
    if (!console_read(self, argc, argv, &asked, &words))
        return CONSOLE_USAGE;
    know_schemas();
    if (strcmp(words.word[0], "migrate") == 0)
        return run_migrate(&asked, words.word[1]);
    if (strcmp(words.word[0], "copy") == 0)
        return run_copy(&asked, words.word[1]);
    complain("\"%s\" is none of migrate, copy.", words.word[0]);
    return CONSOLE_USAGE;
}

static const struct option options[] = {
    OPERATOR_HOME_ROW(struct store_ask),
    { .name = NULL },
};

const struct console_command command_store = {
    .name = "store",
    .arguments = "migrate PLACE | copy PLACE",
    .summary = "Makes a database's tables, or copies what a home keeps into one.",
    .about =
        "PLACE is a PostgreSQL database, as engines are told it with --store:\n"
        "postgresql://HOST1,HOST2/NAME?user=... (a password belongs into PGPASSFILE).\n"
        "migrate: makes the tables, or brings them forward to this program's version; processes\n"
        "of the version before may go on meanwhile.\n"
        "copy: copies what lobby and engine keep in --home, which must not run, into an empty\n"
        "database, and compares both. If it is interrupted, say it again: it goes on. Until it\n"
        "is done no service opens that database.\n",
    .options = options,
    .words_least = 2,
    .words_most = 2,
    .run = run,
};
