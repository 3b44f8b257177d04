/* web_peers.h: how many connections each address has, so that none of them takes all there are. */
#ifndef ARBITER_GATEWAY_WEB_PEERS_H
#define ARBITER_GATEWAY_WEB_PEERS_H

#include <sodium.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

struct web_peer {
    uint64_t address; /* See address_half.                                                        */
    uint64_t from;    /* The same, hashed, for the house; 0: this machine.                       */
    bool     is_crowd; /* Many may come from there.                                               */
    uint32_t count; /* Of all connections; 0: the place is free.                                */
    uint32_t tabs;  /* Of those that have become WebSockets.                                    */
    uint32_t next;  /* The place behind it in its chain, or of those that are free.             */
};

/* Places, in chains by the hash of their address. A place stays where it is until its last connection ends. */
struct web_peers {
    struct web_peer *all;
    uint32_t        *first; /* Of each chain.                                                     */
    uint32_t         chains, free;
    unsigned char    key[crypto_shorthash_KEYBYTES]; /* Nobody chooses addresses of one chain.    */
};

/* Places for `max` connections, each perhaps of an address of its own. False: no memory. */
bool             web_peers_open(struct web_peers *peers, uint32_t max);
void             web_peers_close(struct web_peers *peers);
/* Whether it is this very machine. */
bool             web_peer_is_loopback(const struct sockaddr_storage *who);
/* NULL: no connection of this address is counted. */
struct web_peer *web_peer_find(const struct web_peers *peers, uint64_t address);
/* One more. NULL: there is no place. */
struct web_peer *web_peer_enter(struct web_peers *peers, uint64_t address);
/* Whether its address has all the tabs it may; 0: any number. */
bool web_peer_is_full(const struct web_peer *peer, uint32_t most, uint32_t most_of_crowd);
/* The most connections, and the most tabs, that any one address has; crowds aside. */
struct web_peer web_peers_most(const struct web_peers *peers);
/* One less. */
void            web_peer_leave(struct web_peers *peers, struct web_peer *peer);

#endif
