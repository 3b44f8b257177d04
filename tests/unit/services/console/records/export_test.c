/* export_test.c: a match that stands in a journal comes out as the file it once was, and verifies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "match/file.h"
#include "match/verify.h"
#include "schema/journal.h"
#include "services/console/command/console.h"
#include "services/console/command/files.h"
#include "store/store.h"
#include "wire/header.h"

#define ORIGINAL ARBITER_SOURCE "/tests/unit/common/match/nim-open.match"
#define ROWS_MAX 64

static char         folder[64], home_option[96], journal[96], exported[96];
static struct row  *rows[ROWS_MAX];
static uint32_t     row_count;
static uint8_t     *original;
static size_t       original_size;
static uint8_t      id[16];
static uint8_t      setup_hash[32] = { 0x5e };
static struct arena arena;
static void        *arena_memory;

static struct row *add(uint32_t table, uint32_t columns)
{
    assert_true(row_count < ROWS_MAX);
    struct row *row = calloc(1, sizeof *row + columns * sizeof row->cells[0]);
    assert_non_null(row);
    row->table = table;
    row->op = ROW_PUT;
    row->count = columns;
    rows[row_count++] = row;
    return row;
}

static void set_number(struct row *row, uint32_t column, uint64_t number)
{
    row->cells[column] = (struct cell){ .kind = CELL_NUMBER, .number = (int64_t) number };
}

/* A copy, for records live no longer than until the next one. */
static void set_bytes(struct row *row, uint32_t column, enum cell_kind kind, const void *bytes,
                      size_t size)
{
    uint8_t *copy = malloc(size + 1);
    assert_non_null(copy);
    if (size > 0)
        memcpy(copy, bytes, size);
    row->cells[column] = (struct cell){ .kind = kind, .bytes = copy, .size = size };
}

static void set_text(struct row *row, uint32_t column, const char *text)
{
    if (text != NULL)
        set_bytes(row, column, CELL_TEXT, text, strlen(text));
}

static void keep_protocol(struct row *match, const Arbiter__Match__Header *header)
{
    uint8_t pairs[2 * SEATS_MAX];
    if (header->protocol == 1)
        return;
    for (size_t i = 0; i < header->n_contributors; i++) {
        pairs[2 * i] = (uint8_t) header->contributors[i]->seat;
        pairs[2 * i + 1] = (uint8_t) header->contributors[i]->origin;
    }
    set_number(match, MATCHES_PROTOCOL, header->protocol);
    set_bytes(match, MATCHES_CONTRIBUTORS, CELL_BYTES, pairs, 2 * header->n_contributors);
}

static void keep_header(const Arbiter__Match__Header *header)
{
    memcpy(id, header->match_id.data, sizeof id);
    struct row *match = add(JOURNAL_MATCHES, MATCHES_COLUMNS);
    set_number(match, MATCHES_SLOT, header_slot(id));
    set_bytes(match, MATCHES_ID, CELL_BYTES, id, sizeof id);
    set_text(match, MATCHES_GAME, header->game);
    set_number(match, MATCHES_RULES_VERSION, header->rules_version);
    set_bytes(match, MATCHES_SETUP, CELL_BYTES, setup_hash, sizeof setup_hash);
    set_number(match, MATCHES_SEATS, header->seats);
    set_text(match, MATCHES_DICE, header->dice);
    if (header->has_seed)
        set_number(match, MATCHES_SEED, (uint64_t) header->seed);
    else
        set_bytes(match, MATCHES_COMMITMENT, CELL_BYTES, header->commitment.data,
                  header->commitment.len);
    keep_protocol(match, header);
    set_number(match, MATCHES_CREATED_MS, header->created_ms);
    struct row *setup = add(JOURNAL_SETUPS, SETUPS_COLUMNS);
    set_bytes(setup, SETUPS_HASH, CELL_BYTES, setup_hash, sizeof setup_hash);
    set_text(setup, SETUPS_SETUP, header->setup);
    set_text(setup, SETUPS_OPTIONS, header->options);
}

static void keep_seat(const Arbiter__Match__Seat *seat)
{
    struct row *row = add(JOURNAL_SEATS, SEATS_COLUMNS);
    set_bytes(row, SEATS_ID, CELL_BYTES, id, sizeof id);
    set_number(row, SEATS_SEAT, seat->seat);
    set_number(row, SEATS_GENERATION, seat->generation);
    set_number(row, SEATS_SINCE, seat->since);
    set_number(row, SEATS_BOT, seat->bot != 0);
    set_text(row, SEATS_NAME, seat->name);
}

