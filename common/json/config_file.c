/* config_file.c: see config_file.h. */
#include "json/config_file.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "wire/utf8.h"
#include "json/json.h"

/* Whose faults these are, and who hears of them. */
struct complaints {
    struct faults             faults; /* First, so that a report finds the rest. */
    const struct config_text *text;
    struct config_ear        *ear;
};

/* Keys come from the file, and its name from whoever made it; what would drive a terminal or deceive a person is not printed as it is. */
static void print_plain(FILE *out, const char *bytes)
{
    const uint8_t *at = (const uint8_t *) bytes;
    for (size_t left = strlen(bytes); left > 0;) {
        uint32_t code;
        size_t   size = utf8_character(at, left, &code);
        size_t   step = size > 0 ? size : 1;
        if (size == 0 || !utf8_is_shown(code))
            fputc('?', out);
        else
            fwrite(at, 1, size, out);
        at += step;
        left -= step;
    }
}

static void complain(struct faults *faults, const struct value *at, const char *key,
                     const char *what)
{
    struct complaints *complaints = (struct complaints *) faults;
    struct text        place;

    value_place(&place, at);
    if (key != NULL) {
        text_put(&place, "/");
        text_put(&place, key);
    }
    complaints->ear->hear(complaints->ear, complaints->text->where, place.bytes, what);
}

static void print_fault(struct config_ear *ear, const char *where, const char *pointer,
                        const char *what)
{
    const struct config_printer *printer = (const struct config_printer *) ear;
    print_plain(printer->out, where);
    fputc(':', printer->out);
    print_plain(printer->out, pointer);
    fputs(pointer[0] != '\0' ? ": " : " ", printer->out);
    print_plain(printer->out, what);
    fputc('\n', printer->out);
}

struct config_printer config_printer_of(FILE *out)
{
    return (struct config_printer){ .ear = { print_fault }, .out = out };
}

/* Reads until the end or until there is no doubt that it is too much. */
static size_t read_some(FILE *file, char **bytes)
{
    size_t size = 0, room = 0;
    *bytes = NULL;
    while (size < CONFIG_READ_MAX) {
        if (room - size < 2) {
            room = room == 0 ? 8192 : room * 2;
            char *grown = realloc(*bytes, room);
            if (grown == NULL) {
                errno = ENOMEM;
                break;
            }
            *bytes = grown;
        }
        size_t got = fread(*bytes + size, 1, room - size - 1, file);
        if (got == 0)
            break;
        size += got;
    }
    if (*bytes != NULL)
        (*bytes)[size] = '\0';
    return size;
}

char *config_read(const char *path, size_t *size, FILE *complaints)
{
    struct config_printer printer = config_printer_of(complaints);
    return config_read_heard(path, size, &printer.ear);
}

static void hear_long(struct config_ear *ear, const char *path, size_t size)
{
    struct text what;
    text_clear(&what);
    text_put(&what, size >= CONFIG_READ_MAX ? "has more than " : "has ");
    text_put_number(&what, (int64_t) size);
    text_put(&what, " bytes, must have at most ");
    text_put_number(&what, CONFIG_TEXT_MAX);
    ear->hear(ear, path, "", what.bytes);
}

static void hear_unread(struct config_ear *ear, const char *path, int why)
{
    struct text what;
    text_clear(&what);
    text_put(&what, "cannot be read: ");
    text_put(&what, strerror(why));
    ear->hear(ear, path, "", what.bytes);
}

char *config_read_heard(const char *path, size_t *size, struct config_ear *ear)
{
    bool  is_stdin = strcmp(path, "-") == 0;
    char *bytes = NULL;

    *size = 0;
    errno = 0;
    FILE *file = is_stdin ? stdin : fopen(path, "rb");
    if (file != NULL)
        *size = read_some(file, &bytes);
    if (file == NULL || ferror(file) || bytes == NULL) {
        hear_unread(ear, path, errno);
        goto refuse;
    }
    if (*size > CONFIG_TEXT_MAX) {
        hear_long(ear, path, *size);
        goto refuse;
    }
    if (!is_stdin)
        fclose(file);
    return bytes;

refuse:
    if (file != NULL && !is_stdin)
        fclose(file);
    free(bytes);
    return NULL;
}

/* The tree of a text, its faults printed; NULL if there is no text, or none that could be parsed. */
static const struct value *parse(struct complaints *complaints, struct arena *arena)
{
    const struct config_text *text = complaints->text;
    if (text->bytes == NULL)
        return NULL;
    return json_value(text->bytes, text->size, arena, &complaints->faults);
}

