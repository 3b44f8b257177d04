/* dead_rules.h: what the rule files of the dead share: the match at hand, and who does what.
 *
 * One thing happens per call from outside, and the files follow its course. dead_actions.c,
 * dead_cards.c and dead_ability.c judge and carry out a command. dead_injury.c lets people be hurt
 * and die. dead_fate.c and dead_vote.c handle the fate card. dead_turn.c goes on to the player who
 * is asked next, through dead_colony.c when all have played. Once the match is over every one of
 * them stops. */
#ifndef ARBITER_DEAD_RULES_H
#define ARBITER_DEAD_RULES_H

#include "games/dead/dead.h"
#include "games/dead/dead_setup.h"
#include "games/dead/dead_state.h"

/* The match at hand. */
struct dead {
    const struct dead_setup *setup;
    struct dead_state       *state;
    struct dice             *dice;
    struct sink             *out;
};

static inline struct dead dead_of(const struct play *play)
{
    return (struct dead){ play->setup, play->state, play->dice, play->out };
}

#define SAY(dead, kind, ...) EMIT((dead)->out, TO_ALL, kind, __VA_ARGS__)
#define SAY_BARE(dead, kind) EMIT_BARE((dead)->out, TO_ALL, kind)

/* Small questions. */

static inline bool dead_is_over(const struct dead *dead)
{
    return dead->state->phase == DEAD_OVER;
}

static inline bool dead_is_base(const struct dead *dead)
{
    return dead->setup->edition == DEAD_BASE;
}

/* The character of a rank. */
static inline const struct dead_character *dead_character_of(const struct dead_setup *setup,
                                                             uint32_t                 who)
{
    return dead_character(setup, dead_of_rank(setup, who));
}

static inline word dead_id_of(const struct dead_setup *setup, uint32_t who)
{
    return dead_character_of(setup, who)->id;
}

/* The rank of the character a player named, or DEAD_NONE. */
static inline uint32_t dead_who(const struct dead_setup *setup, word id)
{
    uint32_t index = dead_character_index(setup, id);
    return index == DEAD_NONE ? DEAD_NONE : dead_character(setup, index)->rank;
}

static inline const struct dead_location *dead_place_of(const struct dead *dead, uint32_t who)
{
    return dead_location(dead->setup, dead_person(dead->state, who)->place);
}

static inline const struct dead_card *dead_cards(const struct dead_setup *setup)
{
    return (const void *) ((const uint8_t *) setup + setup->cards.at);
}

/* The cards that are still in a location's deck; the colony is never searched. */
static inline uint32_t dead_cards_left(const struct dead_setup *setup,
                                       const struct dead_state *state, uint32_t place)
{
    if (place == setup->colony)
        return 0;
    return dead_location(setup, place)->deck_count - dead_u16(state, state->at.taken)[place];
}

/* Whether one more survivor may come to a location. */
static inline bool dead_has_room(const struct dead_setup *setup, const struct dead_state *state,
                                 uint32_t place)
{
    return place == setup->colony || set_count(dead_here(state, place), state->people_words) <
                                         dead_location(setup, place)->spaces;
}

/* The smallest die of a seat that shows at least `least`, or 0. */
static inline uint32_t dead_die(const struct dead_state *state, uint32_t seat, uint32_t least)
{
    const uint16_t *dice = dead_seat(state, seat)->dice;
    for (uint32_t value = least; value <= 6; value++)
        if (dice[value - 1] > 0)
            return value;
    return 0;
}

/* A card of equipment of this kind on a survivor whose use of this turn is not spent, the newest
 * first; DEAD_NONE without. A blueprint must be of `place`. */
uint32_t dead_tool(const struct dead_setup *setup, const struct dead_state *state, uint32_t who,
                   uint32_t kind, uint32_t place);

/* Whether the survivor has any injury that medicine could heal. */
static inline bool dead_is_hurt(const struct dead_state *state, uint32_t who)
{
    const struct dead_person *person = dead_person(state, who);
    return person->wounds + person->frostbites > 0;
}

/* dead_prepare.c: from the first event to the first round. */
void    dead_prepare(struct dead *dead);
verdict dead_select(struct dead *dead, uint32_t seat, const struct command *command);
void    dead_select_for(struct dead *dead); /* The first two offered, for somebody silent. */
void    dead_say_offer(const struct dead_setup *setup, const struct dead_state *state,
                       struct sink *out);

/* dead_people.c: joining, being placed, being taken out. */
void     dead_join(struct dead *dead, uint32_t who, uint32_t seat);
void     dead_walk(struct dead *dead, uint32_t who, uint32_t place);
void     dead_remove(struct dead *dead, uint32_t who);
void     dead_drop_hand(struct dead *dead, uint32_t seat);
void     dead_leave(struct dead *dead, uint32_t seat);
void     dead_replace(struct dead *dead, uint32_t seat); /* The last survivor has died.   */
uint32_t dead_take_from_pool(struct dead_state *state);
/* The first of a seat's survivors who joined as number `from` or later, or DEAD_NONE. */
uint32_t dead_next_joined(const struct dead_state *state, uint32_t seat, uint32_t from);

