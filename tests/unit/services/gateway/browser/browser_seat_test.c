/* browser_seat_test.c: seats of players when there are more of them than a gateway has places for. */
#include "browser_rig.h"

#define PLACES 8u /* The rig's `seats_max`. */
#define MATES_MAX PLACES

static uint8_t the_match[CLIENT_ID_SIZE] = "one for all", adas_match[CLIENT_ID_SIZE] = "Ada's own";
static uint8_t the_table[CLIENT_ID_SIZE] = "their table",
               adas_table[CLIENT_ID_SIZE] = "Ada's table";

static uint8_t *id_of(uint64_t route)
{
    return browser->sessions[browser_tab_of(browser, route)->session].player;
}

/* Seats from `first` on, all of them this player's. */
struct seating {
    Arbiter__Lobby__Player     player;
    Arbiter__Lobby__TableSeat  seats[MATES_MAX];
    Arbiter__Lobby__TableSeat *places[MATES_MAX];
};

static void seats_him(struct seating *seating, uint8_t *player, uint32_t count)
{
    arbiter__lobby__player__init(&seating->player);
    seating->player.has_player = true;
    seating->player.player = (ProtobufCBinaryData){ CLIENT_ID_SIZE, player };
    for (uint32_t i = 0; i < count; i++) {
        arbiter__lobby__table_seat__init(&seating->seats[i]);
        seating->seats[i].has_seat = true;
        seating->seats[i].seat = i;
        seating->seats[i].player = &seating->player;
        seating->places[i] = &seating->seats[i];
    }
}

/* The lobby says that a match begins in which the player has the first so many seats, as at a hot
 * seat. */
static void match_begins(uint8_t *player, uint8_t *table, uint8_t *match, uint32_t count)
{
    Arbiter__Lobby__TableEvent  event = ARBITER__LOBBY__TABLE_EVENT__INIT;
    Arbiter__Lobby__MatchBegins begins = ARBITER__LOBBY__MATCH_BEGINS__INIT;
    struct seating              seating;
    uint8_t                     bytes[1024];
    struct browser_turn         now = turn();
    struct client_event         told = { .kind = CLIENT_TABLE, .seat = NO_SEAT, .bytes = bytes };
    seats_him(&seating, player, count);
    event.kind_case = ARBITER__LOBBY__TABLE_EVENT__KIND_MATCH_BEGINS;
    event.match_begins = &begins;
    begins.has_match_id = true;
    begins.match_id = (ProtobufCBinaryData){ CLIENT_ID_SIZE, match };
    begins.n_seats = count;
    begins.seats = seating.places;
    told.size = arbiter__lobby__table_event__pack(&event, bytes);
    memcpy(told.player, player, CLIENT_ID_SIZE);
    memcpy(told.table, table, CLIENT_ID_SIZE);
    assert_true(browser_told(&now, &told));
}

/* The lobby says that a seat of the match that goes on is the player's now. */
static void seat_is_given(uint8_t *player, uint8_t *table, uint32_t seat)
{
    Arbiter__Lobby__TableEvent event = ARBITER__LOBBY__TABLE_EVENT__INIT;
    Arbiter__Lobby__SeatGiven  given = ARBITER__LOBBY__SEAT_GIVEN__INIT;
    Arbiter__Lobby__Player     him = ARBITER__LOBBY__PLAYER__INIT;
    uint8_t                    bytes[256];
    struct browser_turn        now = turn();
    struct client_event        told = { .kind = CLIENT_TABLE, .seat = NO_SEAT, .bytes = bytes };
    event.kind_case = ARBITER__LOBBY__TABLE_EVENT__KIND_SEAT_GIVEN;
    event.seat_given = &given;
    given.has_seat = him.has_player = true;
    given.seat = seat;
    given.player = &him;
    him.player = (ProtobufCBinaryData){ CLIENT_ID_SIZE, player };
    told.size = arbiter__lobby__table_event__pack(&event, bytes);
    memcpy(told.player, player, CLIENT_ID_SIZE);
    memcpy(told.table, table, CLIENT_ID_SIZE);
    assert_true(browser_told(&now, &told));
}

/* The lobby says that this player has the only seat of Ada's match, when it is asked for the
 * seat. */
