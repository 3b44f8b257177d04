/* web_peers.c: see web_peers.h. An address is found by its hash, however many others are connected. */
#include "services/gateway/shell/ws/web_peers.h"

#include <assert.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define NOWHERE UINT32_MAX

bool web_peers_open(struct web_peers *peers, uint32_t max)
{
    *peers = (struct web_peers){ .all = calloc(max, sizeof *peers->all),
                                 .first = calloc(max, sizeof *peers->first),
                                 .chains = max };
    if (peers->all == NULL || peers->first == NULL) {
        web_peers_close(peers);
        return false;
    }
    for (uint32_t i = 0; i < max; i++) {
        peers->first[i] = NOWHERE;
        peers->all[i].next = i + 1 < max ? i + 1 : NOWHERE;
    }
    crypto_shorthash_keygen(peers->key);
    return true;
}

void web_peers_close(struct web_peers *peers)
{
    free(peers->all);
    free(peers->first);
    *peers = (struct web_peers){ .all = NULL };
}

bool web_peer_is_loopback(const struct sockaddr_storage *who)
{
    static const uint8_t loopback[16] = { [15] = 1 };
    struct sockaddr_in   four;
    struct sockaddr_in6  six;
    if (who->ss_family == AF_INET6) {
        memcpy(&six, who, sizeof six);
        const uint8_t *bytes = six.sin6_addr.s6_addr;
        return IN6_IS_ADDR_V4MAPPED(&six.sin6_addr) ? bytes[12] == IN_LOOPBACKNET
                                                    : memcmp(bytes, loopback, sizeof loopback) == 0;
    }
    memcpy(&four, who, sizeof four);
    return who->ss_family == AF_INET && ntohl(four.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

static uint32_t *chain_of(const struct web_peers *peers, uint64_t address)
{
    unsigned char hash[crypto_shorthash_BYTES];
    uint64_t      number;
    (void) crypto_shorthash(hash, (const unsigned char *) &address, sizeof address, peers->key);
    memcpy(&number, hash, sizeof number);
    return &peers->first[number % peers->chains];
}

struct web_peer *web_peer_find(const struct web_peers *peers, uint64_t address)
{
    for (uint32_t at = *chain_of(peers, address); at != NOWHERE; at = peers->all[at].next)
        if (peers->all[at].address == address)
            return &peers->all[at];
    return NULL;
}

struct web_peer *web_peer_enter(struct web_peers *peers, uint64_t address)
{
    struct web_peer *peer = web_peer_find(peers, address);
    if (peer == NULL && peers->free != NOWHERE) {
        uint32_t *first = chain_of(peers, address), place = peers->free;
        peer = &peers->all[place];
        peers->free = peer->next;
        *peer = (struct web_peer){ .address = address, .next = *first };
        *first = place;
    }
    if (peer != NULL)
        peer->count++;
    return peer;
}

bool web_peer_is_full(const struct web_peer *peer, uint32_t most, uint32_t most_of_crowd)
{
    uint32_t bound = peer != NULL && peer->is_crowd ? most_of_crowd : most;
    return peer != NULL && bound != 0 && peer->tabs >= bound;
}

struct web_peer web_peers_most(const struct web_peers *peers)
{
    struct web_peer most = { .count = 0 };
    for (uint32_t i = 0; i < peers->chains; i++) {
        const struct web_peer *peer = &peers->all[i];
        if (peer->count == 0 || peer->is_crowd)
            continue;
        most.count = peer->count > most.count ? peer->count : most.count;
        most.tabs = peer->tabs > most.tabs ? peer->tabs : most.tabs;
    }
    return most;
}

void web_peer_leave(struct web_peers *peers, struct web_peer *peer)
{
    uint32_t place = (uint32_t) (peer - peers->all), *at = chain_of(peers, peer->address);
    assert(peer->count > 0);
    if (--peer->count > 0)
        return;
    while (*at != place)
        at = &peers->all[*at].next;
    *at = peer->next;
    *peer = (struct web_peer){ .next = peers->free };
    peers->free = place;
}
