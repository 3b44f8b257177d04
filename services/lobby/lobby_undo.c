/* lobby_undo.c: copies of records taken before they change. Pure.
 *
 * Within a step a record is copied at its first touch. At the step's end the copies tell which rows to
 * write; if the batch is refused, they are put back, the last first. */
#include <assert.h>
#include <string.h>

#include "base/room.h"
#include "services/lobby/lobby_parts.h"
#include "services/lobby/lobby_rows.h"

static size_t entry_size(const struct touched *touched)
{
    return room_for(sizeof *touched) + room_for(touched->size);
}

static struct touched *entry_at(const struct lobby *lobby, size_t at)
{
    return (struct touched *) (void *) (lobby->undo + at);
}

static uint8_t *copy_of(struct touched *touched)
{
    return (uint8_t *) touched + room_for(sizeof *touched);
}

void *lobby_touch(struct lobby *lobby, enum record kind, uint32_t place)
{
    void *record = record_of(lobby, kind, place);
    for (size_t at = lobby->undo_step; at < lobby->undo_used;) {
        const struct touched *touched = entry_at(lobby, at);
        if (touched->kind == kind && touched->place == place)
            return record;
        at += entry_size(touched);
    }
    struct touched *touched = entry_at(lobby, lobby->undo_used);
    size_t          size = lobby->pool[kind].size;
    assert(lobby->undo_used + room_for(sizeof *touched) + room_for(size) <= UNDO_BYTES);
    *touched = (struct touched){ .kind = kind, .place = place, .size = size };
    memcpy(copy_of(touched), record, size);
    lobby->undo_used += entry_size(touched);
    return record;
}

void lobby_undo_step_begin(struct lobby *lobby)
{
    lobby->undo_step = lobby->undo_used;
    lobby->drawn = 0;
}

void lobby_undo_step_end(struct lobby *lobby, struct outbox *out)
{
    for (size_t at = lobby->undo_step; at < lobby->undo_used;) {
        struct touched *touched = entry_at(lobby, at);
        lobby_rows_write(lobby, (enum record) touched->kind, touched->place, copy_of(touched), out);
        at += entry_size(touched);
    }
    if (UNDO_BYTES - lobby->undo_used < UNDO_STEP || lobby->asker_count == ASKERS_MAX)
        out->wants_commit = true;
}

/* Later copies hold what earlier steps had made of the record, so each is put back in its turn. */
void lobby_undo_batch(struct lobby *lobby)
{
    size_t end = lobby->undo_used;
    while (end > 0) {
        size_t at = 0;
        while (at + entry_size(entry_at(lobby, at)) < end)
            at += entry_size(entry_at(lobby, at));
        struct touched *touched = entry_at(lobby, at);
        memcpy(record_of(lobby, (enum record) touched->kind, touched->place), copy_of(touched),
               touched->size);
        if (touched->kind == RECORD_TABLE && table_of(lobby, touched->place)->used)
            lobby_clock_begin(lobby, touched->place);
        end = at;
    }
    lobby_undo_forget(lobby);
    lobby->compiled_for = 0;
    lobby_remember_all(lobby);
}

void lobby_undo_forget(struct lobby *lobby)
{
    lobby->undo_used = lobby->undo_step = 0;
}
