/* quests.c: the table of the game: who may say what, silence, bounds, and the outcome. */
#include "games/quests/quests_rules.h"

#include <string.h>

static bool takes_card(uint32_t kind)
{
    return kind == QUESTS_STAGE_ADD || kind == QUESTS_ATTACK_ADD || kind == QUESTS_DISCARD;
}

static bool takes_yes(uint32_t kind)
{
    return kind == QUESTS_SPONSOR || kind == QUESTS_PARTICIPATE;
}

/* Whether the command is one of ours with the fields it needs, whoever sent it. */
static bool is_well_formed(const struct command *command)
{
    uint32_t    kind = command->kind;
    const word *arg = command->arg;
    uint32_t    used = takes_card(kind) ? 2 : takes_yes(kind);

    if (kind == 0 || kind >= QUESTS_COMMANDS || command->text_size > 0)
        return false;
    for (uint32_t i = used; i < COMMAND_ARGS_MAX; i++)
        if (arg[i] != ABSENT)
            return false;
    if (takes_yes(kind))
        return arg[0] == 0 || arg[0] == 1;
    if (takes_card(kind))
        return (arg[0] == ABSENT) != (arg[1] == ABSENT) && arg[0] != MISTYPED && arg[1] != MISTYPED;
    return true;
}

static uint32_t phase_of(uint32_t kind)
{
    switch (kind) {
    case QUESTS_SPONSOR: return QUESTS_ASKS_SPONSOR;
    case QUESTS_PARTICIPATE: return QUESTS_ASKS_PARTICIPATE;
    case QUESTS_ATTACK_ADD:
    case QUESTS_ATTACK_DONE: return QUESTS_ASKS_ATTACK;
    case QUESTS_DISCARD: return QUESTS_ASKS_DISCARD;
    case QUESTS_END_TURN: return QUESTS_ASKS_END_TURN;
    default: return QUESTS_ASKS_BUILD;
    }
}

/* Which card of the hand is meant, by kind or by position. */
static verdict find_card(const struct quests_state *state, const struct command *command,
                         uint32_t *card)
{
    const uint16_t *hand = state->hand[state->asked];
    word            kind = command->arg[0], position = command->arg[1];

    if (kind == ABSENT) {
        if (position < 1 || position > state->hand_count[state->asked])
            return QUESTS_BAD_POSITION;
        *card = quests_at(hand, (uint32_t) position);
        return ACCEPTED;
    }
    if (kind < 1 || kind >= QUESTS_CARDS || hand[kind] == 0)
        return QUESTS_NO_SUCH_CARD;
    *card = (uint32_t) kind;
    return ACCEPTED;
}

/* Every doubt, in the order in which they are told. */
static verdict judge_command(const struct quests_state *state, uint32_t seat,
                             const struct command *command, uint32_t *card)
{
    if (!is_well_formed(command))
        return QUESTS_BAD_COMMAND;
    if (state->phase == QUESTS_OVER)
        return QUESTS_IS_OVER;
    if (seat != state->asked)
        return QUESTS_NOT_YOUR_TURN;
    if (state->phase != phase_of(command->kind))
        return QUESTS_WRONG_PHASE;
    verdict found = takes_card(command->kind) ? find_card(state, command, card) : ACCEPTED;
    if (found != ACCEPTED)
        return found;
    switch (command->kind) {
    case QUESTS_SPONSOR:
        return command->arg[0] == 1 && !state->able ? QUESTS_CANNOT_SPONSOR_2 + state->stages - 2u
                                                    : ACCEPTED;
    case QUESTS_STAGE_ADD: return quests_stage_takes(state, *card);
    case QUESTS_STAGE_DONE: return quests_stage_is_good(state);
    case QUESTS_ATTACK_ADD: return quests_attack_takes(state, *card);
    default: return ACCEPTED;
    }
}

