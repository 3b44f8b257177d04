/* quests_rules.h: what the files of these rules know of each other. */
#ifndef ARBITER_QUESTS_RULES_H
#define ARBITER_QUESTS_RULES_H

#include "games/quests/quests.h"

/* Cards. Kinds are those of quests.proto; 0 is none. */

extern const char
    *const           quests_card_names[QUESTS_DECKS][QUESTS_CARDS]; /* From kind 1; NULL ends. */
extern const uint8_t quests_copies[QUESTS_DECKS][QUESTS_CARDS];
extern const uint8_t quests_value[QUESTS_CARDS]; /* Of adventure cards. */

static inline bool quests_is_foe(uint32_t card)
{
    return card >= 1 && card <= QUESTS_FOES;
}

static inline bool quests_has(uint32_t mask, uint32_t seat)
{
    return seat < QUESTS_SEATS && (mask >> seat & 1) != 0;
}

uint32_t quests_sum(const uint16_t *cards, uint32_t count);
bool     quests_holds(const uint16_t *cards, uint32_t count, uint32_t card);
/* The kind at a position, from 1, of a sorted hand. */
uint32_t quests_at(const uint16_t hand[QUESTS_CARDS], uint32_t position);
void     quests_take(struct quests_state *state, uint32_t seat, uint32_t card);
void     quests_give(struct quests_state *state, uint32_t seat, uint32_t card);
void     quests_put(struct quests_pile *pile, uint32_t card);
/* The top card of a deck, whose pile is shuffled and becomes the deck if it is empty; 0: both are. */
uint32_t quests_draw(struct play *play, enum quests_deck which);
/* A player draws, and then has to trim if the hand is too large. */
void     quests_draw_hand(struct play *play, uint32_t seat, uint32_t count, enum quests_drawn why);

/* Words. */

void quests_say_list(struct sink *out, const uint16_t *cards, uint32_t count);
void quests_say_hand(struct sink *out, const uint16_t hand[QUESTS_CARDS], uint32_t count);
void quests_say_mask(struct sink *out, uint32_t mask);
/* `hand`, and the open prompt. */
void quests_show_hand(struct play *play, uint32_t seat);
/* QUESTS_DREW or QUESTS_DISCARDED: what it was for its seat, how many for the others. */
void quests_show_cards(struct play *play, uint32_t event, uint32_t seat, const uint16_t *cards,
                       uint32_t count, uint32_t why);
void quests_show_prompt(const void *of, const struct quests_state *state, struct sink *out);

/* Building. */

/* Whether stages of strictly increasing values above `above` can be made of these cards: each one
 * foe and no weapon twice. `first`, unless NULL, becomes how many of each kind the first stage
 * takes in one way to do it. It is always the same for the same cards. */
bool     quests_can_build(const uint16_t hand[QUESTS_CARDS], uint32_t stages, uint32_t above,
                          uint16_t first[QUESTS_CARDS]);
/* How many leftovers are searched to know it; 0: foes alone are enough. */
uint32_t quests_build_steps(const uint16_t hand[QUESTS_CARDS], uint32_t stages);
/* What the stage being built must exceed. */
uint32_t quests_above(const struct quests_state *state);
verdict  quests_stage_takes(const struct quests_state *state, uint32_t card);
verdict  quests_stage_is_good(const struct quests_state *state);
void     quests_stage_add(struct play *play, uint32_t card);
void     quests_stage_done(struct play *play);
void     quests_stage_clear(struct play *play);
void     quests_take_back(struct play *play);
void     quests_restart(struct play *play);

/* The turn. */

void quests_ask(struct play *play, enum quests_phase phase, uint32_t seat);
void quests_begin_turn(struct play *play);
void quests_end_turn(struct play *play);
void quests_leave_turn(struct play *play);
void quests_discard_event(struct play *play);
void quests_answer_sponsor(struct play *play, bool yes);
void quests_poll(struct play *play);
/* Who has drawn too much discards; then what was going on goes on. */
void quests_trim(struct play *play);
void quests_trim_card(struct play *play, uint32_t card);

/* The quest. */

void    quests_begin_stage(struct play *play);
void    quests_ask_participants(struct play *play, uint32_t from);
void    quests_answer_participate(struct play *play, bool yes);
verdict quests_attack_takes(const struct quests_state *state, uint32_t card);
void    quests_attack_add(struct play *play, uint32_t card);
void    quests_attack_done(struct play *play);

/* For the table. */

size_t      quests_configure(const struct value *config, const struct value *options, void *setup,
                             size_t capacity, struct faults *faults);
void        quests_start(struct play *play, uint32_t seats);
void        quests_legal(const void *setup, const void *of, uint32_t seat, struct legal *list);
int64_t     quests_judge(const void *of, const void *of_state, uint32_t seat,
                         const struct command *command);
void        quests_asks(const void *setup, const void *of, uint32_t seat, struct sink *out);
void        quests_view(const void *of, const void *of_state, uint32_t viewer, struct sink *out);
const char *quests_check(const void *setup, const void *of);
void        quests_hidden(const void *setup, const void *of, uint32_t viewer, uint8_t *mask);

#endif
