/* browser_parts.h: what the files of the WebSocket door's core share. */
#ifndef ARBITER_GATEWAY_BROWSER_PARTS_H
#define ARBITER_GATEWAY_BROWSER_PARTS_H

#include "contract/envelope.pb-c.h"
#include "services/gateway/browser/browser.h"
#include "services/gateway/browser/browser_write.h"
#include "wire/names.h"
#include "wire/varint.h"

#define BROWSER_NOBODY UINT32_MAX
#define BROWSER_WATCHES 4    /* Matches one tab watches.                                          */
#define BROWSER_TABS 8       /* Tabs and devices of one player.                                   */
#define BROWSER_NAME_MAX 32  /* Bytes of a name, and of a picture's.                              */
#define BROWSER_CODE_SIZE 16 /* Characters of a device's code.                                    */
#define BROWSER_TABLES 4096u /* Tables of which is known what is played there.                    */
#define BROWSER_PASSES 256u  /* Cookies that are to be replaced.                                  */
#define BROWSER_WATCH_CODE 64
#define BROWSER_PAST_MAX 1024u /* Acts of a running match that whoever comes may have. */
#define BROWSER_PASTS 8 /* Seats of which a tab is told that at a time.                        */
#define BROWSER_HELD "The match is held for inspection; the operator has been told."
#define BROWSER_SET_BACK                                                                           \
    "The house told this match in two ways: what it keeps was set back. The operator has been "    \
    "told."
#define BROWSER_NOT_KNOWN_YET "It is not known here yet where you sit: say it again in a moment."

/* Whether the library has found that the match is not the one that was shown before. */
static inline bool browser_is_set_back(const struct client_event *event)
{
    return event->fault == CLIENT_FAULT_FORK || event->fault == CLIENT_FAULT_ROLLBACK;
}

/* A match that a tab watches. */
struct browser_reading {
    uint32_t watch; /* BROWSER_NOBODY: none.                                                      */
    bool     is_placed; /* Else it waits to be shown the match. */
    uint64_t shown;     /* The view it begins with; others are passed by. */
    uint64_t from;      /* The first act it is told. */
    uint32_t request, past;
    bool     has_after;
    bool     follows; /* It is told the views behind acts, too. */
    uint64_t after;
    char     code[BROWSER_WATCH_CODE];
    struct browser_cursor cursor;
};

/* Acts of a seat that a tab wants again. */
struct browser_past {
    bool                  is_used;
    uint64_t              from, to;
    uint64_t              read; /* The last one that was its next. */
    struct browser_cursor cursor;
};

enum browser_tab_state { TAB_FREE, TAB_NEW, TAB_ASKS, TAB_NOBODY, TAB_IN };

struct browser_tab {
    uint64_t route; /* 0: free.                                                      */
    enum browser_tab_state state;
    bool is_page;    /* A browser's.                                                             */
    bool owns_bytes; /* It makes its own for hosted dice. */
    bool is_closing;
    bool is_follower; /* It hears views and lists unasked, with this: */
    struct client_wish wish;
    uint64_t welcome; /* In its own log: until it is read, nothing else is. 0: there is none yet. */
    uint64_t came_ms;
    uint8_t  secret[BROWSER_SECRET_SIZE];
    uint8_t  drawn[BROWSER_SECRET_SIZE]; /* For it, by the house. */
    uint64_t from;                       /* Its address, hashed; 0: this machine's. */
    bool     is_crowd;
    uint32_t session;
    struct browser_cursor  own, player;
    bool                   follows;
    struct browser_reading reading[BROWSER_WATCHES];
    struct browser_past    past[BROWSER_PASTS];
    uint64_t               credit, credit_ms; /* Thousandths of a message, as of when. */
    uint32_t               overdrawn;

    /* Of its hello, while the lobby is asked. */
    uint32_t request;
    bool     has_stream;
    uint8_t  stream[CLIENT_ID_SIZE];
    uint64_t last;
    char     name[BROWSER_NAME_MAX + 1];
};

