/* rest_door_test.c: requests that wait, and what becomes of them when the house answers, refuses, or says nothing. */
#include "tests/unit/services/gateway/rest_rig.h"

#include "contract/stream.pb-c.h"
#include "contract/treasure.pb-c.h"

#define HALF "0101010101010101010002020103030101010102010303010101010101010101"
#define OTHER "0101010101010101010302020103030101010102010303010101010101010001"
#define COMMAND 77u

static struct rest_player *player;

/* One player, whose match has begun; whatever he says next is said by hand. */
static int begin_match(void **unused)
{
    int failed = begin(unused);
    register_one(1, 1, "A\nB\n01234567");
    player = player_of(1);
    player->has_match = true;
    memcpy(player->match_id, match_id, CLIENT_ID_SIZE);
    player->state = REST_PLAYING;
    outbox_reset(&out);
    return failed;
}

static void tell_match(enum client_event_kind kind, struct client_event *event)
{
    event->kind = kind;
    event->seat = player->seat;
    memcpy(event->match_id, match_id, CLIENT_ID_SIZE);
    rest_told(turn(), event);
}

static void reply(enum client_outcome outcome)
{
    struct client_event event = { .request = COMMAND, .outcome = outcome };
    tell_match(CLIENT_REPLY, &event);
}

static void happens(Arbiter__Treasure__Event *what)
{
    uint8_t                      inside[512], bytes[600];
    Arbiter__Stream__PublicEvent event = ARBITER__STREAM__PUBLIC_EVENT__INIT,
                                 *events[] = { &event };
    Arbiter__Stream__ActBody body = ARBITER__STREAM__ACT_BODY__INIT;
    event.has_event = true;
    event.event.data = inside;
    event.event.len = protobuf_c_message_pack(&what->base, inside);
    body.n_events = 1;
    body.events = events;
    struct client_event act = { .number = player->acts + 1, .bytes = bytes };
    act.size = protobuf_c_message_pack(&body.base, bytes);
    tell_match(CLIENT_ACT, &act);
}

static void asked(Arbiter__Treasure__Event__ActNow__Kind kind)
{
    Arbiter__Treasure__Event         event = ARBITER__TREASURE__EVENT__INIT;
    Arbiter__Treasure__Event__ActNow now = ARBITER__TREASURE__EVENT__ACT_NOW__INIT;
    now.has_kind = true;
    now.kind = kind;
    event.kind_case = ARBITER__TREASURE__EVENT__KIND_ACT_NOW;
    event.act_now = &now;
    happens(&event);
}

static void accepted(void)
{
    Arbiter__Treasure__Event               event = ARBITER__TREASURE__EVENT__INIT;
    Arbiter__Treasure__Event__HalfAccepted half = ARBITER__TREASURE__EVENT__HALF_ACCEPTED__INIT;
    event.kind_case = ARBITER__TREASURE__EVENT__KIND_HALF_ACCEPTED;
    event.half_accepted = &half;
    happens(&event);
}

static void joined(void)
{
    Arbiter__Treasure__Event                 event = ARBITER__TREASURE__EVENT__INIT;
    Arbiter__Treasure__Event__MapReady       map = ARBITER__TREASURE__EVENT__MAP_READY__INIT;
    map.full_map = (char *) (uintptr_t) HALF HALF;
    map.has_castle_x = map.has_castle_y = true;
    map.castle_x = map.castle_y = 1;
    event.kind_case = ARBITER__TREASURE__EVENT__KIND_MAP_READY;
    event.map_ready = &map;
    happens(&event);
}

static void ends(Arbiter__Treasure__Result result, Arbiter__Treasure__Reason reason)
{
    Arbiter__Treasure__Event          event = ARBITER__TREASURE__EVENT__INIT;
    Arbiter__Treasure__Event__GameEnd over = ARBITER__TREASURE__EVENT__GAME_END__INIT;
    over.has_result = over.has_reason = true;
    over.result = result;
    over.reason = reason;
    event.kind_case = ARBITER__TREASURE__EVENT__KIND_GAME_END;
    event.game_end = &over;
    happens(&event);
}

static void send_half(uint64_t route, const char *half)
{
    const Arbiter__Gateway__RestAsk ask = { .path = PATH(MAP),
                                            .has_id = true,
                                            .id = 1,
                                            .malformed = half == NULL,
                                            .half = (char *) (uintptr_t) half };
    rest_hear(turn(), route, &ask);
}

static void send_update(uint64_t route, int32_t x, int32_t to_x, int32_t turns)
{
    const Arbiter__Gateway__RestAsk ask = { .path = PATH(UPDATE),
                                            .has_id = true,
                                            .id = 1,
                                            .player_x = x,
                                            .player_y = 2,
                                            .wanted_x = to_x,
                                            .wanted_y = 2,
                                            .turns = turns };
    rest_hear(turn(), route, &ask);
}

