/* dead_wrongs_conform.c: see dead_wrongs_conform.h. */
#include "games/dead/conform/dead_wrongs_conform.h"

#include <stdlib.h>
#include <string.h>

#include "dice/draw.h"
#include "games/dead/dead.h"
#include "games/dead/dead_rules.h"

static bool one_in(struct dice *dice, uint32_t so_many)
{
    return draw_below(dice, so_many) == 0;
}

static word some_number(struct dice *dice, const struct dead_setup *setup)
{
    static const word few[] = { -1, 0, 1, 2, 3, 4, 999999 };
    switch (draw_below(dice, 4)) {
    case 0: return dead_card(setup, draw_below(dice, setup->cards.count))->id;
    case 1: return dead_character(setup, draw_below(dice, setup->characters.count))->id;
    case 2: return dead_location(setup, draw_below(dice, setup->locations.count))->id;
    default: return few[draw_below(dice, sizeof few / sizeof *few)];
    }
}

/* A number of the kind that stands there, but another. */
void dead_bent(struct dice *dice, const struct dead_inside *inside, struct command *command)
{
    uint32_t count = 0;
    while (count < COMMAND_ARGS_MAX && command->arg[count] != ABSENT)
        count++;
    if (count == 0)
        return;
    uint32_t at = draw_below(dice, count);
    bool     is_flag = command->kind == DEAD_MOVE && at == 2;
    word    *arg = &command->arg[at];
    uint32_t how = draw_below(dice, 4);
    if (command->kind == DEAD_VOTE)
        return;
    if (is_flag)
        *arg = !*arg;
    else if (how == 0 && *arg < INT32_MAX)
        *arg += one_in(dice, 2) ? 1 : -1;
    else if (how == 1 && dead_who(inside->setup, *arg) != DEAD_NONE)
        *arg = dead_character(inside->setup, draw_below(dice, inside->setup->characters.count))->id;
    else if (how == 2 && dead_card_index(inside->setup, *arg) != DEAD_NONE)
        *arg = dead_card(inside->setup, draw_below(dice, inside->setup->cards.count))->id;
    else
        *arg = some_number(dice, inside->setup);
}

/* A command with the arguments that its message has, and any numbers in them. */
void dead_invented(struct dice *dice, const struct dead_inside *inside, struct command *command)
{
    static const uint8_t args[DEAD_COMMAND_KINDS] = {
        [DEAD_SELECT_CHARACTERS] = 2,
        [DEAD_MOVE] = 2,
        [DEAD_BARRICADE] = 2,
        [DEAD_ATTACK] = 2,
        [DEAD_SEARCH] = 1,
        [DEAD_CLEAN_WASTE] = 1,
        [DEAD_CONTRIBUTE_CARD] = 1,
        [DEAD_USE_CARD] = 3,
        [DEAD_USE_ABILITY] = 2,
    };
    command->kind =
        DEAD_SELECT_CHARACTERS + draw_below(dice, DEAD_COMMAND_KINDS - DEAD_SELECT_CHARACTERS);
    if (command->kind == DEAD_LEAVE)
        command->kind = DEAD_SEARCH;
    uint32_t count = args[command->kind];
    if (command->kind == DEAD_USE_CARD && one_in(dice, 2))
        count = 1;
    if (command->kind == DEAD_USE_ABILITY && one_in(dice, 3))
        count = 1;
    for (uint32_t i = 0; i < count; i++)
        command->arg[i] = some_number(dice, inside->setup);
    if (command->kind == DEAD_MOVE && inside->setup->edition == DEAD_BASE)
        command->arg[2] = draw_below(dice, 2);
    if (command->kind == DEAD_VOTE)
        command->arg[0] = draw_below(dice, 2);
}

/* Nearly right: everything is there, and of the right kind. */

/* One of a set by the dice; DEAD_NONE if it is empty. */
static uint32_t one_of(struct dice *dice, const uint64_t *set, uint32_t words)
{
    uint32_t count = set_count(set, words), at = 0;
    if (count == 0)
        return DEAD_NONE;
    at = set_next(set, words, 0);
    for (uint32_t left = draw_below(dice, count); left > 0; left--)
        at = set_next(set, words, at + 1);
    return at;
}

static word some_entrance(struct dice *dice, const struct dead_inside *inside, uint32_t who)
{
    uint32_t place = dead_person(inside->state, who)->place;
    uint32_t entrances = dead_location(inside->setup, place)->entrances;
    if (one_in(dice, 10))
        return -1;
    return (word) draw_below(dice, entrances + one_in(dice, 6));
}

/* Somebody in play, mostly of the same place. */
static word some_person(struct dice *dice, const struct dead_inside *inside, uint32_t who)
{
    const struct dead_state *state = inside->state;
    uint32_t                 place = dead_person(state, who)->place;
    if (one_in(dice, 4))
        return dead_id_of(inside->setup, who);
    if (one_in(dice, 4))
        place = draw_below(dice, inside->setup->locations.count);
    uint32_t other = one_of(dice, dead_here(state, place), state->people_words);
    return dead_id_of(inside->setup, other != DEAD_NONE ? other : who);
}

static word some_place(struct dice *dice, const struct dead_inside *inside)
{
    return dead_location(inside->setup, draw_below(dice, inside->setup->locations.count))->id;
}

