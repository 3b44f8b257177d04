/* engine_settle_test.c: the lobby begins matches, changes hands and ends them; the store's moods; slots. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/engine/engine_rig.h"

static struct rig_store *store;
static struct rig        rig;

static int begin(void **unused)
{
    (void) unused;
    store = rig_begin(&rig);
    return 0;
}

static int end(void **unused)
{
    (void) unused;
    rig_end(&rig);
    return 0;
}

static void start(uint8_t match)
{
    rig_start(&rig, match, "nim", RIG_NIM, NULL, rig_two, 2, 1, 0);
}

static const Arbiter__Engine__MatchStarted *started(void)
{
    return rig_last(&rig, RIG_LOBBY, KIND(MATCH_STARTED));
}

static void a_match_is_started_once(void **unused)
{
    (void) unused;
    start(RIG_MATCH);
    start(RIG_MATCH);
    assert_int_equal(rig_count(&rig, RIG_LOBBY, KIND(MATCH_STARTED)), 2);
    assert_int_equal(started()->number, 1);
    assert_null(started()->fault);
    assert_int_equal(rig_rows(store, JOURNAL_MATCHES), 1);
    assert_int_equal(rig_rows(store, JOURNAL_ACTS), 1);
    assert_int_equal(rig_rows(store, JOURNAL_SEATS), 2);
}

static void only_the_lobby_starts_one(void **unused)
{
    (void) unused;
    Arbiter__Engine__StartMatch ask = ARBITER__ENGINE__START_MATCH__INIT;
    struct header               header;
    rig_header(&header, KIND(START_MATCH), RIG_MATCH, NO_SEAT);
    rig_hear(&rig, RIG_ALICE, ROLE(CLIENT), &header, &ask);
    assert_int_equal(rig_refusal(&rig, RIG_ALICE), REFUSAL(NOT_YOURS));
    assert_int_equal(rig_rows(store, JOURNAL_MATCHES), 0);
}

static void what_cannot_be_played_is_refused_with_its_place(void **unused)
{
    (void) unused;
    rig_start(&rig, 1, "nim", "{\"heaps\": 3}", NULL, rig_two, 2, 1, 0);
    assert_string_equal(started()->fault, "/setup: it is none");
    rig_start(&rig, 1, "nim", RIG_NIM, NULL, (const uint32_t[]){ 2, 3, 4, 5, 6 }, 5, 1, 0);
    assert_string_equal(started()->fault, "/seats: at this set-up sit 2 to 4");
    assert_int_equal(engine_facts(rig.engine).matches, 0);
    assert_int_equal(engine_facts(rig.engine).memory_used, 0);
}

static void small(struct engine_settings *settings)
{
    settings->matches_max = 3;
}

static void a_full_table_is_a_refusal(void **unused)
{
    (void) unused;
    rig_close(&rig);
    rig_open(&rig, store, small);
    for (uint8_t match = 1; match <= 4; match++)
        start(match);
    assert_int_equal(rig_count(&rig, RIG_LOBBY, KIND(MATCH_STARTED)), 3);
    assert_int_equal(rig_refusal(&rig, RIG_LOBBY), REFUSAL(FULL));
    assert_int_equal(rig_rows(store, JOURNAL_SETUPS), 1); /* Compiled and kept once. */
}

static void change_hands(uint32_t generation)
{
    Arbiter__Engine__ChangeSeat change = ARBITER__ENGINE__CHANGE_SEAT__INIT;
    Arbiter__Engine__Holder     holder = ARBITER__ENGINE__HOLDER__INIT;
    uint8_t                     key[32] = { RIG_CAROL };
    struct header               header;
    holder.has_seat = holder.has_player = holder.has_key = true;
    holder.seat = 0;
    holder.player = (ProtobufCBinaryData){ 16, key };
    holder.key = (ProtobufCBinaryData){ 32, key };
    change.holder = &holder;
    change.has_generation = true;
    change.generation = generation;
    change.name = (char *) "Carol";
    rig_header(&header, KIND(CHANGE_SEAT), RIG_MATCH, NO_SEAT);
    rig_hear(&rig, RIG_LOBBY, ROLE(LOBBY), &header, &change);
}

static const Arbiter__Engine__HouseReply *house_reply(void)
{
    return rig_last(&rig, RIG_LOBBY, KIND(HOUSE_REPLY));
}

