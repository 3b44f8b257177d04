/* journal_file.c: see journal_file.h. */
#include "history/journal_file.h"

#include <string.h>

#include "schema/cells.h"
#include "wire/header.h"
#include "wire/house.h"

#define SAID_LIMIT 64u /* Of one read: contributions are the first acts of a match.              */

static ProtobufCBinaryData data_of(uint8_t *bytes, size_t size)
{
    return (ProtobufCBinaryData){ size, bytes };
}

/* Who packs a message does not write to it, but protobuf-c has no const to say so. */
static ProtobufCBinaryData cell_data(const struct row *row, uint32_t column)
{
    union {
        const uint8_t *given;
        uint8_t       *taken;
    } lent;
    size_t size = 0;
    (void) cell_find(row, column, &lent.given, &size);
    return data_of(lent.taken, size);
}

static uint64_t number_in(const struct row *row, uint32_t column)
{
    uint64_t number = 0;
    (void) cell_number(row, column, &number);
    return number;
}

/* A copy with a NUL behind it, in `room` bytes; returns where the next may stand, NULL if it is none or too long. */
static char *copy_text(char *to, size_t room, const struct row *row, uint32_t column)
{
    ProtobufCBinaryData text = cell_data(row, column);
    if (text.data == NULL || text.len >= room)
        return NULL;
    if (text.len > 0)
        memcpy(to, text.data, text.len);
    to[text.len] = '\0';
    return to + text.len + 1;
}

/* Counts a record, and hands it over if it is wanted. */
static bool put(struct journal_file *file, const Arbiter__Match__Record *record)
{
    if (file->record >= file->from && !file->put(file->taker, record))
        file->is_stopped = true;
    else
        file->record++;
    return !file->is_stopped;
}

void journal_file_open(struct journal_file *file, const uint8_t id[MATCH_ID_SIZE], uint64_t from,
                       char *texts)
{
    memset(file, 0, sizeof *file);
    memcpy(file->id, id, sizeof file->id);
    file->from = from;
    file->texts = texts;
    file->act = 1;
    const Arbiter__Match__Header header = ARBITER__MATCH__HEADER__INIT;
    file->header = header;
}

static void ask_acts(const struct journal_file *file, struct query *query, uint32_t limit)
{
    journal_ask_match(query, 0, JOURNAL_ACTS, file->id);
    query->has_from = true;
    query->from = (struct cell){ .kind = CELL_NUMBER, .number = (int64_t) file->act };
    query->limit = limit;
}

bool journal_file_query(const struct journal_file *file, struct query *query)
{
    if (file->is_wrong || file->is_stopped)
        return false;
    switch (file->part) {
    case FILE_MATCH: journal_ask_row(query, 0, JOURNAL_MATCHES, file->id); return true;
    case FILE_RESULT: journal_ask_match(query, 0, JOURNAL_RESULTS, file->id); return true;
    case FILE_SETUP: journal_ask_setup(query, 0, file->setup); return true;
    case FILE_SAID: ask_acts(file, query, SAID_LIMIT); return true;
    case FILE_SEATS: journal_ask_match(query, 0, JOURNAL_SEATS, file->id); return true;
    case FILE_ACTS: ask_acts(file, query, file->acts_limit); return file->rows == 0;
    default: return false;
    }
}

/* The header. */

static void take_dice(struct journal_file *file, const struct row *row)
{
    Arbiter__Match__Header *header = &file->header;
    uint64_t                seed = 0;
    header->has_seed = cell_number(row, MATCHES_SEED, &seed);
    header->seed = (int64_t) seed;
    header->has_commitment =
        cell_bytes(row, MATCHES_COMMITMENT, file->commitment, sizeof file->commitment) &&
        cell_bytes(row, MATCHES_DICE_SECRET, file->dice_secret, sizeof file->dice_secret);
    header->commitment = data_of(file->commitment, sizeof file->commitment);
}

