/* dead.c: the table of the dead's functions, and the doors through which the match is entered. */
#include "games/dead/dead.h"

#include "games/dead/dead_rules.h"

static void start(struct play *play, uint32_t seats)
{
    struct dead dead = dead_of(play);
    dead_lay_out(dead.setup, seats, dead.state);
    dead_prepare(&dead);
}

/* Ends the turn; what follows from that is everybody's. */
static verdict end_turn(struct dead *dead, const struct command *command)
{
    (void) command;
    dead_end_turn_of(dead, dead->state->on_turn);
    return ACCEPTED;
}

static verdict leave_on_turn(struct dead *dead, const struct command *command)
{
    (void) command;
    dead_leave(dead, dead->state->on_turn);
    return ACCEPTED;
}

/* Commands of a turn by kind, and how many arguments each takes. */
static const struct {
    verdict (*act)(struct dead *dead, const struct command *command);
    uint32_t args;
} turn_commands[DEAD_COMMAND_KINDS] = {
    [DEAD_END_TURN] = { end_turn, 0 },
    [DEAD_LEAVE] = { leave_on_turn, 0 },
    [DEAD_MOVE] = { dead_move, 3 },
    [DEAD_BARRICADE] = { dead_barricade, 2 },
    [DEAD_ATTACK] = { dead_attack, 2 },
    [DEAD_SEARCH] = { dead_search, 1 },
    [DEAD_CLEAN_WASTE] = { dead_clean_waste, 1 },
    [DEAD_CONTRIBUTE_CARD] = { dead_contribute, 1 },
    [DEAD_USE_CARD] = { dead_use_card, 3 },
    [DEAD_USE_ABILITY] = { dead_use_ability, 2 },
};

/* Whether the command says more than its kind has room for. */
static bool says_too_much(const struct command *command, uint32_t args)
{
    for (uint32_t i = args; i < COMMAND_ARGS_MAX; i++)
        if (command->arg[i] != ABSENT)
            return true;
    return command->text_size > 0;
}

/* Why a command of this kind is refused in another phase than its own: what the match is at, if the
 * kind belongs to a turn, and otherwise what is over or not there. */
static verdict wrong_phase(uint32_t kind, verdict goes_on)
{
    if (kind < DEAD_COMMAND_KINDS && turn_commands[kind].act != NULL)
        return goes_on;
    return kind == DEAD_SELECT_CHARACTERS ? DEAD_NO_NOT_CHOOSING
           : kind == DEAD_VOTE            ? DEAD_NO_NOT_VOTING
                                          : DEAD_NO_NOT_NOW;
}

static verdict act(struct dead *dead, uint32_t seat, const struct command *command)
{
    if (command->kind >= DEAD_COMMAND_KINDS || turn_commands[command->kind].act == NULL)
        return wrong_phase(command->kind, DEAD_NO_NOT_NOW);
    if (seat != dead->state->on_turn)
        return DEAD_NO_NOT_YOUR_TURN;
    if (says_too_much(command, turn_commands[command->kind].args))
        return DEAD_NO_MALFORMED;
    verdict refused = turn_commands[command->kind].act(dead, command);
    if (!refused)
        dead_settle(dead);
    return refused;
}

static verdict choose(struct dead *dead, uint32_t seat, const struct command *command)
{
    if (command->kind != DEAD_SELECT_CHARACTERS)
        return wrong_phase(command->kind, DEAD_NO_CHOOSING);
    return says_too_much(command, 2) ? DEAD_NO_MALFORMED : dead_select(dead, seat, command);
}

static verdict vote(struct dead *dead, uint32_t seat, const struct command *command)
{
    if (command->kind != DEAD_VOTE)
        return wrong_phase(command->kind, DEAD_NO_VOTING);
    return says_too_much(command, 1) ? DEAD_NO_MALFORMED : dead_vote(dead, seat, command);
}

