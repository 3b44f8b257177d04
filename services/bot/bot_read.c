/* bot_read.c: see bot_read.h. Pure. */
#include "services/bot/bot_read.h"

#include <string.h>

#include "contract/engine_fields.h"
#include "contract/envelope_fields.h"
#include "contract/lobby_fields.h"
#include "wire/field.h"
#include "wire/field_write.h"

#define VERDICT_DONE 1u

static void copy_text(char *to, size_t capacity, const struct reader *body)
{
    size_t size = (size_t) (body->end - body->at);
    memset(to, 0, capacity);
    if (size > 0 && size < capacity)
        memcpy(to, body->at, size);
}

static size_t read_text(const struct reader *body, const char **text)
{
    *text = (const char *) body->at;
    return (size_t) (body->end - body->at);
}

static void read_invited(struct reader in, struct bot_table_event *event)
{
    struct wire_field field;
    while (wire_field(&in, &field)) {
        if (field.number == FIELD_LOBBY_INVITED_CODE) {
            event->code = field.body.at;
            event->code_size = (size_t) (field.body.end - field.body.at);
        }
        if (field.number == FIELD_LOBBY_INVITED_SEAT)
            event->seat = (uint32_t) field.value;
        if (field.number == FIELD_LOBBY_INVITED_POLICY)
            copy_text(event->policy, sizeof event->policy, &field.body);
    }
}

/* An id in this field; NULL: there is none. */
static const uint8_t *read_id(struct reader in, uint32_t number)
{
    struct wire_field field;
    while (wire_field(&in, &field))
        if (field.number == number && field.body.end - field.body.at == CLIENT_ID_SIZE)
            return field.body.at;
    return NULL;
}

bool bot_read_table_event(const uint8_t *bytes, size_t size, struct bot_table_event *event)
{
    struct reader     in = reader_of(bytes, size);
    struct wire_field field;
    memset(event, 0, sizeof *event);
    while (wire_field(&in, &field)) {
        if (field.number < FIELD_LOBBY_TABLE_EVENT_NOTHING || field.number > BOT_TABLE_CLOSED)
            continue;
        event->kind = field.number;
        if (field.number == BOT_INVITED)
            read_invited(field.body, event);
        if (field.number == BOT_MATCH_BEGINS)
            event->match_id = read_id(field.body, FIELD_LOBBY_MATCH_BEGINS_MATCH_ID);
    }
    return event->kind != 0;
}

bool bot_read_done(const uint8_t *bytes, size_t size, const uint8_t **match_id)
{
    struct reader     in = reader_of(bytes, size);
    struct wire_field field;
    bool              is_done = false;
    *match_id = NULL;
    while (wire_field(&in, &field)) {
        if (field.number == FIELD_LOBBY_ANSWER_VERDICT)
            is_done = field.value == VERDICT_DONE;
        if (field.number == FIELD_LOBBY_ANSWER_TABLE)
            *match_id = read_id(field.body, FIELD_LOBBY_TABLE_MATCH_ID);
    }
    return is_done;
}

void bot_read_match(const uint8_t *bytes, size_t size, struct bot_match *match)
{
    struct reader     in = reader_of(bytes, size), facts = { bytes, bytes };
    struct wire_field field;
    memset(match, 0, sizeof *match);
    while (wire_field(&in, &field)) {
        if (field.number == FIELD_ENGINE_ATTACHED_MATCH)
            facts = field.body;
        if (field.number == FIELD_ENGINE_ATTACHED_VIEW) {
            match->view = field.body.at;
            match->view_size = (size_t) (field.body.end - field.body.at);
        }
    }
    while (wire_field(&facts, &field)) {
        if (field.number == FIELD_ENGINE_MATCH_FACTS_GAME)
            copy_text(match->game, sizeof match->game, &field.body);
        if (field.number == FIELD_ENGINE_MATCH_FACTS_RULES_VERSION)
            match->version = (uint32_t) field.value;
        if (field.number == FIELD_ENGINE_MATCH_FACTS_SEATS)
            match->seats = (uint32_t) field.value;
        if (field.number == FIELD_ENGINE_MATCH_FACTS_SETUP)
            match->text.setup_size = read_text(&field.body, &match->text.setup);
        if (field.number == FIELD_ENGINE_MATCH_FACTS_OPTIONS)
            match->text.options_size = read_text(&field.body, &match->text.options);
        if (field.number == FIELD_ENGINE_MATCH_FACTS_TABLE &&
            field.body.end - field.body.at == CLIENT_ID_SIZE)
            match->table = field.body.at;
    }
}

void bot_read_why(const uint8_t *bytes, size_t size, bool is_reply, char why[BOT_WHY_MAX])
{
    struct reader     in = reader_of(bytes, size);
    struct wire_field field;
    memset(why, 0, BOT_WHY_MAX);
    while (wire_field(&in, &field))
        if (field.number == (is_reply ? FIELD_ENGINE_REPLY_SENTENCE : FIELD_WIRE_REFUSED_SENTENCE))
            copy_text(why, BOT_WHY_MAX, &field.body);
}

