/* browser_test.c: the WebSocket door's core, stepped by hand: who hears what, and who may say how
 * much. */
#include "browser_rig.h"

#include "contract/engine.pb-c.h"
#include "contract/stream.pb-c.h"

static uint8_t match_id[CLIENT_ID_SIZE] = "the first match";

/* Ada holds seat 0 of the match. */
static void sits_down(void)
{
    is_let_in(ADA, 1, "Ada");
    browser->seats[0] = (struct browser_seat){ .is_used = true, .state = SEAT_IN, .session = 0 };
    memcpy(browser->seats[0].match_id, match_id, CLIENT_ID_SIZE);
    browser->seats[0].game = 0;
    browser->seats[0].log = browser_log_open(&browser->logs);
}

/* An act with an event of two bytes that everybody may know. */
static void happens(uint64_t number, uint32_t seat)
{
    uint8_t                      event[2] = { 8, (uint8_t) number }, bytes[64];
    Arbiter__Stream__PublicEvent public_event = ARBITER__STREAM__PUBLIC_EVENT__INIT,
                                 *events[1] = { &public_event };
    Arbiter__Stream__ActBody body = ARBITER__STREAM__ACT_BODY__INIT;
    struct browser_turn      now = turn();
    struct client_event      told = {
             .kind = CLIENT_ACT, .seat = seat, .number = number, .bytes = bytes
    };
    public_event.has_event = true;
    public_event.event = (ProtobufCBinaryData){ sizeof event, event };
    body.n_events = 1;
    body.events = events;
    told.size = arbiter__stream__act_body__pack(&body, bytes);
    memcpy(told.match_id, match_id, CLIENT_ID_SIZE);
    assert_true(browser_told(&now, &told));
}

static void is_shown(enum client_event_kind kind, uint64_t number, uint32_t seat)
{
    uint8_t                   key[32], view[3] = { 'v', 'i', 'e' }, bytes[256];
    Arbiter__Engine__Attached attached = ARBITER__ENGINE__ATTACHED__INIT;
    struct browser_turn       now = turn();
    struct client_event told = { .kind = kind, .seat = seat, .number = number, .bytes = bytes };
    memset(key, 0x5a, sizeof key);
    attached.has_number = attached.has_key = attached.has_session = attached.has_view = true;
    attached.number = number;
    attached.session = 77;
    attached.key = (ProtobufCBinaryData){ sizeof key, key };
    attached.view = (ProtobufCBinaryData){ sizeof view, view };
    told.size = arbiter__engine__attached__pack(&attached, bytes);
    memcpy(told.match_id, match_id, CLIENT_ID_SIZE);
    assert_true(browser_told(&now, &told));
}

static void a_tab_says_hello_before_anything_else_and_in_time(void **unused)
{
    (void) unused;
    opens(ADA, 1, true);
    pings(ADA);
    HEARS(ADA, REFUSED);
    struct browser_turn now = turn();
    now.now_ms = now_ms + settings.hello_ms - 1;
    browser_tick(&now);
    hears_nothing(ADA);
    now.now_ms++;
    browser_tick(&now);
    HEARS(ADA, CLOSING);
    pings(ADA);
    hears_nothing(ADA);
}

static void a_secret_is_the_same_player_wherever_it_is_shown(void **unused)
{
    (void) unused;
    uint8_t player[CLIENT_ID_SIZE];
    is_let_in(ADA, 1, "Ada");
    memcpy(player, heard->welcome->player.data, CLIENT_ID_SIZE);
    assert_null(heard->welcome->session); /* A page's script never sees it. */
    no_door(NULL);
    a_door(NULL); /* Another gateway. */
    opens(EVE, 2, false);
    says_hello(EVE, NULL, NULL, 0);
    lobby_knows(WAIT_WHO, "Eve");
    assert_memory_not_equal(hears_next(EVE)->welcome->player.data, player, CLIENT_ID_SIZE);
    assert_non_null(heard->welcome->session);
    is_let_in(ADAS_SECOND, 1, "Ada");
    assert_memory_equal(heard->welcome->player.data, player, CLIENT_ID_SIZE);
}

