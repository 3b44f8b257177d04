/* lobby_party.c: see lobby_party.h. */
#include "services/lobby/lobby_party.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct bench  bench;
struct person ann, bob, cid, dan, operator_, gateway, bots, engine;
uint8_t       table_id[16], match_id[16];
char          table_code[9];

static struct person somebody(uint8_t number, uint32_t role)
{
    return (struct person){ .number = number, .role = role };
}

void party_open(const char *source)
{
    party_open_with(source, NULL);
}

void party_open_with(const char *source, void (*tweak)(struct lobby_settings *settings))
{
    bench_open(&bench, source, tweak);
    ann = somebody(1, ROLE(CLIENT));
    bob = somebody(2, ROLE(CLIENT));
    cid = somebody(3, ROLE(CLIENT));
    dan = somebody(4, ROLE(CLIENT));
    operator_ = somebody(10, ROLE(CONSOLE));
    gateway = somebody(11, ROLE(GATEWAY));
    bots = somebody(13, ROLE(BOT));
    engine = somebody(15, ROLE(ENGINE));
    bench_service(&bench, &engine, "engine-1");
    bench_bind(&bench, &ann, "Ann");
    bench_bind(&bench, &bob, "Bob");
    bench_bind(&bench, &cid, "Cid");
    bench_bind(&bench, &dan, "Dan");
}

void party_close(void)
{
    bench_close(&bench);
}

int party_begin(void **unused)
{
    (void) unused;
    party_open(ARBITER_SOURCE);
    return 0;
}

int party_end(void **unused)
{
    (void) unused;
    party_close();
    return 0;
}

Arbiter__Lobby__CreateTable party_nim(uint32_t seats)
{
    Arbiter__Lobby__CreateTable create = ARBITER__LOBBY__CREATE_TABLE__INIT;
    create.game = (char *) (uintptr_t) "nim";
    create.has_seats = true;
    create.seats = seats;
    return create;
}

const Arbiter__Lobby__Answer *party_opens(struct person               *person,
                                          Arbiter__Lobby__CreateTable *create)
{
    const Arbiter__Lobby__Answer *answer =
        bench_expect(&bench, person, ASK(CREATE_TABLE), create, VERDICT(DONE));
    memcpy(table_id, answer->table->table.data, sizeof table_id);
    memcpy(table_code, answer->table->code, sizeof table_code);
    return answer;
}

#define AT_TABLE(message, ask)                                                                     \
    Arbiter__Lobby__##message ask;                                                                 \
    memset(&ask, 0, sizeof ask);                                                                   \
    arbiter__lobby__##ask##__descriptor.message_init((ProtobufCMessage *) (void *) &ask);          \
    ask.has_table = true;                                                                          \
    ask.table = (ProtobufCBinaryData)                                                              \
    {                                                                                              \
        .len = sizeof table_id, .data = table_id                                                   \
    }

const Arbiter__Lobby__Answer *party_joins(struct person *person, uint32_t expected)
{
    AT_TABLE(JoinTable, join_table);
    return bench_expect(&bench, person, ASK(JOIN_TABLE), &join_table, expected);
}

const Arbiter__Lobby__Answer *party_takes(struct person *person, uint32_t seat, uint32_t expected)
{
    AT_TABLE(TakeSeat, take_seat);
    take_seat.has_seat = true;
    take_seat.seat = seat;
    return bench_expect(&bench, person, ASK(TAKE_SEAT), &take_seat, expected);
}

const Arbiter__Lobby__Answer *party_leaves(struct person *person, uint32_t expected)
{
    AT_TABLE(LeaveTable, leave_table);
    return bench_expect(&bench, person, ASK(LEAVE_TABLE), &leave_table, expected);
}

const Arbiter__Lobby__Answer *party_starts(struct person *person, uint32_t expected)
{
    AT_TABLE(StartTable, start_table);
    return bench_expect(&bench, person, ASK(START_TABLE), &start_table, expected);
}

const Arbiter__Lobby__Answer *party_votes(struct person *person, uint32_t seat, int choice,
                                          const char *name, uint32_t expected)
{
    AT_TABLE(Vote, vote);
    vote.has_seat = vote.has_choice = true;
    vote.seat = seat;
    vote.choice = (Arbiter__Lobby__Vote__Choice) choice;
    vote.friend_name = (char *) (uintptr_t) name;
    return bench_expect(&bench, person, ASK(VOTE), &vote, expected);
}

const Arbiter__Lobby__Answer *party_wants_rematch(struct person *person, uint32_t expected)
{
    AT_TABLE(Rematch, rematch);
    return bench_expect(&bench, person, ASK(REMATCH), &rematch, expected);
}

const Arbiter__Lobby__Answer *party_fills_with_bots(struct person *person, uint32_t expected)
{
    AT_TABLE(FillWithBots, fill_with_bots);
    return bench_expect(&bench, person, ASK(FILL_WITH_BOTS), &fill_with_bots, expected);
}

bool party_was_started(void)
{
    const struct effect *start = bench_to_engine(&bench, KIND(START_MATCH));
    if (start == NULL)
        return false;
    memcpy(match_id, start->header.match_id, sizeof match_id);
    return true;
}

void party_engine_started(const char *fault)
{
    Arbiter__Engine__MatchStarted started = ARBITER__ENGINE__MATCH_STARTED__INIT;
    started.fault = (char *) (uintptr_t) fault;
    bench_engine_says(&bench, KIND(MATCH_STARTED), match_id, NO_SEAT, &started);
}

void party_engine_over(int32_t first, int32_t second)
{
    Arbiter__Engine__MatchOver over = ARBITER__ENGINE__MATCH_OVER__INIT;
    int32_t                    outcome[2] = { first, second };
    over.n_outcome = 2;
    over.outcome = outcome;
    bench_engine_says(&bench, KIND(MATCH_OVER), match_id, NO_SEAT, &over);
}

void party_plays(void)
{
    Arbiter__Lobby__CreateTable create = party_nim(2);
    party_opens(&ann, &create);
    party_joins(&bob, VERDICT(DONE));
    assert_true(party_was_started());
    party_engine_started(NULL);
}
