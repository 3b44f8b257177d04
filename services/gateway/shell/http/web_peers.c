/* web_peers.c: see web_peers.h. An address is looked for place by place: 64 KiB at most, once for each who connects. */
#include "services/gateway/shell/http/web_peers.h"

#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>

bool web_peers_open(struct web_peers *peers, uint32_t max)
{
    peers->all = calloc(max, sizeof *peers->all);
    peers->max = peers->all != NULL ? max : 0;
    return peers->all != NULL;
}

void web_peers_close(struct web_peers *peers)
{
    free(peers->all);
    *peers = (struct web_peers){ .all = NULL };
}

struct web_peer *web_peer_of(struct web_peers *peers, int socket)
{
    struct sockaddr_in who = { .sin_family = AF_INET };
    socklen_t          size = sizeof who;
    struct web_peer   *place = NULL;
    (void) getpeername(socket, (struct sockaddr *) &who, &size);
    for (uint32_t i = 0; i < peers->used; i++) {
        if (peers->all[i].count != 0 && peers->all[i].address == who.sin_addr.s_addr)
            return &peers->all[i];
        if (peers->all[i].count == 0 && place == NULL)
            place = &peers->all[i];
    }
    if (place == NULL && peers->used < peers->max)
        place = &peers->all[peers->used++];
    if (place != NULL)
        place->address = who.sin_addr.s_addr;
    return place;
}
