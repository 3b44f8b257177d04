/* rest_told_test.c: what the house tells on rarer days: other coordinates, news of nobody, what is refused, closed or lost. */
#include "tests/unit/services/gateway/rest/rest_match_rig.h"
#include "wire/names.h"

static const Arbiter__Gateway__RestAnswer *updated(uint64_t route)
{
    under_way(REST_UPDATE, route);
    reply(CLIENT_ACCEPTED);
    assert_answer(route, REST_KIND(UPDATE));
    return answer_to(route);
}

static void coordinates_are_the_set_ups(void **unused)
{
    (void) unused;
    begin_moves();
    player->view.x = 3;
    player->view.y = 1;
    rest.settings.axis = REST_X_IS_ROW;
    assert_int_equal(updated(5)->player_x, 2);
    assert_int_equal(answer_to(5)->player_y, 4);
    rest.settings.axis = REST_X_IS_COLUMN;
    rest.settings.has_base = true;
    rest.settings.base = 10;
    assert_int_equal(updated(6)->player_x, 13);
    rest.settings.axis = REST_AXIS_OF_DIALECT;
    rest.settings.has_base = false;
    player->is_impl = true;
    assert_int_equal(updated(7)->player_x, 1); /* As the implementation counts: rows, from 0. */
}

/* Of which no table takes the number (treasure_record.c), so that nothing is stored that was not sent. */
static void a_place_beyond_the_scale_is_the_last_one(void **unused)
{
    int32_t place[2];
    (void) unused;
    begin_moves();
    rest_place_in(&rest, player, INT32_MIN, INT32_MIN + 1, place);
    assert_int_equal(place[0], INT32_MAX);
    assert_int_equal(place[1], INT32_MIN);
    player->is_impl = true; /* It counts from 0, as the rules do. */
    rest_place_in(&rest, player, INT32_MIN, INT32_MAX, place);
    assert_int_equal(place[0], INT32_MAX);
    assert_int_equal(place[1], INT32_MIN);
}

static void extensions_tell_where_treasure_and_castle_are_seen(void **unused)
{
    (void) unused;
    begin_moves();
    rest.settings.extensions = true;
    assert_false(updated(5)->has_treasure_x || answer_to(5)->has_castle_x);
    player->view.sees_treasure = player->view.sees_castle = true;
    player->view.treasure_x = 4;
    player->view.castle_y = 6;
    assert_int_equal(updated(6)->treasure_x, 5);
    assert_int_equal(answer_to(6)->castle_y, 7);
    player->view.treasure = true; /* A player who has it need not be told where it lay. */
    assert_false(updated(7)->has_treasure_x);
    assert_true(answer_to(7)->has_castle_x);
}

static void the_castle_is_bare_when_its_owner_is_elsewhere(void **unused)
{
    (void) unused;
    begin_moves();
    ends(ARBITER__TREASURE__RESULT__RESULT_P1_WIN, ARBITER__TREASURE__REASON__REASON_WATER);
    send_half(5, HALF);
    assert_false(answer_to(5)->castle_bare);
    player->view.y = player->view.home_y + 1;
    send_half(6, HALF);
    assert_true(answer_to(6)->castle_bare);
    player->view.x = player->view.home_x + 1;
    send_half(7, HALF);
    assert_true(answer_to(7)->castle_bare);
}

static void whom_nobody_knows_is_answered_in_his_dialect(void **unused)
{
    (void) unused;
    Arbiter__Gateway__RestAsk ask = {
        .path = PATH(MAP), .has_impl = true, .impl = true, .has_id = true, .id = 99
    };
    rest_hear(turn(), 5, &ask);
    assert_answer(5, REST_KIND(MAP));
    assert_int_equal(answer_to(5)->map.len, 0);
    ask.path = PATH(UPDATE);
    rest_hear(turn(), 6, &ask);
    assert_answer(6, REST_KIND(PROBLEM));
    assert_true(answer_to(6)->loss && answer_to(6)->impl);
    ask.has_impl = ask.has_id = false; /* Nor can the dialect be told: then it is the house's. */
    ask.path = PATH(MAP);
    rest_hear(turn(), 7, &ask);
    assert_answer(7, REST_KIND(PROBLEM));
    rest.settings.is_impl = true;
    rest_hear(turn(), 8, &ask);
    assert_answer(8, REST_KIND(MAP));
    rest.is_loaded = false;
    rest_hear(turn(), 9, &ask);
    assert_answer(9, REST_KIND(BUSY));
    ask.has_id = true; /* Nobody's: a player who is turned away has none. */
    ask.id = player->id = 0;
    rest.is_loaded = true;
    ask.path = PATH(PROBLEM);
    rest_hear(turn(), 10, &ask);
    assert_true(answer_to(10)->loss);
}

