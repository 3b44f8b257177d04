/* small_http.h: HTTP for one program at one port: requests come in, each has one answer.
 *
 * For a door without a house behind it, and without libwebsockets. A tournament opens one port for
 * each program that speaks the protocol of 2017, and waits for all of them in one call. Loopback
 * only; so many requests at once, of so many bytes, and whoever has more is cut off. */
#ifndef ARBITER_GATEWAY_SMALL_HTTP_H
#define ARBITER_GATEWAY_SMALL_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "services/gateway/chunked.h"
#include "services/gateway/rest/rest_read.h"

#define SMALL_HTTP_REQUESTS 8
#define SMALL_HTTP_HEAD_MAX 4096
#define SMALL_HTTP_BODY_MAX 65536

/* A connection, and the one request on it. */
struct small_request {
    int      file;     /* -1: nobody is connected here.                                           */
    bool     is_whole; /* It was read to its end.                                               */
    bool     is_taken; /* Somebody has it, and answers later.                                   */
    bool     is_gone;  /* Who asked has hung up since; it is still to be answered.              */
    uint64_t came_ms;  /* When its last byte came, by the clock of events.                      */
    unsigned refusal;  /* The status that its head alone deserves; 0: it may be read.           */
    Arbiter__Gateway__RestPath path;

    char          *bytes; /* The head; then the body, as it was meant.                          */
    size_t         size, head_size, body_size, length;
    bool           has_head, is_chunked;
    struct chunked chunked;
};

struct small_http {
    int                  listener;
    uint16_t             port;
    struct small_request requests[SMALL_HTTP_REQUESTS];
};

/* Listens on any free port of loopback. False: it cannot. */
bool small_http_open(struct small_http *http);
void small_http_close(struct small_http *http);
/* Waits, at most `wait_ms`, until something comes to one of these, and reads it. */
void small_http_wait(struct small_http *const *all, size_t count, uint64_t wait_ms);
/* A request that was read to its end and that nobody has taken yet; it is taken now. NULL: none. */
struct small_request *small_http_next(struct small_http *http);
/* The text of its body, NUL behind it. */
const char           *small_http_body(const struct small_request *request);
/* Answers with XML and ends the connection. `latency_ms` stands in a header of its own. */
void small_http_answer(struct small_request *request, unsigned status, const char *xml, size_t size,
                       uint64_t latency_ms);

#endif
