/* trial.c: see trial.h: the games. */
#include "services/console/judge/trial.h"

#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/dead/dead_state.h"
#include "services/console/command/console.h"
#include "services/console/command/files.h"
#include "services/console/command/interrupt.h"
#include "json/config_file.h"

/* Of the games: every fourth is a recording, every tenth is about time, every twentieth never begins. */
#define RECORDED_IN 4
#define SILENT_IN 10
#define BROKEN_IN 20
/* A game without silence never runs out of time; one with silence does so soon. */
#define LONG_S 120
#define SHORT_S 1
/* A difference must show so often, in so many bouts at most. */
#define BOUTS_MAX 3

static const char *const editions[EDITIONS] = { "base", "equipment", "crossroads" };

const char *trial_edition(uint32_t edition)
{
    return editions[edition];
}

/* Material. */

bool trial_find_material(struct trial *trial)
{
    static const char *const folders[] = { "../share/arbiter/judge/dead",
                                           "share/arbiter/judge/dead" };
    char                     program[PATH_MAX], joined[2 * PATH_MAX];
    if (!config_program(program))
        return false;
    for (uint32_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        (void) snprintf(joined, sizeof joined, "%s/%s", program, folders[i]);
        if (realpath(joined, trial->material) != NULL)
            return true;
    }
    return false;
}

/* The edition in a file's name or folder; EDITIONS: none that is judged. */
static uint32_t edition_of(const struct trial *trial, const char *path)
{
    for (uint32_t edition = 0; edition < EDITIONS; edition++)
        if ((trial->editions >> edition & 1) != 0 && strstr(path, editions[edition]) != NULL)
            return edition;
    return EDITIONS;
}

static bool ends_with(const FTSENT *entry, const char *end)
{
    size_t size = strlen(end);
    return entry->fts_namelen > size &&
           strcmp(entry->fts_name + entry->fts_namelen - size, end) == 0;
}

static void add_setup(struct trial *trial, const FTSENT *entry, uint32_t edition)
{
    size_t size;
    char  *text = (char *) file_read(entry->fts_path, &size, NULL);
    char   name[CHECK_NAME_MAX];
    (void) snprintf(name, sizeof name, "%.*s", (int) entry->fts_namelen - 5, entry->fts_name);
    if (text != NULL)
        dead_maker_add_setup(trial->maker, name, text, editions[edition]);
    free(text);
}

static int by_name(const FTSENT **one, const FTSENT **other)
{
    return strcmp((*one)->fts_name, (*other)->fts_name);
}

/* All files of a folder that end so and are of an edition that is judged. */
static void gather(struct trial *trial, const char *folder, const char *end)
{
    char        path[2 * PATH_MAX];
    char *const roots[] = { path, NULL };
    (void) snprintf(path, sizeof path, "%s/%s", trial->material, folder);
    FTS    *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
    FTSENT *entry;
    while (tree != NULL && (entry = fts_read(tree)) != NULL) {
        uint32_t edition = entry->fts_info == FTS_F ? edition_of(trial, entry->fts_name) : EDITIONS;
        if (edition == EDITIONS || !ends_with(entry, end))
            continue;
        if (strcmp(end, ".json") == 0)
            add_setup(trial, entry, edition);
        else
            dead_maker_add_recording(trial->maker, entry->fts_path);
    }
    if (tree != NULL)
        (void) fts_close(tree);
}

bool trial_open(struct trial *trial)
{
    struct text fault;
    text_clear(&fault);
    if (!scratch_make(trial->folder))
        return false;
    trial->maker = dead_maker_new(trial->seed);
    if (trial->maker == NULL || !bout_room_open(&trial->room, &fault)) {
        complain("there is no memory for the games. %s", fault.bytes);
        return false;
    }
    if (trial->line == NULL)
        return true;
    gather(trial, "configs", ".json");
    gather(trial, "recorded", ".jsonl");
    if (dead_maker_has_any(trial->maker))
        return true;
    complain("there are no set-ups and recordings in %s.", trial->material);
    return false;
}

