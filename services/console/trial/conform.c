/* conform.c: `arbiter conform`: plays recorded games and scenarios against the rules. */
#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "services/console/command/console.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/progress.h"
#include "services/console/command/scratch.h"
#include "services/console/command/table.h"
#include "services/console/command/terminal.h"
#include "services/console/home/cluster.h"
#include "services/console/trial/live.h"

struct conform_ask {
    bool        live;
    const char *home;
    uint64_t    patience_s;
};

static const struct option options[] = {
    { .name = "live",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct conform_ask, live),
      .help = "Plays against real processes, started for this, with one client per speaker." },
    { .name = "home",
      .value = "DIR",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct conform_ask, home),
      .help = "With --live: plays against the Arbiter that runs there." },
    { .name = "patience",
      .value = "SECONDS",
      .kind = OPTION_NUMBER,
      .least = 1,
      .most = 3600,
      .offset = offsetof(struct conform_ask, patience_s),
      .help = "With --live: how long to wait for an answer before giving up. Default: 30." },
    { .name = NULL },
};

/* What the words on the command line come to: files, those of folders included. */
struct paths {
    char   **path;
    uint32_t count, capacity;
};

struct tally {
    uint32_t agreed, disagreed, unread;
};

static bool paths_add(struct paths *paths, const char *path)
{
    if (paths->count == paths->capacity) {
        uint32_t capacity = paths->capacity * 2 + 64;
        char   **larger = realloc(paths->path, capacity * sizeof *larger);
        if (larger == NULL)
            return false;
        paths->path = larger;
        paths->capacity = capacity;
    }
    paths->path[paths->count] = strdup(path);
    return paths->path[paths->count++] != NULL;
}

static void paths_free(struct paths *paths)
{
    for (uint32_t i = 0; i < paths->count; i++)
        free(paths->path[i]);
    free(paths->path);
}

/* In a folder, recordings are *.jsonl; index.jsonl says what they are and is none itself. */
static bool is_recording(const FTSENT *entry)
{
    return entry->fts_namelen > 6 &&
           strcmp(entry->fts_name + entry->fts_namelen - 6, ".jsonl") == 0 &&
           strcmp(entry->fts_name, "index.jsonl") != 0;
}

static int by_name(const FTSENT **one, const FTSENT **other)
{
    return strcmp((*one)->fts_name, (*other)->fts_name);
}

/* The standard input becomes a file that whoever plays it can open, again, too. */
#define STDIN_PATH "/dev/stdin"
#define STDIN_BYTES_MAX ((size_t) 64 << 20) /* All recordings of a game are some megabytes. */
static bool keep_stdin(void)
{
    char   bytes[1 << 16];
    size_t size, all = 0;
    FILE  *kept = tmpfile();
    bool   good = kept != NULL;
    while (good && (size = fread(bytes, 1, sizeof bytes, stdin)) > 0) {
        good = fwrite(bytes, 1, size, kept) == size;
        all += size;
        if (good && all > STDIN_BYTES_MAX) {
            errno = EFBIG;
            good = false;
        }
    }
    good = good && !ferror(stdin) && fflush(kept) == 0 && dup2(fileno(kept), STDIN_FILENO) >= 0;
    if (kept != NULL)
        (void) fclose(kept);
    return good;
}

static int gather_stdin(struct paths *paths)
{
    if (keep_stdin() && paths_add(paths, STDIN_PATH))
        return CONSOLE_OK;
    complain("the standard input cannot be read: %s.", strerror(errno));
    return CONSOLE_BAD_INPUT;
}

