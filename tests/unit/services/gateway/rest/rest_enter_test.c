/* rest_enter_test.c: who registers, who waits, and who is known again after a restart. */
#include "tests/unit/services/gateway/rest/rest_rig.h"

/* The process ends; the next one reads what was kept. */
static inline void restart(void)
{
    uint64_t orders = rest.orders;
    rest_rows_write(&rest, &out);
    settle();
    close_rest();
    open_rest(true);
    rest.orders = orders; /* So that player_of goes on counting. */
    assert_false(rest.is_loaded);
    outbox_reset(&out);
    for (uint32_t table = 0; table < 2; table++) {
        for (uint32_t i = 0; i < kept_count; i++) { /* The last row of a key counts. */
            bool is_last = kept[i]->table == table && kept[i]->op == ROW_PUT;
            for (uint32_t k = i + 1; k < kept_count && is_last; k++)
                is_last =
                    kept[k]->table != table || kept[k]->cells[0].number != kept[i]->cells[0].number;
            const struct event row = {
                .kind = EVENT_ROW, .tag = table, .row = kept[i], .now_ms = now_ms
            };
            if (is_last)
                rest_rows_take(&rest, &row);
        }
        const struct event done = { .kind = EVENT_READ_DONE, .tag = table };
        rest_rows_taken(&rest, &done, &out);
    }
    assert_true(rest.is_loaded);
}

static void one_registers_after_the_other_and_the_first_waits(void **unused)
{
    (void) unused;
    enter(1, "A\nB\n01234567");
    enter(2, "C\nD\n01234567");
    assert_int_equal(player_of(2)->state, REST_QUEUED);
    struct rest_player *first = player_of(1);
    is_done(first);
    answer(first, VERDICT(DONE), true, false, false);
    assert_null(answer_to(1));
    is_done(first);
    assert_answer(1, REST_KIND(NEW_PLAYER));
    assert_int_equal(answer_to(1)->id, 1);
    assert_true(rest.has_open);
    assert_int_equal(player_of(2)->state, REST_NAMING);
    is_done(player_of(2));
    assert_true(player_of(2)->is_second);
    answer(player_of(2), VERDICT(DONE), true, false, false);
    is_done(player_of(2));
    assert_false(rest.has_open);
    assert_int_equal(rest.games, 1);
    assert_null(answer_to(2)); /* A player hears the id when the match asks, or after a while. */
    tick(3000);
    assert_answer(2, REST_KIND(NEW_PLAYER));
}

static void who_is_refused_by_the_rules_loses_and_by_the_house_is_told_to_come_back(void **unused)
{
    (void) unused;
    enter(1, "A\nB\nnonsense");
    is_done(player_of(1));
    answer(player_of(1), VERDICT(DONE), true, false, false);
    answer(player_of(1), VERDICT(RULES), false, false, false);
    assert_answer(1, REST_KIND(PROBLEM));
    assert_true(answer_to(1)->loss);
    enter(2, "A\nB\n01234567");
    is_done(player_of(2));
    answer(player_of(2), VERDICT(LOBBY_FULL), false, false, false);
    assert_answer(2, REST_KIND(BUSY));
    enter(3, "A\nB\n01234567");
    is_done(player_of(3));
    answer(player_of(3), VERDICT(DONE), false, false, false); /* Done, and no table? */
    assert_answer(3, REST_KIND(BUSY));
    enter(4, "");
    assert_answer(4, REST_KIND(PROBLEM));
}

static void a_table_that_is_gone_is_replaced_by_an_own_one(void **unused)
{
    (void) unused;
    register_one(1, 1, "A\nB\n01234567");
    enter(2, "C\nD\n01234567");
    is_done(player_of(2));
    answer(player_of(2), VERDICT(NO_SUCH_TABLE), false, false, false);
    assert_int_equal(player_of(2)->state, REST_SITTING);
    assert_false(player_of(2)->is_second);
}

