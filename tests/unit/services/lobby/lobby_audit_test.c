/* lobby_audit_test.c: who may do what to people and matches, and that each deed is written down with who did it. */
#include "services/lobby/lobby_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "schema/lobby.h"
#include "services/lobby/lobby_deeds.h"

static void each_deed_is_written_down_with_who_did_it_and_to_whom(void **unused)
{
    (void) unused;
    struct person page = party_at_the_page(false);
    party_bans(&operator_, "Bob", true, bench.wall_ms + 5000, VERDICT(DONE));
    bench_wait(&bench, 1000);
    party_mutes(&page, "Cid", true, 0, VERDICT(DONE));
    party_mutes(&page, "Cid", false, 0, VERDICT(DONE));
    bench_restart(&bench);
    bench_service(&bench, &engine, "engine-1");
    const Arbiter__Lobby__Audit *said = party_audit();
    assert_int_equal(said->n_deeds, 3);
    const Arbiter__Lobby__Audited *mute = said->deeds[0], *ban = said->deeds[2];
    assert_int_equal(ban->number, 1);
    assert_int_equal(ban->deed, ASK(BAN_PLAYER));
    assert_int_equal(ban->verdict, VERDICT(DONE));
    assert_int_equal(ban->key.data[0], operator_.number);
    assert_null(ban->token);
    assert_string_equal(ban->player->name, "Bob");
    assert_string_equal(ban->reason, "He turned the table over.");
    assert_int_equal(ban->until_ms - ban->at_ms, 5000);
    assert_false(ban->undone);
    assert_int_equal(mute->number, 3);
    assert_int_equal(mute->deed, ASK(MUTE_PLAYER));
    assert_true(mute->undone);
    assert_int_equal(mute->key.data[0], gateway.number);
    assert_string_equal(mute->token, "eva");
    assert_false(mute->helper);
    assert_string_equal(mute->player->name, "Cid");
    assert_int_equal(mute->at_ms - ban->at_ms, 1000);
}

static void a_match_a_key_and_an_engine_are_named_too(void **unused)
{
    (void) unused;
    party_plays();
    party_aborts(&operator_, VERDICT(DONE));
    party_admits(&operator_, 8, true, VERDICT(DONE));
    party_admits(&operator_, 8, true, VERDICT(DONE)); /* That was so before. */
    party_drains(&operator_, VERDICT(DONE));
    party_announces(&operator_, "New cards tonight.", 0, VERDICT(DONE));
    const Arbiter__Lobby__Audit *said = party_audit();
    assert_int_equal(said->n_deeds, 4);
    assert_string_equal(said->deeds[0]->text, "New cards tonight.");
    assert_string_equal(said->deeds[1]->text, "engine-1");
    assert_int_equal(said->deeds[2]->admitted->key.data[31], 8);
    assert_string_equal(said->deeds[2]->admitted->name, "Dan's key");
    assert_true(said->deeds[2]->admitted->helper);
    assert_memory_equal(said->deeds[3]->match_id.data, match_id, 16);
    assert_string_equal(said->deeds[3]->reason, "The room closes.");
}

/* Whatever is no helper's; none of it happens. */
static void is_refused_what_cannot_be_undone(struct person *helper)
{
    static const char             sentence[] = "A helper may not do this; the operator may.";
    const Arbiter__Lobby__Answer *answer = party_forgets(helper, "Bob", VERDICT(NOT_ALLOWED));
    assert_string_equal(answer->sentence, sentence);
    assert_string_equal(party_aborts(helper, VERDICT(NOT_ALLOWED))->sentence, sentence);
    assert_null(bench_to_engine(&bench, KIND(ABORT_MATCH)));
    party_announces(helper, "Nonsense", 0, VERDICT(NOT_ALLOWED));
    party_drains(helper, VERDICT(NOT_ALLOWED));
    party_admits(helper, 5, true, VERDICT(NOT_ALLOWED));
}

