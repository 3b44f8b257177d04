/* objectron_rules.h: what the rule files of objectron share: the match at hand, and who does what.
 *
 * A command goes through objectron.c. objectron_move.c judges and makes moves. objectron_items.c
 * and objectron_disc.c pick up, use and throw. objectron_effects.c lets squares and people suffer.
 * objectron_power.c and objectron_fields.c tick after each action. objectron_turn.c goes on to the
 * next player. Once the match is over every one of them stops. */
#ifndef ARBITER_OBJECTRON_RULES_H
#define ARBITER_OBJECTRON_RULES_H

#include "games/objectron/objectron.h"
#include "games/objectron/objectron_state.h"

/* The match at hand. */
struct objectron {
    const struct objectron_setup *setup;
    struct objectron_state       *state;
    struct dice                  *dice;
    struct sink                  *out;
    bool                          loss;  /* This command brought a loss of actions.       */
    int32_t                       fresh; /* Fields from this id on are of this very action. */
};

static inline struct objectron objectron_of(const struct play *play)
{
    return (struct objectron){ play->setup, play->state, play->dice, play->out, false, INT32_MAX };
}

/* The words of a square that there is. */
#define SQUARE(state, square) 1, (square) % (state)->width, (square) / (state)->width
#define SAY(o, kind, ...) EMIT((o)->out, TO_ALL, kind, __VA_ARGS__)

static inline void objectron_put_square(struct sink *out, const struct objectron_state *state,
                                        int32_t square)
{
    sink_put(out, square >= 0);
    if (square < 0)
        return;
    sink_put(out, square % state->width);
    sink_put(out, square / state->width);
}

enum objectron_action {
    OBJECTRON_BY_MOVE = 1,
    OBJECTRON_BY_PICK_UP,
    OBJECTRON_BY_USE,
    OBJECTRON_EMPTY
};
enum objectron_exit {
    OBJECTRON_BOXED_IN = 1,
    OBJECTRON_UNMOVED,
    OBJECTRON_DOUBLE_TRAP,
    OBJECTRON_RESIGNED
};
enum objectron_end { OBJECTRON_FINISH = 1, OBJECTRON_FLAGS, OBJECTRON_LAST, OBJECTRON_DRAW };
enum objectron_turn_end {
    OBJECTRON_USED_UP = 1,
    OBJECTRON_BY_PLAYER,
    OBJECTRON_LOST,
    OBJECTRON_OUT
};

/* objectron_layout.c, objectron_walls.c, objectron_scatter.c */
/* The state of a table at which nothing was laid: sizes, and where arrays begin. */
void objectron_lay_empty(const struct objectron_setup *setup, struct objectron_state *state);
void objectron_lay_out(const struct objectron_setup *setup, struct dice *dice,
                       struct objectron_state *state);
void objectron_build_walls(const struct objectron_setup *setup, struct dice *dice,
                           struct objectron_state *state);
void objectron_scatter(const struct objectron_setup *setup, struct dice *dice,
                       struct objectron_state *state);
/* objectron_fair.c: marks, with 1 among 0, the squares about as far from every start. */
void objectron_mark_fair(const struct objectron_state *state, uint8_t *fair);
struct objectron_item *objectron_add_item(struct objectron_state *state, int32_t id, uint32_t kind,
                                          int32_t at);
/* objectron_move.c */
verdict  objectron_judge_move(const struct objectron_state *state, uint32_t seat, uint32_t dir,
                              int32_t *to);
/* The directions in which the player may move: bit 0 is north. */
uint32_t objectron_moves(const struct objectron_state *state, uint32_t seat);
/* Whether a player whom no field holds may move in any direction. With `through`, the player's own
 * trail and all fields count as open. */
bool     objectron_can_move(const struct objectron_state *state, uint32_t seat, bool through);
void     objectron_make_move(struct objectron *o, uint32_t seat, uint32_t dir);
/* objectron_items.c: `index` becomes the item's. */
verdict  objectron_judge_pick_up(const struct objectron_state *state, uint32_t seat, word id,
                                 int32_t *index);
verdict  objectron_judge_use(const struct objectron_state *state, uint32_t seat, word id, word dir,
                             int32_t *index);
