/* plain.c: the players of the plain door, and events made whole. Pure. */
#include "services/console/classroom/plain.h"

#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "wire/field.h"
#include "wire/field_write.h"

void plain_init(struct plain *plain, const struct game_wire *wire)
{
    memset(plain, 0, sizeof *plain);
    plain->wire = wire;
}

struct plain_player *plain_add(struct plain *plain, const uint8_t id[PLAIN_ID_SIZE])
{
    if (plain->count == PLAIN_PLAYERS_MAX)
        return NULL;
    struct plain_player *player = &plain->player[plain->count++];
    memset(player, 0, sizeof *player);
    memcpy(player->id, id, PLAIN_ID_SIZE);
    player->seat = PLAIN_NO_SEAT;
    return player;
}

struct plain_player *plain_of_route(struct plain *plain, uint64_t route)
{
    for (uint32_t i = 0; i < plain->count; i++)
        if (plain->player[i].is_owned && plain->player[i].route == route)
            return &plain->player[i];
    return NULL;
}

struct plain_player *plain_of_id(struct plain *plain, const uint8_t id[PLAIN_ID_SIZE])
{
    for (uint32_t i = 0; i < plain->count; i++)
        if (memcmp(plain->player[i].id, id, PLAIN_ID_SIZE) == 0)
            return &plain->player[i];
    return NULL;
}

struct plain_player *plain_of_seat(struct plain *plain, uint32_t seat)
{
    for (uint32_t i = 0; i < plain->count; i++)
        if (plain->player[i].seat == seat && seat != PLAIN_NO_SEAT)
            return &plain->player[i];
    return NULL;
}

struct plain_player *plain_spare(struct plain *plain)
{
    for (uint32_t i = 0; i < plain->count; i++)
        if (!plain->player[i].is_owned)
            return &plain->player[i];
    return NULL;
}

bool plain_hears(const struct plain_player *player)
{
    return (player->is_owned || player->is_spoken) && !player->is_deaf;
}

bool plain_call(struct plain_player *player, const char *name, size_t size)
{
    if (size > PLAIN_NAME_MAX)
        return false;
    memset(player->name, 0, sizeof player->name);
    if (size > 0)
        memcpy(player->name, name, size);
    return true;
}

/* What a message with a oneof `kind` holds: the field's number, and its body. */
static bool read_kind(const uint8_t *bytes, size_t size, struct wire_field *kind)
{
    struct reader in = reader_of(bytes, size);
    return size > 0 && wire_field(&in, kind) && kind->body.at != NULL;
}

static const ProtobufCFieldDescriptor *field_numbered(const ProtobufCMessageDescriptor *descriptor,
                                                      uint32_t                          number)
{
    for (unsigned i = 0; i < descriptor->n_fields; i++)
        if (descriptor->fields[i].id == number)
            return &descriptor->fields[i];
    return NULL;
}

static const ProtobufCFieldDescriptor *field_named(const ProtobufCMessageDescriptor *descriptor,
                                                   const char                       *name)
{
    for (unsigned i = 0; i < descriptor->n_fields; i++)
        if (text_is(descriptor->fields[i].name, text_length(descriptor->fields[i].name), name))
            return &descriptor->fields[i];
    return NULL;
}

/* The message that a kind's field holds; NULL: there is no such kind. */
static const ProtobufCMessageDescriptor *body_of(const ProtobufCMessageDescriptor *descriptor,
                                                 uint32_t                          kind)
{
    const ProtobufCFieldDescriptor *field = field_numbered(descriptor, kind);
    return field == NULL || field->type != PROTOBUF_C_TYPE_MESSAGE ? NULL : field->descriptor;
}

static const ProtobufCFieldDescriptor *first_string(const ProtobufCMessageDescriptor *descriptor)
{
    for (unsigned i = 0; i < descriptor->n_fields; i++)
        if (descriptor->fields[i].type == PROTOBUF_C_TYPE_STRING)
            return &descriptor->fields[i];
    return NULL;
}

