/* erase.c: a player's name taken out of a journal; see erase.h.
 *
 * The lobby forgets names while it runs. What it sent to engines stands in their journals: in
 * `seats`, and in the tables that games keep of persons. No hash covers any of it, so matches
 * verify as before. An engine that owns a slot might write a name again that it has in memory. A
 * home's journal has one owner: so its engine must not run. In a database we take the slots of
 * matches that go on, as another engine would. Their owner finds that out at its next commit. It
 * takes them anew, and reads what is there then. */
#include "services/console/care/erase.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "games/registry.h"
#include "match/match.h"
#include "rules/record.h"
#include "schema/cells.h"
#include "schema/journal.h"
#include "services/console/command/console.h"
#include "services/console/home/home.h"
#include "store/store.h"
#include "wire/header.h"

#define BATCH_ROWS 256
/* An engine may take a slot back at once; between two of our tries it has time to go on. */
#define TRIES 100
#define PAUSE_MS 50

/* A row that is written again; what its cells point to is its own. */
struct redone {
    struct redone *next;
    struct row    *row;
};

struct eraser {
    struct store         *store;
    struct journal_schema schema;
    const char           *name;
    struct redone        *seats, *persons; /* Seats have lost their names in `row` already.      */
    uint32_t              seat_count, person_count;
    struct record_seat    who;    /* Of the seat at hand, and whose row in ...                    */
    uint64_t              number; /* ... the tables of its game it is, as this match is counted; */
    const struct game    *game;   /* NULL: it keeps none.                                         */
    bool                  is_short;  /* Of memory.                                              */
    bool                  is_shared; /* Engines may be at work.                                   */
    bool                  is_live[SLOTS]; /* Slots in which the person to be forgotten plays ... */
    struct row           *slots[SLOTS];   /* ... and their rows, as they were found;            */
    struct fence          fences[SLOTS];  /* ours when they have been taken.                     */
    uint32_t              fence_count;
};

typedef bool taking(void *taker, const struct row *row);

static struct redone *copy_of(const struct row *row)
{
    size_t         bytes = 0;
    struct redone *redone = malloc(sizeof *redone);
    if (redone != NULL)
        *redone = (struct redone){ .row = store_copy_row(row, &bytes) };
    if (redone == NULL || redone->row != NULL)
        return redone;
    free(redone);
    return NULL;
}

static bool keep(struct eraser *eraser, struct redone **list, struct redone *redone)
{
    eraser->is_short = eraser->is_short || redone == NULL;
    if (redone == NULL)
        return false;
    redone->next = *list;
    *list = redone;
    return true;
}

/* By the lobby, or by the first two lines of the registration: a guest of the door of 2017 is known
 * by these. */
static bool is_called(const struct cell *person, const char *name)
{
    size_t size = strlen(name), at = 0;
    if (person->kind != CELL_TEXT || person->size <= size)
        return false;
    uint32_t lines = 0;
    for (; at < size; at++) {
        bool is_end = person->bytes[at] == '\n';
        if (name[at] != (is_end && lines == 0 ? ' ' : (char) person->bytes[at]))
            return false;
        lines += is_end;
    }
    return person->bytes[at] == '\n' && lines == 1;
}

static bool take_seat(void *taker, const struct row *row)
{
    struct eraser     *eraser = taker;
    const struct cell *name = &row->cells[SEATS_NAME];
    bool               is_his = name->kind == CELL_TEXT && name->size == strlen(eraser->name) &&
                  memcmp(name->bytes, eraser->name, name->size) == 0;
    if (!is_his && !is_called(&row->cells[SEATS_PERSON], eraser->name))
        return true;
    return keep(eraser, &eraser->seats, copy_of(row));
}

static const struct game *game_of(const struct row *match)
{
    const struct game_wire *const *wires = registry_games();
    const uint8_t                 *name = NULL;
    size_t                         size = 0;
    if (!cell_find(match, MATCHES_GAME, &name, &size))
        return NULL;
    for (; *wires != NULL; wires++)
        if (strlen((*wires)->game->name) == size && memcmp((*wires)->game->name, name, size) == 0 &&
            (*wires)->game->record != NULL && (*wires)->game->record->forget != NULL)
            return (*wires)->game;
    return NULL;
}

