/* browser_log.c: one ring of bytes, many logs in it. Pure.
 *
 * Places count from the first byte ever put, so that a larger one is always newer; where a place
 * stands in memory is its remainder. A record stands in one piece. One that does not fit behind the
 * last one begins at the ring's beginning, and the rest of the ring's end stays unused. */
#include "services/gateway/browser/browser_log.h"

#include <assert.h>
#include <string.h>

#define NOBODYS UINT32_MAX

/* Before each record's bytes. */
struct head {
    uint64_t             next; /* Where the log's next record stands; 0: there is none yet.     */
    uint64_t             number;
    struct browser_facts facts;
    uint32_t             log, serial;
    uint32_t size, room; /* Of its bytes; of all of it.                                */
};

static struct head *head_at(const struct browser_logs *logs, uint64_t place)
{
    return (struct head *) (void *) (logs->bytes + (size_t) (place % logs->capacity));
}

void browser_logs_init(struct browser_logs *logs, void *bytes, size_t capacity,
                       struct browser_log *places, uint32_t count)
{
    assert((uintptr_t) bytes % sizeof(uint64_t) == 0 && capacity % sizeof(uint64_t) == 0);
    assert(capacity > 0);
    memset(places, 0, count * sizeof *places);
    /* No record stands at place 0, which means none: the count begins one round later. */
    *logs = (struct browser_logs){ .bytes = bytes,
                                   .capacity = capacity,
                                   .begin = capacity,
                                   .end = capacity,
                                   .logs = places,
                                   .logs_max = count };
}

uint32_t browser_log_open(struct browser_logs *logs)
{
    for (uint32_t i = 0; i < logs->logs_max; i++) {
        if (logs->logs[i].serial != 0)
            continue;
        logs->serials = logs->serials == UINT32_MAX ? 1 : logs->serials + 1;
        logs->logs[i] = (struct browser_log){ .serial = logs->serials, .first_number = 1 };
        return i;
    }
    return BROWSER_NO_LOG;
}

void browser_log_close(struct browser_logs *logs, uint32_t log)
{
    if (log != BROWSER_NO_LOG)
        logs->logs[log] = (struct browser_log){ .serial = 0 };
}

/* The oldest record of all is forgotten. */
static void forget_oldest(struct browser_logs *logs)
{
    const struct head *oldest = head_at(logs, logs->begin);
    if (oldest->log != NOBODYS && logs->logs[oldest->log].serial == oldest->serial) {
        struct browser_log *log = &logs->logs[oldest->log];
        assert(log->first == logs->begin);
        log->first = oldest->next;
        log->first_number = oldest->number + 1;
        if (log->first == 0)
            log->last = 0;
    }
    logs->begin += oldest->room;
}

static void make_room(struct browser_logs *logs, size_t room)
{
    while (logs->end - logs->begin + room > logs->capacity)
        forget_oldest(logs);
}

/* A head must fit there, too, so that whoever forgets can read it. */
static size_t room_for(size_t size)
{
    return (sizeof(struct head) + size + 7) & ~(size_t) 7;
}

/* Leaves the end of the ring, where the next record does not fit. */
static void leave_end(struct browser_logs *logs)
{
    size_t left = logs->capacity - (size_t) (logs->end % logs->capacity);
    make_room(logs, left);
    struct head *head = head_at(logs, logs->end);
    head->log = NOBODYS;
    head->room = (uint32_t) left;
    logs->end += left;
}

bool browser_log_put(struct browser_logs *logs, uint32_t log, const struct browser_facts *facts,
                     const uint8_t *bytes, size_t size)
{
    size_t room = room_for(size);
    size_t left = logs->capacity - (size_t) (logs->end % logs->capacity);
    assert(log < logs->logs_max && logs->logs[log].serial != 0 && facts->tail <= size);
    if (room > logs->capacity / 4)
        return false;
    if (room > left)
        leave_end(logs);
    make_room(logs, room);
    left = logs->capacity - (size_t) ((logs->end + room) % logs->capacity);
    if (left < sizeof(struct head)) { /* Too little for anybody: it is this record's. */
        make_room(logs, room + left);
        room += left;
    }
    struct browser_log *to = &logs->logs[log];
    struct head        *head = head_at(logs, logs->end);
    *head = (struct head){ .number = ++to->last_number,
                           .facts = *facts,
                           .log = log,
                           .serial = to->serial,
                           .size = (uint32_t) size,
                           .room = (uint32_t) room };
    memcpy(head + 1, bytes, size);
    if (to->last != 0)
        head_at(logs, to->last)->next = logs->end;
    else
        to->first = logs->end;
    to->last = logs->end;
    logs->end += room;
    return true;
}

struct browser_cursor browser_cursor_behind(const struct browser_logs *logs, uint32_t log,
                                            uint64_t number)
{
    const struct browser_log *of = &logs->logs[log];
    return (struct browser_cursor){ .log = log,
                                    .serial = of->serial,
                                    .next = number + 1,
                                    .behind = number == of->last_number ? of->last : 0 };
}

/* The place of the record that it wants; it is kept. */
static uint64_t find(const struct browser_logs *logs, const struct browser_log *log,
                     const struct browser_cursor *cursor)
{
    uint64_t place = log->first;
    if (cursor->behind >= logs->begin)
        return head_at(logs, cursor->behind)->next;
    while (place != 0 && head_at(logs, place)->number < cursor->next)
        place = head_at(logs, place)->next;
    return place;
}

enum browser_read browser_cursor_read(const struct browser_logs *logs,
                                      struct browser_cursor *cursor, struct browser_record *record)
{
    const struct browser_log *log = &logs->logs[cursor->log];
    if (log->serial != cursor->serial || cursor->next < log->first_number)
        return BROWSER_NOT_KEPT;
    if (cursor->next > log->last_number)
        return BROWSER_AT_END;
    uint64_t           place = find(logs, log, cursor);
    const struct head *head = head_at(logs, place);
    assert(place != 0 && head->number == cursor->next);
    *record = (struct browser_record){ .facts = head->facts,
                                       .place = place,
                                       .number = head->number,
                                       .bytes = (const uint8_t *) (head + 1),
                                       .size = head->size };
    return BROWSER_READ;
}

void browser_cursor_pass(struct browser_cursor *cursor, const struct browser_record *record)
{
    cursor->next = record->number + 1;
    cursor->behind = record->place;
}
