/* contestants.c: who plays in a tournament, read out of a file; every fault is told with its place. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "services/console/command/console.h"
#include "services/console/tournament/contestant.h"
#include "json/json.h"

/* The key under which it stands what an entrant is. */
static const char *const doors[] = { [CONTESTANT_BOT] = "bot",
                                     [CONTESTANT_LINES] = "program",
                                     [CONTESTANT_REST] = "rest",
                                     [CONTESTANT_PLAIN] = "plain",
                                     NULL };

struct reading {
    struct faults         faults; /* First, so that a report finds the rest. */
    struct config_printer printer;
    const char           *path, *game;
    struct contestants   *all;
    char                 *free_words; /* Where the next word goes. */
};

static void report(struct faults *faults, const struct value *at, const char *key, const char *what)
{
    struct reading *reading = (struct reading *) faults;
    struct text     place;
    value_place(&place, at);
    if (key != NULL) {
        text_put(&place, "/");
        text_put(&place, key);
    }
    reading->printer.ear.hear(&reading->printer.ear, reading->path, place.bytes, what);
}

/* The text takes no more room than it had between its quotes. */
static const char *keep_word(struct reading *reading, const struct value *value)
{
    char *kept = reading->free_words;
    memcpy(kept, value->text, value->text_size);
    kept[value->text_size] = '\0';
    reading->free_words += value->text_size + 1;
    return kept;
}

static void read_name(struct reading *reading, const struct value *entrant, struct contestant *into)
{
    const struct value *name = value_string(entrant, "name", &reading->faults);
    struct text         what;
    if (name == NULL)
        return;
    if (name->text_size == 0 || name->text_size >= sizeof into->name) {
        fault_numbers(&reading->faults, name, NULL, "has ", name->text_size,
                      " bytes, must have 1 to ", (int64_t) sizeof into->name - 1, "");
        return;
    }
    memcpy(into->name, name->text, name->text_size);
    for (uint32_t i = 0; i < reading->all->count; i++) {
        if (strcmp(reading->all->list[i].name, into->name) != 0)
            continue;
        text_clear(&what);
        text_put(&what, "is the name of entrant ");
        text_put_number(&what, i);
        text_put(&what, " already, must be a name of its own");
        fault(&reading->faults, name, NULL, what.bytes);
        return;
    }
}

/* Where a program of this name is found, as a shell would look for it; false, with why not. */
static bool is_there(const char *path, const char **why)
{
    struct stat there;
    errno = 0;
    if (stat(path, &there) != 0)
        *why = strerror(errno);
    else if (!S_ISREG(there.st_mode))
        *why = "it is no file";
    else if (access(path, X_OK) != 0)
        *why = "it is not executable; \"chmod +x\" makes it so";
    else
        return true;
    return false;
}

static bool is_in_path(const char *name)
{
    const char *at = getenv("PATH"), *why;
    char        path[4096];
    while (at != NULL) {
        size_t size = strcspn(at, ":");
        int length = snprintf(path, sizeof path, "%.*s/%s", (int) size, size > 0 ? at : ".", name);
        if (length > 0 && (size_t) length < sizeof path && is_there(path, &why))
            return true;
        at = at[size] == ':' ? at + size + 1 : NULL;
    }
    return false;
}

static void look_for_program(struct reading *reading, const struct value *value,
                             const char *program)
{
    const char *why = "no folder of PATH has a program of this name";
    struct text what;
    if (strchr(program, '/') != NULL ? is_there(program, &why) : is_in_path(program))
        return;
    text_clear(&what);
    text_put(&what, "cannot be started: ");
    text_put(&what, program[0] != '\0' ? why : "it has no name");
    fault(&reading->faults, value, NULL, what.bytes);
}

static void read_words(struct reading *reading, const struct value *words, struct contestant *into)
{
    uint32_t count = 0;
    if (words->kind != VALUE_LIST) {
        value_fault_kind(&reading->faults, words, "a list of words, the program's name first");
        return;
    }
    if (words->first == NULL || words->count > CONTESTANT_WORDS_MAX) {
        fault_numbers(&reading->faults, words, NULL, "has ", words->count,
                      " words, must have 1 to ", CONTESTANT_WORDS_MAX, "");
        return;
    }
    for (const struct value *at = words->first; at != NULL; at = at->next)
        if (at->kind == VALUE_STRING)
            into->words[count++] = keep_word(reading, at);
        else
            value_fault_kind(&reading->faults, at, "a string");
    if (words->first->kind == VALUE_STRING)
        look_for_program(reading, words->first, into->words[0]);
}

