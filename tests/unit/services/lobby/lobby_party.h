/* lobby_party.h: the people of the lobby's tests, and what they do in one line each. */
#ifndef ARBITER_LOBBY_PARTY_H
#define ARBITER_LOBBY_PARTY_H

#include "services/lobby/lobby_bench.h"

/* One bench for a test program; everything below speaks of it. */
extern struct bench  bench;
extern struct person ann, bob, cid, dan, operator_, gateway, bots, engine;
/* Of the table that was opened last, and of its match. */
extern uint8_t       table_id[16], match_id[16];
extern char          table_code[9];

/* Ann, Bob, Cid and Dan have names, an engine is there. */
void party_open(const char *source);
void party_open_with(const char *source, void (*tweak)(struct lobby_settings *settings));
void party_close(void);
/* The same as a fixture, for TEST; the sources are those of this build. */
int  party_begin(void **unused);
int  party_end(void **unused);
#define TEST(name) cmocka_unit_test_setup_teardown(name, party_begin, party_end)

Arbiter__Lobby__CreateTable   party_nim(uint32_t seats);
const Arbiter__Lobby__Answer *party_opens(struct person               *person,
                                          Arbiter__Lobby__CreateTable *create);
const Arbiter__Lobby__Answer *party_joins(struct person *person, uint32_t expected);
const Arbiter__Lobby__Answer *party_takes(struct person *person, uint32_t seat, uint32_t expected);
const Arbiter__Lobby__Answer *party_leaves(struct person *person, uint32_t expected);
const Arbiter__Lobby__Answer *party_starts(struct person *person, uint32_t expected);
const Arbiter__Lobby__Answer *party_votes(struct person *person, uint32_t seat, int choice,
                                          const char *name, uint32_t expected);
const Arbiter__Lobby__Answer *party_wants_rematch(struct person *person, uint32_t expected);
const Arbiter__Lobby__Answer *party_fills_with_bots(struct person *person, uint32_t expected);
/* The id of the match that the engine was asked for in the last event; false: it was not. */
bool                          party_was_started(void);
void                          party_engine_started(const char *fault);
void                          party_engine_over(int32_t first, int32_t second);
/* A table of nim at which Ann and Bob play. */
void                          party_plays(void);

#endif
