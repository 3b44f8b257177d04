/* web_socket.h: the WebSocket door in libwebsockets: who may come in, messages in, messages out. */
#ifndef ARBITER_GATEWAY_WEB_SOCKET_H
#define ARBITER_GATEWAY_WEB_SOCKET_H

#include <libwebsockets.h>

#include "services/gateway/browser/browser.h"
#include "shell/log.h"

#define WEB_ORIGINS_MAX 1024
#define WEB_HEADERS_BYTES 4096 /* Of a request, all together. */

struct web_socket_settings {
    char origins[WEB_ORIGINS_MAX]; /* Besides our own host, divided by commas; "*": any.          */
    uint32_t tabs_max;
    uint32_t per_address; /* Connections of one address at once; 0: any number.                   */
    uint32_t per_crowd; /* The same of an address in a network from which many may come.         */
    uint32_t stall_ms;  /* Who takes nothing for so long, though something waits, is closed.    */
    bool (*is_secure)(struct lws *wsi); /* It came by TLS: its cookies are for TLS only.        */
};

struct web_sockets;

struct web_sockets *web_sockets_open(const struct web_socket_settings *settings);
void                web_sockets_close(struct web_sockets **sockets);
/* Takes over bounds and origins. */
void web_sockets_change(struct web_sockets *sockets, const struct web_socket_settings *settings);
void web_sockets_show(struct web_sockets *sockets, struct browser *browser);
/* A request that would become a WebSocket: 0: it may; else it has been answered or is to be dropped, as
 * LWS_CALLBACK_HTTP_CONFIRM_UPGRADE wants it. */
int  web_sockets_confirm(struct web_sockets *sockets, struct lws *wsi);
/* What libwebsockets says of a tab. `size` bytes of its own for each stand behind `user`. */
#define WEB_TAB_BYTES 256
int  web_sockets_on(struct web_sockets *sockets, struct lws *wsi, enum lws_callback_reasons reason,
                    void *user, void *in, size_t size, bool is_json);
/* The next thing for the core. */
bool web_sockets_next(struct web_sockets *sockets, struct event *event);
bool web_sockets_has_next(const struct web_sockets *sockets);
/* Before the loop waits: whoever has something to hear is to be written to. */
void web_sockets_pump(struct web_sockets *sockets);
/* Such as were not let in at all: of a wrong origin, or too many. */
uint64_t web_sockets_refused(const struct web_sockets *sockets);
/* Of those, such as were too many: of all, or of one address, and how many one may have. */
struct web_socket_refusals {
    uint64_t full, of_one;
    uint32_t per_address;
};
struct web_socket_refusals web_sockets_refusals(const struct web_sockets *sockets);
/* Of those, pages of our own host by the other scheme, https: where no TLS is known of, or http:; and the last of them. */
uint64_t web_sockets_schemes(const struct web_sockets *sockets, const char **origin);
uint32_t web_sockets_count(const struct web_sockets *sockets);

#endif