static verdict apply(struct play *play, uint32_t seat, const struct command *command)
{
    struct dead dead = dead_of(play);
    if (dead_is_over(&dead))
        return DEAD_NO_IS_OVER;
    if (seat >= dead.state->seats || !dead_seat(dead.state, seat)->in_game)
        return DEAD_NO_NOT_IN_GAME;
    switch (dead.state->phase) {
    case DEAD_PREPARATION: return choose(&dead, seat, command);
    case DEAD_VOTING: return vote(&dead, seat, command);
    default: return act(&dead, seat, command);
    }
}

seat_mask dead_to_act(const void *setup, const void *at)
{
    const struct dead_state *state = at;
    (void) setup;
    if (state->phase == DEAD_OVER)
        return 0;
    return (seat_mask) 1 << (state->phase == DEAD_VOTING ? state->voter : state->on_turn);
}

static void ask(const void *setup, const void *at, uint32_t seat, struct sink *out)
{
    const struct dead_state *state = at;
    if (seat >= state->seats || !(dead_to_act(setup, state) >> seat & 1))
        return;
    if (state->phase == DEAD_PREPARATION)
        dead_say_offer(setup, state, out);
    else
        EMIT(out, TO_ALL, state->phase == DEAD_VOTING ? DEAD_VOTE_NOW : DEAD_ACT_NOW, seat);
}

/* Silence in a choice or a vote fails and is asked again, until the table's patience is at its end.
 * Then the game takes the first two of the offer, or the first consequence. */
static void answer_for(struct dead *dead)
{
    struct dead_state *state = dead->state;
    state->timeouts++;
    bool     votes = state->phase == DEAD_VOTING;
    uint32_t seat = votes ? state->voter : state->on_turn;
    if (dead->setup->patience == 0 || state->timeouts < dead->setup->patience) {
        SAY(dead, DEAD_COMMAND_FAILED, seat, ABSENT);
        if (votes)
            SAY(dead, DEAD_VOTE_NOW, seat);
    } else if (votes) {
        dead_cast(dead, true);
    } else {
        dead_select_for(dead);
    }
}

static bool expire(struct play *play, seat_mask late)
{
    struct dead dead = dead_of(play);
    if ((dead_to_act(play->setup, play->state) & late) == 0)
        return false;
    if (dead.state->phase != DEAD_TURN) {
        answer_for(&dead);
        return true;
    }
    dead_leave(&dead, dead.state->on_turn);
    dead_go_on(&dead);
    return true;
}

/* The house removes a player as if they left, during anybody's turn. A choice and a vote come
 * first: the table's patience ends them. */
static bool leave(struct play *play, uint32_t seat)
{
    struct dead dead = dead_of(play);
    if (dead.state->phase != DEAD_TURN || seat >= dead.state->seats ||
        !dead_seat(dead.state, seat)->in_game)
        return false;
    dead_leave(&dead, seat);
    if (dead.state->turn_over)
        dead_go_on(&dead);
    return true;
}

/* They win together; who has left, or was killed to the last survivor, has not. */
static void outcome(const void *setup, const void *at, int32_t *per_seat)
{
    const struct dead_state *state = at;
    (void) setup;
    for (uint32_t seat = 0; seat < state->seats; seat++)
        per_seat[seat] = state->won && dead_seat(state, seat)->in_game ? 1 : -1;
}

static const struct command_kind commands[DEAD_COMMAND_KINDS] = {
    [DEAD_REGISTER] = { "register", COMMAND_LISTED },
    [DEAD_START_GAME] = { "start_game", COMMAND_LISTED },
    [DEAD_SELECT_CHARACTERS] = { "select_characters", COMMAND_LISTED },
    [DEAD_END_TURN] = { "end_turn", COMMAND_LISTED },
    [DEAD_LEAVE] = { "leave", COMMAND_SELDOM },
    [DEAD_MOVE] = { "move", COMMAND_LISTED },
    [DEAD_BARRICADE] = { "barricade", COMMAND_LISTED },
    [DEAD_ATTACK] = { "attack", COMMAND_LISTED },
    [DEAD_SEARCH] = { "search", COMMAND_LISTED },
    [DEAD_CLEAN_WASTE] = { "clean_waste", COMMAND_LISTED },
    [DEAD_CONTRIBUTE_CARD] = { "contribute_card", COMMAND_LISTED },
    [DEAD_USE_CARD] = { "use_card", COMMAND_LISTED },
    [DEAD_USE_ABILITY] = { "use_ability", COMMAND_LISTED },
    [DEAD_VOTE] = { "vote", COMMAND_LISTED },
};

