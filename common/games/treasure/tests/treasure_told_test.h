/* treasure_told_test.h: a match that is told as an engine tells it: rows to a store, lines to `said`. */
#ifndef ARBITER_TREASURE_TOLD_TEST_H
#define ARBITER_TREASURE_TOLD_TEST_H

#include "games/treasure/tests/treasure_test.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dice/kinds.h"
#include "schema/journal.h"
#include "store/store.h"

#define BEGINNING_MS UINT64_C(1510146000000) /* 2017-11-08 13:00:00 UTC. */
#define CONFIG "{\"game\":\"treasure\"}"

static char                  folder[64], file[96];
static struct journal_schema schema;
static struct store         *store;
static uint32_t              first_table;
static struct row           *rows[16];
static uint32_t              row_count, told_rows; /* Of the last that was told. */
static uint8_t              *texts[128];
static uint32_t              text_count;
static char                  said[8192];
static const uint8_t         nobody[16] = { 0xab, 0xcd, 0xef, 0x01 };
static uint64_t              game, now_ms, beginning_ms;
static uint32_t              numbers[2]; /* Of those who play; 0: none were given.              */

static inline void free_rows(void)
{
    while (row_count > 0)
        free(rows[--row_count]);
    while (text_count > 0)
        free(texts[--text_count]);
}

static inline void put(void *owner, uint32_t index, const struct record_cell *cells)
{
    uint32_t    count = game_treasure.record->tables[index].column_count;
    struct row *row = calloc(1, sizeof *row + count * sizeof row->cells[0]);
    (void) owner;
    row->table = first_table + index;
    row->op = ROW_PUT;
    row->count = count;
    for (uint32_t i = 0; i < count; i++)
        if (cells[i].text != NULL) {
            assert_true(text_count < sizeof texts / sizeof *texts);
            uint8_t *copy = texts[text_count++] = malloc(cells[i].size + 1);
            memcpy(copy, cells[i].text, cells[i].size);
            row->cells[i] =
                (struct cell){ .kind = CELL_TEXT, .bytes = copy, .size = cells[i].size };
        } else if (cells[i].number != ABSENT) {
            row->cells[i] = (struct cell){ .kind = CELL_NUMBER, .number = cells[i].number };
        }
    assert_true(row_count < sizeof rows / sizeof *rows);
    rows[row_count++] = row;
}

static inline void say(void *owner, enum record_level level, const struct text *line)
{
    size_t used = strlen(said);
    (void) owner;
    (void) snprintf(said + used, sizeof said - used, "%c %s\n", "dIW"[level], line -> bytes);
}

/* Tells what was done as an engine would, and keeps the rows in one transaction. */
static inline void tell(uint32_t seat, const struct command *command, bool begins)
{
    static const char         ann[] = "Ann\nMuster\n1234567\n", bot[] = "bot-1";
    const struct record_seat  seats[] = { { numbers[0], nobody, ann, sizeof ann - 1 },
                                          { numbers[1], nobody, bot, sizeof bot - 1 } };
    const struct recorder     to = { NULL, put, say };
    const struct record_facts facts = {
        .number = game,
        .beginning_ms = beginning_ms,
        .now_ms = now_ms,
        .dice = "java",
        .secret = "7",
        .config = CONFIG,
        .config_size = sizeof CONFIG - 1,
        .seats = seats,
    };
    const struct record_deed deed = { seat, command, begins };
    said[0] = '\0';
    game_treasure.record->tell(table.setup, table.state, &facts, &deed, &to);
    assert_int_equal(store_commit(store, (const struct row *const *) rows, row_count, NULL, 0),
                     STORE_COMMITTED);
    told_rows = row_count;
    free_rows();
}

static inline void begin_game(const char *leaves)
{
    game++;
    now_ms = beginning_ms;
    open_table(leaves);
    tell(0, NULL, true);
}

static inline void do_command(uint32_t seat, struct command *command)
{
    now_ms += 50;
    assert_int_equal(treasure_table_hear(&table, seat, command), ACCEPTED);
    tell(seat, command, false);
}

static inline void submit(uint32_t seat, const char *half)
{
    struct command command;
    treasure_bare(&command, TREASURE_SUBMIT_HALF);
    command.text = (const uint8_t *) half;
    command.text_size = (uint32_t) strlen(half);
    do_command(seat, &command);
}

static inline void begin_moves(const char *leaves)
{
    begin_game(leaves);
    submit(0, UPPER);
    submit(1, LOWER);
}

static inline void go(uint32_t seat, word direction)
{
    struct command command;
    treasure_bare(&command, TREASURE_STEP);
    command.arg[0] = 17;
    command.arg[1] = direction;
    do_command(seat, &command);
}

static inline void update(uint32_t seat, word from_x, word from_y, word to_x, word to_y, word turns)
{
    struct command command = { .kind = TREASURE_UPDATE,
                               .arg = { 2999, from_x, from_y, to_x, to_y, turns } };
    do_command(seat, &command);
}

static inline int open_store(void **unused)
{
    struct text fault;
    (void) unused;
    (void) snprintf(folder, sizeof folder, "/tmp/arbiter-record-XXXXXX");
    assert_non_null(mkdtemp(folder));
    (void) snprintf(file, sizeof file, "%s/journal.db", folder);
    journal_schema_init(&schema, NULL);
    first_table = journal_schema_add(&schema, game_treasure.record);
    store = store_open(&schema.schema, folder, &fault);
    assert_non_null(store);
    game = 0;
    beginning_ms = BEGINNING_MS;
    return 0;
}

static inline int remove_store(void **unused)
{
    static const char *const left[] = { "journal.db", "journal.db-wal", "journal.db-shm",
                                        "journal.lock" };
    char                     path[160];
    (void) unused;
    store_close(&store);
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        (void) snprintf(path, sizeof path, "%s/%s", folder, left[i]);
        (void) unlink(path);
    }
    return rmdir(folder);
}

#endif