/* As if what he says had been said. */
static void under_way(enum rest_said said, uint64_t route)
{
    player->command = COMMAND;
    player->said = said;
    if (said == REST_UPDATE) {
        player->is_in_flight = true;
        player->flight = route;
        player->update.is_held = false;
        player->is_turn = false;
    }
}

static void begin_moves(void)
{
    asked(ARBITER__TREASURE__EVENT__ACT_NOW__KIND__KIND_HALF);
    send_half(1, HALF);
    accepted();
    joined();
    asked(ARBITER__TREASURE__EVENT__ACT_NOW__KIND__KIND_MOVE);
    assert_true(player->is_turn);
    outbox_reset(&out);
}

static void an_update_is_answered_when_its_act_was_told(void **unused)
{
    (void) unused;
    begin_moves();
    send_update(5, 2, 3, 2);
    assert_true(player->update.is_held);
    assert_null(answer_to(5));
    under_way(REST_UPDATE, 5);
    reply(CLIENT_ACCEPTED);
    assert_answer(5, KIND(UPDATE));
    assert_int_equal(answer_to(5)->player_x, 2); /* Counted from 1, the house's 1. */
}

static void an_update_nobody_heard_of_waits_on(void **unused)
{
    (void) unused;
    begin_moves();
    send_update(5, 2, 3, 2);
    under_way(REST_UPDATE, 5);
    reply(CLIENT_NOT_ACCEPTED);
    assert_null(answer_to(5));
    assert_true(player->update.is_held);
    under_way(REST_UPDATE, 5);
    send_update(6, 2, 3, 2); /* Somebody else waits by then. */
    reply(CLIENT_UNSURE);
    assert_answer(5, KIND(PROBLEM));
    assert_true(player->is_turn);
    assert_int_equal(player->update.route, 6);
}

static void a_second_request_takes_the_place_of_the_first(void **unused)
{
    (void) unused;
    begin_moves();
    player->is_turn = false;
    send_update(5, 2, 3, 2);
    send_update(6, 2, 3, 2);
    assert_answer(5, KIND(PROBLEM));
    assert_false(answer_to(5)->loss);
    assert_null(answer_to(6));
}

static void a_half_is_asked_for_again_and_answered_when_maps_are_joined(void **unused)
{
    (void) unused;
    asked(ARBITER__TREASURE__EVENT__ACT_NOW__KIND__KIND_HALF);
    send_half(4, HALF);
    assert_null(answer_to(4));
    accepted();
    send_half(5, HALF);
    assert_answer(4, KIND(PROBLEM));
    joined();
    assert_answer(5, KIND(MAP));
    assert_int_equal(answer_to(5)->map.len, 128);
    send_half(6, HALF);
    assert_answer(6, KIND(MAP));
    send_half(7, OTHER); /* That loses, once the house has heard it. */
    assert_null(answer_to(7));
    assert_false(player->map.is_said);
}

static void a_half_nobody_heard_of_is_said_again(void **unused)
{
    (void) unused;
    asked(ARBITER__TREASURE__EVENT__ACT_NOW__KIND__KIND_HALF);
    send_half(4, HALF);
    player->map.is_said = player->is_first_said = true;
    under_way(REST_HALF, 4);
    reply(CLIENT_UNSURE);
    assert_false(player->is_first_said);
    assert_false(player->map.is_said);
    assert_true(player->map.is_held);
}

static void who_hangs_up_is_not_judged_but_for_what_was_malformed(void **unused)
{
    (void) unused;
    begin_moves();
    player->is_turn = false;
    send_update(5, 2, 3, 2);
    rest_hang_up(turn(), 5);
    assert_false(player->update.is_held);
    send_half(6, NULL);
    rest_hang_up(turn(), 6);
    assert_true(player->map.is_held && player->map.is_malformed);
    under_way(REST_UPDATE, 7);
    rest_hang_up(turn(), 7);
    reply(CLIENT_ACCEPTED);
    assert_null(answer_to(7));
}

static void all_who_wait_are_answered_at_the_end(void **unused)
{
    (void) unused;
    begin_moves();
    player->is_turn = false;
    send_update(5, 2, 3, 2);
    ends(ARBITER__TREASURE__RESULT__RESULT_P1_WIN, ARBITER__TREASURE__REASON__REASON_WATER);
    assert_answer(5, KIND(UPDATE));
    assert_true(answer_to(5)->win && !answer_to(5)->loss);
    send_update(6, 2, 3, 2);
    assert_answer(6, KIND(UPDATE));
    send_half(7, HALF);
    assert_answer(7, KIND(MAP));
    send_half(8, OTHER);
    assert_answer(8, KIND(PROBLEM));
    under_way(REST_UPDATE, 9);
    reply(CLIENT_ACCEPTED);
    assert_int_equal(player->command, 0);
}

