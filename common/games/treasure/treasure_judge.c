/* treasure_judge.c: how much a greedy player likes a step: the reference bot of the rules' section 12.
 *
 * It goes for what it knows: its treasure, then the enemy's castle. As long as it does not know, it
 * explores. It goes where each action of the way shows most of the fields that may hide what it
 * looks for. Nothing here looks at what the seat has not been told. */
#include <assert.h>
#include <string.h>

#include "games/treasure/treasure_rules.h"

#define FIELDS_MAX (2 * TREASURE_FIELDS_MAX)
#define FAR UINT32_MAX

/* Ways over land from one field (or, turned round, to one): what they cost, and over which neighbour. */
struct ways {
    uint32_t cost[FIELDS_MAX];
    uint16_t over[FIELDS_MAX];
};

struct mind {
    const struct treasure_setup *setup;
    const struct treasure_state *state;
    const struct treasure_seat  *own;
    uint32_t                     seat;
    int32_t                      columns, rows, fields;
    uint8_t                      terrain[FIELDS_MAX];
    uint8_t maybe[FIELDS_MAX]; /* What is looked for may be here.              */
};

static void know(struct mind *mind, const struct treasure_setup *setup,
                 const struct treasure_state *state, uint32_t seat)
{
    mind->setup = setup;
    mind->state = state;
    mind->own = &state->seat[seat];
    mind->seat = seat;
    mind->columns = treasure_columns(setup, state);
    mind->rows = treasure_rows(setup, state);
    mind->fields = mind->columns * mind->rows;
    for (int32_t y = 0; y < mind->rows; y++)
        for (int32_t x = 0; x < mind->columns; x++)
            mind->terrain[y * mind->columns + x] = (uint8_t) treasure_terrain(setup, state, x, y);
}

/* Actions a step takes: what its countdown begins with, down to 0. */
static uint32_t actions_of(const struct mind *mind, int32_t from, int32_t to)
{
    uint32_t cost = mind->setup->leave_cost[mind->terrain[from] == TREASURE_MOUNTAIN] +
                    mind->setup->enter_cost[mind->terrain[to]];
    return mind->setup->exact_cost ? cost : cost + 1;
}

/* A neighbour of a field; TREASURE_NOWHERE: it lies outside or is water. */
static int32_t beside(const struct mind *mind, int32_t field, word direction)
{
    int32_t x = field % mind->columns, y = field / mind->columns;
    x += direction == TREASURE_TO_RIGHT ? 1 : direction == TREASURE_TO_LEFT ? -1 : 0;
    y += direction == TREASURE_DOWN ? 1 : direction == TREASURE_UP ? -1 : 0;
    if (x < 0 || y < 0 || x >= mind->columns || y >= mind->rows ||
        mind->terrain[y * mind->columns + x] == TREASURE_WATER)
        return TREASURE_NOWHERE;
    return y * mind->columns + x;
}

/* Whether a field is reached more cheaply over one of its neighbours than it was. */
static bool shorten(const struct mind *mind, struct ways *ways, int32_t field, bool backwards)
{
    bool shorter = false;
    for (word direction = TREASURE_UP; direction <= TREASURE_TO_RIGHT; direction++) {
        int32_t over = beside(mind, field, direction);
        if (over == TREASURE_NOWHERE || ways->cost[over] == FAR)
            continue;
        uint32_t step = backwards ? actions_of(mind, field, over) : actions_of(mind, over, field);
        if (ways->cost[over] + step >= ways->cost[field])
            continue;
        ways->cost[field] = ways->cost[over] + step;
        ways->over[field] = (uint16_t) over;
        shorter = true;
    }
    return shorter;
}

