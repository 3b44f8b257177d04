/* four.c: the rules of four in a row, from reading a set-up to saying who won. */
#include "games/four/four.h"

#include <string.h>

/* The set-up. Each value_ function reports what is wrong at its place and returns something safe. */

static size_t configure(const struct value *config, const struct value *options, void *setup,
                        size_t capacity, struct faults *faults)
{
    struct four_setup read;

    value_as_object(config, faults); /* A person may have written anything. */
    value_as_object(options, faults);
    read.columns = (uint32_t) value_int_or(config, "columns", FOUR_SIDE_LEAST, FOUR_SIDE_MAX,
                                           FOUR_COLUMNS, faults);
    read.rows =
        (uint32_t) value_int_or(config, "rows", FOUR_SIDE_LEAST, FOUR_SIDE_MAX, FOUR_ROWS, faults);
    uint32_t longest = read.columns > read.rows ? read.columns : read.rows;
    uint32_t usual = longest < FOUR_LINE ? longest : FOUR_LINE;
    read.line = (uint32_t) value_int_or(config, "line", FOUR_SIDE_LEAST, longest, usual, faults);
    value_only(config, (const char *const[]){ "columns", "rows", "line", NULL }, faults);
    value_only(options, (const char *const[]){ NULL }, faults);
    if (faults->count > 0)
        return 0;
    if (setup != NULL && capacity >= sizeof read)
        memcpy(setup, &read, sizeof read);
    return sizeof read;
}

static void seats(const void *unused, uint32_t *least, uint32_t *most)
{
    (void) unused;
    *least = FOUR_SEATS;
    *most = FOUR_SEATS;
}

static void bounds(const void *of, uint32_t unused, struct bounds *bounds)
{
    (void) unused;
    const struct four_setup *setup = of;
    uint32_t                 cells = setup->columns * setup->rows;

    *bounds = (struct bounds){
        .state_bytes = sizeof(struct four_state),
        .legal_patterns = 1,
        .legal_values = setup->columns,
        .event_words = 4 + 3, /* Dropped and Over; Started and Turn, Out and Over are less. */
        .view_words = 2 + 1 + cells + 1 + 2,
        .commands = cells + 1, /* Each cell is filled once, or a seat leaves. */
    };
}

/* The cells, and who has won. */
static void extents(const void *of, uint32_t unused, struct extents *extents)
{
    (void) unused;
    const struct four_setup *setup = of;

    *extents =
        (struct extents){ .commands = setup->columns, .list = { setup->columns * setup->rows, 1 } };
}

/* The match. */

static uint32_t cell_at(const struct four_setup *setup, const struct four_state *state,
                        uint32_t column, uint32_t row)
{
    return state->cell[row * setup->columns + column];
}

/* How many discs of this seat lie behind one another from here, without here, in this direction. */
static uint32_t reach(const struct four_setup *setup, const struct four_state *state,
                      uint32_t column, uint32_t row, uint32_t seat, int right, int up)
{
    uint32_t found = 0;
    int64_t  x = (int64_t) column + right, y = (int64_t) row + up;

    while (x >= 0 && x < setup->columns && y >= 0 && y < setup->rows &&
           cell_at(setup, state, (uint32_t) x, (uint32_t) y) == seat + 1) {
        found++;
        x += right;
        y += up;
    }
    return found;
}

/* Whether a disc of this seat here is, or would be, one of a line that wins. */
static bool makes_line(const struct four_setup *setup, const struct four_state *state,
                       uint32_t column, uint32_t row, uint32_t seat)
{
    static const int ways[][2] = { { 1, 0 }, { 0, 1 }, { 1, 1 }, { 1, -1 } };

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        int right = ways[i][0], up = ways[i][1];
        if (reach(setup, state, column, row, seat, right, up) + 1 +
                reach(setup, state, column, row, seat, -right, -up) >=
            setup->line)
            return true;
    }
    return false;
}

static void start(struct play *play, uint32_t unused)
{
    (void) unused;
    const struct four_setup *setup = play->setup;

    EMIT(play->out, TO_ALL, FOUR_STARTED, setup->columns, setup->rows, setup->line);
    EMIT(play->out, TO_ALL, FOUR_TURN, 0);
}

