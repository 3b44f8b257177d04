/* arbiter_games.h: Arbiter's games inside a program of one's own: no server, no socket, no thread but those one asks for.
 *
 *     rules   a game with a compiled set-up: read once, never changed, shared by all
 *     env     one match that is played by these rules
 *     envs    many matches at once, with arrays over all of them
 *
 * A match waits for one seat at a time, here called *the seat*. What it may do is a list. An *action* is a place in
 * this list, from 0. A *mask* has a byte for each place there can be: 1 where an action is offered. An
 * *observation* is what the seat may know, its View, as a row of 32-bit numbers in which every field has its place;
 * arbiter_rules_field says which.
 *
 * The same set-up, seed and actions give the same bytes on every machine, here as on a server. Functions that take a
 * const pointer may be called from several threads at once; one env or envs belongs to one thread at a time. */
#ifndef ARBITER_GAMES_H
#define ARBITER_GAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ARBITER_SEATS_MAX 16
#define ARBITER_ARGS_MAX 6
#define ARBITER_SPECTATOR 0xffu  /* A viewer who holds no seat. */
#define ARBITER_ABSENT INT64_MIN /* An argument or a word that is left out. */
#define ARBITER_NOBODY (-1)      /* The seat of a match that is over. */

struct arbiter_rules;
struct arbiter_env;
struct arbiter_envs;

/* The rules. */

/* What to play; all zero is the game's standard. */
struct arbiter_settings {
    const char *setup;    /* A name, or a set-up as a JSON object; NULL: the standard one. */
    const char *options;  /* What the table says beside it, a JSON object; NULL: none. */
    uint32_t    seats;    /* 0: as the set-up says, or as many as it takes. */
    uint32_t    actions;  /* Places in a mask; 0: as the game says. */
    uint32_t    most;     /* A match is cut after so many commands; 0: as the game says. */
    uint32_t    gives_up; /* 1: to give up or take back is offered even beside other commands. */
};

/* How large everything is. */
struct arbiter_shape {
    uint32_t seats;
    uint32_t actions;    /* Places in a mask. */
    uint32_t cells;      /* Numbers in an observation. */
    uint32_t fields;     /* Fields that arbiter_rules_field knows. */
    uint32_t most;       /* A match is cut after so many commands; 0: it ends by itself. */
    uint32_t view_words; /* Words of a View at most. */
    uint32_t text_bytes; /* Of a command's text at most. */
    uint32_t version;    /* Of the rules. */
    uint64_t core_bytes; /* What arbiter_env_core writes. */
    uint64_t save_bytes; /* What arbiter_env_save writes. */
};

/* One field of an observation. Fields come in order, and a message is followed by its own. The first cell of a list
 * says how many elements there are. */
struct arbiter_field {
    const char *name;  /* As in the .proto. */
    const char *type;  /* "uint32", "bool", "string", an enum's or a message's name. */
    uint32_t    depth; /* 0: of the View; else of the last field before that is one higher. */
    uint32_t    at;    /* Its first cell, counted from where its message begins. */
    uint32_t    cells; /* Of all of it. */
    uint32_t    most;  /* Elements of a list; 0: it is none. */
    uint32_t    width; /* Cells of one element. */
};

/* Names, one a line: of the games, and of the set-ups of a game that come with it (NULL: no such game). */
const char *arbiter_games(void);
const char *arbiter_setups(const char *game);

/* NULL, and what is wrong as a sentence in `fault`, if there is no such game or the set-up has a fault. */
struct arbiter_rules *arbiter_rules_open(const char *game, const struct arbiter_settings *settings,
                                         char *fault, size_t fault_bytes);
void                  arbiter_rules_close(struct arbiter_rules *rules);
void        arbiter_rules_shape(const struct arbiter_rules *rules, struct arbiter_shape *shape);
/* False: there are no more. */
bool        arbiter_rules_field(const struct arbiter_rules *rules, uint32_t number,
                                struct arbiter_field *field);
/* What the n-th value of a field of an enum's type is called; NULL: there are no more. */
const char *arbiter_rules_value(const struct arbiter_rules *rules, uint32_t field, uint32_t number,
                                int32_t *value);
/* The kinds of commands, from 1; NULL: there are no more. */
const char *arbiter_rules_kind(const struct arbiter_rules *rules, uint32_t kind);
/* What a refusal is called, such as "NOT_YOUR_TURN". */
const char *arbiter_rules_reason(const struct arbiter_rules *rules, uint32_t refusal);

/* One match. The rules have to stay as long as it does. */

struct arbiter_command {
    uint32_t       kind;      /* As numbered in the .proto. */
    uint32_t       text_size; /* Bytes of `text`; most commands have none. */
    const uint8_t *text;
    int64_t        arg[ARBITER_ARGS_MAX]; /* ARBITER_ABSENT where there is none. */
};

/* NULL: there is no memory. */
struct arbiter_env *arbiter_env_new(const struct arbiter_rules *rules);
void                arbiter_env_free(struct arbiter_env *env);
/* Who plays a seat: "random", "greedy", "search:NODES" or "level:N"; NULL: the caller. False: there is no such player
 * in this game, and nothing has changed. From then on such seats play by themselves. */
bool                arbiter_env_player(struct arbiter_env *env, uint32_t seat, const char *player);
/* Begins a match. The seed is that of `arbiter simulate`. */
void                arbiter_env_reset(struct arbiter_env *env, uint64_t seed);

