/* web_socket_private.h: what the files of the WebSocket door share. */
#ifndef ARBITER_GATEWAY_WEB_SOCKET_PRIVATE_H
#define ARBITER_GATEWAY_WEB_SOCKET_PRIVATE_H

#include "services/gateway/shell/ws/web_json.h"
#include "services/gateway/shell/ws/web_peers.h"
#include "services/gateway/shell/ws/web_socket.h"

#define UP_BYTES_MAX (64u << 10) /* One that brings a set-up.                                    */
#define STRANGER_BYTES_MAX 4096u /* Of one who has not been let in yet, all in all.              */

/* A connection. libwebsockets keeps it, zeroed. */
struct web_tab {
    struct web_tab *next, *before; /* Of all that are connected; NULL: the last, the first.       */
    struct lws     *wsi;
    uint64_t        route; /* 0: not open yet, or gone.                                           */
    bool            is_json, is_page, is_ending, has_heard, is_slow;
    uint8_t         secret[BROWSER_SECRET_SIZE]; /* The cookie's. */
    uint8_t         drawn[BROWSER_SECRET_SIZE];  /* By us, for whoever takes a new name here. */
    struct web_peer
            *peer; /* Whose it is counted as.                                              */
    char    *said; /* A message on its way in.                                             */
    size_t   size, room, taken;
    uint64_t waits_ms; /* Since when something waits that cannot be written; 0: nothing.   */
};

/* What waits for the core. */
enum web_socket_kind { SOCKET_OPEN, SOCKET_UP, SOCKET_HANGUP };
struct web_socket_news {
    enum web_socket_kind    kind;
    uint64_t                route;
    bool                    is_json;
    char                   *said; /* SOCKET_UP: ours to free.                                     */
    size_t                  size;
    bool                    is_page, is_crowd;
    uint64_t                from, came_ms;
    uint8_t                 secret[BROWSER_SECRET_SIZE], drawn[BROWSER_SECRET_SIZE];
    struct web_socket_news *next;
};

/* A Down as text, for all who are sent the same. */
struct web_text {
    uint64_t place;
    size_t   of, size; /* Bytes it was made of, and its own.                                      */
    char    *text;     /* Behind LWS_PRE bytes.                                                   */
};
#define TEXTS 64u

struct web_sockets {
    struct web_socket_settings settings;
    struct browser            *browser;
    struct web_json           *json;
    struct web_tab            *tabs; /* All.                                                     */
    struct web_tab           **places; /* By route.                                               */
    uint32_t                   count;
    uint64_t                   numbers, stirs, refused;
    struct web_socket_refusals refusals;
    uint64_t                   schemes;    /* Refused for http: or https: alone ...               */
    char                       origin[96]; /* ... the last of them.                               */
    struct web_socket_news    *first, *last; /* In the order in which it came.                    */
    struct web_socket_news    *told;         /* In the core's hands.                              */
    struct web_text            texts[TEXTS];
    unsigned char             *batch; /* Frames that are written together, behind LWS_PRE bytes.  */
    size_t                     batched;
    Arbiter__Gateway__BrowserOpen open;
    Arbiter__Gateway__Hangup      hangup;
    uint8_t                      *packed;
};

/* web_origin.c: whether it is a program, or a page that may talk to us. */
bool web_origin_enters(struct web_sockets *sockets, struct lws *wsi);

/* False: cookies are there and cannot be read. */
bool web_cookies_are_readable(struct lws *wsi);
/* Who it is, and the cookie that says so from now on; as LWS_CALLBACK_ADD_HEADERS wants it. */
int  web_cookie_give(struct web_sockets *sockets, struct lws *wsi, struct web_tab *tab,
                     struct lws_process_html_args *args);

#endif
