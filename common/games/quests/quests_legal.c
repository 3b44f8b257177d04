/* quests_legal.c: what a seat may do now. */
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
