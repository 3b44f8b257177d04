/* treasure_record_test.c: the tables of section 11 and the lines of section 10, as a match fills them.
 *
 * Rows go into a store as an engine's do. From there they are copied into the tables of
 * recorded/sql/schema.sql, with all their constraints, where recorded/sql/queries.sql asks about them. */
#include "games/treasure/treasure_test.h"

#include <sqlite3.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dice/kinds.h"
#include "services/engine/journal.h"
#include "store/store.h"

#define HERE ARBITER_SOURCE "/common/games/treasure/recorded/sql/"
#define BEGINNING_MS UINT64_C(1510146000000) /* 2017-11-08 13:00:00 UTC. */
#define CONFIG "{\"game\":\"treasure\"}"

static char                  folder[64], file[96];
static struct journal_schema schema;
static struct store         *store;
static uint32_t              first_table;
static struct row           *rows[16];
static uint32_t              row_count;
static uint8_t              *texts[128];
static uint32_t              text_count;
static char                  said[8192];
static sqlite3              *tables;
static const uint8_t         nobody[16] = { 0xab, 0xcd, 0xef, 0x01 };
static uint64_t              game, now_ms, beginning_ms;

static void free_rows(void)
{
    while (row_count > 0)
        free(rows[--row_count]);
    while (text_count > 0)
        free(texts[--text_count]);
}

static void put(void *owner, uint32_t index, const struct record_cell *cells)
{
    uint32_t    count = game_treasure.record->tables[index].column_count;
    struct row *row = calloc(1, sizeof *row + count * sizeof row->cells[0]);
    (void) owner;
    row->table = first_table + index;
    row->op = ROW_PUT;
    row->count = count;
    for (uint32_t i = 0; i < count; i++)
        if (cells[i].text != NULL) {
            assert_true(text_count < sizeof texts / sizeof *texts);
            uint8_t *copy = texts[text_count++] = malloc(cells[i].size + 1);
            memcpy(copy, cells[i].text, cells[i].size);
            row->cells[i] =
                (struct cell){ .kind = CELL_TEXT, .bytes = copy, .size = cells[i].size };
        } else if (cells[i].number != ABSENT) {
            row->cells[i] = (struct cell){ .kind = CELL_NUMBER, .number = cells[i].number };
        }
    assert_true(row_count < sizeof rows / sizeof *rows);
    rows[row_count++] = row;
}

static void say(void *owner, enum record_level level, const struct text *line)
{
    size_t used = strlen(said);
    (void) owner;
    (void) snprintf(said + used, sizeof said - used, "%c %s\n", "dIW"[level], line -> bytes);
}

/* Tells what was done as an engine would, and keeps the rows in one transaction. */
static void tell(uint32_t seat, const struct command *command, bool begins)
{
    static const char         ann[] = "Ann\nMuster\n1234567\n", bot[] = "bot-1";
    const struct record_seat  seats[] = { { nobody, ann, sizeof ann - 1 },
                                          { nobody, bot, sizeof bot - 1 } };
    const struct recorder     to = { NULL, put, say };
    const struct record_facts facts = {
        .number = game,
        .beginning_ms = beginning_ms,
        .now_ms = now_ms,
        .dice = "java",
        .secret = "7",
        .config = CONFIG,
        .config_size = sizeof CONFIG - 1,
        .seats = seats,
    };
    const struct record_deed deed = { seat, command, begins };
    said[0] = '\0';
    game_treasure.record->tell(table.setup, table.state, &facts, &deed, &to);
    assert_int_equal(store_commit(store, (const struct row *const *) rows, row_count, NULL, 0),
                     STORE_COMMITTED);
    free_rows();
}

static void begin_game(const char *leaves)
{
    game++;
    now_ms = beginning_ms;
    open_table(leaves);
    tell(0, NULL, true);
}

