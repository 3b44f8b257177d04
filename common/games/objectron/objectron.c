/* objectron.c: the table of objectron's functions, and the doors through which the match is entered. */
#include "games/objectron/objectron.h"

#include "games/objectron/objectron_rules.h"

static void seats(const void *at, uint32_t *least, uint32_t *most)
{
    const struct objectron_setup *setup = at;
    *least = (uint32_t) setup->players;
    *most = (uint32_t) setup->players;
}

static bool seed(const void *at, uint64_t *seed)
{
    const struct objectron_setup *setup = at;
    *seed = setup->seed;
    return setup->has_seed != 0;
}

static void start(struct play *play, uint32_t seat_count)
{
    struct objectron o = objectron_of(play);
    (void) seat_count;
    objectron_lay_out(o.setup, o.dice, o.state);
    objectron_lay(o.setup, o.state);
    objectron_begin(&o);
}

/* Commands. */

static verdict move(struct objectron *o, uint32_t seat, const struct command *command)
{
    word    dir = command->arg[0];
    int32_t to;
    if (dir < 1 || dir > 8)
        return OBJECTRON_NO_BAD_DIRECTION;
    verdict refused = objectron_judge_move(o->state, seat, (uint32_t) (dir - 1), &to);
    if (refused)
        return refused;
    objectron_spend(o, seat, OBJECTRON_BY_MOVE);
    objectron_make_move(o, seat, (uint32_t) (dir - 1));
    return ACCEPTED;
}

static verdict pick_up(struct objectron *o, uint32_t seat, const struct command *command)
{
    int32_t index;
    verdict refused = objectron_judge_pick_up(o->state, seat, command->arg[0], &index);
    if (refused)
        return refused;
    objectron_spend(o, seat, OBJECTRON_BY_PICK_UP);
    objectron_pick_up(o, seat, index);
    return ACCEPTED;
}

static verdict use(struct objectron *o, uint32_t seat, const struct command *command)
{
    int32_t index;
    verdict refused = objectron_judge_use(o->state, seat, command->arg[0], command->arg[1], &index);
    if (refused)
        return refused;
    objectron_spend(o, seat, OBJECTRON_BY_USE);
    objectron_use(o, seat, index, command->arg[1]);
    return ACCEPTED;
}

static verdict end_turn(struct objectron *o, uint32_t seat, const struct command *command)
{
    bool    loses;
    verdict refused = objectron_judge_end(o->state, seat, &loses);
    if (refused)
        return refused;
    if (command->arg[0] != 1)
        return OBJECTRON_NO_WARNING + (o->state->moved ? 2u : 0u) + (loses ? 1u : 0u);
    objectron_end_turn(o, seat);
    return ACCEPTED;
}

static bool is_sent(word argument)
{
    return argument != ABSENT && argument != MISTYPED;
}

/* Whether the command is one, with all its fields. */
static verdict judge_words(const struct command *command)
{
    static const uint32_t args[OBJECTRON_COMMAND_KINDS] = {
        [OBJECTRON_MOVE] = 1, [OBJECTRON_PICK_UP] = 1, [OBJECTRON_USE] = 2, [OBJECTRON_END_TURN] = 1
    };
    if (command->kind == 0 || command->kind >= OBJECTRON_COMMAND_KINDS || command->text_size > 0)
        return OBJECTRON_NO_UNKNOWN_CMD;
    for (uint32_t i = args[command->kind]; i < COMMAND_ARGS_MAX; i++)
        if (command->arg[i] != ABSENT)
            return OBJECTRON_NO_UNKNOWN_CMD;
    word first = command->arg[0];
    if (command->kind == OBJECTRON_MOVE && !is_sent(first))
        return OBJECTRON_NO_UNKNOWN_DIR;
    if ((command->kind == OBJECTRON_PICK_UP || command->kind == OBJECTRON_USE) && !is_sent(first))
        return OBJECTRON_NO_UNKNOWN_ITEM;
    if (command->kind == OBJECTRON_USE && command->arg[1] == MISTYPED)
        return OBJECTRON_NO_UNKNOWN_DIR;
    if (command->kind == OBJECTRON_END_TURN && first != ABSENT && first != 0 && first != 1)
        return OBJECTRON_NO_UNKNOWN_CONFIRM;
    return ACCEPTED;
}

