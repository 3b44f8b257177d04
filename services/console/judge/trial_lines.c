/* trial_lines.c: command lines and set-ups that a server must refuse, and those that it must not. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/dead/dead.h"
#include "games/lines_conform.h"
#include "services/console/command/console.h"
#include "services/console/command/files.h"
#include "services/console/command/interrupt.h"
#include "services/console/judge/trial.h"

#define FOREVER "120"

/* Trying. */

/* One start, and what must come of it. */
struct attempt {
    const struct trial_ask *ask;
    char           *valid; /* The set-up's text if it is valid; NULL: a refusal must come.  */
    enum dead_topic topic;
};

/* Somebody registers, and breaks the registration off, unless it is a game for one. */
static bool play_registration(struct trial *trial, const struct attempt *attempt,
                              struct difference *difference)
{
    struct dead_script script = { .config = attempt->valid };
    (void) snprintf(script.setup, sizeof script.setup, "the set-up");
    (void) snprintf(script.edition, sizeof script.edition, "%s", attempt->ask->edition);
    script.seed = 1;
    struct dead_step *step = dead_script_add(&script);
    step->command.kind = DEAD_REGISTER;
    (void) snprintf(step->name, sizeof step->name, "Player 0");
    callers_call(&trial->room.callers, trial->host, trial->port);
    const struct bout_terms terms = { .script = &script,
                                      .started = &trial->started,
                                      .timeout_s = 120,
                                      .patience_s = trial->patience_s,
                                      .start_s = 3 * trial->patience_s };
    enum bout_end           end = bout_play(&trial->room, &terms, difference);
    script.config = NULL;
    dead_script_close(&script);
    return end != BOUT_DIFFERS;
}

static bool is_met(struct trial *trial, const struct attempt *attempt,
                   struct difference *difference)
{
    if (attempt->valid == NULL)
        return trial_await_refusal(trial, difference);
    return trial_await_door(trial, difference) && play_registration(trial, attempt, difference);
}

static void try_once(struct trial *trial, const struct attempt *attempt, struct check *check,
                     uint32_t *failed)
{
    struct difference difference = { .said = NULL };
    struct text       fault;
    if (!trial_start(trial, attempt->ask, &fault)) {
        complain("the program cannot be started: %s.", fault.bytes);
        trial->is_broken = true;
    } else if (is_met(trial, attempt, &difference) || interrupted()) {
        difference_close(&difference);
    } else {
        *failed += 1;
        difference_close(&check->difference);
        check->difference = difference;
        free(check->output);
        check->output = trial_output(trial);
    }
    started_end(&trial->started);
}

/* Once if it is right; a difference must show twice, as in games. What a program does while somebody
 * interrupts says nothing. */
static void try_surely(struct trial *trial, struct check *check, const struct attempt *attempt)
{
    uint32_t failed = 0;
    progress_show(&trial->progress, trial->done);
    for (uint32_t i = 0; i == failed && i < 2 && !trial->is_broken && !interrupted(); i++)
        try_once(trial, attempt, check, &failed);
    if (trial->is_broken || interrupted()) {
        difference_close(&check->difference);
        free(check->output);
        trial->marks.count--;
        return;
    }
    check->topics = 1u << attempt->topic;
    check->difference.cause.topic = attempt->topic;
    if (failed > 0 && attempt->topic == DEAD_TOPIC_VALIDATION)
        check->difference.cause.section = "2.4";
    marks_decide(&trial->marks, check,
                 failed == 2   ? CHECK_FAILED
                 : failed == 1 ? CHECK_UNSTEADY
                               : CHECK_PASSED);
    trial->done++;
}

/* Command lines. */

struct odd_line {
    const char     *name;
    enum start_hole hole;    /* It is about this one; START_HOLES: about none.                  */
    const char     *instead; /* NULL: it is left out.                                           */
    const char     *more[3];
};

static const struct odd_line odd_lines[] = {
    { "without the port", START_PORT, NULL, { NULL } },
    { "without the set-up", START_CONFIG, NULL, { NULL } },
    { "without the seed", START_SEED, NULL, { NULL } },
    { "without the timeout", START_TIMEOUT, NULL, { NULL } },
    { "with a port that is no number", START_PORT, "seven", { NULL } },
    { "with a seed that is no number", START_SEED, "seven", { NULL } },
    { "with a timeout that is no number", START_TIMEOUT, "seven", { NULL } },
    { "with a set-up that is not there", START_CONFIG, "/nonexistent/config.json", { NULL } },
    { "with an unknown option", START_HOLES, NULL, { "--frobnicate", "7", NULL } },
};

#define LINES (sizeof odd_lines / sizeof *odd_lines)

static bool applies(const struct trial *trial, const struct odd_line *odd)
{
    return odd->hole == START_HOLES || trial->line->has[odd->hole];
}

static bool is_judged(const struct trial *trial, enum dead_topic topic)
{
    return (trial->marks.topics >> topic & 1) != 0;
}

