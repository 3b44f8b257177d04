/* objectron_scatter_test.c: what dice lay on grids so small that there is little room. One item
 * lies near every player, no more than fit, none where it must not lie. Ways on wide grids are
 * counted right. */
#include "games/objectron/tests/objectron_stage_test.h"

#define SEEDS 60
#define DRY                                                                                        \
    "\"grenade_percent\":0,\"disc_percent\":0,\"teleporter_percent\":0,\"generator_percent\":0,"   \
    "\"charged_disc\":false"

static struct objectron_table table;

/* Lays a grid out, with nothing but what `more` asks for. */
static void lay(const char *players, const char *grid, const char *more, uint64_t seed)
{
    char config[4096];
    (void) snprintf(config, sizeof config,
                    "{\"mode\":\"ctf\",\"players\":%s,\"power_failure_bp\":0,\"grid\":[%s],%s}",
                    players, grid, more);
    stage(&table, config, "{}", seed);
}

static int32_t distance(int32_t from, int32_t to)
{
    int32_t width = table.state->width;
    int32_t dx = abs(from % width - to % width), dy = abs(from / width - to / width);
    return dx > dy ? dx : dy;
}

/* The items of a kind, by their squares; how many. */
static int32_t find(uint32_t kind, int32_t *at)
{
    int32_t count = 0;
    for (int32_t i = 0; i < table.state->items; i++)
        if (objectron_items(table.state)[i].kind == kind)
            at[count++] = objectron_items(table.state)[i].at;
    return count;
}

/* Each player in turn has one that lies near already, or gets the next. */
static void each_has_one_near_him(uint32_t kind, int32_t radius)
{
    int32_t at[64], taken = 0, count = find(kind, at);
    for (int32_t seat = 0; seat < table.state->seats; seat++) {
        bool has_one = false;
        for (int32_t i = 0; i < taken; i++)
            has_one = has_one || distance(table.state->player[seat].home, at[i]) <= radius;
        if (has_one)
            continue;
        assert_true(taken < count);
        assert_in_range(distance(table.state->player[seat].home, at[taken]), 1, radius);
        taken++;
    }
    assert_int_equal(taken, count);
}

static void who_has_one_near_him_gets_no_second(void **unused)
{
    static const char *const grids[] = {
        "\"1    2    3\"",
        "\"3    1    2\"",
        "\"1   3   2\"",
        "\"1\",\" \",\" \",\" \",\" \",\"2\",\" \",\" \",\" \",\" \",\"3\"",
        "\"2\",\" \",\" \",\" \",\"1\",\" \",\" \",\" \",\"3\"",
        "\"1      \",\"       \",\"       \",\"   2   \",\"       \",\"      3\"",
        "\"      1\",\"       \",\"       \",\"   2   \",\"       \",\"3      \"",
    };
    (void) unused;
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            lay("3", grids[i], DRY, seed);
            each_has_one_near_him(OBJECTRON_GRENADE, 2);
            each_has_one_near_him(OBJECTRON_DISC, 3);
            objectron_table_close(&table);
        }
}

/* Of a kind there are as many as the per cent say, if so many squares are free; two teleporters at least, or none. */
static void there_are_as_many_as_wanted_where_there_is_room(void **unused)
{
#define WET(percent)                                                                               \
    "\"charged_disc\":false,\"grenade_percent\":" percent ",\"disc_percent\":" percent             \
    ",\"teleporter_percent\":" percent ",\"generator_percent\":" percent
    static const struct {
        const char *grid, *more;
        int32_t     grenades, teleporters, generators;
    } rows[] = {
        { "\"1 2\"", WET("100"), 1, 0, 1 },
        { "\"1  2\"", WET("100"), 2, 2, 2 },
        { "\"1    #2\",\"       \"", WET("100"), 11, 11, 11 },
        { "\"1         2\"", WET("26"), 3, 3, 3 },
        { "\"1         2\"", WET("27"), 3, 3, 3 },
        { "\"1         2\"", WET("28"), 4, 4, 4 },
        { "\"1         2\"", WET("9"), 2, 0, 1 },
    };
    (void) unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint64_t seed = 1; seed <= 8; seed++) {
            int32_t at[64];
            lay("2", rows[i].grid, rows[i].more, seed);
            assert_int_equal(find(OBJECTRON_GRENADE, at), rows[i].grenades);
            assert_int_equal(find(OBJECTRON_DISC, at), rows[i].grenades);
            assert_int_equal(find(OBJECTRON_GENERATOR, at), rows[i].generators);
            assert_int_equal(find(OBJECTRON_TELEPORTER, at), rows[i].teleporters);
            for (int32_t k = 0; k < rows[i].teleporters; k++)
                for (int32_t other = 0; other < k; other++)
                    assert_true(at[k] != at[other]);
            objectron_table_close(&table);
        }
}

