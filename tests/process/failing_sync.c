/* failing_sync.c: a disk that cannot sync, or does it slowly. Loaded before the C library (LD_PRELOAD), it lets fsync and
 * fdatasync fail with EIO while there is a file of the name in ARBITER_SYNC_FAILS, and lets each take a fifth of a second
 * while there is one of the name in ARBITER_SYNC_DRAGS. */
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DRAGS_US 200000

static int is_there(const char *name)
{
    const char *flag = getenv(name);
    return flag != NULL && access(flag, F_OK) == 0;
}

static int sync_or_fail(long call, int file)
{
    if (is_there("ARBITER_SYNC_DRAGS"))
        (void) usleep(DRAGS_US);
    if (is_there("ARBITER_SYNC_FAILS")) {
        errno = EIO;
        return -1;
    }
    return (int) syscall(call, file);
}

int fsync(int fd)
{
    return sync_or_fail(SYS_fsync, fd);
}

int fdatasync(int fildes)
{
    return sync_or_fail(SYS_fdatasync, fildes);
}