uint32_t trial_lines_count(const struct trial *trial)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < LINES && is_judged(trial, DEAD_TOPIC_START); i++)
        count += applies(trial, &odd_lines[i]);
    return count;
}

/* The first set-up there is. */
static char *some_config(const struct trial *trial, const char **edition)
{
    char   path[2 * PATH_MAX];
    size_t size;
    for (uint32_t e = 0; e < EDITIONS; e++)
        if ((trial->editions >> e & 1) != 0) {
            *edition = trial_edition(e);
            (void) snprintf(path, sizeof path, "%s/configs/standard-%s.json", trial->material,
                            trial_edition(e));
            break;
        }
    return (char *) file_read(path, &size, NULL);
}

static void try_line(struct trial *trial, const struct odd_line *odd, const char *config,
                     const char *edition)
{
    const char *holes[START_HOLES] = { "", config, "1", FOREVER, edition };
    if (odd->hole < START_HOLES)
        holes[odd->hole] = odd->instead;
    const struct trial_ask ask = { .config = holes[START_CONFIG],
                                   .seed = holes[START_SEED],
                                   .timeout = holes[START_TIMEOUT],
                                   .edition = edition,
                                   .port = holes[START_PORT],
                                   .more = odd->more };
    struct check          *check = marks_add(&trial->marks, odd->name);
    (void) snprintf(check->about, sizeof check->about, "the command line, %s", odd->name);
    try_surely(trial, check, &(struct attempt){ .ask = &ask, .topic = DEAD_TOPIC_START });
}

void trial_lines(struct trial *trial)
{
    const char *edition = NULL, *path = NULL;
    char       *config = trial_lines_count(trial) > 0 ? some_config(trial, &edition) : NULL;
    if (config != NULL)
        path = trial_write_config(trial, config);
    free(config);
    for (uint32_t i = 0; i < LINES && path != NULL && !trial->is_broken; i++)
        if (applies(trial, &odd_lines[i]) && !trial_is_over(trial))
            try_line(trial, &odd_lines[i], path, edition);
}

/* Set-ups. */

/* Calls for each verdict of an edition that is judged; those that the original's text does not ask
 * for are left out. */
static uint32_t for_each_verdict(const struct trial *trial,
                                 void (*take)(struct trial *, const json_t *), struct trial *with)
{
    char     path[2 * PATH_MAX];
    char    *text = NULL;
    size_t   capacity = 0;
    uint32_t number = 0, count = 0;
    (void) snprintf(path, sizeof path, "%s/validity/expected.jsonl", trial->material);
    FILE *file = fopen(path, "r");
    while (file != NULL && recording_line(file, &text, &capacity, &number)) {
        json_t     *line = json_loads(text, 0, NULL);
        const char *edition = json_string_value(json_object_get(line, "edition"));
        uint32_t    e = 0;
        while (edition != NULL && e < EDITIONS && strcmp(edition, trial_edition(e)) != 0)
            e++;
        if (edition != NULL && e < EDITIONS && (trial->editions >> e & 1) != 0 &&
            !json_is_false(json_object_get(line, "demandedBySeedText"))) {
            count++;
            if (take != NULL && !trial_is_over(with) && !with->is_broken)
                take(with, line);
        }
        json_decref(line);
    }
    free(text);
    if (file != NULL)
        (void) fclose(file);
    return count;
}

uint32_t trial_setups_count(const struct trial *trial)
{
    return is_judged(trial, DEAD_TOPIC_VALIDATION) ? for_each_verdict(trial, NULL, NULL) : 0;
}

static void try_setup(struct trial *trial, const json_t *line)
{
    const char *config = json_string_value(json_object_get(line, "config"));
    const char *edition = json_string_value(json_object_get(line, "edition"));
    const char *change = json_string_value(json_object_get(line, "change"));
    const char *judged = json_string_value(json_object_get(line, "verdict"));
    char        path[2 * PATH_MAX], name[CHECK_NAME_MAX];
    size_t      size;
    (void) snprintf(path, sizeof path, "%s/validity/%s", trial->material, config);
    char *text = (char *) file_read(path, &size, NULL);
    if (text == NULL || judged == NULL) {
        free(text);
        trial->is_broken = true;
        return;
    }
    const struct trial_ask ask = {
        .config = path, .seed = "1", .timeout = FOREVER, .edition = edition, .port = ""
    };
    (void) snprintf(name, sizeof name, "set-up %s", config);
    struct check *check = marks_add(&trial->marks, name);
    (void) snprintf(check->about, sizeof check->about, "a set-up that is %s: %s", judged,
                    change != NULL ? change : "");
    try_surely(trial, check,
               &(struct attempt){ .ask = &ask,
                                  .valid = strcmp(judged, "valid") == 0 ? text : NULL,
                                  .topic = DEAD_TOPIC_VALIDATION });
    free(text);
}

void trial_setups(struct trial *trial)
{
    if (is_judged(trial, DEAD_TOPIC_VALIDATION) && trial->only == 0)
        (void) for_each_verdict(trial, try_setup, trial);
}
