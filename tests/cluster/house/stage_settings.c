/* stage_settings.c: what each process of the simulated house is told at its start; see stage.h. */
#include <stdio.h>
#include <string.h>

#include "contract/directory.pb-c.h"
#include "stage.h"
#include "wire/names.h"
#include "world/memory.h"

static void address(char *to, const char *name, uint32_t door)
{
    memset(to, 0, PEER_ADDRESS_MAX);
    snprintf(to, PEER_ADDRESS_MAX, "sim://%s/%u", name, door);
}

static void peers(struct world *world, const struct stage *stage, const struct process *process,
                  uint32_t doors, struct peers_settings *settings)
{
    const struct process *lobby = &world->process[stage->lobby];
    memset(settings, 0, sizeof *settings);
    settings->role = process->role;
    snprintf(settings->name, sizeof settings->name, "%s", process->name);
    snprintf(settings->software, sizeof settings->software, "arbiter");
    for (uint32_t door = DOOR_REQUESTS; door <= DOOR_HISTORY; door++)
        if ((doors >> door & 1) != 0)
            address(settings->doors.address[door], process->name, door);
    address(settings->lobby.address[DOOR_REQUESTS], lobby->name, DOOR_REQUESTS);
    address(settings->lobby.address[DOOR_STREAM], lobby->name, DOOR_STREAM);
    memcpy(settings->lobby_key, lobby->key, sizeof settings->lobby_key);
}

bool stage_has(const struct world *world, uint32_t flavour)
{
    return (world->plan.flavour & flavour) == flavour;
}

enum build { BUILD_OLDER, BUILD_NEWER };

bool stage_is_new(const struct process *process)
{
    return process->cast_number == BUILD_NEWER;
}

/* Half of the processes begin with either build, and each restart is an upgrade, or one taken back.
 * When all is healed there is the newer one alone. */
static bool choose_build(struct world *world, struct process *process)
{
    uint64_t turn = process_index(world, process) + process->incarnation +
                    (stage_has(world, FLAVOUR_EVEN) ? 1 : 0);
    bool is_new = stage_has(world, FLAVOUR_UPGRADE) && (world->is_healed || turn % 2 != 0);
    process->cast_number = is_new ? BUILD_NEWER : BUILD_OLDER;
    return is_new;
}

static void boot_lobby(struct world *world, struct process *process)
{
    struct lobby_settings *settings = process->settings;
    settings->games = stage_lobby_games(choose_build(world, process), &settings->game_count);
    lobby_init(process->core, process->settings);
}

void stage_lobby(struct world *world, struct stage *stage)
{
    struct process        *process = &world->process[stage->lobby];
    struct lobby_settings *settings = memory_new(sizeof *settings);
    lobby_defaults(settings);
    memcpy(settings->key, process->key, sizeof settings->key);
    snprintf(settings->software, sizeof settings->software, "arbiter");
    address(settings->requests_address, process->name, DOOR_REQUESTS);
    address(settings->stream_address, process->name, DOOR_STREAM);
    settings->helpers = stage_lobby_helpers();
    settings->games = stage_lobby_games(true, &settings->game_count);
    settings->seeds = stage->seed;
    settings->seed_count = stage->seeds;
    settings->keys_max = settings->players_max = settings->tables_max = 64;
    settings->texts_max = 32;
    settings->results_max = 256;
    settings->setup_bytes = 1u << 16;
    process->ops = &lobby_ops;
    process->core_bytes = lobby_bytes(settings);
    process->settings = settings;
    process->boot = boot_lobby;
}

static void boot_engine(struct world *world, struct process *process)
{
    struct engine_settings *settings = process->settings;
    settings->games = stage_engine_games(choose_build(world, process), &settings->game_count);
    memset(process->core, 0, process->core_bytes); /* As it comes from calloc. */
    engine_init(process->core, process->settings);
}