/* dead_injury.c: morale, injuries, deaths and what follows from them. */
void dead_moral(struct dead *dead, int32_t amount, enum dead_moral_reason reason);
void dead_end(struct dead *dead, bool won);
void dead_infect(struct dead *dead, uint32_t who);
void dead_infect_mover(struct dead *dead, uint32_t who);
void dead_wound(struct dead *dead, uint32_t who);
/* Dies, with BITTEN, SURVIVOR_KILLED or, where the edition is silent about it, 0. */
void dead_die_of(struct dead *dead, uint32_t who, uint32_t kind);
void dead_kill_child(struct dead *dead, enum dead_event_kind kind);

/* dead_colony.c: the colony phase. */
void dead_colony_phase(struct dead *dead);
void dead_spawn_zombies(struct dead *dead, uint32_t place, uint32_t count);

/* dead_turn.c: rounds and turns; whom to ask next. */
void                   dead_begin_round(struct dead *dead);
/* After a command or a vote: the fate card, then the same player again or the next. */
void                   dead_settle(struct dead *dead);
/* The same when the fate card has been seen to. */
void                   dead_go_on(struct dead *dead);
void                   dead_spend_die(struct dead *dead, uint32_t value);
/* The turn of this player ends, if the player has it: it was given up, the last survivor is gone,
 * or the player left. */
void                   dead_end_turn_of(struct dead *dead, uint32_t seat);
/* Whose turn it is. After a command that ends a turn it is already the next player's, even if that
 * command is not yet through. The next player may lose the turn again by the same infection (not in
 * equipment). `seats`: nobody's. */
static inline uint32_t dead_current(const struct dead_state *state)
{
    return state->turn_over ? state->upcoming : state->on_turn;
}

/* dead_fate.c, dead_vote.c: the fate card of the turn. */
void    dead_draw_fate(struct dead *dead);
void    dead_tempt_fate(struct dead *dead, enum dead_trigger trigger, uint32_t place);
bool    dead_meet_fate(struct dead *dead); /* False: a vote is open. */
void    dead_suffer(struct dead *dead, const struct dead_consequence *consequence);
void    dead_open_vote(struct dead *dead);
verdict dead_vote(struct dead *dead, uint32_t seat, const struct command *command);
void    dead_cast(struct dead *dead, bool answer);

/* dead_actions.c, dead_cards.c, dead_ability.c: the commands of a turn. */
verdict dead_move(struct dead *dead, const struct command *command);
verdict dead_barricade(struct dead *dead, const struct command *command);
verdict dead_attack(struct dead *dead, const struct command *command);
verdict dead_search(struct dead *dead, const struct command *command);
verdict dead_clean_waste(struct dead *dead, const struct command *command);
verdict dead_contribute(struct dead *dead, const struct command *command);
verdict dead_use_card(struct dead *dead, const struct command *command);
verdict dead_use_ability(struct dead *dead, const struct command *command);

/* Judgements they share. The survivor of the player on turn that a command names. */
verdict  dead_find_own(const struct dead *dead, word id, uint32_t *who);
verdict  dead_find_entrance(const struct dead *dead, uint32_t who, word entrance);
verdict  dead_may_move(const struct dead *dead, uint32_t who, word id, uint32_t *place);
verdict  dead_find_patient(const struct dead *dead, uint32_t who, word id, uint32_t *patient);
uint32_t dead_free_places(const struct dead *dead, uint32_t who, word entrance);
void     dead_heal(struct dead *dead, uint32_t patient);
void     dead_kill_zombie(struct dead *dead, uint32_t who, word entrance);
void     dead_discard(struct dead *dead, uint32_t card);
void     dead_spawn_child(struct dead *dead);
void     dead_add_waste(struct dead *dead, int32_t amount);
verdict  dead_may_kill(const struct dead_setup *setup, const struct dead_state *state, uint32_t who,
                       uint32_t *die);
/* How many cards of waste the survivor may carry out now; 0: none. Says what pays for it. */
enum dead_cleaner { DEAD_CLEANS_NOT, DEAD_CLEANS_WITH_SWAB, DEAD_CLEANS_TRASH, DEAD_CLEANS };
enum dead_cleaner dead_cleaner(const struct dead_setup *setup, const struct dead_state *state,
                               uint32_t who);

/* dead_legal.c, dead_view.c, dead_check.c, dead_hidden.c, dead_judge.c: looking. */
seat_mask   dead_to_act(const void *setup, const void *at);
void        dead_legal(const void *setup, const void *state, uint32_t seat, struct legal *list);
void        dead_view(const void *setup, const void *state, uint32_t viewer, struct sink *out);
const char *dead_check(const void *setup, const void *state);
void        dead_hidden(const void *setup, const void *at, uint32_t viewer, uint8_t *mask);
int64_t     dead_judge(const void *setup, const void *state, uint32_t seat,
                       const struct command *command);
void        dead_bounds(const void *at, uint32_t seats, struct bounds *bounds);
void        dead_extents(const void *at, uint32_t seats, struct extents *extents);

extern const struct reason dead_reasons[DEAD_REASONS];

#endif
