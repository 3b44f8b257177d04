/* rest_house.c: messages of lobby and engine, field by field. Pure. */
#include <string.h>

#include "contract/envelope_fields.h"
#include "contract/lobby.pb-c.h"
#include "contract/lobby_fields.h"
#include "contract/treasure_fields.h"
#include "services/gateway/rest/rest_parts.h"
#include "wire/field.h"
#include "wire/field_write.h"

static size_t end_ask(uint8_t *begin, uint8_t *end, const uint8_t *player)
{
    return (size_t) (field_bytes(end, FIELD_LOBBY_ASK_PLAYER, player, CLIENT_ID_SIZE) - begin);
}

/* Names are the lobby's; what people call themselves stands in what they say. */
size_t rest_ask_bind(uint8_t *to, const uint8_t *player)
{
    static const char digits[] = "0123456789abcdef", guest[] = "guest ";
    char              name[32];
    uint8_t           bind[48];
    memcpy(name, guest, sizeof guest - 1);
    char *at = name + sizeof guest - 1;
    for (uint32_t i = 0; i < 12; i++) {
        *at++ = digits[player[i] >> 4];
        *at++ = digits[player[i] & 15];
    }
    uint8_t *end = field_bytes(bind, FIELD_LOBBY_BIND_NAME_NAME, name, (size_t) (at - name));
    return end_ask(to, field_bytes(to, FIELD_LOBBY_ASK_BIND_NAME, bind, (size_t) (end - bind)),
                   player);
}

/* The first player opens the table, and has no seat before Register. No list shows the table before
 * the match goes on, so nobody sits down between two strangers. */
size_t rest_ask_create(uint8_t *to, const uint8_t *player, const struct rest_settings *settings)
{
    static const char game[] = "treasure";
    uint8_t           head[32], tail[32];
    uint8_t *end = field_bytes(head, FIELD_LOBBY_CREATE_TABLE_GAME, game, sizeof game - 1), *at;
    size_t   text = text_length(settings->setup);
    at = field_number(tail, FIELD_LOBBY_CREATE_TABLE_PRIVATE_TABLE, 1);
    if (settings->has_seed)
        at = field_signed(at, FIELD_LOBBY_CREATE_TABLE_SEED, settings->seed);
    at = field_number(at, FIELD_LOBBY_CREATE_TABLE_SEATED, 0);
    at = field_number(at, FIELD_LOBBY_CREATE_TABLE_REGISTRATION, 1);
    if (settings->is_shown)
        at = field_number(at, FIELD_LOBBY_CREATE_TABLE_SHOWN, 1);
    size_t head_size = (size_t) (end - head), tail_size = (size_t) (at - tail);
    size_t text_size = 1 + varint_size(text) + text;
    end = varint_write(to, BYTES_TAG(FIELD_LOBBY_ASK_CREATE_TABLE));
    end = varint_write(end, head_size + text_size + tail_size);
    memcpy(end, head, head_size);
    end += head_size;
    end = field_bytes(end, FIELD_LOBBY_CREATE_TABLE_SETUP, settings->setup, text);
    memcpy(end, tail, tail_size);
    return end_ask(to, end + tail_size, player);
}

size_t rest_ask_join(uint8_t *to, const uint8_t *player, const uint8_t *table, const char *code)
{
    uint8_t  ask[32 + REST_CODE_MAX];
    uint8_t *end = field_bytes(ask, FIELD_LOBBY_JOIN_TABLE_TABLE, table, CLIENT_ID_SIZE);
    if (code[0] != '\0')
        end = field_bytes(end, FIELD_LOBBY_JOIN_TABLE_CODE, code, text_length(code));
    return end_ask(to, field_bytes(to, FIELD_LOBBY_ASK_JOIN_TABLE, ask, (size_t) (end - ask)),
                   player);
}

size_t rest_ask_leave(uint8_t *to, const uint8_t *player, const uint8_t *table)
{
    uint8_t  ask[32];
    uint8_t *end = field_bytes(ask, FIELD_LOBBY_LEAVE_TABLE_TABLE, table, CLIENT_ID_SIZE);
    return end_ask(to, field_bytes(to, FIELD_LOBBY_ASK_LEAVE_TABLE, ask, (size_t) (end - ask)),
                   player);
}

