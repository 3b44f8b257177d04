/* quests_build.c: whether a quest can be built, and building it stage by stage. */
#include "games/quests/quests_rules.h"

#include <string.h>

/* All values are multiples of 5; here they are counted in fives. */
#define FIVE 5
#define SUBSETS (1u << QUESTS_WEAPONS)
#define WEAPONS_SUM 18               /* Of one weapon of each kind.                */
#define VALUE_MAX (14 + WEAPONS_SUM) /* With the strongest foe.                    */
#define FAILURE_BITS 9               /* So many failures, as a power of 2.         */

/* No such stages of at least this value can be made of these cards. */
struct failure {
    uint64_t left; /* How many of each kind, in four bits each. */
    uint32_t stages;
    uint32_t value;
};

/* A search for stages of increasing values. There are few values, and which weapons make a sum is
 * known beforehand. So each step asks only for what has exactly the next value. The same cards are
 * left in many ways, so what has failed is remembered. Each place remembers the newest failure of
 * those that fall on it. */
struct search {
    uint16_t       left[QUESTS_CARDS];
    uint16_t       first[QUESTS_CARDS];
    uint32_t       foes;                  /* In the hand, of all kinds.                   */
    uint32_t       weapons;               /* Left, of all kinds.                          */
    uint32_t       kinds;                 /* Bit w: there are weapons of this kind left.  */
    uint8_t        from[WEAPONS_SUM + 2]; /* By sum: where its sets of weapons begin.     */
    uint8_t        set[SUBSETS];          /* Those that the cards allow, ordered by sum.  */
    struct failure failed[1u << FAILURE_BITS];
    uint32_t       steps; /* What was left that was searched. */
};

static uint32_t sum_of_set(uint32_t set)
{
    uint32_t sum = 0;
    for (uint32_t w = 0; w < QUESTS_WEAPONS; w++)
        if ((set >> w & 1) != 0)
            sum += quests_value[QUESTS_FOES + 1 + w] / FIVE;
    return sum;
}

static void list_sets(struct search *search)
{
    uint8_t  sums[SUBSETS];
    uint32_t count = 0;

    for (uint32_t set = 0; set < SUBSETS; set++)
        sums[set] = (uint8_t) ((set & ~search->kinds) != 0 ? UINT8_MAX : sum_of_set(set));
    for (uint32_t sum = 0; sum <= WEAPONS_SUM; sum++) {
        search->from[sum] = (uint8_t) count;
        for (uint32_t set = 0; set < SUBSETS; set++)
            if (sums[set] == sum)
                search->set[count++] = (uint8_t) set;
    }
    search->from[WEAPONS_SUM + 1] = (uint8_t) count;
}

static void start_search(struct search *search, const uint16_t hand[QUESTS_CARDS])
{
    memset(search, 0, sizeof *search);
    memcpy(search->left, hand, sizeof search->left);
    for (uint32_t card = 1; card < QUESTS_CARDS; card++)
        if (quests_is_foe(card))
            search->foes += hand[card];
        else if (hand[card] > 0) {
            search->kinds |= 1u << (card - QUESTS_FOES - 1);
            search->weapons += hand[card];
        }
    list_sets(search);
}

/* Takes a stage out of the cards left (by -1), or puts it back (by 1). */
static void move_stage(struct search *search, uint32_t foe, uint32_t set, int by)
{
    search->left[foe] = (uint16_t) (search->left[foe] + by);
    for (uint32_t w = 0; w < QUESTS_WEAPONS; w++) {
        uint16_t *left = &search->left[QUESTS_FOES + 1 + w];
        if ((set >> w & 1) == 0)
            continue;
        *left = (uint16_t) (*left + by);
        search->weapons = (uint32_t) ((int) search->weapons + by);
        if (*left > 0)
            search->kinds |= 1u << w;
        else
            search->kinds &= ~(1u << w);
    }
}

/* Where what is left is remembered, and how it is written there. A hand has less than 16 of a kind. */
static struct failure *failure_of(struct search *search, uint64_t *left)
{
    *left = 0;
    for (uint32_t card = 1; card < QUESTS_CARDS; card++)
        *left = *left << 4 | search->left[card];
    return &search->failed[*left * UINT64_C(0x9e3779b97f4a7c15) >> (64 - FAILURE_BITS)];
}

