/* slow_test.c: slow commands are kept as their processes tell them, and told to the operator. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/watchdog/watchdog_parts.h"
#include "services/watchdog/watched.h"

static struct watched watched;

static int a_watchdog(void **unused)
{
    (void) unused;
    struct watchdog_settings settings;
    watchdog_defaults(&settings);
    watched_begin(&watched, &settings, NULL);
    return 0;
}

static int one_that_exports(void **unused)
{
    (void) unused;
    struct watchdog_settings settings;
    watchdog_defaults(&settings);
    settings.exports = true;
    watched_begin(&watched, &settings, NULL);
    return 0;
}

static int is_over(void **unused)
{
    (void) unused;
    watched_end(&watched);
    return 0;
}

/* One slow command, of a match and with an id of 16 such bytes; `size` of the id. */
static void tell(uint32_t role, const char *name, uint8_t match, uint64_t number, size_t size)
{
    uint8_t                         ids[2][TRACE_ID_SIZE + 1];
    Arbiter__Watchdog__SlowCommand  command = ARBITER__WATCHDOG__SLOW_COMMAND__INIT;
    Arbiter__Watchdog__SlowCommand *commands = &command;
    Arbiter__Watchdog__Slow         slow = ARBITER__WATCHDOG__SLOW__INIT;
    Arbiter__Wire__Took             took = ARBITER__WIRE__TOOK__INIT;
    memset(ids[0], match, sizeof ids[0]);
    memset(ids[1], 0x77, sizeof ids[1]);
    command.has_id = command.has_match_id = command.has_seat = command.has_at_ms = true;
    command.match_id = (ProtobufCBinaryData){ TRACE_ID_SIZE, ids[0] };
    command.id = (ProtobufCBinaryData){ size, ids[1] };
    command.has_number = number > 0;
    command.number = number;
    command.seat = 1;
    command.at_ms = 1234567;
    took.has_commit_us = true;
    took.commit_us = 300000 + number;
    command.took = &took;
    slow.name = (char *) name;
    slow.commands = &commands;
    slow.n_commands = 1;
    watched_hear(&watched, NO_PEER, role, KIND(SLOW), &slow.base);
}

static void what_was_slow_is_told_with_who_said_so(void **unused)
{
    (void) unused;
    tell(ROLE(ENGINE), "engine-1", 7, 12, TRACE_ID_SIZE);
    const Arbiter__Watchdog__SlowList *list = watched_slow(&watched, 0, 0);
    assert_int_equal(list->n_commands, 1);
    assert_int_equal(list->heard, 1);
    const Arbiter__Watchdog__SlowCommand *command = list->commands[0];
    assert_int_equal(command->role, ROLE(ENGINE));
    assert_string_equal(command->service, "engine-1");
    assert_int_equal(command->number, 12);
    assert_int_equal(command->seat, 1);
    assert_int_equal(command->at_ms, 1234567);
    assert_int_equal(command->took->commit_us, 300012);
    assert_false(command->took->has_rules_us);
    assert_int_equal(command->id.data[15], 0x77);
    assert_int_equal(command->match_id.data[15], 7);
}

static void one_match_and_one_act_can_be_asked_for(void **unused)
{
    (void) unused;
    for (uint8_t match = 1; match <= 3; match++)
        for (uint64_t number = 1; number <= 4; number++) {
            tell(ROLE(ENGINE), "engine-1", match, number, TRACE_ID_SIZE);
            tell(ROLE(GATEWAY), "gateway-1", match, number, TRACE_ID_SIZE);
        }
    assert_int_equal(watched_slow(&watched, 0, 0)->n_commands, 24);
    assert_int_equal(watched_slow(&watched, 2, 0)->n_commands, 8);
    const Arbiter__Watchdog__SlowList *list = watched_slow(&watched, 2, 3);
    assert_int_equal(list->n_commands, 2);
    assert_string_equal(list->commands[0]->service, "engine-1"); /* The newest last. */
    assert_string_equal(list->commands[1]->service, "gateway-1");
    assert_int_equal(list->commands[1]->number, 3);
    assert_int_equal(watched_slow(&watched, 4, 0)->n_commands, 0);
}