static void a_change_of_hands_closes_what_was_open_and_turns_the_key(void **unused)
{
    (void) unused;
    start(RIG_MATCH);
    uint32_t        alice = rig_attach(&rig, RIG_MATCH, RIG_ALICE, 0);
    struct box_keys old = *match_keys(rig_match(&rig, RIG_MATCH), 0);
    change_hands(2);
    assert_true(house_reply()->done);
    assert_int_equal(house_reply()->number, 2);
    assert_int_equal(rig_count(&rig, RIG_ALICE, KIND(CLOSED)), 1);
    assert_memory_not_equal(match_keys(rig_match(&rig, RIG_MATCH), 0), &old, sizeof old);
    change_hands(2); /* Said again: done already. */
    assert_true(house_reply()->done);
    assert_int_equal(rig_match(&rig, RIG_MATCH)->number, 2);
    change_hands(4);
    assert_false(house_reply()->done);
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 1);
    assert_int_equal(rig_refusal(&rig, RIG_ALICE), REFUSAL(ATTACH_AGAIN));
    uint32_t carol = rig_attach(&rig, RIG_MATCH, RIG_CAROL, 0);
    assert_int_equal(carol, alice + 1);
    rig_close(&rig);
    rig_open(&rig, store, NULL);
    assert_int_equal(rig_match(&rig, RIG_MATCH)->generation[0], 2);
    rig_take(&rig, RIG_MATCH, RIG_CAROL, 0, carol, 1, 0, 1);
    assert_int_equal(rig_match(&rig, RIG_MATCH)->number, 3);
}

static void the_house_ends_a_match_and_shows_its_secrets(void **unused)
{
    (void) unused;
    Arbiter__Engine__AbortMatch ask = ARBITER__ENGINE__ABORT_MATCH__INIT;
    struct header               header;
    start(RIG_MATCH);
    ask.reason = (char *) "The hall is closing.";
    rig_header(&header, KIND(ABORT_MATCH), RIG_MATCH, NO_SEAT);
    rig_hear(&rig, RIG_LOBBY, ROLE(LOBBY), &header, &ask);
    assert_true(house_reply()->done);
    const Arbiter__Engine__MatchOver *over = rig_last(&rig, RIG_LOBBY, KIND(MATCH_OVER));
    assert_true(over->aborted);
    assert_int_equal(over->n_outcome, 0);
    const Arbiter__Stream__Act *act = rig_last(&rig, 0, KIND(ACT));
    assert_int_equal(act->actor, ACTOR_SAY);
    bool shown = false;
    for (size_t i = 0; i + 32 <= act->body.len; i++)
        shown = shown || memcmp(act->body.data + i, rig_match(&rig, RIG_MATCH)->secret, 32) == 0;
    assert_true(shown);
    uint32_t alice = rig_attach(&rig, RIG_MATCH, RIG_ALICE, 0);
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 1);
    const Arbiter__Engine__Reply *reply = rig_last(&rig, RIG_ALICE, KIND(REPLY));
    assert_string_equal(reply->reason, "ABORTED");
}

static bool ended_if_idle(uint64_t idle_ms)
{
    Arbiter__Engine__AbortMatch ask = ARBITER__ENGINE__ABORT_MATCH__INIT;
    struct header               header;
    ask.has_idle_ms = true;
    ask.idle_ms = idle_ms;
    rig_header(&header, KIND(ABORT_MATCH), RIG_MATCH, NO_SEAT);
    rig_hear(&rig, RIG_LOBBY, ROLE(LOBBY), &header, &ask);
    return house_reply()->done;
}

/* Since it began, since somebody has played, or since this process knows of it; to look on is not to play. */
static void a_match_that_somebody_plays_is_not_ended_as_abandoned(void **unused)
{
    (void) unused;
    start(RIG_MATCH);
    rig_wait(&rig, 999);
    assert_false(ended_if_idle(1000));
    uint32_t alice = rig_attach(&rig, RIG_MATCH, RIG_ALICE, 0);
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 1);
    rig_wait(&rig, 998);
    rig_attach(&rig, RIG_MATCH, RIG_ALICE, 0);
    assert_false(ended_if_idle(1000));
    rig_wait(&rig, 1);
    rig_close(&rig);
    rig_open(&rig, store, NULL); /* Which takes ten milliseconds. */
    rig_wait(&rig, 989);
    assert_false(ended_if_idle(1000));
    rig_wait(&rig, 1);
    assert_true(ended_if_idle(1000));
}

