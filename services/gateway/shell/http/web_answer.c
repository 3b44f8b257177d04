/* web_answer.c: answers, from status line to last byte. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "services/gateway/rest/rest_write.h"
#include "services/gateway/shell/http/web_private.h"

#define HEAD_MAX 1024

/* Nothing from elsewhere, no script in the page itself, and nobody's frame around it. */
#define GUARDS                                                                                     \
    "Content-Security-Policy: default-src 'self'; img-src 'self' data:; object-src 'none'; "       \
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'\r\n"                              \
    "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"                          \
    "Cross-Origin-Opener-Policy: same-origin\r\n"

/* For a year, as the cookie. */
#define TLS_ONLY "Strict-Transport-Security: max-age=31536000\r\n"

static const char *phrase_of(unsigned status)
{
    switch (status) {
    case 200: return "OK";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 409: return "Conflict";
    case 413: return "Content Too Large";
    case 415: return "Unsupported Media Type";
    case 425: return "Too Early";
    default: return "Service Unavailable";
    }
}

static int put(char *to, int at, const char *form, const char *value)
{
    return value == NULL ? at : at + snprintf(to + at, HEAD_MAX - (size_t) at, form, value);
}

/* The head alone; 304 has neither body nor length. */
static int write_head(const struct web_session *session, char *to, const struct web_head *head,
                      const char *coding, size_t size)
{
    int at = snprintf(to, HEAD_MAX, "HTTP/1.1 %u %s\r\n", head->status, phrase_of(head->status));
    if (head->status != 304)
        at += snprintf(to + at, HEAD_MAX - (size_t) at,
                       "Content-Type: %s\r\nContent-Length: %zu\r\n", head->type, size);
    at = put(to, at, "Content-Encoding: %s\r\n", coding);
    at = put(to, at, "Vary: %s\r\n", head->varies ? "Accept-Encoding" : NULL);
    at = put(to, at, "ETag: %s\r\n", head->tag);
    at = put(to, at, "Content-Disposition: attachment; filename=\"%s\"\r\n", head->name);
    at = put(to, at, "Allow: %s\r\n", head->status == 405 ? "POST, PUT" : NULL);
    at = put(to, at, "Retry-After: %s\r\n", head->after_s != 0 ? "1" : NULL);
    at = put(to, at, "WWW-Authenticate: Bearer realm=\"%s\"\r\n",
             head->is_proof_wanted ? "operator" : NULL);
    at = put(to, at, "Cache-Control: %s\r\n", head->cache != NULL ? head->cache : "no-store");
    at = put(to, at, "%s", session->is_secure ? TLS_ONLY : NULL);
    return put(to, at, "%s\r\n", GUARDS "Connection: close\r\n");
}

bool web_answer_head(struct web *web, struct web_session *session, const struct web_head *head,
                     const char *coding, size_t size)
{
    session->answer = malloc(LWS_PRE + HEAD_MAX);
    if (session->answer == NULL)
        return false;
    session->answer_size =
        (size_t) write_head(session, session->answer + LWS_PRE, head, coding, size);
    web->counters.status[head->status / 100 % 6]++;
    return true;
}

bool web_answer_text(struct web *web, struct web_session *session, const struct web_head *head,
                     const char *body, size_t size)
{
    if (!web_answer_head(web, session, head, NULL, size))
        return false;
    if (session->is_head)
        return true;
    char *whole = realloc(session->answer, LWS_PRE + HEAD_MAX + size);
    if (whole == NULL)
        return false;
    memcpy(whole + LWS_PRE + session->answer_size, body, size);
    session->answer = whole;
    session->answer_size += size;
    return true;
}

bool web_answer(struct web *web, struct web_session *session, unsigned status, const char *type,
                const char *body, size_t size)
{
    const struct web_head head = { .status = status, .type = type };
    return web_answer_text(web, session, &head, body, size);
}

bool web_refuse(struct web *web, struct web_session *session, unsigned status)
{
    char                         problem[REST_XML_MAX] = "";
    Arbiter__Gateway__RestAnswer answer = ARBITER__GATEWAY__REST_ANSWER__INIT;
    answer.kind = ARBITER__GATEWAY__REST_ANSWER__KIND__KIND_PROBLEM;
    answer.impl = web->settings.is_impl;
    answer.loss = status != 503;
    web->counters.refused++;
    size_t size = rest_write(problem, &answer);
    return web_answer(web, session, status, "application/xml; charset=UTF-8", problem, size);
}

/* Each connection has one answer: where a second request stands behind the first in one read, this version
 * of the library parses it for ever. */
int web_write(struct lws *wsi, struct web_session *session)
{
    bool is_last = session->blob == NULL;
    if (session->answer != NULL)
        (void) lws_write(wsi, (unsigned char *) session->answer + LWS_PRE, session->answer_size,
                         is_last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP);
    free(session->answer);
    session->answer = NULL;
    if (is_last)
        return -1;
    return 0;
}
