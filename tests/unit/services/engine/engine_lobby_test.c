/* engine_lobby_test.c: what was said at the table before the match is played right after its start.
 * Of what has begun the lobby is told again while nobody moves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contract/nim.pb-c.h"
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

static Arbiter__Engine__Opening  opening[3];
static Arbiter__Engine__Opening *openings[3] = { &opening[0], &opening[1], &opening[2] };
static uint8_t                   said[3][16];

static void say_before(uint32_t index, uint32_t seat, uint32_t heap, uint32_t count)
{
    Arbiter__Nim__Command command = ARBITER__NIM__COMMAND__INIT;
    Arbiter__Nim__Take    take = ARBITER__NIM__TAKE__INIT;
    take.has_heap = take.has_count = true;
    take.heap = heap;
    take.count = count;
    command.kind_case = ARBITER__NIM__COMMAND__KIND_TAKE;
    command.take = &take;
    arbiter__engine__opening__init(&opening[index]);
    opening[index].has_seat = opening[index].has_command = true;
    opening[index].seat = seat;
    opening[index].command =
        (ProtobufCBinaryData){ arbiter__nim__command__pack(&command, said[index]), said[index] };
    rig.openings = openings;
    rig.opening_count = index + 1;
}

static uint32_t actor_of(uint8_t match, uint64_t number)
{
    for (uint32_t i = 0; i < store->count; i++) {
        const struct row *row = store->rows[i].row;
        if (store->rows[i].table == JOURNAL_ACTS && row->cells[ACTS_ID].bytes[0] == match &&
            row->cells[ACTS_NUMBER].number == (int64_t) number)
            return (uint32_t) row->cells[ACTS_ACTOR].number;
    }
    return UINT32_MAX;
}

static void what_was_said_at_the_table_is_played_first(void **unused)
{
    (void) unused;
    say_before(0, 0, 0, 3);
    say_before(1, 0, 1, 1); /* Out of turn: said in vain. */
    say_before(2, 1, 2, 2);
    rig_start(&rig, 1, "nim", RIG_NIM, NULL, rig_two, 2, 1, 0);
    assert_int_equal(rig_match(&rig, 1)->number, 3);
    assert_int_equal(actor_of(1, 1), ACTOR_START);
    assert_int_equal(actor_of(1, 2), 0);
    assert_int_equal(actor_of(1, 3), 1);
    /* Said again, nothing happens again. */
    rig_start(&rig, 1, "nim", RIG_NIM, NULL, rig_two, 2, 1, 0);
    assert_int_equal(rig_match(&rig, 1)->number, 3);
}

/* With hosted dice it waits until they are made, across a restart. */
static void what_was_said_at_the_table_outlives_the_making_of_dice(void **unused)
{
    (void) unused;
    const uint32_t bots[] = { 0, RIG_BOB };
    say_before(0, 0, 0, 3);
    rig_start(&rig, 1, "nim", RIG_NIM, NULL, bots, 2, 0, 0);
    uint64_t before = rig_match(&rig, 1)->number;
    rig_close(&rig);
    rig_open(&rig, store, NULL);
    assert_true(rig_match(&rig, 1)->number >= before);
    Arbiter__Watchdog__Expire expire = ARBITER__WATCHDOG__EXPIRE__INIT;
    for (uint32_t round = 0; round < 2;
         round++) { /* Bob stays silent, and the dice do without Bob. */
        struct header header;
        rig_wait(&rig, 30000);
        const Arbiter__Watchdog__Waits *waits = rig_last(&rig, RIG_WATCHDOG, KIND(WAITS));
        for (size_t i = 0; i < waits->n_waits; i++)
            if (waits->waits[i]->match_id.data[0] == 1)
                expire.wait = waits->waits[i]->wait;
        uint8_t id[MATCH_ID_SIZE];
        memset(id, 1, sizeof id);
        expire.has_match_id = expire.has_wait = true;
        expire.match_id = (ProtobufCBinaryData){ sizeof id, id };
        rig_header(&header, KIND(EXPIRE), 1, NO_SEAT);
        rig_hear(&rig, RIG_WATCHDOG, ROLE(WATCHDOG), &header, &expire);
    }
    uint64_t last = rig_match(&rig, 1)->number;
    assert_int_equal(actor_of(1, last), 0);
    assert_int_equal(actor_of(1, last - 1), ACTOR_START);
}

