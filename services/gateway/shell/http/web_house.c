/* web_house.c: POST /api/house: a lobby.Ask as JSON, by somebody who looks after the house, and the lobby's Answer.
 *
 * The token says who asks. The gateway passes on its name, and whether it is a helper's; the lobby decides what he may,
 * and writes it down. Of the operator's asks only those go through that stand here. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "contract/lobby.pb-c.h"
#include "services/gateway/shell/http/web_private.h"
#include "wire/names.h"
#include "wire/validate.h"
#include "json/json.h"
#include "json/json_grammar.h"

#define BODY_MAX 4096
#define ARENA_BYTES (256u << 10) /* An answer of 64 KiB, unpacked. */

#define KIND_OF(name) ARBITER__LOBBY__ASK__KIND_##name

static const Arbiter__Lobby__Ask__KindCase kinds[] = {
    KIND_OF(LIST_TABLES), KIND_OF(LIST_PLAYERS), KIND_OF(LIST_AUDIT),    KIND_OF(BAN_PLAYER),
    KIND_OF(MUTE_PLAYER), KIND_OF(ABORT_MATCH),  KIND_OF(FORGET_PLAYER), KIND_OF(ANNOUNCE),
};

bool web_house_is(const char *path, size_t size)
{
    static const char wanted[] = "/api/house";
    return size == sizeof wanted - 1 && memcmp(path, wanted, size) == 0;
}

/* Says why not; what the callback is to return. */
static int refuse(struct web *web, struct lws *wsi, struct web_session *session, unsigned status,
                  const char *error, const char *sentence)
{
    session->is_read = true;
    web_call_free(&session->call);
    return web_api_refuse(web, session, status, error, sentence) == WEB_ANSWERED
               ? web_write(wsi, session)
               : -1;
}

static bool is_json(struct lws *wsi)
{
    static const char wanted[] = "application/json";
    char              text[64] = "";
    (void) lws_hdr_copy(wsi, text, sizeof text, WSI_TOKEN_HTTP_CONTENT_TYPE);
    return strncmp(text, wanted, sizeof wanted - 1) == 0 &&
           (text[sizeof wanted - 1] == '\0' || strchr("; ", text[sizeof wanted - 1]) != NULL);
}

static size_t length_of(struct lws *wsi)
{
    char  text[16] = "";
    char *end = text;
    (void) lws_hdr_copy(wsi, text, sizeof text, WSI_TOKEN_HTTP_CONTENT_LENGTH);
    unsigned long length = strtoul(text, &end, 10);
    return end == text || *end != '\0' ? 0 : length;
}

static const struct web_who *who_asks(const struct web *web, struct lws *wsi)
{
    char header[WEB_TOKEN_MAX + 16] = "";
    (void) lws_hdr_copy(wsi, header, sizeof header, WSI_TOKEN_HTTP_AUTHORIZATION);
    return web_whos_find(&web->settings.whos, header);
}

/* Another origin's page can send neither the header nor JSON without being asked first, and nobody here says yes. */
int web_house_begin(struct web *web, struct lws *wsi, struct web_session *session)
{
    size_t length = length_of(wsi);
    if (lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI) <= 0)
        return refuse(web, wsi, session, 405, "no_such_page", "Asks are sent by POST.");
    if (web->settings.whos.count == 0)
        return refuse(
            web, wsi, session, 403, "no_token",
            "This house has no operator's token: start the gateway with --operator-token.");
    const struct web_who *who = who_asks(web, wsi);
    if (who == NULL) {
        web->counters.unproved++;
        return refuse(web, wsi, session, 401, "token",
                      "Send the operator's token, or a helper's, as Authorization: Bearer TOKEN.");
    }
    if (!is_json(wsi))
        return refuse(web, wsi, session, 415, "malformed", "An ask is application/json.");
    if (length == 0 || length > BODY_MAX)
        return refuse(web, wsi, session, length > BODY_MAX ? 413 : 400, "malformed",
                      "An ask has a Content-Length of at most 4096.");
    session->call = calloc(1, sizeof *session->call);
    session->body = malloc(length + 1);
    if (session->call == NULL || session->body == NULL)
        return -1;
    session->call->kind = CALL_HOUSE;
    memcpy(session->call->name, who->name, sizeof who->name);
    session->call->is_helper = who->is_helper;
    session->room = length;
    lws_set_timer_usecs(wsi, (lws_usec_t) web->settings.read_ms * 1000);
    return 0;
}

