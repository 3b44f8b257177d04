/* shell_test.c: the loop around a toy: what is kept before what is said, and how it ends. */
#include "common/shell/toy.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/directory.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "wire/names.h"

#define PONG KIND(PONG)

static struct toy_world world;
static int              signals; /* Caught before any thread was started, as a process does it. */
static char             folder[] = "/tmp/arbiter-shell-XXXXXX";

static int open_world(void **unused)
{
    (void) unused;
    toy_world_open(&world, NULL);
    return 0;
}

static int close_world(void **unused)
{
    (void) unused;
    toy_world_close(&world);
    return 0;
}

static void nothing_is_said_before_it_is_kept(void **unused)
{
    (void) unused;
    toy_world_run(&world);
    for (uint64_t nonce = 1; nonce <= 20; nonce++) {
        toy_world_ping(&world, nonce);
        toy_world_expect(&world, nonce);
    }
    shell_stop(world.shell);
    assert_int_equal(toy_world_end(&world), SHELL_DONE);
    assert_int_equal(world.toy->kept_count, 20);
    assert_int_equal(world.toy->commits, 20);
    for (uint32_t i = 0; i < 20; i++) {
        assert_int_equal(world.toy->kept[i], i + 1);
        assert_int_equal(world.toy->sent_before[i], i); /* Its own pong had not left. */
    }
}

/* All that waits when the loop turns goes into one commit. */
static void what_has_arrived_is_kept_together(void **unused)
{
    (void) unused;
    struct bus_socket *door = world.shell->doors[DOOR_REQUESTS];
    for (uint64_t nonce = 1; nonce <= 200; nonce++)
        toy_world_ping(&world, nonce);
    assert_true(bus_wait(&door, 1, NULL, 0, PATIENCE_MS));
    (void) usleep(200000); /* The other ones are on their way; the more have come the better. */
    toy_world_run(&world);
    for (uint64_t nonce = 1; nonce <= 200; nonce++)
        toy_world_expect(&world, nonce);
    shell_stop(world.shell);
    assert_int_equal(toy_world_end(&world), SHELL_DONE);
    assert_int_equal(world.toy->kept_count, 200);
    assert_true(world.toy->commits < 100);
    assert_int_equal(world.toy->sent_before[0], 0);
}

static void a_batch_that_was_not_kept_is_answered_by_what_settle_says(void **unused)
{
    (void) unused;
    static const enum store_outcome refusals[] = { STORE_FULL, STORE_OLD_EPOCH, STORE_CONFLICT };
    for (uint32_t i = 0; i < 3; i++)
        world.toy->script[i] = refusals[i];
    world.toy->script_count = 3;
    toy_world_run(&world);
    for (uint64_t nonce = 1; nonce <= 3; nonce++) {
        toy_world_ping(&world, nonce);
        toy_world_expect_refusal(&world, REFUSAL(AGAIN));
    }
    toy_world_ping(&world, 4);
    toy_world_expect(&world, 4);
    shell_stop(world.shell);
    assert_int_equal(toy_world_end(&world), SHELL_DONE);
    assert_int_equal(world.toy->kept_count, 1);
    assert_int_equal(shell_counters(world.shell)->undone, 3);
    assert_int_equal(shell_counters(world.shell)->out[PONG], 1);
}

static void a_busy_store_is_asked_again_and_then_given_up(void **unused)
{
    (void) unused;
    for (uint32_t i = 0; i < 3; i++)
        world.toy->script[i] = STORE_BUSY;
    world.toy->script_count = 3;
    toy_world_run(&world);
    toy_world_ping(&world, 1);
    toy_world_expect(&world, 1);
    shell_stop(world.shell);
    assert_int_equal(toy_world_end(&world), SHELL_DONE);
    assert_int_equal(world.toy->commits, 4);
    assert_int_equal(shell_counters(world.shell)->busy, 3);
    /* It was taken in the end: who wakes people for failed commits must not do so for each backup. */
    assert_int_equal(shell_counters(world.shell)->commits_failed, 0);
    assert_int_equal(shell_counters(world.shell)->failing_since_ms, 0);
}

