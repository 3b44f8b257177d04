/* rest_enter_test.c: who registers, who waits, and who is known again after a restart, step by step; the house is played by hand. */
#include "services/gateway/rest_rows.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "contract/lobby.pb-c.h"
#include "services/gateway/rest_half.h"
#include "services/gateway/rest_parts.h"

#define PATH(name) ARBITER__GATEWAY__REST_PATH__REST_PATH_##name
#define KIND(name) ARBITER__GATEWAY__REST_ANSWER__KIND__KIND_##name
#define VERDICT(name) ARBITER__LOBBY__VERDICT__VERDICT_##name
#define PLAYERS 8
#define BOT_MS 5000

static const uint8_t table_id[CLIENT_ID_SIZE] = "the only table",
                     match_id[CLIENT_ID_SIZE] = "the match";

static struct rest         rest;
static struct client_core *client;
static void               *memory, *client_memory, *out_memory;
static struct outbox       out;
static uint64_t            now_ms;
static uint8_t             entropy[ENTROPY_SIZE];
static struct row         *kept[64];
static uint32_t            kept_count;

static const struct rest_turn *turn(void)
{
    static struct rest_turn now;
    entropy[0]++;
    now = (struct rest_turn){ &rest, now_ms, entropy, &out };
    return &now;
}

/* What was put out is forgotten, but for the rows. */
static void settle(void)
{
    for (uint32_t i = 0; i < out.row_count; i++) {
        const struct row *row = out.rows[i];
        size_t            size = sizeof *row + row->count * sizeof row->cells[0];
        struct row       *copy = kept[kept_count++] = malloc(size);
        assert_true(kept_count < 64);
        memcpy(copy, row, size);
        for (uint32_t k = 0; k < row->count; k++) {
            uint8_t *bytes = malloc(row->cells[k].size + 1);
            if (row->cells[k].size > 0)
                memcpy(bytes, row->cells[k].bytes, row->cells[k].size);
            copy->cells[k].bytes = bytes;
        }
    }
    outbox_reset(&out);
}

static void open_rest(bool keeps)
{
    struct client_core_settings settings;
    struct rest_settings        door;
    client_core_defaults(&settings);
    settings.seats_max = settings.tables_max = PLAYERS;
    settings.crypto = &crypto_sodium;
    rest_defaults(&door);
    door.players_max = PLAYERS;
    door.keeps = keeps;
    door.bot_ms = BOT_MS;
    client_memory = calloc(1, client_core_bytes(&settings));
    client = client_core_init(client_memory, &settings);
    memory = calloc(1, rest_bytes(&door));
    rest_init(&rest, memory, &door, client);
    rest_rows_read(&rest, &out);
}

static void close_rest(void)
{
    free(memory);
    free(client_memory);
}

static int begin(void **unused)
{
    (void) unused;
    out_memory = malloc(OUTBOX_BYTES_MIN);
    outbox_init(&out, out_memory, OUTBOX_BYTES_MIN);
    now_ms = 1000;
    open_rest(false);
    outbox_reset(&out);
    return 0;
}

static int end(void **unused)
{
    (void) unused;
    close_rest();
    free(out_memory);
    while (kept_count > 0) {
        struct row *row = kept[--kept_count];
        for (uint32_t k = 0; k < row->count; k++)
            free((void *) (uintptr_t) row->cells[k].bytes);
        free(row);
    }
    return 0;
}

/* The last answer to this route; NULL: none yet. */
static const Arbiter__Gateway__RestAnswer *answer_to(uint64_t route)
{
    const Arbiter__Gateway__RestAnswer *answer = NULL;
    for (uint32_t i = 0; i < out.effect_count; i++)
        if (out.effects[i].kind == EFFECT_SEND && out.effects[i].door == DOOR_SIDE &&
            out.effects[i].route == route)
            answer = (const Arbiter__Gateway__RestAnswer *) (const void *) out.effects[i].body;
    return answer;
}

static void assert_answer(uint64_t route, Arbiter__Gateway__RestAnswer__Kind kind)
{
    const Arbiter__Gateway__RestAnswer *answer = answer_to(route);
    assert_non_null(answer);
    assert_int_equal(answer->kind, kind);
}

