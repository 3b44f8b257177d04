/* lobby_events_test.c: members see every number once, and what they missed. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/lobby/lobby_party.h"

static const Arbiter__Lobby__TableAnswer *missed(const struct person *person, uint64_t from)
{
    Arbiter__Lobby__TableAsk ask = ARBITER__LOBBY__TABLE_ASK__INIT;
    ask.has_table = ask.has_from = true;
    ask.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    ask.from = from;
    bench_say(&bench, person, KIND(TABLE_ASK), 0, &ask);
    return bench_message(&bench, person, KIND(TABLE_ANSWER), 0);
}

static void chats(struct person *person, const char *text, uint32_t phrase, uint32_t expected)
{
    Arbiter__Lobby__Chat chat = ARBITER__LOBBY__CHAT__INIT;
    chat.has_table = true;
    chat.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    chat.text = (char *) (uintptr_t) text;
    chat.has_phrase = phrase > 0;
    chat.phrase = phrase;
    bench_expect(&bench, person, ASK(CHAT), &chat, expected);
}

static void mutes(struct person *person, uint8_t *whom, bool for_all, uint32_t expected)
{
    Arbiter__Lobby__Mute mute = ARBITER__LOBBY__MUTE__INIT;
    mute.has_table = mute.has_player = mute.has_for_all = true;
    mute.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    mute.player = (ProtobufCBinaryData){ .len = 16, .data = whom };
    mute.for_all = for_all;
    bench_expect(&bench, person, ASK(MUTE), &mute, expected);
}

static void opens_for_four(bool chat)
{
    Arbiter__Lobby__CreateTable create = party_nim(4);
    create.has_chat = true;
    create.chat = chat;
    party_opens(&ann, &create);
    party_joins(&bob, VERDICT(DONE));
    party_joins(&cid, VERDICT(DONE));
}

static void what_was_missed_is_told_again_also_by_the_next_lobby(void **unused)
{
    (void) unused;
    opens_for_four(true);
    chats(&bob, "good luck", 0, VERDICT(DONE));
    bench_restart(&bench);
    const Arbiter__Lobby__TableAnswer *answer = missed(&ann, 2);
    assert_int_equal(answer->last, 5);
    assert_int_equal(answer->n_events, 4);
    for (size_t i = 0; i < answer->n_events; i++)
        assert_int_equal(answer->events[i]->number, 2 + i);
    assert_string_equal(answer->events[3]->chatted->text, "good luck");
    assert_null(missed(&dan, 1));
}

static void who_missed_too_much_is_shown_the_table(void **unused)
{
    (void) unused;
    opens_for_four(true);
    for (uint32_t i = 0; i < 40; i++)
        chats(&bob, NULL, 1 + i % 16, VERDICT(DONE));
    const Arbiter__Lobby__TableAnswer *answer = missed(&ann, 12);
    assert_int_equal(answer->n_events, 0);
    assert_int_equal(answer->table->last_event, 44);
    answer = missed(&ann, 13);
    assert_int_equal(answer->n_events, 32);
    assert_int_equal(answer->events[31]->number, 44);
}

static void who_does_not_want_to_hear_somebody_hears_nothing_in_his_place(void **unused)
{
    (void) unused;
    opens_for_four(true);
    bench_hello(&bench, &bob);
    const Arbiter__Directory__Welcome *welcome = bench_message(&bench, &bob, KIND(WELCOME), 0);
    uint8_t                            id[16];
    memcpy(id, welcome->player.data, sizeof id);
    mutes(&cid, id, false, VERDICT(DONE));
    chats(&bob, "hello", 0, VERDICT(DONE));
    assert_non_null(bench_event(&bench, &ann, EVENT(CHATTED)));
    assert_null(bench_event(&bench, &cid, EVENT(CHATTED)));
    assert_non_null(bench_event(&bench, &cid, EVENT(NOTHING)));
    assert_int_equal(missed(&cid, 5)->events[0]->kind_case, EVENT(NOTHING));
    mutes(&cid, id, true, VERDICT(NOT_HOST));
    mutes(&ann, id, true, VERDICT(DONE));
    chats(&bob, "hello", 0, VERDICT(MUTED));
}

static void where_talking_is_off_there_are_still_phrases(void **unused)
{
    (void) unused;
    opens_for_four(false);
    chats(&bob, "hello", 0, VERDICT(MUTED));
    chats(&bob, NULL, 16, VERDICT(DONE));
    assert_int_equal(bench_event(&bench, &ann, EVENT(CHATTED))->chatted->phrase, 16);
}

static void text_that_is_too_long_is_refused(void **unused)
{
    (void) unused;
    char text[282];
    memset(text, 'a', sizeof text - 1);
    text[281] = '\0';
    opens_for_four(true);
    Arbiter__Lobby__Chat chat = ARBITER__LOBBY__CHAT__INIT;
    chat.has_table = true;
    chat.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    chat.text = text;
    assert_null(bench_ask(&bench, &bob, ASK(CHAT), &chat));
    assert_int_equal(bench_refusal(&bench), REFUSAL(MALFORMED));
    chats(&bob, text + 1, 0, VERDICT(DONE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_was_missed_is_told_again_also_by_the_next_lobby),
        TEST(who_missed_too_much_is_shown_the_table),
        TEST(who_does_not_want_to_hear_somebody_hears_nothing_in_his_place),
        TEST(where_talking_is_off_there_are_still_phrases),
        TEST(text_that_is_too_long_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
