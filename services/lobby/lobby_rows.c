/* lobby_rows.c: what is written. Pure. (How it is read again: lobby_load.c.) */
#include "services/lobby/lobby_rows.h"
#include "services/lobby/lobby_parts.h"

#include <assert.h>
#include <string.h>

#include "schema/cells.h"

/* A row that is filled in from the left to the right. */
struct filling {
    struct outbox *out;
    struct row    *row;
    uint32_t       at;
};

static struct filling begin_row(struct outbox *out, enum row_op op, enum lobby_table table)
{
    uint32_t count = op == ROW_DELETE ? lobby_schema.tables[table].key_count
                                      : lobby_schema.tables[table].column_count;
    return (struct filling){ .out = out, .row = outbox_row(out, op, table, count) };
}

static void number(struct filling *row, uint64_t value)
{
    row_number(row->row, row->at++, value);
}

static void bytes(struct filling *row, const void *value, size_t size)
{
    cell_put_bytes(row->row, row->at++, value, size, row->out);
}

static void string(struct filling *row, const char *value)
{
    cell_put_text(row->row, row->at++, value, row->out);
}

static void numbers(struct filling *row, const uint32_t *values, uint32_t count)
{
    cell_put_numbers(row->row, row->at++, values, count, row->out);
}

static void write_kept(struct filling *row, const struct kept *kept)
{
    number(row, kept->request);
    number(row, kept->verdict);
    number(row, kept->detail);
    number(row, kept->game);
    number(row, kept->answer);
    bytes(row, kept->id, ID_SIZE);
    number(row, kept->number);
    number(row, kept->digest);
}

static void write_meta(const struct meta *meta, struct outbox *out)
{
    struct filling row = begin_row(out, ROW_PUT, LOBBY_META);
    number(&row, 0);
    number(&row, meta->starts);
    number(&row, meta->tables);
    number(&row, meta->results);
    number(&row, meta->bots);
    number(&row, meta->persons);
    bytes(&row, meta->persons_secret, sizeof meta->persons_secret);
    number(&row, meta->audits);
    number(&row, meta->stop_ms);
    number(&row, meta->told);
    string(&row, meta->notice);
}

uint64_t lobby_helper_mark(const struct key *key)
{
    uint64_t mark = 1;
    for (uint32_t i = 0; i < 7; i++)
        mark = mark << 8 | key->key[i];
    return mark;
}

static void write_key(const struct key *key, uint32_t place, struct outbox *out)
{
    struct filling row = begin_row(out, ROW_PUT, LOBBY_KEYS);
    number(&row, place);
    bytes(&row, key->key, CALLER_KEY_SIZE);
    number(&row, key->role);
    string(&row, key->name);
    number(&row, key->admitted);
    number(&row, key->player);
    write_kept(&row, &key->kept);
    number(&row, key->drained_ms);
    number(&row, key->helper ? lobby_helper_mark(key) : 0);
}

static void remove_row(enum lobby_table table, const uint64_t key[3], struct outbox *out)
{
    struct filling row = begin_row(out, ROW_DELETE, table);
    uint32_t       count = lobby_schema.tables[table].key_count;
    assert(count <= 3);
    for (uint32_t i = 0; i < count; i++)
        number(&row, key[i]);
}

static void write_player(const struct player *player, uint32_t place, struct outbox *out)
{
    if (!player->used) {
        remove_row(LOBBY_PLAYERS, (uint64_t[3]){ place }, out);
        return;
    }
    struct filling row = begin_row(out, ROW_PUT, LOBBY_PLAYERS);
    number(&row, place);
    bytes(&row, player->id, ID_SIZE);
    string(&row, player->name);
    number(&row, player->bot);
    number(&row, player->guest);
    number(&row, player->banned);
    number(&row, player->until_ms);
    string(&row, player->reason);
    number(&row, player->key);
    write_kept(&row, &player->kept);
    number(&row, player->number);
    number(&row, player->seen_ms);
    number(&row, player->results_before);
    number(&row, player->muted);
    number(&row, player->muted_until_ms);
    string(&row, player->mute_reason);
    string(&row, player->avatar);
}

static uint64_t options_of(const struct table *table)
{
    return table->is_private | table->has_seed << 1 | table->watchers << 2 | table->chat << 3 |
           table->registration << 4 | table->hotseat << 5 | table->rigged << 6 |
           table->is_shown << 7 | (table->protocol != 0 ? 1u << 8 : 0) | table->is_rematch << 9;
}

