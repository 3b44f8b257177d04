/* kinds_test.c: dice by name, and dice kept as bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "dice/kinds.h"

static void a_seed_opens_only_open_dice(void **unused)
{
    (void) unused;
    struct dice dice;
    assert_true(dice_open(&dice, "java", 7));
    assert_string_equal(dice.kind->name, "java");
    assert_true(dice_open(&dice, "splitmix", 7));
    assert_string_equal(dice.kind->name, "splitmix");
    assert_false(dice_open(&dice, "chacha", 7)); /* Its key is made, not chosen. */
    assert_false(dice_open(&dice, "Java", 7));
    assert_false(dice_open(&dice, "", 7));
}

static void a_kind_is_found_by_its_name(void **unused)
{
    (void) unused;
    assert_ptr_equal(dice_kind_find("java"), &dice_kind_java);
    assert_ptr_equal(dice_kind_find("splitmix"), &dice_kind_splitmix);
    assert_ptr_equal(dice_kind_find("chacha"), &dice_kind_chacha);
    assert_null(dice_kind_find("fair"));
}

static void goes_on_after_a_snapshot(struct dice *dice)
{
    struct dice loaded;
    uint8_t     bytes[DICE_SAVED_BYTES];

    for (uint32_t i = 0; i < 9; i++)
        dice_bits(dice, 31);
    dice_u64(dice, 0);
    dice_save(dice, bytes);
    memset(&loaded, 0xa5, sizeof loaded);
    assert_true(dice_load(&loaded, bytes));
    assert_memory_equal(&loaded, dice, sizeof loaded);
    assert_int_equal(loaded.draws, 10);
    for (uint32_t i = 0; i < 40; i++)
        assert_true(dice_u64(&loaded, i % 2) == dice_u64(dice, i % 2));
}

static void saved_dice_go_on_where_they_were(void **unused)
{
    (void) unused;
    struct dice dice;
    uint8_t     key[DICE_KEY_BYTES] = { 1, 2, 3 };

    dice_java(&dice, 5);
    goes_on_after_a_snapshot(&dice);
    dice_splitmix(&dice, 5);
    goes_on_after_a_snapshot(&dice);
    dice_chacha(&dice, key);
    goes_on_after_a_snapshot(&dice);
}

/* The layout of a snapshot must not depend on the machine that wrote it. */
static void the_bytes_are_the_same_everywhere(void **unused)
{
    (void) unused;
    struct dice dice;
    uint8_t     bytes[DICE_SAVED_BYTES];
    uint8_t     expected[DICE_SAVED_BYTES] = "splitmix";

    dice_splitmix(&dice, UINT64_C(0x0102030405060708));
    dice.draws = 3;
    dice_save(&dice, bytes);
    expected[16] = 3;
    for (uint8_t i = 0; i < 8; i++) {
        expected[24 + i] = (uint8_t) (8 - i);
        expected[32 + i] = (uint8_t) ((uint8_t) (8 - i) ^ "ortcejbo"[i]);
    }
    assert_memory_equal(bytes, expected, sizeof bytes);
}

static void bytes_that_name_no_kind_are_refused(void **unused)
{
    (void) unused;
    struct dice dice;
    uint8_t     bytes[DICE_SAVED_BYTES];

    dice_java(&dice, 5);
    dice_save(&dice, bytes);
    bytes[4] = '2';
    assert_false(dice_load(&dice, bytes));
    memset(bytes, 'j', sizeof bytes); /* A name that never ends. */
    assert_false(dice_load(&dice, bytes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seed_opens_only_open_dice),
        cmocka_unit_test(a_kind_is_found_by_its_name),
        cmocka_unit_test(saved_dice_go_on_where_they_were),
        cmocka_unit_test(the_bytes_are_the_same_everywhere),
        cmocka_unit_test(bytes_that_name_no_kind_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
