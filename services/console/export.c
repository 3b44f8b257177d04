/* export.c: a match out of the engine's journal, as a file that stands for itself.
 *
 * The journal is only read, also while the engine writes it. What it holds is written as it is, record by
 * record: whether it is right is `arbiter verify`'s to say, which shares no line with this. */
#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "contract/stream.pb-c.h"
#include "match/file.h"
#include "match/match.h"
#include "services/console/console.h"
#include "services/console/export.h"
#include "services/console/files.h"
#include "services/console/home.h"
#include "services/engine/journal.h"
#include "store/store.h"
#include "wire/header.h"
#include "wire/order.h"

/* A match on its way from rows to records. */
struct export
{
    struct store           *store;
    FILE                   *out;
    uint8_t                 id[MATCH_ID_SIZE];
    uint32_t                found; /* Rows of the query under way.                             */
    bool                    is_bad;
    Arbiter__Match__Header  header;
    Arbiter__Match__Record *contribution[SEATS_MAX]; /* By seat; NULL: none.                    */
    uint8_t                 setup[32], commitment[32], sealing[MATCH_SECRET_SIZE], dice[32];
    bool                    has_end;
};

typedef bool taking(void *taker, const struct row *row);

static ProtobufCBinaryData data_of(uint8_t *bytes, size_t size)
{
    return (ProtobufCBinaryData){ size, bytes };
}

/* protobuf-c does not write to what it packs, but has no const to say so. */
static ProtobufCBinaryData cell_data(const struct row *row, uint32_t column)
{
    union {
        const uint8_t *given;
        uint8_t       *taken;
    } lent;
    size_t size = 0;
    (void) journal_find(row, column, &lent.given, &size);
    return data_of(lent.taken, size);
}

/* A copy with a NUL behind it; NULL for a null. */
static char *cell_text(const struct row *row, uint32_t column)
{
    ProtobufCBinaryData text = cell_data(row, column);
    return text.data != NULL ? strndup((const char *) text.data, text.len) : NULL;
}

static uint64_t cell_number(const struct row *row, uint32_t column)
{
    uint64_t number = 0;
    (void) journal_number(row, column, &number);
    return number;
}

static bool put(struct export *export, const Arbiter__Match__Record *record)
{
    bool is_put = match_file_put(export->out, record);
    export->is_bad = export->is_bad || !is_put;
    return is_put;
}

static bool read_rows(struct export *export, struct query *query, taking *take)
{
    export->found = 0;
    bool is_read = store_read(export->store, query, take, export);
    if (is_read && !export->is_bad)
        return true;
    complain("the journal cannot be read, or the file not written: %s.",
             is_read ? strerror(errno) : store_fault(export->store));
    return false;
}

static bool read_table(struct export *export, enum journal_table table, taking *take)
{
    struct query query;
    journal_ask_match(&query, 0, table, export->id);
    return read_rows(export, &query, take);
}

/* The header. */

static void take_dice(struct export *export, const struct row *row)
{
    Arbiter__Match__Header *header = &export->header;
    uint64_t                seed = 0;
    header->dice = cell_text(row, MATCHES_DICE);
    header->has_seed = journal_number(row, MATCHES_SEED, &seed);
    header->seed = (int64_t) seed;
    header->has_commitment =
        journal_bytes(row, MATCHES_COMMITMENT, export->commitment, sizeof export->commitment) &&
        journal_bytes(row, MATCHES_DICE_SECRET, export->dice, sizeof export->dice);
    header->commitment = data_of(export->commitment, sizeof export->commitment);
}

static bool take_match(void *taker, const struct row *row)
{
    struct export *export = taker;
    Arbiter__Match__Header *header = &export->header;
    header->has_match_id = header->has_protocol = header->has_rules_version = header->has_seats =
        header->has_created_ms = true;
    header->match_id = data_of(export->id, sizeof export->id);
    header->protocol = HEADER_VERSION;
    header->game = cell_text(row, MATCHES_GAME);
    header->rules_version = (uint32_t) cell_number(row, MATCHES_RULES_VERSION);
    header->seats = (uint32_t) cell_number(row, MATCHES_SEATS);
    header->created_ms = cell_number(row, MATCHES_CREATED_MS);
    take_dice(export, row);
    export->is_bad = header->game == NULL || header->dice == NULL ||
                     !journal_bytes(row, MATCHES_SETUP, export->setup, sizeof export->setup) ||
                     !journal_bytes(row, MATCHES_SECRET, export->sealing, sizeof export->sealing);
    export->found++;
    return !export->is_bad;
}

static bool take_setup(void *taker, const struct row *row)
{
    struct export *export = taker;
    export->header.setup = cell_text(row, SETUPS_SETUP);
    export->header.options = cell_text(row, SETUPS_OPTIONS);
    export->found++;
    return export->header.setup != NULL;
}

