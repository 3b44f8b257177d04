/* erase_test.c: a name is taken out of a journal: out of every seat, and of what a game wrote of persons. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/store/trial_server.h"
#include "core/outbox.h"
#include "games/treasure/treasure.h"
#include "schema/journal.h"
#include "services/console/care/erase.h"
#include "services/console/command/console.h"
#include "services/console/command/files.h"
#include "store/store.h"
#include "wire/header.h"

#define ID_SIZE 16
#define PLAYER 1 /* Of the hunt's tables. */

static char                  folder[64], journal[96], place[256]; /* The last: of the journal.   */
static struct trial_server   server;
static struct journal_schema schema;
static uint32_t              first_table;
static void                 *memory;
static struct outbox         out;

static uint8_t *id_of(uint8_t number)
{
    uint8_t *id = outbox_take(&out, ID_SIZE);
    memset(id, number, ID_SIZE);
    return id;
}

static void text(struct row *row, uint32_t column, const char *said)
{
    if (said != NULL)
        row_text(row, column, said, strlen(said));
}

static void add_match(uint8_t match, const char *game, uint64_t recorded)
{
    struct row *row = outbox_row(&out, ROW_ADD, JOURNAL_MATCHES, MATCHES_COLUMNS);
    row_number(row, MATCHES_SLOT, header_slot(id_of(match)));
    row_bytes(row, MATCHES_ID, id_of(match), ID_SIZE);
    text(row, MATCHES_GAME, game);
    if (recorded > 0)
        row_number(row, MATCHES_RECORDED, recorded);
}

static struct row *add_seat(uint8_t match, uint32_t seat, uint32_t generation, uint8_t player,
                            const char *name, const char *person)
{
    struct row *row = outbox_row(&out, ROW_ADD, JOURNAL_SEATS, SEATS_COLUMNS);
    row_bytes(row, SEATS_ID, id_of(match), ID_SIZE);
    row_number(row, SEATS_SEAT, seat);
    row_number(row, SEATS_GENERATION, generation);
    row_number(row, SEATS_SINCE, 1);
    row_number(row, SEATS_BOT, 0);
    row_bytes(row, SEATS_PLAYER, id_of(player), ID_SIZE);
    text(row, SEATS_NAME, name);
    text(row, SEATS_PERSON, person);
    return row;
}

static void add_person(uint64_t number, const char *last, const char *first, const char *registered)
{
    struct row *row = outbox_row(&out, ROW_ADD, first_table + PLAYER, 5);
    row_number(row, 0, number);
    text(row, 1, last);
    text(row, 2, first);
    text(row, 3, registered);
    text(row, 4, "(3,4)");
}

static struct store *open_store(void)
{
    struct text   fault;
    struct store *store = store_open(&schema.schema, place, &fault);
    if (store == NULL)
        fail_msg("%s", fault.bytes);
    return store;
}

static void commit(void)
{
    struct store *store = open_store();
    assert_int_equal(
        store_commit(store, (const struct row *const *) out.rows, out.row_count, NULL, 0),
        STORE_COMMITTED);
    store_close(&store);
}

/* Ada sits in a hunt and in a game of nim; in another hunt she has taken over Bob's seat. */
static void furnish(void)
{
    add_match(1, "treasure", 1);
    add_seat(1, 0, 1, 0xad, "Ada", "Augusta\nLovelace\n4711");
    add_seat(1, 1, 1, 0xbb, "Bob", "Robert\nBabbage\n4712");
    add_person(1, "Lovelace", "Augusta", "4711");
    add_person(2, "Babbage", "Robert", "4712");
    add_match(2, "nim", 0);
    add_seat(2, 0, 1, 0xbb, "Bob", NULL);
    add_seat(2, 1, 1, 0xad, "Ada", NULL);
    add_match(3, "treasure", 2);
    add_seat(3, 0, 1, 0xbb, "Bob", "Robert\nBabbage\n4712");
    add_seat(3, 0, 2, 0xad, "Ada", NULL);
    add_person(3, "Babbage", "Robert", "4712");
    commit();
}

static int begin(void **unused)
{
    (void) unused;
    (void) snprintf(folder, sizeof folder, "/tmp/arbiter-erase-XXXXXX");
    assert_non_null(mkdtemp(folder));
    (void) snprintf(journal, sizeof journal, "%s/data", folder);
    assert_int_equal(mkdir(journal, 0700), 0);
    (void) snprintf(journal, sizeof journal, "%s/data/engine", folder);
    (void) snprintf(place, sizeof place, "%s", journal);
    memory = malloc(OUTBOX_BYTES_MIN);
    assert_non_null(memory);
    outbox_init(&out, memory, OUTBOX_BYTES_MIN);
    journal_schema_init(&schema, NULL);
    first_table = journal_schema_add(&schema, game_treasure.record);
    furnish();
    return 0;
}

