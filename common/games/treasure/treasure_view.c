/* treasure_view.c: what a player may know, built from what the player has seen. */
#include "games/treasure/treasure_rules.h"

void treasure_put_pending(struct sink *out, const struct treasure_pending *pending)
{
    sink_put(out, pending->running);
    if (!pending->running)
        return;
    treasure_put_field(out, true, pending->x, pending->y);
    sink_put(out, pending->next);
}

void treasure_put_terrain(struct sink *out, const struct treasure_setup *setup,
                          const struct treasure_state *state)
{
    int32_t columns = treasure_columns(setup, state), rows = treasure_rows(setup, state);
    sink_put(out, rows);
    for (int32_t y = 0; y < rows; y++) {
        sink_put(out, columns);
        for (int32_t x = 0; x < columns; x++)
            sink_put(out, "GMW"[treasure_terrain(setup, state, x, y)]);
    }
}

static void put_explored(struct sink *out, const struct treasure_setup *setup,
                         const struct treasure_state *state, uint32_t seat)
{
    const uint8_t *explored = treasure_explored(setup, state, seat);
    int32_t        columns = treasure_columns(setup, state), rows = treasure_rows(setup, state);
    sink_put(out, rows);
    for (int32_t y = 0; y < rows; y++) {
        sink_put(out, columns);
        for (int32_t x = 0; x < columns; x++)
            sink_put(out, explored[y * columns + x] ? 'x' : '.');
    }
}

/* Own half to what was explored: nothing is known of it before the halves are joined. */
static void put_places(struct sink *out, const struct treasure_setup *setup,
                       const struct treasure_state *state, uint32_t seat)
{
    const struct treasure_seat *player = &state->seat[seat], *other = &state->seat[1 - seat];
    bool                        masked = treasure_is_masked(setup, state);
    bool                        seen = player->treasure_seen && !player->treasure;

    treasure_put_area(out, setup, state, seat);
    treasure_put_field(out, true, player->castle_x, player->castle_y);
    treasure_put_field(out, true, player->x, player->y);
    treasure_put_pending(out, &player->pending);
    if (masked)
        treasure_put_field(out, true, player->enemy_x, player->enemy_y);
    else
        treasure_put_field(out, true, other->x, other->y);
    sink_put(out, masked);
    sink_put(out, player->treasure);
    treasure_put_field(out, seen, player->treasure_x, player->treasure_y);
    treasure_put_field(out, player->castle_seen, other->castle_x, other->castle_y);
    put_explored(out, setup, state, seat);
}

static void put_no_places(struct sink *out)
{
    for (uint32_t i = 0; i < 5; i++)
        sink_put(out, 0); /* Own half, castle, figure, countdown, enemy. */
    sink_put(out, ABSENT);
    for (uint32_t i = 0; i < 4; i++)
        sink_put(out, 0); /* Treasure, its place, the enemy's castle, what was explored. */
}

static void put_result(struct sink *out, const struct treasure_state *state, uint32_t seat)
{
    uint32_t result = (uint32_t) state->result;
    bool     win = result == TREASURE_P1_WIN + seat;
    bool     loss = result != 0 && !win && result != TREASURE_ABORTED;
    sink_put(out, win);
    sink_put(out, loss);
    sink_put(out, result != 0 ? state->result : ABSENT);
    sink_put(out, result != 0 ? state->reason : ABSENT);
}

void treasure_put_player_view(struct sink *out, const struct treasure_setup *setup,
                              const struct treasure_state *state, uint32_t seat)
{
    sink_put(out, ABSENT);
    sink_put(out, seat);
    sink_put(out, state->n);
    sink_put(out, state->phase == TREASURE_MOVES ? state->n % 2 : ABSENT);
    sink_put(out, state->phase);
    if (state->merged) {
        sink_put(out, treasure_columns(setup, state));
        sink_put(out, treasure_rows(setup, state));
        treasure_put_terrain(out, setup, state);
        put_places(out, setup, state, seat);
    } else {
        sink_put(out, ABSENT);
        sink_put(out, ABSENT);
        sink_put(out, 0);
        put_no_places(out);
    }
    put_result(out, state, seat);
    sink_put(out, ABSENT);
}

void treasure_view(const void *setup, const void *state, uint32_t viewer, struct sink *out)
{
    bool player = viewer < TREASURE_SEATS;
    sink_put(out, player ? 1 : 2);
    if (player)
        treasure_put_player_view(out, setup, state, viewer);
    else
        treasure_put_spectator_view(out, setup, state);
}
