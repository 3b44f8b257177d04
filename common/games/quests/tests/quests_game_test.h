/* quests_game_test.h: a match of quests in memory, played at random, for the tests of its rules. */
#ifndef ARBITER_QUESTS_GAME_TEST_H
#define ARBITER_QUESTS_GAME_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "dice/draw.h"
#include "dice/kinds.h"
#include "games/quests/quests_rules.h"
#include "wire/arena.h"
#include "json/json.h"

static char last_fault[512];

static inline void keep_fault(struct faults *faults, const struct value *at, const char *key,
                              const char *what)
{
    (void) faults, (void) at;
    (void) snprintf(last_fault, sizeof last_fault, "%s: %s", key ? key : "", what);
}

/* Faults of a set-up; `setup` unless there are any. */
static inline uint32_t configure(const char *config, const char *options,
                                 struct quests_setup *setup)
{
    static uint8_t memory[1 << 17];
    struct faults  faults = { 0, keep_fault };
    struct arena   arena;

    arena_init(&arena, memory, sizeof memory);
    const struct value *tree = json_value(config, strlen(config), &arena, &faults);
    const struct value *chosen = json_value(options, strlen(options), &arena, &faults);
    memset(setup, 0, sizeof *setup);
    size_t size = game_quests.configure(tree, chosen, setup, sizeof *setup, &faults);
    assert_int_equal(size, faults.count > 0 ? 0 : sizeof *setup);
    return faults.count;
}

struct game_at_hand {
    struct quests_setup setup;
    struct quests_state state;
    struct dice         dice, luck;
    struct sink         out;
    struct legal        list;
    word                words[1024];
    struct pattern      patterns[8];
    word                values[64];
};

static inline struct play begin(struct game_at_hand *game, const char *config, uint64_t seed)
{
    struct bounds bounds;

    memset(game, 0, sizeof *game);
    assert_int_equal(configure(config, "{\"rigged\": true}", &game->setup), 0);
    game_quests.bounds(&game->setup, QUESTS_SEATS, &bounds);
    assert_true(bounds.event_words <= 1024);
    game->out = (struct sink){ .words = game->words, .capacity = bounds.event_words };
    game->list = (struct legal){ .pattern = game->patterns,
                                 .value = game->values,
                                 .patterns_max = bounds.legal_patterns,
                                 .values_max = bounds.legal_values };
    dice_java(&game->dice, seed);
    dice_splitmix(&game->luck, seed);
    struct play play = { &game->setup, &game->state, &game->dice, &game->out };
    game_quests.start(&play, QUESTS_SEATS);
    return play;
}

/* Builds as the simple player does, for who builds at random hardly ever ends; else at random. */
static inline void choose(struct game_at_hand *game, uint32_t seat, struct command *command)
{
    game_quests.legal(&game->setup, &game->state, seat, &game->list);
    uint64_t count = legal_count(&game->list);
    assert_true(count > 0);
    legal_pick(&game->list, draw_below(&game->luck, (uint32_t) count), command);
    if (game->state.phase != QUESTS_ASKS_BUILD || draw_below(&game->luck, 8) == 0)
        return;
    for (uint64_t k = 0; k < count; k++) {
        struct command other;
        legal_pick(&game->list, k, &other);
        if (game_quests.judge(&game->setup, &game->state, seat, &other) > 0) {
            *command = other;
            return;
        }
    }
}

#endif
