/* erase.c: a player's name taken out of the journal of a house that stands still; see erase.h.
 *
 * The lobby forgets names while it runs; what it sent to engines stands in their journals, in `seats` and in the
 * tables that games keep of persons. No hash covers any of it, so matches verify as before. The journal
 * has one owner, who might write a name again that he has in memory: so the engine must not run. */
#include "services/console/erase.h"

#include <stdlib.h>
#include <string.h>

#include "games/record.h"
#include "games/registry.h"
#include "match/match.h"
#include "services/console/console.h"
#include "services/console/home.h"
#include "services/engine/journal.h"
#include "store/store.h"
#include "wire/header.h"

#define BATCH_ROWS 256

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
    bool                  is_short; /* Of memory.                                              */
};

typedef bool taking(void *taker, const struct row *row);

static struct redone *copy_of(const struct row *row)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < row->count; i++)
        bytes += row->cells[i].kind == CELL_NUMBER ? 0 : row->cells[i].size;
    size_t         head = sizeof *row + row->count * sizeof row->cells[0];
    struct redone *redone = malloc(sizeof *redone);
    struct row    *copy = malloc(head + bytes);
    if (redone == NULL || copy == NULL) {
        free(redone);
        free(copy);
        return NULL;
    }
    uint8_t *at = (uint8_t *) copy + head;
    memcpy(copy, row, head);
    copy->op = ROW_PUT;
    for (uint32_t i = 0; i < copy->count; i++) {
        struct cell *cell = &copy->cells[i];
        if ((cell->kind != CELL_BYTES && cell->kind != CELL_TEXT) || cell->size == 0)
            continue;
        cell->bytes = memcpy(at, cell->bytes, cell->size);
        at += cell->size;
    }
    *redone = (struct redone){ .row = copy };
    return redone;
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

static bool take_seat(void *taker, const struct row *row)
{
    struct eraser     *eraser = taker;
    const struct cell *name = &row->cells[SEATS_NAME];
    if (name->kind != CELL_TEXT || name->size != strlen(eraser->name) ||
        memcmp(name->bytes, eraser->name, name->size) != 0)
        return true;
    eraser->seat_count++;
    return keep(eraser, &eraser->seats, copy_of(row));
}