/* A match of before says nothing of it, and is of the first version. */
static bool take_protocol(struct journal_file *file, const struct row *row)
{
    Arbiter__Match__Header *header = &file->header;
    ProtobufCBinaryData     bound = cell_data(row, MATCHES_CONTRIBUTORS);
    uint64_t                protocol = PROTOCOL_FIRST;
    (void) cell_number(row, MATCHES_PROTOCOL, &protocol);
    header->protocol = (uint32_t) protocol;
    header->contributors = file->contributors;
    for (size_t at = 0; at + 1 < bound.len && header->n_contributors < SEATS_MAX; at += 2) {
        const Arbiter__Wire__Contributor empty = ARBITER__WIRE__CONTRIBUTOR__INIT;
        Arbiter__Wire__Contributor      *put = &file->contributor[header->n_contributors];
        *put = empty;
        put->has_seat = put->has_origin = true;
        put->seat = bound.data[at];
        put->origin = (Arbiter__Wire__Origin) bound.data[at + 1];
        file->contributors[header->n_contributors++] = put;
    }
    return bound.len == 2 * header->n_contributors && protocol <= PROTOCOL_NEWEST;
}

static bool take_match(struct journal_file *file, const struct row *row)
{
    Arbiter__Match__Header *header = &file->header;
    header->has_match_id = header->has_protocol = header->has_rules_version = header->has_seats =
        header->has_created_ms = true;
    header->match_id = data_of(file->id, sizeof file->id);
    header->game = file->game;
    header->dice = file->dice;
    header->rules_version = (uint32_t) number_in(row, MATCHES_RULES_VERSION);
    header->seats = (uint32_t) number_in(row, MATCHES_SEATS);
    header->created_ms = number_in(row, MATCHES_CREATED_MS);
    take_dice(file, row);
    file->is_there = true;
    return take_protocol(file, row) &&
           copy_text(file->game, sizeof file->game, row, MATCHES_GAME) != NULL &&
           copy_text(file->dice, sizeof file->dice, row, MATCHES_DICE) != NULL &&
           cell_bytes(row, MATCHES_SETUP, file->setup, sizeof file->setup) &&
           cell_bytes(row, MATCHES_SECRET, file->sealing, sizeof file->sealing);
}

static bool take_setup(struct journal_file *file, const struct row *row)
{
    Arbiter__Match__Record record = ARBITER__MATCH__RECORD__INIT;
    const char            *end = file->texts + JOURNAL_FILE_TEXTS;
    char                  *next = copy_text(file->texts, JOURNAL_FILE_TEXTS, row, SETUPS_SETUP);
    if (next == NULL)
        return false;
    file->header.setup = file->texts;
    if (cell_data(row, SETUPS_OPTIONS).len > 0) {
        file->header.options = next;
        if (copy_text(next, (size_t) (end - next), row, SETUPS_OPTIONS) == NULL)
            return false;
    }
    record.kind_case = ARBITER__MATCH__RECORD__KIND_HEADER;
    record.header = &file->header;
    return put(file, &record);
}

/* How it ended, kept until the end is put. */
static bool take_result(struct journal_file *file, const struct row *row)
{
    struct journal_result *result = &file->result;
    ProtobufCBinaryData    bytes = cell_data(row, RESULTS_OUTCOME);
    result->acts = number_in(row, RESULTS_ACTS);
    result->is_aborted = number_in(row, RESULTS_ABORTED) != 0;
    result->seats = cell_numbers(bytes.data, bytes.len, (uint32_t *) result->outcome, SEATS_MAX);
    file->is_over = true;
    return cell_bytes(row, RESULTS_CHAIN, result->chain, sizeof result->chain) &&
           cell_bytes(row, RESULTS_DIGEST, result->digest, sizeof result->digest);
}

/* Contributions: what the house said about dice, before the start. */

/* The first of so many bytes. */
static void take_given(uint8_t *to, size_t size, bool *is_there, const struct house_news *heard)
{
    if (heard->size == size && !*is_there)
        memcpy(to, heard->bytes, size);
    *is_there |= heard->size == size;
}

