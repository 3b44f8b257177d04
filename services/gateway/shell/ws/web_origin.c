/* web_origin.c: the list of origins: whose pages may use a visitor's cookie here. */
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

bool web_origin_fits(const char *origin, const char *host, bool is_secure, const char *list)
{
    return is_own(origin, host, is_secure) || is_listed(origin, list);
}
