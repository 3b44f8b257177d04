/* lobby_bots.c: programs of the house are promised seats, and called until they sit down. Pure.
 *
 * A bot is a player like anyone, of a bot service that speaks for many of them. The lobby picks an
 * idle bot, or makes one, and promises it the seat. It invites the bot over one bot service after
 * the other. The service that joins with it plays it. */
#include <assert.h>
#include <string.h>

#include "services/lobby/lobby_parts.h"

#define REPLACED_AT_ONCE 8u /* In a second; a table has a few of them. */

/* Whether a bot service is there to be called: it has said hello and is not about to stop. */
static bool can_be_called(const struct lobby *lobby, uint32_t service)
{
    const struct service *bot = &lobby->services[service];
    return bot->used && bot->role == ROLE(BOT) && !bot->draining;
}

bool lobby_has_bots(const struct lobby *lobby)
{
    for (uint32_t i = 0; i < lobby->settings.services_max; i++)
        if (can_be_called(lobby, i))
            return true;
    return false;
}

/* The next bot service in turn, by its key; NOBODY: there is none. */
static uint32_t next_service(struct lobby *lobby)
{
    uint32_t max = lobby->settings.services_max;
    for (uint32_t i = 1; i <= max; i++) {
        uint32_t service = (lobby->bot_turn + i) % max;
        if (!can_be_called(lobby, service))
            continue;
        lobby->bot_turn = service;
        return lobby_find_key(lobby, lobby->services[service].key);
    }
    return NOBODY;
}

/* `other`: than who has left this seat, for whoever comes back to one plays on under the key by which it is known. */
static uint32_t idle_bot(const struct lobby *lobby, uint32_t other)
{
    for (uint32_t i = 0; i < lobby->settings.players_max; i++) {
        const struct player *player = player_of(lobby, i);
        if (i != other && player->used && player->bot && player->guest && !player->banned &&
            player->name[0] != '\0' && player->table == NOBODY && player->promised == NOBODY &&
            player->at_tables == 0)
            return i;
    }
    return NOBODY;
}

static uint32_t make_bot(struct lobby *lobby)
{
    struct meta *meta = lobby_touch(lobby, RECORD_META, 0);
    struct text  name;
    uint8_t      id[ID_SIZE];
    do {
        text_clear(&name);
        text_put(&name, "bot-");
        text_put_number(&name, (int64_t) ++meta->bots);
    } while (lobby_find_name(lobby, name.bytes) != NOBODY);
    lobby_draw_id(lobby, id);
    uint32_t place = lobby_add_player(lobby, id, name.bytes, NOBODY);
    if (place == NOBODY)
        return NOBODY;
    touch_player(lobby, place)->bot = 1;
    touch_player(lobby, place)->guest = 1;
    return place;
}

/* The table does not tell its members: they see the seat taken when the bot is there. */
void lobby_call_bot(struct lobby *lobby, uint32_t place, uint32_t seat, struct outbox *out)
{
    const struct seat *promised = &table_of(lobby, place)->seat[seat];
    uint32_t           key = next_service(lobby);
    struct table_event invitation = { .kind = EVENT(INVITED), .to = EVERYBODY };
    lobby->clocks[place].again_ms = lobby->now_ms + lobby->settings.again_ms;
    if (key == NOBODY)
        return;
    if (player_of(lobby, promised->promised)->key != key)
        touch_player(lobby, promised->promised)->key = key;
    invitation.player = promised->promised;
    invitation.other = NOBODY;
    invitation.seat = seat;
    invitation.choice = promised->policy;
    lobby_send_invitation(lobby, place, &invitation, promised->promised, out);
}

/* Not stored: when the lobby begins anew, every bot service is one that it has not heard of before. */
void lobby_bots_begin_anew(struct lobby *lobby, const uint8_t *key, struct outbox *out)
{
    uint32_t service = lobby_find_key(lobby, key);
    for (uint32_t i = 0; i < lobby->settings.players_max; i++) {
        const struct player *player = player_of(lobby, i);
        if (!player->used || !player->bot || player->key != service || player->table == NOBODY)
            continue;
        lobby->missing[i] = true;
        lobby->clocks[player->table].again_ms = 0;
    }
    outbox_wake(out, lobby->now_ms);
}

/* What its predecessor said may still come in; only where the service says hello from does it speak itself. */
void lobby_bot_speaks(struct lobby *lobby, uint32_t player, const struct event *event)
{
    if (player == NOBODY || !lobby->missing[player])
        return;
    for (uint32_t i = 0; i < lobby->settings.services_max; i++) {
        const struct service *service = &lobby->services[i];
        if (service->used && service->role == ROLE(BOT) && service->route == event->caller.route &&
            memcmp(service->key, event->caller.key, CALLER_KEY_SIZE) == 0)
            lobby->missing[player] = false;
    }
}

bool lobby_is_bot_missing(const struct lobby *lobby, const struct seat *seat)
{
    return seat->player != NOBODY && !seat->vacant && lobby->missing[seat->player];
}

