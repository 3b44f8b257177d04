/* lobby_results_test.c: how matches ended, and another one at the same table. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/lobby/lobby_party.h"

static void a_rematch_begins_when_all_have_asked(void **unused)
{
    (void) unused;
    uint8_t first[16];
    party_plays();
    memcpy(first, match_id, sizeof first);
    party_wants_rematch(&ann, VERDICT(BEGUN));
    party_engine_over(1, -1);
    party_wants_rematch(&cid, VERDICT(NO_SUCH_TABLE));
    party_wants_rematch(&ann, VERDICT(DONE));
    assert_false(party_was_started());
    assert_int_equal(bench_event(&bench, &bob, EVENT(MATCH_ENDED))->match_ended->n_asks_rematch, 1);
    bench_restart(&bench);
    bench_service(&bench, &engine, "engine-1");
    party_wants_rematch(&bob, VERDICT(DONE));
    assert_true(party_was_started());
    assert_memory_not_equal(match_id, first, 16);
}

static void who_sits_elsewhere_by_then_is_not_waited_for(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(3);
    uint8_t                     old[16];
    party_plays();
    party_engine_over(1, -1);
    memcpy(old, table_id, sizeof old);
    party_opens(&bob, &create);
    memcpy(table_id, old, sizeof old);
    party_wants_rematch(&bob, VERDICT(SEATED_ELSEWHERE));
    const Arbiter__Lobby__Answer *answer = party_wants_rematch(&ann, VERDICT(DONE));
    assert_int_equal(answer->table->phase, PHASE(OPEN));
    assert_null(answer->table->seats[1]->player);
    party_joins(&cid, VERDICT(DONE));
    assert_true(party_was_started());
}

static const Arbiter__Lobby__Results *listed(const char *game, const char *name, uint8_t *after,
                                             uint32_t limit)
{
    Arbiter__Lobby__ListResults list = ARBITER__LOBBY__LIST_RESULTS__INIT;
    list.game = (char *) (uintptr_t) game;
    list.name = (char *) (uintptr_t) name;
    list.has_after = after != NULL;
    list.after = (ProtobufCBinaryData){ .len = after == NULL ? 0 : 16, .data = after };
    list.has_limit = true;
    list.limit = limit;
    return bench_expect(&bench, &dan, ASK(LIST_RESULTS), &list, VERDICT(DONE))->results;
}

/* Cards that were laid, and dice that everybody knew: whoever reads of the match is told. */
static void a_result_says_what_was_not_left_to_chance(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    create.has_seed = true;
    create.seed = 7;
    party_opens(&ann, &create);
    party_joins(&bob, VERDICT(DONE));
    assert_true(party_was_started());
    party_engine_started(NULL);
    party_engine_over(1, -1);
    assert_false(listed(NULL, NULL, NULL, 9)->results[0]->has_open_dice);
    dan.version = 2;
    assert_true(listed(NULL, NULL, NULL, 9)->results[0]->open_dice);
    assert_false(listed(NULL, NULL, NULL, 9)->results[0]->rigged);
    bench_restart(&bench);
    assert_true(listed(NULL, NULL, NULL, 9)->results[0]->open_dice);
}

static void results_are_listed_the_newest_first(void **unused)
{
    (void) unused;
    uint8_t ids[3][16];
    for (uint32_t i = 0; i < 3; i++) {
        party_plays();
        memcpy(ids[i], match_id, 16);
        party_engine_over(i == 0 ? 1 : -1, i == 0 ? -1 : 1);
    }
    bench_restart(&bench);
    const Arbiter__Lobby__Results *results = listed("nim", "Bob", NULL, 2);
    assert_int_equal(results->n_results, 2);
    assert_true(results->more);
    assert_memory_equal(results->results[0]->match_id.data, ids[2], 16);
    assert_int_equal(results->results[0]->outcome[1], 1);
    results = listed("nim", "Bob", ids[1], 2);
    assert_int_equal(results->n_results, 1);
    assert_memory_equal(results->results[0]->match_id.data, ids[0], 16);
    assert_int_equal(results->results[0]->outcome[1], -1);
    assert_int_equal(listed("dead", NULL, NULL, 9)->n_results, 0);
    assert_int_equal(listed(NULL, "Cid", NULL, 9)->n_results, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_rematch_begins_when_all_have_asked),
        TEST(who_sits_elsewhere_by_then_is_not_waited_for),
        TEST(a_result_says_what_was_not_left_to_chance),
        TEST(results_are_listed_the_newest_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
