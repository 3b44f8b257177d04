/* player.c: see player.h. */
#include "player.h"

#include <assert.h>
#include <string.h>

#define SELDOM 100

static void pick_once(struct luck *luck, const struct legal *list, struct command *command)
{
    struct legal one = *list;
    if (luck_one_in(luck, 2)) {
        one.pattern = &list->pattern[luck_below(luck, list->patterns)];
        one.patterns = 1;
    }
    legal_pick(&one, luck_next(luck) % legal_count(&one), command);
}

void player_pick(struct luck *luck, const struct game *game, const struct legal *list,
                 struct command *command)
{
    assert(list->patterns > 0);
    for (uint32_t tries = 0; tries < SELDOM; tries++) {
        pick_once(luck, list, command);
        if (strcmp(game->commands[command->kind].name, "leave") != 0 || luck_one_in(luck, SELDOM))
            return;
    }
}

static bool is_text(const ProtobufCFieldDescriptor *field)
{
    return field->type == PROTOBUF_C_TYPE_STRING || field->type == PROTOBUF_C_TYPE_BYTES;
}

uint32_t player_fields(const struct game_wire *wire, uint32_t kind)
{
    const ProtobufCFieldDescriptor *field =
        protobuf_c_message_descriptor_get_field(wire->command, kind);
    uint32_t count = 0;

    if (field == NULL || field->type != PROTOBUF_C_TYPE_MESSAGE)
        return 0;
    const ProtobufCMessageDescriptor *message = field->descriptor;
    for (uint32_t i = 0; i < message->n_fields; i++)
        if (!is_text(&message->fields[i]))
            count++;
    return count < COMMAND_ARGS_MAX ? count : COMMAND_ARGS_MAX;
}

/* A value from anywhere: near, far, of the list, at the edges of smaller types. */
static word other_value(struct luck *luck, const struct legal *list, word value)
{
    static const word edges[] = {
        0,         1,        -1,        2,         7,          31,
        32,        33,       63,        64,        255,        256,
        65535,     65536,    INT32_MAX, INT32_MIN, UINT32_MAX, (word) UINT32_MAX + 1,
        INT64_MAX, MISTYPED, ABSENT
    };

    switch (luck_below(luck, 6)) {
    case 0: return value < INT64_MAX ? value + 1 : value;
    case 1: return value > ABSENT ? value - 1 : value;
    case 2: return list->values > 0 ? list->value[luck_below(luck, list->values)] : value;
    case 3: return value == ABSENT ? 0 : (word) ((uint64_t) value + (UINT64_C(1) << 32));
    case 4: return (word) luck_below(luck, 64);
    default: return edges[luck_below(luck, sizeof edges / sizeof edges[0])];
    }
}

static uint32_t other_kind(struct luck *luck, const struct game *game)
{
    switch (luck_below(luck, 8)) {
    case 0: return 0;
    case 1: return game->command_kinds;
    case 2: return UINT32_MAX;
    case 3: return 0x10000;
    default: return luck_below(luck, game->command_kinds);
    }
}

/* A think time is whatever was measured: it needs no refusing, but it is never nonsense. */
static void mend_time(const struct game *game, struct luck *luck, struct command *command)
{
    uint32_t kind = command->kind;
    if (kind < game->command_kinds && (game->commands[kind].flags & COMMAND_TIMED) != 0)
        command->arg[0] = luck_one_in(luck, 2) ? ABSENT : (word) luck_below(luck, 100);
}

void player_mutate(struct luck *luck, const struct game_wire *wire, const struct legal *list,
                   struct command *command)
{
    if (luck_one_in(luck, 6))
        command->kind = other_kind(luck, wire->game);
    uint32_t fields = player_fields(wire, command->kind);
    if (fields > 0) {
        uint32_t at = luck_below(luck, fields), other = luck_below(luck, fields);
        word     value = command->arg[at];
        switch (luck_below(luck, 4)) {
        case 0: /* Two arguments change places. */
            command->arg[at] = command->arg[other];
            command->arg[other] = value;
            break;
        case 1: command->arg[at] = ABSENT; break;
        default: command->arg[at] = other_value(luck, list, value);
        }
    }
    for (uint32_t i = fields; i < COMMAND_ARGS_MAX; i++)
        command->arg[i] = ABSENT;
    mend_time(wire->game, luck, command);
}
