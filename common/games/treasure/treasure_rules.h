/* treasure_rules.h: what the files of the treasure hunt share with each other and with its recordings.
 *
 * Arrays stand behind the state's struct, of sizes that the set-up gives. First come the snapshots
 * for spectators who see all. Then come bytes: the terrain of either half, and what each seat has
 * explored of the joined map. The joined map itself is nowhere: it is the two halves, and where
 * they lie. */
#ifndef ARBITER_TREASURE_RULES_H
#define ARBITER_TREASURE_RULES_H

#include "games/treasure/treasure.h"

/* What is wrong with a half, in order. */
struct treasure_faults {
    uint32_t count;
    uint8_t  code[TREASURE_FAULTS_MAX];
};

/* A half that was read: terrain in reading order and the castles in it. */
struct treasure_half {
    uint32_t castles;   /* How many castles were sent.                     */
    uint32_t misplaced; /* Of these, not on grass.                         */
    int32_t  castle;    /* The field of one; TREASURE_NOWHERE: of none.    */
    uint8_t  field[TREASURE_FIELDS_MAX];
};

/* What a rule touches. */
struct treasure {
    const struct treasure_setup *setup;
    struct treasure_state       *state;
    struct dice                 *dice;
    struct sink                 *out;
};

static inline struct treasure treasure_of(const struct play *play)
{
    return (struct treasure){ play->setup, play->state, play->dice, play->out };
}

static inline uint32_t treasure_half_size(const struct treasure_setup *setup)
{
    return setup->width * setup->height;
}

static inline uint32_t treasure_snapshots(const struct treasure_setup *setup)
{
    return setup->watch_all ? setup->delay + 1 : 0;
}

static inline struct treasure_snapshot *treasure_ring(const struct treasure_state *state)
{
    return (struct treasure_snapshot *) (state + 1);
}

/* The terrain of a seat's half. */
static inline uint8_t *treasure_field(const struct treasure_setup *setup,
                                      const struct treasure_state *state, uint32_t seat)
{
    uint8_t *bytes = (uint8_t *) (treasure_ring(state) + treasure_snapshots(setup));
    return bytes + (size_t) seat * treasure_half_size(setup);
}

/* What a seat has explored, field by field of the joined map. */
static inline uint8_t *treasure_explored(const struct treasure_setup *setup,
                                         const struct treasure_state *state, uint32_t seat)
{
    return treasure_field(setup, state, TREASURE_SEATS + 2 * seat);
}

static inline int32_t treasure_columns(const struct treasure_setup *setup,
                                       const struct treasure_state *state)
{
    return (int32_t) (state->side ? 2 * setup->width : setup->width);
}

static inline int32_t treasure_rows(const struct treasure_setup *setup,
                                    const struct treasure_state *state)
{
    return (int32_t) (state->side ? setup->height : 2 * setup->height);
}

/* treasure_half.c, treasure_half_good.c: halves. */
bool treasure_read_text(const struct treasure_setup *setup, const uint8_t *text, uint32_t size,
                        struct treasure_half *half, struct treasure_faults *faults);
bool treasure_read_rows(const struct treasure_setup *setup, const uint8_t *text, uint32_t size,
                        struct treasure_half *half, struct treasure_faults *faults);
void treasure_put_castle(const struct treasure_setup *setup, int64_t x, int64_t y,
                         struct treasure_half *half);
void treasure_judge_half(const struct treasure_setup *setup, const struct treasure_half *half,
                         struct treasure_faults *faults);
/* What a half is made of. */
struct treasure_counts {
    uint32_t terrain[3]; /* By enum treasure_terrain.                                          */
    uint32_t edge[4];    /* Water on the edges: top, bottom, left, right.                      */
    bool     is_joined;  /* All land hangs together.                                           */
};
void treasure_count_half(const struct treasure_setup *setup, const struct treasure_half *half,
                         struct treasure_counts *counts);
void treasure_add_fault(struct treasure_faults *faults, uint32_t code);
/* Reads and judges the half of a command; false: a field is missing. */
bool treasure_take_half(const struct treasure_setup *setup, const struct command *command,
                        struct treasure_half *half, struct treasure_faults *faults);
bool treasure_propose(const void *setup, const void *state, uint32_t seat, struct dice *dice,
                      struct command *command, uint8_t *text, uint32_t text_max);

