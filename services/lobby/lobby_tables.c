/* lobby_tables.c: tables are opened, found, watched and closed. Pure. */
#include <assert.h>
#include <string.h>

#include "services/lobby/lobby_parts.h"

#define TABLES_LISTED 50u
/* What a list may become on its way: a table is about so large, and each seat and player. */
#define LIST_BYTES (56u << 10)
#define TABLE_BYTES 460u
#define SEAT_BYTES 100u

static uint32_t free_table(const struct lobby *lobby)
{
    for (uint32_t i = 0; i < lobby->settings.tables_max; i++)
        if (!table_of(lobby, i)->used && lobby->freed_in[i] <= lobby->batch)
            return i;
    return NOBODY;
}

static bool needs_text(const Arbiter__Lobby__CreateTable *ask)
{
    return ask->setup != NULL || ask->options != NULL;
}

static uint32_t size_of(const char *text)
{
    return text == NULL ? 0 : (uint32_t) text_length(text);
}

static bool is_text(const struct lobby *lobby, uint32_t at, const Arbiter__Lobby__CreateTable *ask)
{
    const struct text_owner *owner = record_of(lobby, RECORD_TEXT, at);
    const char              *text = lobby_text_at(lobby, at);
    uint32_t                 setup = size_of(ask->setup), options = size_of(ask->options);
    return owner->tables > 0 && owner->setup_size == setup && owner->options_size == options &&
           (setup == 0 || memcmp(text, ask->setup, setup) == 0) &&
           (options == 0 || memcmp(text + setup + 1, ask->options, options) == 0);
}

/* Where the ask's text stands already, for many tables may play by one, or else a free place; NOBODY: there is none. */
static uint32_t place_of_text(const struct lobby *lobby, const Arbiter__Lobby__CreateTable *ask)
{
    uint32_t found = NOBODY;
    for (uint32_t i = 0; i < lobby->settings.texts_max; i++) {
        const struct text_owner *owner = record_of(lobby, RECORD_TEXT, i);
        if (is_text(lobby, i, ask))
            return i;
        if (found == NOBODY && owner->tables == 0 && owner->freed_in <= lobby->batch)
            found = i;
    }
    return found;
}

/* Five bits of entropy a letter, none of which looks like another one. */
static void make_code(const struct lobby *lobby, char code[CODE_SIZE + 1])
{
    static const char letters[] = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    for (uint32_t i = 0; i < CODE_SIZE; i++)
        code[i] = letters[lobby->entropy[ENTROPY_SIZE - 1 - i] & 31];
    code[CODE_SIZE] = '\0';
}

/* A set-up of one's own, and options beside a named one, are copied to where they can stay. */
static void take_text(struct lobby *lobby, uint32_t place, uint32_t at,
                      const Arbiter__Lobby__CreateTable *ask, struct outbox *out)
{
    struct table      *table = touch_table(lobby, place);
    struct text_owner *owner = lobby_touch(lobby, RECORD_TEXT, at);
    char              *text = lobby_text_at(lobby, at);
    table->text = at;
    owner->setup_size = table->setup_size = size_of(ask->setup);
    owner->options_size = table->options_size = size_of(ask->options);
    assert(table->setup_size + table->options_size <= LOBBY_TEXT_MAX);
    if (owner->tables++ == 0) {
        memset(text, 0, LOBBY_TEXT_MAX + 2);
        if (table->setup_size > 0)
            memcpy(text, ask->setup, table->setup_size);
        if (table->options_size > 0)
            memcpy(text + table->setup_size + 1, ask->options, table->options_size);
    }
    lobby_rows_write_text(lobby, place, out);
}

static void fill_in(struct table *table, const Arbiter__Lobby__CreateTable *ask)
{
    table->is_private = ask->has_private_table && ask->private_table;
    table->is_shown = table->is_private && ask->has_shown && ask->shown;
    table->turn_ms = ask->has_turn_ms ? ask->turn_ms : 0;
    table->has_seed = ask->has_seed != 0;
    table->seed = ask->has_seed ? (uint64_t) ask->seed : 0;
    table->watchers = !ask->has_spectators || ask->spectators;
    table->chat = !ask->has_chat || ask->chat;
    table->registration = ask->has_registration && ask->registration;
    table->hotseat = ask->has_hotseat && ask->hotseat;
    for (uint32_t i = 0; i < SEATS_MAX; i++)
        table->seat[i].player = table->seat[i].promised = NOBODY;
    for (uint32_t i = 0; i < MEMBERS_MAX; i++)
        table->member[i].player = NOBODY;
    for (uint32_t i = 0; i < INVITED_MAX; i++)
        table->invited[i] = NOBODY;
}