static void enter(uint64_t route, const char *person)
{
    const Arbiter__Gateway__RestAsk ask = { .path = PATH(NEW_PLAYER),
                                            .has_impl = true,
                                            .person = (char *) (uintptr_t) person };
    rest_hear(turn(), route, &ask);
}

static void ask_problem(uint64_t route, int32_t id)
{
    const Arbiter__Gateway__RestAsk ask = { .path = PATH(PROBLEM), .has_id = true, .id = id };
    rest_hear(turn(), route, &ask);
}

static struct rest_player *player_of(int32_t id)
{
    for (uint32_t i = 0; i < PLAYERS; i++)
        if (rest.players[i].state != REST_FREE && rest.players[i].id == id)
            return &rest.players[i];
    fail_msg("there is no %d", id);
    return NULL;
}

static void tell(enum client_event_kind kind, const struct rest_player *player,
                 const ProtobufCMessage *message)
{
    uint8_t             bytes[1024];
    struct client_event event = { .kind = kind, .request = player->ask };
    memcpy(event.player, player->player, CLIENT_ID_SIZE);
    event.bytes = bytes;
    event.size = message != NULL ? protobuf_c_message_pack(message, bytes) : 0;
    rest_told(turn(), &event);
}

/* The lobby's answer to what he asks now; `seated`: the table in it has him in its first seat. */
static void answer(const struct rest_player *player, Arbiter__Lobby__Verdict verdict,
                   bool has_table, bool seated, bool begun)
{
    Arbiter__Lobby__Player    him = ARBITER__LOBBY__PLAYER__INIT;
    Arbiter__Lobby__TableSeat seat = ARBITER__LOBBY__TABLE_SEAT__INIT, *seats[] = { &seat };
    Arbiter__Lobby__Table     table = ARBITER__LOBBY__TABLE__INIT;
    Arbiter__Lobby__Answer    told = ARBITER__LOBBY__ANSWER__INIT;
    const ProtobufCBinaryData id = { CLIENT_ID_SIZE, (uint8_t *) (uintptr_t) table_id };
    assert_int_not_equal(player->ask, 0);
    him.has_player = table.has_table = told.has_verdict = seat.has_seat = true;
    him.player = (ProtobufCBinaryData){ CLIENT_ID_SIZE, (uint8_t *) (uintptr_t) player->player };
    seat.player = &him;
    table.table = id;
    table.code = (char *) (uintptr_t) "code";
    table.n_seats = seated;
    table.seats = seats;
    table.has_match_id = begun;
    table.match_id = (ProtobufCBinaryData){ CLIENT_ID_SIZE, (uint8_t *) (uintptr_t) match_id };
    told.verdict = verdict;
    if (has_table) {
        told.kind_case = ARBITER__LOBBY__ANSWER__KIND_TABLE;
        told.table = &table;
    }
    tell(CLIENT_ANSWER, player, &told.base);
}

static void is_done(const struct rest_player *player)
{
    answer(player, VERDICT(DONE), false, false, false);
}

/* From his name to his place. */
static void register_one(uint64_t route, int32_t id, const char *person)
{
    enter(route, person);
    struct rest_player *player = player_of(id);
    is_done(player); /* The name. */
    answer(player, VERDICT(DONE), true, false, false);
    is_done(player); /* What the game says to his Register. */
    assert_int_equal(player->state, REST_ENTERED);
}