static bool take_match(void *taker, const struct row *row)
{
    struct eraser *eraser = taker;
    if (cell_number(row, MATCHES_RECORDED, &eraser->number) && eraser->number > 0)
        eraser->game = game_of(row);
    return true;
}

static void put_cells(const struct record_cell *cells, struct row *row)
{
    for (uint32_t i = 0; i < row->count; i++) {
        struct cell *cell = &row->cells[i];
        if (cell->kind == CELL_NUMBER)
            continue;
        bool is_text = cells[i].text != NULL;
        cell->kind = is_text ? CELL_TEXT : CELL_NULL;
        cell->bytes = (const uint8_t *) cells[i].text;
        cell->size = is_text ? cells[i].size : 0;
    }
}

static void cells_of(const struct row *row, struct record_cell *cells)
{
    for (uint32_t i = 0; i < row->count && i < RECORD_COLUMNS_MAX; i++) {
        const struct cell *cell = &row->cells[i];
        cells[i] = (struct record_cell){ .number = ABSENT };
        if (cell->kind == CELL_NUMBER)
            cells[i].number = (word) cell->number;
        else if (cell->kind == CELL_TEXT)
            cells[i] =
                (struct record_cell){ .text = (const char *) cell->bytes, .size = cell->size };
    }
}

/* Whether this person has been found already: two games leave one row. */
static bool is_known(const struct eraser *eraser, const struct row *row)
{
    for (const struct redone *at = eraser->persons; at != NULL; at = at->next)
        if (at->row->table == row->table && at->row->cells[0].number == row->cells[0].number)
            return true;
    return false;
}

/* Copied twice: what the game puts in somebody's place may lie in `room`. */
static bool keep_person(struct eraser *eraser, const struct row *row,
                        const struct record_cell *cells)
{
    size_t      bytes = 0;
    struct row *changed = store_copy_row(row, &bytes);
    if (changed == NULL)
        return keep(eraser, &eraser->persons, NULL);
    put_cells(cells, changed);
    struct redone *kept = copy_of(changed);
    free(changed);
    return keep(eraser, &eraser->persons, kept);
}

static bool take_person(void *taker, const struct row *row)
{
    struct eraser     *eraser = taker;
    struct record_cell cells[RECORD_COLUMNS_MAX];
    struct text        room;
    cells_of(row, cells);
    return is_known(eraser, row) || !eraser->game->record->forget(&eraser->who, cells, &room) ||
           keep_person(eraser, row, cells);
}

/* Persons who registered and never played: no seat leads to them. */
static bool take_lone(void *taker, const struct row *row)
{
    struct eraser     *eraser = taker;
    struct record_cell cells[RECORD_COLUMNS_MAX];
    struct text        room;
    cells_of(row, cells);
    return is_known(eraser, row) ||
           !eraser->game->record->forget_named(eraser->name, strlen(eraser->name), cells, &room) ||
           keep_person(eraser, row, cells);
}

static bool read_lone(struct eraser *eraser)
{
    bool is_read = true;
    for (const struct game_wire *const *wires = registry_games(); *wires != NULL && is_read;
         wires++) {
        const struct game_record *record = (*wires)->game->record;
        if (record == NULL || record->forget_named == NULL)
            continue;
        struct query all = { .table = journal_schema_add(&eraser->schema, record) +
                                      record->person_table };
        eraser->game = (*wires)->game;
        is_read = store_read(eraser->store, &all, take_lone, eraser);
    }
    return is_read;
}

static bool read_person(struct eraser *eraser, uint32_t seat)
{
    const struct game_record *record = eraser->game->record;
    struct query              query = { .prefix_count = 1 };
    query.table = journal_schema_add(&eraser->schema, record) + record->person_table;
    query.prefix[0] =
        (struct cell){ .kind = CELL_NUMBER,
                       .number = record->person_key(&eraser->who, (word) eraser->number, seat) };
    return store_read(eraser->store, &query, take_person, eraser);
}

