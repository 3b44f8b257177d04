/* backup_fuzz.c: any bytes as a backup's list of files: refused, or every file of it lies below the backup.
 *
 * What is read is written again, and read once more: it says the same. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "services/console/care/manifest.h"

static char            folder[64], list[96];
static struct manifest once, again;

static void remove_folder(void)
{
    (void) unlink(list);
    (void) rmdir(folder);
}

/* Refusals are sentences for people, thousands a second here. */
static void begin(void)
{
    (void) snprintf(folder, sizeof folder, "%s/arbiter-backup-XXXXXX",
                    access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    bool is_made = mkdtemp(folder) != NULL && atexit(remove_folder) == 0;
    assert(is_made);
    (void) snprintf(list, sizeof list, "%s/" MANIFEST_NAME, folder);
    stderr = fopen("/dev/null", "w");
    assert(stderr != NULL);
}

static void lay(const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(list, "wb");
    assert(file != NULL);
    size_t written = fwrite(bytes, 1, size, file);
    assert(written == size);
    (void) fclose(file);
}

/* No step of a path is empty, "." or "..", and it begins in one of the folders of a home. */
static void judge_path(const char *path)
{
    assert(strncmp(path, "data/", 5) == 0 || strncmp(path, "keys/", 5) == 0 ||
           strncmp(path, "config/", 7) == 0);
    for (const char *step = path; step != NULL; step = strchr(step, '/')) {
        step += step != path;
        size_t size = strcspn(step, "/");
        assert(size > 0 && step[0] != '.');
    }
    for (const char *at = path; *at != '\0'; at++)
        assert((unsigned char) *at >= ' ' && *at != 0x7f);
}

static void judge(const struct manifest *manifest)
{
    assert(manifest->count <= MANIFEST_FILES_MAX && strlen(manifest->made) < sizeof manifest->made);
    for (uint32_t i = 0; i < manifest->count; i++) {
        judge_path(manifest->file[i].path);
        assert(strspn(manifest->file[i].hash, "0123456789abcdef") == MANIFEST_HASH_TEXT - 1);
    }
}

static bool is_same_file(const struct manifest_file *one, const struct manifest_file *other)
{
    return strcmp(one->path, other->path) == 0 && strcmp(one->hash, other->hash) == 0 &&
           one->bytes == other->bytes && one->version == other->version;
}

static bool is_same(const struct manifest *one, const struct manifest *other)
{
    bool same = one->count == other->count && strcmp(one->made, other->made) == 0;
    for (uint32_t i = 0; same && i < one->count; i++)
        same = is_same_file(&one->file[i], &other->file[i]);
    return same;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (folder[0] == '\0')
        begin();
    lay(bytes, size);
    if (!manifest_read(&once, folder))
        return 0;
    judge(&once);
    bool is_kept =
        manifest_write(&once, folder) && manifest_read(&again, folder) && is_same(&once, &again);
    assert(is_kept);
    return 0;
}
