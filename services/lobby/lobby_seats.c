/* lobby_seats.c: who comes to a table, sits down, changes seats, gets up. Pure.
 *
 * A player sits in at most one table that is open or being played: player.table says which. At an
 * open table with `hotseat` a player may have several of its seats. */
#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "services/lobby/lobby_parts.h"

uint32_t lobby_member_of(const struct table *table, uint32_t player)
{
    for (uint32_t i = 0; i < MEMBERS_MAX; i++)
        if (table->member[i].player == player && player != NOBODY)
            return i;
    return NOBODY;
}

uint32_t lobby_seat_of(const struct table *table, uint32_t player)
{
    for (uint32_t i = 0; i < table->seat_count; i++)
        if (table->seat[i].player == player && player != NOBODY && !table->seat[i].vacant)
            return i;
    return NOBODY;
}

uint32_t lobby_taken_seats(const struct table *table)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < table->seat_count; i++)
        count += table->seat[i].player != NOBODY;
    return count;
}

uint32_t lobby_add_member(struct lobby *lobby, uint32_t place, uint32_t player)
{
    struct table *table = touch_table(lobby, place);
    uint32_t      at = lobby_member_of(table, player);
    if (at != NOBODY)
        return at;
    for (at = 0; at < MEMBERS_MAX && table->member[at].player != NOBODY;)
        at++;
    if (at == MEMBERS_MAX || player_of(lobby, player)->at_tables >= AT_TABLES_MAX)
        return NOBODY;
    table->member[at] = (struct member){ .player = player, .since = table->last_event };
    touch_player(lobby, player)->at_tables++;
    return at;
}

static void remove_member(struct lobby *lobby, uint32_t place, uint32_t player)
{
    struct table *table = touch_table(lobby, place);
    uint32_t      at = lobby_member_of(table, player);
    if (at == NOBODY)
        return;
    memset(&table->member[at], 0, sizeof table->member[at]);
    table->member[at].player = NOBODY;
    for (uint32_t i = 0; i < MEMBERS_MAX; i++)
        table->member[i].mutes &= ~(1u << at);
    touch_player(lobby, player)->at_tables--;
}

void lobby_sit_down(struct lobby *lobby, uint32_t place, uint32_t seat, uint32_t player,
                    struct outbox *out)
{
    struct table *table = touch_table(lobby, place);
    assert(seat < table->seat_count && table->seat[seat].player == NOBODY);
    assert(player_of(lobby, player)->table == NOBODY || table->hotseat);
    if (table->seat[seat].promised != NOBODY && table->seat[seat].promised != player)
        lobby_move_promise(lobby, place, seat);
    if (table->seat[seat].promised != NOBODY)
        lobby_withdraw_promise(lobby, place, seat);
    table->seat[seat].player = player;
    touch_player(lobby, player)->table = place;
    struct table_event *event = lobby_add_event(lobby, place, EVENT(SEATED));
    event->seat = seat;
    event->player = player;
    lobby_send_event(lobby, place, event, out);
}

/* All bots sit that were called for another match; seats of those who have left may stay empty. */
static bool is_rematch_whole(const struct table *table)
{
    for (uint32_t i = 0; i < table->seat_count; i++)
        if (table->seat[i].promised != NOBODY)
            return false;
    return table->is_rematch && lobby_taken_seats(table) >= table->seats_min;
}

/* A match begins by itself when every seat is taken. A registration decides for itself, but is told
 * to start when the table has no more seats. */
bool lobby_begin_if_full(struct lobby *lobby, uint32_t place, struct outbox *out)
{
    const struct table *table = table_of(lobby, place);
    if (!table->used || table->phase != PHASE(OPEN))
        return false;
    if (lobby_has_desk(lobby, table) && lobby_desk_look(lobby, place, out))
        return true;
    if (lobby_taken_seats(table) < table->seat_count && !is_rematch_whole(table))
        return false;
    if (lobby_has_desk(lobby, table))
        return lobby_desk_start(lobby, place, out);
    lobby_begin_match(lobby, place, out);
    return true;
}

/* The seat that is meant, if it can be had: a free one, rather one that is promised to nobody. */
static uint32_t choose_seat(const struct lobby *lobby, const struct table *table, uint32_t player,
                            uint32_t wanted)
{
    uint32_t found = NOBODY;
    if (lobby_has_desk(lobby, table))
        return lobby_taken_seats(table) < table->seat_count ? lobby_taken_seats(table) : NOBODY;
    for (uint32_t i = 0; i < table->seat_count; i++) {
        const struct seat *seat = &table->seat[i];
        if (seat->player != NOBODY || (wanted != NOBODY && wanted != i))
            continue;
        if (seat->promised == player)
            return i;
        if (found == NOBODY || (table->seat[found].promised != NOBODY && seat->promised == NOBODY))
            found = i;
    }
    return found;
}