static void a_full_disk_is_said_politely_and_is_over_by_itself(void **unused)
{
    (void) unused;
    start(RIG_MATCH);
    uint32_t alice = rig_attach(&rig, RIG_MATCH, RIG_ALICE, 0);
    rig.next = STORE_FULL;
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 1);
    uint32_t before = rig.batches;
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 1); /* Not even tried. */
    const Arbiter__Wire__Refused *refused = rig_last(&rig, RIG_ALICE, KIND(REFUSED));
    assert_int_equal(refused->refusal, REFUSAL(AGAIN));
    assert_true(refused->after_ms > 0);
    assert_int_equal(rig.batches, before);
    rig_wait(&rig, 5000);
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 1);
    assert_int_equal(rig_match(&rig, RIG_MATCH)->number, 1);
    rig.next = STORE_COMMITTED;
    rig_wait(&rig, 2000);
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 1);
    assert_int_equal(rig_match(&rig, RIG_MATCH)->number, 2);
}

/* Somebody wrote the next act of one match: its rows can never be kept. */
static void the_one_match_that_the_store_refuses_is_found_and_held(void **unused)
{
    (void) unused;
    uint32_t session[4];
    for (uint8_t match = 1; match <= 3; match++) {
        start(match);
        session[match] = rig_attach(&rig, match, RIG_ALICE, 0);
    }
    for (uint32_t i = 0; i < store->count; i++)
        if (store->rows[i].table == JOURNAL_ACTS &&
            store->rows[i].row->cells[ACTS_ID].bytes[0] == 2)
            store->rows[i].row->cells[ACTS_NUMBER].number = 2;
    for (uint32_t round = 0; round < 3; round++) {
        rig.holds = true;
        for (uint8_t match = 1; match <= 3; match++) {
            rig_take(&rig, match, RIG_ALICE, 0, session[match], 1, 0, 1);
            if (rig.out.wants_commit) {
                rig.holds = false;
                rig_settle(&rig, STORE_COMMITTED);
                rig.holds = true;
            }
        }
        rig.holds = false;
        rig_settle(&rig, STORE_COMMITTED);
    }
    assert_int_equal(engine_facts(rig.engine).quarantined, 1);
    assert_null(rig_match(&rig, 2));
    assert_int_equal(rig_match(&rig, 1)->number, 2);
    assert_int_equal(rig_match(&rig, 3)->number, 2);
}

static void by_lease(struct engine_settings *settings)
{
    settings->takes_all_slots = false;
}

static void lease_to(struct rig *who, uint32_t first, uint32_t last, uint64_t epoch,
                     const char *name)
{
    Arbiter__Watchdog__Leases leases = ARBITER__WATCHDOG__LEASES__INIT;
    Arbiter__Watchdog__Lease  run = ARBITER__WATCHDOG__LEASE__INIT;
    Arbiter__Watchdog__Lease *runs[] = { &run };
    struct header             header;
    run.has_first = run.has_last = run.has_epoch = true;
    run.first = first;
    run.last = last;
    run.epoch = epoch;
    run.engine = (char *) (uintptr_t) name;
    leases.n_leases = 1;
    leases.leases = runs;
    header_init(&header, KIND(LEASES), NULL);
    rig_hear(who, RIG_WATCHDOG, ROLE(WATCHDOG), &header, &leases);
    rig_wait(who, 3000);
}

static void lease(uint32_t first, uint32_t last, uint64_t epoch, const char *name)
{
    lease_to(&rig, first, last, epoch, name);
}

static void leases_give_and_take_slots(void **unused)
{
    (void) unused;
    rig_close(&rig);
    rig_open(&rig, store, by_lease);
    assert_int_equal(engine_facts(rig.engine).slots, 0);
    lease(0, 127, 5, "engine-1");
    assert_int_equal(engine_facts(rig.engine).slots, 128);
    lease(0, 63, 6, "engine-2");
    assert_int_equal(engine_facts(rig.engine).slots, 64);
    lease(0, 63, 5, "engine-1"); /* An old word. */
    assert_int_equal(engine_facts(rig.engine).slots, 64);
    lease(0, 63, 7, "engine-1");
    assert_int_equal(engine_facts(rig.engine).slots, 128);
    lease(200, 100, 9, "engine-1"); /* No run at all. */
    lease(0, 5000, 9, "engine-1");
    assert_int_equal(engine_facts(rig.engine).slots, 128);
}

/* The engine does not know what became of its last batch, and remembers leases. But others were
 * given its slots meanwhile. */