/* What its beats say of it: only what the store does is its fault, and old news is none. */
static void a_store_fails_from_its_first_refusal_to_its_next_commit(void **unused)
{
    (void) unused;
    struct shell_counters counters = { 0 };
    counters_outcome(&counters, STORE_OLD_EPOCH, 1, 500);
    counters_outcome(&counters, STORE_CONFLICT, 1, 600);
    assert_int_equal(counters_failing_ms(&counters, 700), 0);
    counters_outcome(&counters, STORE_FULL, 1, 1000);
    counters_outcome(&counters, STORE_UNKNOWN, 1, 8000);
    assert_int_equal(counters_failing_ms(&counters, 9000), 8001);
    assert_int_equal(counters_failing_ms(&counters, 38000), 0);
    counters_outcome(&counters, STORE_FULL, 1, 38500);
    counters_outcome(&counters, STORE_COMMITTED, 0, 38600); /* Nothing was written. */
    assert_int_equal(counters_failing_ms(&counters, 38700), 37701);
    counters_outcome(&counters, STORE_BUSY, 1, 39000);
    assert_int_equal(counters_failing_ms(&counters, 39000), 38001);
    counters_outcome(&counters, STORE_COMMITTED, 0, 40000); /* A database that answers is there. */
    assert_int_equal(counters_failing_ms(&counters, 40000), 0);
    assert_int_equal(counters.commits_failed, 4);
    counters_busy(&counters, 41000);
    assert_int_equal(counters_failing_ms(&counters, 43000),
                     2001); /* From the first time that it was asked in vain. */
    assert_int_equal(counters.commits_failed, 4);
    counters_outcome(&counters, STORE_BUSY, 1, 43000);
    assert_int_equal(counters_failing_ms(&counters, 43000), 2001);
    assert_int_equal(counters.commits_failed, 5);
}

static void be_impatient(struct toy_world *changed)
{
    changed->settings.busy_ms = 1;
    for (uint32_t i = 0; i < TOY_OUTCOMES_MAX; i++)
        changed->toy->script[i] = STORE_BUSY;
    changed->toy->script_count = TOY_OUTCOMES_MAX;
}

static void a_store_that_stays_busy_refuses_the_batch(void **unused)
{
    (void) unused;
    toy_world_open(&world, be_impatient);
    toy_world_run(&world);
    toy_world_ping(&world, 1);
    toy_world_expect_refusal(&world, REFUSAL(AGAIN));
    shell_stop(world.shell);
    assert_int_equal(toy_world_end(&world), SHELL_DONE);
    assert_int_equal(world.toy->kept_count, 0);
    toy_world_close(&world);
}

/* Its log is read while it runs. */
static int log_pipe[2];

static void log_into_a_pipe(struct toy_world *changed)
{
    assert_int_equal(pipe(log_pipe), 0);
    changed->log.file = log_pipe[1];
    changed->log.level = SAY_WARNING;
}

static void a_limit_that_is_in_the_way_is_counted_and_said_once(void **unused)
{
    (void) unused;
    char text[4096] = "";
    toy_world_open(&world, log_into_a_pipe);
    toy_world_run(&world);
    for (uint32_t i = 0; i < 50; i++) {
        toy_world_ping(&world, TOY_FULL);
        toy_world_expect(&world, TOY_FULL);
    }
    shell_stop(world.shell);
    assert_int_equal(toy_world_end(&world), SHELL_DONE);
    assert_int_equal(world.shell->full[BOUND_TABLES].refused, 50);
    assert_in_range(read(log_pipe[0], text, sizeof text - 1), 1, sizeof text - 1);
    const char *said = strstr(text, "tables_max is reached: 1 refused");
    assert_non_null(said);
    assert_null(strstr(said + strlen("tables_max is reached"), "is reached"));
    toy_world_close(&world);
    assert_int_equal(close(log_pipe[0]) + close(log_pipe[1]), 0);
}

static void when_nobody_knows_nothing_is_said_and_the_process_ends(void **unused)
{
    (void) unused;
    world.toy->script[0] = STORE_COMMITTED;
    world.toy->script[1] = STORE_UNKNOWN;
    world.toy->script_count = 2;
    toy_world_run(&world);
    toy_world_ping(&world, 1);
    toy_world_expect(&world, 1);
    toy_world_ping(&world, 2);
    assert_int_equal(toy_world_end(&world), SHELL_STORE);
    assert_int_equal(shell_counters(world.shell)->out[PONG], 1);
    assert_int_equal(world.toy->commits, 2);
    for (uint32_t i = 0; i < world.toy->outcome_count; i++)
        assert_int_equal(world.toy->outcomes[i], STORE_COMMITTED);
}

/* Several share a database: one of them does not know, says nothing, and the core is told. */
static void who_shares_a_store_goes_on_when_nobody_knows(void **unused)
{
    (void) unused;
    world.toy->survives = true;
    world.toy->script[0] = STORE_COMMITTED;
    world.toy->script[1] = STORE_UNKNOWN;
    world.toy->script_count = 2;
    toy_world_run(&world);
    toy_world_ping(&world, 1);
    toy_world_expect(&world, 1);
    toy_world_ping(&world, 2);
    toy_world_expect_refusal(&world, REFUSAL(AGAIN));
    toy_world_ping(&world, 3);
    toy_world_expect(&world, 3);
    shell_stop(world.shell);
    assert_int_equal(toy_world_end(&world), SHELL_DONE);
    uint32_t unknown = 0;
    for (uint32_t i = 0; i < world.toy->outcome_count; i++)
        unknown += world.toy->outcomes[i] == STORE_UNKNOWN;
    assert_int_equal(unknown, 1);
    assert_int_equal(shell_counters(world.shell)->out[PONG], 2);
}

