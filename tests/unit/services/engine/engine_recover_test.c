/* engine_recover_test.c: an engine that died is the same again: matches, answers, dice; and what is damaged
 * is found, held, and hurts nobody else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/engine/engine_rig.h"

#define NIM "{\"heaps\": [1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000]}"

static const uint32_t three[] = { RIG_ALICE, RIG_BOB, RIG_CAROL };

static struct rig_store *store;
static struct rig        rig;
static struct rig        other;

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

/* The process dies and comes again; what it had in memory is compared with what it has read. */
static void assert_same_after_restart(uint8_t number)
{
    const struct match *match = rig_match(&rig, number);
    size_t              size = match->terms->bounds.state_bytes;
    rig_open(&other, store, NULL);
    const struct match *again = rig_match(&other, number);
    assert_non_null(again);
    assert_int_equal(again->number, match->number);
    assert_memory_equal(again->chain, match->chain, sizeof match->chain);
    assert_memory_equal(again->state, match->state, size);
    assert_memory_equal(&again->dice.state, &match->dice.state, sizeof match->dice.state);
    assert_memory_equal(again->generation, match->generation, sizeof match->generation);
    assert_memory_equal(match_keys(again, 0), match_keys(match, 0), sizeof(struct box_keys));
    assert_true(again->epoch > match->epoch);
    rig_close(&rig);
    rig = other;
}

static void nim_goes_on_where_it_was(void **unused)
{
    (void) unused;
    rig_start(&rig, 1, "nim", NIM, NULL, rig_two, 2, 1, 0);
    rig_start(&rig, 2, "nim", NIM, NULL, rig_two, 2, 2, 0);
    rig_play_on(&rig, 1, rig_two, 2, 21, 5); /* Snapshots and acts behind them. */
    rig_play_on(&rig, 2, rig_two, 2, 3, 6);  /* Acts alone. */
    assert_same_after_restart(1);
    assert_same_after_restart(2);
    assert_true(rig_play_on(&rig, 1, rig_two, 2, 1000, 5) > 0);
    assert_int_equal(match_to_act(rig_match(&rig, 1)), 0);
    assert_same_after_restart(1);
}

static void the_dead_go_on_where_they_were(void **unused)
{
    (void) unused;
    char *setup = rig_setup(ARBITER_SOURCE "/configs/dead/intro.json");
    rig_start(&rig, 1, "dead", setup, NULL, three, 3, 42, 0);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(rig_play_on(&rig, 1, three, 3, 11, 100 + i), 11);
        assert_same_after_restart(1);
    }
    free(setup);
}

static void quests_go_on_where_they_were(void **unused)
{
    (void) unused;
    rig_start(
        &rig, 1, "quests",
        "{\"winning_shields\": 1, \"event_deck\": [\"Q2\", \"Q2\"], \"event_fill\": \"none\", "
        "\"sponsor_redraw_on_win\": true, \"hand_limit\": 10}",
        "{\"rigged\": true}", (const uint32_t[]){ 2, 3, 4, 2 }, 4, 9, 0);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(rig_play_on(&rig, 1, (const uint32_t[]){ 2, 3, 4, 2 }, 4, 7, i) > 0);
        assert_same_after_restart(1);
    }
}

static void an_answer_is_given_again_after_a_restart(void **unused)
{
    (void) unused;
    rig_start(&rig, 1, "nim", NIM, NULL, rig_two, 2, 1, 0);
    uint32_t alice = rig_attach(&rig, 1, RIG_ALICE, 0);
    uint32_t bob = rig_attach(&rig, 1, RIG_BOB, 1);
    rig_take(&rig, 1, RIG_BOB, 1, bob, 1, 0, 1); /* Refused. */
    rig_take(&rig, 1, RIG_ALICE, 0, alice, 1, 0, 2);
    assert_same_after_restart(1);
    rig_take(&rig, 1, RIG_ALICE, 0, alice, 1, 0, 2);
    const Arbiter__Engine__Reply *reply = rig_last(&rig, RIG_ALICE, KIND(REPLY));
    assert_true(reply->accepted);
    assert_int_equal(reply->number, 2);
    rig_take(&rig, 1, RIG_BOB, 1, bob, 1, 0, 1);
    reply = rig_last(&rig, RIG_BOB, KIND(REPLY));
    assert_false(reply->accepted);
    assert_int_equal(rig_rows(store, JOURNAL_ACTS), 2);
    assert_int_equal(rig_attach(&rig, 1, RIG_ALICE, 0), alice + 1);
}