static verdict apply(struct play *play, uint32_t seat, const struct command *command)
{
    uint32_t card = 0;
    verdict  refused = judge_command(play->state, seat, command, &card);

    if (refused != ACCEPTED)
        return refused;
    switch (command->kind) {
    case QUESTS_SPONSOR: quests_answer_sponsor(play, command->arg[0] == 1); break;
    case QUESTS_STAGE_ADD: quests_stage_add(play, card); break;
    case QUESTS_STAGE_DONE: quests_stage_done(play); break;
    case QUESTS_STAGE_CLEAR: quests_stage_clear(play); break;
    case QUESTS_QUEST_RESTART: quests_restart(play); break;
    case QUESTS_PARTICIPATE: quests_answer_participate(play, command->arg[0] == 1); break;
    case QUESTS_ATTACK_ADD: quests_attack_add(play, card); break;
    case QUESTS_ATTACK_DONE: quests_attack_done(play); break;
    case QUESTS_DISCARD: quests_trim_card(play, card); break;
    default: quests_leave_turn(play);
    }
    return ACCEPTED;
}

/* A sponsor who is silent before a stage that cannot stand loses the quest; the poll goes on behind
 * that player. */
static void expire_build(struct play *play)
{
    struct quests_state *state = play->state;

    if (quests_stage_is_good(state) == ACCEPTED) {
        quests_stage_done(play);
        return;
    }
    quests_take_back(play);
    state->sponsor = 0;
    quests_answer_sponsor(play, false);
}

/* Who is silent is answered for, with what the least of commands would have said. */
static bool expire(struct play *play, seat_mask late)
{
    const struct quests_state *state = play->state;
    uint32_t                   seat = state->asked;

    if (state->phase == QUESTS_OVER || !quests_has(late, seat))
        return false;
    EMIT(play->out, TO_ALL, QUESTS_EXPIRED, seat, state->phase);
    switch (state->phase) {
    case QUESTS_ASKS_SPONSOR: quests_answer_sponsor(play, false); break;
    case QUESTS_ASKS_BUILD: expire_build(play); break;
    case QUESTS_ASKS_PARTICIPATE: quests_answer_participate(play, false); break;
    case QUESTS_ASKS_ATTACK: quests_attack_done(play); break;
    case QUESTS_ASKS_DISCARD:
        quests_trim_card(play, quests_at(state->hand[seat], state->hand_count[seat]));
        break;
    default: quests_leave_turn(play);
    }
    return true;
}

/* Around the match. */

static void seats(const void *setup, uint32_t *least, uint32_t *most)
{
    (void) setup;
    *least = QUESTS_SEATS;
    *most = QUESTS_SEATS;
}

/* A box's events: each 20 bytes, 3 for a number below 128 or the length of a list, 1 for a card. */
#define BOXED(numbers, cards) (20 + 3 * (numbers) + (cards))

/* The longest acts are the first turn and the last attack on a quest. In the first turn four hands
 * are shown and all draw two. The last attack has three attacks, a stage, the cards of the quest
 * and 17 drawn. Either has less than 40 events, whose headers and numbers are less than 8 words,
 * and 90 cards. */
#define EVENT_WORDS (40 * 8 + 90)

/* A view's lists at their longest: 4 players, 17 cards in hand, 5 stages and 12 cards in them. Then
 * 3 attacks of 6, 3 masks of 4, and 40 other words. */
#define VIEW_WORDS (4 * 3 + 17 + 5 * 4 + 12 + 3 * (4 + 6) + 3 * 4 + 40)

static void bounds(const void *setup, uint32_t seat_count, struct bounds *bounds)
{
    (void) setup, (void) seat_count;
    *bounds = (struct bounds){
        .state_bytes = sizeof(struct quests_state),
        .legal_patterns = 4,          /* Add, done, clear and restart.                      */
        .legal_values = QUESTS_CARDS, /* Each kind of card once; or yes and no.             */
        .event_words = EVENT_WORDS,
        .view_words = VIEW_WORDS,
        .box_bytes = { 4 + BOXED(2, QUESTS_HAND) + BOXED(1, 0),
                       4 + BOXED(4, QUESTS_HAND) + BOXED(4, QUESTS_HAND_MAX) },
    };
}