static void who_slept_takes_nothing_by_what_he_heard_before(void **unused)
{
    (void) unused;
    static struct rig other;
    rig_close(&rig);
    rig_open(&rig, store, by_lease);
    lease(0, 255, 5, "engine-1");
    assert_int_equal(engine_facts(rig.engine).slots, 256);
    rig_open(&other, store, by_lease);
    /* Another process; its name is all the same. */
    lease_to(&other, 0, 255, 6, "engine-1");
    assert_int_equal(engine_facts(other.engine).slots, 256);
    rig_wait(&rig, 30000);
    rig.next = STORE_UNKNOWN;
    rig_start(&rig, 9, "nim", "{\"heaps\": [9, 9]}", NULL, rig_two, 2, 1, 0);
    rig_wait(&rig, 3000);
    assert_int_equal(engine_facts(rig.engine).slots, 0);
    lease(0, 255, 5, "engine-1"); /* One of before, which waited for this engine. */
    assert_int_equal(engine_facts(rig.engine).slots, 0);
    rig_close(&other);
}

static void greet_as_watchdog(const char *name, uint32_t route)
{
    Arbiter__Directory__Hello hello = ARBITER__DIRECTORY__HELLO__INIT;
    struct header             header;
    header_init(&header, KIND(HELLO), NULL);
    hello.name = (char *) (uintptr_t) name;
    rig_hear_from(&rig, RIG_WATCHDOG, route, ROLE(WATCHDOG), &header, &hello);
    rig_wait(&rig, 10);
}

/* A role has one key; an engine of the same name is the same, come back another way. */
static void two_watchdogs_with_one_key_both_hear_of_waits(void **unused)
{
    (void) unused;
    greet_as_watchdog("watchdog-1", RIG_BOB);
    greet_as_watchdog("watchdog-2", RIG_GATEWAY);
    rig_forget(&rig);
    rig_start(&rig, RIG_MATCH, "nim", RIG_NIM, NULL, rig_two, 2, 1, 5000);
    assert_int_equal(rig_count(&rig, RIG_BOB, KIND(WAITS)), 1);
    assert_int_equal(rig_count(&rig, RIG_GATEWAY, KIND(WAITS)), 1);
    greet_as_watchdog("watchdog-2", RIG_CAROL);
    rig_forget(&rig);
    rig_start(&rig, RIG_MATCH + 1, "nim", RIG_NIM, NULL, rig_two, 2, 1, 5000);
    assert_int_equal(rig_count(&rig, RIG_BOB, KIND(WAITS)), 1);
    assert_int_equal(rig_count(&rig, RIG_GATEWAY, KIND(WAITS)), 0);
    assert_int_equal(rig_count(&rig, RIG_CAROL, KIND(WAITS)), 1);
}

static void slots_say_how_they_stand_and_which_matches_moved(void **unused)
{
    (void) unused;
    Arbiter__Stream__MovedAsk ask = ARBITER__STREAM__MOVED_ASK__INIT;
    struct header             header;
    uint8_t                   id[MATCH_ID_SIZE];
    start(RIG_MATCH);
    rig_forget(&rig);
    rig_wait(&rig, 1000);
    assert_int_equal(rig_count(&rig, 0, KIND(SLOT_COUNT)), 4);
    const Arbiter__Stream__SlotCount *count = rig_last(&rig, 0, KIND(SLOT_COUNT));
    memset(id, RIG_MATCH, sizeof id);
    ask.has_slot = ask.has_count = true;
    ask.slot = header_slot(id);
    ask.count = count->count - 1;
    header_init(&header, KIND(MOVED_ASK), NULL);
    rig_hear(&rig, RIG_FANOUT, ROLE(FANOUT), &header, &ask);
    const Arbiter__Stream__MovedAnswer *moved = rig_last(&rig, RIG_FANOUT, KIND(MOVED_ANSWER));
    assert_int_equal(moved->n_matches, 1);
    assert_int_equal(moved->count, count->count);
    assert_memory_equal(moved->matches[0]->match_id.data, id, sizeof id);
    assert_int_equal(moved->matches[0]->number, 1);
    ask.count = count->count;
    rig_hear(&rig, RIG_FANOUT, ROLE(FANOUT), &header, &ask);
    moved = rig_last(&rig, RIG_FANOUT, KIND(MOVED_ANSWER));
    assert_int_equal(moved->n_matches, 0);
}

static void a_stopping_engine_saves_what_was_played_and_goes(void **unused)
{
    (void) unused;
    start(RIG_MATCH);
    uint32_t alice = rig_attach(&rig, RIG_MATCH, RIG_ALICE, 0);
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 1);
    assert_int_equal(rig_rows(store, JOURNAL_SNAPSHOTS), 0);
    rig_event(&rig, EVENT_STOP);
    start(9);
    assert_int_equal(rig_refusal(&rig, RIG_LOBBY), REFUSAL(DRAINING));
    for (uint32_t i = 0; i < 5 && !rig.exited; i++)
        rig_event(&rig, EVENT_TIME);
    assert_true(rig.exited);
    assert_int_equal(rig_rows(store, JOURNAL_SNAPSHOTS), 1);
}