static void keep_act(const Arbiter__Match__Act *act)
{
    struct row *row = add(JOURNAL_ACTS, ACTS_COLUMNS);
    set_bytes(row, ACTS_ID, CELL_BYTES, id, sizeof id);
    set_number(row, ACTS_NUMBER, act->number);
    set_number(row, ACTS_EPOCH, act->epoch);
    set_number(row, ACTS_ACTOR, act->actor);
    set_bytes(row, ACTS_CHAIN, CELL_BYTES, act->chain.data, act->chain.len);
    set_bytes(row, ACTS_COMMAND, CELL_BYTES, act->command.data, act->command.len);
    set_bytes(row, ACTS_BODY, CELL_BYTES, act->body.data, act->body.len);
}

static void keep_end(const Arbiter__Match__End *end)
{
    uint8_t outcome[4 * SEATS_MAX] = { 0 };
    for (size_t seat = 0; seat < end->n_outcome; seat++)
        for (uint32_t i = 0; i < 4; i++)
            outcome[4 * seat + i] = (uint8_t) ((uint32_t) end->outcome[seat] >> (24 - 8 * i));
    struct row *row = add(JOURNAL_RESULTS, RESULTS_COLUMNS);
    set_bytes(row, RESULTS_ID, CELL_BYTES, id, sizeof id);
    set_number(row, RESULTS_ACTS, end->acts);
    set_bytes(row, RESULTS_CHAIN, CELL_BYTES, end->chain.data, end->chain.len);
    set_number(row, RESULTS_ABORTED, 0);
    set_bytes(row, RESULTS_OUTCOME, CELL_BYTES, outcome, 4 * end->n_outcome);
    set_bytes(row, RESULTS_DIGEST, CELL_BYTES, end->digest.data, end->digest.len);
    if (end->has_dice_secret)
        set_bytes(rows[0], MATCHES_DICE_SECRET, CELL_BYTES, end->dice_secret.data,
                  end->dice_secret.len);
    set_bytes(rows[0], MATCHES_SECRET, CELL_BYTES, end->sealing_secret.data,
              end->sealing_secret.len);
}

static void keep(const Arbiter__Match__Record *record)
{
    switch (record->kind_case) {
    case ARBITER__MATCH__RECORD__KIND_HEADER: keep_header(record->header); break;
    case ARBITER__MATCH__RECORD__KIND_SEAT: keep_seat(record->seat); break;
    case ARBITER__MATCH__RECORD__KIND_ACT: keep_act(record->act); break;
    case ARBITER__MATCH__RECORD__KIND_END: keep_end(record->end); break;
    case ARBITER__MATCH__RECORD__KIND_CONTRIBUTION: break; /* The acts tell of it. */
    default: fail();
    }
}

/* A recorded match as the rows of a journal: all of them, or all but its end. */
static void put_into_journal(bool with_end)
{
    struct match_file file;
    struct text       fault;
    match_file_open(&file, original, original_size, &arena);
    while (match_file_next(&file) == MATCH_FILE_RECORD)
        keep(file.record);
    struct store *store = store_open(&journal_schema, journal, &fault);
    assert_non_null(store);
    assert_int_equal(store_commit(store, (const struct row *const *) rows,
                                  with_end ? row_count : row_count - 1, NULL, 0),
                     STORE_COMMITTED);
    store_close(&store);
}

static int begin(void **unused)
{
    (void) unused;
    (void) snprintf(folder, sizeof folder, "/tmp/arbiter-export-XXXXXX");
    assert_non_null(mkdtemp(folder));
    (void) snprintf(home_option, sizeof home_option, "--home=%s", folder);
    (void) snprintf(exported, sizeof exported, "%s/it.match", folder);
    original = file_read(ORIGINAL, &original_size, NULL);
    arena_memory = malloc((size_t) 1 << 20);
    assert_true(original != NULL && arena_memory != NULL);
    arena_init(&arena, arena_memory, (size_t) 1 << 20);
    (void) snprintf(journal, sizeof journal, "%s/data", folder);
    assert_int_equal(mkdir(journal, 0700), 0);
    (void) snprintf(journal, sizeof journal, "%s/data/engine", folder);
    row_count = 0;
    return 0;
}

