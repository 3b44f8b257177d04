/* nim.c: the rules of nim, from reading a set-up to saying who won. */
#include "games/nim/nim.h"

#include <string.h>

#include "dice/draw.h"

static bool is_in(uint32_t mask, uint32_t seat)
{
    return seat < SEATS_MAX && (mask >> seat & 1) != 0;
}

/* The set-up. Each value_ function reports what is wrong at its place and returns something safe. */

#define HEAPS "a list of 1 to 8 numbers, or \"random\""

static void read_heaps(struct nim_setup *read, const struct value *config, struct faults *faults)
{
    const struct value *heaps = value_need(config, "heaps", HEAPS, faults);

    if (heaps == NULL || value_is(heaps, "random"))
        return; /* No heaps: `start` asks the dice. */
    if (heaps->kind != VALUE_LIST) {
        value_fault_kind(faults, heaps, HEAPS);
        return;
    }
    if (heaps->count == 0 || heaps->count > NIM_HEAPS_MAX) {
        fault_numbers(faults, heaps, NULL, "has ", heaps->count,
                      " numbers, must be a list of 1 to ", NIM_HEAPS_MAX,
                      " numbers, or \"random\"");
        return;
    }
    for (const struct value *heap = heaps->first; heap != NULL; heap = heap->next)
        read->heap[read->heaps++] = (uint32_t) value_as_int(heap, 1, NIM_HEAP_MAX, faults);
}

static size_t configure(const struct value *config, const struct value *options, void *setup,
                        size_t capacity, struct faults *faults)
{
    struct nim_setup read = { 0 };

    value_as_object(config, faults); /* A person may have written anything. */
    value_as_object(options, faults);
    read_heaps(&read, config, faults);
    read.misere = value_bool_or(config, "misere", false, faults);
    value_only(config, (const char *const[]){ "heaps", "misere", NULL }, faults);
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
    *least = game_nim.seats_min;
    *most = game_nim.seats_max;
}

static void bounds(const void *of, uint32_t seat_count, struct bounds *bounds)
{
    const struct nim_setup *setup = of;
    uint32_t                heaps = setup->heaps > 0 ? setup->heaps : NIM_HEAPS_MAX;
    uint32_t                largest = 0, counters = 0;

    for (uint32_t i = 0; i < heaps; i++) {
        uint32_t heap = setup->heaps > 0 ? setup->heap[i] : NIM_RANDOM_HEAP_MAX;
        largest = heap > largest ? heap : largest;
        counters += heap;
    }
    *bounds = (struct bounds){
        .state_bytes = sizeof(struct nim_state),
        .legal_patterns = heaps,         /* Each heap is one pattern: its number, and 1 to  */
        .legal_values = largest + heaps, /* its size, a run of numbers they all share.      */
        .event_words = 3 + heaps + 2,    /* Started and Turn. Out and Over are less than    */
                                         /* Taken and Over: 5 + 2 + seats, at most 11.      */
        .view_words = 4 + heaps + 2 * seat_count,
        .commands = counters + seat_count, /* Each takes one at least, or puts a seat out. */
    };
    if (bounds->event_words < 7 + seat_count)
        bounds->event_words = 7 + seat_count;
}

/* Heaps, who is in, and who has won. */
static void extents(const void *of, uint32_t seat_count, struct extents *extents)
{
    const struct nim_setup *setup = of;
    uint32_t                heaps = setup->heaps > 0 ? setup->heaps : NIM_HEAPS_MAX;

    for (uint32_t i = 0; i < heaps; i++)
        extents->commands += setup->heaps > 0 ? setup->heap[i] : NIM_RANDOM_HEAP_MAX;
    extents->list[0] = heaps;
    extents->list[1] = extents->list[2] = seat_count;
}

/* The match. */

static void put_mask(struct sink *out, uint32_t mask)
{
    uint32_t header = out->used;
    word     count = 0;

    sink_put(out, 0); /* The count, known when the list is written. */
    for (uint32_t seat = 0; seat < SEATS_MAX; seat++)
        if (is_in(mask, seat)) {
            sink_put(out, seat);
            count++;
        }
    if (out->words != NULL)
        out->words[header] = count;
}

