/* engine_read.c: a match's header, snapshot, seats and sessions out of their rows, each judged. Pure. */
#include <string.h>

#include "schema/cells.h"
#include "services/engine/engine_parts.h"

static struct hosted *match_of(const struct engine *engine, const struct row *row, uint32_t column)
{
    uint8_t id[MATCH_ID_SIZE];
    if (!cell_bytes(row, column, id, sizeof id))
        return NULL;
    struct hosted *hosted = engine_table_find(engine, id);
    return hosted != NULL && engine->slots[hosted->slot].state == SLOT_READING ? hosted : NULL;
}

static bool read_dice(struct hosted *hosted, const struct row *row, struct dice *dice)
{
    const uint8_t *name = NULL;
    size_t         size = 0;
    uint64_t       seed = 0;
    char           text[DICE_NAME_BYTES] = { 0 };
    if (!cell_find(row, MATCHES_DICE, &name, &size) || size >= sizeof text || size == 0)
        return false;
    memcpy(text, name, size);
    const struct dice_kind *kind = dice_kind_find(text);
    if (kind == NULL)
        return false;
    hosted->dice = kind->name;
    if (kind != &dice_kind_chacha) {
        bool read = cell_number(row, MATCHES_SEED, &seed);
        hosted->seed = (int64_t) seed;
        return read && dice_open(dice, text, seed);
    }
    dice_chacha(dice, hosted->commitment);
    return cell_bytes(row, MATCHES_COMMITMENT, hosted->commitment, sizeof hosted->commitment) &&
           cell_bytes(row, MATCHES_DICE_SECRET, hosted->dice_secret, sizeof hosted->dice_secret);
}

static bool read_table(struct engine *engine, struct hosted *hosted, const struct row *row)
{
    const uint8_t *bytes = NULL;
    size_t         size = 0;
    uint64_t       spectators = 0;
    hosted->has_table = cell_bytes(row, MATCHES_TABLE, hosted->table, sizeof hosted->table);
    if (!cell_find(row, MATCHES_CODE, &bytes, &size) || size > CODE_MAX)
        return false;
    hosted->code_size = (uint8_t) size;
    if (size > 0)
        memcpy(hosted->code, bytes, size);
    if (!cell_number(row, MATCHES_SPECTATORS, &spectators) ||
        !cell_find(row, MATCHES_OPENING, &bytes, &size))
        return false;
    hosted->spectators = spectators != 0;
    if (size == 0)
        return true;
    hosted->opening = slab_take(&engine->slab, &engine->undo, size);
    if (hosted->opening == NULL)
        return false;
    hosted->opening_size = size;
    memcpy(hosted->opening, bytes, size);
    return true;
}

/* A match of before has neither column, and is of the first version. */
static bool read_protocol(struct hosted *hosted, const struct row *row)
{
    const uint8_t *bytes = NULL;
    size_t         size = 0;
    uint64_t       protocol = PROTOCOL_FIRST;
    (void) cell_number(row, MATCHES_PROTOCOL, &protocol);
    (void) cell_number(row, MATCHES_GIVEN_UP, &hosted->given_up);
    (void) cell_find(row, MATCHES_CONTRIBUTORS, &bytes, &size);
    if (protocol < PROTOCOL_FIRST || protocol > PROTOCOL_NEWEST ||
        size > sizeof hosted->contributors)
        return false;
    hosted->protocol = (uint32_t) protocol;
    hosted->contributors_size = (uint32_t) size;
    if (size > 0)
        memcpy(hosted->contributors, bytes, size);
    return true;
}

bool engine_read_match(struct engine *engine, const struct row *row, struct setup *setup)
{
    uint8_t     id[MATCH_ID_SIZE];
    uint8_t     secret[MATCH_SECRET_SIZE];
    uint64_t    state = 0;
    struct dice dice;
    if (!cell_bytes(row, MATCHES_ID, id, sizeof id) || engine_table_find(engine, id) != NULL ||
        !cell_bytes(row, MATCHES_SECRET, secret, sizeof secret) ||
        !cell_number(row, MATCHES_STATE, &state))
        return false;
    struct hosted *hosted = engine_table_add(engine, id, setup);
    if (hosted == NULL)
        return false;
    if (!cell_number(row, MATCHES_TURN_MS, &hosted->turn_ms) ||
        !cell_number(row, MATCHES_CREATED_MS, &hosted->created_ms) || !read_protocol(hosted, row) ||
        !read_dice(hosted, row, &dice) || !read_table(engine, hosted, row) ||
        !engine_table_place_match(engine, hosted, secret, &dice)) {
        engine_table_drop(engine, hosted);
        return false;
    }
    (void) cell_number(row, MATCHES_RECORDED, &hosted->recorded);
    hosted->is_over = state != JOURNAL_PLAYED;
    hosted->heard = state == JOURNAL_HEARD;
    hosted->told_ms = hosted->moved_ms = engine->now_ms;
    return true;
}

