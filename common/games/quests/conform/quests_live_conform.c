/* quests_live_conform.c: plays scenarios through real processes, four clients at a table of their own.
 *
 * What each client hears is compared with its part of the log. That part is public events, those to
 * this player, and of those in two forms the one that is not another's. Nobody may see the piles.
 * So of the end, only what the views show is compared here. All of it is compared with what the
 * rules alone come to. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "games/house_conform.h"
#include "games/quests/conform/quests_conform.h"
#include "games/quests/conform/quests_names_conform.h"

/* A file being played. */
struct live_show {
    struct quests_show show;
    struct house      *house;
    const json_t      *log;
    size_t             heard[QUESTS_SEATS]; /* So much of the log is behind each client.        */
};

static bool complain(const struct live_show *show, const char *what, size_t step,
                     const json_t *expected, const json_t *came)
{
    return quests_complain(&show->show, what, step, expected, came);
}

/* "*", "P2", or "!P2". */
static bool is_for(const json_t *event, uint32_t seat)
{
    const char *to = json_string_value(json_object_get(event, "to"));
    if (to == NULL || to[0] == '*')
        return to != NULL;
    json_t *name = json_string(to[0] == '!' ? to + 1 : to);
    bool    is_his = quests_read_player(name) == seat;
    json_decref(name);
    return is_his == (to[0] != '!');
}

/* The next event of the log that is for this client; NULL: none is left. */
static const json_t *next_for(struct live_show *show, uint32_t seat)
{
    while (show->heard[seat] < json_array_size(show->log)) {
        const json_t *event = json_array_get(show->log, show->heard[seat]++);
        if (is_for(event, seat))
            return event;
    }
    return NULL;
}

/* Our sentences end with a full stop; those of the scenarios do not. */
static json_t *show_refusal(const char *sentence)
{
    size_t      size = strlen(sentence);
    const char *code = "unknown";
    for (uint32_t i = 1; i < game_quests.reason_kinds; i++)
        if (strcmp(game_quests.reasons[i].sentence, sentence) == 0)
            code = game_quests.reasons[i].name;
    return json_pack("{s:s, s:s, s:s%}", "ev", "error", "code", code, "text", sentence,
                     size > 0 ? size - 1 : 0);
}

/* An event without its audience, which is compared by who hears it. */
static bool is_same(const json_t *expected, const json_t *came)
{
    json_t *plain = json_copy((json_t *) expected);
    json_object_del(plain, "to");
    bool same = json_equal(plain, came);
    json_decref(plain);
    return same;
}

/* What came, as the scenarios write it: of an event in two forms the public one has no list of cards. A
 * list that is not empty stays, and is found out. */
static json_t *show_heard(const struct house_heard *heard)
{
    if (heard->event == NULL)
        return show_refusal(heard->refused);
    json_t       *came = quests_show_event(heard->event);
    const json_t *cards = json_object_get(came, "cards");
    if (event_to(heard->event) == TO_ALL && cards != NULL && json_array_size(cards) == 0)
        json_object_del(came, "cards");
    json_object_del(came, "to");
    return came;
}

static bool client_agrees(struct live_show *show, size_t step, uint32_t seat)
{
    struct house_heard heard;
    bool               agree = true, was_refused = false;
    while (show->house->next(show->house, seat, &heard)) {
        if (was_refused || !agree || (heard.event == NULL && heard.refused == NULL))
            continue; /* After a refusal the question is put again. */
        json_t       *came = show_heard(&heard);
        const json_t *expected = next_for(show, seat);
        was_refused = heard.refused != NULL;
        agree = (expected != NULL && is_same(expected, came)) ||
                complain(show, "event", step, expected, came);
        json_decref(came);
    }
    return agree;
}

static bool events_agree(struct live_show *show, size_t step)
{
    bool agree = true;
    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++)
        agree = client_agrees(show, step, seat) && agree;
    return agree;
}

static json_t *look(struct live_show *show, uint32_t seat)
{
    const word *words = NULL;
    uint32_t    count = 0;
    return show->house->look(show->house, seat, &words, &count) ? quests_show_view(words) : NULL;
}

static bool views_agree(struct live_show *show, size_t step, const json_t *views)
{
    size_t  i;
    json_t *at;
    bool    agree = true;
    json_array_foreach(views, i, at)
    {
        if ((size_t) json_integer_value(json_object_get(at, "after_steps")) != step)
            continue;
        const json_t *expected = json_object_get(at, "view");
        json_t       *came = look(show, quests_read_player(json_object_get(at, "player")));
        agree = (came != NULL && json_equal(expected, came)) ||
                complain(show, "view", step, expected, came);
        json_decref(came);
    }
    return agree;
}

static bool is_called(const json_t *event, const char *kind)
{
    const char *name = json_string_value(json_object_get(event, "ev"));
    return name != NULL && strcmp(name, kind) == 0;
}

/* Whom the match waits for, by what the first client has heard; NULL: it is over. */
static const json_t *prompted(const struct live_show *show)
{
    const json_t *player = NULL;
    for (size_t i = 0; i < show->heard[0]; i++) {
        const json_t *event = json_array_get(show->log, i);
        if (is_called(event, "prompt"))
            player = json_object_get(event, "player");
        if (is_called(event, "game_over"))
            player = NULL;
    }
    return player;
}

/* Time runs out of its own only for who is awaited; of anybody else it may be said, but is not so. */
static bool expire(struct live_show *show, const json_t *late)
{
    const json_t *awaited = prompted(show);
    if (json_equal(awaited, late))
        return show->house->expire(show->house);
    return show->house->expire_idle(show->house, quests_read_player(late));
}

