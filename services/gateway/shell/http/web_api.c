/* web_api.c: see web_api.h: calls, from their address to their answer. */
#include "services/gateway/shell/http/web_api.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/envelope.pb-c.h"
#include "rules/game.h"
#include "services/gateway/shell/http/web_private.h"
#include "wire/names.h"
#include "wire/utf8.h"

#define FILE_MAX ((size_t) 8 << 20) /* Of a match's file; the longest games make one megabyte.   */
#define ACTS_AT_ONCE 16u            /* So long does nobody else wait.                            */
#define LIMIT_MAX 50u
#define ARGUMENT_MAX 96

static const char json_type[] = "application/json";

void web_call_free(struct web_call **call)
{
    struct web_call *freed = *call;
    *call = NULL;
    if (freed == NULL)
        return;
    free(freed->text);
    free(freed->bytes);
    blob_release(&freed->file);
    free(freed);
}

/* Answers. */

enum web_got web_api_refuse(struct web *web, struct web_session *session, unsigned status,
                            const char *error, const char *sentence)
{
    char                  text[256];
    const struct web_head head = { .status = status,
                                   .type = json_type,
                                   .after_s = status == 503 || status == 425 };
    int                   size =
        snprintf(text, sizeof text, "{\"error\":\"%s\",\"sentence\":\"%s\"}\n", error, sentence);
    return web_answer_text(web, session, &head, text, (size_t) size) ? WEB_ANSWERED : WEB_BROKEN;
}

static enum web_got refuse_busy(struct web *web, struct web_session *session)
{
    return web_api_refuse(web, session, 503, "again", "The house cannot say that now; ask again.");
}

static enum web_got refuse_for(struct web *web, struct web_session *session, uint32_t refusal)
{
    switch (refusal) {
    case REFUSAL(NO_SUCH_MATCH):
        return web_api_refuse(web, session, 404, "no_such_match", "There is no such match.");
    case REFUSAL(NOT_YOURS):
        return web_api_refuse(
            web, session, 403, "private",
            "The table is private: its code is needed, as Authorization: Code CODE.");
    case REFUSAL(NOT_OVER):
        return web_api_refuse(web, session, 425, "not_over",
                              "The match goes on: its file is there when it is over.");
    case REFUSAL(QUARANTINED):
        return web_api_refuse(web, session, 409, "damaged",
                              "What is kept of this match is damaged.");
    default: return refuse_busy(web, session);
    }
}

/* What was answered is sent; without a body the session's place is free again. */
static void finish(struct web *web, struct web_session *session, enum web_got got)
{
    struct web_place *place = &web->places[session->number % web->settings.connections_max];
    struct lws       *wsi = place->wsi;
    web_call_free(&session->call);
    if (got == WEB_ANSWERED && web_write(wsi, session) == 0)
        return; /* Its body goes on. */
    *place = (struct web_place){ 0, NULL, NULL };
    session->number = 0;
    lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
}

static enum web_got answer_blob(struct web *web, struct web_session *session, struct web_blob *blob)
{
    const struct web_call *call = session->call;
    char                   name[48];
    struct web_head        head = { .status = 200, .type = json_type, .cache = "no-cache" };
    head.varies = blob->is_gzip;
    sodium_bin2hex(name, 33, call->match_id, sizeof call->match_id);
    memcpy(name + 32, ".match", 7);
    if (call->kind == CALL_FILE) {
        head.type = "application/octet-stream";
        head.name = name;
    }
    return web_answer_blob(web, session, &head, blob) ? WEB_ANSWERED : WEB_BROKEN;
}

/* Files and replays of the same match are kept under different keys, and with the code that opened them. */
static void key_of(const struct web_call *call, enum web_call_kind kind, char key[BLOB_KEY_MAX])
{
    char hex[33];
    sodium_bin2hex(hex, sizeof hex, call->match_id, sizeof call->match_id);
    (void) snprintf(key, BLOB_KEY_MAX, "%c/%s/%u/%s", kind == CALL_FILE ? 'f' : 'r', hex,
                    kind == CALL_FILE ? 0 : call->viewer, call->code);
}

/* Replays. */

/* With the job that makes it already, or a free one; with neither it waits. False: no memory. */
static bool play(struct web *web, struct web_call *call)
{
    char            key[BLOB_KEY_MAX];
    struct web_job *unused = NULL;
    key_of(call, CALL_REPLAY, key);
    for (uint32_t i = 0; i < API_JOBS_MAX; i++) {
        struct web_job *job = &web->api.jobs[i];
        if (job->replay != NULL && strcmp(job->key, key) == 0)
            call->job = job;
        else if (job->replay == NULL)
            unused = job;
    }
    if (call->job != NULL || unused == NULL)
        return true;
    unused->replay = web_replay_new(call->file, call->viewer);
    memcpy(unused->key, key, sizeof key);
    call->job = unused->replay != NULL ? unused : NULL;
    return call->job != NULL;
}

