/* tournament_play.c: plays the games of a tournament that are still to be played.
 *
 * Seed by seed, everybody against everybody: so an interrupted tournament has as many games of each as can
 * be. With several jobs each game has a process of its own, which writes its line into a pipe. Lines
 * are added to the file here alone, as games end. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#include "services/console/command/console.h"
#include "services/console/command/interrupt.h"
#include "services/console/tournament/tournament_parts.h"

#define TAKEN_OUT "taken out"
#define LINE_BYTES ((size_t) 64 << 10)
#define LOOK_US 200000

static const char *name_of(const struct tournament *run, uint32_t who)
{
    return run->entrants.list[who].name;
}

/* Which entrant this is; UINT32_MAX: none. */
static uint32_t index_of(const struct tournament *run, const char *name)
{
    for (uint32_t i = 0; name != NULL && i < run->entrants.count; i++)
        if (strcmp(name_of(run, i), name) == 0)
            return i;
    return UINT32_MAX;
}

/* A game that was not played, because somebody was taken out, changes nothing. */
static void count_hung(struct tournament *run, const json_t *line)
{
    const char   *why = json_string_value(json_object_get(line, "why"));
    const json_t *failed = json_object_get(line, "failed");
    const char   *keys[] = { "one", "other" };
    for (uint32_t i = 0; i < 2 && (why == NULL || strcmp(why, TAKEN_OUT) != 0); i++) {
        uint32_t who = index_of(run, json_string_value(json_object_get(line, keys[i])));
        bool     has_hung = why != NULL && strcmp(why, "hung") == 0 && json_is_integer(failed) &&
                        json_integer_value(failed) == (json_int_t) i;
        if (who < run->entrants.count)
            run->hung[who] = has_hung ? run->hung[who] + 1 : 0;
    }
}

bool tournament_count(struct tournament *run, json_t *line)
{
    if (!standings_count(&run->standings, line))
        return false;
    count_hung(run, line);
    return true;
}

static bool is_out(const struct tournament *run, uint32_t who)
{
    return run->ask->out_after > 0 && run->hung[who] >= run->ask->out_after;
}

static json_t *line_of(const struct tournament *run, const struct tournament_game *game,
                       const struct pairing_result *result)
{
    json_t *line = json_pack(
        "{s:s s:s s:I s:b s:i s:I s:I s:I}", "one", name_of(run, game->one), "other",
        name_of(run, game->other), "seed", (json_int_t) game->seed, "swapped", (int) game->swapped,
        "score", (int) result->score, "acts", (json_int_t) result->acts, "slowest_ms_one",
        (json_int_t) result->slowest_ms[0], "slowest_ms_other", (json_int_t) result->slowest_ms[1]);
    if (result->both_lost)
        json_object_set_new(line, "both_lost", json_true());
    for (uint32_t i = 0; i < 2; i++)
        if (result->was_silent[i])
            json_object_set_new(line, i == 0 ? "silent_one" : "silent_other", json_true());
    if (result->failed >= 0) {
        json_object_set_new(line, "failed", json_integer(result->failed));
        json_object_set_new(line, "why", json_string(result->why));
        if (result->said[0] != '\0')
            json_object_set_new(line, "said", json_string(result->said));
    }
    if (result->match[0] != '\0')
        json_object_set_new(line, "match", json_string(result->match));
    return line;
}

/* Whoever hung so often in a row loses without being asked again. */
static json_t *line_without_play(const struct tournament *run, const struct tournament_game *game)
{
    bool one = is_out(run, game->one), other = is_out(run, game->other);
    if (!one && !other)
        return NULL;
    const struct pairing_result result = { .failed = one ? 0 : 1,
                                           .why = TAKEN_OUT,
                                           .both_lost = one && other,
                                           .score = one && other ? 0
                                                    : one        ? -1
                                                                 : 1,
                                           .was_silent = { one, other } };
    return line_of(run, game, &result);
}

/* For that nobody loses a game: what keeps one program from starting may keep all of them. */
static int complain_of_start(struct tournament *run, const char *name, const char *why)
{
    progress_clear(&run->progress);
    complain("\"%s\" cannot be started: %s. What was played is kept; the same command goes on.",
             name, why);
    return CONSOLE_BAD_INPUT;
}

/* A game counts when its line is written. */
static int take_line(struct tournament *run, json_t *line)
{
    const char *no_start = json_string_value(json_object_get(line, "no_start"));
    int         code = CONSOLE_BAD_INPUT;
    if (no_start != NULL)
        code = complain_of_start(run, json_string_value(json_object_get(line, "name")), no_start);
    else if (played_add(&run->played, line)) {
        (void) tournament_count(run, line);
        code = CONSOLE_OK;
    }
    json_decref(line);
    return code;
}

/* Plays it; NULL: somebody interrupts. */
static json_t *play_game(const struct tournament *run, const struct tournament_game *game)
{
    const struct contestant *const two[2] = { &run->entrants.list[game->one],
                                              &run->entrants.list[game->other] };
    struct pairing_result          result;
    if (pairing_play(&run->terms, two, game->seed, game->swapped, &result))
        return line_of(run, game, &result);
    if (result.no_start == NULL || interrupted())
        return NULL;
    return json_pack("{s:s s:s}", "no_start", result.no_start, "name",
                     result.failed >= 0 ? two[result.failed]->name : "");
}

/* Games in processes of their own. */

struct worker {
    pid_t  pid; /* 0: free. */
    int    from;
    char  *text;
    size_t size;
};

struct workers {
    struct worker of[TOURNAMENT_JOBS_MAX];
    uint32_t      busy;
};

