/* engine_recover.c: a slot's matches out of the journal, a few reads under way at a time. Pure.
 *
 *     live rows -> set-ups that memory has not, then live rows once more
 *               -> sessions, snapshots of the slot
 *               -> of each match: its seats; its acts from the snapshot on
 *
 * Every read of a run carries its number; rows of an older run are not listened to. Each slot has runs of
 * its own: if the store could not read something of one, that slot begins anew after a while. */
#include <string.h>

#include "schema/cells.h"
#include "services/engine/engine_parts.h"

#define MATCHES_UNDER_WAY 64u

enum stage { STAGE_NONE, STAGE_LIVE, STAGE_SETUPS, STAGE_ROWS, STAGE_MATCHES };

uint32_t engine_read_tag(const struct engine *engine, enum read_kind kind, uint32_t index)
{
    bool     is_slots = kind != READ_SLOTS && kind != READ_SETUP && kind != READ_SOUGHT;
    uint32_t run = is_slots ? engine->slots[index].run : engine->run;
    return (run & 0xff) << 24 | (uint32_t) kind << 16 | index;
}

/* Whether what comes was asked for in the present run. */
static bool is_awaited(const struct engine *engine, uint32_t tag)
{
    enum read_kind kind = (enum read_kind)(tag >> 16 & 0xff);
    uint32_t       index = tag & 0xffff;
    return index < SLOTS && engine_read_tag(engine, kind, index) == tag;
}

static void ask_live(const struct engine *engine, uint32_t index, struct slot *slot,
                     struct outbox *out)
{
    struct query query;
    journal_ask_slot(&query, engine_read_tag(engine, READ_LIVE, index), JOURNAL_LIVE, index);
    outbox_read(out, &query);
    slot->stage = STAGE_LIVE;
    slot->missing = false;
}

void engine_recover_slots(struct engine *engine, struct outbox *out)
{
    for (uint32_t i = 0; i < SLOTS; i++)
        if (engine->slots[i].state == SLOT_READING && engine->slots[i].stage == STAGE_NONE &&
            engine->now_ms >= engine->slots[i].again_ms)
            ask_live(engine, i, &engine->slots[i], out);
}

static void ask_setup(struct engine *engine, const uint8_t *text_hash,
                      const struct engine_game *game, uint32_t seats, struct outbox *out)
{
    struct query query;
    for (uint32_t i = 0; i < engine->wanted_count; i++)
        if (engine->wanted[i].game == game && engine->wanted[i].seats == seats &&
            memcmp(engine->wanted[i].text_hash, text_hash, CRYPTO_HASH_SIZE) == 0)
            return;
    if (engine->wanted_count == WANTED_MAX)
        return; /* The slot asks again when these have come. */
    if (engine->wanted_asked == 0)
        engine->setup_failed = false;
    struct wanted *wanted = &engine->wanted[engine->wanted_count];
    *wanted = (struct wanted){ .game = game, .seats = seats };
    memcpy(wanted->text_hash, text_hash, CRYPTO_HASH_SIZE);
    journal_ask_setup(&query, engine_read_tag(engine, READ_SETUP, engine->wanted_count++),
                      outbox_copy(out, text_hash, CRYPTO_HASH_SIZE));
    outbox_read(out, &query);
    engine->wanted_asked++;
}

static bool is_hopeless(const struct engine *engine, const struct engine_game *game, uint32_t seats,
                        const uint8_t *text_hash)
{
    for (uint32_t i = 0; i < engine->wanted_count; i++)
        if (engine->wanted[i].is_broken && engine->wanted[i].game == game &&
            engine->wanted[i].seats == seats &&
            memcmp(engine->wanted[i].text_hash, text_hash, CRYPTO_HASH_SIZE) == 0)
            return true;
    return engine->wanted_count == WANTED_MAX && engine->wanted_asked == 0;
}

/* Which rules it needs is told, so that one knows what to start. */
static void lacks_rules(struct engine *engine, const uint8_t *id, const uint8_t *name, size_t size,
                        uint64_t version, struct outbox *out)
{
    struct text why;
    text_clear(&why);
    text_put(&why, "its rules, ");
    text_put_bytes(&why, (const char *) name, size);
    text_put(&why, " ");
    text_put_number(&why, (int64_t) version);
    text_put(&why, ", are not in this build; it goes on at an engine that has them");
    engine_unread_add(engine, id, why.bytes, true, out);
}

