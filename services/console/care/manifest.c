/* manifest.c: see manifest.h. */
#include "services/console/care/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "services/console/command/console.h"
#include "services/console/command/files.h"
#include "wire/utf8.h"

#define PIECE 65536
#define FORMAT 1

bool manifest_hash(const char *path, uint64_t *bytes, char hash[MANIFEST_HASH_TEXT])
{
    static unsigned char     piece[PIECE];
    unsigned char            digest[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_state state;
    FILE                    *file = fopen(path, "rb");
    size_t                   got = 0;
    *bytes = 0;
    if (file == NULL)
        return false;
    (void) crypto_hash_sha256_init(&state);
    while ((got = fread(piece, 1, sizeof piece, file)) > 0) {
        (void) crypto_hash_sha256_update(&state, piece, got);
        *bytes += got;
    }
    bool is_read = ferror(file) == 0;
    (void) fclose(file);
    (void) crypto_hash_sha256_final(&state, digest);
    sodium_bin2hex(hash, MANIFEST_HASH_TEXT, digest, sizeof digest);
    return is_read;
}

static bool join(char path[PATH_MAX], const char *folder, const char *below)
{
    if (snprintf(path, PATH_MAX, "%s/%s", folder, below) < PATH_MAX)
        return true;
    complain("the path is too long: %s/%s.", folder, below);
    return false;
}

/* They have a list of their own, which builds that know none pass over. */
static bool is_setting(const char *path)
{
    return strncmp(path, "config/", 7) == 0;
}

/* Nothing that would move the cursor of whoever is shown it. */
static bool is_plain(const char *text, size_t room)
{
    size_t size = strlen(text);
    for (size_t i = 0; i < size; i++)
        if ((unsigned char) text[i] < ' ' || text[i] == 0x7f)
            return false;
    return size < room;
}

/* A path that leads nowhere else: no root, no step up, nothing hidden, and no folder. */
static bool is_below(const char *path)
{
    return is_plain(path, MANIFEST_PATH_MAX) &&
           (strncmp(path, "data/", 5) == 0 || strncmp(path, "keys/", 5) == 0 || is_setting(path)) &&
           strstr(path, "/.") == NULL && strstr(path, "//") == NULL &&
           path[strlen(path) - 1] != '/';
}

/* What reading would refuse is refused before anybody relies on the backup. */
static bool may_be_listed(const char *path)
{
    char   shown[MANIFEST_PATH_MAX];
    size_t size = strlen(path);
    if (is_below(path) && utf8_is_string((const uint8_t *) path, size))
        return true;
    for (size_t i = 0; i <= size; i++)
        shown[i] = (char) (i < size && (path[i] < ' ' || path[i] > '~') ? '?' : path[i]);
    complain("%s has a name that no list of files can hold; rename it.", shown);
    return false;
}

bool manifest_add(struct manifest *manifest, const char *folder, const char *path, uint32_t version)
{
    char whole[PATH_MAX];
    if (manifest->count == MANIFEST_FILES_MAX || strlen(path) >= MANIFEST_PATH_MAX) {
        complain("there are too many files, or a name is too long: %s.", path);
        return false;
    }
    if (!may_be_listed(path))
        return false;
    struct manifest_file *file = &manifest->file[manifest->count];
    (void) snprintf(file->path, sizeof file->path, "%s", path);
    file->version = version;
    if (!join(whole, folder, path))
        return false;
    if (!manifest_hash(whole, &file->bytes, file->hash)) {
        complain("%s cannot be read: %s.", whole, strerror(errno));
        return false;
    }
    manifest->count++;
    return true;
}

bool manifest_write(const struct manifest *manifest, const char *folder)
{
    char             path[PATH_MAX];
    struct half_file half;
    json_t          *files = json_array(), *settings = json_array();
    for (uint32_t i = 0; i < manifest->count; i++)
        json_array_append_new(is_setting(manifest->file[i].path) ? settings : files,
                              json_pack("{s:s s:I s:s s:I}", "path", manifest->file[i].path,
                                        "bytes", (json_int_t) manifest->file[i].bytes, "sha256",
                                        manifest->file[i].hash, "version",
                                        (json_int_t) manifest->file[i].version));
    json_t *all =
        json_pack("{s:i s:s s:s s:o s:o}", "arbiter_backup", FORMAT, "software", ARBITER_VERSION,
                  "made", manifest->made, "files", files, "settings", settings);
    bool is_written = join(path, folder, MANIFEST_NAME) && half_file_open(&half, path);
    if (is_written)
        is_written = half_file_close(&half, json_dumpf(all, half.stream, JSON_INDENT(2)) == 0);
    json_decref(all);
    return is_written;
}

static bool is_hash(const char *text)
{
    return strspn(text, "0123456789abcdef") == MANIFEST_HASH_TEXT - 1 &&
           text[MANIFEST_HASH_TEXT - 1] == '\0';
}

static bool read_file(const json_t *from, struct manifest_file *file)
{
    const char *path = NULL, *hash = NULL;
    json_int_t  bytes = 0, version = 0;
    if (json_unpack((json_t *) from, "{s:s s:I s:s s:I}", "path", &path, "bytes", &bytes, "sha256",
                    &hash, "version", &version) != 0 ||
        !is_below(path) || !is_hash(hash) || bytes < 0 || version < 0 || version > UINT32_MAX)
        return false;
    (void) snprintf(file->path, sizeof file->path, "%s", path);
    (void) snprintf(file->hash, sizeof file->hash, "%s", hash);
    file->bytes = (uint64_t) bytes;
    file->version = (uint32_t) version;
    return true;
}

static bool read_list(struct manifest *manifest, const json_t *files, bool are_settings)
{
    if (!json_is_array(files) || json_array_size(files) > MANIFEST_FILES_MAX - manifest->count)
        return false;
    for (size_t i = 0; i < json_array_size(files); i++) {
        struct manifest_file *file = &manifest->file[manifest->count++];
        if (!read_file(json_array_get(files, i), file) || is_setting(file->path) != are_settings)
            return false;
    }
    return true;
}

static bool read_all(struct manifest *manifest, json_t *all)
{
    int         format = 0;
    const char *made = NULL;
    json_t     *files = NULL, *settings = NULL;
    if (json_unpack(all, "{s:i s:s s:o s?o}", "arbiter_backup", &format, "made", &made, "files",
                    &files, "settings", &settings) != 0 ||
        format != FORMAT || !is_plain(made, sizeof manifest->made))
        return false;
    (void) snprintf(manifest->made, sizeof manifest->made, "%s", made);
    return read_list(manifest, files, false) &&
           (settings == NULL || read_list(manifest, settings, true));
}

bool manifest_read(struct manifest *manifest, const char *folder)
{
    char         path[PATH_MAX];
    json_error_t error;
    memset(manifest, 0, sizeof *manifest);
    if (!join(path, folder, MANIFEST_NAME))
        return false;
    if (access(path, R_OK) != 0) {
        if (errno == ENOENT || errno == ENOTDIR)
            complain("%s is no backup, or one that was never finished: it has no %s.", folder,
                     MANIFEST_NAME);
        else
            complain("%s cannot be read: %s. Do it as its owner, or as root.", path,
                     strerror(errno));
        return false;
    }
    json_t *all = json_load_file(path, 0, &error);
    bool    is_read = all != NULL && read_all(manifest, all);
    json_decref(all);
    if (!is_read)
        complain("%s is not what \"arbiter backup\" writes in this version.", path);
    return is_read;
}

uint64_t manifest_bytes(const struct manifest *manifest)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < manifest->count; i++)
        bytes += manifest->file[i].bytes;
    return bytes;
}