struct browser_session {
    bool               is_used, is_known; /* The lobby knows the player. */
    bool               is_asking;
    bool               owns_bytes; /* One of the tabs does, or the last one did. */
    uint32_t           welcome;    /* The lobby's, since which it was told so. */
    uint32_t           serial;
    uint8_t            secret[BROWSER_SECRET_SIZE], player[CLIENT_ID_SIZE], stream[CLIENT_ID_SIZE];
    char               name[BROWSER_NAME_MAX + 1], avatar[BROWSER_NAME_MAX + 1];
    uint32_t           log, tabs;
    uint64_t           from; /* Of the tab that came last. */
    bool               is_crowd;
    uint32_t           followers; /* Tabs that hear views and lists unasked, ... */
    uint64_t           follower[BROWSER_TABS];
    struct client_wish wish;     /* ... and what they all wish for. */
    uint64_t           quiet_ms; /* When the last tab went. */
    char               code[BROWSER_CODE_SIZE + 1];
    uint64_t           code_ms;          /* Good until then. */
    bool     is_seatless, is_sought;     /* A seat found no place; the lobby is asked which. */
    uint64_t seatless_ms;                /* Since when one is awaited. */
    uint8_t  told_match[CLIENT_ID_SIZE]; /* For which this was told ... */
    uint64_t told_seats;                 /* ... for these seats, a bit each.                     */
};

enum browser_seat_state { SEAT_WANTS_TICKET, SEAT_ASKS_TICKET, SEAT_ATTACHING, SEAT_IN };

struct browser_seat {
    bool                    is_used;
    enum browser_seat_state state;
    uint32_t                session, seat, game, tries;
    uint8_t                 match_id[CLIENT_ID_SIZE];
    uint32_t log;    /* Its acts, for tabs that want them again.                                 */
    uint64_t begins; /* The view's act: those up to it are not in the player's stream.           */
    uint64_t logged; /* The last act in the log.                                                 */
    uint64_t retry_ms;
    uint32_t play;    /* The command under way; 0: none.                                          */
    uint64_t route;   /* Whose it is ...                                                          */
    uint32_t request; /* ... and what they called it.                                             */
};

enum browser_watch_state { WATCH_ATTACHING, WATCH_IN };

struct browser_watch {
    bool                     is_used, is_looking;
    bool                     is_over; /* There will be no newer view.                             */
    enum browser_watch_state state;
    uint8_t                  match_id[CLIENT_ID_SIZE];
    uint32_t                 log, game, readers, told;
    uint32_t followers; /* Of the readers, those who are told views behind acts.                  */
    char     code[BROWSER_WATCH_CODE]; /* It is private, and opened with this.                    */
    uint64_t last_act, quiet_ms, crowd_ms;
    uint64_t shown, shown_act; /* The newest view's record, and the act behind which it is.       */
};

/* What was asked of the house for a tab. */
enum browser_wait {
    WAIT_NOTHING,
    WAIT_ASK,
    WAIT_WHO,    /* Whether the lobby knows the session.                                          */
    WAIT_NAME,   /* It is told the name. */
    WAIT_REJOIN, /* The seats, for a tab that begins anew. */
    WAIT_SEATS,  /* The same, for seats that found no place before.                               */
    WAIT_TICKET,
    WAIT_LOOK,
    WAIT_LEGAL,
    WAIT_HINT /* A list that is asked for behind a thought: browser_hint.c. */
};

struct browser_pending {
    enum browser_wait kind;
    uint32_t          number; /* The client core's; looks are answered by match and seat. */
    uint64_t          route;
    uint32_t          request, session, serial, seat;
    bool    is_name; /* An ask that binds a name.                                                */
    uint8_t match_id[CLIENT_ID_SIZE];
};

/* The one hint that is being made. */
enum browser_hint_state { HINT_NONE, HINT_VIEW, HINT_THINKS, HINT_LIST };

