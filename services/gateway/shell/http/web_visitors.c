/* web_visitors.c: whose connection it is, and whether he has room for one more.
 *
 * A connection counts for the address at its other end, from the moment it is let in. A listed proxy's counts for the
 * visitor whom its request names, from the moment that this is read. A proxy that names nobody is a visitor itself. */
#include <string.h>
#include <strings.h>

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

/* A listed proxy's word, else what the settings say of proxies. Some call a WebSocket by TLS "wss". Where each of several
 * proxies put in a word, the first is how the visitor came. */
bool web_is_secure(struct lws *wsi)
{
    static const char        header[] = "x-forwarded-proto:";
    static const char *const schemes[] = { "https", "wss", "http", "ws" };
    const struct web        *web = lws_context_user(lws_get_context(wsi));
    char                     said[256] = "";
    if (web->settings.tls_cert[0] != '\0')
        return true;
    if (!web_comes_by_proxy(web, wsi) || lws_hdr_custom_length(wsi, header, sizeof header - 1) <= 0)
        return web->settings.is_proxied;
    (void) lws_hdr_custom_copy(wsi, said, sizeof said, header, sizeof header - 1);
    const char *first = said + strspn(said, " \t");
    size_t      size = strcspn(first, ", \t");
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (size == strlen(schemes[i]) && strncasecmp(first, schemes[i], size) == 0)
            return i < 2;
    return web->settings.is_proxied;
}

static uint64_t hash_of(const struct web *web, const struct address *address)
{
    uint64_t half = address_half(address), hash;
    (void) crypto_shorthash((unsigned char *) &hash, (const unsigned char *) &half, sizeof half,
                            web->settings.from_key);
    return hash;
}

static bool is_loopback(const struct address *address)
{
    static const struct networks loopback = {
        .all = { { .base.bytes = { [10] = 0xff, [11] = 0xff, [12] = 127 }, .bits = 104 },
                 { .base.bytes = { [15] = 1 }, .bits = 128 } },
        .count = 2
    };
    return networks_hold(&loopback, address);
}

/* The place of this address, if it has room for one more. NULL: it has none. */
static struct web_peer *enter(struct web *web, const struct address *address, bool is_asked_only)
{
    uint64_t         half = address_half(address);
    bool             is_crowd = networks_hold(&web->settings.crowds, address);
    uint32_t         most = is_crowd ? web->settings.per_crowd : web->settings.per_address;
    struct web_peer *peer = web_peer_find(&web->peers, half);
    if (most != 0 && peer != NULL && peer->count >= most)
        return NULL;
    if (is_asked_only)
        return peer != NULL ? peer : &web->unnamed;
    peer = web_peer_enter(&web->peers, half);
    if (peer != NULL && peer->count == 1) {
        peer->is_crowd = is_crowd;
        peer->from = is_loopback(address) ? 0 : hash_of(web, address);
    }
    return peer;
}

bool web_is_full(const struct web *web)
{
    return web->connections >= web->settings.connections_max;
}

/* Whether whoever is there is within the limits; he counts, whether he has said anything or not. */
static bool has_room(struct web *web, int socket)
{
    struct address address = { .bytes = { 0 } };
    (void) address_at(socket, &address);
    return !web_is_full(web) && (is_proxy(web, socket) || enter(web, &address, true) != NULL);
}

int web_visitor_knocks(struct web *web, int socket)
{
    if (has_room(web, socket) || web_spare_is_free(web))
        return 0;
    web->counters.turned_away++;
    web->counters.full += web_is_full(web);
    return -1;
}

void web_visitor_comes(struct web *web, struct lws *wsi)
{
    int              socket = lws_get_socket_fd(wsi);
    struct address   address = { .bytes = { 0 } };
    struct web_peer *peer = NULL;
    (void) address_at(socket, &address);
    if (has_room(web, socket))
        peer = is_proxy(web, socket) ? &web->unnamed : enter(web, &address, false);
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

/* Whom the proxy named, or the proxy. A visitor who names others may be a proxy, too. */
static void find_visitor(struct web *web, struct lws *wsi, struct address *visitor)
{
    char            text[WEB_HEADERS_BYTES];
    int             size = lws_hdr_copy(wsi, text, sizeof text, WSI_TOKEN_X_FORWARDED_FOR);
    enum hops_found found =
        size > 0 ? hops_visitor(&web->settings.proxies, text, (size_t) size, visitor) : HOPS_NOBODY;
    if (found == HOPS_NOBODY)
        (void) address_at(lws_get_socket_fd(wsi), visitor);
    else if (found == HOPS_MORE && !networks_hold(&web->settings.proxies, visitor))
        web_doubts_note(web, visitor);
}

/* Who is no listed proxy, and names visitors all the same. */
static void doubt(struct web *web, struct lws *wsi)
{
    struct address address;
    if (lws_hdr_total_length(wsi, WSI_TOKEN_X_FORWARDED_FOR) > 0 &&
        address_at(lws_get_socket_fd(wsi), &address))
        web_doubts_note(web, &address);
}

bool web_visitor_is_named(struct web *web, struct lws *wsi)
{
    struct address visitor = { .bytes = { 0 } };
    if (lws_get_opaque_user_data(wsi) != &web->unnamed) {
        doubt(web, wsi);
        return true;
    }
    find_visitor(web, wsi, &visitor);
    struct web_peer *peer = enter(web, &visitor, false);
    if (peer == NULL) {
        web->counters.turned_away++;
        return false;
    }
    lws_set_opaque_user_data(wsi, peer);
    return true;
}

void web_visitor_tells(struct lws *wsi, Arbiter__Gateway__RestAsk *ask)
{
    const struct web_peer *peer = lws_get_opaque_user_data(wsi);
    ask->has_from = peer != NULL && peer->from != 0;
    ask->from = ask->has_from ? peer->from : 0;
    ask->has_crowd = ask->crowd = peer != NULL && peer->is_crowd;
}

int web_visitor_refuse(struct web *web, struct lws *wsi, struct web_session *session)
{
    const struct web_head head = { .status = 503,
                                   .type = "text/plain; charset=utf-8",
                                   .after_s = 1 };
    session->is_secure = web_is_secure(wsi);
    if (!web_answer_text(web, session, &head, full, sizeof full - 1))
        return -1;
    session->is_read = true;
    return web_write(wsi, session);
}
