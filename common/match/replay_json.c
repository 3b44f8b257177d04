/* replay_json.c: see replay_json.h. Each message by reflection over its bytes. */
#include "match/replay_json.h"

#include <jansson.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "contract/stream.pb-c.h"
#include "json/json.h"

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

/* What the house said in the act, which stands in what was published alone. */
static void put_house(json_t *list, const Arbiter__Match__Act *act)
{
    Arbiter__Stream__ActBody *body =
        arbiter__stream__act_body__unpack(NULL, act->body.len, act->body.data);
    for (size_t i = 0; body != NULL && i < body->n_events; i++)
        if (body->events[i]->house != NULL)
            json_array_append_new(
                list, json_pack("{s:o*}", "house", json_of_message(&body->events[i]->house->base)));
    if (body != NULL)
        arbiter__stream__act_body__free_unpacked(body, NULL);
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
    put_house(list, replay->file.record->act);
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

static json_t *hex_json(const uint8_t *bytes, size_t size)
{
    char hex[2 * MATCH_HASH_SIZE + 1];
    if (size > MATCH_HASH_SIZE)
        return json_null();
    sodium_bin2hex(hex, sizeof hex, bytes, size);
    return json_string(hex);
}

/* NULL without one: while dice are made there is nothing to be seen. */
static json_t *view_json(const struct replay_json *json)
{
    const struct replay *replay = json->replay;
    struct sink          sink = json->sink;
    if (json->viewer == REPLAY_JSON_NO_VIEW || !replay->begun)
        return NULL;
    match_view(replay->match, json->viewer, &sink);
    size_t size = plan_encode(json->views, sink.words, sink.used, json->bytes, MESSAGE_BYTES);
    return message_json(replay->wire->view, json->bytes, size);
}

bool replay_json_open(struct replay_json *json, const struct replay *replay, uint32_t viewer)
{
    memset(json, 0, sizeof *json);
    json->replay = replay;
    json->viewer = viewer;
    json->sink.capacity = replay->terms.bounds.view_words;
    json->sink.words = calloc(json->sink.capacity + 1, sizeof(word));
    json->bytes = malloc(MESSAGE_BYTES);
    json->views = plan_new(replay->wire->view);
    return json->sink.words != NULL && json->bytes != NULL;
}

void replay_json_close(struct replay_json *json)
{
    free(json->sink.words);
    free(json->bytes);
    if (json->views != NULL)
        plan_destroy(&json->views);
    memset(json, 0, sizeof *json);
}

/* The text of a tree, which is no more. */
static char *dump(json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    return text;
}

char *replay_json_act(const struct replay_json *json)
{
    const struct replay    *replay = json->replay;
    const struct match_act *act = &replay->act;
    json_t                 *command = NULL;
    if (act->actor < SEATS_MAX)
        command = message_json(replay->wire->command, act->command, act->command_size);
    if (act->actor == ACTOR_SAY)
        command = message_json(&arbiter__stream__house_event__descriptor, act->command,
                               act->command_size);
    json_t *events = events_json(replay, json->bytes);
    return dump(json_pack("{s:I s:o s:o* s:o s:o s:o*}", "number", (json_int_t) act->number,
                          "actor", actor_json(act), "command", command, "events", events, "chain",
                          hex_json(act->chain, sizeof act->chain), "view", view_json(json)));
}

static json_t *seat_json(const Arbiter__Match__Seat *seat)
{
    return json_pack("{s:i s:s* s:b}", "seat", (int) seat->seat, "name", seat->name, "bot",
                     seat->bot);
}

/* Of whoever held a seat last. */
static void put_seat(json_t *seats, const Arbiter__Match__Seat *seat)
{
    while (json_array_size(seats) <= seat->seat)
        json_array_append_new(seats, json_object());
    json_array_set_new(seats, seat->seat, seat_json(seat));
}

static json_t *end_json(const struct replay_end *end)
{
    json_t *outcome = json_array();
    for (uint32_t seat = 0; seat < end->outcomes; seat++)
        json_array_append_new(outcome, json_integer(end->outcome[seat]));
    return json_pack("{s:s s:I s:o s:o}", "reason", end->finished ? "finished" : "aborted", "acts",
                     (json_int_t) end->acts, "chain", hex_json(end->chain, sizeof end->chain),
                     "outcome", outcome);
}

static json_t *header_json(const Arbiter__Match__Header *header)
{
    json_t *json =
        json_pack("{s:o s:s s:i s:s s:s* s:i s:s s:I}", "match_id",
                  hex_json(header->match_id.data, header->match_id.len), "game", header->game,
                  "rules_version", (int) header->rules_version, "setup", header->setup, "options",
                  header->options, "seats", (int) header->seats, "dice", header->dice, "created_ms",
                  (json_int_t) header->created_ms);
    if (header->has_seed)
        json_object_set_new(json, "seed", json_integer((json_int_t) header->seed));
    if (header->has_commitment)
        json_object_set_new(json, "commitment",
                            hex_json(header->commitment.data, header->commitment.len));
    return json;
}

/* The first records once more, with a reader of its own. */
char *replay_json_header(const struct replay *replay)
{
    struct match_file file;
    struct arena      arena;
    size_t            room = replay->arena.capacity;
    void             *memory = malloc(room);
    json_t           *json = NULL, *seats = json_array();
    if (memory == NULL)
        return json_decref(seats), NULL;
    arena_init(&arena, memory, room);
    match_file_open(&file, replay->file.bytes, replay->file.size, &arena);
    while (match_file_next(&file) == MATCH_FILE_RECORD &&
           file.kind < ARBITER__MATCH__RECORD__KIND_ACT) {
        if (file.kind == ARBITER__MATCH__RECORD__KIND_HEADER)
            json = header_json(file.record->header);
        else if (file.kind == ARBITER__MATCH__RECORD__KIND_SEAT)
            put_seat(seats, file.record->seat);
    }
    free(memory);
    json_object_set_new(json, "seat", seats);
    json_object_set_new(json, "end", end_json(&replay->end));
    return dump(json);
}
