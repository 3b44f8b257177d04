/* treasure_record_test.c: the tables of section 11, as a match fills them.
 *
 * Rows go into a store as an engine's do. From there they are copied into the tables of
 * recorded/sql/schema.sql, with all their constraints, where recorded/sql/queries.sql asks about them. */
#include "games/treasure/tests/treasure_told_test.h"

#include <sqlite3.h>

#define HERE ARBITER_SOURCE "/common/games/treasure/recorded/sql/"

static sqlite3 *tables;

static void run(const char *sql)
{
    char *fault = NULL;
    if (sqlite3_exec(tables, sql, NULL, NULL, &fault) != SQLITE_OK)
        fail_msg("%s: %s", sql, fault);
}

static char *text_of(const char *path)
{
    FILE *stream = fopen(path, "r");
    char *text = calloc(1, 32768);
    assert_non_null(stream);
    assert_in_range(fread(text, 1, 32767, stream), 1, 32766);
    (void) fclose(stream);
    return text;
}

/* What the store holds goes into tables that doubt everything. */
static void copy_all(void)
{
    char  attach[160];
    char *text = text_of(HERE "schema.sql");
    store_close(&store);
    assert_int_equal(sqlite3_open(":memory:", &tables), SQLITE_OK);
    run("PRAGMA foreign_keys = ON");
    run(text);
    free(text);
    (void) snprintf(attach, sizeof attach, "ATTACH '%s' AS kept", file);
    run(attach);
    run("INSERT INTO main.Game SELECT * FROM kept.Game");
    run("INSERT INTO main.Player SELECT * FROM kept.Player");
    run("INSERT INTO main.Play SELECT * FROM kept.Play");
    run("INSERT INTO main.ActionList SELECT * FROM kept.ActionList");
}

/* The rows of a statement, a line each, with bars between the cells. */
static void ask_sql(const char *sql, char *answer, size_t room)
{
    sqlite3_stmt *statement = NULL;
    size_t        used = 0;
    assert_int_equal(sqlite3_prepare_v2(tables, sql, -1, &statement, NULL), SQLITE_OK);
    if (sqlite3_bind_parameter_count(statement) > 0)
        (void) sqlite3_bind_int64(statement, 1, (int64_t) game);
    answer[0] = '\0';
    while (sqlite3_step(statement) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(statement); i++) {
            const char *cell = (const char *) sqlite3_column_text(statement, i);
            bool        last = i + 1 == sqlite3_column_count(statement);
            used += (size_t) snprintf(answer + used, room - used, "%s%s", cell != NULL ? cell : "-",
                                      last ? "\n" : "|");
        }
    assert_int_equal(sqlite3_finalize(statement), SQLITE_OK);
}

static void assert_sql(const char *sql, const char *expected)
{
    static char answer[65536];
    ask_sql(sql, answer, sizeof answer);
    assert_string_equal(answer, expected);
}

/* One of queries.sql by its name, without the comments above it. */
static char *query(const char *name)
{
    char *text = text_of(HERE "queries.sql"), *from = strstr(text, name);
    assert_non_null(from);
    for (from = strchr(from, '\n') + 1; from[0] == '-'; from = strchr(from, '\n') + 1)
        continue;
    char *end = strchr(from, ';');
    assert_non_null(end);
    end[0] = '\0';
    memmove(text, from, strlen(from) + 1);
    return text;
}

static void assert_query(const char *name, const char *expected)
{
    char *sql = query(name);
    assert_sql(sql, expected);
    free(sql);
}

static int end(void **unused)
{
    (void) sqlite3_close(tables);
    tables = NULL;
    return remove_store(unused);
}

static void a_match_is_in_the_tables_from_its_first_act_on(void **unused)
{
    (void) unused;
    begin_game("{}");
    close_table();
    copy_all();
    assert_sql("SELECT * FROM Game", "1|2017-11-08 13:00:00.000|-|-|-|8|8|stack|1|java|7|"
                                     "until_zero|200|-|-|" CONFIG "\n");
    assert_sql("SELECT * FROM Player", "1|Muster|Ann|1234567|-\n2||bot-1|habcdef01|-\n");
    assert_sql("SELECT * FROM Play", "1|1|2|-|-\n");
}

static void joining_writes_the_map_and_where_they_start(void **unused)
{
    (void) unused;
    char sql[160];
    begin_moves("{}");
    const struct treasure_seat *one = &table.state->seat[0], *two = &table.state->seat[1];
    (void) snprintf(sql, sizeof sql, "SELECT substr(Map, %d, 2), substr(Map, %d, 2) FROM Game",
                    1 + 2 * (one->treasure_y * 8 + one->treasure_x),
                    1 + 2 * (two->treasure_y * 8 + two->treasure_x));
    close_table();
    copy_all();
    assert_sql(sql, "1T|2T\n");
    assert_sql("SELECT length(CAST(Map AS BLOB)), substr(Map, 19, 2), substr(Map, 125, 2), Ending "
               "FROM Game",
               "128|1C|2C|-\n");
    assert_sql("SELECT (length(Map) - length(replace(Map, 'T', ''))) FROM Game", "2\n");
    assert_sql("SELECT * FROM Play", "1|1|2|2/2|7/8\n");
    assert_sql("SELECT PlayerID, StartingCoordinates FROM Player", "1|2/2\n2|7/8\n");
}

