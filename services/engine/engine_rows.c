/* engine_rows.c: what the engine keeps, as rows of the journal. Pure. */
#include <string.h>

#include "schema/cells.h"
#include "services/engine/engine_parts.h"
#include "wire/chain.h"

static void put_id(struct row *row, uint32_t cell, const struct hosted *hosted, struct outbox *out)
{
    cell_put_bytes(row, cell, hosted->id, MATCH_ID_SIZE, out);
}

static void put_dice(struct row *row, const struct hosted *hosted, struct outbox *out)
{
    cell_put_text(row, MATCHES_DICE, hosted->dice, out);
    if (!is_hosted_dice(hosted)) {
        row_number(row, MATCHES_SEED, (uint64_t) hosted->seed);
        return;
    }
    cell_put_bytes(row, MATCHES_COMMITMENT, hosted->commitment, sizeof hosted->commitment, out);
    cell_put_bytes(row, MATCHES_DICE_SECRET, hosted->dice_secret, sizeof hosted->dice_secret, out);
}

void engine_row_of_match(const struct hosted *hosted, enum journal_table table, struct outbox *out)
{
    const struct setup *setup = hosted->setup;
    bool                is_over = hosted->phase == PHASE_OVER;
    enum row_op         op = table == JOURNAL_MATCHES ? ROW_ADD : ROW_PUT;
    struct row         *row = outbox_row(out, op, (uint32_t) table, MATCHES_COLUMNS);
    row_number(row, MATCHES_SLOT, hosted->slot);
    put_id(row, MATCHES_ID, hosted, out);
    row_number(row, MATCHES_STATE,
               !is_over        ? JOURNAL_PLAYED
               : hosted->heard ? JOURNAL_HEARD
                               : JOURNAL_OVER);
    cell_put_text(row, MATCHES_GAME, setup->game->game->name, out);
    row_number(row, MATCHES_RULES_VERSION, setup->game->game->version);
    cell_put_bytes(row, MATCHES_SETUP, setup->text_hash, sizeof setup->text_hash, out);
    row_number(row, MATCHES_SEATS, setup->terms.seats);
    put_dice(row, hosted, out);
    cell_put_bytes(row, MATCHES_SECRET, hosted->match->secret, MATCH_SECRET_SIZE, out);
    row_number(row, MATCHES_TURN_MS, hosted->turn_ms);
    if (hosted->has_table)
        cell_put_bytes(row, MATCHES_TABLE, hosted->table, sizeof hosted->table, out);
    row_number(row, MATCHES_SPECTATORS, hosted->spectators);
    if (hosted->code_size > 0)
        cell_put_bytes(row, MATCHES_CODE, hosted->code, hosted->code_size, out);
    row_number(row, MATCHES_CREATED_MS, hosted->created_ms);
    if (hosted->opening != NULL)
        cell_put_bytes(row, MATCHES_OPENING, hosted->opening, hosted->opening_size, out);
    if (hosted->recorded > 0)
        row_number(row, MATCHES_RECORDED, hosted->recorded);
    if (hosted->given_up > 0)
        row_number(row, MATCHES_GIVEN_UP, hosted->given_up);
    if (hosted->protocol == PROTOCOL_FIRST)
        return;
    row_number(row, MATCHES_PROTOCOL, hosted->protocol);
    cell_put_bytes(row, MATCHES_CONTRIBUTORS, hosted->contributors, hosted->contributors_size, out);
}

void engine_row_of_setup(const struct setup *setup, struct outbox *out)
{
    struct row *row = outbox_row(out, ROW_PUT, JOURNAL_SETUPS, SETUPS_COLUMNS);
    cell_put_bytes(row, SETUPS_HASH, setup->text_hash, sizeof setup->text_hash, out);
    cell_put_text(row, SETUPS_SETUP, setup->text.setup, out);
    if (setup->text.options != NULL)
        cell_put_text(row, SETUPS_OPTIONS, setup->text.options, out);
}

