/* stage.c: who is there, and when all is well; see stage.h. */
#include "stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/directory.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "contract/watchdog.pb-c.h"
#include "nim_two.h"
#include "schema/journal.h"
#include "wire/names.h"
#include "world/hostile.h"
#include "world/memory.h"

#define STALE_NS (12ull * NS_PER_S)
#define BEAT_NS (250ull * NS_PER_MS)

static uint32_t add(struct world *world, struct stage *stage, const char *what, uint32_t number,
                    uint32_t role, uint32_t doors)
{
    char text[96];
    snprintf(text, sizeof text, number > 0 ? "%s-%u" : "%s", what, number);
    struct process    *process = process_add(world, text, role);
    uint32_t           index = process_index(world, process);
    struct lobby_seed *seed = &stage->seed[stage->seeds++];
    memcpy(seed->key, process->key, sizeof seed->key);
    seed->role = role;
    snprintf(seed->name, sizeof seed->name, "%s", process->name);
    for (uint32_t door = DOOR_REQUESTS; door <= DOOR_HISTORY; door++)
        if ((doors >> door & 1) != 0) {
            snprintf(text, sizeof text, "sim://%s/%u", process->name, door);
            net_bind(world, index, text);
        }
    return index;
}

/* An engine and its history door: two cores, one process, one key. */
static void add_engine(struct world *world, struct stage *stage, uint32_t number)
{
    char     text[96];
    uint32_t engine =
        add(world, stage, "engine", number, ROLE(ENGINE), 1u << DOOR_REQUESTS | 1u << DOOR_STREAM);
    snprintf(text, sizeof text, "history-%u", number);
    uint32_t history = process_index(world, process_add(world, text, ROLE(ENGINE)));
    snprintf(text, sizeof text, "sim://engine-%u/%u", number, (uint32_t) DOOR_HISTORY);
    net_bind(world, history, text);
    stage->engine[stage->engines++] = engine;
    world->process[engine].vault = world->process[history].vault = &world->vault[VAULT_JOURNAL];
    stage_history(world, engine, history);
}

static void add_all(struct world *world, struct stage *stage)
{
    const struct plan *plan = &world->plan;
    const uint32_t     both = 1u << DOOR_REQUESTS | 1u << DOOR_STREAM;
    stage->lobby = add(world, stage, "lobby", 0, ROLE(LOBBY), both);
    for (uint32_t i = 1; i <= plan->engines; i++)
        add_engine(world, stage, i);
    for (uint32_t i = 1; i <= plan->fanouts; i++)
        stage->fanout[stage->fanouts++] =
            add(world, stage, "fanout", i, ROLE(FANOUT), 1u << DOOR_STREAM | 1u << DOOR_HISTORY);
    for (uint32_t i = 1; i <= plan->watchdogs; i++)
        stage->watchdog[stage->watchdogs++] =
            add(world, stage, "watchdog", i, ROLE(WATCHDOG), both);
    for (uint32_t i = 1; i <= plan->players; i++)
        stage->player[stage->players++] = add(world, stage, "player", i, ROLE(CLIENT), 0);
    if (stage_has(world, FLAVOUR_SECOND)) { /* The same key: nobody has to let it in. */
        struct process *device = process_add(world, "player-1-too", ROLE(CLIENT));
        memcpy(device->key, world->process[stage->player[0]].key, sizeof device->key);
        stage->second = stage->players;
        stage->player[stage->players++] = process_index(world, device);
    }
    if (stage_has(world, FLAVOUR_BOTS))
        stage->bot = add(world, stage, "bot", 0, ROLE(BOT), 0);
}

static void open_vaults(struct world *world, struct stage *stage)
{
    world->vaults = STAGE_VAULTS;
    world->vault[VAULT_JOURNAL].name = "engines";
    world->vault[VAULT_JOURNAL].is_embedded = stage->engines == 1;
    world->vault[VAULT_LOBBY].name = "lobby";
    world->vault[VAULT_LOBBY].is_embedded = true;
    world->vault[VAULT_LEASES].name = "watchdogs";
    vault_open(&world->vault[VAULT_JOURNAL], engine_ops.schema);
    vault_open(&world->vault[VAULT_LOBBY], lobby_ops.schema);
    vault_open(&world->vault[VAULT_LEASES], watchdog_ops.schema);
    world->process[stage->lobby].vault = &world->vault[VAULT_LOBBY];
    for (uint32_t i = 0; i < stage->watchdogs && stage->engines > 1; i++)
        world->process[stage->watchdog[i]].vault = &world->vault[VAULT_LEASES];
}

