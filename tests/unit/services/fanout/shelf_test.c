/* shelf_test.c: what is put on the shelf is found as it was, and what goes first goes first. */
#include "services/fanout/shelf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BYTES (256u << 10)

static struct shelf *shelf;
static uint8_t       bytes[4096];

static int a_shelf(void **unused)
{
    (void) unused;
    void *memory = malloc(BYTES);
    memset(memory, 0xa5, BYTES);
    shelf = shelf_init(memory, BYTES);
    return 0;
}

static int done(void **unused)
{
    (void) unused;
    free(shelf);
    return 0;
}

static void put(uint64_t owner, uint64_t number, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        bytes[i] = (uint8_t) (owner * 31 + number * 7 + i);
    shelf_put(shelf, owner, number, bytes, size);
}

static bool is_there(uint64_t owner, uint64_t number, uint32_t size)
{
    uint8_t  found[4096];
    uint32_t act = shelf_find(shelf, owner, number);
    if (act == NO_ACT)
        return false;
    assert_int_equal(shelf_size(shelf, act), size);
    memset(found, 0, sizeof found);
    shelf_read(shelf, act, found);
    for (uint32_t i = 0; i < size; i++)
        assert_int_equal(found[i], (uint8_t) (owner * 31 + number * 7 + i));
    return true;
}

static void what_was_put_is_found_as_it_was(void **unused)
{
    (void) unused;
    static const uint32_t sizes[] = { 0, 1, 255, 256, 257, 511, 512, 513, 4096 };
    for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        put(i, i + 1, sizes[i]);
    for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        assert_true(is_there(i, i + 1, sizes[i]));
    assert_int_equal(shelf_find(shelf, 3, 3), NO_ACT);
}

static void what_is_there_stays_as_it_is(void **unused)
{
    (void) unused;
    put(1, 1, 100);
    memset(bytes, 0, sizeof bytes);
    shelf_put(shelf, 1, 1, bytes, 200);
    assert_true(is_there(1, 1, 100));
    assert_int_equal(shelf_facts(shelf).acts, 1);
}

static void the_one_not_touched_for_longest_goes_first(void **unused)
{
    (void) unused;
    for (uint64_t number = 1; number <= 100; number++)
        put(1, number, 1000);
    assert_int_equal(shelf_facts(shelf).evicted, 0);
    shelf_keep(shelf, shelf_find(shelf, 1, 1), false); /* Touched. */
    while (shelf_facts(shelf).evicted == 0)
        put(2, shelf_facts(shelf).acts, 1000);
    assert_true(is_there(1, 1, 1000));
    assert_false(is_there(1, 2, 1000));
    assert_true(is_there(1, 3, 1000));
}

static void kept_ones_go_last_of_all(void **unused)
{
    (void) unused;
    for (uint64_t number = 1; number <= 100; number++) {
        put(1, number, 1000);
        shelf_keep(shelf, shelf_find(shelf, 1, number), true);
    }
    for (uint64_t number = 1; number <= 5000; number++)
        put(2, number, 1000);
    for (uint64_t number = 1; number <= 100; number++)
        assert_true(is_there(1, number, 1000));
    assert_int_equal(shelf_facts(shelf).evicted_kept, 0);
    assert_int_equal(shelf_facts(shelf).kept, 100);
    for (uint64_t number = 101; shelf_facts(shelf).evicted_kept == 0; number++) {
        put(1, number, 1000);
        shelf_keep(shelf, shelf_find(shelf, 1, number), true);
    }
    assert_false(is_there(1, 1, 1000)); /* There was nothing else: the budget is too small. */
    assert_true(is_there(1, 2, 1000));
}

/* Random puts and touches against a table of what was put; nothing is lost but what the shelf says. */
static void nothing_is_lost_but_what_was_evicted(void **unused)
{
    (void) unused;
    static uint32_t sizes[16][64];
    uint64_t        luck = 7, there = 0;
    memset(sizes, 0, sizeof sizes);
    for (uint32_t i = 0; i < 20000; i++) {
        luck = luck * UINT64_C(6364136223846793005) + 1442695040888963407u;
        uint64_t owner = luck >> 60, number = luck >> 50 & 63;
        if (shelf_find(shelf, owner, number) == NO_ACT)
            sizes[owner][number] = (uint32_t) (luck >> 33 & 0xfff);
        put(owner, number, sizes[owner][number]);
        assert_true(is_there(owner, number, sizes[owner][number]));
        shelf_keep(shelf, shelf_find(shelf, owner, number), (luck >> 20 & 7) == 0);
    }
    for (uint64_t owner = 0; owner < 16; owner++)
        for (uint64_t number = 0; number < 64; number++)
            there += is_there(owner, number, sizes[owner][number]);
    assert_int_equal(there, shelf_facts(shelf).acts);
    assert_true(there > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define STORY(name) cmocka_unit_test_setup_teardown(name, a_shelf, done)
        STORY(what_was_put_is_found_as_it_was),
        STORY(what_is_there_stays_as_it_is),
        STORY(the_one_not_touched_for_longest_goes_first),
        STORY(kept_ones_go_last_of_all),
        STORY(nothing_is_lost_but_what_was_evicted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