static enum web_got answer_job(struct web *web, struct web_session *session,
                               enum web_replay_step step, struct web_blob *blob)
{
    switch (step) {
    case WEB_REPLAY_DONE:
        return blob != NULL ? answer_blob(web, session, blob) : refuse_busy(web, session);
    case WEB_REPLAY_UNKNOWN:
        return web_api_refuse(
            web, session, 409, "no_rules",
            "This house has not the rules of that match any more; its file can be had.");
    case WEB_REPLAY_NO_SEAT:
        return web_api_refuse(web, session, 404, "no_such_seat", "The match has no such seat.");
    default:
        return web_api_refuse(web, session, 409, "does_not_hold",
                              "The match cannot be played again as it was kept.");
    }
}

/* Whoever waits for the job is answered; whoever waits for any job may get one now. */
static void end_job(struct web *web, struct web_job *job, enum web_replay_step step)
{
    struct web_blob *blob = step == WEB_REPLAY_DONE ? web_replay_take(job->replay) : NULL;
    if (blob != NULL)
        blobs_keep(&web->api.blobs, job->key, blob);
    web_replay_free(&job->replay);
    for (uint32_t i = 0; i < web->settings.connections_max; i++) {
        struct web_session *session = web->places[i].session;
        struct web_call    *call = session != NULL ? session->call : NULL;
        if (call != NULL && call->job == job)
            finish(web, session, answer_job(web, session, step, blob));
    }
    for (uint32_t i = 0; i < web->settings.connections_max && job->replay == NULL; i++) {
        struct web_session *session = web->places[i].session;
        struct web_call    *call = session != NULL ? session->call : NULL;
        if (call != NULL && call->file != NULL && call->job == NULL && !play(web, call))
            finish(web, session, refuse_busy(web, session));
    }
    blob_release(&blob);
}

bool web_api_step(struct web *web)
{
    bool is_busy = false;
    for (uint32_t i = 0; i < API_JOBS_MAX; i++) {
        struct web_job *job = &web->api.jobs[i];
        if (job->replay == NULL)
            continue;
        enum web_replay_step step = web_replay_step(job->replay, ACTS_AT_ONCE);
        if (step != WEB_REPLAY_MORE)
            end_job(web, job, step);
        is_busy = true;
    }
    return is_busy;
}

void web_api_close(struct web *web)
{
    for (uint32_t i = 0; i < API_JOBS_MAX; i++)
        web_replay_free(&web->api.jobs[i].replay);
    blobs_drop(&web->api.blobs);
}

/* Calls, as they come. */

static bool read_id(const char *text, size_t size, uint8_t id[16])
{
    size_t length = 0;
    return size == 32 && sodium_hex2bin(id, 16, text, size, NULL, &length, NULL) == 0 &&
           length == 16;
}

/* An argument of the query; false: it is not there, or too long. */
static bool argument(struct lws *wsi, const char *name, char value[ARGUMENT_MAX])
{
    char        text[ARGUMENT_MAX + 16];
    const char *found = lws_get_urlarg_by_name(wsi, name, text, sizeof text);
    size_t      size = found != NULL ? strlen(found) : ARGUMENT_MAX;
    if (size >= ARGUMENT_MAX)
        return false;
    memcpy(value, found, size + 1);
    return true;
}

/* A number below `most`; `otherwise` if there is none. */
static uint32_t number_argument(struct lws *wsi, const char *name, uint32_t most,
                                uint32_t otherwise)
{
    char     text[ARGUMENT_MAX];
    uint32_t number = 0;
    if (!argument(wsi, name, text) || text[0] == '\0')
        return otherwise;
    for (const char *at = text; *at != '\0'; at++) {
        if (*at < '0' || *at > '9' || number > most)
            return most;
        number = 10 * number + (uint32_t) (*at - '0');
    }
    return number < most ? number : most;
}

static void read_code(struct lws *wsi, struct web_call *call)
{
    char text[API_CODE_MAX + 6] = "";
    if (lws_hdr_copy(wsi, text, sizeof text, WSI_TOKEN_HTTP_AUTHORIZATION) > 0 &&
        strncmp(text, "Code ", 5) == 0)
        memcpy(call->code, text + 5, strlen(text + 5) + 1);
}