static void nearly_card(struct dice *dice, const struct dead_inside *inside, uint32_t who,
                        struct command *command)
{
    const struct dead_state *state = inside->state;
    uint32_t card = one_of(dice, dead_hand(state, state->on_turn), state->card_words);
    if (card == DEAD_NONE)
        return;
    uint32_t kind = dead_card(inside->setup, card)->kind;
    command->arg[0] = dead_card(inside->setup, card)->id;
    if (command->kind == DEAD_CONTRIBUTE_CARD || (kind <= DEAD_STUFF) != one_in(dice, 8))
        return;
    command->arg[1] = dead_id_of(inside->setup, who);
    if (kind == DEAD_LOCK || kind == DEAD_SCISSORS)
        command->arg[2] = some_entrance(dice, inside, who);
    else if (kind == DEAD_FUEL)
        command->arg[2] = some_place(dice, inside);
    else
        command->arg[2] = some_person(dice, inside, who);
}

static void nearly_ability(struct dice *dice, const struct dead_inside *inside, uint32_t who,
                           struct command *command)
{
    uint32_t ability = dead_character_of(inside->setup, who)->ability;
    command->arg[0] = dead_id_of(inside->setup, who);
    if ((ability == DEAD_ABILITY_FEED) != one_in(dice, 8))
        return;
    command->arg[1] = ability == DEAD_ABILITY_BARRICADE || ability == DEAD_ABILITY_KILL
                          ? some_entrance(dice, inside, who)
                          : some_person(dice, inside, who);
}

void dead_nearly(struct dice *dice, const struct dead_inside *inside, struct command *command)
{
    static const uint8_t     kinds[] = { DEAD_MOVE,       DEAD_BARRICADE,   DEAD_ATTACK,
                                         DEAD_SEARCH,     DEAD_CLEAN_WASTE, DEAD_CONTRIBUTE_CARD,
                                         DEAD_USE_CARD,   DEAD_USE_CARD,    DEAD_USE_ABILITY,
                                         DEAD_USE_ABILITY };
    const struct dead_state *state = inside->state;
    command->kind = DEAD_START_GAME;
    if (state->on_turn >= state->seats)
        return;
    uint32_t who = one_of(dice, dead_ours(state, state->on_turn), state->people_words);
    if (who == DEAD_NONE)
        return;
    if (!dead_person(state, who)->moved && dead_person(state, who)->ability_used == 0)
        who = one_of(dice, dead_ours(state, state->on_turn), state->people_words);
    command->kind = kinds[draw_below(dice, sizeof kinds)];
    if (command->kind == DEAD_USE_CARD || command->kind == DEAD_CONTRIBUTE_CARD) {
        nearly_card(dice, inside, who, command);
        return;
    }
    if (command->kind == DEAD_USE_ABILITY) {
        nearly_ability(dice, inside, who, command);
        return;
    }
    command->arg[0] = dead_id_of(inside->setup, who);
    if (command->kind == DEAD_MOVE)
        command->arg[1] = some_place(dice, inside);
    if (command->kind == DEAD_MOVE && inside->setup->edition == DEAD_BASE)
        command->arg[2] = draw_below(dice, 2);
    if (command->kind == DEAD_BARRICADE || command->kind == DEAD_ATTACK)
        command->arg[1] = some_entrance(dice, inside, who);
}

/* Seldom. */

#define LOOKS 24

/* What the rules say of it, asked of a copy. */
static verdict verdict_on(const struct dead_inside *inside, struct dead_state *copy, uint32_t seat,
                          const struct command *command, struct dice dice)
{
    struct sink nowhere = { .words = NULL };
    struct play play = { inside->setup, copy, &dice, &nowhere };
    memcpy(copy, inside->state, inside->state->bytes);
    return game_dead.apply(&play, seat, command);
}

/* A kind of command, with the kind of card or ability, and the reason. */
static uint16_t *times_of(const struct dead_inside *inside, struct dead_refusals *refusals,
                          const struct command *command, verdict refused)
{
    const struct dead_setup *setup = inside->setup;
    uint32_t                 what = 0;
    uint32_t                 card = dead_card_index(setup, command->arg[0]);
    uint32_t                 who = dead_who(setup, command->arg[0]);
    if (command->kind == DEAD_USE_CARD && card != DEAD_NONE)
        what = 1 + dead_card(setup, card)->kind;
    else if (who != DEAD_NONE)
        what = 1 + dead_character_of(setup, who)->ability;
    uint32_t key = ((setup->edition * 16 + command->kind) * 16 + what) * 48 + refused;
    return &refusals->times[key * 2654435769u >> 20];
}

void dead_seldom_refused(struct dice *dice, const struct dead_inside *inside,
                         struct dead_refusals *refusals, struct command *command)
{
    struct dead_state   *copy = malloc(inside->state->bytes);
    const struct command blank = *command;
    uint32_t             seat = inside->state->on_turn;
    uint16_t            *least = NULL;
    if (copy == NULL)
        abort();
    for (uint32_t i = 0; i < LOOKS && seat < inside->state->seats; i++) {
        struct command tried = blank;
        if (one_in(dice, 8))
            dead_invented(dice, inside, &tried);
        else
            dead_nearly(dice, inside, &tried);
        verdict   refused = verdict_on(inside, copy, seat, &tried, *dice);
        uint16_t *times = times_of(inside, refusals, &tried, refused);
        if (refused == ACCEPTED || (least != NULL && *times >= *least))
            continue;
        least = times;
        *command = tried;
    }
    if (least == NULL)
        command->kind = DEAD_START_GAME;
    else
        *least = (uint16_t) (*least + 1);
    free(copy);
}
