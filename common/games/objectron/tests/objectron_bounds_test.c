/* objectron_bounds_test.c: what the bound on the words of one command rests on, and that it holds.
 * Also, no view and no event tells where an armed grenade lies. README.md has the argument that
 * these are the steps of. */
#include "games/objectron/tests/objectron_stage_test.h"

#define GAMES 250
#define COMMANDS_MAX 300
#define CARRIED_MOST 8 /* Two grenades without power, all of it carried over. */

/* Sets-ups in which much goes wrong. */
static const char *const tables[] = {
    "{\"mode\":\"ctf\",\"players\":3,\"width\":10,\"height\":10,\"disc_percent\":20,"
    "\"grenade_percent\":20,\"teleporter_percent\":10,\"power_failure_bp\":500}",
    "{\"mode\":\"ctf\",\"players\":6,\"grid\":[\"1 2 3 \",\"      \",\"4 5 6 \"],"
    "\"actions_per_turn\":2,\"disc_percent\":40,\"grenade_percent\":40,\"power_failure_bp\":900}",
    "{\"mode\":\"race\",\"players\":2,\"width\":10,\"height\":11,\"actions_per_turn\":10,"
    "\"grenade_percent\":30,\"generator_percent\":20}",
};

/* Plays a command; instead of one that ends the turn, its clock runs out. */
static void play_this(struct objectron_table *table, struct command command)
{
    uint32_t    seat = (uint32_t) table->state->current;
    struct play play = staged(table);
    if (command.kind == OBJECTRON_END_TURN)
        assert_true(game_objectron.expire(&play, 1u << seat));
    else
        assert_int_equal(game_objectron.apply(&play, seat, &command), ACCEPTED);
}

static void for_all_games(void (*each)(struct objectron_table *, struct dice *))
{
    for (uint64_t seed = 1; seed <= GAMES; seed++) {
        struct objectron_table table;
        struct dice            luck;
        stage(&table, tables[seed % 3], "{}", seed);
        dice_splitmix(&luck, ~seed);
        for (uint32_t i = 0; i < COMMANDS_MAX && !table.state->over; i++)
            each(&table, &luck);
        objectron_table_close(&table);
    }
}

static uint32_t count_discs(const struct objectron_state *state, int32_t square)
{
    uint32_t discs = 0;
    for (int32_t i = 0; i < state->items; i++) {
        const struct objectron_item *item = &objectron_items(state)[i];
        discs += item->at == square &&
                 (item->kind == OBJECTRON_DISC || item->kind == OBJECTRON_CHARGED_DISC);
    }
    return discs;
}

static uint32_t skips_seen, debts_seen;

static void owes_no_more_than_it_may(struct objectron_table *table, struct dice *luck)
{
    /* The bot hits more often. */
    play_this(table, draw_below_u64(luck, 0, 2) == 0 ? pick_best(table) : pick_any(table, luck));
    for (int32_t seat = 0; seat < table->state->seats; seat++) {
        const struct objectron_player *player = &table->state->player[seat];
        if (!player->alive)
            continue;
        assert_true((uint32_t) player->skip <= count_discs(table->state, player->at));
        assert_in_range(player->pending, 0, CARRIED_MOST);
        skips_seen += player->skip > 0;
        debts_seen += player->pending > 2;
    }
}

static void who_is_to_skip_turns_stands_on_as_many_discs(void **unused)
{
    (void) unused;
    skips_seen = debts_seen = 0;
    for_all_games(owes_no_more_than_it_may);
    assert_true(skips_seen > 100);
    assert_true(debts_seen > 0);
}

/* Everybody owes all they can, the whole grid is dark, and so many turns pass before somebody
 * acts. */