static bool may_pass(const Arbiter__Lobby__Ask *ask)
{
    if (ask->has_player || ask->has_from || ask->has_crowd || ask->has_proof || ask->has_bytes ||
        ask->deputy != NULL)
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i] == ask->kind_case)
            return true;
    return false;
}

/* The sentence is the parser's, and the same for all. */
static void no_report(struct faults *faults, const struct value *at, const char *key,
                      const char *what)
{
    (void) faults, (void) at, (void) key, (void) what;
}

static Arbiter__Lobby__Ask *ask_of(const struct web_session *session, struct arena *arena,
                                   struct text *fault)
{
    struct faults faults = { .report = no_report };
    text_clear(fault);
    text_put(fault, "This is no JSON.");
    json_t *tree = json_grammar(session->body, session->size, &faults)
                       ? json_loadb(session->body, session->size, JSON_REJECT_DUPLICATES, NULL)
                       : NULL;
    if (tree == NULL)
        return NULL;
    ProtobufCMessage *ask = json_to_message(tree, &arbiter__lobby__ask__descriptor, arena, fault);
    json_decref(tree);
    return (Arbiter__Lobby__Ask *) (void *) ask;
}

/* Packs the ask, with who asks it. False: it is longer than any. */
static bool pack(struct web_call *call, Arbiter__Lobby__Ask *ask)
{
    Arbiter__Lobby__Deputy deputy = ARBITER__LOBBY__DEPUTY__INIT;
    deputy.name = call->name;
    deputy.has_helper = deputy.helper = call->is_helper;
    ask->deputy = &deputy;
    call->size = arbiter__lobby__ask__get_packed_size(ask);
    call->bytes = call->size <= ARCHIVE_ASK_MAX ? malloc(call->size) : NULL;
    if (call->bytes != NULL)
        arbiter__lobby__ask__pack(ask, call->bytes);
    ask->deputy = NULL;
    return call->bytes != NULL;
}

int web_house_read(struct web *web, struct lws *wsi, struct web_session *session)
{
    uint8_t             *memory = malloc(ARENA_BYTES);
    struct arena         arena;
    struct text          fault;
    Arbiter__Lobby__Ask *ask = NULL;
    if (memory != NULL) {
        arena_init(&arena, memory, ARENA_BYTES);
        ask = ask_of(session, &arena, &fault);
    }
    bool is_mine = ask != NULL && may_pass(ask);
    bool is_packed = is_mine && pack(session->call, ask);
    free(memory);
    if (memory == NULL)
        return -1;
    if (ask == NULL)
        return refuse(web, wsi, session, 400, "malformed", "This is no lobby.Ask in JSON.");
    if (!is_mine)
        return refuse(web, wsi, session, 403, "not_here",
                      "This cannot be asked here; the console can.");
    if (!is_packed)
        return refuse(web, wsi, session, 413, "malformed", "The ask is too long.");
    return web_tell_core(web, wsi, session);
}

static unsigned status_of(const Arbiter__Lobby__Answer *answer)
{
    return answer->verdict == ARBITER__LOBBY__VERDICT__VERDICT_DONE          ? 200
           : answer->verdict == ARBITER__LOBBY__VERDICT__VERDICT_NOT_ALLOWED ? 403
                                                                             : 409;
}

static enum web_got answer_with(struct web *web, struct web_session *session,
                                const Arbiter__Lobby__Answer *answer)
{
    const struct web_head head = { .status = status_of(answer), .type = "application/json" };
    json_t               *tree = json_of_message(&answer->base);
    char                 *text = json_dumps(tree, JSON_COMPACT);
    size_t                size = text != NULL ? strlen(text) : 0;
    json_decref(tree);
    struct web_blob *blob = text != NULL ? blob_new((uint8_t *) text, size, false, size) : NULL;
    bool             is_made = blob != NULL && web_answer_blob(web, session, &head, blob);
    blob_release(&blob);
    return is_made ? WEB_ANSWERED : WEB_BROKEN;
}

enum web_got web_house_answer(struct web *web, struct web_session *session,
                              const Arbiter__Gateway__LobbyWord *said)
{
    Arbiter__Lobby__Answer *answer =
        said->has_answer ? arbiter__lobby__answer__unpack(NULL, said->answer.len, said->answer.data)
                         : NULL;
    if (answer == NULL)
        return web_api_refuse(web, session, 503, "again",
                              "The house cannot say that now; ask again.");
    enum web_got got = answer_with(web, session, answer);
    arbiter__lobby__answer__free_unpacked(answer, NULL);
    return got;
}