static void on_live_row(struct engine *engine, struct slot *slot, const struct row *row,
                        struct outbox *out)
{
    const uint8_t            *name = NULL;
    size_t                    size = 0;
    uint64_t                  version = 0;
    uint64_t                  seats = 0;
    uint8_t                   id[MATCH_ID_SIZE];
    uint8_t                   text_hash[CRYPTO_HASH_SIZE];
    const struct engine_game *game = NULL;
    if (!cell_bytes(row, MATCHES_ID, id, sizeof id)) {
        static const uint8_t nobody[MATCH_ID_SIZE];
        engine_unread_add(engine, nobody, "its id is damaged", false, out);
        return;
    }
    if (!cell_find(row, MATCHES_GAME, &name, &size) || size == 0 ||
        !cell_number(row, MATCHES_RULES_VERSION, &version) || version == 0 ||
        version > UINT32_MAX || !cell_bytes(row, MATCHES_SETUP, text_hash, sizeof text_hash) ||
        !cell_number(row, MATCHES_SEATS, &seats) || seats > SEATS_MAX) {
        engine_unread_add(engine, id, "its header is damaged", false, out);
        return;
    }
    game = engine_game_find(engine, (const char *) name, size, (uint32_t) version);
    if (game == NULL) {
        lacks_rules(engine, id, name, size, version, out);
        return;
    }
    if (engine_table_find(engine, id) != NULL)
        return; /* Read when the slot was asked for the first time. */
    struct setup *setup = engine_setup_known(engine, game, (uint32_t) seats, text_hash);
    if (setup == NULL && is_hopeless(engine, game, (uint32_t) seats, text_hash)) {
        engine_unread_add(engine, id, "its set-up is missing or refused", false, out);
    } else if (setup == NULL) {
        ask_setup(engine, text_hash, game, (uint32_t) seats, out);
        slot->missing = true;
    } else if (!engine_read_match(engine, row, setup)) {
        engine_unread_add(engine, id, "its header is damaged, or there is no room", false, out);
    }
}

static void on_setup_row(struct engine *engine, uint32_t index, const struct row *row)
{
    struct wanted           *wanted = &engine->wanted[index];
    struct engine_setup_text text = { .setup = NULL };
    const uint8_t           *setup = NULL;
    const uint8_t           *options = NULL;
    struct text              fault;
    bool                     is_new = false;
    text_clear(&fault);
    if (index >= engine->wanted_count || !cell_find(row, SETUPS_SETUP, &setup, &text.setup_size) ||
        !cell_find(row, SETUPS_OPTIONS, &options, &text.options_size) || setup == NULL)
        return;
    text.setup = (const char *) setup;
    text.options = (const char *) options;
    const struct setup *found =
        engine_setup_find(engine, wanted->game, wanted->seats, &text, &fault, &is_new);
    wanted->is_broken =
        found == NULL || memcmp(found->text_hash, wanted->text_hash, CRYPTO_HASH_SIZE) != 0;
}

static void read_later(struct engine *engine, struct slot *slot)
{
    slot->must_read_again = engine->must_read_again = true;
}

/* What the store could not say is asked again, with the matches that need it. */
static void on_setup_done(struct engine *engine, const struct event *event, struct outbox *out)
{
    uint32_t index = event->tag & 0xffff;
    bool     failed = event->failed != 0;
    if (index < engine->wanted_count && !failed && event->rows == 0)
        engine->wanted[index].is_broken = true;
    engine->setup_failed = engine->setup_failed || failed;
    if (engine->wanted_asked > 0)
        engine->wanted_asked--;
    if (engine->wanted_asked > 0)
        return;
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (engine->slots[i].state != SLOT_READING || engine->slots[i].stage != STAGE_SETUPS)
            continue;
        if (engine->setup_failed)
            read_later(engine, &engine->slots[i]);
        else
            ask_live(engine, i, &engine->slots[i], out);
    }
    /* What came is in memory now; only what will never come is kept in mind. */
    uint32_t kept = 0;
    for (uint32_t i = 0; i < engine->wanted_count; i++)
        if (engine->wanted[i].is_broken)
            engine->wanted[kept++] = engine->wanted[i];
    engine->wanted_count = kept;
}

static void ask_rows(const struct engine *engine, uint32_t index, struct slot *slot,
                     struct outbox *out)
{
    struct query query;
    journal_ask_slot(&query, engine_read_tag(engine, READ_SESSIONS, index), JOURNAL_SESSIONS,
                     index);
    outbox_read(out, &query);
    journal_ask_slot(&query, engine_read_tag(engine, READ_SNAPSHOTS, index), JOURNAL_SNAPSHOTS,
                     index);
    outbox_read(out, &query);
    slot->stage = STAGE_ROWS;
}

static void ask_match(const struct engine *engine, uint32_t index, const struct hosted *hosted,
                      struct outbox *out)
{
    struct query   query;
    const uint8_t *id = outbox_copy(out, hosted->id, MATCH_ID_SIZE);
    journal_ask_match(&query, engine_read_tag(engine, READ_SEATS, index), JOURNAL_SEATS, id);
    outbox_read(out, &query);
    journal_ask_match(&query, engine_read_tag(engine, READ_ACTS, index), JOURNAL_ACTS, id);
    query.has_from = true;
    query.from = (struct cell){ .kind = CELL_NUMBER,
                                .number = hosted->snapshot > 0 ? (int64_t) hosted->snapshot : 1 };
    outbox_read(out, &query);
}

