/* lobby_load.c: rows back into records. Pure. */
#include <assert.h>
#include <string.h>

#include "schema/cells.h"
#include "services/lobby/lobby_parts.h"
#include "services/lobby/lobby_rows.h"

/* A row that is read from the left to the right. The store is our own, yet what it says is judged: a
 * number out of its range is nobody's. */
struct reading {
    const struct row *row;
    uint32_t          at;
};

static const struct cell *next_cell(struct reading *row)
{
    static const struct cell nothing;
    return row->at < row->row->count ? &row->row->cells[row->at++] : &nothing;
}

static uint64_t number(struct reading *row)
{
    const struct cell *cell = next_cell(row);
    return cell->kind == CELL_NUMBER ? (uint64_t) cell->number : 0;
}

static uint32_t place(struct reading *row, uint32_t count)
{
    uint64_t value = number(row);
    return value < count ? (uint32_t) value : NOBODY;
}

static void bytes(struct reading *row, void *to, size_t size)
{
    const struct cell *cell = next_cell(row);
    memset(to, 0, size);
    if (cell->size == size && size > 0)
        memcpy(to, cell->bytes, size);
}

static void string(struct reading *row, char *to, size_t capacity)
{
    const struct cell *cell = next_cell(row);
    memset(to, 0, capacity);
    if (cell->size > 0 && cell->size < capacity)
        memcpy(to, cell->bytes, cell->size);
}

static uint32_t numbers(struct reading *row, uint32_t *values, uint32_t max)
{
    const struct cell *cell = next_cell(row);
    return cell_numbers(cell->bytes, cell->size, values, max);
}

static void load_kept(struct reading *row, struct kept *kept)
{
    kept->request = (uint32_t) number(row);
    kept->verdict = (uint32_t) number(row);
    kept->detail = (uint32_t) number(row);
    kept->game = (uint32_t) number(row);
    kept->answer = (uint32_t) number(row);
    bytes(row, kept->id, ID_SIZE);
    kept->number = number(row);
    kept->digest = number(row);
}

static void load_meta(struct lobby *lobby, struct reading *row)
{
    struct meta *meta = meta_of(lobby);
    number(row);
    meta->starts = number(row);
    meta->tables = number(row);
    meta->results = number(row);
    meta->bots = number(row);
    bool is_counted = row->at < row->row->count && row->row->cells[row->at].kind == CELL_NUMBER;
    meta->persons = is_counted ? number(row) : PERSONS_UNKNOWN;
    row->at += !is_counted;
    bytes(row, meta->persons_secret, sizeof meta->persons_secret);
    meta->audits = number(row);
    meta->stop_ms = number(row);
    meta->told = number(row);
    string(row, meta->notice, sizeof meta->notice);
}

static bool load_key(struct lobby *lobby, struct reading *row)
{
    uint32_t at = place(row, lobby->settings.keys_max);
    if (at == NOBODY)
        return false;
    struct key *key = key_of(lobby, at);
    key->used = 1;
    bytes(row, key->key, CALLER_KEY_SIZE);
    key->role = (uint32_t) number(row);
    string(row, key->name, sizeof key->name);
    key->admitted = number(row) != 0;
    key->player = place(row, lobby->settings.players_max);
    load_kept(row, &key->kept);
    key->drained_ms = number(row);
    key->helper = number(row) == lobby_helper_mark(key);
    return true;
}

static bool load_player(struct lobby *lobby, struct reading *row)
{
    uint32_t at = place(row, lobby->settings.players_max);
    if (at == NOBODY)
        return false;
    struct player *player = player_of(lobby, at);
    player->used = 1;
    bytes(row, player->id, ID_SIZE);
    string(row, player->name, sizeof player->name);
    player->bot = number(row) != 0;
    player->guest = number(row) != 0;
    player->banned = number(row) != 0;
    player->until_ms = number(row);
    string(row, player->reason, sizeof player->reason);
    player->key = place(row, lobby->settings.keys_max);
    load_kept(row, &player->kept);
    player->number = (uint32_t) number(row);
    player->seen_ms = number(row);
    player->results_before = number(row);
    player->muted = number(row) != 0;
    player->muted_until_ms = number(row);
    string(row, player->mute_reason, sizeof player->mute_reason);
    string(row, player->avatar, sizeof player->avatar);
    player->table = player->promised = NOBODY;
    return true;
}