/* `more`: fields behind the command. */
static size_t ask_say(uint8_t *to, const uint8_t *player, const uint8_t *table,
                      const struct piece *command, const struct piece *more)
{
    size_t   inside = 2 + CLIENT_ID_SIZE + 1 + varint_size(command->size) + command->size;
    uint8_t *end = varint_write(to, BYTES_TAG(FIELD_LOBBY_ASK_SAY));
    end = varint_write(end, inside + more->size);
    end = field_bytes(end, FIELD_LOBBY_SAY_TABLE, table, CLIENT_ID_SIZE);
    end = field_bytes(end, FIELD_LOBBY_SAY_COMMAND, command->bytes, command->size);
    memcpy(end, more->bytes, more->size);
    return end_ask(to, end + more->size, player);
}

size_t rest_ask_say(uint8_t *to, const uint8_t *player, const uint8_t *table,
                    const uint8_t *command, size_t size)
{
    const struct piece said = { command, size }, nothing = { "", 0 };
    return ask_say(to, player, table, &said, &nothing);
}

/* Ids that this door once gave out itself are not to be given again. */
size_t rest_ask_register(uint8_t *to, const struct rest *rest, const struct rest_player *player,
                         const uint8_t *command, size_t size)
{
    uint8_t  fields[16];
    uint8_t *end = fields;
    if (rest->settings.random_ids)
        end = field_number(end, FIELD_LOBBY_SAY_UNGUESSABLE, 1);
    if (rest->own_ids > 0)
        end = field_number(end, FIELD_LOBBY_SAY_ABOVE, rest->own_ids);
    const struct piece said = { command, size }, more = { fields, (size_t) (end - fields) };
    return ask_say(to, player->player, player->table, &said, &more);
}

/* Whoever is at the table is shown it, in whatever phase it is. */
size_t rest_ask_table(uint8_t *to, const uint8_t *player, const uint8_t *table)
{
    uint8_t  ask[32];
    uint8_t *end = field_bytes(ask, FIELD_LOBBY_SPECTATE_TABLE, table, CLIENT_ID_SIZE);
    return end_ask(to, field_bytes(to, FIELD_LOBBY_ASK_SPECTATE, ask, (size_t) (end - ask)),
                   player);
}

size_t rest_ask_fill(uint8_t *to, const uint8_t *player, const uint8_t *table, uint32_t level)
{
    uint8_t     ask[48];
    struct text policy;
    uint8_t    *end = field_bytes(ask, FIELD_LOBBY_FILL_WITH_BOTS_TABLE, table, CLIENT_ID_SIZE);
    text_clear(&policy);
    text_put(&policy, "level:");
    text_put_number(&policy, level);
    if (level > 0)
        end = field_bytes(end, FIELD_LOBBY_FILL_WITH_BOTS_POLICY, (const uint8_t *) policy.bytes,
                          policy.size);
    return end_ask(to, field_bytes(to, FIELD_LOBBY_ASK_FILL_WITH_BOTS, ask, (size_t) (end - ask)),
                   player);
}

size_t rest_ask_ticket(uint8_t *to, const uint8_t *player)
{
    uint8_t  ask[32];
    uint8_t *end = field_bytes(ask, FIELD_LOBBY_ASK_TICKET_PLAYER, player, CLIENT_ID_SIZE);
    return (size_t) (field_bytes(to, FIELD_LOBBY_ASK_ASK_TICKET, ask, (size_t) (end - ask)) - to);
}

/* Commands of treasure.proto. */

static size_t command_of(uint8_t *to, uint32_t kind, const uint8_t *inside, size_t size)
{
    return (size_t) (field_bytes(to, kind, inside, size) - to);
}

size_t rest_command_register(uint8_t *to, const struct rest_player *player)
{
    uint8_t  inside[REST_PERSON_MAX + 8];
    uint8_t *end = field_bytes(inside, FIELD_TREASURE_COMMAND_REGISTER_PERSON, player->person,
                               player->person_size);
    return command_of(to, FIELD_TREASURE_COMMAND_REGISTER, inside, (size_t) (end - inside));
}

