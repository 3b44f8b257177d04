/* commitment_test.c: contributions, and the key they make, against HMACs computed elsewhere.
 *
 * The secret is the bytes 0x40 to 0x5f, the match id 0 to 15, and seat s contributes sixteen times
 * s + 1. The expected digests are those of Python's hashlib and hmac. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sodium.h>
#include <string.h>

#include "dice/commitment.h"

static uint8_t              secret[SECRET_BYTES], match_id[MATCH_ID_BYTES], house[COMMITMENT_BYTES];
static uint8_t              bytes[3][CONTRIBUTION_BYTES], hash[3][COMMITMENT_BYTES];
static struct contributions table;

static int lay_the_table(void **unused)
{
    (void) unused;
    for (uint32_t i = 0; i < SECRET_BYTES; i++)
        secret[i] = (uint8_t) (0x40 + i);
    for (uint32_t i = 0; i < MATCH_ID_BYTES; i++)
        match_id[i] = (uint8_t) i;
    for (uint32_t seat = 0; seat < 3; seat++) {
        memset(bytes[seat], (int) seat + 1, CONTRIBUTION_BYTES);
        commit_bytes(bytes[seat], hash[seat]);
    }
    commit_secret(secret, house);
    contributions_open(&table, match_id, house, 0x7);
    return 0;
}

static void assert_hex(const uint8_t *digest, const char *expected)
{
    char hex[65];
    sodium_bin2hex(hex, sizeof hex, digest, 32);
    assert_string_equal(hex, expected);
}

static void assert_key(const char *expected)
{
    uint8_t key[DICE_KEY_BYTES];
    assert_true(contributions_done(&table));
    assert_true(contributions_key(&table, secret, key));
    assert_hex(key, expected);
}

static void post_all(void)
{
    for (uint32_t seat = 0; seat < 3; seat++)
        assert_true(contributions_post(&table, seat, hash[seat]));
}

static void commitments_are_plain_sha_256(void **unused)
{
    (void) unused;
    assert_hex(house, "ca2a4fe727faaecf16ecd130a86e0885c5540c05375340445071c0657555fd42");
    assert_hex(hash[0], "cc8cd41cef907c4d216069122c4b89936211361f9050a717a1e37ad1862e952f");
}

/* Revealed in any order, the bytes stand in seat order. */
static void everybody_contributes(void **unused)
{
    (void) unused;
    post_all();
    assert_true(contributions_reveal(&table, 2, bytes[2]));
    assert_true(contributions_reveal(&table, 0, bytes[0]));
    assert_false(contributions_done(&table));
    assert_true(contributions_reveal(&table, 1, bytes[1]));
    assert_key("67de0deef83808e15e15db9483b20dc410a609410783f23a4943e853e74d5c79");
}

static void who_does_not_post_contributes_nothing(void **unused)
{
    (void) unused;
    assert_true(contributions_post(&table, 0, hash[0]));
    assert_true(contributions_post(&table, 2, hash[2]));
    contributions_silent(&table, 0x2);
    assert_false(contributions_post(&table, 1, hash[1]));
    assert_false(contributions_reveal(&table, 1, bytes[1]));
    assert_true(contributions_reveal(&table, 0, bytes[0]));
    assert_true(contributions_reveal(&table, 2, bytes[2]));
    assert_key("fc76cbdd9716e11365ae0697cd6f555594f6a14de96a95c92a4c477bc8cc03a5");
}

static void who_does_not_reveal_contributes_nothing(void **unused)
{
    (void) unused;
    post_all();
    assert_true(contributions_reveal(&table, 2, bytes[2]));
    assert_true(contributions_reveal(&table, 0, bytes[0]));
    contributions_silent(&table, 0x2);
    assert_key("fc76cbdd9716e11365ae0697cd6f555594f6a14de96a95c92a4c477bc8cc03a5");
}

static void a_table_of_bots_has_the_house_alone(void **unused)
{
    (void) unused;
    contributions_open(&table, match_id, house, 0);
    assert_key("32016921836fc2278698ff5ca865e21008d14562e847646bc45f6297d05980f1");
}

