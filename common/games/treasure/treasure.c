/* treasure.c: the table of the treasure hunt's functions, and the doors through which it is entered. */
#include "games/treasure/treasure.h"

#include "games/treasure/treasure_rules.h"

/* Set-up. */

static void seats(const void *setup, uint32_t *least, uint32_t *most)
{
    (void) setup;
    *least = *most = TREASURE_SEATS;
}

/* The largest act of all is an action's `updated`, or the maps; with watchers who are behind, the end
 * shows them all that is left. */
static void bounds(const void *of, uint32_t seat_count, struct bounds *bounds)
{
    const struct treasure_setup *setup = of;
    uint32_t                     half = treasure_half_size(setup), map = 2 * half;
    uint32_t                     rows = 2 * setup->height, shown = treasure_snapshots(setup);
    (void) seat_count;
    *bounds = (struct bounds){
        .state_bytes = ((uint32_t) sizeof(struct treasure_state) + 6 * half + 3) / 4 * 4 +
                       shown * (uint32_t) sizeof(struct treasure_snapshot),
        .legal_patterns = 1, /* A step. */
        .legal_values = 1 + 4,
        .event_words = 6 * map + 4 * rows + 200 + (shown > 0 ? (shown + 1) * (map + rows + 90) : 0),
        .view_words = 2 * map + 2 * rows + 90,
        .commands = setup->max_actions + 3, /* Two halves before, and who leaves instead. */
        .box_bytes = { 64, 2 * map + 7 * rows + 400, 0, 0 },
        .text_bytes = 2 * half,
        .answer_ms = setup->think_ms ? setup->think_ms + TREASURE_GRACE_MS : NO_TIME_LIMIT,
        .registration_ms = setup->registration_ms ? setup->registration_ms : NO_TIME_LIMIT,
    };
}

/* The joined map may lie either way. A player's view has the terrain and what was explored, a spectator's the terrain
 * and both seats. */
static void extents(const void *of, uint32_t seat_count, struct extents *extents)
{
    const struct treasure_setup *setup = of;
    uint32_t                     rows = 2 * setup->height, columns = 2 * setup->width;
    *extents =
        (struct extents){ .commands = 4, /* Directions; a half is one, which is proposed. */
                          .list = { rows, columns, rows, columns, rows, columns, seat_count } };
}

/* The match. */

static void start(struct play *play, uint32_t seat_count)
{
    struct treasure at = treasure_of(play);
    at.state->phase = TREASURE_HALVES;
    for (uint32_t seat = 0; seat < seat_count; seat++)
        EMIT(at.out, TO_ALL, TREASURE_PLAYER, seat, ABSENT, ABSENT);
    for (uint32_t seat = 0; seat < seat_count; seat++)
        treasure_say_act_now(at.setup, at.state, seat, at.out);
}

static bool is_late(const struct treasure *at, const struct command *command)
{
    return at->setup->think_ms > 0 && command->arg[0] > (word) at->setup->think_ms;
}

static void reject_half(struct treasure *at, uint32_t seat, const struct treasure_faults *faults)
{
    sink_open(at->out, TO_SEAT(seat), TREASURE_HALF_REJECTED);
    sink_put(at->out, faults->count);
    for (uint32_t i = 0; i < faults->count; i++)
        sink_put(at->out, faults->code[i]);
    sink_close(at->out);
    treasure_lose(at, seat, TREASURE_BAD_MAP);
}

static void accept_half(struct treasure *at, uint32_t seat, const struct treasure_half *half)
{
    struct treasure_state *state = at->state;
    memcpy(treasure_field(at->setup, state, seat), half->field, treasure_half_size(at->setup));
    state->seat[seat].has_half = 1;
    state->seat[seat].given = half->castle;
    EMIT_BARE(at->out, TO_SEAT(seat), TREASURE_HALF_ACCEPTED);
    if (!state->seat[1 - seat].has_half)
        return;
    treasure_merge(at);
    treasure_snap(at);
    treasure_say_maps(at);
    treasure_show_watchers(at);
}

