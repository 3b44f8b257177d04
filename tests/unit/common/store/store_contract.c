/* store_contract.c: see store_contract.h. */
#include "common/store/store_contract.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common/store/store_help.h"
#include "core/outbox.h"

static const struct store_kind *kind;
static struct store            *store;
static struct help_batch        batch;
static char                     line[HELP_LINE];

static struct store *open_as(const struct schema *schema)
{
    struct text   fault;
    struct store *opened = kind->open(schema, &fault);
    if (!opened)
        fail_msg("%s", fault.bytes);
    return opened;
}

static int set_up(void **unused)
{
    (void) unused;
    kind->wipe();
    help_begin(&batch);
    store = open_as(&help_schema_2);
    return 0;
}

static int tear_down(void **unused)
{
    (void) unused;
    store_close(&store);
    return 0;
}

static void reopen(void)
{
    store_close(&store);
    assert_null(store);
    store = open_as(&help_schema_2);
}

static void commit(void)
{
    enum store_outcome outcome = help_commit(store, &batch);
    if (outcome != STORE_COMMITTED)
        fail_msg("outcome %d: %s", (int) outcome, store_fault(store));
}

#define assert_table(table, text) assert_string_equal(help_all(store, table, line), text)

static void a_batch_is_there_and_stays(void **unused)
{
    (void) unused;
    help_act(&batch, "a", 1, "one");
    help_act(&batch, "a", 2, "two");
    help_slot(&batch, 7, 3);
    commit();
    assert_table(TRIAL_ACTS, "a,1,one a,2,two");
    reopen();
    assert_table(TRIAL_ACTS, "a,1,one a,2,two");
    assert_table(TRIAL_SLOTS, "7,3");
}

static void an_empty_batch_is_committed(void **unused)
{
    (void) unused;
    commit();
    assert_int_equal(store_facts(store).commits, 1);
}

static void a_key_is_added_once_and_the_whole_batch_falls_with_it(void **unused)
{
    (void) unused;
    help_act(&batch, "a", 1, "first");
    commit();
    help_slot(&batch, 1, 1);
    help_act(&batch, "a", 2, "new");
    help_act(&batch, "a", 1, "again");
    assert_int_equal(help_commit(store, &batch), STORE_CONFLICT);
    assert_true(strlen(store_fault(store)) > 10);
    assert_table(TRIAL_ACTS, "a,1,first");
    assert_table(TRIAL_SLOTS, "");
    help_act(&batch, "a", 2, "new");
    commit();
    assert_table(TRIAL_ACTS, "a,1,first a,2,new");
    assert_string_equal(store_fault(store), "");
}

static void put_player(const char *name, const char *nick, uint64_t rating, uint64_t wins)
{
    struct row *row = help_row(&batch, ROW_PUT, TRIAL_PLAYERS, 4);
    row_text(row, 0, name, strlen(name));
    if (nick)
        row_text(row, 1, nick, strlen(nick));
    if (rating)
        row_number(row, 2, rating);
    row_number(row, 3, wins);
}

static void text_is_as_long_as_it_says_whatever_stands_behind(void **unused)
{
    (void) unused;
    struct row *row = help_row(&batch, ROW_PUT, TRIAL_PLAYERS, 4);
    row_text(row, 0, "eve\xff and more", 3);
    row_text(row, 1, "\xff", 0);
    commit();
    assert_table(TRIAL_PLAYERS, "eve,,-,-");
    row_text(help_row(&batch, ROW_DELETE, TRIAL_PLAYERS, 1), 0, "eve\xff", 3);
    commit();
    assert_table(TRIAL_PLAYERS, "");
}

static void put_replaces_every_cell_and_delete_takes_away(void **unused)
{
    (void) unused;
    put_player("eve", "e", 1500, 1);
    put_player("adam", NULL, 0, 0);
    put_player("adam", "a", 7, 2); /* Also of the same batch. */
    commit();
    assert_table(TRIAL_PLAYERS, "adam,a,7,2 eve,e,1500,1");
    put_player("eve", NULL, 0, 5);
    commit();
    assert_table(TRIAL_PLAYERS, "adam,a,7,2 eve,-,-,5");
    row_text(help_row(&batch, ROW_DELETE, TRIAL_PLAYERS, 1), 0, "adam", 4);
    row_text(help_row(&batch, ROW_DELETE, TRIAL_PLAYERS, 1), 0, "nobody", 6);
    commit();
    assert_table(TRIAL_PLAYERS, "eve,-,-,5");
}