_Noreturn static void work(struct tournament *run, const struct tournament_game *game, int to)
{
    (void) prctl(PR_SET_PDEATHSIG, SIGTERM);
    contestants_adopt_strays();
    json_t *line = play_game(run, game);
    char   *text = line != NULL ? json_dumps(line, JSON_COMPACT) : NULL;
    size_t  size = text != NULL ? strlen(text) : 0, at = 0;
    while (at < size) {
        ssize_t put = write(to, text + at, size - at);
        if (put <= 0 && errno != EINTR)
            break;
        at += put > 0 ? (size_t) put : 0;
    }
    if (run->terms.errors != NULL)
        (void) fflush(run->terms.errors);
    _exit(0);
}

static int start_worker(struct tournament *run, struct workers *workers,
                        const struct tournament_game *game)
{
    struct worker *worker = workers->of;
    int            ends[2];
    while (worker->pid != 0)
        worker++;
    (void) fflush(NULL); /* What a child inherits half written it would write once more. */
    pid_t pid = pipe(ends) == 0 ? fork() : -1;
    if (pid == 0) {
        (void) close(ends[0]);
        work(run, game, ends[1]);
    }
    if (pid < 0) {
        complain("a game has no process: %s.", strerror(errno));
        return CONSOLE_BAD_INPUT;
    }
    (void) close(ends[1]);
    *worker = (struct worker){ .pid = pid, .from = ends[0], .text = malloc(LINE_BYTES) };
    if (worker->text == NULL)
        abort();
    workers->busy++;
    return CONSOLE_OK;
}

/* A worker that ends without a line was interrupted. */
static int end_worker(struct tournament *run, struct workers *workers, struct worker *worker)
{
    json_t *line = json_loadb(worker->text, worker->size, 0, NULL);
    while (waitpid(worker->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    (void) close(worker->from);
    free(worker->text);
    worker->pid = 0;
    workers->busy--;
    return line != NULL ? take_line(run, line) : CONSOLE_INTERRUPTED;
}

static int read_worker(struct tournament *run, struct workers *workers, struct worker *worker)
{
    ssize_t got = read(worker->from, worker->text + worker->size, LINE_BYTES - worker->size);
    if (got > 0)
        worker->size += (size_t) got;
    return got > 0 || (got < 0 && errno == EINTR) ? CONSOLE_OK : end_worker(run, workers, worker);
}

static void stop_workers(const struct workers *workers)
{
    for (uint32_t i = 0; i < TOURNAMENT_JOBS_MAX; i++)
        if (workers->of[i].pid > 0)
            (void) kill(workers->of[i].pid, SIGTERM);
}

/* Hears them until so many are at work at most. */
static int await_workers(struct tournament *run, struct workers *workers, uint32_t most)
{
    int  code = CONSOLE_OK;
    bool is_stopped = false;
    while (workers->busy > (is_stopped ? 0 : most)) {
        fd_set         ready;
        int            highest = -1;
        struct timeval wait = { .tv_usec = LOOK_US };
        FD_ZERO(&ready);
        for (uint32_t i = 0; i < TOURNAMENT_JOBS_MAX; i++)
            if (workers->of[i].pid > 0) {
                FD_SET(workers->of[i].from, &ready);
                highest = workers->of[i].from > highest ? workers->of[i].from : highest;
            }
        if (select(highest + 1, &ready, NULL, NULL, &wait) < 0)
            FD_ZERO(&ready);
        for (uint32_t i = 0; i < TOURNAMENT_JOBS_MAX; i++)
            if (workers->of[i].pid > 0 && FD_ISSET(workers->of[i].from, &ready)) {
                int ended = read_worker(run, workers, &workers->of[i]);
                code = ended > code ? ended : code;
            }
        if ((interrupted() || code != CONSOLE_OK) && !is_stopped) {
            is_stopped = true;
            stop_workers(workers);
        }
    }
    return interrupted() ? CONSOLE_INTERRUPTED : code;
}

static int play_one(struct tournament *run, struct workers *workers,
                    const struct tournament_game *game)
{
    run->done++;
    if (standings_has(&run->standings, game->one, game->other, game->seed, game->swapped))
        return CONSOLE_OK;
    progress_show(&run->progress, run->done);
    json_t *line = line_without_play(run, game);
    if (line == NULL && run->ask->jobs > 1) {
        int code = await_workers(run, workers, (uint32_t) run->ask->jobs - 1);
        return code == CONSOLE_OK ? start_worker(run, workers, game) : code;
    }
    if (line == NULL)
        line = play_game(run, game);
    return line != NULL ? take_line(run, line) : CONSOLE_INTERRUPTED;
}

static int play_seed(struct tournament *run, struct workers *workers, uint64_t seed)
{
    int code = CONSOLE_OK;
    for (uint32_t one = 0; one < run->entrants.count; one++)
        for (uint32_t other = one + 1; other < run->entrants.count; other++)
            for (uint32_t swapped = 0; swapped < 2 && code == CONSOLE_OK; swapped++) {
                const struct tournament_game game = { one, other, seed, swapped != 0 };
                code = play_one(run, workers, &game);
            }
    return code;
}

int tournament_play(struct tournament *run)
{
    static struct workers workers;
    uint64_t              count = run->entrants.count;
    int                   code = CONSOLE_OK;
    progress_start(&run->progress, "games", count * (count - 1) * run->ask->games);
    for (uint64_t game = 0; game < run->ask->games && code == CONSOLE_OK; game++)
        code = play_seed(run, &workers, run->ask->seed + game);
    int ended = await_workers(run, &workers, 0);
    progress_clear(&run->progress);
    return code != CONSOLE_OK ? code : ended;
}
