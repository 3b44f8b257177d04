/* peers_test.c: a service finds the others through the lobby's directory, and keeps up with it. */
#include "core/peers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contract/directory.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "wire/names.h"

static struct peers  peers;
static struct outbox out;
static void         *memory;
static uint64_t      now_ms;

static int a_fanout_that_has_started(void **unused)
{
    (void) unused;
    memory = malloc(OUTBOX_BYTES_MIN);
    outbox_init(&out, memory, OUTBOX_BYTES_MIN);
    struct peers_settings settings = { .role = ROLE(FANOUT), .name = "fanout-1" };
    memcpy(settings.lobby.address[DOOR_REQUESTS], "ipc://lobby", 12);
    memcpy(settings.lobby.address[DOOR_STREAM], "ipc://news", 11);
    memset(settings.lobby_key, 7, sizeof settings.lobby_key);
    peers_init(&peers, &settings);
    now_ms = 1000;
    struct event event = { .kind = EVENT_STARTED, .now_ms = now_ms, .wall_ms = 5 };
    assert_int_equal(peers_step(&peers, &event, &out), PEERS_NOTHING);
    return 0;
}

static int done(void **unused)
{
    (void) unused;
    free(memory);
    return 0;
}

static uint32_t count(enum effect_kind kind, uint32_t peer)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < out.effect_count; i++)
        found += out.effects[i].kind == kind && out.effects[i].route / PEERS_DOORS == peer;
    return found;
}

static enum peers_news time_passes(uint64_t ms)
{
    outbox_reset(&out);
    now_ms += ms;
    struct event event = { .kind = EVENT_TIME, .now_ms = now_ms };
    return peers_step(&peers, &event, &out);
}

static enum peers_news hears(uint32_t peer, uint32_t door, uint16_t kind, const void *body)
{
    outbox_reset(&out);
    struct event event = { .kind = EVENT_MESSAGE, .now_ms = now_ms, .body = body };
    header_init(&event.header, kind, NULL);
    event.caller.door = DOOR_PEER;
    event.caller.route = peers_connection(peer, door);
    return peers_step(&peers, &event, &out);
}

/* One engine with slots 0 to 127 or all, as a lobby would list it. */
static struct {
    Arbiter__Directory__Directory directory;
    Arbiter__Directory__Service   engine, *services[1];
    Arbiter__Directory__Door      stream, history, *doors[2];
    Arbiter__Directory__Slots     slots, *runs[1];
    uint8_t                       key[CALLER_KEY_SIZE];
} lobby;

static void list_an_engine(uint64_t number, uint64_t started_ms, const char *address)
{
    arbiter__directory__directory__init(&lobby.directory);
    arbiter__directory__service__init(&lobby.engine);
    arbiter__directory__door__init(&lobby.stream);
    arbiter__directory__door__init(&lobby.history);
    arbiter__directory__slots__init(&lobby.slots);
    memset(lobby.key, 9, sizeof lobby.key);
    lobby.slots.has_first = lobby.slots.has_last = lobby.slots.has_epoch = true;
    lobby.slots.last = 127;
    lobby.slots.epoch = 3;
    lobby.stream.has_kind = lobby.history.has_kind = true;
    lobby.stream.kind = ARBITER__DIRECTORY__DOOR__KIND__KIND_STREAM;
    lobby.history.kind = ARBITER__DIRECTORY__DOOR__KIND__KIND_HISTORY;
    lobby.stream.address = (char *) address;
    lobby.history.address = (char *) "ipc://history";
    lobby.doors[0] = &lobby.stream;
    lobby.doors[1] = &lobby.history;
    lobby.runs[0] = &lobby.slots;
    lobby.engine.has_role = lobby.engine.has_key = lobby.engine.has_started_ms = true;
    lobby.engine.role = ROLE(ENGINE);
    lobby.engine.name = (char *) "engine-1";
    lobby.engine.started_ms = started_ms;
    lobby.engine.key = (ProtobufCBinaryData){ .len = sizeof lobby.key, .data = lobby.key };
    lobby.engine.n_doors = 2;
    lobby.engine.doors = lobby.doors;
    lobby.engine.n_slots = 1;
    lobby.engine.slots = lobby.runs;
    lobby.services[0] = &lobby.engine;
    lobby.directory.has_number = true;
    lobby.directory.number = number;
    lobby.directory.n_services = 1;
    lobby.directory.services = lobby.services;
}

