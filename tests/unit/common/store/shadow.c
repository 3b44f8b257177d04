/* shadow.c: see shadow.h. */
#include "common/store/shadow.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHADOWS 8
#define SECTOR 512u

struct unsynced {
    uint8_t *bytes; /* NULL: the file is cut, or filled up with zeros, to `offset`.              */
    size_t   size;
    uint64_t offset;
    bool     is_forgotten; /* By a sync that failed.                                             */
};

struct shadow {
    char             path[256];
    uint8_t         *synced;
    size_t           size;
    struct unsynced *writes;
    size_t           count, max;
};

static struct shadow shadows[SHADOWS];
static size_t        shadow_count;

static void resize(struct shadow *shadow, size_t size)
{
    uint8_t *larger = realloc(shadow->synced, size + 1);
    assert(larger);
    shadow->synced = larger;
    if (size > shadow->size)
        memset(larger + shadow->size, 0, size - shadow->size);
    shadow->size = size;
}

static void apply(struct shadow *shadow, const uint8_t *bytes, size_t size, uint64_t offset)
{
    if (offset + size > shadow->size)
        resize(shadow, (size_t) offset + size);
    memcpy(shadow->synced + offset, bytes, size);
}

static void forget_writes(struct shadow *shadow)
{
    for (size_t i = 0; i < shadow->count; i++)
        free(shadow->writes[i].bytes);
    shadow->count = 0;
}

struct shadow *shadow_of(const char *path)
{
    for (size_t i = 0; i < shadow_count; i++)
        if (!strcmp(shadows[i].path, path))
            return &shadows[i];
    assert(shadow_count < SHADOWS && strlen(path) < sizeof shadows->path);
    struct shadow *shadow = &shadows[shadow_count++];
    memcpy(shadow->path, path, strlen(path) + 1);
    return shadow;
}

static struct unsynced *next(struct shadow *shadow)
{
    if (shadow->count == shadow->max) {
        shadow->max = shadow->max ? 2 * shadow->max : 64;
        struct unsynced *more = realloc(shadow->writes, shadow->max * sizeof *more);
        assert(more);
        shadow->writes = more;
    }
    return &shadow->writes[shadow->count++];
}

void shadow_write(struct shadow *shadow, const void *bytes, size_t size, uint64_t offset)
{
    uint8_t *copy = malloc(size + 1);
    assert(copy);
    memcpy(copy, bytes, size);
    *next(shadow) = (struct unsynced){ .bytes = copy, .size = size, .offset = offset };
}

void shadow_truncate(struct shadow *shadow, uint64_t size)
{
    *next(shadow) = (struct unsynced){ .offset = size };
}

void shadow_sync(struct shadow *shadow)
{
    for (size_t i = 0; i < shadow->count; i++) {
        const struct unsynced *write = &shadow->writes[i];
        if (write->is_forgotten)
            continue;
        if (write->bytes)
            apply(shadow, write->bytes, write->size, write->offset);
        else
            resize(shadow, (size_t) write->offset);
    }
    forget_writes(shadow);
}

void shadow_sync_failed(struct shadow *shadow)
{
    for (size_t i = 0; i < shadow->count; i++)
        shadow->writes[i].is_forgotten = true;
}

void shadow_delete(const char *path)
{
    struct shadow *shadow = shadow_of(path);
    forget_writes(shadow);
    resize(shadow, 0);
}

static bool is_kept(enum power_loss loss, uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return loss == LOSE_NOTHING || (loss != LOSE_ALL && (*seed >> 32 & 1));
}

/* A disk writes whole sectors, in an order of its own. */
static void keep_some_sectors(struct shadow *shadow, const struct unsynced *write, uint64_t *seed)
{
    size_t size;
    for (size_t i = 0; i < write->size; i += size) {
        size = SECTOR - (size_t) ((write->offset + i) % SECTOR);
        size = size < write->size - i ? size : write->size - i;
        if (is_kept(LOSE_SOME_SECTORS, seed))
            apply(shadow, write->bytes + i, size, write->offset + i);
    }
}

static void lose_power(struct shadow *shadow, enum power_loss loss, uint64_t *seed)
{
    for (size_t i = 0; i < shadow->count; i++) {
        const struct unsynced *write = &shadow->writes[i];
        if (write->bytes && loss == LOSE_SOME_SECTORS)
            keep_some_sectors(shadow, write, seed);
        else if (is_kept(loss, seed) && write->bytes)
            apply(shadow, write->bytes, write->size, write->offset);
        else if (!write->bytes && is_kept(loss, seed))
            resize(shadow, (size_t) write->offset);
    }
    forget_writes(shadow);
}

void shadows_lose_power(enum power_loss loss, uint64_t seed)
{
    seed = seed * 0x9e3779b97f4a7c15u + 1;
    for (size_t i = 0; i < shadow_count; i++) {
        struct shadow *shadow = &shadows[i];
        lose_power(shadow, loss, &seed);
        if (access(shadow->path, F_OK))
            continue;
        FILE *file = fopen(shadow->path, "wb");
        assert(file);
        size_t written =
            fwrite(shadow->synced ? (const void *) shadow->synced : "", 1, shadow->size, file);
        assert(written == shadow->size);
        int failed = fclose(file);
        assert(!failed);
        (void) written, (void) failed;
    }
}

void shadows_forget(void)
{
    for (size_t i = 0; i < shadow_count; i++) {
        forget_writes(&shadows[i]);
        free(shadows[i].writes);
        free(shadows[i].synced);
    }
    memset(shadows, 0, sizeof shadows);
    shadow_count = 0;
}
