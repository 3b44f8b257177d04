/* web_bounds.c: how much of the door's limits is used, and how often somebody was refused for them. */
#include "services/gateway/shell/http/web_private.h"

/* Crowds are listed because they come with many: they say nothing of others. */
void web_bounds(void *asked, struct fullness *bounds)
{
    const struct web          *web = asked;
    struct web_socket_refusals refusals = web_sockets_refusals(web->sockets);
    struct web_peer            most = web_peers_most(&web->peers);
    bounds->of[BOUND_HTTP] =
        (struct bound_use){ web->connections, web->settings.connections_max, web->counters.full };
    bounds->of[BOUND_HTTP_OF_ONE] =
        (struct bound_use){ most.count, web->settings.per_address,
                            web->counters.turned_away - web->counters.full };
    bounds->of[BOUND_TABS].refused = refusals.full;
    bounds->of[BOUND_TABS_OF_ONE] =
        (struct bound_use){ most.tabs, refusals.per_address, refusals.of_one };
}
