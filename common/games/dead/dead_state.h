/* dead_state.h: everything of a match that changes, in one flat block.
 *
 * A header, then arrays whose lengths follow from the set-up and the number of seats; the header
 * knows where they begin. Nothing points anywhere and nothing is left between the fields.
 *
 * Inside, a character goes by its *rank*: its place in the order of status, lowest first. A set of
 * survivors is a row of bits by rank. So "the weakest here" is the lowest bit, and "in descending
 * order of status" is reading from the top. Cards go by index; a hand is a row of bits, too. */
#ifndef ARBITER_DEAD_STATE_H
#define ARBITER_DEAD_STATE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "games/dead/dead_setup.h"

#define DEAD_NOWHERE 0xffu     /* The place of a character who is not in play.         */
#define DEAD_NOBODY 0xffu      /* No seat.                                             */
#define DEAD_PLACES 3u         /* For zombies and barricades at one entrance.          */
#define DEAD_INJURIES_DEADLY 3 /* Wounds and frostbites together.                      */
#define DEAD_OFFER 4u          /* Characters a player may choose from.                 */

enum dead_phase { DEAD_PREPARATION = 1, DEAD_TURN, DEAD_VOTING, DEAD_OVER };

enum dead_fate_state { DEAD_FATE_NONE, DEAD_FATE_WAITING, DEAD_FATE_TRUE, DEAD_FATE_DONE };

struct dead_seat {
    uint16_t dice[6]; /* How many unspent dice show 1, 2, ... 6.                  */
    uint8_t  in_game; /* 0 once left.                                             */
    uint8_t  skips;   /* Base: got a new survivor before the own turn; sits out.  */
    uint8_t  cleaned; /* Base: waste was cleaned in the ordinary way this round.  */
    uint8_t  unused;  /* 0.                                                       */
};

/* A character. All but `place` and `owner` is zero while the character is not in play. */
struct dead_person {
    uint8_t  place; /* Index of a location, or DEAD_NOWHERE.                    */
    uint8_t  owner; /* A seat, or DEAD_NOBODY.                                  */
    uint8_t  wounds;
    uint8_t  frostbites;
    uint16_t joined;       /* How many had joined before.                              */
    uint16_t equipment;    /* The newest card of equipment, or DEAD_NONE; dead_next.   */
    uint16_t moved;        /* 1: in this turn.                                         */
    uint16_t unused;       /* 0.                                                       */
    uint32_t ability_used; /* How often in this turn.                                  */
};

/* Where the arrays begin, in bytes from the beginning of the state. */
struct dead_layout {
    uint16_t here;       /* uint64_t, per location a set: who stands there.          */
    uint16_t ours;       /* uint64_t, per seat a set: whose survivors.               */
    uint16_t hands;      /* uint64_t, per seat a set of cards.                       */
    uint16_t gone;       /* uint64_t, one set of cards: played, lost, contributed.   */
    uint16_t worn;       /* uint64_t, one set of cards: equipment on survivors.      */
    uint16_t spent;      /* uint64_t, one set of cards: worn, its use of this turn spent. */
    uint16_t people;     /* struct dead_person by rank.                              */
    uint16_t seats;      /* struct dead_seat.                                        */
    uint16_t pool;       /* uint16_t, ranks; `pool_count` of them.                   */
    uint16_t deck;       /* uint16_t, cards; the decks as in the set-up, shuffled.   */
    uint16_t taken;      /* uint16_t per location: cards taken from its deck.        */
    uint16_t crises;     /* uint16_t, shuffled.                                      */
    uint16_t fates;      /* uint16_t, shuffled.                                      */
    uint16_t next;       /* uint16_t per card: the equipment put on before it.       */
    uint16_t zombies;    /* uint8_t per entrance.                                    */
    uint16_t barricades; /* uint8_t per entrance.                                    */
};

