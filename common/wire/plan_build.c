/* plan_build.c: compiles a descriptor into a plan. Runs once per message at start, so it may allocate
 * and asserts what our own .proto files must keep; the loops that run per event are elsewhere. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "wire/plan_program.h"

#define MESSAGES_MAX 512

struct builder {
    const ProtobufCMessageDescriptor *known[MESSAGES_MAX];
    struct plan_message              *messages;
    struct plan_op                   *ops;
    int32_t                          *values;
    uint32_t                          message_count, op_count, value_count;
};

static void *grow(void *list, size_t count, size_t element)
{
    /* Doubling whenever a power of two is full keeps the three lists one line each. */
    if (count > 0 && (count & (count - 1)) != 0)
        return list;
    size_t room = count == 0 ? 1 : 2 * count;
    void  *larger = realloc(list, room * element);
    assert(larger != NULL);
    memset((uint8_t *) larger + count * element, 0, (room - count) * element);
    return larger;
}

static uint32_t message_index(struct builder *build, const ProtobufCMessageDescriptor *descriptor)
{
    for (uint32_t i = 0; i < build->message_count; i++)
        if (build->known[i] == descriptor)
            return i;
    assert(build->message_count < MESSAGES_MAX);
    build->messages = grow(build->messages, build->message_count, sizeof *build->messages);
    build->messages[build->message_count] = (struct plan_message){ 0 };
    build->known[build->message_count] = descriptor;
    return build->message_count++;
}

static void set_range(struct plan_op *op, word least, word most)
{
    op->least = least;
    op->most = most;
}

/* Most enums have no gaps and are a range; the others list their values. */
static void set_enum(struct builder *build, struct plan_op *op,
                     const ProtobufCEnumDescriptor *descriptor)
{
    uint32_t count = descriptor->n_values;
    assert(count > 0);
    set_range(op, descriptor->values[0].value, descriptor->values[count - 1].value);
    if (op->most - op->least + 1 == count)
        return;
    op->first = build->value_count;
    op->count = count;
    for (uint32_t i = 0; i < count; i++) {
        build->values = grow(build->values, build->value_count, sizeof *build->values);
        build->values[build->value_count++] = descriptor->values[i].value;
    }
}

static void set_form(struct builder *build, struct plan_op *op,
                     const ProtobufCFieldDescriptor *field)
{
    set_range(op, INT64_MIN, INT64_MAX);
    switch (field->type) {
    case PROTOBUF_C_TYPE_SINT32:
        op->form = FORM_ZIGZAG;
        set_range(op, INT32_MIN, INT32_MAX);
        break;
    case PROTOBUF_C_TYPE_SINT64: op->form = FORM_ZIGZAG; break;
    case PROTOBUF_C_TYPE_INT32:
        op->form = FORM_VARINT;
        set_range(op, INT32_MIN, INT32_MAX);
        break;
    case PROTOBUF_C_TYPE_UINT32:
        op->form = FORM_VARINT;
        set_range(op, 0, UINT32_MAX);
        break;
    case PROTOBUF_C_TYPE_BOOL:
        op->form = FORM_VARINT;
        set_range(op, 0, 1);
        break;
    case PROTOBUF_C_TYPE_ENUM:
        op->form = FORM_VARINT;
        set_enum(build, op, field->descriptor);
        break;
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_UINT64: op->form = FORM_VARINT; break;
    case PROTOBUF_C_TYPE_FIXED32:
        op->form = FORM_FIXED32;
        set_range(op, 0, UINT32_MAX);
        break;
    case PROTOBUF_C_TYPE_SFIXED32:
        op->form = FORM_FIXED32;
        set_range(op, INT32_MIN, INT32_MAX);
        break;
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_SFIXED64: op->form = FORM_FIXED64; break;
    case PROTOBUF_C_TYPE_STRING: op->form = FORM_STRING; break;
    case PROTOBUF_C_TYPE_BYTES: op->form = FORM_BYTES; break;
    case PROTOBUF_C_TYPE_MESSAGE:
        op->form = FORM_MESSAGE;
        op->first = message_index(build, field->descriptor);
        break;
    default: abort(); /* Words hold no float and no double. */
    }
}

static uint8_t wire_type(const struct plan_op *op)
{
    if (op->shape == SHAPE_PACKED || op->form >= FORM_STRING)
        return 2;
    return op->form == FORM_FIXED64 ? 1 : op->form == FORM_FIXED32 ? 5 : 0;
}

static void set_tag(struct plan_op *op, uint32_t number)
{
    op->number = number;
    op->wire = wire_type(op);
    uint64_t tag = (uint64_t) number << 3 | op->wire;
    do {
        op->tag[op->tag_size++] = (uint8_t) ((tag & 0x7f) | (tag > 0x7f ? 0x80 : 0));
        tag >>= 7;
    } while (tag > 0);
}

static void set_shape(struct plan_op *op, const ProtobufCFieldDescriptor *field)
{
    assert(field->label != PROTOBUF_C_LABEL_REQUIRED);
    if (field->label == PROTOBUF_C_LABEL_REPEATED)
        op->shape = field->flags & PROTOBUF_C_FIELD_FLAG_PACKED ? SHAPE_PACKED : SHAPE_LIST;
}

