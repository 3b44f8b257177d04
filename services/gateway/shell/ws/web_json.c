/* web_json.c: see web_json.h. Which bytes are a game's message stands in browser.proto as the word GAME; here
 * it is a table, and a test holds that none is missing. */
#include "services/gateway/shell/ws/web_json.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "contract/engine.pb-c.h"
#include "contract/lobby.pb-c.h"
#include "games/registry.h"
#include "wire/validate.h"
#include "json/json.h"
#include "json/json_grammar.h"

#define ARENA_BYTES (4u << 20) /* The largest act or view, opened and unpacked.                   */

enum body { BODY_COMMAND, BODY_EVENT, BODY_VIEW };

static const struct {
    const ProtobufCMessageDescriptor *message;
    const char                       *field;
    enum body                         body;
} bodies[] = {
    { &arbiter__browser__play__descriptor, "command", BODY_COMMAND },
    { &arbiter__browser__shown__descriptor, "view", BODY_VIEW },
    { &arbiter__browser__shown__descriptor, "asks", BODY_EVENT },
    { &arbiter__browser__event__descriptor, "event", BODY_EVENT },
    { &arbiter__browser__played__descriptor, "asks", BODY_EVENT },
    { &arbiter__browser__legal__descriptor, "proposal", BODY_COMMAND },
    { &arbiter__browser__legal__descriptor, "best", BODY_COMMAND },
    { &arbiter__browser__pattern__descriptor, "example", BODY_COMMAND },
    { &arbiter__lobby__said__descriptor, "event", BODY_EVENT },
    { &arbiter__lobby__say__descriptor, "command", BODY_COMMAND },
};

struct web_json {
    struct arena            arena, inside;
    void                   *memory, *more;
    char                   *text;
    const struct game_wire *game; /* Of the message in hand; NULL: bytes stay bytes.              */
    uint32_t                request; /* Of the text that was read last; 0: none.                  */
};

/* Places of games are the same everywhere: those of the registry, each name once, its newest rules. */
const struct game_wire *web_json_game(uint32_t place)
{
    const struct game_wire *const *games = registry_games();
    const char                    *last = NULL;
    for (uint32_t i = 0, at = 0; games[i] != NULL; i++) {
        if (last != NULL && strcmp(last, games[i]->game->name) == 0)
            continue;
        last = games[i]->game->name;
        if (at++ == place)
            return registry_find(last, 0);
    }
    return NULL;
}

static const ProtobufCMessageDescriptor *kind_of(void *asked, const ProtobufCMessageDescriptor *in,
                                                 const ProtobufCFieldDescriptor *field)
{
    const struct web_json *json = asked;
    for (size_t i = 0; json->game != NULL && i < sizeof bodies / sizeof *bodies; i++) {
        if (bodies[i].message != in || strcmp(bodies[i].field, field->name) != 0)
            continue;
        switch (bodies[i].body) {
        case BODY_COMMAND: return json->game->command;
        case BODY_EVENT: return json->game->event;
        default: return json->game->view;
        }
    }
    return NULL;
}

struct web_json *web_json_open(void)
{
    struct web_json *json = calloc(1, sizeof *json);
    if (json == NULL)
        return NULL;
    json->memory = malloc(ARENA_BYTES);
    json->more = malloc(ARENA_BYTES);
    json->text = malloc(WEB_JSON_MAX);
    if (json->memory == NULL || json->more == NULL || json->text == NULL) {
        web_json_close(&json);
        return NULL;
    }
    arena_init(&json->arena, json->memory, ARENA_BYTES);
    arena_init(&json->inside, json->more, ARENA_BYTES);
    return json;
}

void web_json_close(struct web_json **json)
{
    struct web_json *closed = *json;
    if (closed == NULL)
        return;
    free(closed->memory);
    free(closed->more);
    free(closed->text);
    free(closed);
    *json = NULL;
}