struct dead_state {
    struct dead_layout at;
    uint16_t           bytes;        /* Of the whole block, a multiple of 8.                   */
    uint16_t           people_words; /* 64-bit words of a set of characters.                   */
    uint16_t           card_words;   /* 64-bit words of a set of cards.                        */
    uint16_t           seats;
    int64_t            food;
    int64_t            waste_mark; /* Crossroads: the waste at which the fate card comes true. */
    int32_t            moral;
    uint32_t           waste;
    uint32_t           hunger;   /* Starvation tokens.                                      */
    uint32_t           children; /* In the colony.                                          */
    uint32_t           timeouts; /* In a row, of the one who is awaited.                    */
    uint16_t           round;    /* From 1; 0 in preparation.                               */
    uint16_t           contributed;
    uint16_t           pool_count;
    uint16_t           joined;     /* Characters who have joined so far.                      */
    uint16_t           fates_used; /* Fate cards drawn.                                       */
    uint16_t           fate;       /* The card of the turn, or DEAD_NONE.                     */
    uint8_t            fate_state; /* enum dead_fate_state.                                   */
    uint8_t            phase;      /* enum dead_phase.                                        */
    uint8_t            on_turn;    /* Seat; `seats` in the colony phase.                      */
    uint8_t            turn_over;  /* 1: nothing more will be asked in this turn.             */
    uint8_t            voter;      /* Seat, in a vote.                                        */
    uint8_t            votes_for;
    uint8_t            votes_against;
    uint8_t            upcoming; /* Once the turn is over: who is next; `seats` for nobody.  */
    uint8_t            won;
    uint8_t            unused[7]; /* 0; keeps the struct free of holes.                      */
};

/* How long the state is, and its header, for a set-up and a number of seats. */
uint32_t dead_lay_out(const struct dead_setup *setup, uint32_t seats, struct dead_state *header);

/* The arrays. */

static inline void *dead_array(const struct dead_state *state, uint16_t at)
{
    return (uint8_t *) state + at;
}

static inline uint64_t *dead_here(const struct dead_state *state, uint32_t place)
{
    return (uint64_t *) dead_array(state, state->at.here) + place * state->people_words;
}

static inline uint64_t *dead_ours(const struct dead_state *state, uint32_t seat)
{
    return (uint64_t *) dead_array(state, state->at.ours) + seat * state->people_words;
}

static inline uint64_t *dead_hand(const struct dead_state *state, uint32_t seat)
{
    return (uint64_t *) dead_array(state, state->at.hands) + seat * state->card_words;
}

static inline struct dead_person *dead_person(const struct dead_state *state, uint32_t who)
{
    return (struct dead_person *) dead_array(state, state->at.people) + who;
}

static inline struct dead_seat *dead_seat(const struct dead_state *state, uint32_t seat)
{
    return (struct dead_seat *) dead_array(state, state->at.seats) + seat;
}

static inline uint16_t *dead_u16(const struct dead_state *state, uint16_t at)
{
    return dead_array(state, at);
}

static inline uint64_t *dead_u64(const struct dead_state *state, uint16_t at)
{
    return dead_array(state, at);
}

static inline uint8_t *dead_zombies(const struct dead_state *state, const struct dead_location *at)
{
    return (uint8_t *) dead_array(state, state->at.zombies) + at->entrance_first;
}

static inline uint8_t *dead_barricades(const struct dead_state    *state,
                                       const struct dead_location *at)
{
    return (uint8_t *) dead_array(state, state->at.barricades) + at->entrance_first;
}

/* Sets: rows of bits. */

static inline void set_put(uint64_t *set, uint32_t bit)
{
    set[bit / 64] |= UINT64_C(1) << bit % 64;
}

static inline void set_take(uint64_t *set, uint32_t bit)
{
    set[bit / 64] &= ~(UINT64_C(1) << bit % 64);
}

static inline bool set_has(const uint64_t *set, uint32_t bit)
{
    return set[bit / 64] >> bit % 64 & 1;
}

static inline bool set_empty(const uint64_t *set, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        if (set[i] != 0)
            return false;
    return true;
}

/* The lowest bit from `from` on, or DEAD_NONE. */
static inline uint32_t set_next(const uint64_t *set, uint32_t words, uint32_t from)
{
    uint32_t at = from / 64;
    if (at >= words)
        return DEAD_NONE;
    uint64_t left = set[at] >> from % 64 << from % 64;
    while (left == 0) {
        if (++at == words)
            return DEAD_NONE;
        left = set[at];
    }
    return at * 64 + (uint32_t) __builtin_ctzll(left);
}

/* The highest bit; the set is not empty. */
static inline uint32_t set_top(const uint64_t *set, uint32_t words)
{
    while (set[words - 1] == 0)
        words--;
    return words * 64 - 1 - (uint32_t) __builtin_clzll(set[words - 1]);
}

/* How many. (The compiler's own count would be a call into its library.) */
static inline uint32_t set_count(const uint64_t *set, uint32_t words)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < words; i++)
        for (uint64_t left = set[i]; left != 0; left &= left - 1)
            count++;
    return count;
}

/* FOR_EACH(who, set, words): every bit, upwards. */
#define FOR_EACH(bit, set, words)                                                                  \
    for (uint32_t bit = set_next((set), (words), 0); (bit) != DEAD_NONE;                           \
         bit = set_next((set), (words), (bit) + 1))

#endif
