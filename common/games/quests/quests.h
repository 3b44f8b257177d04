/* quests.h: quests, a card game for four: sponsor quests, attack their stages, collect seven shields.
 *
 * Who is on turn turns over an event card. A quest is offered to everybody in turn. Its sponsor
 * builds stages out of foes and weapons, and the others attack them with weapons. A player who
 * passes the last stage earns a shield for each stage. Cards go by their kind, for copies cannot be
 * told apart, so a hand is a row of counts and is sorted by itself. */
#ifndef ARBITER_QUESTS_H
#define ARBITER_QUESTS_H

#include <stdint.h>

#include "rules/game.h"

#define QUESTS_SEATS 4
#define QUESTS_HAND 12                        /* Cards dealt, and most a hand has between draws.  */
#define QUESTS_STAGES 5                       /* Most a quest has.                                */
#define QUESTS_HAND_MAX 17                    /* 12, all laid out in stages and drawn again, + 5. */
#define QUESTS_WEAPONS 6                      /* Kinds of weapons; an attack has no kind twice.   */
#define QUESTS_STAGE_MAX (1 + QUESTS_WEAPONS) /* Cards in a stage.                                */
#define QUESTS_ADVENTURES 100                 /* Cards in the larger deck.                        */
#define QUESTS_SHIELDS_MAX 1000000            /* In a set-up.                                     */
#define QUESTS_CARDS 17                       /* Kinds of either deck, with the unused 0.         */
#define QUESTS_FOES 10                        /* Kinds 1 to 10 are foes, 11 to 16 weapons.        */

/* As numbered in quests.proto. */
enum quests_command {
    QUESTS_SPONSOR = 1,
    QUESTS_STAGE_ADD,
    QUESTS_STAGE_DONE,
    QUESTS_STAGE_CLEAR,
    QUESTS_QUEST_RESTART,
    QUESTS_PARTICIPATE,
    QUESTS_ATTACK_ADD,
    QUESTS_ATTACK_DONE,
    QUESTS_DISCARD,
    QUESTS_END_TURN,
    QUESTS_COMMANDS
};

enum quests_event {
    QUESTS_GAME_STARTED = 1,
    QUESTS_HAND_SHOWN,
    QUESTS_RESHUFFLED,
    QUESTS_DRAW_SHORT,
    QUESTS_TURN_STARTED,
    QUESTS_EVENT_CARD,
    QUESTS_EVENT_DISCARDED,
    QUESTS_SHIELDS_CHANGED,
    QUESTS_DREW,
    QUESTS_DISCARDED,
    QUESTS_PROMPT,
    QUESTS_CAN_SPONSOR,
    QUESTS_SPONSOR_DECLINED,
    QUESTS_SPONSOR_FOUND,
    QUESTS_NO_SPONSOR,
    QUESTS_STAGE_CARD,
    QUESTS_STAGE_CLEARED,
    QUESTS_STAGE_BUILT,
    QUESTS_QUEST_RESTARTED,
    QUESTS_QUEST_READY,
    QUESTS_STAGE_STARTED,
    QUESTS_PARTICIPATES,
    QUESTS_WITHDREW,
    QUESTS_PARTICIPANTS,
    QUESTS_ATTACK_CARD,
    QUESTS_ATTACK_SET,
    QUESTS_STAGE_RESOLVED,
    QUESTS_QUEST_ENDED,
    QUESTS_TURN_ENDED,
    QUESTS_GAME_OVER,
    QUESTS_EXPIRED,
    QUESTS_EVENTS
};

enum quests_reason {
    QUESTS_BAD_COMMAND = 1,
    QUESTS_IS_OVER,
    QUESTS_NOT_YOUR_TURN,
    QUESTS_WRONG_PHASE,
    QUESTS_BAD_POSITION,
    QUESTS_NO_SUCH_CARD,
    QUESTS_CANNOT_SPONSOR_2, /* And 3, 4, 5 stages. */
    QUESTS_SECOND_FOE = QUESTS_CANNOT_SPONSOR_2 + QUESTS_STAGES - 1,
    QUESTS_REPEATED_IN_STAGE,
    QUESTS_REPEATED_IN_ATTACK,
    QUESTS_STAGE_EMPTY,
    QUESTS_STAGE_NO_FOE,
    QUESTS_STAGE_VALUE,
    QUESTS_NOT_WEAPON,
    QUESTS_REASONS
};

