/* treasure_tables_test.c: the desk before a match, and spectators. */
#include "games/treasure/tests/treasure_test.h"

/* The desk. */

static uint32_t say(uint32_t client, uint32_t kind, const char *text)
{
    struct command command;
    treasure_bare(&command, kind);
    command.text = (const uint8_t *) text;
    command.text_size = text != NULL ? (uint32_t) strlen(text) : 0;
    table.out.used = table.out.events = 0;
    return treasure_registration.apply(table.setup, table.desk, client, &command, &table.out);
}

static uint32_t status(void)
{
    return treasure_registration.status(table.setup, table.desk);
}

#define ANN "Ann\nMuster\n01234567"

static void names_and_numbers_are_judged_at_the_desk(void **unused)
{
    static const char *const bad[] = {
        "",
        "Ann\nMuster",
        "Ann\nMuster\n",
        "Ann\n\n1234567",
        "\nMuster\n1234567",
        "Ann\nMuster\n123456",
        "Ann\nMuster\na123456789",
        "Ann\nMuster\n1234567890",
        "Ann\nMuster\nb1234567",
        "Ann\nMuster\n1234567\nmore",
        "An\x7fn\nMuster\n1234567",
        "An\xc2\x85n\nMuster\n1234567",
        "An\xc2\x9fn\nMuster\n1234567",
        "Ann\nMuster\na123456",
        "1234567890123456789012345678901\nMuster\n1234567",
    };
    (void) unused;
    open_table("{}");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (say(7, TREASURE_REGISTER, bad[i]) != TREASURE_NO_PERSON)
            fail_msg("\"%s\" is taken for a person", bad[i]);
    assert_int_equal(say(7, TREASURE_REGISTER, " \xc3\x84nn \r\nM\xc3\xbcster\na1234567\t"), 0);
    assert_int_equal(say(7, TREASURE_REGISTER, ANN), TREASURE_NO_REGISTERED_TWICE);
    close_table();
    open_table("{}"); /* What was an integer once, by way of the door of 2017. */
    assert_int_equal(say(7, TREASURE_REGISTER, "Ann\nMuster\n123456789"), 0);
    assert_int_equal(say(256, TREASURE_REGISTER, ANN), TREASURE_NO_ROOM);
    assert_int_equal(say(8, TREASURE_SUBMIT_HALF, UPPER), TREASURE_NO_REGISTERED);
    assert_int_equal(say(8, TREASURE_REGISTER, "Ann Bo\nvan der Berg\na12345678"), 0);
    close_table();
}

/* A name has 1 to 30 characters, however many bytes each of them has. */
static void characters_of_a_name_are_counted_and_not_its_bytes(void **unused)
{
    static const char *const letters[] = { "x",
                                           "~",
                                           "\xc2\xa0",
                                           "\xc3\x84",
                                           "\xdf\xbf",
                                           "\xe0\xa0\x80",
                                           "\xef\xbf\xbd",
                                           "\xf0\x90\x80\x80",
                                           "\xf4\x8f\xbf\xbf" };
    (void) unused;
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        for (uint32_t count = 1; count <= 31; count += count == 1 ? 28 : 1) {
            char   text[256];
            size_t used = 0;
            for (uint32_t k = 0; k < count; k++)
                used += (size_t) snprintf(text + used, sizeof text - used, "%s", letters[i]);
            (void) snprintf(text + used, sizeof text - used, "\nMuster\n1234567");
            open_table("{}");
            if ((say(7, TREASURE_REGISTER, text) == ACCEPTED) != (count <= 30))
                fail_msg("%u times \"%s\" is judged wrong", count, letters[i]);
            close_table();
        }
}

static void assert_person(uint32_t client, const char *expected)
{
    const uint8_t *text = NULL;
    uint32_t       size = 0;
    assert_true(treasure_registration.person(table.setup, table.desk, client, &text, &size));
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(text, expected, size);
}