/* The process ends; the next one reads what was kept. */
static void restart(void)
{
    rest_rows_write(&rest, &out);
    settle();
    close_rest();
    open_rest(true);
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

static void tick(uint64_t ms)
{
    now_ms += ms;
    rest_tick(turn());
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
    assert_answer(1, KIND(NEW_PLAYER));
    assert_int_equal(answer_to(1)->id, 1);
    assert_true(rest.has_open);
    assert_int_equal(player_of(2)->state, REST_NAMING);
    is_done(player_of(2));
    assert_true(player_of(2)->is_second);
    answer(player_of(2), VERDICT(DONE), true, false, false);
    is_done(player_of(2));
    assert_false(rest.has_open);
    assert_int_equal(rest.games, 1);
    assert_null(answer_to(2)); /* He hears his id when the match asks, or after a while. */
    tick(3000);
    assert_answer(2, KIND(NEW_PLAYER));
}

static void who_is_refused_by_the_rules_loses_and_by_the_house_is_told_to_come_back(void **unused)
{
    (void) unused;
    enter(1, "A\nB\nnonsense");
    is_done(player_of(1));
    answer(player_of(1), VERDICT(DONE), true, false, false);
    answer(player_of(1), VERDICT(RULES), false, false, false);
    assert_answer(1, KIND(PROBLEM));
    assert_true(answer_to(1)->loss);
    enter(2, "A\nB\n01234567");
    is_done(player_of(2));
    answer(player_of(2), VERDICT(LOBBY_FULL), false, false, false);
    assert_answer(2, KIND(BUSY));
    enter(3, "A\nB\n01234567");
    is_done(player_of(3));
    answer(player_of(3), VERDICT(DONE), false, false, false); /* Done, and no table? */
    assert_answer(3, KIND(BUSY));
    enter(4, "");
    assert_answer(4, KIND(PROBLEM));
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

static void nobody_else_gets_in_when_all_places_are_taken(void **unused)
{
    (void) unused;
    for (uint64_t i = 1; i <= PLAYERS; i++)
        enter(i, "A\nB\n01234567");
    enter(99, "A\nB\n01234567");
    assert_answer(99, KIND(BUSY));
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
    assert_answer(1, KIND(BUSY));
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
    assert_int_equal(player_of(2)->state,
                     REST_QUEUED); /* Until it is known whether a table is open. */
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
    assert_answer(3, KIND(PROBLEM));
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
    assert_int_equal(rest.next_id, 2);
    tick(rest.settings.retention_ms);
    answer(player, VERDICT(DONE), false, false, false); /* He has left his table. */
    tick(250);
    settle();
    assert_int_equal(kept[kept_count - 1]->op, ROW_DELETE);
    ask_problem(3, 1);
    assert_true(answer_to(3)->loss);
}

/* The match began, and nobody had told the second one who he is. */
static void who_was_not_told_his_id_gets_it_when_he_comes_back(void **unused)
{
    (void) unused;
    close_rest();
    open_rest(true);
    rest.is_loaded = true;
    enter(1, "A\nB\n01234567");
    is_done(player_of(1));
    answer(player_of(1), VERDICT(DONE), true, false, false);
    restart();
    tick(250);
    answer(player_of(1), VERDICT(DONE), true, true, true);
    enter(2, "C\nD\n01234567");
    assert_int_equal(player_of(2)->state, REST_NAMING); /* It is somebody else. */
    enter(3, "A\nB\n01234567");
    answer(player_of(2), VERDICT(NAME_TAKEN), false, false, false);
    assert_answer(3, KIND(NEW_PLAYER));
    assert_int_equal(answer_to(3)->id, 1);
}

static void who_was_not_told_and_not_paired_is_forgotten(void **unused)
{
    (void) unused;
    close_rest();
    open_rest(true);
    rest.is_loaded = true;
    enter(1, "A\nB\n01234567");
    is_done(player_of(1));
    answer(player_of(1), VERDICT(DONE), true, false, false);
    restart();
    tick(250);
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

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(one_registers_after_the_other_and_the_first_waits),
        TEST(who_is_refused_by_the_rules_loses_and_by_the_house_is_told_to_come_back),
        TEST(a_table_that_is_gone_is_replaced_by_an_own_one),
        TEST(nobody_else_gets_in_when_all_places_are_taken),
        TEST(who_waits_long_enough_calls_a_bot_and_calls_again_if_there_was_none),
        TEST(before_all_is_read_nobody_is_known_or_unknown),
        TEST(what_cannot_be_read_ends_the_process),
        TEST(who_waited_waits_on_after_a_restart),
        TEST(whose_match_began_meanwhile_takes_his_seat),
        TEST(whose_table_is_gone_has_not_lost),
        TEST(what_was_over_is_told_as_it_was),
        TEST(who_was_not_told_his_id_gets_it_when_he_comes_back),
        TEST(who_was_not_told_and_not_paired_is_forgotten),
        TEST(rows_that_do_not_fit_are_nobodys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
