/* web_blob.h: bytes that go to many connections at the same time, some kept for the next one.
 *
 * A blob lives as long as somebody holds it. The cache holds those that were asked for last, up to
 * a number of bytes. What does not fit is made again when it is asked for. */
#ifndef ARBITER_GATEWAY_WEB_BLOB_H
#define ARBITER_GATEWAY_WEB_BLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BLOB_KEY_MAX 128
#define BLOBS_KEPT 64

struct web_blob {
    uint32_t holders;
    uint8_t *bytes;
    size_t   size;
    bool     is_gzip;
    size_t   raw_size; /* Unpacked.                                                             */
    uint64_t used;     /* When it was asked for last, by the cache's count.                     */
    char     key[BLOB_KEY_MAX];
};

struct web_blobs {
    struct web_blob *kept[BLOBS_KEPT];
    size_t           bytes, bytes_max;
    uint64_t         count;
};

/* Takes the bytes, which were malloc'ed; held once. NULL: no memory, and they are freed. */
struct web_blob *blob_new(uint8_t *bytes, size_t size, bool is_gzip, size_t raw_size);
struct web_blob *blob_hold(struct web_blob *blob);
/* NULL is nothing. */
void             blob_release(struct web_blob **blob);

/* What is kept under this key, held once more; NULL: nothing. */
struct web_blob *blobs_find(struct web_blobs *blobs, const char *key);
/* Keeps it, if it is not too large for that, in the place of what was not asked for the longest. */
void             blobs_keep(struct web_blobs *blobs, const char *key, struct web_blob *blob);
void             blobs_drop(struct web_blobs *blobs);

#endif
