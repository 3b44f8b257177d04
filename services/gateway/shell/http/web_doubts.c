/* web_doubts.c: what the log says of a proxy that stands before this door and that nobody told us of.
 *
 * Such a proxy costs its visitors dearly: all of them share one address's bounds, and a page that came by TLS is taken for
 * a stranger's. Whoever set it up must hear of it. Whoever merely pretends to be one fills no log: a line a minute. */
#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

#include "clock/clock.h"
#include "services/gateway/shell/http/web_private.h"

#define SAY_MS 60000u

void web_doubts_note(struct web *web, const struct address *address)
{
    web->doubts.unlisted++;
    web->doubts.last = *address;
}

/* An IPv4 address as everybody writes it. */
static void write_address(char text[INET6_ADDRSTRLEN], const struct address *address)
{
    static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
    bool                 is_four = memcmp(address->bytes, mapped, sizeof mapped) == 0;
    text[0] = '\0';
    (void) inet_ntop(is_four ? AF_INET : AF_INET6, address->bytes + (is_four ? sizeof mapped : 0),
                     text, INET6_ADDRSTRLEN);
}

/* Whether there is news, and the last line is long ago. */
static bool is_due(uint64_t now, uint64_t *said, uint64_t *said_ms)
{
    if (now == *said || (*said_ms != 0 && clock_ms() - *said_ms < SAY_MS))
        return false;
    *said = now;
    *said_ms = clock_ms();
    return true;
}

void web_doubts_say(struct web *web)
{
    struct web_doubts *doubts = &web->doubts;
    const char        *origin;
    uint64_t           schemes = web_sockets_schemes(web->sockets, &origin);
    char               address[INET6_ADDRSTRLEN];
    if (is_due(doubts->unlisted, &doubts->said, &doubts->said_ms)) {
        write_address(address, &doubts->last);
        log_print(
            web->settings.log, SAY_WARNING,
            "%s sends X-Forwarded-For and is no listed proxy (%llu requests so far): if it is "
            "yours, list it by --proxy, or all its visitors share one address's bounds",
            address, (unsigned long long) doubts->unlisted);
    }
    if (is_due(schemes, &doubts->schemes_said, &doubts->schemes_said_ms))
        log_print(web->settings.log, SAY_WARNING, "pages of %s were refused (%llu so far): %s",
                  origin, (unsigned long long) schemes,
                  strncasecmp(origin, "https", 5) == 0
                      ? "no TLS is known of here; if a proxy before this door speaks it, say "
                        "--behind-tls, or list the proxy by --proxy and let it send "
                        "X-Forwarded-Proto: https"
                      : "TLS is spoken here, and they came without it; let the proxy send them to "
                        "https:");
}
