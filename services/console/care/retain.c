/* retain.c: `arbiter retain`: finished matches leave the journal, by age and by size, never one that is played.
 *
 * With --to, a match goes only when its file has been written, is on the disk and verifies.
 * Otherwise the operator has said that it is to be deleted. It goes whole, in one transaction. The
 * engine may run: what has left `live` it does not remember any more. What a game keeps of its own
 * (results of hunts) stays, and so do set-ups, which matches share. */
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock/clock.h"
#include "games/registry.h"
#include "match/match.h"
#include "match/verify.h"
#include "schema/cells.h"
#include "schema/journal.h"
#include "services/console/care/manifest.h"
#include "services/console/command/console.h"
#include "services/console/command/files.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/progress.h"
#include "services/console/home/home.h"
#include "services/console/records/export.h"
#include "store/store.h"
#include "wire/header.h"

#define NOT_GIVEN UINT64_MAX
#define DAY_MS UINT64_C(86400000)
#define BUSY_TRIES 100

struct retain_ask {
    const char *home, *store, *to;
    uint64_t    older, keep;
    bool        is_dry, may_delete;
};

/* A finished match. */
struct finished {
    uint8_t  id[MATCH_ID_SIZE];
    uint64_t over_ms, bytes;
    bool     is_lingering; /* The engine still knows it.                                          */
};

struct retain {
    struct retain_ask ask;
    struct store     *store;
    struct finished  *list;
    size_t            count, room;
    struct finished  *now;  /* The one that is looked at.                           */
    struct row      **rows; /* What of it is to be deleted.                         */
    uint32_t          row_count, row_room;
    uint32_t          table, key_count; /* Of the rows that come.                               */
    uint64_t          gone, gone_bytes;
    bool              is_short;
};

static bool take_result(void *taker, const struct row *row)
{
    struct retain *retain = taker;
    uint64_t       over_ms = 0;
    if (retain->count == retain->room) {
        size_t           room = retain->room == 0 ? 1024 : 2 * retain->room;
        struct finished *list = realloc(retain->list, room * sizeof *list);
        retain->is_short = list == NULL;
        if (list == NULL)
            return false;
        retain->list = list;
        retain->room = room;
    }
    struct finished *match = &retain->list[retain->count];
    memset(match, 0, sizeof *match);
    if (!cell_bytes(row, RESULTS_ID, match->id, sizeof match->id) ||
        /* Not what was written: it stays, whatever it is. */
        !cell_number(row, RESULTS_OVER_MS, &over_ms))
        return true;
    match->over_ms = over_ms;
    retain->count++;
    return true;
}

static bool take_live(void *taker, const struct row *row)
{
    (void) row;
    ((struct finished *) taker)->is_lingering = true;
    return true;
}

static bool take_size(void *taker, const struct row *row)
{
    struct finished *match = taker;
    for (uint32_t i = 0; i < row->count; i++)
        match->bytes += row->cells[i].kind == CELL_NUMBER ? 8 : row->cells[i].size;
    return true;
}

static int by_age(const void *one, const void *other)
{
    uint64_t first = ((const struct finished *) one)->over_ms;
    uint64_t second = ((const struct finished *) other)->over_ms;
    return (first > second) - (first < second);
}

/* All that is over, the oldest first, and how much each takes. */
static bool read_all(struct retain *retain)
{
    struct query all = { .table = JOURNAL_RESULTS };
    bool         is_read = store_read(retain->store, &all, take_result, retain);
    for (size_t i = 0; i < retain->count && is_read && !interrupted(); i++) {
        struct finished *match = &retain->list[i];
        struct query     live, acts;
        journal_ask_row(&live, 0, JOURNAL_LIVE, match->id);
        journal_ask_match(&acts, 0, JOURNAL_ACTS, match->id);
        is_read = store_read(retain->store, &live, take_live, match) &&
                  store_read(retain->store, &acts, take_size, match);
    }
    if (retain->count > 0)
        qsort(retain->list, retain->count, sizeof retain->list[0], by_age);
    if (!is_read)
        complain("the journal cannot be read: %s.",
                 retain->is_short ? "out of memory" : store_fault(retain->store));
    return is_read;
}

/* So many of the oldest are to go. */
static size_t choose(const struct retain *retain)
{
    uint64_t now_ms = clock_wall_ms(), left = 0;
    size_t   count = 0;
    for (size_t i = 0; i < retain->count; i++)
        left += retain->list[i].bytes;
    for (; count < retain->count; count++) {
        const struct finished *match = &retain->list[count];
        bool                   is_old =
            retain->ask.older != NOT_GIVEN && match->over_ms + retain->ask.older * DAY_MS <= now_ms;
        bool is_too_much = retain->ask.keep != NOT_GIVEN && left > retain->ask.keep << 20;
        if (!is_old && !is_too_much)
            break;
        left -= match->bytes;
    }
    return count;
}