static bool put_header(struct export *export)
{
    Arbiter__Match__Record record = ARBITER__MATCH__RECORD__INIT;
    struct query           query = { .table = JOURNAL_MATCHES, .prefix_count = 2 };
    struct query           setup = { .table = JOURNAL_SETUPS, .prefix_count = 1 };
    query.prefix[0] = (struct cell){ .kind = CELL_NUMBER, .number = header_slot(export->id) };
    query.prefix[1] =
        (struct cell){ .kind = CELL_BYTES, .bytes = export->id, .size = sizeof export->id };
    if (!read_rows(export, &query, take_match))
        return false;
    if (export->found == 0) {
        complain("the journal has no such match.");
        return false;
    }
    setup.prefix[0] =
        (struct cell){ .kind = CELL_BYTES, .bytes = export->setup, .size = sizeof export->setup };
    if (!read_rows(export, &setup, take_setup))
        return false;
    record.kind_case = ARBITER__MATCH__RECORD__KIND_HEADER;
    record.header = &export->header;
    return export->found == 1 && match_file_begin(export->out) && put(export, &record);
}

/* Contributions: what the house said about dice, before the start. */

static Arbiter__Match__Contribution *contribution_of(struct export *export, uint32_t seat)
{
    if (seat >= SEATS_MAX)
        return NULL;
    if (export->contribution[seat] == NULL) {
        Arbiter__Match__Record       *record = malloc(sizeof *record);
        Arbiter__Match__Contribution *given = malloc(sizeof *given);
        if (record == NULL || given == NULL)
            abort();
        arbiter__match__record__init(record);
        arbiter__match__contribution__init(given);
        given->has_seat = true;
        given->seat = seat;
        record->kind_case = ARBITER__MATCH__RECORD__KIND_CONTRIBUTION;
        record->contribution = given;
        export->contribution[seat] = record;
    }
    return export->contribution[seat]->contribution;
}

static void take_part(protobuf_c_boolean *has, ProtobufCBinaryData *to,
                      const ProtobufCBinaryData *from)
{
    *to = data_of(malloc(from->len + 1), from->len);
    if (to->data == NULL)
        abort();
    memcpy(to->data, from->data, from->len);
    *has = true;
}

static bool take_said(void *taker, const struct row *row)
{
    struct export *export = taker;
    ProtobufCBinaryData           said = cell_data(row, ACTS_COMMAND);
    Arbiter__Match__Contribution *given = NULL;
    if (cell_number(row, ACTS_ACTOR) != ACTOR_SAY)
        return true;
    Arbiter__Stream__HouseEvent *event =
        arbiter__stream__house_event__unpack(NULL, said.len, said.data);
    if (event == NULL)
        return true; /* Not ours to judge. */
    if (event->kind_case == ARBITER__STREAM__HOUSE_EVENT__KIND_HASH_POSTED &&
        (given = contribution_of(export, event->hash_posted->seat)) != NULL && !given->has_hash)
        take_part(&given->has_hash, &given->hash, &event->hash_posted->hash);
    if (event->kind_case == ARBITER__STREAM__HOUSE_EVENT__KIND_BYTES_REVEALED &&
        (given = contribution_of(export, event->bytes_revealed->seat)) != NULL &&
        !given->has_revealed)
        take_part(&given->has_revealed, &given->revealed, &event->bytes_revealed->revealed);
    if (event->kind_case == ARBITER__STREAM__HOUSE_EVENT__KIND_SEAT_SILENT)
        (void) contribution_of(export, event->seat_silent->seat);
    arbiter__stream__house_event__free_unpacked(event, NULL);
    return true;
}

static bool put_contributions(struct export *export)
{
    if (!read_table(export, JOURNAL_ACTS, take_said))
        return false;
    for (uint32_t seat = 0; seat < SEATS_MAX; seat++)
        if (export->contribution[seat] != NULL && !put(export, export->contribution[seat]))
            return false;
    return true;
}

/* Seats, acts, the end. */

static bool take_seat(void *taker, const struct row *row)
{
    struct export *export = taker;
    Arbiter__Match__Record record = ARBITER__MATCH__RECORD__INIT;
    Arbiter__Match__Seat   seat = ARBITER__MATCH__SEAT__INIT;
    char                  *name = cell_text(row, SEATS_NAME);
    seat.has_seat = seat.has_bot = seat.has_generation = seat.has_since = true;
    seat.seat = (uint32_t) cell_number(row, SEATS_SEAT);
    seat.generation = (uint32_t) cell_number(row, SEATS_GENERATION);
    seat.since = cell_number(row, SEATS_SINCE);
    seat.bot = cell_number(row, SEATS_BOT) != 0;
    seat.name = name;
    record.kind_case = ARBITER__MATCH__RECORD__KIND_SEAT;
    record.seat = &seat;
    bool is_put = put(export, &record);
    free(name);
    return is_put;
}

