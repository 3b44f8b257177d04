/* main.c: arbiter-lobby, the process: who exists and who sits where, in the common shell. */
#include <stdio.h>
#include <string.h>

#include "contract/directory.pb-c.h"
#include "games/registry.h"
#include "services/lobby/main_parts.h"
#include "shell/service.h"
#include "store/store.h"
#include "wire/header.h"
#include "wire/names.h"

static struct lobby_settings settings;
static char                  admitted[SERVICE_PATH_MAX], setups[SERVICE_PATH_MAX];

#define NUMBER(name, least, most, about)                                                           \
    {                                                                                              \
#name, SETTING_NUMBER32, &settings.name, least, most, about                                \
    }

static const struct setting own[] = {
    { "admitted", SETTING_TEXT, admitted, 0, sizeof admitted,
      "A file of keys that are admitted from the start, one per line: KEY ROLE NAME." },
    { "setups", SETTING_TEXT, setups, 0, sizeof setups,
      "A folder with the set-ups on offer, GAME/NAME.json. Empty: the set-ups that come with the "
      "program." },
    NUMBER(keys_max, 1, 800, "How many keys may be admitted."),
    NUMBER(services_max, 1, LOBBY_SERVICES_MAX, "How many services may take part."),
    NUMBER(bans_max, 0, 256, "How many players of gateways may be banned."),
    NUMBER(players_max, 1, 10000000, "How many players may have a name, guests included."),
    NUMBER(tables_max, 1, 1000000, "How many tables may be open at once."),
    NUMBER(texts_max, 0, 100000, "How many tables may bring their own set-up. Each takes 60 KiB."),
    NUMBER(events_kept, 1, 1000,
           "How many events of each table are kept for players who missed some."),
    NUMBER(results_max, 1, 10000000,
           "How many results players can ask for. Older ones stay in the store."),
    NUMBER(audit_max, 1, 1000000,
           "How many deeds of operators and helpers arbiter audit can ask for. Older ones stay in "
           "the store."),
    NUMBER(persons_max, 1, 1000000, "How many registrations may wait until an engine stores them."),
    NUMBER(setup_bytes, 1u << 16, 1u << 30, "Bytes of memory for one compiled set-up."),
    NUMBER(desk_bytes, 64, 1u << 20, "Bytes of memory for the registration of one table."),
    NUMBER(
        names_per_address, 0, 1000000,
        "How many players may come from one address at once. 0: any number. So for the next five."),
    NUMBER(names_per_minute, 0, 1000000, "How many new ones in a minute."),
    NUMBER(tables_per_address, 0, 1000000, "How many tables players of one address may have open."),
    NUMBER(tables_per_minute, 0, 1000000, "How many they may open in a minute."),
    NUMBER(seats_per_address, 0, 1000000, "How many seats they may hold."),
    NUMBER(seats_per_minute, 0, 1000000, "How many they may take in a minute."),
    NUMBER(crowd_times, 0, 100000,
           "How many times as much an address may have in a network that a gateway lists "
           "(crowd_networks), and a key of one's own. 0: any number."),
    NUMBER(directory_ms, 100, 60000, "Milliseconds between two repeats of the directory."),
    NUMBER(service_silent_ms, 200, 600000,
           "A service that sends no hello for this many milliseconds is gone."),
    NUMBER(again_ms, 10, 60000,
           "A message without an answer is sent again after this many milliseconds."),
    NUMBER(
        bot_gone_ms, 1000, 86400000,
        "After this many milliseconds of silence, other bot services take over a service's bots."),
    NUMBER(registration_ms, 1000, 86400000, "How many milliseconds a registration may pause."),
    NUMBER(vote_ms, 1000, 86400000,
           "Votes on a vacant seat are counted after this many milliseconds."),
    NUMBER(idle_ms, 1000, 604800000,
           "A table where nothing happens is closed after this many milliseconds, or sooner when "
           "tables run short."),
    NUMBER(abandoned_ms, 60000, 2592000000u,
           "When tables or bots run short, a match without any action for this many milliseconds "
           "ends."),
    NUMBER(ticket_ms, 1000, 604800000, "How many milliseconds a gateway's ticket is valid."),
    NUMBER(guest_silent_ms, 1000, 2592000000u,
           "When names run short, a guest without a seat is forgotten after this many milliseconds "
           "of silence."),
    { "allow_rigged", SETTING_FLAG, &settings.allow_rigged, 0, 0,
      "Hosts may open test tables, where the host orders the cards." },
    { "page_barred", SETTING_FLAG, &settings.is_page_barred, 0, 0,
      "Nobody may ban, mute, forget, end a match or announce through a gateway's page, only with a "
      "key of his own." },
};

