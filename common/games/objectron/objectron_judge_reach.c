/* objectron_judge_reach.c: what it costs to come from one square to all others, as a bot reckons.
 *
 * Costs are quarters of an action, so that a danger may weigh less than a step or as much as a
 * dozen. What stands in the way now may be gone when the player gets there: trails, players and
 * fields are dear, not walls. Active grenades are not looked at; nobody knows where they lie. */
#include <string.h>

#include "games/objectron/objectron_rules.h"

#define DARK_TOLL 8
#define TRAIL_TOLL 8
#define PLAYER_TOLL 6
#define FIELD_TOLL 7
#define LOST_FLAG_TOLL 160

static void raise_toll(struct objectron_terrain *terrain, int32_t square, uint8_t toll)
{
    if (square >= 0 && terrain->toll[square] != 0 &&
        terrain->toll[square] < OBJECTRON_STEP_COST + toll)
        terrain->toll[square] = OBJECTRON_STEP_COST + toll;
}

static void survey_squares(const struct objectron_state *state, struct objectron_terrain *terrain)
{
    const struct objectron_item *item = objectron_items(state);
    for (int32_t at = 0; at < objectron_squares(state); at++) {
        terrain->toll[at] = objectron_free(state, at) ? OBJECTRON_STEP_COST : 0;
        terrain->leads[at] = -1;
    }
    for (int32_t i = 0; i < state->items; i++)
        if (item[i].kind == OBJECTRON_TELEPORTER)
            terrain->leads[item[i].at] = item[item[i].dest].at;
}

static void survey_dangers(const struct objectron_state *state, struct objectron_terrain *terrain)
{
    const struct objectron_failure *failure = objectron_failures(state);
    const struct objectron_field   *field = objectron_fields(state);
    for (int32_t i = 0; i < state->failures; i++) {
        raise_toll(terrain, failure[i].primary, DARK_TOLL);
        raise_toll(terrain, failure[i].secondary, DARK_TOLL);
        raise_toll(terrain, failure[i].tertiary, DARK_TOLL);
    }
    for (int32_t i = 0; i < state->fields; i++)
        for (uint32_t k = 0; k < field[i].length; k++)
            raise_toll(terrain, objectron_field_square(&field[i], k), FIELD_TOLL);
}

/* Surveys the grid for a player on the way, who is not an obstacle to themselves. */
void objectron_survey(const struct objectron_state *state, uint32_t seat,
                      struct objectron_terrain *terrain)
{
    survey_squares(state, terrain);
    survey_dangers(state, terrain);
    for (uint32_t other = 0; other < (uint32_t) state->seats; other++) {
        const struct objectron_player *player = &state->player[other];
        if (player->alive && other != seat)
            raise_toll(terrain, player->at, PLAYER_TOLL);
        for (uint32_t i = 0; i < player->pieces; i++)
            raise_toll(terrain, player->trail[i].at, TRAIL_TOLL);
    }
    terrain->hop_toll = objectron_carried_flag(state, seat) >= 0 ? LOST_FLAG_TOLL : 0;
}

/* Squares whose neighbours are to be looked at (again), first in, first out; each is there once. */
struct queue {
    int32_t head, waiting, capacity;
    int16_t square[OBJECTRON_SQUARES_MAX];
    uint8_t waits[OBJECTRON_SQUARES_MAX];
};

static void enqueue(struct queue *queue, int32_t square)
{
    if (queue->waits[square])
        return;
    queue->waits[square] = 1;
    queue->square[(queue->head + queue->waiting++) % queue->capacity] = (int16_t) square;
}

static int32_t dequeue(struct queue *queue)
{
    int32_t square = queue->square[queue->head];
    queue->head = (queue->head + 1) % queue->capacity;
    queue->waiting--;
    queue->waits[square] = 0;
    return square;
}

/* A step to a square, and through its teleporter; a shorter way than was known is gone on from. */
static void try_step(const struct objectron_terrain *terrain, struct queue *queue, int32_t cost,
                     int32_t to, int32_t *costs)
{
    if (to < 0 || terrain->toll[to] == 0)
        return;
    cost += terrain->toll[to];
    if (terrain->leads[to] >= 0) {
        to = terrain->leads[to];
        cost += terrain->toll[to] - OBJECTRON_STEP_COST + terrain->hop_toll;
    }
    if (cost >= costs[to])
        return;
    costs[to] = cost;
    enqueue(queue, to);
}

/* Somebody comes to these squares by a step to `over`, which costs so much to the goal. */
static void try_back(const struct objectron_state *state, struct queue *queue, int32_t over,
                     int32_t cost, int32_t *costs)
{
    int32_t around[8];
    objectron_around(state, over, around);
    for (uint32_t dir = 0; dir < 8; dir++) {
        int32_t from = around[dir];
        if (from < 0 || cost >= costs[from])
            continue;
        costs[from] = cost;
        enqueue(queue, from);
    }
}

/* Teleporters by where they lead to: the first, and of each the next; -1: there is none. */
struct arrivals {
    int16_t first[OBJECTRON_SQUARES_MAX], next[OBJECTRON_SQUARES_MAX];
};

static void find_arrivals(const struct objectron_state   *state,
                          const struct objectron_terrain *terrain, struct arrivals *arrivals)
{
    memset(arrivals->first, 0xff, sizeof arrivals->first);
    for (int32_t at = 0; at < objectron_squares(state); at++) {
        int16_t end = terrain->leads[at];
        if (end < 0)
            continue;
        arrivals->next[at] = arrivals->first[end];
        arrivals->first[end] = (int16_t) at;
    }
}

/* Walls stand between two squares in both directions, so neighbours are neighbours' neighbours. */
void objectron_reach_back(const struct objectron_state   *state,
                          const struct objectron_terrain *terrain, const int32_t *goals,
                          int32_t count, int32_t *costs)
{
    struct queue    queue;
    struct arrivals arrivals;
    queue.head = queue.waiting = 0;
    queue.capacity = objectron_squares(state);
    memset(queue.waits, 0, sizeof queue.waits);
    find_arrivals(state, terrain, &arrivals);
    for (int32_t at = 0; at < queue.capacity; at++)
        costs[at] = OBJECTRON_FAR;
    for (int32_t i = 0; i < count; i++) {
        costs[goals[i]] = 0;
        enqueue(&queue, goals[i]);
    }
    while (queue.waiting > 0) {
        int32_t at = dequeue(&queue), hop = terrain->toll[at] - OBJECTRON_STEP_COST;
        if (terrain->toll[at] != 0 && terrain->leads[at] < 0)
            try_back(state, &queue, at, costs[at] + terrain->toll[at], costs);
        for (int32_t over = arrivals.first[at]; over >= 0; over = arrivals.next[over])
            if (terrain->toll[over] != 0)
                try_back(state, &queue, over,
                         costs[at] + terrain->toll[over] + hop + terrain->hop_toll, costs);
    }
}

void objectron_reach(const struct objectron_state *state, const struct objectron_terrain *terrain,
                     int32_t from, int32_t *costs)
{
    struct queue queue;
    queue.head = queue.waiting = 0;
    queue.capacity = objectron_squares(state);
    memset(queue.waits, 0, sizeof queue.waits);
    for (int32_t at = 0; at < queue.capacity; at++)
        costs[at] = OBJECTRON_FAR;
    costs[from] = 0;
    enqueue(&queue, from);
    while (queue.waiting > 0) {
        int32_t around[8], at = dequeue(&queue);
        objectron_around(state, at, around);
        for (uint32_t dir = 0; dir < 8; dir++)
            try_step(terrain, &queue, costs[at], around[dir], costs);
    }
}