void stage_engine(struct world *world, struct stage *stage, uint32_t index)
{
    struct process         *process = &world->process[index];
    struct engine_settings *settings = memory_new(sizeof *settings);
    peers(world, stage, process, 1u << DOOR_REQUESTS | 1u << DOOR_STREAM | 1u << DOOR_HISTORY,
          &settings->peers);
    settings->helpers = *stage_engine_helpers();
    settings->games = stage_engine_games(true, &settings->game_count);
    settings->takes_all_slots = stage->engines == 1;
    settings->memory_bytes = 2u << 20;
    settings->undo_bytes = 1u << 20;
    settings->room_bytes = 1u << 20;
    settings->matches_max = 64;
    settings->setups_max = 16;
    settings->snapshot_acts = 3;
    settings->dice_ms = 3000;
    settings->linger_ms = 20000;
    settings->full_ms = 500;
    settings->waits_ms = 3000;
    settings->marks_ms =
        plan_has(&world->plan, FAULT_SET_BACK) || plan_has(&world->plan, FAULT_DAMAGED) ? 3000
                                                                                        : 200;
    process->ops = &engine_ops;
    process->core_bytes = engine_bytes(settings);
    process->settings = settings;
    process->boot = boot_engine;
}

static void boot_history(struct world *world, struct process *process)
{
    (void) world;
    history_init(process->core, process->settings);
}

void stage_history(struct world *world, uint32_t engine, uint32_t history)
{
    struct process          *process = &world->process[history];
    struct history_settings *settings = memory_new(sizeof *settings);
    settings->answer_bytes = 2000;
    memcpy(process->key, world->process[engine].key, sizeof process->key);
    process->ops = &history_ops;
    process->core_bytes = history_bytes(settings);
    process->settings = settings;
    process->boot = boot_history;
    process->twin = engine;
    process->only_reads = true;
}

static void boot_fanout(struct world *world, struct process *process)
{
    (void) world;
    fanout_init(process->core, process->settings);
}

bool stage_is_chained(const struct world *world, const struct stage *stage)
{
    return stage->fanouts > 1 && stage_has(world, FLAVOUR_CHAINED);
}

void stage_fanout(struct world *world, struct stage *stage, uint32_t index)
{
    struct process         *process = &world->process[index];
    struct fanout_settings *settings = memory_new(sizeof *settings);
    fanout_defaults(settings);
    peers(world, stage, process, 1u << DOOR_STREAM | 1u << DOOR_HISTORY, &settings->peers);
    if (index != stage->fanout[0] && stage_is_chained(world, stage))
        snprintf(settings->peers.upstream, sizeof settings->peers.upstream, "%s",
                 world->process[stage->fanout[0]].name);
    settings->crypto = &crypto_sodium;
    settings->acts_bytes = 1u << 20;
    settings->matches_max = 64;
    settings->answer_bytes_max = 2000;
    settings->idle_ms = 5000;
    process->ops = &fanout_ops;
    process->core_bytes = fanout_bytes(settings);
    process->settings = settings;
    process->boot = boot_fanout;
}

static void boot_watchdog(struct world *world, struct process *process)
{
    (void) world;
    watchdog_init(process->core, process->settings);
}

void stage_watchdog(struct world *world, struct stage *stage, uint32_t index)
{
    struct process           *process = &world->process[index];
    struct watchdog_settings *settings = memory_new(sizeof *settings);
    watchdog_defaults(settings);
    peers(world, stage, process, 1u << DOOR_REQUESTS | 1u << DOOR_STREAM, &settings->peers);
    settings->single = stage->engines == 1;
    settings->waits_max = 256;
    settings->services_max = 32;
    process->ops = settings->single ? &watchdog_single_ops : &watchdog_ops;
    process->core_bytes = watchdog_bytes(settings);
    process->settings = settings;
    process->boot = boot_watchdog;
}