static uint64_t in_bounds(uint64_t think_ms)
{
    return think_ms > INT32_MAX ? INT32_MAX : think_ms;
}

size_t rest_command_half(uint8_t *to, uint64_t think_ms, const char *half, size_t size)
{
    uint8_t  think[16];
    size_t   before = (size_t) (field_number(think, FIELD_TREASURE_COMMAND_SUBMIT_HALF_THINK_MS,
                                             in_bounds(think_ms)) -
                              think);
    uint8_t *end = varint_write(to, BYTES_TAG(FIELD_TREASURE_COMMAND_SUBMIT_HALF));
    end = varint_write(end, before + 1 + varint_size(size) + size);
    memcpy(end, think, before);
    return (
        size_t) (field_bytes(end + before, FIELD_TREASURE_COMMAND_SUBMIT_HALF_HALF, half, size) -
                 to);
}

size_t rest_command_update(uint8_t *to, uint64_t think_ms, const struct rest_held *update)
{
    uint8_t  inside[64];
    uint8_t *end =
        field_number(inside, FIELD_TREASURE_COMMAND_UPDATE_THINK_MS, in_bounds(think_ms));
    for (uint32_t i = 0; i < 4; i++)
        end = field_signed(end, FIELD_TREASURE_COMMAND_UPDATE_PLAYER_X + i, update->place[i]);
    end = field_signed(end, FIELD_TREASURE_COMMAND_UPDATE_TURNS_LEFT, update->turns);
    return command_of(to, FIELD_TREASURE_COMMAND_UPDATE, inside, (size_t) (end - inside));
}

size_t rest_command_malformed(uint8_t *to, uint64_t think_ms, bool is_half)
{
    uint8_t  inside[16];
    uint8_t *end =
        field_number(inside, FIELD_TREASURE_COMMAND_MALFORMED_THINK_MS, in_bounds(think_ms));
    if (is_half)
        end = field_number(end, FIELD_TREASURE_COMMAND_MALFORMED_HALF, 1);
    return command_of(to, FIELD_TREASURE_COMMAND_MALFORMED, inside, (size_t) (end - inside));
}

/* Reading. */

static size_t size_of(const struct wire_field *field)
{
    return (size_t) (field->body.end - field->body.at);
}

static const uint8_t *id_in(const struct wire_field *field)
{
    return size_of(field) == CLIENT_ID_SIZE ? field->body.at : NULL;
}

static void read_table(struct reader in, struct rest_news *news)
{
    struct wire_field field;
    while (wire_field(&in, &field)) {
        if (field.number == FIELD_LOBBY_TABLE_TABLE)
            news->table = id_in(&field);
        if (field.number == FIELD_LOBBY_TABLE_CODE) {
            news->code = (const char *) field.body.at;
            news->code_size = size_of(&field);
        }
    }
}

static void read_ticket(struct reader in, struct rest_news *news)
{
    struct wire_field field;
    while (wire_field(&in, &field)) {
        if (field.number == FIELD_WIRE_SIGNED_TICKET_TICKET) {
            news->ticket = field.body.at;
            news->ticket_size = size_of(&field);
        }
        if (field.number == FIELD_WIRE_SIGNED_TICKET_SIGNATURE) {
            news->signature = field.body.at;
            news->signature_size = size_of(&field);
        }
    }
}

static int32_t number_of(uint64_t value)
{
    return value <= INT32_MAX ? (int32_t) value : 0;
}

