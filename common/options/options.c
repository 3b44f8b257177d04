/* options.c: reading a command line by a table, and finding what somebody meant to type. */
#include "options/options.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX 40
#define OPTIONS_MAX 128

static uint32_t least_of(uint32_t one, uint32_t other)
{
    return one < other ? one : other;
}

/* The optimal string alignment distance, in three rows of the usual table. */
uint32_t word_distance(const char *one, const char *other)
{
    size_t one_size = strlen(one);
    size_t other_size = strlen(other);
    if (one_size > WORD_MAX || other_size > WORD_MAX)
        return UINT32_MAX;
    uint32_t before[WORD_MAX + 1] = { 0 };
    uint32_t above[WORD_MAX + 1];
    uint32_t row[WORD_MAX + 1];
    for (uint32_t j = 0; j <= other_size; j++)
        above[j] = j;
    for (uint32_t i = 1; i <= one_size; i++) {
        row[0] = i;
        for (uint32_t j = 1; j <= other_size; j++) {
            uint32_t changed = above[j - 1] + (one[i - 1] != other[j - 1] ? 1u : 0u);
            row[j] = least_of(changed, least_of(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1])
                row[j] = least_of(row[j], before[j - 2] + 1);
        }
        memcpy(before, above, sizeof before);
        memcpy(above, row, sizeof above);
    }
    return above[other_size];
}

const char *nearest_word(const char *word, const char *const *list)
{
    const char *nearest = NULL;
    /* One slip in three letters is still a slip; more is another word. */
    uint32_t    least = (uint32_t) strlen(word) / 3 + 2;
    for (uint32_t i = 0; list[i] != NULL; i++) {
        uint32_t distance = word_distance(word, list[i]);
        if (distance < least) {
            least = distance;
            nearest = list[i];
        }
    }
    /* Or the beginning of one, which other programs would take for the whole. */
    for (uint32_t i = 0; nearest == NULL && strlen(word) > 2 && list[i] != NULL; i++)
        if (strncmp(word, list[i], strlen(word)) == 0)
            nearest = list[i];
    return nearest;
}

bool option_is_named(const char *own, const char *name, size_t size)
{
    size_t i = 0;
    while (i < size && (own[i] == name[i] || (own[i] == '_' && name[i] == '-') ||
                        (own[i] == '-' && name[i] == '_')))
        i++;
    return i == size && own[i] == '\0';
}

static const struct option *option_find(const struct option *table, const char *name, size_t size)
{
    for (uint32_t i = 0; table != NULL && table[i].name != NULL; i++)
        if (option_is_named(table[i].name, name, size))
            return &table[i];
    return NULL;
}

static void put_name(struct text *fault, const char *name)
{
    text_put(fault, "--");
    for (; *name != '\0'; name++)
        text_put_bytes(fault, *name == '_' ? "-" : name, 1);
}

static void say_did_you_mean(struct text *fault, const char *before, const char *nearest)
{
    if (nearest == NULL)
        return;
    text_put(fault, "; did you mean ");
    text_put(fault, before);
    text_put(fault, nearest);
    text_put(fault, "?");
}

static void say_unknown(const struct option *table, const char *name, size_t size,
                        struct text *fault)
{
    const char *names[OPTIONS_MAX + 2] = { "help" };
    uint32_t    count = 1;
    for (uint32_t i = 0; table != NULL && table[i].name != NULL && count < OPTIONS_MAX; i++)
        names[count++] = table[i].name;
    char word[WORD_MAX + 1] = { 0 };
    memcpy(word, name, size < WORD_MAX ? size : WORD_MAX);
    text_put(fault, "there is no option --");
    text_put(fault, word);
    say_did_you_mean(fault, "--", nearest_word(word, names));
}

static bool number_read(const struct option *option, const char *value, uint64_t *number,
                        struct text *fault)
{
    char *end = NULL;
    char  range[64];
    errno = 0;
    *number = strtoull(value, &end, 10);
    bool digits = value[0] >= '0' && value[0] <= '9' && *end == '\0' && errno == 0;
    if (digits && *number >= option->least && *number <= option->most)
        return true;
    put_name(fault, option->name);
    (void) snprintf(range, sizeof range, "%" PRIu64 " to %" PRIu64, option->least, option->most);
    text_put(fault, " takes a whole number from ");
    text_put(fault, range);
    text_put(fault, ", not \"");
    text_put(fault, value);
    text_put(fault, "\"");
    return false;
}

