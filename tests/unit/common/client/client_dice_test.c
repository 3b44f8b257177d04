/* client_dice_test.c: our contribution is made, posted, revealed and found again; lies are found out. */
#include "common/client/client_world.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <string.h>

#include "wire/crypto.h"

static struct scene                world;
static Arbiter__Stream__HouseEvent house;
static uint8_t                     hash[32], ours[16];
static struct sent                 said;

/* Makes act `number`: the house is bound to this secret, and both seats are asked. */
static void make_committed(uint64_t number, uint8_t dice)
{
    Arbiter__Stream__DiceCommitted event = ARBITER__STREAM__DICE_COMMITTED__INIT;
    uint8_t                        secret[32] = { dice }, commitment[32];
    uint32_t                       seats[] = { 0, OUR_SEAT };
    const struct piece             piece = { secret, sizeof secret };
    crypto_sodium.hash(commitment, &piece, 1);
    event.has_commitment = true;
    event.commitment = (ProtobufCBinaryData){ sizeof commitment, commitment };
    event.seats = seats;
    event.n_seats = 2;
    house.kind_case = ARBITER__STREAM__HOUSE_EVENT__KIND_DICE_COMMITTED;
    house.dice_committed = &event;
    scene_make(&world, number, 260, &house, NULL);
}

static int open_world(void **unused)
{
    (void) unused;
    scene_open(&world, CLIENT_QUEUE_BYTES_MIN);
    arbiter__stream__house_event__init(&house);
    world.house = 0xd1;
    make_committed(1, 0xd1);
    return 0;
}

static int close_world(void **unused)
{
    (void) unused;
    scene_close(&world);
    return 0;
}

static Arbiter__Engine__Command *expect_command(void)
{
    assert_int_equal(scene_sent(&world, KIND(COMMAND), &said), 1);
    return scene_body(&said, &arbiter__engine__command__descriptor);
}

static void expect_no_command(void)
{
    assert_int_equal(scene_sent(&world, KIND(COMMAND), &said), 0);
}

static void expect_hash(void)
{
    Arbiter__Engine__Command *command = expect_command();
    assert_int_equal(command->kind_case, ARBITER__ENGINE__COMMAND__KIND_HASH);
    assert_int_equal(command->hash.len, sizeof hash);
    memcpy(hash, command->hash.data, sizeof hash);
    protobuf_c_message_free_unpacked((ProtobufCMessage *) command, NULL);
}

static void expect_reveal(void)
{
    Arbiter__Engine__Command *command = expect_command();
    uint8_t                   again[32];
    assert_int_equal(command->kind_case, ARBITER__ENGINE__COMMAND__KIND_REVEAL);
    assert_int_equal(command->reveal.len, sizeof ours);
    memcpy(ours, command->reveal.data, sizeof ours);
    protobuf_c_message_free_unpacked((ProtobufCMessage *) command, NULL);
    const struct piece piece = { ours, sizeof ours };
    crypto_sodium.hash(again, &piece, 1);
    assert_memory_equal(again, hash, sizeof hash);
}

/* Publishes act `number` with a house event about a seat. */
static void hear(uint64_t number)
{
    scene_make(&world, number, 260, &house, NULL);
    scene_publish(&world, FANOUT, number);
    scene_told(&world, CLIENT_ACT);
}

static void make_posted(uint64_t number, uint32_t seat, uint8_t *posted)
{
    Arbiter__Stream__HashPosted event = ARBITER__STREAM__HASH_POSTED__INIT;
    event.has_seat = event.has_hash = true;
    event.seat = seat;
    event.hash = (ProtobufCBinaryData){ 32, posted };
    house.kind_case = ARBITER__STREAM__HOUSE_EVENT__KIND_HASH_POSTED;
    house.hash_posted = &event;
    scene_make(&world, number, 260, &house, NULL);
}

static void hear_posted(uint64_t number, uint32_t seat, uint8_t *posted)
{
    make_posted(number, seat, posted);
    scene_publish(&world, FANOUT, number);
    scene_told(&world, CLIENT_ACT);
}

static void hear_revealed(uint64_t number, uint32_t seat, uint8_t *bytes)
{
    Arbiter__Stream__BytesRevealed event = ARBITER__STREAM__BYTES_REVEALED__INIT;
    event.has_seat = event.has_revealed = true;
    event.seat = seat;
    event.revealed = (ProtobufCBinaryData){ 16, bytes };
    house.kind_case = ARBITER__STREAM__HOUSE_EVENT__KIND_BYTES_REVEALED;
    house.bytes_revealed = &event;
    hear(number);
}

static void hear_shown(uint64_t number, uint8_t seal, uint8_t dice)
{
    Arbiter__Stream__SecretsShown event = ARBITER__STREAM__SECRETS_SHOWN__INIT;
    uint8_t                       secret[32] = { dice }, sealing[32];
    memset(sealing, seal, sizeof sealing);
    event.has_sealing_secret = event.has_dice_secret = true;
    event.sealing_secret = (ProtobufCBinaryData){ 32, sealing };
    event.dice_secret = (ProtobufCBinaryData){ 32, secret };
    house.kind_case = ARBITER__STREAM__HOUSE_EVENT__KIND_SECRETS_SHOWN;
    house.secrets_shown = &event;
    hear(number);
}