/* Sweeps to and fro until nothing gets shorter: a map is small, and a queue would be longer than this. */
static void find_ways(const struct mind *mind, struct ways *ways, int32_t from, bool backwards)
{
    bool shorter = true;
    for (int32_t i = 0; i < mind->fields; i++) {
        ways->cost[i] = FAR;
        ways->over[i] = 0;
    }
    ways->cost[from] = 0;
    while (shorter) {
        shorter = false;
        for (int32_t i = 0; i < mind->fields; i++)
            if (mind->terrain[i] != TREASURE_WATER && shorten(mind, ways, i, backwards))
                shorter = true;
        for (int32_t i = mind->fields; i-- > 0;)
            if (mind->terrain[i] != TREASURE_WATER && shorten(mind, ways, i, backwards))
                shorter = true;
    }
}

/* Grass of a seat's half that the player has not explored, but for the own castle. */
static void suspect_half(struct mind *mind, uint32_t owner)
{
    const uint8_t *explored = treasure_explored(mind->setup, mind->state, mind->seat);
    int32_t        left, top;
    treasure_origin(mind->setup, mind->state, owner, &left, &top);
    int32_t right = left + (int32_t) mind->setup->width;
    int32_t bottom = top + (int32_t) mind->setup->height;
    for (int32_t i = 0; i < mind->fields; i++) {
        int32_t x = i % mind->columns, y = i / mind->columns;
        mind->maybe[i] = x >= left && x < right && y >= top && y < bottom &&
                         mind->terrain[i] == TREASURE_GRASS && !explored[i];
    }
}

/* The enemy began on the enemy castle. So the castle is nowhere from where the enemy could not have
 * come to the field of the first sight. All actions of the game until then are counted, as the
 * figures of section 12 do. The enemy's own are only every second one. Counting those alone would
 * leave less, and matches would be 5 % shorter than those figures. */
static void exclude_unreachable(struct mind *mind, struct ways *ways)
{
    const struct treasure_seat *enemy = &mind->state->seat[1 - mind->seat];
    bool                        some = false;
    if (!enemy->shown)
        return;
    find_ways(mind, ways, enemy->shown_y * mind->columns + enemy->shown_x, true);
    for (int32_t i = 0; i < mind->fields; i++)
        some = some || (mind->maybe[i] && ways->cost[i] <= (uint32_t) enemy->shown_after);
    for (int32_t i = 0; some && i < mind->fields; i++)
        mind->maybe[i] = mind->maybe[i] && ways->cost[i] <= (uint32_t) enemy->shown_after;
}

/* Counts what entering one field would reveal and was not counted on this way yet. */
static uint32_t count_seen(const struct mind *mind, int32_t field, uint16_t *seen, uint16_t way)
{
    int32_t  radius = 0;
    uint32_t count = 0;
    if (mind->terrain[field] == TREASURE_MOUNTAIN)
        radius = (int32_t) mind->setup->mountain_radius;
    int32_t x = field % mind->columns, y = field / mind->columns;
    for (int32_t row = y - radius; row <= y + radius; row++)
        for (int32_t column = x - radius; column <= x + radius; column++) {
            int32_t at = row * mind->columns + column;
            if (row < 0 || column < 0 || row >= mind->rows || column >= mind->columns ||
                !mind->maybe[at] || seen[at] == way)
                continue;
            seen[at] = way;
            count++;
        }
    return count;
}

static uint32_t gain_of(const struct mind *mind, const struct ways *ways, int32_t field,
                        uint16_t *seen)
{
    uint16_t way = (uint16_t) (field + 1);
    uint32_t gain = 0;
    for (int32_t at = field; ways->cost[at] > 0; at = ways->over[at])
        gain += count_seen(mind, at, seen, way);
    return gain;
}

