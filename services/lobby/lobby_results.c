/* lobby_results.c: how matches ended, and another one at the same table. Pure. */
#include <assert.h>
#include <string.h>

#include "services/lobby/lobby_parts.h"

#define RESULTS_LISTED 50u
#define LIST_BYTES (56u << 10)
#define RESULT_BYTES 125u
#define PLAYER_BYTES 90u

const struct result *lobby_find_result(const struct lobby *lobby, uint64_t number)
{
    uint32_t             at = (uint32_t) (number % lobby->settings.results_max);
    const struct result *result = record_of(lobby, RECORD_RESULT, at);
    return number != 0 && result->number == number ? result : NULL;
}

uint64_t lobby_keep_result(struct lobby *lobby, const struct table *table,
                           const Arbiter__Engine__MatchOver *over)
{
    struct meta   *meta = lobby_touch(lobby, RECORD_META, 0);
    uint64_t       number = ++meta->results;
    uint32_t       at = (uint32_t) (number % lobby->settings.results_max);
    struct result *result = lobby_touch(lobby, RECORD_RESULT, at);
    memset(result, 0, sizeof *result);
    result->number = number;
    memcpy(result->match_id, table->match_id, ID_SIZE);
    result->game = table->game;
    result->setup = table->setup;
    result->seats = table->match_seats;
    result->over_ms = lobby->wall_ms;
    result->chance = (table->rigged ? CHANCE_RIGGED : 0) | (table->has_seed ? CHANCE_OPEN : 0);
    result->aborted = (over->has_aborted && over->aborted) || over->n_outcome != table->match_seats;
    for (uint32_t i = 0; i < table->match_seats; i++) {
        result->player[i] = table->seat[i].player;
        result->outcome[i] = result->aborted ? 0 : over->outcome[i];
    }
    return number;
}

uint32_t lobby_result_player(const struct lobby *lobby, const struct result *result, uint32_t seat)
{
    uint32_t place = result->player[seat];
    bool     is_there = place != NOBODY && player_of(lobby, place)->used;
    return is_there && result->number > player_of(lobby, place)->results_before ? place : NOBODY;
}

static bool has_player(const struct lobby *lobby, const struct result *result, uint32_t player)
{
    for (uint32_t i = 0; i < result->seats; i++)
        if (lobby_result_player(lobby, result, i) == player)
            return true;
    return false;
}

static bool is_asked(const struct lobby *lobby, const struct result *result,
                     const Arbiter__Lobby__ListResults *ask, uint32_t player)
{
    const char *game = lobby->settings.games[result->game].game->name;
    return (ask->game == NULL || text_is(ask->game, text_length(ask->game), game)) &&
           (ask->name == NULL || (player != NOBODY && has_player(lobby, result, player)));
}

/* The number to go on below: that of the match named, or above the newest. */
static uint64_t go_on_below(const struct lobby *lobby, const Arbiter__Lobby__ListResults *ask)
{
    uint64_t newest = meta_of(lobby)->results;
    if (!ask->has_after || ask->after.len != ID_SIZE)
        return newest + 1;
    for (uint64_t number = newest; lobby_find_result(lobby, number) != NULL; number--)
        if (lobby_same_id(lobby_find_result(lobby, number)->match_id, ask->after.data))
            return number;
    return 0;
}

void lobby_on_list_results(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__ListResults *ask = asking->ask->list_results;
    uint32_t limit = ask->has_limit && ask->limit < RESULTS_LISTED ? ask->limit : RESULTS_LISTED;
    uint32_t player = lobby_find_name(lobby, ask->name), room = LIST_BYTES;
    uint64_t number = go_on_below(lobby, ask);
    Arbiter__Lobby__Results *results = MAKE(asking->out, lobby, results);
    results->results = outbox_take(asking->out, RESULTS_LISTED * sizeof results->results[0]);
    while (number > 1 && lobby_find_result(lobby, --number) != NULL) {
        const struct result *result = lobby_find_result(lobby, number);
        uint32_t             bytes = RESULT_BYTES + PLAYER_BYTES * result->seats;
        if (!is_asked(lobby, result, ask, player))
            continue;
        if (results->n_results == limit || bytes > room) {
            SET(results, more, true);
            break;
        }
        results->results[results->n_results++] = lobby_result_message(lobby, result, asking->out);
        room -= bytes;
    }
    asking->answer = ANSWER(RESULTS);
    asking->list = results;
}

/* Bots always want another one; who has left, or sits elsewhere by now, is not asked. */
static bool all_want(const struct lobby *lobby, const struct table *table)
{
    for (uint32_t i = 0; i < table->seat_count; i++) {
        uint32_t player = table->seat[i].player, member = lobby_member_of(table, player);
        if (player == NOBODY || table->seat[i].vacant || member == NOBODY ||
            player_of(lobby, player)->bot || player_of(lobby, player)->table != NOBODY)
            continue;
        if (!table->member[member].rematch)
            return false;
    }
    return true;
}