static uint32_t find_game(const struct lobby *lobby, const char *name)
{
    for (uint32_t i = 0; i < lobby->settings.game_count; i++)
        if (text_is(name, text_length(name), lobby->settings.games[i].game->name))
            return i;
    return NOBODY;
}

static uint32_t find_setup(const struct lobby *lobby, uint32_t game, const char *name)
{
    for (uint32_t i = 0; game != NOBODY && i < lobby->settings.games[game].setup_count; i++)
        if (text_is(name, text_length(name), lobby->settings.games[game].setups[i].name))
            return i;
    return NOBODY;
}

static void load_options(struct table *table, uint64_t options)
{
    table->is_private = options & 1;
    table->has_seed = options >> 1 & 1;
    table->watchers = options >> 2 & 1;
    table->chat = options >> 3 & 1;
    table->registration = options >> 4 & 1;
    table->hotseat = options >> 5 & 1;
    table->rigged = options >> 6 & 1;
    table->is_shown = options >> 7 & 1;
    table->is_rematch = options >> 9 & 1;
    table->protocol = (options >> 8 & 1) != 0 ? PROTOCOL_NEWEST : 0;
}

static void empty_table(struct table *table)
{
    memset(table, 0, sizeof *table);
    table->used = 1;
    for (uint32_t i = 0; i < SEATS_MAX; i++)
        table->seat[i].player = table->seat[i].promised = NOBODY;
    for (uint32_t i = 0; i < MEMBERS_MAX; i++)
        table->member[i].player = NOBODY;
    for (uint32_t i = 0; i < INVITED_MAX; i++)
        table->invited[i] = NOBODY;
}

/* A table of a game that is not played here any more is none: its rows stay, for the day it is again. */
static bool load_table(struct lobby *lobby, struct reading *row)
{
    char     name[LOBBY_NAME_MAX + 1];
    uint32_t at = place(row, lobby->settings.tables_max);
    if (at == NOBODY)
        return false;
    struct table *table = table_of(lobby, at);
    empty_table(table);
    bytes(row, table->id, ID_SIZE);
    table->serial = number(row);
    table->phase = (uint32_t) number(row);
    string(row, name, sizeof name);
    table->game = find_game(lobby, name);
    string(row, name, sizeof name);
    table->setup = find_setup(lobby, table->game, name);
    string(row, table->title, sizeof table->title);
    table->text = place(row, lobby->settings.texts_max);
    table->seat_count = (uint32_t) number(row);
    table->seats_min = (uint32_t) number(row);
    table->host = place(row, lobby->settings.players_max);
    load_options(table, number(row));
    table->turn_ms = number(row);
    table->seed = number(row);
    string(row, table->code, sizeof table->code);
    table->last_event = number(row);
    table->stage = (uint32_t) number(row);
    bytes(row, table->match_id, ID_SIZE);
    table->match_seats = (uint32_t) number(row);
    table->abort = (uint32_t) number(row);
    table->result = number(row);
    numbers(row, table->invited, INVITED_MAX);
    string(row, table->abort_reason, sizeof table->abort_reason);
    table->patience_ms = number(row);
    if (table->game == NOBODY || table->seat_count > SEATS_MAX || table->match_seats > SEATS_MAX) {
        memset(table, 0, sizeof *table);
        lobby->freed_in[at] = UINT64_MAX;
    }
    return true;
}

/* The table that a row belongs to; NULL: it is not there. */
static struct table *owner(struct lobby *lobby, struct reading *row, uint32_t *at)
{
    *at = place(row, lobby->settings.tables_max);
    return *at == NOBODY || table_of(lobby, *at)->used == 0 ? NULL : table_of(lobby, *at);
}

static void load_text(struct lobby *lobby, struct reading *row)
{
    uint32_t      at;
    struct table *table = owner(lobby, row, &at);
    if (table == NULL || table->text == NOBODY)
        return;
    char              *text = lobby_text_at(lobby, table->text);
    const struct cell *setup = next_cell(row), *options = next_cell(row);
    if (setup->size + options->size > LOBBY_TEXT_MAX)
        return;
    memset(text, 0, LOBBY_TEXT_MAX + 2);
    if (setup->size > 0)
        memcpy(text, setup->bytes, setup->size);
    if (options->size > 0)
        memcpy(text + setup->size + 1, options->bytes, options->size);
    table->setup_size = (uint32_t) setup->size;
    table->options_size = (uint32_t) options->size;
    struct text_owner *taken = record_of(lobby, RECORD_TEXT, table->text);
    taken->tables++;
    taken->setup_size = table->setup_size;
    taken->options_size = table->options_size;
}