static const Arbiter__Engine__Reply *asked_again(uint32_t who, uint32_t seat, uint32_t session,
                                                 uint32_t request)
{
    rig_take(&rig, 1, who, seat, session, request, 0, 1);
    const struct header *header = rig_last_header(&rig, who, KIND(REPLY));
    assert_non_null(header);
    assert_int_equal(header->request, request);
    return rig_last(&rig, who, KIND(REPLY));
}

/* The last row of a session in the journal; 0: it never had an answer kept. */
static uint64_t request_kept(uint32_t seat)
{
    uint64_t request = 0;
    for (uint32_t i = 0; i < store->count; i++)
        if (store->rows[i].table == JOURNAL_SESSIONS &&
            store->rows[i].row->cells[SESSIONS_SEAT].number == seat)
            request = (uint64_t) store->rows[i].row->cells[SESSIONS_REQUEST].number;
    return request;
}

/* Sixteen acts apart the answers get rows of their own; between, the rows of their acts tell them. Whenever
 * the engine dies, the last answer of each seat is the same, and nothing is played again. */
static void the_row_of_an_act_is_its_answer(void **unused)
{
    (void) unused;
    rig_start(&rig, 1, "nim", NIM, NULL, rig_two, 2, 1, 0);
    uint32_t session[2] = { rig_attach(&rig, 1, RIG_ALICE, 0), rig_attach(&rig, 1, RIG_BOB, 1) };
    for (uint32_t act = 2; act <= 40; act++) {
        uint32_t seat = act % 2, who = rig_two[seat];
        rig_take(&rig, 1, who, seat, session[seat], act / 2, act % 8, 1);
        uint32_t before = seat == 0 ? act / 2 - 1 : act / 2;
        assert_same_after_restart(1);
        const Arbiter__Engine__Reply *reply = asked_again(who, seat, session[seat], act / 2);
        assert_true(reply->accepted);
        assert_int_equal(reply->number, act);
        assert_memory_equal(reply->chain.data, rig_match(&rig, 1)->chain, MATCH_HASH_SIZE);
        if (before > 0) {
            reply = asked_again(rig_two[1 - seat], 1 - seat, session[1 - seat], before);
            assert_int_equal(reply->number, act - 1);
        }
        assert_int_equal(rig_match(&rig, 1)->number, act);
    }
    assert_int_equal(rig_rows(store, JOURNAL_ACTS), 40);
    /* The snapshots were made at 16 and 32, before the answer of their own act was given. */
    assert_int_equal(request_kept(0), 15);
    assert_int_equal(request_kept(1), 15);
}

/* Its row is the newer one. */
static void a_refusal_behind_an_act_is_the_later_answer(void **unused)
{
    (void) unused;
    rig_start(&rig, 1, "nim", NIM, NULL, rig_two, 2, 1, 0);
    uint32_t alice = rig_attach(&rig, 1, RIG_ALICE, 0);
    rig_take(&rig, 1, RIG_ALICE, 0, alice, 1, 0, 2);
    rig_take(&rig, 1, RIG_ALICE, 0, alice, 2, 0, 2);
    assert_same_after_restart(1);
    rig_take(&rig, 1, RIG_ALICE, 0, alice, 1, 0, 2);
    assert_int_equal(rig_count(&rig, RIG_ALICE, KIND(REPLY)), 0); /* Answered long ago. */
    assert_false(asked_again(RIG_ALICE, 0, alice, 2)->accepted);
    assert_int_equal(rig_match(&rig, 1)->number, 2);
}

static uint32_t slots_asked_more_than(uint32_t times)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < 256; i++)
        count += store->asked[i] > times;
    return count;
}

