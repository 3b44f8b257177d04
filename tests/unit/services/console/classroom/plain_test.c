/* plain_test.c: strangers share a player, names come into events, and who has left is known. */
#include "services/console/classroom/plain.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <string.h>

#include "contract/dead.pb-c.h"

#define SETUP "{\n \"maxPlayers\": 2 }"

static struct plain plain;

static int a_door_of_the_dead(void **unused)
{
    (void) unused;
    plain_init(&plain, registry_find("dead", 0));
    return 0;
}

static struct plain_player *add(uint8_t number)
{
    uint8_t id[PLAIN_ID_SIZE] = { number };
    return plain_add(&plain, id);
}

static struct plain_player *seat(uint8_t number, const char *name)
{
    struct plain_player *player = add(number);
    player->is_owned = true;
    player->route = 100u + number;
    player->seat = number;
    assert_true(plain_call(player, name, strlen(name)));
    return player;
}

static void strangers_share_one_player_until_he_is_somebodys(void **unused)
{
    (void) unused;
    struct plain_player *first = add(1);
    assert_ptr_equal(plain_spare(&plain), first);
    first->route = 7;
    assert_null(plain_of_route(&plain, 7));
    first->is_owned = true;
    assert_ptr_equal(plain_of_route(&plain, 7), first);
    assert_null(plain_of_route(&plain, 8));
    assert_null(plain_spare(&plain));
    struct plain_player *second = add(2);
    assert_ptr_equal(plain_spare(&plain), second);
}

static void a_door_has_a_player_for_each_seat_and_one_for_strangers(void **unused)
{
    (void) unused;
    for (uint8_t i = 0; i < SEATS_MAX + 1; i++)
        assert_non_null(add(i));
    assert_null(add(200));
    uint8_t id[PLAIN_ID_SIZE] = { 3 };
    assert_ptr_equal(plain_of_id(&plain, id), &plain.player[3]);
    id[0] = 99;
    assert_null(plain_of_id(&plain, id));
    assert_null(plain_of_seat(&plain, PLAIN_NO_SEAT));
}

static void who_speaks_or_is_owned_hears_unless_he_is_deaf(void **unused)
{
    (void) unused;
    struct plain_player *player = add(1);
    assert_false(plain_hears(player));
    player->is_spoken = true;
    assert_true(plain_hears(player));
    player->is_spoken = false;
    player->is_owned = true;
    assert_true(plain_hears(player));
    player->is_deaf = true;
    assert_false(plain_hears(player));
}

static void a_name_fits_or_is_none(void **unused)
{
    (void) unused;
    char                 name[PLAIN_NAME_MAX + 1];
    struct plain_player *player = add(1);
    memset(name, 'x', sizeof name);
    assert_true(plain_call(player, name, PLAIN_NAME_MAX));
    assert_int_equal(strlen(player->name), PLAIN_NAME_MAX);
    assert_false(plain_call(player, name, PLAIN_NAME_MAX + 1));
    assert_true(plain_call(player, "Ada", 3));
    assert_string_equal(player->name, "Ada");
}

static size_t pack_register(uint8_t *bytes, const char *name)
{
    Arbiter__Dead__Command           command = ARBITER__DEAD__COMMAND__INIT;
    Arbiter__Dead__Command__Register enter = ARBITER__DEAD__COMMAND__REGISTER__INIT;
    command.kind_case = ARBITER__DEAD__COMMAND__KIND_REGISTER;
    command.register_ = &enter;
    enter.player_name = (char *) name;
    return arbiter__dead__command__pack(&command, bytes);
}

static void only_a_command_that_registers_brings_a_name(void **unused)
{
    (void) unused;
    uint8_t                           bytes[64];
    const char                       *name;
    size_t                            size;
    const struct game_wire           *wire = plain.wire;
    Arbiter__Dead__Command            command = ARBITER__DEAD__COMMAND__INIT;
    Arbiter__Dead__Command__StartGame start = ARBITER__DEAD__COMMAND__START_GAME__INIT;
    assert_true(plain_find_name(wire, bytes, pack_register(bytes, "Ada"), &name, &size));
    assert_int_equal(size, 3);
    assert_memory_equal(name, "Ada", 3);
    assert_true(plain_find_name(wire, bytes, pack_register(bytes, NULL), &name, &size));
    assert_int_equal(size, 0);
    command.kind_case = ARBITER__DEAD__COMMAND__KIND_START_GAME;
    command.start_game = &start;
    size_t packed = arbiter__dead__command__pack(&command, bytes);
    assert_false(plain_find_name(wire, bytes, packed, &name, &size));
    assert_false(plain_find_name(wire, bytes, 0, &name, &size));
    assert_false(plain_find_name(wire, (const uint8_t *) "\xff\xff", 2, &name, &size));
    assert_false(plain_find_name(registry_find("nim", 0), bytes, packed, &name, &size));
}

