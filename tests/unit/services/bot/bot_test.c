/* bot_test.c: a bot comes when it is called, plays what it may, as it was told to, and goes again. */
#include "services/bot/bot_rig.h"

/* The service was started again, and the table it is called to plays already. */
static void called_back_to_a_match_it_attaches_at_once(void **unused)
{
    (void) unused;
    Arbiter__Lobby__Answer    message = ARBITER__LOBBY__ANSWER__INIT;
    Arbiter__Lobby__Table     table = ARBITER__LOBBY__TABLE__INIT;
    Arbiter__Lobby__TableSeat seat = ARBITER__LOBBY__TABLE_SEAT__INIT, *seats = &seat;
    Arbiter__Lobby__Player    who = ARBITER__LOBBY__PLAYER__INIT;
    call("random");
    struct header header = expect_join();
    header.kind = KIND(LOBBY_ANSWER);
    message.has_verdict = table.has_table = table.has_last_event = table.has_phase =
        table.has_match_id = who.has_player = seat.has_seat = true;
    message.verdict = ARBITER__LOBBY__VERDICT__VERDICT_DONE;
    message.kind_case = ARBITER__LOBBY__ANSWER__KIND_TABLE;
    message.table = &table;
    table.table = (ProtobufCBinaryData){ 16, table_id };
    table.match_id = (ProtobufCBinaryData){ 16, match_id };
    table.last_event = 17;
    table.phase = ARBITER__LOBBY__TABLE__PHASE__PHASE_PLAYING;
    table.seats = &seats;
    table.n_seats = 1;
    who.player = (ProtobufCBinaryData){ 16, player };
    seat.seat = SEAT;
    seat.player = &who;
    hear(LOBBY, &header, &message);
    struct header attach = said[expect(KIND(ATTACH))];
    assert_int_equal(attach.seat, SEAT);
    assert_memory_equal(attach.match_id, match_id, 16);
    call("random");
    expect_nothing(KIND(LOBBY_ASK)); /* It sits there. */
}

static void a_greedy_bot_plays_what_is_liked_best(void **unused)
{
    (void) unused;
    uint32_t heap, count;
    sit_down("greedy");
    expect_nothing(KIND(LEGAL_ASK)); /* People like to see what happens. */
    wait(300);
    struct header asked = expect_legal_ask(true);
    say_legal(&asked, true, true);
    expect_take(&heap, &count);
    assert_int_equal(heap, 2);
    assert_int_equal(count, 3);
    assert_int_equal(bot_facts(bot).seats, 1);
}

static void a_random_bot_plays_anything_that_is_listed(void **unused)
{
    (void) unused;
    uint32_t seen = 0, heap, count;
    for (luck = 1; luck < 60; luck++) {
        sit_down("random");
        wait(300);
        struct header asked = expect_legal_ask(false);
        say_legal(&asked, true, true);
        expect_take(&heap, &count);
        assert_in_range(heap, 1, 2);
        assert_in_range(count, 1, 3);
        seen |= 1u << ((heap - 1) * 3 + count - 1);
        close_bot(NULL);
        open_bot(NULL);
    }
    assert_int_equal(seen, 0x3f);
}

static void who_is_not_awaited_does_nothing(void **unused)
{
    (void) unused;
    sit_down(NULL);
    wait(300);
    struct header asked = expect_legal_ask(true);
    say_legal(&asked, false, false);
    wait(10000);
    expect_nothing(KIND(COMMAND));
    expect_nothing(KIND(LEGAL_ASK));
}

static void a_call_that_came_too_late_is_forgotten(void **unused)
{
    (void) unused;
    call("greedy");
    struct header asked = expect_join();
    call("greedy"); /* It is called until it sits; one ask is enough. */
    expect_nothing(KIND(LOBBY_ASK));
    answer(&asked, ARBITER__LOBBY__VERDICT__VERDICT_SEAT_TAKEN);
    said_count = 0;
    call("greedy");
    expect_join();
}

static void it_gets_up_when_the_match_is_over(void **unused)
{
    (void) unused;
    Arbiter__Lobby__TableEvent event = ARBITER__LOBBY__TABLE_EVENT__INIT;
    Arbiter__Lobby__MatchEnded ended = ARBITER__LOBBY__MATCH_ENDED__INIT;
    sit_down("greedy");
    said_count = 0;
    event.kind_case = ARBITER__LOBBY__TABLE_EVENT__KIND_MATCH_ENDED;
    event.match_ended = &ended;
    table_event(6, &event);
    expect_leave();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_greedy_bot_plays_what_is_liked_best),
        TEST(a_random_bot_plays_anything_that_is_listed),
        TEST(who_is_not_awaited_does_nothing),
        TEST(a_call_that_came_too_late_is_forgotten),
        TEST(it_gets_up_when_the_match_is_over),
        TEST(called_back_to_a_match_it_attaches_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
