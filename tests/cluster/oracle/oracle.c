/* oracle.c: what was kept, held against what was kept before; see oracle.h. */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

#include "schema/journal.h"
#include "world/memory.h"

struct replica *oracle_match(struct oracle *oracle, const uint8_t *id)
{
    for (uint32_t i = oracle->matches; i-- > 0;)
        if (memcmp(oracle->match[i].id, id, MATCH_ID_SIZE) == 0)
            return &oracle->match[i];
    return NULL;
}

void oracle_close(struct oracle *oracle)
{
    for (uint32_t i = 0; i < oracle->matches; i++)
        replica_close(&oracle->match[i]);
}

/* Epochs only grow; the engine that raised a slot's last one owns it. */
static void take_slot(struct world *world, struct oracle *oracle, const struct row *row,
                      const struct transaction *transaction)
{
    uint32_t slot = (uint32_t) row->cells[SLOTS_SLOT].number;
    uint64_t epoch = (uint64_t) row->cells[SLOTS_EPOCH].number;
    /* Its owner may write it again as it is: so it tries whether the disk is still full. */
    if (row->op != ROW_DELETE && epoch == oracle->slot[slot].epoch &&
        oracle->slot[slot].process == transaction->process &&
        oracle->slot[slot].incarnation == transaction->incarnation)
        return;
    if (row->op == ROW_DELETE || epoch <= oracle->slot[slot].epoch) {
        world_fail(world, "I5", "slot %u goes from epoch %llu to %llu", slot,
                   (unsigned long long) oracle->slot[slot].epoch, (unsigned long long) epoch);
        return;
    }
    if (oracle->slot[slot].epoch > 0 && world->plan.engines > 1 &&
        oracle->slot[slot].process != transaction->process)
        mark(world->marks, MARK_TAKEOVER);
    oracle->slot[slot].epoch = epoch;
    oracle->slot[slot].raised_ns = world->now_ns;
    oracle->slot[slot].process = transaction->process;
    oracle->slot[slot].incarnation = transaction->incarnation;
}

static bool owns(struct world *world, const struct oracle *oracle, uint32_t slot,
                 const struct transaction *transaction)
{
    if (oracle->slot[slot].process == transaction->process &&
        oracle->slot[slot].incarnation == transaction->incarnation)
        return true;
    world_fail(world, "I5", "%s keeps something in slot %u, which it does not own",
               world->process[transaction->process].name, slot);
    return false;
}

/* A player is in at most one match that goes on, and a table plays one match at a time. */
static void check_seats(struct world *world, struct oracle *oracle, const struct replica *fresh,
                        const struct row *match)
{
    const struct cell *table = &match->cells[MATCHES_TABLE];
    for (uint32_t i = 0; i < oracle->matches; i++) {
        const struct replica *other = &oracle->match[i];
        if (other == fresh || other->has_result || table->kind != CELL_BYTES)
            continue;
        if (table->size == sizeof other->table &&
            memcmp(other->table, table->bytes, sizeof other->table) == 0)
            world_fail(world, "I12", "a table begins a match while another goes on at it");
    }
}

static void begin_match(struct world *world, struct oracle *oracle, const struct row *row)
{
    if (oracle_match(oracle, row->cells[MATCHES_ID].bytes) != NULL)
        return;
    if (oracle->matches == ORACLE_MATCHES_MAX)
        return;
    struct row *asked = memory_new(sizeof *asked + SETUPS_COLUMNS * sizeof asked->cells[0]);
    asked->table = JOURNAL_SETUPS;
    asked->count = 1;
    asked->cells[0] = row->cells[MATCHES_SETUP];
    const struct row *setup = vault_find(oracle->journal, asked);
    struct replica   *replica = &oracle->match[oracle->matches++];
    free(asked);
    if (setup == NULL || !replica_open(replica, row, setup)) {
        world_fail(world, "I6", "a match is kept that cannot be set up again");
        return;
    }
    if (replica->is_hosted)
        mark(world->marks, MARK_HOSTED);
    mark(world->marks, row->cells[MATCHES_PROTOCOL].kind == CELL_NUMBER ? MARK_PROTOCOL_NEWEST
                                                                        : MARK_PROTOCOL_FIRST);
    check_seats(world, oracle, replica, row);
}