static bool take_act(void *taker, const struct row *row)
{
    Arbiter__Match__Record record = ARBITER__MATCH__RECORD__INIT;
    Arbiter__Match__Act    act = ARBITER__MATCH__ACT__INIT;
    act.has_number = act.has_actor = act.has_command = act.has_body = act.has_chain =
        act.has_epoch = act.has_session = act.has_request = act.has_at_ms = true;
    act.number = cell_number(row, ACTS_NUMBER);
    act.actor = (uint32_t) cell_number(row, ACTS_ACTOR);
    act.epoch = cell_number(row, ACTS_EPOCH);
    act.session = (uint32_t) cell_number(row, ACTS_SESSION);
    act.request = (uint32_t) cell_number(row, ACTS_REQUEST);
    act.at_ms = cell_number(row, ACTS_AT_MS);
    act.command = cell_data(row, ACTS_COMMAND);
    act.body = cell_data(row, ACTS_BODY);
    act.chain = cell_data(row, ACTS_CHAIN);
    record.kind_case = ARBITER__MATCH__RECORD__KIND_ACT;
    record.act = &act;
    return put(taker, &record);
}

static bool take_result(void *taker, const struct row *row)
{
    struct export *export = taker;
    Arbiter__Match__Record record = ARBITER__MATCH__RECORD__INIT;
    Arbiter__Match__End    end = ARBITER__MATCH__END__INIT;
    int32_t                outcome[SEATS_MAX];
    ProtobufCBinaryData    bytes = cell_data(row, RESULTS_OUTCOME);
    const uint8_t         *at = bytes.data;
    end.has_reason = end.has_acts = end.has_chain = end.has_digest = end.has_sealing_secret = true;
    end.reason = cell_number(row, RESULTS_ABORTED) != 0
                     ? ARBITER__MATCH__END__REASON__REASON_ABORTED
                     : ARBITER__MATCH__END__REASON__REASON_FINISHED;
    end.acts = cell_number(row, RESULTS_ACTS);
    end.chain = cell_data(row, RESULTS_CHAIN);
    end.digest = cell_data(row, RESULTS_DIGEST);
    end.sealing_secret = data_of(export->sealing, sizeof export->sealing);
    end.has_dice_secret = export->header.has_commitment;
    end.dice_secret = data_of(export->dice, sizeof export->dice);
    for (end.n_outcome = 0; end.n_outcome < bytes.len / 4 && end.n_outcome < SEATS_MAX;)
        outcome[end.n_outcome++] = (int32_t) order_get(&at, 4);
    end.outcome = outcome;
    record.kind_case = ARBITER__MATCH__RECORD__KIND_END;
    record.end = &end;
    export->has_end = true;
    return put(export, &record);
}

static bool put_all(struct export *export)
{
    return put_header(export) && put_contributions(export) &&
           read_table(export, JOURNAL_SEATS, take_seat) &&
           read_table(export, JOURNAL_ACTS, take_act) &&
           read_table(export, JOURNAL_RESULTS, take_result);
}

static void close_export(struct export *export)
{
    for (uint32_t seat = 0; seat < SEATS_MAX; seat++)
        if (export->contribution[seat] != NULL)
            arbiter__match__record__free_unpacked(export->contribution[seat], NULL);
    free(export->header.game);
    free(export->header.dice);
    free(export->header.setup);
    free(export->header.options);
    sodium_memzero(export->sealing, sizeof export->sealing);
    store_close(&export->store);
}

static int write_file(struct export *export, const char *path)
{
    struct half_file file;
    if (!half_file_open(&file, path))
        return CONSOLE_BAD_INPUT;
    export->out = file.stream;
    bool is_whole = put_all(export);
    if (!half_file_close(&file, is_whole) || !is_whole)
        return CONSOLE_BAD_INPUT;
    if (!export->has_end)
        complain("the match goes on: %s has no end yet, and no secrets to verify it with.", path);
    return CONSOLE_OK;
}

int export_match(const char *where, const uint8_t *id, const char *path)
{
    struct export export = { .header = ARBITER__MATCH__HEADER__INIT };
    struct home home;
    struct text fault;
    char        folder[PATH_MAX];
    memcpy(export.id, id, sizeof export.id);
    if (!home_find(&home, where, &fault) || !home_path(&home, folder, "data", "engine", "") ||
        (export.store = store_open_reader(&journal_schema, folder, &fault)) == NULL) {
        complain("%s", fault.bytes);
        return CONSOLE_BAD_INPUT;
    }
    int code = write_file(&export, path);
    close_export(&export);
    return code;
}
