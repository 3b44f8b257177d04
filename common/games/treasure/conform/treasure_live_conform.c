/* treasure_live_conform.c: plays scenarios through real processes, two clients at a table of their own.
 *
 * Beside the processes the rules alone play the same scenario with the same dice. Whatever the
 * rules say to a seat, its client must hear, and nothing else. What they refuse, the speaker must
 * be refused for the same reason. Where the scenario looks at a seat, its view must be theirs. That
 * the rules say what the scenario expects, treasure_conform.c holds. No set-up says where treasures
 * lie, so a seed is looked for that hides them there. What only a door may say or measure is played
 * at the door, and counted apart here. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dice/kinds.h"
#include "games/house_conform.h"
#include "games/treasure/conform/treasure_conform.h"
#include "games/treasure/conform/treasure_table_conform.h"

#define SEEDS_MAX 200000u

/* A scenario being played. */
struct live_show {
    const char           *path;
    FILE                 *complaints;
    uint32_t              line;
    const json_t         *scenario;
    struct house         *house;
    struct treasure_table table;
    json_t  *config; /* Its leaves, without a limit of time: who listens may be slow.   */
    size_t   steps;
    uint32_t doors, impossible; /* Scenarios that are not played here. */
};

static const json_t *of(const struct live_show *show, const char *key)
{
    return json_object_get(show->scenario, key);
}

static json_t *show_words(const word *words, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, words[i] == ABSENT ? json_null() : json_integer(words[i]));
    return list;
}

static json_t *show_event(const word *event)
{
    uint32_t kind = event_kind(event);
    return json_pack("[s, o]", kind < TREASURE_EVENTS ? game_treasure.events[kind].name : "?",
                     show_words(event_fields(event), event_length(event)));
}

