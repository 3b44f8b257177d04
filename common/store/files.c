/* files.c: see files.h.
 *
 * The lock's file stays when the lock is gone: unlinking it would let a second owner lock a file that a
 * third cannot see. Its contents are for people only. */
#include "store/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/store_private.h"

static bool blame(struct text *fault, const char *what, const char *path)
{
    sentence(fault, what, path, ": ", strerror(errno),
             "; name a folder that this user may write to, on a disk with room");
    return false;
}

bool path_in(char path[PATH_BYTES], const char *folder, const char *name, const char *suffix,
             struct text *fault)
{
    int size = snprintf(path, PATH_BYTES, "%s/%s%s", folder, name, suffix);
    if (size > 0 && size < PATH_BYTES)
        return true;
    sentence(fault, "the folder's name is too long: ", folder);
    return false;
}

bool folder_sync(const char *folder, struct text *fault)
{
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return blame(fault, "cannot open ", folder);
    bool is_synced = !fsync(file) || blame(fault, "cannot sync ", folder);
    close(file);
    return is_synced;
}

bool folder_make(const char *folder, struct text *fault)
{
    char above[PATH_BYTES];
    if (mkdir(folder, 0700))
        return errno == EEXIST || blame(fault, "cannot make ", folder);
    return path_in(above, folder, "..", "", fault) && folder_sync(above, fault);
}

/* An existing file is not touched: closing a descriptor of it would drop the locks that another
 * connection of this process has on it. */
bool file_make(const char *path, const char *folder, struct text *fault)
{
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return errno == EEXIST || blame(fault, "cannot make ", path);
    close(file);
    return folder_sync(folder, fault);
}

/* Who holds it, as it wrote itself down: "pid 123", or less if that cannot be read. */
static void name_owner(int file, char owner[32])
{
    char    digits[16] = "";
    ssize_t size = pread(file, digits, sizeof digits - 1, 0);
    digits[size > 0 ? size : 0] = '\0';
    digits[strspn(digits, "0123456789")] = '\0';
    snprintf(owner, 32, "%s%s", *digits ? " with pid " : "", digits);
}

/* A pid that could not be written (the disk is full) is a pity and nothing more. */
static void sign(int file)
{
    char digits[16];
    int  size = snprintf(digits, sizeof digits, "%d\n", (int) getpid());
    if (ftruncate(file, 0) || pwrite(file, digits, (size_t) size, 0) != size)
        errno = 0;
}

int lock_take(const char *folder, const char *name, struct text *fault)
{
    char path[PATH_BYTES], owner[32];
    if (!path_in(path, folder, name, ".lock", fault))
        return -1;
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) {
        blame(fault, "cannot open ", path);
        return -1;
    }
    if (flock(file, LOCK_EX | LOCK_NB)) {
        name_owner(file, owner);
        sentence(fault, "another process", owner, " keeps ", folder, "/", name,
                 ".db: stop it first, or give this one a folder of its own");
        close(file);
        return -1;
    }
    sign(file);
    return file;
}

/* Asking takes the lock for an instant, shared: two who ask do not see each other. */
int64_t lock_owner(const char *folder, const char *name)
{
    char        path[PATH_BYTES], owner[32];
    struct text unsaid;
    int         file = -1;
    if (path_in(path, folder, name, ".lock", &unsaid))
        file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    bool is_held = flock(file, LOCK_SH | LOCK_NB) != 0;
    name_owner(file, owner);
    close(file);
    const char *digits = strpbrk(owner, "0123456789");
    if (!is_held)
        return 0;
    return digits != NULL ? strtoll(digits, NULL, 10) : -1;
}
