/* store.c: `arbiter store`: a database's tables made or brought up to date, a home's files copied into one, and a
 * damaged log cut.
 *
 * Rows are copied table by table, in the order of their keys. So a copy that was interrupted goes
 * on behind the last row that is there. In the end both sides are read once more and compared, and
 * only when all of it is the same may services open it. What an earlier try has ended with is found
 * to be the same, and left alone. */
#include <assert.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "games/registry.h"
#include "schema/journal.h"
#include "schema/schemas.h"
#include "services/console/care/operator.h"
#include "services/console/command/console.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/progress.h"
#include "services/console/home/home.h"
#include "store/sqlite_log.h"
#include "store/store.h"

/* One transaction of a copy. */
#define COPY_ROWS 500u
#define COPY_BYTES (4u << 20)

struct store_ask {
    struct play_where where;
};

/* What a home keeps: of the leases it has none. In the order of schemas_shared. */
#define COPIED 2
static const char *const owners[COPIED] = { "lobby", "engine" };

/* The journal with the tables of all games. */
static const struct schema *schema_at(uint32_t index)
{
    static struct journal_schema journal;
    if (schemas_shared[index] != &journal_schema)
        return schemas_shared[index];
    journal_schema_init(&journal, registry_games());
    return &journal.schema;
}

static int run_migrate(const struct store_ask *asked, const char *place)
{
    struct text fault;
    (void) asked;
    for (uint32_t i = 0; i < SCHEMAS_SHARED; i++) {
        const struct schema *schema = schema_at(i);
        if (!store_migrate(schema, place, &fault)) {
            complain("%s.", fault.bytes);
            return CONSOLE_BAD_INPUT;
        }
        printf("%s has version %u\n", schema->name, schema->version);
    }
    return CONSOLE_OK;
}

/* What a table comes to. */
struct sum {
    uint8_t  hash[32];
    uint64_t rows;
};

/* Of one schema; `to` is NULL where an earlier try has ended. */
struct copy {
    const struct schema *schema;
    struct store        *from, *to;
    struct sum           sums[JOURNAL_TABLES + JOURNAL_RECORD_TABLES_MAX];
    struct row          *rows[COPY_ROWS];
    uint32_t             row_count;
    size_t               bytes;
    uint64_t             copied;
    struct progress      progress;
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
    progress_show(&copy->progress, copy->copied);
    drop_rows(copy);
    return outcome == STORE_COMMITTED && !interrupted();
}