static void news_of_nobody_change_nothing(void **unused)
{
    (void) unused;
    struct client_event event = { .request = 12345 };
    begin_moves();
    uint32_t effects = out.effect_count;
    for (enum client_event_kind kind = CLIENT_ANSWER; kind <= CLIENT_FAULT; kind++) {
        event.kind = kind;
        event.seat = 3;
        memset(event.player, 0x5a, CLIENT_ID_SIZE);
        memset(event.match_id, 0x5a, CLIENT_ID_SIZE);
        rest_told(turn(), &event);
        event.seat = NO_SEAT;
        rest_told(turn(), &event);
    }
    event.kind = CLIENT_ANSWER;
    event.request = 0; /* Nothing was asked: it is nobody's answer. */
    rest_told(turn(), &event);
    memcpy(event.match_id, match_id, CLIENT_ID_SIZE); /* The player's match, another seat. */
    event.kind = CLIENT_OVER;
    event.seat = 1;
    rest_told(turn(), &event);
    event.seat = 0; /* The player's, but nothing of concern. */
    event.kind = CLIENT_LEGAL;
    rest_told(turn(), &event);
    static const uint8_t broken[] = { 0x0a, 0x7f, 1 };
    event.kind = CLIENT_ACT;
    event.number = player->acts + 1;
    event.bytes = broken;
    event.size = sizeof broken;
    rest_told(turn(), &event);
    rest_read_event(turn(), player, broken, 0);
    assert_int_equal(out.effect_count, effects);
    assert_true(player->is_turn && player->state == REST_PLAYING);
}

static void a_reply_to_something_else_is_none(void **unused)
{
    (void) unused;
    begin_moves();
    under_way(REST_UPDATE, 5);
    player->command = COMMAND + 1;
    reply(CLIENT_ACCEPTED);
    assert_true(player->is_in_flight);
    assert_null(answer_to(5));
    under_way(REST_UPDATE, 5);
    player->is_in_flight = false; /* It was taken back meanwhile. */
    reply(CLIENT_ACCEPTED);
    under_way(REST_UPDATE, 0);
    reply(CLIENT_NOT_ACCEPTED); /* The sender has hung up. */
    under_way(REST_UPDATE, 5);
    player->is_in_flight = false;
    reply(CLIENT_NOT_ACCEPTED);
    assert_null(answer_to(5));
    assert_false(player->update.is_held);
}

static void what_was_refused_as_malformed_is_not_said_again_at_once(void **unused)
{
    (void) unused;
    begin_moves();
    send_half(5, NULL);
    under_way(REST_MALFORMED, 0);
    player->retry_ms = 0;
    reply(CLIENT_NOT_ACCEPTED);
    assert_int_equal(player->retry_ms, 0);
    assert_true(player->map.is_held);
    under_way(REST_HALF, 0);
    player->has_half = true; /* The house has it: there is nothing to say again. */
    player->is_first_said = true;
    reply(CLIENT_UNSURE);
    assert_true(player->is_first_said);
}

static void tell_table(enum client_event_kind kind, const ProtobufCMessage *message)
{
    player->ask = 0;
    tell(kind, player, message);
}

static void a_table_that_closes_ends_what_has_not_begun(void **unused)
{
    (void) unused;
    Arbiter__Lobby__TableEvent  event = ARBITER__LOBBY__TABLE_EVENT__INIT;
    Arbiter__Lobby__TableClosed closed = ARBITER__LOBBY__TABLE_CLOSED__INIT;
    Arbiter__Lobby__MatchEnded  ended = ARBITER__LOBBY__MATCH_ENDED__INIT;
    event.kind_case = ARBITER__LOBBY__TABLE_EVENT__KIND_MATCH_ENDED;
    event.match_ended = &ended;
    tell_table(CLIENT_TABLE, &event.base);
    assert_true(player->wants_out);
    event.kind_case = ARBITER__LOBBY__TABLE_EVENT__KIND_TABLE_CLOSED;
    event.table_closed = &closed;
    tell_table(CLIENT_TABLE, &event.base);
    assert_false(player->wants_out || player->has_ended); /* The player's match goes on. */
    player->has_match = false;
    player->state = REST_ENTERED;
    tell_table(CLIENT_TABLE, &event.base);
    assert_true(player->has_ended);
    assert_int_equal(player->state, REST_OVER);
    tell_table(CLIENT_TABLE, &event.base); /* Over is over. */
    event.kind_case = ARBITER__LOBBY__TABLE_EVENT__KIND__NOT_SET;
    tell_table(CLIENT_TABLE, &event.base);
    assert_int_equal(player->state, REST_OVER);
}