static void who_waits_goes_on_waiting_when_the_lobby_has_no_room_for_another(void **unused)
{
    (void) unused;
    register_one(1, 1, "A\nB\n01234567");
    enter(2, "C\nD\n01234567");
    is_done(player_of(2));
    answer(player_of(2), VERDICT(LOBBY_FULL), false, false, false);
    assert_answer(2, REST_KIND(BUSY));
    assert_true(rest.has_open);
    enter(3, "E\nF\n01234567");
    is_done(player_of(3));
    assert_true(player_of(3)->is_second);
}

/* Somebody had the name before, and hangs about with it. */
static void a_name_that_hinders_is_given_up_and_nobody_waits_alone_for_it(void **unused)
{
    (void) unused;
    static const Arbiter__Lobby__Verdict spoilt[] = { VERDICT(SEATED_ELSEWHERE), VERDICT(NO_NAME),
                                                      VERDICT(BANNED) };
    uint8_t                              names[3][CLIENT_ID_SIZE] = { "one", "two", "three" };
    register_one(1, 1, "A\nB\n01234567");
    memcpy(rest.spares, names, sizeof names);
    rest.spare_count = 3;
    enter(2, "C\nD\n01234567");
    struct rest_player *second = player_of(2);
    for (uint32_t i = 0; i < 3; i++) {
        assert_memory_equal(second->player, names[2 - i], CLIENT_ID_SIZE);
        assert_int_equal(second->state, REST_SITTING);
        answer(second, spoilt[i], false, false, false);
    }
    assert_int_equal(second->state, REST_NAMING);
    assert_int_equal(rest.spare_count, 0);
    is_done(second);
    assert_true(second->is_second);
    answer(second, VERDICT(SEATED_ELSEWHERE), false, false, false); /* Under a new one? */
    assert_answer(2, REST_KIND(BUSY));
    assert_true(rest.has_open);
}

static void nobody_else_gets_in_when_all_places_are_taken(void **unused)
{
    (void) unused;
    for (uint64_t i = 1; i <= PLAYERS; i++)
        enter(i, "A\nB\n01234567");
    enter(99, "A\nB\n01234567");
    assert_answer(99, REST_KIND(BUSY));
}

static void who_has_been_over_longest_makes_room_a_minute_after_his_end(void **unused)
{
    (void) unused;
    for (int32_t id = 1; id <= PLAYERS; id++) {
        register_one((uint64_t) id, id, "A\nB\n01234567");
        rest.has_open = false; /* Each at a table alone. */
    }
    const int32_t over[] = { 5, 3 };
    for (uint32_t i = 0; i < 2; i++) {
        tick(1000);
        player_of(over[i])->has_ended = true;
        rest_pump(turn(), player_of(over[i]));
    }
    tick(58000);
    enter(91, "A\nB\n01234567");
    assert_answer(91, REST_KIND(BUSY));
    tick(1001);
    enter(92, "A\nB\n01234567");
    assert_null(answer_to(92));
    assert_int_equal(player_of(PLAYERS + 1)->route, 92);
    ask_problem(93, 3);
    assert_false(answer_to(93)->loss);
    ask_problem(94, 5); /* Nobody, by now. */
    assert_true(answer_to(94)->loss);
    enter(95, "A\nB\n01234567");
    assert_answer(95, REST_KIND(BUSY));
}

/* The Say by which the first player registers, as the lobby reads it. */
static Arbiter__Lobby__Ask *ask_of_register(void)
{
    uint8_t bytes[REST_ASK_MAX];
    enter(1, "A\nB\n01234567");
    size_t size = rest_ask_register(bytes, &rest, player_of(1), (const uint8_t *) "command", 7);
    Arbiter__Lobby__Ask *ask = arbiter__lobby__ask__unpack(NULL, size, bytes);
    assert_non_null(ask);
    assert_int_equal(ask->kind_case, ARBITER__LOBBY__ASK__KIND_SAY);
    assert_memory_equal(ask->say->command.data, "command", 7);
    assert_memory_equal(ask->player.data, player_of(1)->player, CLIENT_ID_SIZE);
    return ask;
}

