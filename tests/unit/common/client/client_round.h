/* client_round.h: for tests of the client core: a round in which hosted dice are made, with whatever acts a test likes. */
#ifndef ARBITER_CLIENT_ROUND_H
#define ARBITER_CLIENT_ROUND_H

#include "common/client/client_world.h"

extern struct scene                world;
extern Arbiter__Stream__HouseEvent house;
extern uint8_t                     hash[32], ours[16]; /* The last ones that were sent. */
extern struct sent                 said;

/* Makes act `number`: the house is bound to this secret, and both seats are asked. */
void round_make_committed(uint64_t number, uint8_t dice);
int  round_open(void **unused);
int  round_close(void **unused);
void round_expect_nothing(void);
void round_expect_hash(void);
void round_expect_reveal(void);
/* Publishes act `number` with a house event about a seat. */
void round_hear(uint64_t number);
void round_make_posted(uint64_t number, uint32_t seat, uint8_t *posted);
void round_hear_posted(uint64_t number, uint32_t seat, uint8_t *posted);
void round_hear_revealed(uint64_t number, uint32_t seat, uint8_t *bytes);
void round_hear_shown(uint64_t number, uint8_t seal, uint8_t dice);
/* Attaches at act `number`; the engine says that this is awaited of both seats, whatever the acts say. */
void round_attach(uint64_t number, uint32_t step);
/* Attaches while the hashes of both seats are awaited, and hears that as an act. */
void round_begin(void);
void round_accept(uint64_t number);

#endif
