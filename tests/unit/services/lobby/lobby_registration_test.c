/* lobby_registration_test.c: the dead's registration is held at the table, in its own words. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/lobby/lobby_party.h"

#include "contract/dead.pb-c.h"
#include "contract/watchdog.pb-c.h"

static void opens_the_dead(bool by_words)
{
    Arbiter__Lobby__CreateTable create = ARBITER__LOBBY__CREATE_TABLE__INIT;
    create.game = (char *) (uintptr_t) "dead";
    create.has_registration = create.registration = by_words;
    create.has_seats = by_words;
    create.seats = 3;
    party_opens(&ann, &create);
}

static const Arbiter__Lobby__Answer *says(struct person                *person,
                                          const Arbiter__Dead__Command *command, uint32_t expected)
{
    uint8_t             bytes[256];
    Arbiter__Lobby__Say say = ARBITER__LOBBY__SAY__INIT;
    say.has_table = say.has_command = true;
    say.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    say.command.len = arbiter__dead__command__pack(command, bytes);
    say.command.data = bytes;
    return bench_expect(&bench, person, ASK(SAY), &say, expected);
}

static void registers(struct person *person, uint32_t expected)
{
    Arbiter__Dead__Command           command = ARBITER__DEAD__COMMAND__INIT;
    Arbiter__Dead__Command__Register enter = ARBITER__DEAD__COMMAND__REGISTER__INIT;
    enter.player_name = (char *) (uintptr_t) "somebody";
    command.kind_case = ARBITER__DEAD__COMMAND__KIND_REGISTER;
    command.register_ = &enter;
    says(person, &command, expected);
}

static void says_start(struct person *person, uint32_t expected)
{
    Arbiter__Dead__Command            command = ARBITER__DEAD__COMMAND__INIT;
    Arbiter__Dead__Command__StartGame begin = ARBITER__DEAD__COMMAND__START_GAME__INIT;
    command.kind_case = ARBITER__DEAD__COMMAND__KIND_START_GAME;
    command.start_game = &begin;
    says(person, &command, expected);
}

static void says_end_turn(struct person *person, uint32_t expected)
{
    Arbiter__Dead__Command          command = ARBITER__DEAD__COMMAND__INIT;
    Arbiter__Dead__Command__EndTurn end = ARBITER__DEAD__COMMAND__END_TURN__INIT;
    command.kind_case = ARBITER__DEAD__COMMAND__KIND_END_TURN;
    command.end_turn = &end;
    says(person, &command, expected);
}

/* The kind of the game's event in what was said to somebody last; 0: nothing was. */
static uint32_t hears(const struct person *person)
{
    const Arbiter__Lobby__TableEvent *event = bench_event(&bench, person, EVENT(SAID));
    if (event == NULL)
        return 0;
    Arbiter__Dead__Event *said =
        arbiter__dead__event__unpack(NULL, event->said->event.len, event->said->event.data);
    assert_non_null(said);
    uint32_t kind = said->kind_case;
    arbiter__dead__event__free_unpacked(said, NULL);
    return kind;
}

static void who_sits_down_is_registered_and_gets_the_set_up(void **unused)
{
    (void) unused;
    opens_the_dead(false);
    assert_int_equal(hears(&ann), ARBITER__DEAD__EVENT__KIND_CONFIG);
    const Arbiter__Lobby__Said *said = bench_event(&bench, &ann, EVENT(SAID))->said;
    assert_true(said->private_);
    assert_true(strlen(said->setup) > 1000);
    party_joins(&bob, VERDICT(DONE));
    assert_int_equal(hears(&bob), ARBITER__DEAD__EVENT__KIND_CONFIG);
    assert_int_equal(hears(&ann), 0);
    assert_non_null(bench_event(&bench, &ann, EVENT(NOTHING)));
    registers(&bob, VERDICT(RULES));
    party_starts(&ann, VERDICT(DONE));
    assert_true(party_was_started());
}

static void where_registration_is_spoken_nobody_sits_before_his_own_word(void **unused)
{
    (void) unused;
    opens_the_dead(true);
    const Arbiter__Lobby__Answer *answer = party_joins(&bob, VERDICT(DONE));
    assert_null(answer->table->seats[0]->player);
    says_start(&bob, VERDICT(RULES));
    registers(&bob, VERDICT(DONE));
    assert_int_equal(hears(&bob), ARBITER__DEAD__EVENT__KIND_CONFIG);
    registers(&ann, VERDICT(DONE));
    assert_false(party_was_started());
    bench_restart(&bench);
    bench_service(&bench, &engine, "engine-1");
    says_start(&ann, VERDICT(DONE));
    const Arbiter__Engine__StartMatch *start =
        (const void *) bench_to_engine(&bench, KIND(START_MATCH))->body;
    assert_int_equal(start->match->seats, 2);
    assert_int_equal(start->holders[0]->key.data[0], bob.number);
}

static void a_table_whose_seats_have_all_registered_begins(void **unused)
{
    (void) unused;
    opens_the_dead(true);
    party_joins(&bob, VERDICT(DONE));
    party_joins(&cid, VERDICT(DONE));
    registers(&ann, VERDICT(DONE));
    registers(&bob, VERDICT(DONE));
    assert_false(party_was_started());
    registers(&cid, VERDICT(DONE));
    assert_true(party_was_started());
}

