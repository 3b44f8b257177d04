/* web_private.h: what the files of the HTTP door share. */
#ifndef ARBITER_GATEWAY_WEB_PRIVATE_H
#define ARBITER_GATEWAY_WEB_PRIVATE_H

#include <libwebsockets.h>

#include "services/gateway/chunked.h"
#include "services/gateway/rest_read.h"
#include "services/gateway/shell/web.h"

/* One request of a connection, and its answer. libwebsockets keeps it beside the connection, zeroed. */
struct web_session {
    uint64_t number; /* Of the connection in this request; 0: it waits for nothing.  */
    Arbiter__Gateway__RestPath path;
    bool           is_read; /* To its end.                                              */
    bool           is_chunked;
    struct chunked chunked;
    char          *body;
    size_t         size, room;
    uint64_t       came_ms;
    char          *answer; /* Headers and all, behind LWS_PRE bytes.                         */
    size_t         answer_size;
};

/* What waits for the core. */
struct web_news {
    uint64_t number;
    bool     is_hangup;
};

struct web_place {
    uint64_t    number; /* 0: free.                                                          */
    struct lws *wsi;
    struct web_session *session;
};

struct web_counters {
    uint64_t requests, hangups, refused, too_large, unread, turned_away;
    uint64_t
        status[6]; /* Answers by their first digit.                                             */
};

struct web {
    struct web_settings settings;
    struct lws_context *context;
    struct lws_vhost   *vhost;
    int file; /* The shell's, watched by libwebsockets; -1: not yet.                */
    lws_sorted_usec_list_t alarm;
    uint64_t               numbers, looked_ms;
    struct web_place      *places;
    uint32_t               connections;
    struct web_news *news; /* A ring.                                                            */
    uint32_t         news_first, news_count, news_max;
    struct web_counters   counters;
    const struct gateway *gateway;
    struct web_sockets   *sockets;

    /* The request being told, until the next. */
    Arbiter__Gateway__RestAsk ask;
    Arbiter__Gateway__Hangup  hangup;
    struct rest_words         words;
    char                     *texts, *half;
    char                     *scratch;
};

/* web_http.c: what libwebsockets tells of a connection; what each returns, its callback returns. */
int  web_on_request(struct web *web, struct lws *wsi, struct web_session *session, const char *uri,
                    size_t size);
int  web_on_body(struct web *web, struct lws *wsi, struct web_session *session, const void *in,
                 size_t size);
int  web_on_body_end(struct web *web, struct lws *wsi, struct web_session *session);
void web_on_gone(struct web *web, struct web_session *session);

/* web_answer.c: makes an answer, to be written when the connection can be. False: no memory. */
bool web_answer(struct web *web, struct web_session *session, unsigned status, const char *type,
                const char *body, size_t size);
/* Writes it; what the callback is to return. */
int  web_write(struct lws *wsi, struct web_session *session);
/* A ConnectionProblemResponse with a status of its own. */
bool web_refuse(struct web *web, struct web_session *session, unsigned status);

/* web_pages.c: what is read by GET and has nothing to do with any game. False: there is no such page. */
bool web_page(struct web *web, struct web_session *session, const char *path, size_t size);

#endif