static void the_lobby_is_told_how_ids_are_to_be(void **unused)
{
    (void) unused;
    Arbiter__Lobby__Ask *ask = ask_of_register();
    assert_false(ask->say->has_unguessable || ask->say->has_above);
    arbiter__lobby__ask__free_unpacked(ask, NULL);
    (void) end(NULL);
    (void) begin(NULL);
    rest.settings.random_ids = true;
    rest.own_ids = 41; /* A store from when the door gave them out itself. */
    ask = ask_of_register();
    assert_true(ask->say->unguessable);
    assert_int_equal(ask->say->above, 41);
    arbiter__lobby__ask__free_unpacked(ask, NULL);
}

/* Of an older build, it says that the player is registered, and no more. */
static void who_is_given_no_number_is_turned_away(void **unused)
{
    (void) unused;
    Arbiter__Lobby__Answer told = ARBITER__LOBBY__ANSWER__INIT;
    enter(1, "A\nB\n01234567");
    is_done(player_of(1));
    answer(player_of(1), VERDICT(DONE), true, false, false);
    told.has_verdict = true;
    told.verdict = VERDICT(DONE);
    tell(CLIENT_ANSWER, player_of(1), &told.base);
    assert_answer(1, REST_KIND(PROBLEM));
    ask_problem(2, 1);
    assert_true(answer_to(2)->loss);
}

static void who_waits_long_enough_calls_a_bot_and_calls_again_if_there_was_none(void **unused)
{
    (void) unused;
    register_one(1, 1, "A\nB\n01234567");
    tick(BOT_MS - 1);
    assert_int_equal(player_of(1)->ask, 0);
    tick(1);
    assert_int_equal(player_of(1)->said, REST_FILL);
    answer(player_of(1), VERDICT(NO_BOTS), false, false, false);
    assert_int_equal(player_of(1)->ask, 0);
    assert_true(rest.has_open);
    tick(BOT_MS);
    assert_int_not_equal(player_of(1)->ask, 0);
}

static void before_all_is_read_nobody_is_known_or_unknown(void **unused)
{
    (void) unused;
    close_rest();
    open_rest(true);
    ask_problem(1, 1);
    assert_answer(1, REST_KIND(BUSY));
}

static void what_cannot_be_read_ends_the_process(void **unused)
{
    const struct event failed = { .kind = EVENT_READ_DONE, .failed = 1 };
    (void) unused;
    rest_rows_taken(&rest, &failed, &out);
    assert_false(rest.is_loaded);
    assert_int_equal(out.effects[out.effect_count - 1].kind, EFFECT_EXIT);
}

/* Keeps the first player, waiting alone, and begins anew. */
static struct rest_player *a_restart_while_one_waits(void)
{
    close_rest();
    open_rest(true);
    rest.is_loaded = true;
    register_one(1, 1, "A\nB\n01234567");
    restart();
    tick(250);
    assert_int_equal(player_of(1)->said, REST_REJOIN);
    enter(2, "C\nD\n01234567");
    /* Until it is known whether a table is open. */
    assert_int_equal(player_of(2)->state, REST_QUEUED);
    return player_of(1);
}

static void who_waited_waits_on_after_a_restart(void **unused)
{
    (void) unused;
    answer(a_restart_while_one_waits(), VERDICT(DONE), true, true, false);
    assert_true(rest.has_open);
    tick(250);
    is_done(player_of(2));
    assert_true(player_of(2)->is_second);
    ask_problem(3, 1);
    assert_answer(3, REST_KIND(PROBLEM));
    assert_false(answer_to(3)->loss);
}

static void whose_match_began_meanwhile_takes_his_seat(void **unused)
{
    (void) unused;
    struct rest_player *player = a_restart_while_one_waits();
    answer(player, VERDICT(DONE), true, true, true);
    assert_int_equal(player->state, REST_ATTACHING);
    assert_memory_equal(player->match_id, match_id, CLIENT_ID_SIZE);
    assert_false(rest.has_open);
}