/* The seat's name goes; what its game wrote of whoever sat there is looked for before. */
static bool empty_seat(struct eraser *eraser, struct row *row)
{
    struct cell       *name = &row->cells[SEATS_NAME], *person = &row->cells[SEATS_PERSON];
    const struct cell *said = person->kind == CELL_TEXT ? person : name;
    struct query       query;
    uint8_t            id[MATCH_ID_SIZE];
    if (!cell_bytes(row, SEATS_ID, id, sizeof id))
        return false;
    journal_ask_row(&query, 0, JOURNAL_MATCHES, id);
    eraser->game = NULL;
    uint64_t number = 0;
    if (!cell_number(row, SEATS_NUMBER, &number))
        number = 0; /* Older than such numbers. */
    eraser->who = (struct record_seat){ .number = (uint32_t) number,
                                        .player = row->cells[SEATS_PLAYER].bytes,
                                        .person = (const char *) said->bytes,
                                        .person_size = said->size };
    bool is_read = store_read(eraser->store, &query, take_match, eraser) &&
                   (eraser->game == NULL || row->cells[SEATS_PLAYER].size != PERSON_SIZE ||
                    read_person(eraser, (uint32_t) row->cells[SEATS_SEAT].number));
    *name = *person = (struct cell){ .kind = CELL_NULL };
    return is_read;
}

static bool take_live(void *taker, const struct row *row)
{
    struct eraser *eraser = taker;
    uint64_t       slot = SLOTS;
    if (cell_number(row, MATCHES_SLOT, &slot) && slot < SLOTS)
        eraser->is_live[slot] = true;
    return true;
}

static bool take_slot(void *taker, const struct row *row)
{
    struct eraser *eraser = taker;
    uint64_t       slot = SLOTS;
    if (!cell_number(row, SLOTS_SLOT, &slot) || slot >= SLOTS || !eraser->is_live[slot])
        return true;
    size_t bytes = 0;
    eraser->slots[slot] = store_copy_row(row, &bytes);
    eraser->is_short = eraser->slots[slot] == NULL;
    return !eraser->is_short;
}

/* The next epoch, under the fence of the one that was found; from then on it is our fence. */
static enum store_outcome take_slots(struct eraser *eraser)
{
    const struct row *rows[SLOTS];
    struct query      all = { .table = JOURNAL_SLOTS };
    eraser->fence_count = 0;
    if (!store_read(eraser->store, &all, take_slot, eraser))
        return eraser->is_short ? STORE_UNKNOWN : STORE_BUSY;
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        struct row *row = eraser->slots[slot];
        if (row == NULL)
            continue;
        eraser->fences[eraser->fence_count] =
            (struct fence){ .slot = slot, .epoch = (uint64_t) row->cells[SLOTS_EPOCH].number };
        row->cells[SLOTS_EPOCH].number++;
        rows[eraser->fence_count++] = row;
    }
    enum store_outcome outcome =
        store_commit(eraser->store, rows, eraser->fence_count, eraser->fences, eraser->fence_count);
    for (uint32_t i = 0; i < eraser->fence_count; i++)
        eraser->fences[i].epoch++;
    return outcome;
}

/* Of a home nobody but us has anything in memory. */
static enum store_outcome take_what_is_played(struct eraser *eraser)
{
    uint8_t      id[MATCH_ID_SIZE];
    struct query query;
    for (const struct redone *at = eraser->seats; at != NULL && eraser->is_shared; at = at->next) {
        if (!cell_bytes(at->row, SEATS_ID, id, sizeof id))
            return STORE_BUSY;
        journal_ask_row(&query, 0, JOURNAL_LIVE, id);
        if (!store_read(eraser->store, &query, take_live, eraser))
            return STORE_BUSY;
    }
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        if (eraser->is_live[slot])
            return take_slots(eraser);
    return STORE_COMMITTED;
}

static enum store_outcome write_rows(struct eraser *eraser, const struct redone *from,
                                     uint32_t *written)
{
    const struct row  *rows[BATCH_ROWS];
    enum store_outcome outcome = STORE_COMMITTED;
    while (from != NULL && outcome == STORE_COMMITTED) {
        uint32_t count = 0;
        for (; from != NULL && count < BATCH_ROWS; from = from->next)
            rows[count++] = from->row;
        outcome = store_commit(eraser->store, rows, count, eraser->fences, eraser->fence_count);
        *written += outcome == STORE_COMMITTED ? count : 0;
    }
    return outcome;
}

