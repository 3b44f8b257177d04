/* outbox_test.c: what is put into an outbox stands there, in order, until it is emptied. */
#include "core/outbox.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contract/envelope.pb-c.h"
#include "core/rights.h"
#include "wire/names.h"

static struct outbox out;
static void         *memory;

static int an_empty_outbox(void **unused)
{
    (void) unused;
    memory = malloc(OUTBOX_BYTES_MIN);
    memset(memory, 0xa5, OUTBOX_BYTES_MIN);
    outbox_init(&out, memory, OUTBOX_BYTES_MIN);
    return 0;
}

static int done(void **unused)
{
    (void) unused;
    free(memory);
    return 0;
}

static void effects_keep_their_order(void **unused)
{
    (void) unused;
    outbox_disconnect(&out, 5);
    outbox_exit(&out);
    assert_int_equal(out.effect_count, 2);
    assert_int_equal(out.effects[0].kind, EFFECT_DISCONNECT);
    assert_int_equal(out.effects[1].kind, EFFECT_EXIT);
}

static void memory_comes_zeroed_after_every_reset(void **unused)
{
    (void) unused;
    for (int round = 0; round < 2; round++) {
        uint8_t *bytes = outbox_take(&out, 1000);
        for (size_t i = 0; i < 1000; i++)
            assert_int_equal(bytes[i], 0);
        memset(bytes, 0xff, 1000);
        outbox_reset(&out);
    }
}

static void it_is_full_before_a_step_could_find_no_room(void **unused)
{
    (void) unused;
    uint32_t steps = 0;
    while (!outbox_is_full(&out)) {
        outbox_take(&out, OUTBOX_STEP_BYTES);
        steps++;
    }
    assert_in_range(steps, 1, OUTBOX_BYTES_MIN / OUTBOX_STEP_BYTES);
    outbox_reset(&out);
    assert_false(outbox_is_full(&out));
    while (!outbox_is_full(&out))
        outbox_exit(&out);
    assert_in_range(out.effects_max - out.effect_count, 1, OUTBOX_STEP_EFFECTS);
}

static void a_wake_up_stays_through_a_reset_and_the_earliest_counts(void **unused)
{
    (void) unused;
    outbox_wake(&out, 500);
    outbox_wake(&out, 700);
    outbox_reset(&out);
    assert_int_equal(out.wake_ms, 500);
}

static void a_refusal_goes_back_the_way_the_question_came(void **unused)
{
    (void) unused;
    struct event event = { .kind = EVENT_MESSAGE };
    event.caller.door = DOOR_REQUESTS;
    event.caller.route = 77;
    event.header.session = 3;
    outbox_refuse(&out, &event, REFUSAL(AGAIN), "ask again");
    const Arbiter__Wire__Refused *refused =
        (const Arbiter__Wire__Refused *) (const void *) out.effects[0].body;
    assert_int_equal(out.effects[0].route, 77);
    assert_int_equal(out.effects[0].header.session, 3);
    assert_int_equal(out.effects[0].header.kind, KIND(REFUSED));
    assert_int_equal(refused->refusal, REFUSAL(AGAIN));
    assert_string_equal(refused->sentence, "ask again");
}

static void a_fence_said_twice_counts_once(void **unused)
{
    (void) unused;
    outbox_fence(&out, 4, 9);
    outbox_fence(&out, 5, 9);
    outbox_fence(&out, 4, 9);
    assert_int_equal(out.fence_count, 2);
}

static void a_row_has_its_cells(void **unused)
{
    (void) unused;
    struct row *row = outbox_row(&out, ROW_ADD, 1, 3);
    row_number(row, 0, UINT64_MAX);
    row_text(row, 1, "abc", 3);
    assert_int_equal(row->cells[0].number, -1);
    assert_int_equal(row->cells[1].size, 3);
    assert_int_equal(row->cells[2].kind, CELL_NULL);
    assert_ptr_equal(out.rows[0], row);
}

static void only_relays_take_a_whole_slot_and_nobody_everything(void **unused)
{
    (void) unused;
    for (uint32_t role = 0; role < 40; role++) {
        assert_false(rights_may_subscribe(role, 0));
        assert_false(rights_may_subscribe(role, 5));
        assert_int_equal(rights_may_subscribe(role, 1), role == 3 || role == 5);
        assert_int_equal(rights_may_subscribe(role, 17), role >= 1 && role <= 8);
    }
}

static void only_the_lobby_starts_matches_and_only_players_move(void **unused)
{
    (void) unused;
    for (uint32_t role = 0; role < 40; role++) {
        assert_int_equal(rights_may_say(role, KIND(START_MATCH)), role == 1);
        assert_int_equal(rights_may_say(role, KIND(COMMAND)), role >= 5 && role <= 8);
        assert_false(rights_may_say(role, KIND(ACT)));
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, an_empty_outbox, done)
    const struct CMUnitTest tests[] = {
        TEST(effects_keep_their_order),
        TEST(memory_comes_zeroed_after_every_reset),
        TEST(it_is_full_before_a_step_could_find_no_room),
        TEST(a_wake_up_stays_through_a_reset_and_the_earliest_counts),
        TEST(a_refusal_goes_back_the_way_the_question_came),
        TEST(a_fence_said_twice_counts_once),
        TEST(a_row_has_its_cells),
        TEST(only_relays_take_a_whole_slot_and_nobody_everything),
        TEST(only_the_lobby_starts_matches_and_only_players_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
