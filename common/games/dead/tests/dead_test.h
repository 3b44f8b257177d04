/* dead_test.h: what the tests of the dead share: set-ups from the recorded configurations, and a match
 * that can be played, copied and looked at. */
#ifndef ARBITER_DEAD_TEST_H
#define ARBITER_DEAD_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/value.h"
#include "dice/draw.h"
#include "dice/kinds.h"
#include "games/dead/dead.h"
#include "games/dead/dead_rules.h"
#include "wire/arena.h"
#include "json/json.h"

#define CONFIGS ARBITER_SOURCE "/common/games/dead/configs/"

static inline void fail_fault(struct faults *faults, const struct value *at, const char *key,
                              const char *what)
{
    struct text place;
    (void) faults;
    value_place(&place, at);
    fail_msg("%s/%s: %s", place.bytes, key ? key : "", what);
}

static inline void *setup_of_text(const char *config, const char *options)
{
    size_t        bytes = JSON_VALUE_BYTES(strlen(config)) + JSON_VALUE_BYTES(strlen(options));
    void         *memory = malloc(bytes);
    struct faults faults = { 0, fail_fault };
    struct arena  arena;
    arena_init(&arena, memory, bytes);
    const struct value *tree = json_value(config, strlen(config), &arena, &faults);
    const struct value *chosen = json_value(options, strlen(options), &arena, &faults);
    size_t              size = game_dead.configure(tree, chosen, NULL, 0, &faults);
    void               *setup = calloc(1, size);
    assert_int_equal(game_dead.configure(tree, chosen, setup, size, &faults), size);
    free(memory);
    return setup;
}

/* One of the recorded configurations; `options` as a person writes them. */
static inline void *setup_of_file(const char *name, const char *options)
{
    static char text[1 << 16];
    char        path[4096];
    (void) snprintf(path, sizeof path, "%s%s.json", CONFIGS, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void) fclose(file);
    return setup_of_text(text, options);
}

/* A match at hand, with room for everything its bounds declare. */
struct game_at_hand {
    void         *setup;
    void         *state;
    struct bounds bounds;
    struct dice   dice;
    struct sink   out;
    struct legal  legal;
};

static inline struct game_at_hand open_game(void *setup, uint32_t seats, uint64_t seed)
{
    struct game_at_hand game = { .setup = setup };
    game_dead.bounds(setup, seats, &game.bounds);
    game.state = calloc(1, game.bounds.state_bytes);
    game.out.words = calloc(game.bounds.event_words, sizeof(word));
    game.out.capacity = game.bounds.event_words;
    game.legal.patterns_max = game.bounds.legal_patterns;
    game.legal.values_max = game.bounds.legal_values;
    game.legal.pattern = calloc(game.legal.patterns_max, sizeof *game.legal.pattern);
    game.legal.value = calloc(game.legal.values_max, sizeof *game.legal.value);
    dice_java(&game.dice, seed);
    return game;
}

static inline void close_game(struct game_at_hand *game)
{
    free(game->legal.value);
    free(game->legal.pattern);
    free(game->out.words);
    free(game->state);
}

static inline struct play play_of(struct game_at_hand *game)
{
    return (struct play){ game->setup, game->state, &game->dice, &game->out };
}

static inline void start_game(struct game_at_hand *game, uint32_t seats)
{
    struct play play = play_of(game);
    game->out.used = 0;
    game_dead.start(&play, seats);
}

static inline verdict apply_to(struct game_at_hand *game, uint32_t seat,
                               const struct command *command)
{
    struct play play = play_of(game);
    game->out.used = 0;
    return game_dead.apply(&play, seat, command);
}

static inline uint32_t awaited(const struct game_at_hand *game)
{
    seat_mask asked = game_dead.to_act(game->setup, game->state);
    assert_int_not_equal(asked, 0);
    return (uint32_t) __builtin_ctz(asked);
}

#endif