static void a_helper_may_mute_and_may_not_erase(void **unused)
{
    (void) unused;
    party_plays();
    party_mutes(&dan, "Bob", true, 0, VERDICT(NOT_ALLOWED));
    assert_int_equal(bench.settings.seed_count, 15);
    party_admits(&operator_, dan.number, true, VERDICT(DONE));
    bench_restart(&bench);
    bench_service(&bench, &engine, "engine-1");
    party_mutes(&dan, "Bob", true, bench.wall_ms + 60000, VERDICT(DONE));
    is_refused_what_cannot_be_undone(&dan);
    const Arbiter__Lobby__Audit *said = party_audit_of(&dan, 0, 0, 0);
    assert_int_equal(said->n_deeds, 8); /* With the one that he tried as nobody. */
    for (uint32_t i = 0; i < 6; i++)
        assert_true(said->deeds[i]->helper);
    assert_int_equal(said->deeds[4]->deed, ASK(FORGET_PLAYER));
    assert_int_equal(said->deeds[4]->verdict, VERDICT(NOT_ALLOWED));
    assert_string_equal(said->deeds[4]->player->name, "Bob");
    assert_int_equal(said->deeds[4]->key.data[0], dan.number);
    assert_int_equal(said->deeds[7]->verdict, VERDICT(NOT_ALLOWED));
    party_admits(&operator_, dan.number, false, VERDICT(DONE));
    party_mutes(&dan, "Bob", false, 0, VERDICT(NOT_ALLOWED));
}

static void a_helper_at_the_page_is_no_operator(void **unused)
{
    (void) unused;
    struct person page = party_at_the_page(true);
    party_plays();
    party_mutes(&page, "Bob", true, bench.wall_ms + 60000, VERDICT(DONE));
    is_refused_what_cannot_be_undone(&page);
    assert_int_equal(party_audit()->n_deeds, 6);
    assert_true(party_audit()->deeds[1]->helper);
    assert_string_equal(party_audit()->deeds[1]->token, "eva");
    page.version = 2; /* Then the page knows what to offer. */
    assert_true(party_audit_of(&page, 0, 0, 0)->helper);
    assert_int_equal(party_audit_of(&page, 0, 0, 0)->now_ms, bench.wall_ms);
    page.is_helper = false;
    assert_false(party_audit_of(&page, 0, 0, 0)->has_helper);
}

static void a_gateway_lets_nobody_in_and_drains_nothing(void **unused)
{
    (void) unused;
    struct person page = party_at_the_page(false);
    party_plays();
    party_admits(&page, 5, true, VERDICT(NOT_ALLOWED));
    assert_string_equal(party_drains(&page, VERDICT(NOT_ALLOWED))->sentence,
                        "Only the operator's own key may do this, and no page.");
    party_aborts(&page, VERDICT(DONE));
    party_forgets(&page, "Bob", VERDICT(DONE));
    page.token = NULL;
    party_forgets(&page, "Ann", VERDICT(NOT_ALLOWED));
}

/* Nobody else says for whom it asks; and who plays is no deputy. */
static void only_gateways_have_deputies(void **unused)
{
    (void) unused;
    struct person                liar = ann, page = party_at_the_page(false);
    Arbiter__Lobby__ForgetPlayer ask = ARBITER__LOBBY__FORGET_PLAYER__INIT;
    ask.name = party_word("Bob");
    liar.token = "operator";
    assert_null(bench_ask(&bench, &liar, ASK(FORGET_PLAYER), &ask));
    assert_int_equal(bench_refusal(&bench), REFUSAL(MALFORMED));
    page.guest = 3;
    assert_null(bench_ask(&bench, &page, ASK(FORGET_PLAYER), &ask));
    assert_int_equal(bench_refusal(&bench), REFUSAL(MALFORMED));
    assert_int_equal(party_audit()->n_deeds, 0);
}

static void bar_the_page(struct lobby_settings *settings)
{
    settings->is_page_barred = true;
}

static int barred_begin(void **unused)
{
    (void) unused;
    party_open_with(ARBITER_SOURCE, bar_the_page);
    return 0;
}

static void a_house_may_bar_the_page(void **unused)
{
    (void) unused;
    struct person page = party_at_the_page(false);
    party_mutes(&page, "Bob", true, 0, VERDICT(NOT_ALLOWED));
    party_mutes(&operator_, "Bob", true, 0, VERDICT(DONE));
}

static bool store_tells_of(uint32_t table, const char *text)
{
    const struct query query = { .table = table };
    uint32_t           count;
    bool               is_there = false;
    struct row       **rows = memory_store_read(&bench.store, &query, &count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < rows[i]->count; k++) {
            const struct cell *cell = &rows[i]->cells[k];
            is_there = is_there || (cell->size >= strlen(text) &&
                                    memmem(cell->bytes, cell->size, text, strlen(text)) != NULL);
        }
    free(rows);
    return is_there;
}

