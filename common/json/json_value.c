/* json_value.c: the text of a set-up as a tree of values.
 *
 * json_grammar.c has seen to it that the text is JSON, so the reader here may trust the grammar and
 * is short for it. Some things are JSON but no value of a set-up: a key that is there twice, a NUL,
 * half a character. Each is reported at its place, and reading goes on: a game may find more. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "json/decimal.h"
#include "json/json.h"
#include "json/json_grammar.h"

struct reader {
    const char    *at;
    const char    *end;
    struct arena  *arena;
    struct faults *faults;
    bool           too_big; /* The arena is full; whatever is read is thrown away. */
    const char    *broken;  /* What is wrong with the string just read; NULL: nothing. */
};

static struct value *read_value(struct reader *reader, struct value *parent, const char *key,
                                uint32_t key_size);

static void skip_space(struct reader *reader)
{
    while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) != NULL)
        reader->at++;
}

/* Steps over a character that the grammar says stands here. */
static void expect(struct reader *reader, char c)
{
    assert(reader->at < reader->end && *reader->at == c);
    reader->at++;
}

static char *put_utf8(char *to, uint32_t code)
{
    if (code < 0x80) {
        *to++ = (char) code;
        return to;
    }
    if (code < 0x800) {
        *to++ = (char) (0xc0 | code >> 6);
    } else {
        if (code < 0x10000) {
            *to++ = (char) (0xe0 | code >> 12);
        } else {
            *to++ = (char) (0xf0 | code >> 18);
            *to++ = (char) (0x80 | (code >> 12 & 0x3f));
        }
        *to++ = (char) (0x80 | (code >> 6 & 0x3f));
    }
    *to++ = (char) (0x80 | (code & 0x3f));
    return to;
}

#define INSTEAD 0xfffd /* Unicode's character for what is none. */

static uint32_t sound(struct reader *reader, uint32_t code)
{
    if (code == 0)
        reader->broken = "has \\u0000 in it, may have any character but that";
    else if (code >= 0xd800 && code < 0xe000)
        reader->broken =
            "has half a surrogate pair in it, must have both halves, as \\ud83e\\udddf";
    else
        return code;
    return INSTEAD;
}

/* Writes what an escape means; `from` stands behind its backslash. Returns what follows the escape. */
static const char *unescape(struct reader *reader, const char *from, char **to)
{
    static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
    const char       *letter = strchr(letters, *from);

    if (*from != 'u') {
        *(*to)++ = letter != NULL ? meant[letter - letters] : *from;
        return from + 1;
    }
    uint32_t code;
    from += json_escape(from, reader->end, &code);
    *to = put_utf8(*to, sound(reader, code));
    return from;
}

/* A string: into the text itself where nothing is escaped, else a copy in the arena. What an escape
 * means is never longer than how it is written. */
static const char *read_string(struct reader *reader, uint32_t *size)
{
    expect(reader, '"');
    reader->broken = NULL;
    const char *first = reader->at;
    bool        escaped = false;
    while (*reader->at != '"') {
        if (*reader->at == '\\') {
            escaped = true;
            reader->at++;
        }
        reader->at++;
    }
    const char *last = reader->at++;
    *size = (uint32_t) (last - first);
    if (!escaped)
        return first;

    char *copy = arena_take(reader->arena, (size_t) (last - first));
    if (copy == NULL) {
        reader->too_big = true;
        return first;
    }
    char *to = copy;
    while (first < last)
        if (*first == '\\')
            first = unescape(reader, first + 1, &to);
        else
            *to++ = *first++;
    *size = (uint32_t) (to - copy);
    return copy;
}

static void read_number(struct reader *reader, struct value *value)
{
    const char *first = reader->at;
    while (reader->at < reader->end && strchr("+-.0123456789Ee", *reader->at) != NULL)
        reader->at++;
    value->text = first;
    value->text_size = (uint32_t) (reader->at - first);
    enum decimal_kind kind = decimal_whole(value->text, value->text_size, &value->number);
    value->kind = kind == DECIMAL_FRACTION ? VALUE_REAL : VALUE_INT;
    value->beyond = kind == DECIMAL_TOO_BIG;
}

