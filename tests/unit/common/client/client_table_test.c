/* client_table_test.c: a table's events come once, in order; its match is attached; its end comes last. */
#include "common/client/client_world.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <string.h>

#include "client/client_private.h"

static struct scene world;
static uint8_t      table_id[16] = { 0x7a };
static uint8_t      us[16] = { 0xaa };
static uint8_t      nobody[16];

static void answer_with_table(const uint8_t *player, uint64_t last_event);

/* We sit at a table whose last event was 5. */
static int open_world(void **unused)
{
    (void) unused;
    scene_open(&world, CLIENT_QUEUE_BYTES_MIN);
    scene_make(&world, 1, 0, NULL, NULL);
    scene_make(&world, 2, 0, NULL, NULL);
    answer_with_table(nobody, 5);
    return 0;
}

static int close_world(void **unused)
{
    (void) unused;
    scene_close(&world);
    return 0;
}

static bool is_guest(const uint8_t *player)
{
    return memcmp(player, nobody, 16) != 0;
}

static void answer_with_table(const uint8_t *player, uint64_t last_event)
{
    Arbiter__Lobby__Ask       ask = ARBITER__LOBBY__ASK__INIT;
    Arbiter__Lobby__JoinTable join = ARBITER__LOBBY__JOIN_TABLE__INIT;
    Arbiter__Lobby__Answer    answer = ARBITER__LOBBY__ANSWER__INIT;
    Arbiter__Lobby__Table     table = ARBITER__LOBBY__TABLE__INIT;
    struct sent               sent;
    uint8_t                   bytes[128];
    ask.kind_case = ARBITER__LOBBY__ASK__KIND_JOIN_TABLE;
    ask.join_table = &join;
    ask.has_player = is_guest(player);
    ask.player = (ProtobufCBinaryData){ 16, (uint8_t *) player };
    size_t size = protobuf_c_message_pack((ProtobufCMessage *) &ask, bytes);
    assert_int_not_equal(client_core_ask(world.core, bytes, size, world.now_ms, &world.out), 0);
    scene_wait(&world, 0);
    assert_int_equal(scene_sent(&world, KIND(LOBBY_ASK), &sent), 1);
    table.has_table = table.has_last_event = true;
    table.table = (ProtobufCBinaryData){ 16, table_id };
    table.last_event = last_event;
    answer.kind_case = ARBITER__LOBBY__ANSWER__KIND_TABLE;
    answer.table = &table;
    struct header header = sent.header;
    header.kind = KIND(LOBBY_ANSWER);
    scene_say(&world, LOBBY, DOOR_REQUESTS, &header, &answer);
    scene_told(&world, CLIENT_ANSWER);
}

static void fill_event(uint64_t number, const uint8_t *player, Arbiter__Lobby__TableEvent *event)
{
    arbiter__lobby__table_event__init(event);
    event->has_table = event->has_number = true;
    event->table = (ProtobufCBinaryData){ 16, table_id };
    event->number = number;
    event->has_player = is_guest(player);
    event->player = (ProtobufCBinaryData){ 16, (uint8_t *) player };
}

static void say_event(const Arbiter__Lobby__TableEvent *event)
{
    struct header header;
    header_init(&header, KIND(TABLE_EVENT), NULL);
    scene_say(&world, LOBBY, DOOR_REQUESTS, &header, event);
}

static void say_chat(uint64_t number)
{
    Arbiter__Lobby__TableEvent event;
    Arbiter__Lobby__Chatted    chatted = ARBITER__LOBBY__CHATTED__INIT;
    fill_event(number, nobody, &event);
    event.kind_case = ARBITER__LOBBY__TABLE_EVENT__KIND_CHATTED;
    event.chatted = &chatted;
    say_event(&event);
}