static void the_desk_knows_what_its_players_registered_with(void **unused)
{
    const uint8_t *text = NULL;
    uint32_t       size = 0;
    (void) unused;
    open_table("{}");
    assert_false(treasure_registration.person(table.setup, table.desk, 7, &text, &size));
    assert_int_equal(say(7, TREASURE_REGISTER, " Ann \r\nMuster\na1234567\t"), ACCEPTED);
    assert_int_equal(say(3, TREASURE_REGISTER, "bot-1"), ACCEPTED);
    assert_person(7, "Ann\nMuster\na1234567\n");
    assert_person(3, "bot-1\n");
    assert_false(treasure_registration.person(table.setup, table.desk, 4, &text, &size));
    close_table();
}

static void who_gives_a_name_alone_gives_a_short_and_plain_one(void **unused)
{
    static char long_one[129];
    (void) unused;
    memset(long_one, 'x', sizeof long_one - 1);
    open_table("{}");
    assert_int_equal(say(3, TREASURE_REGISTER, long_one), TREASURE_NO_PERSON);
    assert_int_equal(say(3, TREASURE_REGISTER, "a\tb"), TREASURE_NO_PERSON);
    assert_int_equal(say(3, TREASURE_REGISTER, "a\x7f"), TREASURE_NO_PERSON);
    assert_int_equal(say(3, TREASURE_REGISTER, "\x1f"), TREASURE_NO_PERSON);
    long_one[127] = '\0';
    assert_int_equal(say(3, TREASURE_REGISTER, long_one), ACCEPTED);
    assert_int_equal(say(4, TREASURE_REGISTER, "A"), ACCEPTED);
    close_table();
    open_table("{}");
    assert_int_equal(say(3, TREASURE_REGISTER, "Ada L"), ACCEPTED);
    close_table();
}

static void the_second_player_begins_and_an_early_half_is_the_first_command(void **unused)
{
    uint32_t       clients[SEATS_MAX], client;
    struct command command;
    (void) unused;
    open_table("{}");
    assert_int_equal(say(9, TREASURE_SUBMIT_HALF, UPPER), TREASURE_NO_REGISTERED);
    assert_int_equal(say(9, TREASURE_REGISTER, ANN), ACCEPTED);
    assert_int_equal(say(9, TREASURE_STEP, NULL), TREASURE_NO_KIND);
    assert_int_equal(say(9, TREASURE_SUBMIT_HALF, UPPER), ACCEPTED);
    assert_said("half_accepted@9");
    assert_int_equal(say(9, TREASURE_SUBMIT_HALF, UPPER "\n"), TREASURE_NO_HALF_TWICE);
    assert_int_equal(say(4, TREASURE_REGISTER, ANN), ACCEPTED);
    assert_int_equal(status(), REGISTRATION_BEGINS);
    assert_int_equal(treasure_registration.seats(table.setup, table.desk, clients), 2);
    assert_int_equal(clients[0], 9);
    assert_int_equal(clients[1], 4);
    assert_true(treasure_registration.opening(table.setup, table.desk, 0, &client, &command));
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        assert_true(command.arg[i] == ABSENT); /* Nobody has measured how long it took. */
    assert_int_equal(client, 9);
    assert_int_equal(treasure_table_hear(&table, 0, &command), ACCEPTED);
    assert_said("half_accepted@0");
    assert_false(treasure_registration.opening(table.setup, table.desk, 1, &client, &command));
    close_table();
}

/* Whatever lay in its memory before; and it judges a half as a match does. */
static void a_desk_opens_empty_and_takes_no_bad_half(void **unused)
{
    static const word wrong[] = { 1, TREASURE_TOO_FEW_MOUNTAIN };
    static const word all[] = { 3, TREASURE_CASTLE_COUNT, TREASURE_TOO_FEW_MOUNTAIN,
                                TREASURE_TOO_FEW_WATER };
    uint32_t          clients[SEATS_MAX];
    char              grass[65];
    (void) unused;
    open_table("{}");
    memset(table.desk, 0xab, treasure_registration.state_bytes);
    treasure_registration.open(table.setup, table.desk);
    assert_int_equal(status(), REGISTRATION_OPEN);
    assert_int_equal(treasure_registration.seats(table.setup, table.desk, clients), 0);
    assert_int_equal(say(9, TREASURE_REGISTER, ANN), ACCEPTED);
    assert_int_equal(say(9, TREASURE_SUBMIT_HALF, NO_MOUNTAIN), ACCEPTED);
    assert_said("half_rejected@9");
    assert_int_equal(event_length(sink_first(&table.out)), 2);
    assert_memory_equal(event_fields(sink_first(&table.out)), wrong, sizeof wrong);
    assert_int_equal(treasure_registration.seats(table.setup, table.desk, clients), 0);
    for (uint32_t i = 0; i < 32; i++)
        memcpy(grass + 2 * (size_t) i, "01", 3);
    assert_int_equal(say(9, TREASURE_REGISTER, ANN), ACCEPTED);
    assert_int_equal(say(9, TREASURE_SUBMIT_HALF, grass), ACCEPTED);
    assert_memory_equal(event_fields(sink_first(&table.out)), all, sizeof all);
    close_table();
}

