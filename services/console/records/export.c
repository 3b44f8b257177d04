/* export.c: a match out of the engine's journal, as a file that stands for itself.
 *
 * The journal is only read, also while the engine writes it. What stands in the file is
 * common/history/journal_file.c's to say, as it is for a file asked of a running house. */
#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "history/journal_file.h"
#include "match/file.h"
#include "services/console/command/console.h"
#include "services/console/command/files.h"
#include "services/console/home/home.h"
#include "services/console/records/export.h"
#include "store/store.h"

/* A match on its way from rows to records. */
struct export
{
    struct store       *store;
    FILE               *out;
    struct journal_file file;
    char                texts[JOURNAL_FILE_TEXTS];
};

static bool put(void *taker, const Arbiter__Match__Record *record)
{
    struct export *export = taker;
    return match_file_put(export->out, record);
}

static bool take(void *taker, const struct row *row)
{
    struct export *export = taker;
    (void) journal_file_row(&export->file, row);
    return !export->file.is_wrong && !export->file.is_stopped;
}

static bool put_all(struct export *export)
{
    struct journal_file *file = &export->file;
    struct query         query;
    bool                 is_read = match_file_begin(export->out);
    while (is_read && journal_file_query(file, &query)) {
        is_read = store_read(export->store, &query, take, export);
        journal_file_done(file);
    }
    if (is_read && file->part == FILE_WHOLE && file->is_there)
        return true;
    if (is_read && file->part == FILE_WHOLE)
        complain("the journal has no such match.");
    else
        complain("the journal cannot be read, or the file not written: %s.",
                 file->is_stopped ? strerror(errno)
                 : file->is_wrong ? "a row is not what was written"
                                  : store_fault(export->store));
    return false;
}

/* Of a match that began: who had announced bytes for the dice, and did not show them when the others did. */
static void name_withholders(const struct journal_file *file)
{
    for (uint32_t seat = 0; seat < SEATS_MAX && file->has_begun; seat++)
        if (file->given[seat].has_hash && !file->given[seat].has_revealed)
            complain("seat %u withheld the bytes that it had announced for the dice.", seat);
}

static int write_file(struct export *export, const char *path)
{
    struct half_file file;
    if (!half_file_open(&file, path))
        return CONSOLE_BAD_INPUT;
    export->out = file.stream;
    bool is_whole = put_all(export);
    if (!half_file_close(&file, is_whole) || !is_whole)
        return CONSOLE_BAD_INPUT;
    if (!export->file.is_over)
        complain("the match goes on: %s has no end yet, and no secrets to verify it with.", path);
    name_withholders(&export->file);
    return CONSOLE_OK;
}

struct store *export_open(const struct export_place *place, struct text *fault)
{
    char folder[PATH_MAX];
    if (place->store != NULL)
        return store_open_reader(&journal_schema, place->store, fault);
    return home_journal(place->home, folder, fault)
               ? store_open_reader(&journal_schema, folder, fault)
               : NULL;
}

bool export_is_id(const char *said, uint8_t id[16])
{
    size_t size = 0;
    return sodium_hex2bin(id, MATCH_ID_SIZE, said, strlen(said), NULL, &size, NULL) == 0 &&
           size == MATCH_ID_SIZE;
}

static uint8_t *read_match(const struct export_place *place, const uint8_t *id, size_t *size)
{
    static struct export export;
    struct text fault;
    char       *bytes = NULL;
    export.store = export_open(place, &fault);
    if (export.store == NULL) {
        complain("%s.", fault.bytes);
        return NULL;
    }
    journal_file_open(&export.file, id, 0, export.texts);
    export.file.put = put;
    export.file.taker = &export;
    export.out = open_memstream(&bytes, size);
    bool is_whole = export.out != NULL && put_all(&export);
    if (export.out != NULL)
        is_whole = fclose(export.out) == 0 && is_whole;
    store_close(&export.store);
    sodium_memzero(&export.file, sizeof export.file);
    if (is_whole)
        return (uint8_t *) bytes;
    free(bytes);
    return NULL;
}

uint8_t *export_bytes(const struct export_place *place, const char *said, size_t *size)
{
    uint8_t id[MATCH_ID_SIZE];
    if (export_is_id(said, id) && access(said, F_OK) != 0)
        return read_match(place, id, size);
    return file_read(said, size, match_file_goes_on);
}

int export_match(const struct export_place *place, const uint8_t *id, const char *path)
{
    static struct export export;
    struct text fault;
    export.store = export_open(place, &fault);
    if (export.store == NULL) {
        complain("%s.", fault.bytes);
        return CONSOLE_BAD_INPUT;
    }
    journal_file_open(&export.file, id, 0, export.texts);
    export.file.put = put;
    export.file.taker = &export;
    int code = write_file(&export, path);
    store_close(&export.store);
    sodium_memzero(&export.file, sizeof export.file);
    return code;
}