static struct plan_op *add_op(struct builder *build)
{
    build->ops = grow(build->ops, build->op_count, sizeof *build->ops);
    struct plan_op *op = &build->ops[build->op_count++];
    *op = (struct plan_op){ 0 };
    return op;
}

static bool is_case_of(const ProtobufCFieldDescriptor *field, const ProtobufCFieldDescriptor *other)
{
    return field->flags & other->flags & PROTOBUF_C_FIELD_FLAG_ONEOF &&
           field->quantifier_offset == other->quantifier_offset;
}

static void add_field(struct builder *build, const ProtobufCFieldDescriptor *field)
{
    struct plan_op op = { 0 };
    set_shape(&op, field);
    set_form(build, &op, field);
    set_tag(&op, field->id);
    *add_op(build) = op;
}

static uint32_t end_of_oneof(const ProtobufCMessageDescriptor *descriptor, uint32_t first)
{
    uint32_t end = first;
    while (end < descriptor->n_fields &&
           is_case_of(&descriptor->fields[first], &descriptor->fields[end]))
        end++;
    return end;
}

static bool is_torn(const ProtobufCMessageDescriptor *descriptor, uint32_t first)
{
    for (uint32_t i = end_of_oneof(descriptor, first); i < descriptor->n_fields; i++)
        if (is_case_of(&descriptor->fields[first], &descriptor->fields[i]))
            return true;
    return false;
}

bool plan_fits(const ProtobufCMessageDescriptor *descriptor)
{
    for (uint32_t i = 0; i < descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &descriptor->fields[i];
        if (is_torn(descriptor, i) ||
            (field->type == PROTOBUF_C_TYPE_MESSAGE && !plan_fits(field->descriptor)))
            return false;
    }
    return true;
}

/* A oneof's fields stand together in the .proto, or the row would not be in the order of fields. */
static uint32_t add_oneof(struct builder *build, const ProtobufCMessageDescriptor *descriptor,
                          uint32_t first)
{
    uint32_t end = end_of_oneof(descriptor, first);
    assert(!is_torn(descriptor, first));
    struct plan_op *oneof = add_op(build);
    oneof->form = FORM_ONEOF;
    oneof->count = end - first;
    for (uint32_t i = first; i < end; i++)
        add_field(build, &descriptor->fields[i]);
    return end;
}

static void add_message(struct builder *build, uint32_t index)
{
    const ProtobufCMessageDescriptor *descriptor = build->known[index];
    uint32_t                          first = build->op_count;
    for (uint32_t i = 0; i < descriptor->n_fields;) {
        if (descriptor->fields[i].flags & PROTOBUF_C_FIELD_FLAG_ONEOF)
            i = add_oneof(build, descriptor, i);
        else
            add_field(build, &descriptor->fields[i++]);
    }
    build->messages[index] = (struct plan_message){ first, build->op_count - first };
    assert(build->op_count - first <= PLAN_FIELDS_MAX);
}

static void check_depth(const struct builder *build, uint32_t index, uint32_t depth)
{
    assert(depth < PLAN_DEPTH_MAX);
    const struct plan_message *message = &build->messages[index];
    for (uint32_t i = 0; i < message->count; i++) {
        const struct plan_op *op = &build->ops[message->first + i];
        if (op->form == FORM_MESSAGE)
            check_depth(build, op->first, depth + 1);
    }
}

/* Whether a kind's message fits a struct command: few numbers, at most one text, nothing else. */
static bool is_command(const struct builder *build, const struct plan_op *kind)
{
    uint32_t                   numbers = 0, texts = 0;
    const struct plan_message *message = &build->messages[kind->first];
    if (kind->form != FORM_MESSAGE)
        return false;
    for (uint32_t i = 0; i < message->count; i++) {
        const struct plan_op *op = &build->ops[message->first + i];
        if (op->form >= FORM_MESSAGE || op->shape != SHAPE_ONE)
            return false;
        if (op->form == FORM_STRING || op->form == FORM_BYTES)
            texts++;
        else
            numbers++;
    }
    return numbers <= COMMAND_ARGS_MAX && texts <= 1;
}

struct plan *plan_new(const ProtobufCMessageDescriptor *descriptor)
{
    struct builder build = { 0 };
    message_index(&build, descriptor);
    for (uint32_t i = 0; i < build.message_count; i++)
        add_message(&build, i);
    check_depth(&build, 0, 0);
    struct plan *plan = malloc(sizeof *plan);
    assert(plan != NULL);
    *plan = (struct plan){ .messages = build.messages, .ops = build.ops, .values = build.values };
    plan->kinds = build.messages[0].count > 0 && build.ops[0].form == FORM_ONEOF &&
                  build.ops[0].count + 1 == build.messages[0].count;
    plan->commands = plan->kinds;
    for (uint32_t i = 1; plan->commands && i <= build.ops[0].count; i++)
        plan->commands = is_command(&build, &build.ops[i]);
    return plan;
}

void plan_destroy(struct plan **plan)
{
    if (*plan == NULL)
        return;
    free((void *) (*plan)->messages);
    free((void *) (*plan)->ops);
    free((void *) (*plan)->values);
    free(*plan);
    *plan = NULL;
}
