/* engine_dice_test.c: hosted dice are made in public, also across a restart, and time runs for who is asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dice/commitment.h"
#include "schema/cells.h"
#include "services/engine/engine_rig.h"

#define NIM "{\"heaps\": \"random\"}"
#define MATCH 3

static struct rig_store *store;
static struct rig        rig;
static uint32_t          session[2];

static int begin(void **unused)
{
    (void) unused;
    store = rig_begin(&rig);
    rig_start(&rig, MATCH, "nim", NIM, NULL, rig_two, 2, 0, 30000);
    session[0] = rig_attach(&rig, MATCH, RIG_ALICE, 0);
    session[1] = rig_attach(&rig, MATCH, RIG_BOB, 1);
    return 0;
}

static int end(void **unused)
{
    (void) unused;
    rig_end(&rig);
    return 0;
}

/* Each seat's contribution is 16 times its number and one. */
static void contribute(uint32_t seat, uint32_t request, bool is_hash, uint8_t twist)
{
    Arbiter__Engine__Command command = ARBITER__ENGINE__COMMAND__INIT;
    struct header            header;
    uint8_t                  bytes[CONTRIBUTION_BYTES];
    uint8_t                  hash[COMMITMENT_BYTES];
    memset(bytes, (int) (seat + 1 + twist), sizeof bytes);
    commit_bytes(bytes, hash);
    command.kind_case =
        is_hash ? ARBITER__ENGINE__COMMAND__KIND_HASH : ARBITER__ENGINE__COMMAND__KIND_REVEAL;
    if (is_hash)
        command.hash = (ProtobufCBinaryData){ sizeof hash, hash };
    else
        command.reveal = (ProtobufCBinaryData){ sizeof bytes, bytes };
    rig_header(&header, KIND(COMMAND), MATCH, seat);
    header.session = session[seat];
    header.request = request;
    rig_hear(&rig, rig_two[seat], ROLE(CLIENT), &header, &command);
}

static const Arbiter__Engine__Reply *reply_to(uint32_t seat)
{
    return rig_last(&rig, rig_two[seat], KIND(REPLY));
}

static const Arbiter__Watchdog__Wait *wait_told(void)
{
    const Arbiter__Watchdog__Waits *waits = rig_last(&rig, RIG_WATCHDOG, KIND(WAITS));
    assert_int_equal(waits->n_waits, 1);
    return waits->waits[0];
}

static void expire(uint64_t wait, uint32_t seat)
{
    Arbiter__Watchdog__Expire expired = ARBITER__WATCHDOG__EXPIRE__INIT;
    uint8_t                   id[MATCH_ID_SIZE];
    struct header             header;
    memset(id, MATCH, sizeof id);
    expired.has_match_id = expired.has_wait = true;
    expired.match_id = (ProtobufCBinaryData){ sizeof id, id };
    expired.wait = wait;
    expired.n_seats = 1;
    expired.seats = &seat;
    header_init(&header, KIND(EXPIRE), NULL);
    rig_hear(&rig, RIG_WATCHDOG, ROLE(WATCHDOG), &header, &expired);
}

static void reopen(void)
{
    rig_close(&rig);
    rig_open(&rig, store, NULL);
    rig_wait(&rig, 100);
}

static void the_match_begins_when_all_have_revealed(void **unused)
{
    (void) unused;
    contribute(0, 1, true, 0);
    assert_true(reply_to(0)->accepted);
    rig_take(&rig, MATCH, RIG_ALICE, 0, session[0], 2, 0, 1);
    assert_string_equal(reply_to(0)->reason, "DICE_AWAITED");
    contribute(1, 1, true, 0);
    contribute(0, 3, false, 1);
    assert_string_equal(reply_to(0)->reason, "WRONG_BYTES");
    contribute(0, 4, false, 0);
    assert_true(reply_to(0)->accepted);
    assert_int_equal(rig_match(&rig, MATCH)->number, 4); /* The start is still to come. */
    contribute(1, 2, false, 0);
    const struct match *match = rig_match(&rig, MATCH);
    assert_int_equal(match->number, 6); /* Committed, two hashes, two reveals, the start. */
    assert_true(match->dice.draws > 0);
}

