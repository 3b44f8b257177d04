/* env_layout.c: gives every field of a View its cells, from its .proto and the game's extents. */
#include <string.h>

#include "env/env_private.h"

/* The layout in the making. */
struct layout {
    struct arbiter_rules *rules;
    const uint32_t       *extent; /* The next list's. */
    uint32_t              lists;
    bool                  is_full;
};

static uint32_t next_extent(struct layout *at)
{
    if (at->lists >= EXTENT_LISTS_MAX) {
        at->is_full = true;
        return 0;
    }
    return at->extent[at->lists++];
}

/* Places for the operations of one message, one behind the other. */
static uint32_t take_ops(struct layout *at, uint32_t count)
{
    uint32_t first = at->rules->op_count;
    if (count > ENV_OPS_MAX - first) {
        at->is_full = true;
        return first;
    }
    at->rules->op_count += count;
    return first;
}

static bool is_of_oneof(const ProtobufCFieldDescriptor *field)
{
    return (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0;
}

static uint32_t cases_from(const ProtobufCMessageDescriptor *message, uint32_t first)
{
    uint32_t end = first;
    while (end < message->n_fields && is_of_oneof(&message->fields[end]) &&
           message->fields[end].quantifier_offset == message->fields[first].quantifier_offset)
        end++;
    return end - first;
}

static uint32_t ops_of(const ProtobufCMessageDescriptor *message)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < message->n_fields; count++)
        i += is_of_oneof(&message->fields[i]) ? cases_from(message, i) : 1;
    return count;
}

static uint32_t lay_message(struct layout *at, const ProtobufCMessageDescriptor *message,
                            struct env_op *op);

static void lay_field(struct layout *at, struct env_op *op, const ProtobufCFieldDescriptor *field)
{
    bool is_list = field->label == PROTOBUF_C_LABEL_REPEATED;
    op->field = field;
    if (is_list)
        op->most = next_extent(at);
    if (field->type == PROTOBUF_C_TYPE_MESSAGE) {
        op->shape = is_list ? ENV_MESSAGES : is_of_oneof(field) ? ENV_CASE : ENV_MESSAGE;
        op->width = lay_message(at, field->descriptor, op);
        op->cells = is_list ? 1 + op->most * op->width : op->width + (op->shape == ENV_MESSAGE);
    } else if (field->type == PROTOBUF_C_TYPE_STRING || field->type == PROTOBUF_C_TYPE_BYTES) {
        uint32_t bytes = next_extent(at);
        op->shape = is_list ? ENV_TEXTS : ENV_TEXT;
        op->width = 1 + bytes;
        op->cells = is_list ? 1 + op->most * op->width : op->width;
        if (!is_list)
            op->most = bytes;
    } else {
        op->shape = is_list ? ENV_NUMBERS : ENV_NUMBER;
        op->width = 1;
        op->cells = is_list ? 1 + op->most : 1;
    }
}

static void lay_oneof(struct layout *at, struct env_op *op,
                      const ProtobufCMessageDescriptor *message, uint32_t first, uint32_t cases)
{
    op->shape = ENV_ONEOF;
    op->first = take_ops(at, cases);
    op->count = cases;
    op->cells = 1;
    for (uint32_t i = 0; i < cases && !at->is_full; i++) {
        struct env_op *one = &at->rules->op[op->first + i];
        one->at = op->cells;
        lay_field(at, one, &message->fields[first + i]);
        op->cells += one->cells;
    }
}

/* Returns the cells of one such message. */
static uint32_t lay_message(struct layout *at, const ProtobufCMessageDescriptor *message,
                            struct env_op *op)
{
    uint32_t count = ops_of(message), cells = 0;
    op->first = take_ops(at, count);
    op->count = count;
    for (uint32_t i = 0, field = 0; i < count && !at->is_full; i++) {
        struct env_op *one = &at->rules->op[op->first + i];
        one->at = cells;
        uint32_t cases = is_of_oneof(&message->fields[field]) ? cases_from(message, field) : 0;
        if (cases > 0)
            lay_oneof(at, one, message, field, cases);
        else
            lay_field(at, one, &message->fields[field]);
        field += cases > 0 ? cases : 1;
        cells += one->cells;
    }
    return cells;
}