bool oracle_was_refused(const struct oracle *oracle, const struct replica *replica,
                        const struct replica_act *act)
{
    uint32_t index = (uint32_t) (replica - oracle->match);
    for (uint32_t i = 0; i < oracle->refusals; i++) {
        const struct refused *refused = &oracle->refused[i];
        if (refused->replica == index && refused->seat == act->actor &&
            refused->session == act->session && refused->request == act->request)
            return true;
    }
    return false;
}

/* No request becomes two acts, and one that was refused becomes none. */
static void check_request(struct world *world, struct oracle *oracle, const struct replica *replica)
{
    const struct replica_act *last = &replica->acts[replica->count - 1];
    if (last->actor >= SEATS_MAX)
        return;
    for (uint32_t i = 0; i + 1 < replica->count; i++) {
        const struct replica_act *act = &replica->acts[i];
        if (act->actor == last->actor && act->session == last->session &&
            act->request == last->request) {
            world_fail(world, "I2", "seat %u's request %u of session %u is act %u and act %u",
                       last->actor, last->request, last->session, i + 1, replica->count);
            return;
        }
    }
    if (oracle_was_refused(oracle, replica, last))
        world_fail(world, "I11", "seat %u's request %u was refused, and is act %u", last->actor,
                   last->request, replica->count);
}

/* Time that ran out has run: since the last act, and since the slot changed hands. */
static void check_clock(struct world *world, const struct oracle *oracle,
                        const struct replica *replica)
{
    const struct replica_act *last = &replica->acts[replica->count - 1];
    if (last->actor != ACTOR_TIME || replica->count < 2)
        return;
    mark(world->marks, MARK_EXPIRED);
    uint64_t since_ns = replica->acts[replica->count - 2].at_ns;
    uint64_t raised_ns = oracle->slot[header_slot(replica->id)].raised_ns;
    if (raised_ns > since_ns)
        since_ns = raised_ns;
    uint64_t ran_ms = (world->now_ns - since_ns) / NS_PER_MS;
    if (ran_ms + replica->turn_ms / 500 + 2 < replica->turn_ms)
        world_fail(world, "I9", "a wait of %llu ms ran out after %llu",
                   (unsigned long long) replica->turn_ms, (unsigned long long) ran_ms);
}

uint32_t oracle_acts_in(const struct vault *journal, const uint8_t *match_id)
{
    struct query       query;
    struct vault_row **rows = NULL;
    journal_ask_match(&query, 0, JOURNAL_ACTS, match_id);
    uint32_t count = vault_read(journal, &query, &rows);
    for (uint32_t i = 0; i < count; i++)
        vault_row_release(rows[i]);
    free(rows);
    return count;
}

void oracle_set_back(struct world *world, struct oracle *oracle)
{
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        oracle->slot[slot].epoch = vault_epoch(oracle->journal, slot);
        oracle->slot[slot].count_epoch = 0;
    }
    /* Refusals are no acts, so nobody else knows of them: a number whose refusal was lost is used again. */
    oracle->refusals = 0;
    for (uint32_t i = 0; i < oracle->matches; i++) {
        struct replica *replica = &oracle->match[i];
        uint32_t        acts = oracle_acts_in(oracle->journal, replica->id);
        if (acts == replica->count)
            continue;
        replica->is_set_back = true;
        mark(world->marks, MARK_SET_BACK);
        if (acts == 0)
            mark(world->marks, MARK_SET_BACK_VANISHED);
        else if (replica->has_result)
            mark(world->marks, MARK_SET_BACK_ENDED);
        world_tell(world, "match %02x%02x is set back from act %u to %u", replica->id[0],
                   replica->id[1], replica->count, acts);
    }
}

