/* dead_colony.c: the colony phase: eating, waste, the crisis, the zombies, and whether the goal is
 * reached. Every step may end the game, and then nothing follows. */
#include "games/dead/dead_rules.h"

/* Half of everybody in the colony, rounded up: so many want to eat, so many zombies smell them. */
static uint32_t half_of_colony(const struct dead *dead)
{
    const struct dead_state *state = dead->state;
    uint32_t people = set_count(dead_here(state, dead->setup->colony), state->people_words);
    return (people + state->children + 1) / 2;
}

static void eat(struct dead *dead)
{
    struct dead_state *state = dead->state;
    uint32_t           need = half_of_colony(dead);
    if (need > 0 && state->food >= need) {
        state->food -= need;
        SAY(dead, DEAD_FOOD_CHANGED, -(word) need, DEAD_FOOD_CONSUMED);
    } else if (need > 0) {
        state->hunger++;
        SAY_BARE(dead, DEAD_STARVATION_TOKEN_ADDED);
    }
    if (state->hunger > 0)
        dead_moral(dead, -(int32_t) state->hunger, DEAD_MORAL_STARVATION_TOKEN);
}

static void smell_waste(struct dead *dead)
{
    int32_t tens = (int32_t) (dead->state->waste / 10);
    if (tens > 0)
        dead_moral(dead, -tens, DEAD_MORAL_WASTE);
}

static void judge_crisis(struct dead *dead)
{
    const struct dead_state  *state = dead->state;
    uint32_t                  index = dead_u16(state, state->at.crises)[state->round - 1];
    const struct dead_crisis *crisis = dead_crisis(dead->setup, index);
    if (state->contributed < crisis->required)
        dead_moral(dead, -(int32_t) crisis->moral_loss, DEAD_MORAL_CRISIS);
    else if (state->contributed >= crisis->required + 2)
        dead_moral(dead, 1, DEAD_MORAL_CRISIS);
}

/* A zombie for whom there is no room kills: in the colony a child, else the weakest of the place. */
static void kill_somebody(struct dead *dead, uint32_t place)
{
    uint32_t weakest = set_next(dead_here(dead->state, place), dead->state->people_words, 0);
    if (place == dead->setup->colony && dead->state->children > 0)
        dead_kill_child(dead, DEAD_CHILD_KILLED);
    else if (weakest != DEAD_NONE)
        dead_die_of(dead, weakest, DEAD_SURVIVOR_KILLED);
}

/* Strictly per entrance: a free place at another one does not help. */
static void spawn_zombie(struct dead *dead, uint32_t place, uint32_t entrance)
{
    const struct dead_location *location = dead_location(dead->setup, place);
    uint8_t                    *zombies = dead_zombies(dead->state, location) + entrance;
    uint8_t                    *barricades = dead_barricades(dead->state, location) + entrance;
    if (*zombies + *barricades < (int) DEAD_PLACES) {
        ++*zombies;
        SAY(dead, DEAD_ZOMBIE_SPAWNED, location->id, entrance);
    } else if (*barricades > 0) {
        --*barricades;
        SAY(dead, DEAD_BARRICADE_DESTROYED, location->id, entrance);
    } else {
        kill_somebody(dead, place);
    }
}

void dead_spawn_zombies(struct dead *dead, uint32_t place, uint32_t count)
{
    uint32_t entrances = dead_location(dead->setup, place)->entrances;
    for (uint32_t i = 0; i < count && !dead_is_over(dead); i++)
        spawn_zombie(dead, place, i % entrances);
}

/* The count of a location is taken when its turn comes: a newcomer in the colony was not counted. */
static void zombies_come(struct dead *dead)
{
    const struct dead_state *state = dead->state;
    dead_spawn_zombies(dead, dead->setup->colony, half_of_colony(dead));
    for (uint32_t place = 0; place < dead->setup->locations.count && !dead_is_over(dead); place++)
        if (place != dead->setup->colony)
            dead_spawn_zombies(dead, place,
                               set_count(dead_here(state, place), state->people_words));
}

static int32_t count_barricades(const struct dead *dead)
{
    const uint8_t *barricades = dead_array(dead->state, dead->state->at.barricades);
    int32_t        count = 0;
    for (uint32_t i = 0; i < dead->setup->entrances; i++)
        count += barricades[i];
    return count;
}

static bool has_zombies(const struct dead *dead, const struct dead_location *location)
{
    const uint8_t *zombies = dead_zombies(dead->state, location);
    for (uint32_t i = 0; i < location->entrances; i++)
        if (zombies[i] > 0)
            return true;
    return false;
}

static int32_t count_overrun(const struct dead *dead)
{
    int32_t count = 0;
    for (uint32_t place = 0; place < dead->setup->locations.count; place++)
        count += has_zombies(dead, dead_location(dead->setup, place));
    return count;
}

static bool goal_is_reached(const struct dead *dead, bool last_round)
{
    switch (dead->setup->goal) {
    case DEAD_BARRICADES: return count_barricades(dead) >= dead->setup->goal_amount;
    case DEAD_LOCATIONS_WITH_ZOMBIES: return count_overrun(dead) <= dead->setup->goal_amount;
    default: return last_round; /* Survive. */
    }
}

/* The goal first, then the end of the rounds: the last round can still be won. */
static void judge_goal(struct dead *dead)
{
    bool last_round = dead->state->round == dead->setup->rounds;
    bool won = goal_is_reached(dead, last_round);
    if (won || last_round)
        dead_end(dead, won);
}

void dead_colony_phase(struct dead *dead)
{
    static void (*const steps[])(struct dead *) = { eat, smell_waste, judge_crisis, zombies_come,
                                                    judge_goal };
    SAY_BARE(dead, DEAD_COLONY_PHASE_STARTED);
    for (uint32_t i = 0; i < sizeof steps / sizeof *steps && !dead_is_over(dead); i++)
        steps[i](dead);
}
