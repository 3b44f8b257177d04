/* table.c: finds a game and its set-up, reads both and compiles them; says everything that is wrong. */
#include "services/console/command/table.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "services/console/command/console.h"
#include "services/console/command/setups.h"
#include "json/config_file.h"

const struct game_wire *table_game(const char *name)
{
    const struct game_wire *wire = registry_find(name, 0);
    if (wire != NULL)
        return wire;
    const char *names[64] = { NULL };
    uint32_t    count = 0;
    for (const struct game_wire *const *games = registry_games(); *games != NULL; games++)
        if (count < 63)
            names[count++] = (*games)->game->name;
    const char *nearest = nearest_word(name, names);
    if (nearest != NULL)
        complain("there is no game \"%s\"; did you mean %s?", name, nearest);
    else
        complain("there is no game \"%s\"; \"arbiter games\" lists them.", name);
    return NULL;
}

bool table_leaves_stdin(const struct table_ask *ask)
{
    bool leaves = ask->config == NULL || strcmp(ask->config, "-") != 0;
    if (!leaves)
        console_complain("the set-up cannot come from the standard input, where one types here; "
                         "name a file.");
    return leaves;
}

/* What is wrong with a text as a whole: to whoever hears faults, else to the person. */
#define SENTENCE_MAX 1024
static void say(const struct table_ask *ask, const char *where, const char *sentence)
{
    if (ask->ear != NULL)
        ask->ear->hear(ask->ear, where, "", sentence);
    else
        console_complain(sentence);
}

static bool say_setting(const struct table_ask *ask, const char *before, const char *setting,
                        const char *behind)
{
    char sentence[SENTENCE_MAX];
    (void) snprintf(sentence, sizeof sentence, "--set %s%s%s", before, setting, behind);
    say(ask, "options", sentence);
    return false;
}

/* KEY=VALUE into the options; a value that is JSON is that, any other is a string. */
static bool set_option(const struct table_ask *ask, json_t *options, const char *setting)
{
    const char *equals = strchr(setting, '=');
    if (equals == NULL || equals == setting)
        return say_setting(ask, "takes KEY=VALUE, not \"", setting, "\".");
    json_t *value = json_loads(equals + 1, JSON_DECODE_ANY, NULL);
    if (value == NULL)
        value = json_string(equals + 1);
    char *key = strndup(setting, (size_t) (equals - setting));
    bool  set = value != NULL && key != NULL && json_object_set_new(options, key, value) == 0;
    free(key);
    return set || say_setting(ask, "", setting, " is not UTF-8.");
}

/* Whether an option before this one sets the same key. */
static bool is_set_twice(const struct word_list *set, uint32_t at)
{
    size_t size = strcspn(set->word[at], "=") + 1;
    for (uint32_t i = 0; i < at; i++)
        if (strncmp(set->word[i], set->word[at], size) == 0)
            return true;
    return false;
}

/* The options' text: what --options says, unchanged, or, with --set, what comes of both. */
static bool options_text(struct table *table, const struct table_ask *ask)
{
    const char *given = ask->options != NULL ? ask->options : table->options;
    if (ask->set.count == 0) {
        if (ask->options != NULL) {
            free(table->options);
            table->options = strdup(ask->options);
            table->options_size = strlen(ask->options);
        }
        return true;
    }
    json_error_t error;
    json_t      *options =
        given != NULL ? json_loads(given, JSON_REJECT_DUPLICATES, &error) : json_object();
    if (!json_is_object(options)) {
        say(ask, "options",
            "--options is no JSON object; it should look like '{\"edition\": \"base\"}'.");
        json_decref(options);
        return false;
    }
    for (uint32_t i = 0; i < ask->set.count; i++) {
        bool is_again = is_set_twice(&ask->set, i);
        if (is_again)
            (void) say_setting(ask, "", ask->set.word[i], ": this key has been set already.");
        if (is_again || !set_option(ask, options, ask->set.word[i])) {
            json_decref(options);
            return false;
        }
    }
    free(table->options);
    table->options = json_dumps(options, JSON_SORT_KEYS);
    table->options_size = strlen(table->options);
    json_decref(options);
    return true;
}