static struct row *new_row(struct retain *retain, const struct row *from)
{
    if (retain->row_count == retain->row_room) {
        uint32_t     room = retain->row_room == 0 ? 1024 : 2 * retain->row_room;
        struct row **rows = realloc(retain->rows, room * sizeof *rows);
        if (rows == NULL)
            return NULL;
        retain->rows = rows;
        retain->row_room = room;
    }
    struct row *row = malloc(sizeof *row + retain->key_count * sizeof row->cells[0]);
    if (row == NULL)
        return NULL;
    *row = (struct row){ .table = retain->table, .op = ROW_DELETE, .count = retain->key_count };
    memcpy(row->cells, from->cells, retain->key_count * sizeof row->cells[0]);
    for (uint32_t i = 0; i < retain->key_count; i++)
        if (row->cells[i].kind == CELL_BYTES) /* The only bytes in these keys are the match's id. */
            row->cells[i].bytes = retain->now->id;
    retain->rows[retain->row_count++] = row;
    return row;
}

static bool take_key(void *taker, const struct row *row)
{
    struct retain *retain = taker;
    retain->is_short = new_row(retain, row) == NULL;
    return !retain->is_short;
}

static bool gather(struct retain *retain, enum journal_table table, const struct query *query)
{
    retain->table = (uint32_t) table;
    retain->key_count = journal_schema.tables[table].key_count;
    return store_read(retain->store, query, take_key, retain);
}

static bool gather_rows(struct retain *retain)
{
    struct query matches, seats, acts, results;
    journal_ask_row(&matches, 0, JOURNAL_MATCHES, retain->now->id);
    journal_ask_match(&seats, 0, JOURNAL_SEATS, retain->now->id);
    journal_ask_match(&acts, 0, JOURNAL_ACTS, retain->now->id);
    journal_ask_match(&results, 0, JOURNAL_RESULTS, retain->now->id);
    return gather(retain, JOURNAL_ACTS, &acts) && gather(retain, JOURNAL_SEATS, &seats) &&
           gather(retain, JOURNAL_RESULTS, &results) && gather(retain, JOURNAL_MATCHES, &matches);
}

/* All of it in one transaction; an engine that is writing is waited for. */
static bool take_out(struct retain *retain, struct store *writer)
{
    enum store_outcome outcome = STORE_BUSY;
    bool               is_gathered = gather_rows(retain);
    for (int i = 0; i < BUSY_TRIES && is_gathered && outcome == STORE_BUSY; i++)
        outcome = store_commit(writer, (const struct row *const *) retain->rows, retain->row_count,
                               NULL, 0);
    for (uint32_t i = 0; i < retain->row_count; i++)
        free(retain->rows[i]);
    retain->row_count = 0;
    if (outcome == STORE_COMMITTED)
        return true;
    complain("a match could not be taken out, and is still there: %s.",
             retain->is_short ? "out of memory"
                              : store_fault(is_gathered ? writer : retain->store));
    return false;
}

/* Written, and found to be what really happened. */
static bool write_file(const struct retain *retain, const uint8_t *id)
{
    struct verify_report report;
    char                 hex[2 * MATCH_ID_SIZE + 1], path[PATH_MAX];
    size_t               size = 0;
    (void) sodium_bin2hex(hex, sizeof hex, id, MATCH_ID_SIZE);
    if (snprintf(path, sizeof path, "%s/%s.match", retain->ask.to, hex) >= PATH_MAX) {
        complain("the path is too long: %s.", retain->ask.to);
        return false;
    }
    const struct export_place place = { .home = retain->ask.home, .store = retain->ask.store };
    if (export_match(&place, id, path) != CONSOLE_OK)
        return false;
    uint8_t *bytes = file_read(path, &size, NULL);
    if (bytes == NULL)
        return false;
    verify(&report, bytes, size);
    free(bytes);
    if (!report.holds)
        complain("%s does not verify: %s. The match stays in the journal.", path,
                 report.fault.bytes);
    return report.holds;
}

static bool take_out_all(struct retain *retain, struct store *writer, size_t count)
{
    struct progress progress;
    bool            is_well = true;
    progress_start(&progress, "matches", count);
    for (size_t i = 0; i < count && is_well && !interrupted(); i++) {
        retain->now = &retain->list[i];
        progress_show(&progress, i);
        if (retain->now->is_lingering)
            continue; /* The next run finds it. */
        if (writer != NULL) {
            progress_clear(&progress);
            is_well = (retain->ask.to == NULL || write_file(retain, retain->now->id)) &&
                      take_out(retain, writer);
        }
        retain->gone += is_well;
        retain->gone_bytes += is_well ? retain->now->bytes : 0;
    }
    progress_clear(&progress);
    return is_well;
}

static void report(const struct retain *retain)
{
    uint64_t all = 0;
    for (size_t i = 0; i < retain->count; i++)
        all += retain->list[i].bytes;
    printf("%" PRIu64 " of %zu finished matches, %" PRIu64 " of %" PRIu64 " KiB, %s%s%s.\n",
           retain->gone, retain->count, retain->gone_bytes >> 10, all >> 10,
           retain->ask.is_dry       ? "would be taken out"
           : retain->ask.to != NULL ? "were taken out, and are files in "
                                    : "were deleted",
           retain->ask.is_dry && retain->ask.to != NULL ? ", and be files in " : "",
           retain->ask.to != NULL ? retain->ask.to : "");
}