/* What a function finds on its stack is no zero by right. */
static void soil_the_stack(void)
{
    volatile uint8_t soil[1 << 17];
    for (size_t i = 0; i < sizeof soil; i++)
        soil[i] = 0xff;
}

/* The first square is one like the others. */
static void the_first_square_is_used(void **unused)
{
    int32_t at[64];
    (void) unused;
    soil_the_stack();
    lay("2", "\"  1 2\"", WET("100"), 1);
    assert_int_equal(find(OBJECTRON_TELEPORTER, at), 3);
    assert_int_equal(find(OBJECTRON_GENERATOR, at), 3);
    objectron_table_close(&table);
}

/* A player without room nearby gets none, and it is not counted: as many as wanted lie
 * elsewhere. */
static void where_there_is_no_room_near_a_player_nothing_is_counted(void **unused)
{
    int32_t at[64];
    (void) unused;
    lay("5", "\"12345         \"", WET("50"), 1);
    assert_int_equal(find(OBJECTRON_GRENADE, at), 7);
    assert_int_equal(find(OBJECTRON_DISC, at), 7);
    objectron_table_close(&table);
}

/* They have the ids from 1 on, in order; flags come last, and lie at home. */
static void what_dice_lay_belongs_to_nobody(void **unused)
{
    (void) unused;
    stage(&table,
          "{\"mode\":\"ctf\",\"players\":4,\"width\":12,\"height\":10,\"grenade_percent\":9,"
          "\"power_failure_bp\":0}",
          "{}", 3);
    int32_t first_flag = table.state->items - 4;
    for (int32_t i = 0; i < table.state->items; i++) {
        const struct objectron_item *item = &objectron_items(table.state)[i];
        assert_int_equal(item->id, i + 1);
        assert_int_equal(item->holder, -1);
        assert_int_equal(item->by, -1);
        assert_int_equal(item->uses, 0);
        assert_int_equal(item->state, item->kind == OBJECTRON_GRENADE ? OBJECTRON_IDLE : 0);
        assert_int_equal(item->owner, i < first_flag ? -1 : i - first_flag);
        assert_int_equal(item->kind == OBJECTRON_FLAG, i >= first_flag);
        if (i >= first_flag)
            assert_int_equal(item->at, table.state->player[i - first_flag].home);
        if (item->kind != OBJECTRON_TELEPORTER)
            assert_int_equal(item->dest, -1);
        else
            assert_true(item->dest != i && item[item->dest - i].kind == OBJECTRON_TELEPORTER);
    }
    objectron_table_close(&table);
}

/* Each teleporter leads to any of the others, and never to itself. */
static void a_teleporter_leads_to_any_other(void **unused)
{
    uint32_t seen[3][3] = { { 0 } };
    (void) unused;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        lay("2", "\"1   2\"",
            "\"grenade_percent\":0,\"disc_percent\":0,\"teleporter_percent\":60,"
            "\"generator_percent\":0,\"charged_disc\":false",
            seed);
        int32_t first = objectron_lying(table.state, 1, OBJECTRON_TELEPORTER);
        for (int32_t i = 0; i < table.state->items; i++)
            if (objectron_items(table.state)[i].kind == OBJECTRON_TELEPORTER && i < first)
                first = i;
        for (int32_t i = 0; i < 3; i++)
            seen[i][objectron_items(table.state)[first + i].dest - first]++;
        objectron_table_close(&table);
    }
    for (int32_t i = 0; i < 3; i++)
        for (int32_t k = 0; k < 3; k++)
            assert_int_equal(seen[i][k] > 0, i != k);
}