static bool number32_read(const struct option *option, const char *value, uint32_t *number,
                          struct text *fault)
{
    uint64_t read = 0;
    assert(option->most <= UINT32_MAX);
    if (!number_read(option, value, &read, fault))
        return false;
    *number = (uint32_t) read;
    return true;
}

static bool chars_read(const struct option *option, const char *value, char *chars,
                       struct text *fault)
{
    if (text_copy(chars, option->most, value))
        return true;
    put_name(fault, option->name);
    text_put(fault, " has ");
    text_put_number(fault, (int64_t) strlen(value));
    text_put(fault, " bytes, may have ");
    text_put_number(fault, (int64_t) option->most - 1);
    return false;
}

static bool word_read(const struct option *option, const char *value, const char **word,
                      struct text *fault)
{
    for (uint32_t i = 0; option->words[i] != NULL; i++) {
        if (strcmp(value, option->words[i]) == 0) {
            *word = option->words[i];
            return true;
        }
    }
    put_name(fault, option->name);
    text_put(fault, " takes");
    for (uint32_t i = 0; option->words[i] != NULL; i++) {
        text_put(fault, i == 0 ? " " : option->words[i + 1] == NULL ? " or " : ", ");
        text_put(fault, option->words[i]);
    }
    text_put(fault, ", not \"");
    text_put(fault, value);
    text_put(fault, "\"");
    say_did_you_mean(fault, "", nearest_word(value, option->words));
    return false;
}

static bool list_add(const struct option *option, const char *value, struct word_list *list,
                     struct text *fault)
{
    if (list->count < WORD_LIST_MAX) {
        list->word[list->count++] = value;
        return true;
    }
    put_name(fault, option->name);
    text_put(fault, " may be given at most 16 times");
    return false;
}

static void *place_of(const struct option *option, void *into)
{
    return option->at != NULL ? option->at : (char *) into + option->offset;
}

static bool value_read(const struct option *option, const char *value, void *into,
                       struct text *fault)
{
    void *place = place_of(option, into);
    switch (option->kind) {
    case OPTION_FLAG: break;
    case OPTION_TEXT: *(const char **) place = value; return true;
    case OPTION_CHARS: return chars_read(option, value, place, fault);
    case OPTION_NUMBER32: return number32_read(option, value, place, fault);
    case OPTION_NUMBER: return number_read(option, value, place, fault);
    case OPTION_WORD: return word_read(option, value, place, fault);
    case OPTION_LIST: return list_add(option, value, place, fault);
    }
    assert(false);
    return false;
}

bool option_read(const struct option *table, int argc, char **argv, int *at, void *into,
                 struct text *fault)
{
    if (strncmp(argv[*at], "--", 2) != 0) {
        text_put(fault, "options are written out with two dashes, unlike ");
        text_put(fault, argv[*at]);
        return false;
    }
    const char          *name = argv[*at] + 2;
    const char          *equals = strchr(name, '=');
    size_t               size = equals != NULL ? (size_t) (equals - name) : strlen(name);
    const struct option *option = option_find(table, name, size);
    if (option == NULL) {
        say_unknown(table, name, size, fault);
        return false;
    }
    if (option->kind == OPTION_FLAG && equals == NULL) {
        *(bool *) place_of(option, into) = true;
        return true;
    }
    if (option->kind != OPTION_FLAG && equals != NULL)
        return value_read(option, equals + 1, into, fault);
    if (option->kind != OPTION_FLAG && *at + 1 < argc)
        return value_read(option, argv[++*at], into, fault);
    put_name(fault, option->name);
    text_put(fault, option->kind == OPTION_FLAG ? " takes no value" : " needs a value: ");
    text_put(fault, option->kind == OPTION_FLAG ? "" : option->value);
    return false;
}

bool options_read(const struct option *table, int argc, char **argv, void *into,
                  struct words *words, struct text *fault)
{
    text_clear(fault);
    *words = (struct words){ argv, 0 };
    bool open = true;
    for (int i = 0; i < argc; i++) {
        char *word = argv[i];
        if (open && strcmp(word, "--") == 0) {
            open = false;
        } else if (open && word[0] == '-' && word[1] != '\0') {
            if (!option_read(table, argc, argv, &i, into, fault))
                return false;
        } else {
            argv[words->count++] = word;
        }
    }
    return true;
}
