/* objectron_view.c: what everybody sees, which is all but active grenades; and what that hides. */
#include <stddef.h>
#include <string.h>

#include "games/objectron/objectron_rules.h"

static void put_rows(const struct objectron_state *state, struct sink *out)
{
    sink_put(out, state->height);
    for (int32_t y = 0; y < state->height; y++) {
        sink_put(out, state->width);
        for (int32_t x = 0; x < state->width; x++)
            sink_put(out, objectron_cells(state)[y * state->width + x]);
    }
}

static void put_homes(const struct objectron_state *state, struct sink *out)
{
    sink_put(out, state->seats);
    for (int32_t seat = 0; seat < state->seats; seat++) {
        sink_put(out, state->player[seat].home % state->width);
        sink_put(out, state->player[seat].home / state->width);
    }
}

static void put_limits(const struct objectron_state *state, struct sink *out)
{
    sink_put(out, 1);
    sink_put(out, state->actions);
    sink_put(out, state->inventory);
    sink_put(out, 4); /* A disc's range.              */
    sink_put(out, 3); /* A field's reach.             */
    sink_put(out, 2); /* A field's period.            */
    sink_put(out, 2); /* A secondary's period.        */
    sink_put(out, 3); /* A primary's turns.           */
    sink_put(out, 2); /* A piece of trail's actions.  */
    sink_put(out, 3); /* A grenade's cost.            */
    sink_put(out, 4); /* And without power.           */
    sink_put(out, state->failure_bp);
}

static void put_item(const struct objectron_state *state, const struct objectron_item *item,
                     struct sink *out)
{
    bool lies = item->at >= 0;
    sink_put(out, item->id);
    sink_put(out, item->kind);
    objectron_put_square(out, state, item->at);
    sink_put(out, lies && item->kind == OBJECTRON_GRENADE ? item->state : ABSENT);
    sink_put(out,
             item->kind == OBJECTRON_TELEPORTER ? objectron_items(state)[item->dest].id : ABSENT);
    sink_put(out, item->kind == OBJECTRON_FLAG ? item->owner : ABSENT);
}

/* The seats of a mask, as a list. */
static void put_seats(const struct objectron_state *state, uint32_t seats, struct sink *out)
{
    uint32_t count = 0;
    for (int32_t seat = 0; seat < state->seats; seat++)
        count += seats >> seat & 1;
    sink_put(out, count);
    for (int32_t seat = 0; seat < state->seats; seat++)
        if (seats >> seat & 1)
            sink_put(out, seat);
}

static void put_trail(const struct objectron_state *state, const struct objectron_player *player,
                      struct sink *out)
{
    sink_put(out, player->pieces);
    for (uint32_t i = 0; i < player->pieces; i++) {
        sink_put(out, player->trail[i].at % state->width);
        sink_put(out, player->trail[i].at / state->width);
        sink_put(out, player->trail[i].link);
        sink_put(out, player->trail[i].left);
    }
}

static void put_players(const struct objectron_state *state, struct sink *out)
{
    sink_put(out, state->seats);
    for (int32_t seat = 0; seat < state->seats; seat++) {
        const struct objectron_player *player = &state->player[seat];
        sink_put(out, seat);
        objectron_put_square(out, state, player->at);
        sink_put(out, player->alive);
        put_trail(state, player, out);
        sink_put(out, player->carried);
        for (uint32_t i = 0; i < player->carried; i++)
            put_item(state, &objectron_items(state)[player->inventory[i]], out);
        sink_put(out, player->pending);
        sink_put(out, player->skip);
        sink_put(out, player->alive && objectron_charged(state, player->at));
        put_seats(state, player->captured, out);
    }
}

