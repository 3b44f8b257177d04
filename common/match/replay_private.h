/* replay_private.h: the parts of a replay that stand in files of their own. */
#ifndef ARBITER_MATCH_REPLAY_PRIVATE_H
#define ARBITER_MATCH_REPLAY_PRIVATE_H

#include "dice/commitment.h"
#include "match/replay.h"

/* Who asks for a seat, as the acts show it. */
#define REPLAY_SESSIONS 8 /* Of a seat, as many are open at most. */
struct replay_asker {
    uint32_t session[REPLAY_SESSIONS]; /* 0: none.                                              */
    uint32_t request[REPLAY_SESSIONS]; /* The last one that became an act.                      */
    uint32_t closed;                   /* Sessions up to this one ended with a change of hands. */
};

/* What the file says beside the game, once in records and once in acts. */
struct replay_heard {
    bool                 is_hosted; /* Dice are made of a commitment and contributions.         */
    struct contributions written;   /* As the records say, of which the dice are made ...       */
    seat_mask            recorded;  /* ... and the seats that have one, silent ones too.        */
    struct contributions said;      /* As acts have said so far ...                             */
    seat_mask            told;      /* ... and of whom.                                         */
    bool                 is_committed, has_begun;
    uint64_t             epoch; /* Of the last act.                                             */
    struct replay_asker  asker[SEATS_MAX];
};

/* Reads the whole file once and keeps what is needed to play it: header, contributions, holders, end.
 * False after a fault. */
bool replay_scan(struct replay *replay, FILE *complaints);
/* Hears what an act says beside the game, its chain having been checked. False after a fault. */
bool replay_hear(struct replay *replay, const Arbiter__Match__Act *act);
/* Behind the last act: whether all was said that the records say. */
bool replay_heard_all(struct replay *replay);
/* Compares what the rules say of the present act with the published bytes. False after a fault. */
bool replay_compare(struct replay *replay, const uint8_t *body, size_t size);

#endif
