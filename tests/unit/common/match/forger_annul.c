/* forger_annul.c: begins a match, ends it as the house does, and writes it down. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contract/stream.pb-c.h"
#include "dice/kinds.h"
#include "forger.h"
#include "wire/header.h"
#include "json/config_file.h"

#define SETUP "{\"game\": \"treasure\", \"profile\": \"seed2017\"}"
#define SEATS 2

static void put_header(struct forger *forger)
{
    static const uint8_t    id[MATCH_ID_SIZE] = { 3, 2, 1 };
    Arbiter__Match__Header *header =
        forger_add(forger, ARBITER__MATCH__RECORD__KIND_HEADER, &arbiter__match__header__descriptor)
            ->header;
    header->has_match_id = header->has_protocol = header->has_rules_version = true;
    header->has_seats = header->has_seed = true;
    header->match_id = forger_copy(id, sizeof id);
    header->protocol = PROTOCOL_FIRST;
    header->game = forger_text("treasure");
    header->rules_version = 1;
    header->setup = forger_text(SETUP);
    header->seats = SEATS;
    header->dice = forger_text("java");
    header->seed = 7;
}

static void put_seat(struct forger *forger, uint32_t number)
{
    Arbiter__Match__Seat *seat =
        forger_add(forger, ARBITER__MATCH__RECORD__KIND_SEAT, &arbiter__match__seat__descriptor)
            ->seat;
    seat->has_seat = seat->has_bot = seat->has_generation = seat->has_since = true;
    seat->seat = number;
    seat->generation = 1;
    seat->since = 1;
}

static void put_act(struct forger *forger, const struct match_act *played)
{
    Arbiter__Match__Act *act =
        forger_add(forger, ARBITER__MATCH__RECORD__KIND_ACT, &arbiter__match__act__descriptor)->act;
    act->has_number = act->has_actor = act->has_command = act->has_body = true;
    act->has_chain = act->has_epoch = true;
    act->number = played->number;
    act->actor = played->actor;
    act->command = forger_copy(played->command, played->command_size);
    act->body = forger_copy(played->body, played->body_size);
    act->chain = forger_copy(played->chain, sizeof played->chain);
    act->epoch = 1;
}

static void put_end(struct forger *forger, const struct match *match)
{
    uint8_t              digest[MATCH_HASH_SIZE];
    Arbiter__Match__End *end =
        forger_add(forger, ARBITER__MATCH__RECORD__KIND_END, &arbiter__match__end__descriptor)->end;
    match_digest(match, digest);
    end->has_reason = end->has_acts = end->has_chain = end->has_digest = true;
    end->has_sealing_secret = true;
    end->reason = ARBITER__MATCH__END__REASON__REASON_ABORTED;
    end->acts = match->number;
    end->chain = forger_copy(match->chain, MATCH_HASH_SIZE);
    end->digest = forger_copy(digest, sizeof digest);
    end->sealing_secret = forger_copy(match->secret, sizeof match->secret);
}

/* The house says why, in the very act that ends the match. */
static size_t write_reason(uint8_t *bytes)
{
    char                          reason[] = "The cellar is flooded.";
    Arbiter__Stream__MatchAborted aborted = ARBITER__STREAM__MATCH_ABORTED__INIT;
    Arbiter__Stream__HouseEvent   said = ARBITER__STREAM__HOUSE_EVENT__INIT;
    aborted.reason = reason;
    said.kind_case = ARBITER__STREAM__HOUSE_EVENT__KIND_MATCH_ABORTED;
    said.match_aborted = &aborted;
    return arbiter__stream__house_event__pack(&said, bytes);
}

static void play(struct forger *forger, const struct game_wire *treasure, const void *setup)
{
    static const uint8_t sealing[MATCH_SECRET_SIZE] = { 6, 5, 4 };
    uint8_t              reason[64];
    struct dice          dice;
    struct match_begin   begin = { .epoch = 1, .dice = &dice };
    struct plan         *commands = plan_new(treasure->command);
    struct plan         *events = plan_new(treasure->event);
    struct match_form    form = { commands, events, &crypto_sodium };
    struct match_terms   terms;
    struct match_room    room;
    struct match_act     act;
    dice_java(&dice, 7);
    match_terms_init(&terms, treasure->game, setup, SEATS, MATCH_SEALED | MATCH_CHAINED, &form);
    void *memory = calloc(1, match_bytes(&terms));
    void *room_memory = calloc(1, match_room_bytes(&terms));
    assert_true(memory != NULL && room_memory != NULL);
    match_room_init(&room, &terms, room_memory);
    memcpy(begin.id, forger_header(forger)->match_id.data, sizeof begin.id);
    memcpy(begin.secret, sealing, sizeof begin.secret);
    replay_chain_begin(begin.chain, forger_header(forger));
    struct match *match = match_start(memory, &terms, &begin, &room, &act);
    put_act(forger, &act);
    room.said = (struct match_house){ reason, write_reason(reason) };
    assert_true(match_annul(match, &room, &act));
    put_act(forger, &act);
    put_end(forger, match);
    free(memory);
    free(room_memory);
    plan_destroy(&commands);
    plan_destroy(&events);
}

void forger_annul(struct forger *forger)
{
    size_t                  size = 0;
    struct config_text      config = { "set-up", SETUP, sizeof SETUP - 1 };
    const struct game_wire *treasure = registry_find("treasure", 1);
    assert_non_null(treasure);
    void *setup = config_compile(treasure->game, &config, NULL, &size, stderr);
    assert_non_null(setup);
    *forger = (struct forger){ .spelled = UINT32_MAX };
    put_header(forger);
    for (uint32_t seat = 0; seat < SEATS; seat++)
        put_seat(forger, seat);
    play(forger, treasure, setup);
    free(setup);
}