static void do_command(uint32_t seat, struct command *command)
{
    now_ms += 50;
    assert_int_equal(treasure_table_hear(&table, seat, command), ACCEPTED);
    tell(seat, command, false);
}

static void submit(uint32_t seat, const char *half)
{
    struct command command;
    treasure_bare(&command, TREASURE_SUBMIT_HALF);
    command.text = (const uint8_t *) half;
    command.text_size = (uint32_t) strlen(half);
    do_command(seat, &command);
}

static void begin_moves(const char *leaves)
{
    begin_game(leaves);
    submit(0, UPPER);
    submit(1, LOWER);
}

static void go(uint32_t seat, word direction)
{
    struct command command;
    treasure_bare(&command, TREASURE_STEP);
    command.arg[0] = 17;
    command.arg[1] = direction;
    do_command(seat, &command);
}

static void update(uint32_t seat, word from_x, word from_y, word to_x, word to_y, word turns)
{
    struct command command = { .kind = TREASURE_UPDATE,
                               .arg = { 2999, from_x, from_y, to_x, to_y, turns } };
    do_command(seat, &command);
}

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

static int begin(void **unused)
{
    struct text fault;
    (void) unused;
    (void) snprintf(folder, sizeof folder, "/tmp/arbiter-record-XXXXXX");
    assert_non_null(mkdtemp(folder));
    (void) snprintf(file, sizeof file, "%s/journal.db", folder);
    journal_schema_init(&schema);
    first_table = journal_schema_add(&schema, game_treasure.record);
    store = store_open(&schema.schema, folder, &fault);
    assert_non_null(store);
    game = 0;
    beginning_ms = BEGINNING_MS;
    return 0;
}