static void lobby_finds_him(enum browser_wait kind, uint8_t *player)
{
    Arbiter__Lobby__Answer answer = ARBITER__LOBBY__ANSWER__INIT;
    Arbiter__Lobby__Tables tables = ARBITER__LOBBY__TABLES__INIT;
    Arbiter__Lobby__Table  table = ARBITER__LOBBY__TABLE__INIT, *places[] = { &table };
    struct seating         seating;
    seats_him(&seating, player, 1);
    table.has_table = table.has_match_id = table.has_phase = true;
    table.table = (ProtobufCBinaryData){ CLIENT_ID_SIZE, adas_table };
    table.match_id = (ProtobufCBinaryData){ CLIENT_ID_SIZE, adas_match };
    table.phase = ARBITER__LOBBY__TABLE__PHASE__PHASE_PLAYING;
    table.game = (char *) "nim";
    table.n_seats = 1;
    table.seats = seating.places;
    tables.n_tables = 1;
    tables.tables = places;
    answer.kind_case = ARBITER__LOBBY__ANSWER__KIND_TABLES;
    answer.tables = &tables;
    lobby_answers(kind, &answer);
}

static void a_while_passes(uint64_t ms)
{
    now_ms += ms;
    struct browser_turn now = turn();
    browser_tick(&now);
}

static void hangs_up(uint64_t route)
{
    struct browser_turn now = turn();
    browser_hang_up(&now, route);
}

static void is_over(uint8_t *match, uint32_t seat)
{
    struct browser_turn now = turn();
    struct client_event told = { .kind = CLIENT_OVER, .seat = seat };
    memcpy(told.match_id, match, CLIENT_ID_SIZE);
    assert_true(browser_told(&now, &told));
}

/* Somebody alone in a match, with so many seats. */
static void hog_comes(uint64_t route, uint8_t secret, const char *name, uint32_t seats)
{
    uint8_t match[CLIENT_ID_SIZE] = { secret }, table[CLIENT_ID_SIZE] = { secret };
    is_let_in(route, secret, name);
    match_begins(id_of(route), table, match, seats);
    HEARS(route, TABLE);
}

static bool holds(uint8_t *match, uint32_t seat)
{
    return browser_seat_of(browser, match, seat) != NULL;
}

static void plays(uint64_t route, uint8_t *match)
{
    uint8_t                command[1] = { 1 };
    Arbiter__Browser__Play play = ARBITER__BROWSER__PLAY__INIT;
    Arbiter__Browser__Up   up = ARBITER__BROWSER__UP__INIT;
    up.has_request = true;
    up.request = 31;
    up.kind_case = ARBITER__BROWSER__UP__KIND_PLAY;
    up.play = &play;
    play.has_match_id = play.has_seat = play.has_command = true;
    play.match_id = (ProtobufCBinaryData){ CLIENT_ID_SIZE, match };
    play.command = (ProtobufCBinaryData){ sizeof command, command };
    says(route, &up);
}

static void looks(uint64_t route, uint8_t *match)
{
    Arbiter__Browser__Look look = ARBITER__BROWSER__LOOK__INIT;
    Arbiter__Browser__Up   up = ARBITER__BROWSER__UP__INIT;
    up.has_request = true;
    up.request = 32;
    up.kind_case = ARBITER__BROWSER__UP__KIND_LOOK;
    up.look = &look;
    look.has_match_id = look.has_seat = true;
    look.match_id = (ProtobufCBinaryData){ CLIENT_ID_SIZE, match };
    says(route, &up);
}

/* Sessions that are opened, seated and left again fill a gateway in seconds: they must not shut out who is here. */
static void who_has_been_away_longest_gives_his_places_to_who_is_here(void **unused)
{
    (void) unused;
    uint8_t bobs_match[CLIENT_ID_SIZE] = { 2 };
    hog_comes(EVE, 3, "Eve", PLACES / 2);
    hog_comes(ADAS_SECOND, 2, "Bob", PLACES / 2);
    struct browser_pending *view = &browser->pendings[browser->pendings_max - 1];
    browser_wait_for(view, WAIT_LOOK, 5, ADAS_SECOND, 17, bobs_match, 0);
    hangs_up(ADAS_SECOND);
    now_ms += 1000;
    hangs_up(EVE);
    is_let_in(ADA, 1, "Ada");
    match_begins(id_of(ADA), adas_table, adas_match, 1);
    HEARS(ADA, TABLE);
    hears_nothing(ADA);
    assert_true(holds(adas_match, 0));
    assert_int_equal(browser_facts(browser).seats,
                     PLACES / 2 + 1); /* Bob's are gone, Eve's stay. */
    /* The player begins anew, and the lobby is asked for the seat. */
    assert_int_equal(browser_facts(browser).sessions, 2);
    assert_int_equal(browser_facts(browser).seats_full, 0);
    assert_int_equal(view->kind, WAIT_NOTHING); /* Nothing of this player is waited for any more. */
}