/* An event made whole, and unpacked again; the caller frees it. */
static Arbiter__Dead__Event *complete(const Arbiter__Dead__Event *event, const char *setup)
{
    uint8_t bytes[64], whole[512];
    size_t  size = arbiter__dead__event__pack(event, bytes);
    size_t  length = plain_complete(&plain, bytes, size, setup, whole, sizeof whole);
    assert_int_not_equal(length, 0);
    Arbiter__Dead__Event *read = arbiter__dead__event__unpack(NULL, length, whole);
    assert_non_null(read);
    assert_int_equal(read->kind_case, event->kind_case);
    return read;
}

static void names_and_the_set_up_come_into_the_events_that_have_a_field_for_them(void **unused)
{
    (void) unused;
    Arbiter__Dead__Event         event = ARBITER__DEAD__EVENT__INIT;
    Arbiter__Dead__Event__Player player = ARBITER__DEAD__EVENT__PLAYER__INIT;
    Arbiter__Dead__Event__Config config = ARBITER__DEAD__EVENT__CONFIG__INIT;
    (void) seat(0, "Ada");
    (void) seat(1, "J\xc3\xb6rg");
    event.kind_case = ARBITER__DEAD__EVENT__KIND_PLAYER;
    event.player = &player;
    player.has_player = true;
    player.player = 1;
    Arbiter__Dead__Event *read = complete(&event, NULL);
    assert_int_equal(read->player->player, 1);
    assert_string_equal(read->player->player_name, "J\xc3\xb6rg");
    arbiter__dead__event__free_unpacked(read, NULL);
    player.player = 2; /* Nobody sits there. */
    read = complete(&event, NULL);
    assert_null(read->player->player_name);
    arbiter__dead__event__free_unpacked(read, NULL);
    event.kind_case = ARBITER__DEAD__EVENT__KIND_CONFIG;
    event.config = &config;
    read = complete(&event, SETUP);
    assert_string_equal(read->config->config, SETUP);
    arbiter__dead__event__free_unpacked(read, NULL);
}

static size_t pack_left(uint8_t *bytes, uint32_t who)
{
    Arbiter__Dead__Event       event = ARBITER__DEAD__EVENT__INIT;
    Arbiter__Dead__Event__Left left = ARBITER__DEAD__EVENT__LEFT__INIT;
    event.kind_case = ARBITER__DEAD__EVENT__KIND_LEFT;
    event.left = &left;
    left.has_player = true;
    left.player = who;
    return arbiter__dead__event__pack(&event, bytes);
}

static void an_event_without_such_a_field_stays_as_it_is(void **unused)
{
    (void) unused;
    uint8_t bytes[32], whole[128];
    (void) seat(0, "Ada");
    size_t size = pack_left(bytes, 0);
    assert_int_equal(plain_complete(&plain, bytes, size, NULL, whole, sizeof whole), size);
    assert_memory_equal(whole, bytes, size);
    assert_int_equal(plain_complete(&plain, bytes, size, NULL, whole, size), 0);
    assert_int_equal(plain_complete(&plain, bytes, 0, NULL, whole, sizeof whole), 0);
    assert_int_equal(plain_complete(&plain, bytes, 1, NULL, whole, sizeof whole), 0);
}

static void who_has_left_is_he_whom_the_event_names(void **unused)
{
    (void) unused;
    uint8_t              bytes[32], other[64];
    struct plain_player *first = seat(0, "Ada"), *second = seat(1, "Bob");
    size_t               size = pack_left(bytes, 1);
    assert_false(plain_is_last(&plain, first, bytes, size));
    assert_true(plain_is_last(&plain, second, bytes, size));
    assert_false(plain_is_last(&plain, add(2), bytes, size));
    size = pack_register(other, "Bob"); /* The same field, 1, of another kind. */
    assert_false(plain_is_last(&plain, second, other, size));
    plain.wire = registry_find("nim", 0);
    assert_false(plain_is_last(&plain, second, bytes, pack_left(bytes, 1)));
}

static size_t pack_question(uint8_t *bytes, uint32_t who)
{
    Arbiter__Dead__Event         event = ARBITER__DEAD__EVENT__INIT;
    Arbiter__Dead__Event__ActNow ask = ARBITER__DEAD__EVENT__ACT_NOW__INIT;
    event.kind_case = ARBITER__DEAD__EVENT__KIND_ACT_NOW;
    event.act_now = &ask;
    ask.has_player = true;
    ask.player = who;
    return arbiter__dead__event__pack(&event, bytes);
}

