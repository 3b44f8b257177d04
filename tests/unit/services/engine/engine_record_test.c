/* engine_record_test.c: tables of a game's own, kept with the acts they come from: the treasure hunt's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/treasure/treasure.h"
#include "tests/unit/services/engine/engine_rig.h"

static const uint32_t players[] = { RIG_ALICE, RIG_BOB };

enum { GAME, PLAYER, PLAY, ACTION_LIST };

static struct rig        rig;
static struct rig_store *store;

static uint32_t rows_of(uint32_t table)
{
    return rig_rows(store, rig_first_table(&game_treasure) + table);
}

/* A cell of the row with this key; 0 where there is none. */
static int64_t number_in(uint32_t table, int64_t key, uint32_t column)
{
    for (uint32_t i = 0; i < store->count; i++)
        if (store->rows[i].table == rig_first_table(&game_treasure) + table &&
            store->rows[i].row->cells[0].number == key)
            return store->rows[i].row->cells[column].number;
    return 0;
}

static void begin_match(uint8_t id)
{
    rig_start(&rig, id, "treasure", "{\"game\":\"treasure\",\"limits\":{\"think_ms\":0}}", NULL,
              players, 2, 7, 0);
}

static const struct treasure_state *state_of(uint8_t id)
{
    return (const struct treasure_state *) rig_match(&rig, id)->state;
}

static int begin(void **unused)
{
    (void) unused;
    store = rig_begin(&rig);
    return 0;
}

static int end(void **unused)
{
    (void) unused;
    rig_end(&rig);
    return 0;
}

static void matches_are_numbered_from_one(void **unused)
{
    (void) unused;
    begin_match(1);
    begin_match(2);
    assert_int_equal(rows_of(GAME), 2);
    assert_int_equal(rows_of(PLAYER), 4);
    assert_int_equal(rows_of(PLAY), 2);
    assert_int_equal(number_in(PLAY, 1, 1), 1);
    assert_int_equal(number_in(PLAY, 2, 2), 4);
}

static void every_action_is_kept_with_its_act(void **unused)
{
    (void) unused;
    begin_match(1);
    (void) rig_play_on(&rig, 1, players, 2, 22, 5);
    assert_int_equal(state_of(1)->n, 20);
    assert_int_equal(rows_of(ACTION_LIST), 20);
    (void) rig_play_on(&rig, 1, players, 2, 1000, 5);
    assert_int_equal(rows_of(ACTION_LIST), state_of(1)->n);
    assert_int_equal(number_in(GAME, 1, 3), state_of(1)->n);
}

static void what_was_not_kept_has_no_number_and_no_rows(void **unused)
{
    (void) unused;
    rig.next = STORE_BUSY;
    begin_match(1);
    assert_int_equal(rows_of(GAME), 0);
    rig.next = STORE_COMMITTED;
    begin_match(1);
    assert_int_equal(rows_of(GAME), 1);
    assert_int_equal(number_in(PLAY, 1, 1), 1);
}

static void numbers_and_rows_go_on_after_a_death(void **unused)
{
    (void) unused;
    begin_match(1);
    (void) rig_play_on(&rig, 1, players, 2, 12, 5);
    assert_int_equal(rows_of(ACTION_LIST), 10);
    rig_close(&rig);
    rig_open(&rig, store, NULL);
    assert_int_equal(rows_of(ACTION_LIST), 10);
    (void) rig_play_on(&rig, 1, players, 2, 1000, 6);
    assert_int_equal(rows_of(ACTION_LIST), state_of(1)->n);
    assert_int_equal(number_in(GAME, 1, 3), state_of(1)->n);
    begin_match(2);
    assert_int_equal(rows_of(GAME), 2);
    assert_int_equal(number_in(PLAY, 2, 1), 3);
}

/* The lobby says who has registered. */
static void enters(uint32_t who, uint32_t role, uint32_t number, const char *person)
{
    Arbiter__Engine__Register ask = ARBITER__ENGINE__REGISTER__INIT;
    uint8_t                   id[16] = { 0x12, 0x34, 0x56, 0x78 };
    struct header             header;
    ask.game = (char *) (uintptr_t) "treasure";
    ask.has_number = ask.has_player = true;
    ask.number = number;
    ask.player = (ProtobufCBinaryData){ sizeof id, id };
    ask.person = (char *) (uintptr_t) person;
    rig_header(&header, KIND(REGISTER), 3, NO_SEAT);
    rig_hear(&rig, who, role, &header, &ask);
}

static const char *text_in(int64_t key, uint32_t column)
{
    static char text[64];
    for (uint32_t i = 0; i < store->count; i++) {
        const struct cell *cell = &store->rows[i].row->cells[column];
        if (store->rows[i].table != rig_first_table(&game_treasure) + PLAYER ||
            store->rows[i].row->cells[0].number != key)
            continue;
        (void) snprintf(text, sizeof text, "%.*s", (int) cell->size, (const char *) cell->bytes);
        return cell->kind == CELL_NULL ? NULL : text;
    }
    return "nobody";
}