/* A file that was named is taken whatever it is called; a folder is searched. */
static int gather(struct paths *paths, char *root)
{
    if (strcmp(root, "-") == 0)
        return gather_stdin(paths);
    char *const roots[] = { root, NULL };
    FTS        *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
    FTSENT     *entry;
    uint32_t    before = paths->count;
    bool        good = tree != NULL;
    while (good && (entry = fts_read(tree)) != NULL) {
        if (entry->fts_info == FTS_NS || entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR) {
            errno = entry->fts_errno;
            good = false;
        } else if (entry->fts_info == FTS_F && (entry->fts_level == 0 || is_recording(entry))) {
            good = paths_add(paths, entry->fts_path);
        }
    }
    if (!good)
        complain("%s cannot be read: %s.", root, strerror(errno));
    else if (paths->count == before)
        complain("there is no recording (*.jsonl) in %s.", root);
    if (tree != NULL)
        fts_close(tree);
    return good && paths->count > before ? CONSOLE_OK : CONSOLE_BAD_INPUT;
}

/* Those who play a recording take it line by line, each whole into memory; the longest there is has 103 KB. */
#define LINE_BYTES_MAX ((size_t) 4 << 20)

/* Whether no line of a file is longer; else false, after a complaint. What cannot be read is theirs to tell. */
static bool has_lines(const char *path, FILE *complaints)
{
    char     bytes[1 << 16];
    size_t   got, size = 0;
    uint64_t line = 1;
    FILE    *file = fopen(path, "r");
    while (file != NULL && size <= LINE_BYTES_MAX &&
           (got = fread(bytes, 1, sizeof bytes, file)) > 0)
        for (size_t i = 0; i < got && size <= LINE_BYTES_MAX; i++) {
            line += bytes[i] == '\n';
            size = bytes[i] == '\n' ? 0 : size + 1;
        }
    if (file != NULL)
        (void) fclose(file);
    if (size <= LINE_BYTES_MAX)
        return true;
    (void) fprintf(complaints,
                   "%s:%" PRIu64 ": this line has more than %zu bytes; this is no recording\n",
                   path, line, LINE_BYTES_MAX);
    return false;
}

static bool play_file(const struct game_wire *wire, struct house *house, const char *path,
                      FILE *complaints, struct tally *tally)
{
    uint32_t agreed = 0, disagreed = 0;
    if (!has_lines(path, complaints))
        return false;
    bool is_read = house == NULL ? wire->conform(path, complaints, &agreed, &disagreed)
                                 : wire->conform_live(path, house, complaints, &agreed, &disagreed);
    tally->agreed += agreed;
    tally->disagreed += disagreed;
    return is_read;
}

static bool is_silent(const struct house *house)
{
    return house != NULL && live_house_is_silent(house);
}

static int play(const struct game_wire *wire, struct house *house, const struct paths *paths,
                struct tally *tally)
{
    struct progress progress;
    FILE           *complaints = terminal_plain(stderr); /* They quote what is in the files. */
    if (complaints == NULL)
        abort();
    progress_start(&progress, "files", paths->count);
    uint32_t i = 0;
    for (; i < paths->count && !interrupted() && !is_silent(house); i++) {
        progress_show(&progress, i);
        tally->unread += !play_file(wire, house, paths->path[i], complaints, tally);
    }
    progress_clear(&progress);
    (void) fclose(complaints);
    printf("%" PRIu32 " agreed, %" PRIu32 " disagreed", tally->agreed, tally->disagreed);
    if (tally->unread > 0)
        printf(", %" PRIu32 " could not be read", tally->unread);
    if (i < paths->count)
        printf(", %" PRIu32 " not played", paths->count - i);
    putchar('\n');
    if (interrupted())
        return CONSOLE_INTERRUPTED;
    if (tally->unread > 0)
        return CONSOLE_BAD_INPUT;
    return tally->disagreed > 0 || tally->agreed == 0 || i < paths->count ? CONSOLE_DISAGREES
                                                                          : CONSOLE_OK;
}