static void who_finds_no_place_is_told_so_and_gets_the_next_one(void **unused)
{
    (void) unused;
    uint8_t eves_match[CLIENT_ID_SIZE] = { 3 };
    hog_comes(EVE, 3, "Eve", PLACES);
    is_let_in(ADA, 1, "Ada");
    match_begins(id_of(ADA), adas_table, adas_match, 1);
    HEARS(ADA, TABLE);
    HEARS(ADA, GONE);
    assert_true(heard->has_number);
    assert_memory_equal(heard->gone->match_id.data, adas_match, CLIENT_ID_SIZE);
    assert_int_equal(heard->gone->seat, 0);
    match_begins(id_of(ADA), adas_table, adas_match, 1); /* As an answer says it and an event. */
    HEARS(ADA, TABLE);
    hears_nothing(ADA);
    assert_int_equal(browser_facts(browser).seats_full, 1);
    plays(ADA, adas_match);
    assert_int_equal(hears_next(ADA)->refused->refusal, REFUSAL(AGAIN));
    assert_int_equal(heard->request, 31);
    assert_true(heard->refused->after_ms > 0);
    looks(ADA, adas_match);
    HEARS(ADA, GONE);
    assert_int_equal(heard->request, 32);
    assert_false(heard->has_number);
    a_while_passes(1000);
    hears_nothing(ADA); /* Said once, and nobody is asked in vain. */
    for (uint32_t i = 0; i < browser->pendings_max; i++)
        assert_true(browser->pendings[i].kind != WAIT_SEATS);
    is_over(eves_match, 0);
    a_while_passes(1000);
    lobby_finds_him(WAIT_SEATS, id_of(ADA));
    assert_true(holds(adas_match, 0));
    assert_false(browser->sessions[browser_tab_of(browser, ADA)->session].is_seatless);
    hears_nothing(ADA); /* Until it is shown. */
}

static void somebody_who_goes_makes_room_for_who_waits(void **unused)
{
    (void) unused;
    hog_comes(EVE, 3, "Eve", PLACES);
    is_let_in(ADA, 1, "Ada");
    match_begins(id_of(ADA), adas_table, adas_match, 1);
    assert_false(holds(adas_match, 0));
    hangs_up(EVE);
    a_while_passes(1000);
    lobby_finds_him(WAIT_SEATS, id_of(ADA));
    assert_true(holds(adas_match, 0));
    assert_int_equal(browser_facts(browser).seats, 1);
}

/* Else those who were opened and left would drive out each other, and players who have lost their
 * line for a moment. */
static void who_is_away_himself_takes_nobodys_place_before_he_is_back(void **unused)
{
    (void) unused;
    uint8_t ada[CLIENT_ID_SIZE];
    hog_comes(EVE, 3, "Eve", PLACES);
    is_let_in(ADA, 1, "Ada");
    memcpy(ada, id_of(ADA), sizeof ada);
    hangs_up(EVE);
    hangs_up(ADA);
    match_begins(ada, adas_table, adas_match, 1);
    a_while_passes(1000);
    assert_false(holds(adas_match, 0));
    assert_int_equal(browser_facts(browser).seats, PLACES);
    opens(ADA, 1, true);
    says_hello(ADA, NULL, browser_session_of(browser, ada)->stream, 0);
    HEARS(ADA, WELCOME);
    assert_false(heard->welcome->fresh);
    a_while_passes(1000);
    lobby_finds_him(WAIT_SEATS, ada);
    assert_true(holds(adas_match, 0));
}

/* Two wait, one place comes free: both are asked about one after the other, and the second goes on waiting. */
static void places_go_to_who_has_waited_longest(void **unused)
{
    (void) unused;
    uint8_t eves_match[CLIENT_ID_SIZE] = { 3 };
    hog_comes(EVE, 3, "Eve", PLACES);
    is_let_in(ADAS_SECOND, 2, "Bob");
    is_let_in(ADA, 1, "Ada");
    match_begins(id_of(ADA), adas_table, adas_match, 1);
    now_ms += 10;
    match_begins(id_of(ADAS_SECOND), the_table, the_match, 1);
    is_over(eves_match, 0);
    a_while_passes(1000);
    uint32_t asked = 0;
    for (uint32_t i = 0; i < browser->pendings_max; i++)
        asked += browser->pendings[i].kind == WAIT_SEATS;
    assert_int_equal(asked, 1);
    lobby_finds_him(WAIT_SEATS, id_of(ADA));
    assert_true(holds(adas_match, 0));
    a_while_passes(1000);
    assert_true(browser->sessions[browser_tab_of(browser, ADAS_SECOND)->session].is_seatless);
}