/* Attaches at act `number`; the engine says that this is awaited of both seats, whatever the acts say. */
static void attach(uint64_t number, uint32_t step)
{
    Arbiter__Engine__DiceRound round = ARBITER__ENGINE__DICE_ROUND__INIT;
    uint32_t                   awaited[] = { 0, OUR_SEAT };
    round.has_step = true;
    round.step = step;
    round.awaited = awaited;
    round.n_awaited = 2;
    client_core_attach(world.core, world.match_id, OUR_SEAT, NULL, world.now_ms, &world.out);
    scene_wait(&world, 0);
    scene_attached(&world, ENGINE, OUR_SEAT, number, 9, 0, &round);
    scene_told(&world, CLIENT_ATTACHED);
    expect_no_command(); /* Nothing was seen yet. */
}

/* Attaches while the hashes of both seats are awaited, and hears that as an act. */
static void begin(void)
{
    attach(1, ARBITER__ENGINE__DICE_ROUND__STEP__STEP_HASHES);
    scene_history(&world, FANOUT, 1, 1, 1);
}

static void accept(uint64_t number)
{
    scene_reply(&world, &said, true, number);
}

static void hash_first_then_bytes_then_proof(void **unused)
{
    (void) unused;
    uint8_t other[32] = { 3 };
    begin();
    expect_hash();
    struct sent mine = said;
    hear_posted(2, OUR_SEAT, hash);
    scene_reply(&world, &mine, true, 2);
    scene_wait(&world, 1000);
    expect_no_command(); /* Not before all hashes are acts. */
    hear_posted(3, 0, other);
    expect_reveal();
    mine = said;
    hear_revealed(4, OUR_SEAT, ours);
    scene_told(&world, CLIENT_DICE);
    assert_int_equal(world.event.number, 4);
    scene_reply(&world, &mine, true, 4);
    hear_revealed(5, 0, other);
    hear_shown(6, 0x77, 0xd1);
    scene_told(&world, CLIENT_OVER);
    assert_int_equal(world.event.proof,
                     CLIENT_PROOF_SEALS | CLIENT_PROOF_DICE | CLIENT_PROOF_OWN_BYTES);
    scene_told_nothing(&world);
    expect_no_command();
}

static void who_starts_again_still_knows_its_bytes(void **unused)
{
    (void) unused;
    uint8_t first[32];
    begin();
    expect_hash();
    memcpy(first, hash, sizeof first);
    scene_close(&world);
    open_world(NULL);
    begin();
    expect_hash();
    assert_memory_equal(first, hash, sizeof first);
}

static void the_bytes_of_another_match_are_others(void **unused)
{
    (void) unused;
    uint8_t first[32];
    begin();
    expect_hash();
    memcpy(first, hash, sizeof first);
    world.match_id[0] ^= 1;
    begin();
    expect_hash();
    assert_memory_not_equal(first, hash, sizeof first);
}

static void the_bytes_for_another_commitment_are_others(void **unused)
{
    (void) unused;
    uint8_t first[32];
    begin();
    expect_hash();
    memcpy(first, hash, sizeof first);
    scene_close(&world);
    open_world(NULL); /* An aborted match's id, used again. */
    world.house = 0xd2;
    make_committed(1, 0xd2);
    begin();
    expect_hash();
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
    make_posted(number, OUR_SEAT, hash);
}

static void a_round_that_a_build_of_before_began_is_played_to_its_end(void **unused)
{
    (void) unused;
    uint8_t other[32] = { 3 };
    make_posted_before(2);
    make_posted(3, 0, other);
    attach(3, ARBITER__ENGINE__DICE_ROUND__STEP__STEP_REVEALS);
    scene_history(&world, FANOUT, 1, 3, 3);
    expect_reveal();
    hear_revealed(4, OUR_SEAT, ours);
    scene_told(&world, CLIENT_DICE);
}

static void other_bytes_put_in_for_us_are_found_out(void **unused)
{
    (void) unused;
    uint8_t forged[16] = { 1 };
    begin();
    expect_hash();
    hear_posted(2, OUR_SEAT, hash);
    accept(2);
    hear_revealed(3, OUR_SEAT, forged);
    scene_told(&world, CLIENT_FAULT);
    assert_int_equal(world.event.fault, CLIENT_FAULT_DICE);
}

static void another_hash_posted_for_us_is_found_out(void **unused)
{
    (void) unused;
    uint8_t forged[32] = { 1 };
    begin();
    hear_posted(2, OUR_SEAT, forged);
    scene_told(&world, CLIENT_FAULT);
    assert_int_equal(world.event.fault, CLIENT_FAULT_DICE);
}

static void secrets_that_are_others_are_found_out(void **unused)
{
    (void) unused;
    begin();
    hear_shown(2, 0x78, 0xd1);
    scene_told(&world, CLIENT_FAULT);
    assert_int_equal(world.event.fault, CLIENT_FAULT_SECRETS);
    expect_hash();
    scene_refuse(&world, &said, REFUSAL(ATTACH_AGAIN), 0);
    scene_told(&world, CLIENT_OVER);
    assert_int_equal(world.event.proof, CLIENT_PROOF_DICE);
}