void engine_row_of_seat(const struct hosted *hosted, uint32_t index, uint64_t since,
                        struct outbox *out)
{
    const struct seat *seat = &hosted->seats[index];
    struct row        *row = outbox_row(out, ROW_ADD, JOURNAL_SEATS, SEATS_COLUMNS);
    put_id(row, SEATS_ID, hosted, out);
    row_number(row, SEATS_SEAT, index);
    row_number(row, SEATS_GENERATION, hosted->match->generation[index]);
    row_number(row, SEATS_SINCE, since);
    row_number(row, SEATS_BOT, seat->bot);
    cell_put_bytes(row, SEATS_PLAYER, seat->player, sizeof seat->player, out);
    if (seat->has_key)
        cell_put_bytes(row, SEATS_KEY, seat->key, sizeof seat->key, out);
    if (seat->name_size > 0)
        row_text(row, SEATS_NAME, (const char *) outbox_copy(out, seat->name, seat->name_size),
                 seat->name_size);
    if (seat->person_size > 0)
        row_text(row, SEATS_PERSON,
                 (const char *) outbox_copy(out, seat->person, seat->person_size),
                 seat->person_size);
    if (seat->number > 0)
        row_number(row, SEATS_NUMBER, seat->number);
}

void engine_row_of_act(const struct engine *engine, const struct hosted *hosted,
                       const struct match_act *act, const struct header *asked, struct outbox *out)
{
    const struct match *match = hosted->match;
    uint8_t            *hash = outbox_take(out, CRYPTO_HASH_SIZE);
    chain_command(hash, engine->settings.helpers.crypto, match->secret, act->command,
                  act->command_size);
    struct row *row = outbox_row(out, ROW_ADD, JOURNAL_ACTS, ACTS_COLUMNS);
    put_id(row, ACTS_ID, hosted, out);
    row_number(row, ACTS_NUMBER, act->number);
    row_number(row, ACTS_EPOCH, match->epoch);
    row_number(row, ACTS_SLOT_COUNT, hosted->slot_count);
    row_number(row, ACTS_ACTOR, act->actor);
    row_number(row, ACTS_SESSION, asked != NULL ? asked->session : 0);
    row_number(row, ACTS_REQUEST, asked != NULL ? asked->request : 0);
    row_number(row, ACTS_AT_MS, engine->wall_ms);
    cell_put_bytes(row, ACTS_CHAIN_BEFORE, engine->chain_before, MATCH_HASH_SIZE, out);
    cell_put_bytes(row, ACTS_CHAIN, act->chain, MATCH_HASH_SIZE, out);
    row_bytes(row, ACTS_COMMAND_HASH, hash, CRYPTO_HASH_SIZE);
    cell_put_bytes(row, ACTS_COMMAND, act->command, act->command_size, out);
    cell_put_bytes(row, ACTS_BODY, act->body, act->body_size, out);
}

static void put_session_key(struct row *row, const struct hosted *hosted, uint32_t seat,
                            uint32_t session, struct outbox *out)
{
    row_number(row, SESSIONS_SLOT, hosted->slot);
    put_id(row, SESSIONS_ID, hosted, out);
    row_number(row, SESSIONS_SEAT, seat);
    row_number(row, SESSIONS_SESSION, session);
}

void engine_row_of_session(const struct hosted *hosted, uint32_t seat,
                           const struct session *session, bool closed, struct outbox *out)
{
    struct row *row = outbox_row(out, ROW_PUT, JOURNAL_SESSIONS, SESSIONS_COLUMNS);
    put_session_key(row, hosted, seat, session->number, out);
    row_number(row, SESSIONS_CLOSED, closed);
    cell_put_bytes(row, SESSIONS_KEY, session->key, sizeof session->key, out);
    cell_put_bytes(row, SESSIONS_PLAYER, session->player, sizeof session->player, out);
    row_number(row, SESSIONS_REQUEST, session->request);
    row_number(row, SESSIONS_VERDICT, session->verdict);
    row_number(row, SESSIONS_NUMBER, session->act);
    cell_put_bytes(row, SESSIONS_CHAIN, session->chain, sizeof session->chain, out);
    cell_put_bytes(row, SESSIONS_ASKS, session->asks, session->asks_size, out);
}

