/* playing.h: one complete match after another, played by heads of straw (match/policy.h).
 *
 * Everything follows from the seed: the match's id, its secrets, its dice and the players' own. The
 * same seed plays the same match on every machine, act for act. */
#ifndef ARBITER_PLAYING_H
#define ARBITER_PLAYING_H

#include "base/text.h"
#include "dice/commitment.h"
#include "match/policy.h"
#include "match/thinker.h"
#include "services/console/command/table.h"

/* How to play. */
struct playing_rules {
    enum policy_kind     policy;
    struct policy_choice seat_policy[SEATS_MAX]; /* Instead of it, who sits first; the last one */
    uint32_t             seat_policies; /* goes for all later seats. 0: `policy` is all's.      */
    uint32_t    leave_one_in; /* See policy.h.                                              */
    uint32_t    late_one_in;  /* Once in so many acts all who are awaited are late; 0: never. */
    uint64_t    most;         /* Acts, after which a match is cut.                          */
    bool        check;        /* Ask for a broken invariant after every act.                */
    const char *dice;         /* A kind's name.                                             */
    uint32_t    flags;        /* enum match_flags.                                          */
};

struct playing {
    const struct table  *table;
    struct playing_rules rules;
    struct match_terms   terms;
    struct match_room    room;
    struct policy        policy;
    struct thinker       thinker; /* Of all seats; its search is NULL if nobody thinks ahead.    */
    struct match        *match;
    struct match_act     act; /* The last one.                                                   */
    void                *memory[4];
    const char          *names[SEATS_MAX]; /* In its match file; NULL: "Bot 1". */
    uint64_t             seed;
    uint8_t              id[MATCH_ID_SIZE];
    uint8_t              secret[MATCH_SECRET_SIZE];
    uint8_t              house[SECRET_BYTES]; /* Of chacha dice: the house's secret.             */
    struct text          fault; /* Why it stopped, if it stopped for a bug.                      */
};

/* Asks for the memory all matches at this table take. */
void playing_open(struct playing *playing, const struct table *table,
                  const struct playing_rules *rules);
void playing_close(struct playing *playing);

/* Begins the match of a seed: act 1 stands in `act`. */
void playing_begin(struct playing *playing, uint64_t seed);
/* Plays one more act. False: the match is over or cut, or there is a fault. */
bool playing_step(struct playing *playing);
/* For who plays the acts himself: picks a command for a seat, and lets all seats hear the last act. */
bool playing_pick(struct playing *playing, struct policy *policy, const struct policy_choice *how,
                  uint32_t seat, struct command *command);
void playing_hear(struct playing *playing);
/* Whether the rules say it is over. */
bool playing_over(const struct playing *playing);

#endif