static void write_head(const struct lobby *lobby, const struct table *table, uint32_t place,
                       struct outbox *out)
{
    const struct lobby_game *game = game_of(lobby, table);
    struct filling           row = begin_row(out, ROW_PUT, LOBBY_TABLES);
    number(&row, place);
    bytes(&row, table->id, ID_SIZE);
    number(&row, table->serial);
    number(&row, table->phase);
    string(&row, game->game->name);
    string(&row, table->setup == NOBODY ? "" : game->setups[table->setup].name);
    string(&row, table->title);
    number(&row, table->text);
    number(&row, table->seat_count);
    number(&row, table->seats_min);
    number(&row, table->host);
    number(&row, options_of(table));
    number(&row, table->turn_ms);
    number(&row, table->seed);
    string(&row, table->code);
    number(&row, table->last_event);
    number(&row, table->stage);
    bytes(&row, table->match_id, ID_SIZE);
    number(&row, table->match_seats);
    number(&row, table->abort);
    number(&row, table->result);
    numbers(&row, table->invited, INVITED_MAX);
    string(&row, table->abort_reason);
    number(&row, table->patience_ms);
}

static void write_seat(const struct seat *seat, uint32_t place, uint32_t at, struct outbox *out)
{
    struct filling row = begin_row(out, ROW_PUT, LOBBY_SEATS);
    number(&row, place);
    number(&row, at);
    number(&row, seat->player);
    number(&row, seat->generation);
    number(&row, seat->vacant);
    number(&row, seat->changing);
    number(&row, seat->promised);
    number(&row, seat->policy);
    number(&row, seat->number);
}

static void write_member(const struct member *member, uint32_t place, uint32_t at,
                         struct outbox *out)
{
    if (member->player == NOBODY) {
        remove_row(LOBBY_MEMBERS, (uint64_t[3]){ place, at }, out);
        return;
    }
    struct filling row = begin_row(out, ROW_PUT, LOBBY_MEMBERS);
    number(&row, place);
    number(&row, at);
    number(&row, member->player);
    number(&row, member->muted);
    number(&row, member->rematch);
    number(&row, member->mutes);
    number(&row, member->since);
}

static void write_ballot(const struct ballot *ballot, const uint64_t key[3], struct outbox *out)
{
    if (ballot->choice == 0) {
        remove_row(LOBBY_VOTES, key, out);
        return;
    }
    struct filling row = begin_row(out, ROW_PUT, LOBBY_VOTES);
    for (uint32_t i = 0; i < 3; i++)
        number(&row, key[i]);
    number(&row, ballot->choice);
    number(&row, ballot->friend_player);
}

static void write_ballots(const struct table *table, const struct table *old, uint32_t place,
                          bool all, struct outbox *out)
{
    for (uint32_t seat = 0; seat < SEATS_MAX; seat++)
        for (uint32_t voter = 0; voter < SEATS_MAX; voter++) {
            const struct ballot *ballot = &table->ballot[seat][voter];
            bool differs = memcmp(ballot, &old->ballot[seat][voter], sizeof *ballot) != 0;
            if (all ? ballot->choice != 0 : differs)
                write_ballot(ballot, (uint64_t[3]){ place, seat, voter }, out);
        }
}

/* A table that is no more takes everything at it along. */
static void remove_table(const struct lobby *lobby, const struct table *old, uint32_t place,
                         struct outbox *out)
{
    uint64_t kept = lobby->settings.events_kept;
    uint64_t key[3] = { place, 0, 0 };
    remove_row(LOBBY_TABLES, key, out);
    remove_row(LOBBY_TEXTS, key, out);
    remove_row(LOBBY_DESKS, key, out);
    for (key[1] = 0; key[1] < SEATS_MAX; key[1]++)
        if (key[1] < old->seat_count)
            remove_row(LOBBY_SEATS, key, out);
    for (key[1] = 0; key[1] < MEMBERS_MAX; key[1]++)
        if (old->member[key[1]].player != NOBODY)
            remove_row(LOBBY_MEMBERS, key, out);
    for (key[1] = 0; key[1] < SEATS_MAX; key[1]++)
        for (key[2] = 0; key[2] < SEATS_MAX; key[2]++)
            if (old->ballot[key[1]][key[2]].choice != 0)
                remove_row(LOBBY_VOTES, key, out);
    for (key[1] = 0; key[1] < kept && key[1] <= old->last_event; key[1]++)
        remove_row(LOBBY_EVENTS, key, out);
}

static void write_desk(const struct lobby *lobby, uint32_t place, struct outbox *out)
{
    const struct table *table = table_of(lobby, place);
    if (table->used == 0 || table->desk_size == 0)
        return;
    struct filling row = begin_row(out, ROW_PUT, LOBBY_DESKS);
    number(&row, place);
    bytes(&row, record_of(lobby, RECORD_DESK, place), table->desk_size);
}