/* The last value of a field, as protobuf reads it; false: it is not there. */
static bool find_field(struct reader in, uint32_t number, struct wire_field *found)
{
    struct wire_field field;
    bool              is_there = false;
    while (wire_field(&in, &field))
        if (field.number == number) {
            *found = field;
            is_there = true;
        }
    return is_there;
}

bool plain_find_name(const struct game_wire *wire, const uint8_t *command, size_t size,
                     const char **name, size_t *name_size)
{
    const ProtobufCFieldDescriptor *field = field_named(wire->command, "register"), *text;
    struct wire_field               kind, found;
    if (field == NULL || !read_kind(command, size, &kind) || kind.number != field->id)
        return false;
    const ProtobufCMessageDescriptor *body = body_of(wire->command, kind.number);
    text = body == NULL ? NULL : first_string(body);
    *name = "";
    *name_size = 0;
    if (text != NULL && find_field(kind.body, text->id, &found)) {
        *name = (const char *) found.body.at;
        *name_size = (size_t) (found.body.end - found.body.at);
    }
    return true;
}

/* The text that belongs into this event, and the field it belongs into; NULL: none does. */
static const char *missing_text(struct plain *plain, const ProtobufCMessageDescriptor *body,
                                const struct reader *fields, const char *setup, uint32_t *number)
{
    const ProtobufCFieldDescriptor *config = field_named(body, "config");
    const ProtobufCFieldDescriptor *name = field_named(body, "player_name");
    const ProtobufCFieldDescriptor *who = field_named(body, "player");
    const ProtobufCFieldDescriptor *message = field_named(body, "message");
    struct wire_field               found;
    if (message != NULL && !find_field(*fields, message->id, &found)) {
        *number = message->id;
        return "Your time is up."; /* Whatever else fails says why. */
    }
    if (config != NULL && setup != NULL) {
        *number = config->id;
        return setup;
    }
    if (name == NULL || who == NULL || find_field(*fields, name->id, &found))
        return NULL;
    uint64_t seat = find_field(*fields, who->id, &found) ? found.value : 0;
    *number = name->id;
    struct plain_player *player = seat < SEATS_MAX ? plain_of_seat(plain, (uint32_t) seat) : NULL;
    return player == NULL ? NULL : player->name;
}

size_t plain_complete(struct plain *plain, const uint8_t *event, size_t size, const char *setup,
                      uint8_t *to, size_t capacity)
{
    struct wire_field kind;
    uint32_t          number = 0;
    if (!read_kind(event, size, &kind))
        return 0;
    const ProtobufCMessageDescriptor *body = body_of(plain->wire->event, kind.number);
    const char *text = body == NULL ? NULL : missing_text(plain, body, &kind.body, setup, &number);
    size_t      old = (size_t) (kind.body.end - kind.body.at);
    size_t      length = text == NULL ? 0 : text_length(text);
    if (size + length + 4u * VARINT_MAX > capacity)
        return 0;
    if (text == NULL) {
        memcpy(to, event, size);
        return size;
    }
    size_t   added = varint_size(BYTES_TAG(number)) + varint_size(length) + length;
    uint8_t *at = varint_write(to, BYTES_TAG(kind.number));
    at = varint_write(at, old + added);
    if (old > 0)
        memcpy(at, kind.body.at, old);
    return (size_t) (field_bytes(at + old, number, text, length) - to);
}

size_t plain_config(struct plain *plain, const char *setup, uint8_t *to, size_t capacity)
{
    const ProtobufCFieldDescriptor   *kind = field_named(plain->wire->event, "config");
    const ProtobufCMessageDescriptor *body =
        kind == NULL ? NULL : body_of(plain->wire->event, kind->id);
    uint8_t empty[2 * VARINT_MAX];
    if (body == NULL || field_named(body, "config") == NULL)
        return 0;
    uint8_t *end = varint_write(varint_write(empty, BYTES_TAG(kind->id)), 0);
    return plain_complete(plain, empty, (size_t) (end - empty), setup, to, capacity);
}