const char *web_json_down(struct web_json *json, const struct browser_down *down, size_t *size)
{
    struct json_bytes bytes = { kind_of, json, &json->inside };
    ProtobufCMessage *message;
    arena_reset(&json->arena);
    arena_reset(&json->inside);
    json->game = down->game == BROWSER_NO_GAME ? NULL : web_json_game(down->game);
    message = protobuf_c_message_unpack(&arbiter__browser__down__descriptor, &json->arena.allocator,
                                        down->size, down->bytes);
    if (message == NULL)
        return NULL;
    json_t *tree = json_of_message_with(message, &bytes);
    *size = json_dumpb(tree, json->text, WEB_JSON_MAX, JSON_COMPACT);
    json_decref(tree);
    return *size <= WEB_JSON_MAX ? json->text : NULL;
}

/* Base64 of the id in a part of what was said, as bytes; false: it is none. */
static bool id_of(const json_t *part, const char *key, uint8_t id[CLIENT_ID_SIZE])
{
    const json_t *text = json_object_get(part, key);
    size_t        size = 0;
    return json_is_string(text) &&
           sodium_base642bin(id, CLIENT_ID_SIZE, json_string_value(text), json_string_length(text),
                             NULL, &size, NULL, sodium_base64_VARIANT_ORIGINAL) == 0 &&
           size == CLIENT_ID_SIZE;
}

/* Without its command the core refuses it, and says why. Base64 is nobody's game, and stays. */
static const struct game_wire *leave_out(json_t *part)
{
    if (json_is_object(json_object_get(part, "command")))
        json_object_del(part, "command");
    return NULL;
}

/* Whose commands are meant: the match's, or the table's. */
static const struct game_wire *game_meant(const struct browser *browser, json_t *up)
{
    uint8_t  id[CLIENT_ID_SIZE];
    json_t  *play = json_object_get(up, "play");
    json_t  *say = json_object_get(json_object_get(up, "ask"), "say");
    uint32_t place = BROWSER_NO_GAME;
    if (id_of(play, "match_id", id)) {
        place = browser_game_of_match(browser, id);
        if (place == BROWSER_NO_GAME && !browser_plays_match(browser, id))
            return leave_out(play);
    } else if (id_of(say, "table", id)) {
        place = browser_game_of_table(browser, id);
        if (place == BROWSER_NO_GAME)
            return leave_out(say);
    }
    return place == BROWSER_NO_GAME ? NULL : web_json_game(place);
}

static uint32_t request_of(const json_t *up)
{
    const json_t *request = json_object_get(up, "request");
    json_int_t    number = json_is_integer(request) ? json_integer_value(request) : 0;
    return number > 0 && number <= UINT32_MAX ? (uint32_t) number : 0;
}

uint32_t web_json_request(const struct web_json *json)
{
    return json->request;
}

/* A text whose objects have no two members of one name. Of another one it is still heard what it called its request. */
static json_t *tree_of(struct web_json *json, const char *text, size_t size)
{
    json_t *tree = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    json_t *loose = tree == NULL ? json_loadb(text, size, JSON_ALLOW_NUL, NULL) : NULL;
    json->request = request_of(tree != NULL ? tree : loose);
    json_decref(loose);
    return tree;
}

/* The sentence is the same for all of them. */
static void no_report(struct faults *faults, const struct value *at, const char *key,
                      const char *what)
{
    (void) faults, (void) at, (void) key, (void) what;
}

const Arbiter__Browser__Up *web_json_up(struct web_json *json, const struct browser *browser,
                                        const char *text, size_t size, struct text *fault)
{
    struct json_bytes bytes = { kind_of, json, &json->inside };
    struct faults     faults = { .report = no_report };
    json_t           *tree;
    arena_reset(&json->arena);
    arena_reset(&json->inside);
    text_clear(fault);
    text_put(fault, "This is no JSON.");
    json->request = 0;
    if (!json_grammar(text, size, &faults))
        return NULL;
    tree = tree_of(json, text, size);
    if (tree == NULL)
        return NULL;
    json->game = game_meant(browser, tree);
    const ProtobufCMessage *up =
        json_to_message_with(tree, &arbiter__browser__up__descriptor, &json->arena, &bytes, fault);
    json_decref(tree);
    return (const Arbiter__Browser__Up *) (const void *) up;
}

const Arbiter__Browser__Up *web_json_unpack(struct web_json *json, const uint8_t *bytes,
                                            size_t size)
{
    arena_reset(&json->arena);
    return (const Arbiter__Browser__Up *) (const void *) validate_unpack(
        &arbiter__browser__up__descriptor, bytes, size, &json->arena);
}
