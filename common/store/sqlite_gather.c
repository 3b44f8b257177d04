/* sqlite_gather.c: the log's frames gathered, so that a batch goes to it in a few writes and not in two hundred.
 *
 * SQLite writes each page of a commit and its head one by one, all of them in a row, and then syncs. Here they
 * wait in memory until something else than the next piece is asked for: above all the sync. Nothing reads
 * them meanwhile but their own connection, because a commit is shown to others only when it is synced
 * (synchronous=FULL). A write that fails is therefore told of by the sync, with its own code. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "store/sqlite_private.h"

#define GATHERED_BYTES (512 << 10)
/* SQLite's own way to a file takes less than 128 KiB at a time, whatever it is given. */
#define PIECE_BYTES (64 << 10)

struct gathered {
    sqlite3_file  base;
    uint8_t      *bytes; /* NULL: nothing was ever written.                                      */
    sqlite3_int64 at;    /* Where in the file they begin ...                                      */
    int           size;  /* ... and how many wait.                                                */
    sqlite3_file  real[];
};

static sqlite3_vfs *real_vfs;
static sqlite3_vfs  vfs;

static struct gathered *of(sqlite3_file *file)
{
    return (struct gathered *) file;
}

/* What could not be written is forgotten: the transaction it belongs to is over. */
static int let_go(struct gathered *log)
{
    int code = SQLITE_OK;
    for (int done = 0; done < log->size && code == SQLITE_OK; done += PIECE_BYTES) {
        int size = log->size - done < PIECE_BYTES ? log->size - done : PIECE_BYTES;
        code = log->real->pMethods->xWrite(log->real, log->bytes + done, size, log->at + done);
    }
    log->size = 0;
    return code;
}

/* What still waits belongs to a transaction that was never committed, and is not missed. */
static int close_log(sqlite3_file *file)
{
    free(of(file)->bytes);
    return of(file)->real->pMethods->xClose(of(file)->real);
}

static int read_log(sqlite3_file *file, void *bytes, int size, sqlite3_int64 offset)
{
    int code = let_go(of(file));
    return code ? code : of(file)->real->pMethods->xRead(of(file)->real, bytes, size, offset);
}

static int write_log(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset)
{
    struct gathered *log = of(file);
    if (log->size && (offset != log->at + log->size || log->size + size > GATHERED_BYTES)) {
        int code = let_go(log);
        if (code)
            return code;
    }
    if (!log->bytes)
        log->bytes = malloc(GATHERED_BYTES);
    if (!log->bytes || size > GATHERED_BYTES)
        return log->real->pMethods->xWrite(log->real, bytes, size, offset);
    if (!log->size)
        log->at = offset;
    memcpy(log->bytes + log->size, bytes, (size_t) size);
    log->size += size;
    return SQLITE_OK;
}

static int truncate_log(sqlite3_file *file, sqlite3_int64 size)
{
    int code = let_go(of(file));
    return code ? code : of(file)->real->pMethods->xTruncate(of(file)->real, size);
}

static int sync_log(sqlite3_file *file, int flags)
{
    int code = let_go(of(file));
    return code ? code : of(file)->real->pMethods->xSync(of(file)->real, flags);
}

static int size_log(sqlite3_file *file, sqlite3_int64 *size)
{
    int code = let_go(of(file));
    return code ? code : of(file)->real->pMethods->xFileSize(of(file)->real, size);
}

static int lock_log(sqlite3_file *file, int lock)
{
    return of(file)->real->pMethods->xLock(of(file)->real, lock);
}

static int unlock_log(sqlite3_file *file, int lock)
{
    return of(file)->real->pMethods->xUnlock(of(file)->real, lock);
}

static int ask_lock(sqlite3_file *file, int *answer)
{
    return of(file)->real->pMethods->xCheckReservedLock(of(file)->real, answer);
}

static int control_log(sqlite3_file *file, int operation, void *argument)
{
    return of(file)->real->pMethods->xFileControl(of(file)->real, operation, argument);
}

static int sector_size(sqlite3_file *file)
{
    return of(file)->real->pMethods->xSectorSize(of(file)->real);
}

static int characteristics(sqlite3_file *file)
{
    return of(file)->real->pMethods->xDeviceCharacteristics(of(file)->real);
}

static const sqlite3_io_methods methods = {
    .iVersion = 1, /* Of a log no more is asked: its index belongs to the file beside it. */
    .xClose = close_log,
    .xRead = read_log,
    .xWrite = write_log,
    .xTruncate = truncate_log,
    .xSync = sync_log,
    .xFileSize = size_log,
    .xLock = lock_log,
    .xUnlock = unlock_log,
    .xCheckReservedLock = ask_lock,
    .xFileControl = control_log,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
};

static int open_file(sqlite3_vfs *unused, sqlite3_filename path, sqlite3_file *file, int flags,
                     int *given)
{
    struct gathered *log = of(file);
    (void) unused;
    if (!(flags & SQLITE_OPEN_WAL))
        return real_vfs->xOpen(real_vfs, path, file, flags, given);
    memset(log, 0, sizeof *log);
    int code = real_vfs->xOpen(real_vfs, path, log->real, flags, given);
    if (code == SQLITE_OK)
        log->base.pMethods = &methods;
    return code;
}

/* Everything else is done by what was the default when the first store was opened. */
static void set_up(void)
{
    real_vfs = sqlite3_vfs_find(NULL);
    vfs = *real_vfs;
    vfs.zName = "arbiter-gather";
    vfs.pNext = NULL;
    vfs.szOsFile = (int) sizeof(struct gathered) + real_vfs->szOsFile;
    vfs.xOpen = open_file;
    (void) sqlite3_vfs_register(&vfs, 0);
}

const char *sqlite_gather(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void) pthread_once(&once, set_up);
    return vfs.zName;
}
