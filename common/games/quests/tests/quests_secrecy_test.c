/* quests_secrecy_test.c: what a seat may not see shows in nothing that it sees.
 *
 * The test takes every prefix of random games, and every viewer. It flips the bytes hidden from the
 * viewer: the view, and the question put to the viewer, stay the same. It swaps two cards between
 * the others' hands that the viewer may not see. What the viewer is told of the next command stays
 * the same. */
#include "games/quests/tests/quests_game_test.h"

#include <stdlib.h>

#define VIEWERS (QUESTS_SEATS + 1) /* The last one is a spectator. */
#define WORDS 1024

/* What a viewer sees, or hears. */
struct heard {
    word     word[WORDS];
    uint32_t count;
};

static struct game_at_hand game, twin;

static bool hears(audience to, uint32_t viewer)
{
    if (to == TO_ALL)
        return true;
    bool is_named = (to & 0xff) == viewer;
    return (to & 0xff00) == TO_SEAT(0) ? is_named : !is_named;
}

static void listen(const struct game_at_hand *told, uint32_t viewer, struct heard *heard)
{
    heard->count = 0;
    for (const word *event = sink_first(&told->out); event != NULL;
         event = sink_next(&told->out, event)) {
        uint32_t size = event_length(event) + 1;
        if (!hears(event_to(event), viewer))
            continue;
        assert_true(heard->count + size <= WORDS);
        memcpy(heard->word + heard->count, event, size * sizeof(word));
        heard->count += size;
    }
}

static void look(const struct quests_state *state, uint32_t viewer, struct heard *seen)
{
    struct sink out = { .words = seen->word, .capacity = WORDS };
    game_quests.view(&game.setup, state, viewer < QUESTS_SEATS ? viewer : SPECTATOR, &out);
    if (viewer < QUESTS_SEATS)
        game_quests.asks(&game.setup, state, viewer, &out);
    seen->count = out.used;
}

static void assert_same(const struct heard *one, const struct heard *other)
{
    assert_int_equal(one->count, other->count);
    assert_memory_equal(one->word, other->word, one->count * sizeof(word));
}

static void hidden_bytes_show_in_no_view(uint32_t viewer)
{
    static struct heard        seen, flipped_seen;
    static struct quests_state flipped;
    static uint8_t             mask[sizeof flipped];
    uint8_t                   *bytes = (uint8_t *) &flipped;

    memset(mask, 0, sizeof mask);
    game_quests.hidden(&game.setup, &game.state, viewer < QUESTS_SEATS ? viewer : SPECTATOR, mask);
    flipped = game.state;
    for (size_t i = 0; i < sizeof mask; i++)
        bytes[i] ^= mask[i];
    look(&game.state, viewer, &seen);
    look(&flipped, viewer, &flipped_seen);
    assert_same(&seen, &flipped_seen);
}

/* Two others exchange a card each, if they have different ones; the viewer cannot know. */
static bool exchange(struct quests_state *state, uint32_t viewer, struct dice *luck)
{
    uint32_t one = draw_below(luck, QUESTS_SEATS), other = draw_below(luck, QUESTS_SEATS);
    if (one == viewer || other == viewer || one == other || state->hand_count[one] == 0 ||
        state->hand_count[other] == 0)
        return false;
    uint32_t mine = quests_at(state->hand[one], 1 + draw_below(luck, state->hand_count[one]));
    uint32_t his = quests_at(state->hand[other], 1 + draw_below(luck, state->hand_count[other]));
    quests_take(state, one, mine);
    quests_take(state, other, his);
    quests_give(state, one, his);
    quests_give(state, other, mine);
    return mine != his;
}

static uint32_t exchanged;

/* The same command on a table where others hold other cards, if it is possible there. */
static void exchanged_cards_show_in_no_event(const struct game_at_hand *before, uint32_t viewer,
                                             const struct command *command)
{
    static struct heard here, there;
    twin = *before;
    twin.out.words = twin.words;
    twin.out.used = 0;
    if (!exchange(&twin.state, viewer, &game.luck))
        return;
    struct play play = { &twin.setup, &twin.state, &twin.dice, &twin.out };
    if (game_quests.apply(&play, twin.state.asked, command) != ACCEPTED)
        return;
    listen(&game, viewer, &here);
    listen(&twin, viewer, &there);
    assert_same(&here, &there);
    exchanged++;
}

static void nothing_secret_shows(const char *config, uint64_t seed)
{
    static struct game_at_hand before;
    struct play                play = begin(&game, config, seed);

    while (game_quests.to_act(&game.setup, &game.state) != 0) {
        struct command command;
        for (uint32_t viewer = 0; viewer < VIEWERS; viewer++)
            hidden_bytes_show_in_no_view(viewer);
        choose(&game, game.state.asked, &command);
        before = game;
        game.out.used = 0;
        assert_int_equal(game_quests.apply(&play, game.state.asked, &command), ACCEPTED);
        for (uint32_t viewer = 0; viewer < VIEWERS; viewer++)
            exchanged_cards_show_in_no_event(&before, viewer, &command);
    }
}

/* More of them at night: ARBITER_GAMES says how many. */
static void what_is_hidden_changes_no_byte_of_what_is_seen(void **unused)
{
    const char *asked = getenv("ARBITER_GAMES");
    uint64_t    games = asked != NULL ? strtoull(asked, NULL, 10) : 4;
    (void) unused;
    for (uint64_t seed = 1; seed <= games; seed++)
        nothing_secret_shows(seed % 3 == 0 ? "{\"hand_limit\": 8}" : "{}", seed);
    assert_true(exchanged > 1000);
    printf("%u exchanges of cards in %llu games\n", exchanged, (unsigned long long) games);
}

/* The test finds a leak: a hand that somebody else may not see, in their view. */
static void a_leak_would_be_seen(void **unused)
{
    static struct heard seen, leaked;
    (void) unused;
    (void) begin(&game, "{}", 1);
    look(&game.state, 0, &seen);
    struct quests_state other = game.state;
    other.hand_count[1]++; /* This is public. */
    look(&other, 0, &leaked);
    assert_memory_not_equal(seen.word, leaked.word, seen.count * sizeof(word));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_hidden_changes_no_byte_of_what_is_seen),
        cmocka_unit_test(a_leak_would_be_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