bool     objectron_has_item_action(const struct objectron_state *state, uint32_t seat);
void     objectron_pick_up(struct objectron *o, uint32_t seat, int32_t index);
void     objectron_use(struct objectron *o, uint32_t seat, int32_t index, word dir);
void     objectron_take_out(struct objectron_state *state, uint32_t seat, int32_t index);
/* objectron_disc.c */
void     objectron_throw(struct objectron *o, uint32_t seat, int32_t index, uint32_t dir);
/* objectron_effects.c */
void     objectron_enter(struct objectron *o, uint32_t seat, int32_t square);
void     objectron_drop_flag(struct objectron *o, uint32_t seat, int32_t around);
void     objectron_arm(struct objectron *o, uint32_t seat, int32_t square);
void     objectron_eliminate(struct objectron *o, uint32_t who, enum objectron_exit why);
void     objectron_finish(struct objectron *o, int32_t winner, enum objectron_end reason);
void     objectron_say_trail(struct objectron *o, uint32_t seat);
/* objectron_laid.c: before the first turn, at a table for tests. */
void     objectron_lay(const struct objectron_setup *setup, struct objectron_state *state);

/* objectron_power.c */
void    objectron_power_turn(struct objectron *o);
void    objectron_power_tick(struct objectron *o);
/* Secondary from primary and direction, no tertiary as yet. */
void    objectron_spread(const struct objectron_state *state, struct objectron_failure *failure);
/* Tertiary by one of three draws. */
void    objectron_spread_on(const struct objectron_state *state, struct objectron_failure *failure,
                            uint32_t draw);
/* objectron_fields.c */
void    objectron_connect(struct objectron *o, int32_t generator);
void    objectron_connect_all(struct objectron_state *state);
void    objectron_disconnect(struct objectron *o, int32_t generator);
void    objectron_fields_tick(struct objectron *o);
/* Whether so many empty actions would let a field catch the player twice. */
bool    objectron_would_trap(const struct objectron_state *state, uint32_t seat, int32_t actions);
/* objectron_turn.c */
void    objectron_begin(struct objectron *o);
void    objectron_spend(struct objectron *o, uint32_t seat, enum objectron_action action);
void    objectron_tick(struct objectron *o);
void    objectron_after(struct objectron *o, uint32_t seat);
verdict objectron_judge_end(const struct objectron_state *state, uint32_t seat, bool *loses);
void    objectron_end_turn(struct objectron *o, uint32_t seat);
void    objectron_resign(struct objectron *o, uint32_t seat);
void    objectron_time_up(struct objectron *o, uint32_t seat);
/* objectron_judge_reach.c: what ways cost a bot, in quarters of an action. */
#define OBJECTRON_STEP_COST 4
#define OBJECTRON_FAR (1 << 24)
struct objectron_terrain {
    int32_t hop_toll;                     /* For going through a teleporter.            */
    uint8_t toll[OBJECTRON_SQUARES_MAX];  /* For entering a square; 0: it is not free.  */
    int16_t leads[OBJECTRON_SQUARES_MAX]; /* Where its teleporter leads; -1: nowhere.  */
};
void objectron_survey(const struct objectron_state *state, uint32_t seat,
                      struct objectron_terrain *terrain);
/* Fills in what it costs from one square to every other; OBJECTRON_FAR: it cannot be reached. */
void objectron_reach(const struct objectron_state *state, const struct objectron_terrain *terrain,
                     int32_t from, int32_t *costs);
/* The same turned round: from every square to the nearest of these. */
void objectron_reach_back(const struct objectron_state   *state,
                          const struct objectron_terrain *terrain, const int32_t *goals,
                          int32_t count, int32_t *costs);
/* What it costs a player to get where the player wants to be, in this reckoning. */
int32_t     objectron_way(const struct objectron_state *state, uint32_t seat);
/* objectron_legal.c, objectron_view.c, objectron_check.c, objectron_judge.c: functions of `struct game`. */
void        objectron_legal(const void *setup, const void *at, uint32_t seat, struct legal *list);
void        objectron_view(const void *setup, const void *at, uint32_t viewer, struct sink *out);
const char *objectron_check(const void *setup, const void *at);
void        objectron_hidden(const void *setup, const void *at, uint32_t viewer, uint8_t *mask);
int64_t     objectron_judge(const void *setup, const void *at, uint32_t seat,
                            const struct command *command);
/* The same of a whole list: rules/foresight.h. */
#define OBJECTRON_OPINION_BYTES (12 * OBJECTRON_SQUARES_MAX + 256)
void    objectron_consider(const void *setup, const void *at, uint32_t seat, void *memory);
int64_t objectron_like(void *memory, const struct command *command);

extern const struct reason     objectron_reasons[OBJECTRON_REASONS];
extern const char *const       objectron_details[OBJECTRON_REASONS];
extern const struct event_kind objectron_events[OBJECTRON_EVENT_KINDS];

#endif
