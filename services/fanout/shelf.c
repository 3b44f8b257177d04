/* shelf.c: cells, a hash table over acts, and two queues. See shelf.h. */
#include "services/fanout/shelf.h"

#include <assert.h>
#include <string.h>

/* An act's record stands at the number of its first cell, so there are as many records as cells. */
struct record {
    uint64_t owner, number;
    uint32_t size;
    uint32_t bucket_next;
    uint32_t newer, older; /* In its queue.                                                      */
    uint32_t cell_next; /* Of the cell of this number: the act's next, or the next free one.    */
    bool     is_kept;
};

struct queue {
    uint32_t newest, oldest;
};

struct shelf {
    uint32_t           cells, buckets, free_first, free_count;
    struct queue       queues[2]; /* By is_kept.                                                 */
    struct shelf_facts facts;
    struct record     *records;
    uint32_t          *first; /* By bucket.                                                      */
    uint8_t           *bytes;
};

struct shelf *shelf_init(void *memory, size_t bytes)
{
    struct shelf *shelf = memory;
    size_t        each = sizeof(struct record) + sizeof(uint32_t) + SHELF_CELL_BYTES;
    assert(bytes > sizeof *shelf + 64 * each);
    memset(shelf, 0, sizeof *shelf);
    size_t cells = (bytes - sizeof *shelf) / each;
    shelf->cells = shelf->buckets = shelf->free_count =
        cells < NO_ACT ? (uint32_t) cells : NO_ACT - 1;
    shelf->records = (struct record *) (void *) (shelf + 1);
    shelf->first = (uint32_t *) (void *) (shelf->records + shelf->cells);
    shelf->bytes = (uint8_t *) (shelf->first + shelf->buckets);
    for (uint32_t i = 0; i < shelf->cells; i++) {
        shelf->first[i] = NO_ACT;
        shelf->records[i].cell_next = i + 1 < shelf->cells ? i + 1 : NO_ACT;
    }
    shelf->queues[0] = shelf->queues[1] = (struct queue){ .newest = NO_ACT, .oldest = NO_ACT };
    return shelf;
}

static uint32_t *bucket_of(const struct shelf *shelf, uint64_t owner, uint64_t number)
{
    uint64_t mixed = (owner ^ number * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xff51afd7ed558ccd);
    return &shelf->first[(mixed >> 32) % shelf->buckets];
}

uint32_t shelf_find(const struct shelf *shelf, uint64_t owner, uint64_t number)
{
    uint32_t act = *bucket_of(shelf, owner, number);
    while (act != NO_ACT &&
           (shelf->records[act].owner != owner || shelf->records[act].number != number))
        act = shelf->records[act].bucket_next;
    return act;
}

uint32_t shelf_size(const struct shelf *shelf, uint32_t act)
{
    assert(act < shelf->cells);
    return shelf->records[act].size;
}

bool shelf_is_kept(const struct shelf *shelf, uint32_t act)
{
    assert(act < shelf->cells);
    return shelf->records[act].is_kept;
}

/* The piece of an act that lies in one cell, `done` bytes after its beginning. */
static uint32_t piece_size(const struct shelf *shelf, uint32_t act, uint32_t done)
{
    uint32_t left = shelf->records[act].size - done;
    return left < SHELF_CELL_BYTES ? left : SHELF_CELL_BYTES;
}

void shelf_read(const struct shelf *shelf, uint32_t act, uint8_t *bytes)
{
    assert(act < shelf->cells);
    uint32_t cell = act;
    for (uint32_t done = 0; done < shelf->records[act].size; done += SHELF_CELL_BYTES) {
        memcpy(bytes + done, shelf->bytes + (size_t) cell * SHELF_CELL_BYTES,
               piece_size(shelf, act, done));
        cell = shelf->records[cell].cell_next;
    }
}

