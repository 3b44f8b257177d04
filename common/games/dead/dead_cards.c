/* dead_cards.c: cards of the hand: put towards the crisis, or played. */
#include "dice/draw.h"
#include "games/dead/dead_rules.h"

/* A card leaves the hand and the game. */
void dead_discard(struct dead *dead, uint32_t card)
{
    set_take(dead_hand(dead->state, dead->state->on_turn), card);
    set_put(dead_u64(dead->state, dead->state->at.gone), card);
}

static verdict find_card(const struct dead *dead, word id, uint32_t *card)
{
    *card = dead_card_index(dead->setup, id);
    if (*card == DEAD_NONE || !set_has(dead_hand(dead->state, dead->state->on_turn), *card))
        return DEAD_NO_NOT_IN_HAND;
    return ACCEPTED;
}

verdict dead_contribute(struct dead *dead, const struct command *command)
{
    struct dead_state *state = dead->state;
    uint32_t           card;
    verdict            refused = find_card(dead, command->arg[0], &card);
    if (refused)
        return refused;
    uint32_t crisis = dead_u16(state, state->at.crises)[state->round - 1];
    if (dead_helps(dead_card(dead->setup, card)->kind) != dead_crisis(dead->setup, crisis)->kind)
        return DEAD_NO_WRONG_CARD;
    dead_discard(dead, card);
    state->contributed++;
    SAY(dead, DEAD_CONTRIBUTED, state->on_turn, command->arg[0]);
    return ACCEPTED;
}

static void eat(struct dead *dead, const struct dead_card *card)
{
    SAY(dead, DEAD_CARD_USED, card->id, ABSENT, ABSENT);
    dead_add_waste(dead, 1);
    dead->state->food += card->amount;
    SAY(dead, DEAD_FOOD_CHANGED, card->amount, DEAD_FOOD_ADDED);
}

/* The smallest die is rolled again. */
static void roll_again(struct dead *dead, const struct dead_card *card, uint32_t die)
{
    uint32_t seat = dead->state->on_turn;
    uint32_t side = draw_below(dead->dice, 6);
    dead_spend_die(dead, die);
    dead_seat(dead->state, seat)->dice[side]++;
    SAY(dead, DEAD_CARD_USED, card->id, ABSENT, ABSENT);
    dead_add_waste(dead, 1);
    SAY(dead, DEAD_DIE_ROLLED, seat, side + 1);
}

static verdict use_alone(struct dead *dead, uint32_t card)
{
    const struct dead_card *played = dead_card(dead->setup, card);
    uint32_t                die = dead_die(dead->state, dead->state->on_turn, 1);
    if (played->kind > DEAD_STUFF)
        return DEAD_NO_TARGET_NEEDED;
    if (played->kind == DEAD_STUFF && die == 0)
        return DEAD_NO_DIE;
    dead_discard(dead, card);
    if (played->kind == DEAD_FOOD)
        eat(dead, played);
    else
        roll_again(dead, played, die);
    return ACCEPTED;
}

/* A card used by a survivor on a target: judged by its kind, then carried out by its kind. */
struct use {
    uint32_t card;
    uint32_t who;    /* Who uses it.                                           */
    word     target; /* As the command says.                                   */
    uint32_t found;  /* The target's index, where it is a place or a survivor. */
};

static void say_used(struct dead *dead, const struct use *use, bool waste)
{
    SAY(dead, DEAD_CARD_USED, dead_card(dead->setup, use->card)->id,
        dead_id_of(dead->setup, use->who), use->target);
    if (waste)
        dead_add_waste(dead, 1);
}

static verdict use_lock(struct dead *dead, struct use *use)
{
    verdict refused = dead_find_entrance(dead, use->who, use->target);
    if (refused)
        return refused;
    if (dead_free_places(dead, use->who, use->target) == 0)
        return DEAD_NO_FREE_PLACE;
    dead_discard(dead, use->card);
    dead_barricades(dead->state, dead_place_of(dead, use->who))[use->target]++;
    say_used(dead, use, true);
    dead_tempt_fate(dead, DEAD_ON_BARRICADED, dead_person(dead->state, use->who)->place);
    return ACCEPTED;
}

