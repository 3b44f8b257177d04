/* lobby.h: the lobby: who is there, who is let in, and who sits where before a match.
 *
 * It keeps the directory of services and the list of admitted keys, and gives keys their names. It
 * opens tables and seats people and bots at them. It holds the registration of games that have one.
 * Then it asks an engine for the match, once. During a match it is asked nothing. Everything it
 * says is stored before; started again it is the same lobby (lobby_rows.h). All memory is its
 * owner's, of the size that lobby_bytes works out from the settings. */
#ifndef ARBITER_LOBBY_H
#define ARBITER_LOBBY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/value.h"
#include "core/core.h"
#include "rules/game.h"
#include "wire/arena.h"
#include "wire/crypto.h"
#include "wire/plan.h"

#define LOBBY_GAMES_MAX 32
#define LOBBY_SERVICES_MAX 136 /* With few keys and bans: lobby_settings.c.                      */
#define LOBBY_SETUPS_MAX 64    /* That come with one game.                                       */
#define LOBBY_AVATAR_MAX 16    /* Bytes of a picture's name.                                  */
#define LOBBY_NAME_MAX 32 /* Bytes of a player's, a service's, a set-up's name.                */
#define LOBBY_TITLE_MAX 64
/* Of a set-up and its options: beside it a body has room for a table. */
#define LOBBY_TEXT_MAX 61440
#define LOBBY_ADDRESS_MAX 128

/* A set-up that comes with a game. The texts are the owner's, and live as long as the lobby. */
struct lobby_setup {
    const char *name;    /* "intro".                                                          */
    const char *title;   /* For people.                                                       */
    const char *text;    /* JSON.                                                             */
    const char *options; /* JSON; NULL: none.                                                 */
};

/* A game that can be played here, the newest version of its rules. */
struct lobby_game {
    const struct game        *game;
    const struct plan        *commands; /* Of the game's Command.                             */
    const struct plan        *events;   /* Of the game's Event.                               */
    const struct lobby_setup *setups;
    uint32_t                  setup_count; /* The first is what QuickPlay opens.              */
};

/* What the shell does for the lobby that pure code cannot. */
struct lobby_helpers {
    /* JSON text as a tree; NULL: it is none, reported (json/json.h's json_value). */
    const struct value *(*parse)(const char *text, size_t size, struct arena *arena,
                                 struct faults *faults);
    /* Ed25519 over the pieces, one behind the other, by the lobby's secret key. */
    void (*sign)(uint8_t signature[64], const uint8_t secret[64], const struct piece *pieces,
                 uint32_t count);
    const struct crypto_ops *crypto;
};

/* A key that is let in from the beginning: the installation's own services and its operator. */
struct lobby_seed {
    uint8_t  key[CALLER_KEY_SIZE];
    uint32_t role; /* directory.Role.                                                         */
    char     name[LOBBY_NAME_MAX + 1];
};

struct lobby_settings {
    char    name[LOBBY_NAME_MAX + 1]; /* "lobby".                                             */
    char    software[LOBBY_NAME_MAX + 1];
    uint8_t key[CALLER_KEY_SIZE];                /* Its own.                                */
    char    requests_address[LOBBY_ADDRESS_MAX]; /* Where others reach it.                  */
    char    stream_address[LOBBY_ADDRESS_MAX];
    char    requests_outside[LOBBY_ADDRESS_MAX]; /* And who comes from outside; empty: nobody.   */
    char    stream_outside[LOBBY_ADDRESS_MAX];
    uint8_t ticket_key[32], ticket_secret[64]; /* Ed25519: public, and to sign with.      */

    const struct lobby_helpers *helpers;
    const struct lobby_game    *games;
    uint32_t                    game_count;
    const struct lobby_seed    *seeds;
    uint32_t                    seed_count;

    /* Capacities. A directory must fit one message: keys, services and bans have ceilings. */
    uint32_t keys_max;     /* Admitted keys, at most 800.                                     */
    uint32_t services_max; /* At most 48, or with few keys and bans LOBBY_SERVICES_MAX.       */
    uint32_t bans_max;     /* Banned players of gateways, at most 256.                        */
    uint32_t players_max;
    uint32_t tables_max;
    uint32_t texts_max;     /* Tables with a set-up of their own, LOBBY_TEXT_MAX bytes each.    */
    uint32_t events_kept;   /* Of each table, for those who missed some.                       */
    uint32_t results_max;   /* In reach of ListResults; older ones stay in the store.          */
    uint32_t audit_max;     /* In reach of ListAudit; older deeds stay in the store.             */
    uint32_t persons_max;   /* Who has registered, and whose row no engine has written yet.      */
    uint32_t numbers_apart; /* Of recorded matches in a store from before persons were numbered. */
    uint32_t setup_bytes;   /* A compiled set-up may take so much; there is one.               */
    uint32_t desk_bytes;    /* The state of a registration may; each table has one.            */

    /* What one source may take: an address, or a key (lobby_sources.h). 0: any number. */
    uint32_t names_per_address, tables_per_address, seats_per_address; /* At once.              */
    uint32_t names_per_minute, tables_per_minute, seats_per_minute;
    uint32_t
        crowd_times; /* So many times that is a listed network's, and a key's; 0: any number. */

    /* Times. */
    uint32_t directory_ms;      /* The directory is repeated so often.                        */
    uint32_t service_silent_ms; /* A service that says no hello for so long is gone.           */
    uint32_t again_ms;          /* What was not answered (a start, a bot's call) is said again. */
    uint32_t bot_gone_ms;     /* Others play on for the bots of a service that is silent so long. */
    uint32_t registration_ms; /* A registration may be silent so long, if rules say nothing. */
    uint32_t vote_ms;         /* Votes on a vacant seat are counted after so long.           */
    uint32_t idle_ms;      /* A table at which nothing happens is closed; matches are no idling. */
    uint32_t abandoned_ms; /* A match in which nobody does anything may make room for others. */
    uint32_t ticket_ms;    /* A ticket is good for so long.                              */
    uint32_t guest_silent_ms; /* A guest who was silent for so long may make room for others.   */

    /* Tables whose options say "rigged": true, for tests: cards laid by a host. */
    bool allow_rigged;
    /* Nobody looks after the house by a gateway's page, whatever a gateway says. */
    bool is_page_barred;
};

struct lobby;

/* Settings that serve one machine; names, keys, addresses, helpers and games are left to fill in. */
void                   lobby_defaults(struct lobby_settings *settings);
/* The first setting that cannot be, as a sentence; NULL: all can. */
const char            *lobby_judge(const struct lobby_settings *settings);
size_t                 lobby_bytes(const struct lobby_settings *settings);
/* Places a lobby into memory aligned for anything. The settings are copied; what they point to stays
 * the owner's. */
struct lobby          *lobby_init(void *memory, const struct lobby_settings *settings);
/* What it was told, for whoever changes it while it runs, and then says EVENT_CHANGED: bounds, times, and whom the settings
 * admit. What memory was made for stays. */
struct lobby_settings *lobby_told(struct lobby *lobby);

extern const struct core_ops lobby_ops;

#endif
