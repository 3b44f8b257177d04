/* web_list.c: the lobby's tables and results as lists of matches in JSON. */
#include <jansson.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "contract/lobby.pb-c.h"
#include "services/gateway/shell/http/web_api.h"

size_t list_ask(struct web_call *call, unsigned list, uint8_t *to, size_t room)
{
    Arbiter__Lobby__Ask         ask = ARBITER__LOBBY__ASK__INIT;
    Arbiter__Lobby__ListTables  tables = ARBITER__LOBBY__LIST_TABLES__INIT;
    Arbiter__Lobby__ListResults results = ARBITER__LOBBY__LIST_RESULTS__INIT;
    ProtobufCBinaryData         after = { sizeof call->after, call->after };
    char                       *game = call->game[0] != '\0' ? call->game : NULL;
    if (list == LIST_RUNNING) {
        tables.game = game;
        tables.has_phase = true;
        tables.phase = ARBITER__LOBBY__TABLE__PHASE__PHASE_PLAYING;
        tables.has_after = call->has_after;
        tables.after = after;
        tables.has_limit = call->limit > 0;
        tables.limit = call->limit;
        ask.kind_case = ARBITER__LOBBY__ASK__KIND_LIST_TABLES;
        ask.list_tables = &tables;
    } else {
        results.game = game;
        results.has_after = call->has_after;
        results.after = after;
        results.has_limit = call->limit > 0;
        results.limit = call->limit;
        ask.kind_case = ARBITER__LOBBY__ASK__KIND_LIST_RESULTS;
        ask.list_results = &results;
    }
    size_t size = arbiter__lobby__ask__get_packed_size(&ask);
    return size <= room ? arbiter__lobby__ask__pack(&ask, to) : 0;
}

static json_t *id_json(const ProtobufCBinaryData *id)
{
    char hex[33] = "";
    if (id->len == 16)
        sodium_bin2hex(hex, sizeof hex, id->data, id->len);
    return json_string(hex);
}

static json_t *player_json(const Arbiter__Lobby__Player *player)
{
    if (player == NULL)
        return json_object();
    return json_pack("{s:s* s:b}", "name", player->name, "bot", player->bot);
}

static json_t *running_json(const Arbiter__Lobby__Table *table)
{
    json_t *players = json_array();
    for (size_t i = 0; i < table->n_seats; i++)
        json_array_append_new(players, player_json(table->seats[i]->player));
    return json_pack("{s:o s:o s:s* s:s* s:s* s:o s:b}", "id", id_json(&table->match_id), "table",
                     id_json(&table->table), "game", table->game, "setup", table->setup_name,
                     "title", table->title, "players", players, "spectators", table->spectators);
}

static json_t *finished_json(const Arbiter__Lobby__Result *result)
{
    json_t *players = json_array(), *outcome = json_array();
    for (size_t i = 0; i < result->n_players; i++)
        json_array_append_new(players, player_json(result->players[i]));
    for (size_t i = 0; i < result->n_outcome; i++)
        json_array_append_new(outcome, json_integer(result->outcome[i]));
    return json_pack("{s:o s:s* s:s* s:o s:o s:b s:I}", "id", id_json(&result->match_id), "game",
                     result->game, "setup", result->setup_name, "players", players, "outcome",
                     outcome, "aborted", result->aborted, "over_ms", (json_int_t) result->over_ms);
}

/* The list, whether there is more of it, and behind which id it goes on. */
static json_t *whole(json_t *matches, bool more, json_t *next)
{
    return json_pack("{s:o s:b s:o}", "matches", matches, "more", more, "next", next);
}

static json_t *tables_json(const Arbiter__Lobby__Tables *tables)
{
    json_t *list = json_array();
    for (size_t i = 0; i < tables->n_tables; i++)
        if (tables->tables[i]->has_match_id)
            json_array_append_new(list, running_json(tables->tables[i]));
    bool    more = tables->more && tables->n_tables > 0;
    json_t *next = more ? id_json(&tables->tables[tables->n_tables - 1]->table) : json_null();
    return whole(list, more, next);
}

static json_t *results_json(const Arbiter__Lobby__Results *results)
{
    json_t *list = json_array();
    for (size_t i = 0; i < results->n_results; i++)
        json_array_append_new(list, finished_json(results->results[i]));
    bool    more = results->more && results->n_results > 0;
    json_t *next =
        more ? id_json(&results->results[results->n_results - 1]->match_id) : json_null();
    return whole(list, more, next);
}

/* An object without its braces. */
static char *member(const char *name, json_t *value)
{
    json_t *object = json_pack("{s:o}", name, value);
    char   *text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    if (text == NULL)
        return NULL;
    size_t size = strlen(text);
    memmove(text, text + 1, size);
    text[size - 2] = '\0';
    return text;
}

char *list_json(unsigned list, const uint8_t *answer, size_t size)
{
    Arbiter__Lobby__Answer *read = arbiter__lobby__answer__unpack(NULL, size, answer);
    char                   *text = NULL;
    if (read != NULL && list == LIST_RUNNING &&
        read->kind_case == ARBITER__LOBBY__ANSWER__KIND_TABLES)
        text = member("running", tables_json(read->tables));
    else if (read != NULL && list == LIST_FINISHED &&
             read->kind_case == ARBITER__LOBBY__ANSWER__KIND_RESULTS)
        text = member("finished", results_json(read->results));
    if (read != NULL)
        arbiter__lobby__answer__free_unpacked(read, NULL);
    return text;
}