static void any_other_word_breaks_the_registration_off(void **unused)
{
    (void) unused;
    opens_the_dead(true);
    party_joins(&bob, VERDICT(DONE));
    registers(&ann, VERDICT(DONE));
    says_end_turn(&bob, VERDICT(DONE));
    assert_int_equal(hears(&ann), ARBITER__DEAD__EVENT__KIND_REGISTRATION_ABORTED);
    assert_int_equal(hears(&bob), 0);
    assert_non_null(bench_event(&bench, &ann, EVENT(TABLE_CLOSED)));
    registers(&ann, VERDICT(NO_SUCH_TABLE));
}

static void silence_breaks_it_off_too(void **unused)
{
    (void) unused;
    uint32_t patience = bench.settings.registration_ms;
    opens_the_dead(false);
    bench_hello(&bench, &ann);
    bench_wait(&bench, patience - 1);
    assert_null(bench_event(&bench, &ann, EVENT(TABLE_CLOSED)));
    party_joins(&bob, VERDICT(DONE));
    bench_wait(&bench, patience - 1);
    assert_null(bench_event(&bench, &ann, EVENT(TABLE_CLOSED)));
    bench_wait(&bench, 1);
    assert_int_equal(hears(&bob), ARBITER__DEAD__EVENT__KIND_REGISTRATION_ABORTED);
    assert_non_null(bench_event(&bench, &ann, EVENT(TABLE_CLOSED)));
}

/* A watchdog may say that time is over, for a classroom that holds its own clock (conform, live). */
static void a_watchdog_may_say_that_the_time_of_a_registration_is_over(void **unused)
{
    (void) unused;
    struct person             watchdog = { .number = 16, .role = ROLE(WATCHDOG) };
    struct event              event = { .kind = EVENT_MESSAGE };
    Arbiter__Watchdog__Expire expire = ARBITER__WATCHDOG__EXPIRE__INIT;
    uint8_t                   other[16] = { 1 };
    opens_the_dead(false);
    bench_service(&bench, &watchdog, "watchdog-1");
    event.body = &expire.base;
    event.caller.key[0] = watchdog.number;
    event.caller.role = watchdog.role;
    event.caller.door = DOOR_REQUESTS;
    header_init(&event.header, KIND(EXPIRE), other); /* A table that there is not. */
    bench_deliver(&bench, &event);
    assert_null(bench_event(&bench, &ann, EVENT(TABLE_CLOSED)));
    header_init(&event.header, KIND(EXPIRE), table_id);
    bench_deliver(&bench, &event);
    assert_int_equal(hears(&ann), ARBITER__DEAD__EVENT__KIND_REGISTRATION_ABORTED);
    assert_non_null(bench_event(&bench, &ann, EVENT(TABLE_CLOSED)));
}

/* Where nobody is being registered, and where the match has begun, no time runs out. */
static void elsewhere_no_time_runs_out_at_a_table(void **unused)
{
    (void) unused;
    struct event                event = { .kind = EVENT_MESSAGE };
    Arbiter__Watchdog__Expire   expire = ARBITER__WATCHDOG__EXPIRE__INIT;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    event.body = &expire.base;
    event.caller.key[0] = 16;
    event.caller.role = ROLE(WATCHDOG);
    event.caller.door = DOOR_REQUESTS;
    party_opens(&ann, &create);
    header_init(&event.header, KIND(EXPIRE), table_id);
    bench_deliver(&bench, &event);
    assert_null(bench_event(&bench, &ann, EVENT(TABLE_CLOSED)));
    party_leaves(&ann, VERDICT(DONE));
    opens_the_dead(false);
    party_joins(&bob, VERDICT(DONE));
    party_starts(&ann, VERDICT(DONE));
    header_init(&event.header, KIND(EXPIRE), table_id);
    bench_deliver(&bench, &event);
    assert_null(bench_event(&bench, &ann, EVENT(TABLE_CLOSED)));
}

static void who_gets_up_leaves_no_gap(void **unused)
{
    (void) unused;
    opens_the_dead(false);
    party_joins(&bob, VERDICT(DONE));
    party_joins(&cid, VERDICT(DONE));
    party_leaves(&ann, VERDICT(DONE));
    const Arbiter__Lobby__TableEvent *moved = bench_event(&bench, &cid, EVENT(SEATED));
    assert_int_equal(moved->seated->seat, 0);
    assert_int_equal(moved->seated->from, 1);
    assert_non_null(bench_event(&bench, &cid, EVENT(HOST_CHANGED)));
    party_starts(&bob, VERDICT(DONE));
    const Arbiter__Engine__StartMatch *start =
        (const void *) bench_to_engine(&bench, KIND(START_MATCH))->body;
    assert_int_equal(start->holders[0]->key.data[0], bob.number);
    assert_int_equal(start->holders[1]->key.data[0], cid.number);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(who_sits_down_is_registered_and_gets_the_set_up),
        TEST(where_registration_is_spoken_nobody_sits_before_his_own_word),
        TEST(a_table_whose_seats_have_all_registered_begins),
        TEST(any_other_word_breaks_the_registration_off),
        TEST(silence_breaks_it_off_too),
        TEST(a_watchdog_may_say_that_the_time_of_a_registration_is_over),
        TEST(elsewhere_no_time_runs_out_at_a_table),
        TEST(who_gets_up_leaves_no_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