struct browser_hint {
    enum browser_hint_state state;
    uint8_t                 match_id[CLIENT_ID_SIZE];
    uint32_t                seat, setup;
    uint64_t                luck, due_ms; /* What has not come by then is not waited for.         */
    uint64_t                number;       /* The act it is thought about.                         */
    uint8_t                 command[512];
    size_t                  size;
};

/* What is played at a table. */
struct browser_table {
    uint8_t  table[CLIENT_ID_SIZE], match_id[CLIENT_ID_SIZE];
    uint32_t game;
};

/* A cookie that another one takes the place of. Somebody else may have planted it: so only the page that was told the
 * word gets the other one. Nobody needs a word to be left with none. */
struct browser_pass {
    uint8_t from[BROWSER_SECRET_SIZE], to[BROWSER_SECRET_SIZE];
    char    word[BROWSER_SECRET_TEXT];
    bool    is_used, is_none;
};

struct mind; /* mind/mind.h */

struct browser {
    struct browser_settings settings;
    struct client_core     *client;
    struct browser_logs     logs;
    struct browser_tab     *tabs;
    struct browser_session *sessions;
    struct browser_seat    *seats;
    struct browser_watch   *watches;
    struct browser_pending *pendings;
    uint32_t                pendings_max, serials;
    struct browser_table   *tables;
    uint32_t                tables_known;
    struct browser_pass     passes[BROWSER_PASSES];
    uint32_t                passes_known;
    uint8_t                *scratch;
    struct mind            *mind; /* NULL: nobody thinks ahead. */
    struct browser_hint     hint;
    uint64_t                refused, lost, stirs, slow, seats_full;
    uint32_t                welcomes; /* Of the lobby, which forgets who makes bytes. */
};

/* browser_tab.c: what tabs are told. */
struct browser_tab *browser_tab_of(const struct browser *browser, uint64_t route);
/* Puts what was written to one tab. */
void browser_tell(const struct browser_turn *turn, struct browser_tab *tab, const struct down *down,
                  uint32_t kind, uint32_t request, uint32_t game);
/* Puts what was written behind a log's others. */
void browser_put(const struct browser_turn *turn, uint32_t log, const struct down *down,
                 uint32_t kind, uint64_t number, uint32_t request, struct browser_facts facts);
/* Into a player's stream; `route` hears that it is about its `request`. */
void browser_tell_player(const struct browser_turn *turn, struct browser_session *session,
                         const struct down *down, uint32_t kind, uint32_t game, uint64_t route,
                         uint32_t request);
void browser_refuse(const struct browser_turn *turn, struct browser_tab *tab, uint32_t request,
                    uint32_t refusal, const char *sentence, uint64_t after_ms);
void browser_close(const struct browser_turn *turn, struct browser_tab *tab, const char *sentence);
/* The same, for a page that is to come back with this word. */
void browser_close_with_pass(const struct browser_turn *turn, struct browser_tab *tab,
                             const char *sentence, const char *word);
/* The same, for who is to come back when somebody looks at it, and not before. */
void browser_close_for_another(const struct browser_turn *turn, struct browser_tab *tab);
void browser_tab_free(const struct browser_turn *turn, struct browser_tab *tab);

/* browser_session.c: who is who. */
void browser_hello(const struct browser_turn *turn, struct browser_tab *tab, uint32_t request,
                   const Arbiter__Browser__Hello *hello);
void browser_who_told(const struct browser_turn *turn, const struct browser_pending *pending,
                      const struct client_event *event);
struct browser_session *browser_session_of(const struct browser *browser, const uint8_t *player);
/* Of a pending question; NULL: it is another's by now. */
struct browser_session *browser_session_asked(const struct browser         *browser,
                                              const struct browser_pending *pending);
void browser_session_free(const struct browser_turn *turn, struct browser_session *session);
void browser_device(const struct browser_turn *turn, struct browser_tab *tab, uint32_t request);
/* Whom a one-time code belongs to; NULL: nobody. Its use is the caller's to note. */
struct browser_session *browser_of_code(const struct browser_turn *turn, const char *code);
void browser_refuse_code(const struct browser_turn *turn, struct browser_tab *tab,
                         uint32_t request);
