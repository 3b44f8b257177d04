/* lobby_directory_test.c: who is there, and who is let in. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/lobby/lobby_party.h"
#include "services/lobby/lobby_rows.h"

static const Arbiter__Directory__Directory *published(void)
{
    const Arbiter__Directory__Directory *found = NULL;
    for (uint32_t i = 0; i < bench.out.effect_count; i++)
        if (bench.out.effects[i].kind == EFFECT_PUBLISH)
            found = (const void *) bench.out.effects[i].body;
    return found;
}

static bool is_listed(const char *name)
{
    const Arbiter__Directory__Directory *directory = published();
    for (size_t i = 0; directory != NULL && i < directory->n_services; i++)
        if (strcmp(directory->services[i]->name, name) == 0)
            return true;
    return false;
}

static bool is_admitted(const Arbiter__Directory__Directory *directory, uint8_t number)
{
    for (size_t i = 0; i < directory->n_admissions; i++)
        if (directory->admissions[i]->key.data[0] == number)
            return true;
    return false;
}

static void admit(uint8_t *key, uint32_t role, bool is_wanted, uint32_t expected)
{
    Arbiter__Lobby__Admit ask = ARBITER__LOBBY__ADMIT__INIT;
    ask.has_key = ask.has_role = ask.has_admitted = true;
    ask.key = (ProtobufCBinaryData){ .len = CALLER_KEY_SIZE, .data = key };
    ask.role = (Arbiter__Directory__Role) role;
    ask.admitted = is_wanted;
    bench_expect(&bench, &operator_, ASK(ADMIT), &ask, expected);
}

static void a_service_is_listed_while_it_says_hello(void **unused)
{
    (void) unused;
    bench_service(&bench, &bots, "bots-1");
    assert_true(is_listed("bots-1"));
    assert_true(is_listed("lobby"));
    bench_wait(&bench, 4000);
    bench_service(&bench, &bots, "bots-1");
    bench_wait(&bench, 1000);
    assert_false(is_listed("engine-1"));
    assert_true(is_listed("bots-1"));
    assert_int_equal(bench_count(&bench, EFFECT_DISCONNECT, 0), 1);
}

static void the_directory_is_repeated_each_second_and_its_number_grows_with_changes(void **unused)
{
    (void) unused;
    bench_wait(&bench, 1000);
    uint64_t number = published()->number;
    bench_wait(&bench, 999);
    assert_null(published());
    bench_wait(&bench, 1);
    assert_int_equal(published()->number, number);
    bench_service(&bench, &bots, "bots-1");
    assert_int_equal(published()->number, number + 1);
    bench_restart(&bench);
    assert_true(published()->number > number + 1);
}

static void where_a_door_is_found_from_outside_is_listed_as_it_was_said(void **unused)
{
    (void) unused;
    bench_wait(&bench, 1000);
    uint64_t number = published()->number;
    bench.service_outside = "tcp://play.example:7010";
    bench_service(&bench, &engine, "engine-1");
    assert_int_equal(published()->number, number + 1); /* It is news. */
    uint32_t found = 0;
    for (size_t i = 0; i < published()->n_services; i++) {
        const Arbiter__Directory__Service *service = published()->services[i];
        bool                               is_engine = strcmp(service->name, "engine-1") == 0;
        found += is_engine;
        assert_int_equal(service->n_doors > 0 && service->doors[0]->outside != NULL, is_engine);
        if (is_engine)
            assert_string_equal(service->doors[0]->outside, "tcp://play.example:7010");
    }
    assert_int_equal(found, 1);
    bench.service_outside = NULL;
}

static void only_services_are_told_who_is_admitted(void **unused)
{
    (void) unused;
    bench_service(&bench, &bots, "bots-1");
    const Arbiter__Directory__Directory *own = bench_message(&bench, &bots, KIND(DIRECTORY), 0);
    assert_int_equal(published()->n_admissions, 0);
    assert_int_equal(own->number, published()->number);
    assert_true(is_admitted(own, ann.number));
    bench_hello(&bench, &ann);
    const Arbiter__Directory__Welcome *welcome = bench_message(&bench, &ann, KIND(WELCOME), 0);
    assert_int_equal(welcome->directory->n_admissions, 0);
    assert_int_equal(welcome->player.len, 16);
    assert_int_equal(welcome->request, ann.request);
}

static uint32_t last_told_to(const struct person *service)
{
    bench_hello(&bench, service);
    return ((const Arbiter__Directory__Welcome *) bench_message(&bench, service, KIND(WELCOME), 0))
        ->request;
}