static bool join_open(struct lobby *lobby, struct asking *asking, uint32_t place, uint32_t wanted)
{
    const struct table *table = table_of(lobby, place);
    bool                is_new = lobby_member_of(table, asking->player) == NOBODY;
    bool                is_seated = player_of(lobby, asking->player)->table == place;
    if (is_seated && !table->hotseat)
        return true;
    uint32_t seat = choose_seat(lobby, table, asking->player, wanted);
    if (seat == NOBODY) {
        lobby_refuse(asking, wanted == NOBODY ? VERDICT(TABLE_FULL) : VERDICT(SEAT_TAKEN));
        return false;
    }
    if (lobby_add_member(lobby, place, asking->player) == NOBODY) {
        lobby_refuse(asking, VERDICT(TABLE_FULL));
        return false;
    }
    if (!lobby_has_number(lobby, table)) {
        lobby_refuse(asking, VERDICT(LOBBY_FULL));
        return false;
    }
    if (lobby_has_desk(lobby, table) &&
        !lobby_desk_register(lobby, place, seat, asking->player, asking, asking->out)) {
        if (is_new && table->used)
            remove_member(lobby, place, asking->player);
        return false;
    }
    lobby_sit_down(lobby, place, seat, asking->player, asking->out);
    if (lobby_has_desk(lobby, table))
        lobby_number_seat(lobby, place, seat, NULL, asking->out);
    lobby_begin_if_full(lobby, place, asking->out);
    return true;
}

/* During the match: back to a seat the player left, or to one that is promised to the player. */
static bool join_playing(struct lobby *lobby, struct asking *asking, uint32_t place,
                         uint32_t wanted)
{
    struct table *table = touch_table(lobby, place);
    uint32_t      player = asking->player, at = NOBODY;
    for (uint32_t i = 0; i < table->match_seats; i++)
        if (table->seat[i].vacant && (wanted == NOBODY || wanted == i) &&
            (table->seat[i].promised == player || table->seat[i].player == player))
            at = i;
    if (at != NOBODY && !lobby_may_hold(lobby, table, player)) {
        asking->sentence = "This match has begun with version 2 of the protocol, and your program "
                           "speaks version 1.";
        at = NOBODY;
    }
    if (at == NOBODY) {
        lobby_refuse(asking, VERDICT(BEGUN));
        return false;
    }
    if (lobby_add_member(lobby, place, player) == NOBODY) {
        lobby_refuse(asking, VERDICT(TABLE_FULL));
        return false;
    }
    lobby_take_over(lobby, place, at, player, asking->out);
    return true;
}

bool lobby_join_seat(struct lobby *lobby, struct asking *asking, uint32_t place, uint32_t seat)
{
    const struct table *table = table_of(lobby, place);
    uint32_t            elsewhere = player_of(lobby, asking->player)->table;
    if (elsewhere != NOBODY && elsewhere != place) {
        lobby_refuse(asking, VERDICT(SEATED_ELSEWHERE));
        return false;
    }
    if (table->phase == PHASE(PLAYING) && elsewhere == place && !table->hotseat)
        return true;
    if (!lobby_source_may(lobby, asking, TAKEN_SEAT))
        return false;
    if (table->phase == PHASE(PLAYING))
        return join_playing(lobby, asking, place, seat);
    if (table->phase != PHASE(OPEN)) {
        lobby_refuse(asking, VERDICT(BEGUN));
        return false;
    }
    return join_open(lobby, asking, place, seat);
}

void lobby_on_join_table(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__JoinTable *ask = asking->ask->join_table;
    uint32_t place = lobby_table_asked(lobby, asking, ask->has_table, &ask->table, ask->code);
    if (place == NOBODY)
        return;
    asking->answer = ANSWER(TABLE);
    asking->table = place;
    const struct table *table = table_of(lobby, place);
    /* A bot that was called has no words of the game's: the lobby registers it under its name. */
    bool                is_called = player_of(lobby, asking->player)->promised == place;
    if (table->registration && table->phase == PHASE(OPEN) && !is_called) {
        if (lobby_add_member(lobby, place, asking->player) == NOBODY)
            lobby_refuse(asking, VERDICT(TABLE_FULL));
        return;
    }
    lobby_join_seat(lobby, asking, place, ask->has_seat ? ask->seat : NOBODY);
}