/* From now on this cookie is to be another one, for whoever says `word`; or (both NULL) none. */
void browser_replace(struct browser *browser, const uint8_t *from, const uint8_t *to,
                     const char *word);
void browser_whose(const struct browser_turn *turn, struct browser_tab *tab, uint32_t request,
                   const char *code);
void browser_leave(const struct browser_turn *turn, struct browser_tab *tab);
void browser_sessions_tick(const struct browser_turn *turn);

/* browser_ask.c: asks of the lobby, and what it says. */
void browser_ask(const struct browser_turn *turn, struct browser_tab *tab, uint32_t request,
                 const Arbiter__Lobby__Ask *ask, const uint8_t *bytes, size_t size);
/* Asks the lobby for a session's player (NULL: for nobody); false: not now. */
bool browser_ask_lobby(const struct browser_turn *turn, struct browser_pending pending,
                       const uint8_t *ask, size_t size, struct browser_session *session);
struct browser_pending *browser_pending_new(struct browser *browser);
bool     browser_answer_told(const struct browser_turn *turn, const struct client_event *event);
bool     browser_table_told(const struct browser_turn *turn, const struct client_event *event);
/* Tells a tab that begins anew the player's seats. */
void     browser_rejoin(const struct browser_turn *turn, struct browser_tab *tab);
/* The lobby is being asked for the player's seats: not all are known here yet. */
bool     browser_is_rejoining(const struct browser *browser, const struct browser_tab *tab);
/* Seats of the player that found no place are wanted again. False: not now. */
bool     browser_seek_seats(const struct browser_turn *turn, struct browser_session *session);
uint32_t browser_game_named(const struct browser *browser, const uint8_t *name, size_t size);

/* browser_seat.c: seats of players. */
void browser_seat_want(const struct browser_turn *turn, struct browser_session *session,
                       const uint8_t *match_id, uint32_t seat, uint32_t game);
struct browser_seat *browser_seat_of(const struct browser *browser, const uint8_t *match_id,
                                     uint32_t seat);
void browser_ticket_told(const struct browser_turn *turn, const struct browser_pending *pending,
                         const struct client_event *event);
/* The seat, if the tab's player holds it; else the tab is told that it does not, and the answer is NULL. */
struct browser_seat *browser_seat_held(const struct browser_turn *turn, struct browser_tab *tab,
                                       uint32_t request, const ProtobufCBinaryData *match_id,
                                       uint32_t number);
void browser_play(const struct browser_turn *turn, struct browser_tab *tab, uint32_t request,
                  const Arbiter__Browser__Play *play);
void browser_seat_told(const struct browser_turn *turn, struct browser_seat *seat,
                       const struct client_event *event);
void browser_seats_tick(const struct browser_turn *turn);
/* The tab is told the last so many of the seat's acts until now. False: it is told too many others just now. */
bool browser_seat_past(const struct browser_turn *turn, struct browser_tab *tab,
                       const struct browser_seat *seat, uint32_t past);
/* The session is no more. */
void browser_seats_free(const struct browser_turn *turn, const struct browser_session *session);

void browser_look(const struct browser_turn *turn, struct browser_tab *tab, uint32_t request,
                  const Arbiter__Browser__Look *look);

/* browser_dice.c: bytes for hosted dice, of those who make their own. */
/* Who makes the player's bytes: wire.Origin. */
uint32_t browser_origin(const struct browser_session *session);
/* The seat is attached: who will make its bytes, as the match's header has it. */
void     browser_dice_begin(const struct browser_turn *turn, const struct browser_seat *seat,
                            const struct client_event *event);
/* The seat is asked for something. */
void     browser_dice_wanted(const struct browser_turn *turn, const struct browser_seat *seat);
/* A tab has come in: whether it makes its own, and what it is asked for. */
void     browser_dice_for(const struct browser_turn *turn, struct browser_tab *tab);
/* The lobby may have been started anew: it is told again who makes the bytes, a few players at a time. */
void     browser_dice_tick(const struct browser_turn *turn);
void browser_contribute(const struct browser_turn *turn, struct browser_tab *tab, uint32_t request,
                        const Arbiter__Browser__Contribute *said);