static void each_action_is_a_row_and_the_last_one_ends_the_game(void **unused)
{
    (void) unused;
    begin_moves("{}");
    go(0, TREASURE_UP);
    go(1, TREASURE_TO_LEFT);
    go(0, TREASURE_UP);
    go(1, TREASURE_TO_LEFT);
    go(0, TREASURE_UP);
    update(1, 6, 7, 5, 7, 9);
    close_table();
    copy_all();
    assert_sql("SELECT * FROM ActionList", "1|1|STAY|2|1|2|17|-\n"
                                           "1|2|STAY|6|8|2|17|-\n"
                                           "1|3|STAY|2|1|1|17|-\n"
                                           "1|4|STAY|6|8|1|17|-\n"
                                           "1|5|UP|2|1|0|17|-\n"
                                           "1|6|STAY|6|8|9|2999|BAD_COUNTDOWN\n");
    assert_sql("SELECT Ending, RoundNumber, Result, Reason FROM Game",
               "2017-11-08 13:00:00.400|6|P1_WIN|BAD_COUNTDOWN\n");
    assert_query("Q8", "");
}

/* Who plays and where from is written twice: when they sit down and when the halves are joined.
 * Then an action is one row, and the end of the game another. */
static void what_has_not_changed_is_not_written_again(void **unused)
{
    (void) unused;
    begin_game("{}");
    assert_int_equal(told_rows, 4);
    submit(1, LOWER);
    assert_int_equal(told_rows, 0);
    submit(0, UPPER);
    assert_int_equal(told_rows, 4);
    go(0, TREASURE_UP);
    assert_int_equal(told_rows, 1);
    go(0, TREASURE_UP); /* Out of turn. */
    assert_int_equal(told_rows, 1);
    close_table();
    begin_moves("{}");
    treasure_table_expire(&table, 1);
    tell(0, NULL, false);
    assert_int_equal(told_rows, 1);
    close_table();
}

static void what_is_no_action_has_no_row(void **unused)
{
    struct command malformed, step;
    (void) unused;
    begin_moves("{}");
    go(0, TREASURE_UP);
    go(0, TREASURE_UP);
    assert_string_equal(said, "W treasure game 1: after action 1, seat 1: NOT_YOUR_TURN\n"
                              "I treasure game 1: P2_WIN, NOT_YOUR_TURN, 1 actions in 200 ms\n");
    close_table();
    begin_moves("{}");
    treasure_bare(&malformed, TREASURE_MALFORMED);
    do_command(0, &malformed);
    close_table();
    begin_moves("{}"); /* Without a door that measures, no time was taken. */
    treasure_bare(&step, TREASURE_STEP);
    step.arg[1] = TREASURE_UP;
    do_command(0, &step);
    assert_non_null(strstr(said, ", STAY, thought 0 ms\n"));
    treasure_table_expire(&table, 2);
    tell(0, NULL, false);
    close_table();
    begin_moves("{}");
    malformed.arg[1] = 2; /* No door says that. */
    assert_int_equal(treasure_table_hear(&table, 0, &malformed), TREASURE_NO_INCOMPLETE);
    malformed.arg[1] = 1; /* It was to be a half: lost, and no action, though it came in turn. */
    do_command(0, &malformed);
    assert_string_equal(said, "W treasure game 4: after action 0, seat 1: BAD_MESSAGE\n"
                              "I treasure game 4: P2_WIN, BAD_MESSAGE, 0 actions in 150 ms\n");
    close_table();
    begin_game("{}");
    submit(1, NO_MOUNTAIN);
    close_table();
    begin_game("{}");
    submit(1, LOWER);
    submit(0, UPPER); /* Joins the halves, which is no action either. */
    treasure_table_expire(&table, 1);
    tell(0, NULL, false);
    close_table();
    copy_all();
    assert_sql("SELECT * FROM ActionList",
               "1|1|STAY|2|1|2|17|-\n2|1|STAY|-|-|-|0|BAD_MESSAGE\n3|1|STAY|2|1|2|0|-\n");
    assert_sql("SELECT RoundNumber, Result, Reason, Map IS NULL FROM Game",
               "1|P2_WIN|NOT_YOUR_TURN|0\n1|P2_WIN|BAD_MESSAGE|0\n1|P1_WIN|THINK_TIME|0\n0|P2_WIN|"
               "BAD_MESSAGE|0\n"
               "0|P1_WIN|BAD_MAP|1\n0|P2_WIN|THINK_TIME|0\n");
    assert_query("Q8", "");
    assert_query("Q4", "BAD_MESSAGE|2|0.5\nTHINK_TIME|2|0.5\nBAD_MAP|1|0.0\nNOT_YOUR_TURN|1|1.0\n");
}