static void the_key_is_what_everybody_can_work_out_at_the_end(void **unused)
{
    (void) unused;
    struct contributions table;
    uint8_t              key[DICE_KEY_BYTES];
    uint8_t              secret[SECRET_BYTES];
    uint8_t              house[COMMITMENT_BYTES];
    struct dice          dice;
    the_match_begins_when_all_have_revealed(NULL);
    for (uint32_t i = 0; i < store->count; i++)
        if (store->rows[i].table == JOURNAL_MATCHES)
            assert_true(cell_bytes(store->rows[i].row, MATCHES_DICE_SECRET, secret, 32));
    commit_secret(secret, house);
    contributions_open(&table, rig_match(&rig, MATCH)->id, house, 3);
    table.revealing = 1;
    table.awaited = 0;
    table.revealed = 3;
    memset(table.bytes[0], 1, CONTRIBUTION_BYTES);
    memset(table.bytes[1], 2, CONTRIBUTION_BYTES);
    assert_true(contributions_key(&table, secret, key));
    dice_chacha(&dice, key);
    assert_memory_equal(dice.state, rig_match(&rig, MATCH)->dice.state, 32);
}

static void a_restart_in_the_middle_of_a_round_loses_nothing(void **unused)
{
    (void) unused;
    contribute(0, 1, true, 0);
    reopen();
    contribute(0, 1, true, 0); /* Asked again, answered again. */
    assert_true(reply_to(0)->accepted);
    contribute(1, 1, true, 0);
    contribute(0, 2, false, 0);
    reopen();
    contribute(1, 2, false, 0);
    assert_true(reply_to(1)->accepted);
    const struct match *match = rig_match(&rig, MATCH);
    uint64_t            draws = match->dice.draws;
    assert_true(draws > 0); /* The heaps were drawn: it has begun. */
    reopen();
    match = rig_match(&rig, MATCH);
    assert_int_equal(match->dice.draws, draws);
    assert_int_not_equal(match_to_act(match), 0);
}

static void who_is_silent_contributes_nothing_and_all_see_it(void **unused)
{
    (void) unused;
    contribute(0, 1, true, 0);
    uint64_t first = wait_told()->wait;
    expire(first + 1, 1); /* There is no such wait. */
    assert_int_equal(rig_match(&rig, MATCH)->number, 2);
    expire(first, 1);
    assert_int_equal(rig_match(&rig, MATCH)->number, 3);
    contribute(1, 1, true, 0);
    assert_string_equal(reply_to(1)->reason, "NOT_AWAITED");
    contribute(0, 2, false, 0);
    assert_true(rig_match(&rig, MATCH)->dice.draws > 0);
}

static void a_wait_is_told_and_an_old_expiry_changes_nothing(void **unused)
{
    (void) unused;
    the_match_begins_when_all_have_revealed(NULL);
    const Arbiter__Watchdog__Wait *wait = wait_told();
    uint64_t                       old = wait->wait;
    uint32_t                       seat = wait->seats[0];
    assert_int_equal(wait->left_ms, 30000);
    assert_int_equal(wait->n_seats, 1);
    rig_take(&rig, MATCH, rig_two[seat], seat, session[seat], 5 - 2 * seat, 0, 1);
    assert_true(reply_to(seat)->accepted);
    uint64_t number = rig_match(&rig, MATCH)->number;
    assert_true(wait_told()->wait > old);
    expire(old, seat);
    assert_int_equal(rig_match(&rig, MATCH)->number, number);
    expire(wait_told()->wait, wait_told()->seats[0]);
    assert_int_equal(rig_match(&rig, MATCH)->number, number + 1);
    const Arbiter__Stream__Act *act = rig_last(&rig, 0, KIND(ACT));
    assert_int_equal(act->actor, ACTOR_TIME);
}

static void after_a_restart_a_clock_begins_anew_and_an_act_says_so(void **unused)
{
    (void) unused;
    the_match_begins_when_all_have_revealed(NULL);
    uint64_t number = rig_match(&rig, MATCH)->number;
    rig.now_ms += 20000;
    rig_close(&rig);
    rig_open(&rig, store, NULL);
    rig_wait(&rig, 1000);
    assert_int_equal(rig_match(&rig, MATCH)->number, number + 1);
    rig_wait(&rig, 12000); /* Repeated by itself. */
    const Arbiter__Watchdog__Wait *wait = wait_told();
    assert_int_equal(wait->wait, number + 1);
    assert_true(wait->left_ms > 15000);
    rig_wait(&rig, 12000);
    assert_int_equal(rig_match(&rig, MATCH)->number, number + 1);
}

int main(void)
{
#define SENTENCE(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        SENTENCE(the_match_begins_when_all_have_revealed),
        SENTENCE(the_key_is_what_everybody_can_work_out_at_the_end),
        SENTENCE(a_restart_in_the_middle_of_a_round_loses_nothing),
        SENTENCE(who_is_silent_contributes_nothing_and_all_see_it),
        SENTENCE(a_wait_is_told_and_an_old_expiry_changes_nothing),
        SENTENCE(after_a_restart_a_clock_begins_anew_and_an_act_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