static void put_heaps(struct sink *out, const struct nim_setup *setup,
                      const struct nim_state *state)
{
    sink_put(out, setup->misere);
    sink_put(out, state->heaps);
    for (uint32_t i = 0; i < state->heaps; i++)
        sink_put(out, state->heap[i]);
}

static void start(struct play *play, uint32_t seat_count)
{
    const struct nim_setup *setup = play->setup;
    struct nim_state       *state = play->state;

    state->seats = seat_count;
    state->in = (1u << seat_count) - 1;
    state->heaps = setup->heaps;
    memcpy(state->heap, setup->heap, sizeof state->heap);
    if (setup->heaps == 0) {
        uint32_t choices = NIM_HEAPS_MAX - NIM_RANDOM_HEAPS_LEAST + 1;
        state->heaps = NIM_RANDOM_HEAPS_LEAST + draw_below(play->dice, choices);
        for (uint32_t i = 0; i < state->heaps; i++)
            state->heap[i] = 1 + draw_below(play->dice, NIM_RANDOM_HEAP_MAX);
    }

    sink_open(play->out, TO_ALL, NIM_STARTED);
    put_heaps(play->out, setup, state);
    sink_close(play->out);
    EMIT(play->out, TO_ALL, NIM_TURN, state->turn);
}

static uint32_t counters_left(const struct nim_state *state)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < state->heaps; i++)
        left += state->heap[i];
    return left;
}

static void end(struct play *play, uint32_t winners)
{
    struct nim_state *state = play->state;

    state->winners = winners;
    state->turn = 0;
    sink_open(play->out, TO_ALL, NIM_OVER);
    put_mask(play->out, winners);
    sink_close(play->out);
}

static void next_turn(struct play *play)
{
    struct nim_state *state = play->state;

    do
        state->turn = (state->turn + 1) % state->seats;
    while (!is_in(state->in, state->turn));
    EMIT(play->out, TO_ALL, NIM_TURN, state->turn);
}

/* Every refusal comes before the first change: a refused command must leave no trace. An argument
 * the sender left out is ABSENT, the least of all numbers, so the ranges refuse it too. */
static verdict apply(struct play *play, uint32_t seat, const struct command *command)
{
    const struct nim_setup *setup = play->setup;
    struct nim_state       *state = play->state;
    word                    heap = command->arg[0], count = command->arg[1];

    if (command->kind != NIM_TAKE)
        return NIM_NOT_A_MOVE;
    if (state->winners != 0 || seat != state->turn)
        return NIM_NOT_YOUR_TURN;
    if (heap < 0 || heap >= state->heaps || state->heap[heap] == 0)
        return NIM_NO_SUCH_HEAP;
    if (count < 1 || count > state->heap[heap])
        return NIM_COUNT;

    state->heap[heap] -= (uint32_t) count;
    EMIT(play->out, TO_ALL, NIM_TAKEN, seat, heap, count, state->heap[heap]);
    if (counters_left(state) == 0)
        end(play, setup->misere ? state->in & ~(1u << seat) : 1u << seat);
    else
        next_turn(play);
    return ACCEPTED;
}

static bool leave(struct play *play, uint32_t seat)
{
    struct nim_state *state = play->state;

    if (state->winners != 0 || !is_in(state->in, seat))
        return false;
    state->in &= ~(1u << seat);
    EMIT(play->out, TO_ALL, NIM_OUT, seat);
    if ((state->in & (state->in - 1)) == 0) /* One bit: one is left. */
        end(play, state->in);
    else if (seat == state->turn)
        next_turn(play);
    return true;
}

/* Only the seat on turn is awaited, so of all that are late it alone goes. */
static bool expire(struct play *play, seat_mask late)
{
    const struct nim_state *state = play->state;
    return is_in(late, state->turn) && leave(play, state->turn);
}

/* Looking. */

static seat_mask to_act(const void *unused, const void *of)
{
    (void) unused;
    const struct nim_state *state = of;
    return state->winners != 0 ? 0 : 1u << state->turn;
}

