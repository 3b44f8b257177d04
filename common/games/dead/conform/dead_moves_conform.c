/* dead_moves_conform.c: see dead_moves_conform.h.
 *
 * Among what the rules list, seldom taken kinds of commands are preferred. Some commands are wrong on
 * purpose: of somebody who is not asked, with a number that is one off, or of the wrong time. Whether
 * they really are wrong is for the rules to say. */
#include "games/dead/conform/dead_moves_conform.h"

#include <stdio.h>
#include <string.h>

#include "dice/draw.h"
#include "games/dead/dead.h"
#include "games/dead/dead_rules.h"

static uint32_t below(struct dead_moves *moves, uint32_t bound)
{
    return draw_below(moves->dice, bound);
}

static bool one_in(struct dead_moves *moves, uint32_t so_many)
{
    return draw_below(moves->dice, so_many) == 0;
}

static struct dead_step *say(struct dead_script *script, uint32_t client, uint32_t kind)
{
    struct dead_step *step = dead_script_add(script);
    step->client = client;
    step->command.kind = kind;
    return step;
}

static void call(struct dead_step *step)
{
    (void) snprintf(step->name, sizeof step->name, "Player %u", step->client);
    step->command.text_size = (uint32_t) strlen(step->name);
}

/* Anybody: players, and those who never got a seat. */
static uint32_t anybody(struct dead_moves *moves)
{
    return below(moves, moves->players + DEAD_STRANGERS);
}

/* Registration. */

static void go_on_registering(struct dead_moves *moves, const struct dead_inside *inside,
                              struct dead_script *script)
{
    if (one_in(moves, 8) && moves->registered > 0) {
        call(say(script, below(moves, moves->registered), DEAD_REGISTER));
        return;
    }
    if (one_in(moves, 8)) {
        (void) say(script, moves->players + below(moves, DEAD_STRANGERS), DEAD_START_GAME);
        return;
    }
    /* Before the game would begin, at the latest. */
    if (moves->breaks_off && (one_in(moves, 5) || moves->registered + 1 >= moves->players)) {
        (void) say(script, anybody(moves), DEAD_END_TURN + below(moves, 2));
        return;
    }
    if (moves->registered < moves->players)
        call(say(script, moves->registered++, DEAD_REGISTER));
    else if (moves->registered < inside->setup->players_max)
        say(script, below(moves, moves->registered), DEAD_START_GAME);
}

/* What is listed. */

/* Commands of one class are alike: a kind, and the kind of card or ability that it uses. */
static uint32_t class_of(const struct dead_moves *moves, const struct dead_setup *setup,
                         const struct pattern *pattern)
{
    uint32_t kind = pattern->kind * 64;
    word     first = pattern->args > 0 ? moves->list.value[pattern->arg[0].first] : 0;
    uint32_t card = dead_card_index(setup, first), who = dead_who(setup, first);
    if ((pattern->kind == DEAD_USE_CARD || pattern->kind == DEAD_CONTRIBUTE_CARD) &&
        card != DEAD_NONE)
        kind += dead_card(setup, card)->kind;
    else if (who != DEAD_NONE && pattern->kind != DEAD_SELECT_CHARACTERS)
        kind += 16 + dead_character_of(setup, who)->ability;
    return kind % DEAD_CLASSES;
}

/* In thousands. */
static uint64_t weight_of(const struct dead_moves *moves, const struct dead_inside *inside,
                          const struct pattern *pattern, bool is_ending)
{
    uint32_t class = class_of(moves, inside->setup, pattern);
    if (pattern->kind == DEAD_LEAVE)
        return is_ending ? 40 : 4;
    if (pattern->kind == DEAD_END_TURN)
        return is_ending ? 20000 : 220;
    return UINT64_C(3000) / (1u + moves->taken[class]) * (class == moves->favourite ? 6 : 1) + 1;
}

static void pick_args(struct dead_moves *moves, const struct pattern *pattern,
                      struct command *command)
{
    command->kind = pattern->kind;
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command->arg[i] =
            i < pattern->args
                ? moves->list.value[pattern->arg[i].first + below(moves, pattern->arg[i].count)]
                : ABSENT;
}

/* A listed command of the player who is asked; false: nothing is listed. */
static bool pick(struct dead_moves *moves, const struct dead_inside *inside, uint32_t seat,
                 bool is_ending, struct command *command)
{
    uint64_t all = 0;
    game_dead.legal(inside->setup, inside->state, seat, &moves->list);
    for (uint32_t i = 0; i < moves->list.patterns; i++)
        all += weight_of(moves, inside, &moves->list.pattern[i], is_ending);
    if (all == 0)
        return false;
    uint64_t left = draw_below(moves->dice, (uint32_t) all);
    for (uint32_t i = 0; i < moves->list.patterns; i++) {
        const struct pattern *pattern = &moves->list.pattern[i];
        uint64_t              weight = weight_of(moves, inside, pattern, is_ending);
        if (left < weight) {
            uint16_t *taken = &moves->taken[class_of(moves, inside->setup, pattern)];
            *taken = (uint16_t) (*taken + 1);
            pick_args(moves, pattern, command);
            return true;
        }
        left -= weight;
    }
    return false;
}

