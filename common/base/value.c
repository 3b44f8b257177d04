/* value.c: reading a set-up's tree, and saying what is wrong where. */
#include "base/value.h"

#include <assert.h>
#include <string.h>

static const char *const kind_names[] = {
    [VALUE_NULL] = "null",        [VALUE_BOOL] = "true or false", [VALUE_INT] = "a whole number",
    [VALUE_REAL] = "a fraction",  [VALUE_STRING] = "a string",    [VALUE_LIST] = "a list",
    [VALUE_OBJECT] = "an object",
};

void fault(struct faults *faults, const struct value *at, const char *key, const char *what)
{
    faults->count++;
    faults->report(faults, at, key, what);
}

void fault_numbers(struct faults *faults, const struct value *at, const char *key,
                   const char *before, int64_t number, const char *between, int64_t limit,
                   const char *after)
{
    struct text what;
    text_clear(&what);
    text_put(&what, before);
    text_put_number(&what, number);
    text_put(&what, between);
    text_put_number(&what, limit);
    text_put(&what, after);
    fault(faults, at, key, what.bytes);
}

#define PLACE_DEPTH_MAX 64

/* A key in a JSON pointer writes '~' as "~0" and '/' as "~1" (RFC 6901, section 3). */
static void place_put_key(struct text *place, const char *key, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (key[i] == '~')
            text_put(place, "~0");
        else if (key[i] == '/')
            text_put(place, "~1");
        else
            text_put_bytes(place, key + i, 1);
    }
}

void value_place(struct text *place, const struct value *value)
{
    const struct value *path[PLACE_DEPTH_MAX];
    uint32_t            depth = 0;

    text_clear(place);
    for (; value != NULL && value->parent != NULL && depth < PLACE_DEPTH_MAX; value = value->parent)
        path[depth++] = value;
    while (depth-- > 0) {
        text_put(place, "/");
        if (path[depth]->key != NULL)
            place_put_key(place, path[depth]->key, path[depth]->key_size);
        else
            text_put_number(place, path[depth]->index);
    }
}

const struct value *value_get(const struct value *object, const char *key)
{
    if (object == NULL || object->kind != VALUE_OBJECT)
        return NULL;
    for (const struct value *member = object->first; member != NULL; member = member->next)
        if (text_is(member->key, member->key_size, key))
            return member;
    return NULL;
}

static bool is_missing(const struct value *object, const struct value *member)
{
    return member == NULL && object != NULL && object->kind == VALUE_OBJECT;
}

const struct value *value_need(const struct value *object, const char *key, const char *wanted,
                               struct faults *faults)
{
    const struct value *member = value_get(object, key);
    struct text         what;
    if (!is_missing(object, member))
        return member;
    text_clear(&what);
    text_put(&what, "is missing, must be ");
    text_put(&what, wanted);
    fault(faults, object, key, what.bytes);
    return NULL;
}

void value_fault_kind(struct faults *faults, const struct value *value, const char *wanted)
{
    struct text what;
    text_clear(&what);
    text_put(&what, "is ");
    text_put(&what, kind_names[value->kind]);
    text_put(&what, ", must be ");
    text_put(&what, wanted);
    fault(faults, value, NULL, what.bytes);
}

#define DIGITS_MAX 40 /* Of a number that is shown as it was written. */

void value_put_number(struct text *what, const struct value *value)
{
    if (!value->beyond) {
        text_put_number(what, value->number);
    } else if (value->text_size <= DIGITS_MAX) {
        text_put_bytes(what, value->text, value->text_size);
    } else {
        text_put(what, "a number of ");
        text_put_number(what, value->text_size);
        text_put(what, " characters");
    }
}

static void fault_range(struct faults *faults, const struct value *value, int64_t least,
                        int64_t most)
{
    struct text what;
    text_clear(&what);
    text_put(&what, "is ");
    value_put_number(&what, value);
    text_put(&what, ", must be ");
    if (value->number < least || (value->beyond && value->number < 0)) {
        text_put(&what, "at least ");
        text_put_number(&what, least);
    } else {
        text_put(&what, "at most ");
        text_put_number(&what, most);
    }
    fault(faults, value, NULL, what.bytes);
}