static int end(void **unused)
{
    static const char *const left[] = { "data/engine/journal.db",
                                        "data/engine/journal.db-wal",
                                        "data/engine/journal.db-shm",
                                        "data/engine/journal.lock",
                                        "data/engine",
                                        "data",
                                        "" };
    (void) unused;
    for (uint32_t i = 0; i < sizeof left / sizeof left[0]; i++) {
        char path[160];
        (void) snprintf(path, sizeof path, "%s/%s", folder, left[i]);
        (void) remove(path);
    }
    free(memory);
    assert_int_not_equal(access(folder, F_OK), 0);
    return 0;
}

/* Rows as text, cell behind cell. */
struct told {
    char   line[2048];
    size_t size;
};

static bool tell_row(void *taker, const struct row *row)
{
    struct told *told = taker;
    for (uint32_t i = 0; i < row->count; i++) {
        const struct cell *cell = &row->cells[i];
        int                put = 0;
        if (cell->kind == CELL_NUMBER)
            put = snprintf(told->line + told->size, sizeof told->line - told->size, "%lld ",
                           (long long) cell->number);
        else if (cell->kind == CELL_NULL)
            put = snprintf(told->line + told->size, sizeof told->line - told->size, "- ");
        else if (cell->kind == CELL_BYTES)
            put = snprintf(told->line + told->size, sizeof told->line - told->size, "%02x ",
                           cell->bytes[0]);
        else
            put = snprintf(told->line + told->size, sizeof told->line - told->size, "'%.*s' ",
                           (int) cell->size, (const char *) cell->bytes);
        told->size += (size_t) put;
        assert_true(told->size < sizeof told->line);
    }
    return true;
}

static const char *all_of(uint32_t table)
{
    static struct told told;
    struct store      *store = open_store();
    told = (struct told){ .size = 0 };
    assert_true(store_read(store, &(struct query){ .table = table }, tell_row, &told));
    store_close(&store);
    return told.line;
}

static bool stands_in(const char *file, const char *said)
{
    char   path[160];
    size_t size = 0;
    (void) snprintf(path, sizeof path, "%s/%s", journal, file);
    uint8_t *bytes = file_read(path, &size, NULL);
    bool     found = bytes != NULL && memmem(bytes, size, said, strlen(said)) != NULL;
    free(bytes);
    return found;
}

static void she_is_in_no_seat_and_no_table_any_more(void **unused)
{
    (void) unused;
    assert_true(stands_in("journal.db", "Lovelace") || stands_in("journal.db-wal", "Lovelace"));
    assert_int_equal(erase_player(folder, NULL, "Ada"), CONSOLE_OK);
    assert_string_equal(all_of(JOURNAL_SEATS),
                        "01 0 1 1 0 ad - - - - "
                        "01 1 1 1 0 bb - 'Bob' 'Robert\nBabbage\n4712' - "
                        "02 0 1 1 0 bb - 'Bob' - - 02 1 1 1 0 ad - - - - "
                        "03 0 1 1 0 bb - 'Bob' 'Robert\nBabbage\n4712' - 03 0 2 1 0 ad - - - - ");
    assert_string_equal(all_of(first_table + PLAYER), "1 '' '' 'hadadadad' '(3,4)' "
                                                      "2 'Babbage' 'Robert' '4712' '(3,4)' "
                                                      "3 'Babbage' 'Robert' '4712' '(3,4)' ");
}

/* Neither in what is free in the file, nor in the log behind it. So many seats take two batches, and a page
 * in the first one's frames still names her. */
static void no_byte_of_hers_is_left_behind(void **unused)
{
    static const char *const words[] = { "Ada", "Augusta", "Lovelace", "4711" };
    (void) unused;
    outbox_reset(&out);
    for (uint32_t generation = 2; generation < 400; generation++)
        add_seat(2, 1, generation, 0xad, "Ada", NULL);
    commit();
    assert_int_equal(erase_player(folder, NULL, "Ada"), CONSOLE_OK);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        assert_false(stands_in("journal.db", words[i]));
        assert_false(stands_in("journal.db-wal", words[i]));
    }
    assert_true(stands_in("journal.db", "Babbage"));
}

static void who_is_not_there_is_said(void **unused)
{
    (void) unused;
    assert_int_equal(erase_player(folder, NULL, "Ad"), CONSOLE_DISAGREES);
    assert_int_equal(erase_player(folder, NULL, "Ada"), CONSOLE_OK);
    assert_int_equal(erase_player(folder, NULL, "Ada"), CONSOLE_DISAGREES);
}

/* Cid has a number, by which the one row of two hunts is found. A guest of the door of 2017 is
 * known to people by the words of the registration, and so is one who never played. */