void trial_close(struct trial *trial)
{
    started_end(&trial->started);
    bout_room_close(&trial->room);
    dead_maker_destroy(&trial->maker);
    marks_close(&trial->marks);
    if (trial->folder[0] != '\0')
        scratch_remove(trial->folder);
}

bool trial_is_over(const struct trial *trial)
{
    return interrupted() || (trial->stop_after > 0 && trial->marks.failed >= trial->stop_after);
}

/* Games. */

/* What a game that agrees says something about. */
static uint32_t topics_of(const struct trial *trial, const struct dead_script *script)
{
    uint32_t topics = 1u << DEAD_TOPIC_RULES | 1u << DEAD_TOPIC_ORDER | 1u << DEAD_TOPIC_DICE |
                      1u << DEAD_TOPIC_AUDIENCE | 1u << DEAD_TOPIC_VALIDATION;
    if (script->silences > 0)
        topics |= 1u << DEAD_TOPIC_CLOCK;
    if (trial->line != NULL)
        topics |= 1u << DEAD_TOPIC_START;
    return topics;
}

static enum bout_end play_once(struct trial *trial, const struct dead_script *script,
                               uint32_t timeout_s, bool is_careful, struct difference *difference)
{
    callers_call(&trial->room.callers, trial->host, trial->port);
    const struct bout_terms terms = { .script = script,
                                      .started = trial->line != NULL ? &trial->started : NULL,
                                      .timeout_s = timeout_s,
                                      .patience_s = trial->patience_s,
                                      .start_s = 3 * trial->patience_s,
                                      .is_careful = is_careful };
    return bout_play(&trial->room, &terms, difference);
}

/* From the start of a server of its own to its end. */
static enum bout_end play_started(struct trial *trial, const struct dead_script *script,
                                  bool is_careful, struct difference *difference)
{
    char             seed[24], timeout[16];
    uint32_t         timeout_s = script->silences > 0 ? SHORT_S : LONG_S;
    struct text      fault;
    struct trial_ask ask = { .config = trial_write_config(trial, script->config),
                             .seed = seed,
                             .timeout = timeout,
                             .edition = script->edition,
                             .port = "" };
    (void) snprintf(seed, sizeof seed, "%" PRId64, script->seed);
    (void) snprintf(timeout, sizeof timeout, "%u", timeout_s);
    memset(difference, 0, sizeof *difference);
    if (ask.config == NULL)
        return BOUT_CANNOT;
    if (!trial_start(trial, &ask, &fault)) {
        complain("the program cannot be started: %s.", fault.bytes);
        return BOUT_CANNOT;
    }
    enum bout_end end = BOUT_DIFFERS;
    if (trial_await_door(trial, difference))
        end = play_once(trial, script, timeout_s, is_careful, difference);
    started_end(&trial->started);
    return interrupted() ? BOUT_INTERRUPTED : end;
}

/* A difference counts if it shows twice: the second time the judge listens longer, and so sees where it
 * begins. A machine that was busy for a second shows none twice. */
static enum bout_end play_surely(struct trial *trial, const struct dead_script *script,
                                 struct check *check)
{
    uint32_t      differed = 0;
    enum bout_end end = BOUT_AGREES;
    for (uint32_t i = 0; i < BOUTS_MAX && differed < 2; i++) {
        struct difference difference;
        end = play_started(trial, script, i > 0, &difference);
        if (end == BOUT_DIFFERS) {
            differed++;
            difference_close(&check->difference);
            check->difference = difference;
            free(check->output);
            check->output = trial_output(trial);
        } else {
            difference_close(&difference);
        }
        if (end == BOUT_CANNOT || end == BOUT_INTERRUPTED || (i == 0 && end == BOUT_AGREES))
            return end;
    }
    return differed >= 2 ? BOUT_DIFFERS : BOUT_AGREES;
}