static void a_forgotten_name_is_not_in_the_audit(void **unused)
{
    (void) unused;
    uint8_t id[16];
    party_mutes(&operator_, "Bob", true, 0, VERDICT(DONE));
    memcpy(id, party_audit()->deeds[0]->player->player.data, sizeof id);
    party_forgets(&operator_, "Bob", VERDICT(DONE));
    party_forgets(&operator_, "Bob", VERDICT(NO_SUCH_PLAYER));
    bench_restart(&bench);
    const Arbiter__Lobby__Audit *said = party_audit();
    assert_int_equal(said->n_deeds, 3);
    assert_null(said->deeds[0]->player);
    for (uint32_t i = 1; i < 3; i++) {
        assert_memory_equal(said->deeds[i]->player->player.data, id, sizeof id);
        assert_null(said->deeds[i]->player->name);
    }
    assert_true(store_tells_of(LOBBY_AUDIT, "Mind your words."));
    assert_false(store_tells_of(LOBBY_AUDIT, "Bob"));
    assert_false(store_tells_of(LOBBY_PLAYERS, "Mind your words."));
}

static void a_deed_that_was_not_stored_is_in_no_audit(void **unused)
{
    (void) unused;
    Arbiter__Lobby__MutePlayer ask = ARBITER__LOBBY__MUTE_PLAYER__INIT;
    ask.name = party_word("Bob");
    bench.outcome = STORE_FULL;
    assert_null(bench_ask(&bench, &operator_, ASK(MUTE_PLAYER), &ask));
    assert_int_equal(party_audit()->n_deeds, 0);
    operator_.request -= 2; /* Looking takes none. */
    bench_expect(&bench, &operator_, ASK(MUTE_PLAYER), &ask, VERDICT(DONE));
    bench_ask_again(&bench, &operator_, ASK(MUTE_PLAYER), &ask); /* The same one. */
    assert_int_equal(party_audit()->n_deeds, 1);
}

static void a_strangers_tries_fill_no_disk(void **unused)
{
    (void) unused;
    for (uint32_t i = 0; i < 20; i++)
        party_forgets(&ann, "Bob", VERDICT(NOT_ALLOWED));
    assert_int_equal(party_audit()->n_deeds, 1);
    bench_wait(&bench, 60000);
    party_forgets(&ann, "Bob", VERDICT(NOT_ALLOWED));
    assert_int_equal(party_audit()->n_deeds, 2);
}

/* What he may do is written down all the same. */
static void a_helpers_tries_fill_no_disk_either(void **unused)
{
    (void) unused;
    struct person page = party_at_the_page(true);
    for (uint32_t i = 0; i < 20; i++)
        party_forgets(&page, "Bob", VERDICT(NOT_ALLOWED));
    assert_int_equal(party_audit()->n_deeds, 10);
    party_mutes(&page, "Bob", true, bench.wall_ms + 1000, VERDICT(DONE));
    party_forgets(&ann, "Bob", VERDICT(NOT_ALLOWED)); /* A stranger's are counted by themselves. */
    assert_int_equal(party_audit()->n_deeds, 12);
    bench_wait(&bench, 60000);
    party_forgets(&page, "Bob", VERDICT(NOT_ALLOWED));
    assert_int_equal(party_audit()->n_deeds, 13);
}

static void what_was_so_before_is_no_deed(void **unused)
{
    (void) unused;
    struct person page = party_at_the_page(true);
    uint64_t      until_ms = bench.wall_ms + 5000;
    party_mutes(&operator_, "Bob", false, 0, VERDICT(DONE));
    party_bans(&operator_, "Cid", false, 0, VERDICT(DONE));
    assert_int_equal(party_audit()->n_deeds, 0);
    for (uint32_t i = 0; i < 3; i++) {
        party_mutes(&operator_, "Bob", true, 0, VERDICT(DONE));
        party_bans(&operator_, "Cid", true, until_ms, VERDICT(DONE));
    }
    assert_int_equal(party_audit()->n_deeds, 2);
    party_bans(&operator_, "Cid", true, until_ms + 1, VERDICT(DONE));
    Arbiter__Lobby__MutePlayer other = ARBITER__LOBBY__MUTE_PLAYER__INIT;
    other.name = party_word("Bob"); /* Muted as before, but without a reason. */
    bench_expect(&bench, &operator_, ASK(MUTE_PLAYER), &other, VERDICT(DONE));
    assert_int_equal(party_audit()->n_deeds, 4);
    other.name = party_word("Bob");
    bench_expect(&bench, &page, ASK(MUTE_PLAYER), &other, VERDICT(NOT_ALLOWED));
    assert_int_equal(party_audit()->n_deeds, 5); /* What is refused is written down. */
}