static uint32_t all_asked(void)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 256; i++)
        sum += store->asked[i];
    return sum;
}

/* Whatever could not be read: only the slots it belongs to are read again, and not at once. */
static void what_could_not_be_read_is_read_again_of_its_slot_alone(void **unused)
{
    (void) unused;
    static const uint32_t tables[] = { JOURNAL_LIVE,      JOURNAL_SETUPS, JOURNAL_SESSIONS,
                                       JOURNAL_SNAPSHOTS, JOURNAL_SEATS,  JOURNAL_ACTS };
    const uint32_t        usual = 3; /* Until its set-up is there, too. */
    rig_start(&rig, 1, "nim", NIM, NULL, rig_two, 2, 1, 0);
    rig_start(&rig, 2, "nim", NIM, NULL, rig_two, 2, 2, 0);
    rig_play_on(&rig, 1, rig_two, 2, 21, 5);
    rig_play_on(&rig, 2, rig_two, 2, 3, 6);
    for (uint32_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        uint64_t first = rig_match(&rig, 1)->number, second = rig_match(&rig, 2)->number;
        rig_close(&rig);
        memset(store->asked, 0, sizeof store->asked);
        store->failing = tables[i];
        store->fails = 1;
        rig_open(&rig, store, NULL);
        assert_int_equal(store->fails, 0);
        assert_int_equal(slots_asked_more_than(usual), 0);
        uint32_t asked = all_asked();
        rig_wait(&rig, 180);
        assert_int_equal(all_asked(), asked);
        rig_wait(&rig, 20);
        assert_in_range(all_asked() - asked, 1, 4); /* Of two slots at most. */
        assert_int_equal(rig_match(&rig, 1)->number, first);
        assert_int_equal(rig_match(&rig, 2)->number, second);
        assert_int_equal(rig_play_on(&rig, 2, rig_two, 2, 1, 7 + i), 1);
    }
}

/* Finds an act's row and changes a byte of its command or body. */
static void damage(uint8_t match, int64_t number, uint32_t column)
{
    for (uint32_t i = 0; i < store->count; i++) {
        struct row *row = store->rows[i].row;
        if (store->rows[i].table == JOURNAL_ACTS && row->cells[ACTS_ID].bytes[0] == match &&
            row->cells[ACTS_NUMBER].number == number)
            ((uint8_t *) (uintptr_t) row->cells[column].bytes)[0] ^= 1;
    }
}

static void damage_is_found_said_and_hurts_nobody_else(void **unused)
{
    (void) unused;
    static const uint32_t columns[] = { ACTS_COMMAND, ACTS_BODY, ACTS_CHAIN };
    for (uint8_t match = 1; match <= 4; match++) {
        rig_start(&rig, match, "nim", NIM, NULL, rig_two, 2, match, 0);
        rig_play_on(&rig, match, rig_two, 2, 5, match);
        if (match <= 3)
            damage(match, 3, columns[match - 1]);
    }
    rig_close(&rig);
    rig_open(&rig, store, NULL);
    assert_int_equal(engine_facts(rig.engine).quarantined, 3);
    for (uint8_t match = 1; match <= 3; match++) {
        assert_int_equal(rig_attach(&rig, match, RIG_ALICE, 0), 0);
        assert_int_equal(rig_refusal(&rig, RIG_ALICE), REFUSAL(QUARANTINED));
    }
    assert_true(rig_attach(&rig, 4, RIG_ALICE, 0) > 0);
}

/* A build of before: what it calls nim has another version of the rules. */
static void take_nim_back(struct engine_settings *settings)
{
    static struct engine_game games[RIG_GAMES_MAX];
    static struct game        nim;
    for (uint32_t i = 0; i < settings->game_count; i++) {
        games[i] = settings->games[i];
        if (strcmp(games[i].game->name, "nim") != 0)
            continue;
        nim = *games[i].game;
        nim.version++;
        games[i].game = &nim;
    }
    settings->games = games;
}

/* While one build is replaced by the next, or taken back, an engine may lack the rules of a match. It is
 * there all the same: nobody is told that it is not, and nobody begins it a second time. */