static void what_settling_wants_kept_is_kept_before_it_is_said(void **unused)
{
    (void) unused;
    toy_world_run(&world);
    toy_world_ping(&world, TOY_MORE);
    toy_world_expect(&world, 2);
    shell_stop(world.shell);
    assert_int_equal(toy_world_end(&world), SHELL_DONE);
    assert_int_equal(world.toy->kept_count, 3);
    assert_int_equal(world.toy->commits, 3);
    assert_int_equal(world.toy->sent_before[2], 0);
}

static void a_refused_batch_says_only_what_its_second_commit_allows(void **unused)
{
    (void) unused;
    world.toy->script[0] = STORE_COMMITTED;
    world.toy->script[1] = STORE_COMMITTED;
    world.toy->script[2] = STORE_FULL; /* The one whose pong would be said. */
    world.toy->script_count = 3;
    toy_world_run(&world);
    toy_world_ping(&world, TOY_MORE);
    toy_world_ping(&world, 3);
    toy_world_expect(&world, 3);
    shell_stop(world.shell);
    assert_int_equal(toy_world_end(&world), SHELL_DONE);
    assert_int_equal(shell_counters(world.shell)->out[PONG], 1);
}

static uint32_t events_of(enum core_event_kind kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < world.toy->event_count; i++)
        count += world.toy->events[i].kind == kind;
    return count;
}

static const struct toy_event *first_of(enum core_event_kind kind)
{
    uint32_t i = 0;
    while (i < world.toy->event_count && world.toy->events[i].kind != kind)
        i++;
    assert_true(i < world.toy->event_count);
    return &world.toy->events[i];
}

static void rows_come_in_order_and_then_their_number(void **unused)
{
    (void) unused;
    toy_world_run(&world);
    for (uint64_t nonce = 1; nonce <= 5; nonce++)
        toy_world_ping(&world, nonce);
    toy_world_ping(&world, TOY_READ);
    for (uint64_t nonce = 1; nonce <= 5; nonce++)
        toy_world_expect(&world, nonce);
    toy_world_expect(&world, 5); /* The toy says how many rows came. */
    shell_stop(world.shell);
    assert_int_equal(toy_world_end(&world), SHELL_DONE);
    uint64_t expected = 1;
    for (uint32_t i = 0; i < world.toy->event_count; i++)
        if (world.toy->events[i].kind == EVENT_ROW) {
            assert_int_equal(world.toy->events[i].nonce, expected++);
            assert_int_equal(world.toy->events[i].tag, 77);
        }
    assert_int_equal(expected, 6);
    assert_int_equal(events_of(EVENT_READ_DONE), 1);
}

static void a_read_that_fails_says_so(void **unused)
{
    (void) unused;
    world.toy->read_fails = true;
    toy_world_run(&world);
    toy_world_ping(&world, TOY_READ);
    toy_world_expect(&world, 0);
    shell_stop(world.shell);
    assert_int_equal(toy_world_end(&world), SHELL_DONE);
    for (uint32_t i = 0; i < world.toy->event_count; i++)
        if (world.toy->events[i].kind == EVENT_READ_DONE)
            assert_true(world.toy->events[i].failed);
    assert_int_equal(events_of(EVENT_READ_DONE), 1);
}

static void a_wake_up_comes_once_for_each_time_it_is_asked_for(void **unused)
{
    (void) unused;
    toy_world_run(&world);
    toy_world_ping(&world, TOY_WAKE);
    toy_world_expect(&world, 0);
    toy_world_ping(&world, TOY_WAKE);
    toy_world_expect(&world, 0);
    shell_stop(world.shell);
    assert_int_equal(toy_world_end(&world), SHELL_DONE);
    assert_int_equal(events_of(EVENT_TIME), 2);
}

static void a_core_ends_its_process(void **unused)
{
    (void) unused;
    toy_world_run(&world);
    toy_world_ping(&world, TOY_EXIT);
    assert_int_equal(toy_world_end(&world), SHELL_DONE);
    assert_int_equal(events_of(EVENT_STARTED), 1);
    assert_int_equal(events_of(EVENT_STOP), 0);
}