static void say_begins(uint64_t number, const uint8_t *player, const uint8_t *who)
{
    Arbiter__Lobby__TableEvent  event;
    Arbiter__Lobby__MatchBegins begins = ARBITER__LOBBY__MATCH_BEGINS__INIT;
    Arbiter__Lobby__TableSeat   seats[2], *list[2] = { &seats[0], &seats[1] };
    Arbiter__Lobby__Player      players[2];
    uint8_t                     other[16] = { 0xcc };
    for (uint32_t i = 0; i < 2; i++) {
        arbiter__lobby__table_seat__init(&seats[i]);
        arbiter__lobby__player__init(&players[i]);
        seats[i].has_seat = players[i].has_player = true;
        seats[i].seat = i;
        seats[i].player = &players[i];
        players[i].player = (ProtobufCBinaryData){ 16, i == OUR_SEAT ? (uint8_t *) who : other };
    }
    fill_event(number, player, &event);
    event.kind_case = ARBITER__LOBBY__TABLE_EVENT__KIND_MATCH_BEGINS;
    event.match_begins = &begins;
    begins.has_match_id = true;
    begins.match_id = (ProtobufCBinaryData){ 16, world.match_id };
    begins.seats = list;
    begins.n_seats = 2;
    say_event(&event);
}

static void say_ended(uint64_t number)
{
    Arbiter__Lobby__TableEvent event;
    Arbiter__Lobby__MatchEnded ended = ARBITER__LOBBY__MATCH_ENDED__INIT;
    Arbiter__Lobby__Result     result = ARBITER__LOBBY__RESULT__INIT;
    fill_event(number, nobody, &event);
    event.kind_case = ARBITER__LOBBY__TABLE_EVENT__KIND_MATCH_ENDED;
    event.match_ended = &ended;
    ended.result = &result;
    result.has_match_id = true;
    result.match_id = (ProtobufCBinaryData){ 16, world.match_id };
    say_event(&event);
}

static void say_given(uint64_t number)
{
    Arbiter__Lobby__TableEvent event;
    Arbiter__Lobby__SeatGiven  given = ARBITER__LOBBY__SEAT_GIVEN__INIT;
    Arbiter__Lobby__Player     player = ARBITER__LOBBY__PLAYER__INIT;
    fill_event(number, nobody, &event);
    event.kind_case = ARBITER__LOBBY__TABLE_EVENT__KIND_SEAT_GIVEN;
    event.seat_given = &given;
    given.has_seat = player.has_player = true;
    given.seat = OUR_SEAT;
    given.player = &player;
    player.player = (ProtobufCBinaryData){ 16, us };
    say_event(&event);
}

static void say_closed(uint64_t number)
{
    Arbiter__Lobby__TableEvent  event;
    Arbiter__Lobby__TableClosed closed = ARBITER__LOBBY__TABLE_CLOSED__INIT;
    fill_event(number, nobody, &event);
    event.kind_case = ARBITER__LOBBY__TABLE_EVENT__KIND_TABLE_CLOSED;
    event.table_closed = &closed;
    say_event(&event);
}

static void expect_event(uint64_t number)
{
    scene_told(&world, CLIENT_TABLE);
    assert_memory_equal(world.event.table, table_id, 16);
    assert_int_equal(world.event.number, number);
    Arbiter__Lobby__TableEvent *event =
        arbiter__lobby__table_event__unpack(NULL, world.event.size, world.event.bytes);
    assert_non_null(event);
    assert_int_equal(event->number, number);
    arbiter__lobby__table_event__free_unpacked(event, NULL);
}

static struct sent expect_table_ask(uint64_t from)
{
    struct sent sent;
    assert_int_equal(scene_sent(&world, KIND(TABLE_ASK), &sent), 1);
    Arbiter__Lobby__TableAsk *ask = scene_body(&sent, &arbiter__lobby__table_ask__descriptor);
    assert_int_equal(ask->from, from);
    assert_memory_equal(ask->table.data, table_id, 16);
    protobuf_c_message_free_unpacked((ProtobufCMessage *) ask, NULL);
    return sent;
}

