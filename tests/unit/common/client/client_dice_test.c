/* client_dice_test.c: our contribution is made, posted, revealed and found again; lies are found out. */
#include "common/client/client_round.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <string.h>

#include "wire/crypto.h"

#define DICE_TEST(name) cmocka_unit_test_setup_teardown(name, round_open, round_close)

static void hash_first_then_bytes_then_proof(void **unused)
{
    (void) unused;
    uint8_t other[32] = { 3 };
    round_begin();
    round_expect_hash();
    struct sent mine = said;
    round_hear_posted(2, OUR_SEAT, hash);
    scene_reply(&world, &mine, true, 2);
    scene_wait(&world, 1000);
    round_expect_nothing(); /* Not before all hashes are acts. */
    round_hear_posted(3, 0, other);
    round_expect_reveal();
    mine = said;
    round_hear_revealed(4, OUR_SEAT, ours);
    scene_told(&world, CLIENT_DICE);
    assert_int_equal(world.event.number, 4);
    scene_reply(&world, &mine, true, 4);
    round_hear_revealed(5, 0, other);
    round_hear_shown(6, 0x77, 0xd1);
    scene_told(&world, CLIENT_OVER);
    assert_int_equal(world.event.proof,
                     CLIENT_PROOF_SEALS | CLIENT_PROOF_DICE | CLIENT_PROOF_OWN_BYTES);
    scene_told_nothing(&world);
    round_expect_nothing();
}

static void who_starts_again_still_knows_its_bytes(void **unused)
{
    (void) unused;
    uint8_t first[32];
    round_begin();
    round_expect_hash();
    memcpy(first, hash, sizeof first);
    scene_close(&world);
    round_open(NULL);
    round_begin();
    round_expect_hash();
    assert_memory_equal(first, hash, sizeof first);
}

static void the_bytes_of_another_match_are_others(void **unused)
{
    (void) unused;
    uint8_t first[32];
    round_begin();
    round_expect_hash();
    memcpy(first, hash, sizeof first);
    world.match_id[0] ^= 1;
    round_begin();
    round_expect_hash();
    assert_memory_not_equal(first, hash, sizeof first);
}

static void the_bytes_for_another_commitment_are_others(void **unused)
{
    (void) unused;
    uint8_t first[32];
    round_begin();
    round_expect_hash();
    memcpy(first, hash, sizeof first);
    scene_close(&world);
    round_open(NULL); /* An aborted match's id, used again. */
    world.house = 0xd2;
    round_make_committed(1, 0xd2);
    round_begin();
    round_expect_hash();
    assert_memory_not_equal(first, hash, sizeof first);
}

/* What builds of before posted for this match and seat. */
static void make_posted_before(uint64_t number)
{
    static const char  label[] = "arbiter contribution";
    uint8_t            seat[4] = { 0, 0, 0, OUR_SEAT }, bytes[16], secret[32];
    const struct piece pieces[] = { { label, sizeof label - 1 },
                                    { world.match_id, sizeof world.match_id },
                                    { seat, sizeof seat } };
    memset(secret, SCENE_SECRET, sizeof secret);
    crypto_sodium.keyed(bytes, sizeof bytes, secret, pieces, 3);
    const struct piece piece = { bytes, sizeof bytes };
    crypto_sodium.hash(hash, &piece, 1);
    round_make_posted(number, OUR_SEAT, hash);
}

static void a_round_that_a_build_of_before_began_is_played_to_its_end(void **unused)
{
    (void) unused;
    uint8_t other[32] = { 3 };
    make_posted_before(2);
    round_make_posted(3, 0, other);
    round_attach(3, ARBITER__ENGINE__DICE_ROUND__STEP__STEP_REVEALS);
    scene_history(&world, FANOUT, 1, 3, 3);
    round_expect_reveal();
    round_hear_revealed(4, OUR_SEAT, ours);
    scene_told(&world, CLIENT_DICE);
}

static void make_our_own(void *own, const uint8_t *match_id, uint32_t seat,
                         const uint8_t *commitment, uint8_t *bytes)
{
    (void) own;
    memset(bytes, 0x21, CLIENT_DICE_BYTES);
    bytes[0] = match_id[0];
    bytes[1] = (uint8_t) seat;
    bytes[2] = commitment[0];
}