static void bytes_must_fit_their_hash(void **unused)
{
    (void) unused;
    uint8_t other[CONTRIBUTION_BYTES];
    post_all();
    memcpy(other, bytes[0], sizeof other);
    other[15] ^= 1;
    struct contributions before = table;
    assert_false(contributions_reveal(&table, 0, other));
    assert_false(contributions_reveal(&table, 0, bytes[1]));
    assert_memory_equal(&table, &before, sizeof table);
    assert_true(contributions_reveal(&table, 0, bytes[0]));
}

/* Otherwise the last to post could choose, having seen the others' bytes. */
static void nobody_reveals_before_all_have_posted(void **unused)
{
    (void) unused;
    assert_true(contributions_post(&table, 0, hash[0]));
    assert_false(contributions_reveal(&table, 0, bytes[0]));
    assert_true(contributions_post(&table, 1, hash[1]));
    assert_true(contributions_post(&table, 2, hash[2]));
    assert_true(contributions_reveal(&table, 0, bytes[0]));
}

static void everybody_answers_once(void **unused)
{
    (void) unused;
    assert_true(contributions_post(&table, 0, hash[0]));
    assert_false(contributions_post(&table, 0, hash[1]));
    assert_false(contributions_post(&table, 3, hash[1]));
    assert_false(contributions_post(&table, 33, hash[1]));
    assert_false(contributions_post(&table, UINT32_MAX, hash[1]));
    assert_true(contributions_post(&table, 1, hash[1]));
    assert_true(contributions_post(&table, 2, hash[2]));
    assert_false(contributions_post(&table, 1, hash[1]));
    assert_true(contributions_reveal(&table, 0, bytes[0]));
    assert_false(contributions_reveal(&table, 0, bytes[0]));
}

static void another_secret_than_the_committed_one_is_seen(void **unused)
{
    (void) unused;
    uint8_t key[DICE_KEY_BYTES], other[SECRET_BYTES];
    contributions_open(&table, match_id, house, 0);
    memcpy(other, secret, sizeof other);
    other[31] ^= 0x80;
    assert_false(contributions_key(&table, other, key));
    assert_true(contributions_key(&table, secret, key));
}

static void there_is_no_key_before_the_end(void **unused)
{
    (void) unused;
    uint8_t key[DICE_KEY_BYTES];
    assert_false(contributions_key(&table, secret, key));
    post_all();
    assert_false(contributions_key(&table, secret, key));
    contributions_silent(&table, 0x7);
    assert_true(contributions_key(&table, secret, key));
}

static void a_client_sees_whether_its_bytes_are_in(void **unused)
{
    (void) unused;
    post_all();
    assert_false(contributions_hold(&table, 1, bytes[1]));
    assert_true(contributions_reveal(&table, 1, bytes[1]));
    assert_true(contributions_hold(&table, 1, bytes[1]));
    assert_false(contributions_hold(&table, 1, bytes[0]));
    assert_false(contributions_hold(&table, 16, bytes[1]));
}

int main(void)
{
#define TABLE_TEST(test) cmocka_unit_test_setup(test, lay_the_table)
    const struct CMUnitTest tests[] = {
        TABLE_TEST(commitments_are_plain_sha_256),
        TABLE_TEST(everybody_contributes),
        TABLE_TEST(who_does_not_post_contributes_nothing),
        TABLE_TEST(who_does_not_reveal_contributes_nothing),
        TABLE_TEST(a_table_of_bots_has_the_house_alone),
        TABLE_TEST(bytes_must_fit_their_hash),
        TABLE_TEST(nobody_reveals_before_all_have_posted),
        TABLE_TEST(everybody_answers_once),
        TABLE_TEST(another_secret_than_the_committed_one_is_seen),
        TABLE_TEST(there_is_no_key_before_the_end),
        TABLE_TEST(a_client_sees_whether_its_bytes_are_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