/* To the service that has it: the engine knows the seat by that key, so no other could play it. */
void lobby_call_back(struct lobby *lobby, uint32_t place, uint32_t seat, struct outbox *out)
{
    const struct seat *held = &table_of(lobby, place)->seat[seat];
    struct table_event invitation = { .kind = EVENT(INVITED),
                                      .to = EVERYBODY,
                                      .player = held->player,
                                      .other = NOBODY,
                                      .seat = seat,
                                      .choice = held->policy };
    lobby_send_invitation(lobby, place, &invitation, held->player, out);
}

/* Its service was not heard of for so long, by this lobby, that others may play on. */
static bool is_bot_gone(const struct lobby *lobby, const struct seat *seat)
{
    uint32_t key = seat->player == NOBODY ? NOBODY : player_of(lobby, seat->player)->key;
    if (key == NOBODY || seat->vacant || !player_of(lobby, seat->player)->bot)
        return false;
    const struct route *route = &lobby->routes[key];
    uint64_t            heard_ms = route->is_known ? route->heard_ms : lobby->opened_ms;
    return lobby->now_ms - heard_ms >= lobby->settings.bot_gone_ms;
}

static uint32_t replace_at(struct lobby *lobby, uint32_t place, struct outbox *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < table_of(lobby, place)->match_seats; i++) {
        const struct seat *seat = &table_of(lobby, place)->seat[i];
        uint32_t           policy = seat->policy;
        if (!is_bot_gone(lobby, seat))
            continue;
        lobby_get_up(lobby, place, seat->player, out);
        (void) lobby_promise_to_bot(lobby, place, i, policy, out);
        lobby->clocks[place].vote_ms[i] = NO_WAKE; /* There is nothing to vote on. */
        count++;
    }
    return count;
}

void lobby_bots_replace(struct lobby *lobby, struct outbox *out)
{
    uint32_t count = 0;
    if (!lobby_has_bots(lobby))
        return;
    for (uint32_t i = 0; i < lobby->settings.tables_max && count < REPLACED_AT_ONCE; i++) {
        const struct table *table = table_of(lobby, i);
        if (table->used && table->phase == PHASE(PLAYING) && table->stage == STAGE_STARTED)
            count += replace_at(lobby, i, out);
    }
}

bool lobby_promise_to_bot(struct lobby *lobby, uint32_t place, uint32_t seat, uint32_t policy,
                          struct outbox *out)
{
    uint32_t bot = idle_bot(lobby, table_of(lobby, place)->seat[seat].player);
    if (bot == NOBODY)
        bot = make_bot(lobby);
    if (bot == NOBODY)
        return false;
    struct seat *promised = &touch_table(lobby, place)->seat[seat];
    promised->promised = bot;
    promised->policy = policy;
    touch_player(lobby, bot)->promised = place;
    lobby_call_bot(lobby, place, seat, out);
    return true;
}

void lobby_withdraw_promise(struct lobby *lobby, uint32_t place, uint32_t seat)
{
    uint32_t player = table_of(lobby, place)->seat[seat].promised;
    if (player == NOBODY)
        return;
    if (player_of(lobby, player)->promised == place)
        touch_player(lobby, player)->promised = NOBODY;
    touch_table(lobby, place)->seat[seat].promised = NOBODY;
}

/* Somebody sits down where a bot was promised a seat: it gets another one, if there is one. */
bool lobby_move_promise(struct lobby *lobby, uint32_t place, uint32_t seat)
{
    struct table *table = touch_table(lobby, place);
    for (uint32_t i = 0; i < table->seat_count; i++) {
        if (i == seat || table->seat[i].player != NOBODY || table->seat[i].promised != NOBODY)
            continue;
        table->seat[i].promised = table->seat[seat].promised;
        table->seat[i].policy = table->seat[seat].policy;
        table->seat[seat].promised = NOBODY;
        return true;
    }
    lobby_withdraw_promise(lobby, place, seat);
    return false;
}

void lobby_on_fill_with_bots(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__FillWithBots *ask = asking->ask->fill_with_bots;
    uint32_t place = lobby_own_table(lobby, asking, ask->has_table, &ask->table);
    if (place == NOBODY)
        return;
    const struct table *table = table_of(lobby, place);
    uint32_t            policy = lobby_policy_named(ask->policy, game_of(lobby, table)->game);
    if (table->host != asking->player) {
        lobby_refuse(asking, VERDICT(NOT_HOST));
    } else if (table->phase != PHASE(OPEN)) {
        lobby_refuse(asking, VERDICT(BEGUN));
    } else if (policy == NOBODY) {
        lobby_malformed(asking, "Bots play \"random\", \"greedy\", or at a level of the game: "
                                "\"level:1\" and so on. This game has no such level.");
    } else if (!lobby_has_bots(lobby)) {
        lobby_refuse(asking, VERDICT(NO_BOTS));
    } else {
        uint32_t wanted = ask->has_count ? ask->count : SEATS_MAX;
        for (uint32_t i = 0; i < table->seat_count && wanted > 0; i++) {
            if (table->seat[i].player != NOBODY || table->seat[i].promised != NOBODY)
                continue;
            if (!lobby_promise_to_bot(lobby, place, i, policy, asking->out))
                lobby_refuse(asking, VERDICT(LOBBY_FULL));
            wanted--;
        }
    }
}