static void who_is_away_from_his_table_finds_his_match_in_it(void **unused)
{
    (void) unused;
    Arbiter__Lobby__Player    him = ARBITER__LOBBY__PLAYER__INIT;
    Arbiter__Lobby__TableSeat seat = ARBITER__LOBBY__TABLE_SEAT__INIT, *seats[] = { &seat };
    Arbiter__Lobby__Table     table = ARBITER__LOBBY__TABLE__INIT;
    player->has_match = false;
    player->state = REST_ENTERED;
    him.has_player = seat.has_seat = table.has_match_id = true;
    him.player = (ProtobufCBinaryData){ CLIENT_ID_SIZE, player->player };
    seat.player = &him;
    seat.seat = 1;
    table.n_seats = 1;
    table.seats = seats;
    table.match_id = (ProtobufCBinaryData){ 3, (uint8_t *) (uintptr_t) match_id }; /* No id. */
    tell_table(CLIENT_TABLE_NOW, &table.base);
    assert_false(player->has_match);
    table.match_id.len = CLIENT_ID_SIZE;
    him.player.len = 3;
    tell_table(CLIENT_TABLE_NOW, &table.base);
    assert_false(player->has_match);
    him.player.len = CLIENT_ID_SIZE;
    memcpy(rest.open, player->table, CLIENT_ID_SIZE);
    rest.has_open = true;
    player->alone_ms = 0; /* This one came second: the first one's place stays as it is. */
    tell_table(CLIENT_TABLE_NOW, &table.base);
    assert_true(player->has_match && rest.has_open);
    assert_int_equal(player->seat, 1);
}

static void a_ticket_without_a_signature_is_asked_for_again(void **unused)
{
    (void) unused;
    Arbiter__Lobby__Answer      told = ARBITER__LOBBY__ANSWER__INIT;
    Arbiter__Wire__SignedTicket ticket = ARBITER__WIRE__SIGNED_TICKET__INIT;
    uint8_t                     bytes[64] = { 1 };
    player->state = REST_ENTERED;
    rest_pump(turn(), player);
    assert_int_equal(player->state, REST_ATTACHING);
    is_done(player);
    told.has_verdict = ticket.has_ticket = true;
    told.verdict = VERDICT(DONE);
    told.kind_case = ARBITER__LOBBY__ANSWER__KIND_TICKET;
    told.ticket = &ticket;
    ticket.ticket = (ProtobufCBinaryData){ sizeof bytes, bytes };
    tick(500);
    assert_int_not_equal(player->ask, 0); /* Again. */
    tell(CLIENT_ANSWER, player, &told.base);
    assert_int_equal(player->state, REST_ATTACHING);
    tick(500);
    ticket.has_signature = true;
    ticket.signature = ticket.ticket;
    assert_int_not_equal(player->ask, 0);
    tell(CLIENT_ANSWER, player, &told.base);
    assert_int_equal(player->retry_ms, UINT64_MAX); /* It goes on with the seat. */
    player->state = REST_ATTACHING;
    player->ask = 17;
    /* Refused: it is asked for again, too. */
    answer(player, VERDICT(NO_NAME), false, false, false);
    assert_int_equal(player->state, REST_ATTACHING);
}

static void a_seat_that_was_lost_is_sought_unless_it_is_over(void **unused)
{
    (void) unused;
    struct client_event lost = { .refusal = REFUSAL(NOT_YOURS) };
    player->is_back = true;
    tell_match(CLIENT_LOST, &lost);
    assert_int_equal(player->state, REST_ATTACHING);
    struct client_event attached = { .number = 0 };
    tell_match(CLIENT_ATTACHED, &attached);
    assert_int_equal(player->state, REST_PLAYING);
    tell_match(CLIENT_ATTACHED, &attached); /* Told twice, it changes nothing. */
    assert_int_equal(player->state, REST_PLAYING);
    ends(ARBITER__TREASURE__RESULT__RESULT_P1_WIN, ARBITER__TREASURE__REASON__REASON_WATER);
    tell_match(CLIENT_LOST, &lost);
    assert_int_equal(player->state, REST_OVER);
    rest_finish(turn(), player); /* And stays so. */
    assert_int_equal(player->state, REST_OVER);
}

