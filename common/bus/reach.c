/* reach.c: see reach.h. */
#include "bus/reach.h"

#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define TCP "tcp://"
#define REACH_DOORS_MAX 4

/* The port of a door that is open on all addresses; NULL: it is not. */
static const char *port_everywhere(const char *door)
{
    static const char *const all[] = { TCP "0.0.0.0:", TCP "[::]:", TCP "*:", NULL };
    for (size_t i = 0; all[i] != NULL; i++)
        if (strncmp(door, all[i], strlen(all[i])) == 0)
            return door + strlen(all[i]);
    return NULL;
}

bool reach_is_everywhere(const char *door)
{
    return port_everywhere(door) != NULL;
}

bool reach_door(char to[BUS_ADDRESS_MAX], const char *door, const char *host)
{
    const char *port = port_everywhere(door);
    bool        is_six = strchr(host, ':') != NULL;
    int         size = port == NULL ? snprintf(to, BUS_ADDRESS_MAX, "%s", door)
                                    : snprintf(to, BUS_ADDRESS_MAX, is_six ? TCP "[%s]:%s" : TCP "%s:%s",
                                               host, port);
    return size > 0 && size < BUS_ADDRESS_MAX;
}

/* One port of a list; false: it is none. */
static bool read_port(const char **at, uint32_t *port)
{
    *port = 0;
    const char *begin = *at;
    for (; **at >= '0' && **at <= '9' && *port <= UINT16_MAX; (*at)++)
        *port = *port * 10 + (uint32_t) (**at - '0');
    return *at > begin && *port > 0 && *port <= UINT16_MAX;
}

bool reach_outside(char to[BUS_ADDRESS_MAX], const char *advertised, uint32_t at, uint32_t count)
{
    const char *colon = strrchr(advertised, ':');
    uint32_t    ports[REACH_DOORS_MAX];
    uint32_t    found = 0;
    if (colon == NULL || colon == advertised || strpbrk(advertised, "/ ") != NULL)
        return false;
    for (const char *next = colon; found == 0 || *next == ','; found++)
        if (found == REACH_DOORS_MAX || (next++, !read_port(&next, &ports[found])) ||
            (*next != ',' && *next != '\0'))
            return false;
    if (found != 1 && found != count)
        return false;
    uint32_t port = found == 1 ? ports[0] + at : ports[at];
    int      size =
        snprintf(to, BUS_ADDRESS_MAX, TCP "%.*s:%u", (int) (colon - advertised), advertised, port);
    return port <= UINT16_MAX && size > 0 && size < BUS_ADDRESS_MAX;
}

static bool cannot(struct text *fault, const char *towards, const char *why)
{
    text_clear(fault);
    text_put(fault, "no way to ");
    text_put(fault, towards);
    text_put(fault, ": ");
    text_put(fault, why);
    return false;
}

/* Splits tcp://HOST:PORT; brackets around an address of IPv6 are no part of it. */
static bool split(const char *towards, char name[BUS_ADDRESS_MAX], const char **port)
{
    const char *colon = strrchr(towards, ':');
    const char *begin = towards + strlen(TCP);
    if (strncmp(towards, TCP, strlen(TCP)) != 0 || colon == NULL || colon <= begin)
        return false;
    size_t size = (size_t) (colon - begin);
    if (begin[0] == '[' && colon[-1] == ']') {
        begin++;
        size -= 2;
    }
    if (size >= BUS_ADDRESS_MAX)
        return false;
    memcpy(name, begin, size);
    name[size] = '\0';
    *port = colon + 1;
    return true;
}

/* The kernel chooses an address when a datagram's socket is connected; nothing is sent for that. */
static bool own_address(const struct addrinfo *place, char host[REACH_HOST_MAX])
{
    struct sockaddr_storage from;
    socklen_t               size = sizeof from;
    int                     file = socket(place->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (file < 0)
        return false;
    bool is_known = connect(file, place->ai_addr, place->ai_addrlen) == 0 &&
                    getsockname(file, (struct sockaddr *) &from, &size) == 0 &&
                    getnameinfo((const struct sockaddr *) &from, size, host, REACH_HOST_MAX, NULL,
                                0, NI_NUMERICHOST) == 0;
    (void) close(file);
    return is_known;
}

bool reach_host(char host[REACH_HOST_MAX], const char *towards, struct text *fault)
{
    char                  name[BUS_ADDRESS_MAX];
    const char           *port = NULL;
    struct addrinfo      *places = NULL;
    const struct addrinfo wanted = { .ai_socktype = SOCK_DGRAM };
    if (!split(towards, name, &port))
        return cannot(fault, towards, "that is no tcp://HOST:PORT");
    int failed = getaddrinfo(name, port, &wanted, &places);
    if (failed != 0)
        return cannot(fault, towards, gai_strerror(failed));
    bool is_known = own_address(places, host);
    freeaddrinfo(places);
    return is_known || cannot(fault, towards, "there is no route");
}
