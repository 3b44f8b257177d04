/* rest_house_test.c: registering at the 2017 door when the house is full or away, refuses, or was another one. */
#include "tests/unit/services/gateway/rest/rest_rig.h"

static void enter_as(uint64_t route, const char *person, bool has_impl, bool is_impl)
{
    const Arbiter__Gateway__RestAsk ask = { .path = PATH(NEW_PLAYER),
                                            .has_impl = has_impl,
                                            .impl = is_impl,
                                            .person = (char *) (uintptr_t) person };
    rest_hear(turn(), route, &ask);
}

static void who_has_no_name_or_a_name_without_end_is_none(void **unused)
{
    (void) unused;
    static char endless[REST_PERSON_MAX + 2];
    memset(endless, 'x', REST_PERSON_MAX + 1);
    const char *const wrong[] = { NULL, "", endless };
    for (uint64_t i = 0; i < 3; i++) {
        enter(i + 1, wrong[i]);
        assert_answer(i + 1, REST_KIND(PROBLEM));
    }
    assert_int_equal(rest.players[0].state, REST_FREE);
    enter_as(9, "A\nB\n01234567", true, true);
    assert_true(player_of(1)->is_impl);
    enter_as(10, "A\nB\n01234567", false, true); /* What was not read does not count. */
    assert_false(player_of(2)->is_impl);
}

static void whoever_came_first_registers_first(void **unused)
{
    (void) unused;
    for (uint64_t route = 1; route <= 3; route++)
        enter(route, "A\nB\n01234567");
    struct rest_player *second = player_of(2), *third = player_of(3);
    second->order = 20; /* The place in the table says nothing. */
    is_done(player_of(1));
    answer(player_of(1), VERDICT(DONE), true, false, false);
    is_done(player_of(1));
    assert_int_equal(third->state, REST_NAMING);
    assert_int_equal(second->state, REST_QUEUED);
}

/* The operator says how well the bot plays that comes to whoever waits. */
static void a_bot_is_called_at_its_level(void **unused)
{
    (void) unused;
    uint8_t              bytes[REST_ASK_MAX], id[CLIENT_ID_SIZE] = { 7 };
    Arbiter__Lobby__Ask *usual =
        arbiter__lobby__ask__unpack(NULL, rest_ask_fill(bytes, id, id, 0), bytes);
    assert_non_null(usual);
    assert_null(usual->fill_with_bots->policy);
    arbiter__lobby__ask__free_unpacked(usual, NULL);
    Arbiter__Lobby__Ask *strong =
        arbiter__lobby__ask__unpack(NULL, rest_ask_fill(bytes, id, id, 4), bytes);
    assert_non_null(strong);
    assert_string_equal(strong->fill_with_bots->policy, "level:4");
    arbiter__lobby__ask__free_unpacked(strong, NULL);
}

/* The question found no room: it is put again, in whatever state the player is. */
static void what_was_not_asked_is_asked_again(void **unused)
{
    (void) unused;
    enter(1, "A\nB\n01234567");
    struct rest_player *player = player_of(1);
    for (enum rest_state state = REST_NAMING; state <= REST_ENTERING; state++) {
        assert_int_equal(player->state, state);
        player->ask = 0;
        player->retry_ms = now_ms + 100;
        tick(50);
        assert_int_equal(player->ask, 0);
        tick(50);
        assert_int_not_equal(player->ask, 0);
        answer(player, VERDICT(DONE), state == REST_SITTING, false, false);
    }
    assert_int_equal(player->state, REST_ENTERED);
}

static void the_operator_is_told_why_somebody_was_turned_away(void **unused)
{
    (void) unused;
    Arbiter__Lobby__Answer told = ARBITER__LOBBY__ANSWER__INIT;
    enter(1, "A\nB\n01234567");
    told.has_verdict = true;
    told.verdict = VERDICT(NAME_TAKEN);
    told.sentence = (char *) (uintptr_t) "no more names today";
    player_of(1)->route = 0; /* The player does not wait for it. */
    tell(CLIENT_ANSWER, player_of(1), &told.base);
    enter(2, "A\nB\n01234567");
    tell(CLIENT_REFUSED, player_of(2), NULL);
    assert_answer(2, REST_KIND(BUSY));
    uint32_t said = 0;
    for (uint32_t i = 0; i < out.effect_count; i++)
        said += out.effects[i].kind == EFFECT_SAY;
    assert_int_equal(said, 2);
    assert_null(answer_to(1));
}