/* Opens the table that was judged. NOBODY: there is no room. */
static uint32_t open_table(struct lobby *lobby, struct asking *asking, const struct table *judged,
                           const Arbiter__Lobby__CreateTable *ask)
{
    uint32_t place = free_table(lobby), text = needs_text(ask) ? place_of_text(lobby, ask) : 0;
    if (place == NOBODY || text == NOBODY)
        return NOBODY;
    struct meta  *meta = lobby_touch(lobby, RECORD_META, 0);
    struct table *table = touch_table(lobby, place);
    *table = *judged;
    fill_in(table, ask);
    table->used = 1;
    table->serial = ++meta->tables;
    table->phase = PHASE(OPEN);
    table->host = asking->player;
    lobby_draw_id(lobby, table->id);
    make_code(lobby, table->code);
    if (needs_text(ask))
        take_text(lobby, place, text, ask, asking->out);
    lobby->compiled_for =
        table->serial; /* It was compiled to be judged.                          */
    lobby_remember_table(lobby, place);
    lobby_clock_begin(lobby, place);
    if (game_of(lobby, table)->game->registration != NULL)
        lobby_desk_open(lobby, place);
    return place;
}

/* A player has one seat: who holds one in a table that is open or played takes no other. */
static bool is_free(const struct lobby *lobby, const struct asking *asking)
{
    return player_of(lobby, asking->player)->table == NOBODY;
}

static void create(struct lobby *lobby, struct asking *asking,
                   const Arbiter__Lobby__CreateTable *ask)
{
    struct table judged;
    bool         is_seated =
        (!ask->has_seated || ask->seated) && !(ask->has_registration && ask->registration);
    memset(&judged, 0, sizeof judged);
    if (is_seated && !is_free(lobby, asking)) {
        lobby_refuse(asking, VERDICT(SEATED_ELSEWHERE));
        return;
    }
    if (!lobby_setup_judge(lobby, asking, &judged))
        return;
    if (!lobby_source_may(lobby, asking, TAKEN_TABLE))
        return;
    uint32_t place =
        lobby_tables_make_way(lobby, asking) ? open_table(lobby, asking, &judged, ask) : NOBODY;
    if (place == NOBODY || lobby_add_member(lobby, place, asking->player) == NOBODY) {
        if (place != NOBODY)
            lobby_close_table(lobby, place, "", asking->out);
        lobby_refuse(asking, VERDICT(LOBBY_FULL));
        return;
    }
    lobby_send_event(lobby, place, lobby_add_event(lobby, place, EVENT(OPENED)), asking->out);
    asking->answer = ANSWER(TABLE);
    asking->table = place;
    if (is_seated && !lobby_join_seat(lobby, asking, place, 0))
        lobby_close_table(lobby, place, "The registration refused its host.", asking->out);
}

void lobby_on_create_table(struct lobby *lobby, struct asking *asking)
{
    create(lobby, asking, asking->ask->create_table);
}

static bool is_open_for_all(const struct table *table)
{
    return table->used && table->phase == PHASE(OPEN) && !table->is_private;
}

static bool fits(const struct lobby *lobby, const struct table *table,
                 const Arbiter__Lobby__QuickPlay *ask)
{
    const struct lobby_game *game = game_of(lobby, table);
    if (!is_open_for_all(table) || table->registration || table->rigged || ask->game == NULL ||
        !text_is(ask->game, text_length(ask->game), game->game->name) ||
        lobby_taken_seats(table) >= table->seat_count ||
        (ask->has_turn_ms && ask->turn_ms != table->turn_ms))
        return false;
    return ask->setup_name == NULL ||
           (table->setup != NOBODY && text_is(ask->setup_name, text_length(ask->setup_name),
                                              game->setups[table->setup].name));
}

