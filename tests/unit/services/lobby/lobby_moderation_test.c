/* lobby_moderation_test.c: who is banned for how long, who is silenced, and what everybody is told. */
#include "services/lobby/lobby_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "schema/lobby.h"
#include "services/lobby/lobby_deeds.h"

/* A minute is for a helper whose clock is ahead of the lobby's. */
#define DAY_MS (24u * 60 * 60 * 1000)
#define LONGEST_MS (DAY_MS + 60000u)

static void chats(struct person *person, uint32_t expected, const char *sentence)
{
    Arbiter__Lobby__Chat chat = ARBITER__LOBBY__CHAT__INIT;
    chat.has_table = true;
    chat.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    chat.text = party_word("hello");
    const Arbiter__Lobby__Answer *answer = bench_expect(&bench, person, ASK(CHAT), &chat, expected);
    if (sentence != NULL)
        assert_string_equal(answer->sentence, sentence);
}

static void a_helper_bans_for_a_day_at_most(void **unused)
{
    (void) unused;
    struct person page = party_at_the_page(true);
    party_bans(&page, "Bob", true, 0, VERDICT(NOT_ALLOWED));
    party_bans(&page, "Bob", true, bench.wall_ms + LONGEST_MS + 1, VERDICT(NOT_ALLOWED));
    party_bans(&page, "Bob", true, bench.wall_ms + LONGEST_MS, VERDICT(DONE));
    party_bans(&page, "Bob", false, 0, VERDICT(DONE));
    party_bans(&operator_, "Bob", true, 0, VERDICT(DONE));
    party_bans(&page, "Bob", false, 0, VERDICT(NOT_ALLOWED));
    party_bans(&page, "Bob", true, bench.wall_ms + 1000,
               VERDICT(NOT_ALLOWED)); /* That would end it. */
    bench_wait(&bench, 2000);
    party_opens(&ann, (Arbiter__Lobby__CreateTable[]){ party_nim(2) });
    party_joins(&bob, VERDICT(BANNED));
}

static void a_helper_mutes_for_a_day_at_most(void **unused)
{
    (void) unused;
    struct person                 page = party_at_the_page(true);
    const Arbiter__Lobby__Answer *answer = party_mutes(&page, "Bob", true, 0, VERDICT(NOT_ALLOWED));
    assert_string_equal(answer->sentence,
                        "A helper mutes for at most a day, and changes no mute that lasts longer.");
    party_mutes(&page, "Bob", true, bench.wall_ms + LONGEST_MS + 1, VERDICT(NOT_ALLOWED));
    party_mutes(&page, "Bob", true, bench.wall_ms + LONGEST_MS, VERDICT(DONE));
    party_mutes(&page, "Bob", false, 0, VERDICT(DONE));
    party_mutes(&operator_, "Bob", true, bench.wall_ms + 2 * DAY_MS, VERDICT(DONE));
    party_mutes(&page, "Bob", false, 0, VERDICT(NOT_ALLOWED));
    party_mutes(&page, "Bob", true, bench.wall_ms + 1000, VERDICT(NOT_ALLOWED));
    party_plays();
    bench_wait(&bench, 2000);
    chats(&bob, VERDICT(MUTED), "Mind your words.");
}

static void an_operator_who_is_banned_lets_himself_in_again(void **unused)
{
    (void) unused;
    struct person page = party_at_the_page(true);
    bench_bind(&bench, &operator_, "Otto");
    party_bans(&page, "Otto", true, bench.wall_ms + DAY_MS, VERDICT(DONE));
    party_bans(&operator_, "Otto", false, 0, VERDICT(DONE));
    party_admits(&operator_, dan.number, true, VERDICT(DONE));
    party_bans(&operator_, "Dan", true, 0, VERDICT(DONE));
    party_mutes(&dan, "Bob", true, bench.wall_ms + 1000, VERDICT(BANNED)); /* No helper does. */
}

