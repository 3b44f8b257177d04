/* web_peers.h: how many connections each address has, so that none of them takes all there are. */
#ifndef ARBITER_GATEWAY_WEB_PEERS_H
#define ARBITER_GATEWAY_WEB_PEERS_H

#include <stdbool.h>
#include <stdint.h>

struct web_peer {
    uint32_t address; /* IPv4.                                                                    */
    uint32_t count;   /* 0: the place is free.                                                    */
};

struct web_peers {
    struct web_peer *all;
    uint32_t         max, used; /* Places; those behind `used` were never taken.                  */
};

/* Places for `max` connections, each perhaps of an address of its own. False: no memory. */
bool             web_peers_open(struct web_peers *peers, uint32_t max);
void             web_peers_close(struct web_peers *peers);
/* The place of who is at the other end; a free one, if he has none yet. NULL: there is none. */
struct web_peer *web_peer_of(struct web_peers *peers, int socket);

#endif