/* The figure stands at 1, 1 as the house counts. The player repeats the last words. */
static bool is_told_it_was_done(int32_t x, int32_t to_x, int32_t turns)
{
    static uint64_t route = 100;
    outbox_reset(&out);
    player->may_repeat = true;
    player->is_turn = false;
    player->update.is_held = false;
    send_update(++route, x, to_x, turns);
    return answer_to(route) != NULL && answer_to(route)->kind == REST_KIND(UPDATE);
}

static void only_what_was_carried_out_counts_as_done(void **unused)
{
    (void) unused;
    struct rest_view *view = &player->view;
    begin_moves();
    player->map.is_held = false; /* What is said here is about figures. */
    assert_true(is_told_it_was_done(1, 2, 0));
    assert_false(is_told_it_was_done(2, 3, 0)); /* The player is not there. */
    assert_false(is_told_it_was_done(2, 2, 0)); /* That would be no step. */
    assert_false(is_told_it_was_done(1, 2, -1));
    assert_false(is_told_it_was_done(1, 2, 2)); /* Nothing is being counted. */
    view->y = 2;
    assert_false(is_told_it_was_done(1, 2, 0));
    view->y = 1;
    *view = (struct rest_view){
        .x = 1, .y = 1, .has_pending = true, .pending_x = 2, .pending_y = 1, .pending_next = 1
    };
    assert_true(is_told_it_was_done(2, 3, 2));
    assert_false(is_told_it_was_done(1, 2, 0)); /* Something is being counted. */
    assert_false(is_told_it_was_done(3, 3, 2)); /* From elsewhere. */
    assert_false(is_told_it_was_done(2, 4, 2)); /* To elsewhere. */
    assert_false(is_told_it_was_done(2, 3, 3)); /* At another count. */
    view->pending_y = 3;
    assert_false(is_told_it_was_done(2, 3, 2));
    view->pending_y = 1;
    view->y = 3;
    assert_false(is_told_it_was_done(2, 3, 2));
}

static void what_the_client_cannot_take_now_is_said_later(void **unused)
{
    (void) unused;
    begin_moves();
    player->map.is_said = player->is_first_said = true;
    send_update(5, 2, 3, 2); /* There is no session: the command does not go. */
    assert_int_equal(player->command, 0);
    assert_true(player->update.is_held && player->is_turn);
    rest_hang_up(turn(), 99, false); /* Somebody else. */
    player->route = 7;
    rest_hang_up(turn(), 7, false);
    assert_int_equal(player->route, 0);
    player->flight = 8;
    rest_hang_up(turn(), 8, false);
    assert_int_equal(player->flight, 0);
    player->update.is_malformed = true; /* The player has hung up, and it loses all the same. */
    rest_hang_up(turn(), 5, false);
    assert_true(player->update.is_held);
}

static void a_second_request_that_loses_displaces_the_first_until_the_end(void **unused)
{
    (void) unused;
    begin_moves();
    player->is_turn = false;
    send_update(5, 2, 3, 2);
    const Arbiter__Gateway__RestAsk bad = {
        .path = PATH(UPDATE), .has_id = true, .id = 1, .malformed = true
    };
    rest_hear(turn(), 6, &bad);
    assert_null(answer_to(5)); /* The player is among those who wait for the end. */
    rest_hear(turn(), 7, &bad);
    assert_answer(5, REST_KIND(PROBLEM)); /* One waits in another's place, not two. */
    ends(ARBITER__TREASURE__RESULT__RESULT_P2_WIN, ARBITER__TREASURE__REASON__REASON_WATER);
    assert_answer(6, REST_KIND(UPDATE));
    assert_true(answer_to(7)->loss);
}

static void who_sits_opposite_goes_first_if_his_half_came_first(void **unused)
{
    (void) unused;
    struct rest_player *mate = &rest.players[1];
    asked(ARBITER__TREASURE__EVENT__ACT_NOW__KIND__KIND_HALF);
    mate->state = REST_PLAYING;
    mate->has_match = true;
    mate->seat = 1;
    memset(mate->match_id, 0x77, CLIENT_ID_SIZE); /* Somebody else's match. */
    send_half(4, HALF);
    memcpy(mate->match_id, match_id, CLIENT_ID_SIZE);
    mate->map = (struct rest_held){ .is_held = true, .order = 0 };
    player->map.order = 1;
    rest_pump(turn(), player);
    assert_false(player->is_first_said);
    mate->map.is_said = true;
    mate->command = COMMAND; /* On its way, and not judged yet. */
    rest_pump(turn(), player);
    assert_false(player->is_first_said);
    mate->command = 0;
    rest_pump(turn(), player);
    mate->map.order = 2; /* The other's came later: it waits for ours, not the other way round. */
    rest_pump(turn(), player);
    mate->map.is_held = false;
    rest_pump(turn(), player);
    under_way(REST_HALF, 4);
    reply(CLIENT_ACCEPTED);
    mate->state = REST_ATTACHING;
    under_way(REST_HALF, 4);
    reply(CLIENT_ACCEPTED);
    assert_int_equal(player->command, 0);
}