/* What it cannot read is not ours to judge. False: the match begins here. */
static bool take_said(struct journal_file *file, const struct row *row)
{
    ProtobufCBinaryData said = cell_data(row, ACTS_COMMAND);
    uint64_t            actor = number_in(row, ACTS_ACTOR);
    struct house_news   heard;
    file->act = number_in(row, ACTS_NUMBER) + 1;
    file->has_begun |= actor == ACTOR_START;
    if (actor != ACTOR_SAY || !house_read(said.data, said.len, &heard) || heard.seat >= SEATS_MAX)
        return !file->has_begun;
    struct journal_given *given = &file->given[heard.seat];
    given->is_there |= heard.kind == HOUSE_HASH_POSTED || heard.kind == HOUSE_BYTES_REVEALED ||
                       heard.kind == HOUSE_SEAT_SILENT;
    if (heard.kind == HOUSE_HASH_POSTED)
        take_given(given->hash, sizeof given->hash, &given->has_hash, &heard);
    if (heard.kind == HOUSE_BYTES_REVEALED)
        take_given(given->revealed, sizeof given->revealed, &given->has_revealed, &heard);
    return true;
}

static void put_contributions(struct journal_file *file)
{
    for (uint32_t seat = 0; seat < SEATS_MAX && !file->is_stopped; seat++) {
        struct journal_given        *given = &file->given[seat];
        Arbiter__Match__Record       record = ARBITER__MATCH__RECORD__INIT;
        Arbiter__Match__Contribution said = ARBITER__MATCH__CONTRIBUTION__INIT;
        if (!given->is_there)
            continue;
        said.has_seat = true;
        said.seat = seat;
        said.has_hash = given->has_hash;
        said.hash = data_of(given->hash, sizeof given->hash);
        said.has_revealed = given->has_revealed;
        said.revealed = data_of(given->revealed, sizeof given->revealed);
        record.kind_case = ARBITER__MATCH__RECORD__KIND_CONTRIBUTION;
        record.contribution = &said;
        (void) put(file, &record);
    }
}

/* Seats, acts, the end. */

/* Once it is over everybody may read what players registered as. */
static bool take_seat(struct journal_file *file, const struct row *row)
{
    Arbiter__Match__Record record = ARBITER__MATCH__RECORD__INIT;
    Arbiter__Match__Seat   seat = ARBITER__MATCH__SEAT__INIT;
    char                  *name = file->texts; /* The header is put. */
    seat.has_seat = seat.has_bot = seat.has_generation = seat.has_since = true;
    seat.seat = (uint32_t) number_in(row, SEATS_SEAT);
    seat.generation = (uint32_t) number_in(row, SEATS_GENERATION);
    seat.since = number_in(row, SEATS_SINCE);
    seat.bot = number_in(row, SEATS_BOT) != 0;
    bool is_named = file->is_over && journal_person_name(row, name, JOURNAL_FILE_TEXTS) > 0;
    if (is_named || copy_text(name, JOURNAL_FILE_TEXTS, row, SEATS_NAME) != NULL)
        seat.name = name;
    record.kind_case = ARBITER__MATCH__RECORD__KIND_SEAT;
    record.seat = &seat;
    return put(file, &record);
}

static bool take_act(struct journal_file *file, const struct row *row)
{
    Arbiter__Match__Record record = ARBITER__MATCH__RECORD__INIT;
    Arbiter__Match__Act    act = ARBITER__MATCH__ACT__INIT;
    act.has_number = act.has_actor = act.has_command = act.has_body = act.has_chain =
        act.has_epoch = act.has_session = act.has_request = act.has_at_ms = true;
    act.number = number_in(row, ACTS_NUMBER);
    act.actor = (uint32_t) number_in(row, ACTS_ACTOR);
    act.epoch = number_in(row, ACTS_EPOCH);
    act.session = (uint32_t) number_in(row, ACTS_SESSION);
    act.request = (uint32_t) number_in(row, ACTS_REQUEST);
    act.at_ms = number_in(row, ACTS_AT_MS);
    act.command = cell_data(row, ACTS_COMMAND);
    act.body = cell_data(row, ACTS_BODY);
    act.chain = cell_data(row, ACTS_CHAIN);
    record.kind_case = ARBITER__MATCH__RECORD__KIND_ACT;
    record.act = &act;
    file->act = act.number + 1;
    return put(file, &record);
}