static void product_open(struct world *world)
{
    struct stage *stage = memory_new(sizeof *stage);
    world->stage = stage;
    stage->oracle.journal = &world->vault[VAULT_JOURNAL];
    add_all(world, stage);
    open_vaults(world, stage);
    uint32_t stranger = hostile_add(world, "stranger");
    uint32_t guest = hostile_add(world, "guest");
    (void) stranger;
    struct lobby_seed *seed = &stage->seed[stage->seeds++];
    memcpy(seed->key, world->process[guest].key, sizeof seed->key);
    seed->role = ROLE(CLIENT);
    snprintf(seed->name, sizeof seed->name, "guest");
    stage_lobby(world, stage);
    for (uint32_t i = 0; i < stage->engines; i++)
        stage_engine(world, stage, stage->engine[i]);
    for (uint32_t i = 0; i < stage->fanouts; i++)
        stage_fanout(world, stage, stage->fanout[i]);
    for (uint32_t i = 0; i < stage->watchdogs; i++)
        stage_watchdog(world, stage, stage->watchdog[i]);
    for (uint32_t i = 0; i < stage->players; i++)
        stage_player(world, stage, stage->player[i], i);
    if (stage->bot != 0)
        stage_bot(world, stage);
}

static void product_close(struct world *world)
{
    struct stage *stage = world->stage;
    oracle_close(&stage->oracle);
    if (stage->set_back.has_copy)
        vault_close(&stage->set_back.copy);
    free(stage);
}

static void product_sent(struct world *world, struct process *process, const struct effect *effect)
{
    struct stage *stage = world->stage;
    oracle_said(world, &stage->oracle, process, effect);
}

static void product_taken(struct world *world, struct process *process, const struct event *event)
{
    struct stage *stage = world->stage;
    oracle_heard(world, &stage->oracle, process, event);
}

static void product_kept(struct world *world, const struct transaction *transaction)
{
    struct stage *stage = world->stage;
    if (transaction->vault == stage->oracle.journal)
        oracle_kept(world, &stage->oracle, transaction);
    else if (transaction->vault == &world->vault[VAULT_LOBBY])
        oracle_seats(world, transaction->vault);
}

/* "I am alive", as a thread beside each service's work says it to every watchdog. */
static void beat(struct world *world, struct stage *stage, struct process *process)
{
    Arbiter__Watchdog__Beat beat = ARBITER__WATCHDOG__BEAT__INIT;
    struct header           header;
    header_init(&header, KIND(BEAT), NULL);
    beat.has_role = beat.has_started_ms = beat.has_beat = beat.has_loop_age_ms = true;
    beat.role = (Arbiter__Directory__Role) process->role;
    beat.name = process->name;
    beat.started_ms = process->started_ms;
    beat.beat = ++stage->beats;
    if (process->state == PROCESS_COMMITTING) {
        beat.has_commit_ms = true;
        beat.commit_ms = 1;
    }
    for (uint32_t i = 0; i < process->links; i++) {
        const struct connection *link = &world->net.connection[process->link[i]];
        if (link->door != DOOR_REQUESTS || link->target == NO_PROCESS ||
            world->process[link->target].role != ROLE(WATCHDOG))
            continue;
        net_send_frame(world, process, link->number, frame_new(&header, &beat.base, NULL, 0));
    }
}

static void beat_all(struct world *world, struct stage *stage)
{
    if (world->now_ns < stage->beat_ns + BEAT_NS)
        return;
    stage->beat_ns = world->now_ns;
    for (uint32_t i = 0; i < world->processes; i++) {
        struct process *process = &world->process[i];
        if (process->ops != NULL && process->role != ROLE(CLIENT) && process->role != ROLE(LOBBY) &&
            process->twin == NO_PROCESS && process->state != PROCESS_DOWN && !process->is_paused &&
            process->is_started)
            beat(world, stage, process);
    }
}

/* What an engine holds of a match, between two batches, is what the journal says. */
static void compare_live(struct world *world, struct stage *stage)
{
    for (uint32_t m = 0; m < stage->oracle.matches; m++) {
        const struct replica *replica = &stage->oracle.match[m];
        uint8_t               slot = header_slot(replica->id);
        uint32_t              owner = stage->oracle.slot[slot].process;
        const struct process *process = &world->process[owner];
        if (stage->oracle.slot[slot].epoch == 0 || process->state != PROCESS_IDLE ||
            process->incarnation != stage->oracle.slot[slot].incarnation || !replica->has_begun)
            continue;
        const struct match *match = engine_match(process->core, replica->id);
        if (match == NULL || match->number != replica->count)
            continue;
        uint8_t live[MATCH_HASH_SIZE];
        uint8_t kept[MATCH_HASH_SIZE];
        match_digest(match, live);
        match_digest(replica->match, kept);
        if (memcmp(live, kept, sizeof live) != 0)
            world_fail(world, "I6", "%s holds another state at act %u than was kept", process->name,
                       replica->count);
    }
}

