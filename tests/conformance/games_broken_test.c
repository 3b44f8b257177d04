/* games_broken_test.c: a test of the test: nim with one bug at a time, and the referee must see each.
 *
 * Every bug is one function of game_nim's table, replaced. Next to it stands a part of the sentence with
 * which the referee must name the broken promise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "games/nim/nim.h"
#include "referee.h"
#include "rules/foresight.h"

#define SEEDS 60 /* Some bugs show only in some matches. */

static verdict refused_too_late(struct play *play, uint32_t seat, const struct command *command)
{
    struct nim_state *state = play->state;
    verdict           answer = game_nim.apply(play, seat, command);
    if (answer == NIM_COUNT)
        state->heap[command->arg[0]]--;
    return answer;
}

static verdict refusal_draws(struct play *play, uint32_t seat, const struct command *command)
{
    verdict answer = game_nim.apply(play, seat, command);
    if (answer != ACCEPTED)
        dice_bits(play->dice, 1);
    return answer;
}

static verdict refusal_is_announced(struct play *play, uint32_t seat, const struct command *command)
{
    verdict answer = game_nim.apply(play, seat, command);
    if (answer == NIM_NO_SUCH_HEAP)
        EMIT(play->out, TO_ALL, NIM_TURN, seat);
    return answer;
}

static verdict refusal_has_no_reason(struct play *play, uint32_t seat,
                                     const struct command *command)
{
    return game_nim.apply(play, seat, command) == ACCEPTED ? ACCEPTED : NIM_REASONS;
}

/* The sum of all 64-bit mistakes: 2^32 + 1 counters pass for one. */
static verdict count_is_cut(struct play *play, uint32_t seat, const struct command *command)
{
    struct command cut = *command;
    if (cut.arg[1] > 0)
        cut.arg[1] &= UINT32_MAX;
    return game_nim.apply(play, seat, &cut);
}

static verdict anybody_moves(struct play *play, uint32_t seat, const struct command *command)
{
    const struct nim_state *state = play->state;
    return game_nim.apply(play, seat < state->seats ? state->turn : seat, command);
}

static verdict seat_wraps_around(struct play *play, uint32_t seat, const struct command *command)
{
    return game_nim.apply(play, seat % 32, command);
}

static verdict drifts_by_address(struct play *play, uint32_t seat, const struct command *command)
{
    struct nim_state *state = play->state;
    verdict           answer = game_nim.apply(play, seat, command);
    if (answer == ACCEPTED && state->heap[0] > 1 && ((uintptr_t) state & 8) != 0)
        state->heap[0]--;
    return answer;
}

/* Something outside of the state decides: what is taken back stays remembered. */
static verdict remembers(struct play *play, uint32_t seat, const struct command *command)
{
    static uint32_t   calls;
    struct nim_state *state = play->state;
    verdict           answer = game_nim.apply(play, seat, command);
    if (answer == ACCEPTED && state->heap[0] > 1 && calls++ % 5 == 4)
        state->heap[0]--;
    return answer;
}

static verdict plays_to_the_audience(struct play *play, uint32_t seat,
                                     const struct command *command)
{
    struct nim_state *state = play->state;
    verdict           answer = game_nim.apply(play, seat, command);
    if (answer == ACCEPTED && play->out->words == NULL && state->heap[0] > 1)
        state->heap[0]--;
    return answer;
}

static verdict writes_past_the_state(struct play *play, uint32_t seat,
                                     const struct command *command)
{
    struct nim_state *state = play->state;
    verdict           answer = game_nim.apply(play, seat, command);
    if (answer == ACCEPTED)
        memset(state + 1, 7, 4);
    return answer;
}

static verdict writes_into_the_setup(struct play *play, uint32_t seat,
                                     const struct command *command)
{
    struct nim_setup *setup = (struct nim_setup *) (uintptr_t) play->setup;
    verdict           answer = game_nim.apply(play, seat, command);
    if (answer == ACCEPTED)
        setup->misere ^= 1;
    return answer;
}

