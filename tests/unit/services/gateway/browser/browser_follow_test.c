/* browser_follow_test.c: tabs that follow hear view and list unasked; the others ask, as ever. */
#include "browser_rig.h"

static uint8_t the_match[CLIENT_ID_SIZE] = "a match", the_table[CLIENT_ID_SIZE] = "a table";

static void says_it_follows(uint64_t route, bool is_follower)
{
    Arbiter__Browser__Hello  hello = ARBITER__BROWSER__HELLO__INIT;
    Arbiter__Browser__Follow follow = ARBITER__BROWSER__FOLLOW__INIT;
    Arbiter__Browser__Up     up = ARBITER__BROWSER__UP__INIT;
    up.kind_case = ARBITER__BROWSER__UP__KIND_HELLO;
    up.hello = &hello;
    hello.follow = is_follower ? &follow : NULL;
    follow.has_best = follow.best = true;
    says(route, &up);
}

static void comes(uint64_t route, bool is_follower, bool is_first)
{
    opens(route, 1, true);
    says_it_follows(route, is_follower);
    if (is_first)
        lobby_knows(WAIT_WHO, "Ada");
    HEARS(route, WELCOME);
}

/* The lobby says that a match begins in which Ada sits. */
static void match_begins(void)
{
    uint8_t                    *ada = browser->sessions[0].player, bytes[256];
    Arbiter__Lobby__TableEvent  event = ARBITER__LOBBY__TABLE_EVENT__INIT;
    Arbiter__Lobby__MatchBegins begins = ARBITER__LOBBY__MATCH_BEGINS__INIT;
    Arbiter__Lobby__Player      player = ARBITER__LOBBY__PLAYER__INIT;
    Arbiter__Lobby__TableSeat   seat = ARBITER__LOBBY__TABLE_SEAT__INIT, *places[] = { &seat };
    struct browser_turn         now = turn();
    struct client_event         told = { .kind = CLIENT_TABLE, .seat = NO_SEAT, .bytes = bytes };
    player.has_player = seat.has_seat = begins.has_match_id = true;
    player.player = (ProtobufCBinaryData){ CLIENT_ID_SIZE, ada };
    seat.player = &player;
    begins.match_id = (ProtobufCBinaryData){ CLIENT_ID_SIZE, the_match };
    begins.n_seats = 1;
    begins.seats = places;
    event.kind_case = ARBITER__LOBBY__TABLE_EVENT__KIND_MATCH_BEGINS;
    event.match_begins = &begins;
    told.size = arbiter__lobby__table_event__pack(&event, bytes);
    memcpy(told.player, ada, CLIENT_ID_SIZE);
    memcpy(told.table, the_table, CLIENT_ID_SIZE);
    assert_true(browser_told(&now, &told));
}

/* The library tells something of the match. */
static void house_tells(enum client_event_kind kind, uint32_t seat, uint64_t number,
                        const ProtobufCMessage *message)
{
    uint8_t             bytes[256];
    struct browser_turn now = turn();
    struct client_event told = { .kind = kind, .seat = seat, .number = number, .bytes = bytes };
    memcpy(told.match_id, the_match, CLIENT_ID_SIZE);
    told.size = message != NULL ? protobuf_c_message_pack(message, bytes) : 0;
    assert_true(browser_told(&now, &told));
}

static void house_shows(enum client_event_kind kind, uint32_t seat, uint64_t number)
{
    Arbiter__Engine__Attached shown = ARBITER__ENGINE__ATTACHED__INIT;
    shown.has_view = shown.has_to_act = shown.to_act = true;
    shown.view = (ProtobufCBinaryData){ 4, (uint8_t *) "view" };
    house_tells(kind, seat, number, &shown.base);
}

static void house_lists(uint64_t number)
{
    Arbiter__Engine__LegalAnswer legal = ARBITER__ENGINE__LEGAL_ANSWER__INIT;
    legal.has_wait = true;
    house_tells(CLIENT_LEGAL, 0, number, &legal.base);
}

