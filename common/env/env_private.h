/* env_private.h: what the files of this folder know of each other. */
#ifndef ARBITER_ENV_PRIVATE_H
#define ARBITER_ENV_PRIVATE_H

#include "env/arbiter_games.h"
#include "games/registry.h"
#include "match/match.h"
#include "match/policy.h"
#include "match/thinker.h"

/* How a View's words become cells: one operation a field, as a tree. */

enum env_shape {
    ENV_NUMBER,   /* A number, bool or enum.                              */
    ENV_NUMBERS,  /* A list of them.                                      */
    ENV_TEXT,     /* A string or bytes, a cell a byte.                    */
    ENV_TEXTS,    /* A list of them.                                      */
    ENV_MESSAGE,  /* A message that may be left out.                      */
    ENV_MESSAGES, /* A list of them.                                      */
    ENV_CASE,     /* A message in a oneof.                                */
    ENV_ONEOF     /* Which case there is, then each of them in its place. */
};

struct env_op {
    enum env_shape shape;
    uint32_t       at;     /* Its first cell in its message.                                  */
    uint32_t       cells;  /* Of all of it.                                                   */
    uint32_t       most;   /* Elements of a list, bytes of a text.                            */
    uint32_t       width;  /* Cells of an element.                                            */
    uint32_t first, count; /* Of a message or oneof: its own operations.                      */
    const ProtobufCFieldDescriptor
        *field; /* NULL: a oneof, or the words of a game without extents. */
};

#define ENV_OPS_MAX 512
#define ENV_COMMANDS_MAX                                                                           \
    1024                    /* Offered by a mask, if the game says nothing.                      */
#define ENV_CUT_AFTER 10000 /* Commands of a match that might go on for ever.                    */

struct arbiter_rules {
    const struct game_wire *wire;
    void                   *setup;
    struct match_terms      terms;
    uint64_t                setup_hash;
    uint32_t                actions, most, cells;
    bool                    gives_up;
    uint32_t                op_count;
    uint32_t                roots; /* Operations of the View itself, the first ones. */
    struct env_op           op[ENV_OPS_MAX];
};

/* Works out the operations; false: the View has too many fields. */
bool env_layout(struct arbiter_rules *rules, const struct extents *extents);
/* Writes a View's words as cells. */
void env_put_cells(const struct arbiter_rules *rules, const word *words, uint32_t count,
                   int32_t *cells);

/* The text of a set-up that comes with a game; NULL: there is none of this name. NULL for `name`: its standard. */
struct env_setup {
    const char *game, *name;
    const char *text;
    bool is_bundle; /* {"config": ..., "options": ..., "seats": ...}, not the set-up alone. */
};
const struct env_setup *env_setup_find(const char *game, const char *name);

/* One match. What is only needed during a call is lent: matches of one thread share it. */

struct env_scratch {
    struct match_room room;
    struct match_act  act;
    struct sink       view;
    void             *room_memory, *view_memory, *policy_memory;
};

struct arbiter_env {
    const struct arbiter_rules *rules;
    struct env_scratch         *scratch;
    bool                        owns_scratch;
    struct match               *match;
    struct legal                list;
    uint64_t                    legal; /* Commands listed, or 1 where one is only proposed.    */
    uint32_t                    offered;
    bool                        proposes;
    int32_t                     seat;
    seat_mask                   asked;
    bool                        is_cut;
    uint64_t                    seed;
    struct policy               policy; /* Whoever plays draws from its dice.                  */
    seat_mask                   played; /* Seats that are not the caller's.                    */
    struct policy_choice        how[SEATS_MAX];
    struct thinker              thinker;
    void                       *thinker_memory; /* NULL: nobody here thinks ahead.              */
    uint32_t                    tree;
};

struct env_scratch *env_scratch_new(const struct arbiter_rules *rules);
void                env_scratch_free(struct env_scratch *scratch);
/* `hears`: events are listened to, so that somebody may think ahead. */
struct arbiter_env *env_new(const struct arbiter_rules *rules, struct env_scratch *scratch,
                            bool hears);
/* After every act: who listens hears it, house players move, and what the seat may do is listed. */
void                env_go_on(struct arbiter_env *env, uint32_t prefers);
void                env_look(struct arbiter_env *env, uint32_t prefers);
/* Memory for a tree of so many nodes, and ears, if the game has them; false: there is none. */
bool                env_thinks(struct arbiter_env *env, uint32_t tree);
bool env_choose(struct arbiter_env *env, const struct policy_choice *how, uint32_t seat,
                struct command *command);

#define NO_PREFERENCE SEATS_MAX

#endif