static void keep_leaves_what_is_there_and_adds_what_is_not(void **unused)
{
    (void) unused;
    put_player("adam", "a", 7, 2);
    commit();
    for (int i = 0; i < 3; i++) {
        struct row *row = help_row(&batch, ROW_KEEP, TRIAL_PLAYERS, 4);
        row_text(row, 0, i == 0 ? "adam" : "eve", i == 0 ? 4 : 3);
        row_number(row, 3, (uint64_t) (i + 1) * 10);
    }
    commit();
    assert_table(TRIAL_PLAYERS, "adam,a,7,2 eve,-,-,20");
}

/* A table that is all key has nothing to replace. */
static void put_of_a_row_that_is_all_key_is_harmless(void **unused)
{
    (void) unused;
    for (int i = 0; i < 2; i++) {
        struct row *row = help_row(&batch, ROW_PUT, TRIAL_SCORES, 3);
        row_text(row, 0, "nim", 3);
        row_number(row, 1, 2026);
        row_number(row, 2, 1);
    }
    commit();
    assert_table(TRIAL_SCORES, "nim,2026,1");
}

static void rows_of_a_batch_are_done_in_their_order(void **unused)
{
    (void) unused;
    help_slot(&batch, 1, 1);
    row_number(help_row(&batch, ROW_DELETE, TRIAL_SLOTS, 1), 0, 1);
    help_slot(&batch, 1, 2);
    help_slot(&batch, 1, 3);
    commit();
    assert_table(TRIAL_SLOTS, "1,3");
}

static void fences_hold_before_the_batch_not_after_it(void **unused)
{
    (void) unused;
    help_fence(&batch, 5, 0); /* A slot without a row has epoch 0. */
    help_slot(&batch, 5, 1);
    commit();
    help_fence(&batch, 5, 1);
    help_slot(&batch, 5, 2); /* Taken anew under a fence with the old epoch. */
    help_act(&batch, "a", 1, "mine");
    commit();
    help_fence(&batch, 5, 1);
    help_act(&batch, "a", 2, "stale");
    assert_int_equal(help_commit(store, &batch), STORE_OLD_EPOCH);
    assert_non_null(strstr(store_fault(store), "slot 5 is held under epoch 2, not 1"));
    assert_table(TRIAL_ACTS, "a,1,mine");
    help_fence(&batch, 5, 2);
    help_fence(&batch, 6, 1); /* One that does not hold is enough. */
    help_act(&batch, "a", 2, "stale");
    assert_int_equal(help_commit(store, &batch), STORE_OLD_EPOCH);
    assert_table(TRIAL_ACTS, "a,1,mine");
    help_fence(&batch, 5, 2);
    help_act(&batch, "a", 2, "mine too");
    commit();
    assert_table(TRIAL_ACTS, "a,1,mine a,2,mine too");
}

static void an_epoch_above_2_63_is_compared_by_its_bits(void **unused)
{
    (void) unused;
    help_slot(&batch, 1, UINT64_MAX);
    commit();
    help_fence(&batch, 1, UINT64_MAX);
    commit();
    help_fence(&batch, 1, UINT64_MAX - 1);
    assert_int_equal(help_commit(store, &batch), STORE_OLD_EPOCH);
}

struct exact {
    uint32_t    count;
    struct cell body[4];
    uint64_t    number[4];
    uint8_t     bytes[4][8];
};

static bool take_exactly(void *taker, const struct row *row)
{
    struct exact *exact = taker;
    assert_true(exact->count < 4 && row->count == 3 && row->cells[2].size <= 8);
    exact->body[exact->count] = row->cells[2];
    exact->number[exact->count] = (uint64_t) row->cells[1].number;
    if (row->cells[2].size)
        memcpy(exact->bytes[exact->count], row->cells[2].bytes, row->cells[2].size);
    exact->count++;
    return true;
}

/* No bytes are not the same as nothing, and zeros are bytes like others. */
static void numbers_and_bytes_come_back_bit_by_bit(void **unused)
{
    (void) unused;
    static const uint64_t numbers[4] = { 0, INT64_MAX, 1ull << 63, UINT64_MAX };
    static const uint8_t  body[4] = { 0, 'b', 0xff, 0 };
    struct exact          exact = { .count = 0 };
    for (uint32_t i = 0; i < 4; i++) {
        uint8_t     key = (uint8_t) (i + 1);
        struct row *row = help_row(&batch, ROW_ADD, TRIAL_ACTS, 3);
        row_bytes(row, 0, &"\1\2\3\4"[i], 1);
        row_number(row, 1, numbers[i]);
        if (key < 4)
            row_bytes(row, 2, body, key == 1 ? 0 : 4);
    }
    commit();
    assert_true(store_read(store, &(struct query){ .table = TRIAL_ACTS }, take_exactly, &exact));
    assert_int_equal(exact.count, 4);
    assert_memory_equal(exact.number, numbers, sizeof numbers);
    assert_int_equal(exact.body[0].kind, CELL_BYTES);
    assert_int_equal(exact.body[0].size, 0);
    assert_int_equal(exact.body[1].size, 4);
    assert_memory_equal(exact.bytes[1], body, 4);
    assert_int_equal(exact.body[3].kind, CELL_NULL);
}

