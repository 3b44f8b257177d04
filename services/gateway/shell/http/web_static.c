/* web_static.c: see web_static.h. */
#include "services/gateway/shell/http/web_static.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEPTH_MAX 4u
#define FILES_MAX 4096u
#define BYTES_MAX ((size_t) 64 << 20)
#define HASH_SIZE 12 /* Of the SHA-256 in a tag. */

static const struct {
    const char *ending, *type;
} types[] = {
    { ".html", "text/html; charset=utf-8" },
    { ".js", "text/javascript; charset=utf-8" },
    { ".css", "text/css; charset=utf-8" },
    { ".svg", "image/svg+xml" },
    { ".json", "application/json" },
    { ".webmanifest", "application/manifest+json" },
    { ".png", "image/png" },
    { ".ico", "image/vnd.microsoft.icon" },
    { ".woff2", "font/woff2" },
    { ".txt", "text/plain; charset=utf-8" },
};

static bool ends_with(const char *name, const char *ending)
{
    size_t size = strlen(name), tail = strlen(ending);
    return size >= tail && strcmp(name + size - tail, ending) == 0;
}

static const char *type_of(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (ends_with(name, types[i].ending))
            return types[i].type;
    return "application/octet-stream";
}

static struct web_blob *read_file(const char *path, size_t size, bool is_gzip)
{
    FILE    *file = fopen(path, "rb");
    uint8_t *bytes = malloc(size + 1);
    bool     is_whole = file != NULL && bytes != NULL && fread(bytes, 1, size, file) == size;
    if (file != NULL)
        (void) fclose(file);
    if (is_whole)
        return blob_new(bytes, size, is_gzip, 0);
    free(bytes);
    return NULL;
}

static bool complain(struct text *fault, const char *what, const char *path)
{
    text_clear(fault);
    text_put(fault, "the page's folder ");
    text_put(fault, what);
    text_put(fault, ": ");
    text_put(fault, path);
    return false;
}

static void tag(struct web_file *file)
{
    uint8_t hash[crypto_hash_sha256_BYTES];
    char    hex[2 * HASH_SIZE + 1];
    (void) crypto_hash_sha256(hash, file->plain->bytes, file->plain->size);
    sodium_bin2hex(hex, sizeof hex, hash, HASH_SIZE);
    (void) snprintf(file->tag, sizeof file->tag, "\"%s\"", hex);
}

static bool add_file(struct web_static *pages, const char *path, const char *name, size_t size,
                     struct text *fault)
{
    bool is_packed = ends_with(name, ".gz");
    if (pages->count == FILES_MAX || pages->bytes + size > BYTES_MAX)
        return complain(fault, "holds too much", path);
    struct web_file *files = realloc(pages->files, (pages->count + 1) * sizeof *files);
    if (files == NULL)
        return complain(fault, "cannot be kept in memory", path);
    pages->files = files;
    struct web_file *file = &files[pages->count];
    *file = (struct web_file){ .name = strdup(name) };
    struct web_blob *blob = read_file(path, size, is_packed);
    pages->count++;
    if (file->name == NULL || blob == NULL) {
        blob_release(&blob);
        return complain(fault, "cannot be read", path);
    }
    file->plain = blob;
    file->type = type_of(name);
    tag(file);
    pages->bytes += size;
    return true;
}

static bool add_folder(struct web_static *pages, const char *folder, const char *name,
                       uint32_t depth, struct text *fault);

/* Files and folders; what begins with a dot, or is neither, is none of the page's. */
static bool add_entry(struct web_static *pages, const char *folder, const char *name,
                      const char *entry, uint32_t depth, struct text *fault)
{
    char        path[PATH_MAX], below[NAME_MAX * 2];
    struct stat facts;
    int         size = snprintf(path, sizeof path, "%s/%s", folder, entry);
    int         length = snprintf(below, sizeof below, "%s/%s", name, entry);
    if (entry[0] == '.')
        return true;
    if (size >= (int) sizeof path || length >= (int) sizeof below || lstat(path, &facts) != 0)
        return complain(fault, "cannot be read", path);
    if (S_ISDIR(facts.st_mode))
        return add_folder(pages, path, below, depth + 1, fault);
    return !S_ISREG(facts.st_mode) || add_file(pages, path, below, (size_t) facts.st_size, fault);
}

static bool add_folder(struct web_static *pages, const char *folder, const char *name,
                       uint32_t depth, struct text *fault)
{
    DIR *open = depth < DEPTH_MAX ? opendir(folder) : NULL;
    bool is_well = true;
    if (open == NULL)
        return (depth == 0 && errno == ENOENT) || complain(fault, "cannot be read", folder);
    for (struct dirent *entry; is_well && (entry = readdir(open)) != NULL;)
        is_well = add_entry(pages, folder, name, entry->d_name, depth, fault);
    (void) closedir(open);
    return is_well;
}

static const struct web_file *find(const struct web_static *pages, const char *name, size_t size)
{
    for (size_t i = 0; i < pages->count; i++)
        if (strlen(pages->files[i].name) == size && memcmp(pages->files[i].name, name, size) == 0)
            return &pages->files[i];
    return NULL;
}

/* Compressed copies stand beside their originals. */
static void pair(struct web_static *pages)
{
    for (size_t i = 0; i < pages->count; i++) {
        char                   name[NAME_MAX * 2 + 4];
        int                    size = snprintf(name, sizeof name, "%s.gz", pages->files[i].name);
        const struct web_file *packed = find(pages, name, (size_t) size);
        if (packed != NULL)
            pages->files[i].packed = blob_hold(packed->plain);
    }
}

bool static_open(struct web_static *pages, const char *folder, struct text *fault)
{
    *pages = (struct web_static){ .files = NULL };
    if (folder[0] != '\0' && !add_folder(pages, folder, "", 0, fault)) {
        static_close(pages);
        return false;
    }
    pair(pages);
    return true;
}

void static_close(struct web_static *pages)
{
    for (size_t i = 0; i < pages->count; i++) {
        free(pages->files[i].name);
        blob_release(&pages->files[i].plain);
        blob_release(&pages->files[i].packed);
    }
    free(pages->files);
    *pages = (struct web_static){ .files = NULL };
}

bool static_is_route(const char *path, size_t size)
{
    static const char *const routes[] = { "/table", "/match", "/replay", "/operator" };
    if (size == 1 && path[0] == '/')
        return true;
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        size_t length = strlen(routes[i]);
        if (size >= length && memcmp(path, routes[i], length) == 0 &&
            (size == length || path[length] == '/'))
            return true;
    }
    return false;
}

const struct web_file *static_find(const struct web_static *pages, const char *path, size_t size)
{
    static const char index[] = "/index.html";
    if (static_is_route(path, size))
        return find(pages, index, sizeof index - 1);
    const struct web_file *file = find(pages, path, size);
    return file != NULL && file->plain->is_gzip ? NULL : file;
}

bool static_is_immutable(const struct web_file *file)
{
    static const char hashed[] = "/assets/";
    return strncmp(file->name, hashed, sizeof hashed - 1) == 0;
}