static void who_is_new_gets_his_name_and_who_has_none_may_only_look(void **unused)
{
    (void) unused;
    opens(ADA, 1, true);
    says_hello(ADA, NULL, NULL, 0);
    lobby_knows(WAIT_WHO, NULL);
    assert_int_equal(hears_next(ADA)->welcome->has_player, 0);
    says_hello(ADA, "Ada", NULL, 0);
    lobby_knows(WAIT_WHO, NULL);
    lobby_knows(WAIT_NAME, "Ada");
    assert_string_equal(hears_next(ADA)->welcome->name, "Ada");
    assert_int_equal(heard->welcome->burst, settings.burst);
    assert_int_equal(heard->welcome->per_10_s, settings.per_10_s);
}

static void tabs_read_one_stream_and_resume_in_it(void **unused)
{
    (void) unused;
    uint8_t stream[CLIENT_ID_SIZE];
    sits_down();
    memcpy(stream, heard->welcome->stream.data, CLIENT_ID_SIZE);
    for (uint64_t number = 1; number <= 3; number++)
        happens(number, 0);
    for (uint64_t number = 1; number <= 3; number++) {
        assert_int_equal(hears_next(ADA)->number, number);
        assert_int_equal(heard->happened->number, number);
    }
    opens(ADAS_SECOND, 1, true);
    says_hello(ADAS_SECOND, NULL, stream, 1);
    assert_false(hears_next(ADAS_SECOND)->welcome->fresh);
    assert_int_equal(hears_next(ADAS_SECOND)->number, 2);
    assert_int_equal(hears_next(ADAS_SECOND)->number, 3);
    hears_nothing(ADAS_SECOND);
    happens(4, 0);
    assert_int_equal(hears_next(ADA)->number, 4);
    assert_int_equal(hears_next(ADAS_SECOND)->number, 4);
}

static void what_is_not_kept_is_begun_anew(void **unused)
{
    (void) unused;
    uint8_t stream[CLIENT_ID_SIZE] = "another stream ";
    sits_down();
    happens(1, 0);
    opens(ADAS_SECOND, 1, true);
    says_hello(ADAS_SECOND, NULL, stream, 0);
    assert_true(hears_next(ADAS_SECOND)->welcome->fresh);
    assert_int_equal(heard->welcome->last, 1);
    hears_nothing(ADAS_SECOND); /* What was is not told again. */
}

static void only_the_tab_that_played_hears_of_its_request(void **unused)
{
    (void) unused;
    struct client_event reply = {
        .kind = CLIENT_REPLY, .request = 9, .outcome = CLIENT_ACCEPTED, .number = 5
    };
    struct browser_turn now = turn();
    sits_down();
    opens(ADAS_SECOND, 1, true);
    says_hello(ADAS_SECOND, NULL, NULL, 0);
    HEARS(ADAS_SECOND, WELCOME);
    browser->seats[0].play = 9;
    browser->seats[0].route = ADA;
    browser->seats[0].request = 42;
    memcpy(reply.match_id, match_id, CLIENT_ID_SIZE);
    assert_true(browser_told(&now, &reply));
    assert_int_equal(hears_next(ADA)->request, 42);
    assert_true(heard->played->accepted);
    assert_int_equal(hears_next(ADAS_SECOND)->has_request, 0);
    assert_true(heard->played->accepted);
    assert_int_equal(heard->number, 1);
}

static void a_view_goes_on_without_the_seats_key(void **unused)
{
    (void) unused;
    struct browser_down down;
    uint8_t             key[32];
    sits_down();
    is_shown(CLIENT_ATTACHED, 4, 0);
    assert_true(browser_next(browser, ADA, &down));
    memset(key, 0x5a, sizeof key);
    assert_null(memmem(down.bytes, down.size, key, 8));
    heard = (arbiter__browser__down__free_unpacked(heard, NULL),
             arbiter__browser__down__unpack(NULL, down.size, down.bytes));
    assert_int_equal(heard->shown->number, 4);
    assert_int_equal(heard->shown->view.len, 3);
}