static enum peers_news hears_directory(void)
{
    return hears(PEERS_LOBBY, DOOR_STREAM, KIND(DIRECTORY), &lobby.directory);
}

static void at_its_start_it_says_hello_to_the_lobby(void **unused)
{
    (void) unused;
    assert_int_equal(count(EFFECT_CONNECT, PEERS_LOBBY), 2);
    assert_int_equal(count(EFFECT_LISTEN, PEERS_LOBBY), 1);
    assert_int_equal(count(EFFECT_SEND, PEERS_LOBBY), 1);
    assert_int_equal(out.wake_ms, now_ms + 1000);
}

static void an_unanswered_hello_is_said_again(void **unused)
{
    (void) unused;
    time_passes(999);
    assert_int_equal(count(EFFECT_SEND, PEERS_LOBBY), 0);
    time_passes(1);
    assert_int_equal(count(EFFECT_SEND, PEERS_LOBBY), 1);
}

static void the_first_welcome_is_told_and_later_ones_are_not(void **unused)
{
    (void) unused;
    Arbiter__Directory__Welcome welcome = ARBITER__DIRECTORY__WELCOME__INIT;
    assert_int_equal(hears(PEERS_LOBBY, DOOR_REQUESTS, KIND(WELCOME), &welcome), PEERS_WELCOME);
    assert_int_equal(hears(PEERS_LOBBY, DOOR_REQUESTS, KIND(WELCOME), &welcome), PEERS_CONSUMED);
}

static void an_engine_in_the_directory_is_connected_to_once(void **unused)
{
    (void) unused;
    list_an_engine(1, 50, "ipc://stream");
    assert_int_equal(hears_directory(), PEERS_CHANGED);
    assert_int_equal(count(EFFECT_CONNECT, 1), 2);
    assert_int_equal(count(EFFECT_ADMIT, 0), 0);
    assert_int_equal(peers_engine_of(&peers, 127), 1);
    assert_int_equal(peers_engine_of(&peers, 128), NO_PEER);
    assert_int_equal(hears_directory(), PEERS_CONSUMED);
    assert_int_equal(out.effect_count, 0);
}

/* The published directory has none of them, and may come first. */
static void admissions_are_handed_on_once_for_each_number(void **unused)
{
    (void) unused;
    Arbiter__Directory__Admission  admission = ARBITER__DIRECTORY__ADMISSION__INIT;
    Arbiter__Directory__Admission *admissions[] = { &admission };
    list_an_engine(1, 50, "ipc://stream");
    hears_directory();
    assert_int_equal(count(EFFECT_ADMIT, 0), 0);
    lobby.directory.n_admissions = 1;
    lobby.directory.admissions = admissions;
    hears(PEERS_LOBBY, DOOR_REQUESTS, KIND(DIRECTORY), &lobby.directory);
    assert_int_equal(count(EFFECT_ADMIT, 0), 1);
    hears(PEERS_LOBBY, DOOR_REQUESTS, KIND(DIRECTORY), &lobby.directory);
    assert_int_equal(count(EFFECT_ADMIT, 0), 0);
}

static void an_engine_at_another_address_is_connected_to_anew(void **unused)
{
    (void) unused;
    list_an_engine(1, 50, "ipc://stream");
    hears_directory();
    list_an_engine(2, 50, "ipc://elsewhere");
    assert_int_equal(hears_directory(), PEERS_CHANGED);
    assert_int_equal(count(EFFECT_DISCONNECT, 1), 2);
    assert_int_equal(count(EFFECT_CONNECT, 1), 2);
    assert_int_equal(peers_engine_of(&peers, 0), 1);
}