static void the_newest_are_kept_and_fit_a_message(void **unused)
{
    (void) unused;
    for (uint64_t number = 1; number <= WATCHDOG_SLOW + 5; number++)
        tell(ROLE(GATEWAY), "a-name-of-thirty-one-bytes-1234", 1, UINT64_MAX - number,
             TRACE_ID_SIZE);
    const Arbiter__Watchdog__SlowList *list = watched_slow(&watched, 0, 0);
    assert_int_equal(list->heard, WATCHDOG_SLOW + 5);
    assert_int_equal(list->kept, WATCHDOG_SLOW);
    assert_int_equal(list->commands[list->n_commands - 1]->number, UINT64_MAX - WATCHDOG_SLOW - 5);
    assert_true(protobuf_c_message_get_packed_size(&list->base) < (64u << 10));
    assert_int_equal(watched_slow(&watched, 1, UINT64_MAX - 5)->n_commands, 0);
    assert_int_equal(watched_slow(&watched, 1, UINT64_MAX - 6)->n_commands, 1);
    assert_int_equal(watched_slow(&watched, 1, UINT64_MAX - WATCHDOG_SLOW - 5)->n_commands, 1);
}

static void what_is_no_slow_command_is_refused(void **unused)
{
    (void) unused;
    tell(ROLE(ENGINE), "engine-1", 7, 12, TRACE_ID_SIZE - 1);
    tell(ROLE(ENGINE), "engine-1", 7, 12, TRACE_ID_SIZE + 1);
    tell(ROLE(ENGINE), "", 7, 12, TRACE_ID_SIZE);
    tell(ROLE(ENGINE), "a-name-of-more-than-thirty-one-bytes", 7, 12, TRACE_ID_SIZE);
    assert_int_equal(watched_slow(&watched, 0, 0)->n_commands, 0);
}

/* So many commands; none: no message either. */
static uint32_t sent_aside(void)
{
    uint32_t commands = 0;
    for (uint32_t i = 0; i < watched.out.effect_count; i++) {
        const struct effect *effect = &watched.out.effects[i];
        if (effect->kind != EFFECT_SEND || effect->door != DOOR_SIDE)
            continue;
        const Arbiter__Watchdog__SlowList *list =
            (const Arbiter__Watchdog__SlowList *) (const void *) effect->body;
        assert_int_not_equal(list->n_commands, 0);
        commands += (uint32_t) list->n_commands;
    }
    return commands;
}

static void who_exports_sends_each_once(void **unused)
{
    (void) unused;
    for (uint64_t number = 1; number <= 3; number++) {
        tell(ROLE(ENGINE), "engine-1", 7, number, TRACE_ID_SIZE);
        assert_int_equal(sent_aside(), 1);
    }
    tell(ROLE(ENGINE), "engine-1", 7, 4, TRACE_ID_SIZE - 1);
    assert_int_equal(sent_aside(), 0);
    (void) watched_slow(&watched, 0, 0);
    assert_int_equal(sent_aside(), 0);
}

static void who_does_not_sends_nothing(void **unused)
{
    (void) unused;
    tell(ROLE(ENGINE), "engine-1", 7, 12, TRACE_ID_SIZE);
    assert_int_equal(sent_aside(), 0);
}

int main(void)
{
#define ROW(test, begin) cmocka_unit_test_setup_teardown(test, begin, is_over)
    const struct CMUnitTest tests[] = {
        ROW(what_was_slow_is_told_with_who_said_so, a_watchdog),
        ROW(one_match_and_one_act_can_be_asked_for, a_watchdog),
        ROW(the_newest_are_kept_and_fit_a_message, a_watchdog),
        ROW(what_is_no_slow_command_is_refused, a_watchdog),
        ROW(who_exports_sends_each_once, one_that_exports),
        ROW(who_does_not_sends_nothing, a_watchdog),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