static void who_says_too_much_is_told_when_to_come_back(void **unused)
{
    (void) unused;
    is_let_in(ADA, 1, "Ada"); /* One of them is spent. */
    for (uint32_t i = 1; i < settings.burst; i++) {
        pings(ADA);
        HEARS(ADA, PONG);
    }
    pings(ADA);
    assert_int_equal(hears_next(ADA)->refused->refusal, REFUSAL(TOO_MUCH));
    assert_in_range(heard->refused->after_ms, 900, 1100); /* Three a second, and three are there. */
    now_ms += heard->refused->after_ms;
    for (uint32_t i = 0; i < 3; i++) {
        pings(ADA);
        HEARS(ADA, PONG);
    }
    for (uint32_t i = 0; i < 70; i++)
        pings(ADA);
    while (hears_next(ADA)->kind_case != ARBITER__BROWSER__DOWN__KIND_CLOSING)
        assert_int_equal(heard->kind_case, ARBITER__BROWSER__DOWN__KIND_REFUSED);
    hears_nothing(ADA);
}

/* A tab without a player that watches the match, and wants so many acts before its view. */
static void watches_with(uint64_t route, uint32_t past)
{
    Arbiter__Browser__Watch watch = ARBITER__BROWSER__WATCH__INIT;
    Arbiter__Browser__Up    up = ARBITER__BROWSER__UP__INIT;
    opens(route, (uint8_t) route, true);
    says_hello(route, NULL, NULL, 0);
    lobby_knows(WAIT_WHO, NULL);
    HEARS(route, WELCOME);
    up.kind_case = ARBITER__BROWSER__UP__KIND_WATCH;
    up.watch = &watch;
    watch.has_match_id = true;
    watch.match_id = (ProtobufCBinaryData){ CLIENT_ID_SIZE, match_id };
    watch.has_past = past > 0;
    watch.past = past;
    says(route, &up);
}

static void watches(uint64_t route)
{
    watches_with(route, 0);
}

/* Acts from `from` to `to`, without a number in anybody's stream. */
static void hears_of(uint64_t route, uint64_t from, uint64_t to)
{
    for (uint64_t number = from; number <= to; number++) {
        HEARS(route, HAPPENED);
        assert_int_equal(heard->happened->number, number);
        assert_false(heard->has_number);
    }
}

static void a_crowd_reads_one_log_and_a_late_one_begins_with_a_view_of_his_own(void **unused)
{
    (void) unused;
    watches(ADA);
    watches(EVE);
    hears_nothing(ADA);
    is_shown(CLIENT_ATTACHED, 3, NO_SEAT);
    assert_int_equal(hears_next(ADA)->shown->number, 3);
    uint64_t records = browser->logs.logs[browser->watches[0].log].last_number;
    assert_int_equal(hears_next(EVE)->shown->number, 3);
    assert_int_equal(records, 1); /* One, whoever reads it. */
    happens(4, NO_SEAT);
    watches(ADAS_SECOND);
    hears_nothing(ADAS_SECOND);
    is_shown(CLIENT_VIEW, 4, NO_SEAT);
    happens(5, NO_SEAT);
    assert_int_equal(hears_next(ADAS_SECOND)->shown->number, 4);
    assert_int_equal(hears_next(ADAS_SECOND)->happened->number, 5);
    assert_int_equal(hears_next(EVE)->happened->number, 4);
    assert_int_equal(hears_next(EVE)->happened->number, 5); /* The view was not for her. */
    hears_nothing(EVE);
    assert_false(heard->has_number);
}