/* A player who was too slow to contribute to the dice is told that those bytes are not in: that is
 * the truth. */
static bool was_silent(struct stage *stage, const struct player *player)
{
    const struct replica *replica = oracle_match(&stage->oracle, player->fault_match);
    return player->fault == CLIENT_FAULT_DICE && replica != NULL && replica->is_hosted &&
           (replica->contributions.revealed >> player->fault_seat & 1) == 0;
}

static void look_at_player(struct world *world, struct stage *stage, uint32_t index)
{
    const struct process *process = &world->process[index];
    struct player        *player = process->core;
    if (process->state == PROCESS_DOWN)
        return;
    player->is_healed = world->is_healed;
    if (player->faults > 0 && was_silent(stage, player)) {
        mark(world->marks, MARK_SILENT);
        player->faults = 0;
    }
    const struct replica *faulty = oracle_match(&stage->oracle, player->fault_match);
    if (player->faults > 0 && faulty != NULL && faulty->is_set_back)
        player->faults = 0; /* He is told so, and that is right. */
    if (player->is_broken)
        world_fail(world, "I4", "%s is told act %llu out of order", process->name,
                   (unsigned long long) player->broken_number);
    if (player->is_owed)
        world_fail(world, "I4", "%s is never told what became of a command", process->name);
    if (player->faults > 0)
        world_fail(world, "I4", "%s's library says that a promise was broken: %u", process->name,
                   player->fault);
}

/* What was kept before all was healed is known to everybody soon. Heads and counts see to it, and
 * nobody has to wait for a suspicion. */
static void check_staleness(struct world *world, struct stage *stage)
{
    if (!world->is_healed || world->now_ns < world->healed_ns + STALE_NS)
        return;
    for (uint32_t i = 0; i < stage->players; i++) {
        const struct process *process = &world->process[stage->player[i]];
        const struct player  *player = process->core;
        for (uint32_t s = 0; s < PLAYER_SEATS_MAX; s++) {
            const struct player_seat *held = &player->seat[s];
            const struct replica     *replica = oracle_match(&stage->oracle, held->match_id);
            if (replica == NULL || replica->is_set_back || !held->is_used || !held->is_told ||
                held->is_lost || held->number >= replica->count ||
                replica->acts[held->number].at_ns > world->healed_ns)
                continue;
            world_fail(world, "I4", "%s still does not know of act %llu", process->name,
                       (unsigned long long) held->number + 1);
            return;
        }
    }
}

/* Whose build is the older one still is stopped and started anew, one after the other. */
static void replace_older(struct world *world, struct stage *stage)
{
    uint64_t in_ns = 100 * NS_PER_MS;
    if (!world->is_healed || stage->is_upgraded || !stage_has(world, FLAVOUR_UPGRADE))
        return;
    stage->is_upgraded = true;
    for (uint32_t i = 0; i < world->processes; i++) {
        const struct process *process = &world->process[i];
        bool has_games = process->role == ROLE(ENGINE) || process->role == ROLE(LOBBY) ||
                         process->role == ROLE(BOT);
        if (!has_games || process->ops == NULL || process->twin != NO_PROCESS ||
            process->state == PROCESS_DOWN || stage_is_new(process))
            continue;
        process_crash(world, i);
        world_after(world, in_ns, HAPPEN_BOOT, i, process->incarnation, NULL);
        in_ns += 300 * NS_PER_MS;
    }
}

/* By which rules is played, and by whom. */
static void look_at_rules(struct world *world, const struct stage *stage)
{
    for (uint32_t m = 0; m < stage->oracle.matches && stage_has(world, FLAVOUR_UPGRADE); m++) {
        const struct replica *replica = &stage->oracle.match[m];
        uint32_t              version = replica->game->wire->game->version;
        uint8_t               slot = header_slot(replica->id);
        const struct process *owner = &world->process[stage->oracle.slot[slot].process];
        if (replica->has_result || !replica->has_begun || owner->state != PROCESS_IDLE ||
            owner->incarnation != stage->oracle.slot[slot].incarnation)
            continue;
        bool is_held = engine_match(owner->core, replica->id) != NULL;
        if (version == NIM_TWO && is_held)
            mark(world->marks, MARK_RULES_NEWER);
        if (version == NIM_TWO && !is_held && !stage_is_new(owner))
            mark(world->marks, MARK_RULES_MISSING);
        if (version == 1 && is_held && stage_is_new(owner))
            mark(world->marks, MARK_RULES_OLDER);
    }
}

