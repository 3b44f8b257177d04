/* treasure_action.c: actions: announcing a step, counting it down, and making it.
 *
 * An action is counted whatever becomes of it. Its checks stand in the order of section 5 of the rules:
 * position, step, countdown; the first that fails loses. */
#include "games/treasure/treasure_rules.h"

/* What a new countdown to a neighbouring field begins with. Outside costs like water: no terrain. */
static uint32_t first_of(const struct treasure_setup *setup, const struct treasure_state *state,
                         const struct treasure_seat *player, int32_t x, int32_t y)
{
    uint32_t from = treasure_terrain(setup, state, player->x, player->y);
    uint32_t cost = setup->enter_cost[treasure_terrain(setup, state, x, y)];
    cost += setup->leave_cost[from == TREASURE_MOUNTAIN];
    return setup->exact_cost ? cost - 1 : cost;
}

uint32_t treasure_expected(const struct treasure_setup *setup, const struct treasure_state *state,
                           uint32_t seat, int32_t x, int32_t y)
{
    const struct treasure_seat *player = &state->seat[seat];
    if (player->pending.running && player->pending.x == x && player->pending.y == y)
        return (uint32_t) player->pending.next;
    return first_of(setup, state, player, x, y);
}

void treasure_neighbour(const struct treasure_state *state, uint32_t seat, word direction,
                        int32_t *x, int32_t *y)
{
    *x = state->seat[seat].x;
    *y = state->seat[seat].y;
    switch (direction) {
    case TREASURE_UP: --*y; break;
    case TREASURE_DOWN: ++*y; break;
    case TREASURE_TO_LEFT: --*x; break;
    default: ++*x; break;
    }
}

static bool is_at(int32_t x, int32_t y, int32_t other_x, int32_t other_y)
{
    return x == other_x && y == other_y;
}

/* A field becomes known: what stands on it, and that there is nothing on it. */
static void reveal(struct treasure *at, uint32_t seat, int32_t x, int32_t y)
{
    struct treasure_seat       *player = &at->state->seat[seat];
    const struct treasure_seat *other = &at->state->seat[1 - seat];
    int32_t                     columns = treasure_columns(at->setup, at->state);

    if (treasure_terrain(at->setup, at->state, x, y) == TREASURE_OUTSIDE)
        return;
    treasure_explored(at->setup, at->state, seat)[y * columns + x] = 1;
    if (is_at(x, y, player->treasure_x, player->treasure_y) && !player->treasure_seen) {
        player->treasure_seen = 1;
        EMIT(at->out, TO_SEAT(seat), TREASURE_SIGHTED, x, y);
    }
    if (is_at(x, y, other->castle_x, other->castle_y) && !player->castle_seen) {
        player->castle_seen = 1;
        EMIT(at->out, TO_SEAT(seat), TREASURE_CASTLE_SIGHTED, x, y);
    }
}

static void look_around(struct treasure *at, uint32_t seat)
{
    const struct treasure_seat *player = &at->state->seat[seat];
    int32_t                     radius = (int32_t) at->setup->mountain_radius;
    for (int32_t y = player->y - radius; y <= player->y + radius; y++)
        for (int32_t x = player->x - radius; x <= player->x + radius; x++)
            reveal(at, seat, x, y);
}

/* Grass: the field is known, the own treasure taken, and with it the enemy's castle wins (R-W1). */
static void enter_grass(struct treasure *at, uint32_t seat)
{
    struct treasure_seat       *player = &at->state->seat[seat];
    const struct treasure_seat *other = &at->state->seat[1 - seat];

    reveal(at, seat, player->x, player->y);
    if (is_at(player->x, player->y, player->treasure_x, player->treasure_y) && !player->treasure) {
        player->treasure = 1;
        EMIT_BARE(at->out, TO_SEAT(seat), TREASURE_COLLECTED);
    }
    if (player->treasure && is_at(player->x, player->y, other->castle_x, other->castle_y))
        treasure_decide(at, seat == 0 ? TREASURE_P1_WIN : TREASURE_P2_WIN, TREASURE_CASTLE_TAKEN);
}

static int32_t direction_of(const struct treasure_seat *player, int32_t x, int32_t y)
{
    if (x != player->x)
        return x < player->x ? TREASURE_TO_LEFT : TREASURE_TO_RIGHT;
    return y < player->y ? TREASURE_UP : TREASURE_DOWN;
}

static void lose(struct treasure *at, uint32_t seat, uint32_t reason)
{
    at->state->last.violation = (int32_t) reason;
    treasure_decide(at, seat == 0 ? TREASURE_P2_WIN : TREASURE_P1_WIN, reason);
}