/* It goes on behind the last ask of all for whom it speaks. A number that one of them has used
 * would bring the answer to that old ask. */
static void a_gateway_is_told_the_last_number_of_its_guests_too(void **unused)
{
    (void) unused;
    struct person guest = { .number = 11, .role = ROLE(GATEWAY), .guest = 21, .request = 40 };
    struct person other = { .number = 12, .role = ROLE(GATEWAY) };
    assert_int_equal(last_told_to(&gateway), 0);
    bench_bind(&bench, &guest, "guest 1");
    guest.guest = 22;
    guest.request = 30;
    bench_bind(&bench, &guest, "guest 2");
    bench_restart(&bench);
    assert_int_equal(last_told_to(&gateway), 41);
    assert_int_equal(last_told_to(&other), 0);
}

static void an_admission_reaches_everybody_at_once(void **unused)
{
    (void) unused;
    uint8_t key[CALLER_KEY_SIZE];
    memset(key, 99, sizeof key);
    admit(key, ROLE(CLIENT), true, VERDICT(DONE));
    assert_true(is_admitted(bench_message(&bench, &engine, KIND(DIRECTORY), 0), 99));
    assert_int_equal(bench_count(&bench, EFFECT_ADMIT, 0), 1);
    struct person new_one = { .number = 99, .role = ROLE(CLIENT) };
    bench_bind(&bench, &new_one, "New");
    admit(key, ROLE(CLIENT), false, VERDICT(DONE));
    assert_false(is_admitted(bench_message(&bench, &engine, KIND(DIRECTORY), 0), 99));
    bench_hello(&bench, &new_one);
    assert_int_equal(bench_refusal(&bench), REFUSAL(NOT_YOURS));
    bench_restart(&bench);
    bench_service(&bench, &engine, "engine-1");
    assert_false(is_admitted(bench_message(&bench, &engine, KIND(DIRECTORY), 0), 99));
}

static void an_admission_that_is_not_stored_is_told_to_nobody(void **unused)
{
    (void) unused;
    uint8_t               key[CALLER_KEY_SIZE];
    Arbiter__Lobby__Admit ask = ARBITER__LOBBY__ADMIT__INIT;
    memset(key, 99, sizeof key);
    ask.has_key = ask.has_role = true;
    ask.key = (ProtobufCBinaryData){ .len = CALLER_KEY_SIZE, .data = key };
    ask.role = ROLE(CLIENT);
    bench.outcome = STORE_FULL;
    assert_null(bench_ask(&bench, &operator_, ASK(ADMIT), &ask));
    assert_null(published());
    bench_service(&bench, &engine, "engine-1");
    bench_wait(&bench, 1000);
    assert_false(is_admitted(bench_message(&bench, &engine, KIND(DIRECTORY), 0), 99));
}

/* A slip would take the operator, or an engine, out of the house for good. */
static void whoever_is_let_in_stays_what_he_is(void **unused)
{
    (void) unused;
    uint8_t key[CALLER_KEY_SIZE];
    memset(key, operator_.number, sizeof key);
    admit(key, ROLE(CLIENT), true, VERDICT(NOT_ALLOWED));
    admit(key, ROLE(CONSOLE), true, VERDICT(DONE));
    memset(key, engine.number, sizeof key);
    admit(key, ROLE(CLIENT), true, VERDICT(NOT_ALLOWED));
    admit(key, ROLE(ENGINE), false, VERDICT(DONE));
    admit(key, ROLE(CLIENT), true, VERDICT(NOT_ALLOWED)); /* The settings name it an engine. */
    admit(key, ROLE(ENGINE), true, VERDICT(DONE));
    memset(key, 0xee, sizeof key); /* The lobby's own. */
    admit(key, ROLE(CLIENT), true, VERDICT(NOT_ALLOWED));
    memset(key, 99, sizeof key);
    admit(key, ROLE(CLIENT), true, VERDICT(DONE));
    admit(key, ROLE(GATEWAY), true, VERDICT(NOT_ALLOWED));
    admit(key, ROLE(CLIENT), false, VERDICT(DONE));
    admit(key, ROLE(GATEWAY), true, VERDICT(DONE)); /* Somebody may have been let in by mistake. */
}