static bool stages_from(struct search *search, uint32_t stages, uint32_t value);

static bool stage_of(struct search *search, uint32_t stages, uint32_t value, uint32_t foe)
{
    uint32_t sum = value - quests_value[foe] / FIVE;

    for (uint32_t i = search->from[sum]; i < search->from[sum + 1]; i++) {
        uint32_t set = search->set[i];
        if ((set & ~search->kinds) != 0)
            continue;
        move_stage(search, foe, set, -1);
        bool found = stages_from(search, stages - 1, value + 1);
        move_stage(search, foe, set, 1);
        if (!found)
            continue;
        /* The outermost stage is noted last. */
        memset(search->first, 0, sizeof search->first);
        search->first[foe] = 1;
        for (uint32_t w = 0; w < QUESTS_WEAPONS; w++)
            search->first[QUESTS_FOES + 1 + w] = (uint16_t) (set >> w & 1);
        return true;
    }
    return false;
}

/* At most so many stages of at least this value: a foe alone of each kind, and one for each weapon. */
static uint32_t most_stages(const struct search *search, uint32_t value)
{
    uint32_t most = search->weapons;
    for (uint32_t foe = 1; foe <= QUESTS_FOES; foe++)
        most += search->left[foe] > 0 && quests_value[foe] / FIVE >= value;
    return most;
}

static bool stages_above(struct search *search, uint32_t stages, uint32_t value)
{
    for (; value + stages <= VALUE_MAX + 1 && most_stages(search, value) >= stages; value++)
        for (uint32_t foe = QUESTS_FOES; foe >= 1; foe--) { /* Strong ones first: few weapons. */
            uint32_t strength = quests_value[foe] / FIVE;
            if (search->left[foe] > 0 && strength <= value && value - strength <= WEAPONS_SUM &&
                stage_of(search, stages, value, foe))
                return true;
        }
    return false;
}

/* Whether so many stages, the first of at least this value, can be made of what is left. */
static bool stages_from(struct search *search, uint32_t stages, uint32_t value)
{
    uint64_t left;
    if (stages == 0)
        return true;
    struct failure *failure = failure_of(search, &left);
    if (failure->left == left && failure->stages == stages && failure->value <= value)
        return false;
    search->steps++;
    if (stages_above(search, stages, value))
        return true;
    *failure = (struct failure){ left, stages, value };
    return false;
}

/* A foe alone is a stage: so many without a weapon, each of another kind. */
static uint32_t foes_alone(const uint16_t hand[QUESTS_CARDS], uint32_t above)
{
    uint32_t different = 0;
    for (uint32_t foe = 1; foe <= QUESTS_FOES; foe++)
        different += hand[foe] > 0 && quests_value[foe] > above;
    return different;
}

/* `any`: how it is done is not asked. */
static bool find_stages(struct search *search, const uint16_t hand[QUESTS_CARDS], uint32_t stages,
                        uint32_t above, bool any)
{
    search->steps = 0;
    if (any && foes_alone(hand, above) >= stages)
        return true;
    start_search(search, hand);
    /* Each stage takes one foe, so this is asked once. */
    return search->foes >= stages && stages_from(search, stages, above / FIVE + 1);
}

bool quests_can_build(const uint16_t hand[QUESTS_CARDS], uint32_t stages, uint32_t above,
                      uint16_t first[QUESTS_CARDS])
{
    struct search search;
    bool          able = find_stages(&search, hand, stages, above, first == NULL);
    if (able && first != NULL)
        memcpy(first, search.first, sizeof search.first);
    return able;
}

uint32_t quests_build_steps(const uint16_t hand[QUESTS_CARDS], uint32_t stages)
{
    struct search search;
    (void) find_stages(&search, hand, stages, 0, true);
    return search.steps;
}

/* Building. */

uint32_t quests_above(const struct quests_state *state)
{
    uint32_t last = state->built;
    return last == 0 ? 0 : quests_sum(state->stage_card[last - 1], state->stage_count[last - 1]);
}

static bool has_foe(const struct quests_state *state)
{
    const uint16_t *cards = state->stage_card[state->built];
    for (uint32_t i = 0; i < state->stage_count[state->built]; i++)
        if (quests_is_foe(cards[i]))
            return true;
    return false;
}