static void questions_are_for_whom_they_name(void **unused)
{
    (void) unused;
    uint8_t  bytes[32];
    uint32_t who = 99;
    assert_true(plain_is_for_one(&plain, bytes, pack_question(bytes, 1), &who));
    assert_int_equal(who, 1);
    assert_false(plain_is_for_one(&plain, bytes, pack_left(bytes, 1), &who));
    assert_false(plain_is_for_one(&plain, bytes, 0, &who));
    plain.wire = registry_find("nim", 0);
    assert_false(plain_is_for_one(&plain, bytes, pack_question(bytes, 1), &who));
}

static void the_open_question_is_the_last_one(void **unused)
{
    (void) unused;
    uint8_t              bytes[32];
    struct plain_player *player = seat(1, "Bob");
    plain_follow(&plain, player, bytes, pack_question(bytes, 1));
    plain_follow(&plain, player, bytes, pack_left(bytes, 0));
    assert_int_equal(player->asked_size, pack_question(bytes, 1));
    assert_memory_equal(player->asked, bytes, player->asked_size);
    plain_follow(&plain, player, bytes, pack_question(bytes, 0));
    assert_int_equal(player->asked_size, 0);
}

static Arbiter__Dead__Event *failure(uint32_t who, const char *sentence)
{
    uint8_t bytes[128];
    size_t  size = plain_failure(&plain, who, sentence, bytes, sizeof bytes);
    assert_int_not_equal(size, 0);
    Arbiter__Dead__Event *read = arbiter__dead__event__unpack(NULL, size, bytes);
    assert_non_null(read);
    assert_int_equal(read->kind_case, ARBITER__DEAD__EVENT__KIND_COMMAND_FAILED);
    assert_string_equal(read->command_failed->message, sentence);
    return read;
}

static void a_failure_is_an_event_where_the_game_has_one(void **unused)
{
    (void) unused;
    uint8_t               bytes[64];
    Arbiter__Dead__Event *read = failure(3, "There is no zombie.");
    assert_true(read->command_failed->has_player);
    assert_int_equal(read->command_failed->player, 3);
    arbiter__dead__event__free_unpacked(read, NULL);
    read = failure(PLAIN_NO_SEAT, "Register first.");
    assert_false(read->command_failed->has_player);
    arbiter__dead__event__free_unpacked(read, NULL);
    assert_int_equal(plain_failure(&plain, 0, "too long for this", bytes, 16), 0);
    plain.wire = registry_find("nim", 0);
    assert_int_equal(plain_failure(&plain, 0, "No.", bytes, sizeof bytes), 0);
}

static void who_registers_is_sent_the_set_up_where_the_game_has_an_event_for_it(void **unused)
{
    (void) unused;
    uint8_t               bytes[64];
    size_t                size = plain_config(&plain, SETUP, bytes, sizeof bytes);
    Arbiter__Dead__Event *read = arbiter__dead__event__unpack(NULL, size, bytes);
    assert_non_null(read);
    assert_int_equal(read->kind_case, ARBITER__DEAD__EVENT__KIND_CONFIG);
    assert_string_equal(read->config->config, SETUP);
    arbiter__dead__event__free_unpacked(read, NULL);
    assert_int_equal(plain_config(&plain, SETUP, bytes, 16), 0);
    plain.wire = registry_find("nim", 0);
    assert_int_equal(plain_config(&plain, SETUP, bytes, sizeof bytes), 0);
}

static void a_failure_of_the_rules_says_why(void **unused)
{
    (void) unused;
    Arbiter__Dead__Event                event = ARBITER__DEAD__EVENT__INIT;
    Arbiter__Dead__Event__CommandFailed late = ARBITER__DEAD__EVENT__COMMAND_FAILED__INIT;
    event.kind_case = ARBITER__DEAD__EVENT__KIND_COMMAND_FAILED;
    event.command_failed = &late;
    late.has_player = true;
    Arbiter__Dead__Event *read = complete(&event, NULL);
    assert_string_equal(read->command_failed->message, "Your time is up.");
    arbiter__dead__event__free_unpacked(read, NULL);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, a_door_of_the_dead)
    const struct CMUnitTest tests[] = {
        TEST(strangers_share_one_player_until_he_is_somebodys),
        TEST(a_door_has_a_player_for_each_seat_and_one_for_strangers),
        TEST(who_speaks_or_is_owned_hears_unless_he_is_deaf),
        TEST(a_name_fits_or_is_none),
        TEST(only_a_command_that_registers_brings_a_name),
        TEST(names_and_the_set_up_come_into_the_events_that_have_a_field_for_them),
        TEST(an_event_without_such_a_field_stays_as_it_is),
        TEST(who_has_left_is_he_whom_the_event_names),
        TEST(questions_are_for_whom_they_name),
        TEST(the_open_question_is_the_last_one),
        TEST(a_failure_is_an_event_where_the_game_has_one),
        TEST(who_registers_is_sent_the_set_up_where_the_game_has_an_event_for_it),
        TEST(a_failure_of_the_rules_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