static void what_nobody_could_have_said_is_a_fault(void **unused)
{
    (void) unused;
    say_before(0, 2, 0, 1); /* There are two seats. */
    rig_start(&rig, 1, "nim", RIG_NIM, NULL, rig_two, 2, 1, 0);
    const Arbiter__Engine__MatchStarted *started = rig_last(&rig, RIG_LOBBY, KIND(MATCH_STARTED));
    assert_non_null(started->fault);
    assert_memory_equal(started->fault, "/opening:", 9);
    assert_null(rig_match(&rig, 1));
    say_before(0, 0, 0, 1);
    opening[0].command.len--; /* No command: said in vain. */
    rig_start(&rig, 2, "nim", RIG_NIM, NULL, rig_two, 2, 1, 0);
    assert_int_equal(rig_match(&rig, 2)->number, 1);
}

/* So often the lobby is told within so many seconds, unasked, that a match has begun. */
static uint32_t told_within(uint32_t seconds)
{
    uint32_t told = 0;
    for (uint32_t i = 0; i < 2 * seconds; i++) {
        rig_forget(&rig);
        rig_wait(&rig, 500);
        told += rig_count(&rig, RIG_LOBBY, KIND(MATCH_STARTED));
    }
    return told;
}

/* Its table may have been closed before it began, by a lobby that is not there any more. */
static void while_nobody_moves_the_lobby_is_told_again_ever_more_seldom(void **unused)
{
    (void) unused;
    rig_start(&rig, 1, "nim", RIG_NIM, NULL, rig_two, 2, 1, 0);
    assert_int_equal(told_within(9), 0);
    assert_int_equal(told_within(3), 1); /* At 10 s, */
    rig_forget(&rig);
    for (uint32_t i = 0; i < 41; i++) /* 20 later, */
        rig_wait(&rig, 500);
    const Arbiter__Engine__MatchStarted *started = rig_last(&rig, RIG_LOBBY, KIND(MATCH_STARTED));
    assert_null(started->fault);
    assert_int_equal(started->number, 1);
    assert_int_equal(told_within(30), 0);
    assert_int_equal(told_within(12), 1); /* 40 later; and in the end each 640. */
    told_within(1300);
    assert_int_equal(told_within(1300), 2);
}

static void of_a_match_in_which_somebody_has_moved_it_is_not(void **unused)
{
    (void) unused;
    rig_start(&rig, 1, "nim", RIG_NIM, NULL, rig_two, 2, 1, 0);
    uint32_t session = rig_attach(&rig, 1, RIG_ALICE, 0);
    rig_take(&rig, 1, RIG_ALICE, 0, session, 1, 0, 1);
    assert_int_equal(told_within(60), 0);
    rig_close(&rig);
    rig_open(&rig, store, NULL);
    rig_start(&rig, 2, "nim", RIG_NIM, NULL, rig_two, 2, 1, 0);
    assert_int_equal(told_within(25), 1); /* Of the other one. */
}

static void after_a_restart_too_the_lobby_is_told_of_what_nobody_plays(void **unused)
{
    (void) unused;
    say_before(0, 0, 0, 3); /* What was said at the table is played by nobody. */
    rig_start(&rig, 1, "nim", RIG_NIM, NULL, rig_two, 2, 1, 0);
    rig_close(&rig);
    rig_open(&rig, store, NULL);
    assert_int_equal(told_within(60), 2);
}

int main(void)
{
#define SENTENCE(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        SENTENCE(what_was_said_at_the_table_is_played_first),
        SENTENCE(what_was_said_at_the_table_outlives_the_making_of_dice),
        SENTENCE(what_nobody_could_have_said_is_a_fault),
        SENTENCE(while_nobody_moves_the_lobby_is_told_again_ever_more_seldom),
        SENTENCE(of_a_match_in_which_somebody_has_moved_it_is_not),
        SENTENCE(after_a_restart_too_the_lobby_is_told_of_what_nobody_plays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