static void who_is_missing_for_five_seconds_is_gone(void **unused)
{
    (void) unused;
    list_an_engine(1, 50, "ipc://stream");
    hears_directory();
    lobby.directory.number = 2;
    lobby.directory.n_services = 0;
    now_ms += 4999;
    hears_directory();
    assert_int_equal(count(EFFECT_DISCONNECT, 1), 0);
    now_ms += 1;
    hears_directory();
    assert_int_equal(count(EFFECT_DISCONNECT, 1), 2);
    assert_int_equal(peers_next(&peers, ROLE(ENGINE), NO_PEER), NO_PEER);
}

static void an_older_directory_counts_only_after_a_silence(void **unused)
{
    (void) unused;
    list_an_engine(9, 50, "ipc://stream");
    hears_directory();
    list_an_engine(8, 50, "ipc://elsewhere");
    assert_int_equal(hears_directory(), PEERS_CONSUMED);
    assert_int_equal(out.effect_count, 0);
    time_passes(3000);
    assert_int_equal(hears_directory(), PEERS_CHANGED);
}

static void bytes_that_are_no_service_are_passed_over(void **unused)
{
    (void) unused;
    list_an_engine(1, 50, "ipc://stream");
    lobby.engine.key.len = 31;
    hears_directory();
    assert_int_equal(count(EFFECT_CONNECT, 1), 0);
    char endless[PEER_ADDRESS_MAX + 1];
    memset(endless, 'a', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    list_an_engine(2, 50, endless);
    hears_directory();
    assert_int_equal(count(EFFECT_CONNECT, 1), 0);
}

/* The connection may have been made anew beneath us, and what is said unasked goes to the old one. */
static void where_a_service_can_be_reached_is_said_again(void **unused)
{
    (void) unused;
    Arbiter__Directory__Welcome welcome = ARBITER__DIRECTORY__WELCOME__INIT;
    list_an_engine(1, 50, "ipc://stream");
    lobby.stream.kind = ARBITER__DIRECTORY__DOOR__KIND__KIND_REQUESTS;
    hears_directory();
    assert_int_equal(count(EFFECT_SEND, 1), 1);
    assert_int_equal(hears(1, DOOR_REQUESTS, KIND(WELCOME), &welcome), PEERS_WELCOME);
    time_passes(4999);
    assert_int_equal(count(EFFECT_SEND, 1), 0);
    time_passes(1);
    assert_int_equal(count(EFFECT_SEND, 1), 1);
}

static void a_service_names_its_slots_in_runs(void **unused)
{
    (void) unused;
    for (uint32_t slot = 3; slot < 6; slot++)
        peers.own_epoch[slot] = 2;
    peers.own_epoch[6] = 3;
    time_passes(1000);
    const Arbiter__Directory__Hello *hello =
        (const Arbiter__Directory__Hello *) (const void *) out.effects[0].body;
    assert_int_equal(hello->service->n_slots, 2);
    assert_int_equal(hello->service->slots[0]->first, 3);
    assert_int_equal(hello->service->slots[0]->last, 5);
    assert_int_equal(hello->service->slots[1]->epoch, 3);
}

/* A watchdog that waits for an engine to take its slots waits for this. */
static void what_is_new_of_oneself_is_said_at_once(void **unused)
{
    (void) unused;
    Arbiter__Directory__Welcome welcome = ARBITER__DIRECTORY__WELCOME__INIT;
    peers.own_epoch[3] = 2;
    peers.has_news = true;
    time_passes(1);
    assert_int_equal(count(EFFECT_SEND, PEERS_LOBBY), 0); /* Nobody is there to hear it. */
    hears(PEERS_LOBBY, DOOR_REQUESTS, KIND(WELCOME), &welcome);
    time_passes(1);
    assert_int_equal(count(EFFECT_SEND, PEERS_LOBBY), 1);
    const Arbiter__Directory__Hello *hello =
        (const Arbiter__Directory__Hello *) (const void *) out.effects[0].body;
    assert_int_equal(hello->service->slots[0]->epoch, 2);
    time_passes(1);
    assert_int_equal(count(EFFECT_SEND, PEERS_LOBBY), 0);
}

/* A client that came to the lobby by this address hears of an engine's history door. It is here for
 * those inside and there (NULL: nowhere) for those outside. Returns where the client goes, NULL:
 * nowhere. */
static const char *goes_to(const char *lobby_address, const char *outside)
{
    Arbiter__Directory__Service  house = ARBITER__DIRECTORY__SERVICE__INIT;
    Arbiter__Directory__Door     door = ARBITER__DIRECTORY__DOOR__INIT, *doors[] = { &door };
    Arbiter__Directory__Service *services[] = { &house, &lobby.engine };
    struct peers_settings        settings = { .role = ROLE(CLIENT), .name = "ada" };
    memcpy(settings.lobby.address[DOOR_REQUESTS], lobby_address, strlen(lobby_address));
    peers_init(&peers, &settings);
    list_an_engine(1, 50, "ipc://stream");
    lobby.history.outside = (char *) (uintptr_t) outside;
    house.has_role = door.has_kind = true;
    house.role = ROLE(LOBBY);
    house.n_doors = 1;
    house.doors = doors;
    door.kind = ARBITER__DIRECTORY__DOOR__KIND__KIND_REQUESTS;
    door.address = (char *) (uintptr_t) "tcp://lobby:7000";
    door.outside = (char *) (uintptr_t) "tcp://play.example:7000";
    lobby.directory.n_services = 2;
    lobby.directory.services = services;
    assert_int_equal(hears_directory(), PEERS_CHANGED);
    assert_true(count(EFFECT_CONNECT, 1) <= 1);
    for (uint32_t i = 0; i < out.effect_count; i++)
        if (out.effects[i].kind == EFFECT_CONNECT)
            return out.effects[i].address;
    assert_int_equal(peers_engine_of(&peers, 0), NO_PEER);
    return NULL;
}

static void who_came_from_outside_goes_where_those_outside_are_told_to_go(void **unused)
{
    (void) unused;
    assert_string_equal(goes_to("tcp://play.example:7000", "tcp://play.example:7012"),
                        "tcp://play.example:7012");
    assert_string_equal(goes_to("tcp://203.0.113.5:7000", "tcp://play.example:7012"),
                        "tcp://play.example:7012");
    assert_string_equal(goes_to("tcp://lobby:7000", "tcp://play.example:7012"), "ipc://history");
    assert_string_equal(goes_to("tcp://lobby:7000", NULL), "ipc://history");
    assert_null(goes_to("tcp://play.example:7000", NULL));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, a_fanout_that_has_started, done)
    const struct CMUnitTest tests[] = {
        TEST(at_its_start_it_says_hello_to_the_lobby),
        TEST(an_unanswered_hello_is_said_again),
        TEST(the_first_welcome_is_told_and_later_ones_are_not),
        TEST(an_engine_in_the_directory_is_connected_to_once),
        TEST(admissions_are_handed_on_once_for_each_number),
        TEST(an_engine_at_another_address_is_connected_to_anew),
        TEST(who_is_missing_for_five_seconds_is_gone),
        TEST(an_older_directory_counts_only_after_a_silence),
        TEST(bytes_that_are_no_service_are_passed_over),
        TEST(where_a_service_can_be_reached_is_said_again),
        TEST(a_service_names_its_slots_in_runs),
        TEST(who_came_from_outside_goes_where_those_outside_are_told_to_go),
        TEST(what_is_new_of_oneself_is_said_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