static bool take_row(void *taker, const struct row *row)
{
    struct copy *copy = taker;
    size_t       size = 0;
    struct row  *twin = store_copy_row(row, &size);
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
    *last = store_copy_row(row, &size);
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

struct adding {
    crypto_generichash_state state;
    uint64_t                 rows;
};

static bool add_row(void *taker, const struct row *row)
{
    struct adding *adding = taker;
    for (uint32_t i = 0; i < row->count; i++) {
        const struct cell *cell = &row->cells[i];
        uint64_t           head[3] = { cell->kind, (uint64_t) cell->number, cell->size };
        (void) crypto_generichash_update(&adding->state, (const uint8_t *) head, sizeof head);
        if (cell->size > 0)
            (void) crypto_generichash_update(&adding->state, cell->bytes, cell->size);
    }
    adding->rows++;
    return !interrupted();
}

static bool add_table(struct store *store, uint32_t table, struct sum *sum)
{
    struct query  all = { .table = table };
    struct adding adding = { .rows = 0 };
    (void) crypto_generichash_init(&adding.state, NULL, 0, sizeof sum->hash);
    bool is_read = store_read(store, &all, add_row, &adding);
    (void) crypto_generichash_final(&adding.state, sum->hash, sizeof sum->hash);
    sum->rows = adding.rows;
    return is_read;
}

static bool is_same(const struct sum *here, const struct sum *there)
{
    return here->rows == there->rows && memcmp(here->hash, there->hash, sizeof here->hash) == 0;
}

/* What went wrong between the two, unless somebody pressed Ctrl-C; always false. */
static bool blame(const struct copy *copy)
{
    if (interrupted())
        complain("the copy was interrupted. Run the command again, and it goes on from here.");
    else
        complain("%s %s. Run the command again, and it goes on from here.", store_fault(copy->from),
                 copy->to != NULL ? store_fault(copy->to) : "");
    return false;
}

/* Nobody writes it meanwhile: we are its owner. */
static bool add_source(struct copy *copy)
{
    for (uint32_t i = 0; i < copy->schema->table_count; i++)
        if (!add_table(copy->from, i, &copy->sums[i]))
            return blame(copy);
    return true;
}

static bool fill(struct copy *copy)
{
    uint64_t rows = 0;
    for (uint32_t i = 0; i < copy->schema->table_count; i++)
        rows += copy->sums[i].rows;
    progress_start(&copy->progress, "rows", rows);
    bool is_filled = true;
    for (uint32_t i = 0; i < copy->schema->table_count && is_filled; i++)
        is_filled = copy_table(copy, i);
    progress_clear(&copy->progress);
    return is_filled || blame(copy);
}

static bool compare(struct copy *copy)
{
    for (uint32_t i = 0; i < copy->schema->table_count; i++) {
        const char *name = copy->schema->tables[i].name;
        struct sum  there;
        if (!add_table(copy->to, i, &there))
            return blame(copy);
        if (!is_same(&copy->sums[i], &there)) {
            complain("%s has %" PRIu64 " rows here and %" PRIu64 " there, or they are not the "
                     "same: the house was started between two tries, or somebody else writes "
                     "there. DROP SCHEMA %s CASCADE in the database, and copy again.",
                     name, copy->sums[i].rows, there.rows, copy->schema->name);
            return false;
        }
        fprintf(stderr, "  %-12s %" PRIu64 " rows\n", name, there.rows);
    }
    return true;
}

/* Whether an earlier try has ended with it: row by row what the home has. */
static bool is_done(const struct copy *copy, const char *place)
{
    struct text   unsaid;
    struct sum    there;
    struct store *store = store_open_reader(copy->schema, place, &unsaid);
    bool          is_done = store != NULL;
    for (uint32_t i = 0; i < copy->schema->table_count && is_done; i++)
        is_done = add_table(store, i, &there) && is_same(&copy->sums[i], &there) && !interrupted();
    store_close(&store);
    return is_done;
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

static bool open_source(struct copy *copy, const struct home *home, const char *owner)
{
    char        folder[PATH_MAX];
    struct text fault;
    assert(copy->schema->table_count <= sizeof copy->sums / sizeof copy->sums[0]);
    if (!home_store(home, folder, owner, copy->schema->name, &fault)) {
        complain("%s.", fault.bytes);
        return false;
    }
    if (!is_there(folder, copy->schema->name))
        return false;
    copy->from = store_open(copy->schema, folder, &fault);
    if (copy->from == NULL)
        complain("%s.", fault.bytes);
    else
        fprintf(stderr, "%s: %s\n", copy->schema->name, folder);
    return copy->from != NULL && add_source(copy);
}

static bool open_target(struct copy *copy, const char *place)
{
    struct text fault;
    if (is_done(copy, place)) {
        fprintf(stderr, "%s is there already, row by row\n", copy->schema->name);
        return true;
    }
    copy->to = store_open_empty(copy->schema, place, &fault);
    if (copy->to == NULL)
        complain("%s.", fault.bytes);
    return copy->to != NULL;
}

/* All are opened before the first row is written, so that nobody opens one while another is half there; and the home
 * cannot be started meanwhile. */
static bool copy_all(struct copy *copies, const struct home *home, const char *place)
{
    bool is_well = true;
    for (uint32_t i = 0; i < COPIED && is_well; i++)
        is_well = open_source(&copies[i], home, owners[i]);
    for (uint32_t i = 0; i < COPIED && is_well; i++)
        is_well = open_target(&copies[i], place);
    for (uint32_t i = 0; i < COPIED && is_well; i++)
        is_well = copies[i].to == NULL || (fill(&copies[i]) && compare(&copies[i]));
    for (uint32_t i = 0; i < COPIED && is_well; i++)
        is_well = copies[i].to == NULL || store_filled(copies[i].to) || blame(&copies[i]);
    return is_well;
}

static int run_copy(const struct store_ask *asked, const char *place)
{
    static struct copy copies[COPIED];
    struct home        home;
    struct text        fault;
    if (!store_is_database(place)) {
        complain("\"%s\" is no database: say postgresql://HOST/NAME.", place);
        return CONSOLE_USAGE;
    }
    if (!home_find(&home, asked->where.home, &fault)) {
        complain("%s.", fault.bytes);
        return CONSOLE_BAD_INPUT;
    }
    for (uint32_t i = 0; i < COPIED; i++)
        copies[i].schema = schema_at(i);
    bool is_copied = copy_all(copies, &home, place);
    for (uint32_t i = 0; i < COPIED; i++) {
        store_close(&copies[i].to);
        store_close(&copies[i].from);
    }
    if (!is_copied)
        return interrupted() ? CONSOLE_INTERRUPTED : CONSOLE_BAD_INPUT;
    puts("everything is there: start lobby, watchdog and engines with --store, and keep the "
         "files until you are sure");
    return CONSOLE_OK;
}

/* The log's path, as the sentence about its damage names it, or the store's. */
static int run_cut(const struct store_ask *asked, const char *path)
{
    static const char *const ends[] = { ".db-wal", ".db" };
    char                     folder[PATH_MAX], name[NAME_MAX + 1] = "";
    struct sqlite_log        log;
    struct text              fault;
    const char              *slash = strrchr(path, '/'), *file = slash != NULL ? slash + 1 : path;
    (void) asked;
    (void) snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int) (slash - path) : 1,
                    slash != NULL ? path : ".");
    for (size_t i = 0; i < sizeof ends / sizeof *ends && name[0] == '\0'; i++)
        if (strlen(file) > strlen(ends[i]) &&
            strcmp(file + strlen(file) - strlen(ends[i]), ends[i]) == 0)
            (void) snprintf(name, sizeof name, "%.*s", (int) (strlen(file) - strlen(ends[i])),
                            file);
    if (name[0] == '\0') {
        complain("\"%s\" is no log of a store: say its path, as in data/engine/journal.db-wal.",
                 path);
        return CONSOLE_USAGE;
    }
    if (!sqlite_log_cut(folder, name, &log, &fault)) {
        complain("%s.", fault.bytes);
        return CONSOLE_BAD_INPUT;
    }
    printf("cut at byte %" PRIu64 ": %" PRIu64 " whole frames were given up, with %" PRIu64
           " transactions. The damaged log is kept as %s/%s.db-wal.damaged.\n",
           log.offset, log.behind, log.commits, folder, name);
    return CONSOLE_OK;
}

