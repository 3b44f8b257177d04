/* web_visitors.c: whose connection it is, and whether he has room for one more.
 *
 * A connection counts for the address at its other end, from the moment it is let in. A listed proxy's counts for the
 * visitor whom its request names, from the moment that this is read. A proxy that names nobody is a visitor itself. */
#include <string.h>

#include "services/gateway/shell/http/hops.h"
#include "services/gateway/shell/http/web_private.h"

static const char full[] =
    "Too many connections come from your address: close some, or try again later.\n";

static bool address_at(int socket, struct address *address)
{
    struct sockaddr_storage who = { .ss_family = AF_UNSPEC };
    socklen_t               size = sizeof who;
    return getpeername(socket, (struct sockaddr *) &who, &size) == 0 && address_of(address, &who);
}

static bool is_proxy(const struct web *web, int socket)
{
    struct address address;
    return web->settings.proxies.count > 0 && address_at(socket, &address) &&
           networks_hold(&web->settings.proxies, &address);
}

bool web_comes_by_proxy(const struct web *web, struct lws *wsi)
{
    return is_proxy(web, lws_get_socket_fd(wsi));
}

static bool may_enter(const struct web *web, uint64_t half)
{
    const struct web_peer *peer = web_peer_find(&web->peers, half);
    uint32_t               most = web->settings.per_address;
    return most == 0 || peer == NULL || peer->count < most;
}

/* Whether whoever is there is within the limits; he counts, whether he has said anything or not. */
static bool has_room(const struct web *web, int socket)
{
    return web->connections < web->settings.connections_max &&
           (is_proxy(web, socket) || may_enter(web, web_peer_at(socket)));
}

int web_visitor_knocks(struct web *web, int socket)
{
    if (has_room(web, socket) || web_spare_is_free(web))
        return 0;
    web->counters.turned_away++;
    return -1;
}

void web_visitor_comes(struct web *web, struct lws *wsi)
{
    int              socket = lws_get_socket_fd(wsi);
    struct web_peer *peer = NULL;
    if (has_room(web, socket))
        peer = is_proxy(web, socket) ? &web->unnamed
                                     : web_peer_enter(&web->peers, web_peer_at(socket));
    if (peer == NULL) {
        web_spare_take(web, wsi);
        return;
    }
    web->connections++;
    lws_set_opaque_user_data(wsi, peer);
}

void web_visitor_goes(struct web *web, struct lws *wsi)
{
    struct web_peer *peer = lws_get_opaque_user_data(wsi);
    web_spare_give_back(web, wsi);
    if (peer == NULL)
        return;
    if (peer != &web->unnamed)
        web_peer_leave(&web->peers, peer);
    web->connections--;
}

/* Whom the proxy named, or the proxy. */
static uint64_t half_of(const struct web *web, struct lws *wsi)
{
    char           text[WEB_HEADERS_BYTES];
    struct address visitor;
    int            size = lws_hdr_copy(wsi, text, sizeof text, WSI_TOKEN_X_FORWARDED_FOR);
    if (size > 0 && hops_visitor(&web->settings.proxies, text, (size_t) size, &visitor))
        return address_half(&visitor);
    return web_peer_at(lws_get_socket_fd(wsi));
}

bool web_visitor_is_named(struct web *web, struct lws *wsi)
{
    if (lws_get_opaque_user_data(wsi) != &web->unnamed)
        return true;
    uint64_t         half = half_of(web, wsi);
    struct web_peer *peer = may_enter(web, half) ? web_peer_enter(&web->peers, half) : NULL;
    if (peer == NULL) {
        web->counters.turned_away++;
        return false;
    }
    lws_set_opaque_user_data(wsi, peer);
    return true;
}

int web_visitor_refuse(struct web *web, struct lws *wsi, struct web_session *session)
{
    const struct web_head head = { .status = 503,
                                   .type = "text/plain; charset=utf-8",
                                   .after_s = 1 };
    if (!web_answer_text(web, session, &head, full, sizeof full - 1))
        return -1;
    session->is_read = true;
    return web_write(wsi, session);
}