static void load_desk(struct lobby *lobby, struct reading *row)
{
    uint32_t      at;
    struct table *table = owner(lobby, row, &at);
    if (table == NULL)
        return;
    const struct cell *state = next_cell(row);
    if (state->size == 0 || state->size > lobby->settings.desk_bytes)
        return;
    memcpy(record_of(lobby, RECORD_DESK, at), state->bytes, state->size);
    table->desk_size = (uint32_t) state->size;
}

static void load_seat(struct lobby *lobby, struct reading *row)
{
    uint32_t      at;
    struct table *table = owner(lobby, row, &at);
    uint32_t      which = place(row, SEATS_MAX);
    if (table == NULL || which == NOBODY)
        return;
    struct seat *seat = &table->seat[which];
    seat->player = place(row, lobby->settings.players_max);
    seat->generation = (uint32_t) number(row);
    seat->vacant = number(row) != 0;
    seat->changing = number(row) != 0;
    seat->promised = place(row, lobby->settings.players_max);
    seat->policy = (uint32_t) number(row);
    seat->number = (uint32_t) number(row);
}

static void load_member(struct lobby *lobby, struct reading *row)
{
    uint32_t      at;
    struct table *table = owner(lobby, row, &at);
    uint32_t      which = place(row, MEMBERS_MAX);
    if (table == NULL || which == NOBODY)
        return;
    struct member *member = &table->member[which];
    member->player = place(row, lobby->settings.players_max);
    member->muted = number(row) != 0;
    member->rematch = number(row) != 0;
    member->mutes = (uint32_t) number(row);
    member->since = number(row);
}

static void load_vote(struct lobby *lobby, struct reading *row)
{
    uint32_t      at;
    struct table *table = owner(lobby, row, &at);
    uint32_t      seat = place(row, SEATS_MAX), voter = place(row, SEATS_MAX);
    if (table == NULL || seat == NOBODY || voter == NOBODY)
        return;
    table->ballot[seat][voter].choice = (uint32_t) number(row);
    table->ballot[seat][voter].friend_player = place(row, lobby->settings.players_max);
}

/* How many are kept may have changed since, so each goes where its number belongs today. */
static void load_event(struct lobby *lobby, struct reading *row)
{
    uint32_t            at, kept = lobby->settings.events_kept;
    const struct table *table = owner(lobby, row, &at);
    number(row);
    struct table_event read = { .number = number(row) };
    if (table == NULL || read.number == 0 || read.number + kept <= table->last_event ||
        read.number > table->last_event)
        return;
    read.kind = (uint32_t) number(row);
    read.to = (uint32_t) number(row);
    read.seat = (uint32_t) number(row);
    read.from = (uint32_t) number(row);
    read.player = place(row, lobby->settings.players_max);
    read.other = place(row, lobby->settings.players_max);
    read.choice = (uint32_t) number(row);
    read.with_setup = number(row) != 0;
    read.figure = number(row);
    if (number(row) != table->serial)
        return; /* Of another table that stood at this place.                                      */
    const struct cell *text = next_cell(row);
    read.size = text->size <= EVENT_TEXT_MAX ? (uint32_t) text->size : 0;
    if (read.size > 0)
        memcpy(read.text, text->bytes, read.size);
    memcpy(record_of(lobby, RECORD_EVENT, at * kept + (uint32_t) (read.number % kept)), &read,
           sizeof read);
}

