/* dead_random_test.c: random games of every edition, with everything that must hold checked after
 * every command. These are the invariants, the list against what is accepted, a twin elsewhere, and
 * what is hidden. */
#include "games/dead/tests/dead_test.h"

#define GAMES_PER_CONFIG 20

static const char *const configs[] = {
    "standard-base",        "dead-base",          "trashy-base",         "clinic-base",
    "killers-base",         "solo-base",          "standard-equipment",  "trashy-equipment",
    "clinic-equipment",     "dead-equipment",     "searchers-equipment", "fewpeople-equipment",
    "standard-crossroads",  "dead-crossroads",    "trashy-crossroads",   "searchers-crossroads",
    "fewpeople-crossroads", "overrun-crossroads", "big-crossroads",      "nokids-crossroads",
};

static void *setup_of(const char *config)
{
    char options[64];
    (void) snprintf(options, sizeof options, "{\"edition\": \"%s\", \"patience\": 2}",
                    strchr(config, '-') + 1);
    return setup_of_file(config, options);
}

static void play_random_games(const char *config,
                              void (*step)(struct game_at_hand *, struct dice *),
                              void (*after)(const struct game_at_hand *))
{
    struct dead_setup *setup = setup_of(config);
    for (uint64_t seed = 0; seed < GAMES_PER_CONFIG; seed++) {
        uint32_t            seats = 1 + (uint32_t) seed % setup->players_max;
        struct game_at_hand game = open_game(setup, seats, seed);
        struct dice         choice;
        uint32_t            commands = 0;
        dice_splitmix(&choice, seed);
        start_game(&game, seats);
        while (game_dead.to_act(setup, game.state) != 0) {
            after(&game);
            step(&game, &choice);
            assert_true(++commands < 2 * game.bounds.commands);
        }
        after(&game);
        close_game(&game);
    }
    free(setup);
}

static void for_all_configs(void (*step)(struct game_at_hand *, struct dice *),
                            void (*after)(const struct game_at_hand *))
{
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++)
        play_random_games(configs[i], step, after);
}

static void pick(struct game_at_hand *game, struct dice *choice, struct command *command)
{
    game_dead.legal(game->setup, game->state, awaited(game), &game->legal);
    uint64_t count = legal_count(&game->legal);
    assert_true(count > 0);
    do
        legal_pick(&game->legal, draw_below_u64(choice, 0, count), command);
    while (command->kind == DEAD_LEAVE && draw_below_u64(choice, 0, 50) > 0);
}

static void play_one(struct game_at_hand *game, struct dice *choice)
{
    struct command command;
    pick(game, choice, &command);
    assert_int_equal(apply_to(game, awaited(game), &command), ACCEPTED);
}

static void do_nothing(const struct game_at_hand *game)
{
    (void) game;
}

static void no_invariant_is_broken(const struct game_at_hand *game)
{
    const char *broken = game_dead.check(game->setup, game->state);
    if (broken != NULL)
        fail_msg("%s", broken);
}

static void random_games_break_no_invariant(void **unused)
{
    (void) unused;
    for_all_configs(play_one, no_invariant_is_broken);
}

/* Morale is what it was, plus what was announced; so are food's changes beside base's own words. */
static void play_and_sum_morale(struct game_at_hand *game, struct dice *choice)
{
    const struct dead_state *state = game->state;
    int64_t                  moral = state->moral;
    play_one(game, choice);
    for (const word *event = sink_first(&game->out); event; event = sink_next(&game->out, event))
        if (event_kind(event) == DEAD_MORAL_CHANGED)
            moral += event_fields(event)[0];
    assert_int_equal(state->moral, moral);
}

static void morale_is_the_sum_of_its_announced_changes(void **unused)
{
    (void) unused;
    for_all_configs(play_and_sum_morale, do_nothing);
}