static void a_dice_secret_that_is_another_is_found_out(void **unused)
{
    (void) unused;
    begin();
    expect_hash();
    hear_shown(2, 0x77, 0xd2);
    scene_told(&world, CLIENT_FAULT);
    scene_refuse(&world, &said, REFUSAL(ATTACH_AGAIN), 0);
    scene_told(&world, CLIENT_OVER);
    assert_int_equal(world.event.proof, CLIENT_PROOF_SEALS);
}

/* The hash that this client posts in this match, as it was posted before it was started again. */
static void post_and_start_again(void)
{
    uint8_t posted[32];
    begin();
    expect_hash();
    memcpy(posted, hash, sizeof posted);
    scene_close(&world);
    open_world(NULL);
    memcpy(hash, posted, sizeof hash);
    make_posted(2, OUR_SEAT, hash);
}

static void an_engine_that_wants_bytes_before_any_hash_gets_a_hash(void **unused)
{
    (void) unused;
    attach(1, ARBITER__ENGINE__DICE_ROUND__STEP__STEP_REVEALS);
    scene_wait(&world, 30000);
    expect_no_command();
    scene_history(&world, FANOUT, 1, 1, 1);
    expect_hash();
    accept(2);
    hear_posted(2, OUR_SEAT, hash);
    scene_wait(&world, 30000);
    expect_no_command(); /* The other seat's hash is no act. */
}

static void who_comes_back_reveals_only_when_the_acts_have_every_hash(void **unused)
{
    (void) unused;
    uint8_t other[32] = { 3 };
    post_and_start_again();
    attach(2, ARBITER__ENGINE__DICE_ROUND__STEP__STEP_REVEALS);
    scene_history(&world, FANOUT, 1, 2, 2);
    scene_wait(&world, 30000);
    expect_no_command(); /* The engine says that all are there. It lies. */
    scene_told_nothing(&world);
    hear_posted(3, 0, other);
    expect_reveal();
}

static void who_comes_back_fetches_the_hashes_and_reveals(void **unused)
{
    (void) unused;
    uint8_t other[32] = { 3 };
    post_and_start_again();
    make_posted(3, 0, other);
    attach(3, ARBITER__ENGINE__DICE_ROUND__STEP__STEP_REVEALS);
    scene_asked_history(&world, scene_our_fanout(&world), 1);
    scene_history(&world, FANOUT, 1, 2, 3);
    expect_no_command();
    scene_history(&world, FANOUT, 3, 3, 3);
    expect_reveal();
    scene_told_nothing(&world); /* Acts of before its time are not told. */
    hear_revealed(4, OUR_SEAT, ours);
}

static void acts_that_do_not_lead_to_the_engines_chain_bring_no_bytes(void **unused)
{
    (void) unused;
    uint8_t other[32] = { 3 }, forged[32] = { 4 };
    post_and_start_again();
    make_posted(3, 0, other);
    attach(3, ARBITER__ENGINE__DICE_ROUND__STEP__STEP_REVEALS);
    make_posted(3, 0, forged); /* A fanout's own. */
    scene_history(&world, FANOUT, 1, 3, 3);
    scene_told(&world, CLIENT_FAULT);
    assert_int_equal(world.event.fault, CLIENT_FAULT_FORK);
    expect_no_command();
}

static void a_house_that_binds_itself_twice_gets_no_bytes(void **unused)
{
    (void) unused;
    uint8_t other[32] = { 3 };
    begin();
    expect_hash();
    hear_posted(2, OUR_SEAT, hash);
    accept(2);
    make_committed(3, 0xd2);
    scene_publish(&world, FANOUT, 3);
    scene_told(&world, CLIENT_ACT);
    scene_told(&world, CLIENT_FAULT);
    assert_int_equal(world.event.fault, CLIENT_FAULT_DICE);
    hear_posted(4, 0, other);
    scene_wait(&world, 30000);
    expect_no_command();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(hash_first_then_bytes_then_proof),
        TEST(who_starts_again_still_knows_its_bytes),
        TEST(the_bytes_of_another_match_are_others),
        TEST(the_bytes_for_another_commitment_are_others),
        TEST(a_round_that_a_build_of_before_began_is_played_to_its_end),
        TEST(other_bytes_put_in_for_us_are_found_out),
        TEST(another_hash_posted_for_us_is_found_out),
        TEST(secrets_that_are_others_are_found_out),
        TEST(a_dice_secret_that_is_another_is_found_out),
        TEST(an_engine_that_wants_bytes_before_any_hash_gets_a_hash),
        TEST(who_comes_back_reveals_only_when_the_acts_have_every_hash),
        TEST(who_comes_back_fetches_the_hashes_and_reveals),
        TEST(acts_that_do_not_lead_to_the_engines_chain_bring_no_bytes),
        TEST(a_house_that_binds_itself_twice_gets_no_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
