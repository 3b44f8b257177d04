/* player.h: somebody who plays: the product's client core, and a head on top of it.
 *
 * A player binds a name, and sits down at a table that is open or opens one. Then the player makes
 * moves that the engine lists, and now and then one that it does not. When the match is over, the
 * player looks for the next. When the universe is healed, players open nothing more, and play what
 * they have begun to its end. A *watcher* sits at no table, but looks for matches and follows
 * them. */
#ifndef ARBITER_CLUSTER_PLAYER_H
#define ARBITER_CLUSTER_PLAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/client_core.h"
#include "core/core.h"
#include "services/bot/bot.h"

#define PLAYER_SEATS_MAX 4
#define PLAYER_SETUP_MAX 96

struct player_settings {
    struct client_core_settings client;
    char                        name[16];
    bool     opens; /* Tables; others wait until there is one.                              */
    bool     watches;
    bool     is_second; /* Another device of a player who binds and sits down elsewhere. */
    bool     bots;      /* Called to the tables that the player opens. */
    uint32_t seats;     /* Of a table that the player opens. */
    uint64_t turn_ms;
    bool     hosted; /* Dice from the house, made with contributions; else open ones.          */
    bool     opens_dead; /* Tables of the dead, not of nim.                                     */
    char     setup[PLAYER_SETUP_MAX];
    const struct mind_game *games; /* He knows them all, whatever others are built with.         */
    uint32_t                game_count;
    uint64_t                think_ms; /* Between two looks at the matches. */
};

/* What is followed. */
struct player_seat {
    bool     is_used, is_over, is_lost;
    uint8_t  match_id[CLIENT_ID_SIZE];
    uint32_t seat;
    uint64_t number;  /* The last act that was told. */
    bool     is_told; /* He has had a view.                                                   */
    uint32_t legal;   /* Asked what may be done; 0: not. */
    uint32_t command; /* Under way; 0: none.                                                   */
    const struct mind_game *game; /* NULL: not known yet.                                       */
};

enum player_wants {
    WANTS_NAME,
    WANTS_LIST,
    WANTS_SEATS,
    WANTS_TABLE,
    WANTS_BOTS,
    WANTS_MATCH,
    WANTS_OUT
};

struct player {
    struct player_settings settings;
    struct client_core    *client;
    enum player_wants      wants;
    uint32_t               names_taken; /* Of the player's own, by others. */
    uint32_t               ask; /* The lobby's answer that is awaited; 0: none.                 */
    uint8_t                table[CLIENT_ID_SIZE];
    bool                   has_table;
    bool                   awaits_match; /* It begins, and there is no view yet. */
    bool                   is_healed; /* Set from outside: nothing new any more.                */
    uint64_t               think_at_ms;
    uint64_t               acts, replies, faults, matches;
    uint32_t               fault; /* enum client_fault: the first promise that was broken.       */
    uint8_t                fault_match[CLIENT_ID_SIZE];
    uint32_t               fault_seat;
    uint64_t               broken_number; /* An act that came out of order; its number.          */
    bool                   is_broken;
    bool                   is_owed; /* A match was over, and what became of the command not told. */
    struct player_seat     seat[PLAYER_SEATS_MAX];
};

extern const struct core_ops player_ops;

size_t player_bytes(const struct player_settings *settings);
void   player_init(void *memory, const struct player_settings *settings);

#endif
