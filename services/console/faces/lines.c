/* lines.c: walks a message's descriptor and its words side by side, and prints names and values. */
#include "services/console/faces/lines.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "services/console/command/terminal.h"

struct walk {
    FILE               *out;
    const struct lines *lines;
    const word         *at;
    const word         *end;
};

static void put_fields(struct walk *walk, const ProtobufCMessageDescriptor *message);

static word take(struct walk *walk)
{
    assert(walk->at < walk->end);
    return *walk->at++;
}

static void put_text(struct walk *walk, const ProtobufCFieldDescriptor *field, word size)
{
    char bytes[240];
    word shown = 0;
    fputc('"', walk->out);
    for (word i = 0; i < size; i++) {
        bytes[shown++] = (char) take(walk);
        bool full = shown == (word) sizeof bytes;
        if (field->type == PROTOBUF_C_TYPE_BYTES) {
            fprintf(walk->out, "%02x", (unsigned char) bytes[--shown]);
        } else if (full || i + 1 == size) {
            terminal_put(walk->out, bytes, (size_t) shown);
            shown = 0;
        }
    }
    fputc('"', walk->out);
}

static void put_name(struct walk *walk, const ProtobufCFieldDescriptor *field, word value)
{
    const struct lines *lines = walk->lines;
    size_t              size = 0;
    const char         *name = NULL;
    if (lines->wire->called != NULL)
        name = lines->wire->called(lines->setup, field->name, value, &size);
    if (name == NULL || size == 0)
        return;
    fputs(" (", walk->out);
    terminal_put(walk->out, name, size);
    fputc(')', walk->out);
}

static void put_scalar(struct walk *walk, const ProtobufCFieldDescriptor *field, word value)
{
    if (field->type == PROTOBUF_C_TYPE_ENUM) {
        const ProtobufCEnumValue *named =
            protobuf_c_enum_descriptor_get_value(field->descriptor, (int) value);
        if (named != NULL) {
            fputs(named->name, walk->out);
            return;
        }
    }
    if (field->type == PROTOBUF_C_TYPE_BOOL) {
        fputs(value != 0 ? "yes" : "no", walk->out);
        return;
    }
    fprintf(walk->out, "%" PRId64, value);
    put_name(walk, field, value);
}

static bool is_text(const ProtobufCFieldDescriptor *field)
{
    return field->type == PROTOBUF_C_TYPE_STRING || field->type == PROTOBUF_C_TYPE_BYTES;
}

/* A value that is there for certain: an element of a list, or what a oneof holds. */
static void put_value(struct walk *walk, const ProtobufCFieldDescriptor *field)
{
    if (field->type == PROTOBUF_C_TYPE_MESSAGE) {
        fputc('{', walk->out);
        put_fields(walk, field->descriptor);
        fputs(" }", walk->out);
    } else if (is_text(field)) {
        put_text(walk, field, take(walk));
    } else {
        put_scalar(walk, field, take(walk));
    }
}

static void put_list(struct walk *walk, const ProtobufCFieldDescriptor *field)
{
    word count = take(walk);
    fprintf(walk->out, " %s=[", field->name);
    for (word i = 0; i < count; i++) {
        if (i > 0)
            fputc(' ', walk->out);
        put_value(walk, field);
    }
    fputc(']', walk->out);
}

static void put_oneof(struct walk *walk, const ProtobufCMessageDescriptor *message)
{
    word number = take(walk);
    if (number == 0)
        return;
    const ProtobufCFieldDescriptor *field =
        protobuf_c_message_descriptor_get_field(message, (unsigned) number);
    assert(field != NULL);
    fprintf(walk->out, " %s=", field->name);
    put_value(walk, field);
}

static void put_optional(struct walk *walk, const ProtobufCFieldDescriptor *field)
{
    word first = *walk->at;
    bool message = field->type == PROTOBUF_C_TYPE_MESSAGE;
    if (message || first == ABSENT)
        (void) take(walk);
    if (first == ABSENT || (message && first == 0))
        return;
    fprintf(walk->out, " %s=", field->name);
    put_value(walk, field);
}

static void put_fields(struct walk *walk, const ProtobufCMessageDescriptor *message)
{
    for (unsigned i = 0; i < message->n_fields && walk->at < walk->end; i++) {
        const ProtobufCFieldDescriptor *field = &message->fields[i];
        if ((field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0) {
            /* All fields of a oneof are one word and what is set; the first of them speaks for it. */
            bool first =
                i == 0 || message->fields[i - 1].quantifier_offset != field->quantifier_offset;
            if (first)
                put_oneof(walk, message);
        } else if (field->label == PROTOBUF_C_LABEL_REPEATED) {
            put_list(walk, field);
        } else {
            put_optional(walk, field);
        }
    }
}

/* Prints the name of a kind of the oneof `kind`; returns what its fields are. */
static const ProtobufCMessageDescriptor *put_kind(FILE                             *out,
                                                  const ProtobufCMessageDescriptor *message,
                                                  uint32_t                          kind)
{
    const ProtobufCFieldDescriptor *field = protobuf_c_message_descriptor_get_field(message, kind);
    assert(field != NULL && field->type == PROTOBUF_C_TYPE_MESSAGE);
    fputs(field->name, out);
    return field->descriptor;
}

void lines_event(const struct lines *lines, const word *event)
{
    const word *fields = event_fields(event);
    struct walk walk = { lines->out, lines, fields, fields + event_length(event) };
    put_fields(&walk, put_kind(lines->out, lines->wire->event, event_kind(event)));
}

void lines_command(const struct lines *lines, const struct command *command)
{
    FILE                             *out = lines->out;
    const word                       *args = command->arg;
    struct walk                       walk = { out, lines, args, args + COMMAND_ARGS_MAX };
    const ProtobufCMessageDescriptor *fields = put_kind(out, lines->wire->command, command->kind);
    for (unsigned i = 0; i < fields->n_fields; i++) {
        if (!is_text(&fields->fields[i])) {
            put_optional(&walk, &fields->fields[i]);
        } else if (command->text != NULL) {
            fprintf(out, " %s=\"", fields->fields[i].name);
            terminal_put(out, (const char *) command->text, command->text_size);
            fputc('"', out);
        }
    }
}

void lines_view(const struct lines *lines, const word *words, uint32_t count)
{
    struct walk walk = { lines->out, lines, words, words + count };
    put_fields(&walk, lines->wire->view);
    fputc('\n', lines->out);
}
