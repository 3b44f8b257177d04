/* client_round.c: see client_round.h. */
#include "common/client/client_round.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <string.h>

#include "wire/crypto.h"

struct scene                world;
Arbiter__Stream__HouseEvent house;
uint8_t                     hash[32], ours[16];
struct sent                 said;

/* Makes act `number`: the house is bound to this secret, and both seats are asked. */
void round_make_committed(uint64_t number, uint8_t dice)
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

int round_open(void **unused)
{
    (void) unused;
    scene_open(&world, CLIENT_QUEUE_BYTES_MIN);
    arbiter__stream__house_event__init(&house);
    world.house = 0xd1;
    round_make_committed(1, 0xd1);
    return 0;
}

int round_close(void **unused)
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

void round_expect_nothing(void)
{
    assert_int_equal(scene_sent(&world, KIND(COMMAND), &said), 0);
}

void round_expect_hash(void)
{
    Arbiter__Engine__Command *command = expect_command();
    assert_int_equal(command->kind_case, ARBITER__ENGINE__COMMAND__KIND_HASH);
    assert_int_equal(command->hash.len, sizeof hash);
    memcpy(hash, command->hash.data, sizeof hash);
    protobuf_c_message_free_unpacked((ProtobufCMessage *) command, NULL);
}

void round_expect_reveal(void)
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
void round_hear(uint64_t number)
{
    scene_make(&world, number, 260, &house, NULL);
    scene_publish(&world, FANOUT, number);
    scene_told(&world, CLIENT_ACT);
}

void round_make_posted(uint64_t number, uint32_t seat, uint8_t *posted)
{
    Arbiter__Stream__HashPosted event = ARBITER__STREAM__HASH_POSTED__INIT;
    event.has_seat = event.has_hash = true;
    event.seat = seat;
    event.hash = (ProtobufCBinaryData){ 32, posted };
    house.kind_case = ARBITER__STREAM__HOUSE_EVENT__KIND_HASH_POSTED;
    house.hash_posted = &event;
    scene_make(&world, number, 260, &house, NULL);
}

void round_hear_posted(uint64_t number, uint32_t seat, uint8_t *posted)
{
    round_make_posted(number, seat, posted);
    scene_publish(&world, FANOUT, number);
    scene_told(&world, CLIENT_ACT);
}

void round_hear_revealed(uint64_t number, uint32_t seat, uint8_t *bytes)
{
    Arbiter__Stream__BytesRevealed event = ARBITER__STREAM__BYTES_REVEALED__INIT;
    event.has_seat = event.has_revealed = true;
    event.seat = seat;
    event.revealed = (ProtobufCBinaryData){ 16, bytes };
    house.kind_case = ARBITER__STREAM__HOUSE_EVENT__KIND_BYTES_REVEALED;
    house.bytes_revealed = &event;
    round_hear(number);
}

void round_hear_shown(uint64_t number, uint8_t seal, uint8_t dice)
{
    Arbiter__Stream__SecretsShown event = ARBITER__STREAM__SECRETS_SHOWN__INIT;
    uint8_t                       secret[32] = { dice }, sealing[32];
    memset(sealing, seal, sizeof sealing);
    event.has_sealing_secret = event.has_dice_secret = true;
    event.sealing_secret = (ProtobufCBinaryData){ 32, sealing };
    event.dice_secret = (ProtobufCBinaryData){ 32, secret };
    house.kind_case = ARBITER__STREAM__HOUSE_EVENT__KIND_SECRETS_SHOWN;
    house.secrets_shown = &event;
    round_hear(number);
}

/* Attaches at act `number`; the engine says that this is awaited of both seats, whatever the acts say. */
void round_attach(uint64_t number, uint32_t step)
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
    round_expect_nothing(); /* Nothing was seen yet. */
}

/* Attaches while the hashes of both seats are awaited, and hears that as an act. */
void round_begin(void)
{
    round_attach(1, ARBITER__ENGINE__DICE_ROUND__STEP__STEP_HASHES);
    scene_history(&world, FANOUT, 1, 1, 1);
}

void round_accept(uint64_t number)
{
    scene_reply(&world, &said, true, number);
}