/* A reader, and a writer unless nothing is to be changed. It works beside the owner of a home, or
 * as one of the many of a database. The tables of games must be known. */
static bool open_both(struct retain *retain, const char *place, struct store **writer,
                      struct text *fault)
{
    static struct journal_schema whole;
    retain->store = store_open_reader(&journal_schema, place, fault);
    if (retain->store == NULL || retain->ask.is_dry)
        return retain->store != NULL;
    journal_schema_init(&whole, registry_games());
    *writer = store_is_database(place) ? store_open(&whole.schema, place, fault)
                                       : store_open_beside(&journal_schema, place, fault);
    return *writer != NULL;
}

static int work(struct retain *retain)
{
    struct text   fault;
    char          folder[PATH_MAX];
    struct store *writer = NULL;
    bool is_found = retain->ask.store != NULL || home_journal(retain->ask.home, folder, &fault);
    bool is_well =
        is_found &&
        open_both(retain, retain->ask.store != NULL ? retain->ask.store : folder, &writer, &fault);
    if (!is_well)
        complain("%s.", fault.bytes);
    else if (retain->ask.to != NULL && !retain->ask.is_dry)
        is_well = manifest_folders(retain->ask.to);
    is_well = is_well && read_all(retain) && take_out_all(retain, writer, choose(retain));
    if (is_well)
        report(retain);
    store_close(&writer);
    store_close(&retain->store);
    free(retain->list);
    free((void *) retain->rows);
    if (interrupted())
        return CONSOLE_INTERRUPTED;
    return is_well ? CONSOLE_OK : CONSOLE_BAD_INPUT;
}

static int run(const struct console_command *self, int argc, char **argv)
{
    struct retain retain = { .ask = { .older = NOT_GIVEN, .keep = NOT_GIVEN } };
    struct words  words;
    if (!console_read(self, argc, argv, &retain.ask, &words))
        return CONSOLE_USAGE;
    if (retain.ask.older == NOT_GIVEN && retain.ask.keep == NOT_GIVEN) {
        complain("say which: --older DAYS, or --keep MIB, or both.");
        return CONSOLE_USAGE;
    }
    if (retain.ask.store != NULL && !store_is_database(retain.ask.store)) {
        complain("--store names a database, postgresql://HOST/NAME; a folder is a --home.");
        return CONSOLE_USAGE;
    }
    if (!retain.ask.is_dry && (retain.ask.to != NULL) == retain.ask.may_delete) {
        complain(
            "say what becomes of them: --to DIR writes them as match files first, --delete does "
            "not; --dry-run only counts.");
        return CONSOLE_USAGE;
    }
    return work(&retain);
}

static const struct option options[] = {
    { .name = "home",
      .value = "DIR",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct retain_ask, home),
      .help = "The home with the journal. Default: ~/.local/share/arbiter." },
    { .name = "store",
      .value = "PLACE",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct retain_ask, store),
      .help = "The engines' database, postgresql://HOST/NAME, instead of a home's journal." },
    { .name = "older",
      .value = "DAYS",
      .kind = OPTION_NUMBER,
      .least = 0,
      .most = 36500,
      .offset = offsetof(struct retain_ask, older),
      .help = "Removes matches that ended at least this many days ago." },
    { .name = "keep",
      .value = "MIB",
      .kind = OPTION_NUMBER,
      .least = 0,
      .most = UINT64_C(1) << 40,
      .offset = offsetof(struct retain_ask, keep),
      .help = "Removes the oldest until finished matches take no more than this." },
    { .name = "to",
      .value = "DIR",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct retain_ask, to),
      .help = "Writes each match there first, and removes it only if the file verifies." },
    { .name = "delete",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct retain_ask, may_delete),
      .help = "Removes matches without writing files." },
    { .name = "dry-run",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct retain_ask, is_dry),
      .help = "Counts, and removes nothing." },
    { .name = NULL },
};

const struct console_command command_retain = {
    .name = "retain",
    .arguments = "",
    .summary = "Removes finished matches from the journal, by age or size.",
    .about = "  arbiter retain --older 90 --to /archive --dry-run   counts only\n"
             "  arbiter retain --older 90 --to /archive             writes files, then removes\n"
             "  arbiter retain --keep 2000 --delete                 keeps 2000 MiB at most\n"
             "\n"
             "Removes finished matches from the journal in --home or --store. Arbiter may run\n"
             "or not. With --to each match is written as a file and verified before it is\n"
             "removed. Without --to you must say --delete. Matches that are still played, or\n"
             "ended a few minutes ago, stay. The journal's file does not shrink; its free\n"
             "space is used again.\n",
    .options = options,
    .words_least = 0,
    .words_most = 0,
    .run = run,
};