static void keep_act(struct world *world, struct oracle *oracle, struct vault_row *kept,
                     const struct transaction *transaction)
{
    const struct row *row = kept->row;
    struct replica   *replica = oracle_match(oracle, row->cells[ACTS_ID].bytes);
    if (row->op != ROW_ADD || replica == NULL) {
        world_fail(world, "I3", "the journal loses or changes an act, or has one of no match");
        return;
    }
    if (replica->is_set_back) {
        world_fail(world, "I13", "match %02x%02x goes on at act %lld, and relays know act %u",
                   replica->id[0], replica->id[1], (long long) row->cells[ACTS_NUMBER].number,
                   replica->count);
        return;
    }
    uint8_t slot = header_slot(replica->id);
    if (!owns(world, oracle, slot, transaction))
        return;
    if ((uint64_t) row->cells[ACTS_EPOCH].number != oracle->slot[slot].epoch) {
        world_fail(world, "I5", "an act is kept with epoch %lld in a slot at %llu",
                   (long long) row->cells[ACTS_EPOCH].number,
                   (unsigned long long) oracle->slot[slot].epoch);
        return;
    }
    const char *fault = replica_play(replica, kept, transaction->begun_ns);
    if (fault != NULL) {
        world_fail(world, "I6", "act %lld by %lld: %s", (long long) row->cells[ACTS_NUMBER].number,
                   (long long) row->cells[ACTS_ACTOR].number, fault);
        return;
    }
    world_tell(world, "    act %u of match %02x%02x, by %u, session %lld, request %lld",
               replica->count, replica->id[0], replica->id[1],
               replica->acts[replica->count - 1].actor, (long long) row->cells[ACTS_SESSION].number,
               (long long) row->cells[ACTS_REQUEST].number);
    oracle->acts++;
    oracle->slot[slot].count = (uint64_t) row->cells[ACTS_SLOT_COUNT].number;
    oracle->slot[slot].count_epoch = oracle->slot[slot].epoch;
    check_request(world, oracle, replica);
    check_clock(world, oracle, replica);
}

static void keep_result(struct world *world, struct oracle *oracle, const struct row *row)
{
    struct replica *replica = oracle_match(oracle, row->cells[RESULTS_ID].bytes);
    if (replica == NULL || (uint64_t) row->cells[RESULTS_ACTS].number != replica->count ||
        (replica->has_begun && row->cells[RESULTS_ABORTED].number == 0 &&
         match_to_act(replica->match) != 0)) {
        world_fail(world, "I6", "a result is kept of a match that goes on");
        return;
    }
    replica->has_result = true;
    mark(world->marks, MARK_FINISHED);
    if (strcmp(replica->game->wire->game->name, "dead") == 0)
        mark(world->marks, MARK_DEAD_FINISHED);
}

void oracle_kept(struct world *world, struct oracle *oracle, const struct transaction *transaction)
{
    if (transaction->vault->is_damaged)
        world_fail(world, "I13", "an engine keeps something in a journal that is damaged");
    for (uint32_t i = 0; i < transaction->row_count; i++)
        if (transaction->rows[i]->row->table == JOURNAL_SLOTS)
            take_slot(world, oracle, transaction->rows[i]->row, transaction);
    for (uint32_t i = 0; i < transaction->row_count; i++)
        if (transaction->rows[i]->row->table == JOURNAL_MATCHES)
            begin_match(world, oracle, transaction->rows[i]->row);
    for (uint32_t i = 0; i < transaction->row_count && !world->is_over; i++) {
        struct vault_row *row = transaction->rows[i];
        if (row->row->table == JOURNAL_ACTS)
            keep_act(world, oracle, row, transaction);
        else if (row->row->table == JOURNAL_SESSIONS)
            owns(world, oracle, (uint32_t) row->row->cells[SESSIONS_SLOT].number, transaction);
        else if (row->row->table == JOURNAL_RESULTS)
            keep_result(world, oracle, row->row);
    }
}