/* A store may hold two names that look alike: they are older than the rule that refuses the second. */
static void bob_is_called_ann_with_a_small_letter(void)
{
    for (uint32_t i = 0; i < bench.store.count; i++) {
        const struct row *row = bench.store.rows[i];
        if (row->table == LOBBY_PLAYERS && row->cells[2].size == 3 &&
            memcmp(row->cells[2].bytes, "Bob", 3) == 0)
            memcpy((uint8_t *) (uintptr_t) row->cells[2].bytes, "ann", 3);
    }
    bench_restart(&bench);
}

static void who_has_the_very_name_is_meant_and_not_who_looks_like_it(void **unused)
{
    (void) unused;
    static const char *const names[] = { "ann", "Ann" };
    bob_is_called_ann_with_a_small_letter();
    for (uint32_t i = 0; i < 2; i++) {
        party_mutes(&operator_, names[i], true, 0, VERDICT(DONE));
        assert_string_equal(party_audit()->deeds[0]->player->name, names[i]);
    }
    party_mutes(&operator_, "ANN", false, 0, VERDICT(DONE));
}

static void who_is_muted_says_nothing_and_plays_on(void **unused)
{
    (void) unused;
    party_plays();
    party_mutes(&operator_, "Bob", true, bench.wall_ms + 3000, VERDICT(DONE));
    bench_restart(&bench);
    bench_service(&bench, &engine, "engine-1");
    chats(&bob, VERDICT(MUTED), "Mind your words.");
    chats(&ann, VERDICT(DONE), NULL);
    bench_wait(&bench, 3000);
    chats(&bob, VERDICT(DONE), NULL);
    party_mutes(&operator_, "Bob", true, 0, VERDICT(DONE));
    bench_wait(&bench, 60000);
    chats(&bob, VERDICT(MUTED), NULL);
    party_mutes(&operator_, "Bob", false, 0, VERDICT(DONE));
    chats(&bob, VERDICT(DONE), NULL);
}

static const Arbiter__Lobby__Players *people(struct person *person, uint32_t expected)
{
    Arbiter__Lobby__ListPlayers ask = ARBITER__LOBBY__LIST_PLAYERS__INIT;
    return bench_expect(&bench, person, ASK(LIST_PLAYERS), &ask, expected)->players;
}

static void who_looks_after_the_house_sees_who_is_muted_and_until_when_banned(void **unused)
{
    (void) unused;
    struct person page = party_at_the_page(true), plain = gateway;
    uint64_t      until_ms = bench.wall_ms + 9000;
    party_mutes(&page, "Ann", true, until_ms, VERDICT(DONE));
    party_bans(&page, "Bob", true, until_ms, VERDICT(DONE));
    assert_false(people(&page, VERDICT(DONE))->players[0]->has_muted); /* It reads version 1. */
    page.version = PROTOCOL_NEWEST;
    const Arbiter__Lobby__Players *said = people(&page, VERDICT(DONE));
    assert_int_equal(said->n_players, 4);
    assert_true(said->players[0]->muted);
    assert_false(said->players[1]->has_muted);
    assert_true(said->players[1]->banned);
    assert_int_equal(said->players[1]->until_ms, until_ms);
    plain.request = page.request;
    people(&plain, VERDICT(NOT_ALLOWED));
}

static size_t tables_listed(struct person *person, bool all)
{
    Arbiter__Lobby__ListTables ask = ARBITER__LOBBY__LIST_TABLES__INIT;
    ask.has_all = ask.all = all;
    return bench_expect(&bench, person, ASK(LIST_TABLES), &ask, VERDICT(DONE))->tables->n_tables;
}

static void private_tables_are_listed_to_who_looks_after_the_house(void **unused)
{
    (void) unused;
    struct person               page = party_at_the_page(true);
    Arbiter__Lobby__CreateTable create = party_nim(2);
    create.has_private_table = create.private_table = true;
    party_opens(&ann, &create);
    assert_int_equal(tables_listed(&cid, true), 0);
    assert_int_equal(tables_listed(&page, false), 0);
    assert_int_equal(tables_listed(&page, true), 1);
}