static void whoever_has_a_number_is_found_by_it_and_who_never_played_by_his_name(void **unused)
{
    (void) unused;
    outbox_reset(&out);
    for (uint8_t match = 4; match < 6; match++) {
        add_match(match, "treasure", match);
        row_number(add_seat(match, 0, 1, 0xcc, "Cid", "Cid\n"), SEATS_NUMBER, 70);
        row_number(add_seat(match, 1, 1, 0xee, "guest 1", "Eve\nEast\n4713"), SEATS_NUMBER, 71);
    }
    add_person(70, "", "Cid", "hcccccccc");
    add_person(71, "East", "Eve", "4713");
    add_person(72, "East", "Eve", "4714");
    add_person(73, "", "Cid", "h12345678");
    add_person(74, "Cid", "Cid", "4715");
    add_person(7, "Ea", "Eve", "4716"); /* Of a hunt that would have had such numbers before. */
    commit();
    assert_int_equal(erase_player(folder, NULL, "Cid"), CONSOLE_OK);
    assert_int_equal(erase_player(folder, NULL, "Eve East"), CONSOLE_OK);
    assert_false(stands_in("journal.db", "East") || stands_in("journal.db", "4714"));
    assert_string_equal(all_of(first_table + PLAYER), "1 'Lovelace' 'Augusta' '4711' '(3,4)' "
                                                      "2 'Babbage' 'Robert' '4712' '(3,4)' "
                                                      "3 'Babbage' 'Robert' '4712' '(3,4)' "
                                                      "7 'Ea' 'Eve' '4716' '(3,4)' "
                                                      "70 '' '' 'hcccccccc' '(3,4)' "
                                                      "71 '' '' 'heeeeeeee' '(3,4)' "
                                                      "72 '' '' 'h00000048' '(3,4)' "
                                                      "73 '' '' 'h12345678' '(3,4)' "
                                                      "74 'Cid' 'Cid' '4715' '(3,4)' ");
}

/* The engine has names in memory and would write them again. */
static void nothing_is_done_while_somebody_owns_the_journal(void **unused)
{
    (void) unused;
    struct store *store = open_store();
    assert_int_equal(erase_player(folder, NULL, "Ada"), CONSOLE_BAD_INPUT);
    store_close(&store);
    assert_true(stands_in("journal.db", "Lovelace"));
}

/* Beside engines, which share the journal: the owner of the slot of a match that goes on reads it
 * anew. */
static void of_a_database_it_is_taken_out_while_engines_run(void **unused)
{
    struct store *engine;
    struct fence  fence = { .slot = header_slot(id_of(2)), .epoch = 7 };
    (void) unused;
    trial_server_make(&server);
    trial_server_start(&server);
    (void) snprintf(place, sizeof place, "%s", server.place);
    outbox_reset(&out);
    furnish();
    outbox_reset(&out);
    for (uint8_t match = 1; match <= 2; match++) {
        struct row *row = outbox_row(&out, ROW_ADD, JOURNAL_SLOTS, SLOTS_COLUMNS);
        row_number(row, SLOTS_SLOT, header_slot(id_of(match)));
        row_number(row, SLOTS_EPOCH, 7);
        row_number(row, SLOTS_RECORDED, match);
    }
    struct row *live = outbox_row(&out, ROW_ADD, JOURNAL_LIVE, MATCHES_COLUMNS);
    row_number(live, MATCHES_SLOT, fence.slot);
    row_bytes(live, MATCHES_ID, id_of(2), ID_SIZE);
    commit();
    engine = open_store();
    assert_int_equal(store_commit(engine, NULL, 0, &fence, 1), STORE_COMMITTED);
    assert_int_equal(erase_player(NULL, server.place, "Ada"), CONSOLE_OK);
    assert_int_equal(store_commit(engine, NULL, 0, &fence, 1), STORE_OLD_EPOCH);
    store_close(&engine);
    /* Match 2 lies in slot 44. */
    assert_string_equal(all_of(JOURNAL_SLOTS), "44 8 2 206 7 1 ");
    assert_null(strstr(all_of(JOURNAL_SEATS), "Ada"));
    assert_non_null(strstr(all_of(JOURNAL_SEATS), "Bob"));
    assert_string_equal(all_of(first_table + PLAYER), "1 '' '' 'hadadadad' '(3,4)' "
                                                      "2 'Babbage' 'Robert' '4712' '(3,4)' "
                                                      "3 'Babbage' 'Robert' '4712' '(3,4)' ");
    assert_int_equal(erase_player(NULL, server.place, "Ada"), CONSOLE_DISAGREES);
    /* Nobody was disturbed for nothing. */
    assert_string_equal(all_of(JOURNAL_SLOTS), "44 8 2 206 7 1 ");
    assert_int_equal(erase_player(NULL, journal, "Ada"), CONSOLE_BAD_INPUT); /* A folder is none. */
    trial_server_remove(&server);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(she_is_in_no_seat_and_no_table_any_more),
        TEST(no_byte_of_hers_is_left_behind),
        TEST(who_is_not_there_is_said),
        TEST(whoever_has_a_number_is_found_by_it_and_who_never_played_by_his_name),
        TEST(nothing_is_done_while_somebody_owns_the_journal),
        TEST(of_a_database_it_is_taken_out_while_engines_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