static bool stays(const struct lobby *lobby, const struct table *table, const struct seat *seat)
{
    return seat->player != NOBODY && !seat->vacant &&
           lobby_member_of(table, seat->player) != NOBODY &&
           player_of(lobby, seat->player)->table == NOBODY && !table->registration;
}

/* How the bots of the last match played; how many they were. Bots get up when a match is over, each when it hears of
 * it. One that has not yet is sent away, or it would get up in the middle of the next match. */
static uint32_t send_bots_away(struct lobby *lobby, uint32_t place, uint32_t policies[SEATS_MAX],
                               struct outbox *out)
{
    struct table *table = touch_table(lobby, place);
    uint32_t      count = 0;
    for (uint32_t i = 0; i < table->seat_count; i++) {
        struct seat *seat = &table->seat[i];
        if (seat->player != NOBODY && !seat->vacant && player_of(lobby, seat->player)->bot)
            lobby_get_up(lobby, place, seat->player, out);
        if (seat->player == NOBODY && (seat->policy & BOT_WAS_HERE) != 0)
            policies[count++] = seat->policy & ~BOT_WAS_HERE;
    }
    return table->registration ? 0 : count;
}

/* Bots are called for the seats behind those who stay. False: none comes. */
static bool call_bots(struct lobby *lobby, uint32_t place, uint32_t first,
                      const uint32_t policies[SEATS_MAX], uint32_t count, struct outbox *out)
{
    bool is_called = false;
    for (uint32_t i = 0; i < count && lobby_has_bots(lobby); i++)
        if (first + i < table_of(lobby, place)->seat_count)
            is_called |= lobby_promise_to_bot(lobby, place, first + i, policies[i], out);
    return is_called;
}

/* The table is open again, with those who stay; if they are enough, the next match begins. With bots it begins when
 * they have sat down (lobby_begin_if_full), also without those who have left. */
static void open_again(struct lobby *lobby, uint32_t place, struct outbox *out)
{
    uint32_t      staying[SEATS_MAX], policies[SEATS_MAX], count = 0;
    uint32_t      bots = send_bots_away(lobby, place, policies, out);
    struct table *table = touch_table(lobby, place);
    for (uint32_t i = 0; i < table->seat_count; i++) {
        if (stays(lobby, table, &table->seat[i]) &&
            (count == 0 || table->hotseat || staying[count - 1] != table->seat[i].player))
            staying[count++] = table->seat[i].player;
        memset(&table->seat[i], 0, sizeof table->seat[i]);
        table->seat[i].player = table->seat[i].promised = NOBODY;
    }
    for (uint32_t i = 0; i < count; i++) {
        table->seat[i].player = staying[i];
        touch_player(lobby, staying[i])->table = place;
    }
    for (uint32_t i = 0; i < MEMBERS_MAX; i++)
        table->member[i].rematch = 0;
    table->phase = PHASE(OPEN);
    table->stage = STAGE_NONE;
    table->match_seats = table->protocol = 0;
    table->result = 0;
    lobby_clock_begin(lobby, place);
    if (lobby_has_desk(lobby, table))
        lobby_desk_rebuild(lobby, place);
    lobby_send_event(lobby, place, lobby_add_event(lobby, place, EVENT(OPENED)), out);
    table->is_rematch = call_bots(lobby, place, count, policies, bots, out);
    if (table->is_rematch)
        return;
    if (count < table->seats_min || count == 0)
        return;
    if (lobby_has_desk(lobby, table) && !lobby_desk_look(lobby, place, out))
        lobby_desk_start(lobby, place, out);
    else if (!lobby_has_desk(lobby, table))
        lobby_begin_match(lobby, place, out);
}

void lobby_on_rematch(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__Rematch *ask = asking->ask->rematch;
    uint32_t place = lobby_own_table(lobby, asking, ask->has_table, &ask->table);
    if (place == NOBODY)
        return;
    struct table *table = touch_table(lobby, place);
    if (table->phase != PHASE(OVER)) {
        lobby_refuse(asking, table->phase == PHASE(PLAYING) ? VERDICT(BEGUN) : VERDICT(NOT_BEGUN));
        return;
    }
    if (lobby_seat_of(table, asking->player) == NOBODY) {
        lobby_refuse(asking, VERDICT(NOT_SEATED));
        return;
    }
    if (player_of(lobby, asking->player)->table != NOBODY) {
        lobby_refuse(asking, VERDICT(SEATED_ELSEWHERE));
        return;
    }
    table->member[lobby_member_of(table, asking->player)].rematch = 1;
    struct table_event *event = lobby_add_event(lobby, place, EVENT(MATCH_ENDED));
    event->figure = table->result;
    lobby_send_event(lobby, place, event, asking->out);
    if (all_want(lobby, table))
        open_again(lobby, place, asking->out);
    asking->answer = ANSWER(TABLE);
    asking->table = place;
}