static void who_fails_before_there_is_another_loses_only_his_place(void **unused)
{
    static const struct {
        uint32_t    kind;
        const char *text, *said;
    } ways[] = { { TREASURE_SUBMIT_HALF, NO_MOUNTAIN, "half_rejected@9" },
                 { TREASURE_SUBMIT_HALF, LOWER, "half_rejected@9" },
                 { TREASURE_MALFORMED, NULL, "half_rejected@9" },
                 { TREASURE_LEAVE, NULL, "" } };
    uint32_t clients[SEATS_MAX];
    (void) unused;
    open_table("{}");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        assert_int_equal(say(9, TREASURE_REGISTER, ANN), ACCEPTED);
        assert_int_equal(say(9, TREASURE_SUBMIT_HALF, UPPER), ACCEPTED);
        assert_int_equal(say(9, ways[i].kind, ways[i].text), ACCEPTED);
        assert_said(ways[i].said);
        assert_int_equal(treasure_registration.seats(table.setup, table.desk, clients), 0);
        assert_int_equal(status(), REGISTRATION_OPEN);
    }
    treasure_registration.expire(table.setup, table.desk, &table.out);
    assert_int_equal(status(), REGISTRATION_ABORTED);
    assert_said("registration_aborted");
    assert_int_equal(say(9, TREASURE_REGISTER, ANN), TREASURE_NO_KIND);
    close_table();
}

/* Spectators. Behind the oneof's number: the game, n, and at the end of the view the result. */

static word words[1024];

static word shown_n(uint32_t *used)
{
    struct sink out = { .words = words, .capacity = 1024 };
    game_treasure.view(table.setup, table.state, SPECTATOR, &out);
    *used = out.used;
    assert_int_equal(words[0], 2);
    return words[2];
}

static void spectators_see_what_both_know_until_the_end(void **unused)
{
    uint32_t masked, open, over;
    (void) unused;
    open_match("{\"mask_actions\": 1}");
    assert_int_equal(shown_n(&masked), 0);
    assert_int_equal(step(0, TREASURE_UP), ACCEPTED);
    assert_int_equal(shown_n(&open), 1);
    /* Two figures of two words each, and of the last action its number, its seat and five blanks. */
    assert_int_equal(open, masked + 4 + 6);
    assert_true(words[open - 2] == ABSENT && words[open - 1] == ABSENT);
    assert_int_equal(step(0, TREASURE_UP), ACCEPTED);
    (void) shown_n(&over);
    assert_true(over > open);
    assert_int_equal(words[over - 2], TREASURE_P2_WIN);
    assert_int_equal(words[over - 1], TREASURE_NOT_YOUR_TURN);
    close_table();
}

static void spectators_of_everything_are_as_late_as_the_set_up_says(void **unused)
{
    uint32_t used;
    (void) unused;
    open_match("{\"spectators\": \"all\", \"spectator_delay_actions\": 1}");
    assert_int_equal(step(0, TREASURE_UP), ACCEPTED);
    assert_said("updated@0 action_done enemy_position@1 watched! act_now@1");
    assert_int_equal(shown_n(&used), 0);
    assert_int_equal(step(1, TREASURE_UP), ACCEPTED);
    assert_int_equal(shown_n(&used), 1);
    assert_int_equal(ask(0, TREASURE_LEAVE, ABSENT, ABSENT), ACCEPTED);
    assert_said("left watched! game_end reveal");
    assert_int_equal(shown_n(&used), 2);
    close_table();
}

