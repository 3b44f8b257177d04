/* refusal.c: plays a match again from its journal and looks for the event that refuses a half. */
#include "services/console/records/refusal.h"

#include <stdlib.h>
#include <string.h>

#include "match/replay.h"

#define REFUSED "half_rejected"

static const ProtobufCFieldDescriptor *field_of(const ProtobufCMessageDescriptor *message,
                                                const char                       *name)
{
    return message == NULL ? NULL : protobuf_c_message_descriptor_get_field_by_name(message, name);
}

/* A list of an enum's values as words: its count, then the values. */
static json_t *names_of(const ProtobufCFieldDescriptor *codes, const word *event)
{
    json_t     *list = json_array();
    const word *fields = event_fields(event);
    for (uint32_t i = 1; i < event_length(event) && i <= (uint32_t) fields[0]; i++) {
        const ProtobufCEnumValue *value =
            protobuf_c_enum_descriptor_get_value(codes->descriptor, (int) fields[i]);
        const char *name = value != NULL ? value->name : "";
        json_array_append_new(list, json_string(strncmp(name, "FAULT_", 6) == 0 ? name + 6 : name));
    }
    return list;
}

static json_t *find_refusal(struct replay *replay)
{
    const ProtobufCFieldDescriptor *kind = field_of(replay->wire->event, REFUSED);
    const ProtobufCFieldDescriptor *codes =
        kind == NULL ? NULL : field_of(kind->descriptor, "codes");
    while (codes != NULL && replay_next(replay) == REPLAY_ACT) {
        const struct sink *sink = replay->act.events;
        for (const word *event = sink != NULL ? sink_first(sink) : NULL; event != NULL;
             event = sink_next(sink, event))
            if (event_kind(event) == kind->id)
                return names_of(codes, event);
    }
    return NULL;
}

json_t *refusal_of(const struct export_place *place, const char *id)
{
    struct replay replay;
    size_t        size = 0;
    json_t       *found = NULL;
    uint8_t      *bytes = export_bytes(place, id, &size);
    if (bytes == NULL)
        return NULL;
    if (replay_open(&replay, bytes, size, NULL) && replay.wire != NULL)
        found = find_refusal(&replay);
    replay_close(&replay);
    free(bytes);
    return found;
}
