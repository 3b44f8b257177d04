/* quests_names_conform.c: names and values of scenarios, to and from words. */
#include "games/quests/conform/quests_names_conform.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "quests.pb-c.h"

#define NAME_MAX_BYTES 64

uint32_t quests_read_player(const json_t *name)
{
    const char *text = json_string_value(name);
    bool        is_player = text != NULL && strlen(text) == 2 && text[0] == 'P' && text[1] >= '1' &&
                     text[1] < '1' + QUESTS_SEATS;
    return is_player ? (uint32_t) (text[1] - '1') : QUESTS_SEATS;
}

json_t *quests_show_player(uint32_t seat)
{
    return json_sprintf("P%u", seat + 1);
}

/* Commands. */

static word read_card(const char *name)
{
    char full[NAME_MAX_BYTES];
    (void) snprintf(full, sizeof full, "CARD_%s", name);
    const ProtobufCEnumValue *card =
        protobuf_c_enum_descriptor_get_value_by_name(&arbiter__quests__card__descriptor, full);
    return card != NULL ? card->value : 0;
}

static word read_value(const ProtobufCFieldDescriptor *field, const json_t *value)
{
    if (value == NULL)
        return ABSENT;
    if (field->type == PROTOBUF_C_TYPE_BOOL && json_is_boolean(value))
        return json_is_true(value);
    if (field->type == PROTOBUF_C_TYPE_ENUM && json_is_string(value))
        return read_card(json_string_value(value));
    if (field->type == PROTOBUF_C_TYPE_INT32 && json_is_integer(value)) {
        json_int_t number = json_integer_value(value);
        return number < INT32_MIN ? INT32_MIN : number > INT32_MAX ? INT32_MAX : number;
    }
    return MISTYPED;
}

/* A field that the message has not makes a step no command at all. */
struct command quests_read_command(const json_t *step)
{
    struct command command = { .kind = 0 };
    const char    *name = json_string_value(json_object_get(step, "cmd"));
    size_t         known = 2 + (json_object_get(step, "error") != NULL); /* "by" and "cmd". */

    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command.arg[i] = ABSENT;
    const ProtobufCFieldDescriptor *kind = name != NULL
                                               ? protobuf_c_message_descriptor_get_field_by_name(
                                                     &arbiter__quests__command__descriptor, name)
                                               : NULL;
    if (kind == NULL)
        return command;
    const ProtobufCMessageDescriptor *message = kind->descriptor;
    for (unsigned i = 0; i < message->n_fields; i++) {
        const json_t *value = json_object_get(step, message->fields[i].name);
        command.arg[i] = read_value(&message->fields[i], value);
        known += value != NULL;
    }
    if (known == json_object_size(step))
        command.kind = kind->id;
    return command;
}

/* Words, read from the front. */

static bool is_seat(const char *name)
{
    static const char *const names[] = { "player",  "sponsor",  "current",      "you",    "id",
                                         "players", "eligible", "participants", "winners" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* CARD_F5 is "F5", but PHASE_END_TURN is "end_turn": what belongs to an enum begins like its first. */
static json_t *show_enum(const ProtobufCEnumDescriptor *names, word value)
{
    const ProtobufCEnumValue *named = protobuf_c_enum_descriptor_get_value(names, (int) value);
    size_t                    prefix = strlen(names->values[0].name) - strlen("UNSPECIFIED");
    bool                      is_card =
        strcmp(names->short_name, "Card") == 0 || strcmp(names->short_name, "EventCard") == 0;
    char text[NAME_MAX_BYTES];

    if (named == NULL)
        return json_integer(value);
    (void) snprintf(text, sizeof text, "%s", named->name + prefix);
    for (char *letter = text; !is_card && *letter != '\0'; letter++)
        *letter = (char) tolower((unsigned char) *letter);
    return json_string(text);
}

static json_t *show_fields(const ProtobufCMessageDescriptor *message, const word **at, bool nulls);

static json_t *show_value(const ProtobufCFieldDescriptor *field, const word **at, bool nulls)
{
    if (field->type == PROTOBUF_C_TYPE_MESSAGE)
        return show_fields(field->descriptor, at, nulls);
    word value = *(*at)++;
    if (field->type == PROTOBUF_C_TYPE_ENUM)
        return show_enum(field->descriptor, value);
    if (field->type == PROTOBUF_C_TYPE_BOOL)
        return json_boolean(value != 0);
    return is_seat(field->name) ? quests_show_player((uint32_t) value) : json_integer(value);
}

/* One field; NULL if it is left out. `Cards` is just its list. */
static json_t *show_field(const ProtobufCFieldDescriptor *field, const word **at, bool nulls)
{
    if (field->label == PROTOBUF_C_LABEL_REPEATED) {
        json_t *list = json_array();
        for (word left = *(*at)++; left > 0; left--)
            json_array_append_new(list, show_value(field, at, nulls));
        return list;
    }
    if (field->type == PROTOBUF_C_TYPE_MESSAGE) {
        if (*(*at)++ == 0)
            return NULL;
        const ProtobufCMessageDescriptor *message = field->descriptor;
        if (strcmp(message->short_name, "Cards") == 0)
            return show_field(&message->fields[0], at, nulls);
        return show_fields(message, at, nulls);
    }
    if (**at == ABSENT) {
        (*at)++;
        return NULL;
    }
    return show_value(field, at, nulls);
}

static json_t *show_fields(const ProtobufCMessageDescriptor *message, const word **at, bool nulls)
{
    json_t *shown = json_object();
    for (unsigned i = 0; i < message->n_fields; i++) {
        json_t *value = show_field(&message->fields[i], at, nulls);
        if (value != NULL || nulls)
            json_object_set_new(shown, message->fields[i].name, value ? value : json_null());
    }
    return shown;
}

static json_t *show_audience(audience to)
{
    if (to == TO_ALL)
        return json_string("*");
    return json_sprintf("%sP%u", (to & 0xff00u) == TO_ALL_BUT(0) ? "!" : "", (to & 0xff) + 1);
}

static void name_shields(json_t *shown)
{
    json_t *named = json_object();
    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++) {
        char name[] = { 'P', (char) ('1' + seat), '\0' };
        json_object_set(named, name, json_array_get(json_object_get(shown, "shields"), seat));
    }
    json_object_set_new(shown, "shields", named);
}

json_t *quests_show_event(const word *event)
{
    const ProtobufCFieldDescriptor *kind = protobuf_c_message_descriptor_get_field(
        &arbiter__quests__event__descriptor, event_kind(event));
    const word *at = event_fields(event);

    assert(kind != NULL);
    json_t *shown = show_fields(kind->descriptor, &at, false);
    assert(at == event + 1 + event_length(event));
    if ((event_to(event) & 0xff00u) == TO_ALL_BUT(0))
        json_object_del(shown, "cards"); /* Empty for those from whom they are kept. */
    if (event_kind(event) == QUESTS_GAME_OVER)
        name_shields(shown);
    json_object_set_new(shown, "ev", json_string(kind->name));
    json_object_set_new(shown, "to", show_audience(event_to(event)));
    return shown;
}

json_t *quests_show_view(const word *words)
{
    return show_fields(&arbiter__quests__view__descriptor, &words, true);
}