/* One pattern from its flat numbers; false: it is none. */
static bool read_pattern(struct reader *in, struct legal *list)
{
    uint64_t kind, args, first, count;
    if (!varint_read(in, &kind) || !varint_read(in, &args) || args > COMMAND_ARGS_MAX ||
        list->patterns >= list->patterns_max)
        return false;
    struct pattern *pattern = &list->pattern[list->patterns++];
    memset(pattern, 0, sizeof *pattern);
    pattern->kind = (uint32_t) kind;
    pattern->args = (uint32_t) args;
    for (uint32_t i = 0; i < pattern->args; i++) {
        if (!varint_read(in, &first) || !varint_read(in, &count) || count == 0 ||
            first > BOT_VALUES_MAX || count > BOT_VALUES_MAX)
            return false;
        pattern->arg[i] = (struct pattern_arg){ (uint32_t) first, (uint32_t) count };
    }
    return true;
}

static bool read_values(struct reader in, struct legal *list)
{
    uint64_t value;
    while (in.at < in.end) {
        if (!varint_read(&in, &value) || list->values >= list->values_max)
            return false;
        list->value[list->values++] = (word) (value >> 1 ^ (~(value & 1) + 1));
    }
    return true;
}

/* What patterns point at is there. */
static bool is_whole(const struct legal *list)
{
    for (uint32_t i = 0; i < list->patterns; i++)
        for (uint32_t k = 0; k < list->pattern[i].args; k++)
            if (list->pattern[i].arg[k].first + list->pattern[i].arg[k].count > list->values)
                return false;
    return true;
}

bool bot_read_legal(const uint8_t *bytes, size_t size, struct bot_legal *legal)
{
    struct reader     in = reader_of(bytes, size);
    struct wire_field field;
    legal_clear(&legal->list);
    legal->is_awaited = false;
    legal->proposal = legal->best = NULL;
    legal->proposal_size = legal->best_size = 0;
    while (wire_field(&in, &field)) {
        size_t length = (size_t) (field.body.end - field.body.at);
        if (field.number == FIELD_ENGINE_LEGAL_ANSWER_WAIT)
            legal->is_awaited = true;
        if (field.number == FIELD_ENGINE_LEGAL_ANSWER_PATTERNS)
            for (struct reader patterns = field.body; patterns.at < patterns.end;)
                if (!read_pattern(&patterns, &legal->list))
                    return false;
        if (field.number == FIELD_ENGINE_LEGAL_ANSWER_VALUES &&
            !read_values(field.body, &legal->list))
            return false;
        if (field.number == FIELD_ENGINE_LEGAL_ANSWER_PROPOSAL) {
            legal->proposal = field.body.at;
            legal->proposal_size = length;
        }
        if (field.number == FIELD_ENGINE_LEGAL_ANSWER_BEST) {
            legal->best = field.body.at;
            legal->best_size = length;
        }
    }
    return is_whole(&legal->list);
}

size_t bot_write_join(uint8_t *ask, const uint8_t player[CLIENT_ID_SIZE],
                      const uint8_t table[CLIENT_ID_SIZE], const struct bot_table_event *call)
{
    uint8_t  join[BOT_ASK_MAX / 2];
    uint8_t *end = field_bytes(join, FIELD_LOBBY_JOIN_TABLE_TABLE, table, CLIENT_ID_SIZE);
    if (call->code_size > 0 && call->code_size <= 64)
        end = field_bytes(end, FIELD_LOBBY_JOIN_TABLE_CODE, call->code, call->code_size);
    end = field_number(end, FIELD_LOBBY_JOIN_TABLE_SEAT, call->seat);
    uint8_t *at = field_bytes(ask, FIELD_LOBBY_ASK_JOIN_TABLE, join, (size_t) (end - join));
    return (size_t) (field_bytes(at, FIELD_LOBBY_ASK_PLAYER, player, CLIENT_ID_SIZE) - ask);
}

size_t bot_write_leave(uint8_t *ask, const uint8_t player[CLIENT_ID_SIZE],
                       const uint8_t table[CLIENT_ID_SIZE])
{
    uint8_t  leave[32];
    uint8_t *end = field_bytes(leave, FIELD_LOBBY_LEAVE_TABLE_TABLE, table, CLIENT_ID_SIZE);
    uint8_t *at = field_bytes(ask, FIELD_LOBBY_ASK_LEAVE_TABLE, leave, (size_t) (end - leave));
    return (size_t) (field_bytes(at, FIELD_LOBBY_ASK_PLAYER, player, CLIENT_ID_SIZE) - ask);
}