/* Takes over both. */
static bool complain(const struct live_show *show, uint32_t client, const char *what,
                     json_t *expected, json_t *came)
{
    const char *id = json_string_value(of(show, "id"));
    char       *one = expected ? json_dumps(expected, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    char       *other = came ? json_dumps(came, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    (void) fprintf(show->complaints,
                   "%s:%u: %s, after %zu steps, %s of seat %u: expected %s, came %s\n", show->path,
                   show->line, id ? id : "a scenario", show->steps, what, client + 1,
                   one ? one : "nothing", other ? other : "nothing");
    free(one);
    free(other);
    json_decref(expected);
    json_decref(came);
    return false;
}

static bool is_for(const word *event, uint32_t seat)
{
    return event_to(event) == TO_ALL || event_to(event) == TO_SEAT(seat);
}

/* The next thing the rules have said to this seat; NULL: nothing. */
static const word *next_for(const struct live_show *show, const word *event, uint32_t seat)
{
    while (event != NULL && !is_for(event, seat))
        event = sink_next(&show->table.out, event);
    return event;
}

static bool is_same(const word *expected, const word *came)
{
    uint32_t count = event_length(expected);
    return event_kind(expected) == event_kind(came) && count == event_length(came) &&
           (event_to(expected) == TO_ALL) == (event_to(came) == TO_ALL) &&
           memcmp(event_fields(expected), event_fields(came), count * sizeof(word)) == 0;
}

static bool is_event(const struct live_show *show, uint32_t client, const word *expected,
                     const word *came)
{
    if (expected != NULL && is_same(expected, came))
        return true;
    return complain(show, client, "event", expected != NULL ? show_event(expected) : NULL,
                    show_event(came));
}

/* What the rules have said to this player, a refusal if this player spoke in vain, and nothing
 * else. Behind a refusal the player's question is said once more. */
static bool client_agrees(const struct live_show *show, uint32_t client, const char *refused)
{
    const word        *expected = next_for(show, sink_first(&show->table.out), client);
    struct house_heard heard;
    bool               agrees = true, was_refused = false;
    while (show->house->next(show->house, client, &heard)) {
        if (heard.refused != NULL && agrees) {
            was_refused = true;
            agrees = (refused != NULL && strcmp(heard.refused, refused) == 0) ||
                     complain(show, client, "refusal", refused ? json_string(refused) : NULL,
                              json_string(heard.refused));
        } else if (heard.event != NULL && !was_refused && agrees) {
            agrees = is_event(show, client, expected, heard.event);
            expected = expected == NULL
                           ? NULL
                           : next_for(show, sink_next(&show->table.out, expected), client);
        }
    }
    if (agrees && expected != NULL)
        return complain(show, client, "event", show_event(expected), NULL);
    if (agrees && refused != NULL && !was_refused)
        return complain(show, client, "refusal", json_string(refused), NULL);
    return agrees;
}

/* `speaker` has just spoken; TREASURE_SEATS: nobody has. */
static bool all_agree(const struct live_show *show, uint32_t speaker, verdict judged)
{
    const char *refused = judged != ACCEPTED ? game_treasure.reasons[judged].sentence : NULL;
    bool        agree = true;
    for (uint32_t client = 0; client < TREASURE_SEATS; client++)
        agree = client_agrees(show, client, client == speaker ? refused : NULL) && agree;
    return agree;
}

static bool say(struct live_show *show, uint32_t seat, const struct command *command)
{
    verdict judged = treasure_table_hear(&show->table, seat, command);
    if (!show->house->say(show->house, seat, command))
        return complain(show, seat, "answer", NULL, NULL);
    return all_agree(show, seat, judged);
}

static bool say_half(struct live_show *show, uint32_t seat, const char *text)
{
    struct command command;
    treasure_bare(&command, TREASURE_SUBMIT_HALF);
    command.text = (const uint8_t *) text;
    command.text_size = (uint32_t) strlen(text);
    return say(show, seat, &command);
}

/* Who leaves ends it, and then everything that was hidden is shown. */
static bool say_farewell(struct live_show *show)
{
    struct command command;
    if (show->table.state->phase == TREASURE_END)
        return true;
    treasure_bare(&command, TREASURE_LEAVE);
    return say(show, 0, &command);
}

static bool view_agrees(struct live_show *show, uint32_t seat)
{
    word       *words = calloc(show->table.bounds.view_words, sizeof *words);
    struct sink out = { .words = words, .capacity = show->table.bounds.view_words };
    const word *came = NULL;
    uint32_t    count = 0;
    if (words == NULL)
        abort();
    game_treasure.view(show->table.setup, show->table.state, seat, &out);
    bool seen = show->house->look(show->house, seat, &came, &count);
    bool same = seen && count == out.used && memcmp(words, came, count * sizeof(word)) == 0;
    if (!same)
        (void) complain(show, seat, "view", show_words(words, out.used),
                        seen ? show_words(came, count) : NULL);
    free(words);
    return same;
}

static bool play_half(struct live_show *show)
{
    return say_half(show, 0, json_string_value(of(show, "half"))) && say_farewell(show);
}

static bool play_rows(struct live_show *show)
{
    struct command command;
    const json_t  *rows = of(show, "rows"), *castle = json_array_get(of(show, "castles"), 0);
    char          *text = NULL;
    size_t         size = 0;
    FILE          *to = open_memstream(&text, &size);
    if (to == NULL)
        abort();
    for (size_t i = 0; i < json_array_size(rows); i++)
        (void) fprintf(to, "%s%s", i > 0 ? "\n" : "", json_string_value(json_array_get(rows, i)));
    (void) fclose(to);
    treasure_bare(&command, TREASURE_SUBMIT_ROWS);
    command.text = (const uint8_t *) text;
    command.text_size = (uint32_t) size;
    command.arg[1] = json_integer_value(json_array_get(castle, 0));
    command.arg[2] = json_integer_value(json_array_get(castle, 1));
    bool agrees = say(show, 0, &command) && say_farewell(show);
    free(text);
    return agrees;
}

static const char *half_of(const struct live_show *show, uint32_t seat)
{
    return json_string_value(json_object_get(of(show, "halves"), seat == 0 ? "1" : "2"));
}

static bool play_merge(struct live_show *show)
{
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++)
        if (!say_half(show, seat, half_of(show, seat)) || show->table.state->result != 0)
            return complain(show, seat, "half that is accepted", NULL, NULL);
    return say_farewell(show);
}

/* All that the scenario looks at after so many steps. Behind the end nobody is left to show a view. */
static bool views_agree(struct live_show *show)
{
    const json_t *looks = of(show, "expect");
    bool          agree = true;
    for (size_t i = 0; i < json_array_size(looks); i++) {
        json_t *after = json_object_get(json_array_get(looks, i), "after");
        bool    is_now = json_integer_value(after) == (json_int_t) show->steps;
        for (uint32_t seat = 0; is_now && seat < TREASURE_SEATS; seat++)
            agree = show->table.state->phase == TREASURE_END || (view_agrees(show, seat) && agree);
    }
    return agree;
}

static bool play_step(struct live_show *show, const json_t *step)
{
    struct command command;
    treasure_bare(&command, TREASURE_UPDATE);
    for (size_t i = 1; i < 6; i++)
        command.arg[i] = json_integer_value(json_array_get(step, i));
    return say(show, (uint32_t) json_integer_value(json_array_get(step, 0)) - 1, &command);
}

static bool play_game(struct live_show *show)
{
    const json_t *steps = of(show, "steps");
    bool agrees = say_half(show, 0, half_of(show, 0)) && say_half(show, 1, half_of(show, 1)) &&
                  views_agree(show);
    while (agrees && show->steps < json_array_size(steps) &&
           show->table.state->phase != TREASURE_END) {
        const json_t *step = json_array_get(steps, show->steps++);
        agrees = play_step(show, step) && views_agree(show);
    }
    return agrees && say_farewell(show);
}

/* Seeds. */

/* The match begins anew, with other dice. */
static void start_with(struct treasure_table *table, uint64_t seed)
{
    memset(table->state, 0, table->bounds.state_bytes);
    dice_java(&table->dice, seed);
    treasure_table_start(table);
}

static bool lies_there(const struct treasure_seat *seat, const json_t *place)
{
    return !json_is_array(place) ||
           (seat->treasure_x == json_integer_value(json_array_get(place, 0)) &&
            seat->treasure_y == json_integer_value(json_array_get(place, 1)));
}

/* Dice that hide the treasures where the scenario has them; false: none do. A scenario may have one on a
 * mountain, or in the other's half. */
static bool find_seed(struct live_show *show, uint64_t *seed)
{
    struct treasure_table *table = &show->table;
    const json_t          *places = of(show, "treasures");
    *seed = (uint64_t) json_integer_value(of(show, "seed"));
    for (uint64_t last = *seed + SEEDS_MAX; json_is_object(places) && *seed < last; ++*seed) {
        start_with(table, *seed);
        for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++)
            (void) treasure_table_half(table, seat, half_of(show, seat), 0);
        if (lies_there(&table->state->seat[0], json_object_get(places, "1")) &&
            lies_there(&table->state->seat[1], json_object_get(places, "2")))
            return true;
    }
    return !json_is_object(places);
}