/* A field of a wrong type fits no message: what goes out instead is as malformed. */
static bool fits_a_message(const struct command *command)
{
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        if (command->arg[i] != ABSENT &&
            (command->arg[i] < INT32_MIN || command->arg[i] > INT32_MAX))
            return false;
    return true;
}

static bool play_step(struct live_show *show, size_t number, const json_t *step)
{
    const json_t *late = json_object_get(step, "expire");
    const json_t *name = json_object_get(step, "cmd");
    bool          is_view = json_is_string(name) && strcmp(json_string_value(name), "view") == 0 &&
                   json_object_size(step) == 2;
    if (late != NULL)
        return expire(show, late) || complain(show, "expiry", number, step, NULL);
    if (is_view)
        return true; /* It changes nothing; views are compared where they are written. */
    struct command command = quests_read_command(step);
    uint32_t       seat = quests_read_player(json_object_get(step, "by"));
    if (!fits_a_message(&command))
        command = (struct command){ .kind = 0 };
    return show->house->say(show->house, seat, &command) ||
           complain(show, "answer", number, step, NULL);
}

/* What can be seen of the end. */
static json_t *show_final(struct live_show *show)
{
    json_t *hands = json_object(), *shields = json_object(), *views[QUESTS_SEATS];
    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++) {
        char name[] = { 'P', (char) ('1' + seat), '\0' };
        views[seat] = look(show, seat);
        const json_t *player =
            json_array_get(json_object_get(views[seat], "players"), (size_t) seat);
        json_object_set(hands, name, json_object_get(views[seat], "hand"));
        json_object_set(shields, name, json_object_get(player, "shields"));
    }
    const json_t *seen = views[0];
    json_t       *final = json_pack(
              "{s:o, s:o, s:b, s:O*, s:O*, s:O*, s:O*, s:O*, s:O*}", "hands", hands, "shields", shields,
              "over", json_is_null(json_object_get(seen, "pending")), "winners",
              json_object_get(seen, "winners"), "pending", json_object_get(seen, "pending"), "turn",
              json_object_get(seen, "turn"), "current", json_object_get(seen, "current"),
              "adventure_deck_count", json_object_get(json_object_get(seen, "adventure"), "deck"),
              "event_deck_count", json_object_get(json_object_get(seen, "events"), "deck"));
    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++)
        json_decref(views[seat]);
    return final;
}

static bool final_agrees(struct live_show *show, size_t steps, const json_t *expected)
{
    json_t     *came = show_final(show), *seen = json_object(), *value;
    const char *key;
    json_object_foreach(came, key, value)
        json_object_set(seen, key, json_object_get(expected, key));
    bool same = json_equal(seen, came) || complain(show, "final", steps, seen, came);
    json_decref(came);
    json_decref(seen);
    return same;
}

/* Every player has heard whatever of the log was for them. */
static bool all_was_heard(struct live_show *show, size_t step)
{
    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++) {
        const json_t *left = next_for(show, seat);
        if (left != NULL)
            return complain(show, "event", step, left, NULL);
    }
    return true;
}

static bool play_steps(struct live_show *show, const json_t *scenario)
{
    const json_t *expect = json_object_get(scenario, "expect");
    const json_t *views = json_object_get(expect, "views");
    const json_t *steps = json_object_get(scenario, "steps");
    size_t        count = json_array_size(steps);
    bool          agrees = true;
    for (size_t step = 0; agrees && step <= count; step++) {
        if (step > 0)
            agrees = play_step(show, step, json_array_get(steps, step - 1));
        agrees = agrees && events_agree(show, step) && views_agree(show, step, views);
    }
    return agrees && all_was_heard(show, count) &&
           final_agrees(show, count, json_object_get(expect, "final"));
}

static const char *name_of(void *asked, uint32_t client)
{
    static const char *const names[] = { "P1", "P2", "P3", "P4" };
    (void) asked;
    return client < QUESTS_SEATS ? names[client] : NULL;
}

static bool play_scenario(struct quests_show *file, const json_t *scenario)
{
    struct live_show *show = (struct live_show *) (void *) file;
    const json_t     *config = json_object_get(scenario, "config");
    const json_t     *seed = json_object_get(config, "seed");
    const json_t     *expect = json_object_get(scenario, "expect");
    char             *text = json_dumps(config, JSON_COMPACT);
    char             *why = NULL;
    size_t            size = 0;
    FILE             *said = open_memstream(&why, &size);

    struct house_table table = { .found = file->path,
                                 .setup = text,
                                 .options =
                                     "{\"rigged\": true}", /* Scenarios are what it is for. */
                                 .seed = json_is_integer(seed) ? json_integer_value(seed) : 1,
                                 .seats = QUESTS_SEATS,
                                 .name = name_of };
    show->log = json_object_get(expect, "events");
    memset(show->heard, 0, sizeof show->heard);
    bool opened = said != NULL && show->house->open(show->house, &table, said);
    if (said != NULL)
        (void) fclose(said);
    bool agrees = opened != json_is_string(expect) || complain(show, "set-up", 0, expect, NULL);
    if (!agrees && why != NULL)
        (void) fputs(why, file->complaints);
    if (opened)
        agrees = agrees && play_steps(show, scenario);
    /* What nobody at a table sees, the order of the decks and what lies in the piles, the rules alone show. */
    agrees = agrees && quests_scenario_agrees(file, scenario);
    show->house->close(show->house);
    free(why);
    free(text);
    return agrees;
}

bool quests_conform_live(const char *path, struct house *house, FILE *complaints, uint32_t *agreed,
                         uint32_t *disagreed)
{
    struct live_show show = {
        .show = { .path = path, .complaints = complaints, .play = play_scenario }, .house = house
    };
    return quests_play_file(&show.show, agreed, disagreed);
}
