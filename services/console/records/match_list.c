/* match_list.c: the matches of a journal, with their results and who sat there. */
#include "services/console/records/match_list.h"

#include <inttypes.h>
#include <jansson.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "match/match.h"
#include "schema/journal.h"
#include "services/console/command/console.h"
#include "services/console/command/terminal.h"
#include "services/console/home/home.h"
#include "store/store.h"

#define MATCH_LIST_NAME_MAX 512

struct listing {
    json_t *by_id; /* Each match by its id. */
};

static bool id_of(const struct cell *cell, char hex[2 * MATCH_ID_SIZE + 1])
{
    if (cell->size != MATCH_ID_SIZE)
        return false;
    (void) sodium_bin2hex(hex, 2 * MATCH_ID_SIZE + 1, cell->bytes, cell->size);
    return true;
}

static json_t *text_of(const struct cell *cell)
{
    return cell->kind == CELL_TEXT ? json_stringn((const char *) cell->bytes, cell->size)
                                   : json_null();
}

static bool take_match(void *taker, const struct row *row)
{
    struct listing *listing = taker;
    char            hex[2 * MATCH_ID_SIZE + 1];
    if (!id_of(&row->cells[MATCHES_ID], hex))
        return true;
    json_t *match = json_pack(
        "{s:s s:o s:I s:I s:s s:[] s:[]}", "match", hex, "game", text_of(&row->cells[MATCHES_GAME]),
        "seats", (json_int_t) row->cells[MATCHES_SEATS].number, "created_ms",
        (json_int_t) row->cells[MATCHES_CREATED_MS].number, "end", "goes on", "names", "persons");
    return json_object_set_new(listing->by_id, hex, match) == 0;
}

/* Once it is over everybody may read what players registered as. */
static json_t *person_of(const struct row *row)
{
    char    name[MATCH_LIST_NAME_MAX];
    size_t  size = journal_person_name(row, name, sizeof name);
    json_t *text = size > 0 ? json_stringn(name, size) : NULL;
    return text != NULL ? text : text_of(&row->cells[SEATS_NAME]);
}

/* Who sat there first; later holders are in the match's own file. */
static bool take_seat(void *taker, const struct row *row)
{
    struct listing *listing = taker;
    char            hex[2 * MATCH_ID_SIZE + 1];
    if (!id_of(&row->cells[SEATS_ID], hex) || row->cells[SEATS_GENERATION].number > 1)
        return true;
    json_t *match = json_object_get(listing->by_id, hex);
    if (match != NULL) {
        json_array_append_new(json_object_get(match, "names"), text_of(&row->cells[SEATS_NAME]));
        json_array_append_new(json_object_get(match, "persons"), person_of(row));
    }
    return true;
}

static bool take_result(void *taker, const struct row *row)
{
    struct listing *listing = taker;
    char            hex[2 * MATCH_ID_SIZE + 1];
    json_t         *match =
        id_of(&row->cells[RESULTS_ID], hex) ? json_object_get(listing->by_id, hex) : NULL;
    if (match == NULL)
        return true;
    json_object_set(match, "names", json_object_get(match, "persons"));
    bool is_aborted = row->cells[RESULTS_ABORTED].number != 0;
    json_object_set_new(match, "end", json_string(is_aborted ? "aborted" : "finished"));
    json_object_set_new(match, "acts", json_integer(row->cells[RESULTS_ACTS].number));
    return true;
}

static bool read_all(struct store *store, struct listing *listing)
{
    const struct {
        uint32_t table;
        bool (*take)(void *taker, const struct row *row);
    } parts[] = { { JOURNAL_MATCHES, take_match },
                  { JOURNAL_SEATS, take_seat },
                  { JOURNAL_RESULTS, take_result } };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct query query = { .table = parts[i].table };
        if (!store_read(store, &query, parts[i].take, listing))
            return false;
    }
    return true;
}

static int by_time(const void *one, const void *other)
{
    const json_t *a = *(json_t *const *) one, *b = *(json_t *const *) other;
    json_int_t    first = json_integer_value(json_object_get(a, "created_ms"));
    json_int_t    second = json_integer_value(json_object_get(b, "created_ms"));
    if (first != second)
        return first < second ? -1 : 1;
    return strcmp(json_string_value(json_object_get(a, "match")),
                  json_string_value(json_object_get(b, "match")));
}

static json_t *in_order(const struct listing *listing)
{
    size_t      count = json_object_size(listing->by_id), at = 0;
    json_t    **list = calloc(count + 1, sizeof(json_t *)), *match, *ordered = json_array();
    const char *id;
    if (list == NULL)
        abort();
    json_object_foreach(listing->by_id, id, match)
    {
        (void) json_object_del(match, "persons");
        list[at++] = match;
    }
    qsort(list, count, sizeof(json_t *), by_time);
    for (size_t i = 0; i < count; i++)
        json_array_append(ordered, list[i]);
    free(list);
    return ordered;
}

static void put_text(const json_t *match, const char *key)
{
    const char *text = json_string_value(json_object_get(match, key));
    terminal_put(stdout, text != NULL ? text : "-", text != NULL ? strlen(text) : 1);
}

static void put_match(const json_t *match)
{
    char      when[32] = "-";
    time_t    seconds = (time_t) (json_integer_value(json_object_get(match, "created_ms")) / 1000);
    struct tm parts;
    size_t    index;
    const json_t *name;
    if (gmtime_r(&seconds, &parts) != NULL)
        (void) strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &parts);
    put_text(match, "match");
    printf("  %s  %-8s  ", when, json_string_value(json_object_get(match, "end")));
    put_text(match, "game");
    json_array_foreach(json_object_get(match, "names"), index, name)
    {
        const char *text = json_string_value(name);
        fputs(index == 0 ? "  " : ", ", stdout);
        terminal_put(stdout, text != NULL ? text : "-", text != NULL ? strlen(text) : 1);
    }
    putchar('\n');
}

int match_list(const struct export_place *place, bool as_json)
{
    struct listing listing = { json_object() };
    struct text    fault;
    struct store  *store = export_open(place, &fault);
    size_t         index;
    const json_t  *match;
    if (store == NULL || !read_all(store, &listing)) {
        complain("%s.", store == NULL ? fault.bytes : store_fault(store));
        store_close(&store);
        json_decref(listing.by_id);
        return CONSOLE_BAD_INPUT;
    }
    json_t *all = in_order(&listing);
    if (as_json) {
        (void) json_dumpf(all, stdout, JSON_INDENT(2));
        putchar('\n');
    }
    json_array_foreach(all, index, match) if (!as_json) put_match(match);
    json_decref(all);
    json_decref(listing.by_id);
    store_close(&store);
    return CONSOLE_OK;
}
