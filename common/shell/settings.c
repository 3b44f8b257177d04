/* settings.c: see settings.h. */
#include "shell/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "json/config_file.h"
#include "json/json.h"

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

/* Whether `size` bytes are the setting's name; '-' and '_' are the same. */
static bool is_named(const struct setting *setting, const char *name, size_t size)
{
    if (strlen(setting->name) != size)
        return false;
    for (size_t i = 0; i < size; i++)
        if ((name[i] == '-' ? '_' : name[i]) != setting->name[i])
            return false;
    return true;
}

static const struct setting *find(const struct settings_list *lists, uint32_t list_count,
                                  const char *name, size_t size)
{
    for (uint32_t list = 0; list < list_count; list++)
        for (uint32_t i = 0; i < lists[list].count; i++)
            if (is_named(&lists[list].list[i], name, size))
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

static bool take_number(const struct setting *setting, const char *given, FILE *complaints)
{
    char *end = NULL;
    errno = 0;
    unsigned long long number = strtoull(given, &end, 10);
    if (given[0] < '0' || given[0] > '9' || *end != '\0' || errno != 0 || number < setting->least ||
        number > setting->most) {
        fprintf(complaints, "--%s: \"%s\" is not a number from %" PRIu64 " to %" PRIu64 "\n",
                setting->name, given, setting->least, setting->most);
        return false;
    }
    put_number(setting, number);
    return true;
}

static bool take_word(const struct setting *setting, const char *given, FILE *complaints)
{
    if (setting->kind != SETTING_TEXT)
        return take_number(setting, given, complaints);
    if (put_text(setting, given, strlen(given)))
        return true;
    fprintf(complaints, "--%s: has %zu bytes, may have %" PRIu64 "\n", setting->name, strlen(given),
            setting->most - 1);
    return false;
}

bool settings_options(const struct settings_list *lists, uint32_t list_count, int argc, char **argv,
                      FILE *complaints)
{
    bool is_good = true;
    for (int i = 1; i < argc; i++) {
        const char           *name = argv[i];
        const struct setting *setting = NULL;
        if (strcmp(name, "--config") == 0) {
            i++;
            continue;
        }
        if (strncmp(name, "--", 2) == 0)
            setting = find(lists, list_count, name + 2, strlen(name + 2));
        if (setting == NULL) {
            fprintf(complaints, "%s: there is no such option; --help lists them all\n", name);
            is_good = false;
        } else if (setting->kind == SETTING_FLAG) {
            *(bool *) setting->at = true;
        } else if (i + 1 == argc) {
            fprintf(complaints, "%s: its value is missing\n", name);
            is_good = false;
        } else {
            is_good = take_word(setting, argv[++i], complaints) && is_good;
        }
    }
    return is_good;
}

static void print_value(const struct setting *setting, FILE *to)
{
    switch (setting->kind) {
    case SETTING_TEXT: fprintf(to, "\"%s\"", (const char *) setting->at); break;
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
            print_value(setting, to);
            fputs(".\n", to);
        }
}