static void an_update_before_any_half_is_hasty(void **unused)
{
    (void) unused;
    player->is_asked = true;
    send_update(5, 2, 3, 2); /* In the match it is said, and judged there. */
    assert_true(player->update.is_held);
    player->update.is_held = false;
    player->state = REST_ENTERED;
    player->has_match = false;
    player->is_asked = false;
    send_update(6, 2, 3, 2); /* At the table it is a message that does not belong there. */
    assert_int_equal(player->said, REST_MALFORMED);
}

static void the_last_word_at_the_table_may_be_a_refusal(void **unused)
{
    (void) unused;
    player->state = REST_ENTERED;
    player->has_match = false;
    send_half(4, HALF);
    assert_int_equal(player->said, REST_HALF);
    assert_true(player->is_first_said);
    answer(player, VERDICT(NO_NAME), false, false, false);
    assert_false(player->is_first_said || player->map.is_said);
    player->ask = 17;
    player->said = REST_MALFORMED;
    player->map.is_said = true;
    answer(player, VERDICT(NO_NAME), false, false, false);
    assert_true(player->map.is_said);
    player->ask = 18;
    player->said = REST_HALF;
    player->has_half = player->is_first_said = true;
    player->has_match = true; /* The match began meanwhile: then it is said there. */
    answer(player, VERDICT(NO_NAME), false, false, false);
    assert_int_equal(player->state, REST_ATTACHING);
}

static void who_leaves_is_a_spare_player_if_the_lobby_let_him(void **unused)
{
    (void) unused;
    ends(ARBITER__TREASURE__RESULT__RESULT_P1_WIN, ARBITER__TREASURE__REASON__REASON_WATER);
    player->wants_out = true;
    rest_pump(turn(), player);
    assert_int_equal(player->said, REST_LEAVE);
    is_done(player);
    assert_true(player->is_named && !player->wants_out);
    tick(600000);
    assert_int_equal(player->state, REST_FREE);
    assert_int_equal(rest.spare_count, 1);
    enter(5, "C\nD\n01234567"); /* The next player is that one for the lobby. */
    assert_int_equal(rest.spare_count, 0);
    assert_int_equal(player_of(2)->state, REST_SITTING);
}

static void who_could_not_leave_is_nobody_anew(void **unused)
{
    (void) unused;
    ends(ARBITER__TREASURE__RESULT__RESULT_BOTH_LOSE, ARBITER__TREASURE__REASON__REASON_THINK_TIME);
    player->wants_out = true;
    rest_pump(turn(), player);
    answer(player, VERDICT(NO_NAME), false, false, false);
    assert_false(player->is_named);
    tick(600000);
    assert_int_equal(rest.spare_count, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_match, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(coordinates_are_the_set_ups),
        TEST(a_place_beyond_the_scale_is_the_last_one),
        TEST(extensions_tell_where_treasure_and_castle_are_seen),
        TEST(the_castle_is_bare_when_its_owner_is_elsewhere),
        TEST(whom_nobody_knows_is_answered_in_his_dialect),
        TEST(news_of_nobody_change_nothing),
        TEST(a_reply_to_something_else_is_none),
        TEST(what_was_refused_as_malformed_is_not_said_again_at_once),
        TEST(a_table_that_closes_ends_what_has_not_begun),
        TEST(who_is_away_from_his_table_finds_his_match_in_it),
        TEST(a_ticket_without_a_signature_is_asked_for_again),
        TEST(a_seat_that_was_lost_is_sought_unless_it_is_over),
        TEST(only_what_was_carried_out_counts_as_done),
        TEST(what_the_client_cannot_take_now_is_said_later),
        TEST(a_second_request_that_loses_displaces_the_first_until_the_end),
        TEST(who_sits_opposite_goes_first_if_his_half_came_first),
        TEST(an_update_before_any_half_is_hasty),
        TEST(the_last_word_at_the_table_may_be_a_refusal),
        TEST(who_leaves_is_a_spare_player_if_the_lobby_let_him),
        TEST(who_could_not_leave_is_nobody_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