/* browser_place.c: places for seats, when there are fewer. */
/* A free place; if there is none and the player is here, the place of the one who has been away
 * longest. NULL: there is none. */
struct browser_seat *browser_place_for(const struct browser_turn    *turn,
                                       const struct browser_session *session);
/* There is no place for this seat. The player is told so, and the seat is wanted again as soon as
 * there is a place. */
void browser_place_wait(const struct browser_turn *turn, struct browser_session *session,
                        const uint8_t *match_id, uint32_t seat);
/* The same as an answer to one tab that asks for it meanwhile. */
void browser_place_none(const struct browser_turn *turn, struct browser_tab *tab, uint32_t request,
                        const uint8_t *match_id, uint32_t seat);
void browser_places_tick(const struct browser_turn *turn);

/* browser_look.c: views and lists. */
void browser_wait_for(struct browser_pending *pending, enum browser_wait kind, uint32_t number,
                      uint64_t route, uint32_t request, const uint8_t *match_id, uint32_t seat);
/* A view for one tab that begins anew, unasked. */
void browser_look_for(const struct browser_turn *turn, struct browser_tab *tab,
                      const struct browser_seat *seat);
/* A view or a list, to one tab. */
void browser_look_tell(const struct browser_turn *turn, struct browser_tab *tab,
                       const struct client_event *event, uint32_t request, uint32_t game);
/* A view or a list, to whoever waits for it. */
void browser_looked(const struct browser_turn *turn, const struct client_event *event,
                    uint32_t game);
/* There will be none: who waits for one is told so. */
void browser_look_lost(const struct browser_turn *turn, const uint8_t *match_id, uint32_t seat);

/* browser_follow.c: the same unasked, behind acts. */
void browser_follow_wish(struct browser_tab *tab, const Arbiter__Browser__Hello *hello);
/* A tab of the player has come or gone. */
void browser_follow_session(const struct browser_turn *turn, struct browser_session *session);
/* A seat is being attached. */
void browser_follow_seat(const struct browser_turn *turn, const struct browser_seat *seat);
/* A view or a list that nobody asked for. */
void browser_followed(const struct browser_turn *turn, const struct browser_seat *seat,
                      const struct client_event *event);

/* browser_hint.c: the best command, looked for ahead. */
/* The list is asked for when the hint was found. False: another hint is being made, or none is made here. */
bool           browser_hint_begin(const struct browser_turn *turn, const struct browser_seat *seat,
                                  uint64_t luck);
/* A view, or that there is none; a list. */
void           browser_hint_seen(const struct browser_turn *turn, const struct client_event *event);
/* The command for a list of this act; NULL: there is none of ours. */
const uint8_t *browser_hint_for(const struct browser *browser, const struct client_event *event,
                                size_t *size);

/* browser_watch.c: matches watched. */
void browser_watch(const struct browser_turn *turn, struct browser_tab *tab, uint32_t request,
                   const Arbiter__Browser__Watch *ask);
void browser_unwatch(const struct browser_turn *turn, struct browser_tab *tab,
                     const uint8_t *match_id);
bool browser_is_watching(const struct browser *browser, const struct browser_tab *tab,
                         const uint8_t *match_id);
struct browser_watch *browser_watch_of(const struct browser *browser, const uint8_t *match_id);
void browser_watch_told(const struct browser_turn *turn, struct browser_watch *watch,
                        const struct client_event *event);
/* How many watch, to a player's tab that begins anew. */
void browser_crowd_for(const struct browser_turn *turn, struct browser_tab *tab,
                       const uint8_t *match_id);
void browser_watches_tick(const struct browser_turn *turn);
void browser_stop_reading(const struct browser_turn *turn, struct browser_reading *reading);

#endif
