/* bot.h: the core that plays seats for the house: a client like any other, and a choice.
 *
 * The lobby calls it to a table. It joins for a player of its own, and plays: the engine says what
 * the seat may do (LegalAsk), and the bot picks. It sees what a player sees, and nothing else.
 * `random` picks evenly; `greedy` plays what the game's own judgement likes best. The engine works
 * this out from what the seat may know. Games without a judgement are played at random. `level:1` and
 * so on think ahead about the view that their seat is shown (common/search).
 *
 * Around one client core (client/client_core.h): events go through it, what it tells is acted on. */
#ifndef ARBITER_BOT_H
#define ARBITER_BOT_H

#include <stddef.h>
#include <stdint.h>

#include "client/client_core.h"
#include "mind/mind.h"

struct bot_settings {
    /* Seats and tables at a time are its seats_max, tables_max. */
    struct client_core_settings client;
    const struct mind_game     *games; /* It can spell their commands; others it plays greedily. */
    uint32_t                    game_count;
    uint32_t think_ms; /* It waits so long before it looks; people like to see what happens.  */
    uint32_t seldom_one_in; /* Commands that give up or take back: once in so many; 0: only where */
    /* there is nothing else.                                              */
    uint32_t refusals_max; /* Refused so often at one act, it says so, gets up and plays no more. */

    struct mind_settings
             mind;          /* What it takes to think ahead.                                     */
    uint32_t think_most_ms; /* One thought lasts no longer. Those who wait for the tree share it. */
};

struct bot_facts {
    uint64_t seats;    /* Played at this moment.                                                  */
    uint64_t matches;  /* Played to their end.                                                    */
    uint64_t commands; /* Accepted.                                                               */
    uint64_t refused;
    uint64_t given_up; /* Seats it got up from, for it could do nothing there.                    */
    uint64_t thoughts; /* Begun by seats that think ahead.                                        */
    uint64_t faults;   /* Broken promises of the house.                                           */
};

struct bot;

/* Good settings for one machine; who it is, the lobby, crypto and games are left to fill in. */
void                 bot_defaults(struct bot_settings *settings);
size_t               bot_bytes(const struct bot_settings *settings);
/* Places a bot into memory aligned for anything. */
struct bot          *bot_init(void *memory, const struct bot_settings *settings);
/* What it was told, for whoever changes it while it runs. What memory was made for stays. */
struct bot_settings *bot_told(struct bot *bot);
struct bot_facts     bot_facts(const struct bot *bot);

extern const struct core_ops bot_ops;

#endif
