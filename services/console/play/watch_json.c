/* watch_json.c: matches and their acts as lines of JSON. */
#include "services/console/play/watch_json.h"

#include <sodium.h>
#include <stdio.h>

#include "contract/engine.pb-c.h"
#include "services/console/faces/phrase.h"
#include "json/json.h"

static void put_line(json_t *line)
{
    (void) json_dumpf(line, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(line);
}

static json_t *table_json(const Arbiter__Lobby__Table *table)
{
    char    id[2 * CLIENT_ID_SIZE + 1] = "";
    json_t *players = json_array();
    if (table->match_id.len == CLIENT_ID_SIZE)
        (void) sodium_bin2hex(id, sizeof id, table->match_id.data, CLIENT_ID_SIZE);
    for (size_t i = 0; i < table->n_seats; i++) {
        const Arbiter__Lobby__Player *player = table->seats[i]->player;
        json_array_append_new(players, player != NULL && player->name != NULL
                                           ? json_string(player->name)
                                           : json_null());
    }
    return json_pack("{s:s s:s* s:s* s:o}", "match", id, "game", table->game, "title", table->title,
                     "players", players);
}

void watch_json_tables(const Arbiter__Lobby__Tables *tables)
{
    for (size_t i = 0; i < tables->n_tables; i++)
        put_line(table_json(tables->tables[i]));
}

static json_t *message_json(const ProtobufCMessageDescriptor *descriptor, const uint8_t *bytes,
                            size_t size)
{
    ProtobufCMessage *message = protobuf_c_message_unpack(descriptor, NULL, size, bytes);
    json_t           *json = message != NULL ? json_of_message(message) : json_null();
    if (message != NULL)
        protobuf_c_message_free_unpacked(message, NULL);
    return json;
}

void watch_json_act(struct client *client, const struct client_event *event)
{
    const struct game_wire *wire = client_game(client, event);
    struct client_act       act = client_read_act(client, event);
    struct client_happening happening;
    json_t                 *events = json_array();
    while (client_happening(client, &act, &happening))
        if (!happening.is_house && wire != NULL)
            json_array_append_new(events,
                                  message_json(wire->event, happening.bytes, happening.size));
    put_line(json_pack("{s:I s:I s:o}", "act", (json_int_t) event->number, "actor",
                       (json_int_t) event->actor, "events", events));
}

void watch_json_view(struct client *client, const struct client_event *event)
{
    const struct game_wire          *wire = client_game(client, event);
    const Arbiter__Engine__Attached *attached =
        (const Arbiter__Engine__Attached *) (const void *) client_message(client, event);
    if (wire != NULL && attached != NULL && attached->has_view)
        put_line(json_pack("{s:o s:I}", "view",
                           message_json(wire->view, attached->view.data, attached->view.len), "act",
                           (json_int_t) event->number));
}

void watch_json_over(void)
{
    put_line(json_pack("{s:b}", "over", 1));
}