/* Most fields an action, then the cheaper way, then what is read first: further up, further left. */
static int32_t most_promising(const struct mind *mind, const struct ways *ways)
{
    uint16_t seen[FIELDS_MAX] = { 0 };
    int32_t  best = TREASURE_NOWHERE;
    uint64_t best_gain = 0, best_cost = 1;
    for (int32_t i = 0; i < mind->fields; i++) {
        if (ways->cost[i] == FAR || ways->cost[i] == 0)
            continue;
        uint64_t gain = gain_of(mind, ways, i, seen), cost = ways->cost[i];
        uint64_t this_way = gain * best_cost, that_way = best_gain * cost;
        if (this_way < that_way ||
            (this_way == that_way && (best == TREASURE_NOWHERE || cost >= best_cost)))
            continue;
        best = i;
        best_gain = gain;
        best_cost = cost;
    }
    return best;
}

/* The field to go to; TREASURE_NOWHERE: there is no reason to go anywhere. Leaves the ways there. */
static int32_t choose_field(struct mind *mind, struct ways *ways)
{
    const struct treasure_seat *own = mind->own, *enemy = &mind->state->seat[1 - mind->seat];
    int32_t                     here = own->y * mind->columns + own->x;
    bool                        knows = own->treasure ? own->castle_seen : own->treasure_seen;
    if (!knows) {
        suspect_half(mind, own->treasure ? 1 - mind->seat : mind->seat);
        if (own->treasure)
            exclude_unreachable(mind, ways);
    }
    find_ways(mind, ways, here, false);
    if (!knows)
        return most_promising(mind, ways);
    return own->treasure ? enemy->castle_y * mind->columns + enemy->castle_x
                         : own->treasure_y * mind->columns + own->treasure_x;
}

/* The neighbouring field that the player wants to enter next. */
static int32_t choose_step(struct mind *mind, struct ways *ways)
{
    const struct treasure_seat *own = mind->own;
    if (own->pending.running)
        return own->pending.y * mind->columns + own->pending.x;
    int32_t here = own->y * mind->columns + own->x, at = choose_field(mind, ways);
    while (at != TREASURE_NOWHERE && at != here && ways->over[at] != here)
        at = ways->over[at];
    return at;
}

/* What all directions have in common: which field is wanted next. */
struct opinion {
    int32_t wanted[TREASURE_TO_RIGHT + 1]; /* By direction: whether it leads there.           */
};

void treasure_consider(const void *setup, const void *state, uint32_t seat, void *memory)
{
    struct opinion *opinion = memory;
    struct mind     mind;
    struct ways     ways;
    memset(opinion, 0, sizeof *opinion);
    if (((const struct treasure_state *) state)->phase != TREASURE_MOVES)
        return;
    know(&mind, setup, state, seat);
    int32_t here = mind.own->y * mind.columns + mind.own->x, next = choose_step(&mind, &ways);
    for (word direction = TREASURE_UP; direction <= TREASURE_TO_RIGHT; direction++) {
        int32_t field = beside(&mind, here, direction);
        opinion->wanted[direction] = field != TREASURE_NOWHERE && field == next;
    }
}

int64_t treasure_like(void *memory, const struct command *command)
{
    const struct opinion *opinion = memory;
    bool is_step = command->kind == TREASURE_STEP && command->arg[1] >= TREASURE_UP &&
                   command->arg[1] <= TREASURE_TO_RIGHT;
    return is_step ? opinion->wanted[command->arg[1]] : 0;
}

static_assert(sizeof(struct opinion) <= TREASURE_OPINION_BYTES, "there is room for it");

int64_t treasure_judge_step(const void *setup, const void *state, uint32_t seat,
                            const struct command *command)
{
    const struct treasure_state *now = state;
    struct mind                  mind;
    struct ways                  ways;
    if (seat >= TREASURE_SEATS || now->phase != TREASURE_MOVES || command->kind != TREASURE_STEP)
        return 0;
    know(&mind, setup, now, seat);
    int32_t here = mind.own->y * mind.columns + mind.own->x;
    int32_t wanted = beside(&mind, here, command->arg[1]);
    return wanted != TREASURE_NOWHERE && wanted == choose_step(&mind, &ways);
}