int64_t value_as_int(const struct value *value, int64_t least, int64_t most, struct faults *faults)
{
    assert(least <= most);
    if (value == NULL)
        return least;
    if (value->kind != VALUE_INT) {
        value_fault_kind(faults, value, kind_names[VALUE_INT]);
        return least;
    }
    if (value->beyond || value->number < least || value->number > most) {
        fault_range(faults, value, least, most);
        return least;
    }
    return value->number;
}

int64_t value_int(const struct value *object, const char *key, int64_t least, int64_t most,
                  struct faults *faults)
{
    return value_as_int(value_need(object, key, kind_names[VALUE_INT], faults), least, most,
                        faults);
}

int64_t value_int_or(const struct value *object, const char *key, int64_t least, int64_t most,
                     int64_t otherwise, struct faults *faults)
{
    const struct value *member = value_get(object, key);
    return member == NULL ? otherwise : value_as_int(member, least, most, faults);
}

bool value_bool_or(const struct value *object, const char *key, bool otherwise,
                   struct faults *faults)
{
    const struct value *member = value_get(object, key);
    if (member == NULL)
        return otherwise;
    if (member->kind != VALUE_BOOL) {
        value_fault_kind(faults, member, kind_names[VALUE_BOOL]);
        return otherwise;
    }
    return member->number != 0;
}

static const struct value *of_kind(const struct value *object, const char *key,
                                   enum value_kind kind, struct faults *faults)
{
    const struct value *member = value_need(object, key, kind_names[kind], faults);
    if (member != NULL && member->kind != kind) {
        value_fault_kind(faults, member, kind_names[kind]);
        return NULL;
    }
    return member;
}

const struct value *value_list(const struct value *object, const char *key, struct faults *faults)
{
    return of_kind(object, key, VALUE_LIST, faults);
}

const struct value *value_object(const struct value *object, const char *key, struct faults *faults)
{
    return of_kind(object, key, VALUE_OBJECT, faults);
}

const struct value *value_string(const struct value *object, const char *key, struct faults *faults)
{
    return of_kind(object, key, VALUE_STRING, faults);
}

bool value_is(const struct value *value, const char *word)
{
    return value != NULL && value->kind == VALUE_STRING &&
           text_is(value->text, value->text_size, word);
}

/* Words that have no room are told of, so that nobody takes some of them for all. */
static void put_words(struct text *what, const char *const *words)
{
    static const char others[] = " and others";
    for (int i = 0; words[i] != NULL; i++) {
        size_t behind = words[i + 1] != NULL ? sizeof others - 1 : 0;
        if (what->size + 2 + text_length(words[i]) + behind >= TEXT_MAX) {
            text_put(what, others);
            return;
        }
        text_put(what, i == 0 ? " " : ", ");
        text_put(what, words[i]);
    }
}

#define QUOTE_MAX 40 /* Bytes of a text that are quoted; a longer one is told by its length. */

/* What is there: "three", or of which kind it is. */
static void put_found(struct text *what, const struct value *value)
{
    if (value->kind != VALUE_STRING) {
        text_put(what, kind_names[value->kind]);
    } else if (value->text_size > QUOTE_MAX) {
        text_put(what, "a string of ");
        text_put_number(what, value->text_size);
        text_put(what, " bytes");
    } else {
        text_put(what, "\"");
        text_put_bytes(what, value->text, value->text_size);
        text_put(what, "\"");
    }
}

int value_word(const struct value *value, const char *const *words, struct faults *faults)
{
    if (value == NULL)
        return -1;
    if (value->kind == VALUE_STRING)
        for (int i = 0; words[i] != NULL; i++)
            if (value_is(value, words[i]))
                return i;

    struct text what;
    text_clear(&what);
    text_put(&what, "is ");
    put_found(&what, value);
    text_put(&what, ", must be one of");
    put_words(&what, words);
    fault(faults, value, NULL, what.bytes);
    return -1;
}

