/* objectron_layout.c: fills the state of a match before its first turn. */
#include <assert.h>

#include <string.h>

#include "games/objectron/objectron_rules.h"

/* Equal states are equal bytes: no struct has holes. */
static_assert(sizeof(struct objectron_setup) ==
                  136 + 4 * (2 + OBJECTRON_LAID_MAX * 5 + (OBJECTRON_PLAYERS_MAX + 1) * 11),
              "holes in objectron_setup");
static_assert(sizeof(struct objectron_placement) == 32, "holes in objectron_placement");
static_assert(sizeof(struct objectron_player) == 72, "holes in objectron_player");
static_assert(sizeof(struct objectron_item) == 20, "holes in objectron_item");
static_assert(sizeof(struct objectron_failure) == 20, "holes in objectron_failure");
static_assert(sizeof(struct objectron_field) == 16, "holes in objectron_field");
static_assert(sizeof(struct objectron_state) == 28 * 4 + OBJECTRON_PLAYERS_MAX * 72,
              "holes in objectron_state");

static void lay_arrays(const struct objectron_setup *setup, struct objectron_state *state)
{
    state->failures_most = setup->failures_most;
    state->fields_most = setup->fields_most;
    state->items_at = (int32_t) sizeof *state;
    state->failures_at =
        state->items_at + objectron_items_most(setup) * (int32_t) sizeof(struct objectron_item);
    state->fields_at =
        state->failures_at + setup->failures_most * (int32_t) sizeof(struct objectron_failure);
    state->letters_at =
        state->fields_at + setup->fields_most * (int32_t) sizeof(struct objectron_field);
}

static void lay_players(const struct objectron_setup *setup, struct objectron_state *state)
{
    for (int32_t seat = 0; seat < state->seats; seat++) {
        struct objectron_player *player = &state->player[seat];
        player->home = (int16_t) setup->home[seat];
        player->at = player->home;
        player->alive = 1;
    }
}

struct objectron_item *objectron_add_item(struct objectron_state *state, int32_t id, uint32_t kind,
                                          int32_t at)
{
    struct objectron_item *item = &objectron_items(state)[state->items++];
    *item = (struct objectron_item){ .id = id,
                                     .kind = (uint8_t) kind,
                                     .at = (int16_t) at,
                                     .holder = -1,
                                     .by = -1,
                                     .dest = -1,
                                     .owner = -1 };
    if (kind == OBJECTRON_GRENADE)
        item->state = OBJECTRON_IDLE;
    return item;
}

/* The placement with the smallest id above `last`; there are few. */
static const struct objectron_placement *next_by_id(const struct objectron_setup *setup,
                                                    int32_t                       last)
{
    const struct objectron_placement *placement = objectron_placements(setup), *next = NULL;
    for (int32_t i = 0; i < setup->placements; i++)
        if (placement[i].id > last && (next == NULL || placement[i].id < next->id))
            next = &placement[i];
    return next;
}

static void place(const struct objectron_setup *setup, struct objectron_state *state)
{
    const struct objectron_placement *next = next_by_id(setup, INT32_MIN);
    for (; next != NULL; next = next_by_id(setup, next->id)) {
        struct objectron_item *item =
            objectron_add_item(state, next->id, (uint32_t) next->kind, next->at);
        item->holder = (int16_t) next->holder;
        item->state = (uint8_t) next->state;
        item->by = (int16_t) next->by;
        item->owner = (int16_t) next->owner;
    }
    for (int32_t i = 0; i < setup->placements; i++) {
        const struct objectron_placement *from = &objectron_placements(setup)[i];
        int32_t                           index = objectron_item_of(state, from->id);
        if (from->kind == OBJECTRON_TELEPORTER)
            objectron_items(state)[index].dest = (int16_t) objectron_item_of(state, from->dest);
        if (from->holder >= 0) {
            struct objectron_player *holder = &state->player[from->holder];
            holder->inventory[holder->carried++] = (uint16_t) index;
        }
    }
}

static void add_flags(struct objectron_state *state)
{
    for (int32_t seat = 0; seat < state->seats; seat++)
        objectron_add_item(state, state->items + 1, OBJECTRON_FLAG, state->player[seat].home)
            ->owner = (int16_t) seat;
}

void objectron_lay_empty(const struct objectron_setup *setup, struct objectron_state *state)
{
    state->seats = setup->players;
    state->width = setup->width;
    state->height = setup->height;
    state->mode = setup->mode;
    state->actions = setup->actions;
    state->inventory = setup->inventory;
    state->failure_bp = setup->failure_bp;
    state->current = setup->players - 1;
    state->winner = -1;
    state->next_failure = 1;
    state->next_field = 1;
    lay_arrays(setup, state);
}

void objectron_lay_out(const struct objectron_setup *setup, struct dice *dice,
                       struct objectron_state *state)
{
    objectron_lay_empty(setup, state);
    lay_players(setup, state);
    if (setup->drawn)
        objectron_build_walls(setup, dice, state);
    else
        memcpy(objectron_cells(state), objectron_letters(setup), (size_t) objectron_squares(state));
    if (setup->placed) {
        place(setup, state);
    } else {
        objectron_scatter(setup, dice, state);
        if (setup->mode == OBJECTRON_CTF)
            add_flags(state);
    }
    objectron_connect_all(state);
}