/* Only what lies on the grid: what is carried stands with its player. */
static void put_items(const struct objectron_state *state, struct sink *out)
{
    const struct objectron_item *item = objectron_items(state);
    uint32_t                     count = 0;
    for (int32_t i = 0; i < state->items; i++)
        count += item[i].state != OBJECTRON_ACTIVE && item[i].at >= 0;
    sink_put(out, count);
    for (int32_t i = 0; i < state->items; i++)
        if (item[i].state != OBJECTRON_ACTIVE && item[i].at >= 0)
            put_item(state, &item[i], out);
}

static void put_failures(const struct objectron_state *state, struct sink *out)
{
    sink_put(out, state->failures);
    for (int32_t i = 0; i < state->failures; i++) {
        const struct objectron_failure *failure = &objectron_failures(state)[i];
        sink_put(out, failure->id);
        objectron_put_square(out, state, failure->primary);
        objectron_put_square(out, state, failure->secondary);
        objectron_put_square(out, state, failure->tertiary);
        sink_put(out, failure->rotation ? failure->dir + 1 : ABSENT);
        sink_put(out, failure->rotation ? failure->rotation : ABSENT);
        sink_put(out, failure->count);
        sink_put(out, failure->turns);
    }
}

static void put_fields(const struct objectron_state *state, struct sink *out)
{
    sink_put(out, state->fields);
    for (int32_t i = 0; i < state->fields; i++) {
        const struct objectron_field *field = &objectron_fields(state)[i];
        uint32_t                      length = field->length;
        sink_put(out, field->id);
        sink_put(out, objectron_items(state)[field->a].id);
        sink_put(out, objectron_items(state)[field->b].id);
        sink_put(out, length);
        for (uint32_t k = 0; k < length; k++) {
            int32_t square = objectron_field_square(field, k);
            sink_put(out, square % state->width);
            sink_put(out, square / state->width);
        }
        sink_put(out, field->on);
        sink_put(out, field->counter);
        put_seats(state, field->trapped, out);
    }
}

static void put_legal_moves(const struct objectron_state *state, struct sink *out)
{
    uint32_t moves =
        state->turn > 0 && !state->over ? objectron_moves(state, (uint32_t) state->current) : 0;
    uint32_t count = 0;
    for (uint32_t dir = 0; dir < 8; dir++)
        count += moves >> dir & 1;
    sink_put(out, count);
    for (uint32_t dir = 0; dir < 8; dir++)
        if (moves >> dir & 1)
            sink_put(out, dir + 1);
}

void objectron_view(const void *setup, const void *at, uint32_t viewer, struct sink *out)
{
    const struct objectron_state *state = at;
    (void) setup;
    (void) viewer;
    sink_put(out, state->mode);
    sink_put(out, state->width);
    sink_put(out, state->height);
    put_rows(state, out);
    put_homes(state, out);
    sink_put(out, state->turn);
    sink_put(out, state->turn > 0 ? state->current : ABSENT);
    sink_put(out, state->left);
    sink_put(out, state->moved);
    objectron_put_square(out, state, state->turn > 0 ? state->turn_start : -1);
    sink_put(out, state->over);
    sink_put(out, state->winner < 0 ? ABSENT : state->winner);
    put_limits(state, out);
    put_players(state, out);
    put_items(state, out);
    put_failures(state, out);
    put_fields(state, out);
    put_legal_moves(state, out);
}

/* Everybody saw which grenade was armed, and where: nobody can be told again. */
void objectron_hidden(const void *setup, const void *at, uint32_t viewer, uint8_t *mask)
{
    const struct objectron_state *state = at;
    (void) setup;
    (void) viewer;
    for (int32_t i = 0; i < state->items; i++) {
        const struct objectron_item *item = &objectron_items(state)[i];
        uint8_t                     *bytes = mask + state->items_at + (size_t) i * sizeof *item;
        if (item->state != OBJECTRON_ACTIVE)
            continue;
        memset(bytes + offsetof(struct objectron_item, at), 0xff, sizeof item->at);
        memset(bytes + offsetof(struct objectron_item, by), 0xff, sizeof item->by);
    }
}
