/* house_rules.c: see house_rules.h. The game has judged the file before; here it is only read. */
#include "services/gateway/shell/http/house_rules.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/registry.h"
#include "games/treasure/treasure.h"
#include "json/json.h"

static void ignore(struct faults *faults, const struct value *at, const char *key, const char *what)
{
    (void) faults, (void) at, (void) key, (void) what;
}

static bool is_word(const struct value *object, const char *key, const char *wanted)
{
    const struct value *value = value_get(object, key);
    return value != NULL && value->kind == VALUE_STRING &&
           text_is(value->text, value->text_size, wanted);
}

static void read_rest(const struct value *part, struct house_rules *rules, struct rest_settings *to)
{
    struct faults       faults = { .report = ignore };
    const struct value *base = value_get(part, "coordinate_base");
    const struct value *bind = value_get(part, "bind");
    to->is_impl = is_word(part, "default_dialect", "impl");
    to->random_ids = !is_word(part, "id_mode", "sequential");
    to->extensions = value_bool_or(part, "extensions", false, &faults);
    to->has_base = base != NULL && base->kind == VALUE_INT;
    to->base = to->has_base ? (uint32_t) base->number : 0;
    if (is_word(part, "axis", "x_row"))
        to->axis = REST_X_IS_ROW;
    else if (is_word(part, "axis", "x_column"))
        to->axis = REST_X_IS_COLUMN;
    to->retention_ms = (uint32_t) value_int_or(part, "retention_ms", 0, INT32_MAX, 600000, &faults);
    rules->body_max = (uint32_t) value_int_or(part, "max_body", 1024, INT32_MAX, 65536, &faults);
    rules->port = (uint32_t) value_int_or(part, "port", 1, 65535, 8080, &faults);
    if (bind != NULL && bind->kind == VALUE_STRING && bind->text_size < RULES_ADDRESS_MAX) {
        memset(rules->address, 0, sizeof rules->address);
        memcpy(rules->address, bind->text, bind->text_size);
    }
}

static bool read_file(struct house_rules *rules, const char *path, struct rest_settings *rest)
{
    const struct game_wire      *wire = registry_find("treasure", 0);
    const struct treasure_setup *setup;
    struct faults                faults = { .report = ignore };
    struct arena                 arena;
    if (wire == NULL || !config_load(&rules->config, wire->game, path, NULL, stderr))
        return false;
    setup = rules->config.setup;
    rest->setup = rules->config.text;
    rest->fields = setup->width * setup->height;
    rest->is_shown = !setup->watch_all; /* Else players could watch what they must not know. */
    void *memory = malloc(JSON_VALUE_BYTES(rules->config.text_size));
    if (memory == NULL)
        return false;
    arena_init(&arena, memory, JSON_VALUE_BYTES(rules->config.text_size));
    const struct value *tree =
        json_value(rules->config.text, rules->config.text_size, &arena, &faults);
    read_rest(value_get(tree, "rest"), rules, rest);
    free(memory);
    return true;
}

static bool read_seed(const char *text, struct rest_settings *rest)
{
    char *end = NULL;
    if (text[0] == '\0')
        return true;
    errno = 0;
    rest->seed = strtoll(text, &end, 10);
    rest->has_seed = errno == 0 && *end == '\0';
    if (!rest->has_seed)
        (void) fprintf(stderr, "--treasure-seed takes a whole number of 64 bits, not \"%s\"\n",
                       text);
    return rest->has_seed;
}

bool house_rules_read(struct house_rules *rules, const char *path, const char *seed,
                      struct rest_settings *rest)
{
    static const char loopback[] = "127.0.0.1";
    memset(rules, 0, sizeof *rules);
    memcpy(rules->address, loopback, sizeof loopback);
    read_rest(NULL, rules, rest);
    rest->is_shown = true;
    bool is_good = read_seed(seed, rest);
    return (path[0] == '\0' || read_file(rules, path, rest)) && is_good;
}

void house_rules_free(struct house_rules *rules)
{
    config_free(&rules->config);
}

bool house_rules_listen(struct house_rules *rules, const char *listen)
{
    char       *end = NULL;
    const char *colon = strrchr(listen, ':');
    if (listen[0] == '\0')
        return true;
    unsigned long port = colon != NULL ? strtoul(colon + 1, &end, 10) : 0;
    bool          is_any = colon != NULL && strcmp(colon + 1, "*") == 0;
    size_t        size = colon != NULL ? (size_t) (colon - listen) : 0;
    if (colon == NULL || size == 0 || size >= RULES_ADDRESS_MAX ||
        (!is_any && (end == colon + 1 || *end != '\0' || port == 0 || port > 65535))) {
        (void) fprintf(stderr, "--listen-http takes ADDRESS:PORT, not \"%s\"\n", listen);
        return false;
    }
    memset(rules->address, 0, sizeof rules->address);
    memcpy(rules->address, listen, size);
    rules->port = (uint32_t) port;
    return true;
}
