/* bot_read.h: what a bot must know of messages, read from bytes that are valid. Pure. */
#ifndef ARBITER_BOT_READ_H
#define ARBITER_BOT_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/client_event.h"
#include "mind/mind.h"
#include "rules/legal.h"

#define BOT_PATTERNS_MAX 3000 /* The engine says no more than 6,000 numbers of patterns ... */
#define BOT_VALUES_MAX 24576  /* ... and so many bytes of values. */
#define BOT_POLICY_MAX 16
#define BOT_GAME_MAX 32

/* lobby.TableEvent, as far as it concerns a bot. */
struct bot_table_event {
    uint32_t       kind; /* Number of the oneof's field.                                          */
    uint32_t       seat; /* Invited.                                                              */
    const uint8_t *code;
    size_t         code_size;
    const uint8_t *match_id;     /* MatchBegins; NULL: none.                                      */
    char policy[BOT_POLICY_MAX]; /* "": as well as it can.                                */
};

#define BOT_INVITED 7
#define BOT_MATCH_BEGINS 11
#define BOT_MATCH_ENDED 15
#define BOT_TABLE_CLOSED 16

bool bot_read_table_event(const uint8_t *bytes, size_t size, struct bot_table_event *event);
/* Whether a lobby.Answer says that it was done, and which match goes on at its table (NULL: none). */
bool bot_read_done(const uint8_t *bytes, size_t size, const uint8_t **match_id);

/* What match it is, from an engine.Attached. */
struct bot_match {
    char           game[BOT_GAME_MAX]; /* "": none that could be read.                            */
    uint32_t       version;
    const uint8_t *table; /* The lobby's, 16 bytes; NULL: none.                                   */
    uint32_t       seats;
    struct mind_text text;
    const uint8_t   *view; /* As its seat may see it; NULL: there is none yet.               */
    size_t           view_size;
};
void bot_read_match(const uint8_t *bytes, size_t size, struct bot_match *match);

/* The sentence of an engine.Reply or a wire.Refused, as far as there is room; empty: it has none. */
#define BOT_WHY_MAX 160
void bot_read_why(const uint8_t *bytes, size_t size, bool is_reply, char why[BOT_WHY_MAX]);

/* engine.LegalAnswer. Lists live in the caller's memory. */
struct bot_legal {
    bool           is_awaited;
    struct legal   list;
    const uint8_t *proposal, *best;
    size_t         proposal_size, best_size;
};
/* False: what came is no list. */
bool bot_read_legal(const uint8_t *bytes, size_t size, struct bot_legal *legal);

/* A lobby.Ask for one of our players: to sit down where the lobby called it, or to get up. Returns
 * its size; `ask` has room for BOT_ASK_MAX bytes. */
#define BOT_ASK_MAX 256
size_t bot_write_join(uint8_t *ask, const uint8_t player[CLIENT_ID_SIZE],
                      const uint8_t table[CLIENT_ID_SIZE], const struct bot_table_event *call);
size_t bot_write_leave(uint8_t *ask, const uint8_t player[CLIENT_ID_SIZE],
                       const uint8_t table[CLIENT_ID_SIZE]);

#endif
