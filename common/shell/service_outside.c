/* service_outside.c: where clients outside find a service's doors, as --advertise says. */
#include <stdio.h>

#include "shell/service.h"

/* Which of its doors this is, from 0; for the last and one more: how many there are. */
static uint32_t place_of_door(const struct service *service, uint32_t door)
{
    uint32_t place = 0;
    for (uint32_t i = 1; i < door; i++)
        place += service->has_door[i];
    return place;
}

/* Without a host (":7000") nobody is told anything: so a file for containers can name the ports, and leave the host to
 * who sets it up. */
static bool is_advertised(const struct service *service)
{
    return service->advertise[0] != '\0' && service->advertise[0] != ':';
}

void service_outside(const struct service *service, uint32_t door, char address[PEER_ADDRESS_MAX])
{
    char found[BUS_ADDRESS_MAX];
    address[0] = '\0';
    if (service->has_door[door] && is_advertised(service) &&
        reach_outside(found, service->advertise, place_of_door(service, door),
                      place_of_door(service, PEERS_DOORS)))
        (void) snprintf(address, PEER_ADDRESS_MAX, "%.*s", PEER_ADDRESS_MAX - 1, found);
}

bool service_judge_outside(const struct service *service)
{
    static const char *const names[PEERS_DOORS] = {
        [DOOR_REQUESTS] = "requests", [DOOR_STREAM] = "stream", [DOOR_HISTORY] = "history"
    };
    char     address[PEER_ADDRESS_MAX];
    uint32_t count = place_of_door(service, PEERS_DOORS);
    for (uint32_t door = 1; door < PEERS_DOORS; door++) {
        service_outside(service, door, address);
        if (!is_advertised(service) || !service->has_door[door] || address[0] != '\0')
            continue;
        fprintf(stderr,
                "advertise: \"%s\" is neither HOST:PORT nor HOST:PORT,... with %u ports, for",
                service->advertise, count);
        for (uint32_t i = 1; i < PEERS_DOORS; i++)
            if (service->has_door[i])
                fprintf(stderr, " %s", names[i]);
        fputc('\n', stderr);
        return false;
    }
    return true;
}
