/* told.c: commands and events as lines of a recording. */
#include "services/console/classroom/told.h"

#include <ctype.h>
#include <string.h>

#include "json/json.h"

#define NAME_BYTES 64

/* "character_id0" as "characterId0", or, for kinds, as "CharacterId0". */
static void camel_case(const char *snake, bool capital, char name[NAME_BYTES])
{
    size_t size = 0;
    for (; *snake != '\0' && size < NAME_BYTES - 1; snake++) {
        if (*snake != '_')
            name[size++] = (char) (capital ? toupper((unsigned char) *snake) : *snake);
        capital = *snake == '_';
    }
    name[size] = '\0';
}

static json_t *camel_cased(const json_t *fields)
{
    json_t     *args = json_object(), *value;
    const char *key;
    char        name[NAME_BYTES];
    json_object_foreach((json_t *) fields, key, value)
    {
        camel_case(key, false, name);
        json_object_set(args, name, value);
    }
    return args;
}

/* Puts the one kind that a message of a oneof `kind` holds; false: it holds none. */
static bool put_kind(json_t *line, const char *role, const ProtobufCMessageDescriptor *kinds,
                     const uint8_t *bytes, size_t size)
{
    ProtobufCMessage *message = protobuf_c_message_unpack(kinds, NULL, size, bytes);
    json_t           *json = message != NULL ? json_of_message(message) : NULL;
    void             *at = json_object_iter(json);
    char              name[NAME_BYTES];
    bool              is_one = at != NULL && json_is_object(json_object_iter_value(at));
    if (is_one) {
        camel_case(json_object_iter_key(at), true, name);
        json_object_set_new(line, role, json_string(name));
        json_object_set_new(line, "args", camel_cased(json_object_iter_value(at)));
    }
    json_decref(json);
    if (message != NULL)
        protobuf_c_message_free_unpacked(message, NULL);
    return is_one;
}

static json_t *if_whole(json_t *line, bool is_whole)
{
    if (is_whole)
        return line;
    json_decref(line);
    return NULL;
}

json_t *told_command(const ProtobufCMessageDescriptor *kinds, uint32_t from, const uint8_t *bytes,
                     size_t size)
{
    json_t *line = json_pack("{s:I}", "from", (json_int_t) from);
    return if_whole(line, put_kind(line, "cmd", kinds, bytes, size));
}

json_t *told_event(const ProtobufCMessageDescriptor *kinds, uint32_t to, const uint8_t *bytes,
                   size_t size)
{
    json_t *line = json_pack("{s:o}", "to",
                             to == TOLD_ALL ? json_string("all") : json_integer((json_int_t) to));
    return if_whole(line, put_kind(line, "ev", kinds, bytes, size));
}