static void legal(const void *setup, const void *of, uint32_t seat, struct legal *list)
{
    const struct nim_state *state = of;
    uint32_t                counts = 0; /* The values 1, 2, ... put so far, from index 0. */

    legal_clear(list);
    if (!is_in(to_act(setup, state), seat))
        return;
    for (uint32_t i = 0; i < state->heaps; i++)
        while (counts < state->heap[i])
            legal_value(list, ++counts);
    for (uint32_t i = 0; i < state->heaps; i++) {
        if (state->heap[i] == 0)
            continue;
        struct pattern *take = legal_pattern(list, NIM_TAKE, 2);
        take->arg[0] = legal_one(list, i);
        take->arg[1] = (struct pattern_arg){ 0, state->heap[i] };
    }
}

static void asks(const void *setup, const void *of, uint32_t seat, struct sink *out)
{
    if (is_in(to_act(setup, of), seat))
        EMIT(out, TO_ALL, NIM_TURN, seat);
}

static void view(const void *setup, const void *of, uint32_t viewer, struct sink *out)
{
    (void) viewer; /* All see the same. */
    const struct nim_state *state = of;

    put_heaps(out, setup, state);
    put_mask(out, state->in);
    sink_put(out, state->winners != 0 ? ABSENT : (word) state->turn);
    put_mask(out, state->winners);
}

static void outcome(const void *unused, const void *of, int32_t *per_seat)
{
    (void) unused;
    const struct nim_state *state = of;
    for (uint32_t seat = 0; seat < state->seats; seat++)
        per_seat[seat] = is_in(state->winners, seat) ? 1 : -1;
}

static const char *check(const void *unused, const void *of)
{
    (void) unused;
    const struct nim_state *state = of;

    if (state->heaps == 0 || state->heaps > NIM_HEAPS_MAX)
        return "there are 1 to 8 heaps";
    if ((state->winners & ~state->in) != 0)
        return "only who is in can win";
    if (state->winners == 0 && counters_left(state) == 0)
        return "somebody has won when no counter is left";
    if (state->winners == 0 && !is_in(state->in, state->turn))
        return "who is on turn is in";
    return NULL;
}

static void hidden(const void *setup, const void *state, uint32_t viewer, uint8_t *mask)
{
    (void) setup, (void) state, (void) viewer, (void) mask; /* Nim has no secrets. */
}

/* Bouton's theorem: between two, the player wins who leaves heaps whose exclusive or is 0. Misere
 * play is the same, except that among heaps of one counter an odd number must be left. */
static int64_t judge(const void *of_setup, const void *of_state, uint32_t seat,
                     const struct command *command)
{
    (void) seat;
    const struct nim_setup *setup = of_setup;
    const struct nim_state *state = of_state;
    uint32_t                sum = 0, largest = 0;

    for (uint32_t i = 0; i < state->heaps; i++) {
        uint32_t heap = state->heap[i];
        if (i == (uint32_t) command->arg[0])
            heap -= (uint32_t) command->arg[1];
        sum ^= heap;
        largest = heap > largest ? heap : largest;
    }
    return setup->misere && largest <= 1 ? sum == 1 : sum == 0;
}

/* The tables, in the order of the enums. */

static const struct command_kind commands[] = {
    [NIM_TAKE] = { "take", COMMAND_LISTED },
};

static const struct event_kind events[] = {
    [NIM_STARTED] = { "started", 0 }, [NIM_TURN] = { "turn", 0 }, [NIM_TAKEN] = { "taken", 0 },
    [NIM_OUT] = { "out", 0 },         [NIM_OVER] = { "over", 0 },
};

static const struct reason reasons[] = {
    [NIM_NOT_YOUR_TURN] = { "NOT_YOUR_TURN", "It is not your turn." },
    [NIM_NOT_A_MOVE] = { "NOT_A_MOVE", "The only move is to take." },
    [NIM_NO_SUCH_HEAP] = { "NO_SUCH_HEAP", "There is nothing to take there; name another heap." },
    [NIM_COUNT] = { "COUNT", "Take at least one counter and at most what the heap holds." },
};

const struct game game_nim = {
    .name = "nim",
    .version = 1,
    .title = "Nim",
    .seats_min = 2,
    .seats_max = 4,
    .open_dice = "java",
    .commands = commands,
    .events = events,
    .reasons = reasons,
    .command_kinds = NIM_COMMANDS,
    .event_kinds = NIM_EVENTS,
    .reason_kinds = NIM_REASONS,
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
    .foresight = &nim_foresight,
    .extents = extents,
};