void rest_read_answer(const uint8_t *bytes, size_t size, struct rest_news *news)
{
    struct wire_field field;
    memset(news, 0, sizeof *news);
    for (struct reader in = reader_of(bytes, size); wire_field(&in, &field);) {
        if (field.number == FIELD_LOBBY_ANSWER_VERDICT) {
            news->verdict = (uint32_t) field.value;
            news->is_done = field.value == ARBITER__LOBBY__VERDICT__VERDICT_DONE;
        }
        if (field.number == FIELD_LOBBY_ANSWER_SENTENCE) {
            news->sentence = (const char *) field.body.at;
            news->sentence_size = size_of(&field);
        }
        if (field.number == FIELD_LOBBY_ANSWER_TABLE) {
            news->table_bytes = field.body.at;
            news->table_size = size_of(&field);
            read_table(field.body, news);
        }
        if (field.number == FIELD_LOBBY_ANSWER_TICKET)
            read_ticket(field.body, news);
        if (field.number == FIELD_LOBBY_ANSWER_NUMBER)
            news->number = number_of(field.value);
    }
}

/* Whether this TableSeat is the player's. If so, `news` has which seat it is, and the player's
 * number. */
static bool is_seat_of(struct reader in, const uint8_t *player, struct rest_table_news *news)
{
    struct wire_field field, inner;
    uint32_t          seat = 0;
    int32_t           number = 0;
    bool              is_his = false;
    while (wire_field(&in, &field)) {
        if (field.number == FIELD_LOBBY_TABLE_SEAT_SEAT)
            seat = (uint32_t) field.value;
        if (field.number == FIELD_LOBBY_TABLE_SEAT_NUMBER)
            number = number_of(field.value);
        for (struct reader body = field.body;
             field.number == FIELD_LOBBY_TABLE_SEAT_PLAYER && wire_field(&body, &inner);)
            if (inner.number == FIELD_LOBBY_PLAYER_PLAYER && id_in(&inner) != NULL)
                is_his = memcmp(inner.body.at, player, CLIENT_ID_SIZE) == 0;
    }
    if (is_his) {
        news->seat = seat;
        news->number = number;
    }
    return is_his;
}

static void read_begins(struct reader in, const uint8_t *player, struct rest_table_news *news)
{
    struct wire_field field;
    bool              is_seated = false;
    while (wire_field(&in, &field)) {
        if (field.number == FIELD_LOBBY_MATCH_BEGINS_MATCH_ID)
            news->match_id = id_in(&field);
        if (field.number == FIELD_LOBBY_MATCH_BEGINS_SEATS && is_seat_of(field.body, player, news))
            is_seated = true;
    }
    news->is_seated = is_seated;
    if (is_seated && news->match_id != NULL)
        news->kind = REST_TABLE_BEGINS;
}

void rest_read_table(const uint8_t *bytes, size_t size, const uint8_t *player,
                     struct rest_table_news *news)
{
    struct wire_field field, inner;
    memset(news, 0, sizeof *news);
    for (struct reader in = reader_of(bytes, size); wire_field(&in, &field);) {
        if (field.number == FIELD_LOBBY_TABLE_EVENT_MATCH_BEGINS)
            read_begins(field.body, player, news);
        if (field.number == FIELD_LOBBY_TABLE_EVENT_MATCH_ENDED)
            news->kind = REST_TABLE_ENDED;
        if (field.number == FIELD_LOBBY_TABLE_EVENT_TABLE_CLOSED)
            news->kind = REST_TABLE_CLOSED;
        for (struct reader body = field.body;
             field.number == FIELD_LOBBY_TABLE_EVENT_SAID && wire_field(&body, &inner);)
            if (inner.number == FIELD_LOBBY_SAID_EVENT) {
                news->kind = REST_TABLE_SAID;
                news->event = inner.body.at;
                news->event_size = size_of(&inner);
            }
    }
}

void rest_read_table_now(const uint8_t *bytes, size_t size, const uint8_t *player,
                         struct rest_table_news *news)
{
    struct wire_field field;
    bool              is_seated = false;
    memset(news, 0, sizeof *news);
    for (struct reader in = reader_of(bytes, size); wire_field(&in, &field);) {
        if (field.number == FIELD_LOBBY_TABLE_MATCH_ID)
            news->match_id = id_in(&field);
        if (field.number == FIELD_LOBBY_TABLE_SEATS && is_seat_of(field.body, player, news))
            is_seated = true;
    }
    news->is_seated = is_seated;
    if (is_seated && news->match_id != NULL)
        news->kind = REST_TABLE_BEGINS;
}