/* The fullest table that fits, so that people meet instead of each waiting alone. */
void lobby_on_quick_play(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__QuickPlay *ask = asking->ask->quick_play;
    uint32_t                         best = NOBODY;
    if (!is_free(lobby, asking)) {
        lobby_refuse(asking, VERDICT(SEATED_ELSEWHERE));
        return;
    }
    for (uint32_t i = 0; i < lobby->settings.tables_max; i++)
        if (fits(lobby, table_of(lobby, i), ask) &&
            (best == NOBODY ||
             lobby_taken_seats(table_of(lobby, i)) > lobby_taken_seats(table_of(lobby, best))))
            best = i;
    if (best != NOBODY) {
        asking->table = best;
        asking->answer = ANSWER(TABLE);
        lobby_join_seat(lobby, asking, best, NOBODY);
        return;
    }
    Arbiter__Lobby__Ask         whole = *asking->ask;
    Arbiter__Lobby__CreateTable opening = ARBITER__LOBBY__CREATE_TABLE__INIT;
    const Arbiter__Lobby__Ask  *asked = asking->ask;
    opening.game = ask->game;
    opening.setup_name = ask->setup_name;
    opening.has_turn_ms = ask->has_turn_ms;
    opening.turn_ms = ask->turn_ms;
    whole.create_table = &opening;
    asking->ask = &whole;
    create(lobby, asking, &opening);
    asking->ask = asked;
}

static bool is_invited(const struct table *table, uint32_t player)
{
    for (uint32_t i = 0; i < INVITED_MAX && player != NOBODY; i++)
        if (table->invited[i] == player)
            return true;
    for (uint32_t i = 0; i < table->seat_count && player != NOBODY; i++)
        if (table->seat[i].promised == player || table->seat[i].player == player)
            return true;
    return false;
}

uint32_t lobby_table_asked(struct lobby *lobby, struct asking *asking, bool has_id,
                           const ProtobufCBinaryData *id, const char *code)
{
    uint32_t place =
        has_id ? lobby_find_table(lobby, id->data, id->len) : lobby_find_code(lobby, code);
    if (place == NOBODY) {
        lobby_refuse(asking,
                     !has_id && code != NULL ? VERDICT(WRONG_CODE) : VERDICT(NO_SUCH_TABLE));
        return NOBODY;
    }
    const struct table *table = table_of(lobby, place);
    bool knows = !table->is_private || lobby_member_of(table, asking->player) != NOBODY ||
                 is_invited(table, asking->player);
    if (!knows && !(code != NULL && text_is(code, text_length(code), table->code))) {
        lobby_refuse(asking, VERDICT(WRONG_CODE));
        return NOBODY;
    }
    return place;
}

static bool is_listed(const struct lobby *lobby, const struct table *table,
                      const struct asking *asking)
{
    const Arbiter__Lobby__ListTables *ask = asking->ask->list_tables;
    const char                       *game = game_of(lobby, table)->game->name;
    bool                              is_begun = table->phase != PHASE(OPEN);
    bool is_named = ask->code != NULL && text_is(ask->code, text_length(ask->code), table->code);
    bool sees_all = ask->has_all && ask->all && lobby_rank_of(lobby, asking) != RANK_NONE;
    bool knows = is_named || sees_all || !table->is_private || (table->is_shown && is_begun) ||
                 (asking->player != NOBODY && (lobby_member_of(table, asking->player) != NOBODY ||
                                               is_invited(table, asking->player)));
    return knows && (is_named || ask->code == NULL) &&
           (!ask->has_phase || ask->phase == table->phase) &&
           (ask->game == NULL || text_is(ask->game, text_length(ask->game), game));
}

/* The newest tables before this serial that are to be shown, the newest first, in one pass; returns how many. */
static uint32_t newest_before(const struct lobby *lobby, const struct asking *asking,
                              uint64_t before, uint32_t found[TABLES_LISTED + 1])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lobby->settings.tables_max; i++) {
        const struct table *table = table_of(lobby, i);
        uint32_t            at = count;
        if (!table->used || table->serial >= before ||
            (count > TABLES_LISTED && table->serial < table_of(lobby, found[count - 1])->serial) ||
            !is_listed(lobby, table, asking))
            continue;
        while (at > 0 && table->serial > table_of(lobby, found[at - 1])->serial)
            at--;
        count += count <= TABLES_LISTED;
        memmove(found + at + 1, found + at, (count - 1 - at) * sizeof *found);
        found[at] = i;
    }
    return count;
}

static void add_table(const struct lobby *lobby, struct asking *asking, uint32_t place,
                      Arbiter__Lobby__Tables *tables)
{
    tables->tables[tables->n_tables++] =
        lobby_table_message(lobby, place, asking->player, false, asking->out);
}