/* R-H13: the same half again is answered like the first, another one loses. */
static verdict repeat_half(struct treasure *at, uint32_t seat, const struct treasure_half *half,
                           const struct treasure_faults *faults)
{
    const uint8_t *field = treasure_field(at->setup, at->state, seat);
    if (faults->count == 0 && half->castle == at->state->seat[seat].given &&
        memcmp(field, half->field, treasure_half_size(at->setup)) == 0)
        return TREASURE_NO_HALF_TWICE;
    reject_half(at, seat, faults);
    return ACCEPTED;
}

static verdict submit(struct treasure *at, uint32_t seat, const struct command *command)
{
    struct treasure_half   half;
    struct treasure_faults faults;

    if (!treasure_take_half(at->setup, command, &half, &faults))
        return TREASURE_NO_INCOMPLETE;
    if (at->state->seat[seat].has_half)
        return repeat_half(at, seat, &half, &faults);
    if (is_late(at, command))
        return TREASURE_NO_LATE_HALF;
    if (faults.count > 0)
        reject_half(at, seat, &faults);
    else
        accept_half(at, seat, &half);
    return ACCEPTED;
}

/* What the message's types allow; the rest cannot come over the bus. */
static bool is_readable(const struct command *command)
{
    if (command->kind == TREASURE_MALFORMED && command->arg[1] != ABSENT)
        return command->arg[1] == 0 || command->arg[1] == 1;
    for (uint32_t i = 1; command->kind == TREASURE_UPDATE && i < COMMAND_ARGS_MAX; i++)
        if (command->arg[i] < INT32_MIN || command->arg[i] > INT32_MAX)
            return false;
    return true;
}

static verdict act_in_turn(struct treasure *at, uint32_t seat, const struct command *command)
{
    if (is_late(at, command))
        treasure_lose(at, seat, TREASURE_THINK_TIME);
    else if (command->kind == TREASURE_UPDATE)
        treasure_update(at, seat, command);
    else if (command->kind == TREASURE_STEP)
        treasure_step(at, seat, command->arg[1]);
    else if (command->arg[1] == 1) /* A half, which is no action. */
        treasure_lose(at, seat, TREASURE_BAD_MESSAGE);
    else
        treasure_malformed(at, seat);
    return ACCEPTED;
}

/* A player who has not even handed in a half has sent a wrong message. Otherwise it is the other's
 * turn. */
static verdict act_out_of_turn(struct treasure *at, uint32_t seat, const struct command *command)
{
    if (command->kind == TREASURE_MALFORMED || !at->state->seat[seat].has_half)
        treasure_lose(at, seat, TREASURE_BAD_MESSAGE);
    else if (at->setup->reject_out_of_turn)
        return TREASURE_NO_TURN;
    else
        treasure_lose(at, seat, TREASURE_NOT_YOUR_TURN);
    return ACCEPTED;
}

static verdict act(struct treasure *at, uint32_t seat, const struct command *command)
{
    if (!is_readable(command))
        return TREASURE_NO_INCOMPLETE;
    if (command->kind == TREASURE_STEP &&
        (command->arg[1] < TREASURE_UP || command->arg[1] > TREASURE_TO_RIGHT))
        return TREASURE_NO_DIRECTION;
    if (at->state->phase == TREASURE_MOVES && (uint32_t) at->state->n % 2 == seat)
        return act_in_turn(at, seat, command);
    return act_out_of_turn(at, seat, command);
}

static bool go(struct treasure *at, uint32_t seat)
{
    if (seat >= TREASURE_SEATS || at->state->phase == TREASURE_END)
        return false;
    EMIT(at->out, TO_ALL, TREASURE_LEFT, seat);
    treasure_lose(at, seat, TREASURE_HAS_LEFT);
    return true;
}

/* A think time is measured by the house, so nonsense in its place is none of a player's. */
static verdict apply(struct play *play, uint32_t seat, const struct command *command)
{
    struct treasure at = treasure_of(play);
    if (at.state->phase == TREASURE_END)
        return TREASURE_NO_OVER;
    if (seat >= TREASURE_SEATS)
        return TREASURE_NO_SEAT;
    if (command->arg[0] != ABSENT && (command->arg[0] < 0 || command->arg[0] > UINT32_MAX))
        return TREASURE_NO_INCOMPLETE;
    switch (command->kind) {
    case TREASURE_SUBMIT_HALF:
    case TREASURE_SUBMIT_ROWS: return submit(&at, seat, command);
    case TREASURE_UPDATE:
    case TREASURE_STEP:
    case TREASURE_MALFORMED: return act(&at, seat, command);
    case TREASURE_LEAVE:
        if (command->arg[0] != ABSENT)
            return TREASURE_NO_INCOMPLETE;
        (void) go(&at, seat);
        return ACCEPTED;
    default: return TREASURE_NO_KIND;
    }
}

