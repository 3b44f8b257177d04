/* store_fuzz.c: a store whose files were damaged while nobody used it: opened with what was committed, or refused in words.
 *
 * The first byte says what the rest is: `w`, any bytes as the log; `d`, any bytes as the file; else changes to a store of
 * some commits that stand in its log alone, five bytes each: where (three), what is laid over the byte, and how many bytes
 * are changed alike. A change whose last byte is 0 cuts the log there. Of a log that was changed, what is read is what some
 * of the first commits left, and nothing else. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/store/store_help.h"
#include "fuzz.h"
#include "store/look.h"
#include "store/sqlite_log.h"

#define COMMITS 4u
#define FILE_MAX ((size_t) 1 << 20)
#define SCHEMA (&help_schema_2)

struct file {
    uint8_t bytes[FILE_MAX];
    size_t  size;
};

static char        folder[64];
static struct file file, whole_log, changed;
static char        left[COMMITS + 1][HELP_LINE]; /* What stood there after so many commits. */

static void path_of(char path[96], const char *ending)
{
    (void) snprintf(path, 96, "%s/trial%s", folder, ending);
}

static void remove_files(void)
{
    static const char *const endings[] = { ".db", ".db-wal", ".db-shm", ".lock",
                                           ".db-wal.damaged" };
    char                     path[96];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        path_of(path, endings[i]);
        (void) unlink(path);
    }
}

static void remove_folder(void)
{
    remove_files();
    (void) rmdir(folder);
}

static void read_file(const char *ending, struct file *to)
{
    char path[96];
    path_of(path, ending);
    FILE *from = fopen(path, "rb");
    assert(from != NULL);
    to->size = fread(to->bytes, 1, FILE_MAX, from);
    assert(to->size < FILE_MAX);
    (void) fclose(from);
}

static void write_file(const char *ending, const uint8_t *bytes, size_t size)
{
    char path[96];
    path_of(path, ending);
    FILE *to = fopen(path, "wb");
    assert(to != NULL);
    size_t written = fwrite(bytes, 1, size, to);
    assert(written == size);
    (void) fclose(to);
}

/* In memory, where there is such a folder: a disk would be asked to sync thousands of times. */
static void make_store(void)
{
    struct text       fault;
    struct help_batch batch;
    (void) snprintf(folder, sizeof folder, "%s/arbiter-store-XXXXXX",
                    access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    bool is_made = mkdtemp(folder) != NULL && atexit(remove_folder) == 0;
    assert(is_made);
    struct store *store = store_open(SCHEMA, folder, &fault);
    assert(store != NULL);
    help_all(store, TRIAL_ACTS, left[0]);
    for (uint32_t i = 0; i < COMMITS; i++) {
        help_begin(&batch);
        help_act(&batch, i % 2 == 0 ? "one" : "two", i, "somebody moved a piece");
        help_slot(&batch, i, i + 1);
        enum store_outcome outcome = help_commit(store, &batch);
        assert(outcome == STORE_COMMITTED);
        help_all(store, TRIAL_ACTS, left[i + 1]);
    }
    read_file(".db", &file);
    read_file(".db-wal", &whole_log);
    store_close(&store);
}

static void change_log(const uint8_t *bytes, size_t size)
{
    struct input input = { bytes, bytes + size };
    changed = whole_log;
    while (input.at < input.end && changed.size > 0) {
        size_t  at = input_number(&input, 3) % changed.size;
        uint8_t over = input_byte(&input), count = input_byte(&input);
        if (count == 0)
            changed.size = at;
        for (size_t i = at; i < at + count && i < changed.size; i++)
            changed.bytes[i] ^= over;
    }
}

static void lay(const uint8_t *bytes, size_t size)
{
    remove_files();
    write_file(".db", file.bytes, file.size);
    write_file(".db-wal", whole_log.bytes, whole_log.size);
    if (bytes[0] == 'w') {
        write_file(".db-wal", bytes + 1, size - 1);
    } else if (bytes[0] == 'd') {
        write_file(".db", bytes + 1, size - 1);
    } else {
        change_log(bytes + 1, size - 1);
        write_file(".db-wal", changed.bytes, changed.size);
    }
}

static bool is_left_by_some(const char *line)
{
    for (uint32_t i = 0; i <= COMMITS; i++)
        if (strcmp(line, left[i]) == 0)
            return true;
    return false;
}

static bool count_row(void *taker, const struct row *row)
{
    (void) row;
    return ++*(uint32_t *) taker < 1000;
}

/* Of any bytes only that they are read, or that it is said why not; of a changed log, what was committed. */
static void read_store(bool is_changed)
{
    struct text   fault = { .size = 0 };
    char          line[HELP_LINE] = "";
    struct store *store = store_open(SCHEMA, folder, &fault);
    if (store == NULL) {
        assert(fault.size > 0 && text_length(fault.bytes) == fault.size);
        return;
    }
    if (is_changed) {
        help_all(store, TRIAL_ACTS, line);
        assert(is_left_by_some(line));
    }
    for (uint32_t table = 0; table < SCHEMA->table_count && !is_changed; table++) {
        struct query query = { .table = table };
        uint32_t     rows = 0;
        (void) store_read(store, &query, count_row, &rows);
    }
    store_close(&store);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct text       fault = { .size = 0 };
    struct store_look look;
    struct sqlite_log log;
    if (size == 0 || size >= FILE_MAX)
        return 0;
    if (folder[0] == '\0')
        make_store();
    lay(bytes, size);
    if (sqlite_log_read(folder, "trial", &log, &fault))
        assert(log.commits <= log.behind);
    if (!store_look(folder, "trial", true, true, &look, &fault))
        assert(fault.size > 0);
    read_store(bytes[0] != 'w' && bytes[0] != 'd');
    return 0;
}
