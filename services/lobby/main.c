/* main.c: arbiter-lobby, the process: who exists and who sits where, in the common shell. */
#include <stdio.h>
#include <string.h>

#include "contract/directory.pb-c.h"
#include "games/registry.h"
#include "services/lobby/main_parts.h"
#include "shell/service.h"
#include "store/store.h"
#include "wire/header.h"

static struct lobby_settings settings;
static char                  admitted[SERVICE_PATH_MAX], setups[SERVICE_PATH_MAX];

#define NUMBER(name, least, most, about)                                                           \
    {                                                                                              \
#name, SETTING_NUMBER32, &settings.name, least, most, about                                \
    }

static const struct setting own[] = {
    { "admitted", SETTING_TEXT, admitted, 0, sizeof admitted,
      "A file of the keys let in from the beginning, one a line: KEY ROLE NAME." },
    { "setups", SETTING_TEXT, setups, 0, sizeof setups,
      "A folder with the set-ups on offer, GAME/NAME.json; empty: those that come with the "
      "program." },
    NUMBER(keys_max, 1, 800, "Admitted keys."),
    NUMBER(services_max, 1, 48, "Services that may say hello."),
    NUMBER(bans_max, 0, 256, "Banned players of gateways."),
    NUMBER(players_max, 1, 10000000, "Players with a name, guests among them."),
    NUMBER(tables_max, 1, 1000000, "Tables open at once."),
    NUMBER(texts_max, 0, 100000, "Tables with a set-up of their own, 60 KiB each."),
    NUMBER(events_kept, 1, 1000, "Events kept of each table for those who missed some."),
    NUMBER(results_max, 1, 10000000, "Results within reach; older ones stay in the store."),
    NUMBER(persons_max, 1, 1000000, "Registrations that no engine has written down yet."),
    NUMBER(setup_bytes, 1u << 16, 1u << 30, "Memory for one compiled set-up."),
    NUMBER(desk_bytes, 64, 1u << 20, "Memory for the registration of one table."),
    NUMBER(directory_ms, 100, 60000, "The directory is repeated so often."),
    NUMBER(service_silent_ms, 200, 600000, "A service that says no hello for so long is gone."),
    NUMBER(again_ms, 10, 60000, "What was not answered is said again after so long."),
    NUMBER(bot_gone_ms, 1000, 86400000,
           "Other bot services play on for the bots of one that was silent for so long."),
    NUMBER(registration_ms, 1000, 86400000, "A registration may be silent so long."),
    NUMBER(vote_ms, 1000, 86400000, "Votes on a vacant seat are counted after so long."),
    NUMBER(
        idle_ms, 1000, 604800000,
        "A table at which nothing happens is closed after so long, or sooner when room is scarce."),
    NUMBER(abandoned_ms, 60000, 2592000000u,
           "When tables or bots run short, a match in which nobody has done anything for so long "
           "is ended."),
    NUMBER(ticket_ms, 1000, 604800000, "A gateway's ticket is good for so long."),
    NUMBER(guest_silent_ms, 1000, 2592000000u,
           "When names run short, a guest who sits nowhere is forgotten after so long a silence."),
    { "allow_rigged", SETTING_FLAG, &settings.allow_rigged, 0, 0,
      "Whether hosts may open tables for tests, at which they have laid the cards." },
};

/* What the core is told besides. False: it has been said what is wrong. */
static bool fill(const struct service *service)
{
    struct peers_settings self;
    service_peers(service, &self);
    memcpy(settings.name, self.name, sizeof self.name);
    memcpy(settings.software, self.software, sizeof self.software);
    memcpy(settings.key, service->keys.public_key, sizeof settings.key);
    memcpy(settings.requests_address, self.doors.address[DOOR_REQUESTS], PEER_ADDRESS_MAX);
    memcpy(settings.stream_address, self.doors.address[DOOR_STREAM], PEER_ADDRESS_MAX);
    memcpy(settings.requests_outside, self.outside.address[DOOR_REQUESTS], PEER_ADDRESS_MAX);
    memcpy(settings.stream_outside, self.outside.address[DOOR_STREAM], PEER_ADDRESS_MAX);
    main_ticket_keys(settings.ticket_key, settings.ticket_secret, service->keys.secret_key);
    settings.helpers = &main_helpers;
    settings.games = main_games(setups, &service->log, &settings.game_count);
    settings.numbers_apart = store_is_database(service_place(service)) ? SLOTS : 1;
    settings.seeds = main_seeds(admitted, &service->log, &settings.seed_count);
    return settings.seeds != NULL && settings.games != NULL;
}

int main(int argc, char **argv)
{
    int            end = SHELL_NO_START;
    struct service service = { .program = "lobby",
                               .about = "names, tables and seats; where a match begins.",
                               .put_rules = registry_put_versions,
                               .role = ARBITER__DIRECTORY__ROLE__ROLE_LOBBY,
                               .has_door = { [DOOR_REQUESTS] = true, [DOOR_STREAM] = true },
                               .schema = lobby_ops.schema,
                               .own = { own, sizeof own / sizeof *own } };
    lobby_defaults(&settings);
    if (!service_begin(&service, argc, argv, &end))
        return end;
    const char *wrong = fill(&service) ? lobby_judge(&settings) : "The lobby's keys or games.";
    void *memory = service_memory(&service, wrong == NULL ? lobby_bytes(&settings) : 0, wrong);
    end = service_run(&service, memory != NULL ? lobby_init(memory, &settings) : NULL, &lobby_ops);
    service_finish(&service);
    return end;
}
