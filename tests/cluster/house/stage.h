/* stage.h: the product on the world's stage: lobby, engines, fanouts, watchdogs, players. */
#ifndef ARBITER_CLUSTER_STAGE_H
#define ARBITER_CLUSTER_STAGE_H

#include "client/client_core.h"
#include "core/peers.h"
#include "oracle/oracle.h"
#include "player.h"
#include "services/bot/bot.h"
#include "services/engine/engine.h"
#include "services/engine/history.h"
#include "services/fanout/fanout.h"
#include "services/lobby/lobby.h"
#include "services/watchdog/watchdog.h"
#include "world/world.h"

enum { VAULT_JOURNAL, VAULT_LOBBY, VAULT_LEASES, STAGE_VAULTS };

#define STAGE_ENGINES_MAX 3
#define STAGE_FANOUTS_MAX 2
#define STAGE_WATCHDOGS_MAX 2
#define STAGE_PLAYERS_MAX 10

/* What a universe may have, by bits of its plan's flavour. */
#define FLAVOUR_TRIOS (1u << 20)
#define FLAVOUR_CHAINED (1u << 21) /* The second fanout follows the first.                       */
#define FLAVOUR_SECOND (1u << 22)
#define FLAVOUR_BOTS (1u << 23)
#define FLAVOUR_DEAD (3u << 24) /* Both bits: the dead are played, too.                          */
#define FLAVOUR_UPGRADE (3u << 26) /* Both bits: builds are replaced, and taken back.             */
#define FLAVOUR_EVEN (1u << 28)    /* Which half begins with the newer one.                       */
#define FLAVOUR_OLDER (1u << 29)   /* Some players speak version 1 of the protocol.               */

/* The journal's older copy, which takes its place once all is healed; stage_set_back.c. */
struct set_back {
    struct vault copy;
    uint64_t     copy_ns, done_ns, cut_ns;
    bool         has_copy, is_over, is_done;
};

struct stage {
    struct oracle oracle;
    uint32_t      lobby;
    uint32_t      engine[STAGE_ENGINES_MAX], fanout[STAGE_FANOUTS_MAX];
    uint32_t      watchdog[STAGE_WATCHDOGS_MAX], player[STAGE_PLAYERS_MAX];
    uint32_t      engines, fanouts, watchdogs, players;
    uint32_t      second; /* Among the players: another device of the first; 0: there is none. */
    uint32_t      bot;    /* 0: there is none.                                               */
    bool          is_upgraded; /* All that was left of the older build has been replaced. */
    struct lobby_seed seed[PROCESSES_MAX];
    uint32_t          seeds;
    uint64_t          beats, beat_ns;
    struct set_back   set_back;
};

extern const struct cast product_cast;

bool stage_has(const struct world *world, uint32_t flavour);
/* Whether what runs here is of the newer build. */
bool stage_is_new(const struct process *process);
/* Whether the last fanout follows another one. */
bool stage_is_chained(const struct world *world, const struct stage *stage);
/* The settings of each, and how its core is placed; stage_settings.c. */
void stage_lobby(struct world *world, struct stage *stage);
void stage_engine(struct world *world, struct stage *stage, uint32_t index);
void stage_history(struct world *world, uint32_t engine, uint32_t history);
void stage_fanout(struct world *world, struct stage *stage, uint32_t index);
void stage_watchdog(struct world *world, struct stage *stage, uint32_t index);
void stage_player(struct world *world, struct stage *stage, uint32_t index, uint32_t number);
void stage_bot(struct world *world, struct stage *stage);
/* Sets the journal back, if the plan has it; and whether there is nothing more to see of that. */
void stage_set_back(struct world *world, struct stage *stage);
bool stage_set_back_is_quiet(struct world *world, struct stage *stage);
/* The games of a build as the engine, the lobby and bots want them; stage_games.c. */
const struct engine_game    *stage_engine_games(bool is_new, uint32_t *count);
const struct lobby_game     *stage_lobby_games(bool is_new, uint32_t *count);
const struct mind_game      *stage_bot_games(bool is_new, uint32_t *count);
const struct engine_helpers *stage_engine_helpers(void);
const struct lobby_helpers  *stage_lobby_helpers(void);

#endif
