/* web_private.h: what the files of the HTTP door share. */
#ifndef ARBITER_GATEWAY_WEB_PRIVATE_H
#define ARBITER_GATEWAY_WEB_PRIVATE_H

#include <libwebsockets.h>
#include <zlib.h>

#include "services/gateway/chunked.h"
#include "services/gateway/rest/rest_read.h"
#include "services/gateway/shell/http/web.h"
#include "services/gateway/shell/http/web_api.h"
#include "services/gateway/shell/http/web_blob.h"
#include "services/gateway/shell/http/web_static.h"
#include "services/gateway/shell/ws/web_peers.h"

/* One request of a connection, and its answer. libwebsockets keeps it beside the connection, zeroed. */
struct web_session {
    uint64_t number; /* Of the connection in this request; 0: it waits for nothing.  */
    Arbiter__Gateway__RestPath path;
    bool           is_read;   /* To its end.                                              */
    bool           is_told;   /* The core has it.                                         */
    bool           is_half;   /* Its client has closed its side while it waited. */
    bool           is_secure; /* It came by TLS.                                         */
    bool           is_chunked;
    struct chunked chunked;
    char          *body;
    size_t         size, room;
    uint64_t       came_ms;
    char          *answer; /* Headers and all, behind LWS_PRE bytes.                         */
    size_t         answer_size;

    /* GET and HEAD. */
    bool             is_head, takes_gzip;
    struct web_blob *blob; /* The body that goes behind the answer, in pieces; NULL: none.       */
    size_t           blob_at;
    uint64_t         pushed_ms; /* Something of it was taken then.                              */
    z_stream        *inflate; /* It is unpacked on its way; NULL: sent as it is.                 */
    struct web_call *call;    /* What is asked of the API, until it is answered.                 */
};

/* What waits for the core. */
struct web_news {
    uint64_t number;
    bool     is_hangup, is_half;
};

struct web_place {
    uint64_t    number; /* 0: free.                                                          */
    struct lws *wsi;
    struct web_session *session;
};

/* A connection that was answered. */
struct web_answered {
    int      file;
    uint64_t until_ms;
};
#define WEB_ANSWERED_MAX 1024u

/* A connection beyond the limits. */
struct web_spare {
    struct lws *wsi;         /* NULL: free.                                                       */
    bool        is_answered; /* How we do.                                                        */
    bool        is_full;     /* We have as many as there may be, and not he.                      */
};
#define WEB_SPARES_MAX 8u

/* What looks like a proxy before this door that nobody told us of, to be said once a minute. */
struct web_doubts {
    uint64_t unlisted;   /* Requests of somebody who names visitors, and is not listed.          */
    struct address last; /* Of the last of them.                                              */
    uint64_t       said, said_ms, schemes_said, schemes_said_ms;
};

struct web_counters {
    uint64_t requests, hangups, refused, unread;
    uint64_t turned_away; /* Connections: for http_connections_max, and for http_per_address ...  */
    uint64_t full;        /* ... so many of them for the first.                                   */
    uint64_t unproved;    /* Who asked for what is the operator's, and brought no token. */
    uint64_t status[6];   /* Answers by their first digit. */
};

