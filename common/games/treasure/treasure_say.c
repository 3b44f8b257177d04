/* treasure_say.c: the events of a match that are not part of an action. */
#include "games/treasure/treasure_rules.h"

void treasure_put_field(struct sink *out, bool known, int32_t x, int32_t y)
{
    sink_put(out, known);
    if (!known)
        return;
    sink_put(out, x);
    sink_put(out, y);
}

void treasure_put_area(struct sink *out, const struct treasure_setup *setup,
                       const struct treasure_state *state, uint32_t seat)
{
    int32_t x, y;
    treasure_origin(setup, state, seat, &x, &y);
    treasure_put_field(out, true, x, y);
    sink_put(out, setup->width);
    sink_put(out, setup->height);
}

/* R-V1: terrain and the own castle. The enemy's castle and both treasures look like grass. */
static void say_map(const struct treasure *at, uint32_t seat)
{
    const struct treasure_seat *player = &at->state->seat[seat];
    struct sink                *out = at->out;
    int32_t                     columns = treasure_columns(at->setup, at->state);
    int32_t                     rows = treasure_rows(at->setup, at->state);

    sink_open(out, TO_SEAT(seat), TREASURE_MAP_READY);
    sink_put(out, columns);
    sink_put(out, rows);
    sink_put(out, 2 * columns * rows);
    for (int32_t y = 0; y < rows; y++)
        for (int32_t x = 0; x < columns; x++) {
            bool castle = x == player->castle_x && y == player->castle_y;
            word code = '1' + (word) treasure_terrain(at->setup, at->state, x, y);
            sink_put(out, '0');
            sink_put(out, castle ? '0' : code);
        }
    sink_put(out, player->castle_x);
    sink_put(out, player->castle_y);
    treasure_put_area(out, at->setup, at->state, seat);
    sink_close(out);
}

void treasure_say_enemy(const struct treasure *at, uint32_t seat)
{
    const struct treasure_seat *player = &at->state->seat[seat];
    const struct treasure_seat *other = &at->state->seat[1 - seat];
    bool                        masked = treasure_is_masked(at->setup, at->state);
    EMIT(at->out, TO_SEAT(seat), TREASURE_ENEMY_POSITION, at->state->n,
         masked ? player->enemy_x : other->x, masked ? player->enemy_y : other->y, masked);
}

void treasure_say_act_now(const struct treasure_setup *setup, const struct treasure_state *state,
                          uint32_t seat, struct sink *out)
{
    bool half = state->phase == TREASURE_HALVES;
    EMIT(out, TO_SEAT(seat), TREASURE_ACT_NOW, half ? 1 : 2, half ? 0 : state->n + 1,
         setup->think_ms);
}

void treasure_say_maps(const struct treasure *at)
{
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++)
        say_map(at, seat);
    EMIT(at->out, TO_ALL, TREASURE_GAME_STARTED, 0);
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++)
        treasure_say_enemy(at, seat);
    treasure_say_act_now(at->setup, at->state, 0, at->out);
}

/* Referee alphabet: what is on a field, and whose. */
static void put_referee_field(const struct treasure *at, int32_t x, int32_t y)
{
    static const word letters[] = { 'G', 'M', 'W' };
    word              owner = '0', letter = letters[treasure_terrain(at->setup, at->state, x, y)];
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++) {
        const struct treasure_seat *player = &at->state->seat[seat];
        bool                        castle = x == player->castle_x && y == player->castle_y;
        bool                        treasure = x == player->treasure_x && y == player->treasure_y;
        if (!castle && (!treasure || player->treasure))
            continue;
        owner = '1' + (word) seat;
        letter = castle ? 'C' : 'T';
    }
    sink_put(at->out, owner);
    sink_put(at->out, letter);
}

static void say_reveal(const struct treasure *at)
{
    const struct treasure_state *state = at->state;
    int32_t                      columns = treasure_columns(at->setup, state);
    int32_t                      rows = treasure_rows(at->setup, state);

    sink_open(at->out, TO_ALL, TREASURE_REVEAL);
    sink_put(at->out, state->merged ? 2 * columns * rows : ABSENT);
    for (int32_t y = 0; state->merged && y < rows; y++)
        for (int32_t x = 0; x < columns; x++)
            put_referee_field(at, x, y);
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++)
        treasure_put_field(at->out, state->merged, state->seat[seat].x, state->seat[seat].y);
    sink_close(at->out);
}

/* From here on the match is over; what follows from that is still to be said. */
void treasure_decide(struct treasure *at, uint32_t result, uint32_t reason)
{
    assert(at->state->result == 0);
    at->state->phase = TREASURE_END;
    at->state->result = (int32_t) result;
    at->state->reason = (int32_t) reason;
}

void treasure_say_end(struct treasure *at)
{
    const struct treasure_state *state = at->state;
    EMIT(at->out, TO_ALL, TREASURE_GAME_END, state->result, state->reason, state->n, ABSENT, ABSENT,
         ABSENT);
    say_reveal(at);
}

/* An end that is no action's. */
void treasure_end(struct treasure *at, uint32_t result, uint32_t reason)
{
    treasure_decide(at, result, reason);
    treasure_show_watchers(at);
    treasure_say_end(at);
}

void treasure_lose(struct treasure *at, uint32_t seat, uint32_t reason)
{
    treasure_end(at, seat == 0 ? TREASURE_P2_WIN : TREASURE_P1_WIN, reason);
}
