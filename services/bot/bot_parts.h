/* bot_parts.h: what the files of the bot's core share; nobody else's business. */
#ifndef ARBITER_BOT_PARTS_H
#define ARBITER_BOT_PARTS_H

#include "mind/mind.h"
#include "services/bot/bot.h"
#include "services/bot/bot_read.h"

#define NOBODY UINT32_MAX

/* A player of ours at a table. */
struct place {
    bool     is_used;
    bool     gets_up;    /* As soon as that can be asked for; ...                                 */
    bool     is_leaving; /* ... it was.                                                           */
    uint8_t  player[CLIENT_ID_SIZE];
    uint8_t  table[CLIENT_ID_SIZE];
    uint32_t seat; /* It was called to.                                                         */
    uint32_t ask; /* Number of the ask under way; 0: none.                                        */
    char     policy[BOT_POLICY_MAX];
};

/* A seat we play. */
struct chair {
    bool         is_used;
    bool         is_random;
    struct level skill; /* 0 nodes: it does not think ahead.                            */
    uint8_t      match_id[CLIENT_ID_SIZE];
    uint32_t     seat;
    const struct mind_game *game;
    bool                    looks;   /* Something has happened: look at what there is to do ...   */
    uint64_t                at_ms;   /* ... then.                                                 */
    uint32_t                asked;   /* The question under way; 0: none.                          */
    uint32_t                command; /* The command under way; 0: none.                           */
    uint32_t refusals;               /* Since the last act.                                       */
    uint64_t act;                    /* The last one heard.                                       */
    bool     wants;                  /* To think about its next command.                          */
    bool     is_clueless; /* It could not think at this act; it plays greedily.                  */
    uint32_t
            setup; /* Of its match: mind/mind.h. MIND_NO_SETUP: it cannot be thought about.       */
    word    notes[NOTES_WORDS_MAX];
    bool    has_player;
    uint8_t player[CLIENT_ID_SIZE]; /* Whose seat it is at the lobby's table.                    */
};

/* Whose turn it is to think: one seat at a time. */
struct thinking {
    uint32_t chair;  /* NOBODY: nobody's.                                                        */
    uint32_t turn;   /* The last chair whose it was.                                             */
    uint32_t asked;  /* For its view; 0: it is here, and is thought about.                       */
    uint64_t due_ms; /* A view that has not come by then is not waited for.                      */
};

struct bot {
    struct bot_settings settings;
    struct client_core *client;
    struct place       *places;
    struct chair       *chairs;
    struct mind        *mind; /* NULL: nobody thinks ahead.                                       */
    struct thinking     thinking;
    struct bot_facts    facts;
    struct dice         dice; /* Our own; no match's.                                             */
    bool                has_dice;
    struct bot_legal    legal;
    uint8_t             command[1u << 16];
};

/* What is going on in this step. */
struct turn {
    struct bot    *bot;
    uint64_t       now_ms;
    struct outbox *out;
};

/* bot_tables.c: where we were called to. */
void                bot_on_table(const struct turn *turn, const struct client_event *event);
void                bot_on_table_lost(const struct turn *turn, const struct client_event *event);
void                bot_on_answer(const struct turn *turn, const struct client_event *event);
/* Bots that are to get up do so when there is room to ask for it. */
void                bot_leave(const struct turn *turn);
struct place       *bot_place_of(struct bot *bot, const uint8_t *player);
/* Where we were called to this seat; NULL: nowhere. */
const struct place *bot_place_at(const struct bot *bot, const struct bot_match *match,
                                 uint32_t seat);

/* bot_seats.c: the matches. */
void          bot_on_attached(const struct turn *turn, const struct client_event *event);
void          bot_on_legal(const struct turn *turn, const struct client_event *event);
void          bot_on_reply(const struct turn *turn, const struct client_event *event);
void          bot_on_match(const struct turn *turn, const struct client_event *event);
/* Seats with something to look at, and nothing under way, ask what there is to do. */
void          bot_ask_what_to_do(const struct turn *turn);
struct chair *bot_chair_of(struct bot *bot, const struct client_event *event);
/* Looks again, in a moment. */
void          bot_look(const struct turn *turn, struct chair *chair);
void bot_play(const struct turn *turn, struct chair *chair, const uint8_t *command, size_t size);

/* bot_think.c: whoever thinks ahead, one after the other. */
void bot_on_view(const struct turn *turn, const struct client_event *event);
/* False: that request did not ask for the view of who thinks. */
bool bot_on_no_view(const struct turn *turn, struct chair *chair, uint32_t request);
/* This seat's thought, if it has one under way, is of no use any more. */
void bot_think_no_more(struct bot *bot, struct chair *chair);
/* At a tick of the clock one slice is thought. */
void bot_think(const struct turn *turn, bool is_tick);

#endif