static enum web_got begin_list(struct web *web, struct lws *wsi, struct web_session *session)
{
    struct web_call *call = session->call;
    char             state[ARGUMENT_MAX] = "", after[ARGUMENT_MAX], game[ARGUMENT_MAX];
    call->kind = CALL_LIST;
    call->lists = LIST_RUNNING | LIST_FINISHED;
    if (argument(wsi, "state=", state) && state[0] != '\0')
        call->lists = strcmp(state, "running") == 0    ? LIST_RUNNING
                      : strcmp(state, "finished") == 0 ? LIST_FINISHED
                                                       : 0;
    call->has_after = argument(wsi, "after=", after);
    call->limit = number_argument(wsi, "limit=", LIMIT_MAX, 0);
    bool has_game = argument(wsi, "game=", game);
    if (has_game && (strlen(game) >= sizeof call->game ||
                     !utf8_is_string((const uint8_t *) game, strlen(game))))
        return web_api_refuse(web, session, 400, "malformed",
                              "game is the name of a game, in UTF-8.");
    if (call->lists == 0 || (call->has_after && (call->lists == (LIST_RUNNING | LIST_FINISHED) ||
                                                 !read_id(after, strlen(after), call->after))))
        return web_api_refuse(
            web, session, 400, "malformed",
            "state is running or finished; after is an id, and says which of the two.");
    if (has_game)
        memcpy(call->game, game, strlen(game) + 1);
    return WEB_WAITS;
}

static enum web_got begin_match(struct web *web, struct lws *wsi, struct web_session *session,
                                const char *rest, size_t size)
{
    struct web_call *call = session->call;
    char             key[BLOB_KEY_MAX];
    bool             is_file = size == 5 && memcmp(rest, "/file", 5) == 0;
    if (!is_file && (size != 7 || memcmp(rest, "/replay", 7) != 0))
        return web_api_refuse(web, session, 404, "no_such_page",
                              "A match has a file and a replay.");
    call->kind = is_file ? CALL_FILE : CALL_REPLAY;
    call->viewer = is_file ? 0 : number_argument(wsi, "seat=", SPECTATOR - 2, SPECTATOR);
    read_code(wsi, call);
    key_of(call, call->kind, key);
    struct web_blob *blob = blobs_find(&web->api.blobs, key);
    if (blob != NULL) {
        enum web_got got = answer_blob(web, session, blob);
        blob_release(&blob);
        return got;
    }
    key_of(call, CALL_FILE, key);
    call->file = blobs_find(&web->api.blobs, key);
    if (call->file != NULL && !play(web, call))
        return refuse_busy(web, session);
    return WEB_WAITS;
}

enum web_got web_api(struct web *web, struct lws *wsi, struct web_session *session,
                     const char *path, size_t size)
{
    static const char matches[] = "/api/matches";
    size_t            length = sizeof matches - 1;
    if (size < length || memcmp(path, matches, length) != 0)
        return web_api_refuse(web, session, 404, "no_such_page", "There is /api/matches.");
    session->call = calloc(1, sizeof *session->call);
    if (session->call == NULL)
        return WEB_BROKEN;
    if (size == length)
        return begin_list(web, wsi, session);
    if (size < length + 1 + 32 || path[length] != '/' ||
        !read_id(path + length + 1, 32, session->call->match_id))
        return web_api_refuse(web, session, 404, "no_such_match",
                              "A match has an id of 32 hexadecimal digits.");
    return begin_match(web, wsi, session, path + length + 33, size - length - 33);
}

/* To the core and back. */

bool web_api_next(struct web *web, struct web_session *session, struct event *event)
{
    struct web_call *call = session->call;
    struct web_api  *api = &web->api;
    if (call->kind == CALL_HOUSE) {
        arbiter__gateway__lobby_wish__init(&api->lobby_wish);
        api->lobby_wish.has_ask = true;
        api->lobby_wish.ask = (ProtobufCBinaryData){ call->size, call->bytes };
        event->body = &api->lobby_wish.base;
        return true;
    }
    if (call->kind == CALL_LIST) {
        call->asked = (call->lists & LIST_RUNNING) != 0 ? LIST_RUNNING : LIST_FINISHED;
        arbiter__gateway__lobby_wish__init(&api->lobby_wish);
        api->lobby_wish.has_ask = true;
        api->lobby_wish.ask.data = api->packed;
        api->lobby_wish.ask.len = list_ask(call, call->asked, api->packed, sizeof api->packed);
        event->body = &api->lobby_wish.base;
        return true;
    }
    if (call->file != NULL)
        return false; /* It is here already. */
    arbiter__gateway__file_wish__init(&api->file_wish);
    api->file_wish.has_match_id = api->file_wish.has_code = true;
    api->file_wish.match_id = (ProtobufCBinaryData){ sizeof call->match_id, call->match_id };
    api->file_wish.code = (ProtobufCBinaryData){ strlen(call->code), (uint8_t *) call->code };
    event->body = &api->file_wish.base;
    return true;
}