/* On squares about as far from one as from the other, no starts, on each of them; or nowhere. */
static void the_charged_disc_lies_in_between(void **unused)
{
    static const struct {
        const char *grid;
        uint32_t    squares; /* By bits. */
    } rows[] = { { "\"1 2\"", 2 },      { "\"12 \"", 4 },
                 { "\"12\"", 0 },       { "\"1  2\"", 6 },
                 { "\"1   2\"", 14 },   { "\"1    2\"", 12 },
                 { "\"12   \"", 28 },   { "\"1#2\",\"   \"", 0x38 },
                 { "\"  12  \"", 0x33 } };
    (void) unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t found = 0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            int32_t at[64];
            lay("2", rows[i].grid,
                "\"grenade_percent\":0,\"disc_percent\":0,\"teleporter_percent\":0,"
                "\"generator_percent\":0",
                seed);
            if (find(OBJECTRON_CHARGED_DISC, at) > 0)
                found |= 1u << at[0];
            objectron_table_close(&table);
        }
        assert_int_equal(found, rows[i].squares);
    }
}

/* From starts that are close, too: nothing has been reached before the first step. */
static void squares_between_close_starts_are_fair(void **unused)
{
    uint8_t fair[12];
    (void) unused;
    lay("2", "\"        1 2 \"", DRY, 1);
    soil_the_stack();
    objectron_mark_fair(table.state, fair);
    for (int32_t x = 0; x < 12; x++)
        assert_int_equal(fair[x], 1); /* Nobody is further behind than two steps. */
    objectron_table_close(&table);
    lay("2", "\"1  2\"", DRY, 1);
    soil_the_stack();
    objectron_mark_fair(table.state, fair);
    for (int32_t x = 0; x < 4; x++)
        assert_int_equal(fair[x], x == 1 || x == 2);
    objectron_table_close(&table);
}

/* What each square is away from a start, by widening it again and again. */
static void measure(const struct objectron_state *state, int32_t home, int32_t *steps)
{
    bool changed = true;
    for (int32_t at = 0; at < objectron_squares(state); at++)
        steps[at] = at == home ? 0 : 100000;
    while (changed) {
        changed = false;
        for (int32_t at = 0; at < objectron_squares(state); at++)
            for (uint32_t dir = 0; dir < 8 && objectron_free(state, at); dir++) {
                int32_t from = objectron_step(state, at, dir);
                if (from < 0 || steps[from] + 1 >= steps[at])
                    continue;
                steps[at] = steps[from] + 1;
                changed = true;
            }
    }
}

/* A square is fair if all come to it within two steps of each other; rows are wider than a word. */
static void ways_are_counted_right_on_generated_grids(void **unused)
{
    static int32_t           steps[4][OBJECTRON_SQUARES_MAX];
    static uint8_t           fair[OBJECTRON_SQUARES_MAX];
    static const char *const sizes[] = { "\"width\":70,\"height\":11", "\"width\":66,\"height\":10",
                                         "\"width\":10,\"height\":100",
                                         "\"width\":12,\"height\":12" };
    (void) unused;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        char     config[256];
        uint32_t players = seed % 2 == 0 ? 2 : 3;
        (void) snprintf(config, sizeof config, "{\"mode\":\"ctf\",\"players\":%u,%s}", players,
                        sizes[seed % 4]);
        stage(&table, config, "{}", seed);
        for (uint32_t seat = 0; seat < players; seat++)
            measure(table.state, table.state->player[seat].home, steps[seat]);
        soil_the_stack();
        objectron_mark_fair(table.state, fair);
        for (int32_t at = 0; at < objectron_squares(table.state); at++) {
            int32_t least = steps[0][at], most = steps[0][at];
            for (uint32_t seat = 1; seat < players; seat++) {
                least = steps[seat][at] < least ? steps[seat][at] : least;
                most = steps[seat][at] > most ? steps[seat][at] : most;
            }
            assert_int_equal(fair[at], objectron_free(table.state, at) && most - least <= 2);
        }
        objectron_table_close(&table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_has_one_near_him_gets_no_second),
        cmocka_unit_test(there_are_as_many_as_wanted_where_there_is_room),
        cmocka_unit_test(the_first_square_is_used),
        cmocka_unit_test(where_there_is_no_room_near_a_player_nothing_is_counted),
        cmocka_unit_test(what_dice_lay_belongs_to_nobody),
        cmocka_unit_test(a_teleporter_leads_to_any_other),
        cmocka_unit_test(the_charged_disc_lies_in_between),
        cmocka_unit_test(squares_between_close_starts_are_fair),
        cmocka_unit_test(ways_are_counted_right_on_generated_grids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