static void who_makes_the_bytes_itself_reveals_those(void **unused)
{
    uint8_t other[32] = { 3 }, expected[16];
    (void) unused;
    scene_close(&world);
    scene_own_bytes = make_our_own;
    round_open(NULL);
    scene_own_bytes = NULL;
    round_begin();
    round_expect_hash();
    round_hear_posted(2, OUR_SEAT, hash);
    round_accept(2);
    round_hear_posted(3, 0, other);
    round_expect_reveal();
    struct sent        mine = said;
    uint8_t            secret[32] = { 0xd1 }, commitment[32];
    const struct piece piece = { secret, sizeof secret };
    crypto_sodium.hash(commitment, &piece, 1);
    make_our_own(NULL, world.match_id, OUR_SEAT, commitment, expected);
    assert_memory_equal(ours, expected, sizeof expected);
    round_hear_revealed(4, OUR_SEAT, ours);
    scene_told(&world, CLIENT_DICE);
    scene_reply(&world, &mine, true, 4);
    round_hear_shown(5, 0x77, 0xd1);
    scene_told(&world, CLIENT_OVER);
    assert_true((world.event.proof & CLIENT_PROOF_OWN_BYTES) != 0);
}

/* The header names both seats: what it says of the other one, and of ours. */
static void begin_named(uint32_t other, uint32_t ours_is)
{
    world.has_origins = true;
    world.origin[0] = other;
    world.origin[1] = ours_is;
    round_begin();
}

static void a_header_that_says_the_truth_of_us_is_no_fault(void **unused)
{
    (void) unused;
    begin_named(ARBITER__WIRE__ORIGIN__ORIGIN_GATEWAY, ARBITER__WIRE__ORIGIN__ORIGIN_OWN);
    round_expect_hash();
    scene_told_nothing(&world);
}

static void a_header_that_says_our_bytes_are_another_ones_is_false(void **unused)
{
    (void) unused;
    begin_named(ARBITER__WIRE__ORIGIN__ORIGIN_OWN, ARBITER__WIRE__ORIGIN__ORIGIN_GATEWAY);
    scene_told(&world, CLIENT_FAULT);
    assert_int_equal(world.event.fault, CLIENT_FAULT_DICE);
    round_expect_nothing();
}

static void a_header_that_leaves_us_out_is_false(void **unused)
{
    (void) unused;
    begin_named(ARBITER__WIRE__ORIGIN__ORIGIN_OWN, 0);
    scene_told(&world, CLIENT_FAULT);
    assert_int_equal(world.event.fault, CLIENT_FAULT_DICE);
}

/* The round names two seats, and the header only ours: somebody else's bytes would count for nothing. */
static void a_round_of_others_than_the_header_names_is_found_out(void **unused)
{
    (void) unused;
    begin_named(0, ARBITER__WIRE__ORIGIN__ORIGIN_OWN);
    scene_told(&world, CLIENT_FAULT);
    assert_int_equal(world.event.fault, CLIENT_FAULT_DICE);
    round_expect_nothing();
}

static void who_took_a_seat_over_is_not_meant_by_the_header(void **unused)
{
    (void) unused;
    world.generation = 2;
    begin_named(ARBITER__WIRE__ORIGIN__ORIGIN_OWN, ARBITER__WIRE__ORIGIN__ORIGIN_GATEWAY);
    scene_told_nothing(&world);
}

static void other_bytes_put_in_for_us_are_found_out(void **unused)
{
    (void) unused;
    uint8_t forged[16] = { 1 };
    round_begin();
    round_expect_hash();
    round_hear_posted(2, OUR_SEAT, hash);
    round_accept(2);
    round_hear_revealed(3, OUR_SEAT, forged);
    scene_told(&world, CLIENT_FAULT);
    assert_int_equal(world.event.fault, CLIENT_FAULT_DICE);
}

static void another_hash_posted_for_us_is_found_out(void **unused)
{
    (void) unused;
    uint8_t forged[32] = { 1 };
    round_begin();
    round_hear_posted(2, OUR_SEAT, forged);
    scene_told(&world, CLIENT_FAULT);
    assert_int_equal(world.event.fault, CLIENT_FAULT_DICE);
}