static const char *const live[] = { "names_per_address",
                                    "names_per_minute",
                                    "tables_per_address",
                                    "tables_per_minute",
                                    "seats_per_address",
                                    "seats_per_minute",
                                    "crowd_times",
                                    "bot_gone_ms",
                                    "registration_ms",
                                    "vote_ms",
                                    "idle_ms",
                                    "abandoned_ms",
                                    "ticket_ms",
                                    "guest_silent_ms",
                                    "allow_rigged",
                                    "page_barred",
                                    NULL };

static struct lobby            *core;
static const struct lobby_seed *seeds; /* Read again, to be taken over. */
static uint32_t                 seed_count;

static bool has_seed(const struct lobby_seed *list, uint32_t count, const struct lobby_seed *seed)
{
    for (uint32_t i = 0; i < count; i++)
        if (memcmp(list[i].key, seed->key, sizeof seed->key) == 0)
            return true;
    return false;
}

/* How many of one list are not in the other. */
static uint32_t count_others(const struct lobby_seed *list, uint32_t count,
                             const struct lobby_seed *other, uint32_t other_count)
{
    uint32_t others = 0;
    for (uint32_t i = 0; i < count; i++)
        others += !has_seed(other, other_count, &list[i]);
    return others;
}

static bool read_seeds(struct service *service, const struct settings_copy *fresh,
                       struct text *fault)
{
    (void) fresh;
    seeds = main_seeds(admitted, &service->log, &seed_count);
    if (seeds == NULL) {
        text_put(fault, "the keys that are admitted cannot be read from ");
        text_put(fault, admitted);
        return false;
    }
    if (seed_count <= settings.keys_max)
        return true;
    text_put(fault, admitted);
    text_put(fault, " names ");
    text_put_number(fault, seed_count);
    text_put(fault, " keys, and keys_max is ");
    text_put_number(fault, settings.keys_max);
    main_forget_seeds(seeds);
    return false;
}

/* The list lets in. Who was let in once, and is in no list any more, is put out by `arbiter admit --revoke` alone. */
static void take_seeds(struct service *service)
{
    uint32_t more = count_others(seeds, seed_count, settings.seeds, settings.seed_count);
    uint32_t gone = count_others(settings.seeds, settings.seed_count, seeds, seed_count);
    if (more != 0)
        log_tell(&service->log, SAY_INFO,
                 "settings: %u more keys are in the list; revoked ones stay out", more);
    if (gone != 0)
        log_tell(&service->log, SAY_WARNING,
                 "settings: %u keys are in the list no more, and stay admitted until arbiter "
                 "admit --revoke",
                 gone);
    main_forget_seeds(settings.seeds);
    settings.seeds = lobby_told(core)->seeds = seeds;
    settings.seed_count = lobby_told(core)->seed_count = seed_count;
}

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
                               .role = ROLE(LOBBY),
                               .has_door = { [DOOR_REQUESTS] = true, [DOOR_STREAM] = true },
                               .schema = lobby_ops.schema,
                               .live = live,
                               .again = read_seeds,
                               .changed = take_seeds,
                               .own = { own, sizeof own / sizeof *own } };
    lobby_defaults(&settings);
    if (!service_begin(&service, argc, argv, &end))
        return end;
    const char *wrong = fill(&service) ? lobby_judge(&settings) : "The lobby's keys or games.";
    void *memory = service_memory(&service, wrong == NULL ? lobby_bytes(&settings) : 0, wrong);
    if (memory != NULL) {
        core = lobby_init(memory, &settings);
        service_mirror(&service, &settings, lobby_told(core), sizeof settings);
    }
    end = service_run(&service, core, &lobby_ops);
    service_finish(&service);
    return end;
}