static void who_lost_by_time_is_told_of_a_problem(void **unused)
{
    (void) unused;
    begin_moves();
    send_update(5, 2, 3, 2);
    under_way(REST_UPDATE, 5);
    ends(ARBITER__TREASURE__RESULT__RESULT_P2_WIN, ARBITER__TREASURE__REASON__REASON_THINK_TIME);
    assert_answer(5, KIND(PROBLEM));
    assert_true(answer_to(5)->loss);
    send_update(6, 2, 3, 2);
    assert_answer(6, KIND(PROBLEM));
}

static void who_lost_in_the_map_phase_has_no_map(void **unused)
{
    (void) unused;
    asked(ARBITER__TREASURE__EVENT__ACT_NOW__KIND__KIND_HALF);
    send_half(4, HALF);
    send_update(5, 2, 3, 2);
    ends(ARBITER__TREASURE__RESULT__RESULT_BOTH_LOSE, ARBITER__TREASURE__REASON__REASON_BAD_MAP);
    assert_answer(4, KIND(PROBLEM));
    assert_answer(5, KIND(PROBLEM));
    assert_true(answer_to(5)->loss);
}

/* A seat that was lost is taken again, and told everything once more: until then nothing is said. */
static void nothing_is_said_before_all_was_told_again(void **unused)
{
    struct client_event lost = { .refusal = 0 }, attached = { .number = 3 };
    (void) unused;
    begin_moves();
    send_update(5, 2, 3, 2);
    under_way(REST_UPDATE, 5);
    tell_match(CLIENT_LOST, &lost);
    assert_int_equal(player->state, REST_ATTACHING);
    assert_true(player->update.is_held);
    player->may_repeat = true;
    player->view.has_pending = true;
    player->view.x = player->view.y = player->view.pending_y = 1;
    player->view.pending_x = 2;
    player->view.pending_next = 1;
    tell_match(CLIENT_ATTACHED, &attached);
    for (int i = 0; i < 2; i++) {
        asked(ARBITER__TREASURE__EVENT__ACT_NOW__KIND__KIND_MOVE);
        assert_null(answer_to(5));
    }
    asked(ARBITER__TREASURE__EVENT__ACT_NOW__KIND__KIND_MOVE);
    assert_answer(5, KIND(UPDATE)); /* It had been carried out. */
    assert_false(player->update.is_held);
}

static void what_was_carried_out_is_known_by_where_the_figure_is(void **unused)
{
    (void) unused;
    begin_moves();
    player->may_repeat = true;
    player->view.x = 2; /* He went from 1 to 2, as the house counts. */
    send_update(5, 2, 3, 0);
    assert_answer(5, KIND(UPDATE));
    send_update(6, 2, 3, 0); /* But once only. */
    assert_null(answer_to(6));
}

static void a_match_long_over_is_over(void **unused)
{
    struct client_event lost = { .refusal = ARBITER__WIRE__REFUSAL__REFUSAL_NO_SUCH_MATCH };
    (void) unused;
    player->is_back = true;
    tell_match(CLIENT_LOST, &lost);
    assert_int_equal(player->state, REST_OVER);
    assert_true(player->wants_out);
}

static void whoever_waits_when_the_door_closes_is_told_so(void **unused)
{
    (void) unused;
    begin_moves();
    player->is_turn = false;
    send_update(5, 2, 3, 2);
    send_half(6, OTHER);
    player->is_in_flight = true;
    player->flight = 7;
    rest_stop(turn());
    for (uint64_t route = 5; route <= 7; route++)
        assert_answer(route, KIND(BUSY));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_match, end)
    const struct CMUnitTest tests[] = {
        TEST(an_update_is_answered_when_its_act_was_told),
        TEST(an_update_nobody_heard_of_waits_on),
        TEST(a_second_request_takes_the_place_of_the_first),
        TEST(a_half_is_asked_for_again_and_answered_when_maps_are_joined),
        TEST(a_half_nobody_heard_of_is_said_again),
        TEST(who_hangs_up_is_not_judged_but_for_what_was_malformed),
        TEST(all_who_wait_are_answered_at_the_end),
        TEST(who_lost_by_time_is_told_of_a_problem),
        TEST(who_lost_in_the_map_phase_has_no_map),
        TEST(nothing_is_said_before_all_was_told_again),
        TEST(what_was_carried_out_is_known_by_where_the_figure_is),
        TEST(a_match_long_over_is_over),
        TEST(whoever_waits_when_the_door_closes_is_told_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