static void read_list(struct reader *reader, struct value *list)
{
    const struct value **last = &list->first;
    list->kind = VALUE_LIST;
    expect(reader, '[');
    skip_space(reader);
    while (*reader->at != ']') {
        struct value *child = read_value(reader, list, NULL, 0);
        if (child == NULL)
            return;
        *last = child;
        last = &child->next;
        skip_space(reader);
        if (*reader->at == ',')
            reader->at++;
    }
    reader->at++;
}

static int by_key(const void *one, const void *other)
{
    const struct value *left = *(const struct value *const *) one;
    const struct value *right = *(const struct value *const *) other;
    if (left->key_size != right->key_size)
        return left->key_size < right->key_size ? -1 : 1;
    int order = memcmp(left->key, right->key, left->key_size);
    if (order != 0)
        return order;
    return left->index < right->index ? -1 : 1;
}

/* Sorted, so that an object of ten thousand members costs no hundred million comparisons. A repeated
 * member stays in the tree: it is not read, but what is wrong with the first one is still found. */
static void report_duplicates(struct reader *reader, const struct value *object)
{
    if (object->count < 2)
        return;
    const struct value **members = arena_take(reader->arena, object->count * sizeof *members);
    if (members == NULL) {
        reader->too_big = true;
        return;
    }
    uint32_t count = 0;
    for (const struct value *member = object->first; member != NULL; member = member->next)
        members[count++] = member;
    qsort(members, count, sizeof *members, by_key);
    for (uint32_t i = 1; i < count; i++)
        if (members[i]->key_size == members[i - 1]->key_size &&
            memcmp(members[i]->key, members[i - 1]->key, members[i]->key_size) == 0)
            fault(reader->faults, members[i], NULL,
                  "is there more than once; each key may stand once in an object");
}

static void fault_broken(struct reader *reader, const struct value *at, const char *broken)
{
    if (broken != NULL)
        fault(reader->faults, at, NULL, broken);
}

static void read_object(struct reader *reader, struct value *object)
{
    const struct value **last = &object->first;
    object->kind = VALUE_OBJECT;
    expect(reader, '{');
    skip_space(reader);
    while (*reader->at != '}') {
        uint32_t    key_size;
        const char *key = read_string(reader, &key_size);
        const char *broken = reader->broken;
        skip_space(reader);
        expect(reader, ':');
        struct value *child = read_value(reader, object, key, key_size);
        if (child == NULL)
            return;
        fault_broken(reader, child, broken);
        *last = child;
        last = &child->next;
        skip_space(reader);
        if (*reader->at == ',') {
            reader->at++;
            skip_space(reader);
        }
    }
    reader->at++;
    report_duplicates(reader, object);
}

static void read_word(struct reader *reader, struct value *value)
{
    bool is_null = *reader->at == 'n', is_true = *reader->at == 't';
    reader->at += is_null || is_true ? 4 : 5;
    value->kind = is_null ? VALUE_NULL : VALUE_BOOL;
    value->number = is_true;
}

/* A value knows its place before its inside is read, so that a fault in there can be placed. NULL:
 * there is no room for it, and reading ends. */
static struct value *read_value(struct reader *reader, struct value *parent, const char *key,
                                uint32_t key_size)
{
    struct value *value = arena_take(reader->arena, sizeof *value);
    if (value == NULL || reader->too_big) {
        reader->too_big = true;
        return NULL;
    }
    value->parent = parent;
    value->index = parent != NULL ? parent->count++ : 0;
    value->key = key;
    value->key_size = key_size;
    skip_space(reader);
    switch (*reader->at) {
    case '{': read_object(reader, value); break;
    case '[': read_list(reader, value); break;
    case '"':
        value->kind = VALUE_STRING;
        value->text = read_string(reader, &value->text_size);
        fault_broken(reader, value, reader->broken);
        break;
    case 't':
    case 'f':
    case 'n': read_word(reader, value); break;
    default: read_number(reader, value); break;
    }
    return reader->too_big ? NULL : value;
}

const struct value *json_value(const char *text, size_t size, struct arena *arena,
                               struct faults *faults)
{
    if (!json_grammar(text, size, faults))
        return NULL;
    struct reader       reader = { text, text + size, arena, faults, false, NULL };
    const struct value *top = read_value(&reader, NULL, NULL, 0);
    if (top == NULL)
        fault(faults, NULL, NULL, "has more values than there is memory for one set-up");
    return top;
}
