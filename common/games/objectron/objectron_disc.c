/* objectron_disc.c: the flight of an identity disc, and what it hits. */
#include "games/objectron/objectron_rules.h"

#define BOUNDLESS INT32_MAX /* No flight enters so many squares, README.md says why. */

enum flight_end { FLYING, LANDED, HIT, DESTROYED };

struct flight {
    struct objectron *o;
    uint32_t          dir;
    int32_t           at;
    int32_t           range; /* Squares left to fly.               */
    int32_t           hit;   /* Seat, or -1, where it came to last. */
    uint32_t          steps; /* Squares it came to.                */
    uint32_t          steps_at;
    enum flight_end   end;
};

/* The disc has come to a square. */
static void arrive(struct flight *flight, int32_t square, bool by_hop)
{
    const struct objectron_state *state = flight->o->state;
    flight->at = square;
    flight->steps++;
    sink_put(flight->o->out, square % state->width);
    sink_put(flight->o->out, square / state->width);
    sink_put(flight->o->out, by_hop);
    if (objectron_charged(state, square)) {
        flight->end = DESTROYED;
        return;
    }
    if (objectron_dark(state, square))
        flight->range--;
    flight->hit = objectron_player_on(state, square);
    if (flight->hit >= 0)
        flight->end = HIT;
}

/* A teleporter takes it on at no cost; the second time through the same one is the last. */
static void hop(struct flight *flight)
{
    struct objectron_item *item = objectron_items(flight->o->state);
    int32_t teleporter = objectron_lying(flight->o->state, flight->at, OBJECTRON_TELEPORTER);
    if (teleporter < 0)
        return;
    item[teleporter].uses++;
    arrive(flight, item[item[teleporter].dest].at, true);
    if (item[teleporter].uses == 2 && flight->end == FLYING)
        flight->end = LANDED;
}

static void fly(struct flight *flight)
{
    struct objectron_state *state = flight->o->state;
    if (objectron_dark(state, flight->at))
        flight->range--;
    while (flight->end == FLYING && flight->range >= 1) {
        int32_t next = objectron_step(state, flight->at, flight->dir);
        if (!objectron_free(state, next))
            break;
        flight->range--;
        arrive(flight, next, false);
        if (flight->end == FLYING)
            hop(flight);
    }
    if (flight->end == FLYING)
        flight->end = LANDED;
    for (int32_t i = 0; i < state->items; i++)
        objectron_items(state)[i].uses = 0;
}

static void hit(struct objectron *o, uint32_t by, uint32_t seat, int32_t disc)
{
    struct objectron_state  *state = o->state;
    struct objectron_player *player = &state->player[seat];
    int32_t                  lost = seat == by ? state->left : 0;
    player->skip++;
    if (seat == by) {
        state->left = 0;
        o->loss = true;
    }
    SAY(o, OBJECTRON_PLAYER_HIT, seat, by, objectron_items(state)[disc].id, player->skip, lost);
    objectron_drop_flag(o, seat, player->at);
}

void objectron_throw(struct objectron *o, uint32_t seat, int32_t index, uint32_t dir)
{
    struct objectron_state *state = o->state;
    struct objectron_item  *item = &objectron_items(state)[index];
    struct flight           flight = { .o = o, .dir = dir, .at = state->player[seat].at };
    flight.range = item->kind == OBJECTRON_DISC ? OBJECTRON_DISC_RANGE : BOUNDLESS;
    sink_open(o->out, TO_ALL, OBJECTRON_DISC_THROWN);
    sink_put(o->out, seat);
    sink_put(o->out, item->id);
    sink_put(o->out, item->kind);
    sink_put(o->out, dir + 1);
    objectron_put_square(o->out, state, flight.at);
    flight.steps_at = o->out->used;
    sink_put(o->out, flight.steps); /* None as yet. */
    fly(&flight);
    if (o->out->words != NULL)
        o->out->words[flight.steps_at] = flight.steps;
    sink_put(o->out, flight.end);
    objectron_put_square(o->out, state, flight.at);
    sink_close(o->out);
    item->at = flight.end == DESTROYED ? -1 : (int16_t) flight.at;
    if (flight.end == HIT)
        hit(o, seat, (uint32_t) flight.hit, index);
}