static void who_registers_has_his_row_at_once_and_once(void **unused)
{
    (void) unused;
    enters(RIG_LOBBY, ROLE(LOBBY), 41, "Anna\nMuster\n01234567\n");
    const Arbiter__Engine__Registered *registered = rig_last(&rig, RIG_LOBBY, KIND(REGISTERED));
    assert_int_equal(registered->number, 41);
    assert_int_equal(rows_of(PLAYER), 1);
    assert_string_equal(text_in(41, 1), "Muster");
    assert_string_equal(text_in(41, 2), "Anna");
    assert_string_equal(text_in(41, 3), "01234567");
    assert_null(text_in(41, 4));
    enters(RIG_LOBBY, ROLE(LOBBY), 41, "Somebody\nElse\n07654321\n"); /* It came late. */
    assert_int_equal(rig_count(&rig, RIG_LOBBY, KIND(REGISTERED)), 2);
    assert_int_equal(rows_of(PLAYER), 1);
    assert_string_equal(text_in(41, 1), "Muster");
    enters(RIG_LOBBY, ROLE(LOBBY), 42, NULL); /* The person was forgotten meanwhile. */
    assert_string_equal(text_in(42, 2), "");
    assert_string_equal(text_in(42, 3), "h12345678");
}

static void what_is_no_registration_of_the_lobbys_is_refused(void **unused)
{
    (void) unused;
    enters(RIG_ALICE, ROLE(CLIENT), 41, "Anna\nMuster\n01234567\n");
    assert_int_equal(rig_refusal(&rig, RIG_ALICE), REFUSAL(NOT_YOURS));
    enters(RIG_LOBBY, ROLE(LOBBY), 0, "Anna\nMuster\n01234567\n");
    assert_int_equal(rig_refusal(&rig, RIG_LOBBY), REFUSAL(MALFORMED));
    enters(RIG_LOBBY, ROLE(LOBBY), (uint32_t) INT32_MAX + 1, "Anna\nMuster\n01234567\n");
    assert_int_equal(rows_of(PLAYER), 0);
    rig.next = STORE_BUSY;
    enters(RIG_LOBBY, ROLE(LOBBY), 41, "Anna\nMuster\n01234567\n");
    assert_int_equal(rig_count(&rig, RIG_LOBBY, KIND(REGISTERED)), 0);
    assert_int_equal(rows_of(PLAYER), 0);
}

/* The match is of those who registered, by their numbers: also after a death, when it is joined. */
static void a_match_has_the_rows_of_those_who_registered(void **unused)
{
    static const uint32_t numbers[] = { 41, 7 };
    (void) unused;
    enters(RIG_LOBBY, ROLE(LOBBY), 41, "Anna\nMuster\n01234567\n");
    rig.numbers = numbers;
    begin_match(1);
    assert_int_equal(rows_of(PLAYER), 2);
    assert_int_equal(number_in(PLAY, 1, 1), 41);
    assert_int_equal(number_in(PLAY, 1, 2), 7);
    rig_close(&rig);
    rig_open(&rig, store, NULL);
    (void) rig_play_on(&rig, 1, players, 2, 12, 5);
    assert_int_equal(rows_of(PLAYER), 2);
    assert_non_null(text_in(41, 4));                                /* Where the figure began. */
    enters(RIG_LOBBY, ROLE(LOBBY), 41, "Anna\nMuster\n01234567\n"); /* It came late. */
    assert_non_null(text_in(41, 4));
}

static void leases_only(struct engine_settings *settings)
{
    settings->takes_all_slots = false;
}

/* Two engines must not give the same number, so each slot counts for itself. */
static void slots_count_for_themselves_where_there_are_several_engines(void **unused)
{
    Arbiter__Watchdog__Lease  lease = ARBITER__WATCHDOG__LEASE__INIT;
    Arbiter__Watchdog__Lease *list[] = { &lease };
    Arbiter__Watchdog__Leases leases = ARBITER__WATCHDOG__LEASES__INIT;
    struct header             header;
    (void) unused;
    rig_close(&rig);
    rig_open(&rig, store, leases_only);
    lease.has_first = lease.has_last = lease.has_epoch = true;
    lease.last = 255;
    lease.epoch = 9;
    lease.engine = rig.settings.peers.name;
    leases.n_leases = 1;
    leases.leases = list;
    header_init(&header, KIND(LEASES), NULL);
    rig_hear(&rig, RIG_WATCHDOG, ROLE(WATCHDOG), &header, &leases);
    rig_wait(&rig, 1000);
    begin_match(1);
    begin_match(2);
    assert_int_equal(rows_of(GAME), 2);
    rig_header(&header, KIND(COMMAND), 1, 0);
    assert_int_not_equal(number_in(GAME, header.slot + 1, 5), 0);
    rig_header(&header, KIND(COMMAND), 2, 0);
    assert_int_not_equal(number_in(GAME, header.slot + 1, 5), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(matches_are_numbered_from_one, begin, end),
        cmocka_unit_test_setup_teardown(every_action_is_kept_with_its_act, begin, end),
        cmocka_unit_test_setup_teardown(who_registers_has_his_row_at_once_and_once, begin, end),
        cmocka_unit_test_setup_teardown(what_is_no_registration_of_the_lobbys_is_refused, begin,
                                        end),
        cmocka_unit_test_setup_teardown(a_match_has_the_rows_of_those_who_registered, begin, end),
        cmocka_unit_test_setup_teardown(what_was_not_kept_has_no_number_and_no_rows, begin, end),
        cmocka_unit_test_setup_teardown(numbers_and_rows_go_on_after_a_death, begin, end),
        cmocka_unit_test_setup_teardown(slots_count_for_themselves_where_there_are_several_engines,
                                        begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