struct web {
    struct web_settings settings;
    struct lws_context *context;
    struct lws_vhost   *vhost;
    SSL_CTX            *tls; /* The vhost's; NULL: it speaks no TLS.                          */
    int file;    /* The shell's, watched by libwebsockets; -1: not yet.                */
    int leaving; /* Tells which waiting clients have closed their side.              */
    struct web_answered answered[WEB_ANSWERED_MAX]; /* A ring.                                    */
    uint32_t            answered_first, answered_count;
    lws_sorted_usec_list_t alarm;
    uint64_t               numbers;
    struct web_place      *places;
    struct web_peers       peers;
    struct web_peer   unnamed; /* Whose proxies' connections are until their request is read. */
    uint32_t          connections;
    struct web_spare  spares[WEB_SPARES_MAX];
    uint64_t          said_sum, said_ms; /* Of strangers, in the log.                       */
    struct web_doubts doubts;
    uint32_t          bodies; /* Being sent.                                                */
    struct web_news  *news; /* A ring.                                                            */
    uint32_t          news_first, news_count, news_max;
    struct web_counters   counters;
    const struct gateway *gateway;
    struct web_sockets   *sockets;
    struct web_static     pages;
    struct web_api        api;

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

/* A place for a connection from which nothing more is read; false: there is none. */
bool web_take_place(struct web *web, struct lws *wsi, struct web_session *session);
/* Hands a request that was read on to the core; what the callback is to return. */
int  web_tell_core(struct web *web, struct lws *wsi, struct web_session *session);

/* web_visitors.c: whose connection it is. 0: who knocks is let in. */
bool web_is_full(const struct web *web);
int  web_visitor_knocks(struct web *web, int socket);
void web_visitor_comes(struct web *web, struct lws *wsi);
void web_visitor_goes(struct web *web, struct lws *wsi);
/* A request was read: whom a proxy names counts from now on. False: he has no room for it. */
bool web_visitor_is_named(struct web *web, struct lws *wsi);
/* Says so; what the callback is to return. */
int  web_visitor_refuse(struct web *web, struct lws *wsi, struct web_session *session);
/* Where a request is from, for the house. */
void web_visitor_tells(struct lws *wsi, Arbiter__Gateway__RestAsk *ask);
bool web_comes_by_proxy(const struct web *web, struct lws *wsi);
/* Whether a request came by TLS, to us or to a proxy that is believed. */
bool web_is_secure(struct lws *wsi);

/* web_tls.c: has a door speak TLS, where there is a certificate. */
void web_tls_ask(const struct web_settings *settings, struct lws_context_creation_info *info);

/* web_doubts.c: this address names visitors, and is no listed proxy. */
void web_doubts_note(struct web *web, const struct address *address);
/* Says what there is to be said, in the log. */
void web_doubts_say(struct web *web);

/* web_spare.c: connections beyond the limits, which may ask how we do, within a second, and nothing else. */
bool web_spare_is_free(struct web *web);
void web_spare_take(struct web *web, struct lws *wsi);
bool web_spare_is(struct web *web, const struct lws *wsi);
/* Whether this may be asked for at this connection, whichever it is. */
bool web_spare_may(struct web *web, const struct lws *wsi, const char *path, size_t size);
/* It has ended, whichever it was. */
void web_spare_give_back(struct web *web, const struct lws *wsi);

/* What stands in an answer's head besides its length. */
struct web_head {
    unsigned    status;
    const char *type;
    const char *cache;  /* Cache-Control; NULL: "no-store".                                       */
    const char *tag;    /* ETag; NULL: none.                                                     */
    const char *name;   /* Of the file, where it is one to be kept; NULL: none.                   */
    bool        varies; /* With Accept-Encoding.                                                 */
    uint32_t    after_s; /* Retry-After; 0: none.                                                */
    bool        is_proof_wanted; /* WWW-Authenticate.                                             */
};

/* web_leaving.c: which clients closed their side while they waited. */
bool web_leaving_open(struct web *web);
void web_leaving_close(struct web *web);
/* Whoever waits at this place is looked after. */
void web_leaving_watch(struct web *web, struct lws *wsi, uint64_t number);
/* Tells the core which clients closed their side since the last look. */
void web_leaving_look(struct web *web);
/* The same for one whose request the core is told, or who is answered, to this moment. */
void web_leaving_look_at(struct web *web, struct lws *wsi, struct web_session *session);
/* The client has been answered: whether it was there will be seen. */
void web_leaving_answered(struct web *web, struct lws *wsi, uint64_t number, bool is_half);

/* web_answer.c: makes an answer, to be written when the connection can be. False: no memory. */
bool web_answer_head(struct web *web, struct web_session *session, const struct web_head *head,
                     const char *coding, size_t size);
bool web_answer_text(struct web *web, struct web_session *session, const struct web_head *head,
                     const char *body, size_t size);
bool web_answer(struct web *web, struct web_session *session, unsigned status, const char *type,
                const char *body, size_t size);
/* Writes it; what the callback is to return. */
int  web_write(struct lws *wsi, struct web_session *session);
/* A ConnectionProblemResponse with a status of its own. */
bool web_refuse(struct web *web, struct web_session *session, unsigned status);

/* web_body.c: the same with a body that is shared, and sent in pieces. */
bool web_answer_blob(struct web *web, struct web_session *session, const struct web_head *head,
                     struct web_blob *blob);
/* The answer goes on with all of a blob. */
void web_body_begin(struct web *web, struct web_session *session, struct web_blob *blob);
/* Sends what can be sent. True: something waits until its connection takes more. */
bool web_bodies_push(struct web *web);
void web_body_end(struct web *web, struct web_session *session);

/* web_get.c: GET and HEAD. */
enum web_got { WEB_NOT_OURS, WEB_ANSWERED, WEB_WAITS, WEB_BROKEN };
enum web_got web_get(struct web *web, struct lws *wsi, struct web_session *session,
                     const char *path, size_t size);
/* Whether an Accept-Encoding names gzip. */
bool         web_takes_gzip(const char *accepted);

/* web_api.c: calls of the API. */
enum web_got web_api(struct web *web, struct lws *wsi, struct web_session *session,
                     const char *path, size_t size);
/* {"error":..., "sentence":...} */
enum web_got web_api_refuse(struct web *web, struct web_session *session, unsigned status,
                            const char *error, const char *sentence);
/* What the core is to be told for a call. False: nothing. */
bool         web_api_next(struct web *web, struct web_session *session, struct event *event);
/* What the core says to one. */
void web_api_send(struct web *web, struct web_session *session, const struct effect *effect);
/* Plays replays a little further. True: there is more to do. */
bool web_api_step(struct web *web);
void web_api_close(struct web *web);
/* web.c: the core is to be told something for a connection. False: too much waits. */
bool web_news_put(struct web *web, struct web_news news);
/* The core first hears who has gone, then what came meanwhile: the same client may already ask
 * again. */
void web_news_put_first(struct web *web, struct web_news news);

/* web_house.c: POST /api/house, by which the operator's page looks after people and matches. */
bool         web_house_is(const char *path, size_t size);
/* A request's head; what the callback is to return. Its body is read like any other. */
int          web_house_begin(struct web *web, struct lws *wsi, struct web_session *session);
/* The body is there. */
int          web_house_read(struct web *web, struct lws *wsi, struct web_session *session);
/* The lobby's answer. */
enum web_got web_house_answer(struct web *web, struct web_session *session,
                              const Arbiter__Gateway__LobbyWord *said);

/* web_pages.c: what is read by GET and has nothing to do with any game. False: there is no such page. */
bool web_page(struct web *web, struct lws *wsi, struct web_session *session, const char *path,
              size_t size);
/* One of those that say how we do, to whoever looks after us. */
bool web_page_is_health(const char *path, size_t size);

#endif
