/* treasure_check.c: what always holds in a match, and which of its bytes a viewer may know nothing of. */
#include "games/treasure/treasure_rules.h"

static const char *check_seat(const struct treasure_setup *setup,
                              const struct treasure_state *state, uint32_t seat)
{
    const struct treasure_seat *player = &state->seat[seat];
    uint32_t                    below = treasure_terrain(setup, state, player->x, player->y);
    bool                        drowned = state->reason == TREASURE_IN_WATER;

    if (below == TREASURE_OUTSIDE || (below == TREASURE_WATER && !drowned))
        return "a figure stands on land, or has just lost in water";
    if (treasure_terrain(setup, state, player->castle_x, player->castle_y) != TREASURE_GRASS)
        return "a castle stands on grass";
    if (treasure_terrain(setup, state, player->treasure_x, player->treasure_y) != TREASURE_GRASS)
        return "a treasure lies on grass";
    if (player->treasure && !player->treasure_seen)
        return "who has his treasure has seen it";
    if (player->pending.running && player->pending.next < 0)
        return "a countdown ends at 0";
    return NULL;
}

const char *treasure_check(const void *of_setup, const void *of_state)
{
    const struct treasure_setup *setup = of_setup;
    const struct treasure_state *state = of_state;
    const char                  *wrong = NULL;

    if (state->phase < TREASURE_HALVES || state->phase > TREASURE_END)
        return "a match awaits halves, moves, or is over";
    if ((state->phase == TREASURE_END) != (state->result != 0))
        return "a match is over when it has a result";
    if (state->n < 0 || (uint32_t) state->n > setup->max_actions)
        return "there are no more actions than the set-up allows";
    if (state->phase == TREASURE_MOVES && !state->merged)
        return "figures move on a joined map";
    for (uint32_t seat = 0; state->merged && wrong == NULL && seat < TREASURE_SEATS; seat++)
        wrong = check_seat(setup, state, seat);
    return wrong;
}

/* Secrets. */

struct cover {
    const struct treasure_setup *setup;
    const struct treasure_state *state;
    uint8_t                     *mask;
};

static void cover(const struct cover *at, const void *bytes, size_t size)
{
    memset(at->mask + ((const uint8_t *) bytes - (const uint8_t *) at->state), 0xff, size);
}

#define COVER(at, member) cover((at), &(member), sizeof(member))

/* What nobody but the owner may know of a seat, and what even the owner has not seen. */
static void cover_seat(const struct cover *at, uint32_t owner)
{
    const struct treasure_seat *seat = &at->state->seat[owner];
    uint32_t                    map = 2 * treasure_half_size(at->setup);
    COVER(at, seat->given);
    COVER(at, seat->pending);
    COVER(at, seat->treasure_x);
    COVER(at, seat->treasure_y);
    COVER(at, seat->treasure_seen);
    COVER(at, seat->treasure);
    COVER(at, seat->castle_seen);
    COVER(at, seat->enemy_x);
    COVER(at, seat->enemy_y);
    cover(at, treasure_explored(at->setup, at->state, owner), map);
    if (!at->state->merged)
        cover(at, treasure_field(at->setup, at->state, owner), treasure_half_size(at->setup));
}

static void cover_figure(const struct cover *at, uint32_t owner)
{
    if (!treasure_is_masked(at->setup, at->state))
        return;
    COVER(at, at->state->seat[owner].x);
    COVER(at, at->state->seat[owner].y);
}

static void cover_castle(const struct cover *at, uint32_t owner)
{
    COVER(at, at->state->seat[owner].castle_x);
    COVER(at, at->state->seat[owner].castle_y);
}

static void cover_ring(const struct cover *at)
{
    cover(at, treasure_ring(at->state),
          treasure_snapshots(at->setup) * sizeof(struct treasure_snapshot));
}

static void cover_last(const struct cover *at)
{
    COVER(at, at->state->last.action);
    COVER(at, at->state->last.readable);
    COVER(at, at->state->last.x);
    COVER(at, at->state->last.y);
    COVER(at, at->state->last.turns);
    COVER(at, at->state->last.violation);
}

static void hide_from_seat(const struct cover *at, uint32_t viewer)
{
    const struct treasure_seat *seat = &at->state->seat[viewer];
    cover_seat(at, 1 - viewer);
    cover_figure(at, 1 - viewer);
    if (!seat->castle_seen)
        cover_castle(at, 1 - viewer);
    if (!seat->treasure_seen) {
        COVER(at, seat->treasure_x);
        COVER(at, seat->treasure_y);
    }
    if (at->state->last.seat != (int32_t) viewer)
        cover_last(at);
    cover_ring(at);
}

/* Of what spectators with common knowledge may not know; who sees all sees one snapshot of the ring. */
static void hide_from_spectators(const struct cover *at)
{
    const struct treasure_snapshot *shown = treasure_shown(at->setup, at->state);
    if (at->state->phase == TREASURE_END && at->state->merged)
        return;
    cover_ring(at);
    if (shown != NULL) {
        size_t from = (size_t) ((const uint8_t *) shown - (const uint8_t *) at->state);
        memset(at->mask + from, 0, sizeof *shown);
        return;
    }
    cover_last(at);
    for (uint32_t owner = 0; owner < TREASURE_SEATS; owner++) {
        cover_seat(at, owner);
        cover_figure(at, owner);
        cover_castle(at, owner);
    }
}

void treasure_hidden(const void *setup, const void *state, uint32_t viewer, uint8_t *mask)
{
    const struct cover at = { setup, state, mask };
    if (viewer < TREASURE_SEATS)
        hide_from_seat(&at, viewer);
    else
        hide_from_spectators(&at);
}