static void asked_twice_it_stops_at_once(void **unused)
{
    (void) unused;
    world.toy->is_stubborn = true;
    toy_world_run(&world);
    shell_stop(world.shell);
    shell_stop(world.shell);
    assert_int_equal(toy_world_end(&world), SHELL_AT_ONCE);
    assert_int_equal(events_of(EVENT_STOP), 1);
}

static void listen_to_signals(struct toy_world *changed)
{
    changed->settings.signals = signals;
}

static void a_signal_is_a_wish_to_stop(void **unused)
{
    (void) unused;
    toy_world_open(&world, listen_to_signals);
    toy_world_run(&world);
    toy_world_ping(&world, 1);
    toy_world_expect(&world, 1);
    assert_int_equal(kill(getpid(), SIGUSR1), 0);
    assert_int_equal(kill(getpid(), SIGTERM), 0);
    assert_int_equal(toy_world_end(&world), SHELL_DONE);
    assert_int_equal(events_of(EVENT_STOP), 1);
    toy_world_close(&world);
}

static void remove_folder(void)
{
    char           path[512];
    DIR           *listed = opendir(folder);
    struct dirent *entry;
    assert_non_null(listed);
    while ((entry = readdir(listed)) != NULL)
        if (entry->d_name[0] != '.') {
            (void) snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            assert_int_equal(unlink(path), 0);
        }
    assert_int_equal(closedir(listed), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void use_a_real_store(struct toy_world *changed)
{
    struct text fault = { 0 };
    assert_non_null(mkdtemp(folder));
    struct store *store = store_open(toy_ops.schema, folder, &fault);
    assert_string_equal(fault.bytes, "");
    changed->settings.keeper = keeper_of(store, store_open_reader(toy_ops.schema, folder, &fault));
    changed->toy->reads_much = true;
    changed->settings.outbox_bytes = OUTBOX_BYTES_MIN;
}

/* Three thousand rows are read; what they make the toy write fills several batches meanwhile. */
static void batches_are_kept_while_rows_are_read(void **unused)
{
    (void) unused;
    toy_world_open(&world, use_a_real_store);
    toy_world_run(&world);
    for (uint64_t nonce = 1; nonce <= 3000; nonce++) {
        toy_world_ping(&world, nonce);
        if (nonce % 100 == 0)
            for (uint64_t heard = nonce - 99; heard <= nonce; heard++)
                toy_world_expect(&world, heard);
    }
    toy_world_ping(&world, TOY_READ);
    toy_world_expect(&world, 3000);
    shell_stop(world.shell);
    assert_int_equal(toy_world_end(&world), SHELL_DONE);
    assert_int_equal(events_of(EVENT_ROW), 3000);
    assert_int_equal(shell_counters(world.shell)->rows, 6000);
    assert_true(first_of(EVENT_READ_DONE)->commits >= first_of(EVENT_ROW)->commits + 3);
    struct store *store = world.settings.keeper.store;
    struct store *reader = world.settings.keeper.reader;
    toy_world_close(&world);
    store_close(&reader);
    store_close(&store);
    remove_folder();
}

#define IN_A_WORLD(test) cmocka_unit_test_setup_teardown(test, open_world, close_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_WORLD(nothing_is_said_before_it_is_kept),
        IN_A_WORLD(what_has_arrived_is_kept_together),
        IN_A_WORLD(a_batch_that_was_not_kept_is_answered_by_what_settle_says),
        IN_A_WORLD(a_busy_store_is_asked_again_and_then_given_up),
        cmocka_unit_test(a_store_fails_from_its_first_refusal_to_its_next_commit),
        cmocka_unit_test(a_store_that_stays_busy_refuses_the_batch),
        cmocka_unit_test(a_limit_that_is_in_the_way_is_counted_and_said_once),
        IN_A_WORLD(when_nobody_knows_nothing_is_said_and_the_process_ends),
        IN_A_WORLD(who_shares_a_store_goes_on_when_nobody_knows),
        IN_A_WORLD(what_settling_wants_kept_is_kept_before_it_is_said),
        IN_A_WORLD(a_refused_batch_says_only_what_its_second_commit_allows),
        IN_A_WORLD(rows_come_in_order_and_then_their_number),
        IN_A_WORLD(a_read_that_fails_says_so),
        IN_A_WORLD(a_wake_up_comes_once_for_each_time_it_is_asked_for),
        IN_A_WORLD(a_core_ends_its_process),
        IN_A_WORLD(asked_twice_it_stops_at_once),
        cmocka_unit_test(a_signal_is_a_wish_to_stop),
        cmocka_unit_test(batches_are_kept_while_rows_are_read),
    };
    signals = shell_signals();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