static void events_are_told_once_in_order_and_holes_are_filled(void **unused)
{
    (void) unused;
    Arbiter__Lobby__TableAnswer answer = ARBITER__LOBBY__TABLE_ANSWER__INIT;
    Arbiter__Lobby__TableEvent  event[2], *events[2] = { &event[0], &event[1] };
    say_chat(5);
    say_chat(6);
    say_chat(6);
    say_chat(9);
    expect_event(6);
    scene_told_nothing(&world);
    struct sent   sent = expect_table_ask(7);
    struct header header = sent.header;
    header.kind = KIND(TABLE_ANSWER);
    fill_event(7, nobody, &event[0]);
    fill_event(8, nobody, &event[1]);
    answer.events = events;
    answer.n_events = 2;
    answer.has_last = true;
    answer.last = 9;
    scene_say(&world, LOBBY, DOOR_REQUESTS, &header, &answer);
    scene_say(&world, LOBBY, DOOR_REQUESTS, &header, &answer);
    expect_event(7);
    expect_event(8);
    scene_told_nothing(&world);
    say_chat(9);
    expect_event(9);
}

static void what_is_not_kept_any_more_is_told_as_a_table(void **unused)
{
    (void) unused;
    Arbiter__Lobby__TableAnswer answer = ARBITER__LOBBY__TABLE_ANSWER__INIT;
    Arbiter__Lobby__Table       table = ARBITER__LOBBY__TABLE__INIT;
    say_chat(20);
    struct sent   sent = expect_table_ask(6);
    struct header header = sent.header;
    header.kind = KIND(TABLE_ANSWER);
    table.has_table = table.has_last_event = true;
    table.table = (ProtobufCBinaryData){ 16, table_id };
    table.last_event = 20;
    answer.table = &table;
    scene_say(&world, LOBBY, DOOR_REQUESTS, &header, &answer);
    scene_told(&world, CLIENT_TABLE_NOW);
    assert_int_equal(world.event.number, 20);
    say_chat(21);
    expect_event(21);
}

static void the_last_event_is_asked_for_when_all_is_quiet(void **unused)
{
    (void) unused;
    scene_wait(&world, 2000);
    expect_table_ask(6);
}

static void our_seat_is_attached_when_the_match_begins(void **unused)
{
    (void) unused;
    struct sent sent;
    say_begins(6, nobody, us);
    expect_event(6);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
    assert_int_equal(sent.header.seat, OUR_SEAT);
    assert_memory_equal(sent.header.match_id, world.match_id, 16);
}

static void the_end_is_told_behind_the_last_act(void **unused)
{
    (void) unused;
    struct sent sent;
    say_begins(6, nobody, us);
    expect_event(6);
    scene_sent(&world, KIND(ATTACH), &sent);
    scene_attached(&world, ENGINE, OUR_SEAT, 1, 9, 0, NULL);
    scene_told(&world, CLIENT_ATTACHED);
    say_ended(7);
    scene_told_nothing(&world);
    scene_publish(&world, FANOUT, 2);
    scene_head(&world, FANOUT, 2, true);
    scene_told(&world, CLIENT_ACT);
    scene_told(&world, CLIENT_OVER);
    scene_told_nothing(&world);
    say_ended(7);
    expect_event(7);
}

/* A table that is joined is shown with the match that goes on at it. A short match is over before
 * the event comes that says it begins. */
static void a_match_that_was_told_to_its_end_does_not_begin_again(void **unused)
{
    (void) unused;
    struct sent sent;
    say_begins(6, nobody, us);
    expect_event(6);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
    scene_attached(&world, ENGINE, OUR_SEAT, 1, 9, 0, NULL);
    scene_told(&world, CLIENT_ATTACHED);
    scene_publish(&world, FANOUT, 2);
    scene_head(&world, FANOUT, 2, true);
    scene_told(&world, CLIENT_ACT);
    scene_told(&world, CLIENT_OVER);
    say_begins(7, nobody, us);
    expect_event(7);
    say_given(8);
    expect_event(8);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 0);
    world.match_id[0] ^= 1; /* Another match does. */
    say_begins(9, nobody, us);
    expect_event(9);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
}

static void an_end_that_its_match_never_reaches_is_told_after_a_while(void **unused)
{
    (void) unused;
    say_begins(6, nobody, us);
    expect_event(6);
    say_ended(7);
    scene_told_nothing(&world);
    scene_wait(&world, 30000);
    say_ended(7);
    expect_event(7);
}