/* Matches are asked for from the oldest on; each becomes the newest when it is done, so whoever is behind
 * `last` has been read. */
static void ask_matches(struct engine *engine, uint32_t index, struct slot *slot,
                        struct outbox *out)
{
    while (slot->unasked != NULL && slot->asked < MATCHES_UNDER_WAY) {
        ask_match(engine, index, slot->unasked, out);
        slot->asked++;
        slot->unasked = slot->unasked == slot->last ? NULL : slot->unasked->newer;
    }
    if (slot->asked > 0)
        return;
    slot->state = SLOT_OURS;
    slot->reading = NULL;
    engine_marks_await(engine, slot, out);
}

static void begin_matches(struct engine *engine, uint32_t index, struct slot *slot,
                          struct outbox *out)
{
    slot->stage = STAGE_MATCHES;
    slot->reading = slot->unasked = slot->oldest;
    slot->last = slot->newest;
    slot->asked = 0;
    ask_matches(engine, index, slot, out);
}

static void match_read(struct engine *engine, uint32_t index, struct slot *slot, struct outbox *out)
{
    struct hosted *hosted = slot->reading;
    if (hosted == NULL || slot->asked == 0)
        return;
    slot->reading = hosted == slot->last ? NULL : hosted->newer;
    engine_replay_done(engine, hosted, out);
    slot->asked--;
    ask_matches(engine, index, slot, out);
}

/* The slot whose row or end of rows this is; NULL: it is not read any more. */
static struct slot *slot_of_tag(struct engine *engine, uint32_t tag)
{
    struct slot *slot = &engine->slots[tag & 0xffff];
    return slot->state == SLOT_READING && !slot->must_read_again ? slot : NULL;
}

static void on_match_row(struct engine *engine, struct slot *slot, enum read_kind kind,
                         const struct row *row, struct outbox *out)
{
    struct hosted *hosted = slot->reading;
    uint8_t        id[MATCH_ID_SIZE];
    if (hosted == NULL || !cell_bytes(row, 0, id, sizeof id) ||
        memcmp(id, hosted->id, sizeof id) != 0)
        return;
    if (kind == READ_ACTS)
        engine_replay_act(engine, hosted, row, out);
    else if (!engine_read_seat(engine, hosted, row))
        engine_table_quarantine(engine, hosted, "the row of a seat is damaged", out);
}

void engine_on_row(struct engine *engine, const struct event *event, struct outbox *out)
{
    enum read_kind kind = (enum read_kind)(event->tag >> 16 & 0xff);
    if (!is_awaited(engine, event->tag))
        return;
    if (kind == READ_SLOTS) {
        engine_on_slots_row(engine, event->row);
        return;
    }
    if (kind == READ_SETUP) {
        on_setup_row(engine, event->tag & 0xffff, event->row);
        return;
    }
    if (kind == READ_SOUGHT) {
        engine->sought_found = (event->tag & 0xffff) == engine->sought_number;
        return;
    }
    struct slot *slot = slot_of_tag(engine, event->tag);
    if (slot == NULL)
        return;
    switch (kind) {
    case READ_LIVE: on_live_row(engine, slot, event->row, out); break;
    case READ_SESSIONS: (void) engine_read_session(engine, event->row); break;
    case READ_SNAPSHOTS: (void) engine_read_snapshot(engine, event->row); break;
    default: on_match_row(engine, slot, kind, event->row, out);
    }
}

static void on_slot_done(struct engine *engine, enum read_kind kind, uint32_t index,
                         struct slot *slot, struct outbox *out)
{
    switch (kind) {
    case READ_LIVE:
        if (!slot->missing)
            ask_rows(engine, index, slot, out);
        else if (engine->wanted_asked > 0)
            slot->stage = STAGE_SETUPS;
        else if (engine->setup_failed)
            read_later(engine, slot);
        else
            ask_live(engine, index, slot, out);
        break;
    case READ_SNAPSHOTS: begin_matches(engine, index, slot, out); break;
    case READ_ACTS: match_read(engine, index, slot, out); break;
    default: break;
    }
}

void engine_on_read_done(struct engine *engine, const struct event *event, struct outbox *out)
{
    enum read_kind kind = (enum read_kind)(event->tag >> 16 & 0xff);
    if (!is_awaited(engine, event->tag))
        return;
    if (kind == READ_SLOTS) {
        engine_on_slots_read(engine, event->failed != 0, out);
        return;
    }
    if (kind == READ_SETUP) {
        on_setup_done(engine, event, out);
        return;
    }
    if (kind == READ_SOUGHT) {
        engine_sought_done(engine, event, out);
        return;
    }
    struct slot *slot = slot_of_tag(engine, event->tag);
    if (slot == NULL)
        return;
    if (event->failed != 0)
        read_later(engine, slot);
    else
        on_slot_done(engine, kind, event->tag & 0xffff, slot, out);
}
