/* web_blob.c: see web_blob.h. */
#include "services/gateway/shell/http/web_blob.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct web_blob *blob_new(uint8_t *bytes, size_t size, bool is_gzip, size_t raw_size)
{
    struct web_blob *blob = calloc(1, sizeof *blob);
    if (blob == NULL) {
        free(bytes);
        return NULL;
    }
    *blob = (struct web_blob){
        .holders = 1, .bytes = bytes, .size = size, .is_gzip = is_gzip, .raw_size = raw_size
    };
    return blob;
}

struct web_blob *blob_hold(struct web_blob *blob)
{
    blob->holders++;
    return blob;
}

void blob_release(struct web_blob **blob)
{
    struct web_blob *released = *blob;
    *blob = NULL;
    if (released == NULL || --released->holders > 0)
        return;
    free(released->bytes);
    free(released);
}

struct web_blob *blobs_find(struct web_blobs *blobs, const char *key)
{
    for (size_t i = 0; i < BLOBS_KEPT; i++) {
        struct web_blob *blob = blobs->kept[i];
        if (blob == NULL || strcmp(blob->key, key) != 0)
            continue;
        blob->used = ++blobs->count;
        return blob_hold(blob);
    }
    return NULL;
}

/* A place: a free one, or that of what was not asked for the longest. */
static struct web_blob **oldest(struct web_blobs *blobs, bool is_full)
{
    struct web_blob **found = NULL;
    for (size_t i = 0; i < BLOBS_KEPT; i++) {
        struct web_blob **place = &blobs->kept[i];
        if (*place == NULL && !is_full)
            return place;
        if (*place != NULL && (found == NULL || (*place)->used < (*found)->used))
            found = place;
    }
    return found;
}

static void drop(struct web_blobs *blobs, struct web_blob **place)
{
    if (*place == NULL)
        return;
    blobs->bytes -= (*place)->size;
    blob_release(place);
}

void blobs_keep(struct web_blobs *blobs, const char *key, struct web_blob *blob)
{
    if (blob->size > blobs->bytes_max / 4 || strlen(key) >= sizeof blob->key)
        return;
    while (blobs->bytes + blob->size > blobs->bytes_max)
        drop(blobs, oldest(blobs, true));
    struct web_blob **place = oldest(blobs, false);
    drop(blobs, place);
    (void) snprintf(blob->key, sizeof blob->key, "%s", key);
    blob->used = ++blobs->count;
    blobs->bytes += blob->size;
    *place = blob_hold(blob);
}

void blobs_drop(struct web_blobs *blobs)
{
    for (size_t i = 0; i < BLOBS_KEPT; i++)
        drop(blobs, &blobs->kept[i]);
}