/* A hand has each kind of card once to choose from, and three ways to end a stage beside. */
static void extents(const void *setup, uint32_t seat_count, struct extents *extents)
{
    (void) setup;
    *extents = (struct extents){ .commands = QUESTS_CARDS + 3,
                                 .list = { seat_count,         /* players               */
                                           QUESTS_HAND_MAX,    /* hand                  */
                                           seat_count,         /* winners               */
                                           QUESTS_STAGES,      /* quest: built          */
                                           QUESTS_STAGE_MAX,   /*     its cards         */
                                           QUESTS_STAGE_MAX,   /* quest: building       */
                                           seat_count,         /* quest: eligible       */
                                           seat_count,         /* quest: participants   */
                                           seat_count,         /* quest: attacks        */
                                           QUESTS_WEAPONS } }; /*     its cards         */
}

static bool seed(const void *of, uint64_t *seed)
{
    const struct quests_setup *setup = of;
    *seed = setup->seed;
    return setup->has_seed != 0;
}

static seat_mask to_act(const void *setup, const void *of)
{
    (void) setup;
    const struct quests_state *state = of;
    return state->phase == QUESTS_OVER ? 0 : 1u << state->asked;
}

static uint64_t question(const void *setup, const void *of, uint32_t seat)
{
    (void) setup, (void) seat;
    const struct quests_state *state = of;
    return state->question;
}

static void outcome(const void *setup, const void *of, int32_t *per_seat)
{
    (void) setup;
    const struct quests_state *state = of;
    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++)
        per_seat[seat] = quests_has(state->winners, seat) ? 1 : -1;
}

/* The tables, in the order of the enums. */

static const struct command_kind commands[] = {
    [QUESTS_SPONSOR] = { "sponsor", COMMAND_LISTED },
    [QUESTS_STAGE_ADD] = { "stage_add", COMMAND_ALIAS },
    [QUESTS_STAGE_DONE] = { "stage_done", COMMAND_LISTED },
    [QUESTS_STAGE_CLEAR] = { "stage_clear", COMMAND_SELDOM },
    [QUESTS_QUEST_RESTART] = { "quest_restart", COMMAND_SELDOM },
    [QUESTS_PARTICIPATE] = { "participate", COMMAND_LISTED },
    [QUESTS_ATTACK_ADD] = { "attack_add", COMMAND_ALIAS },
    [QUESTS_ATTACK_DONE] = { "attack_done", COMMAND_LISTED },
    [QUESTS_DISCARD] = { "discard", COMMAND_ALIAS },
    [QUESTS_END_TURN] = { "end_turn", COMMAND_LISTED },
};

static const struct event_kind events[] = {
    [QUESTS_GAME_STARTED] = { "game_started", 1 },
    [QUESTS_HAND_SHOWN] = { "hand", 0 },
    [QUESTS_RESHUFFLED] = { "reshuffled", 0 },
    [QUESTS_DRAW_SHORT] = { "draw_short", 0 },
    [QUESTS_TURN_STARTED] = { "turn_started", 0 },
    [QUESTS_EVENT_CARD] = { "event_card", 0 },
    [QUESTS_EVENT_DISCARDED] = { "event_discarded", 0 },
    [QUESTS_SHIELDS_CHANGED] = { "shields_changed", 0 },
    [QUESTS_DREW] = { "drew", 0 },
    [QUESTS_DISCARDED] = { "discarded", 0 },
    [QUESTS_PROMPT] = { "prompt", 0 },
    [QUESTS_CAN_SPONSOR] = { "can_sponsor", 0 },
    [QUESTS_SPONSOR_DECLINED] = { "sponsor_declined", 0 },
    [QUESTS_SPONSOR_FOUND] = { "sponsor_found", 0 },
    [QUESTS_NO_SPONSOR] = { "no_sponsor", 0 },
    [QUESTS_STAGE_CARD] = { "stage_card", 0 },
    [QUESTS_STAGE_CLEARED] = { "stage_cleared", 0 },
    [QUESTS_STAGE_BUILT] = { "stage_built", 0 },
    [QUESTS_QUEST_RESTARTED] = { "quest_restarted", 0 },
    [QUESTS_QUEST_READY] = { "quest_ready", 0 },
    [QUESTS_STAGE_STARTED] = { "stage_started", 0 },
    [QUESTS_PARTICIPATES] = { "participates", 0 },
    [QUESTS_WITHDREW] = { "withdrew", 0 },
    [QUESTS_PARTICIPANTS] = { "participants", 0 },
    [QUESTS_ATTACK_CARD] = { "attack_card", 0 },
    [QUESTS_ATTACK_SET] = { "attack_set", 0 },
    [QUESTS_STAGE_RESOLVED] = { "stage_resolved", 0 },
    [QUESTS_QUEST_ENDED] = { "quest_ended", 1 },
    [QUESTS_TURN_ENDED] = { "turn_ended", 0 },
    [QUESTS_GAME_OVER] = { "game_over", 0 },
    [QUESTS_EXPIRED] = { "expired", 0 },
};