static void commit_some_acts(void)
{
    static const char *matches[] = { "b", "a", "ab", "c" };
    for (uint32_t i = 0; i < 4; i++)
        for (uint64_t number = 4; number > 0; number--)
            help_act(&batch, matches[i], number, matches[i]);
    commit();
}

#define assert_rows(query, text) assert_string_equal(help_line(store, query, line), text)

static void a_prefix_gives_one_match_in_order(void **unused)
{
    (void) unused;
    commit_some_acts();
    struct query query = help_acts_of("ab");
    assert_rows(&query, "ab,1,ab ab,2,ab ab,3,ab ab,4,ab");
    query.descending = true;
    assert_rows(&query, "ab,4,ab ab,3,ab ab,2,ab ab,1,ab");
    query.limit = 2;
    assert_rows(&query, "ab,4,ab ab,3,ab");
    query = help_acts_of("nobody");
    assert_rows(&query, "");
    query = help_acts_of("a");
    query.prefix_count = 2;
    query.prefix[1].kind = CELL_NUMBER;
    query.prefix[1].number = 3;
    assert_rows(&query, "a,3,a");
}

static void bounds_are_included(void **unused)
{
    (void) unused;
    commit_some_acts();
    struct query query = help_acts_of("b");
    query.has_from = true;
    query.from = (struct cell){ .kind = CELL_NUMBER, .number = 2 };
    assert_rows(&query, "b,2,b b,3,b b,4,b");
    query.has_to = true;
    query.to = (struct cell){ .kind = CELL_NUMBER, .number = 3 };
    assert_rows(&query, "b,2,b b,3,b");
    query.descending = true;
    query.limit = 1;
    assert_rows(&query, "b,3,b");
    query.has_from = false;
    query.limit = 0;
    assert_rows(&query, "b,3,b b,2,b b,1,b");
    query.has_from = true;
    query.from.number = 9;
    assert_rows(&query, "");
}

static void bounds_of_the_first_cell_and_bytes_in_their_order(void **unused)
{
    (void) unused;
    commit_some_acts();
    struct query query = { .table = TRIAL_ACTS, .has_from = true, .has_to = true };
    query.from = (struct cell){ .kind = CELL_BYTES, .bytes = (const uint8_t *) "aa", .size = 2 };
    query.to = (struct cell){ .kind = CELL_BYTES, .bytes = (const uint8_t *) "b", .size = 1 };
    query.limit = 5;
    assert_rows(&query, "ab,1,ab ab,2,ab ab,3,ab ab,4,ab b,1,b");
    query.descending = true;
    assert_rows(&query, "b,4,b b,3,b b,2,b b,1,b ab,4,ab");
}

static bool take_two(void *taker, const struct row *row)
{
    (void) row;
    return ++*(int *) taker < 2;
}

static void who_has_enough_is_given_no_more(void **unused)
{
    (void) unused;
    commit_some_acts();
    int taken = 0;
    assert_false(store_read(store, &(struct query){ .table = TRIAL_ACTS }, take_two, &taken));
    assert_int_equal(taken, 2);
    assert_rows(&(struct query){ .table = TRIAL_SLOTS }, "");
    help_slot(&batch, 1, 1); /* And the file is free again. */
    commit();
}

static void a_reader_sees_what_is_committed_and_nothing_else(void **unused)
{
    (void) unused;
    struct text   fault;
    struct store *reader = kind->open_reader(&help_schema_2, &fault);
    assert_non_null(reader);
    assert_string_equal(help_all(reader, TRIAL_ACTS, line), "");
    help_act(&batch, "a", 1, "one");
    commit();
    assert_string_equal(help_all(reader, TRIAL_ACTS, line), "a,1,one");
    help_act(&batch, "a", 2, "two");
    help_act(&batch, "a", 1, "again");
    assert_int_equal(help_commit(store, &batch), STORE_CONFLICT);
    assert_string_equal(help_all(reader, TRIAL_ACTS, line), "a,1,one");
    assert_true(store_checkpoint(store));
    assert_string_equal(help_all(reader, TRIAL_ACTS, line), "a,1,one");
    store_close(&reader);
}

static void a_checkpoint_changes_nothing_one_can_see(void **unused)
{
    (void) unused;
    for (uint64_t i = 1; i <= 3; i++) {
        help_act(&batch, "a", i, "act");
        commit();
        assert_true(store_checkpoint(store));
        assert_int_equal(store_facts(store).wal_bytes, 0);
    }
    assert_table(TRIAL_ACTS, "a,1,act a,2,act a,3,act");
    reopen();
    assert_table(TRIAL_ACTS, "a,1,act a,2,act a,3,act");
}