static verdict gives_back(struct play *play, uint32_t seat, const struct command *command)
{
    struct nim_state *state = play->state;
    verdict           answer = game_nim.apply(play, seat, command);
    if (answer == ACCEPTED && state->winners == 0)
        state->heap[command->arg[0]] += (uint32_t) command->arg[1];
    return answer;
}

static verdict tells_half_a_secret(struct play *play, uint32_t seat, const struct command *command)
{
    verdict answer = game_nim.apply(play, seat, command);
    if (answer == ACCEPTED)
        EMIT(play->out, TO_ALL_BUT(seat), NIM_TURN, seat);
    return answer;
}

/* Nim declares no boxes, so what is told to one seat would be lost on its way. */
static verdict whispers(struct play *play, uint32_t seat, const struct command *command)
{
    const struct nim_state *state = play->state;
    verdict                 answer = game_nim.apply(play, seat, command);
    if (answer == ACCEPTED && state->winners == 0)
        EMIT(play->out, TO_SEAT(seat), NIM_TURN, seat);
    return answer;
}

static verdict loses_the_turn(struct play *play, uint32_t seat, const struct command *command)
{
    struct nim_state *state = play->state;
    verdict           answer = game_nim.apply(play, seat, command);
    if (answer == ACCEPTED)
        state->in &= ~(1u << state->turn);
    return answer;
}

static void lists_one_too_many(const void *setup, const void *of, uint32_t seat, struct legal *list)
{
    game_nim.legal(setup, of, seat, list);
    if (list->patterns > 0 && list->pattern[0].arg[1].count + 1 < list->values)
        list->pattern[0].arg[1].count++;
}

static void lists_one_too_few(const void *setup, const void *of, uint32_t seat, struct legal *list)
{
    game_nim.legal(setup, of, seat, list);
    if (list->patterns > 0 && list->pattern[0].arg[1].count > 1)
        list->pattern[0].arg[1].count--;
}

static void lists_a_pattern_twice(const void *setup, const void *of, uint32_t seat,
                                  struct legal *list)
{
    game_nim.legal(setup, of, seat, list);
    if (list->patterns > 0 && list->patterns < list->patterns_max)
        list->pattern[list->patterns++] = list->pattern[0];
}

static void lists_for_all(const void *setup, const void *of, uint32_t seat, struct legal *list)
{
    const struct nim_state *state = of;
    (void) seat;
    game_nim.legal(setup, of, state->turn, list);
}

static void legal_takes_notes(const void *setup, const void *of, uint32_t seat, struct legal *list)
{
    struct nim_state *state = (struct nim_state *) (uintptr_t) of;
    if (state->heaps < NIM_HEAPS_MAX)
        state->heap[NIM_HEAPS_MAX - 1] ^= 1;
    game_nim.legal(setup, of, seat, list);
}

static void shows_unwritten_words(const void *setup, const void *of, uint32_t viewer,
                                  struct sink *out)
{
    uint32_t before = out->used;
    word     junk = out->words[before];
    game_nim.view(setup, of, viewer, out);
    out->words[before] = (junk & 1) != 0;
}

/* Says that heaps are secret, which the view then shows. */
static void heaps_are_hidden(const void *setup, const void *of, uint32_t viewer, uint8_t *mask)
{
    (void) setup, (void) of, (void) viewer;
    memset(mask + offsetof(struct nim_state, heap), 0xff, sizeof(uint32_t));
}

static void asks_something_new(const void *setup, const void *of, uint32_t seat, struct sink *out)
{
    if ((game_nim.to_act(setup, of) >> seat & 1) != 0)
        EMIT(out, TO_ALL, NIM_OUT, seat);
}

static void asks_everybody(const void *setup, const void *of, uint32_t seat, struct sink *out)
{
    (void) setup, (void) of;
    EMIT(out, TO_ALL, NIM_TURN, seat);
}

static bool expires_anybody(struct play *play, seat_mask late)
{
    const struct nim_state *state = play->state;
    return late != 0 && game_nim.leave(play, state->turn);
}

