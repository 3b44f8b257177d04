/* lobby_undo_test.c: many people ask, the store takes what it likes, and the lobby starts anew at
 * any time. A player has one seat, a match starts once, and memory is what the store holds. */
#include "services/lobby/lobby_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/lobby/lobby_party.h"

#define TABLES 12u
#define MATCHES 4096u

static uint64_t luck;

/* The match that each table was begun with, by its serial; and what the engine has heard of. */
static struct {
    uint64_t serial;
    uint8_t  id[16];
    bool     is_over;
} matches[MATCHES];
static uint32_t match_count, begun_count, over_count, refused_count, restart_count, given_count,
    bot_count;

static uint32_t below(uint32_t limit)
{
    luck = luck * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t) ((luck >> 33) % limit);
}

/* All records, as they stand one behind the other. */
static size_t records_size(const struct lobby *lobby)
{
    const struct pool *last = &lobby->pool[RECORDS - 1];
    return (size_t) (last->base + last->size * last->count - lobby->pool[0].base);
}

static void everybody_has_one_seat(const struct lobby *lobby)
{
    for (uint32_t player = 0; player < lobby->settings.players_max; player++) {
        uint32_t at = NOBODY;
        for (uint32_t i = 0; i < TABLES; i++) {
            const struct table *table = table_of(lobby, i);
            uint32_t            seats = 0;
            for (uint32_t k = 0; table->used && k < table->seat_count; k++)
                seats += table->phase != PHASE(OVER) && table->seat[k].player == player &&
                         !table->seat[k].vacant;
            assert_true(seats <= 1 || table->hotseat);
            assert_true(seats == 0 || at == NOBODY);
            at = seats > 0 ? i : at;
        }
        if (player_of(lobby, player)->used)
            assert_int_equal(player_of(lobby, player)->table, at);
    }
}

/* A table's match id, once it was said, stays until the match is over. */
static void note_start(const struct lobby *lobby, const struct effect *start)
{
    uint32_t place = lobby_find_match(lobby, start->header.match_id);
    assert_int_not_equal(place, NOBODY);
    uint64_t serial = table_of(lobby, place)->serial;
    for (uint32_t i = 0; i < match_count; i++) {
        bool is_same = memcmp(matches[i].id, start->header.match_id, 16) == 0;
        if (is_same) {
            assert_int_equal(matches[i].serial, serial);
            return;
        }
        assert_true(matches[i].serial != serial || matches[i].is_over);
    }
    assert_true(match_count < MATCHES);
    begun_count++;
    matches[match_count].serial = serial;
    matches[match_count].is_over = false;
    memcpy(matches[match_count++].id, start->header.match_id, 16);
}

static void look(void)
{
    everybody_has_one_seat(bench.lobby);
    for (uint32_t i = 0; i < bench.out.effect_count; i++)
        if (bench.out.effects[i].header.kind == KIND(START_MATCH))
            note_start(bench.lobby, &bench.out.effects[i]);
    const struct person *people[] = { &ann, &bob, &cid, &dan };
    for (uint32_t i = 0; i < 4; i++)
        given_count += bench_event(&bench, people[i], EVENT(SEAT_GIVEN)) != NULL;
    bot_count += bench_event(&bench, &bots, EVENT(SEATED)) != NULL;
}

static void same_kept(const struct kept *one, const struct kept *other)
{
    assert_int_equal(one->request, other->request);
    assert_int_equal(one->verdict, other->verdict);
    assert_memory_equal(one->id, other->id, ID_SIZE);
}

