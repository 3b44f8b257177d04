/* web_answer.c: answers, from status line to last byte. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "services/gateway/rest_write.h"
#include "services/gateway/shell/web_private.h"

#define HEAD_MAX 512

static const char *phrase_of(unsigned status)
{
    switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 413: return "Content Too Large";
    case 415: return "Unsupported Media Type";
    default: return "Service Unavailable";
    }
}

bool web_answer(struct web *web, struct web_session *session, unsigned status, const char *type,
                const char *body, size_t size)
{
    session->answer = malloc(LWS_PRE + HEAD_MAX + size);
    if (session->answer == NULL)
        return false;
    int head = snprintf(session->answer + LWS_PRE, HEAD_MAX,
                        "HTTP/1.1 %u %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
                        "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
                        "Connection: close\r\n\r\n",
                        status, phrase_of(status), type, size);
    memcpy(session->answer + LWS_PRE + head, body, size);
    session->answer_size = (size_t) head + size;
    web->counters.status[status / 100 % 6]++;
    return true;
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
    if (session->answer != NULL)
        (void) lws_write(wsi, (unsigned char *) session->answer + LWS_PRE, session->answer_size,
                         LWS_WRITE_HTTP_FINAL);
    free(session->answer);
    session->answer = NULL;
    return -1;
}
