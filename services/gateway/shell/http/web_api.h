/* web_api.h: /api/matches: which matches there are, finished ones as files, and played again as JSON.
 *
 *     GET /api/matches?state=running|finished&game=NAME&after=ID&limit=N
 *     GET /api/matches/ID/file                        the match file, once the match is over
 *     GET /api/matches/ID/replay?seat=N               its acts, with what a spectator (or a seat) saw behind each
 *
 *     POST /api/house                                 a lobby.Ask as JSON, by who looks after the house (web_house.c)
 *
 * A call waits like a request of 2017: a number, a place, and no thread. A private table's code comes as
 * `Authorization: Code CODE`, since addresses are written into logs. */
#ifndef ARBITER_GATEWAY_WEB_API_H
#define ARBITER_GATEWAY_WEB_API_H

#include "contract/gateway.pb-c.h"
#include "core/event.h"
#include "core/outbox.h"
#include "services/gateway/shell/http/web_blob.h"
#include "services/gateway/shell/http/web_replay.h"
#include "services/gateway/shell/http/web_token.h"

#define API_CODE_MAX 64
#define API_JOBS_MAX 4
#define API_GAME_MAX 32

enum web_call_kind { CALL_LIST, CALL_FILE, CALL_REPLAY, CALL_HOUSE };

/* The two lists of matches, as bits. */
enum { LIST_RUNNING = 1, LIST_FINISHED = 2 };

/* What a connection asks of the API. */
struct web_call {
    enum web_call_kind kind;
    uint8_t            match_id[16];
    uint32_t           viewer;
    char               code[API_CODE_MAX + 1];

    unsigned lists, asked; /* CALL_LIST: wanted; the one that is being asked for.                */
    char     game[API_GAME_MAX];
    uint8_t  after[16];
    bool     has_after;
    uint32_t limit;
    char    *text; /* The answer so far.                                                        */

    char name[WEB_WHO_MAX + 1]; /* CALL_HOUSE: who asks; a copy, since tokens may be read anew. */
    bool is_helper;
    uint8_t         *bytes; /* Of the file, so far; of the ask, packed.                          */
    size_t           size, room;
    struct web_blob *file;
    struct web_job  *job; /* That plays it; NULL with `file`: it waits for one to be free.       */
};

/* A replay that is being made; all who want it wait for the same. */
struct web_job {
    struct web_replay *replay; /* NULL: this place is free.                                     */
    char               key[BLOB_KEY_MAX];
};

struct web_api {
    struct web_blobs blobs;
    struct web_job   jobs[API_JOBS_MAX];

    /* What is told to the core, until the next. */
    Arbiter__Gateway__LobbyWish lobby_wish;
    Arbiter__Gateway__FileWish  file_wish;
    uint8_t                     packed[256];
};

void web_call_free(struct web_call **call);

/* web_list.c: the lobby's lists. */
/* The lobby.Ask of this list, packed; 0: it does not fit. */
size_t list_ask(struct web_call *call, unsigned list, uint8_t *to, size_t room);
/* A lobby.Answer to it as a member of a JSON object, `"running":{...}`, to be freed; NULL: it is none. */
char  *list_json(unsigned list, const uint8_t *answer, size_t size);

#endif
