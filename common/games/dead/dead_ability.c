/* dead_ability.c: what each survivor is good at, where it takes a command to use it. */
#include "games/dead/dead_rules.h"

static verdict feed(struct dead *dead, uint32_t who, word target)
{
    const struct dead_character *character = dead_character_of(dead->setup, who);
    struct dead_person          *person = dead_person(dead->state, who);
    if (target != ABSENT)
        return DEAD_NO_TARGET_TAKEN;
    if (person->ability_used > 0)
        return DEAD_NO_USED_UP;
    person->ability_used++;
    dead->state->food += character->amount;
    SAY(dead, DEAD_ABILITY_USED, character->id, ABSENT);
    if (dead_is_base(dead)) /* "FoodChanged reports every change"; the later editions do not. */
        SAY(dead, DEAD_FOOD_CHANGED, character->amount, DEAD_FOOD_ADDED);
    return ACCEPTED;
}

/* Base heals "another survivor"; the later editions also oneself. */
static verdict heal(struct dead *dead, uint32_t who, word target)
{
    struct dead_person *person = dead_person(dead->state, who);
    uint32_t            patient;
    if (person->ability_used > 0)
        return DEAD_NO_USED_UP;
    verdict refused = dead_find_patient(dead, who, target, &patient);
    if (refused)
        return refused;
    if (dead_is_base(dead) && patient == who)
        return DEAD_NO_ONESELF;
    if (!dead_is_hurt(dead->state, patient))
        return DEAD_NO_UNHURT;
    person->ability_used++;
    dead_heal(dead, patient);
    SAY(dead, DEAD_ABILITY_USED, dead_id_of(dead->setup, who), target);
    return ACCEPTED;
}

static verdict barricade(struct dead *dead, uint32_t who, word target)
{
    const struct dead_character *character = dead_character_of(dead->setup, who);
    struct dead_person          *person = dead_person(dead->state, who);
    if (person->ability_used >= character->activations_max)
        return DEAD_NO_USED_UP;
    verdict refused = dead_find_entrance(dead, who, target);
    if (refused)
        return refused;
    if (dead_free_places(dead, who, target) == 0)
        return DEAD_NO_FREE_PLACE;
    uint8_t *barricades = dead_barricades(dead->state, dead_place_of(dead, who)) + target;
    person->ability_used++;
    for (uint32_t i = 0; i < character->amount && dead_free_places(dead, who, target) > 0; i++)
        ++*barricades;
    SAY(dead, DEAD_ABILITY_USED, character->id, target);
    dead_tempt_fate(dead, DEAD_ON_BARRICADED, person->place);
    return ACCEPTED;
}

/* Whether the survivor may kill this way at all now, whatever the entrance. */
verdict dead_may_kill(const struct dead_setup *setup, const struct dead_state *state, uint32_t who,
                      uint32_t *die)
{
    const struct dead_character *character = dead_character_of(setup, who);
    const struct dead_person    *person = dead_person(state, who);
    *die = 0;
    if (person->ability_used >= character->activations_max)
        return DEAD_NO_USED_UP;
    if (person->place != character->location)
        return DEAD_NO_ELSEWHERE;
    if (character->children && state->children == 0)
        return DEAD_NO_CHILDREN;
    if (character->die_value <= 0)
        return ACCEPTED; /* No die is needed, and none spent. */
    *die = dead_die(state, person->owner, (uint32_t) character->die_value);
    return *die == 0 ? DEAD_NO_DIE : ACCEPTED;
}

static verdict kill(struct dead *dead, uint32_t who, word target)
{
    const struct dead_character *character = dead_character_of(dead->setup, who);
    uint32_t                     die;
    verdict                      refused = dead_may_kill(dead->setup, dead->state, who, &die);
    if (!refused)
        refused = dead_find_entrance(dead, who, target);
    if (refused)
        return refused;
    uint32_t zombies = dead_zombies(dead->state, dead_place_of(dead, who))[target];
    if (zombies == 0)
        return DEAD_NO_ZOMBIE;
    if (die > 0)
        dead_spend_die(dead, die);
    dead_person(dead->state, who)->ability_used++;
    SAY(dead, DEAD_ABILITY_USED, character->id, target);
    for (uint32_t i = 0; i < zombies && i < character->amount; i++)
        dead_kill_zombie(dead, who, target);
    if (character->infection_die)
        dead_infect(dead, who);
    return ACCEPTED;
}

verdict dead_use_ability(struct dead *dead, const struct command *command)
{
    uint32_t who;
    word     target = command->arg[1];
    verdict  refused = dead_find_own(dead, command->arg[0], &who);
    if (refused)
        return refused;
    switch (dead_character_of(dead->setup, who)->ability) {
    case DEAD_ABILITY_FEED: return feed(dead, who, target);
    case DEAD_ABILITY_HEAL: return heal(dead, who, target);
    case DEAD_ABILITY_BARRICADE: return barricade(dead, who, target);
    case DEAD_ABILITY_KILL: return kill(dead, who, target);
    default: return DEAD_NO_PASSIVE;
    }
}
