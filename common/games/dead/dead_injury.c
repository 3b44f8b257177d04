/* dead_injury.c: morale, the infection die, injuries, deaths, and the infection that spreads. */
#include "dice/draw.h"
#include "games/dead/dead_rules.h"

#define NOTHING 3 /* Beside enum dead_injury: the die shows nothing. */

void dead_end(struct dead *dead, bool won)
{
    dead->state->phase = DEAD_OVER;
    dead->state->won = won;
    SAY(dead, DEAD_GAME_END, won);
}

void dead_moral(struct dead *dead, int32_t amount, enum dead_moral_reason reason)
{
    dead->state->moral += amount;
    SAY(dead, DEAD_MORAL_CHANGED, amount, reason);
    if (dead->state->moral <= 0)
        dead_end(dead, false);
}

/* Twelve sides: six show nothing, three a wound, two a frostbite, one a bite. */
static uint32_t roll_infection(const struct dead *dead)
{
    static const uint8_t sides[] = { NOTHING,    NOTHING,        NOTHING,        NOTHING,
                                     NOTHING,    NOTHING,        DEAD_WOUND,     DEAD_WOUND,
                                     DEAD_WOUND, DEAD_FROSTBITE, DEAD_FROSTBITE, DEAD_BITE };
    return sides[draw_below(dead->dice, sizeof sides)];
}

void dead_die_of(struct dead *dead, uint32_t who, uint32_t kind)
{
    struct dead_state *state = dead->state;
    uint32_t           seat = dead_person(state, who)->owner;
    if (kind != 0)
        SAY(dead, kind, dead_id_of(dead->setup, who));
    dead_remove(dead, who);
    dead_moral(dead, -1, DEAD_MORAL_CHARACTER_DIED);
    if (!dead_is_over(dead) && set_empty(dead_ours(state, seat), state->people_words))
        dead_replace(dead, seat);
}

void dead_kill_child(struct dead *dead, enum dead_event_kind kind)
{
    dead->state->children--;
    if (kind == DEAD_BITTEN)
        SAY(dead, DEAD_BITTEN, ABSENT);
    else
        SAY_BARE(dead, DEAD_CHILD_KILLED);
    dead_moral(dead, -1, DEAD_MORAL_CHARACTER_DIED);
}

/* The third injury kills, whatever it was. The text of base knows the event for zombies only. */
static void die_if_deadly(struct dead *dead, uint32_t who)
{
    const struct dead_person *person = dead_person(dead->state, who);
    if (person->wounds + person->frostbites >= DEAD_INJURIES_DEADLY)
        dead_die_of(dead, who, dead_is_base(dead) ? 0 : DEAD_SURVIVOR_KILLED);
}

void dead_wound(struct dead *dead, uint32_t who)
{
    dead_person(dead->state, who)->wounds++;
    SAY(dead, DEAD_WOUNDED, dead_id_of(dead->setup, who));
    die_if_deadly(dead, who);
}

static void freeze(struct dead *dead, uint32_t who)
{
    dead_person(dead->state, who)->frostbites++;
    SAY(dead, DEAD_FROSTBITTEN, dead_id_of(dead->setup, who));
    die_if_deadly(dead, who);
}

/* One step of the spread: the children first, in the colony, then the weakest. False: it has stopped.
 * One who joins the colony because another died may be bitten next. */
static bool spread_once(struct dead *dead, uint32_t place)
{
    struct dead_state *state = dead->state;
    bool               child = place == dead->setup->colony && state->children > 0;
    uint32_t           weakest = set_next(dead_here(state, place), state->people_words, 0);
    if ((!child && weakest == DEAD_NONE) || roll_infection(dead) == NOTHING)
        return false;
    if (child)
        dead_kill_child(dead, DEAD_BITTEN);
    else
        dead_die_of(dead, weakest, DEAD_BITTEN);
    return !dead_is_over(dead);
}

static void bite(struct dead *dead, uint32_t who)
{
    uint32_t place = dead_person(dead->state, who)->place;
    dead_die_of(dead, who, DEAD_BITTEN);
    bool spreads = !dead_is_over(dead);
    while (spreads)
        spreads = spread_once(dead, place);
}

static void suffer(struct dead *dead, uint32_t who, uint32_t injury)
{
    switch (injury) {
    case DEAD_WOUND: dead_wound(dead, who); break;
    case DEAD_FROSTBITE: freeze(dead, who); break;
    case DEAD_BITE: bite(dead, who); break;
    default: break; /* Nothing. */
    }
}

void dead_infect(struct dead *dead, uint32_t who)
{
    suffer(dead, who, roll_infection(dead));
}

/* On the way boots help first, against frost only; what they do not help against is left to the
 * ability. The die is rolled even where its result cannot matter. */
void dead_infect_mover(struct dead *dead, uint32_t who)
{
    const struct dead_character *character = dead_character_of(dead->setup, who);
    uint32_t                     injury = roll_infection(dead);
    if (injury == DEAD_FROSTBITE &&
        dead_tool(dead->setup, dead->state, who, DEAD_SNOW_BOOTS, DEAD_NONE) != DEAD_NONE)
        injury = DEAD_WOUND;
    else if (character->ability == DEAD_ABILITY_WOUND && injury == character->before)
        injury = character->after;
    suffer(dead, who, injury);
}