/* Two who wait at a table each would wait for ever. */
static void a_refusal_that_says_nothing_of_the_table_is_asked_again(void **unused)
{
    (void) unused;
    register_one(1, 1, "A\nB\n01234567");
    enter(2, "C\nD\n01234567");
    is_done(player_of(2));
    tell(CLIENT_REFUSED, player_of(2), NULL);
    assert_true(rest.has_open);
    assert_int_equal(player_of(2)->ask, 0);
    tick(100);
    assert_int_not_equal(player_of(2)->ask, 0);
    assert_true(player_of(2)->is_second);
}

static void takes_code(const char *code)
{
    Arbiter__Lobby__Table     table = ARBITER__LOBBY__TABLE__INIT;
    Arbiter__Lobby__Answer    told = ARBITER__LOBBY__ANSWER__INIT;
    const ProtobufCBinaryData id = { CLIENT_ID_SIZE, (uint8_t *) (uintptr_t) table_id };
    told.has_verdict = table.has_table = true;
    told.verdict = VERDICT(DONE);
    told.kind_case = ARBITER__LOBBY__ANSWER__KIND_TABLE;
    told.table = &table;
    table.table = id;
    table.code = (char *) (uintptr_t) code;
    tell(CLIENT_ANSWER, player_of(1), &told.base);
}

static void a_code_that_is_none_opens_nothing(void **unused)
{
    (void) unused;
    static char endless[REST_CODE_MAX + 2];
    char        none[REST_CODE_MAX] = "";
    const char *codes[] = { "", endless };
    memset(endless, 'x', REST_CODE_MAX + 1);
    for (uint32_t i = 0; i < 2; i++) {
        enter(1, "A\nB\n01234567");
        is_done(player_of(1));
        takes_code(codes[i]);
        assert_memory_equal(rest.code, none, sizeof none);
        (void) end(NULL);
        (void) begin(NULL);
    }
    enter(1, "A\nB\n01234567");
    is_done(player_of(1));
    answer(player_of(1), VERDICT(DONE), false, false, false); /* Done, and there is no table. */
    assert_int_equal(rest.players[0].state, REST_OVER);
}

static void no_more_spare_players_are_kept_than_there_are_places(void **unused)
{
    (void) unused;
    register_one(1, 1, "A\nB\n01234567");
    rest.spare_count = PLAYERS;
    rest_free(turn(), player_of(1));
    assert_int_equal(rest.spare_count, PLAYERS);
    assert_int_equal(rest.players[0].state, REST_FREE);
}

/* What is kept of one player: 1 to 9 as rest_rows.c has them. */
static struct cell cells[10];

static void row_comes(uint32_t tag, uint32_t count)
{
    struct row *row = calloc(1, sizeof *row + 10 * sizeof row->cells[0]);
    row->count = count;
    memcpy(row->cells, cells, sizeof cells);
    const struct event event = { .kind = EVENT_ROW, .tag = tag, .row = row, .now_ms = now_ms };
    rest_rows_take(&rest, &event);
    free(row);
}

static void good_cells(void)
{
    memset(cells, 0, sizeof cells);
    cells[0].number = 5;
    for (uint32_t i = 2; i < 5; i++)
        cells[i] = (struct cell){ CELL_BYTES, 0, table_id, CLIENT_ID_SIZE };
}

