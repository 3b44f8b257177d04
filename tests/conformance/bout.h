/* bout.h: the referee's own: one match in progress on two sides, and what its parts share. */
#ifndef ARBITER_TESTS_BOUT_H
#define ARBITER_TESTS_BOUT_H

#include "guard.h"
#include "luck.h"
#include "player.h"
#include "referee.h"
#include "rules/foresight.h"
#include "wire/plan.h"

#define SAID_MAX 8192
#define SEEN_MAX 64
#define EVERYBODY UINT32_MAX

/* A match's blocks, and room for what the functions of a game write. All guarded. */
struct side {
    void        *setup;
    void        *state;
    struct dice  dice;
    struct sink  out;  /* What happened.                                         */
    struct sink  look; /* Views and asks.                                        */
    struct legal list;
    uint8_t     *mask;  /* For `hidden`; as large as the state.                   */
    void        *guess; /* As large as the state.                                */
    uint8_t     *text;  /* For `propose`.                                         */
    int32_t     *cells; /* A view as an observation.                              */
    uint8_t      junk;  /* What this side's unused memory holds.                  */
};

/* An event that was said, by the hash of its kind and fields, and who heard it. */
struct said {
    uint64_t  hash;
    seat_mask heard; /* EVERYBODY: spectators too. */
};

struct bout {
    const struct fixture   *fixture;
    const struct game      *game;
    const struct game_wire *wire;
    struct report          *report;
    struct bounds           bounds;
    struct luck             luck;
    struct side             home, twin;
    struct side             kept; /* Only state and dice: to take home back to.             */
    struct plan            *events, *views, *commands;
    struct arbiter_rules   *observed; /* How a view becomes cells.                           */
    struct said             said[SAID_MAX];
    uint64_t                said_count;
    struct command seen[SEEN_MAX]; /* Commands that were listed for somebody.               */
    uint32_t       seen_count;
    seat_mask      left; /* Seats the house has removed.                           */
    word           notes[SEATS_MAX][NOTES_WORDS_MAX]; /* What each seat wrote down.             */
};

/* Notes a broken promise; always false, so that callers can return it. */
bool broken(struct bout *bout, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define PROMISE(bout, holds, ...)                                                                  \
    do {                                                                                           \
        if (!(holds))                                                                              \
            return broken((bout), __VA_ARGS__);                                                    \
    } while (0)

/* bout.c: sides. */
void        bout_open(struct bout *bout, const struct fixture *fixture, struct report *report);
void        bout_close(struct bout *bout);
struct play side_play(struct side *side);
void        side_clear(const struct bout *bout, struct side *side, struct sink *sink);
void        bout_keep(struct bout *bout);
void        bout_restore(struct bout *bout);
bool        bout_is_kept(const struct bout *bout); /* Home is, to the byte, what was kept. */
bool        bout_guards(struct bout *bout);        /* Nobody wrote past an end.            */
bool        bout_sides_agree(struct bout *bout);   /* In state and dice.                  */
bool        same_words(const struct sink *one, const struct sink *other);
void        side_list(const struct bout *bout, struct side *side, uint32_t seat);

/* looking.c: looks change nothing, do not depend on addresses, junk or secrets. */
bool looks_are_clean(struct bout *bout, uint32_t seat);
bool outcome_is_clean(struct bout *bout);

bool same_lists(const struct legal *one, const struct legal *other);

/* guessing.c: what a seat does not know can be guessed, and is only guessed. */
void hear_for_notes(struct bout *bout, const struct sink *out);
bool guesses_are_clean(struct bout *bout, uint32_t seat);

/* observing.c: what is seen as cells depends on the view alone, and fits. */
void observing_open(struct bout *bout);
void observing_close(struct bout *bout);
bool observations_agree(struct bout *bout, const char *whatever);
bool commands_fit(struct bout *bout, const struct legal *list);

/* hearing.c: the events of one act are well formed; remembers who heard what. */
bool events_are_sound(struct bout *bout, const struct sink *out);
bool words_are_a_view(struct bout *bout, const struct sink *look);
bool was_heard(const struct bout *bout, uint32_t seat, const word *event);

/* trying.c: the list and `apply` agree. */
bool list_is_sound(struct bout *bout, uint32_t seat);
bool listed_are_accepted(struct bout *bout, uint32_t seat);
bool unlisted_are_refused(struct bout *bout, uint32_t seat);
bool strangers_are_refused(struct bout *bout);
bool proposed_is_accepted(struct bout *bout, uint32_t seat, struct command *command);

#endif