static void whose_table_is_gone_has_not_lost(void **unused)
{
    (void) unused;
    struct rest_player *player = a_restart_while_one_waits();
    tell(CLIENT_REFUSED, player, NULL); /* Nobody knows: it is asked again. */
    assert_true(player->must_rejoin);
    tick(250);
    answer(player, VERDICT(NO_SUCH_TABLE), false, false, false);
    assert_int_equal(player->state, REST_OVER);
    ask_problem(3, 1);
    assert_false(answer_to(3)->loss);
}

static void what_was_over_is_told_as_it_was(void **unused)
{
    (void) unused;
    close_rest();
    open_rest(true);
    rest.is_loaded = true;
    register_one(1, 1, "A\nB\n01234567");
    struct rest_player *player = player_of(1);
    player->has_ended = player->lost = player->lost_on_message = true;
    player->view =
        (struct rest_view){ .x = -1, .y = 7, .home_x = 3, .treasure = true, .sees_castle = true };
    rest_pump(turn(), player);
    restart();
    player = player_of(1);
    assert_int_equal(player->state, REST_OVER);
    assert_true(player->lost && player->lost_on_message && !player->won);
    assert_int_equal(player->view.x, -1);
    assert_int_equal(player->view.home_x, 3);
    assert_true(player->view.treasure && player->view.sees_castle && !player->view.sees_treasure);
    tick(rest.settings.retention_ms);
    answer(player, VERDICT(DONE), false, false, false); /* The player has left the table. */
    tick(250);
    settle();
    assert_int_equal(kept[kept_count - 1]->op, ROW_DELETE);
    ask_problem(3, 1);
    assert_true(answer_to(3)->loss);
}

static void until_he_has_an_id_he_is_kept_under_none(void **unused)
{
    (void) unused;
    close_rest();
    open_rest(true);
    rest.is_loaded = true;
    enter(1, "A\nB\n01234567");
    is_done(player_of(1));
    answer(player_of(1), VERDICT(DONE), true, false, false);
    rest_rows_write(&rest, &out);
    is_done(player_of(1));
    rest_rows_write(&rest, &out);
    assert_int_equal(out.row_count, 3);
    assert_int_equal(out.rows[0]->op, ROW_PUT);
    assert_true(out.rows[0]->cells[0].number > INT32_MAX);
    assert_int_equal(out.rows[1]->op, ROW_DELETE);
    assert_true(out.rows[1]->cells[0].number == out.rows[0]->cells[0].number);
    assert_int_equal(out.rows[2]->op, ROW_PUT);
    assert_int_equal(out.rows[2]->cells[0].number, 1);
}

/* One has sat down, and the process dies before the id is heard. */
static void restart_before_he_is_told(void)
{
    close_rest();
    open_rest(true);
    rest.is_loaded = true;
    enter(1, "A\nB\n01234567");
    is_done(player_of(1));
    answer(player_of(1), VERDICT(DONE), true, false, false);
    restart();
    tick(250);
}

/* The match began, and nobody had told the second one the id. */
static void who_was_not_told_his_id_gets_it_when_he_comes_back(void **unused)
{
    (void) unused;
    restart_before_he_is_told();
    assert_int_equal(player_of(1)->id, 0); /* The lobby knows it, at the seat. */
    answer(player_of(1), VERDICT(DONE), true, true, true);
    assert_int_equal(player_of(1)->id, 1);
    enter(2, "C\nD\n01234567");
    assert_int_equal(player_of(2)->state, REST_NAMING); /* It is somebody else. */
    enter(3, "A\nB\n01234567");
    answer(player_of(2), VERDICT(NAME_TAKEN), false, false, false);
    assert_answer(3, REST_KIND(NEW_PLAYER));
    assert_int_equal(answer_to(3)->id, 1);
}