static void same_tables(const struct lobby *one, const struct lobby *other)
{
    uint32_t kept = one->settings.events_kept;
    for (uint32_t i = 0; i < TABLES; i++) {
        const struct table *table = table_of(one, i), *twin = table_of(other, i);
        assert_int_equal(table->used, twin->used);
        if (!table->used)
            continue;
        assert_memory_equal(table, twin, sizeof *table);
        assert_string_equal(lobby_setup_text(one, table), lobby_setup_text(other, twin));
        for (uint32_t k = 0; k < kept; k++) {
            const struct table_event *event = record_of(one, RECORD_EVENT, i * kept + k);
            if (event->number > 0 && event->number + kept > table->last_event &&
                event->number <= table->last_event)
                assert_memory_equal(event, record_of(other, RECORD_EVENT, i * kept + k),
                                    sizeof *event);
        }
    }
}

static void same_lobby(const struct lobby *one, const struct lobby *other)
{
    for (uint32_t i = 0; i < one->settings.keys_max; i++) {
        assert_int_equal(key_of(one, i)->used, key_of(other, i)->used);
        if (key_of(one, i)->used) {
            assert_memory_equal(key_of(one, i)->key, key_of(other, i)->key, CALLER_KEY_SIZE);
            assert_int_equal(key_of(one, i)->player, key_of(other, i)->player);
            same_kept(&key_of(one, i)->kept, &key_of(other, i)->kept);
        }
    }
    for (uint32_t i = 0; i < one->settings.players_max; i++)
        if (player_of(one, i)->used)
            assert_memory_equal(player_of(one, i), player_of(other, i), sizeof(struct player));
    for (uint32_t i = 0; i < one->settings.results_max; i++)
        assert_memory_equal(record_of(one, RECORD_RESULT, i), record_of(other, RECORD_RESULT, i),
                            sizeof(struct result));
    same_tables(one, other);
}

/* The lobby goes, another one reads the store: it is the same. */
static void restart_and_compare(void)
{
    struct bench twin = bench;
    twin.outbox_memory = malloc(16u << 20);
    memory_store_copy(&twin.store, &bench.store);
    struct lobby *old = bench.lobby;
    twin.memory = malloc(1);
    bench_restart(&twin);
    same_lobby(old, twin.lobby);
    free(bench.memory);
    free(bench.outbox_memory);
    memory_store_close(&bench.store);
    bench = twin;
    restart_count++;
    bench_service(&bench, &engine, "engine-1");
    bench_service(&bench, &bots, "bots-1");
}

/* Any table; more often one at which somebody sits. */
static void pick_table(void)
{
    for (uint32_t tries = 0; tries < 6; tries++) {
        const struct table *table = table_of(bench.lobby, below(TABLES));
        if (table->used)
            memcpy(table_id, table->id, 16);
        if (table->used && lobby_taken_seats(table) > 0)
            return;
    }
}

/* Half the time, the one at which this person has been. */
static void pick_table_of(const struct person *person)
{
    uint8_t key[CALLER_KEY_SIZE];
    memset(key, person->number, sizeof key);
    uint32_t player = key_of(bench.lobby, lobby_find_key(bench.lobby, key))->player;
    pick_table();
    for (uint32_t i = 0; i < 3 * TABLES && below(16) > 0; i++) {
        const struct table *table = table_of(bench.lobby, below(TABLES));
        if (table->used && lobby_seat_of(table, player) != NOBODY)
            memcpy(table_id, table->id, 16);
    }
}