static void load_result(struct lobby *lobby, struct reading *row)
{
    char          name[LOBBY_NAME_MAX + 1];
    struct result read = { .number = number(row) };
    uint32_t      outcome[SEATS_MAX] = { 0 };
    bytes(row, read.match_id, ID_SIZE);
    string(row, name, sizeof name);
    read.game = find_game(lobby, name);
    string(row, name, sizeof name);
    read.setup = find_setup(lobby, read.game, name);
    read.aborted = number(row) != 0;
    read.over_ms = number(row);
    read.seats = numbers(row, read.player, SEATS_MAX);
    numbers(row, outcome, SEATS_MAX);
    read.chance = (uint32_t) number(row);
    for (uint32_t i = 0; i < SEATS_MAX; i++) {
        read.outcome[i] = (int32_t) outcome[i];
        if (i < read.seats && read.player[i] >= lobby->settings.players_max)
            read.player[i] = NOBODY;
    }
    if (read.number == 0 || read.game == NOBODY)
        return;
    uint32_t at = (uint32_t) (read.number % lobby->settings.results_max);
    memcpy(record_of(lobby, RECORD_RESULT, at), &read, sizeof read);
}

/* Of a game that is not played here any more: no engine would take it. */
static bool load_person(struct lobby *lobby, struct reading *row)
{
    char     name[LOBBY_NAME_MAX + 1];
    uint32_t at = place(row, lobby->settings.persons_max);
    if (at == NOBODY)
        return false;
    struct registrant read = { .number = (uint32_t) number(row) };
    read.player = place(row, lobby->settings.players_max);
    string(row, name, sizeof name);
    read.game = find_game(lobby, name);
    string(row, read.text, sizeof read.text);
    read.size = (uint32_t) text_length(read.text);
    if (read.player != NOBODY && read.game != NOBODY)
        memcpy(registrant_of(lobby, at), &read, sizeof read);
    return true;
}

static void load_audited(struct lobby *lobby, struct reading *row)
{
    struct audited read = { .number = number(row) };
    read.at_ms = number(row);
    read.deed = (uint32_t) number(row);
    read.undone = number(row) != 0;
    read.verdict = (uint32_t) number(row);
    read.helper = number(row) != 0;
    bytes(row, read.key, sizeof read.key);
    string(row, read.name, sizeof read.name);
    string(row, read.token, sizeof read.token);
    const struct cell *target = next_cell(row);
    read.target_size = target->size <= sizeof read.target ? (uint32_t) target->size : 0;
    if (read.target_size > 0)
        memcpy(read.target, target->bytes, read.target_size);
    read.until_ms = number(row);
    string(row, read.text, sizeof read.text);
    string(row, read.reason, sizeof read.reason);
    if (read.number == 0)
        return;
    uint32_t at = (uint32_t) (read.number % lobby->settings.audit_max);
    memcpy(record_of(lobby, RECORD_AUDIT, at), &read, sizeof read);
}

bool lobby_rows_load(struct lobby *lobby, uint32_t table, const struct row *row)
{
    struct reading reading = { .row = row };
    switch (table) {
    case LOBBY_META: load_meta(lobby, &reading); return true;
    case LOBBY_KEYS: return load_key(lobby, &reading);
    case LOBBY_PLAYERS: return load_player(lobby, &reading);
    case LOBBY_TABLES: return load_table(lobby, &reading);
    case LOBBY_TEXTS: load_text(lobby, &reading); return true;
    case LOBBY_DESKS: load_desk(lobby, &reading); return true;
    case LOBBY_SEATS: load_seat(lobby, &reading); return true;
    case LOBBY_MEMBERS: load_member(lobby, &reading); return true;
    case LOBBY_VOTES: load_vote(lobby, &reading); return true;
    case LOBBY_EVENTS: load_event(lobby, &reading); return true;
    case LOBBY_RESULTS: load_result(lobby, &reading); return true;
    case LOBBY_PERSONS: return load_person(lobby, &reading);
    case LOBBY_AUDIT: load_audited(lobby, &reading); return true;
    default: return true;
    }
}

/* All of each table; of results and deeds, what is in reach, the newest first. */
void lobby_rows_read(struct lobby *lobby, struct outbox *out)
{
    for (uint32_t table = 0; table < LOBBY_TABLES_COUNT; table++) {
        struct query query = { .tag = table, .table = table };
        if (table == LOBBY_RESULTS) {
            query.descending = true;
            query.limit = lobby->settings.results_max;
        }
        if (table == LOBBY_AUDIT) {
            query.descending = true;
            query.limit = lobby->settings.audit_max;
        }
        outbox_read(out, &query);
    }
    lobby->reads_left = LOBBY_TABLES_COUNT;
}