/* A value an argument might have: of the list, of the match, or none at all. */
static word any_value(const struct game_at_hand *game, struct dice *choice)
{
    switch (draw_below_u64(choice, 0, 6)) {
    case 0: return ABSENT;
    case 1: return (word) draw_below_u64(choice, 0, 7) - 1;
    case 2: return (word) draw_below_u64(choice, 0, 2000);
    case 3: return INT64_MAX - (word) draw_below_u64(choice, 0, 3);
    default: return game->legal.value[draw_below_u64(choice, 0, game->legal.values)];
    }
}

static void ask_for_anything(struct game_at_hand *game, struct dice *choice)
{
    struct command command = { .kind =
                                   (uint32_t) draw_below_u64(choice, 0, DEAD_COMMAND_KINDS + 1) };
    struct dice    dice = game->dice;
    void          *before = malloc(game->bounds.state_bytes);
    memcpy(before, game->state, game->bounds.state_bytes);
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command.arg[i] = i < 3 ? any_value(game, choice) : ABSENT;
    bool    listed = legal_has(&game->legal, &command);
    verdict refused = apply_to(game, awaited(game), &command);
    assert_int_equal(listed, refused == ACCEPTED);
    if (refused) {
        assert_memory_equal(before, game->state, game->bounds.state_bytes);
        assert_memory_equal(&dice, &game->dice, sizeof dice);
        assert_int_equal(game->out.used, 0);
        assert_non_null(game_dead.reasons[refused].sentence);
    }
    memcpy(game->state, before, game->bounds.state_bytes);
    game->dice = dice;
    free(before);
}

static void ask_much_then_play(struct game_at_hand *game, struct dice *choice)
{
    struct command command;
    pick(game, choice, &command);
    for (uint32_t i = 0; i < 40; i++)
        if (game->legal.values > 0)
            ask_for_anything(game, choice);
    assert_true(legal_has(&game->legal, &command));
    uint32_t other = (awaited(game) + 1) % ((struct dead_state *) game->state)->seats;
    if (other != awaited(game)) {
        assert_int_not_equal(apply_to(game, other, &command), ACCEPTED);
        game_dead.legal(game->setup, game->state, other, &game->legal);
        assert_int_equal(game->legal.patterns, 0);
    }
    assert_int_equal(apply_to(game, awaited(game), &command), ACCEPTED);
}

static void the_list_is_what_is_accepted_and_refusals_change_nothing(void **unused)
{
    (void) unused;
    for_all_configs(ask_much_then_play, do_nothing);
}

/* The same command in a copy of the match at another address gives the same bytes and the same words. */
static void play_with_a_twin(struct game_at_hand *game, struct dice *choice)
{
    struct dead_state  *state = game->state;
    struct game_at_hand twin = open_game(game->setup, state->seats, 0);
    struct command      command;
    pick(game, choice, &command);
    memcpy(twin.state, game->state, game->bounds.state_bytes);
    twin.dice = game->dice;
    assert_int_equal(apply_to(&twin, awaited(game), &command), ACCEPTED);
    assert_int_equal(apply_to(game, awaited(game), &command), ACCEPTED);
    assert_memory_equal(twin.state, game->state, game->bounds.state_bytes);
    assert_int_equal(twin.out.used, game->out.used);
    assert_memory_equal(twin.out.words, game->out.words, game->out.used * sizeof(word));
    close_game(&twin);
}

static void a_twin_at_another_address_never_drifts(void **unused)
{
    (void) unused;
    for_all_configs(play_with_a_twin, do_nothing);
}

/* Everything a viewer is shown, one after the other. */
static void look_at(const struct game_at_hand *game, uint32_t viewer, struct sink *out)
{
    out->used = 0;
    game_dead.view(game->setup, game->state, viewer, out);
    assert_true(out->used <= game->bounds.view_words);
    if (viewer != SPECTATOR)
        game_dead.asks(game->setup, game->state, viewer, out);
}