static void a_match_waits_for_an_engine_that_has_its_rules(void **unused)
{
    (void) unused;
    char *setup = rig_setup(ARBITER_SOURCE "/configs/dead/intro.json");
    rig_start(&rig, 1, "nim", NIM, NULL, rig_two, 2, 1, 0);
    rig_start(&rig, 2, "dead", setup, NULL, three, 3, 42, 0);
    free(setup);
    uint32_t alice = rig_attach(&rig, 1, RIG_ALICE, 0);
    rig_take(&rig, 1, RIG_ALICE, 0, alice, 1, 0, 2);
    rig_close(&rig);
    rig_open(&rig, store, take_nim_back);
    uint32_t rows = rig_rows(store, JOURNAL_ACTS);
    assert_null(rig_match(&rig, 1));
    assert_int_equal(rig_attach(&rig, 1, RIG_BOB, 1), 0);
    assert_int_equal(rig_refusal(&rig, RIG_BOB), REFUSAL(AGAIN));
    rig_forget(&rig);
    rig_take(&rig, 1, RIG_ALICE, 0, alice, 1, 0, 2);
    assert_int_equal(rig_refusal(&rig, RIG_ALICE), REFUSAL(AGAIN));
    rig_start(&rig, 1, "nim", NIM, NULL, rig_two, 2, 1, 0);
    assert_int_equal(rig_refusal(&rig, RIG_LOBBY), REFUSAL(AGAIN));
    assert_int_equal(rig_count(&rig, RIG_LOBBY, KIND(MATCH_STARTED)), 0);
    assert_int_equal(rig_attach(&rig, 3, RIG_BOB, 1), 0);
    assert_int_equal(rig_refusal(&rig, RIG_BOB), REFUSAL(NO_SUCH_MATCH));
    assert_true(rig_attach(&rig, 2, RIG_BOB, 1) > 0);
    assert_int_equal(rig_rows(store, JOURNAL_ACTS), rows);
    rig_close(&rig);
    rig_open(&rig, store, NULL);
    rig_take(&rig, 1, RIG_ALICE, 0, alice, 1, 0, 2);
    const Arbiter__Engine__Reply *reply = rig_last(&rig, RIG_ALICE, KIND(REPLY));
    assert_true(reply->accepted);
    assert_int_equal(reply->number, 2);
    assert_int_equal(rig_rows(store, JOURNAL_ACTS), rows);
}

/* What is damaged at its head is held, too, and not begun anew. */
static void a_match_whose_header_is_damaged_is_held(void **unused)
{
    (void) unused;
    rig_start(&rig, 1, "nim", NIM, NULL, rig_two, 2, 1, 0);
    for (uint32_t i = 0; i < store->count; i++)
        if (store->rows[i].table == JOURNAL_LIVE)
            store->rows[i].row->cells[MATCHES_SEATS].number = 99;
    rig_close(&rig);
    rig_open(&rig, store, NULL);
    assert_int_equal(rig_attach(&rig, 1, RIG_ALICE, 0), 0);
    assert_int_equal(rig_refusal(&rig, RIG_ALICE), REFUSAL(QUARANTINED));
    rig_start(&rig, 1, "nim", NIM, NULL, rig_two, 2, 1, 0);
    assert_int_equal(rig_refusal(&rig, RIG_LOBBY), REFUSAL(QUARANTINED));
}

static void a_damaged_snapshot_is_not_missed(void **unused)
{
    (void) unused;
    rig_start(&rig, 1, "nim", NIM, NULL, rig_two, 2, 1, 0);
    rig_play_on(&rig, 1, rig_two, 2, 20, 5);
    for (uint32_t i = 0; i < store->count; i++)
        if (store->rows[i].table == JOURNAL_SNAPSHOTS)
            ((uint8_t *) (uintptr_t) store->rows[i].row->cells[SNAPSHOTS_BYTES].bytes)[70] ^= 1;
    assert_int_equal(rig_rows(store, JOURNAL_SNAPSHOTS), 1);
    assert_same_after_restart(1);
}