/* treasure_map.c: the joined map. */
void     treasure_merge(struct treasure *at);
/* Draws what masks the figures after this action, or notes where they are first shown. */
void     treasure_draw_masks(struct treasure *at);
uint32_t treasure_terrain(const struct treasure_setup *setup, const struct treasure_state *state,
                          int64_t x, int64_t y);
void     treasure_origin(const struct treasure_setup *setup, const struct treasure_state *state,
                         uint32_t seat, int32_t *x, int32_t *y);
bool     treasure_is_masked(const struct treasure_setup *setup, const struct treasure_state *state);

/* treasure_action.c: moves. */
uint32_t treasure_expected(const struct treasure_setup *setup, const struct treasure_state *state,
                           uint32_t seat, int32_t x, int32_t y);
void     treasure_neighbour(const struct treasure_state *state, uint32_t seat, word direction,
                            int32_t *x, int32_t *y);
void     treasure_update(struct treasure *at, uint32_t seat, const struct command *command);
void     treasure_step(struct treasure *at, uint32_t seat, word direction);
void     treasure_malformed(struct treasure *at, uint32_t seat);

/* treasure_say.c, treasure_view.c, treasure_spectator.c: what is said. */
void treasure_end(struct treasure *at, uint32_t result, uint32_t reason);
void treasure_lose(struct treasure *at, uint32_t seat, uint32_t reason);
void treasure_decide(struct treasure *at, uint32_t result, uint32_t reason);
void treasure_say_end(struct treasure *at);
void treasure_say_maps(const struct treasure *at);
void treasure_say_enemy(const struct treasure *at, uint32_t seat);
void treasure_say_act_now(const struct treasure_setup *setup, const struct treasure_state *state,
                          uint32_t seat, struct sink *out);
void treasure_put_field(struct sink *out, bool known, int32_t x, int32_t y);
void treasure_put_area(struct sink *out, const struct treasure_setup *setup,
                       const struct treasure_state *state, uint32_t seat);
void treasure_put_pending(struct sink *out, const struct treasure_pending *pending);
void treasure_put_terrain(struct sink *out, const struct treasure_setup *setup,
                          const struct treasure_state *state);
void treasure_put_player_view(struct sink *out, const struct treasure_setup *setup,
                              const struct treasure_state *state, uint32_t seat);
void treasure_put_spectator_view(struct sink *out, const struct treasure_setup *setup,
                                 const struct treasure_state *state);
void treasure_view(const void *setup, const void *state, uint32_t viewer, struct sink *out);
/* Keeps a snapshot, and shows spectators who see all what is due to them. */
void treasure_snap(struct treasure *at);
void treasure_show_watchers(struct treasure *at);
/* The snapshot a spectator is shown now; NULL: the match as it is, or nothing yet. */
const struct treasure_snapshot *treasure_shown(const struct treasure_setup *setup,
                                               const struct treasure_state *state);

/* treasure_record.c, treasure_log.c: the tables of section 11, the lines of section 10. */
extern const struct game_record treasure_record;
void treasure_log(const struct treasure_setup *setup, const struct treasure_state *state,
                  const struct record_facts *facts, const struct record_deed *deed,
                  const struct recorder *to);
/* Whether the deed was an action, counted and stored. */
bool treasure_is_action(const struct treasure_state *state, const struct record_deed *deed);

/* treasure_names.c: the words of the rules for what is a number here; NULL: there is none. */
const char *treasure_fault_name(int32_t fault);
const char *treasure_result_name(int32_t result);
const char *treasure_reason_name(int32_t reason);
const char *treasure_action_name(int32_t action);

/* The rest of the table of functions. */
size_t treasure_configure(const struct value *config, const struct value *options, void *setup,
                          size_t capacity, struct faults *faults);
void   treasure_read_rest(const struct value *rest, struct faults *faults);
/* The same for all directions at once: rules/foresight.h. */
#define TREASURE_OPINION_BYTES 64
void        treasure_consider(const void *setup, const void *state, uint32_t seat, void *memory);
int64_t     treasure_like(void *memory, const struct command *command);
int64_t     treasure_judge_step(const void *setup, const void *state, uint32_t seat,
                                const struct command *command);
const char *treasure_check(const void *setup, const void *state);
void        treasure_hidden(const void *setup, const void *state, uint32_t viewer, uint8_t *mask);

#endif
