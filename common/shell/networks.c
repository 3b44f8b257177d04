/* networks.c: see networks.h. */
#include "shell/networks.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#define IN_FOUR 96u /* Bits before an IPv4 address. */

static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

static bool is_four(const struct address *address)
{
    return memcmp(address->bytes, mapped, sizeof mapped) == 0;
}

static bool read_plain(struct address *address, const char *text, size_t size)
{
    char copy[INET6_ADDRSTRLEN];
    if (size == 0 || size >= sizeof copy || memchr(text, '\0', size) != NULL)
        return false;
    memcpy(copy, text, size);
    copy[size] = '\0';
    memcpy(address->bytes, mapped, sizeof mapped);
    return inet_pton(AF_INET, copy, address->bytes + sizeof mapped) == 1 ||
           inet_pton(AF_INET6, copy, address->bytes) == 1;
}

/* ":80", or nothing. */
static bool is_port(const char *text, size_t size)
{
    for (size_t i = 1; i < size; i++)
        if (text[i] < '0' || text[i] > '9')
            return false;
    return size == 0 || (text[0] == ':' && size >= 2 && size <= 6);
}

bool address_read(struct address *address, const char *text, size_t size)
{
    const char *colon = memchr(text, ':', size);
    const char *end = size > 0 && text[0] == '[' ? memchr(text, ']', size) : NULL;
    if (end != NULL)
        return is_port(end + 1, (size_t) (text + size - end) - 1) &&
               read_plain(address, text + 1, (size_t) (end - text) - 1) && !is_four(address);
    size_t before = colon != NULL ? (size_t) (colon - text) : size;
    if (colon != NULL && memchr(text, '.', before) != NULL)
        return is_port(colon, size - before) && read_plain(address, text, before);
    return read_plain(address, text, size);
}

bool address_of(struct address *address, const struct sockaddr_storage *who)
{
    struct sockaddr_in  four;
    struct sockaddr_in6 six;
    memset(address, 0, sizeof *address);
    if (who->ss_family == AF_INET) {
        memcpy(&four, who, sizeof four);
        memcpy(address->bytes, mapped, sizeof mapped);
        memcpy(address->bytes + sizeof mapped, &four.sin_addr, sizeof four.sin_addr);
    } else if (who->ss_family == AF_INET6) {
        memcpy(&six, who, sizeof six);
        memcpy(address->bytes, &six.sin6_addr, sizeof six.sin6_addr);
    }
    return who->ss_family == AF_INET || who->ss_family == AF_INET6;
}

uint64_t address_half(const struct address *address)
{
    uint64_t half = 0;
    if (is_four(address))
        memcpy(&half, address->bytes + sizeof mapped, 4);
    else
        memcpy(&half, address->bytes, sizeof half);
    return half;
}

static bool read_bits(uint32_t *bits, const char *text, size_t size, uint32_t most)
{
    *bits = 0;
    for (size_t i = 0; i < size; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        *bits = *bits * 10 + (uint32_t) (text[i] - '0');
        if (*bits > most)
            return false;
    }
    return size > 0;
}

static bool read_network(struct network *network, const char *text, size_t size)
{
    const char *slash = memchr(text, '/', size);
    size_t      before = slash != NULL ? (size_t) (slash - text) : size;
    if (!read_plain(&network->base, text, before))
        return false;
    bool     four = memchr(text, ':', before) == NULL;
    uint32_t most = four ? 32 : 128;
    network->bits = most;
    if (slash != NULL && !read_bits(&network->bits, slash + 1, size - before - 1, most))
        return false;
    network->bits += four ? IN_FOUR : 0;
    return true;
}

static bool lies_in(const struct network *network, const struct address *address)
{
    uint32_t bytes = network->bits / 8, rest = network->bits % 8;
    uint8_t  mask = (uint8_t) (0xff << (8 - rest));
    return memcmp(network->base.bytes, address->bytes, bytes) == 0 &&
           (rest == 0 || ((network->base.bytes[bytes] ^ address->bytes[bytes]) & mask) == 0);
}

bool networks_read(struct networks *networks, const char *text, struct text *fault)
{
    networks->count = 0;
    text_clear(fault);
    while (*text != '\0') {
        size_t size = strcspn(text, ",");
        if (networks->count == NETWORKS_MAX) {
            text_put(fault, "so many networks are too many: there may be 32");
            return false;
        }
        if (!read_network(&networks->all[networks->count++], text, size)) {
            text_put(fault, "this is no network like 10.0.0.0/8 or fd00::/8: ");
            text_put(fault, text);
            return false;
        }
        text += size + (text[size] == ',' && text[size + 1] != '\0');
    }
    return true;
}

bool networks_hold(const struct networks *networks, const struct address *address)
{
    for (uint32_t i = 0; i < networks->count; i++)
        if (lies_in(&networks->all[i], address))
            return true;
    return false;
}