/* The list of who has won, as words: one seat, or nobody. */
static void put_winners(struct sink *out, uint32_t winner)
{
    bool is_won = winner != FOUR_NOBODY_YET && winner != FOUR_DRAWN;

    sink_put(out, is_won);
    if (is_won)
        sink_put(out, (word) winner - 1);
}

static void end(struct play *play, uint32_t winner)
{
    struct four_state *state = play->state;

    state->winner = winner;
    state->turn = 0;
    sink_open(play->out, TO_ALL, FOUR_OVER);
    put_winners(play->out, winner);
    sink_close(play->out);
}

/* Every refusal comes before the first change: a refused command must leave no trace. An argument
 * the sender left out is ABSENT, the least of all numbers, so the range refuses it too. */
static verdict apply(struct play *play, uint32_t seat, const struct command *command)
{
    const struct four_setup *setup = play->setup;
    struct four_state       *state = play->state;
    word                     column = command->arg[0];

    if (command->kind != FOUR_DROP)
        return FOUR_NOT_A_MOVE;
    if (state->winner != FOUR_NOBODY_YET || seat != state->turn)
        return FOUR_NOT_YOUR_TURN;
    if (column < 0 || column >= setup->columns)
        return FOUR_NO_SUCH_COLUMN;
    if (state->height[column] == setup->rows)
        return FOUR_COLUMN_FULL;

    uint32_t row = state->height[column]++;
    state->cell[row * setup->columns + (uint32_t) column] = seat + 1;
    state->dropped++;
    EMIT(play->out, TO_ALL, FOUR_DROPPED, seat, column, row);
    if (makes_line(setup, state, (uint32_t) column, row, seat)) {
        end(play, seat + 1);
    } else if (state->dropped == setup->columns * setup->rows) {
        end(play, FOUR_DRAWN);
    } else {
        state->turn = 1 - seat;
        EMIT(play->out, TO_ALL, FOUR_TURN, state->turn);
    }
    return ACCEPTED;
}

static bool leave(struct play *play, uint32_t seat)
{
    struct four_state *state = play->state;

    if (state->winner != FOUR_NOBODY_YET || seat >= FOUR_SEATS)
        return false;
    EMIT(play->out, TO_ALL, FOUR_OUT, seat);
    end(play, (1 - seat) + 1);
    return true;
}

/* Only the seat on turn is awaited. */
static bool expire(struct play *play, seat_mask late)
{
    const struct four_state *state = play->state;
    return (late >> state->turn & 1) != 0 && leave(play, state->turn);
}

/* Looking. */

static seat_mask to_act(const void *unused, const void *of)
{
    (void) unused;
    const struct four_state *state = of;
    return state->winner != FOUR_NOBODY_YET ? 0 : 1u << state->turn;
}

static void legal(const void *of_setup, const void *of, uint32_t seat, struct legal *list)
{
    const struct four_setup *setup = of_setup;
    const struct four_state *state = of;

    legal_clear(list);
    if (state->winner != FOUR_NOBODY_YET || seat != state->turn)
        return;
    for (uint32_t column = 0; column < setup->columns; column++)
        if (state->height[column] < setup->rows)
            legal_value(list, column);
    legal_pattern(list, FOUR_DROP, 1)->arg[0] = legal_since(list, 0);
}

static void asks(const void *unused, const void *of, uint32_t seat, struct sink *out)
{
    (void) unused;
    const struct four_state *state = of;
    if (state->winner == FOUR_NOBODY_YET && seat == state->turn)
        EMIT(out, TO_ALL, FOUR_TURN, seat);
}

static void view(const void *of_setup, const void *of, uint32_t viewer, struct sink *out)
{
    (void) viewer; /* All see the same. */
    const struct four_setup *setup = of_setup;
    const struct four_state *state = of;

    sink_put(out, setup->columns);
    sink_put(out, setup->line);
    sink_put(out, setup->columns * setup->rows);
    for (uint32_t row = setup->rows; row-- > 0;)
        for (uint32_t column = 0; column < setup->columns; column++)
            sink_put(out, (word) cell_at(setup, state, column, row) - 1);
    sink_put(out, state->winner != FOUR_NOBODY_YET ? ABSENT : (word) state->turn);
    put_winners(out, state->winner);
}