static seat_mask to_act(const void *setup, const void *of)
{
    const struct treasure_state *state = of;
    (void) setup;
    if (state->phase == TREASURE_MOVES)
        return 1u << (state->n % 2);
    if (state->phase != TREASURE_HALVES)
        return 0;
    return (state->seat[0].has_half ? 0u : 1u) | (state->seat[1].has_half ? 0u : 2u);
}

static bool expire(struct play *play, seat_mask late)
{
    struct treasure at = treasure_of(play);
    seat_mask       losers = late & to_act(play->setup, play->state);
    if (losers == 0)
        return false;
    if (losers == 3)
        treasure_end(&at, TREASURE_BOTH_LOSE, TREASURE_THINK_TIME);
    else
        treasure_lose(&at, losers >> 1, TREASURE_THINK_TIME);
    return true;
}

static bool leave(struct play *play, uint32_t seat)
{
    struct treasure at = treasure_of(play);
    return go(&at, seat);
}

static bool annul(struct play *play)
{
    struct treasure at = treasure_of(play);
    if (at.state->phase == TREASURE_END)
        return false;
    treasure_end(&at, TREASURE_ABORTED, TREASURE_SHUTDOWN);
    return true;
}

/* One player's half does not restart the other's clock. */
static uint64_t question(const void *setup, const void *of, uint32_t seat)
{
    const struct treasure_state *state = of;
    (void) setup, (void) seat;
    return state->phase == TREASURE_HALVES ? 0 : (uint64_t) state->n + 1;
}

/* Looking. */

static void list_steps(const struct treasure_setup *setup, const struct treasure_state *state,
                       uint32_t seat, struct legal *list)
{
    int32_t  x, y;
    uint32_t first = list->values;
    for (word direction = TREASURE_UP; direction <= TREASURE_TO_RIGHT; direction++) {
        treasure_neighbour(state, seat, direction, &x, &y);
        if (treasure_terrain(setup, state, x, y) < TREASURE_WATER)
            legal_value(list, direction);
    }
    struct pattern_arg directions = legal_since(list, first);
    if (directions.count == 0)
        return;
    struct pattern *pattern = legal_pattern(list, TREASURE_STEP, 2);
    pattern->arg[0] = legal_one(list, ABSENT);
    pattern->arg[1] = directions;
}

/* Leaving loses like any other mistake, at any time, and is not listed. A half cannot be listed
 * either, so leaving would be all there is to choose. */
static void legal(const void *setup, const void *of, uint32_t seat, struct legal *list)
{
    const struct treasure_state *state = of;
    legal_clear(list);
    if (state->phase == TREASURE_MOVES && (uint32_t) state->n % 2 == seat)
        list_steps(setup, state, seat, list);
}

static void asks(const void *setup, const void *state, uint32_t seat, struct sink *out)
{
    if (seat < TREASURE_SEATS && (to_act(setup, state) >> seat & 1) != 0)
        treasure_say_act_now(setup, state, seat, out);
}

static void outcome(const void *setup, const void *of, int32_t *per_seat)
{
    const struct treasure_state *state = of;
    (void) setup;
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++) {
        bool won = (uint32_t) state->result == TREASURE_P1_WIN + seat;
        per_seat[seat] = state->result == TREASURE_ABORTED ? 0 : won ? 1 : -1;
    }
}

/* The tables, in the order of the enums. */

#define OF_A_TURN (COMMAND_FORFEITS | COMMAND_ANYTIME | COMMAND_TIMED)
#define OF_A_HALF (COMMAND_OPEN | COMMAND_FORFEITS | COMMAND_ANYTIME | COMMAND_TIMED)