static int run(const struct console_command *self, int argc, char **argv)
{
    struct store_ask asked;
    struct words     words;
    memset(&asked, 0, sizeof asked);
    if (!console_read(self, argc, argv, &asked, &words))
        return CONSOLE_USAGE;
    if (strcmp(words.word[0], "migrate") == 0)
        return run_migrate(&asked, words.word[1]);
    if (strcmp(words.word[0], "copy") == 0)
        return run_copy(&asked, words.word[1]);
    if (strcmp(words.word[0], "cut") == 0)
        return run_cut(&asked, words.word[1]);
    complain("\"%s\" is none of migrate, copy, cut.", words.word[0]);
    return CONSOLE_USAGE;
}

static const struct option options[] = {
    OPERATOR_HOME_ROW(struct store_ask),
    { .name = NULL },
};

const struct console_command command_store = {
    .name = "store",
    .arguments = "migrate PLACE | copy PLACE | cut LOG",
    .summary = "Makes the tables of a database, copies a home into it, or cuts a damaged log.",
    .about = "  arbiter store migrate \"postgresql://db1,db2/arbiter?user=arbiter\"\n"
             "  arbiter store copy \"postgresql://db1,db2/arbiter?user=arbiter\"\n"
             "  arbiter store cut ~/.local/share/arbiter/data/engine/journal.db-wal\n"
             "\n"
             "PLACE is a PostgreSQL database, as engines take it with --store. A password\n"
             "belongs into PGPASSFILE.\n"
             "\n"
             "migrate: makes the tables, or updates them to this program's version. Processes\n"
             "of the version before may go on meanwhile.\n"
             "\n"
             "copy: copies what lobby and engine keep in --home into an empty database, and\n"
             "compares both. Stop Arbiter first. If it is interrupted, run it again; it goes\n"
             "on. No service opens that database before the copy is done.\n"
             "\n"
             "cut: ends a store's damaged log where it is broken, so that its service starts\n"
             "again. What stood behind the damage is given up. The damaged log is kept beside\n"
             "it. Stop Arbiter first, and restore a backup instead if you have one.\n",
    .options = options,
    .words_least = 2,
    .words_most = 2,
    .run = run,
};