static void attach_with_code(uint8_t match, const char *code)
{
    Arbiter__Engine__Attach attach = ARBITER__ENGINE__ATTACH__INIT;
    struct header           header;
    attach.has_code = true;
    attach.code = (ProtobufCBinaryData){ text_length(code), (uint8_t *) (uintptr_t) code };
    rig_header(&header, KIND(ATTACH), match, NO_SEAT);
    rig_forget(&rig);
    rig_hear(&rig, RIG_CAROL, ROLE(CLIENT), &header, &attach);
}

static void spectators_see_and_private_tables_ask_for_their_code(void **unused)
{
    (void) unused;
    start(RIG_MATCH);
    attach_with_code(RIG_MATCH, "");
    const Arbiter__Engine__Attached *attached = rig_last(&rig, RIG_CAROL, KIND(ATTACHED));
    assert_true(attached->view.len > 0);
    assert_int_equal(attached->key.len, 0);
    rig.code = "sesame";
    start(8);
    attach_with_code(8, "simsalabim");
    assert_int_equal(rig_refusal(&rig, RIG_CAROL), REFUSAL(NOT_YOURS));
    attach_with_code(8, "sesame");
    assert_int_equal(rig_count(&rig, RIG_CAROL, KIND(ATTACHED)), 1);
}

/* Nim, with 60,000 heaps of one counter to be seen. */
static void view_too_much(const void *setup, const void *state, uint32_t viewer, struct sink *out)
{
    (void) setup, (void) state, (void) viewer;
    sink_put(out, 0); /* Misere. */
    sink_put(out, 60000);
    for (uint32_t i = 0; i < 60000; i++)
        sink_put(out, 1);
    sink_put(out, 0); /* Seats, turn, winners: none. */
    sink_put(out, ABSENT);
    sink_put(out, 0);
}

static void show_too_much(struct engine_settings *settings)
{
    static struct engine_game games[RIG_GAMES_MAX];
    static struct game        nim;
    memcpy(games, settings->games, settings->game_count * sizeof *games);
    for (uint32_t i = 0; i < settings->game_count; i++)
        if (strcmp(games[i].game->name, "nim") == 0) {
            nim = *games[i].game;
            nim.view = view_too_much;
            games[i].game = &nim;
        }
    settings->games = games;
}

/* The player is told so once and for all, for asking again would bring the same. No session stays
 * behind. */
static void a_view_that_fits_no_message_is_refused_for_good(void **unused)
{
    (void) unused;
    rig_close(&rig);
    rig_open(&rig, store, show_too_much);
    start(RIG_MATCH);
    rig_forget(&rig);
    assert_int_equal(rig_attach(&rig, RIG_MATCH, RIG_ALICE, 0), 0);
    const Arbiter__Wire__Refused *refused = rig_last(&rig, RIG_ALICE, KIND(REFUSED));
    assert_int_equal(refused->refusal, REFUSAL(TOO_MUCH));
    assert_false(refused->has_after_ms);
    assert_int_equal(rig_rows(store, JOURNAL_SESSIONS), 0);
    attach_with_code(RIG_MATCH, "");
    assert_int_equal(rig_refusal(&rig, RIG_CAROL), REFUSAL(TOO_MUCH));
}

int main(void)
{
#define SENTENCE(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        SENTENCE(a_match_is_started_once),
        SENTENCE(only_the_lobby_starts_one),
        SENTENCE(what_cannot_be_played_is_refused_with_its_place),
        SENTENCE(a_full_table_is_a_refusal),
        SENTENCE(a_change_of_hands_closes_what_was_open_and_turns_the_key),
        SENTENCE(the_house_ends_a_match_and_shows_its_secrets),
        SENTENCE(a_match_that_somebody_plays_is_not_ended_as_abandoned),
        SENTENCE(a_full_disk_is_said_politely_and_is_over_by_itself),
        SENTENCE(the_one_match_that_the_store_refuses_is_found_and_held),
        SENTENCE(leases_give_and_take_slots),
        SENTENCE(who_slept_takes_nothing_by_what_he_heard_before),
        SENTENCE(two_watchdogs_with_one_key_both_hear_of_waits),
        SENTENCE(slots_say_how_they_stand_and_which_matches_moved),
        SENTENCE(a_stopping_engine_saves_what_was_played_and_goes),
        SENTENCE(spectators_see_and_private_tables_ask_for_their_code),
        SENTENCE(a_view_that_fits_no_message_is_refused_for_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
