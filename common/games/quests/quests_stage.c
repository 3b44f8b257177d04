/* quests_stage.c: playing a quest: who tackles a stage, with what, and what comes of it. */
#include "games/quests/quests_rules.h"

#include <string.h>

void quests_begin_stage(struct play *play)
{
    struct quests_state *state = play->state;

    state->stage++;
    state->participants = 0;
    sink_open(play->out, TO_ALL, QUESTS_STAGE_STARTED);
    sink_put(play->out, state->stage);
    quests_say_mask(play->out, state->eligible);
    sink_close(play->out);
    quests_ask_participants(play, 0);
}

static void end_quest(struct play *play, enum quests_result result, uint32_t winners);
static void resolve(struct play *play);

/* Asks the next participant from this seat on for an attack; behind the last one all are set. */
static void ask_attacks(struct play *play, uint32_t from)
{
    struct quests_state *state = play->state;

    while (from < QUESTS_SEATS && !quests_has(state->participants, from))
        from++;
    if (from == QUESTS_SEATS) {
        resolve(play);
        return;
    }
    state->attacking |= (uint16_t) (1u << from);
    quests_ask(play, QUESTS_ASKS_ATTACK, from);
}

void quests_ask_participants(struct play *play, uint32_t from)
{
    struct quests_state *state = play->state;

    while (from < QUESTS_SEATS && !quests_has(state->eligible, from))
        from++;
    if (from < QUESTS_SEATS) {
        quests_ask(play, QUESTS_ASKS_PARTICIPATE, from);
        return;
    }
    if (state->participants == 0) {
        end_quest(play, QUESTS_NO_PARTICIPANTS, 0);
        return;
    }
    sink_open(play->out, TO_ALL, QUESTS_PARTICIPANTS);
    sink_put(play->out, state->stage);
    quests_say_mask(play->out, state->participants);
    sink_close(play->out);
    ask_attacks(play, 0);
}

void quests_answer_participate(struct play *play, bool yes)
{
    struct quests_state *state = play->state;
    uint32_t             seat = state->asked;

    if (!yes) {
        EMIT(play->out, TO_ALL, QUESTS_WITHDREW, seat, state->stage);
        quests_ask_participants(play, seat + 1);
        return;
    }
    state->participants |= (uint16_t) (1u << seat);
    EMIT(play->out, TO_ALL, QUESTS_PARTICIPATES, seat, state->stage);
    quests_draw_hand(play, seat, 1, QUESTS_BY_STAGE);
    quests_trim(play);
}

verdict quests_attack_takes(const struct quests_state *state, uint32_t card)
{
    uint32_t seat = state->asked;

    if (quests_is_foe(card))
        return QUESTS_NOT_WEAPON;
    return quests_holds(state->attack_card[seat], state->attack_count[seat], card)
               ? QUESTS_REPEATED_IN_ATTACK
               : ACCEPTED;
}

void quests_attack_add(struct play *play, uint32_t card)
{
    struct quests_state *state = play->state;
    uint32_t             seat = state->asked;
    uint16_t            *cards = state->attack_card[seat];

    quests_take(state, seat, card);
    cards[state->attack_count[seat]++] = (uint16_t) card;
    sink_open(play->out, TO_SEAT(seat), QUESTS_ATTACK_CARD);
    sink_put(play->out, state->stage);
    sink_put(play->out, card);
    quests_say_list(play->out, cards, state->attack_count[seat]);
    sink_put(play->out, quests_sum(cards, state->attack_count[seat]));
    sink_close(play->out);
}

void quests_attack_done(struct play *play)
{
    const struct quests_state *state = play->state;
    uint32_t                   seat = state->asked, count = state->attack_count[seat];
    const uint16_t            *cards = state->attack_card[seat];

    sink_open(play->out, TO_SEAT(seat), QUESTS_ATTACK_SET);
    sink_put(play->out, seat);
    sink_put(play->out, state->stage);
    quests_say_list(play->out, cards, count);
    sink_put(play->out, quests_sum(cards, count));
    sink_put(play->out, count);
    sink_put(play->out, state->hand_count[seat]);
    sink_close(play->out);
    EMIT(play->out, TO_ALL_BUT(seat), QUESTS_ATTACK_SET, seat, state->stage, 0, ABSENT, count,
         state->hand_count[seat]);
    ask_attacks(play, seat + 1);
}

/* The end of a stage. */

static uint32_t attack_of(const struct quests_state *state, uint32_t seat)
{
    return quests_sum(state->attack_card[seat], state->attack_count[seat]);
}

static void show_attack(struct sink *out, const struct quests_state *state, uint32_t seat,
                        uint32_t value)
{
    sink_put(out, seat);
    quests_say_list(out, state->attack_card[seat], state->attack_count[seat]);
    sink_put(out, attack_of(state, seat));
    sink_put(out, attack_of(state, seat) >= value);
}

