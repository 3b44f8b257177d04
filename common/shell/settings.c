/* settings.c: see settings.h. */
#include "shell/settings.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "options/options.h"
#include "json/config_file.h"
#include "json/json.h"

#define OPTIONS_MAX 128

/* Where faults of a file go. */
struct complaints {
    struct faults faults; /* First, so that a report finds the rest. */
    const char   *path;
    FILE         *to;
};

static void complain(struct faults *faults, const struct value *at, const char *key,
                     const char *what)
{
    const struct complaints *complaints = (const struct complaints *) faults;
    struct text              place;
    value_place(&place, at);
    if (key != NULL) {
        text_put(&place, "/");
        text_put(&place, key);
    }
    fprintf(complaints->to, "%s:%s: %s\n", complaints->path, place.bytes, what);
}

static const struct setting *find(const struct settings_list *lists, uint32_t list_count,
                                  const char *name, size_t size)
{
    for (uint32_t list = 0; list < list_count; list++)
        for (uint32_t i = 0; i < lists[list].count; i++)
            if (option_is_named(lists[list].list[i].name, name, size))
                return &lists[list].list[i];
    return NULL;
}

/* Takes over a text; false: it is too long. */
static bool put_text(const struct setting *setting, const char *text, size_t size)
{
    if (size >= setting->most || memchr(text, '\0', size) != NULL)
        return false;
    memset(setting->at, 0, setting->most);
    if (size > 0)
        memcpy(setting->at, text, size);
    return true;
}

static void put_number(const struct setting *setting, uint64_t number)
{
    if (setting->kind == SETTING_NUMBER32)
        *(uint32_t *) setting->at = (uint32_t) number;
    else
        *(uint64_t *) setting->at = number;
}

static void take_member(const struct setting *setting, const struct value *object,
                        const struct value *member, struct faults *faults)
{
    const struct value *text;
    switch (setting->kind) {
    case SETTING_TEXT:
        text = value_string(object, setting->name, faults);
        if (text != NULL && !put_text(setting, text->text, text->text_size))
            fault_numbers(faults, member, NULL, "has ", text->text_size, " bytes, may have ",
                          (int64_t) setting->most - 1, "");
        break;
    case SETTING_FLAG:
        *(bool *) setting->at = value_bool_or(object, setting->name, false, faults);
        break;
    case SETTING_NUMBER32:
    case SETTING_NUMBER64:
        put_number(setting, (uint64_t) value_int(object, setting->name, (int64_t) setting->least,
                                                 (int64_t) setting->most, faults));
        break;
    }
}

static void take_file(const struct settings_list *lists, uint32_t list_count,
                      const struct value *object, struct faults *faults)
{
    if (object == NULL || !value_as_object(object, faults))
        return;
    for (const struct value *member = object->first; member != NULL; member = member->next) {
        const struct setting *setting = find(lists, list_count, member->key, member->key_size);
        if (member->key_size > 0 && member->key[0] == '#')
            continue;
        if (setting == NULL)
            fault(faults, member, NULL, "there is no such setting; --help lists them all");
        else
            take_member(setting, object, member, faults);
    }
}

bool settings_file(const struct settings_list *lists, uint32_t list_count, const char *path,
                   FILE *complaints)
{
    size_t            size = 0;
    struct complaints to = { .faults = { .report = complain }, .path = path, .to = complaints };
    char             *text = config_read(path, &size, complaints);
    if (text == NULL)
        return false;
    void *memory = malloc(JSON_VALUE_BYTES(size));
    if (memory != NULL) {
        struct arena arena;
        arena_init(&arena, memory, JSON_VALUE_BYTES(size));
        take_file(lists, list_count, json_value(text, size, &arena, &to.faults), &to.faults);
    } else {
        fprintf(complaints, "%s: no memory\n", path);
        to.faults.count++;
    }
    free(memory);
    free(text);
    return to.faults.count == 0;
}