void lobby_on_list_tables(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__ListTables *ask = asking->ask->list_tables;
    uint32_t limit = ask->has_limit && ask->limit < TABLES_LISTED ? ask->limit : TABLES_LISTED;
    uint64_t before = UINT64_MAX;
    uint32_t room = LIST_BYTES;
    Arbiter__Lobby__Tables *tables = MAKE(asking->out, lobby, tables);
    tables->tables = outbox_take(asking->out, TABLES_LISTED * sizeof tables->tables[0]);
    uint32_t after =
        ask->has_after ? lobby_find_table(lobby, ask->after.data, ask->after.len) : NOBODY;
    if (after != NOBODY)
        before = table_of(lobby, after)->serial;
    uint32_t found[TABLES_LISTED + 1], count = newest_before(lobby, asking, before, found);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bytes = TABLE_BYTES + SEAT_BYTES * table_of(lobby, found[i])->seat_count;
        if (tables->n_tables == limit || bytes > room) {
            SET(tables, more, true);
            break;
        }
        add_table(lobby, asking, found[i], tables);
        room -= bytes;
    }
    if (asking->event->header.version >= PROTOCOL_NEWEST)
        tables->announced = lobby_notice_message(lobby, asking->out);
    asking->answer = ANSWER(TABLES);
    asking->list = tables;
}

/* Where the player holds a seat: the one they sit on, and those they left and may still come back
 * to. A player who missed the answer to an ask that seated them has no other way to find it. A
 * gateway that began anew asks for its player, and wants the table of a match that is over, too. */
void lobby_on_rejoin(struct lobby *lobby, struct asking *asking)
{
    uint32_t                room = LIST_BYTES;
    Arbiter__Lobby__Tables *tables = MAKE(asking->out, lobby, tables);
    tables->tables = outbox_take(asking->out, TABLES_LISTED * sizeof tables->tables[0]);
    for (uint32_t i = 0; i < lobby->settings.tables_max; i++) {
        const struct table *table = table_of(lobby, i);
        bool                holds = false;
        for (uint32_t k = 0; k < table->seat_count && table->used; k++)
            holds = holds || table->seat[k].player == asking->player;
        uint32_t bytes = TABLE_BYTES + SEAT_BYTES * table->seat_count;
        bool     is_there = table->phase == PHASE(OPEN) || table->phase == PHASE(PLAYING) ||
                        asking->event->caller.role == ROLE(GATEWAY);
        if (!holds || !is_there || bytes > room || tables->n_tables == TABLES_LISTED)
            continue;
        add_table(lobby, asking, i, tables);
        room -= bytes;
    }
    asking->answer = ANSWER(TABLES);
    asking->list = tables;
}

void lobby_on_spectate(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__Spectate *ask = asking->ask->spectate;
    uint32_t place = lobby_table_asked(lobby, asking, ask->has_table, &ask->table, ask->code);
    if (place == NOBODY)
        return;
    const struct table *table = table_of(lobby, place);
    if (lobby_member_of(table, asking->player) == NOBODY) {
        if (!table->watchers) {
            lobby_refuse(asking, VERDICT(NOT_ALLOWED));
            return;
        }
        if (lobby_add_member(lobby, place, asking->player) == NOBODY) {
            lobby_refuse(asking, VERDICT(TABLE_FULL));
            return;
        }
    }
    asking->answer = ANSWER(TABLE);
    asking->table = place;
}

/* Everybody there is told, then it is no more; its place is used again only by a later batch. */
void lobby_close_table(struct lobby *lobby, uint32_t place, const char *sentence,
                       struct outbox *out)
{
    struct table_event *event = lobby_add_event(lobby, place, EVENT(TABLE_CLOSED));
    struct table       *table = touch_table(lobby, place);
    event->size = (uint32_t) text_length(sentence);
    event->size = event->size < EVENT_TEXT_MAX ? event->size : EVENT_TEXT_MAX;
    memcpy(event->text, sentence, event->size);
    lobby_send_event(lobby, place, event, out);
    for (uint32_t i = 0; i < table->seat_count; i++) {
        uint32_t player = table->seat[i].player;
        lobby_withdraw_promise(lobby, place, i);
        if (player != NOBODY && player_of(lobby, player)->table == place)
            touch_player(lobby, player)->table = NOBODY;
    }
    for (uint32_t i = 0; i < MEMBERS_MAX; i++)
        if (table->member[i].player != NOBODY)
            touch_player(lobby, table->member[i].player)->at_tables--;
    if (table->text != NOBODY) {
        struct text_owner *owner = lobby_touch(lobby, RECORD_TEXT, table->text);
        lobby->texts_left += --owner->tables == 0;
        owner->freed_in = lobby->batch + 1;
    }
    memset(lobby_touch(lobby, RECORD_DESK, place), 0, lobby->settings.desk_bytes);
    lobby->freed_in[place] = lobby->batch + 1;
    table->used = 0;
    lobby->tables_left++;
}