/* Its engine would go on saying "no such match", and the seat's place would be missed at the next table. */
static void a_seat_of_a_match_that_never_began_is_free_again(void **unused)
{
    (void) unused;
    struct sent sent;
    say_begins(6, nobody, us);
    expect_event(6);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
    say_closed(7);
    expect_event(7);
    scene_told(&world, CLIENT_LOST);
    assert_int_equal(world.event.seat, OUR_SEAT);
    assert_int_equal(world.event.refusal, REFUSAL(NO_SUCH_MATCH));
    scene_wait(&world, 60000);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 0);
    assert_false(world.core->seats[0].is_used);
}

static void a_seat_whose_match_goes_on_outlives_its_table(void **unused)
{
    (void) unused;
    struct sent sent;
    say_begins(6, nobody, us);
    expect_event(6);
    scene_sent(&world, KIND(ATTACH), &sent);
    scene_attached(&world, ENGINE, OUR_SEAT, 1, 9, 0, NULL);
    scene_told(&world, CLIENT_ATTACHED);
    say_closed(7);
    expect_event(7);
    scene_publish(&world, FANOUT, 2);
    scene_told(&world, CLIENT_ACT);
}

static void a_table_that_will_not_answer_is_lost(void **unused)
{
    (void) unused;
    say_chat(9);
    struct sent sent = expect_table_ask(6);
    scene_refuse(&world, &sent, REFUSAL(NOT_YOURS), 0);
    scene_told(&world, CLIENT_TABLE_LOST);
    assert_int_equal(world.event.refusal, REFUSAL(NOT_YOURS));
    say_chat(6);
    scene_told_nothing(&world);
}

/* A bot service speaks for players of its own: calls come without a number, and tables are followed for
 * each of them. */
static void who_speaks_for_others_follows_a_table_for_each(void **unused)
{
    (void) unused;
    Arbiter__Lobby__TableEvent call;
    Arbiter__Lobby__Invited    invited = ARBITER__LOBBY__INVITED__INIT;
    uint8_t                    guest[16] = { 0x99 };
    struct sent                sent;
    fill_event(0, guest, &call);
    call.has_number = false;
    call.kind_case = ARBITER__LOBBY__TABLE_EVENT__KIND_INVITED;
    call.invited = &invited;
    say_event(&call);
    scene_told(&world, CLIENT_TABLE);
    assert_int_equal(world.event.number, 0);
    assert_memory_equal(world.event.player, guest, 16);
    answer_with_table(guest, 7);
    say_begins(8, guest, guest);
    scene_told(&world, CLIENT_TABLE);
    assert_memory_equal(world.event.player, guest, 16);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
    assert_int_equal(sent.header.seat, OUR_SEAT);
    say_chat(6); /* Ourselves, at the same table. */
    scene_told(&world, CLIENT_TABLE);
    assert_memory_equal(world.event.player, nobody, 16);
}

static void answer_leave(enum _Arbiter__Lobby__Verdict said)
{
    Arbiter__Lobby__Ask        ask = ARBITER__LOBBY__ASK__INIT;
    Arbiter__Lobby__LeaveTable leave = ARBITER__LOBBY__LEAVE_TABLE__INIT;
    Arbiter__Lobby__Answer     answer = ARBITER__LOBBY__ANSWER__INIT;
    struct sent                sent;
    uint8_t                    bytes[128];
    leave.has_table = answer.has_verdict = true;
    leave.table = (ProtobufCBinaryData){ 16, table_id };
    ask.kind_case = ARBITER__LOBBY__ASK__KIND_LEAVE_TABLE;
    ask.leave_table = &leave;
    size_t size = protobuf_c_message_pack((ProtobufCMessage *) &ask, bytes);
    assert_int_not_equal(client_core_ask(world.core, bytes, size, world.now_ms, &world.out), 0);
    scene_wait(&world, 0);
    assert_int_equal(scene_sent(&world, KIND(LOBBY_ASK), &sent), 1);
    answer.verdict = said;
    struct header header = sent.header;
    header.kind = KIND(LOBBY_ANSWER);
    scene_say(&world, LOBBY, DOOR_REQUESTS, &header, &answer);
    scene_told(&world, CLIENT_ANSWER);
}

