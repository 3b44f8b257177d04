/* player.c: see player.h. */
#include "player.h"

#include <string.h>

#include "base/room.h"
#include "contract/directory.pb-c.h"
#include "contract/engine.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "contract/lobby.pb-c.h"
#include "core/outbox.h"
#include "player_private.h"
#include "wire/header.h"

size_t player_bytes(const struct player_settings *settings)
{
    return room_for(sizeof(struct player)) + client_core_bytes(&settings->client);
}

void player_init(void *memory, const struct player_settings *settings)
{
    struct player *player = memory;
    memset(player, 0, sizeof *player);
    player->settings = *settings;
    player->client =
        client_core_init((uint8_t *) memory + room_for(sizeof *player), &settings->client);
    player->wants = settings->watches ? WANTS_LIST : WANTS_NAME;
}

struct player_seat *player_seat(struct player *player, const uint8_t *match_id, uint32_t seat)
{
    struct player_seat *free_place = NULL;
    for (uint32_t i = 0; i < PLAYER_SEATS_MAX; i++) {
        struct player_seat *held = &player->seat[i];
        if (held->is_used && held->seat == seat &&
            memcmp(held->match_id, match_id, CLIENT_ID_SIZE) == 0)
            return held;
        if (free_place == NULL && (!held->is_used || held->is_over || held->is_lost))
            free_place = held;
    }
    if (free_place == NULL)
        return NULL;
    memset(free_place, 0, sizeof *free_place);
    free_place->is_used = true;
    memcpy(free_place->match_id, match_id, CLIENT_ID_SIZE);
    free_place->seat = seat;
    return free_place;
}

/* Acts come one behind the other, behind the view. */
static void on_act(struct player *player, const struct client_event *event)
{
    struct player_seat *held = player_seat(player, event->match_id, event->seat);
    if (held == NULL)
        return;
    player->acts++;
    if (!held->is_told || event->number != held->number + 1) {
        player->is_broken = true;
        player->broken_number = event->number;
    }
    held->number = event->number;
    held->legal = 0;
}

static void on_attached(struct player *player, const struct client_event *event)
{
    struct player_seat *held = player_seat(player, event->match_id, event->seat);
    if (held == NULL)
        return;
    const bool is_back = held->is_told && (event->number < held->number || held->is_over);
    if (is_back) {
        player->is_broken = true;
        player->broken_number = event->number;
    }
    held->game = player_game(player, event);
    held->is_lost = false;
    if (event->seat != NO_SEAT)
        player->awaits_match = false;
    held->number = event->number;
    held->is_told = true;
    held->legal = 0;
}

static void on_seat(struct player *player, const struct client_event *event)
{
    struct player_seat *held = player_seat(player, event->match_id, event->seat);
    if (held == NULL)
        return;
    switch (event->kind) {
    case CLIENT_REPLY:
        player->replies++;
        if (event->request == held->command)
            held->command = 0;
        break;
    case CLIENT_OVER:
        held->is_over = true;
        held->legal = 0;
        player->is_owed = player->is_owed || held->command != 0;
        player->awaits_match = false;
        player->matches++;
        if (event->seat != NO_SEAT)
            player->wants = WANTS_OUT;
        break;
    case CLIENT_LOST: held->is_lost = true; break;
    default: break;
    }
}

static void on_event(struct player *player, const struct client_event *event, uint64_t luck,
                     uint64_t now_ms, struct outbox *out)
{
    switch (event->kind) {
    case CLIENT_ATTACHED: on_attached(player, event); break;
    case CLIENT_ACT: on_act(player, event); break;
    case CLIENT_REPLY:
    case CLIENT_OVER:
    case CLIENT_LOST: on_seat(player, event); break;
    case CLIENT_LEGAL: player_plays(player, event, luck, now_ms, out); break;
    case CLIENT_ANSWER: player_answered(player, event, now_ms, out); break;
    case CLIENT_REFUSED: player_refused(player, event); break;
    case CLIENT_TABLE:
    case CLIENT_TABLE_NOW:
    case CLIENT_TABLE_LOST: player_at_table(player, event); break;
    case CLIENT_FAULT:
        if (player->faults++ > 0)
            break;
        player->fault = event->fault;
        player->fault_seat = event->seat;
        memcpy(player->fault_match, event->match_id, sizeof player->fault_match);
        break;
    default: break;
    }
}

/* The player looks at the matches, and at what to ask of the lobby. */
static void think(struct player *player, const struct event *event, struct outbox *out)
{
    for (uint32_t i = 0; i < PLAYER_SEATS_MAX; i++) {
        struct player_seat *held = &player->seat[i];
        if (!held->is_used || held->is_over || held->is_lost || !held->is_told ||
            held->seat == NO_SEAT || held->command != 0 || held->legal != 0)
            continue;
        uint64_t luck = event->entropy[8 + i];
        held->legal = client_core_legal(player->client, held->match_id, held->seat, luck,
                                        event->entropy[12] % 2 == 0, event->now_ms, out);
    }
    player_asks(player, event, out);
    player->think_at_ms = event->now_ms + player->settings.think_ms;
}

static void player_step(void *core, const struct event *event, struct outbox *out)
{
    struct player      *player = core;
    struct client_event told;
    uint64_t            luck;
    memcpy(&luck, event->entropy + 16, sizeof luck);
    client_core_ops.step(player->client, event, out);
    while (client_core_next(player->client, &told))
        on_event(player, &told, luck, event->now_ms, out);
    if (event->kind == EVENT_STARTED || event->now_ms >= player->think_at_ms)
        think(player, event, out);
    outbox_wake(out, player->think_at_ms);
}

static void player_settle(void *core, enum store_outcome outcome, struct outbox *out)
{
    struct player *player = core;
    client_core_ops.settle(player->client, outcome, out);
}

const struct core_ops player_ops = { .step = player_step, .settle = player_settle, .schema = NULL };