/* Lays open the stage and its attacks; returns who has passed. */
static uint32_t show_resolved(struct play *play)
{
    const struct quests_state *state = play->state;
    uint32_t                   stage = state->stage - 1u, passed = 0, attacks = 0;
    uint32_t value = quests_sum(state->stage_card[stage], state->stage_count[stage]);

    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++)
        attacks += quests_has(state->participants, seat);
    sink_open(play->out, TO_ALL, QUESTS_STAGE_RESOLVED);
    sink_put(play->out, state->stage);
    quests_say_list(play->out, state->stage_card[stage], state->stage_count[stage]);
    sink_put(play->out, value);
    sink_put(play->out, attacks);
    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++)
        if (quests_has(state->participants, seat)) {
            show_attack(play->out, state, seat, value);
            passed |= (uint32_t) (attack_of(state, seat) >= value) << seat;
        }
    sink_close(play->out);
    return passed;
}

static void discard_attack(struct play *play, uint32_t seat)
{
    struct quests_state *state = play->state;

    if (state->attack_count[seat] == 0)
        return;
    for (uint32_t i = 0; i < state->attack_count[seat]; i++)
        quests_put(&state->discard[QUESTS_ADVENTURE], state->attack_card[seat][i]);
    sink_open(play->out, TO_ALL, QUESTS_DISCARDED);
    sink_put(play->out, seat);
    quests_say_list(play->out, state->attack_card[seat], state->attack_count[seat]);
    sink_put(play->out, ABSENT);
    sink_put(play->out, QUESTS_OF_ATTACK);
    sink_put(play->out, state->hand_count[seat]);
    sink_close(play->out);
    state->attack_count[seat] = 0;
    memset(state->attack_card[seat], 0, sizeof state->attack_card[seat]);
}

static void resolve(struct play *play)
{
    struct quests_state *state = play->state;
    uint32_t             passed = show_resolved(play);

    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++)
        if (quests_has(state->participants, seat))
            discard_attack(play, seat);
    state->attacking = 0;
    state->resolved = state->stage;
    state->eligible = (uint16_t) passed;
    if (passed == 0)
        end_quest(play, QUESTS_NO_WINNER, 0);
    else if (state->stage == state->stages)
        end_quest(play, QUESTS_WON, passed);
    else
        quests_begin_stage(play);
}

/* The end of a quest. */

static void reward(struct play *play, uint32_t winners)
{
    struct quests_state *state = play->state;

    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++)
        if (quests_has(winners, seat)) {
            state->shields[seat] += state->stages;
            EMIT(play->out, TO_ALL, QUESTS_SHIELDS_CHANGED, seat, state->stages,
                 state->shields[seat], QUESTS_BY_QUEST);
        }
}

/* All stages go to the pile, resolved or not; returns how many cards they had. */
static uint32_t discard_stages(struct play *play, uint32_t sponsor)
{
    struct quests_state *state = play->state;
    uint16_t             used[QUESTS_HAND];
    uint32_t             count = 0;

    for (uint32_t stage = 0; stage < state->stages; stage++)
        for (uint32_t i = 0; i < state->stage_count[stage]; i++) {
            assert(count < QUESTS_HAND);
            used[count++] = state->stage_card[stage][i];
            quests_put(&state->discard[QUESTS_ADVENTURE], state->stage_card[stage][i]);
        }
    quests_show_cards(play, QUESTS_DISCARDED, sponsor, used, count, QUESTS_OF_QUEST);
    memset(state->stage_count, 0, sizeof state->stage_count);
    memset(state->stage_card, 0, sizeof state->stage_card);
    return count;
}

static void forget_quest(struct quests_state *state)
{
    state->stages = 0;
    state->polled = 0;
    state->sponsor = 0;
    state->built = 0;
    state->stage = 0;
    state->resolved = 0;
    state->eligible = 0;
    state->participants = 0;
}

static bool is_won(const struct quests_setup *setup, const struct quests_state *state)
{
    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++)
        if (state->shields[seat] >= setup->winning_shields)
            return true;
    return false;
}

static void end_quest(struct play *play, enum quests_result result, uint32_t winners)
{
    const struct quests_setup *setup = play->setup;
    struct quests_state       *state = play->state;
    uint32_t                   sponsor = state->sponsor - 1u, stages = state->stages;

    sink_open(play->out, TO_ALL, QUESTS_QUEST_ENDED);
    sink_put(play->out, result);
    sink_put(play->out, state->stage);
    quests_say_mask(play->out, winners);
    sink_close(play->out);
    reward(play, winners);
    uint32_t used = discard_stages(play, sponsor);
    quests_discard_event(play);
    forget_quest(state);
    if (is_won(setup, state) && !setup->redraw_on_win) {
        quests_end_turn(play);
        return;
    }
    quests_draw_hand(play, sponsor, used + stages, QUESTS_BY_SPONSOR);
    quests_trim(play);
}