/* R-P4: the countdown was 0. */
static void move(struct treasure *at, uint32_t seat, int32_t x, int32_t y)
{
    struct treasure_seat *player = &at->state->seat[seat];
    uint32_t              terrain = treasure_terrain(at->setup, at->state, x, y);

    player->pending = (struct treasure_pending){ 0 };
    at->state->last.action = direction_of(player, x, y);
    if (terrain == TREASURE_OUTSIDE) {
        lose(at, seat, TREASURE_OFF_MAP);
        return;
    }
    player->x = x;
    player->y = y;
    switch (terrain) {
    case TREASURE_WATER: lose(at, seat, TREASURE_IN_WATER); break;
    case TREASURE_MOUNTAIN: look_around(at, seat); break;
    default: enter_grass(at, seat); break;
    }
}

static bool is_one_step(const struct treasure_seat *player, word x, word y)
{
    word across = x - player->x, down = y - player->y;
    return across == 0 ? down == 1 || down == -1 : down == 0 && (across == 1 || across == -1);
}

/* What an action does, counted already. */
static void carry_out(struct treasure *at, uint32_t seat, word from_x, word from_y, int32_t x,
                      int32_t y, int32_t turns)
{
    struct treasure_seat *player = &at->state->seat[seat];

    at->state->last.readable = 1;
    at->state->last.x = x;
    at->state->last.y = y;
    at->state->last.turns = turns;
    if (from_x != player->x || from_y != player->y)
        lose(at, seat, TREASURE_BAD_POSITION);
    else if (!is_one_step(player, x, y))
        lose(at, seat, TREASURE_ILLEGAL_STEP);
    else if (turns != (int32_t) treasure_expected(at->setup, at->state, seat, x, y))
        lose(at, seat, TREASURE_BAD_COUNTDOWN);
    else if (turns > 0)
        player->pending = (struct treasure_pending){ 1, x, y, turns - 1 };
    else
        move(at, seat, x, y);
}

static void count(struct treasure *at, uint32_t seat)
{
    at->state->n++;
    at->state->last = (struct treasure_last){ .id = at->state->n,
                                              .seat = (int32_t) seat,
                                              .action = TREASURE_STAY };
}

/* R-L1, R-L2: the last action is carried out and may still win. */
static void apply_limit(struct treasure *at, uint32_t seat)
{
    if (at->state->result != 0 || (uint32_t) at->state->n < at->setup->max_actions)
        return;
    uint32_t result = TREASURE_BOTH_LOSE;
    if (at->setup->mover_loses)
        result = seat == 0 ? TREASURE_P2_WIN : TREASURE_P1_WIN;
    treasure_decide(at, result, TREASURE_ACTION_LIMIT);
}

static void say_updated(const struct treasure *at, uint32_t seat)
{
    sink_open(at->out, TO_SEAT(seat), TREASURE_UPDATED);
    sink_put(at->out, at->state->n);
    sink_put(at->out, 1);
    treasure_put_player_view(at->out, at->setup, at->state, seat);
    sink_close(at->out);
}

/* What everybody learns of it, in the order of section 9. */
static void finish(struct treasure *at, uint32_t seat)
{
    apply_limit(at, seat);
    treasure_draw_masks(at);
    treasure_snap(at);
    say_updated(at, seat);
    EMIT(at->out, TO_ALL, TREASURE_ACTION_DONE, at->state->n, seat);
    treasure_say_enemy(at, 1 - seat);
    treasure_show_watchers(at);
    if (at->state->result != 0)
        treasure_say_end(at);
    else
        treasure_say_act_now(at->setup, at->state, 1 - seat, at->out);
}

void treasure_update(struct treasure *at, uint32_t seat, const struct command *command)
{
    const word *arg = command->arg;
    count(at, seat);
    carry_out(at, seat, arg[1], arg[2], (int32_t) arg[3], (int32_t) arg[4], (int32_t) arg[5]);
    finish(at, seat);
}

void treasure_step(struct treasure *at, uint32_t seat, word direction)
{
    const struct treasure_seat *player = &at->state->seat[seat];
    int32_t                     x, y;

    treasure_neighbour(at->state, seat, direction, &x, &y);
    uint32_t turns = treasure_expected(at->setup, at->state, seat, x, y);
    count(at, seat);
    carry_out(at, seat, player->x, player->y, x, y, (int32_t) turns);
    finish(at, seat);
}

void treasure_malformed(struct treasure *at, uint32_t seat)
{
    count(at, seat);
    lose(at, seat, TREASURE_BAD_MESSAGE);
    finish(at, seat);
}
