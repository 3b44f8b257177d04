/* env_rules.c: a game with a set-up: found, compiled, measured. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "env/env_private.h"
#include "json/config_file.h"

/* The texts a set-up is compiled from. */
struct texts {
    char    *config, *options;
    uint32_t seats; /* That the set-up names; 0: none. */
};

static void free_texts(struct texts *texts)
{
    free(texts->config);
    free(texts->options);
}

/* The first fault is told. */
struct ear {
    struct config_ear ear; /* First, so that what it hears finds the rest. */
    char             *fault;
    size_t            fault_bytes;
    bool              has_heard;
};

static void hear(struct config_ear *at, const char *where, const char *pointer, const char *what)
{
    struct ear *ear = (struct ear *) at;
    if (!ear->has_heard && ear->fault_bytes > 0)
        (void) snprintf(ear->fault, ear->fault_bytes, "%s%s%s: %s", where,
                        pointer[0] != '\0' ? ":" : "", pointer, what);
    ear->has_heard = true;
}

static bool complain(char *fault, size_t fault_bytes, const char *before, const char *name,
                     const char *behind)
{
    if (fault_bytes > 0)
        (void) snprintf(fault, fault_bytes, "%s%s%s", before, name, behind);
    return false;
}

static uint32_t largest_of(const json_t *list)
{
    json_int_t largest = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_int_t number = json_integer_value(json_array_get(list, i));
        largest = number > largest && number <= SEATS_MAX ? number : largest;
    }
    return (uint32_t) largest;
}

/* {"config": ..., "options": ..., "seats": [...]} */
static void unbundle(struct texts *texts, const char *text)
{
    json_t *bundle = json_loads(text, 0, NULL);
    json_t *options = json_object_get(bundle, "options");
    texts->config = json_dumps(json_object_get(bundle, "config"), JSON_ENCODE_ANY | JSON_INDENT(1));
    if (options != NULL)
        texts->options = json_dumps(options, JSON_ENCODE_ANY);
    texts->seats = largest_of(json_object_get(bundle, "seats"));
    json_decref(bundle);
}

static bool find_texts(struct texts *texts, const char *game,
                       const struct arbiter_settings *settings, char *fault, size_t fault_bytes)
{
    const char *wanted = settings->setup;
    bool        is_json = wanted != NULL && strchr(wanted, '{') != NULL;
    if (is_json)
        texts->config = strdup(wanted);
    else {
        const struct env_setup *setup = env_setup_find(game, wanted);
        if (setup == NULL)
            return complain(fault, fault_bytes, "no set-up that comes with the game is named \"",
                            wanted != NULL ? wanted : "standard", "\"");
        if (setup->is_bundle)
            unbundle(texts, setup->text);
        else
            texts->config = strdup(setup->text);
    }
    if (settings->options != NULL) {
        free(texts->options);
        texts->options = strdup(settings->options);
    }
    return texts->config != NULL || complain(fault, fault_bytes, "there is no memory", "", "");
}

/* Tells set-ups apart: a state is only one of its own. */
static uint64_t hash_of(const uint8_t *bytes, size_t size)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

static bool compile(struct arbiter_rules *rules, const struct texts *texts, char *fault,
                    size_t fault_bytes)
{
    struct ear               ear = { .ear = { hear }, .fault = fault, .fault_bytes = fault_bytes };
    const struct config_text config = { "set-up", texts->config, strlen(texts->config) };
    const struct config_text options = { "options", texts->options,
                                         texts->options != NULL ? strlen(texts->options) : 0 };
    size_t                   size = 0;
    rules->setup = config_compile_heard(rules->wire->game, &config, &options, &size, &ear.ear);
    rules->setup_hash = hash_of(rules->setup, size);
    return rules->setup != NULL;
}

static bool find_seats(struct arbiter_rules *rules, const struct texts *texts, uint32_t wanted,
                       uint32_t *seats, char *fault, size_t fault_bytes)
{
    uint32_t least = 0, most = 0;
    char     range[32];
    rules->wire->game->seats(rules->setup, &least, &most);
    *seats = wanted != 0                                     ? wanted
             : texts->seats >= least && texts->seats <= most ? texts->seats
                                                             : most;
    (void) snprintf(range, sizeof range, "%u to %u", least, most);
    return (*seats >= least && *seats <= most) ||
           complain(fault, fault_bytes, "at this set-up sit ", range, "");
}

static bool measure(struct arbiter_rules *rules, const struct arbiter_settings *settings,
                    uint32_t seats, char *fault, size_t fault_bytes)
{
    const struct game *game = rules->wire->game;
    struct extents     extents = { 0 };
    match_terms_init(&rules->terms, game, rules->setup, seats, MATCH_WORDS, NULL);
    if (game->extents != NULL)
        game->extents(rules->setup, seats, &extents);
    if (extents.commands == 0)
        extents.commands = ENV_COMMANDS_MAX;
    rules->actions = settings->actions != 0 ? settings->actions : extents.commands;
    rules->gives_up = settings->gives_up != 0;
    rules->most = settings->most != 0                ? settings->most
                  : rules->terms.bounds.commands > 0 ? 0
                                                     : ENV_CUT_AFTER;
    return env_layout(rules, game->extents != NULL ? &extents : NULL) ||
           complain(fault, fault_bytes, "a View of this game has too many fields", "", "");
}

struct arbiter_rules *arbiter_rules_open(const char *game, const struct arbiter_settings *settings,
                                         char *fault, size_t fault_bytes)
{
    static const struct arbiter_settings standard;
    const struct game_wire              *wire = registry_find(game, 0);
    struct texts                         texts = { 0 };
    uint32_t                             seats;
    if (wire == NULL) {
        (void) complain(fault, fault_bytes, "there is no game \"", game, "\"");
        return NULL;
    }
    struct arbiter_rules *rules = calloc(1, sizeof *rules);
    if (rules == NULL) {
        (void) complain(fault, fault_bytes, "there is no memory", "", "");
        return NULL;
    }
    if (settings == NULL)
        settings = &standard;
    rules->wire = wire;
    bool is_good = find_texts(&texts, game, settings, fault, fault_bytes) &&
                   compile(rules, &texts, fault, fault_bytes) &&
                   find_seats(rules, &texts, settings->seats, &seats, fault, fault_bytes) &&
                   measure(rules, settings, seats, fault, fault_bytes);
    free_texts(&texts);
    if (is_good)
        return rules;
    arbiter_rules_close(rules);
    return NULL;
}

void arbiter_rules_close(struct arbiter_rules *rules)
{
    if (rules == NULL)
        return;
    free(rules->setup);
    free(rules);
}

const char *arbiter_rules_kind(const struct arbiter_rules *rules, uint32_t kind)
{
    const struct game *game = rules->terms.game;
    return kind > 0 && kind < game->command_kinds ? game->commands[kind].name : NULL;
}

const char *arbiter_rules_reason(const struct arbiter_rules *rules, uint32_t refusal)
{
    const struct game *game = rules->terms.game;
    return refusal > 0 && refusal < game->reason_kinds ? game->reasons[refusal].name : NULL;
}