/* Box class 1 is the deal of four characters; an act that may bring one shows one of these two. */
static const struct event_kind events[DEAD_EVENT_KINDS] = {
    [DEAD_CONFIG] = { "config", 0 },
    [DEAD_REGISTRATION_ABORTED] = { "registration_aborted", 0 },
    [DEAD_COMMAND_FAILED] = { "command_failed", 0 },
    [DEAD_GAME_STARTED] = { "game_started", 1 },
    [DEAD_PLAYER] = { "player", 0 },
    [DEAD_CHARACTERS] = { "characters", 0 },
    [DEAD_CHARACTER_SPAWNED] = { "character_spawned", 1 },
    [DEAD_CARD_DRAWN] = { "card_drawn", 0 },
    [DEAD_NEXT_ROUND] = { "next_round", 0 },
    [DEAD_CRISIS] = { "crisis", 0 },
    [DEAD_DIE_ROLLED] = { "die_rolled", 0 },
    [DEAD_ACT_NOW] = { "act_now", 0 },
    [DEAD_LEFT] = { "left", 0 },
    [DEAD_MOVED] = { "moved", 0 },
    [DEAD_BARRICADED] = { "barricaded", 0 },
    [DEAD_ZOMBIE_KILLED] = { "zombie_killed", 0 },
    [DEAD_SEARCHED] = { "searched", 0 },
    [DEAD_CHILD_SPAWNED] = { "child_spawned", 0 },
    [DEAD_WASTE_CHANGED] = { "waste_changed", 0 },
    [DEAD_CONTRIBUTED] = { "contributed", 0 },
    [DEAD_CARD_USED] = { "card_used", 0 },
    [DEAD_ABILITY_USED] = { "ability_used", 0 },
    [DEAD_FOOD_CHANGED] = { "food_changed", 0 },
    [DEAD_MORAL_CHANGED] = { "moral_changed", 0 },
    [DEAD_WOUNDED] = { "wounded", 0 },
    [DEAD_FROSTBITTEN] = { "frostbitten", 0 },
    [DEAD_BITTEN] = { "bitten", 0 },
    [DEAD_SURVIVOR_KILLED] = { "survivor_killed", 0 },
    [DEAD_CHILD_KILLED] = { "child_killed", 0 },
    [DEAD_COLONY_PHASE_STARTED] = { "colony_phase_started", 0 },
    [DEAD_STARVATION_TOKEN_ADDED] = { "starvation_token_added", 0 },
    [DEAD_ZOMBIE_SPAWNED] = { "zombie_spawned", 0 },
    [DEAD_BARRICADE_DESTROYED] = { "barricade_destroyed", 0 },
    [DEAD_CROSSROAD] = { "crossroad", 0 },
    [DEAD_VOTE_NOW] = { "vote_now", 0 },
    [DEAD_VOTE_RESULT] = { "vote_result", 0 },
    [DEAD_GAME_END] = { "game_end", 0 },
};

const struct game game_dead = {
    .name = "dead",
    .version = 1,
    .title = "The Dead",
    .seats_min = 1,
    .seats_max = SEATS_MAX,
    .open_dice = "java",
    .commands = commands,
    .events = events,
    .reasons = dead_reasons,
    .command_kinds = DEAD_COMMAND_KINDS,
    .event_kinds = DEAD_EVENT_KINDS,
    .reason_kinds = DEAD_REASONS,
    .configure = dead_configure,
    .seats = dead_seats,
    .bounds = dead_bounds,
    .start = start,
    .apply = apply,
    .expire = expire,
    .leave = leave,
    .to_act = dead_to_act,
    .legal = dead_legal,
    .asks = ask,
    .view = dead_view,
    .outcome = outcome,
    .check = dead_check,
    .hidden = dead_hidden,
    .judge = dead_judge,
    .foresight = &dead_foresight,
    .extents = dead_extents,
    .registration = &dead_registration,
};