static void boot_player(struct world *world, struct process *process)
{
    (void) world;
    player_init(process->core, process->settings);
}

static bool is_watcher(const struct world *world, uint32_t number)
{
    return number >= 2 && (world->plan.flavour >> number & 12) == 12;
}

/* Tables for three, if there are as many: then one player opens them, and nobody sits alone for ever. */
static bool has_trios(const struct world *world, const struct stage *stage)
{
    uint32_t playing = 0;
    for (uint32_t i = 0; i < stage->players; i++)
        playing += !is_watcher(world, i) && (stage->second == 0 || i != stage->second);
    return playing >= 3 && stage_has(world, FLAVOUR_TRIOS);
}

void stage_player(struct world *world, struct stage *stage, uint32_t index, uint32_t number)
{
    struct process         *process = &world->process[index];
    struct player_settings *settings = memory_new(sizeof *settings);
    uint32_t                flavour = world->plan.flavour >> number;
    client_core_defaults(&settings->client);
    peers(world, stage, process, 0, &settings->client.peers);
    settings->client.crypto = &crypto_sodium;
    memcpy(settings->client.secret, process->key, sizeof settings->client.secret);
    settings->client.queue_bytes = CLIENT_QUEUE_BYTES_MIN;
    settings->client.asks_bytes = CLIENT_ASKS_BYTES_MIN;
    settings->client.command_bytes = 256;
    snprintf(settings->name, sizeof settings->name, "p%u", number + 1);
    settings->seats = has_trios(world, stage) ? 3 : 2;
    settings->hosted = (flavour & 2) != 0;
    settings->turn_ms = world->plan.turn_ms;
    settings->think_ms = 60 + 40 * number;
    settings->opens = settings->seats == 3 ? number == 0 : number % 2 == 0;
    settings->is_second = stage->second != 0 && number == stage->second;
    settings->watches = is_watcher(world, number) && !settings->is_second;
    settings->bots = stage->bot != 0 && (flavour & 32) != 0;
    settings->games = stage_bot_games(true, &settings->game_count);
    settings->opens_dead = stage_has(world, FLAVOUR_DEAD) && number % 4 < 2;
    snprintf(settings->setup, sizeof settings->setup, "%s",
             (flavour & 16) != 0 ? "{ \"heaps\": [3, 4, 5] }" : "{ \"heaps\": \"random\" }");
    /* Whoever watches reads all versions, and so do two devices of one key. */
    if (stage_has(world, FLAVOUR_OLDER) && number == 1 && stage->second == 0)
        settings->client.peers.protocol = process->protocol = PROTOCOL_FIRST;
    process->ops = &player_ops;
    process->core_bytes = player_bytes(settings);
    process->settings = settings;
    process->boot = boot_player;
    process->is_steady = true;
}

static void boot_bot(struct world *world, struct process *process)
{
    struct bot_settings *settings = process->settings;
    settings->games = stage_bot_games(choose_build(world, process), &settings->game_count);
    bot_init(process->core, process->settings);
}

void stage_bot(struct world *world, struct stage *stage)
{
    struct process      *process = &world->process[stage->bot];
    struct bot_settings *settings = memory_new(sizeof *settings);
    bot_defaults(settings);
    peers(world, stage, process, 0, &settings->client.peers);
    settings->client.crypto = &crypto_sodium;
    memcpy(settings->client.secret, process->key, sizeof settings->client.secret);
    settings->client.queue_bytes = CLIENT_QUEUE_BYTES_MIN;
    settings->client.asks_bytes = CLIENT_ASKS_BYTES_MIN;
    settings->client.command_bytes = 256;
    settings->client.seats_max = settings->client.tables_max = 8;
    settings->games = stage_bot_games(true, &settings->game_count);
    settings->think_ms = 100;
    process->ops = &bot_ops;
    process->core_bytes = bot_bytes(settings);
    process->settings = settings;
    process->boot = boot_bot;
}
