/* fault_vfs.c: see fault_vfs.h. */
#include "common/store/fault_vfs.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include <sqlite3.h>

struct fault_file {
    sqlite3_file   base;
    struct shadow *shadow; /* NULL: a temporary file.                                           */
    sqlite3_file   real[];
};

static sqlite3_vfs *real_vfs;
static sqlite3_vfs  vfs;

static struct {
    struct fault fault;
    uint32_t     counts[FAULT_KINDS];
    bool         has_failed;
    int          error;
    uint64_t     room, grown;
} plan = { .room = UINT64_MAX };

static sqlite3_file *real(sqlite3_file *file)
{
    return ((struct fault_file *) file)->real;
}

static struct shadow *shadow(sqlite3_file *file)
{
    return ((struct fault_file *) file)->shadow;
}

static bool fails(enum fault_kind kind)
{
    uint32_t count = ++plan.counts[kind];
    if (plan.fault.kind != kind || !plan.fault.at || count < plan.fault.at ||
        (count > plan.fault.at && !plan.fault.stays))
        return false;
    plan.has_failed = true;
    plan.error = plan.fault.error;
    return true;
}

static int close_file(sqlite3_file *file)
{
    return real(file)->pMethods->xClose(real(file));
}

static int read_file(sqlite3_file *file, void *bytes, int size, sqlite3_int64 offset)
{
    if (fails(FAULT_READ))
        return SQLITE_IOERR_READ;
    return real(file)->pMethods->xRead(real(file), bytes, size, offset);
}

static int write_through(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset)
{
    int code = real(file)->pMethods->xWrite(real(file), bytes, size, offset);
    if (code == SQLITE_OK && shadow(file))
        shadow_write(shadow(file), bytes, (size_t) size, (uint64_t) offset);
    return code;
}

/* How much of it there is room for. */
static int fitting(sqlite3_file *file, int size, sqlite3_int64 offset)
{
    sqlite3_int64 now = 0;
    real(file)->pMethods->xFileSize(real(file), &now);
    uint64_t more = offset + size > now ? (uint64_t) (offset + size - now) : 0;
    if (more > plan.room) {
        uint64_t missing = more - plan.room;
        plan.has_failed = true;
        size = missing < (uint64_t) size ? size - (int) missing : 0;
        more = size ? plan.room : 0;
    }
    if (plan.room != UINT64_MAX)
        plan.room -= more;
    plan.grown += more;
    return size;
}

static int write_file(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset)
{
    if (fails(FAULT_WRITE)) {
        write_through(file, bytes, size / 2, offset);
        return plan.error == ENOSPC ? SQLITE_FULL : SQLITE_IOERR_WRITE;
    }
    int fit = fitting(file, size, offset);
    if (fit == size)
        return write_through(file, bytes, size, offset);
    if (fit)
        write_through(file, bytes, fit, offset);
    return SQLITE_FULL;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size)
{
    sqlite3_int64 now = 0;
    if (fails(FAULT_TRUNCATE))
        return SQLITE_IOERR_TRUNCATE;
    real(file)->pMethods->xFileSize(real(file), &now);
    if (plan.room != UINT64_MAX && now > size)
        plan.room += (uint64_t) (now - size);
    if (shadow(file))
        shadow_truncate(shadow(file), (uint64_t) size);
    return real(file)->pMethods->xTruncate(real(file), size);
}

static int sync_file(sqlite3_file *file, int flags)
{
    (void) flags;
    bool has_failed = fails(FAULT_SYNC);
    if (shadow(file))
        (has_failed ? shadow_sync_failed : shadow_sync)(shadow(file));
    return has_failed ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int size_file(sqlite3_file *file, sqlite3_int64 *size)
{
    return real(file)->pMethods->xFileSize(real(file), size);
}

static int lock_file(sqlite3_file *file, int lock)
{
    return real(file)->pMethods->xLock(real(file), lock);
}

static int unlock_file(sqlite3_file *file, int lock)
{
    return real(file)->pMethods->xUnlock(real(file), lock);
}

static int ask_lock(sqlite3_file *file, int *answer)
{
    return real(file)->pMethods->xCheckReservedLock(real(file), answer);
}

static int control_file(sqlite3_file *file, int operation, void *argument)
{
    if (operation == SQLITE_FCNTL_LAST_ERRNO && plan.has_failed) {
        *(int *) argument = plan.error;
        return SQLITE_OK;
    }
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int sector_size(sqlite3_file *file)
{
    return real(file)->pMethods->xSectorSize(real(file));
}

static int characteristics(sqlite3_file *file)
{
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int map_index(sqlite3_file *file, int page, int size, int extend, void volatile **memory)
{
    if (fails(FAULT_MAP))
        return SQLITE_IOERR_SHMSIZE;
    return real(file)->pMethods->xShmMap(real(file), page, size, extend, memory);
}

static int lock_index(sqlite3_file *file, int offset, int count, int flags)
{
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void fence_index(sqlite3_file *file)
{
    real(file)->pMethods->xShmBarrier(real(file));
}

static int unmap_index(sqlite3_file *file, int is_deleted)
{
    return real(file)->pMethods->xShmUnmap(real(file), is_deleted);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = size_file,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = ask_lock,
    .xFileControl = control_file,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
    .xShmMap = map_index,
    .xShmLock = lock_index,
    .xShmBarrier = fence_index,
    .xShmUnmap = unmap_index,
};

static int open_file(sqlite3_vfs *unused, sqlite3_filename path, sqlite3_file *file, int flags,
                     int *given)
{
    struct fault_file *made = (struct fault_file *) file;
    (void) unused;
    made->base.pMethods = NULL;
    if (fails(FAULT_OPEN))
        return SQLITE_CANTOPEN;
    int code = real_vfs->xOpen(real_vfs, path, made->real, flags, given);
    if (code != SQLITE_OK)
        return code;
    made->base.pMethods = &methods;
    made->shadow = path ? shadow_of(path) : NULL;
    return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *unused, const char *path, int is_synced)
{
    (void) unused;
    shadow_delete(path);
    return real_vfs->xDelete(real_vfs, path, is_synced);
}

static int last_error(sqlite3_vfs *unused, int size, char *text)
{
    (void) unused, (void) size, (void) text;
    return plan.error;
}

void fault_vfs_register(void)
{
    real_vfs = sqlite3_vfs_find(NULL);
    vfs = *real_vfs;
    vfs.zName = "faults";
    vfs.pNext = NULL;
    vfs.szOsFile = (int) sizeof(struct fault_file) + real_vfs->szOsFile;
    vfs.xOpen = open_file;
    vfs.xDelete = delete_file;
    vfs.xGetLastError = last_error;
    int code = sqlite3_vfs_register(&vfs, 1);
    assert(code == SQLITE_OK);
    (void) code;
}

void fault_vfs_unregister(void)
{
    sqlite3_vfs_unregister(&vfs);
    shadows_forget();
}

void fault_vfs_plan(struct fault fault)
{
    memset(&plan, 0, sizeof plan);
    plan.fault = fault;
    plan.room = UINT64_MAX;
}

void fault_vfs_room(uint64_t bytes)
{
    fault_vfs_plan((struct fault){ .kind = FAULT_NONE });
    plan.room = bytes;
}

bool fault_vfs_has_failed(void)
{
    return plan.has_failed;
}

uint32_t fault_vfs_count(enum fault_kind kind)
{
    return plan.counts[kind];
}

uint64_t fault_vfs_grown(void)
{
    return plan.grown;
}