static void a_view_shows_nothing_hidden(const struct game_at_hand *game)
{
    const struct dead_state *state = game->state;
    uint32_t                 words = game->bounds.view_words + 16;
    struct sink              shown = { .words = calloc(words, sizeof(word)), .capacity = words };
    struct sink              flipped = { .words = calloc(words, sizeof(word)), .capacity = words };
    uint8_t                 *mask = malloc(game->bounds.state_bytes);
    for (uint32_t viewer = 0; viewer <= state->seats; viewer++) {
        uint32_t who = viewer == state->seats ? SPECTATOR : viewer;
        uint8_t *bytes = game->state;
        memset(mask, 0, game->bounds.state_bytes);
        game_dead.hidden(game->setup, game->state, who, mask);
        look_at(game, who, &shown);
        for (uint32_t i = 0; i < game->bounds.state_bytes; i++)
            bytes[i] ^= mask[i];
        look_at(game, who, &flipped);
        for (uint32_t i = 0; i < game->bounds.state_bytes; i++)
            bytes[i] ^= mask[i];
        assert_int_equal(shown.used, flipped.used);
        assert_memory_equal(shown.words, flipped.words, shown.used * sizeof(word));
    }
    free(mask);
    free(flipped.words);
    free(shown.words);
}

static void no_view_depends_on_what_is_hidden(void **unused)
{
    (void) unused;
    for_all_configs(play_one, a_view_shows_nothing_hidden);
}

/* Time runs out, the house removes somebody, or a command is played. */
static void play_or_be_late(struct game_at_hand *game, struct dice *choice)
{
    struct dead_state *state = game->state;
    struct play        play = play_of(game);
    game->out.used = 0;
    switch (draw_below_u64(choice, 0, 40)) {
    case 0: assert_true(game_dead.expire(&play, game_dead.to_act(game->setup, game->state))); break;
    case 1:
        (void) game_dead.leave(&play, (uint32_t) draw_below_u64(choice, 0, state->seats));
        break;
    default: play_one(game, choice); break;
    }
}

static void silence_and_removal_break_no_invariant(void **unused)
{
    (void) unused;
    for_all_configs(play_or_be_late, no_invariant_is_broken);
}

/* The best command in the eyes of the greedy player; the first of equals. */
static void play_greedily(struct game_at_hand *game, struct dice *choice)
{
    struct command best = { .kind = 0 };
    int64_t        liked = INT64_MIN;
    (void) choice;
    game_dead.legal(game->setup, game->state, awaited(game), &game->legal);
    for (uint64_t k = legal_count(&game->legal); k-- > 0;) {
        struct command command;
        legal_pick(&game->legal, k, &command);
        int64_t like = game_dead.judge(game->setup, game->state, awaited(game), &command);
        if (like > liked) {
            liked = like;
            best = command;
        }
    }
    assert_int_not_equal(best.kind, DEAD_LEAVE);
    assert_int_equal(apply_to(game, awaited(game), &best), ACCEPTED);
}

static uint32_t games_won;

static void count_if_won(const struct game_at_hand *game)
{
    games_won += ((const struct dead_state *) game->state)->won;
}

static uint32_t won_of(const char *config, void (*step)(struct game_at_hand *, struct dice *))
{
    games_won = 0;
    play_random_games(config, step, count_if_won);
    return games_won;
}

static void greed_wins_where_chance_loses(void **unused)
{
    (void) unused;
    assert_true(won_of("dead-base", play_greedily) > won_of("dead-base", play_one) + 5);
    assert_true(won_of("lowmoral-base", play_greedily) > won_of("lowmoral-base", play_one));
    assert_int_equal(won_of("mild-base", play_greedily), GAMES_PER_CONFIG);
    for_all_configs(play_greedily, do_nothing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_games_break_no_invariant),
        cmocka_unit_test(morale_is_the_sum_of_its_announced_changes),
        cmocka_unit_test(the_list_is_what_is_accepted_and_refusals_change_nothing),
        cmocka_unit_test(a_twin_at_another_address_never_drifts),
        cmocka_unit_test(no_view_depends_on_what_is_hidden),
        cmocka_unit_test(silence_and_removal_break_no_invariant),
        cmocka_unit_test(greed_wins_where_chance_loses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