static const Arbiter__Lobby__Announce *announced(uint8_t version)
{
    struct person              reader = cid;
    Arbiter__Lobby__ListTables ask = ARBITER__LOBBY__LIST_TABLES__INIT;
    reader.version = version;
    const Arbiter__Lobby__Answer *answer =
        bench_expect(&bench, &reader, ASK(LIST_TABLES), &ask, VERDICT(DONE));
    return answer->tables->announced;
}

static const char *house_says(const struct person *person)
{
    const Arbiter__Lobby__TableEvent *event = bench_event(&bench, person, EVENT(CHATTED));
    if (event == NULL)
        return NULL;
    assert_false(event->chatted->has_player);
    return event->chatted->text;
}

static void a_stop_is_announced_to_everybody(void **unused)
{
    (void) unused;
    party_plays();
    party_opens(&cid, (Arbiter__Lobby__CreateTable[]){ party_nim(2) });
    uint64_t stop_ms = bench.wall_ms + 10u * 60000;
    party_announces(&operator_, "We get new cards.", stop_ms, VERDICT(DONE));
    assert_null(announced(1)); /* Who reads version 1 would not know the field. */
    assert_string_equal(announced(2)->text, "We get new cards.");
    assert_int_equal(announced(2)->stop_ms, stop_ms);
    bench_wait(&bench, 1000);
    assert_string_equal(house_says(&ann), "In 10 minutes: We get new cards.");
    assert_string_equal(house_says(&cid), "In 10 minutes: We get new cards.");
    bench_wait(&bench, 1000);
    assert_null(house_says(&ann)); /* Once. */
    bench_restart(&bench);
    assert_string_equal(announced(2)->text, "We get new cards.");
    bench_wait(&bench, stop_ms - bench.wall_ms);
    assert_null(announced(2));
}

static void an_announcement_is_told_on_by_the_next_lobby(void **unused)
{
    (void) unused;
    party_plays();
    party_announces(&operator_, "Tea is ready.", 0, VERDICT(DONE));
    bench_restart(&bench);
    bench_hello(&bench, &ann);
    bench_wait(&bench, 1000);
    Arbiter__Lobby__TableAsk ask = ARBITER__LOBBY__TABLE_ASK__INIT;
    ask.has_table = true;
    ask.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    bench_say(&bench, &ann, KIND(TABLE_ASK), 1, &ask);
    const Arbiter__Lobby__TableAnswer *answer = bench_message(&bench, &ann, KIND(TABLE_ANSWER), 0);
    assert_string_equal(answer->events[answer->n_events - 1]->chatted->text, "Tea is ready.");
    party_announces(&operator_, NULL, 0, VERDICT(DONE));
    assert_null(announced(2));
}

static void words_that_are_too_long_are_refused(void **unused)
{
    (void) unused;
    char                     text[202];
    Arbiter__Lobby__Announce ask = ARBITER__LOBBY__ANNOUNCE__INIT;
    memset(text, 'a', sizeof text - 1);
    text[201] = '\0';
    ask.text = text;
    assert_null(bench_ask(&bench, &operator_, ASK(ANNOUNCE), &ask));
    assert_int_equal(bench_refusal(&bench), REFUSAL(MALFORMED));
    text[200] = '\0';
    party_announces(&operator_, text, 0, VERDICT(DONE));
    assert_int_equal(party_audit()->n_deeds, 1);
    bench_wait(&bench, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_helper_bans_for_a_day_at_most),
        TEST(a_helper_mutes_for_a_day_at_most),
        TEST(an_operator_who_is_banned_lets_himself_in_again),
        TEST(who_has_the_very_name_is_meant_and_not_who_looks_like_it),
        TEST(who_is_muted_says_nothing_and_plays_on),
        TEST(who_looks_after_the_house_sees_who_is_muted_and_until_when_banned),
        TEST(private_tables_are_listed_to_who_looks_after_the_house),
        TEST(a_stop_is_announced_to_everybody),
        TEST(an_announcement_is_told_on_by_the_next_lobby),
        TEST(words_that_are_too_long_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