static void put_end(struct journal_file *file)
{
    struct journal_result *result = &file->result;
    Arbiter__Match__Record record = ARBITER__MATCH__RECORD__INIT;
    Arbiter__Match__End    end = ARBITER__MATCH__END__INIT;
    end.has_reason = end.has_acts = end.has_chain = end.has_digest = end.has_sealing_secret = true;
    end.reason = result->is_aborted ? ARBITER__MATCH__END__REASON__REASON_ABORTED
                                    : ARBITER__MATCH__END__REASON__REASON_FINISHED;
    end.acts = result->acts;
    end.chain = data_of(result->chain, sizeof result->chain);
    end.digest = data_of(result->digest, sizeof result->digest);
    end.sealing_secret = data_of(file->sealing, sizeof file->sealing);
    end.has_dice_secret = file->header.has_commitment;
    end.dice_secret = data_of(file->dice_secret, sizeof file->dice_secret);
    end.n_outcome = result->seats;
    end.outcome = result->outcome;
    record.kind_case = ARBITER__MATCH__RECORD__KIND_END;
    record.end = &end;
    (void) put(file, &record);
}

bool journal_file_row(struct journal_file *file, const struct row *row)
{
    bool is_right = true;
    file->rows++;
    switch (file->part) {
    case FILE_MATCH: is_right = take_match(file, row); break;
    case FILE_RESULT: is_right = take_result(file, row); break;
    case FILE_SETUP: is_right = take_setup(file, row) || file->is_stopped; break;
    case FILE_SAID: return !file->has_begun && take_said(file, row);
    case FILE_SEATS: return !file->is_stopped && take_seat(file, row);
    case FILE_ACTS: return !file->is_stopped && take_act(file, row);
    default: break;
    }
    file->is_wrong |= !is_right;
    return is_right;
}

/* Acts that come before what is wanted are not even read. */
static void begin_acts(struct journal_file *file)
{
    uint64_t passed = file->record;
    file->act = file->from > passed ? file->from - passed + 1 : 1;
    file->record = passed + file->act - 1;
}

/* A setup is found with every match: without it the match is damaged. */
static enum journal_file_part next_part(struct journal_file *file, bool was_cut)
{
    switch (file->part) {
    case FILE_MATCH: return file->is_there ? FILE_RESULT : FILE_WHOLE;
    case FILE_SETUP: file->is_wrong |= file->rows == 0; return FILE_SAID;
    case FILE_SAID:
        if (was_cut && !file->has_begun)
            return FILE_SAID;
        put_contributions(file);
        return FILE_SEATS;
    case FILE_SEATS: begin_acts(file); return FILE_ACTS;
    case FILE_ACTS:
        if (was_cut)
            return FILE_ACTS;
        if (file->is_over && file->act <= file->result.acts + 1)
            put_end(file);
        return file->is_stopped ? FILE_ACTS : FILE_WHOLE;
    default: return (enum journal_file_part)(file->part + 1);
    }
}

void journal_file_done(struct journal_file *file)
{
    uint32_t limit = file->part == FILE_SAID ? SAID_LIMIT : file->acts_limit;
    bool     was_cut = limit > 0 && file->rows >= limit;
    if (file->is_wrong || file->is_stopped)
        return;
    enum journal_file_part before = file->part;
    file->part = next_part(file, was_cut);
    if (file->part != before || file->part == FILE_SAID)
        file->rows = 0;
}