static void what_a_column_cannot_hold_is_left_out(void **unused)
{
    (void) unused;
    begin_moves("{}");
    update(0, 1, 1, INT32_MAX, INT32_MIN, INT32_MAX);
    close_table();
    copy_all();
    assert_sql("SELECT * FROM ActionList", "1|1|STAY|-|-2147483647|2147483647|2999|ILLEGAL_STEP\n");
}

static void the_set_up_and_the_time_are_written_as_they_are(void **unused)
{
    static const struct {
        uint64_t    ms;
        const char *text;
    } times[] = {
        { 0, "1970-01-01 00:00:00.000" },
        { UINT64_C(951782400007), "2000-02-29 00:00:00.007" },
        { UINT64_C(1709251199999), "2024-02-29 23:59:59.999" },
        { UINT64_C(1774951810100), "2026-03-31 10:10:10.100" },
        { UINT64_C(1775811609010), "2026-04-10 09:00:09.010" },
        { UINT64_C(1796029687089), "2026-11-30 09:08:07.089" },
        { UINT64_C(1785459723004), "2026-07-31 01:02:03.004" },
        { UINT64_C(1764547200000), "2025-12-01 00:00:00.000" },
        { UINT64_C(4107499200000), "2100-02-28 12:00:00.000" }, /* No leap year. */
        { UINT64_C(4107542400000), "2100-03-01 00:00:00.000" },
        { UINT64_C(10418889600000), "2300-03-01 00:00:00.000" },
        { UINT64_C(13574563200000), "2400-02-29 00:00:00.000" }, /* One again. */
        { UINT64_C(13574649600000), "2400-03-01 00:00:00.000" },
    };
    char expected[1024] = "";
    (void) unused;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        beginning_ms = times[i].ms;
        begin_moves("{\"layout\": \"side_by_side\", \"countdown\": \"exact_cost\"}");
        now_ms = 0; /* A clock that was put back ends no game before it began. */
        treasure_table_expire(&table, 1);
        tell(0, NULL, false);
        close_table();
        (void) snprintf(expected + strlen(expected), sizeof expected - strlen(expected),
                        "%s|%s|16|4|side_by_side|exact_cost\n", times[i].text, times[i].text);
    }
    copy_all();
    assert_sql("SELECT Beginning, Ending, MapWidth, MapHeight, Layout, Countdown FROM Game",
               expected);
    /* Two of each game's own. */
    assert_sql("SELECT count(*), max(PlayerID) FROM Player", "26|26\n");
}

static struct record_cell text_cell(const char *text)
{
    return (struct record_cell){ .number = ABSENT, .text = text, .size = strlen(text) };
}

/* Names go, and what stands in for them is made of the person's id. Nobody else's row is
 * touched. */
static void a_row_forgets_only_whose_it_is(void **unused)
{
    static const char        ann[] = "Ann\nMuster\n1234567\n";
    const struct record_seat who = { 0, nobody, ann, sizeof ann - 1 };
    (void) unused;
    for (uint32_t other = 0; other < 3; other++) {
        struct text        room;
        struct record_cell cells[5] = { { .number = 1 },
                                        text_cell(other == 1 ? "Master" : "Muster"),
                                        text_cell(other == 2 ? "Anna" : "Ann"),
                                        text_cell("1234567"),
                                        text_cell("2/2") };
        assert_int_equal(game_treasure.record->forget(&who, cells, &room), other == 0);
        assert_int_equal(cells[0].number, 1);
        assert_int_equal(cells[1].size, other == 0 ? 0 : 6);
        assert_int_equal(cells[2].size, other == 0 ? 0 : other == 2 ? 4 : 3);
        assert_int_equal(cells[3].size, other == 0 ? 9 : 7);
        assert_memory_equal(cells[3].text, other == 0 ? "habcdef01" : "1234567", cells[3].size);
        assert_int_equal(cells[4].size, 3);
    }
}