static void a_seat_that_is_given_to_him_while_the_match_goes_on_is_taken(void **unused)
{
    (void) unused;
    is_let_in(ADA, 1, "Ada");
    match_begins(id_of(ADA), adas_table, adas_match, 0); /* Others play, and one leaves. */
    HEARS(ADA, TABLE);
    seat_is_given(id_of(ADA), adas_table, 1);
    HEARS(ADA, TABLE);
    assert_true(holds(adas_match, 1));
}

/* Right after a restart nobody's seats are known here, until the lobby has named them. */
static void a_move_before_the_lobby_has_said_where_he_sits_is_wanted_again(void **unused)
{
    (void) unused;
    is_let_in(ADA, 1, "Ada");
    plays(ADA, adas_match);
    assert_int_equal(hears_next(ADA)->refused->refusal, REFUSAL(AGAIN));
    assert_true(heard->refused->after_ms > 0);
    lobby_finds_him(WAIT_REJOIN, id_of(ADA));
    HEARS(ADA, TABLE_NOW);
    plays(ADA, adas_match);
    assert_int_equal(hears_next(ADA)->refused->refusal, REFUSAL(AGAIN)); /* It is not taken yet. */
    plays(ADA, the_match);
    assert_int_equal(hears_next(ADA)->refused->refusal, REFUSAL(NOT_YOURS));
}

static void library_finds(enum client_fault fault, uint8_t *match)
{
    struct browser_turn now = turn();
    struct client_event told = { .kind = CLIENT_FAULT, .seat = 0, .fault = fault, .number = 734 };
    memcpy(told.match_id, match, CLIENT_ID_SIZE);
    assert_true(browser_told(&now, &told));
}

static void who_plays_a_match_that_was_set_back_is_told_so_in_words(void **unused)
{
    static const enum client_fault faults[] = { CLIENT_FAULT_FORK, CLIENT_FAULT_ROLLBACK };
    (void) unused;
    is_let_in(ADA, 1, "Ada");
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        match_begins(id_of(ADA), adas_table, adas_match, 1);
        HEARS(ADA, TABLE);
        assert_true(holds(adas_match, 0));
        library_finds(faults[i], adas_match);
        HEARS(ADA, GONE);
        assert_non_null(strstr(heard->gone->sentence, "in two ways"));
        assert_false(holds(adas_match, 0));
    }
    match_begins(id_of(ADA), adas_table, adas_match, 1);
    HEARS(ADA, TABLE);
    library_finds(CLIENT_FAULT_BOX, adas_match); /* Of another kind: he plays on. */
    hears_nothing(ADA);
    assert_true(holds(adas_match, 0));
}

static void who_sits_at_a_match_that_is_held_is_told_so(void **unused)
{
    struct client_event told = { .kind = CLIENT_LOST, .seat = 0, .refusal = REFUSAL(QUARANTINED) };
    (void) unused;
    is_let_in(ADA, 1, "Ada");
    match_begins(id_of(ADA), adas_table, adas_match, 1);
    HEARS(ADA, TABLE);
    memcpy(told.match_id, adas_match, CLIENT_ID_SIZE);
    struct browser_turn now = turn();
    assert_true(browser_told(&now, &told));
    HEARS(ADA, GONE);
    assert_non_null(strstr(heard->gone->sentence, "held for inspection"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(who_has_been_away_longest_gives_his_places_to_who_is_here),
        TEST(who_finds_no_place_is_told_so_and_gets_the_next_one),
        TEST(somebody_who_goes_makes_room_for_who_waits),
        TEST(who_is_away_himself_takes_nobodys_place_before_he_is_back),
        TEST(places_go_to_who_has_waited_longest),
        TEST(a_seat_that_is_given_to_him_while_the_match_goes_on_is_taken),
        TEST(who_plays_a_match_that_was_set_back_is_told_so_in_words),
        TEST(who_sits_at_a_match_that_is_held_is_told_so),
        TEST(a_move_before_the_lobby_has_said_where_he_sits_is_wanted_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