static void secrets_that_are_others_are_found_out(void **unused)
{
    (void) unused;
    round_begin();
    round_hear_shown(2, 0x78, 0xd1);
    scene_told(&world, CLIENT_FAULT);
    assert_int_equal(world.event.fault, CLIENT_FAULT_SECRETS);
    round_expect_hash();
    scene_refuse(&world, &said, REFUSAL(ATTACH_AGAIN), 0);
    scene_told(&world, CLIENT_OVER);
    assert_int_equal(world.event.proof, CLIENT_PROOF_DICE);
}

static void a_dice_secret_that_is_another_is_found_out(void **unused)
{
    (void) unused;
    round_begin();
    round_expect_hash();
    round_hear_shown(2, 0x77, 0xd2);
    scene_told(&world, CLIENT_FAULT);
    scene_refuse(&world, &said, REFUSAL(ATTACH_AGAIN), 0);
    scene_told(&world, CLIENT_OVER);
    assert_int_equal(world.event.proof, CLIENT_PROOF_SEALS);
}

/* The hash that this client posts in this match, as it was posted before it was started again. */
static void post_and_start_again(void)
{
    uint8_t posted[32];
    round_begin();
    round_expect_hash();
    memcpy(posted, hash, sizeof posted);
    scene_close(&world);
    round_open(NULL);
    memcpy(hash, posted, sizeof hash);
    round_make_posted(2, OUR_SEAT, hash);
}

static void an_engine_that_wants_bytes_before_any_hash_gets_a_hash(void **unused)
{
    (void) unused;
    round_attach(1, ARBITER__ENGINE__DICE_ROUND__STEP__STEP_REVEALS);
    scene_wait(&world, 30000);
    round_expect_nothing();
    scene_history(&world, FANOUT, 1, 1, 1);
    round_expect_hash();
    round_accept(2);
    round_hear_posted(2, OUR_SEAT, hash);
    scene_wait(&world, 30000);
    round_expect_nothing(); /* The other seat's hash is no act. */
}

static void who_comes_back_reveals_only_when_the_acts_have_every_hash(void **unused)
{
    (void) unused;
    uint8_t other[32] = { 3 };
    post_and_start_again();
    round_attach(2, ARBITER__ENGINE__DICE_ROUND__STEP__STEP_REVEALS);
    scene_history(&world, FANOUT, 1, 2, 2);
    scene_wait(&world, 30000);
    round_expect_nothing(); /* The engine says that all are there. It lies. */
    scene_told_nothing(&world);
    round_hear_posted(3, 0, other);
    round_expect_reveal();
}

static void who_comes_back_fetches_the_hashes_and_reveals(void **unused)
{
    (void) unused;
    uint8_t other[32] = { 3 };
    post_and_start_again();
    round_make_posted(3, 0, other);
    round_attach(3, ARBITER__ENGINE__DICE_ROUND__STEP__STEP_REVEALS);
    scene_asked_history(&world, scene_our_fanout(&world), 1);
    scene_history(&world, FANOUT, 1, 2, 3);
    round_expect_nothing();
    scene_history(&world, FANOUT, 3, 3, 3);
    round_expect_reveal();
    scene_told_nothing(&world); /* Acts of before its time are not told. */
    round_hear_revealed(4, OUR_SEAT, ours);
}

static void acts_that_do_not_lead_to_the_engines_chain_bring_no_bytes(void **unused)
{
    (void) unused;
    uint8_t other[32] = { 3 }, forged[32] = { 4 };
    post_and_start_again();
    round_make_posted(3, 0, other);
    round_attach(3, ARBITER__ENGINE__DICE_ROUND__STEP__STEP_REVEALS);
    round_make_posted(3, 0, forged); /* A fanout's own. */
    scene_history(&world, FANOUT, 1, 3, 3);
    scene_told(&world, CLIENT_FAULT);
    assert_int_equal(world.event.fault, CLIENT_FAULT_FORK);
    round_expect_nothing();
}

static void a_house_that_binds_itself_twice_gets_no_bytes(void **unused)
{
    (void) unused;
    uint8_t other[32] = { 3 };
    round_begin();
    round_expect_hash();
    round_hear_posted(2, OUR_SEAT, hash);
    round_accept(2);
    round_make_committed(3, 0xd2);
    scene_publish(&world, FANOUT, 3);
    scene_told(&world, CLIENT_ACT);
    scene_told(&world, CLIENT_FAULT);
    assert_int_equal(world.event.fault, CLIENT_FAULT_DICE);
    round_hear_posted(4, 0, other);
    scene_wait(&world, 30000);
    round_expect_nothing();
}

