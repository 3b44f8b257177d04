/* objectron_facts_conform.c: what a scenario says of the end, asked of the state and of what all see. */
#include <stdlib.h>
#include <string.h>

#include "games/objectron/conform/objectron_conform.h"

static json_t *show_square(const struct objectron_state *state, int32_t square)
{
    return square < 0 ? json_null()
                      : json_pack("[i,i]", square % state->width, square / state->width);
}

static json_t *show_state(const struct objectron_item *item)
{
    static const char *const names[] = { NULL, "idle", "placed", "exploded", "active" };
    return item->state ? json_string(names[item->state]) : json_null();
}

static json_t *item_facts(const struct objectron_table *table, const json_t *id)
{
    int32_t index = objectron_item_of(table->state, json_integer_value(id));
    if (index < 0)
        return json_pack("{s:b}", "exists", 0);
    const struct objectron_item *item = &objectron_items(table->state)[index];
    return json_pack("{s:b, s:o, s:o, s:o}", "exists", item->at >= 0 || item->holder >= 0, "at",
                     show_square(table->state, item->at), "holder",
                     item->holder < 0 ? json_null() : json_integer(item->holder + 1), "state",
                     show_state(item));
}

static json_t *player_facts(const struct objectron_table *table, const json_t *number)
{
    const struct objectron_state *state = table->state;
    json_int_t                    seat = json_integer_value(number) - 1;
    if (seat < 0 || seat >= state->seats)
        return NULL;
    const struct objectron_player *player = &state->player[seat];
    json_t *trail = json_array(), *inventory = json_array(), *captured = json_array();
    for (uint32_t i = 0; i < player->pieces; i++)
        json_array_append_new(trail, show_square(state, player->trail[i].at));
    for (uint32_t i = 0; i < player->carried; i++)
        json_array_append_new(inventory,
                              json_integer(objectron_items(state)[player->inventory[i]].id));
    for (int owner = 0; owner < state->seats; owner++)
        if (player->captured >> owner & 1)
            json_array_append_new(captured, json_integer(owner + 1));
    return json_pack("{s:o, s:b, s:i, s:i, s:b, s:o, s:o, s:o}", "at",
                     show_square(state, player->at), "alive", player->alive, "pending_actions",
                     player->pending, "skip_turns", player->skip, "held",
                     objectron_charged(state, player->at), "trail", trail, "inventory", inventory,
                     "captured", captured);
}

static json_t *field_facts(const struct objectron_table *table, const json_t *pair)
{
    const struct objectron_state *state = table->state;
    json_int_t                    a = json_integer_value(json_array_get(pair, 0));
    json_int_t                    b = json_integer_value(json_array_get(pair, 1));
    for (int32_t i = 0; i < state->fields; i++) {
        const struct objectron_field *field = &objectron_fields(state)[i];
        json_int_t                    one = objectron_items(state)[field->a].id;
        json_int_t                    other = objectron_items(state)[field->b].id;
        if (!((one == a && other == b) || (one == b && other == a)))
            continue;
        json_t *squares = json_array();
        for (uint32_t k = 0; k < field->length; k++)
            json_array_append_new(squares, show_square(state, objectron_field_square(field, k)));
        return json_pack("{s:b, s:b, s:o}", "exists", 1, "on", field->on, "squares", squares);
    }
    return json_pack("{s:b}", "exists", 0);
}

static json_t *table_facts(const struct objectron_table *table)
{
    const struct objectron_state *state = table->state;
    return json_pack("{s:i, s:i, s:i, s:i, s:b, s:o}", "current_player", state->current + 1,
                     "actions_left", state->left, "turn", state->turn, "players", state->seats,
                     "over", state->over, "winner",
                     state->winner < 0 ? json_null() : json_integer(state->winner + 1));
}

static const struct objectron_failure *failure_of(const struct objectron_table *table,
                                                  const json_t                 *id)
{
    for (int32_t i = 0; i < table->state->failures; i++)
        if (objectron_failures(table->state)[i].id == json_integer_value(id))
            return &objectron_failures(table->state)[i];
    return NULL;
}