/* `configure` looks at both trees but has one place for faults; a fault of the options is known by the
 * tree in which it is. */
struct pair {
    struct faults       faults; /* First, so that a report finds the rest. */
    const struct value *options;
    struct complaints   of_config, of_options;
};

static void complain_of_either(struct faults *faults, const struct value *at, const char *key,
                               const char *what)
{
    struct pair        *pair = (struct pair *) faults;
    const struct value *top = at;
    while (top != NULL && top->parent != NULL)
        top = top->parent;
    struct complaints *whose =
        top != NULL && top == pair->options ? &pair->of_options : &pair->of_config;
    fault(&whose->faults, at, key, what);
}

static void *compile(const struct game *game, struct pair *pair, const struct value *config,
                     size_t *setup_size)
{
    void *setup = NULL;
    *setup_size = game->configure(config, pair->options, NULL, 0, &pair->faults);
    if (pair->faults.count + pair->of_config.faults.count + pair->of_options.faults.count > 0 ||
        *setup_size == 0)
        return NULL;
    setup = calloc(1, *setup_size);
    if (setup == NULL)
        fault(&pair->faults, NULL, NULL, "is too big for the memory there is");
    else
        game->configure(config, pair->options, setup, *setup_size, &pair->faults);
    return setup;
}

void *config_compile(const struct game *game, const struct config_text *config,
                     const struct config_text *options, size_t *setup_size, FILE *complaints)
{
    struct config_printer printer = config_printer_of(complaints);
    return config_compile_heard(game, config, options, setup_size, &printer.ear);
}

void *config_compile_heard(const struct game *game, const struct config_text *config,
                           const struct config_text *options, size_t *setup_size,
                           struct config_ear *ear)
{
    const struct config_text none = { "options", NULL, 0 };
    if (options == NULL)
        options = &none;
    struct pair  pair = { .faults = { .report = complain_of_either },
                          .of_config = { { 0, complain }, config, ear },
                          .of_options = { { 0, complain }, options, ear } };
    size_t       room = JSON_VALUE_BYTES(config->size) + JSON_VALUE_BYTES(options->size);
    struct arena arena;
    void        *memory = malloc(room), *setup = NULL;

    *setup_size = 0;
    if (memory == NULL) {
        fault(&pair.of_config.faults, NULL, NULL, "is too big for the memory there is");
        return NULL;
    }
    arena_init(&arena, memory, room);
    pair.options = parse(&pair.of_options, &arena);
    const struct value *top = parse(&pair.of_config, &arena);
    if (top != NULL && (pair.options != NULL || options->bytes == NULL))
        setup = compile(game, &pair, top, setup_size);
    if (setup == NULL)
        *setup_size = 0;
    free(memory);
    return setup;
}

static void overhear(struct config_ear *ear, const char *where, const char *pointer,
                     const char *what)
{
    (void) ear, (void) where, (void) pointer, (void) what;
}

size_t config_compile_into(const struct game *game, const struct config_text *config,
                           const struct config_text *options, void *setup, size_t capacity)
{
    struct config_ear ear = { overhear };
    size_t            size = 0;
    void             *compiled = config_compile_heard(game, config, options, &size, &ear);
    bool              fits = compiled != NULL && size <= capacity;
    if (fits)
        memcpy(setup, compiled, size);
    free(compiled);
    return fits ? size : 0;
}

bool config_load(struct config *config, const struct game *game, const char *path,
                 const char *options, FILE *complaints)
{
    *config = (struct config){ NULL, 0, NULL, 0 };
    config->text = config_read(path, &config->text_size, complaints);
    if (config->text == NULL)
        return false;
    const struct config_text text = { path, config->text, config->text_size };
    const struct config_text said = { "options", options, options != NULL ? strlen(options) : 0 };
    config->setup = config_compile(game, &text, &said, &config->setup_size, complaints);
    if (config->setup == NULL)
        config_free(config);
    return config->setup != NULL;
}

void config_free(struct config *config)
{
    free(config->text);
    free(config->setup);
    *config = (struct config){ NULL, 0, NULL, 0 };
}

bool config_program(char *folder)
{
    ssize_t size = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    folder[size > 0 ? size : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash != NULL)
        *slash = '\0';
    return slash != NULL;
}