/* Against the Arbiter of this home. */
static int play_there(const struct game_wire *wire, const struct home *home, double patience_s,
                      const struct paths *paths)
{
    struct tally  tally = { 0 };
    struct text   fault;
    struct house *house = live_house_open(home, wire, patience_s, &fault);
    if (house == NULL) {
        complain("%s.", fault.bytes);
        return CONSOLE_BAD_INPUT;
    }
    int code = play(wire, house, paths, &tally);
    live_house_close(&house);
    return code;
}

static void tell(const struct child *child, const char *sentence)
{
    (void) child;
    (void) sentence;
}

/* Against processes of its own, in a folder that is gone afterwards, unless somebody must look at it. */
static int play_apart(const struct game_wire *wire, double patience_s, const struct paths *paths)
{
    static struct cluster cluster;
    struct text           fault;
    char                  folder[SCRATCH_MAX];
    if (!scratch_make(folder))
        return CONSOLE_BAD_INPUT;
    int                      code = CONSOLE_BAD_INPUT;
    const struct cluster_ask ask = { .home = folder, .allow_rigged = true, .tell = tell };
    if (!cluster_init(&cluster, &ask, &fault)) {
        complain("%s.", fault.bytes);
    } else {
        (void) children_tend(&cluster.children, seconds_now());
        code = play_there(wire, &cluster.home, patience_s, paths);
    }
    if (!cluster_stop(&cluster) && code == CONSOLE_OK)
        code = CONSOLE_DISAGREES;
    if (code == CONSOLE_OK || code == CONSOLE_INTERRUPTED)
        scratch_remove(folder);
    else
        complain("what the processes said is in %s/log.", folder);
    return code;
}

static int play_live(const struct game_wire *wire, const struct conform_ask *ask,
                     const struct paths *paths)
{
    struct home home;
    struct text fault;
    if (wire->conform_live == NULL) {
        complain("the recordings of %s cannot be played through real processes.", wire->game->name);
        return CONSOLE_USAGE;
    }
    if (ask->home == NULL)
        return play_apart(wire, (double) ask->patience_s, paths);
    if (home_find(&home, ask->home, &fault) && home_read_doors(&home, &fault))
        return play_there(wire, &home, (double) ask->patience_s, paths);
    complain("%s.", fault.bytes);
    return CONSOLE_BAD_INPUT;
}

static int run(const struct console_command *self, int argc, char **argv)
{
    struct words       words;
    struct conform_ask ask = { .patience_s = 30 };
    if (!console_read(self, argc, argv, &ask, &words))
        return CONSOLE_USAGE;
    const struct game_wire *wire = table_game(words.word[0]);
    if (wire == NULL)
        return CONSOLE_USAGE;
    if (wire->conform == NULL) {
        complain("nothing is recorded for %s; its rules have no recordings to conform to.",
                 wire->game->name);
        return CONSOLE_USAGE;
    }
    if (!console_reads_once(&words, 1))
        return CONSOLE_USAGE;
    struct paths paths = { 0 };
    struct tally tally = { 0 };
    int          code = CONSOLE_OK;
    for (uint32_t i = 1; i < words.count && code == CONSOLE_OK; i++)
        code = gather(&paths, words.word[i]);
    if (code == CONSOLE_OK)
        code = ask.live ? play_live(wire, &ask, &paths) : play(wire, NULL, &paths, &tally);
    paths_free(&paths);
    return code;
}

const struct console_command command_conform = {
    .name = "conform",
    .arguments = "GAME FILE...",
    .summary = "Plays recorded games against the rules.",
    .about = "  arbiter conform quests common/games/quests/recorded\n"
             "\n"
             "Plays recorded games and scenarios against the rules. Prints every disagreement\n"
             "as \"file:line: expected ..., came ...\", and at the end how many recordings\n"
             "agreed. A folder stands for all its *.jsonl files except index.jsonl. Blank\n"
             "lines may stand only at the end of a file.\n" CONSOLE_STDIN "\n",
    .options = options,
    .words_least = 2,
    .words_most = UINT32_MAX,
    .run = run,
};