static bool waits_for_the_gone(struct play *play, uint32_t seat)
{
    struct nim_state *state = play->state;
    if (!game_nim.leave(play, seat))
        return false;
    if (state->winners == 0)
        state->turn = seat;
    state->in |= 1u << seat;
    return true;
}

static void forgets_the_last_seat(const void *setup, const void *of, int32_t *per_seat)
{
    const struct nim_state *state = of;
    int32_t                 last = per_seat[state->seats - 1];
    game_nim.outcome(setup, of, per_seat);
    per_seat[state->seats - 1] = last;
}

static int64_t judges_by_address(const void *setup, const void *of, uint32_t seat,
                                 const struct command *command)
{
    (void) setup, (void) seat, (void) command;
    return (int64_t) (uintptr_t) of;
}

static bool proposes_by_address(const void *setup, const void *of, uint32_t seat, struct dice *dice,
                                struct command *command, uint8_t *text, uint32_t text_max)
{
    (void) setup, (void) seat, (void) dice, (void) text, (void) text_max;
    *command = (struct command){ .kind = 1, .arg = { (word) (uintptr_t) of } };
    return true;
}

/* Guesses. Each bug is in a foresight of its own. */

static bool forgets_a_heap(const void *setup, const struct known *known, struct dice *dice,
                           void *of)
{
    struct nim_state *state = of;
    bool              made = nim_foresight.guess(setup, known, dice, of);
    state->heap[0] += 1;
    return made;
}

static bool invents_heaps(const void *setup, const struct known *known, struct dice *dice, void *of)
{
    struct nim_state *state = of;
    bool              made = nim_foresight.guess(setup, known, dice, of);
    state->heaps = NIM_HEAPS_MAX + 1;
    return made;
}

static bool guesses_by_address(const void *setup, const struct known *known, struct dice *dice,
                               void *of)
{
    struct nim_state *state = of;
    bool              made = nim_foresight.guess(setup, known, dice, of);
    state->seats += ((uintptr_t) of & 8) != 0;
    return made;
}

static bool never_guesses(const void *setup, const struct known *known, struct dice *dice, void *of)
{
    (void) setup, (void) known, (void) dice, (void) of;
    return false;
}

static bool writes_past_the_guess(const void *setup, const struct known *known, struct dice *dice,
                                  void *of)
{
    bool made = nim_foresight.guess(setup, known, dice, of);
    memset((struct nim_state *) of + 1, 7, 4);
    return made;
}

static void expects_one_heap(const void *setup, uint32_t seats, struct extents *extents)
{
    game_nim.extents(setup, seats, extents);
    extents->list[0] = 1;
}

static void expects_one_command(const void *setup, uint32_t seats, struct extents *extents)
{
    game_nim.extents(setup, seats, extents);
    extents->commands = 1;
}

static const struct foresight forgetful = { .guess = forgets_a_heap };
static const struct foresight inventive = { .guess = invents_heaps };
static const struct foresight placed = { .guess = guesses_by_address };
static const struct foresight silent = { .guess = never_guesses };
static const struct foresight sprawling = { .guess = writes_past_the_guess };

/* One bug: where it goes, and what must be said of it. */
struct bug {
    size_t at; /* The function's place in struct game.  */
    void (*function)(void);
    const struct foresight *foresight; /* Instead of a function. */
    const char             *caught;
};

#define BUG(member, function, caught)                                                              \
    {                                                                                              \
        offsetof(struct game, member), (void (*)(void))(function), NULL, (caught)                  \
    }
#define BLIND(foresight, caught)                                                                   \
    {                                                                                              \
        0, NULL, &(foresight), (caught)                                                            \
    }