bool settings_options(const struct settings_list *lists, uint32_t list_count, int argc, char **argv,
                      FILE *complaints)
{
    static const enum option_kind kinds[] = { [SETTING_TEXT] = OPTION_CHARS,
                                              [SETTING_NUMBER32] = OPTION_NUMBER32,
                                              [SETTING_NUMBER64] = OPTION_NUMBER,
                                              [SETTING_FLAG] = OPTION_FLAG };
    const char                   *config; /* Read before: the options go over it. */
    struct option                 table[OPTIONS_MAX + 1] = {
                        { .name = "config", .value = "FILE", .kind = OPTION_TEXT, .at = &config }
    };
    uint32_t count = 1;
    bool     is_good = true;
    for (uint32_t list = 0; list < list_count; list++)
        for (const struct setting *setting = lists[list].list;
             setting < lists[list].list + lists[list].count; setting++) {
            assert(count < OPTIONS_MAX);
            table[count++] = (struct option){ .name = setting->name,
                                              .value = "VALUE",
                                              .kind = kinds[setting->kind],
                                              .at = setting->at,
                                              .least = setting->least,
                                              .most = setting->most };
        }
    for (int i = 1; i < argc; i++) {
        struct text fault;
        text_clear(&fault);
        if (option_read(table, argc, argv, &i, NULL, &fault))
            continue;
        fprintf(complaints, "%s\n", fault.bytes);
        is_good = false;
    }
    return is_good;
}

/* Whoever reads a log or a help text is not to learn the password of a store's address. */
static void print_text(const char *text, FILE *to)
{
    const char *host = strstr(text, "://"), *end = NULL;
    if (host != NULL) {
        host += 3;
        end = memrchr(host, '@', strcspn(host, "/?"));
    }
    if (end != NULL)
        fprintf(to, "\"%.*s...%s\"", (int) (host - text), text, end);
    else
        fprintf(to, "\"%s\"", text);
}

void settings_print(const struct setting *setting, FILE *to)
{
    switch (setting->kind) {
    case SETTING_TEXT: print_text(setting->at, to); break;
    case SETTING_FLAG: fputs(*(const bool *) setting->at ? "yes" : "no", to); break;
    case SETTING_NUMBER32: fprintf(to, "%" PRIu32, *(const uint32_t *) setting->at); break;
    case SETTING_NUMBER64: fprintf(to, "%" PRIu64, *(const uint64_t *) setting->at); break;
    }
}

void settings_help(const struct settings_list *lists, uint32_t list_count, FILE *to)
{
    for (uint32_t list = 0; list < list_count; list++)
        for (uint32_t i = 0; i < lists[list].count; i++) {
            const struct setting *setting = &lists[list].list[i];
            fputs("  --", to);
            for (const char *at = setting->name; *at != '\0'; at++)
                fputc(*at == '_' ? '-' : *at, to);
            fprintf(to, "%s\n        %s Now: ", setting->kind == SETTING_FLAG ? "" : " VALUE",
                    setting->about);
            settings_print(setting, to);
            fputs(".\n", to);
        }
}

static size_t size_of(const struct setting *setting)
{
    switch (setting->kind) {
    case SETTING_TEXT: return setting->most;
    case SETTING_FLAG: return sizeof(bool);
    case SETTING_NUMBER32: return sizeof(uint32_t);
    default: return sizeof(uint64_t);
    }
}

/* Each begins where a number may stand. */
static size_t room_of(const struct setting *setting)
{
    return (size_of(setting) + 7) & ~(size_t) 7;
}

struct settings_copy settings_copy(const struct settings_list *lists, uint32_t list_count)
{
    struct settings_copy copy = { 0 };
    size_t               bytes = 0;
    uint32_t             count = 0;
    for (uint32_t list = 0; list < list_count; list++)
        for (uint32_t i = 0; i < lists[list].count; i++, count++)
            bytes += room_of(&lists[list].list[i]);
    copy.list = calloc(count + 1, sizeof *copy.list);
    copy.bytes = calloc(1, bytes + 1);
    if (copy.list == NULL || copy.bytes == NULL) {
        settings_free(&copy);
        return copy;
    }
    uint8_t *at = copy.bytes;
    for (uint32_t list = 0; list < list_count; list++)
        for (uint32_t i = 0; i < lists[list].count; i++) {
            const struct setting *from = &lists[list].list[i];
            struct setting       *to = &copy.list[copy.count++];
            *to = *from;
            to->at = at;
            setting_take(to, from);
            at += room_of(from);
        }
    return copy;
}

void settings_free(struct settings_copy *copy)
{
    free(copy->list);
    free(copy->bytes);
    *copy = (struct settings_copy){ 0 };
}

bool setting_is(const struct setting *one, const struct setting *other)
{
    if (one->kind == SETTING_TEXT)
        return strcmp(one->at, other->at) == 0;
    return memcmp(one->at, other->at, size_of(one)) == 0;
}

void setting_take(const struct setting *to, const struct setting *from)
{
    memcpy(to->at, from->at, size_of(to));
}