/* Scenarios. */

static bool play_at_table(struct live_show *show, bool (*play)(struct live_show *show),
                          uint64_t          seed)
{
    char              *setup = treasure_table_config(show->config);
    struct house_table table = {
        .found = show->path, .setup = setup, .seed = (int64_t) seed, .seats = TREASURE_SEATS
    };
    bool agrees = show->house->open(show->house, &table, show->complaints) ||
                  complain(show, 0, "table", NULL, NULL);
    if (agrees) {
        start_with(&show->table, seed);
        agrees = all_agree(show, TREASURE_SEATS, ACCEPTED) && play(show);
    }
    show->house->close(show->house);
    free(setup);
    return agrees;
}

static bool play_scenario(struct live_show *show, bool (*play)(struct live_show *show))
{
    uint64_t seed;
    bool     agrees = true;
    show->steps = 0;
    show->config = json_object();
    if (of(show, "config") != NULL)
        json_object_update(show->config, (json_t *) of(show, "config"));
    json_object_set_new(show->config, "think_ms", json_integer(0));
    if (!treasure_table_open(&show->table, show->config, 0, show->complaints)) {
        json_decref(show->config);
        return complain(show, 0, "set-up", NULL, NULL);
    }
    bool can_be = find_seed(show, &seed);
    if (can_be)
        agrees = play_at_table(show, play, seed);
    show->impossible += !can_be;
    treasure_table_close(&show->table);
    json_decref(show->config);
    return agrees;
}

