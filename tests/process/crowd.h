/* crowd.h: players at many tables of one game: they open tables, sit down, play at random, begin again.
 *
 * One client, one key. As a *bot service* (the key is admitted so) it speaks for players of its
 * own, so each seat of each table has one. Otherwise the key is one player who holds all seats of
 * one table (hotseat). Everything is driven by two calls: what came, and that time has passed. */
#ifndef ARBITER_FLEET_CROWD_H
#define ARBITER_FLEET_CROWD_H

#include "client/client.h"
#include "games/registry.h"
#include "wire/plan.h"

#define CROWD_SEATS_MAX 8

/* Somebody on a chair of a match. */
struct chair {
    bool     is_attached;
    bool     is_over;
    bool     looks;  /* Something has happened: look at what there is to do ...                   */
    uint64_t at_ms;  /* ... then.                                                                */
    uint32_t asked;  /* The question under way; 0: none.                                          */
    uint32_t played; /* The command under way; 0: none.                                          */
    uint64_t heard;  /* The last act that was told. */
};

enum bench_phase { BENCH_NAMING, BENCH_OPENING, BENCH_JOINING, BENCH_PLAYING, BENCH_LEAVING };

/* A table that is opened again and again. */
struct bench {
    enum bench_phase phase;
    uint32_t         done; /* Players who have a name, sit, or have left: by phase.              */
    uint32_t         ask;  /* Under way; 0: none.                                                */
    uint64_t         rest_ms; /* Nothing is asked of the lobby before.                           */
    bool             is_begun;
    uint8_t          table[CLIENT_ID_SIZE];
    uint8_t          match_id[CLIENT_ID_SIZE];
    uint8_t          player[CROWD_SEATS_MAX][CLIENT_ID_SIZE];
    struct chair     chair[CROWD_SEATS_MAX];
};

struct crowd {
    struct client          *client;
    const struct game_wire *game;
    struct plan            *commands;
    const char             *name, *setup;
    uint32_t                seats; /* At each table.                                             */
    uint32_t                think_ms;
    uint32_t                turn_ms; /* For each wait; 0: for ever.                              */
    bool                    is_bots;
    bool                    is_stopping; /* Nothing new is begun and nothing played.             */
    struct bench           *bench;
    uint32_t                benches;
    uint64_t                luck;
    uint32_t                turn; /* Whose ask is the next: the lobby hears one at a time.       */
};

void crowd_hear(struct crowd *crowd, const struct client_event *event);
void crowd_tick(struct crowd *crowd);
/* Nothing is under way, and every match that began is over. */
bool crowd_is_done(const struct crowd *crowd);

/* crowd_match.c: the part of it that plays. */
void     match_hear(struct crowd *crowd, struct bench *bench, const struct client_event *event);
void     match_tick(struct crowd *crowd, struct bench *bench, uint64_t now_ms);
uint64_t crowd_draw(struct crowd *crowd, uint64_t below);

#endif