static void house_acts(uint32_t seat, uint64_t number)
{
    house_tells(CLIENT_ACT, seat, number, NULL);
}

static void view_and_list_go_to_the_tabs_that_follow(void **unused)
{
    (void) unused;
    comes(ADA, true, true);
    comes(ADAS_SECOND, false, false);
    match_begins();
    house_shows(CLIENT_ATTACHED, 0, 3);
    HEARS(ADA, TABLE);
    HEARS(ADA, SHOWN);
    house_acts(0, 4);
    house_shows(CLIENT_VIEW, 0, 4);
    house_lists(4);
    HEARS(ADA, HAPPENED); /* In the order in which a program needs it. */
    HEARS(ADA, SHOWN);
    assert_int_equal(heard->shown->number, 4);
    assert_false(heard->has_number ||
                 heard->has_request); /* No part of the stream, and no answer. */
    HEARS(ADA, LEGAL);
    assert_int_equal(heard->legal->number, 4);
    assert_true(heard->legal->to_act);
    hears_nothing(ADA);
    HEARS(ADAS_SECOND, TABLE);
    HEARS(ADAS_SECOND, SHOWN);
    HEARS(ADAS_SECOND, HAPPENED);
    hears_nothing(ADAS_SECOND);
}

/* What all tabs of a player wish for is asked for once; when the last one goes, nothing is. */
static void the_seat_follows_as_long_as_somebody_wishes_it(void **unused)
{
    (void) unused;
    struct browser_turn now = turn();
    comes(ADA, true, true);
    assert_int_equal(browser->sessions[0].followers, 1);
    assert_true(browser->sessions[0].wish.best);
    comes(ADAS_SECOND, true, false);
    assert_int_equal(browser->sessions[0].followers, 2);
    browser_hang_up(&now, ADA);
    assert_int_equal(browser->sessions[0].followers, 1);
    match_begins();
    house_shows(CLIENT_ATTACHED, 0, 3);
    house_lists(3);
    HEARS(ADAS_SECOND, TABLE);
    HEARS(ADAS_SECOND, SHOWN);
    HEARS(ADAS_SECOND, LEGAL);
    browser_hang_up(&now, ADAS_SECOND);
    assert_int_equal(browser->sessions[0].followers, 0);
    assert_false(browser->sessions[0].wish.best);
}

static void watches(uint64_t route, bool is_follower)
{
    Arbiter__Browser__Watch watch = ARBITER__BROWSER__WATCH__INIT;
    Arbiter__Browser__Up    up = ARBITER__BROWSER__UP__INIT;
    up.kind_case = ARBITER__BROWSER__UP__KIND_WATCH;
    up.watch = &watch;
    watch.has_match_id = true;
    watch.match_id = (ProtobufCBinaryData){ CLIENT_ID_SIZE, the_match };
    watch.has_follow = watch.follow = is_follower;
    says(route, &up);
}

static void one_view_serves_all_who_watch_and_follow(void **unused)
{
    (void) unused;
    comes(ADA, false, true);
    comes(ADAS_SECOND, false, false);
    watches(ADA, true);
    watches(ADAS_SECOND, false);
    house_shows(CLIENT_ATTACHED, NO_SEAT, 3);
    house_acts(NO_SEAT, 4);
    house_shows(CLIENT_VIEW, NO_SEAT, 4);
    HEARS(ADA, SHOWN);
    HEARS(ADA, HAPPENED);
    HEARS(ADA, SHOWN);
    assert_int_equal(heard->shown->number, 4);
    hears_nothing(ADA);
    HEARS(ADAS_SECOND, SHOWN);
    HEARS(ADAS_SECOND, HAPPENED);
    hears_nothing(ADAS_SECOND);
    assert_int_equal(browser_watch_of(browser, the_match)->followers, 1);
    watches(ADA, false);
    assert_int_equal(browser_watch_of(browser, the_match)->followers, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(view_and_list_go_to_the_tabs_that_follow),
        TEST(the_seat_follows_as_long_as_somebody_wishes_it),
        TEST(one_view_serves_all_who_watch_and_follow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