static void who_comes_late_reads_on_from_as_far_back_as_he_wants(void **unused)
{
    (void) unused;
    watches_with(ADA, 600);
    watches(EVE);
    is_shown(CLIENT_ATTACHED, 3, NO_SEAT);
    assert_int_equal(hears_next(ADA)->shown->number, 3);
    assert_int_equal(hears_next(EVE)->shown->number, 3);
    for (uint64_t number = 1; number <= 4; number++) /* History, and the first live one. */
        happens(number, NO_SEAT);
    hears_of(ADA, 1, 4);
    hears_of(EVE, 4, 4); /* A tab that did not ask for it is spared it. */
    watches_with(ADAS_SECOND, 2);
    hears_nothing(ADAS_SECOND);
    is_shown(CLIENT_VIEW, 4, NO_SEAT);
    happens(5, NO_SEAT);
    hears_of(ADAS_SECOND, 3, 4);
    assert_int_equal(hears_next(ADAS_SECOND)->shown->number, 4);
    hears_of(ADAS_SECOND, 5, 5);
    hears_of(ADA, 5, 5);
    hears_nothing(ADA);
    hears_nothing(ADAS_SECOND);
}

/* Somebody else's records, until the match's first ones up to this are not kept any more. */
static void forgets_up_to(uint64_t number)
{
    static const uint8_t      filler[1];
    const struct browser_log *log = &browser->logs.logs[browser->watches[0].log];
    uint32_t                  others = browser_log_open(&browser->logs);
    while (log->first_number <= number)
        assert_true(browser_log_put(&browser->logs, others, &(struct browser_facts){ .act = 0 },
                                    filler, sizeof filler));
}

static void what_is_not_kept_of_the_past_is_left_out(void **unused)
{
    (void) unused;
    watches(EVE);
    is_shown(CLIENT_ATTACHED, 2, NO_SEAT); /* Record 1; behind it acts 1, 2, 3, and the view. */
    for (uint64_t number = 1; number <= 3; number++)
        happens(number, NO_SEAT);
    watches_with(ADA, 600);
    is_shown(CLIENT_VIEW, 3, NO_SEAT);
    assert_true(browser_has_next(browser, ADA));
    forgets_up_to(3);
    hears_of(ADA, 3, 3);
    assert_int_equal(hears_next(ADA)->shown->number, 3);
    hears_nothing(ADA);
    HEARS(EVE, CLOSING); /* Her view is gone, and with it what she wanted. */
}

static void looks_back(uint64_t route, uint32_t past)
{
    Arbiter__Browser__Look look = ARBITER__BROWSER__LOOK__INIT;
    Arbiter__Browser__Up   up = ARBITER__BROWSER__UP__INIT;
    up.kind_case = ARBITER__BROWSER__UP__KIND_LOOK;
    up.look = &look;
    look.has_match_id = look.has_seat = look.has_past = true;
    look.match_id = (ProtobufCBinaryData){ CLIENT_ID_SIZE, match_id };
    look.past = past;
    says(route, &up); /* The view itself is refused: no engine is there to give it. */
}

static void comes_on_another_device(void)
{
    opens(ADAS_SECOND, 1, true);
    says_hello(ADAS_SECOND, NULL, NULL, 0);
    HEARS(ADAS_SECOND, WELCOME);
}

static void a_seats_past_comes_to_the_tab_that_wants_it_and_to_no_other(void **unused)
{
    (void) unused;
    sits_down();
    is_shown(CLIENT_ATTACHED, 2, 0);
    HEARS(ADA, SHOWN);
    happens(1, 0);
    happens(2, 0);
    hears_nothing(ADA); /* They are in the view. */
    looks_back(ADA, 600);
    happens(3, 0);
    hears_of(ADA, 1, 2);
    HEARS(ADA, REFUSED);
    assert_int_equal(hears_next(ADA)->happened->number, 3);
    assert_true(heard->has_number);
    hears_nothing(ADA);
    comes_on_another_device();
    looks_back(ADAS_SECOND, 2);
    hears_of(ADAS_SECOND, 2, 3);
    HEARS(ADAS_SECOND, REFUSED);
    hears_nothing(ADAS_SECOND);
    is_shown(CLIENT_ATTACHED, 4, 0); /* The seat was attached anew, and its past told again. */
    HEARS(ADA, SHOWN);
    for (uint64_t number = 1; number <= 5; number++)
        happens(number, 0);
    assert_int_equal(hears_next(ADA)->happened->number, 5);
    hears_nothing(ADA);
    looks_back(ADA, 600);
    hears_of(ADA, 1, 5);
    HEARS(ADA, REFUSED);
    hears_nothing(ADA);
}

