/* env_text.c: what a viewer may know, as cells, as words, and as lines for people. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "env/env_private.h"

static const struct sink *view_of(struct arbiter_env *env, uint32_t viewer)
{
    struct sink *view = &env->scratch->view;
    view->used = view->events = view->header = 0;
    match_view(env->match, viewer < env->rules->terms.seats ? viewer : SPECTATOR, view);
    return view;
}

void arbiter_env_observe(struct arbiter_env *env, uint32_t viewer, int32_t *cells)
{
    const struct sink *view = view_of(env, viewer);
    env_put_cells(env->rules, view->words, view->used, cells);
}

size_t arbiter_env_view(struct arbiter_env *env, uint32_t viewer, int64_t *words, size_t capacity)
{
    const struct sink *view = view_of(env, viewer);
    size_t             kept = view->used < capacity ? view->used : capacity;
    if (kept > 0)
        memcpy(words, view->words, kept * sizeof *words);
    return view->used;
}

/* A page that is written from the front; what does not fit is counted. */
struct page {
    const struct arbiter_rules *rules;
    char                       *text;
    size_t                      capacity, used;
};

static void __attribute__((format(printf, 2, 3))) say(struct page *page, const char *format, ...)
{
    char    piece[256];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    for (int i = 0; i < size && i < (int) sizeof piece - 1; i++, page->used++)
        if (page->used + 1 < page->capacity)
            page->text[page->used] = piece[i];
}

static size_t page_end(struct page *page)
{
    if (page->capacity > 0)
        page->text[page->used < page->capacity ? page->used : page->capacity - 1] = '\0';
    return page->used;
}

/* A value as people call it. */
static void say_value(struct page *page, const ProtobufCFieldDescriptor *field, word value)
{
    const struct game_wire *wire = page->rules->wire;
    size_t                  size = 0;
    const char             *called = wire->called != NULL && field != NULL && value != ABSENT
                                         ? wire->called(page->rules->setup, field->name, value, &size)
                                         : NULL;
    if (called != NULL)
        say(page, "%.*s", (int) size, called);
    else if (value == ABSENT)
        say(page, "-");
    else if (field != NULL && field->type == PROTOBUF_C_TYPE_BOOL)
        say(page, "%s", value != 0 ? "yes" : "no");
    else if (field != NULL && field->type == PROTOBUF_C_TYPE_ENUM) {
        const ProtobufCEnumValue *named =
            protobuf_c_enum_descriptor_get_value(field->descriptor, (int) value);
        say(page, "%s", named != NULL ? named->name : "?");
    } else
        say(page, "%" PRId64, value);
}

static const word *say_text(struct page *page, const word *at)
{
    word count = *at++;
    for (word i = 0; i < count; i++)
        say(page, "%c", at[i] >= ' ' && at[i] <= '~' ? (int) at[i] : '?');
    return count == ABSENT ? at : at + count;
}

static const word *say_ops(struct page *page, uint32_t first, uint32_t count, const word *at,
                           uint32_t depth);

static const word *say_list(struct page *page, const struct env_op *op, const word *at,
                            uint32_t depth)
{
    uint32_t count = (uint32_t) *at++;
    for (uint32_t i = 0; i < count; i++) {
        if (op->shape == ENV_NUMBERS) {
            say(page, " ");
            say_value(page, op->field, *at++);
            continue;
        }
        say(page, "\n%*s", (int) (2 * depth + 2), "");
        at = op->shape == ENV_TEXTS ? say_text(page, at)
                                    : say_ops(page, op->first, op->count, at, depth + 1);
    }
    return at;
}

static const word *say_op(struct page *page, const struct env_op *op, const word *at,
                          uint32_t depth)
{
    switch (op->shape) {
    case ENV_NUMBER:
        say(page, " ");
        say_value(page, op->field, *at);
        return at + 1;
    case ENV_TEXT: say(page, " "); return say_text(page, at);
    case ENV_MESSAGE:
        if (*at++ == 0) {
            say(page, " -");
            return at;
        }
        say(page, " (");
        at = say_ops(page, op->first, op->count, at, depth + 1);
        say(page, ")");
        return at;
    case ENV_CASE: return say_ops(page, op->first, op->count, at, depth);
    case ENV_ONEOF: {
        uint32_t which = (uint32_t) *at++;
        return which == 0 ? at : say_ops(page, op->first + which - 1, 1, at, depth);
    }
    default: return say_list(page, op, at, depth);
    }
}

/* Fields of the View itself a line each, all others behind one another. */
static const word *say_ops(struct page *page, uint32_t first, uint32_t count, const word *at,
                           uint32_t depth)
{
    const struct arbiter_rules *rules = page->rules;
    for (uint32_t i = 0; i < count; i++) {
        const struct env_op *op = &rules->op[first + i];
        if (op->shape == ENV_CASE || op->shape == ENV_ONEOF) {
            at = say_op(page, op, at, depth);
            continue;
        }
        say(page, "%s%s", i > 0 && depth > 0 ? ", " : "",
            op->field != NULL ? op->field->name : "words");
        at = say_op(page, op, at, depth);
        if (depth == 0)
            say(page, "\n");
    }
    return at;
}

size_t arbiter_env_text(struct arbiter_env *env, uint32_t viewer, char *text, size_t capacity)
{
    struct page        page = { .rules = env->rules, .text = text, .capacity = capacity };
    const struct sink *view = view_of(env, viewer);
    if (env->rules->op[0].field == NULL && env->rules->op[0].shape == ENV_NUMBERS) {
        for (uint32_t i = 0; i < view->used; i++)
            say(&page, "%s%" PRId64, i > 0 ? " " : "", view->words[i]);
        say(&page, "\n");
    } else
        (void) say_ops(&page, 0, env->rules->roots, view->words, 0);
    return page_end(&page);
}

/* "take heap 1 count 2" */
size_t arbiter_env_action_text(struct arbiter_env *env, uint64_t action, char *text,
                               size_t capacity)
{
    struct page            page = { .rules = env->rules, .text = text, .capacity = capacity };
    struct arbiter_command command;
    const ProtobufCMessageDescriptor *commands = env->rules->wire->command;
    if (!arbiter_env_action(env, action, &command))
        return page_end(&page);
    const ProtobufCFieldDescriptor *kind =
        protobuf_c_message_descriptor_get_field(commands, command.kind);
    assert(kind != NULL);
    say(&page, "%s", kind->name);
    const ProtobufCMessageDescriptor *message = kind->descriptor;
    for (uint32_t i = 0, arg = 0; i < message->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->fields[i];
        if (field->type == PROTOBUF_C_TYPE_STRING || field->type == PROTOBUF_C_TYPE_BYTES) {
            say(&page, " %s (%" PRIu32 " bytes)", field->name, command.text_size);
            continue;
        }
        if (arg >= ARBITER_ARGS_MAX || command.arg[arg++] == ABSENT)
            continue;
        say(&page, " %s ", field->name);
        say_value(&page, field, command.arg[arg - 1]);
    }
    return page_end(&page);
}
