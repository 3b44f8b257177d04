/* small_test.h: what tests of small games share: a match of a set-up, what an act said, and a set-up that is refused.
 *
 *     static struct chess_setup setup;
 *     static struct chess_state state;
 *     #define begin(config) small_begin(&game_chess, &setup, sizeof setup, &state, sizeof state, config, 2)
 *
 * The match is `play`; what its last act said, `out` holds. */
#ifndef ARBITER_SMALL_TEST_H
#define ARBITER_SMALL_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "dice/kinds.h"
#include "rules/game.h"
#include "json/config_file.h"

#define ALICE 0
#define BOB 1
#define CAROL 2

static struct dice dice;
static word        words[256];
static struct sink out = { .words = words, .capacity = 256 };
static struct play play = { .dice = &dice, .out = &out };

/* Nothing has been said. */
static inline void small_forget(void)
{
    out.used = out.events = 0;
}

/* A match of this set-up; the seed of its dice is 1. */
static inline void small_begin(const struct game *game, void *setup, size_t setup_size, void *state,
                               size_t state_size, const char *config, uint32_t seats)
{
    struct config_text text = { "config", config, strlen(config) }, none = { 0 };
    size_t             size;
    void              *read = config_compile(game, &text, &none, &size, stderr);

    assert_non_null(read);
    assert_int_equal(size, setup_size);
    memcpy(setup, read, size);
    free(read);
    memset(state, 0, state_size);
    play.setup = setup;
    play.state = state;
    dice_java(&dice, 1);
    small_forget();
    game->start(&play, seats);
}

/* A command with these arguments. */
static inline verdict small_play(const struct game *game, uint32_t seat, uint32_t kind, word first,
                                 word second)
{
    struct command command = { .kind = kind, .arg = { first, second, ABSENT } };
    small_forget();
    return game->apply(&play, seat, &command);
}

/* What this viewer sees lies in `out`. */
static inline void small_look(const struct game *game, uint32_t viewer)
{
    out.used = 0;
    game->view(play.setup, play.state, viewer, &out);
}

/* The outcome of a match that is over. */
static inline void small_outcome(const struct game *game, int32_t per_seat[SEATS_MAX])
{
    assert_int_equal(game->to_act(play.setup, play.state), 0);
    game->outcome(play.setup, play.state, per_seat);
    assert_null(game->check(play.setup, play.state));
}

/* The words of the last act, headers included: kind | audience << 16 | length << 32. */
#define HEADER(kind, length) ((word) (kind) | (word) (length) << 32)
#define assert_said(...)                                                                           \
    do {                                                                                           \
        const word said[] = { __VA_ARGS__ };                                                       \
        assert_int_equal(out.used, sizeof said / sizeof said[0]);                                  \
        assert_memory_equal(out.words, said, sizeof said);                                         \
    } while (0)

/* Set-up and options are refused, and the complaint is among what is said of them. */
static inline void small_refused(const struct game *game, const char *config, const char *options,
                                 const char *complaint)
{
    static char        complaints[1024];
    struct config_text text = { "config", config, strlen(config) };
    struct config_text beside = { "options", options, options != NULL ? strlen(options) : 0 };
    size_t             size;
    FILE              *file = fmemopen(complaints, sizeof complaints, "w");

    assert_non_null(file);
    assert_null(config_compile(game, &text, &beside, &size, file));
    fclose(file);
    if (strstr(complaints, complaint) == NULL)
        fail_msg("\"%s\" is not said of %s, but: %s", complaint, config, complaints);
}

#endif