static verdict use_scissors(struct dead *dead, struct use *use)
{
    verdict refused = dead_find_entrance(dead, use->who, use->target);
    if (refused)
        return refused;
    if (dead_zombies(dead->state, dead_place_of(dead, use->who))[use->target] == 0)
        return DEAD_NO_ZOMBIE;
    dead_discard(dead, use->card);
    say_used(dead, use, true);
    dead_kill_zombie(dead, use->who, use->target);
    return ACCEPTED;
}

verdict dead_find_patient(const struct dead *dead, uint32_t who, word id, uint32_t *patient)
{
    *patient = dead_who(dead->setup, id);
    if (*patient == DEAD_NONE)
        return DEAD_NO_NOBODY_THERE;
    uint32_t place = dead_person(dead->state, who)->place;
    return set_has(dead_here(dead->state, place), *patient) ? ACCEPTED : DEAD_NO_NOBODY_THERE;
}

void dead_heal(struct dead *dead, uint32_t patient)
{
    struct dead_person *person = dead_person(dead->state, patient);
    if (person->frostbites > 0)
        person->frostbites--;
    else
        person->wounds--;
}

static verdict use_medicine(struct dead *dead, struct use *use)
{
    verdict refused = dead_find_patient(dead, use->who, use->target, &use->found);
    if (refused)
        return refused;
    if (!dead_is_hurt(dead->state, use->found))
        return DEAD_NO_UNHURT;
    dead_discard(dead, use->card);
    say_used(dead, use, true);
    dead_heal(dead, use->found);
    return ACCEPTED;
}

/* In base fuel is a flag of the move, and no card to be played. */
static verdict use_fuel(struct dead *dead, struct use *use)
{
    if (dead_is_base(dead))
        return DEAD_NO_WRONG_CARD;
    verdict refused = dead_may_move(dead, use->who, use->target, &use->found);
    if (refused)
        return refused;
    dead_discard(dead, use->card);
    dead_walk(dead, use->who, use->found);
    say_used(dead, use, true);
    dead_tempt_fate(dead, DEAD_ON_MOVED, use->found);
    return ACCEPTED;
}

/* The newest piece comes first in the row. Base knows equipment only as stuff for a crisis. */
static verdict use_equipment(struct dead *dead, struct use *use)
{
    if (dead_is_base(dead))
        return DEAD_NO_WRONG_CARD;
    verdict refused = dead_find_patient(dead, use->who, use->target, &use->found);
    if (refused)
        return refused;
    struct dead_state  *state = dead->state;
    struct dead_person *wearer = dead_person(state, use->found);
    set_take(dead_hand(state, state->on_turn), use->card);
    set_put(dead_u64(state, state->at.worn), use->card);
    dead_u16(state, state->at.next)[use->card] = wearer->equipment;
    wearer->equipment = (uint16_t) use->card;
    say_used(dead, use, false);
    dead_tempt_fate(dead, DEAD_ON_EQUIP, DEAD_NONE);
    return ACCEPTED;
}

verdict dead_use_card(struct dead *dead, const struct command *command)
{
    struct use use = { .target = command->arg[2] };
    verdict    refused = find_card(dead, command->arg[0], &use.card);
    if (refused)
        return refused;
    if (command->arg[1] == ABSENT && command->arg[2] == ABSENT)
        return use_alone(dead, use.card);
    refused = dead_find_own(dead, command->arg[1], &use.who);
    if (refused)
        return refused;
    switch (dead_card(dead->setup, use.card)->kind) {
    case DEAD_FOOD: return DEAD_NO_TARGET_TAKEN;
    case DEAD_STUFF: return DEAD_NO_TARGET_TAKEN;
    case DEAD_LOCK: return use_lock(dead, &use);
    case DEAD_SCISSORS: return use_scissors(dead, &use);
    case DEAD_MEDICINE: return use_medicine(dead, &use);
    case DEAD_FUEL: return use_fuel(dead, &use);
    default: return use_equipment(dead, &use);
    }
}