static const char *const for_one[] = { "command_failed", "act_now", "vote_now" };

/* How far into `for_one` the name of this Event is; the length: it is none of them. */
static uint32_t rank_of(const struct plain *plain, uint32_t kind)
{
    const ProtobufCFieldDescriptor *field = field_numbered(plain->wire->event, kind);
    uint32_t                        rank = 0;
    while (rank < sizeof for_one / sizeof *for_one &&
           (field == NULL || !text_is(field->name, text_length(field->name), for_one[rank])))
        rank++;
    return rank;
}

bool plain_is_for_one(const struct plain *plain, const uint8_t *event, size_t size, uint32_t *seat)
{
    struct wire_field kind, found;
    if (!read_kind(event, size, &kind) ||
        rank_of(plain, kind.number) == sizeof for_one / sizeof *for_one)
        return false;
    const ProtobufCMessageDescriptor *body = body_of(plain->wire->event, kind.number);
    const ProtobufCFieldDescriptor   *who = body == NULL ? NULL : field_named(body, "player");
    if (who == NULL)
        return false;
    *seat = find_field(kind.body, who->id, &found) ? (uint32_t) found.value : 0;
    return true;
}

void plain_follow(const struct plain *plain, struct plain_player *player, const uint8_t *event,
                  size_t size)
{
    struct wire_field kind;
    uint32_t          seat;
    if (!plain_is_for_one(plain, event, size, &seat) || !read_kind(event, size, &kind) ||
        rank_of(plain, kind.number) == 0)
        return;
    player->asked_size = seat == player->seat && size <= PLAIN_QUESTION_MAX ? size : 0;
    if (player->asked_size > 0)
        memcpy(player->asked, event, size);
}

bool plain_is_late(const struct plain *plain, const struct plain_player *player,
                   const uint8_t *event, size_t size)
{
    struct wire_field kind;
    uint32_t          seat;
    return plain_is_for_one(plain, event, size, &seat) && seat == player->seat &&
           read_kind(event, size, &kind) && rank_of(plain, kind.number) == 0;
}

size_t plain_failure(const struct plain *plain, uint32_t seat, const char *sentence, uint8_t *to,
                     size_t capacity)
{
    const ProtobufCFieldDescriptor   *kind = field_named(plain->wire->event, for_one[0]);
    const ProtobufCMessageDescriptor *body =
        kind == NULL ? NULL : body_of(plain->wire->event, kind->id);
    const ProtobufCFieldDescriptor *who = body == NULL ? NULL : field_named(body, "player");
    const ProtobufCFieldDescriptor *message = body == NULL ? NULL : field_named(body, "message");
    size_t                          length = text_length(sentence);
    if (who == NULL || message == NULL || length + 6u * VARINT_MAX > capacity)
        return 0;
    size_t named = seat == PLAIN_NO_SEAT ? 0 : varint_size(NUMBER_TAG(who->id)) + varint_size(seat);
    size_t size = named + varint_size(BYTES_TAG(message->id)) + varint_size(length) + length;
    uint8_t *at = varint_write(varint_write(to, BYTES_TAG(kind->id)), size);
    if (named > 0)
        at = field_number(at, who->id, seat);
    return (size_t) (field_bytes(at, message->id, sentence, length) - to);
}

bool plain_is_last(const struct plain *plain, const struct plain_player *player,
                   const uint8_t *event, size_t size)
{
    const ProtobufCFieldDescriptor *left = field_named(plain->wire->event, "left"), *who;
    struct wire_field               kind, found;
    if (left == NULL || player->seat == PLAIN_NO_SEAT || !read_kind(event, size, &kind) ||
        kind.number != left->id)
        return false;
    const ProtobufCMessageDescriptor *body = body_of(plain->wire->event, kind.number);
    who = body == NULL ? NULL : field_named(body, "player");
    if (who == NULL)
        return false;
    return (find_field(kind.body, who->id, &found) ? found.value : 0) == player->seat;
}