bool env_layout(struct arbiter_rules *rules, const struct extents *extents)
{
    struct layout at = { .rules = rules };
    if (extents == NULL) { /* The words as they are: how many, and each in a cell. */
        rules->roots = rules->op_count = 1;
        rules->op[0] = (struct env_op){ .shape = ENV_NUMBERS,
                                        .most = rules->terms.bounds.view_words,
                                        .width = 1,
                                        .cells = 1 + rules->terms.bounds.view_words };
        rules->cells = rules->op[0].cells;
        return true;
    }
    struct env_op view = { 0 };
    at.extent = extents->list;
    rules->cells = lay_message(&at, rules->wire->view, &view);
    rules->roots = view.count;
    return !at.is_full;
}

/* Fields for who reads observations: the tree again, each message before its own. */

static const char *const type_names[] = {
    [PROTOBUF_C_TYPE_INT32] = "int32",       [PROTOBUF_C_TYPE_SINT32] = "sint32",
    [PROTOBUF_C_TYPE_SFIXED32] = "sfixed32", [PROTOBUF_C_TYPE_INT64] = "int64",
    [PROTOBUF_C_TYPE_SINT64] = "sint64",     [PROTOBUF_C_TYPE_SFIXED64] = "sfixed64",
    [PROTOBUF_C_TYPE_UINT32] = "uint32",     [PROTOBUF_C_TYPE_FIXED32] = "fixed32",
    [PROTOBUF_C_TYPE_UINT64] = "uint64",     [PROTOBUF_C_TYPE_FIXED64] = "fixed64",
    [PROTOBUF_C_TYPE_BOOL] = "bool",         [PROTOBUF_C_TYPE_STRING] = "string",
    [PROTOBUF_C_TYPE_BYTES] = "bytes",
};

static const char *type_of(const struct env_op *op)
{
    if (op->field == NULL)
        return op->shape == ENV_ONEOF ? "oneof" : "word";
    if (op->field->type == PROTOBUF_C_TYPE_MESSAGE)
        return ((const ProtobufCMessageDescriptor *) op->field->descriptor)->short_name;
    if (op->field->type == PROTOBUF_C_TYPE_ENUM)
        return ((const ProtobufCEnumDescriptor *) op->field->descriptor)->short_name;
    return op->field->type < sizeof type_names / sizeof type_names[0] &&
                   type_names[op->field->type] != NULL
               ? type_names[op->field->type]
               : "number";
}

/* The operation that has this number among all below; how deep it stands. */
static const struct env_op *nth(const struct arbiter_rules *rules, uint32_t first, uint32_t count,
                                uint32_t *left, uint32_t *depth)
{
    for (uint32_t i = first; i < first + count; i++) {
        const struct env_op *op = &rules->op[i];
        if ((*left)-- == 0)
            return op;
        ++*depth;
        const struct env_op *found = nth(rules, op->first, op->count, left, depth);
        if (found != NULL)
            return found;
        --*depth;
    }
    return NULL;
}

static const struct env_op *field_at(const struct arbiter_rules *rules, uint32_t number,
                                     uint32_t *depth)
{
    *depth = 0;
    return number < rules->op_count ? nth(rules, 0, rules->roots, &number, depth) : NULL;
}

bool arbiter_rules_field(const struct arbiter_rules *rules, uint32_t number,
                         struct arbiter_field *field)
{
    uint32_t             depth;
    const struct env_op *op = field_at(rules, number, &depth);
    if (op == NULL)
        return false;
    bool is_plain = op->shape == ENV_NUMBER || op->shape == ENV_MESSAGE || op->shape == ENV_CASE ||
                    op->shape == ENV_ONEOF;
    bool is_text = op->shape == ENV_TEXT;
    *field = (struct arbiter_field){
        .name = op->field != NULL        ? op->field->name
                : op->shape == ENV_ONEOF ? "case"
                                         : "words",
        .type = type_of(op),
        .depth = depth,
        .at = op->at,
        .cells = op->cells,
        .most = is_plain ? 0 : op->most,
        .width = is_plain  ? op->cells
                 : is_text ? 1
                           : op->width,
    };
    return true;
}

const char *arbiter_rules_value(const struct arbiter_rules *rules, uint32_t field, uint32_t number,
                                int32_t *value)
{
    uint32_t             depth;
    const struct env_op *op = field_at(rules, field, &depth);
    if (op == NULL || op->field == NULL || op->field->type != PROTOBUF_C_TYPE_ENUM)
        return NULL;
    const ProtobufCEnumDescriptor *values = op->field->descriptor;
    if (number >= values->n_values)
        return NULL;
    *value = values->values[number].value;
    return values->values[number].name;
}