static void read_policy(struct reading *reading, const struct value *policy,
                        struct contestant *into)
{
    static const char *const plain[] = { "random", "greedy", NULL };
    static const char *const all[] = {
        "random", "greedy", "search", "search:NODES", "level:N", NULL
    };
    const struct game *game = registry_find(reading->game, 0)->game;
    if (policy->kind == VALUE_STRING &&
        policy_read(policy->text, policy->text_size, game, &into->policy))
        into->words[0] = keep_word(reading, policy);
    else if (value_word(policy, game->foresight != NULL ? all : plain, &reading->faults) >= 0)
        fault(&reading->faults, policy, NULL, "must have a number of the game's behind the colon");
}

/* What it is: one of four things. */
static void read_door(struct reading *reading, const struct value *entrant, struct contestant *into)
{
    const struct value *door = NULL;
    uint32_t            count = 0;
    for (const struct value *member = entrant->first; member != NULL; member = member->next) {
        int which = value_key(member, doors);
        if (which < 0)
            continue;
        count++;
        door = member;
        into->door = (enum contestant_door) which;
    }
    if (count != 1) {
        fault_numbers(&reading->faults, entrant, NULL, "has ", count,
                      " of the keys bot, program, rest and plain, must have ", 1, "");
    } else if (into->door == CONTESTANT_BOT) {
        read_policy(reading, door, into);
    } else {
        if (into->door == CONTESTANT_REST && strcmp(reading->game, "treasure") != 0)
            fault(&reading->faults, door, NULL,
                  "is the door of treasure alone; this game is played by \"program\" or \"plain\"");
        read_words(reading, door, into);
    }
}

static void read_one(struct reading *reading, const struct value *entrant)
{
    static const char *const keys[] = { "name", "bot", "program", "rest", "plain", NULL };
    struct contestant       *into = &reading->all->list[reading->all->count];
    if (!value_as_object(entrant, &reading->faults))
        return;
    value_only(entrant, keys, &reading->faults);
    read_name(reading, entrant, into);
    read_door(reading, entrant, into);
    reading->all->count++;
}

static void read_list(struct reading *reading, const struct value *list)
{
    if (list == NULL)
        return;
    if (list->kind != VALUE_LIST) {
        value_fault_kind(&reading->faults, list, "a list of entrants");
        return;
    }
    if (list->count < 2 || list->count > CONTESTANTS_MAX)
        fault_numbers(&reading->faults, list, NULL, "has ", list->count,
                      " entrants, must have 2 to ", CONTESTANTS_MAX, "");
    for (const struct value *entrant = list->first;
         entrant != NULL && reading->all->count < CONTESTANTS_MAX; entrant = entrant->next)
        read_one(reading, entrant);
}

int contestants_read(struct contestants *all, const char *path, const char *game)
{
    struct reading reading = { .faults = { .report = report },
                               .printer = config_printer_of(stderr),
                               .path = path,
                               .game = game,
                               .all = all };
    struct arena   arena;
    size_t         size = 0;
    memset(all, 0, sizeof *all);
    char *text = config_read(path, &size, stderr);
    if (text == NULL)
        return CONSOLE_BAD_INPUT;
    void *tree = malloc(JSON_VALUE_BYTES(size));
    all->words = malloc(size + 1);
    if (tree == NULL || all->words == NULL)
        abort();
    reading.free_words = all->words;
    arena_init(&arena, tree, JSON_VALUE_BYTES(size));
    read_list(&reading, json_value(text, size, &arena, &reading.faults));
    free(tree);
    free(text);
    return reading.faults.count == 0 ? CONSOLE_OK : CONSOLE_BAD_INPUT;
}

void contestants_close(struct contestants *all)
{
    free(all->words);
    all->words = NULL;
}

static json_t *one_json(const struct contestant *one)
{
    if (one->door == CONTESTANT_BOT)
        return json_pack("{s:s}", doors[one->door], one->words[0]);
    json_t *words = json_array();
    for (uint32_t i = 0; one->words[i] != NULL; i++)
        json_array_append_new(words, json_string(one->words[i]));
    return json_pack("{s:o}", doors[one->door], words);
}

json_t *contestants_json(const struct contestants *all)
{
    json_t *json = json_object();
    for (uint32_t i = 0; i < all->count; i++)
        json_object_set_new(json, all->list[i].name, one_json(&all->list[i]));
    return json;
}