/* Registration has no gaps: who sits behind one moves up. */
static void close_gaps(struct lobby *lobby, uint32_t place, struct outbox *out)
{
    struct table *table = touch_table(lobby, place);
    uint32_t      to = 0;
    for (uint32_t from = 0; from < table->seat_count; from++) {
        uint32_t player = table->seat[from].player;
        if (player == NOBODY)
            continue;
        if (from != to) {
            table->seat[from].player = NOBODY;
            table->seat[to].number = table->seat[from].number;
            table->seat[from].number = 0;
            if (table->seat[to].promised != NOBODY)
                lobby_move_promise(lobby, place, to);
            table->seat[to].player = player;
            table->seat[to].policy = table->seat[from].policy;
            struct table_event *event = lobby_add_event(lobby, place, EVENT(SEATED));
            event->seat = to;
            event->from = from;
            event->player = player;
            lobby_send_event(lobby, place, event, out);
        }
        to++;
    }
}

static void tell_left(struct lobby *lobby, uint32_t place, uint32_t seat, uint32_t player,
                      struct outbox *out)
{
    struct table_event *event = lobby_add_event(lobby, place, EVENT(LEFT));
    event->seat = seat;
    event->player = player;
    lobby_send_event(lobby, place, event, out);
}

static void leave_seats(struct lobby *lobby, uint32_t place, uint32_t player, struct outbox *out)
{
    struct table *table = touch_table(lobby, place);
    bool          is_playing = table->phase == PHASE(PLAYING), had_seat = false;
    if (player_of(lobby, player)->table == place)
        touch_player(lobby, player)->table = NOBODY;
    for (uint32_t i = 0; i < table->seat_count; i++) {
        if (table->seat[i].player != player || table->seat[i].vacant)
            continue;
        had_seat = true;
        if (is_playing) {
            lobby_vacate(lobby, place, i, out);
        } else {
            if (table->phase == PHASE(OVER) && player_of(lobby, player)->bot)
                table->seat[i].policy |= BOT_WAS_HERE;
            table->seat[i].player = NOBODY;
            table->seat[i].number = 0;
            tell_left(lobby, place, i, player, out);
        }
    }
    if (!had_seat)
        tell_left(lobby, place, NOBODY, player, out);
    else if (table->phase == PHASE(OPEN) && lobby_has_desk(lobby, table)) {
        close_gaps(lobby, place, out);
        lobby_desk_rebuild(lobby, place);
    }
}

/* Who is to be the host: a person at a seat rather than one who watches; NOBODY: there is none. */
static uint32_t next_host(const struct lobby *lobby, const struct table *table)
{
    for (uint32_t i = 0; i < table->seat_count; i++) {
        uint32_t player = table->seat[i].player;
        if (player != NOBODY && !table->seat[i].vacant && !player_of(lobby, player)->bot)
            return player;
    }
    for (uint32_t i = 0; i < MEMBERS_MAX; i++) {
        uint32_t player = table->member[i].player;
        if (player != NOBODY && !player_of(lobby, player)->bot)
            return player;
    }
    return NOBODY;
}

static void change_host(struct lobby *lobby, uint32_t place, uint32_t player, struct outbox *out)
{
    touch_table(lobby, place)->host = player;
    struct table_event *event = lobby_add_event(lobby, place, EVENT(HOST_CHANGED));
    event->player = player;
    lobby_send_event(lobby, place, event, out);
}

/* A match without a person is not played on: nobody is there to see its end. */
static bool has_person(const struct lobby *lobby, const struct table *table)
{
    for (uint32_t i = 0; i < table->match_seats; i++) {
        const struct seat *seat = &table->seat[i];
        if (seat->player != NOBODY && !seat->vacant && !player_of(lobby, seat->player)->bot)
            return true;
        if (seat->promised != NOBODY && !player_of(lobby, seat->promised)->bot)
            return true;
    }
    return false;
}

void lobby_get_up(struct lobby *lobby, uint32_t place, uint32_t player, struct outbox *out)
{
    struct table *table = touch_table(lobby, place);
    leave_seats(lobby, place, player, out);
    remove_member(lobby, place, player);
    uint32_t host = next_host(lobby, table);
    if (table->phase == PHASE(PLAYING)) {
        if (!has_person(lobby, table) && !table->abort) {
            table->abort = ABORT_ASKED;
            text_copy(table->abort_reason, sizeof table->abort_reason, "Everybody has left.");
            lobby_send_abort(lobby, place, out);
        }
    } else if (host == NOBODY) {
        lobby_close_table(lobby, place, "Everybody has left.", out);
        return;
    }
    if (table->host == player && host != NOBODY)
        change_host(lobby, place, host, out);
}

