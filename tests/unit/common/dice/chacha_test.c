/* chacha_test.c: the hosted dice against key streams made by another ChaCha20 (OpenSSL's).
 *
 * The key is the bytes 0, 1, ... 31; the vectors are words of the key streams with nonce 0 and 1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dice/kinds.h"

static void open_dice(struct dice *dice)
{
    uint8_t key[DICE_KEY_BYTES];
    for (uint32_t i = 0; i < DICE_KEY_BYTES; i++)
        key[i] = (uint8_t) i;
    dice_chacha(dice, key);
}

static void each_stream_is_a_key_stream(void **unused)
{
    (void) unused;
    struct dice dice;
    open_dice(&dice);
    assert_true(dice_u64(&dice, 0) == UINT64_C(0x6a19c5d97d2bfd39));
    assert_true(dice_u64(&dice, 1) == UINT64_C(0x898e805002f1a42f));
    assert_true(dice_u64(&dice, 0) == UINT64_C(0x494adcb87703bd8d));
    assert_true(dice_u64(&dice, 1) == UINT64_C(0xe06edf0fe53152a2));
}

static void bits_are_the_high_ones_of_words_of_the_play_stream(void **unused)
{
    (void) unused;
    struct dice dice;
    open_dice(&dice);
    assert_int_equal(dice_bits(&dice, 32), 0x02f1a42f);
    assert_int_equal(dice_bits(&dice, 8), 0x89);
    assert_int_equal(dice_bits(&dice, 1), 1);
    assert_int_equal(dice_bits(&dice, 31), 0xe06edf0fu >> 1);
}

/* Words 15, 16 and 39: over the edge of the first block and into the third. */
static void a_stream_goes_on_over_its_blocks(void **unused)
{
    (void) unused;
    struct dice dice;
    open_dice(&dice);
    for (uint32_t i = 0; i < 15; i++)
        dice_bits(&dice, 32);
    assert_true(dice_u64(&dice, 1) == UINT64_C(0x5ff3579f09fa046f));
    for (uint32_t i = 17; i < 39; i++)
        dice_bits(&dice, 32);
    assert_int_equal(dice_bits(&dice, 32), 0x26f6adec);
}

static void another_key_gives_other_dice(void **unused)
{
    (void) unused;
    struct dice dice, other;
    uint8_t     key[DICE_KEY_BYTES] = { 0 };
    open_dice(&dice);
    dice_chacha(&other, key);
    assert_true(dice_u64(&dice, 0) != dice_u64(&other, 0));
}

static void the_key_can_be_asked_for_however_often_was_drawn(void **unused)
{
    (void) unused;
    struct dice dice;
    uint8_t     key[DICE_KEY_BYTES];
    open_dice(&dice);
    for (uint32_t i = 0; i < 100; i++)
        (void) dice_bits(&dice, 7);
    dice_chacha_key(&dice, key);
    for (uint32_t i = 0; i < DICE_KEY_BYTES; i++)
        assert_int_equal(key[i], i);
}

/* An engine undoes a refused batch by copying the dice back. */
static void a_copy_taken_anywhere_goes_on_alike(void **unused)
{
    (void) unused;
    struct dice dice;
    open_dice(&dice);
    for (uint32_t i = 0; i < 100; i++) {
        struct dice copy = dice;
        assert_int_equal(dice_bits(&dice, 32), dice_bits(&copy, 32));
        assert_true(dice_u64(&dice, i % 2) == dice_u64(&copy, i % 2));
        assert_memory_equal(&dice, &copy, sizeof dice);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_stream_is_a_key_stream),
        cmocka_unit_test(bits_are_the_high_ones_of_words_of_the_play_stream),
        cmocka_unit_test(a_stream_goes_on_over_its_blocks),
        cmocka_unit_test(another_key_gives_other_dice),
        cmocka_unit_test(the_key_can_be_asked_for_however_often_was_drawn),
        cmocka_unit_test(a_copy_taken_anywhere_goes_on_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