static void outcome(const void *unused, const void *of, int32_t *per_seat)
{
    (void) unused;
    const struct four_state *state = of;
    for (uint32_t seat = 0; seat < FOUR_SEATS; seat++)
        per_seat[seat] = state->winner == FOUR_DRAWN ? 0 : state->winner == seat + 1 ? 1 : -1;
}

static const char *check(const void *of_setup, const void *of)
{
    const struct four_setup *setup = of_setup;
    const struct four_state *state = of;
    uint32_t                 discs = 0;

    for (uint32_t column = 0; column < setup->columns; column++) {
        if (state->height[column] > setup->rows)
            return "no column holds more than its rows";
        for (uint32_t row = 0; row < setup->rows; row++)
            if ((cell_at(setup, state, column, row) != 0) != (row < state->height[column]))
                return "discs lie on one another, without a gap";
        discs += state->height[column];
    }
    if (discs != state->dropped)
        return "as many discs lie there as were dropped";
    if (state->winner > FOUR_DRAWN || state->turn >= FOUR_SEATS)
        return "two play, and one wins or nobody";
    return NULL;
}

static void hidden(const void *setup, const void *state, uint32_t viewer, uint8_t *mask)
{
    (void) setup, (void) state, (void) viewer, (void) mask; /* Nothing is secret. */
}

/* Win; else keep the other from winning; else do not help the other, and stay near the middle. */
static int64_t judge(const void *of_setup, const void *of_state, uint32_t seat,
                     const struct command *command)
{
    const struct four_setup *setup = of_setup;
    const struct four_state *state = of_state;
    uint32_t                 column = (uint32_t) command->arg[0], row = state->height[column];
    uint32_t                 other = 1 - seat;

    if (makes_line(setup, state, column, row, seat))
        return 4 * FOUR_SIDE_MAX;
    if (makes_line(setup, state, column, row, other))
        return 3 * FOUR_SIDE_MAX;
    uint32_t from_left = 2 * column + 1, width = setup->columns;
    int64_t  off_middle = from_left > width ? from_left - width : width - from_left;
    if (row + 1 < setup->rows && makes_line(setup, state, column, row + 1, other))
        return -2 * FOUR_SIDE_MAX - off_middle;
    return -off_middle;
}

/* The tables, in the order of the enums. */

static const struct command_kind commands[] = {
    [FOUR_DROP] = { "drop", COMMAND_LISTED },
};

static const struct event_kind events[] = {
    [FOUR_STARTED] = { "started", 0 }, [FOUR_TURN] = { "turn", 0 },
    [FOUR_DROPPED] = { "dropped", 0 }, [FOUR_OUT] = { "out", 0 },
    [FOUR_OVER] = { "over", 0 },
};

static const struct reason reasons[] = {
    [FOUR_NOT_YOUR_TURN] = { "NOT_YOUR_TURN", "It is not your turn." },
    [FOUR_NOT_A_MOVE] = { "NOT_A_MOVE", "The only move is to drop a disc." },
    [FOUR_NO_SUCH_COLUMN] = { "NO_SUCH_COLUMN", "The grid has no such column." },
    [FOUR_COLUMN_FULL] = { "COLUMN_FULL", "This column is full; name another one." },
};

const struct game game_four = {
    .name = "four",
    .version = 1,
    .title = "Four in a row",
    .seats_min = FOUR_SEATS,
    .seats_max = FOUR_SEATS,
    .open_dice = "java",
    .commands = commands,
    .events = events,
    .reasons = reasons,
    .command_kinds = FOUR_COMMANDS,
    .event_kinds = FOUR_EVENTS,
    .reason_kinds = FOUR_REASONS,
    .configure = configure,
    .seats = seats,
    .bounds = bounds,
    .start = start,
    .apply = apply,
    .expire = expire,
    .leave = leave,
    .to_act = to_act,
    .legal = legal,
    .asks = asks,
    .view = view,
    .outcome = outcome,
    .check = check,
    .hidden = hidden,
    .judge = judge,
    .foresight = &four_foresight,
    .extents = extents,
};
