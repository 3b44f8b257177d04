/* lobby_players_test.c: the picture that somebody chose, and who is shown it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/lobby/lobby_party.h"

static const Arbiter__Lobby__Player *binds(struct person *person, const char *name,
                                           const char *avatar)
{
    Arbiter__Lobby__BindName bind = ARBITER__LOBBY__BIND_NAME__INIT;
    bind.name = (char *) (uintptr_t) name;
    bind.avatar = (char *) (uintptr_t) avatar;
    return bench_expect(&bench, person, ASK(BIND_NAME), &bind, VERDICT(DONE))->player;
}

/* Of Ann, as somebody sees her at her table. */
static const char *seen_by(struct person *person)
{
    Arbiter__Lobby__ListTables list = ARBITER__LOBBY__LIST_TABLES__INIT;
    return bench_expect(&bench, person, ASK(LIST_TABLES), &list, VERDICT(DONE))
        ->tables->tables[0]
        ->seats[0]
        ->player->avatar;
}

static void a_picture_is_shown_to_who_reads_version_2(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    ann.version = 2;
    assert_string_equal(binds(&ann, "Ann", "fox")->avatar, "fox");
    party_opens(&ann, &create);
    assert_null(seen_by(&bob));
    bob.version = 2;
    assert_string_equal(seen_by(&bob), "fox");
    bench_restart(&bench);
    assert_string_equal(seen_by(&bob), "fox");
    assert_string_equal(binds(&ann, "Anna", NULL)->avatar,
                        "fox"); /* A new name leaves the picture. */
    assert_string_equal(binds(&ann, "Anna", "owl")->avatar, "owl");
}

static void what_is_no_name_of_a_picture_is_none(void **unused)
{
    (void) unused;
    static const char *const no_names[] = { "", "Fox", "a b", "<svg>", "seventeen-letters" };
    ann.version = 2;
    for (size_t i = 0; i < sizeof no_names / sizeof no_names[0]; i++)
        assert_null(binds(&ann, "Ann", no_names[i])->avatar);
}

static void a_forgotten_name_takes_its_picture_along(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable  create = party_nim(2);
    Arbiter__Lobby__ForgetPlayer forget = ARBITER__LOBBY__FORGET_PLAYER__INIT;
    Arbiter__Lobby__ListResults  list = ARBITER__LOBBY__LIST_RESULTS__INIT;
    ann.version = bob.version = 2;
    binds(&ann, "Ann", "fox");
    party_opens(&ann, &create);
    party_joins(&bob, VERDICT(DONE));
    assert_true(party_was_started());
    party_engine_started(NULL);
    party_engine_over(1, -1);
    const Arbiter__Lobby__Results *results =
        bench_expect(&bench, &bob, ASK(LIST_RESULTS), &list, VERDICT(DONE))->results;
    assert_string_equal(results->results[0]->players[0]->avatar, "fox");
    forget.name = (char *) (uintptr_t) "Ann";
    bench_expect(&bench, &operator_, ASK(FORGET_PLAYER), &forget, VERDICT(DONE));
    results = bench_expect(&bench, &bob, ASK(LIST_RESULTS), &list, VERDICT(DONE))->results;
    assert_null(results->results[0]->players[0]->avatar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_picture_is_shown_to_who_reads_version_2),
        TEST(what_is_no_name_of_a_picture_is_none),
        TEST(a_forgotten_name_takes_its_picture_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
