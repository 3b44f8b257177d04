/* replay_json.c: acts as JSON, each message by reflection over its bytes. */
#include "services/console/replay_json.h"

#include <jansson.h>
#include <sodium.h>
#include <stdlib.h>

#include "contract/stream.pb-c.h"
#include "services/console/console.h"
#include "wire/json.h"

#define MESSAGE_BYTES ((size_t) 1 << 20)

/* A message's bytes, which this program has just made or compared, as JSON. */
static json_t *message_json(const ProtobufCMessageDescriptor *descriptor, const uint8_t *bytes,
                            size_t size)
{
    ProtobufCMessage *message = protobuf_c_message_unpack(descriptor, NULL, size, bytes);
    json_t           *json = message != NULL ? json_of_message(message) : NULL;
    if (message != NULL)
        protobuf_c_message_free_unpacked(message, NULL);
    return json;
}

static json_t *audience_json(audience to)
{
    uint32_t seat = to & 0xff;
    switch (to & 0xff00) {
    case TO_SEAT(0): return json_pack("{s:i}", "seat", (int) seat);
    case TO_ALL_BUT(0): return json_pack("{s:i}", "all_but", (int) seat);
    case TO_SEATS_NOW: return json_string("seats");
    case TO_SPECTATORS_LATER: return json_string("spectators");
    default: return json_string("all");
    }
}

static json_t *events_json(const struct replay *replay, uint8_t *bytes)
{
    const struct sink *sink = replay->act.events;
    json_t            *list = json_array();
    for (const word *event = sink_first(sink); event != NULL; event = sink_next(sink, event)) {
        size_t size = plan_encode_kind(replay->events, event_kind(event), event_fields(event),
                                       event_length(event), bytes, MESSAGE_BYTES);
        json_array_append_new(list,
                              json_pack("{s:o s:o*}", "to", audience_json(event_to(event)), "event",
                                        message_json(replay->wire->event, bytes, size)));
    }
    return list;
}

static json_t *actor_json(const struct match_act *act)
{
    switch (act->actor) {
    case ACTOR_START: return json_string("start");
    case ACTOR_TIME: return json_string("time");
    case ACTOR_HOUSE: return json_string("house");
    case ACTOR_ANNUL: return json_string("annul");
    case ACTOR_SAY: return json_string("say");
    default: return json_integer((json_int_t) act->actor);
    }
}

bool replay_json_act(FILE *out, const struct replay *replay)
{
    const struct match_act *act = &replay->act;
    char                    chain[2 * MATCH_HASH_SIZE + 1];
    uint8_t                *bytes = malloc(MESSAGE_BYTES);
    json_t                 *command = NULL;
    if (bytes == NULL) {
        complain("there is not enough memory to print an act.");
        return false;
    }
    if (act->actor < SEATS_MAX)
        command = message_json(replay->wire->command, act->command, act->command_size);
    if (act->actor == ACTOR_SAY)
        command = message_json(&arbiter__stream__house_event__descriptor, act->command,
                               act->command_size);
    sodium_bin2hex(chain, sizeof chain, act->chain, sizeof act->chain);
    json_t *json = json_pack("{s:I s:o s:o* s:o s:s}", "number", (json_int_t) act->number, "actor",
                             actor_json(act), "command", command, "events",
                             events_json(replay, bytes), "chain", chain);
    json_dumpf(json, out, JSON_COMPACT);
    fputc('\n', out);
    json_decref(json);
    free(bytes);
    return true;
}
