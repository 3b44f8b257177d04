/* slow_test.c: a slow command is explained: where it was slow stands in one line, and the watchdogs hear it. */
#include "common/shell/toy.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/watchdog.pb-c.h"
#include "wire/names.h"

#define PLANTED_MS 120
#define BOUND_MS 100
#define TRIES 5 /* Something else may take long on a busy machine, but not each time. */
#define ID "a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5"

static struct toy_world world;
static int              log_pipe[2];

/* A door beside the sockets, to which nobody comes and to which it takes long to send. */
static void side_wait(void *asked, int file, int64_t wait_ms)
{
    struct pollfd one = { .fd = file, .events = POLLIN };
    (void) asked;
    (void) poll(&one, 1, (int) wait_ms);
}

static bool side_next(void *asked, struct event *event)
{
    (void) asked, (void) event;
    return false;
}

static void side_send(void *asked, const struct effect *effect)
{
    (void) asked, (void) effect;
    (void) usleep(PLANTED_MS * 1000);
}

static const struct shell_side side = { .wait = side_wait, .next = side_next, .send = side_send };

static void be_watched(struct toy_world *changed)
{
    assert_int_equal(pipe(log_pipe), 0);
    changed->log.file = log_pipe[1];
    changed->log.level = SAY_WARNING;
    changed->settings.slow_ms = BOUND_MS;
    changed->toy->think_ms = PLANTED_MS;
    changed->settings.side = &side;
}

/* Nothing is as slow as that, however busy this machine is. */
static void call_nothing_slow(struct toy_world *changed)
{
    be_watched(changed);
    changed->settings.slow_ms = PATIENCE_MS;
}

static void say_everything(struct toy_world *changed)
{
    call_nothing_slow(changed);
    changed->log.level = SAY_DEBUG;
}

static void have_a_slow_store(struct toy_world *changed)
{
    be_watched(changed);
    changed->toy->store_ms = PLANTED_MS;
}

static void explain_nothing(struct toy_world *changed)
{
    have_a_slow_store(changed);
    changed->settings.slow_ms = 0;
}

/* Says these nonces at once, hears the answers, and ends; what stood in the log meanwhile. */
static void run(void (*change)(struct toy_world *), const uint64_t *nonces, uint32_t count,
                char *text, size_t room)
{
    struct bus_socket *door;
    toy_world_open(&world, change);
    door = world.shell->doors[DOOR_REQUESTS];
    for (uint32_t i = 0; i < count; i++)
        toy_world_ping(&world, nonces[i]);
    assert_true(bus_wait(&door, 1, NULL, 0, PATIENCE_MS));
    (void) usleep(50000); /* The other ones are on their way. */
    toy_world_run(&world);
    for (uint32_t i = 0; i < count; i++)
        toy_world_expect(&world, nonces[i]);
    shell_stop(world.shell);
    assert_int_equal(toy_world_end(&world), SHELL_DONE);
    toy_world_close(&world);
    assert_int_equal(close(log_pipe[1]), 0);
    ssize_t size = read(log_pipe[0], text, room - 1);
    text[size > 0 ? size : 0] = '\0';
    assert_int_equal(close(log_pipe[0]), 0);
}

static uint32_t times(const char *text, const char *word)
{
    uint32_t count = 0;
    for (; (text = strstr(text, word)) != NULL; text++)
        count++;
    return count;
}

/* The part that took longest in the line of this act; "": there is no such line, or it took too little. */
static const char *longest(const char *text, uint64_t act, double least_ms)
{
    const char *found = "";
    char        word[64];
    double      most = least_ms;
    (void) snprintf(word, sizeof word, ", act %llu: ", (unsigned long long) act);
    const char *line =
        strstr(text, "slow command " ID ": match 0000") != NULL ? strstr(text, word) : NULL;
    for (uint32_t i = 0; line != NULL && i < TRACE_COUNT; i++) {
        const char *end = strchr(line, '\n');
        (void) snprintf(word, sizeof word, " %s ", trace_names[i]);
        const char *at = strstr(line, word);
        double      ms = at != NULL && at < end ? strtod(at + strlen(word), NULL) : 0;
        if (ms >= most) {
            most = ms;
            found = trace_names[i];
        }
    }
    return found;
}

/* This one of these nonces must say, in one line, that it was slow there. */
static void expect_slow(const char *part, uint64_t nonce, void (*change)(struct toy_world *),
                        const uint64_t *nonces, uint32_t count)
{
    char        text[8192];
    const char *found = "";
    for (uint32_t i = 0; i < TRIES && strcmp(found, part) != 0; i++) {
        run(change, nonces, count, text, sizeof text);
        found = longest(text, nonce, PLANTED_MS);
    }
    assert_string_equal(found, part);
    assert_int_equal(times(text, "slow command"), count);
}

static void a_slow_store_is_named(void **unused)
{
    (void) unused;
    expect_slow("commit", TOY_TOOK, have_a_slow_store, (const uint64_t[]){ TOY_TOOK }, 1);
}

static void slow_rules_are_named(void **unused)
{
    (void) unused;
    expect_slow("rules", TOY_THINK, be_watched, (const uint64_t[]){ TOY_THINK }, 1);
}

