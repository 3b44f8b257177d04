/* lobby_messages.c: players, tables and results as messages. Pure. */
#include <assert.h>
#include <string.h>

#include "services/lobby/lobby_parts.h"

static uint8_t *id_in(struct outbox *out, const uint8_t id[ID_SIZE])
{
    return outbox_copy(out, id, ID_SIZE);
}

Arbiter__Lobby__Player *lobby_player_message(const struct lobby *lobby, uint32_t place,
                                             struct outbox *out)
{
    const struct player    *player = player_of(lobby, place);
    Arbiter__Lobby__Player *to = MAKE(out, lobby, player);
    SET_BYTES(to, player, id_in(out, player->id), ID_SIZE);
    if (player->name[0] != '\0')
        to->name = lobby_string_in(out, player->name);
    if (player->bot)
        SET(to, bot, true);
    if (player->banned)
        SET(to, banned, true);
    SET(to, online, lobby_is_online(lobby, player));
    if (player->avatar[0] != '\0' && lobby->spoken >= PROTOCOL_NEWEST)
        to->avatar = lobby_string_in(out, player->avatar);
    return to;
}

Arbiter__Lobby__Player *lobby_seated_message(const struct lobby *lobby, const struct seat *seat,
                                             struct outbox *out)
{
    Arbiter__Lobby__Player *to = lobby_player_message(lobby, seat->player, out);
    uint32_t                level = lobby_bot_level(lobby, seat);
    if (level > 0 && lobby->spoken >= PROTOCOL_NEWEST)
        SET(to, level, level);
    return to;
}

/* A gateway that may have missed its player's number finds it at the player's seat. */
static bool is_own_gateways(const struct lobby *lobby, const struct seat *seat, uint32_t reader)
{
    return reader != NOBODY && seat->player == reader && player_of(lobby, reader)->guest &&
           !player_of(lobby, reader)->bot && seat->number != 0;
}

static Arbiter__Lobby__TableSeat *seat_message(const struct lobby *lobby, const struct table *table,
                                               uint32_t at, uint32_t reader, struct outbox *out)
{
    const struct seat         *seat = &table->seat[at];
    Arbiter__Lobby__TableSeat *to = MAKE(out, lobby, table_seat);
    SET(to, seat, at);
    if (is_own_gateways(lobby, seat, reader))
        SET(to, number, seat->number);
    if (seat->player != NOBODY)
        to->player = lobby_seated_message(lobby, seat, out);
    if (seat->vacant)
        SET(to, vacant, true);
    if (seat->generation > 0)
        SET(to, generation, seat->generation);
    if (seat->promised != NOBODY)
        SET(to, promised, true);
    return to;
}

size_t lobby_seat_messages(const struct lobby *lobby, const struct table *table, uint32_t count,
                           uint32_t reader, struct outbox *out, Arbiter__Lobby__TableSeat ***seats)
{
    *seats = outbox_take(out, count * sizeof **seats);
    for (uint32_t i = 0; i < count; i++)
        (*seats)[i] = seat_message(lobby, table, i, reader, out);
    return count;
}

/* What everybody may know of a table. */
static Arbiter__Lobby__Table *public_part(const struct lobby *lobby, const struct table *table,
                                          uint32_t reader, struct outbox *out)
{
    const struct lobby_game *game = game_of(lobby, table);
    Arbiter__Lobby__Table   *to = MAKE(out, lobby, table);
    SET_BYTES(to, table, id_in(out, table->id), ID_SIZE);
    SET(to, phase, (Arbiter__Lobby__Table__Phase) table->phase);
    to->game = lobby_string_in(out, game->game->name);
    SET(to, rules_version, game->game->version);
    if (table->setup != NOBODY)
        to->setup_name = lobby_string_in(out, game->setups[table->setup].name);
    to->title = lobby_string_in(out, table->title);
    SET(to, seats_min, table->seats_min);
    to->n_seats = lobby_seat_messages(lobby, table, table->seat_count, reader, out, &to->seats);
    if (table->host != NOBODY)
        SET_BYTES(to, host, id_in(out, player_of(lobby, table->host)->id), ID_SIZE);
    if (table->host != NOBODY && player_of(lobby, table->host)->name[0] != '\0' &&
        lobby->spoken >= PROTOCOL_NEWEST)
        to->host_name = lobby_string_in(out, player_of(lobby, table->host)->name);
    SET(to, private_table, table->is_private != 0);
    if (table->turn_ms > 0)
        SET(to, turn_ms, table->turn_ms);
    SET(to, open_dice, table->has_seed != 0);
    SET(to, spectators, table->watchers != 0);
    SET(to, chat, table->chat != 0);
    SET(to, registration, table->registration != 0);
    SET(to, hotseat, table->hotseat != 0);
    SET(to, rigged, table->rigged != 0);
    SET(to, last_event, table->last_event);
    if (table->stage != STAGE_NONE)
        SET_BYTES(to, match_id, id_in(out, table->match_id), ID_SIZE);
    return to;
}

/* The texts are where they are until the batch is performed: their places are not used again before. */
Arbiter__Lobby__Table *lobby_table_message(const struct lobby *lobby, uint32_t place,
                                           uint32_t reader, bool with_setup, struct outbox *out)
{
    const struct table    *table = table_of(lobby, place);
    Arbiter__Lobby__Table *to = public_part(lobby, table, reader, out);
    if (reader == NOBODY || lobby_member_of(table, reader) == NOBODY)
        return to;
    to->code = lobby_string_in(out, table->code);
    if (lobby_seat_of(table, reader) == NOBODY)
        SET(to, watching, true);
    if (with_setup) {
        to->setup = (char *) lobby_setup_text(lobby, table);
        to->options = (char *) lobby_setup_options(lobby, table);
    }
    return to;
}

Arbiter__Lobby__Result *lobby_result_message(const struct lobby *lobby, const struct result *result,
                                             struct outbox *out)
{
    const struct lobby_game *game = &lobby->settings.games[result->game];
    Arbiter__Lobby__Result  *to = MAKE(out, lobby, result);
    SET_BYTES(to, match_id, id_in(out, result->match_id), ID_SIZE);
    to->game = lobby_string_in(out, game->game->name);
    if (result->setup != NOBODY)
        to->setup_name = lobby_string_in(out, game->setups[result->setup].name);
    to->players = outbox_take(out, result->seats * sizeof to->players[0]);
    for (uint32_t i = 0; i < result->seats; i++) {
        uint32_t player = lobby_result_player(lobby, result, i);
        to->players[to->n_players++] =
            player == NOBODY ? MAKE(out, lobby, player) : lobby_player_message(lobby, player, out);
    }
    SET(to, aborted, result->aborted != 0);
    SET(to, over_ms, result->over_ms);
    if ((result->chance & CHANCE_RIGGED) != 0 && lobby->spoken >= PROTOCOL_NEWEST)
        SET(to, rigged, true);
    if ((result->chance & CHANCE_OPEN) != 0 && lobby->spoken >= PROTOCOL_NEWEST)
        SET(to, open_dice, true);
    if (result->aborted)
        return to;
    to->outcome = outbox_take(out, result->seats * sizeof to->outcome[0]);
    to->n_outcome = result->seats;
    memcpy(to->outcome, result->outcome, result->seats * sizeof to->outcome[0]);
    return to;
}
