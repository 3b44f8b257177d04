/* client_caller_test.c: bytes for hosted dice that the caller of the core makes itself, as a gateway relays a page's. */
#include "common/client/client_round.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <string.h>

#include "wire/crypto.h"

#define DICE_TEST(name) cmocka_unit_test_setup_teardown(name, round_open, round_close)

/* The same by a caller that makes its own bytes. */
static const struct client_dice *begin_by_caller(void)
{
    round_attach(1, ARBITER__ENGINE__DICE_ROUND__STEP__STEP_HASHES);
    assert_null(client_core_dice(world.core, world.match_id, OUR_SEAT));
    client_core_dice_by_caller(world.core, world.match_id, OUR_SEAT, true);
    scene_history(&world, FANOUT, 1, 1, 1);
    scene_told(&world, CLIENT_DICE_WANTED);
    round_expect_nothing();
    const struct client_dice *seen = client_core_dice(world.core, world.match_id, OUR_SEAT);
    assert_int_equal(seen->wanted, CLIENT_WANTS_HASH);
    assert_int_equal(seen->seats, 1u | 1u << OUR_SEAT);
    return seen;
}

static bool contribute(const void *bytes, size_t size)
{
    bool is_taken = client_core_contribute(world.core, world.match_id, OUR_SEAT, bytes, size,
                                           world.now_ms, &world.out);
    scene_wait(&world, 0);
    return is_taken;
}

static void make_own(uint8_t bytes[16])
{
    const struct piece piece = { bytes, 16 };
    memset(bytes, 0x42, 16);
    crypto_sodium.hash(hash, &piece, 1);
}

static void a_caller_may_make_the_bytes_itself(void **unused)
{
    (void) unused;
    uint8_t                   other[32] = { 3 }, own[16], posted[32];
    const struct client_dice *seen = begin_by_caller();
    make_own(own);
    memcpy(posted, hash, sizeof posted);
    assert_false(contribute(own, sizeof own)); /* Not before the hashes. */
    assert_true(contribute(hash, sizeof hash));
    assert_false(contribute(hash, sizeof hash)); /* Somebody was first. */
    round_expect_hash();
    assert_memory_equal(hash, posted, sizeof hash);
    struct sent mine = said;
    round_hear_posted(2, OUR_SEAT, hash);
    scene_reply(&world, &mine, true, 2);
    assert_false(contribute(own, sizeof own));
    round_hear_posted(3, 0, other);
    scene_told(&world, CLIENT_DICE_WANTED);
    assert_int_equal(seen->wanted, CLIENT_WANTS_BYTES);
    assert_memory_equal(seen->hash[0], other, sizeof other);
    round_expect_nothing();
    assert_false(contribute(other, 16)); /* They are not what the hash was of. */
    assert_true(contribute(own, sizeof own));
    round_expect_reveal();
    assert_memory_equal(ours, own, sizeof ours);
    mine = said;
    round_hear_revealed(4, OUR_SEAT, ours);
    scene_told(&world, CLIENT_DICE);
    scene_reply(&world, &mine, true, 4);
    round_hear_shown(5, 0x77, 0xd1);
    scene_told(&world, CLIENT_OVER);
    assert_int_equal(world.event.proof,
                     CLIENT_PROOF_SEALS | CLIENT_PROOF_DICE | CLIENT_PROOF_OWN_BYTES);
}

static void for_a_caller_that_is_away_nobody_contributes(void **unused)
{
    (void) unused;
    Arbiter__Stream__SeatSilent silent = ARBITER__STREAM__SEAT_SILENT__INIT;
    begin_by_caller();
    scene_wait(&world, 60000);
    round_expect_nothing();
    silent.has_seat = true;
    silent.seat = OUR_SEAT;
    house.kind_case = ARBITER__STREAM__HOUSE_EVENT__KIND_SEAT_SILENT;
    house.seat_silent = &silent;
    round_hear(2);
    scene_told_nothing(&world); /* No fault of the house. */
    assert_false(contribute(hash, sizeof hash));
    round_hear_shown(3, 0x77, 0xd1);
    scene_told(&world, CLIENT_OVER);
    assert_int_equal(world.event.proof, CLIENT_PROOF_SEALS | CLIENT_PROOF_DICE);
}

static void a_caller_that_came_back_is_asked_for_the_bytes_of_its_hash(void **unused)
{
    (void) unused;
    uint8_t other[32] = { 3 }, own[16];
    make_own(own);
    round_make_posted(2, OUR_SEAT, hash);
    round_make_posted(3, 0, other);
    round_attach(3, ARBITER__ENGINE__DICE_ROUND__STEP__STEP_REVEALS);
    client_core_dice_by_caller(world.core, world.match_id, OUR_SEAT, true);
    scene_history(&world, FANOUT, 1, 2, 3);
    scene_told_nothing(&world); /* The engine says that all are there; the acts do not yet. */
    scene_history(&world, FANOUT, 3, 3, 3);
    scene_told(&world, CLIENT_DICE_WANTED);
    assert_true(contribute(own, sizeof own));
    round_expect_reveal();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        DICE_TEST(a_caller_may_make_the_bytes_itself),
        DICE_TEST(for_a_caller_that_is_away_nobody_contributes),
        DICE_TEST(a_caller_that_came_back_is_asked_for_the_bytes_of_its_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