/* The store's rows may be of a lobby that did not mind. */
static void the_settings_say_what_the_installations_keys_are(void **unused)
{
    (void) unused;
    uint8_t key[CALLER_KEY_SIZE];
    for (uint32_t i = 0; i < bench.store.count; i++) {
        struct row *row = bench.store.rows[i];
        if (row->table == LOBBY_KEYS && row->cells[1].bytes[0] == operator_.number)
            row->cells[2].number = ROLE(CLIENT);
    }
    bench_restart(&bench);
    memset(key, 99, sizeof key);
    admit(key, ROLE(CLIENT), true, VERDICT(DONE));
    bench_service(&bench, &engine, "engine-1");
    const Arbiter__Directory__Directory *directory =
        bench_message(&bench, &engine, KIND(DIRECTORY), 0);
    for (size_t i = 0; i < directory->n_admissions; i++)
        if (directory->admissions[i]->key.data[0] == operator_.number)
            assert_int_equal(directory->admissions[i]->role, ROLE(CONSOLE));
    assert_true(is_admitted(directory, operator_.number));
}

static void a_key_that_was_never_let_in_is_not_revoked(void **unused)
{
    (void) unused;
    uint8_t key[CALLER_KEY_SIZE];
    memset(key, 99, sizeof key);
    admit(key, ROLE(CLIENT), false, VERDICT(NO_SUCH_PLAYER));
}

static void only_the_operator_admits(void **unused)
{
    (void) unused;
    Arbiter__Lobby__Admit ask = ARBITER__LOBBY__ADMIT__INIT;
    bench_expect(&bench, &ann, ASK(ADMIT), &ask, VERDICT(NOT_ALLOWED));
}

static void two_services_do_not_share_a_name(void **unused)
{
    (void) unused;
    struct person other = { .number = 14, .role = ROLE(BOT) };
    bench_service(&bench, &bots, "bots-1");
    bench_service(&bench, &other, "bots-1");
    assert_int_equal(bench_refusal(&bench), REFUSAL(FULL));
}

static void who_says_he_is_something_else_is_refused(void **unused)
{
    (void) unused;
    Arbiter__Directory__Hello hello = ARBITER__DIRECTORY__HELLO__INIT;
    hello.has_role = hello.has_protocol = true;
    hello.role = ROLE(ENGINE);
    hello.protocol = 1;
    bench_say(&bench, &ann, KIND(HELLO), 0, &hello);
    assert_int_equal(bench_refusal(&bench), REFUSAL(NOT_YOURS));
}

static void an_engine_that_starts_anew_is_greeted_anew(void **unused)
{
    (void) unused;
    Arbiter__Directory__Welcome welcome = ARBITER__DIRECTORY__WELCOME__INIT;
    bench_engine_says(&bench, KIND(WELCOME), NULL, NO_SEAT, &welcome);
    bench_wait(&bench, 1000);
    assert_null(bench_to_engine(&bench, KIND(HELLO)));
    bench_restart(&bench);
    bench_service(&bench, &engine, "engine-1");
    assert_int_equal(bench_count(&bench, EFFECT_CONNECT, 0), 1);
    assert_non_null(bench_to_engine(&bench, KIND(HELLO)));
    bench_wait(&bench, 1000);
    assert_non_null(bench_to_engine(&bench, KIND(HELLO)));
}

/* Doors judge by the role that the directory says, so they hear at once that it is another one. */
static void a_role_that_the_settings_change_is_told_at_once(void **unused)
{
    (void) unused;
    bench_wait(&bench, 1000);
    bench.seeds[gateway.number - 1].role = ROLE(CLIENT);
    bench_deliver(&bench, &(struct event){ .kind = EVENT_CHANGED });
    const Arbiter__Directory__Directory *told = bench_message(&bench, &engine, KIND(DIRECTORY), 0);
    assert_non_null(told);
    assert_true(is_admitted(told, gateway.number));
    for (size_t i = 0; i < told->n_admissions; i++)
        if (told->admissions[i]->key.data[0] == gateway.number)
            assert_int_equal(told->admissions[i]->role, ROLE(CLIENT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_service_is_listed_while_it_says_hello),
        TEST(the_directory_is_repeated_each_second_and_its_number_grows_with_changes),
        TEST(where_a_door_is_found_from_outside_is_listed_as_it_was_said),
        TEST(only_services_are_told_who_is_admitted),
        TEST(a_gateway_is_told_the_last_number_of_its_guests_too),
        TEST(an_admission_reaches_everybody_at_once),
        TEST(an_admission_that_is_not_stored_is_told_to_nobody),
        TEST(only_the_operator_admits),
        TEST(whoever_is_let_in_stays_what_he_is),
        TEST(the_settings_say_what_the_installations_keys_are),
        TEST(a_key_that_was_never_let_in_is_not_revoked),
        TEST(two_services_do_not_share_a_name),
        TEST(who_says_he_is_something_else_is_refused),
        TEST(an_engine_that_starts_anew_is_greeted_anew),
        TEST(a_role_that_the_settings_change_is_told_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
