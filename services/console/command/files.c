/* files.c: reads files whole, and writes them whole or not at all. */
#include "services/console/command/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "services/console/command/console.h"

static uint8_t *read_stream(FILE *stream, size_t *size, file_goes_on *goes_on)
{
    size_t   capacity = (size_t) 1 << 16, at = 0;
    uint8_t *bytes = malloc(capacity + 1);
    *size = 0;
    while (bytes != NULL) {
        *size += fread(bytes + *size, 1, capacity - *size, stream);
        if (*size < capacity || (goes_on != NULL && !goes_on(bytes, *size, &at)))
            break;
        if (capacity >= FILE_BYTES_MAX) {
            free(bytes);
            errno = EFBIG;
            return NULL;
        }
        capacity *= 2;
        uint8_t *larger = realloc(bytes, capacity + 1);
        if (larger == NULL)
            free(bytes);
        bytes = larger;
    }
    if (bytes != NULL && ferror(stream)) {
        free(bytes);
        return NULL;
    }
    if (bytes != NULL)
        bytes[*size] = '\0';
    return bytes;
}

uint8_t *file_read(const char *path, size_t *size, file_goes_on *goes_on)
{
    bool     is_stdin = strcmp(path, "-") == 0;
    FILE    *stream = is_stdin ? stdin : fopen(path, "rb");
    uint8_t *bytes = stream != NULL ? read_stream(stream, size, goes_on) : NULL;
    if (bytes == NULL)
        complain("%s cannot be read: %s.", is_stdin ? "the standard input" : path, strerror(errno));
    if (stream != NULL && !is_stdin)
        fclose(stream);
    return bytes;
}

static char *join(const char *one, const char *other)
{
    size_t size = strlen(one) + strlen(other) + 1;
    char  *joined = malloc(size);
    if (joined != NULL)
        snprintf(joined, size, "%s%s", one, other);
    return joined;
}

/* Only a file may be put in the place of another. Renamed over a device or a pipe, it would take
 * the name away from everybody else who uses it. The same holds for a link, such as /dev/stdout,
 * whatever it leads to. */
static bool may_be_replaced(const char *path)
{
    struct stat there;
    if (lstat(path, &there) != 0 || S_ISREG(there.st_mode))
        return true;
    complain("%s cannot be written: it exists and is no file. Name a file, or a new one.", path);
    return false;
}

bool half_file_open(struct half_file *file, const char *path)
{
    if (!may_be_replaced(path))
        return false;
    file->path = join(path, "");
    file->part = join(path, ".part");
    file->stream = file->path != NULL && file->part != NULL ? fopen(file->part, "wb") : NULL;
    if (file->stream != NULL)
        return true;
    complain("%s.part cannot be written: %s.", path, strerror(errno));
    free(file->path);
    free(file->part);
    return false;
}

/* A name is on the disk when its folder is. A caller that then takes the original away must not be
 * left with neither. A folder that may be written to and not read cannot be synced. */
static bool folder_sync_of(const char *path)
{
    char  above[PATH_MAX];
    char *slash = NULL;
    if (snprintf(above, sizeof above, "%s", path) < PATH_MAX)
        slash = strrchr(above, '/');
    if (slash != NULL)
        slash[slash == above] = '\0';
    int folder = open(slash != NULL ? above : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return true;
    bool is_synced = fsync(folder) == 0 || errno == EINVAL;
    (void) close(folder);
    return is_synced;
}

bool half_file_close(struct half_file *file, bool whole)
{
    bool good = !whole || (fflush(file->stream) == 0 && fsync(fileno(file->stream)) == 0);
    good = (fclose(file->stream) == 0 || !whole) && good;
    if (good && whole)
        good = rename(file->part, file->path) == 0 && folder_sync_of(file->path);
    if (!good)
        complain("%s cannot be written: %s.", file->path, strerror(errno));
    if (!good || !whole)
        unlink(file->part);
    free(file->path);
    free(file->part);
    *file = (struct half_file){ 0 };
    return good;
}