verdict quests_stage_takes(const struct quests_state *state, uint32_t card)
{
    const uint16_t *cards = state->stage_card[state->built];

    if (quests_is_foe(card))
        return has_foe(state) ? QUESTS_SECOND_FOE : ACCEPTED;
    return quests_holds(cards, state->stage_count[state->built], card) ? QUESTS_REPEATED_IN_STAGE
                                                                       : ACCEPTED;
}

verdict quests_stage_is_good(const struct quests_state *state)
{
    uint32_t count = state->stage_count[state->built];

    if (count == 0)
        return QUESTS_STAGE_EMPTY;
    if (!has_foe(state))
        return QUESTS_STAGE_NO_FOE;
    if (quests_sum(state->stage_card[state->built], count) <= quests_above(state))
        return QUESTS_STAGE_VALUE;
    return ACCEPTED;
}

void quests_stage_add(struct play *play, uint32_t card)
{
    struct quests_state *state = play->state;
    uint32_t             seat = state->asked, stage = state->built;
    uint16_t            *cards = state->stage_card[stage];

    quests_take(state, seat, card);
    cards[state->stage_count[stage]++] = (uint16_t) card;
    sink_open(play->out, TO_SEAT(seat), QUESTS_STAGE_CARD);
    sink_put(play->out, stage + 1);
    sink_put(play->out, card);
    quests_say_list(play->out, cards, state->stage_count[stage]);
    sink_put(play->out, quests_sum(cards, state->stage_count[stage]));
    sink_close(play->out);
}

static void show_built(struct play *play, uint32_t stage)
{
    const struct quests_state *state = play->state;
    const uint16_t            *cards = state->stage_card[stage];
    uint32_t                   seat = state->asked, count = state->stage_count[stage];

    sink_open(play->out, TO_SEAT(seat), QUESTS_STAGE_BUILT);
    sink_put(play->out, stage + 1);
    quests_say_list(play->out, cards, count);
    sink_put(play->out, quests_sum(cards, count));
    sink_put(play->out, count);
    sink_put(play->out, state->hand_count[seat]);
    sink_close(play->out);
    EMIT(play->out, TO_ALL_BUT(seat), QUESTS_STAGE_BUILT, stage + 1, 0, ABSENT, count,
         state->hand_count[seat]);
}

void quests_stage_done(struct play *play)
{
    struct quests_state *state = play->state;

    show_built(play, state->built++);
    if (state->built < state->stages) {
        quests_ask(play, QUESTS_ASKS_BUILD, state->asked);
        return;
    }
    sink_open(play->out, TO_ALL, QUESTS_QUEST_READY);
    sink_put(play->out, state->asked);
    sink_put(play->out, state->stages);
    quests_say_list(play->out, state->stage_count, state->stages);
    sink_close(play->out);
    state->eligible = (uint16_t) (((1u << QUESTS_SEATS) - 1) & ~(1u << state->asked));
    quests_begin_stage(play);
}

static void empty_stage(struct quests_state *state, uint32_t stage)
{
    for (uint32_t i = 0; i < state->stage_count[stage]; i++)
        quests_give(state, state->asked, state->stage_card[stage][i]);
    state->stage_count[stage] = 0;
    memset(state->stage_card[stage], 0, sizeof state->stage_card[stage]);
}

void quests_stage_clear(struct play *play)
{
    struct quests_state *state = play->state;
    uint32_t             seat = state->asked;

    empty_stage(state, state->built);
    sink_open(play->out, TO_SEAT(seat), QUESTS_STAGE_CLEARED);
    sink_put(play->out, state->built + 1);
    quests_say_hand(play->out, state->hand[seat], state->hand_count[seat]);
    sink_close(play->out);
}

void quests_take_back(struct play *play)
{
    struct quests_state *state = play->state;

    for (uint32_t stage = 0; stage <= state->built; stage++)
        empty_stage(state, stage);
    state->built = 0;
    quests_show_hand(play, state->asked);
    EMIT(play->out, TO_ALL, QUESTS_QUEST_RESTARTED, state->asked, state->hand_count[state->asked]);
}

void quests_restart(struct play *play)
{
    const struct quests_state *state = play->state;

    quests_take_back(play);
    quests_ask(play, QUESTS_ASKS_BUILD, state->asked);
}