static const struct game *game_of(const struct row *match)
{
    const struct game_wire *const *wires = registry_games();
    const uint8_t                 *name = NULL;
    size_t                         size = 0;
    if (!journal_find(match, MATCHES_GAME, &name, &size))
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
    if (journal_number(row, MATCHES_RECORDED, &eraser->number) && eraser->number > 0)
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

/* Copied twice: what the game puts in somebody's place may lie in `room`. */
static bool take_person(void *taker, const struct row *row)
{
    struct eraser     *eraser = taker;
    struct record_cell cells[RECORD_COLUMNS_MAX];
    struct text        room;
    cells_of(row, cells);
    if (!eraser->game->record->forget(&eraser->who, cells, &room))
        return true;
    struct redone *changed = copy_of(row);
    if (changed == NULL)
        return keep(eraser, &eraser->persons, NULL);
    put_cells(cells, changed->row);
    struct redone *kept = copy_of(changed->row);
    free(changed->row);
    free(changed);
    eraser->person_count++;
    return keep(eraser, &eraser->persons, kept);
}

static bool read_person(struct eraser *eraser, uint32_t seat)
{
    const struct game_record *record = eraser->game->record;
    struct query              query = { .prefix_count = 1 };
    query.table = journal_schema_add(&eraser->schema, record) + record->person_table;
    query.prefix[0] = (struct cell){ .kind = CELL_NUMBER,
                                     .number = record->person_key((word) eraser->number, seat) };
    return store_read(eraser->store, &query, take_person, eraser);
}

/* The seat's name goes; what its game wrote of whoever sat there is looked for before. */
static bool empty_seat(struct eraser *eraser, struct row *row)
{
    struct cell       *name = &row->cells[SEATS_NAME], *person = &row->cells[SEATS_PERSON];
    const struct cell *said = person->kind == CELL_TEXT ? person : name;
    struct query       query = { .table = JOURNAL_MATCHES, .prefix_count = 2 };
    uint8_t            id[MATCH_ID_SIZE];
    if (!journal_bytes(row, SEATS_ID, id, sizeof id))
        return false;
    query.prefix[0] = (struct cell){ .kind = CELL_NUMBER, .number = header_slot(id) };
    query.prefix[1] = (struct cell){ .kind = CELL_BYTES, .bytes = id, .size = sizeof id };
    eraser->game = NULL;
    eraser->who = (struct record_seat){ .player = row->cells[SEATS_PLAYER].bytes,
                                        .person = (const char *) said->bytes,
                                        .person_size = said->size };
    bool is_read = store_read(eraser->store, &query, take_match, eraser) &&
                   (eraser->game == NULL || row->cells[SEATS_PLAYER].size != PERSON_SIZE ||
                    read_person(eraser, (uint32_t) row->cells[SEATS_SEAT].number));
    *name = *person = (struct cell){ .kind = CELL_NULL };
    return is_read;
}

static bool write_rows(struct eraser *eraser, const struct redone *from)
{
    const struct row  *rows[BATCH_ROWS];
    enum store_outcome outcome = STORE_COMMITTED;
    while (from != NULL && outcome == STORE_COMMITTED) {
        uint32_t count = 0;
        for (; from != NULL && count < BATCH_ROWS; from = from->next)
            rows[count++] = from->row;
        outcome = store_commit(eraser->store, rows, count, NULL, 0);
    }
    return outcome == STORE_COMMITTED;
}

static bool erase(struct eraser *eraser)
{
    struct query all = { .table = JOURNAL_SEATS };
    bool         is_done = store_read(eraser->store, &all, take_seat, eraser);
    for (struct redone *at = eraser->seats; at != NULL && is_done; at = at->next)
        is_done = empty_seat(eraser, at->row);
    /* Persons first: after a crash between the two the seats still say whom to look for. */
    is_done = is_done && write_rows(eraser, eraser->persons) && write_rows(eraser, eraser->seats) &&
              store_checkpoint(eraser->store);
    if (!is_done)
        complain("the name is not, or not everywhere, gone: %s. Say it again.",
                 eraser->is_short ? "out of memory" : store_fault(eraser->store));
    return is_done;
}

static void free_all(struct redone *from)
{
    while (from != NULL) {
        struct redone *next = from->next;
        free(from->row);
        free(from);
        from = next;
    }
}

static struct store *open_journal(struct eraser *eraser, const char *folder, struct text *fault)
{
    journal_schema_init(&eraser->schema);
    for (const struct game_wire *const *wires = registry_games(); *wires != NULL; wires++)
        if ((*wires)->game->record != NULL)
            (void) journal_schema_add(&eraser->schema, (*wires)->game->record);
    return store_open(&eraser->schema.schema, folder, fault);
}

int erase_player(const char *where, const char *name)
{
    struct eraser eraser = { .name = name };
    struct home   home;
    struct text   fault;
    char          folder[PATH_MAX];
    if (!home_find(&home, where, &fault) || !home_path(&home, folder, "data", "engine", "") ||
        (eraser.store = open_journal(&eraser, folder, &fault)) == NULL) {
        complain("%s", fault.bytes);
        return CONSOLE_BAD_INPUT;
    }
    bool is_done = erase(&eraser);
    store_close(&eraser.store);
    /* A store that is opened empties its log, in which the name may have stood. */
    if (is_done && (eraser.store = open_journal(&eraser, folder, &fault)) != NULL)
        store_close(&eraser.store);
    free_all(eraser.seats);
    free_all(eraser.persons);
    if (!is_done)
        return CONSOLE_BAD_INPUT;
    printf("%u seats and %u rows of persons do not name %s any more.\n", eraser.seat_count,
           eraser.person_count, name);
    return eraser.seat_count > 0 ? CONSOLE_OK : CONSOLE_DISAGREES;
}