static void free_list(struct redone **list)
{
    while (*list != NULL) {
        struct redone *next = (*list)->next;
        free((*list)->row);
        free(*list);
        *list = next;
    }
}

static void forget_pass(struct eraser *eraser)
{
    free_list(&eraser->seats);
    free_list(&eraser->persons);
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        free(eraser->slots[slot]);
        eraser->slots[slot] = NULL;
        eraser->is_live[slot] = false;
    }
    eraser->fence_count = 0;
}

/* Once through all seats. */
static enum store_outcome erase_once(struct eraser *eraser)
{
    struct query       all = { .table = JOURNAL_SEATS };
    bool               is_read = store_read(eraser->store, &all, take_seat, eraser);
    enum store_outcome outcome = is_read ? take_what_is_played(eraser) : STORE_UNKNOWN;
    for (struct redone *at = eraser->seats; at != NULL && outcome == STORE_COMMITTED; at = at->next)
        if (!empty_seat(eraser, at->row))
            outcome = STORE_UNKNOWN;
    if (outcome == STORE_COMMITTED && !read_lone(eraser))
        outcome = STORE_UNKNOWN;
    /* Persons first: after a crash between the two the seats still say whom to look for. */
    if (outcome == STORE_COMMITTED)
        outcome = write_rows(eraser, eraser->persons, &eraser->person_count);
    if (outcome == STORE_COMMITTED)
        outcome = write_rows(eraser, eraser->seats, &eraser->seat_count);
    forget_pass(eraser);
    return outcome;
}

/* Whose slot was taken back meanwhile, or was locked, is asked for once more. */
static bool erase(struct eraser *eraser)
{
    const struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000L };
    enum store_outcome    outcome = erase_once(eraser);
    for (int i = 1; i < TRIES && eraser->is_shared && !eraser->is_short &&
                    (outcome == STORE_OLD_EPOCH || outcome == STORE_BUSY);
         i++) {
        (void) nanosleep(&pause, NULL);
        outcome = erase_once(eraser);
    }
    bool is_done = outcome == STORE_COMMITTED && store_checkpoint(eraser->store);
    if (!is_done)
        complain("the name is not gone everywhere: %s. Run the command again.",
                 eraser->is_short ? "out of memory" : store_fault(eraser->store));
    return is_done;
}

static struct store *open_journal(struct eraser *eraser, const char *place, struct text *fault)
{
    journal_schema_init(&eraser->schema, registry_games());
    return store_open(&eraser->schema.schema, place, fault);
}

/* The folder of a home, or the database. */
static bool find_place(const char *where, const char *store, char place[PATH_MAX],
                       struct text *fault)
{
    if (store == NULL)
        return home_journal(where, place, fault);
    if (store_is_database(store) && strlen(store) < PATH_MAX) {
        memcpy(place, store, strlen(store) + 1);
        return true;
    }
    text_clear(fault);
    text_put(fault, "--store names a database, postgresql://HOST/NAME; a folder is a --home");
    return false;
}

int erase_player(const char *where, const char *store, const char *name)
{
    static struct eraser eraser;
    struct text          fault;
    char                 place[PATH_MAX];
    memset(&eraser, 0, sizeof eraser);
    eraser.name = name;
    eraser.is_shared = store != NULL;
    if (!find_place(where, store, place, &fault) ||
        (eraser.store = open_journal(&eraser, place, &fault)) == NULL) {
        complain("%s.", fault.bytes);
        return CONSOLE_BAD_INPUT;
    }
    bool is_done = erase(&eraser);
    store_close(&eraser.store);
    /* A home's store that is opened empties its log, in which the name may have stood. */
    if (is_done && store == NULL && (eraser.store = open_journal(&eraser, place, &fault)) != NULL)
        store_close(&eraser.store);
    if (!is_done)
        return CONSOLE_BAD_INPUT;
    printf("%u seats and %u rows of persons do not name %s any more.\n", eraser.seat_count,
           eraser.person_count, name);
    return eraser.seat_count + eraser.person_count > 0 ? CONSOLE_OK : CONSOLE_DISAGREES;
}