#define CANNOT(stages)                                                                             \
    {                                                                                              \
        "cannot_sponsor", "You do not have the cards to build a valid quest of " stages " stages." \
    }

static const struct reason reasons[] = {
    [QUESTS_BAD_COMMAND] = { "bad_command", "Invalid command." },
    [QUESTS_IS_OVER] = { "game_over", "The game is over." },
    [QUESTS_NOT_YOUR_TURN] = { "not_your_turn", "It is not your turn to act." },
    [QUESTS_WRONG_PHASE] = { "wrong_phase", "This command is not possible now." },
    [QUESTS_BAD_POSITION] = { "bad_position", "Invalid position." },
    [QUESTS_NO_SUCH_CARD] = { "no_such_card", "You do not have this card." },
    [QUESTS_CANNOT_SPONSOR_2] = CANNOT("2"),
    [QUESTS_CANNOT_SPONSOR_2 + 1] = CANNOT("3"),
    [QUESTS_CANNOT_SPONSOR_2 + 2] = CANNOT("4"),
    [QUESTS_CANNOT_SPONSOR_2 + 3] = CANNOT("5"),
    [QUESTS_SECOND_FOE] = { "second_foe", "A stage can have only one foe." },
    [QUESTS_REPEATED_IN_STAGE] = { "repeated_weapon", "This weapon is already in the stage." },
    [QUESTS_REPEATED_IN_ATTACK] = { "repeated_weapon", "This weapon is already in the attack." },
    [QUESTS_STAGE_EMPTY] = { "stage_empty", "A stage cannot be empty." },
    [QUESTS_STAGE_NO_FOE] = { "stage_no_foe", "A stage must have a foe." },
    [QUESTS_STAGE_VALUE] = { "stage_value", "Insufficient value for this stage." },
    [QUESTS_NOT_WEAPON] = { "not_weapon", "Only weapons can be used in an attack." },
};

static const char *const details[QUESTS_REASONS] = {
    [QUESTS_CANNOT_SPONSOR_2] = "\"stages\":2",
    [QUESTS_CANNOT_SPONSOR_2 + 1] = "\"stages\":3",
    [QUESTS_CANNOT_SPONSOR_2 + 2] = "\"stages\":4",
    [QUESTS_CANNOT_SPONSOR_2 + 3] = "\"stages\":5",
};

const struct game game_quests = {
    .name = "quests",
    .version = 1,
    .title = "Quests",
    .seats_min = QUESTS_SEATS,
    .seats_max = QUESTS_SEATS,
    .wanders = true, /* They win shields and lose them again. */
    .open_dice = "java",
    .commands = commands,
    .events = events,
    .reasons = reasons,
    .command_kinds = QUESTS_COMMANDS,
    .event_kinds = QUESTS_EVENTS,
    .reason_kinds = QUESTS_REASONS,
    .details = details,
    .configure = quests_configure,
    .seats = seats,
    .bounds = bounds,
    .seed = seed,
    .start = quests_start,
    .apply = apply,
    .expire = expire,
    .to_act = to_act,
    .question = question,
    .legal = quests_legal,
    .asks = quests_asks,
    .view = quests_view,
    .outcome = outcome,
    .check = quests_check,
    .hidden = quests_hidden,
    .judge = quests_judge,
    .foresight = &quests_foresight,
    .extents = extents,
};