/* Only a door may say that a message could not be read: a step that is a seat alone. */
static bool is_the_doors(const json_t *scenario)
{
    const json_t *steps = json_object_get(scenario, "steps");
    for (size_t i = 0; i < json_array_size(steps); i++)
        if (json_array_size(json_array_get(steps, i)) == 1)
            return true;
    return false;
}

struct live_type {
    const char *name;
    bool (*play)(struct live_show *show);
};

/* How a line is played; NULL, and `apart` if it is a scenario for somebody else. */
static const struct live_type *type_of(const json_t *scenario, bool *apart)
{
    static const struct live_type types[] = { { "half", play_half },
                                              { "half_rows", play_rows },
                                              { "merge", play_merge },
                                              { "game", play_game } };
    const char                   *name = json_string_value(json_object_get(scenario, "type"));
    *apart = name != NULL &&
             (strcmp(name, "rest") == 0 || strcmp(name, "clock") == 0 || is_the_doors(scenario));
    for (size_t i = 0; i < sizeof types / sizeof *types && name != NULL && !*apart; i++)
        if (strcmp(name, types[i].name) == 0)
            return &types[i];
    return NULL;
}

static bool play_line(struct live_show *show, const json_t *scenario)
{
    bool                    apart;
    const struct live_type *type = type_of(scenario, &apart);
    show->line++;
    show->scenario = scenario;
    if (type != NULL)
        return play_scenario(show, type->play);
    show->doors += apart;
    return apart || complain(show, 0, "type", NULL, json_deep_copy(scenario));
}

static void say_what_was_not_played(const struct live_show *show)
{
    if (show->doors > 0)
        (void) fprintf(show->complaints,
                       "%s: %u scenarios were not played: what only a door says or measures is "
                       "played over HTTP\n",
                       show->path, show->doors);
    if (show->impossible > 0)
        (void) fprintf(
            show->complaints,
            "%s: %u scenarios put treasures where no dice hide them; they were played by "
            "the rules alone\n",
            show->path, show->impossible);
}

bool treasure_conform_live(const char *path, struct house *house, FILE *complaints,
                           uint32_t *agreed, uint32_t *disagreed)
{
    struct live_show show = { .path = path, .complaints = complaints, .house = house };
    FILE            *file = fopen(path, "r");
    char            *text = NULL;
    size_t           capacity = 0;
    *agreed = *disagreed = 0;
    if (file == NULL) {
        (void) fprintf(complaints, "%s: %s\n", path, strerror(errno));
        return false;
    }
    while (getline(&text, &capacity, file) > 0) {
        json_t  *scenario = json_loads(text, JSON_ALLOW_NUL, NULL);
        uint32_t apart = show.doors + show.impossible;
        bool     good = play_line(&show, scenario);
        *agreed += good && (show.doors + show.impossible) == apart;
        *disagreed += !good;
        json_decref(scenario);
    }
    say_what_was_not_played(&show);
    free(text);
    (void) fclose(file);
    return true;
}