static void facts_are_counted(void **unused)
{
    (void) unused;
    help_act(&batch, "a", 1, "one");
    help_act(&batch, "a", 2, "two");
    commit();
    help_act(&batch, "a", 1, "one");
    assert_int_equal(help_commit(store, &batch), STORE_CONFLICT);
    struct store_facts facts = store_facts(store);
    assert_int_equal(facts.commits, 1);
    assert_int_equal(facts.refused, 1);
    assert_int_equal(facts.rows, 2);
}

static void an_older_store_is_brought_forward(void **unused)
{
    (void) unused;
    store_close(&store);
    kind->wipe();
    store = open_as(&help_schema_1);
    struct row *row = help_row(&batch, ROW_ADD, TRIAL_PLAYERS, 3);
    row_text(row, 0, "eve", 3);
    row_text(row, 1, "e", 1);
    row_number(row, 2, 4);
    help_act(&batch, "a", 1, "one");
    commit();
    reopen();
    assert_table(TRIAL_PLAYERS, "eve,e,-,4"); /* A column that came later is NULL. */
    assert_table(TRIAL_ACTS, "a,1,one");
    assert_table(TRIAL_SCORES, "");
    put_player("eve", "e", 1500, 5);
    commit();
    reopen();
    assert_table(TRIAL_PLAYERS, "eve,e,1500,5");
}

static void a_newer_store_is_refused_with_a_sentence(void **unused)
{
    (void) unused;
    struct text fault;
    store_close(&store);
    assert_null(kind->open(&help_schema_1, &fault));
    assert_non_null(strstr(fault.bytes, "has version 2 and this program knows 1: start the newer"));
    assert_null(kind->open_reader(&help_schema_1, &fault));
    assert_non_null(strstr(fault.bytes, "has version 2"));
}

static void put_player_of_1(const char *name, const char *nick, uint64_t wins)
{
    struct row *row = help_row(&batch, ROW_PUT, TRIAL_PLAYERS, 3);
    row_text(row, 0, name, strlen(name));
    row_text(row, 1, nick, strlen(nick));
    row_number(row, 2, wins);
}

/* One goes back to the build before, and forward again: nothing that either wrote is lost. */
static void a_newer_store_that_allows_it_is_used_by_the_program_before(void **unused)
{
    (void) unused;
    store_close(&store);
    kind->wipe();
    store = open_as(&help_schema_2_for_1);
    put_player("eve", "e", 1500, 5);
    put_player("bob", "b", 1200, 1);
    commit();
    store_close(&store);
    store = open_as(&help_schema_1);
    assert_table(TRIAL_PLAYERS, "bob,b,1 eve,e,5");
    put_player_of_1("eve", "evi", 6);
    put_player_of_1("new", "n", 0);
    help_act(&batch, "a", 1, "one");
    commit();
    struct text   fault;
    struct store *reader = kind->open_reader(&help_schema_1, &fault);
    assert_non_null(reader);
    store_close(&reader);
    store_close(&store);
    store = open_as(&help_schema_2_for_1);
    assert_table(TRIAL_PLAYERS, "bob,b,1200,1 eve,evi,1500,6 new,n,-,0");
    assert_table(TRIAL_ACTS, "a,1,one");
    assert_table(TRIAL_SCORES, "");
}

int store_contract(const struct store_kind *tested)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_batch_is_there_and_stays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_empty_batch_is_committed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_key_is_added_once_and_the_whole_batch_falls_with_it,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(text_is_as_long_as_it_says_whatever_stands_behind, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(put_replaces_every_cell_and_delete_takes_away, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(keep_leaves_what_is_there_and_adds_what_is_not, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(put_of_a_row_that_is_all_key_is_harmless, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(rows_of_a_batch_are_done_in_their_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fences_hold_before_the_batch_not_after_it, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_epoch_above_2_63_is_compared_by_its_bits, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(numbers_and_bytes_come_back_bit_by_bit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_prefix_gives_one_match_in_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bounds_are_included, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bounds_of_the_first_cell_and_bytes_in_their_order, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(who_has_enough_is_given_no_more, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_reader_sees_what_is_committed_and_nothing_else, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_checkpoint_changes_nothing_one_can_see, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(facts_are_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_older_store_is_brought_forward, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_newer_store_that_allows_it_is_used_by_the_program_before,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_newer_store_is_refused_with_a_sentence, set_up,
                                        tear_down),
    };
    kind = tested;
    return cmocka_run_group_tests_name(tested->name, tests, NULL, NULL);
}
