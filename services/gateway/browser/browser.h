/* browser.h: the WebSocket door's core: sessions, numbered streams, crowds. Pure.
 *
 * A tab is one WebSocket connection. What it says comes as proto/browser.proto's Up from DOOR_SIDE.
 * What it is to hear is fetched with browser_next whenever its connection can be written.
 * Everything said stands once in browser_log.h's ring, and a tab is a few cursors into it.
 *
 * A session is a secret of 32 bytes. The lobby's player is the first half of its hash, so nobody
 * has to store the secret. Any gateway that is shown it knows the player, also after a crash.
 * A new name is given to a secret only that was drawn for the connection which says the name. */
#ifndef ARBITER_GATEWAY_BROWSER_H
#define ARBITER_GATEWAY_BROWSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/client_core.h"
#include "contract/browser.pb-c.h"
#include "contract/gateway.pb-c.h"
#include "core/outbox.h"
#include "mind/mind_settings.h"
#include "services/gateway/browser/browser_log.h"

#define BROWSER_SECRET_SIZE 32
#define BROWSER_SECRET_TEXT 44            /* As text, with its NUL.                               */
#define BROWSER_ROUTE (UINT64_C(1) << 63) /* Set in the routes of tabs, and in no others. */
#define BROWSER_NO_GAME UINT32_MAX
#define BROWSER_GAMES_MAX 32

struct browser_settings {
    const struct crypto_ops *crypto;
    const char              *version;
    const char *games[BROWSER_GAMES_MAX]; /* Their names; a game is its place here.             */
    uint32_t    games_count;
    /* Writes a LegalAnswer's patterns as browser.Legal's; the bytes written. It needs the game's own
     * messages, so it is the shell's. */
    size_t (*put_patterns)(void *asked, uint32_t game, const uint8_t *answer, size_t size,
                           uint8_t *to, size_t room);
    void                   *asked;
    /* What hints are made of; `mind.compile` NULL: they are what the game's own judgement likes best. */
    struct mind_settings    mind;
    const struct mind_game *mind_games;
    uint32_t                mind_games_count;
    uint32_t hint_ms; /* A hint is thought about for so long at most.               */
    uint32_t tabs_max;
    uint32_t sessions_max;
    uint32_t seats_max;
    uint32_t watches_max; /* Matches watched at once, each by any number.                        */
    uint32_t log_bytes;   /* Of all that is kept for readers.                                    */
    uint32_t hello_ms;    /* A connection says who it is within this time.                       */
    uint32_t burst;       /* Messages at once ...                                                */
    uint32_t per_10_s;    /* ... and afterwards.                                                 */
    uint32_t idle_ms;     /* A session without a tab is kept so long here.                       */
    uint32_t code_ms;     /* A code for another device is good so long.                          */
};

struct browser_facts_of {
    uint64_t tabs, sessions, seats, watches, refused, lost, slow, seats_full;
};

struct browser;

void                     browser_defaults(struct browser_settings *settings);
size_t                   browser_bytes(const struct browser_settings *settings);
struct browser          *browser_init(void *memory, const struct browser_settings *settings,
                                      struct client_core *client);
/* What it was told, for whoever changes it while it runs. */
struct browser_settings *browser_set(struct browser *browser);

/* What is going on in a step. */
struct browser_turn {
    struct browser *browser;
    uint64_t        now_ms;
    const uint8_t  *entropy;
    struct outbox  *out;
    uint64_t        came_ms; /* When what is heard was read; 0: now. */
};

/* A tab comes, says something (`bytes` are `up` as it is packed), goes. */
void browser_open(const struct browser_turn *turn, uint64_t route,
                  const Arbiter__Gateway__BrowserOpen *open);
void browser_hear(const struct browser_turn *turn, uint64_t route, const Arbiter__Browser__Up *up,
                  const uint8_t *bytes, size_t size);
void browser_hang_up(const struct browser_turn *turn, uint64_t route);
/* Something was told; false: it concerns nobody here. */
bool browser_told(const struct browser_turn *turn, const struct client_event *event);
void browser_tick(const struct browser_turn *turn);
/* Hints are thought about, a slice at each tick of the clock. */
void browser_think(const struct browser_turn *turn, bool is_tick);
/* The door closes: every tab is told so. */
void browser_stop(const struct browser_turn *turn);

/* For the shell, between steps. */

/* The next message for a tab: a browser.Down. False: there is none now. */
struct browser_down {
    const uint8_t *bytes;
    size_t         size;
    uint64_t       place;   /* With `size`, the same for whoever is sent the same bytes.          */
    uint32_t       game;    /* Of the fields marked GAME; BROWSER_NO_GAME: they stay bytes.       */
    bool           is_last; /* Close behind it.                                                   */
};
bool     browser_next(struct browser *browser, uint64_t route, struct browser_down *down);
bool     browser_has_next(struct browser *browser, uint64_t route);
/* Another number: something may have to be sent. */
uint64_t browser_stirs(const struct browser *browser);
/* What the tab said is no message; the sentence says why. */
void     browser_misread(struct browser *browser, uint64_t route, const char *sentence);
/* The same, of which it could be read what it called it. */
void     browser_misread_request(struct browser *browser, uint64_t route, uint32_t request,
                                 const char *sentence);
/* The tab does not read: all it will still hear is why it is closed. */
void     browser_is_slow(struct browser *browser, uint64_t route);
/* The game of a match or a table somebody here is at; BROWSER_NO_GAME: not known. */
uint32_t browser_game_of_match(const struct browser *browser, const uint8_t *match_id);
/* Whether somebody here has a seat in it. */
bool     browser_plays_match(const struct browser *browser, const uint8_t *match_id);
uint32_t browser_game_of_table(const struct browser *browser, const uint8_t *table);
/* Whether this secret's player is one of those that have a name and are kept here. */
bool     browser_knows(const struct browser *browser, const uint8_t secret[BROWSER_SECRET_SIZE]);
/* The secret that replaces the cookie's: another device's, for the page that says the word it was told, or none after
 * leaving. False: keep. */
bool     browser_replaces(const struct browser *browser, const uint8_t secret[BROWSER_SECRET_SIZE],
                          const char *word, uint8_t by[BROWSER_SECRET_SIZE], bool *is_none);
struct browser_facts_of browser_facts(const struct browser *browser);

/* A secret as text, and back; false: it is none. */
void browser_secret_text(char text[BROWSER_SECRET_TEXT], const uint8_t secret[BROWSER_SECRET_SIZE]);
bool browser_secret_read(uint8_t secret[BROWSER_SECRET_SIZE], const char *text, size_t size);

#endif
