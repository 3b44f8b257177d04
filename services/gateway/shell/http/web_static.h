/* web_static.h: the page's files, read once at the start, as npm has built and compressed them.
 *
 * What is asked for is looked up among the names that were found then, so no path leads anywhere else. Files
 * below /assets/ have the hash of what is in them in their name, and never change. */
#ifndef ARBITER_GATEWAY_WEB_STATIC_H
#define ARBITER_GATEWAY_WEB_STATIC_H

#include "base/text.h"
#include "services/gateway/shell/http/web_blob.h"

#define STATIC_TAG_MAX 40

struct web_file {
    char            *name; /* "/assets/index-3fa9.js".                                           */
    const char      *type;
    char             tag[STATIC_TAG_MAX]; /* For ETag, quotes included.                          */
    struct web_blob *plain, *packed;      /* `packed` NULL: there is none.                       */
};

struct web_static {
    struct web_file *files;
    size_t           count, bytes;
};

/* Reads all files below `folder`, which may be missing: then there are none. False, and a sentence: it is too much,
 * or cannot be read. */
bool static_open(struct web_static *pages, const char *folder, struct text *fault);
void static_close(struct web_static *pages);
/* A file by the path of a request; "/" and the page's own paths are its index. NULL: there is none. */
const struct web_file *static_find(const struct web_static *pages, const char *path, size_t size);
/* Whether the path is one of the page's own, file or not. */
bool                   static_is_route(const char *path, size_t size);
bool                   static_is_immutable(const struct web_file *file);

#endif