/* What is wrong. */

/* What was said last, once more: moved already, used up, cleaned already. Or a card that was used is given
 * against the crisis, too. */
static void say_again(struct dead_moves *moves, struct dead_script *script, uint32_t client)
{
    for (uint32_t i = script->count; i > 0; i--) {
        struct dead_step last = script->step[i - 1];
        if (last.kind != DEAD_SAYS || last.client != client || last.command.kind <= DEAD_LEAVE)
            continue;
        bool is_card = last.command.kind == DEAD_USE_CARD && one_in(moves, 2);
        if (is_card)
            say(script, client, DEAD_CONTRIBUTE_CARD)->command.arg[0] = last.command.arg[0];
        else
            *dead_script_add(script) = last;
        return;
    }
}

/* A choice of somebody else, of one twice, or of one who was not offered. */
static void choose_wrongly(struct dead_moves *moves, const struct dead_inside *inside,
                           uint32_t seat, struct dead_script *script)
{
    struct command command;
    uint32_t       client = inside->clients[seat];
    if (!pick(moves, inside, seat, false, &command))
        return;
    switch (below(moves, 3)) {
    case 0: client = anybody(moves); break;
    case 1: command.arg[1] = command.arg[0]; break;
    default: dead_bent(moves->dice, inside, &command);
    }
    say(script, client, 0)->command = command;
}

static void add_wrong(struct dead_moves *moves, const struct dead_inside *inside, uint32_t seat,
                      struct dead_script *script)
{
    uint32_t client = one_in(moves, 3) ? anybody(moves) : inside->clients[seat];
    if (inside->state->phase == DEAD_PREPARATION && one_in(moves, 2)) {
        choose_wrongly(moves, inside, seat, script);
        return;
    }
    switch (below(moves, 13)) {
    case 0: call(say(script, client, DEAD_REGISTER)); return;
    case 1: say(script, client, DEAD_START_GAME); return;
    case 2:
        if (client != inside->clients[seat] && one_in(moves, 2))
            say(script, client, DEAD_LEAVE);
        else
            say(script, client, 0)->kind = DEAD_NOISE;
        return;
    case 3: dead_invented(moves->dice, inside, &say(script, client, 0)->command); return;
    case 4: dead_nearly(moves->dice, inside, &say(script, client, 0)->command); return;
    case 5:
    case 6:
    case 9:
    case 10:
        dead_seldom_refused(moves->dice, inside, moves->refusals,
                            &say(script, inside->clients[seat], 0)->command);
        return;
    case 7:
    case 8: say_again(moves, script, inside->clients[seat]); return;
    default: break;
    }
    struct command command;
    if (!pick(moves, inside, seat, false, &command) || command.kind == DEAD_LEAVE)
        return;
    if (one_in(moves, 3))
        client = anybody(moves);
    if (client == inside->clients[seat])
        dead_bent(moves->dice, inside, &command);
    say(script, client, 0)->command = command;
}

/* Turns. */

/* First something in vain, which begins the wait anew; then nothing. */
static void be_silent(struct dead_moves *moves, const struct dead_inside *inside, uint32_t seat,
                      struct dead_script *script)
{
    moves->silences--;
    if (one_in(moves, 2)) {
        dead_script_add(script)->kind = DEAD_PAUSE;
        (void) say(script, inside->clients[seat], DEAD_START_GAME);
    }
    dead_script_add(script)->kind = DEAD_SILENCE;
    script->silences++;
}

static void add_step(struct dead_moves *moves, const struct dead_inside *inside,
                     struct dead_script *script)
{
    seat_mask asked = game_dead.to_act(inside->setup, inside->state);
    uint32_t  seat = (uint32_t) __builtin_ctz(asked);
    bool      is_ending = script->count >= moves->ends_after;
    uint32_t  phase = inside->state->phase;
    bool      may_be_silent = moves->silent_in == 0 || moves->silent_in == phase;
    if (moves->silences > 0 && may_be_silent && one_in(moves, phase == DEAD_TURN ? 25 : 3)) {
        be_silent(moves, inside, seat, script);
        return;
    }
    if (!is_ending && one_in(moves, phase == DEAD_PREPARATION ? 3 : moves->wrong_in)) {
        add_wrong(moves, inside, seat, script);
        return;
    }
    struct command command;
    if (pick(moves, inside, seat, is_ending, &command))
        say(script, inside->clients[seat], 0)->command = command;
}

void dead_moves_next(struct dead_moves *moves, const struct dead_inside *inside,
                     struct dead_script *script)
{
    if (inside->state == NULL && moves->silences > 0 && moves->breaks_off &&
        moves->registered > 0) {
        moves->silences--;
        dead_script_add(script)->kind = DEAD_SILENCE;
        script->silences++;
    } else if (inside->state == NULL) {
        go_on_registering(moves, inside, script);
    } else {
        add_step(moves, inside, script);
    }
}