static void what_nobody_knows_is_read_anew(void **unused)
{
    (void) unused;
    rig_start(&rig, 1, "nim", NIM, NULL, rig_two, 2, 1, 0);
    uint32_t alice = rig_attach(&rig, 1, RIG_ALICE, 0);
    for (uint32_t is_kept = 0; is_kept < 2; is_kept++) {
        uint64_t number = rig_match(&rig, 1)->number;
        rig_forget(&rig);
        rig.holds = true;
        rig_take(&rig, 1, RIG_ALICE, 0, alice, 1, 0, 2);
        if (is_kept == 1)
            assert_int_equal(rig_store_commit(store, &rig.out), STORE_COMMITTED);
        rig.holds = false;
        rig_settle(&rig, STORE_UNKNOWN);
        assert_int_equal(rig_count(&rig, RIG_ALICE, KIND(REPLY)), 0);
        assert_int_equal(rig_count(&rig, RIG_ALICE, KIND(REFUSED)), 0);
        rig_wait(&rig, 1000);
        assert_int_equal(rig_match(&rig, 1)->number, number + is_kept);
    }
    /* The client asks again, as it must, and learns that it had been played. */
    rig_take(&rig, 1, RIG_ALICE, 0, alice, 1, 0, 2);
    const Arbiter__Engine__Reply *reply = rig_last(&rig, RIG_ALICE, KIND(REPLY));
    assert_true(reply->accepted);
    assert_int_equal(reply->number, 2);
    assert_int_equal(rig_match(&rig, 1)->number, 2);
}

static void who_was_replaced_says_nothing_and_lets_go(void **unused)
{
    (void) unused;
    rig_start(&rig, 1, "nim", NIM, NULL, rig_two, 2, 1, 0);
    uint32_t alice = rig_attach(&rig, 1, RIG_ALICE, 0);
    rig_open(&other, store, NULL); /* Another process takes all slots. */
    rig_forget(&rig);
    assert_int_equal(rig_attach(&rig, 1, RIG_CAROL, NO_SEAT), 0); /* A spectator, too. */
    assert_int_equal(rig_count(&rig, RIG_CAROL, KIND(ATTACHED)), 0);
    assert_int_equal(rig_refusal(&rig, RIG_CAROL), REFUSAL(AGAIN));
    rig_take(&rig, 1, RIG_ALICE, 0, alice, 1, 0, 2);
    assert_int_equal(rig_count(&rig, 0, KIND(ACT)), 0);
    assert_int_equal(rig_refusal(&rig, RIG_ALICE), REFUSAL(AGAIN));
    rig_wait(&rig, 2000);
    rig_take(&rig, 1, RIG_ALICE, 0, alice, 1, 0, 2);
    assert_int_equal(rig_refusal(&rig, RIG_ALICE), REFUSAL(ELSEWHERE));
    assert_int_equal(engine_facts(rig.engine).slots, 0);
    assert_int_equal(engine_facts(rig.engine).memory_used, 0);
    rig_take(&other, 1, RIG_ALICE, 0, alice, 1, 0, 2);
    assert_true(
        ((const Arbiter__Engine__Reply *) rig_last(&other, RIG_ALICE, KIND(REPLY)))->accepted);
    rig_close(&other);
}

int main(void)
{
#define SENTENCE(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        SENTENCE(nim_goes_on_where_it_was),
        SENTENCE(the_dead_go_on_where_they_were),
        SENTENCE(quests_go_on_where_they_were),
        SENTENCE(an_answer_is_given_again_after_a_restart),
        SENTENCE(the_row_of_an_act_is_its_answer),
        SENTENCE(a_refusal_behind_an_act_is_the_later_answer),
        SENTENCE(damage_is_found_said_and_hurts_nobody_else),
        SENTENCE(a_match_waits_for_an_engine_that_has_its_rules),
        SENTENCE(a_match_whose_header_is_damaged_is_held),
        SENTENCE(a_damaged_snapshot_is_not_missed),
        SENTENCE(what_nobody_knows_is_read_anew),
        SENTENCE(what_could_not_be_read_is_read_again_of_its_slot_alone),
        SENTENCE(who_was_replaced_says_nothing_and_lets_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