static void who_was_not_told_and_not_paired_is_forgotten(void **unused)
{
    (void) unused;
    restart_before_he_is_told();
    answer(player_of(1), VERDICT(DONE), true, true, false);
    settle();
    assert_int_equal(kept[kept_count - 1]->op, ROW_DELETE);
    ask_problem(3, 1);
    assert_true(answer_to(3)->loss);
}

static void rows_that_do_not_fit_are_nobodys(void **unused)
{
    struct row        *row = calloc(1, sizeof *row + 10 * sizeof row->cells[0]);
    const struct event event = { .kind = EVENT_ROW, .tag = 1, .row = row };
    (void) unused;
    row->count = 9;
    rest_rows_take(&rest, &event);
    row->count = 10;
    rest_rows_take(&rest, &event);
    row->cells[0].number = 1;
    rest_rows_take(&rest, &event); /* A player without an id of the lobby's. */
    for (uint32_t i = 0; i < PLAYERS; i++)
        assert_int_equal(rest.players[i].state, REST_FREE);
    for (uint32_t i = 2; i < 5; i++)
        row->cells[i] = (struct cell){ CELL_BYTES, 0, table_id, CLIENT_ID_SIZE };
    row->cells[7] = (struct cell){ CELL_BYTES, 0, memory, REST_HALF_MAX(32) + 1 };
    rest_rows_take(&rest, &event);
    assert_false(player_of(1)->has_first); /* The set-up had larger halves then. */
    free(row);
}

static void the_most_of_any_address_is_known_and_crowds_are_left_out(void **unused)
{
    /* The last bits of some are the same. */
    static const uint64_t from[] = { 0x10, 0x20, 0x20, 0x30, 0x30, 0x30, 0, 0 };
    (void) unused;
    assert_int_equal(rest_most_from_one(&rest), 0);
    for (uint32_t i = 0; i < PLAYERS; i++) {
        rest.players[i].from = from[i];
        rest.players[i].state = REST_ENTERED;
    }
    assert_int_equal(rest_most_from_one(&rest), 3);
    assert_int_equal(rest_most_from_one(&rest), 3);
    rest.players[3].state = REST_OVER;
    rest.players[0].from = 0x20;
    rest.players[0].state = REST_QUEUED;
    assert_int_equal(rest_most_from_one(&rest), 3);
    for (uint32_t i = 0; i < 3; i++)
        rest.players[i].is_crowd = true;
    assert_int_equal(rest_most_from_one(&rest), 2);
    for (uint32_t i = 0; i < PLAYERS; i++)
        rest.players[i].from = i + 1;
    assert_int_equal(rest_most_from_one(&rest), 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(one_registers_after_the_other_and_the_first_waits),
        TEST(who_is_refused_by_the_rules_loses_and_by_the_house_is_told_to_come_back),
        TEST(a_table_that_is_gone_is_replaced_by_an_own_one),
        TEST(who_waits_goes_on_waiting_when_the_lobby_has_no_room_for_another),
        TEST(a_name_that_hinders_is_given_up_and_nobody_waits_alone_for_it),
        TEST(nobody_else_gets_in_when_all_places_are_taken),
        TEST(who_has_been_over_longest_makes_room_a_minute_after_his_end),
        TEST(the_lobby_is_told_how_ids_are_to_be),
        TEST(who_is_given_no_number_is_turned_away),
        TEST(who_waits_long_enough_calls_a_bot_and_calls_again_if_there_was_none),
        TEST(before_all_is_read_nobody_is_known_or_unknown),
        TEST(what_cannot_be_read_ends_the_process),
        TEST(who_waited_waits_on_after_a_restart),
        TEST(whose_match_began_meanwhile_takes_his_seat),
        TEST(whose_table_is_gone_has_not_lost),
        TEST(what_was_over_is_told_as_it_was),
        TEST(until_he_has_an_id_he_is_kept_under_none),
        TEST(who_was_not_told_his_id_gets_it_when_he_comes_back),
        TEST(who_was_not_told_and_not_paired_is_forgotten),
        TEST(rows_that_do_not_fit_are_nobodys),
        TEST(the_most_of_any_address_is_known_and_crowds_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