bool manifest_folders(const char *path)
{
    char at[PATH_MAX];
    if (snprintf(at, sizeof at, "%s", path) >= PATH_MAX)
        return false;
    for (char *slash = strchr(at + 1, '/');; slash = strchr(slash + 1, '/')) {
        if (slash != NULL)
            *slash = '\0';
        if (mkdir(at, 0700) != 0 && errno != EEXIST) {
            complain("the folder %s cannot be made: %s.", at, strerror(errno));
            return false;
        }
        if (slash == NULL)
            return true;
        *slash = '/';
    }
}

int manifest_hold(const char *folder)
{
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
        return file;
    if (file >= 0 && errno == EWOULDBLOCK)
        complain("another backup or restore is running in %s: let it end, or name another folder.",
                 folder);
    else
        complain("%s cannot be opened: %s.", folder, strerror(errno));
    if (file >= 0)
        (void) close(file);
    return -1;
}

/* The C library's walk hands nothing on. */
static const struct manifest *sweeping;
static size_t                 swept_size;

static int sweep(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    bool is_named = kind == FTW_D || kind == FTW_DP;
    (void) facts, (void) place;
    for (uint32_t i = 0; i < sweeping->count && !is_named; i++)
        is_named = strcmp(sweeping->file[i].path, path + swept_size) == 0;
    return is_named ? 0 : unlink(path);
}

/* The folder may be a link itself, to another disk: that one is followed, and none that lies in it. */
bool manifest_sweep(const struct manifest *manifest, const char *folder)
{
    char root[PATH_MAX];
    if (!join(root, folder, "."))
        return false;
    sweeping = manifest;
    swept_size = strlen(root) + 1;
    if (nftw(root, sweep, 8, FTW_PHYS) == 0)
        return true;
    complain("%s still has files of another try, which cannot be removed: %s.", folder,
             strerror(errno));
    return false;
}

static bool write_pieces(FILE *from, FILE *to, bool (*told)(void *taker, uint64_t bytes),
                         void *taker)
{
    static unsigned char piece[PIECE];
    uint64_t             bytes = 0;
    size_t               got = 0;
    while ((got = fread(piece, 1, sizeof piece, from)) > 0) {
        if (fwrite(piece, 1, got, to) != got)
            return false;
        bytes += got;
        if (told != NULL && !told(taker, bytes))
            return false;
    }
    return ferror(from) == 0;
}

bool manifest_copy(const char *from, const char *to, bool (*told)(void *taker, uint64_t bytes),
                   void *taker)
{
    struct half_file half;
    mode_t           mask = umask(0077);
    FILE            *file = fopen(from, "rb");
    bool             is_whole = file != NULL && half_file_open(&half, to);
    (void) umask(mask);
    if (file == NULL)
        complain("%s cannot be read: %s.", from, strerror(errno));
    if (is_whole) {
        errno = 0;
        is_whole = write_pieces(file, half.stream, told, taker);
        if (!is_whole && errno != 0)
            complain("%s cannot be copied to %s: %s.", from, to, strerror(errno));
        is_whole = half_file_close(&half, is_whole) && is_whole;
    }
    if (file != NULL)
        (void) fclose(file);
    return is_whole;
}