void engine_row_of_session_gone(const struct hosted *hosted, uint32_t seat, uint32_t session,
                                struct outbox *out)
{
    put_session_key(outbox_row(out, ROW_DELETE, JOURNAL_SESSIONS, 4), hosted, seat, session, out);
}

/* Recovery reads acts from the snapshot on: answers that only older acts tell get rows of their own. */
static void rows_of_answers(const struct hosted *hosted, struct outbox *out)
{
    for (uint32_t i = 0; i < hosted->seats_held; i++)
        for (const struct session *at = hosted->seats[i].sessions; at != NULL; at = at->next)
            if (at->request > 0 && at->verdict == ACCEPTED && at->act >= hosted->snapshot)
                engine_row_of_session(hosted, i, at, false, out);
}

void engine_row_of_snapshot(struct hosted *hosted, struct outbox *out)
{
    rows_of_answers(hosted, out);
    size_t      size = match_snapshot_bytes(&hosted->setup->terms);
    uint8_t    *bytes = outbox_take(out, size);
    struct row *row = outbox_row(out, ROW_PUT, JOURNAL_SNAPSHOTS, SNAPSHOTS_COLUMNS);
    row_number(row, SNAPSHOTS_SLOT, hosted->slot);
    put_id(row, SNAPSHOTS_ID, hosted, out);
    row_number(row, SNAPSHOTS_NUMBER, hosted->match->number);
    row_bytes(row, SNAPSHOTS_BYTES, bytes, match_save(hosted->match, bytes, size));
    hosted->snapshot = hosted->match->number;
}

void engine_row_of_result(const struct engine *engine, const struct hosted *hosted,
                          struct outbox *out)
{
    int32_t  outcome[SEATS_MAX] = { 0 };
    uint8_t  digest[MATCH_HASH_SIZE];
    uint32_t seats = hosted->aborted ? 0 : hosted->setup->terms.seats;
    if (seats > 0)
        match_outcome(hosted->match, outcome);
    match_digest(hosted->match, digest);
    struct row *row = outbox_row(out, ROW_PUT, JOURNAL_RESULTS, RESULTS_COLUMNS);
    put_id(row, RESULTS_ID, hosted, out);
    row_number(row, RESULTS_SLOT, hosted->slot);
    row_number(row, RESULTS_ACTS, hosted->match->number);
    cell_put_bytes(row, RESULTS_CHAIN, hosted->match->chain, MATCH_HASH_SIZE, out);
    row_number(row, RESULTS_ABORTED, hosted->aborted);
    cell_put_numbers(row, RESULTS_OUTCOME, (const uint32_t *) outcome, seats, out);
    cell_put_bytes(row, RESULTS_DIGEST, digest, sizeof digest, out);
    row_number(row, RESULTS_OVER_MS, engine->wall_ms);
}

/* What is kept only while a match is played. */
void engine_rows_of_gone(const struct hosted *hosted, struct outbox *out)
{
    for (uint32_t table = JOURNAL_LIVE; table <= JOURNAL_SNAPSHOTS; table++) {
        if (table != JOURNAL_LIVE && table != JOURNAL_SNAPSHOTS)
            continue;
        struct row *row = outbox_row(out, ROW_DELETE, table, 2);
        row_number(row, 0, hosted->slot);
        put_id(row, 1, hosted, out);
    }
    for (uint32_t i = 0; i < hosted->seats_held; i++) {
        const struct seat *seat = &hosted->seats[i];
        bool               is_kept = false;
        for (const struct session *at = seat->sessions; at != NULL; at = at->next) {
            engine_row_of_session_gone(hosted, i, at->number, out);
            is_kept = is_kept || at->number == seat->last_session;
        }
        if (!is_kept && seat->last_session > 0)
            engine_row_of_session_gone(hosted, i, seat->last_session, out);
    }
}
