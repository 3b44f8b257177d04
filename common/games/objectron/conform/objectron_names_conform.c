/* objectron_names_conform.c: words to the JSON of recordings: players from 1, squares as lists, short
 * names. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "games/objectron/conform/objectron_conform.h"
#include "objectron.pb-c.h"
#include "wire/plan.h"
#include "json/json.h"

#define BYTES_MAX (4u << 20)

static json_t *show(const char *key, const json_t *value);

static bool is_seat(const char *key)
{
    static const char *const seats[] = { "player", "owner", "by", "winner", "current_player" };
    for (size_t i = 0; key != NULL && i < sizeof seats / sizeof *seats; i++)
        if (strcmp(key, seats[i]) == 0)
            return true;
    return false;
}

/* "REASON_BOXED_IN" is "boxed_in" there, and "DIRECTION_NE" is "NE". */
static json_t *show_word(const char *name)
{
    static const char *const prefixes[] = { "REASON_", "ITEM_KIND_", "RESULT_", "ROTATION_",
                                            "ACTION_", "MODE_",      "STATE_" };
    if (strncmp(name, "DIRECTION_", 10) == 0)
        return json_string(name + 10);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t size = strlen(prefixes[i]);
        char   shown[64] = { 0 };
        if (strncmp(name, prefixes[i], size) != 0)
            continue;
        for (size_t k = 0; name[size + k] != '\0' && k + 1 < sizeof shown; k++)
            shown[k] = (char) tolower((unsigned char) name[size + k]);
        return json_string(shown);
    }
    return json_string(name);
}

static json_t *show_object(const json_t *object)
{
    bool        square = json_object_get(object, "x") && json_object_get(object, "y");
    json_t     *shown = square ? json_array() : json_object();
    const char *key;
    json_t     *value;
    json_object_foreach((json_t *) object, key, value)
    {
        if (square)
            json_array_append_new(shown, show(key, value));
        else
            json_object_set_new(shown, key, show(key, value));
    }
    return shown;
}

static json_t *show(const char *key, const json_t *value)
{
    size_t  index;
    json_t *element;
    if (json_is_object(value))
        return show_object(value);
    if (json_is_string(value))
        return show_word(json_string_value(value));
    if (json_is_integer(value))
        return json_integer(json_integer_value(value) + is_seat(key));
    if (!json_is_array(value))
        return json_deep_copy(value);
    json_t *shown = json_array();
    json_array_foreach(value, index, element) json_array_append_new(shown, show(NULL, element));
    return shown;
}

static json_t *show_bytes(const ProtobufCMessageDescriptor *descriptor, const uint8_t *bytes,
                          size_t size)
{
    ProtobufCMessage *message = protobuf_c_message_unpack(descriptor, NULL, size, bytes);
    if (message == NULL)
        return NULL;
    json_t *json = json_of_message(message);
    protobuf_c_message_free_unpacked(message, NULL);
    return json;
}

json_t *objectron_show_event(const word *event)
{
    struct plan *plan = plan_new(&arbiter__objectron__event__descriptor);
    uint8_t     *bytes = malloc(BYTES_MAX);
    size_t       size = plan_encode_kind(plan, event_kind(event), event_fields(event),
                                         event_length(event), bytes, BYTES_MAX);
    json_t      *json = show_bytes(&arbiter__objectron__event__descriptor, bytes, size);
    const char  *kind = json_object_iter_key(json_object_iter(json));
    json_t      *shown = show(NULL, json_object_get(json, kind));
    json_object_set_new(shown, "ev", json_string(kind));
    json_decref(json);
    free(bytes);
    plan_destroy(&plan);
    return shown;
}

json_t *objectron_show_view(const word *words, uint32_t count)
{
    struct plan *plan = plan_new(&arbiter__objectron__view__descriptor);
    uint8_t     *bytes = malloc(BYTES_MAX);
    size_t       size = plan_encode(plan, words, count, bytes, BYTES_MAX);
    json_t      *json = show_bytes(&arbiter__objectron__view__descriptor, bytes, size);
    json_t      *shown = show(NULL, json);
    json_decref(json);
    free(bytes);
    plan_destroy(&plan);
    return shown;
}

bool objectron_has(const json_t *expected, const json_t *came)
{
    const char *key;
    json_t     *value;
    if (!json_is_object(expected))
        return json_equal(expected, came);
    json_object_foreach((json_t *) expected, key, value)
    {
        const json_t *other = json_object_get(came, key);
        bool nothing = json_is_null(value) || (json_is_array(value) && json_array_size(value) == 0);
        if (!(nothing && other == NULL) && !json_equal(value, other))
            return false;
    }
    return true;
}
