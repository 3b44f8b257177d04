/* browser_watch_test.c: matches watched when there are more of them than places. */
#include "browser_rig.h"

#define BOB ADAS_SECOND

static uint8_t first[CLIENT_ID_SIZE] = "the first match", second[CLIENT_ID_SIZE] = "the second one",
               third[CLIENT_ID_SIZE] = "the third one";

static void comes_to_look(uint64_t route)
{
    opens(route, (uint8_t) route, true);
    says_hello(route, NULL, NULL, 0);
    lobby_knows(WAIT_WHO, NULL);
    HEARS(route, WELCOME);
}

static void watches(uint64_t route, uint8_t *match)
{
    Arbiter__Browser__Watch watch = ARBITER__BROWSER__WATCH__INIT;
    Arbiter__Browser__Up    up = ARBITER__BROWSER__UP__INIT;
    up.kind_case = ARBITER__BROWSER__UP__KIND_WATCH;
    up.watch = &watch;
    watch.has_match_id = true;
    watch.match_id = (ProtobufCBinaryData){ CLIENT_ID_SIZE, match };
    says(route, &up);
}

static void stops_watching(uint64_t route, uint8_t *match)
{
    Arbiter__Browser__Unwatch unwatch = ARBITER__BROWSER__UNWATCH__INIT;
    Arbiter__Browser__Up      up = ARBITER__BROWSER__UP__INIT;
    up.kind_case = ARBITER__BROWSER__UP__KIND_UNWATCH;
    up.unwatch = &unwatch;
    unwatch.has_match_id = true;
    unwatch.match_id = (ProtobufCBinaryData){ CLIENT_ID_SIZE, match };
    says(route, &up);
}

/* A match is kept for half a minute for who was cut off. One who goes from match to match must not shut out the others. */
static void what_nobody_watches_any_more_makes_room_the_longest_first(void **unused)
{
    (void) unused;
    comes_to_look(EVE);
    watches(EVE, first);
    watches(EVE, second);
    stops_watching(EVE, second);
    now_ms += 10;
    stops_watching(EVE, first);
    comes_to_look(ADA);
    watches(ADA, third);
    hears_nothing(ADA);
    assert_non_null(browser_watch_of(browser, third));
    assert_non_null(browser_watch_of(browser, first)); /* The player may come back to it still. */
    assert_null(browser_watch_of(browser, second));
    watches(EVE, second); /* Now it is the first one's turn to go. */
    hears_nothing(EVE);
    assert_null(browser_watch_of(browser, first));
}

/* Else each such question would hold its place for ever, and soon nobody could ask any more. */
static void who_waits_for_a_view_of_what_is_not_watched_any_more_hears_so(void **unused)
{
    (void) unused;
    struct browser_pending *pending = browser_pending_new(browser);
    comes_to_look(EVE);
    watches(EVE, first);
    watches(EVE, second);
    browser_wait_for(pending, WAIT_LOOK, 5, EVE, 17, first, NO_SEAT);
    stops_watching(EVE, first);
    comes_to_look(ADA);
    watches(ADA, third);
    assert_int_equal(hears_next(EVE)->refused->refusal, REFUSAL(NO_SUCH_MATCH));
    assert_int_equal(heard->request, 17);
    assert_int_equal(pending->kind, WAIT_NOTHING);
}

static void who_watches_a_match_that_was_set_back_is_told_so_in_words(void **unused)
{
    struct client_event told = { .kind = CLIENT_FAULT,
                                 .seat = NO_SEAT,
                                 .fault = CLIENT_FAULT_FORK };
    (void) unused;
    comes_to_look(EVE);
    watches(EVE, first);
    memcpy(told.match_id, first, CLIENT_ID_SIZE);
    struct browser_turn now = turn();
    assert_true(browser_told(&now, &told));
    HEARS(EVE, GONE);
    assert_non_null(strstr(heard->gone->sentence, "in two ways"));
    assert_null(browser_watch_of(browser, first));
}

static void what_somebody_watches_stays(void **unused)
{
    (void) unused;
    comes_to_look(EVE);
    watches(EVE, first);
    watches(EVE, second);
    comes_to_look(BOB);
    watches(BOB, second);
    stops_watching(EVE, second);
    comes_to_look(ADA);
    watches(ADA, third);
    assert_int_equal(hears_next(ADA)->refused->refusal, REFUSAL(FULL));
    assert_non_null(browser_watch_of(browser, first));
    assert_non_null(browser_watch_of(browser, second));
    watches(ADA, first); /* What others watch costs nothing. */
    hears_nothing(ADA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_nobody_watches_any_more_makes_room_the_longest_first),
        TEST(who_waits_for_a_view_of_what_is_not_watched_any_more_hears_so),
        TEST(who_watches_a_match_that_was_set_back_is_told_so_in_words),
        TEST(what_somebody_watches_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