static void play_game(struct trial *trial, uint32_t number, struct dead_script *script)
{
    char   name[CHECK_NAME_MAX];
    double begun = seconds_now();
    (void) snprintf(name, sizeof name, "game %u", number);
    struct check *check = marks_add(&trial->marks, name);
    (void) snprintf(check->about, sizeof check->about, "%s, %s, %s, seed %" PRId64 ", %u steps",
                    script->label, script->edition, script->setup, script->seed, script->count);
    enum bout_end end = play_surely(trial, script, check);
    trial->has_played = true;
    check->seconds = seconds_now() - begun;
    check->topics = topics_of(trial, script);
    if (end == BOUT_CANNOT || end == BOUT_INTERRUPTED) {
        difference_close(&check->difference);
        free(check->output);
        trial->marks.count--;
        trial->stop_after = end == BOUT_CANNOT ? 1 : trial->stop_after;
        trial->is_broken = trial->is_broken || end == BOUT_CANNOT;
        return;
    }
    bool is_unsteady = end == BOUT_AGREES && check->difference.said != NULL;
    marks_decide(&trial->marks, check,
                 end == BOUT_DIFFERS ? CHECK_FAILED
                 : is_unsteady       ? CHECK_UNSTEADY
                                     : CHECK_PASSED);
}

/* Time runs out in the preparation, in turns and, where there are any, in votes, one after the other. */
static uint32_t silent_in(const struct trial *trial, uint32_t number)
{
    static const enum dead_phase phases[] = { DEAD_TURN, DEAD_VOTING, DEAD_PREPARATION };
    enum dead_phase              phase = phases[number / SILENT_IN % 3];
    bool                         has_votes = (trial->editions >> DEAD_CROSSROADS & 1) != 0;
    return phase == DEAD_VOTING && !has_votes ? DEAD_TURN : phase;
}

/* Every second of those that never begin is broken off by silence. */
static struct dead_wish wish_of(const struct trial *trial, uint32_t number)
{
    bool has_clock = (trial->marks.topics >> DEAD_TOPIC_CLOCK & 1) != 0;
    bool breaks_off = number % BROKEN_IN == 10;
    bool is_silent = number % SILENT_IN == 5 || (breaks_off && number / BROKEN_IN % 2 == 1);
    return (struct dead_wish){ .is_recorded = number % RECORDED_IN == 0,
                               .has_silence = has_clock && is_silent,
                               .silent_in = silent_in(trial, number),
                               .breaks_off = breaks_off };
}

/* All games are made, also those that are not played: each depends on those before. */
void trial_games(struct trial *trial)
{
    for (uint32_t i = 1; i <= trial->games && !trial_is_over(trial) && !trial->is_broken; i++) {
        struct dead_script     script;
        const struct dead_wish wish = wish_of(trial, i);
        progress_show(&trial->progress, trial->done);
        if (!dead_maker_next(trial->maker, &wish, &script, stderr)) {
            trial->is_broken = true;
            return;
        }
        if (trial->only == 0 || trial->only == i)
            play_game(trial, i, &script);
        dead_script_close(&script);
        trial->done++;
    }
}

bool trial_one_game(struct trial *trial, struct dead_script *script, uint32_t timeout_s)
{
    struct check *check = marks_add(&trial->marks, "game 1");
    (void) snprintf(check->about, sizeof check->about, "%s, %s, %s, seed %" PRId64 ", %u steps",
                    script->label, script->edition, script->setup, script->seed, script->count);
    enum bout_end end = play_once(trial, script, timeout_s, true, &check->difference);
    check->topics = topics_of(trial, script);
    if (end == BOUT_AGREES || end == BOUT_DIFFERS) {
        marks_decide(&trial->marks, check, end == BOUT_DIFFERS ? CHECK_FAILED : CHECK_PASSED);
        return true;
    }
    difference_close(&check->difference);
    trial->marks.count--;
    return false;
}

uint32_t trial_size(const struct trial *trial)
{
    return trial->games + trial_lines_count(trial) + trial_setups_count(trial);
}