static void is_refused_for_good(uint32_t seat)
{
    struct client_event told = {
        .kind = CLIENT_REFUSED, .seat = seat, .refusal = REFUSAL(TOO_MUCH), .request = 5
    };
    struct browser_turn now = turn();
    memcpy(told.match_id, match_id, CLIENT_ID_SIZE);
    assert_true(browser_told(&now, &told));
}

static void a_view_that_is_too_large_is_refused_to_who_waits_for_it(void **unused)
{
    (void) unused;
    sits_down();
    is_shown(CLIENT_ATTACHED, 3, 0);
    HEARS(ADA, SHOWN);
    browser_wait_for(browser_pending_new(browser), WAIT_LEGAL, 4, ADA, 8, match_id, 0);
    browser_wait_for(browser_pending_new(browser), WAIT_LOOK, 5, ADA, 9, match_id, 0);
    is_refused_for_good(0);
    assert_int_equal(hears_next(ADA)->refused->refusal, REFUSAL(TOO_MUCH));
    assert_int_equal(heard->request, 9); /* What may be done is said still. */
    hears_nothing(ADA);
    watches(EVE);
    is_shown(CLIENT_ATTACHED, 3, NO_SEAT);
    HEARS(EVE, SHOWN);
    happens(4, NO_SEAT);
    watches(ADAS_SECOND); /* This one comes late, and wants its own view. */
    hears_nothing(ADAS_SECOND);
    is_refused_for_good(NO_SEAT);
    HEARS(ADAS_SECOND, REFUSED);
    hears_of(EVE, 4, 4);
}

static void who_plays_hears_how_many_watch(void **unused)
{
    (void) unused;
    sits_down();
    watches(EVE);
    is_shown(CLIENT_ATTACHED, 3, NO_SEAT);
    now_ms += 1000;
    struct browser_turn now = turn();
    browser_tick(&now);
    HEARS(ADA, CROWD);
    assert_int_equal(heard->crowd->watching, 1);
    browser_tick(&now);
    hears_nothing(ADA); /* Said when it changes. */
    comes_on_another_device();
    browser_look_for(&now, browser_tab_of(browser, ADAS_SECOND), &browser->seats[0]);
    HEARS(ADAS_SECOND, CROWD);
    assert_int_equal(heard->crowd->watching, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_tab_says_hello_before_anything_else_and_in_time),
        TEST(a_secret_is_the_same_player_wherever_it_is_shown),
        TEST(who_is_new_gets_his_name_and_who_has_none_may_only_look),
        TEST(tabs_read_one_stream_and_resume_in_it),
        TEST(what_is_not_kept_is_begun_anew),
        TEST(only_the_tab_that_played_hears_of_its_request),
        TEST(a_view_goes_on_without_the_seats_key),
        TEST(who_says_too_much_is_told_when_to_come_back),
        TEST(a_crowd_reads_one_log_and_a_late_one_begins_with_a_view_of_his_own),
        TEST(who_comes_late_reads_on_from_as_far_back_as_he_wants),
        TEST(what_is_not_kept_of_the_past_is_left_out),
        TEST(a_seats_past_comes_to_the_tab_that_wants_it_and_to_no_other),
        TEST(who_plays_hears_how_many_watch),
        TEST(a_view_that_is_too_large_is_refused_to_who_waits_for_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