/* Any ask, at any table, of anybody; what comes back does not matter here. */
static void somebody_asks(struct person *person)
{
    Arbiter__Lobby__CreateTable  create = party_nim(2 + below(4) / 3);
    Arbiter__Lobby__QuickPlay    quick = ARBITER__LOBBY__QUICK_PLAY__INIT;
    Arbiter__Lobby__JoinTable    any = ARBITER__LOBBY__JOIN_TABLE__INIT;
    Arbiter__Lobby__TakeSeat     take = ARBITER__LOBBY__TAKE_SEAT__INIT;
    Arbiter__Lobby__Vote         vote = ARBITER__LOBBY__VOTE__INIT;
    Arbiter__Lobby__Chat         chat = ARBITER__LOBBY__CHAT__INIT;
    Arbiter__Lobby__FillWithBots fill = ARBITER__LOBBY__FILL_WITH_BOTS__INIT;
    static char *const games[] = { (char *) (uintptr_t) "nim", (char *) (uintptr_t) "dead" };
    static char *const names[] = { (char *) (uintptr_t) "Ann", (char *) (uintptr_t) "Bob",
                                   (char *) (uintptr_t) "Cid", (char *) (uintptr_t) "Dan" };
    pick_table_of(person);
    create.game = games[below(4) == 0];
    create.has_seats = create.game == games[0];
    create.has_hotseat = create.hotseat = below(4) == 0;
    create.has_registration = create.registration = below(12) == 0;
    create.has_private_table = create.private_table = below(4) == 0;
    if (below(4) == 0 && create.game == games[0])
        create.setup = (char *) (uintptr_t) "{ \"heaps\": [1, 2] }";
    quick.game = games[below(3) == 0];
    any.has_table = take.has_table = vote.has_table = chat.has_table = fill.has_table = true;
    any.table = take.table = vote.table = chat.table = fill.table =
        (ProtobufCBinaryData){ .len = 16, .data = table_id };
    any.has_seat = below(2) == 0;
    any.seat = take.seat = vote.seat = below(4);
    take.has_seat = vote.has_seat = vote.has_choice = true;
    vote.choice = (Arbiter__Lobby__Vote__Choice) (1 + below(3));
    vote.friend_name = names[below(4)];
    chat.has_phrase = true;
    chat.phrase = 1 + below(16);
    Arbiter__Lobby__LeaveTable leave = ARBITER__LOBBY__LEAVE_TABLE__INIT;
    Arbiter__Lobby__StartTable begin = ARBITER__LOBBY__START_TABLE__INIT;
    Arbiter__Lobby__Rematch    again = ARBITER__LOBBY__REMATCH__INIT;
    Arbiter__Lobby__Spectate   watch = ARBITER__LOBBY__SPECTATE__INIT;
    leave.has_table = begin.has_table = again.has_table = watch.has_table = true;
    leave.table = begin.table = again.table = watch.table = any.table;
    switch (below(24)) {
    case 0: bench_ask(&bench, person, ASK(CREATE_TABLE), &create); break;
    case 1:
    case 13:
    case 14:
    case 15: bench_ask(&bench, person, ASK(QUICK_PLAY), &quick); break;
    case 2: bench_ask(&bench, person, ASK(TAKE_SEAT), &take); break;
    case 3:
    case 4: bench_ask(&bench, person, ASK(VOTE), &vote); break;
    case 5: bench_ask(&bench, person, ASK(CHAT), &chat); break;
    case 6: bench_ask(&bench, person, ASK(FILL_WITH_BOTS), &fill); break;
    case 7:
    case 8:
    case 16:
    case 17: bench_ask(&bench, person, ASK(LEAVE_TABLE), &leave); break;
    case 9: bench_ask(&bench, person, ASK(START_TABLE), &begin); break;
    case 10:
    case 11: bench_ask(&bench, person, ASK(REMATCH), &again); break;
    case 12: bench_ask(&bench, person, ASK(SPECTATE), &watch); break;
    default: bench_ask(&bench, person, ASK(JOIN_TABLE), &any); break;
    }
}

/* The engine answers, or ends, one of the matches it was asked for. */
static void engine_speaks(void)
{
    if (match_count == 0)
        return;
    uint32_t                      at = match_count - 1 - below(match_count < 3 ? match_count : 3);
    Arbiter__Engine__MatchStarted started = ARBITER__ENGINE__MATCH_STARTED__INIT;
    Arbiter__Engine__HouseReply   reply = ARBITER__ENGINE__HOUSE_REPLY__INIT;
    memcpy(match_id, matches[at].id, 16);
    reply.has_done = reply.done = true;
    switch (below(4)) {
    case 0: party_engine_over(1, -1); break;
    case 1: bench_engine_says(&bench, KIND(HOUSE_REPLY), match_id, below(4), &reply); break;
    default: bench_engine_says(&bench, KIND(MATCH_STARTED), match_id, NO_SEAT, &started); break;
    }
    bool was_over = matches[at].is_over;
    matches[at].is_over = was_over || bench_count(&bench, EFFECT_SEND, KIND(MATCH_OVER_HEARD)) > 0;
    over_count += !was_over && matches[at].is_over;
}