/* The largest number of a list; 0 if there is none. */
static uint32_t largest_of(const json_t *list)
{
    json_int_t largest = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_int_t number = json_integer_value(json_array_get(list, i));
        largest = number > largest && number <= SEATS_MAX ? number : largest;
    }
    return (uint32_t) largest;
}

/* Takes the parts of a game's own set-up: {"config": ..., "options": ..., "seats": [...]}. */
static bool unbundle(struct table *table, const struct table_ask *ask, const char *path)
{
    json_error_t error;
    json_t      *bundle = json_loadb(table->config, table->config_size, 0, &error);
    json_t      *config = json_object_get(bundle, "config");
    json_t      *options = json_object_get(bundle, "options");
    json_t      *seats = json_object_get(bundle, "seats");
    if (config == NULL) {
        char sentence[SENTENCE_MAX];
        if (bundle == NULL)
            (void) snprintf(sentence, sizeof sentence, "%s: line %d: %s.", path, error.line,
                            error.text);
        else
            (void) snprintf(sentence, sizeof sentence,
                            "%s holds no set-up of its own; name one with --config FILE.", path);
        say(ask, path, sentence);
        json_decref(bundle);
        return false;
    }
    free(table->config);
    table->config = json_dumps(config, JSON_ENCODE_ANY | JSON_INDENT(1));
    table->config_size = strlen(table->config);
    if (options != NULL) {
        table->options = json_dumps(options, JSON_ENCODE_ANY);
        table->options_size = strlen(table->options);
    }
    table->seats = largest_of(seats);
    json_decref(bundle);
    return true;
}

static bool read_texts(struct table *table, const struct table_ask *ask, const char *path,
                       bool is_bundle)
{
    table->config = ask->ear != NULL ? config_read_heard(path, &table->config_size, ask->ear)
                                     : config_read(path, &table->config_size, stderr);
    return table->config != NULL && (!is_bundle || unbundle(table, ask, path));
}

static void complain_of_setup(const struct table_ask *ask, const char *game)
{
    const char *name = ask->config;
    char        sentence[SENTENCE_MAX];
    struct text names;
    bool        some = setups_names(game, &names);
    if (name != NULL)
        (void) snprintf(sentence, sizeof sentence,
                        "no set-up named \"%s\" comes with %s%s%s; a file is given with its "
                        "folder: ./%s.json.",
                        name, game, some ? "; there are " : "", names.bytes, name);
    else
        (void) snprintf(sentence, sizeof sentence,
                        "no set-up that comes with %s is found; name one with --config FILE, or "
                        "the folder they stand in with ARBITER_CONFIGS.",
                        game);
    say(ask, name != NULL ? name : game, sentence);
}

static bool find_texts(struct table *table, const struct table_ask *ask, struct setup_place *place)
{
    const char *game = table->wire->game->name;
    bool        named =
        ask->config != NULL && strcmp(ask->config, "-") != 0 && strpbrk(ask->config, "/.") == NULL;
    if (ask->text != NULL) {
        snprintf(place->path, sizeof place->path, "%s", ask->config);
        table->config = strdup(ask->text);
        table->config_size = strlen(ask->text);
        return table->config != NULL;
    }
    if (ask->config != NULL && !named) {
        snprintf(place->path, sizeof place->path, "%s", ask->config);
        return read_texts(table, ask, ask->config, false);
    }
    if (setups_find(game, ask->config, place))
        return read_texts(table, ask, place->path, place->is_bundle);
    complain_of_setup(ask, game);
    return false;
}

/* Whether some fault is one of the options, and some other one of the set-up. */
struct listener {
    struct config_ear  ear; /* First, so that what it hears finds the rest. */
    struct config_ear *to;
    bool               of_options, of_setup;
};

static const char options_name[] = "options"; /* Known by its address: a file may be called so. */

static void listen(struct config_ear *ear, const char *where, const char *pointer, const char *what)
{
    struct listener *listener = (struct listener *) ear;
    *(where == options_name ? &listener->of_options : &listener->of_setup) = true;
    listener->to->hear(listener->to, where, pointer, what);
}