/* Of Ann Muster's row nothing that is hers is left; whoever is called almost so keeps theirs. */
static void a_row_of_nobodys_seat_is_found_by_all_its_names(void **unused)
{
    static const char *const names[] = { "Ann Muster", "Ann", "Ann Muste", "Anna Muster", "" };
    (void) unused;
    for (uint32_t i = 0; i < 5; i++) {
        struct text        room;
        struct record_cell cells[5] = { { .number = 0x1234 },
                                        text_cell("Muster"),
                                        text_cell("Ann"),
                                        text_cell("1234567"),
                                        { .number = ABSENT } };
        assert_int_equal(
            game_treasure.record->forget_named(names[i], strlen(names[i]), cells, &room), i == 0);
        assert_int_equal(cells[1].size + cells[2].size, i == 0 ? 0 : 9);
        assert_memory_equal(cells[3].text, i == 0 ? "h00001234" : "1234567", cells[3].size);
        cells[1] = text_cell("");
        cells[2] = text_cell("Ann");
        cells[3] = text_cell("habcdef01");
        assert_int_equal(
            game_treasure.record->forget_named(names[i], strlen(names[i]), cells, &room), i == 1);
        assert_memory_equal(cells[3].text, "habcdef01", 9);
    }
}

/* As they were given when they registered; Ann's row was there before the game. */
static void players_have_the_numbers_by_which_they_registered(void **unused)
{
    static const char        ann[] = "Ann\nMuster\n1234567\n", bo[] = "Bo\nX\n7\n";
    const struct record_seat who = { 41, nobody, ann, sizeof ann - 1 },
                             other = { 42, nobody, bo, sizeof bo - 1 };
    const struct recorder to = { NULL, put, say };
    (void) unused;
    game_treasure.record->enter(&who, &to);
    game_treasure.record->enter(&other, &to);
    numbers[0] = 41;
    numbers[1] = 7;
    begin_moves("{}");
    close_table();
    numbers[0] = numbers[1] = 0;
    copy_all();
    assert_sql("SELECT * FROM Player",
               "7||bot-1|habcdef01|7/8\n41|Muster|Ann|1234567|2/2\n42|X|Bo|7|-\n");
    assert_sql("SELECT * FROM Play", "1|41|7|2/2|7/8\n");
    assert_int_equal(game_treasure.record->person_key(&who, 1, 0), 41);
}

static word liked_step(uint32_t seat)
{
    struct command command;
    treasure_bare(&command, TREASURE_STEP);
    for (command.arg[1] = TREASURE_UP; command.arg[1] < TREASURE_TO_RIGHT; command.arg[1]++)
        if (game_treasure.judge(table.setup, table.state, seat, &command) > 0)
            break;
    return command.arg[1];
}

/* Two bots, to the end; where both were after every action, as Q6 would say it. */
static void play_whole(char *places, size_t room)
{
    size_t used = 0;
    begin_moves("{}");
    while (table.state->result == 0) {
        uint32_t seat = (uint32_t) table.state->n % 2;
        go(seat, liked_step(seat));
        used += (size_t) snprintf(places + used, room - used, "%d|%d|%d|%d|%d\n", table.state->n,
                                  table.state->seat[0].x + 1, table.state->seat[0].y + 1,
                                  table.state->seat[1].x + 1, table.state->seat[1].y + 1);
    }
    close_table();
}

static void a_game_is_replayed_from_the_tables_alone(void **unused)
{
    static char places[16384], sql[8192];
    (void) unused;
    play_whole(places, sizeof places);
    copy_all();
    char       *replay = query("Q6");
    const char *select = strstr(replay, "WITH");
    assert_non_null(select);
    (void) snprintf(sql, sizeof sql, "SELECT ActionID, X1, Y1, X2, Y2 FROM (%s)", select);
    assert_sql(sql, places);
    free(replay);
    assert_query("Q8", "");
    assert_sql("SELECT Reason, length(Map) - length(replace(Map, 'T', '')) FROM Game",
               "CASTLE_TAKEN|2\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_match_is_in_the_tables_from_its_first_act_on, open_store,
                                        end),
        cmocka_unit_test_setup_teardown(joining_writes_the_map_and_where_they_start, open_store,
                                        end),
        cmocka_unit_test_setup_teardown(each_action_is_a_row_and_the_last_one_ends_the_game,
                                        open_store, end),
        cmocka_unit_test_setup_teardown(what_has_not_changed_is_not_written_again, open_store,
                                        remove_store),
        cmocka_unit_test_setup_teardown(what_is_no_action_has_no_row, open_store, end),
        cmocka_unit_test_setup_teardown(what_a_column_cannot_hold_is_left_out, open_store, end),
        cmocka_unit_test_setup_teardown(the_set_up_and_the_time_are_written_as_they_are, open_store,
                                        end),
        cmocka_unit_test(a_row_forgets_only_whose_it_is),
        cmocka_unit_test(a_row_of_nobodys_seat_is_found_by_all_its_names),
        cmocka_unit_test_setup_teardown(players_have_the_numbers_by_which_they_registered,
                                        open_store, end),
        cmocka_unit_test_setup_teardown(a_game_is_replayed_from_the_tables_alone, open_store, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