bool engine_read_snapshot(struct engine *engine, const struct row *row)
{
    struct hosted *hosted = match_of(engine, row, SNAPSHOTS_ID);
    const uint8_t *bytes = NULL;
    size_t         size = 0;
    if (hosted == NULL || !cell_find(row, SNAPSHOTS_BYTES, &bytes, &size))
        return false;
    engine_touch(engine, hosted);
    /* One of another build, or a damaged one, is not missed: all acts are played again then. */
    if (!match_load(hosted->match, bytes, size))
        return false;
    hosted->snapshot = hosted->match->number;
    hosted->phase = PHASE_PLAYED;
    hosted->is_moved = true; /* So many acts are not the house's alone. */
    return true;
}

static bool read_answer(struct engine *engine, struct session *session, const struct row *row)
{
    const uint8_t *asks = NULL;
    size_t         size = 0;
    uint64_t       request = 0;
    uint64_t       judged = 0;
    if (!cell_bytes(row, SESSIONS_KEY, session->key, sizeof session->key) ||
        !cell_bytes(row, SESSIONS_PLAYER, session->player, sizeof session->player) ||
        !cell_bytes(row, SESSIONS_CHAIN, session->chain, sizeof session->chain) ||
        !cell_number(row, SESSIONS_REQUEST, &request) ||
        !cell_number(row, SESSIONS_VERDICT, &judged) ||
        !cell_number(row, SESSIONS_NUMBER, &session->act) ||
        !cell_find(row, SESSIONS_ASKS, &asks, &size))
        return false;
    session->request = (uint32_t) request;
    session->verdict = (uint32_t) judged;
    return engine_session_keep_asks(engine, session, asks, size);
}

bool engine_read_session(struct engine *engine, const struct row *row)
{
    struct hosted *hosted = match_of(engine, row, SESSIONS_ID);
    uint64_t       index = 0;
    uint64_t       number = 0;
    uint64_t       closed = 0;
    if (hosted == NULL || !cell_number(row, SESSIONS_SEAT, &index) || index >= hosted->seats_held ||
        !cell_number(row, SESSIONS_SESSION, &number) || !cell_number(row, SESSIONS_CLOSED, &closed))
        return false;
    struct seat *seat = &hosted->seats[index];
    engine_touch(engine, hosted);
    if (number > seat->last_session)
        seat->last_session = (uint32_t) number;
    if (closed != 0 || engine_session_find(hosted, (uint32_t) index, (uint32_t) number) != NULL)
        return true;
    struct session *session = slab_take(&engine->slab, &engine->undo, sizeof *session);
    if (session == NULL)
        return false;
    session->number = (uint32_t) number;
    session->next = seat->sessions;
    seat->sessions = session; /* They come in order, so the newest ends up first. */
    seat->open++;
    return read_answer(engine, session, row);
}

bool engine_read_seat(struct engine *engine, struct hosted *hosted, const struct row *row)
{
    uint64_t       index = 0;
    uint64_t       generation = 0;
    uint64_t       bot = 0;
    uint64_t       number = 0;
    const uint8_t *name = NULL;
    size_t         size = 0;
    if (!cell_number(row, SEATS_SEAT, &index) || index >= hosted->seats_held ||
        !cell_number(row, SEATS_GENERATION, &generation) || !cell_number(row, SEATS_BOT, &bot) ||
        !cell_find(row, SEATS_NAME, &name, &size) || size > SEAT_NAME_MAX)
        return false;
    struct seat *seat = &hosted->seats[index]; /* Later holders come later. */
    engine_touch(engine, hosted);
    if (!cell_bytes(row, SEATS_PLAYER, seat->player, sizeof seat->player))
        return false;
    seat->has_key = cell_bytes(row, SEATS_KEY, seat->key, sizeof seat->key);
    seat->bot = bot != 0;
    seat->name_size = (uint8_t) size;
    memset(seat->name, 0, sizeof seat->name);
    if (size > 0)
        memcpy(seat->name, name, size);
    if (cell_find(row, SEATS_PERSON, &name, &size) && size > 0 && size <= SEAT_PERSON_MAX) {
        seat->person_size = (uint32_t) size;
        memcpy(seat->person, name, size);
    }
    seat->number = cell_number(row, SEATS_NUMBER, &number) ? (uint32_t) number : 0;
    match_set_generation(hosted->match, (uint32_t) index, (uint32_t) generation);
    return true;
}