static void the_audit_is_read_page_by_page(void **unused)
{
    (void) unused;
    uint64_t half_ms = 0;
    for (uint32_t i = 0; i < 60; i++) {
        party_mutes(&operator_, "Bob", i % 2 == 0, 0, VERDICT(DONE));
        bench_wait(&bench, 10);
        half_ms = i == 29 ? bench.wall_ms : half_ms;
    }
    const Arbiter__Lobby__Audit *said = party_audit();
    assert_int_equal(said->n_deeds, 50);
    assert_int_equal(said->deeds[49]->number, 11);
    assert_true(said->more);
    said = party_audit_of(&operator_, 11, 0, 0);
    assert_int_equal(said->n_deeds, 10);
    assert_int_equal(said->deeds[0]->number, 10);
    assert_false(said->more);
    said = party_audit_of(&operator_, 0, 0, half_ms);
    assert_int_equal(said->n_deeds, 30);
    assert_int_equal(party_audit_of(&operator_, 0, 3, 0)->n_deeds, 3);
}

/* A build that knows no helpers may give the place of one to another key: that one is no helper. */
static void a_helper_is_one_by_his_own_key_alone(void **unused)
{
    (void) unused;
    party_admits(&operator_, dan.number, true, VERDICT(DONE));
    bench_restart(&bench);
    party_mutes(&dan, "Bob", true, bench.wall_ms + 60000, VERDICT(DONE));
    for (uint32_t i = 0; i < bench.store.count; i++) {
        struct row *row = bench.store.rows[i];
        if (row->table == LOBBY_KEYS && row->cells[row->count - 1].number != 0)
            row->cells[row->count - 1].number += 256;
    }
    bench_restart(&bench);
    party_mutes(&dan, "Bob", false, 0, VERDICT(NOT_ALLOWED));
}

static void few_deeds(struct lobby_settings *settings)
{
    settings->audit_max = 4;
}

static int few_begin(void **unused)
{
    (void) unused;
    party_open_with(ARBITER_SOURCE, few_deeds);
    return 0;
}

static void older_deeds_stay_in_the_store(void **unused)
{
    (void) unused;
    const struct query all = { .table = LOBBY_AUDIT };
    uint32_t           count;
    for (uint32_t i = 0; i < 7; i++)
        party_mutes(&operator_, "Bob", i % 2 == 0, 0, VERDICT(DONE));
    bench_restart(&bench);
    assert_int_equal(party_audit()->n_deeds, 4);
    assert_int_equal(party_audit()->deeds[3]->number, 4);
    free(memory_store_read(&bench.store, &all, &count));
    assert_int_equal(count, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_deed_is_written_down_with_who_did_it_and_to_whom),
        TEST(a_match_a_key_and_an_engine_are_named_too),
        TEST(a_helper_may_mute_and_may_not_erase),
        TEST(a_helper_at_the_page_is_no_operator),
        TEST(a_gateway_lets_nobody_in_and_drains_nothing),
        TEST(only_gateways_have_deputies),
        cmocka_unit_test_setup_teardown(a_house_may_bar_the_page, barred_begin, party_end),
        TEST(a_forgotten_name_is_not_in_the_audit),
        TEST(a_deed_that_was_not_stored_is_in_no_audit),
        TEST(a_helper_is_one_by_his_own_key_alone),
        TEST(a_strangers_tries_fill_no_disk),
        TEST(a_helpers_tries_fill_no_disk_either),
        TEST(what_was_so_before_is_no_deed),
        TEST(the_audit_is_read_page_by_page),
        cmocka_unit_test_setup_teardown(older_deeds_stay_in_the_store, few_begin, party_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