/* The seat that is waited for, ARBITER_NOBODY when the match is over; and all of them, where several are asked at
 * once. Then the lowest is the seat, until arbiter_env_turn_to names another one. */
int32_t  arbiter_env_seat(const struct arbiter_env *env);
uint32_t arbiter_env_asked(const struct arbiter_env *env);
bool     arbiter_env_turn_to(struct arbiter_env *env, uint32_t seat);
/* Acts so far: the start, and each command. Whether the match was cut after its most commands. */
uint64_t arbiter_env_number(const struct arbiter_env *env);
bool     arbiter_env_is_cut(const struct arbiter_env *env);

/* How many actions the seat has, what the mask offers, and each of them as a command, whose text stays until the next
 * call. */
uint64_t arbiter_env_legal(const struct arbiter_env *env);
uint32_t arbiter_env_mask(const struct arbiter_env *env,
                          uint8_t                  *mask); /* Returns how many it offers. */
bool arbiter_env_action(struct arbiter_env *env, uint64_t action, struct arbiter_command *command);
bool arbiter_env_find(const struct arbiter_env *env, const struct arbiter_command *command,
                      uint64_t *action);
/* The seat does it. False: there is no such action, or the match is over. */
bool arbiter_env_step(struct arbiter_env *env, uint64_t action);
/* Any seat asks for any command, as a player at a server may. 0: done; else why not. UINT32_MAX: there is no such
 * seat, the text is too long, or the match was cut. */
uint32_t arbiter_env_command(struct arbiter_env *env, uint32_t seat,
                             const struct arbiter_command *command);
/* The time of these seats runs out. False: nothing has happened. */
bool     arbiter_env_expire(struct arbiter_env *env, uint32_t seats);
/* What such a player would do on this seat now; its own dice go on. False: there is no such player. */
bool arbiter_env_pick(struct arbiter_env *env, const char *player, struct arbiter_command *command);

/* What a seat, or ARBITER_SPECTATOR, may know: as cells, as the words of its View, and for people. The last two
 * return how much there is, and write what fits. */
void   arbiter_env_observe(struct arbiter_env *env, uint32_t viewer, int32_t *cells);
size_t arbiter_env_view(struct arbiter_env *env, uint32_t viewer, int64_t *words, size_t capacity);
size_t arbiter_env_text(struct arbiter_env *env, uint32_t viewer, char *text, size_t capacity);
size_t arbiter_env_action_text(struct arbiter_env *env, uint64_t action, char *text,
                               size_t capacity);
/* Per seat, once it is over: more than 0 won, 0 drew, less than 0 lost; and the rank, from 1. Else all are 0. */
void   arbiter_env_outcome(const struct arbiter_env *env, int32_t *outcome, int32_t *rank);

/* Makes one match like another of the same rules: dice, players' dice and notes included. Who plays stays,
 * and goes on at once where it is his turn. */
void arbiter_env_copy(struct arbiter_env *env, const struct arbiter_env *from);
/* The same by bytes, for this machine and this version of the rules. False: they are of something else. */
void arbiter_env_save(const struct arbiter_env *env, uint8_t *bytes);
bool arbiter_env_load(struct arbiter_env *env, const uint8_t *bytes, size_t size);
/* Dice and state: their SHA-256 is the digest at the end of a match file. */
void arbiter_env_core(const struct arbiter_env *env, uint8_t *bytes);

/* Many matches at once. A match that ends is followed by the next one at once. */

enum arbiter_over { ARBITER_GOES_ON, ARBITER_ENDED, ARBITER_CUT };

/* Arrays over all matches. They stay where they are until the envs are freed. */
struct arbiter_batch {
    int32_t  *seat;   /* Who decides. */
    uint32_t *legal;  /* Actions that are offered: the first so many. */
    uint8_t  *mask;   /* [matches][actions] */
    int32_t  *cells;  /* [matches][cells]: what the seat may know. */
    float    *reward; /* [matches][seats]: 1 won, -1 lost, of a match just ended; else 0. */
    uint8_t  *over;   /* enum arbiter_over, of the last step. */
    uint64_t *seed;   /* Of the match being played. */
    uint32_t *length; /* Commands of the match that has just ended; else 0. */
};

/* `threads` 0 or 1: the caller's alone. NULL: there is no memory, or no thread. */
struct arbiter_envs *arbiter_envs_new(const struct arbiter_rules *rules, uint32_t matches,
                                      uint32_t threads);
void                 arbiter_envs_free(struct arbiter_envs *envs);
/* As arbiter_env_player. Who searches has heard nothing of matches under way: reset them. */
bool arbiter_envs_player(struct arbiter_envs *envs, uint32_t seat, const char *player);
const struct arbiter_batch *arbiter_envs_batch(const struct arbiter_envs *envs);
/* Match i begins with seed + i; its next ones have seed + i + matches, seed + i + 2 * matches, ... */
void                        arbiter_envs_reset(struct arbiter_envs *envs, uint64_t seed);
/* An action in each match. Returns how many were none: those matches stand as they stood. */
uint32_t                    arbiter_envs_step(struct arbiter_envs *envs, const int64_t *action);
/* The same with an action that is drawn evenly among those offered, by dice that belong to each match. */
void                        arbiter_envs_step_random(struct arbiter_envs *envs);
/* One of the matches, to look at. Do not step it. */
struct arbiter_env         *arbiter_envs_match(struct arbiter_envs *envs, uint32_t number);

#ifdef __cplusplus
}
#endif

#endif