static int end(void **unused)
{
    static const char *const left[] = { "journal.db", "journal.db-wal", "journal.db-shm",
                                        "journal.lock" };
    char                     path[160];
    (void) unused;
    store_close(&store);
    (void) sqlite3_close(tables);
    tables = NULL;
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        (void) snprintf(path, sizeof path, "%s/%s", folder, left[i]);
        (void) unlink(path);
    }
    return rmdir(folder);
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
    begin_moves("{}");
    close_table();
    copy_all();
    assert_sql("SELECT length(Map), substr(Map, 19, 2), substr(Map, 125, 2), Ending FROM Game",
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

static void what_is_no_action_has_no_row(void **unused)
{
    struct command malformed;
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
    begin_game("{}");
    submit(1, NO_MOUNTAIN);
    close_table();
    copy_all();
    assert_sql("SELECT * FROM ActionList", "1|1|STAY|2|1|2|17|-\n2|1|STAY|-|-|-|0|BAD_MESSAGE\n");
    assert_sql("SELECT RoundNumber, Result, Reason, Map IS NULL FROM Game",
               "1|P2_WIN|NOT_YOUR_TURN|0\n1|P2_WIN|BAD_MESSAGE|0\n0|P1_WIN|BAD_MAP|1\n");
    assert_query("Q8", "");
    assert_query("Q4", "BAD_MAP|1|0.0\nBAD_MESSAGE|1|1.0\nNOT_YOUR_TURN|1|1.0\n");
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
    };
    char expected[512] = "";
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

static void every_step_of_a_match_leaves_its_line(void **unused)
{
    (void) unused;
    begin_game("{}");
    assert_string_equal(said, "I treasure game 1: map preparation begins\n");
    submit(0, UPPER);
    assert_string_equal(said, "I treasure game 1: half of seat 1: grass 25, mountain 3, water 4; "
                              "water at the edges: top 0, bottom 0, left 0, right 0; no island\n");
    submit(1, LOWER);
    char *joined = strchr(said, '\n') + 1;
    assert_memory_equal(joined,
                        "I treasure game 1: halves joined one above the other, that of "
                        "seat 1 first; treasures hidden\n"
                        "d treasure game 1: seat 1: castle at 1,1, treasure at ",
                        strlen("I treasure game 1: halves joined one above the other, that of "
                               "seat 1 first; treasures hidden\n"
                               "d treasure game 1: seat 1: castle at 1,1, treasure at "));
    go(0, TREASURE_TO_RIGHT);
    assert_string_equal(said, "I treasure game 1: action 1, seat 1: from 1,1 to 2,1, turns left 3, "
                              "STAY, thought 17 ms\n");
    update(1, 6, 7, 6, 8, 2);
    assert_string_equal(said, "I treasure game 1: action 2, seat 2: from 6,7 to 6,8, turns left 2, "
                              "STAY, thought 2999 ms\n");
    update(0, 1, 1, 1, 3, 2);
    assert_string_equal(said, "W treasure game 1: action 3, seat 1: from 1,1 to 1,3, turns left 2, "
                              "STAY, ILLEGAL_STEP, thought 2999 ms\n"
                              "I treasure game 1: P2_WIN, ILLEGAL_STEP, 3 actions in 250 ms\n");
    close_table();
}

static void bad_halves_and_silence_are_warned_of(void **unused)
{
    struct command malformed;
    (void) unused;
    begin_game("{}");
    submit(1, NO_MOUNTAIN);
    assert_string_equal(said, "W treasure game 1: half of seat 2: grass 28, mountain 0, water 4; "
                              "water at the edges: top 0, bottom 0, left 0, right 0; no island; "
                              "wrong: TOO_FEW_MOUNTAIN\n"
                              "I treasure game 1: P1_WIN, BAD_MAP, 0 actions in 50 ms\n");
    close_table();
    begin_game("{}");
    submit(0, "0101");
    assert_memory_equal(said, "W treasure game 2: half of seat 1; wrong: BAD_LENGTH\n", 53);
    close_table();
    begin_game("{}");
    treasure_table_expire(&table, 1);
    tell(0, NULL, false);
    assert_string_equal(said, "W treasure game 3: after action 0: THINK_TIME\n"
                              "I treasure game 3: P2_WIN, THINK_TIME, 0 actions in 0 ms\n");
    close_table();
    begin_moves("{}");
    treasure_bare(&malformed, TREASURE_MALFORMED);
    do_command(0, &malformed);
    assert_memory_equal(said,
                        "W treasure game 4: action 1, seat 1: cannot be read, STAY, "
                        "BAD_MESSAGE, thought 0 ms\n",
                        83);
    close_table();
}

static void steps_say_where_they_lead_from(void **unused)
{
    (void) unused;
    begin_moves("{}");
    for (word way = TREASURE_UP; way <= TREASURE_TO_RIGHT; way++) {
        go(0, way);
        assert_non_null(strstr(said, "from 1,1 to "));
        go(1, TREASURE_TO_LEFT);
        if (table.state->result != 0 || table.state->n > 4)
            break;
    }
    close_table();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_match_is_in_the_tables_from_its_first_act_on, begin, end),
        cmocka_unit_test_setup_teardown(joining_writes_the_map_and_where_they_start, begin, end),
        cmocka_unit_test_setup_teardown(each_action_is_a_row_and_the_last_one_ends_the_game, begin,
                                        end),
        cmocka_unit_test_setup_teardown(what_is_no_action_has_no_row, begin, end),
        cmocka_unit_test_setup_teardown(what_a_column_cannot_hold_is_left_out, begin, end),
        cmocka_unit_test_setup_teardown(the_set_up_and_the_time_are_written_as_they_are, begin,
                                        end),
        cmocka_unit_test_setup_teardown(a_game_is_replayed_from_the_tables_alone, begin, end),
        cmocka_unit_test_setup_teardown(every_step_of_a_match_leaves_its_line, begin, end),
        cmocka_unit_test_setup_teardown(bad_halves_and_silence_are_warned_of, begin, end),
        cmocka_unit_test_setup_teardown(steps_say_where_they_lead_from, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
