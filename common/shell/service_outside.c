/* service_outside.c: where others find a service's doors: clients outside, as --advertise says, and the other services. */
#include <stdio.h>
#include <time.h>

#include "clock/clock.h"
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

/* A lobby that is being replaced has no name for some seconds where names are given by who runs (containers). */
#define NAME_PATIENCE_MS 15000u
#define NAME_PAUSE_MS 200

static bool find_way(struct service *service, struct text *fault)
{
    const struct timespec pause = { .tv_nsec = NAME_PAUSE_MS * 1000000L };
    uint64_t              until_ms = clock_ms() + NAME_PATIENCE_MS;
    bool                  is_said = false;
    while (!reach_host(service->host, service->lobby, fault)) {
        if (clock_ms() >= until_ms)
            return false;
        if (!is_said)
            log_print(&service->log, SAY_WARNING, "%s; trying for %u s", fault->bytes,
                      NAME_PATIENCE_MS / 1000);
        is_said = true;
        (void) nanosleep(&pause, NULL);
    }
    return true;
}

/* Doors that are open on all addresses are found at the one from which the lobby is reached. */
bool service_find_host(struct service *service, struct text *fault)
{
    bool is_wanted = false;
    for (uint32_t door = 1; door < PEERS_DOORS; door++)
        is_wanted =
            is_wanted || (service->has_door[door] && service->public_address[door][0] == '\0' &&
                          reach_is_everywhere(service->listen[door]));
    return !is_wanted || service->role == SERVICE_ROLE_LOBBY || find_way(service, fault);
}