static void end_in_the_worst_moment(int32_t actions)
{
    char                   config[512];
    struct objectron_table table;
    struct command         end = { .kind = OBJECTRON_END_TURN, .arg = { 1 } };
    for (uint32_t i = 1; i < COMMAND_ARGS_MAX; i++)
        end.arg[i] = ABSENT;
    (void) snprintf(config, sizeof config,
                    "{\"mode\":\"ctf\",\"players\":9,\"grid\":[\"1 2 3 4 5 \",\"6 7 8 9   \","
                    "\"          \",\"          \"],\"actions_per_turn\":%d,"
                    "\"disc_percent\":50,\"generator_percent\":60,\"power_failure_bp\":10000}",
                    actions);
    stage(&table, config, "{}", 1);
    struct objectron_state *state = table.state;
    for (int32_t seat = 0; seat < state->seats; seat++) {
        state->player[seat].pending = CARRIED_MOST;
        state->player[seat].skip = objectron_percent(40, 50) / state->seats + 1;
    }
    state->player[state->current].pending = state->player[state->current].skip = 0;
    state->left = actions;
    state->moved = 1;
    state->turn_start = -1;
    struct play play = staged(&table);
    uint32_t    seat = (uint32_t) state->current;
    assert_int_equal(game_objectron.apply(&play, seat, &end), ACCEPTED);
    assert_true(table.out.used <= table.bounds.event_words);
    assert_true(table.out.used > table.bounds.event_words / 50); /* And it is no absurd one. */
    print_message("%d actions: said %u words, may say %u\n", actions, table.out.used,
                  table.bounds.event_words);
    objectron_table_close(&table);
}

static void the_worst_command_says_no_more_than_its_bound(void **unused)
{
    (void) unused;
    end_in_the_worst_moment(2);
    end_in_the_worst_moment(10);
}

static bool has_exploded(const struct sink *said)
{
    for (const word *event = sink_first(said); event != NULL; event = sink_next(said, event))
        if (event_kind(event) == OBJECTRON_GRENADE_EXPLODED)
            return true;
    return false;
}

/* Moves every armed grenade to some other free square; how many there are. */
static uint32_t move_armed(struct objectron_state *state, struct dice *luck)
{
    uint32_t moved = 0;
    for (int32_t i = 0; i < state->items; i++) {
        struct objectron_item *item = &objectron_items(state)[i];
        if (item->state != OBJECTRON_ACTIVE)
            continue;
        do
            item->at = (int16_t) draw_below_u64(luck, 0,
                                                (uint64_t) state->width * (uint64_t) state->height);
        while (!objectron_free(state, item->at) || objectron_player_on(state, item->at) >= 0);
        moved++;
    }
    return moved;
}

static uint32_t told, compared;

static void looks_the_same(const struct objectron_table *table, const void *twin)
{
    static word words[2][20000];
    struct sink look[2] = { { .words = words[0], .capacity = 20000 },
                            { .words = words[1], .capacity = 20000 } };
    game_objectron.view(table->setup, table->state, SPECTATOR, &look[0]);
    game_objectron.view(table->setup, twin, SPECTATOR, &look[1]);
    assert_int_equal(look[0].used, look[1].used);
    assert_memory_equal(words[0], words[1], look[0].used * sizeof(word));
}

/* The same command with all armed grenades elsewhere: unless one explodes, the same is said and seen. */
static void tells_nothing_of_grenades(struct objectron_table *table, struct dice *luck)
{
    static word    words[1 << 20];
    struct dice    dice = table->dice;
    size_t         bytes = table->bounds.state_bytes;
    void          *twin = malloc(bytes);
    struct sink    other = { .words = words, .capacity = 1 << 20 };
    struct play    play = { table->setup, twin, &dice, &other };
    struct dice    same = *luck;
    struct command command = pick_any(table, &same);
    uint32_t       seat = (uint32_t) table->state->current;
    assert_non_null(twin);
    memcpy(twin, table->state, bytes);
    bool is_armed = move_armed(twin, &same) > 0;
    looks_the_same(table, twin);
    if (command.kind == OBJECTRON_END_TURN)
        assert_true(game_objectron.expire(&play, 1u << seat));
    else
        assert_int_equal(game_objectron.apply(&play, seat, &command), ACCEPTED);
    play_this(table, pick_any(table, luck));
    told += has_exploded(&table->out);
    if (is_armed && !has_exploded(&table->out) && !has_exploded(&other)) {
        compared++;
        assert_int_equal(table->out.used, other.used);
        assert_memory_equal(table->out.words, other.words, other.used * sizeof(word));
        looks_the_same(table, twin);
    }
    free(twin);
}

static void no_view_and_no_later_event_tells_where_an_armed_grenade_lies(void **unused)
{
    (void) unused;
    told = compared = 0;
    for_all_games(tells_nothing_of_grenades);
    assert_true(told > 100);
    assert_true(compared > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_to_skip_turns_stands_on_as_many_discs),
        cmocka_unit_test(the_worst_command_says_no_more_than_its_bound),
        cmocka_unit_test(no_view_and_no_later_event_tells_where_an_armed_grenade_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