/* A new table (`all`) writes all it has, an old one what is not as it was. */
static void write_table(const struct lobby *lobby, const struct table *table,
                        const struct table *old, uint32_t place, struct outbox *out)
{
    bool all = old->used == 0;
    if (table->used == 0) {
        if (!all)
            remove_table(lobby, old, place, out);
        return;
    }
    if (all || memcmp(table, old, offsetof(struct table, seat)) != 0)
        write_head(lobby, table, place, out);
    if (all ||
        table->desk_size != old->desk_size) /* A fresh state may be no other bytes than the last. */
        write_desk(lobby, place, out);
    for (uint32_t i = 0; i < table->seat_count; i++)
        if (all || memcmp(&table->seat[i], &old->seat[i], sizeof table->seat[i]) != 0)
            write_seat(&table->seat[i], place, i, out);
    for (uint32_t i = 0; i < MEMBERS_MAX; i++) {
        bool differs = memcmp(&table->member[i], &old->member[i], sizeof table->member[i]) != 0;
        if (all ? table->member[i].player != NOBODY : differs)
            write_member(&table->member[i], place, i, out);
    }
    write_ballots(table, old, place, all, out);
}

static void write_event(const struct lobby *lobby, const struct table_event *event, uint32_t place,
                        struct outbox *out)
{
    uint32_t kept = lobby->settings.events_kept;
    if (table_of(lobby, place / kept)->used == 0)
        return;
    struct filling row = begin_row(out, ROW_PUT, LOBBY_EVENTS);
    number(&row, place / kept);
    number(&row, place % kept);
    number(&row, event->number);
    number(&row, event->kind);
    number(&row, event->to);
    number(&row, event->seat);
    number(&row, event->from);
    number(&row, event->player);
    number(&row, event->other);
    number(&row, event->choice);
    number(&row, event->with_setup);
    number(&row, event->figure);
    number(&row, table_of(lobby, place / kept)->serial);
    bytes(&row, event->text, event->size);
}

static void write_result(const struct lobby *lobby, const struct result *result, struct outbox *out)
{
    const struct lobby_game *game = &lobby->settings.games[result->game];
    struct filling           row = begin_row(out, ROW_PUT, LOBBY_RESULTS);
    uint32_t                 outcome[SEATS_MAX];
    for (uint32_t i = 0; i < result->seats; i++)
        outcome[i] = (uint32_t) result->outcome[i];
    number(&row, result->number);
    bytes(&row, result->match_id, ID_SIZE);
    string(&row, game->game->name);
    string(&row, result->setup == NOBODY ? "" : game->setups[result->setup].name);
    number(&row, result->aborted);
    number(&row, result->over_ms);
    numbers(&row, result->player, result->seats);
    numbers(&row, outcome, result->seats);
    number(&row, result->chance);
}

static void write_person(const struct lobby *lobby, const struct registrant *person, uint32_t place,
                         struct outbox *out)
{
    if (person->number == 0) {
        remove_row(LOBBY_PERSONS, (uint64_t[3]){ place }, out);
        return;
    }
    struct filling row = begin_row(out, ROW_PUT, LOBBY_PERSONS);
    number(&row, place);
    number(&row, person->number);
    number(&row, person->player);
    string(&row, lobby->settings.games[person->game].game->name);
    string(&row, person->text);
}

static void write_audited(const struct audited *audited, struct outbox *out)
{
    struct filling row = begin_row(out, ROW_PUT, LOBBY_AUDIT);
    number(&row, audited->number);
    number(&row, audited->at_ms);
    number(&row, audited->deed);
    number(&row, audited->undone);
    number(&row, audited->verdict);
    number(&row, audited->helper);
    bytes(&row, audited->key, sizeof audited->key);
    string(&row, audited->name);
    string(&row, audited->token);
    bytes(&row, audited->target, audited->target_size);
    number(&row, audited->until_ms);
    string(&row, audited->text);
    string(&row, audited->reason);
}

void lobby_rows_write_text(const struct lobby *lobby, uint32_t place, struct outbox *out)
{
    const struct table *table = table_of(lobby, place);
    const char         *text = lobby_text_at(lobby, table->text);
    struct filling      row = begin_row(out, ROW_PUT, LOBBY_TEXTS);
    number(&row, place);
    string(&row, text);
    string(&row, text + table->setup_size + 1);
}

void lobby_rows_write(const struct lobby *lobby, enum record kind, uint32_t place, const void *old,
                      struct outbox *out)
{
    const void *record = record_of(lobby, kind, place);
    /* A table's first event may be, byte for byte, what stood at its place before. */
    if (kind != RECORD_EVENT && memcmp(record, old, lobby->pool[kind].size) == 0)
        return;
    switch (kind) {
    case RECORD_META: write_meta(record, out); return;
    case RECORD_KEY: write_key(record, place, out); return;
    case RECORD_PLAYER: write_player(record, place, out); return;
    case RECORD_TABLE: write_table(lobby, record, old, place, out); return;
    case RECORD_EVENT: write_event(lobby, record, place, out); return;
    case RECORD_DESK: write_desk(lobby, place, out); return;
    case RECORD_RESULT: write_result(lobby, record, out); return;
    case RECORD_PERSON: write_person(lobby, record, place, out); return;
    case RECORD_AUDIT: write_audited(record, out); return;
    default:
        return; /* Who owns a text follows from the tables.                                   */
    }
}