/* It could choose its secret when it knows ours. The engine's word for a commitment is no act. */
static void a_house_that_opens_the_round_unbound_gets_nothing(void **unused)
{
    (void) unused;
    Arbiter__Stream__DiceCommitted event = ARBITER__STREAM__DICE_COMMITTED__INIT;
    uint32_t                       seats[] = { 0, OUR_SEAT };
    uint8_t                        other[32] = { 3 };
    event.seats = seats;
    event.n_seats = 2;
    house.kind_case = ARBITER__STREAM__HOUSE_EVENT__KIND_DICE_COMMITTED;
    house.dice_committed = &event;
    scene_make(&world, 1, 260, &house, NULL);
    round_attach(1, ARBITER__ENGINE__DICE_ROUND__STEP__STEP_HASHES);
    scene_history(&world, FANOUT, 1, 1, 1);
    scene_told(&world, CLIENT_FAULT);
    assert_int_equal(world.event.fault, CLIENT_FAULT_DICE);
    round_hear_posted(2, 0, other);
    scene_wait(&world, 30000);
    round_expect_nothing();
}

static void a_second_hash_of_a_seat_gets_no_bytes(void **unused)
{
    (void) unused;
    uint8_t first[32] = { 3 }, second[32] = { 4 };
    round_begin();
    round_expect_hash();
    struct sent mine = said;
    round_hear_posted(2, 0, first);
    round_hear_posted(3, 0, second);
    scene_told(&world, CLIENT_FAULT);
    assert_int_equal(world.event.fault, CLIENT_FAULT_DICE);
    round_hear_posted(4, OUR_SEAT, hash);
    scene_reply(&world, &mine, true, 4);
    round_expect_nothing();
}

static void who_watches_from_the_middle_of_the_round_finds_no_fault(void **unused)
{
    (void) unused;
    Arbiter__Engine__DiceRound round = ARBITER__ENGINE__DICE_ROUND__INIT;
    uint8_t                    first[32] = { 3 };
    client_core_attach(world.core, world.match_id, NO_SEAT, NULL, world.now_ms, &world.out);
    scene_wait(&world, 0);
    scene_attached(&world, ENGINE, NO_SEAT, 1, 0, 0, &round);
    scene_told(&world, CLIENT_ATTACHED);
    round_hear_posted(2, 0, first);
    round_expect_nothing();
    scene_told_nothing(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        DICE_TEST(hash_first_then_bytes_then_proof),
        DICE_TEST(who_starts_again_still_knows_its_bytes),
        DICE_TEST(the_bytes_of_another_match_are_others),
        DICE_TEST(the_bytes_for_another_commitment_are_others),
        DICE_TEST(a_round_that_a_build_of_before_began_is_played_to_its_end),
        DICE_TEST(who_makes_the_bytes_itself_reveals_those),
        DICE_TEST(a_header_that_says_the_truth_of_us_is_no_fault),
        DICE_TEST(a_header_that_says_our_bytes_are_another_ones_is_false),
        DICE_TEST(a_header_that_leaves_us_out_is_false),
        DICE_TEST(a_round_of_others_than_the_header_names_is_found_out),
        DICE_TEST(who_took_a_seat_over_is_not_meant_by_the_header),
        DICE_TEST(other_bytes_put_in_for_us_are_found_out),
        DICE_TEST(another_hash_posted_for_us_is_found_out),
        DICE_TEST(secrets_that_are_others_are_found_out),
        DICE_TEST(a_dice_secret_that_is_another_is_found_out),
        DICE_TEST(an_engine_that_wants_bytes_before_any_hash_gets_a_hash),
        DICE_TEST(who_comes_back_reveals_only_when_the_acts_have_every_hash),
        DICE_TEST(who_comes_back_fetches_the_hashes_and_reveals),
        DICE_TEST(acts_that_do_not_lead_to_the_engines_chain_bring_no_bytes),
        DICE_TEST(a_house_that_binds_itself_twice_gets_no_bytes),
        DICE_TEST(a_house_that_opens_the_round_unbound_gets_nothing),
        DICE_TEST(who_watches_from_the_middle_of_the_round_finds_no_fault),
        DICE_TEST(a_second_hash_of_a_seat_gets_no_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
