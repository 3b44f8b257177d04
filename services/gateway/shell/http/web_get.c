/* web_get.c: what is read by GET and HEAD: the page's files, with what a browser is to think of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "services/gateway/shell/http/web_private.h"

#define HEADER_TEXT_MAX 512

static const char plain[] = "text/plain; charset=utf-8";
/* Where npm did not run. */
static const char unbuilt[] =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Arbiter</title>"
    "<h1>Arbiter</h1><p>This house runs, but its page was not built: programs can play here, "
    "browsers cannot. "
    "To build the page: install Node and npm, run <code>deploy/up</code>, and start "
    "again.</p></html>\n";

/* A coding that is named, and not with "q=0". */
static bool names_gzip(const char *text)
{
    const char *found = strcasestr(text, "gzip");
    const char *weight = found != NULL ? strcasestr(found, "q=0") : NULL;
    const char *comma = found != NULL ? strchr(found, ',') : NULL;
    bool        is_refused = weight != NULL && (comma == NULL || weight < comma) &&
                      strspn(weight + 3, ".0") == strcspn(weight + 3, ", ");
    return found != NULL && !is_refused;
}

bool web_takes_gzip(const char *accepted)
{
    return names_gzip(accepted);
}

static bool has_tag(struct lws *wsi, const char *tag)
{
    char text[HEADER_TEXT_MAX];
    return lws_hdr_copy(wsi, text, sizeof text, WSI_TOKEN_HTTP_IF_NONE_MATCH) > 0 &&
           (strstr(text, tag) != NULL || strcmp(text, "*") == 0);
}

static bool answer_file(struct web *web, struct lws *wsi, struct web_session *session,
                        const struct web_file *file)
{
    struct web_blob *blob =
        session->takes_gzip && file->packed != NULL ? file->packed : file->plain;
    struct web_head head = { .status = 200, .type = file->type, .tag = file->tag };
    head.cache = static_is_immutable(file) ? "public, max-age=31536000, immutable" : "no-cache";
    head.varies = file->packed != NULL;
    if (has_tag(wsi, file->tag)) {
        head.status = 304;
        return web_answer_head(web, session, &head, NULL, 0);
    }
    if (blob == file->plain)
        return web_answer_blob(web, session, &head, blob);
    bool is_made = web_answer_head(web, session, &head, "gzip", blob->size);
    if (is_made && !session->is_head)
        web_body_begin(web, session, blob);
    return is_made;
}

static bool answer_text(struct web *web, struct web_session *session, unsigned status,
                        const char *type, const char *text)
{
    return web_answer(web, session, status, type, text, strlen(text));
}

enum web_got web_get(struct web *web, struct lws *wsi, struct web_session *session,
                     const char *path, size_t size)
{
    char accepted[HEADER_TEXT_MAX] = "";
    (void) lws_hdr_copy(wsi, accepted, sizeof accepted, WSI_TOKEN_HTTP_ACCEPT_ENCODING);
    session->is_head = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
    session->takes_gzip = web_takes_gzip(accepted);
    if (web_page(web, wsi, session, path, size))
        return WEB_ANSWERED;
    if (size >= 5 && memcmp(path, "/api/", 5) == 0)
        return web_api(web, wsi, session, path, size);
    const struct web_file *file = static_find(&web->pages, path, size);
    if (file != NULL)
        return answer_file(web, wsi, session, file) ? WEB_ANSWERED : WEB_BROKEN;
    if (static_is_route(path, size))
        return answer_text(web, session, 200, "text/html; charset=utf-8", unbuilt) ? WEB_ANSWERED
                                                                                   : WEB_BROKEN;
    if (rest_path_of(path, size) != ARBITER__GATEWAY__REST_PATH__REST_PATH_UNSPECIFIED)
        return WEB_NOT_OURS;
    if (session->is_head || (size >= 8 && memcmp(path, "/assets/", 8) == 0))
        return answer_text(web, session, 404, plain, "there is no such file\n") ? WEB_ANSWERED
                                                                                : WEB_BROKEN;
    return WEB_NOT_OURS;
}