/* Two actions late: nothing before the second, and then what was before the first. */
static void spectators_of_everything_see_treasures_and_actions_two_actions_late(void **unused)
{
    uint32_t used;
    (void) unused;
    open_match("{\"spectators\": \"all\", \"spectator_delay_actions\": 2}");
    for (uint32_t n = 0; n < 3; n++) {
        const char *later = n > 0 ? " watched!" : "", *seat = n % 2 ? "1" : "0";
        char        expected[128];
        assert_int_equal(step(n % 2, n % 2 ? TREASURE_TO_LEFT : TREASURE_UP), ACCEPTED);
        (void) snprintf(expected, sizeof expected,
                        "updated@%s action_done enemy_position@%u%s act_now@%u", seat, 1 - n % 2,
                        later, 1 - n % 2);
        assert_said(expected);
    }
    assert_int_equal(shown_n(&used), 1);
    const struct treasure_seat *one = &table.state->seat[0];
    const word                  place[] = { 1, one->treasure_x, one->treasure_y, 0, ABSENT };
    assert_non_null(memmem(words, used * sizeof *words, place, sizeof place));
    const word first[] = { 1, 1,
                           0 }; /* There is one, the first, by the first seat; then what it was. */
    assert_memory_equal(&words[used - 11], first, sizeof first);
    assert_true(words[used - 8] != ABSENT);
    close_table();
}

static void spectators_of_everything_see_a_start_at_once_without_delay(void **unused)
{
    (void) unused;
    open_match("{\"spectators\": \"all\"}");
    assert_said("half_accepted@1 map_ready@0 map_ready@1 game_started enemy_position@0 "
                "enemy_position@1 act_now@0 watched!");
    /* n, turn, phase, size and terrain; then the first seat's number, half, castle and figure. */
    const word *event = sink_first(&table.out);
    while (event_kind(event) != TREASURE_WATCHED)
        event = sink_next(&table.out, event);
    const word *view = event_fields(event) + 2, *seat = view + 6 + 8 * 9;
    assert_int_equal(view[0], 0);
    assert_int_equal(view[1], 0);
    assert_int_equal(seat[0], 2);
    const word *castle = seat + 2 + 5, *figure = castle + 3;
    assert_memory_equal(castle, figure, 3 * sizeof(word));
    assert_int_equal(figure[1], table.state->seat[0].x);
    assert_int_equal(figure[2], table.state->seat[0].y);
    close_table();
}

/* Whose turn it is, behind one action and behind two. */
static void spectators_are_told_whose_turn_it_is(void **unused)
{
    struct sink out = { .words = words, .capacity = 1024 };
    (void) unused;
    open_match("{}");
    for (uint32_t n = 0; n < 4; n++) {
        out.used = 0;
        game_treasure.view(table.setup, table.state, 2, &out);
        assert_int_equal(words[2], n);
        assert_int_equal(words[3], n % 2);
        step(n % 2, n % 2 == 0 ? TREASURE_UP : TREASURE_TO_LEFT);
    }
    close_table();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_numbers_are_judged_at_the_desk),
        cmocka_unit_test(characters_of_a_name_are_counted_and_not_its_bytes),
        cmocka_unit_test(the_desk_knows_what_its_players_registered_with),
        cmocka_unit_test(who_gives_a_name_alone_gives_a_short_and_plain_one),
        cmocka_unit_test(the_second_player_begins_and_an_early_half_is_the_first_command),
        cmocka_unit_test(a_desk_opens_empty_and_takes_no_bad_half),
        cmocka_unit_test(who_fails_before_there_is_another_loses_only_his_place),
        cmocka_unit_test(spectators_see_what_both_know_until_the_end),
        cmocka_unit_test(spectators_of_everything_are_as_late_as_the_set_up_says),
        cmocka_unit_test(spectators_of_everything_see_treasures_and_actions_two_actions_late),
        cmocka_unit_test(spectators_of_everything_see_a_start_at_once_without_delay),
        cmocka_unit_test(spectators_are_told_whose_turn_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
