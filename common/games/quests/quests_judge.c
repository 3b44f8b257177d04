/* quests_judge.c: what a competent player likes of what they may do.
 *
 * The player knows no more than the seat: its hand, what has been laid open, and how many cards lie
 * face down. The player sponsors unless somebody else could win by it and may yet be stopped. A
 * sponsor builds the lowest stages that the hand makes. The player tackles everything, because a
 * card is drawn for it, and attacks with the least that should do. */
#include "games/quests/quests_rules.h"

#include <string.h>

#define SETS (1u << QUESTS_WEAPONS)

/* Whether somebody but this seat would have won with so many shields more. */
static bool could_be_won(const struct quests_setup *setup, const struct quests_state *state,
                         uint32_t seat)
{
    for (uint32_t other = 0; other < QUESTS_SEATS; other++)
        if (other != seat && state->shields[other] + state->stages >= setup->winning_shields)
            return true;
    return false;
}

/* A sponsor draws more cards than they lay out, so it pays, unless it makes another one win. But
 * the last player asked sponsors all the same, or else nobody would ever do it. */
static int64_t judge_sponsor(const struct quests_setup *setup, const struct quests_state *state,
                             uint32_t seat, bool yes)
{
    bool wants = state->polled == QUESTS_SEATS || !could_be_won(setup, state, seat);
    return yes == wants;
}

/* How far the rest of the quest can follow the stage being built. The search of quests_build.c
 * names such a stage: its cards first, then the end. Otherwise, what leads back to where it can
 * be. */
static int64_t judge_build(const struct quests_state *state, const struct command *command)
{
    const uint16_t *built = state->stage_card[state->built];
    uint32_t        count = state->stage_count[state->built], wanted_count = 0;
    uint16_t        cards[QUESTS_CARDS], wanted[QUESTS_CARDS];
    bool            strays = false;

    for (uint32_t card = 0; card < QUESTS_CARDS; card++)
        cards[card] = state->hand[state->asked][card];
    for (uint32_t i = 0; i < count; i++)
        cards[built[i]]++;
    if (!quests_can_build(cards, state->stages - state->built, quests_above(state), wanted))
        return command->kind == QUESTS_QUEST_RESTART;
    for (uint32_t card = 0; card < QUESTS_CARDS; card++)
        wanted_count += wanted[card];
    for (uint32_t i = 0; i < count; i++)
        strays = strays || wanted[built[i]] == 0;
    if (strays)
        return command->kind == QUESTS_STAGE_CLEAR;
    if (count == wanted_count)
        return command->kind == QUESTS_STAGE_DONE;
    return command->kind == QUESTS_STAGE_ADD && command->arg[0] >= 1 &&
           command->arg[0] < QUESTS_CARDS && wanted[command->arg[0]] > 0;
}

/* What the stage in play is probably worth: it beats the one before, and has a foe and so many weapons. */
static uint32_t likely_value(const struct quests_state *state)
{
    uint32_t stage = state->stage - 1u, count = state->stage_count[stage];
    uint32_t likely = 5u + 5u * state->stage + 12u * (count > 0 ? count - 1u : 0);
    uint32_t least = 5;
    if (stage > 0) /* Which has been laid open. */
        least += quests_sum(state->stage_card[stage - 1], state->stage_count[stage - 1]);
    return likely > least ? likely : least;
}

/* Which kinds of weapons the player has in hand or in the attack. */
static uint32_t weapons_of(const struct quests_state *state, uint32_t seat, uint32_t *laid)
{
    uint32_t kinds = 0;
    *laid = 0;
    for (uint32_t i = 0; i < state->attack_count[seat]; i++)
        *laid |= 1u << (state->attack_card[seat][i] - QUESTS_FOES - 1);
    for (uint32_t w = 0; w < QUESTS_WEAPONS; w++)
        if (state->hand[seat][QUESTS_FOES + 1 + w] > 0)
            kinds |= 1u << w;
    return kinds | *laid;
}

static uint32_t strength_of(uint32_t set)
{
    uint32_t strength = 0;
    for (uint32_t w = 0; w < QUESTS_WEAPONS; w++)
        if ((set >> w & 1) != 0)
            strength += quests_value[QUESTS_FOES + 1 + w];
    return strength;
}

/* The weakest set of weapons that reaches the likely value, with what is laid already. It is all of
 * them if none does, and none if that could not even beat the stage before. */
static uint32_t wanted_weapons(const struct quests_state *state, uint32_t seat, uint32_t *laid)
{
    uint32_t kinds = weapons_of(state, seat, laid), best = kinds;
    uint32_t likely = likely_value(state), stage = state->stage - 1u;
    uint32_t before =
        stage == 0 ? 0 : quests_sum(state->stage_card[stage - 1], state->stage_count[stage - 1]);
    if (strength_of(kinds) <= before)
        return *laid;
    for (uint32_t set = 0; set < SETS; set++)
        if ((set & ~kinds) == 0 && (*laid & ~set) == 0 && strength_of(set) >= likely &&
            strength_of(set) < strength_of(best))
            best = set;
    return best;
}

static int64_t judge_attack(const struct quests_state *state, uint32_t seat,
                            const struct command *command)
{
    uint32_t laid, wanted = wanted_weapons(state, seat, &laid);
    if (command->kind == QUESTS_ATTACK_DONE)
        return laid == wanted;
    word card = command->arg[0];
    return card > QUESTS_FOES && card < QUESTS_CARDS &&
           ((wanted & ~laid) >> (card - QUESTS_FOES - 1) & 1) != 0;
}

/* How much a card is worth keeping: strong weapons, not too many of a kind, and five different foes for a
 * quest of one's own. */
static int64_t worth_keeping(const uint16_t hand[QUESTS_CARDS], uint32_t card)
{
    uint32_t foes = 0;
    if (!quests_is_foe(card))
        return 25 + quests_value[card] - 8 * (hand[card] - 1);
    for (uint32_t foe = 1; foe <= QUESTS_FOES; foe++)
        foes += hand[foe] > 0;
    if (hand[card] > 1)
        return quests_value[card] / 10;
    return foes > QUESTS_STAGES ? 15 : 30;
}

static int64_t judge_discard(const struct quests_state *state, uint32_t seat, word card)
{
    if (card < 1 || card >= QUESTS_CARDS)
        return INT64_MIN; /* Named by its position: an alias, and never the better one. */
    return -worth_keeping(state->hand[seat], (uint32_t) card);
}

int64_t quests_judge(const void *of, const void *of_state, uint32_t seat,
                     const struct command *command)
{
    const struct quests_setup *setup = of;
    const struct quests_state *state = of_state;

    if (seat != state->asked)
        return 0;
    switch (state->phase) {
    case QUESTS_ASKS_SPONSOR: return judge_sponsor(setup, state, seat, command->arg[0] == 1);
    case QUESTS_ASKS_PARTICIPATE: return command->arg[0];
    case QUESTS_ASKS_BUILD: return judge_build(state, command);
    case QUESTS_ASKS_ATTACK: return judge_attack(state, seat, command);
    case QUESTS_ASKS_DISCARD: return judge_discard(state, seat, command->arg[0]);
    default: return 0;
    }
}