static const struct bug bugs[] = {
    BUG(apply, refused_too_late, "changes nothing"),
    BUG(apply, refusal_draws, "changes nothing"),
    BUG(apply, refusal_is_announced, "emits nothing"),
    BUG(apply, refusal_has_no_reason, "has a reason"),
    BUG(apply, count_is_cut, "is refused"),
    BUG(apply, anybody_moves, "is refused"),
    BUG(apply, seat_wraps_around, "is refused"),
    BUG(apply, drifts_by_address, "at another address"),
    BUG(apply, remembers, "taken back and done again"),
    BUG(apply, plays_to_the_audience, "taken back and done again"),
    BUG(apply, writes_past_the_state, "beyond what `bounds` declares"),
    BUG(apply, writes_into_the_setup, "the set-up never changes"),
    BUG(apply, gives_back, "is over after"),
    BUG(apply, tells_half_a_secret, "leaves out a seat"),
    BUG(apply, whispers, "is told fits its box of 0 bytes"),
    BUG(apply, loses_the_turn, "who is on turn is in"),
    BUG(legal, lists_one_too_many, "is accepted, not refused"),
    BUG(legal, lists_one_too_few, "is refused"),
    BUG(legal, lists_a_pattern_twice, "stands in one pattern"),
    BUG(legal, lists_for_all, "only when it is awaited"),
    BUG(legal, legal_takes_notes, "looking changes nothing"),
    BUG(view, shows_unwritten_words, "a view is the same whatever its address"),
    BUG(hidden, heaps_are_hidden, "a view is the same whatever is hidden"),
    BUG(asks, asks_something_new, "asks repeat"),
    BUG(asks, asks_everybody, "asked only when it is awaited"),
    BUG(expire, expires_anybody, "an expiry happens if and only if"),
    BUG(leave, waits_for_the_gone, "nobody waits for seat"),
    BUG(extents, expects_one_heap, "heaps is at most as long as its extent, 1"),
    BUG(extents, expects_one_command, "at most 1 commands are listed at once"),
    BUG(outcome, forgets_the_last_seat, "every seat has one outcome"),
    BUG(judge, judges_by_address, "a judgement is the same whatever its address"),
    BUG(propose, proposes_by_address, "a proposal is the same whatever its address"),
    BLIND(forgetful, "a guess looks like what was seen"),
    BLIND(inventive, "in a guess still holds: there are 1 to 8 heaps"),
    BLIND(placed, "a guess depends on what is known alone"),
    BLIND(silent, "can guess while it has something to choose"),
    BLIND(sprawling, "beyond what `bounds` declares"),
};

static struct tables tables;

/* The first complaint of the referee about this game, over set-ups and seeds; NULL if there is none. */
static const char *complaint_about(const struct game *game)
{
    static struct report report;
    struct game_wire     wire = *registry_find("nim", 0);

    wire.game = game;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        const struct table *table = &tables.table[seed % tables.count];
        struct fixture      fixture = { &wire, table, table->seats[seed % table->seat_counts],
                                        seed,  1000,  NULL };
        if (!referee_match(&fixture, &report))
            return report.broken;
    }
    return NULL;
}

static void a_sound_game_is_not_complained_about(void **unused)
{
    (void) unused;
    struct game sound = game_nim;
    const char *complaint = complaint_about(&sound);
    if (complaint != NULL)
        fail_msg("%s", complaint);
}

static void every_planted_bug_is_seen(void **unused)
{
    (void) unused;
    for (uint32_t i = 0; i < sizeof bugs / sizeof bugs[0]; i++) {
        struct game broken = game_nim;
        broken.extents = NULL; /* Or a list that is too long breaks a second promise. */
        if (bugs[i].foresight != NULL)
            broken.foresight = bugs[i].foresight;
        else
            memcpy((char *) &broken + bugs[i].at, &bugs[i].function, sizeof bugs[i].function);
        const char *complaint = complaint_about(&broken);
        if (complaint == NULL)
            fail_msg("bug %u (\"%s\") was not seen", i, bugs[i].caught);
        else if (strstr(complaint, bugs[i].caught) == NULL)
            fail_msg("bug %u (\"%s\") was taken for \"%s\"", i, bugs[i].caught, complaint);
    }
}

static int load(void **unused)
{
    (void) unused;
    return tables_load(registry_find("nim", 0), &tables) ? 0 : 1;
}

static int unload(void **unused)
{
    (void) unused;
    tables_free(&tables);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_game_is_not_complained_about),
        cmocka_unit_test(every_planted_bug_is_seen),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