static const struct command_kind commands[TREASURE_COMMANDS] = {
    [TREASURE_REGISTER] = { "register", COMMAND_LISTED },
    [TREASURE_SUBMIT_HALF] = { "submit_half", OF_A_HALF },
    [TREASURE_SUBMIT_ROWS] = { "submit_rows", OF_A_HALF | COMMAND_ALIAS },
    [TREASURE_UPDATE] = { "update", OF_A_TURN | COMMAND_ALIAS },
    [TREASURE_STEP] = { "step", OF_A_TURN },
    [TREASURE_MALFORMED] = { "malformed", OF_A_TURN },
    [TREASURE_LEAVE] = { "leave", COMMAND_FORFEITS | COMMAND_ANYTIME },
};

static const struct event_kind events[TREASURE_EVENTS] = {
    [TREASURE_HALF_ACCEPTED] = { "half_accepted", 0 },
    [TREASURE_HALF_REJECTED] = { "half_rejected", 0 },
    [TREASURE_MAP_READY] = { "map_ready", 0 },
    [TREASURE_ACT_NOW] = { "act_now", 0 },
    [TREASURE_UPDATED] = { "updated", 0 },
    [TREASURE_ENEMY_POSITION] = { "enemy_position", 0 },
    [TREASURE_SIGHTED] = { "treasure_sighted", 0 },
    [TREASURE_COLLECTED] = { "treasure_collected", 0 },
    [TREASURE_CASTLE_SIGHTED] = { "enemy_castle_sighted", 0 },
    [TREASURE_PLAYER] = { "player", 0 },
    [TREASURE_GAME_STARTED] = { "game_started", 1 },
    [TREASURE_ACTION_DONE] = { "action_done", 1 },
    [TREASURE_LEFT] = { "left", 0 },
    [TREASURE_GAME_END] = { "game_end", 0 },
    [TREASURE_REVEAL] = { "reveal", 0 },
    [TREASURE_REGISTRATION_ABORTED] = { "registration_aborted", 0 },
    [TREASURE_WATCHED] = { "watched", 0 },
};

static const struct reason reasons[TREASURE_NO_REASONS] = {
    [TREASURE_NO_OVER] = { "IS_OVER", "The game is over." },
    [TREASURE_NO_SEAT] = { "NOT_IN_GAME", "You do not play in this game." },
    [TREASURE_NO_KIND] = { "NOT_NOW", "That cannot be asked for now." },
    [TREASURE_NO_INCOMPLETE] = { "INCOMPLETE", "A field is missing or out of range." },
    [TREASURE_NO_DIRECTION] = { "BAD_DIRECTION", "Go up, down, left or right." },
    [TREASURE_NO_TURN] = { "NOT_YOUR_TURN", "It is not your turn." },
    [TREASURE_NO_HALF_TWICE] = { "HALF_ACCEPTED", "Your half was accepted already." },
    [TREASURE_NO_LATE_HALF] = { "LATE", "Your half came too late." },
    [TREASURE_NO_REGISTERED] = { "NOT_REGISTERED", "Register first." },
    [TREASURE_NO_REGISTERED_TWICE] = { "REGISTERED_ALREADY", "You are registered already." },
    [TREASURE_NO_PERSON] = { "BAD_PERSON",
                             "Give first name and surname of 1 to 30 characters and a "
                             "matriculation number, a line each." },
    [TREASURE_NO_ROOM] = { "FULL", "There is no place left at this table." },
};

const struct game game_treasure = {
    .name = "treasure",
    .version = 1,
    .title = "Treasure Hunt",
    .seats_min = TREASURE_SEATS,
    .seats_max = TREASURE_SEATS,
    .open_dice = "java",
    .commands = commands,
    .events = events,
    .reasons = reasons,
    .command_kinds = TREASURE_COMMANDS,
    .event_kinds = TREASURE_EVENTS,
    .reason_kinds = TREASURE_NO_REASONS,
    .configure = treasure_configure,
    .seats = seats,
    .bounds = bounds,
    .start = start,
    .apply = apply,
    .expire = expire,
    .leave = leave,
    .annul = annul,
    .to_act = to_act,
    .question = question,
    .legal = legal,
    .propose = treasure_propose,
    .asks = asks,
    .view = treasure_view,
    .outcome = outcome,
    .check = treasure_check,
    .hidden = treasure_hidden,
    .judge = treasure_judge_step,
    .foresight = &treasure_foresight,
    .extents = extents,
    .layout = 1,
    .registration = &treasure_registration,
    .record = &treasure_record,
};