/* The table of an ask of its members; NOBODY, and the verdict is set. */
uint32_t lobby_own_table(struct lobby *lobby, struct asking *asking, bool has_id,
                         const ProtobufCBinaryData *id)
{
    uint32_t place = has_id ? lobby_find_table(lobby, id->data, id->len) : NOBODY;
    if (place != NOBODY && lobby_member_of(table_of(lobby, place), asking->player) != NOBODY)
        return place;
    lobby_refuse(asking, VERDICT(NO_SUCH_TABLE));
    return NOBODY;
}

void lobby_on_leave_table(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__LeaveTable *ask = asking->ask->leave_table;
    uint32_t place = lobby_own_table(lobby, asking, ask->has_table, &ask->table);
    if (place != NOBODY)
        lobby_get_up(lobby, place, asking->player, asking->out);
}

void lobby_on_take_seat(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__TakeSeat *ask = asking->ask->take_seat;
    uint32_t place = lobby_own_table(lobby, asking, ask->has_table, &ask->table);
    if (place == NOBODY)
        return;
    struct table *table = touch_table(lobby, place);
    uint32_t      from = lobby_seat_of(table, asking->player);
    uint32_t      to = ask->has_seat ? ask->seat : NOBODY;
    if (table->phase != PHASE(OPEN)) {
        lobby_refuse(asking, VERDICT(BEGUN));
    } else if (lobby_has_desk(lobby, table)) {
        asking->sentence = "Seats are given in the order of registration here.";
        lobby_refuse(asking, VERDICT(RULES));
    } else if (to >= table->seat_count || table->seat[to].player != NOBODY) {
        lobby_refuse(asking, VERDICT(SEAT_TAKEN));
    } else if (from == NOBODY) {
        lobby_join_seat(lobby, asking, place, to);
    } else {
        if (table->seat[to].promised != NOBODY)
            lobby_move_promise(lobby, place, to);
        table->seat[from].player = NOBODY;
        table->seat[to].player = asking->player;
        struct table_event *event = lobby_add_event(lobby, place, EVENT(SEATED));
        event->seat = to;
        event->from = from;
        event->player = asking->player;
        lobby_send_event(lobby, place, event, asking->out);
    }
}

static void remember_invited(struct table *table, uint32_t player)
{
    for (uint32_t i = 0; i < INVITED_MAX; i++)
        if (table->invited[i] == player)
            return;
    for (uint32_t i = INVITED_MAX - 1; i > 0; i--)
        table->invited[i] = table->invited[i - 1];
    table->invited[0] = player;
}

void lobby_on_invite(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__Invite *ask = asking->ask->invite;
    uint32_t place = lobby_own_table(lobby, asking, ask->has_table, &ask->table);
    uint32_t player = lobby_find_name(lobby, ask->name);
    if (place == NOBODY)
        return;
    if (player == NOBODY || player_of(lobby, player)->bot) {
        lobby_refuse(asking, VERDICT(NO_SUCH_PLAYER));
        return;
    }
    remember_invited(touch_table(lobby, place), player);
    struct table_event *event = lobby_add_event(lobby, place, EVENT(INVITED));
    event->player = player;
    event->other = asking->player;
    lobby_send_event(lobby, place, event, asking->out);
    if (lobby_member_of(table_of(lobby, place), player) == NOBODY)
        lobby_send_invitation(lobby, place, event, player, asking->out);
}

void lobby_on_start_table(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__StartTable *ask = asking->ask->start_table;
    uint32_t place = lobby_own_table(lobby, asking, ask->has_table, &ask->table);
    if (place == NOBODY)
        return;
    const struct table *table = table_of(lobby, place);
    if (table->host != asking->player)
        lobby_refuse(asking, VERDICT(NOT_HOST));
    else if (table->phase != PHASE(OPEN))
        lobby_refuse(asking, VERDICT(BEGUN));
    else if (lobby_taken_seats(table) < table->seats_min || lobby_taken_seats(table) == 0)
        lobby_refuse(asking, VERDICT(TOO_FEW));
    else if (!lobby_has_desk(lobby, table))
        lobby_begin_match(lobby, place, asking->out);
    else if (!lobby_desk_start(lobby, place, asking->out))
        lobby_refuse(asking, VERDICT(RULES));
}