static int end(void **unused)
{
    static const char *const left[] = { "it.match",
                                        "data/engine/journal.db",
                                        "data/engine/journal.db-wal",
                                        "data/engine/journal.db-shm",
                                        "data/engine/lock",
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
    for (uint32_t i = 0; i < row_count; i++) {
        for (uint32_t k = 0; k < rows[i]->count; k++)
            if (rows[i]->cells[k].bytes != NULL)
                free((void *) (uintptr_t) rows[i]->cells[k].bytes);
        free(rows[i]);
    }
    free(arena_memory);
    free(original);
    assert_int_not_equal(access(folder, F_OK), 0);
    return 0;
}

static int export(const char *match)
{
    char  words[4][96] = { "export", "", "", "" };
    char *argv[] = { words[0], words[1], words[2], words[3] };
    (void) snprintf(words[1], sizeof words[1], "%s", match);
    (void) snprintf(words[2], sizeof words[2], "%s", exported);
    (void) snprintf(words[3], sizeof words[3], "%s", home_option);
    return command_match.run(&command_match, 4, argv);
}

static const char *name_of_match(void)
{
    static char name[33];
    for (uint32_t i = 0; i < sizeof id; i++)
        (void) snprintf(name + 2 * (size_t) i, 3, "%02x", id[i]);
    return name;
}

static void a_finished_match_comes_out_as_it_was(void **unused)
{
    (void) unused;
    struct verify_report was, is;
    size_t               size = 0;
    put_into_journal(true);
    assert_int_equal(export(name_of_match()), CONSOLE_OK);
    uint8_t *bytes = file_read(exported, &size, NULL);
    assert_non_null(bytes);
    verify(&was, original, original_size);
    verify(&is, bytes, size);
    free(bytes);
    assert_true(is.holds && is.replayed && is.finished);
    assert_int_equal(is.acts, was.acts);
    assert_memory_equal(is.chain, was.chain, sizeof is.chain);
}

static void a_match_of_version_2_comes_out_with_its_contributors(void **unused)
{
    (void) unused;
    static const char    path[] = ARBITER_SOURCE "/tests/unit/common/match/nim-house-2.match";
    struct verify_report was, is;
    size_t               size = 0;
    free(original);
    original = file_read(path, &original_size, NULL);
    assert_non_null(original);
    put_into_journal(true);
    assert_int_equal(export(name_of_match()), CONSOLE_OK);
    uint8_t *bytes = file_read(exported, &size, NULL);
    assert_non_null(bytes);
    verify(&was, original, original_size);
    verify(&is, bytes, size);
    free(bytes);
    assert_true(is.holds);
    assert_memory_equal(is.chain, was.chain, sizeof is.chain);
    assert_memory_equal(is.bytes_of, was.bytes_of, sizeof is.bytes_of);
    assert_int_equal(is.bytes_of[1].given, GAVE_WITHHELD);
}

static void a_match_that_goes_on_has_no_end_yet(void **unused)
{
    (void) unused;
    struct match_file file;
    size_t            size = 0;
    uint32_t          records = 0;
    put_into_journal(false);
    assert_int_equal(export(name_of_match()), CONSOLE_OK);
    uint8_t *bytes = file_read(exported, &size, NULL);
    match_file_open(&file, bytes, size, &arena);
    while (match_file_next(&file) == MATCH_FILE_RECORD)
        records++;
    assert_int_equal(file.fault.size, 0);
    assert_int_equal(file.kind, ARBITER__MATCH__RECORD__KIND_ACT);
    assert_int_equal(records, row_count - 2); /* Header and set-up are one, and there is no end. */
    free(bytes);
}

static void what_is_not_there_is_said(void **unused)
{
    (void) unused;
    assert_int_equal(export("00112233445566778899aabbccddeeff"), CONSOLE_BAD_INPUT);
    put_into_journal(true);
    assert_int_equal(export("00112233445566778899aabbccddeeff"), CONSOLE_BAD_INPUT);
    assert_int_equal(access(exported, F_OK), -1);
    assert_int_equal(export("not-hexadecimal"), CONSOLE_USAGE);
    assert_int_equal(export("0011"), CONSOLE_USAGE);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(a_finished_match_comes_out_as_it_was),
        TEST(a_match_of_version_2_comes_out_with_its_contributors),
        TEST(a_match_that_goes_on_has_no_end_yet),
        TEST(what_is_not_there_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
