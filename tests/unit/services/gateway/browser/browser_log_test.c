/* browser_log_test.c: many logs in one ring: in order, never anybody else's, and gone when it is too late. */
#include "services/gateway/browser/browser_log.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <string.h>

#define CAPACITY 4096u
#define LOGS 4u

static _Alignas(8) uint8_t memory[CAPACITY];
static struct browser_log  places[LOGS];
static struct browser_logs logs;

static int an_empty_ring(void **unused)
{
    (void) unused;
    memset(memory, 0xee, sizeof memory);
    browser_logs_init(&logs, memory, CAPACITY, places, LOGS);
    return 0;
}

static void put(uint32_t log, const char *text)
{
    const struct browser_facts facts = { .act = 0 };
    assert_true(browser_log_put(&logs, log, &facts, (const uint8_t *) text, strlen(text)));
}

static void reads(struct browser_cursor *cursor, const char *text)
{
    struct browser_record record;
    assert_int_equal(browser_cursor_read(&logs, cursor, &record), BROWSER_READ);
    assert_int_equal(record.size, strlen(text));
    assert_memory_equal(record.bytes, text, record.size);
    browser_cursor_pass(cursor, &record);
}

static void reads_nothing(struct browser_cursor *cursor, enum browser_read why)
{
    struct browser_record record;
    assert_int_equal(browser_cursor_read(&logs, cursor, &record), why);
}

static void readers_of_one_log_read_all_of_it_each_at_his_place(void **unused)
{
    (void) unused;
    uint32_t              log = browser_log_open(&logs), other = browser_log_open(&logs);
    struct browser_cursor first = browser_cursor_behind(&logs, log, 0), second = first;
    reads_nothing(&first, BROWSER_AT_END);
    put(log, "one");
    put(other, "another's");
    put(log, "two");
    reads(&first, "one");
    reads(&first, "two");
    reads_nothing(&first, BROWSER_AT_END);
    put(log, "three");
    reads(&second, "one");
    reads(&first, "three");
    reads(&second, "two");
    reads(&second, "three");
    struct browser_cursor later = browser_cursor_behind(&logs, log, 2);
    reads(&later, "three");
    assert_int_equal(logs.logs[log].last_number, 3);
}

static void who_is_too_slow_is_told_so_and_memory_stays(void **unused)
{
    (void) unused;
    uint32_t              log = browser_log_open(&logs), noisy = browser_log_open(&logs);
    struct browser_cursor slow = browser_cursor_behind(&logs, log, 0);
    put(log, "one");
    struct browser_cursor end = browser_cursor_behind(&logs, log, 1);
    for (uint32_t i = 0; i < 100; i++)
        put(noisy, "a hundred times so much that the ring goes round and round again and again");
    reads_nothing(&slow, BROWSER_NOT_KEPT);
    reads_nothing(&end, BROWSER_AT_END);
    put(log, "two");
    reads(&end, "two");
    assert_true(logs.end - logs.begin <= CAPACITY);
    assert_int_equal(logs.logs[log].first_number, 2);
}

static void a_place_used_again_is_another_log(void **unused)
{
    (void) unused;
    uint32_t              log = browser_log_open(&logs);
    struct browser_cursor reader = browser_cursor_behind(&logs, log, 0);
    put(log, "the first one's");
    browser_log_close(&logs, log);
    assert_int_equal(browser_log_open(&logs), log);
    put(log, "the second one's");
    reads_nothing(&reader, BROWSER_NOT_KEPT);
    for (uint32_t i = 0; i < 100; i++) /* What is forgotten is not taken from the second one. */
        put(log, "a hundred times so much that the ring goes round and round again and again");
    assert_int_equal(logs.logs[log].last_number, 101);
}

static void what_is_larger_than_a_quarter_is_refused(void **unused)
{
    (void) unused;
    static uint8_t             large[CAPACITY];
    const struct browser_facts facts = { .act = 0 };
    uint32_t                   log = browser_log_open(&logs);
    assert_false(browser_log_put(&logs, log, &facts, large, CAPACITY / 4));
    assert_true(browser_log_put(&logs, log, &facts, large, CAPACITY / 8));
    assert_int_equal(logs.logs[log].last_number, 1);
}

/* A record says of itself which log's it is and which number it has, so a reader can tell. */
static void whatever_the_sizes_a_reader_reads_what_is_his_next_or_hears_that_it_is_gone(
    void **unused)
{
    (void) unused;
    struct browser_cursor reader[LOGS];
    uint64_t              random = 88172645463325252ull, read = 0, gone = 0;
    for (uint32_t i = 0; i < LOGS; i++)
        reader[i] = browser_cursor_behind(&logs, browser_log_open(&logs), 0);
    for (uint32_t i = 0; i < 20000; i++) {
        uint8_t               bytes[700] = { 0 };
        struct browser_facts  facts = { .act = 0 };
        struct browser_record record;
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        uint32_t log = (uint32_t) (random >> 8) % LOGS, who = (uint32_t) (random >> 40) % LOGS;
        uint64_t number = logs.logs[log].last_number + 1;
        bytes[0] = (uint8_t) log;
        memcpy(bytes + 1, &number, sizeof number);
        assert_true(browser_log_put(&logs, log, &facts, bytes, 16 + random % 600));
        for (enum browser_read is = BROWSER_READ; is == BROWSER_READ && random % 3 == 0;) {
            is = browser_cursor_read(&logs, &reader[who], &record);
            if (is == BROWSER_READ) {
                assert_int_equal(record.bytes[0], who);
                memcpy(&number, record.bytes + 1, sizeof number);
                assert_int_equal(number, reader[who].next);
                assert_int_equal(number, record.number);
                browser_cursor_pass(&reader[who], &record);
                read++;
            } else if (is == BROWSER_NOT_KEPT) {
                assert_true(reader[who].next < logs.logs[who].first_number);
                reader[who] = browser_cursor_behind(&logs, who, logs.logs[who].last_number);
                gone++;
            }
        }
    }
    assert_true(read > 2000 && gone > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(readers_of_one_log_read_all_of_it_each_at_his_place, an_empty_ring),
        cmocka_unit_test_setup(who_is_too_slow_is_told_so_and_memory_stays, an_empty_ring),
        cmocka_unit_test_setup(a_place_used_again_is_another_log, an_empty_ring),
        cmocka_unit_test_setup(what_is_larger_than_a_quarter_is_refused, an_empty_ring),
        cmocka_unit_test_setup(
            whatever_the_sizes_a_reader_reads_what_is_his_next_or_hears_that_it_is_gone,
            an_empty_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