static bool has_config(const struct table *table)
{
    json_t *bundle = json_loadb(table->config, table->config_size, 0, NULL);
    bool    has = json_is_object(json_object_get(bundle, "config"));
    json_decref(bundle);
    return has;
}

/* What games bring is no set-up by itself, though one stands in it; the faults it has as one do not say so. */
static void say_bundle(const struct table *table, const struct table_ask *ask, const char *path)
{
    const char        *game = table->wire->game->name, *slash = strrchr(path, '/');
    const char        *file = slash != NULL ? slash + 1 : path;
    char               name[NAME_MAX + 1], sentence[SENTENCE_MAX];
    struct setup_place place;
    if (!has_config(table))
        return;
    (void) snprintf(name, sizeof name, "%.*s", (int) strcspn(file, "."), file);
    if (setups_find(game, name, &place) && place.is_bundle)
        (void) snprintf(sentence, sizeof sentence,
                        "a set-up that comes with a game is checked, and played, by its name: "
                        "\"arbiter check-config %s %s\".",
                        game, name);
    else
        (void) snprintf(sentence, sizeof sentence,
                        "%.256s: only what stands under \"config\" is a set-up; give it as a file "
                        "of its own.",
                        path);
    say(ask, path, sentence);
}

/* What somebody typed beside the file is of the command line, and so are its faults. */
static int compile(struct table *table, const struct table_ask *ask,
                   const struct setup_place *place)
{
    const struct config_text config = { place->path, table->config, table->config_size };
    const struct config_text options = { options_name, table->options, table->options_size };
    struct config_printer    printer = config_printer_of(stderr);
    struct listener          listener = { .ear = { listen },
                                          .to = ask->ear != NULL ? ask->ear : &printer.ear };
    size_t                   size = 0;
    bool                     is_typed = ask->options != NULL || ask->set.count > 0;
    table->setup = config_compile_heard(table->wire->game, &config, &options, &size, &listener.ear);
    if (table->setup != NULL)
        return CONSOLE_OK;
    if (!place->is_bundle)
        say_bundle(table, ask, place->path);
    return is_typed && listener.of_options && !listener.of_setup ? CONSOLE_USAGE
                                                                 : CONSOLE_BAD_INPUT;
}

static bool seats_fit(struct table *table, const struct table_ask *ask)
{
    uint32_t least = 0;
    uint32_t most = 0;
    table->wire->game->seats(table->setup, &least, &most);
    if (ask->seats != 0)
        table->seats = (uint32_t) ask->seats;
    else if (table->seats < least || table->seats > most)
        table->seats = most;
    if (table->seats >= least && table->seats <= most)
        return true;
    if (least == most)
        complain("at this set-up sit %" PRIu32 ", not %" PRIu32 "; see --seats.", least,
                 table->seats);
    else
        complain("at this set-up sit %" PRIu32 " to %" PRIu32 ", not %" PRIu32 "; see --seats.",
                 least, most, table->seats);
    return false;
}

int table_open(struct table *table, const char *game, const struct table_ask *ask)
{
    struct setup_place place = { .is_bundle = false };
    memset(table, 0, sizeof *table);
    table->wire = table_game(game);
    if (table->wire == NULL)
        return CONSOLE_USAGE;
    int code = CONSOLE_BAD_INPUT;
    if (find_texts(table, ask, &place))
        code = options_text(table, ask) ? compile(table, ask, &place) : CONSOLE_USAGE;
    if (code == CONSOLE_OK && !seats_fit(table, ask))
        code = CONSOLE_USAGE;
    if (code != CONSOLE_OK) {
        table_close(table);
        return code;
    }
    table->commands = plan_new(table->wire->command);
    table->events = plan_new(table->wire->event);
    table->form = (struct match_form){ table->commands, table->events, &crypto_sodium };
    return CONSOLE_OK;
}

void table_close(struct table *table)
{
    if (table->commands != NULL)
        plan_destroy(&table->commands);
    if (table->events != NULL)
        plan_destroy(&table->events);
    free(table->config);
    free(table->options);
    free(table->setup);
    memset(table, 0, sizeof *table);
}
