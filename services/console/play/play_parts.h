/* play_parts.h: what the files of `arbiter play` share; nobody else's business. */
#ifndef ARBITER_PLAY_PARTS_H
#define ARBITER_PLAY_PARTS_H

#include "contract/lobby.pb-c.h"
#include "services/console/command/table.h"
#include "services/console/play/play_input.h"
#include "services/console/play/play_match.h"
#include "services/console/play/play_menu.h"
#include "services/console/play/play_where.h"
#include "services/console/trial/grid_setup.h"

#define PLAY_CODE_MAX 64
#define PLAY_SETUP_MAX 64
#define PLAY_BOTS_NOT_SAID UINT64_MAX

struct play_ask {
    struct play_where where;
    struct table_ask  table;
    struct grid_words grid;
    uint64_t          bots, turn_s, level;
    const char       *join, *language;
    bool              create, rejoin, is_private, is_ascii, show;
};

/* Somebody at the table, to name who talks. */
struct play_member {
    uint8_t player[CLIENT_ID_SIZE];
    char    name[PHRASE_NAME_MAX];
};

#define PLAY_MEMBERS_MAX 32

struct play_session {
    struct play_ask         ask;
    const char             *game;
    const struct game_wire *table_game; /* Of the table we are at, if this build knows it.        */
    struct table  *setup; /* Of a table we open; NULL: none is opened.                          */
    struct client *client;
    struct play_match match;
    struct play_input input;
    struct menu       menu;
    bool is_bot;      /* Nobody types: what a bot would do is done.                           */
    bool is_terminal; /* A person types; else lines are taken only when they are needed. */

    uint32_t           binding, opening, filling; /* Asks under way; 0: none. */
    uint32_t           bots;                      /* That were called. */
    uint32_t           calls;                     /* So often in vain. */
    double             call_s;                    /* When they are called again; 0: they are not. */
    uint32_t           awaited;                   /* Of them, who have not sat down. */
    double             bots_s; /* When it is said that they do not come; 0: it is not.            */
    uint32_t           tries;  /* Names asked for.                                              */
    bool               is_bound, has_table, has_match;
    uint8_t            player[CLIENT_ID_SIZE], table[CLIENT_ID_SIZE];
    char               code[PLAY_CODE_MAX], setup_name[PLAY_SETUP_MAX];
    struct play_member members[PLAY_MEMBERS_MAX];
    uint32_t           member_count;
    uint32_t vacant; /* The seat votes are asked for; NOT_SEATED: none.                          */

    bool     is_shown;   /* The board has been drawn since we came in. */
    bool     wants_look; /* Acts were told since the last view.                               */
    uint32_t looking, playing;
    bool     is_prompting; /* A command of ours is awaited, and the menu is there.              */
    uint32_t page;         /* Of a menu that is longer than the terminal ...                    */
    bool     is_paged;     /* ... as this one is.                                               */
    bool     has_best;
    struct command best;
    uint8_t       *best_text;
    bool           is_asking;  /* What would come of the command that is under way ...         */
    uint32_t       asked_kind; /* ... is asked for one of this kind.                          */
    uint32_t       sure_kind;  /* Of the command that asked whether it is meant; 0: none. */
    char           sure_key;   /* The key that was typed last, and said what it does; 0: none. */
    char  *quiet; /* What a bot would have shown, and where in it the last act begins.         */
    size_t quiet_size, last_at;
    double begun_s; /* When the match was first seen.                                          */
    double over_s;  /* When the match was over; 0: it is not.                                  */

    bool is_done;
    int  code_of_exit;
};

/* Whether the game has this level (0: none was asked for); false after a complaint. */
bool play_has_level(const struct game *game, uint64_t level);
/* Ends the program's loop. */
void play_end(struct play_session *play, int code);
/* A sentence of our own on a line of its own. */
void play_tell(const struct play_session *play, const char *english, const char *german);
/* Shows that a line may be typed. */
void play_prompt(struct play_session *play);

/* play_lobby.c: names, tables, and what happens at them. */
void play_lobby_connected(struct play_session *play, const struct client_event *event);
void play_lobby_answer(struct play_session *play, const struct client_event *event);
void play_lobby_table(struct play_session *play, const struct client_event *event);
/* An ask that nothing but its failure is heard of. */
void play_lobby_fill(struct play_session *play, uint32_t bots);
/* Calls bots again that were not there yet, and says so if none comes. */
void play_lobby_time(struct play_session *play, double now_s);

/* play_screen.c: board, clock and menu, on a terminal so that it shows all of them. */
void play_screen(struct play_session *play);
/* The same, nothing of the board left out. */
void play_screen_whole(struct play_session *play);

/* play_turn.c: the match. */
void play_turn_attached(struct play_session *play, const struct client_event *event);
void play_turn_act(struct play_session *play, const struct client_event *event);
void play_turn_view(struct play_session *play, const struct client_event *event);
void play_turn_legal(struct play_session *play, const struct client_event *event);
void play_turn_reply(struct play_session *play, const struct client_event *event);
void play_turn_over(struct play_session *play, const struct client_event *event);
void play_turn_lost(struct play_session *play, const struct client_event *event);
/* Nothing more has come: what has happened is looked at. */
void play_turn_rest(struct play_session *play);
void play_turn_number(struct play_session *play, const char *line);
void play_turn_best(struct play_session *play, bool is_played);

/* play_line.c: what somebody types. */
void play_line(struct play_session *play, const char *line);
/* How to come back: the command alone, and said to whoever leaves a match that goes on. */
void play_line_way_back(const struct play_session *play, FILE *out);
void play_line_farewell(struct play_session *play);

#endif