static void rows_of_another_house_are_read_as_far_as_they_make_sense(void **unused)
{
    (void) unused;
    good_cells();
    for (uint32_t i = 3; i < 5; i++) {
        cells[i].size = 3;
        row_comes(1, 10);
        cells[i].size = CLIENT_ID_SIZE;
    }
    cells[0].number = (int64_t) INT32_MAX + 1;
    row_comes(1, 10);
    assert_int_equal(rest.players[0].state, REST_FREE);
    cells[0].number = 5;
    cells[7] = (struct cell){ CELL_BYTES, 0, table_id, 0 };
    cells[8] = (struct cell){ CELL_BYTES, 0, memory, 4 * 32 + 1 };
    cells[9] = (struct cell){ CELL_BYTES, 0, memory, REST_PERSON_MAX + 1 };
    row_comes(1, 10);
    struct rest_player *player = player_of(5);
    assert_true(player->has_first);
    assert_int_equal(player->half_size + player->field_size + player->person_size, 0);
    for (int64_t id = 6; id < 20; id++) { /* More than there are places. */
        cells[0].number = id;
        row_comes(1, 10);
    }
    assert_int_equal(rest.players[PLAYERS - 1].id, 5 + PLAYERS - 1);
    rest.own_ids = 3;
    for (uint32_t i = 0; i < 3; i++) {
        const int64_t numbers[] = { 0, (int64_t) INT32_MAX + 1, 77 };
        cells[1].number = numbers[i];
        row_comes(0, i == 2 ? 1 : 2); /* The last one lacks a column. */
    }
    assert_int_equal(rest.own_ids, 3);
    row_comes(0, 2);
    assert_int_equal(rest.own_ids, 76);
    rest.is_loaded = true;
    const struct event done = { .kind = EVENT_READ_DONE, .tag = 1, .failed = true };
    rest_rows_taken(&rest, &done, &out);
    assert_false(rest.is_loaded);
}

static void all_that_is_known_of_a_player_is_kept(void **unused)
{
    (void) unused;
    (void) end(NULL);
    (void) begin(NULL);
    close_rest();
    open_rest(true);
    rest.is_loaded = true;
    outbox_reset(&out);
    register_one(1, 1, "A\nB\n01234567");
    struct rest_player *player = player_of(1);
    player->is_impl = player->has_match = player->has_half = player->won = player->is_joined = true;
    player->has_first = player->has_ended = true;
    player->half_size = 2;
    player->field_size = 3;
    rest_changed(turn(), player);
    rest_rows_write(&rest, &out);
    const struct row *row = NULL;
    for (uint32_t i = 0; i < out.row_count; i++)
        if (out.rows[i]->table == 1)
            row = out.rows[i];
    assert_non_null(row);
    memcpy(cells, row->cells, sizeof cells);
    uint8_t *copy = malloc(64u << 10), *at = copy; /* The outbox is emptied below. */
    for (uint32_t i = 0; i < 10; i++)
        if (cells[i].kind == CELL_BYTES && cells[i].size > 0) {
            memcpy(at, cells[i].bytes, cells[i].size);
            cells[i].bytes = at;
            at += cells[i].size;
        }
    close_rest();
    open_rest(true);
    row_comes(1, 10);
    player = player_of(1);
    assert_true(player->is_impl && player->has_match && player->has_half && player->won);
    assert_true(player->is_joined && player->has_first && !player->lost && player->was_told);
    assert_int_equal(player->half_size + player->field_size, 5);
    assert_string_equal(player->person, "A\nB\n01234567");
    free(copy);
}

static void who_is_back_and_finds_no_table_has_not_lost(void **unused)
{
    (void) unused;
    good_cells();
    cells[1].number = 1 << 8; /* The player knows the id. */
    row_comes(1, 10);
    rest.is_loaded = true;
    struct rest_player *player = player_of(5);
    tick(250);
    assert_int_not_equal(player->ask, 0);
    tell(CLIENT_REFUSED, player, NULL); /* Nobody knows what became of the question. */
    assert_true(player->must_rejoin);
    tick(250);
    answer(player, VERDICT(DONE), false, false, false);
    assert_false(player->must_rejoin);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(who_has_no_name_or_a_name_without_end_is_none),
        TEST(whoever_came_first_registers_first),
        TEST(a_bot_is_called_at_its_level),
        TEST(what_was_not_asked_is_asked_again),
        TEST(the_operator_is_told_why_somebody_was_turned_away),
        TEST(a_refusal_that_says_nothing_of_the_table_is_asked_again),
        TEST(a_code_that_is_none_opens_nothing),
        TEST(no_more_spare_players_are_kept_than_there_are_places),
        TEST(rows_of_another_house_are_read_as_far_as_they_make_sense),
        TEST(all_that_is_known_of_a_player_is_kept),
        TEST(who_is_back_and_finds_no_table_has_not_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