/* What there is with one list more; NULL: there is no such list, or no memory. */
static char *joined(const struct web_call *call, const Arbiter__Gateway__LobbyWord *said)
{
    char *list =
        said->has_answer ? list_json(call->asked, said->answer.data, said->answer.len) : NULL;
    char *text = NULL;
    if (list != NULL &&
        asprintf(&text, "%s%c%s%s", call->text != NULL ? call->text : "",
                 call->text != NULL ? ',' : '{', list, call->lists == 0 ? "}\n" : "") < 0)
        text = NULL;
    free(list);
    return text;
}

/* The lists are all there. */
static enum web_got answer_lists(struct web *web, struct web_session *session)
{
    const struct web_head head = { .status = 200, .type = json_type };
    size_t                size = strlen(session->call->text);
    struct web_blob      *blob = blob_new((uint8_t *) session->call->text, size, false, size);
    session->call->text = NULL;
    bool is_made = blob != NULL && web_answer_blob(web, session, &head, blob);
    blob_release(&blob);
    return is_made ? WEB_ANSWERED : WEB_BROKEN;
}

/* One of the lists has come; the other one is asked for, or it is all. */
static void on_word(struct web *web, struct web_session *session,
                    const Arbiter__Gateway__LobbyWord *said)
{
    struct web_call *call = session->call;
    call->lists &= ~call->asked;
    char *text = joined(call, said);
    free(call->text);
    call->text = text;
    if (text == NULL ||
        (call->lists != 0 && !web_news_put(web, (struct web_news){ .number = session->number })))
        finish(web, session, refuse_busy(web, session));
    else if (call->lists == 0)
        finish(web, session, answer_lists(web, session));
}

static bool grow(struct web_call *call, size_t more)
{
    size_t wanted = call->size + more;
    size_t room = 2 * call->room < wanted ? wanted : 2 * call->room;
    if (wanted <= call->room)
        return true;
    uint8_t *bytes = wanted <= FILE_MAX ? realloc(call->bytes, room) : NULL;
    if (bytes == NULL)
        return false;
    call->bytes = bytes;
    call->room = room;
    return true;
}

static void on_piece(struct web *web, struct web_session *session,
                     const Arbiter__Gateway__FilePiece *piece)
{
    struct web_call *call = session->call;
    char             key[BLOB_KEY_MAX];
    if (piece->has_refusal) {
        finish(web, session, refuse_for(web, session, piece->refusal));
        return;
    }
    if (!grow(call, piece->bytes.len)) {
        finish(web, session,
               web_api_refuse(web, session, 409, "too_large", "The match is too long for this."));
        return;
    }
    if (piece->bytes.len > 0)
        memcpy(call->bytes + call->size, piece->bytes.data, piece->bytes.len);
    call->size += piece->bytes.len;
    if (!piece->last)
        return;
    call->file = blob_new(call->bytes, call->size, false, call->size);
    call->bytes = NULL;
    if (call->file == NULL) {
        finish(web, session, refuse_busy(web, session));
        return;
    }
    key_of(call, CALL_FILE, key);
    blobs_keep(&web->api.blobs, key, call->file);
    if (call->kind == CALL_FILE)
        finish(web, session, answer_blob(web, session, call->file));
    else if (!play(web, call))
        finish(web, session, refuse_busy(web, session));
}

void web_api_send(struct web *web, struct web_session *session, const struct effect *effect)
{
    const ProtobufCMessageDescriptor *kind = effect->body->descriptor;
    if (session->call == NULL)
        return;
    if (kind == &arbiter__gateway__lobby_word__descriptor && session->call->kind == CALL_HOUSE)
        finish(web, session,
               web_house_answer(web, session,
                                (const Arbiter__Gateway__LobbyWord *) (const void *) effect->body));
    else if (kind == &arbiter__gateway__lobby_word__descriptor)
        on_word(web, session, (const Arbiter__Gateway__LobbyWord *) (const void *) effect->body);
    else if (session->call->file == NULL)
        on_piece(web, session, (const Arbiter__Gateway__FilePiece *) (const void *) effect->body);
}