static void fill(struct shelf *shelf, uint32_t act, const uint8_t *bytes)
{
    uint32_t cell = act;
    for (uint32_t done = 0; done < shelf->records[act].size; done += SHELF_CELL_BYTES) {
        memcpy(shelf->bytes + (size_t) cell * SHELF_CELL_BYTES, bytes + done,
               piece_size(shelf, act, done));
        cell = shelf->records[cell].cell_next;
    }
}

static void enqueue(struct shelf *shelf, uint32_t act)
{
    struct record *record = &shelf->records[act];
    struct queue  *queue = &shelf->queues[record->is_kept];
    record->newer = NO_ACT;
    record->older = queue->newest;
    if (queue->newest == NO_ACT)
        queue->oldest = act;
    else
        shelf->records[queue->newest].newer = act;
    queue->newest = act;
}

static void dequeue(struct shelf *shelf, uint32_t act)
{
    struct record *record = &shelf->records[act];
    struct queue  *queue = &shelf->queues[record->is_kept];
    if (record->newer == NO_ACT)
        queue->newest = record->older;
    else
        shelf->records[record->newer].older = record->older;
    if (record->older == NO_ACT)
        queue->oldest = record->newer;
    else
        shelf->records[record->older].newer = record->newer;
}

void shelf_keep(struct shelf *shelf, uint32_t act, bool is_kept)
{
    assert(act < shelf->cells);
    struct record *record = &shelf->records[act];
    dequeue(shelf, act);
    if (record->is_kept != is_kept)
        shelf->facts.kept += is_kept ? 1u : UINT32_MAX;
    record->is_kept = is_kept;
    enqueue(shelf, act);
}

static uint32_t cells_of(uint32_t size)
{
    return size == 0 ? 1 : (size + SHELF_CELL_BYTES - 1) / SHELF_CELL_BYTES;
}

static void remove_act(struct shelf *shelf, uint32_t act)
{
    struct record *record = &shelf->records[act];
    dequeue(shelf, act);
    uint32_t *link = bucket_of(shelf, record->owner, record->number);
    while (*link != act)
        link = &shelf->records[*link].bucket_next;
    *link = record->bucket_next;
    uint32_t last = act, count = cells_of(record->size);
    for (uint32_t i = 1; i < count; i++)
        last = shelf->records[last].cell_next;
    shelf->records[last].cell_next = shelf->free_first;
    shelf->free_first = act;
    shelf->free_count += count;
    shelf->facts.acts--;
}

static void evict(struct shelf *shelf)
{
    uint32_t act = shelf->queues[false].oldest;
    shelf->facts.evicted++;
    if (act == NO_ACT) {
        act = shelf->queues[true].oldest;
        shelf->facts.evicted_kept++;
        shelf->facts.kept--;
    }
    assert(act != NO_ACT);
    remove_act(shelf, act);
}

/* Takes so many cells, which are there; the first. */
static uint32_t take_cells(struct shelf *shelf, uint32_t count)
{
    uint32_t act = shelf->free_first, last = act;
    for (uint32_t i = 1; i < count; i++)
        last = shelf->records[last].cell_next;
    shelf->free_first = shelf->records[last].cell_next;
    shelf->records[last].cell_next = NO_ACT;
    shelf->free_count -= count;
    return act;
}

void shelf_put(struct shelf *shelf, uint64_t owner, uint64_t number, const uint8_t *bytes,
               uint32_t size)
{
    uint32_t count = cells_of(size);
    assert(count <= shelf->cells / 8);
    if (shelf_find(shelf, owner, number) != NO_ACT)
        return;
    while (shelf->free_count < count)
        evict(shelf);
    uint32_t       act = take_cells(shelf, count);
    struct record *record = &shelf->records[act];
    uint32_t      *bucket = bucket_of(shelf, owner, number);
    record->owner = owner;
    record->number = number;
    record->size = size;
    record->is_kept = false;
    record->bucket_next = *bucket;
    *bucket = act;
    fill(shelf, act, bytes);
    enqueue(shelf, act);
    shelf->facts.acts++;
}

struct shelf_facts shelf_facts(const struct shelf *shelf)
{
    return shelf->facts;
}
