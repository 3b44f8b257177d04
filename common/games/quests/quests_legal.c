/* quests_legal.c: what a seat may do now, and what a simple player likes of it. */
#include "games/quests/quests_rules.h"

static void list_yes_no(struct legal *list, uint32_t kind, bool may)
{
    uint32_t        first = list->values;
    struct pattern *pattern = legal_pattern(list, kind, 1);

    legal_value(list, 0);
    if (may)
        legal_value(list, 1);
    pattern->arg[0] = legal_since(list, first);
}

/* Each kind of card in the hand once, if it may go there. */
static void list_cards(const struct quests_state *state, struct legal *list, uint32_t kind)
{
    const uint16_t *hand = state->hand[state->asked];
    uint32_t        first = list->values;

    for (uint32_t card = 1; card < QUESTS_CARDS; card++) {
        if (hand[card] == 0)
            continue;
        if (kind == QUESTS_STAGE_ADD && quests_stage_takes(state, card) != ACCEPTED)
            continue;
        if (kind == QUESTS_ATTACK_ADD && quests_attack_takes(state, card) != ACCEPTED)
            continue;
        legal_value(list, card);
    }
    if (list->values > first)
        legal_pattern(list, kind, 1)->arg[0] = legal_since(list, first);
}

void quests_legal(const void *setup, const void *of, uint32_t seat, struct legal *list)
{
    (void) setup;
    const struct quests_state *state = of;

    legal_clear(list);
    if (seat != state->asked)
        return;
    switch (state->phase) {
    case QUESTS_ASKS_SPONSOR: list_yes_no(list, QUESTS_SPONSOR, state->able != 0); break;
    case QUESTS_ASKS_BUILD:
        list_cards(state, list, QUESTS_STAGE_ADD);
        if (quests_stage_is_good(state) == ACCEPTED)
            legal_pattern(list, QUESTS_STAGE_DONE, 0);
        legal_pattern(list, QUESTS_STAGE_CLEAR, 0);
        legal_pattern(list, QUESTS_QUEST_RESTART, 0);
        break;
    case QUESTS_ASKS_PARTICIPATE: list_yes_no(list, QUESTS_PARTICIPATE, true); break;
    case QUESTS_ASKS_ATTACK:
        list_cards(state, list, QUESTS_ATTACK_ADD);
        legal_pattern(list, QUESTS_ATTACK_DONE, 0);
        break;
    case QUESTS_ASKS_DISCARD: list_cards(state, list, QUESTS_DISCARD); break;
    case QUESTS_ASKS_END_TURN: legal_pattern(list, QUESTS_END_TURN, 0); break;
    default: break;
    }
}

/* The simple player: sponsors when able, tackles everything, keeps its weapons. */

/* How far the stage being built is one that the rest of the quest can follow, which the search of
 * quests_build.c names: its cards first, then the end; else what leads back to where it can be. */
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

/* Weak weapons until the attack would pass a middling stage. */
static int64_t judge_attack(const struct quests_state *state, const struct command *command)
{
    uint32_t seat = state->asked;
    uint32_t value = quests_sum(state->attack_card[seat], state->attack_count[seat]);

    if (command->kind == QUESTS_ATTACK_DONE)
        return value >= 10u + 10u * state->stage ? 100 : 0;
    return command->arg[0] >= 1 && command->arg[0] < QUESTS_CARDS
               ? 50 - quests_value[command->arg[0]]
               : 0;
}

int64_t quests_judge(const void *setup, const void *of, uint32_t seat,
                     const struct command *command)
{
    (void) setup;
    const struct quests_state *state = of;

    if (seat != state->asked)
        return 0;
    switch (state->phase) {
    case QUESTS_ASKS_SPONSOR:
    case QUESTS_ASKS_PARTICIPATE: return command->arg[0];
    case QUESTS_ASKS_BUILD: return judge_build(state, command);
    case QUESTS_ASKS_ATTACK: return judge_attack(state, command);
    case QUESTS_ASKS_DISCARD:
        return command->arg[0] >= 1 && command->arg[0] < QUESTS_CARDS
                   ? -(int64_t) quests_value[command->arg[0]]
                   : 0;
    default: return 0;
    }
}