/* Otherwise who plays at one table after the other soon follows none: places are few. */
static void who_has_got_up_follows_the_table_no_more(void **unused)
{
    (void) unused;
    answer_leave(ARBITER__LOBBY__VERDICT__VERDICT_NOT_ALLOWED);
    say_chat(6);
    scene_told(&world, CLIENT_TABLE);
    answer_leave(ARBITER__LOBBY__VERDICT__VERDICT_DONE);
    say_chat(7);
    scene_told_nothing(&world);
    answer_with_table(nobody, 9); /* And the player may come back. */
    say_chat(10);
    scene_told(&world, CLIENT_TABLE);
}

static bool attach_for(const char *text)
{
    Arbiter__Wire__SignedTicket ticket = ARBITER__WIRE__SIGNED_TICKET__INIT;
    uint8_t                     signature[64] = { 0x51 };
    ticket.ticket = (ProtobufCBinaryData){ strlen(text), (uint8_t *) text };
    ticket.signature = (ProtobufCBinaryData){ sizeof signature, signature };
    return client_core_attach_for(world.core, world.match_id, OUR_SEAT, &ticket.base, world.now_ms,
                                  &world.out);
}

/* A gateway's key holds no seat: the engine wants the lobby's word for each of its players. */
static void a_gateways_seat_is_attached_with_a_ticket_only(void **unused)
{
    uint8_t     guest[16] = { 0x99 };
    struct sent sent;
    close_world(unused);
    scene_open_as(&world, CLIENT_QUEUE_BYTES_MIN, ROLE(GATEWAY));
    answer_with_table(guest, 7);
    say_begins(8, guest, guest);
    scene_told(&world, CLIENT_TABLE);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 0);
    assert_true(attach_for("first"));
    assert_true(attach_for("second"));
    scene_wait(&world, 500);
    assert_int_not_equal(scene_sent(&world, KIND(ATTACH), &sent), 0);
    assert_int_equal(sent.header.seat, OUR_SEAT);
    Arbiter__Engine__Attach *attach = scene_body(&sent, &arbiter__engine__attach__descriptor);
    assert_non_null(attach->ticket);
    assert_int_equal(attach->ticket->ticket.len, 6);
    assert_memory_equal(attach->ticket->ticket.data, "second", 6);
    assert_int_equal(attach->ticket->signature.len, 64);
    assert_int_equal(attach->ticket->signature.data[0], 0x51);
    protobuf_c_message_free_unpacked((ProtobufCMessage *) attach, NULL);
}

/* Registrations give seats to who came without one. */
static void who_sat_down_since_does_not_watch_besides(void **unused)
{
    struct sent sent;
    (void) unused;
    world.core->tables[0].is_watched = true;
    say_begins(6, nobody, us);
    expect_event(6);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
    assert_int_equal(sent.header.seat, OUR_SEAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(events_are_told_once_in_order_and_holes_are_filled),
        TEST(what_is_not_kept_any_more_is_told_as_a_table),
        TEST(the_last_event_is_asked_for_when_all_is_quiet),
        TEST(our_seat_is_attached_when_the_match_begins),
        TEST(the_end_is_told_behind_the_last_act),
        TEST(a_match_that_was_told_to_its_end_does_not_begin_again),
        TEST(an_end_that_its_match_never_reaches_is_told_after_a_while),
        TEST(a_seat_of_a_match_that_never_began_is_free_again),
        TEST(a_seat_whose_match_goes_on_outlives_its_table),
        TEST(a_table_that_will_not_answer_is_lost),
        TEST(who_sat_down_since_does_not_watch_besides),
        TEST(who_speaks_for_others_follows_a_table_for_each),
        TEST(who_has_got_up_follows_the_table_no_more),
        TEST(a_gateways_seat_is_attached_with_a_ticket_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
