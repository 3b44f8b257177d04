/* bot_think_test.c: a bot of a level asks for its view, thinks about it a slice at a time, and plays. */
#include "services/bot/bot_rig.h"

/* Heap 2 alone is left, with three counters: whoever takes the last one wins. */
static void show_view(const struct header *asked)
{
    Arbiter__Engine__Attached attached = ARBITER__ENGINE__ATTACHED__INIT;
    Arbiter__Nim__View        view = ARBITER__NIM__VIEW__INIT;
    uint32_t                  heaps[] = { 0, 0, 3 }, seats[] = { 0, 1, 2 };
    uint8_t                   bytes[64], chain[32] = { 0 };
    struct header             header = *asked;
    view.has_misere = view.has_turn = true;
    view.heaps = heaps;
    view.seats = seats;
    view.n_heaps = view.n_seats = 3;
    view.turn = SEAT;
    header.kind = KIND(ATTACHED);
    attached.has_number = attached.has_chain = attached.has_session = attached.has_view = true;
    attached.number = 1;
    attached.chain = (ProtobufCBinaryData){ 32, chain };
    attached.session = 3;
    attached.view = (ProtobufCBinaryData){ arbiter__nim__view__pack(&view, bytes), bytes };
    hear(ENGINE, &header, &attached);
}

/* It sits on a seat that was another's, so there is no past to hear. */
static void come_late(const char *policy)
{
    generation = 2;
    sit_down(policy);
    generation = 1;
}

/* It is its turn; its view is asked for. */
static struct header come_to_view(void)
{
    come_late("level:2");
    wait(300);
    struct header asked = expect_legal_ask(false); /* The house's own judgement is not needed. */
    say_legal(&asked, true, false);
    return said[expect(KIND(ATTACH))];
}

static void it_finds_the_move_that_wins(void **unused)
{
    (void) unused;
    uint32_t      heap, count, ticks = 0;
    struct header asked = come_to_view();
    expect_nothing(KIND(COMMAND));
    show_view(&asked);
    assert_int_equal(out.wake_ms, now_ms); /* It thinks on at the next tick, and hears meanwhile. */
    expect_nothing(KIND(COMMAND));
    while (said_count == 0 && ++ticks < 100)
        wait(1);
    expect_take(&heap, &count);
    assert_int_equal(heap, 2);
    assert_int_equal(count, 3);
    assert_in_range(ticks, 2, 99);
    assert_int_equal(bot_facts(bot).thoughts, 1);
}

/* A slice took long: the best so far is good enough. */
static void it_thinks_no_longer_than_it_may(void **unused)
{
    (void) unused;
    uint32_t      heap, count;
    struct header asked = come_to_view();
    show_view(&asked);
    wait(1);
    expect_nothing(KIND(COMMAND));
    wait(1000);
    expect_take(&heap, &count);
}

/* Half of what the weakest level of nim plays is played without a thought. */
static void a_careless_level_thinks_only_at_times(void **unused)
{
    (void) unused;
    uint32_t thoughts = 0;
    for (luck = 1; luck <= 40; luck++) {
        come_late("level:1");
        wait(300);
        struct header asked = expect_legal_ask(false);
        say_legal(&asked, true, false);
        for (uint32_t i = 0; i < said_count; i++)
            thoughts += said[i].kind == KIND(ATTACH);
        close_bot(NULL);
        open_bot(NULL);
    }
    assert_in_range(thoughts, 8, 32);
}

/* It asks the house what it would do, and does that. */
static void it_plays_without_a_thought(void)
{
    uint32_t      heap, count;
    struct header asked = expect_legal_ask(true);
    say_legal(&asked, true, true);
    expect_take(&heap, &count);
    assert_int_equal(heap, 2);
    assert_int_equal(count, 3);
}

static void a_view_that_does_not_come_is_not_waited_for_for_ever(void **unused)
{
    (void) unused;
    come_to_view();
    wait(2000);
    wait(300);
    it_plays_without_a_thought();
}

static void a_view_that_is_refused_is_not_asked_for_again(void **unused)
{
    (void) unused;
    Arbiter__Wire__Refused no = ARBITER__WIRE__REFUSED__INIT;
    struct header          header = come_to_view();
    header.kind = KIND(REFUSED);
    no.has_refusal = true;
    no.refusal = REFUSAL(TOO_MUCH);
    hear(ENGINE, &header, &no);
    wait(300);
    it_plays_without_a_thought();
}

/* A view it cannot use is no reason to keep the others waiting. */
static void without_a_thought_it_plays_as_a_greedy_bot(void **unused)
{
    (void) unused;
    uint32_t      heap, count;
    struct header header;
    header = come_to_view();
    Arbiter__Engine__Attached attached = ARBITER__ENGINE__ATTACHED__INIT;
    uint8_t                   nonsense[] = { 0xff, 0xff }, chain[32] = { 0 };
    header.kind = KIND(ATTACHED);
    attached.has_number = attached.has_chain = attached.has_session = attached.has_view = true;
    attached.number = 1;
    attached.chain = (ProtobufCBinaryData){ 32, chain };
    attached.session = 3;
    attached.view = (ProtobufCBinaryData){ sizeof nonsense, nonsense };
    hear(ENGINE, &header, &attached);
    wait(300);
    header = expect_legal_ask(true);
    say_legal(&header, true, true);
    expect_take(&heap, &count);
    assert_int_equal(heap, 2);
    assert_int_equal(count, 3);
}

/* Policies come from the lobby; a newer one may know more of them. */
static void an_unknown_level_is_played_greedily(void **unused)
{
    (void) unused;
    come_late("level:9");
    wait(300);
    expect_legal_ask(true);
}

/* What was told before it sat there is worth remembering, too: it does nothing before it has heard it. */
static void it_hears_the_past_first(void **unused)
{
    (void) unused;
    sit_down("level:2");
    wait(300);
    struct header asked = expect_legal_ask(false);
    say_legal(&asked, true, false);
    expect_nothing(KIND(ATTACH));
    expect_nothing(KIND(COMMAND));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(it_finds_the_move_that_wins),
        TEST(it_thinks_no_longer_than_it_may),
        TEST(a_careless_level_thinks_only_at_times),
        TEST(a_view_that_does_not_come_is_not_waited_for_for_ever),
        TEST(a_view_that_is_refused_is_not_asked_for_again),
        TEST(without_a_thought_it_plays_as_a_greedy_bot),
        TEST(an_unknown_level_is_played_greedily),
        TEST(it_hears_the_past_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
