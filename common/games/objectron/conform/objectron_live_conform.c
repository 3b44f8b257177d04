/* objectron_live_conform.c: plays scenarios and set-ups through real processes, one client for each player.
 *
 * First the rules alone play the line, as objectron_conform.c does: what it expects must come. Then
 * they play it once more, beside the processes. Every client must hear whatever the rules say, in
 * the same order. What the rules refuse, the speaker must be refused for the same reason. In the
 * end the view must be theirs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "games/house_conform.h"
#include "games/lines_conform.h"
#include "games/objectron/conform/objectron_conform.h"

/* A line being played. */
struct live_show {
    const char            *path;
    FILE                  *complaints;
    uint32_t               line;
    const char            *name;
    struct house          *house;
    struct objectron_table table;
};

static bool complain(const struct live_show *show, uint32_t client, const char *what,
                     const json_t *expected, const json_t *came)
{
    char *wanted = expected ? json_dumps(expected, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    char *got = came ? json_dumps(came, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    (void) fprintf(show->complaints, "%s:%u: %s, %s of client %u: expected %s, came %s\n",
                   show->path, show->line, show->name, what, client, wanted ? wanted : "nothing",
                   got ? got : "nothing");
    free(wanted);
    free(got);
    return false;
}

static bool is_event(const struct live_show *show, uint32_t client, const word *expected,
                     const word *came)
{
    json_t *wanted = objectron_show_event(expected), *got = objectron_show_event(came);
    bool    same = json_equal(wanted, got) || complain(show, client, "event", wanted, got);
    json_decref(wanted);
    json_decref(got);
    return same;
}

/* What the rules have said, and a refusal if this player spoke, and nothing else. */
static bool client_agrees(const struct live_show *show, uint32_t client, const char *refused)
{
    const word        *expected = sink_first(&show->table.out);
    struct house_heard heard;
    bool               agrees = true, was_refused = refused == NULL;
    while (show->house->next(show->house, client, &heard)) {
        if (heard.refused != NULL) {
            was_refused = refused != NULL && strcmp(heard.refused, refused) == 0;
            expected = NULL; /* What is asked is said once more. */
            agrees = agrees && was_refused;
        } else if (heard.event != NULL && heard.refused == NULL && refused == NULL && agrees) {
            agrees = expected != NULL ? is_event(show, client, expected, heard.event)
                                      : complain(show, client, "event", NULL, NULL);
            expected = expected != NULL ? sink_next(&show->table.out, expected) : NULL;
        }
    }
    if (agrees && (expected != NULL || !was_refused))
        return complain(show, client, "event or refusal", NULL, NULL);
    return agrees;
}

static bool all_agree(const struct live_show *show, uint32_t speaker, const char *refused)
{
    bool agree = true;
    for (uint32_t client = 0; client < (uint32_t) show->table.state->seats; client++)
        agree = client_agrees(show, client, client == speaker ? refused : NULL) && agree;
    return agree;
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

static bool play_command(struct live_show *show, const json_t *line)
{
    struct play    play = { show->table.setup, show->table.state, &show->table.dice,
                            &show->table.out };
    struct command command = objectron_read_command(line);
    uint32_t       seat = (uint32_t) (json_integer_value(json_object_get(line, "player")) - 1);
    show->table.out.used = 0;
    show->table.out.events = 0;
    if (!fits_a_message(&command))
        command = (struct command){ .arg = { ABSENT, ABSENT, ABSENT, ABSENT } };
    if (seat >= (uint32_t) show->table.state->seats)
        return true; /* No seat to speak from. */
    verdict refused = game_objectron.apply(&play, seat, &command);
    return show->house->say(show->house, seat, &command) &&
           all_agree(show, seat, refused ? game_objectron.reasons[refused].sentence : NULL);
}

/* Time runs out of its own only for who is awaited; of anybody else it may be said, but is not so. */
static bool play_expiry(struct live_show *show, const json_t *line)
{
    struct play play = { show->table.setup, show->table.state, &show->table.dice,
                         &show->table.out };
    uint32_t    seat = (uint32_t) (json_integer_value(json_object_get(line, "expire")) - 1);
    show->table.out.used = 0;
    show->table.out.events = 0;
    if (seat >= (uint32_t) show->table.state->seats)
        return true;
    if (game_objectron.expire(&play, 1u << seat))
        return show->house->expire(show->house) && all_agree(show, seat, NULL);
    return show->house->expire_idle(show->house, seat) && all_agree(show, seat, NULL);
}

static bool views_agree(struct live_show *show)
{
    const word *words = NULL;
    uint32_t    count = 0;
    if (!show->house->look(show->house, 0, &words, &count))
        return complain(show, 0, "view", NULL, NULL);
    json_t *expected = objectron_table_view(&show->table);
    json_t *came = objectron_show_view(words, count);
    bool    same = json_equal(expected, came) || complain(show, 0, "view", expected, came);
    json_decref(expected);
    json_decref(came);
    return same;
}

static bool play_commands(struct live_show *show, const json_t *line)
{
    const json_t *commands = json_object_get(line, "commands");
    bool          agrees = all_agree(show, UINT32_MAX, NULL);
    for (size_t i = 0; agrees && i < json_array_size(commands); i++) {
        const json_t *command = json_array_get(commands, i);
        agrees = json_object_get(command, "expire") != NULL ? play_expiry(show, command)
                                                            : play_command(show, command);
        if (!agrees)
            (void) fprintf(show->complaints, "%s:%u: that was command %zu\n", show->path,
                           show->line, i + 1);
    }
    return agrees && views_agree(show);
}

static bool play_line(struct live_show *show, const json_t *line)
{
    json_t            *config = objectron_config_of(line);
    json_t            *laid = objectron_options_of(line);
    char              *text = json_dumps(config, JSON_COMPACT), *why = NULL;
    char              *options = laid != NULL ? json_dumps(laid, JSON_COMPACT) : NULL;
    size_t             size = 0;
    FILE              *said = open_memstream(&why, &size);
    bool               opened = objectron_table_open(&show->table, config, line), agrees;
    uint64_t           seed = opened ? objectron_seed_of(&show->table) : 1;
    struct house_table table = { .found = show->path,
                                 .setup = text,
                                 .options = options,
                                 .seed = (int64_t) seed,
                                 .seats = (uint32_t) json_integer_value(
                                     json_object_get(config, "players")) };
    if (said == NULL)
        abort();
    bool is_open = show->house->open(show->house, &table, said);
    (void) fclose(said);
    agrees = is_open == opened || complain(show, 0, "set-up", NULL, NULL);
    if (!agrees)
        (void) fputs(why, show->complaints);
    if (agrees && opened) {
        objectron_table_start(&show->table, seed);
        agrees = play_commands(show, line);
    }
    show->house->close(show->house);
    objectron_table_close(&show->table);
    json_decref(config);
    json_decref(laid);
    free(why);
    free(options);
    free(text);
    return agrees;
}

bool objectron_conform_live(const char *path, struct house *house, FILE *complaints,
                            uint32_t *agreed, uint32_t *disagreed)
{
    struct live_show show = { .path = path, .complaints = complaints, .house = house };
    FILE            *file = fopen(path, "r");
    char            *text = NULL;
    size_t           capacity = 0;
    bool             good = true;
    *agreed = *disagreed = 0;
    if (file == NULL) {
        (void) fprintf(complaints, "%s: %s\n", path, strerror(errno));
        return false;
    }
    while (good && recording_line(file, &text, &capacity, &show.line)) {
        json_t *line = objectron_read_line(text);
        show.name = json_string_value(json_object_get(line, "name"));
        show.name = show.name != NULL ? show.name : "golden set-up";
        good = objectron_is_recording(line);
        if (good)
            ++*(objectron_line_agrees(path, show.line, line, complaints) && play_line(&show, line)
                    ? agreed
                    : disagreed);
        json_decref(line);
    }
    if (!good)
        (void) fprintf(complaints, "%s:%u: neither scenario nor golden set-up of objectron\n", path,
                       show.line);
    free(text);
    (void) fclose(file);
    return good && show.line > 0;
}