static json_t *power_facts(const struct objectron_table *table, const json_t *id, bool tertiary)
{
    const struct objectron_failure *failure = failure_of(table, id);
    int32_t at = failure == NULL ? -1 : tertiary ? failure->tertiary : failure->secondary;
    return json_pack("{s:o}", "at", show_square(table->state, at));
}

static json_t *dark_facts(const struct objectron_table *table, const json_t *square)
{
    const struct objectron_state *state = table->state;
    json_int_t                    x = json_integer_value(json_array_get(square, 0));
    json_int_t                    y = json_integer_value(json_array_get(square, 1));
    if (x < 0 || y < 0 || x >= state->width || y >= state->height)
        return NULL;
    return json_pack("{s:b}", "val", objectron_dark(state, (int32_t) (y * state->width + x)));
}

/* What all see: whether some failure is on the square, or the item lies somewhere. */
static json_t *view_facts(struct objectron_table *table, const json_t *square, const json_t *id)
{
    static const char *const parts[] = { "primary", "secondary", "tertiary" };
    json_t                  *view = objectron_table_view(table), *each;
    bool                     seen = false;
    size_t                   index;
    json_array_foreach(json_object_get(view, "items"), index, each) seen =
        seen || (id != NULL && json_equal(json_object_get(each, "id"), id));
    json_array_foreach(json_object_get(view, "failures"), index,
                       each) for (size_t i = 0; square != NULL && i < 3; i++) seen =
        seen || json_equal(json_object_get(each, parts[i]), square);
    json_decref(view);
    return json_pack("{s:b}", "val", seen);
}

static bool is_one_of(const json_t *list, const json_t *value)
{
    size_t  index;
    json_t *each;
    json_array_foreach(list, index, each) if (json_equal(each, value)) return true;
    return false;
}

/* The directions of legal moves, from what all see, in the order in which the fact names them. */
static json_t *move_facts(struct objectron_table *table, const json_t *named)
{
    json_t *view = objectron_table_view(table), *legal = json_object_get(view, "legal_moves");
    json_t *dirs = json_array(), *each;
    size_t  index;
    json_array_foreach(named, index, each) if (is_one_of(legal, each))
        json_array_append(dirs, each);
    if (json_array_size(dirs) != json_array_size(legal))
        json_array_append_new(dirs, json_null()); /* There are others. */
    json_decref(view);
    return json_pack("{s:o}", "dirs", dirs);
}

/* NULL: the fact is of nobody, or of no square, and cannot hold. */
static json_t *facts_of(struct objectron_table *table, const json_t *fact, const char **asked)
{
    static const char *const subjects[] = { "item",      "item_any",     "player", "field",
                                            "secondary", "tertiary_any", "dark",   "view_power",
                                            "view_item", "legal_moves" };
    size_t                   which = 0;
    while (which < 10 && json_object_get(fact, subjects[which]) == NULL)
        which++;
    *asked = which < 10 ? subjects[which] : NULL;
    const json_t *whose = which < 10 ? json_object_get(fact, *asked) : NULL;
    switch (which) {
    case 0:
    case 1: return item_facts(table, whose);
    case 2: return player_facts(table, whose);
    case 3: return field_facts(table, whose);
    case 4:
    case 5: return power_facts(table, whose, which == 5);
    case 6: return dark_facts(table, whose);
    case 7: return view_facts(table, whose, NULL);
    case 8: return view_facts(table, NULL, whose);
    case 9: return move_facts(table, json_object_get(fact, "dirs"));
    default: return table_facts(table);
    }
}

bool objectron_holds(struct objectron_table *table, const json_t *fact)
{
    const char *asked;
    json_t     *came = facts_of(table, fact, &asked);
    json_t     *expected = json_copy((json_t *) fact);
    bool        any = asked != NULL && strstr(asked, "_any") != NULL;
    bool        holds = came != NULL && json_is_object(fact);
    if (asked != NULL)
        json_object_del(expected, asked);
    if (any) {
        holds = holds && is_one_of(json_object_get(fact, "at"), json_object_get(came, "at"));
        json_object_del(expected, "at");
    }
    holds = holds && objectron_has(expected, came);
    if (asked != NULL && strcmp(asked, "legal_moves") == 0)
        holds =
            holds && json_integer_value(json_object_get(fact, asked)) == table->state->current + 1;
    json_decref(expected);
    json_decref(came);
    return holds;
}