/* It waits for the one before it, which thinks; or, for its commit, for the one behind it in the same batch. */
static void a_queue_is_named(void **unused)
{
    (void) unused;
    expect_slow("queue", TOY_TOOK, be_watched, (const uint64_t[]){ TOY_THINK, TOY_TOOK }, 2);
    expect_slow("queue", TOY_TOOK, be_watched, (const uint64_t[]){ TOY_TOOK, TOY_THINK }, 2);
}

static void slow_sending_is_named(void **unused)
{
    (void) unused;
    expect_slow("publish", TOY_STALL, be_watched, (const uint64_t[]){ TOY_STALL }, 1);
}

static void what_is_quick_or_not_wanted_is_not_said(void **unused)
{
    (void) unused;
    char text[8192];
    run(call_nothing_slow, (const uint64_t[]){ TOY_TOOK }, 1, text, sizeof text);
    assert_string_equal(text, "");
    run(explain_nothing, (const uint64_t[]){ TOY_TOOK }, 1, text, sizeof text);
    assert_string_equal(text, "");
}

static void who_wants_to_know_all_is_told_of_quick_ones_too(void **unused)
{
    (void) unused;
    char text[16384];
    run(say_everything, (const uint64_t[]){ TOY_TOOK }, 1, text, sizeof text);
    assert_int_equal(times(text, "slow command"), 0);
    assert_int_equal(times(text, "\"command " ID ": match "), 1);
}

/* One slow commit makes all commands of its batch slow. */
static void a_batch_of_slow_ones_fills_no_log(void **unused)
{
    (void) unused;
    uint64_t nonces[30];
    char     text[16384];
    uint32_t lines = 0;
    for (uint32_t i = 0; i < 30; i++)
        nonces[i] = TOY_TOOK;
    for (uint32_t i = 0; i < TRIES && lines != 10; i++) { /* A second may begin among them. */
        run(have_a_slow_store, nonces, 30, text, sizeof text);
        lines = times(text, "slow command");
    }
    assert_int_equal(lines, 10);
}

static void hear_slow(const struct bus_message *message)
{
    Arbiter__Watchdog__Slow *slow = arbiter__watchdog__slow__unpack(
        NULL, message->size - HEADER_SIZE, message->bytes + HEADER_SIZE);
    assert_non_null(slow);
    assert_string_equal(slow->name, "toy-1");
    assert_int_equal(slow->n_commands, 1);
    assert_int_equal(slow->commands[0]->number, 12);
    assert_int_equal(slow->commands[0]->seat, 3);
    assert_int_equal(slow->commands[0]->took->commit_us, 5000);
    assert_false(slow->commands[0]->took->has_way_us);
    assert_int_equal(slow->commands[0]->at_ms, 99);
    arbiter__watchdog__slow__free_unpacked(slow, NULL);
}

/* It is kept until there is a watchdog, and told once. */
static void watchdogs_hear_of_it_once(void **unused)
{
    (void) unused;
    static struct beat         beat;
    struct trace               trace = { .seat = 3, .number = 12, .at_ms = 99 };
    struct bus                *bus = help_bus(NULL), *watchdogs = help_bus(NULL);
    struct bus_socket         *door = help_open(watchdogs, BUS_ROUTER);
    struct bus_admission       admission = { .role = ROLE(ENGINE) };
    struct beat_target         target = { .address = "" };
    const struct beat_settings settings = { .bus = bus, .name = "toy-1", .supervisor = -1 };
    struct bus_message         message;
    struct header              header;
    uint32_t                   slow = 0;
    memcpy(admission.key, bus->settings.keys.public_key, BUS_KEY_SIZE);
    assert_true(bus_admit(watchdogs, &admission, 1));
    memcpy(target.key, watchdogs->settings.keys.public_key, BUS_KEY_SIZE);
    (void) snprintf(target.address, sizeof target.address, "%s", bus_address(door));
    trace.us[TRACE_COMMIT] = 5000;
    assert_true(beat_start(&beat, &settings));
    atomic_store(&beat.started_ms, 1);
    beat_slow(&beat, &trace);
    (void) usleep(300000);
    beat_aim(&beat, &target, 1);
    for (uint32_t beats = 0; beats < 4; beats++) {
        assert_int_equal(help_receive(door, &message), BUS_MESSAGE);
        assert_int_equal(header_decode(&header, message.bytes, message.size), HEADER_GOOD);
        slow += header.kind == KIND(SLOW);
        if (header.kind == KIND(SLOW))
            hear_slow(&message);
    }
    assert_int_equal(slow, 1);
    beat_stop(&beat, false);
    bus_close(&door);
    bus_stop(&watchdogs);
    bus_stop(&bus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slow_store_is_named),
        cmocka_unit_test(slow_rules_are_named),
        cmocka_unit_test(a_queue_is_named),
        cmocka_unit_test(slow_sending_is_named),
        cmocka_unit_test(what_is_quick_or_not_wanted_is_not_said),
        cmocka_unit_test(who_wants_to_know_all_is_told_of_quick_ones_too),
        cmocka_unit_test(a_batch_of_slow_ones_fills_no_log),
        cmocka_unit_test(watchdogs_hear_of_it_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
