/* web_origin.c: whose pages may use a visitor's cookie here: our own, and those that are listed. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "services/gateway/shell/ws/web_socket_private.h"

/* "https://play.example:8443" is of the host "play.example:8443", where TLS is spoken. A page that came without TLS may
 * be anybody's who stands between. */
static bool is_own(const char *origin, const char *host, bool is_secure)
{
    const char *scheme = is_secure ? "https://" : "http://";
    size_t      size = strlen(scheme);
    return host[0] != '\0' && strncasecmp(origin, scheme, size) == 0 &&
           strcasecmp(origin + size, host) == 0;
}

static bool is_listed(const char *origin, const char *list)
{
    size_t size = strlen(origin);
    while (*list != '\0') {
        size_t length = strcspn(list, ",");
        if ((length == 1 && *list == '*') ||
            (length == size && strncasecmp(list, origin, size) == 0))
            return true;
        list += length + (list[length] == ',');
    }
    return false;
}

static bool fits(const char *origin, const char *host, bool is_secure, const char *list)
{
    return is_own(origin, host, is_secure) || is_listed(origin, list);
}

static bool header_of(struct lws *wsi, enum lws_token_indexes token, char *text, size_t size)
{
    text[0] = '\0';
    return lws_hdr_total_length(wsi, token) > 0 && lws_hdr_copy(wsi, text, (int) size, token) >= 0;
}

bool web_origin_enters(struct web_sockets *sockets, struct lws *wsi)
{
    char        origin[256], host[256];
    const char *list = sockets->settings.origins;
    bool        is_secure = sockets->settings.is_secure(wsi);
    if (lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) <= 0)
        return true;
    (void) header_of(wsi, WSI_TOKEN_HOST, host, sizeof host);
    if (!header_of(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin))
        return false;
    if (fits(origin, host, is_secure, list))
        return true;
    if (fits(origin, host, !is_secure, "")) {
        sockets->schemes++;
        (void) snprintf(sockets->origin, sizeof sockets->origin, "%.*s",
                        (int) sizeof sockets->origin - 1, origin);
    }
    return false;
}

uint64_t web_sockets_schemes(const struct web_sockets *sockets, const char **origin)
{
    *origin = sockets->origin;
    return sockets->schemes;
}