static verdict act(struct objectron *o, uint32_t seat, const struct command *command)
{
    verdict refused;
    switch (command->kind) {
    case OBJECTRON_MOVE: refused = move(o, seat, command); break;
    case OBJECTRON_PICK_UP: refused = pick_up(o, seat, command); break;
    case OBJECTRON_USE: refused = use(o, seat, command); break;
    default: return end_turn(o, seat, command);
    }
    if (refused)
        return refused;
    objectron_tick(o);
    objectron_after(o, seat);
    return ACCEPTED;
}

static bool is_playing(const struct objectron_state *state, uint32_t seat)
{
    return seat < (uint32_t) state->seats && state->player[seat].alive;
}

static verdict apply(struct play *play, uint32_t seat, const struct command *command)
{
    struct objectron o = objectron_of(play);
    if (o.state->over)
        return OBJECTRON_NO_GAME_OVER;
    if (!is_playing(o.state, seat))
        return OBJECTRON_NO_NOT_IN_GAME;
    if (command->kind != OBJECTRON_RESIGN && (int32_t) seat != o.state->current)
        return OBJECTRON_NO_NOT_YOUR_TURN;
    verdict refused = judge_words(command);
    if (refused)
        return refused;
    if (command->kind != OBJECTRON_RESIGN)
        return act(&o, seat, command);
    objectron_resign(&o, seat);
    return ACCEPTED;
}

/* Who is asked. */

static seat_mask to_act(const void *setup, const void *at)
{
    const struct objectron_state *state = at;
    (void) setup;
    return state->over ? 0 : (seat_mask) 1 << state->current;
}

static uint64_t question(const void *setup, const void *at, uint32_t seat)
{
    const struct objectron_state *state = at;
    (void) setup;
    (void) seat;
    return (uint64_t) state->turn;
}

static void asks(const void *setup, const void *at, uint32_t seat, struct sink *out)
{
    const struct objectron_state *state = at;
    (void) setup;
    if (!state->over && seat == (uint32_t) state->current)
        EMIT(out, TO_ALL, OBJECTRON_TURN_STARTED, seat, state->turn, state->granted);
}

static bool expire(struct play *play, seat_mask late)
{
    struct objectron o = objectron_of(play);
    if ((to_act(play->setup, play->state) & late) == 0)
        return false;
    objectron_time_up(&o, (uint32_t) o.state->current);
    return true;
}

static bool leave(struct play *play, uint32_t seat)
{
    struct objectron o = objectron_of(play);
    if (o.state->over || !is_playing(o.state, seat))
        return false;
    objectron_resign(&o, seat);
    return true;
}

static void outcome(const void *setup, const void *at, int32_t *per_seat)
{
    const struct objectron_state *state = at;
    (void) setup;
    for (int32_t seat = 0; seat < state->seats; seat++)
        per_seat[seat] = state->winner < 0 ? 0 : seat == state->winner ? 1 : -1;
}

static const struct command_kind commands[OBJECTRON_COMMAND_KINDS] = {
    [OBJECTRON_MOVE] = { "move", COMMAND_LISTED },
    [OBJECTRON_PICK_UP] = { "pick_up", COMMAND_LISTED },
    [OBJECTRON_USE] = { "use", COMMAND_ALIAS },
    [OBJECTRON_END_TURN] = { "end_turn", COMMAND_LISTED },
    [OBJECTRON_RESIGN] = { "resign", COMMAND_ANYTIME | COMMAND_SELDOM },
};

const struct game game_objectron = {
    .name = "objectron",
    .version = 1,
    .title = "Objectron",
    .seats_min = 2,
    .seats_max = OBJECTRON_PLAYERS_MAX,
    .open_dice = "splitmix",
    .commands = commands,
    .events = objectron_events,
    .reasons = objectron_reasons,
    .command_kinds = OBJECTRON_COMMAND_KINDS,
    .event_kinds = OBJECTRON_EVENT_KINDS,
    .reason_kinds = OBJECTRON_REASONS,
    .details = objectron_details,
    .configure = objectron_configure,
    .seats = seats,
    .bounds = objectron_bounds,
    .seed = seed,
    .start = start,
    .apply = apply,
    .expire = expire,
    .leave = leave,
    .to_act = to_act,
    .question = question,
    .legal = objectron_legal,
    .asks = asks,
    .view = objectron_view,
    .outcome = outcome,
    .check = objectron_check,
    .hidden = objectron_hidden,
    .judge = objectron_judge,
    .foresight = &objectron_foresight,
    .extents = objectron_extents,
    .layout = 2,
};
