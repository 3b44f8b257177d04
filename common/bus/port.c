/* port.c: see port.h. */
#include "bus/port.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

/* The port that was bound; 0: it is somebody else's. */
static uint32_t try_port(uint32_t port)
{
    struct sockaddr_in place = { .sin_family = AF_INET,
                                 .sin_port = htons((uint16_t) port),
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t          size = sizeof place;
    int                on = 1;
    int                file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file < 0)
        return 0;
    (void) setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    bool is_bound = bind(file, (const struct sockaddr *) &place, sizeof place) == 0 &&
                    getsockname(file, (struct sockaddr *) &place, &size) == 0;
    (void) close(file);
    return is_bound ? ntohs(place.sin_port) : 0;
}

uint32_t port_free(uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count && first + i <= UINT16_MAX; i++) {
        uint32_t port = try_port(first + i);
        if (port != 0 || first == 0)
            return port;
    }
    return 0;
}

bool port_is_open(uint32_t port)
{
    struct sockaddr_in place = { .sin_family = AF_INET,
                                 .sin_port = htons((uint16_t) port),
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int                file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file < 0)
        return false;
    bool is_open = connect(file, (const struct sockaddr *) &place, sizeof place) == 0;
    (void) close(file);
    return is_open;
}