int value_word_of(const struct value *object, const char *key, const char *const *words,
                  struct faults *faults)
{
    const struct value *member = value_get(object, key);
    struct text         what;
    if (!is_missing(object, member))
        return value_word(member, words, faults);
    text_clear(&what);
    text_put(&what, "is missing, must be one of");
    put_words(&what, words);
    fault(faults, object, key, what.bytes);
    return -1;
}

int value_key(const struct value *member, const char *const *keys)
{
    for (int i = 0; keys[i] != NULL; i++)
        if (text_is(member->key, member->key_size, keys[i]))
            return i;
    return -1;
}

static void fault_key(struct faults *faults, const struct value *member, const char *const *keys)
{
    struct text what;
    text_clear(&what);
    text_put(&what, "is not a key here; ");
    text_put(&what, keys[0] == NULL ? "no keys are allowed here" : "allowed are");
    put_words(&what, keys);
    fault(faults, member, NULL, what.bytes);
}

void value_only(const struct value *object, const char *const *keys, struct faults *faults)
{
    if (object == NULL || object->kind != VALUE_OBJECT)
        return;
    for (const struct value *member = object->first; member != NULL; member = member->next)
        if (value_key(member, keys) < 0)
            fault_key(faults, member, keys);
}

bool value_as_object(const struct value *value, struct faults *faults)
{
    if (value == NULL)
        return false;
    if (value->kind != VALUE_OBJECT)
        value_fault_kind(faults, value, kind_names[VALUE_OBJECT]);
    return value->kind == VALUE_OBJECT;
}

static void fault_choice(struct faults *faults, const struct value *object, uint32_t known,
                         const char *const *keys)
{
    struct text what;
    text_clear(&what);
    text_put(&what, "has ");
    text_put_number(&what, known);
    text_put(&what, " keys, must have exactly one of");
    put_words(&what, keys);
    fault(faults, object, NULL, what.bytes);
}

const struct value *value_choice(const struct value *object, const char *const *keys, int *which,
                                 struct faults *faults)
{
    const struct value *chosen = NULL;
    uint32_t            known = 0;

    *which = -1;
    if (!value_as_object(object, faults))
        return NULL;
    value_only(object, keys, faults);
    for (const struct value *member = object->first; member != NULL; member = member->next) {
        int index = value_key(member, keys);
        if (index < 0 || known++ > 0)
            continue;
        chosen = member;
        *which = index;
    }
    if (known > 1 || object->count == 0)
        fault_choice(faults, object, known, keys);
    return chosen;
}

static bool same_bytes(const char *one, uint32_t one_size, const char *other, uint32_t other_size)
{
    return one_size == other_size && (one_size == 0 || memcmp(one, other, one_size) == 0);
}

static bool same_members(const struct value *one, const struct value *other)
{
    for (const struct value *member = one->first; member != NULL; member = member->next) {
        const struct value *twin = other->first;
        while (twin != NULL &&
               !same_bytes(member->key, member->key_size, twin->key, twin->key_size))
            twin = twin->next;
        if (twin == NULL || !value_same(member, twin))
            return false;
    }
    return true;
}

static bool same_elements(const struct value *one, const struct value *other)
{
    const struct value *left = one->first;
    const struct value *right = other->first;
    for (; left != NULL && right != NULL; left = left->next, right = right->next)
        if (!value_same(left, right))
            return false;
    return left == NULL && right == NULL;
}

bool value_same(const struct value *one, const struct value *other)
{
    if (one->kind != other->kind || one->count != other->count)
        return false;
    switch (one->kind) {
    case VALUE_OBJECT: return same_members(one, other);
    case VALUE_LIST: return same_elements(one, other);
    case VALUE_BOOL: return one->number == other->number;
    case VALUE_INT:
        if (!one->beyond && !other->beyond)
            return one->number == other->number;
        return one->beyond == other->beyond &&
               same_bytes(one->text, one->text_size, other->text, other->text_size);
    case VALUE_STRING:
    case VALUE_REAL: return same_bytes(one->text, one->text_size, other->text, other->text_size);
    case VALUE_NULL: break;
    }
    return true;
}