/* What this universe has beside the usual, and whether it has come to anything. */
static void look_at_extras(struct world *world, const struct stage *stage)
{
    const struct process *bot = &world->process[stage->bot];
    const struct process *chained = &world->process[stage->fanout[stage->fanouts - 1]];
    const struct player  *second = world->process[stage->player[stage->second]].core;
    if (stage->bot != 0 && bot->state != PROCESS_DOWN && bot_facts(bot->core).commands > 0)
        mark(world->marks, bot->incarnation > 1 ? MARK_BOT_BACK : MARK_BOT);
    if (stage_is_chained(world, stage) && chained->state != PROCESS_DOWN &&
        fanout_facts(chained->core).relayed > 0)
        mark(world->marks, MARK_CHAINED);
    if (stage->second != 0 && second->replies > 0)
        mark(world->marks, MARK_SECOND);
}

static void product_look(struct world *world)
{
    struct stage *stage = world->stage;
    beat_all(world, stage);
    compare_live(world, stage);
    check_staleness(world, stage);
    look_at_extras(world, stage);
    look_at_rules(world, stage);
    stage_set_back(world, stage);
    replace_older(world, stage);
    for (uint32_t i = 0; i < stage->players; i++)
        look_at_player(world, stage, stage->player[i]);
}

static bool seat_is_quiet(struct world *world, struct stage *stage, const char *name,
                          const struct player_seat *held)
{
    const struct replica *replica = oracle_match(&stage->oracle, held->match_id);
    if (!held->is_used || held->is_lost || (replica != NULL && replica->is_set_back))
        return true;
    /* It could not begin, and no table wants it to any more: each question gets this answer. */
    if (replica == NULL && !oracle_plays_on(&world->vault[VAULT_LOBBY]))
        return true;
    if (held->command != 0)
        snprintf(world->worry, sizeof world->worry, "%s waits for the answer to a command", name);
    else if (replica == NULL || !held->is_told)
        snprintf(world->worry, sizeof world->worry, "%s waits for a view", name);
    else if (held->number != replica->count)
        snprintf(world->worry, sizeof world->worry, "%s has heard %llu acts, there are %u", name,
                 (unsigned long long) held->number, replica->count);
    else if (!held->is_over)
        snprintf(world->worry, sizeof world->worry, "%s's match is not over at act %u%s", name,
                 replica->count, replica->has_result ? ", and has a result" : "");
    else
        return true;
    return false;
}

static bool product_is_quiet(struct world *world)
{
    struct stage *stage = world->stage;
    bool          is_done = stage->set_back.is_done;
    if (!stage_set_back_is_quiet(world, stage))
        return false;
    for (uint32_t i = 0; i < stage->players; i++) {
        const struct process *process = &world->process[stage->player[i]];
        const struct player  *player = process->core;
        bool is_nobody = player->wants == WANTS_NAME && !player->settings.is_second;
        if (player->ask != 0 || is_nobody || (player->awaits_match && !is_done)) {
            snprintf(world->worry, sizeof world->worry, "%s waits for %s", process->name,
                     player->awaits_match ? "a match that begins" : "the lobby");
            return false;
        }
        for (uint32_t s = 0; s < PLAYER_SEATS_MAX; s++)
            if (!seat_is_quiet(world, stage, process->name, &player->seat[s]))
                return false;
    }
    for (uint32_t m = 0; m < stage->oracle.matches; m++)
        if (!stage->oracle.match[m].has_result && !stage->oracle.match[m].is_set_back) {
            snprintf(world->worry, sizeof world->worry, "a match has no result at act %u",
                     stage->oracle.match[m].count);
            return false;
        }
    if (oracle_plays_on(&world->vault[VAULT_LOBBY]) && !is_done) {
        snprintf(world->worry, sizeof world->worry, "a table plays on, and every match is over");
        return false;
    }
    return true;
}

const struct cast product_cast = {
    .name = "product",
    .open = product_open,
    .close = product_close,
    .sent = product_sent,
    .taken = product_taken,
    .kept = product_kept,
    .look = product_look,
    .is_quiet = product_is_quiet,
};