enum quests_phase {
    QUESTS_ASKS_SPONSOR = 1,
    QUESTS_ASKS_BUILD,
    QUESTS_ASKS_PARTICIPATE,
    QUESTS_ASKS_ATTACK,
    QUESTS_ASKS_DISCARD,
    QUESTS_ASKS_END_TURN,
    QUESTS_OVER
};

enum quests_event_card {
    QUESTS_Q2 = 1,
    QUESTS_Q3,
    QUESTS_Q4,
    QUESTS_Q5,
    QUESTS_PLAGUE,
    QUESTS_QUEEN,
    QUESTS_PROSPERITY
};

enum quests_deck { QUESTS_ADVENTURE, QUESTS_EVENT, QUESTS_DECKS }; /* In messages one more. */
enum quests_fill { QUESTS_SHUFFLED, QUESTS_ORDERED, QUESTS_NONE };
enum quests_drawn { QUESTS_BY_QUEEN = 1, QUESTS_BY_PROSPERITY, QUESTS_BY_STAGE, QUESTS_BY_SPONSOR };
enum quests_lost { QUESTS_OF_TRIM = 1, QUESTS_OF_QUEST, QUESTS_OF_ATTACK };
enum quests_won { QUESTS_BY_PLAGUE = 1, QUESTS_BY_QUEST };
enum quests_result { QUESTS_WON = 1, QUESTS_NO_WINNER, QUESTS_NO_PARTICIPANTS };

/* Cards in order; the first is the deck's top and the pile's oldest. */
struct quests_pile {
    uint16_t first; /* Those before it are drawn. */
    uint16_t count;
    uint16_t card[QUESTS_ADVENTURES];
};

/* What the table was created with. */
struct quests_setup {
    uint64_t           seed;
    uint32_t           has_seed;
    uint32_t           winning_shields;
    uint32_t           hand_limit;
    uint32_t           redraw_on_win;
    uint32_t           first_player;
    uint32_t           dealt; /* Mask of the seats whose hands come from the deck. */
    uint32_t           shields[QUESTS_SEATS];
    uint32_t           fill[QUESTS_DECKS];
    uint16_t           hand[QUESTS_SEATS][QUESTS_CARDS];  /* Rigged: how many of each.   */
    uint16_t           total[QUESTS_DECKS][QUESTS_CARDS]; /* In the game, wherever.      */
    struct quests_pile top[QUESTS_DECKS];
    struct quests_pile under[QUESTS_DECKS]; /* In canonical order. */
    struct quests_pile discard[QUESTS_DECKS];
};

/* A match. */
struct quests_state {
    uint32_t           question; /* Prompts so far.                                       */
    uint32_t           turn;     /* From 1.                                               */
    uint32_t           shields[QUESTS_SEATS];
    uint16_t           phase;
    uint16_t           asked; /* The seat of the open prompt.                          */
    uint16_t           current;
    uint16_t           event_card; /* In play; 0: none.                                     */
    uint16_t           able;       /* Whether who is asked to sponsor could.                */
    uint16_t           winners;    /* Mask.                                                 */
    uint16_t           trimming;   /* Mask of who has drawn and may have to trim.           */
    uint16_t           trimmed_by; /* Why they drew: tells how it goes on.                  */
    uint16_t           stages;     /* Of the quest in play; 0: there is none.               */
    uint16_t           polled;     /* Who has been asked to sponsor it: so many.            */
    uint16_t           sponsor;    /* Seat + 1; 0: nobody yet.                              */
    uint16_t           built;      /* Stages built.                                         */
    uint16_t           stage;      /* In play, from 1; 0 until all are built.               */
    uint16_t           resolved;   /* Stages resolved.                                      */
    uint16_t           eligible;   /* Masks of this stage.                                  */
    uint16_t           participants;
    uint16_t           attacking; /* Who has been asked for an attack.                     */
    uint16_t           hand_count[QUESTS_SEATS];
    uint16_t           attack_count[QUESTS_SEATS];
    uint16_t           stage_count[QUESTS_STAGES];       /* At [built]: the one being built.     */
    uint16_t           hand[QUESTS_SEATS][QUESTS_CARDS]; /* How many of each kind.          */
    uint16_t           attack_card[QUESTS_SEATS][QUESTS_WEAPONS];
    uint16_t           stage_card[QUESTS_STAGES][QUESTS_STAGE_MAX];
    struct quests_pile deck[QUESTS_DECKS];
    struct quests_pile discard[QUESTS_DECKS];
};

extern const struct game      game_quests;
extern const struct foresight quests_foresight;

#endif
