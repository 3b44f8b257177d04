/* failing_sync.c: a disk that cannot sync. Loaded before the C library (LD_PRELOAD), it lets fsync and fdatasync
 * fail with EIO while there is a file of the name in ARBITER_SYNC_FAILS. */
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int sync_or_fail(long call, int file)
{
    const char *flag = getenv("ARBITER_SYNC_FAILS");
    if (flag != NULL && access(flag, F_OK) == 0) {
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