/* A player who was called sits down. */
static void a_bot_answers(void)
{
    for (uint32_t i = 0; i < TABLES; i++) {
        const struct table *table = table_of(bench.lobby, i);
        for (uint32_t k = 0; table->used && k < table->seat_count; k++) {
            uint32_t promised = table->seat[k].promised;
            if (promised == NOBODY || !player_of(bench.lobby, promised)->bot || below(3) > 0)
                continue;
            Arbiter__Lobby__Ask       ask = ARBITER__LOBBY__ASK__INIT;
            Arbiter__Lobby__JoinTable join = ARBITER__LOBBY__JOIN_TABLE__INIT;
            uint8_t                   id[16], table_bytes[16];
            memcpy(id, player_of(bench.lobby, promised)->id, 16);
            memcpy(table_bytes, table->id, 16);
            join.has_table = ask.has_player = true;
            join.table = (ProtobufCBinaryData){ .len = 16, .data = table_bytes };
            ask.player = (ProtobufCBinaryData){ .len = 16, .data = id };
            ask.kind_case = ARBITER__LOBBY__ASK__KIND_JOIN_TABLE;
            ask.join_table = &join;
            uint32_t request = player_of(bench.lobby, promised)->kept.request + 1;
            bench_say(&bench, &bots, KIND(LOBBY_ASK), request, &ask);
            return;
        }
    }
}

/* Services say hello all the time; here it is enough that they do after each wait. */
static void time_passes(void)
{
    bench_wait(&bench, below(4) == 0 ? 61000 : 500);
    look();
    bench_service(&bench, &engine, "engine-1");
    look();
    bench_service(&bench, &bots, "bots-1");
}

static void something_happens(void)
{
    struct person *people[] = { &ann, &bob, &cid, &dan };
    uint32_t       kind = below(20);
    pick_table();
    if (kind < 10)
        somebody_asks(people[below(4)]);
    else if (kind < 16)
        engine_speaks();
    else if (kind < 18)
        a_bot_answers();
    else
        time_passes();
}

/* The store refuses the next batch: not a byte of any record has moved. */
static void something_does_not_happen(void)
{
    size_t   size = records_size(bench.lobby);
    uint8_t *before = malloc(size);
    assert_non_null(before);
    memcpy(before, bench.lobby->pool[0].base, size);
    static const enum store_outcome outcomes[] = { STORE_FULL, STORE_BUSY, STORE_CONFLICT };
    bench.outcome = outcomes[below(3)];
    something_happens();
    if (bench.outcome == STORE_COMMITTED) {
        refused_count++;
        assert_memory_equal(before, bench.lobby->pool[0].base, size);
    }
    bench.outcome = STORE_COMMITTED;
    free(before);
}

static void random_people_find_one_seat_and_one_match_each(void **unused)
{
    (void) unused;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        luck = seed;
        match_count = 0;
        party_open(ARBITER_SOURCE);
        bench_service(&bench, &bots, "bots-1");
        for (uint32_t i = 0; i < 600; i++) {
            if (below(10) == 0)
                something_does_not_happen();
            else
                something_happens();
            look();
            if (below(60) == 0)
                restart_and_compare();
        }
        party_close();
    }
    assert_true(begun_count > 100);
    assert_true(over_count > 50);
    assert_true(given_count > 20);
    assert_true(bot_count > 20);
    assert_true(refused_count > 100);
    assert_true(restart_count > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_people_find_one_seat_and_one_match_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
