/* small_http.c: see small_http.h. */
#include "services/gateway/shell/xml/small_http.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/text.h"
#include "clock/clock.h"

bool small_http_open(struct small_http *http)
{
    struct sockaddr_in place = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
    socklen_t          size = sizeof place;
    memset(http, 0, sizeof *http);
    for (uint32_t i = 0; i < SMALL_HTTP_REQUESTS; i++)
        http->requests[i].file = -1;
    http->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (http->listener < 0 ||
        bind(http->listener, (const struct sockaddr *) (const void *) &place, sizeof place) != 0 ||
        listen(http->listener, SMALL_HTTP_REQUESTS) != 0 ||
        getsockname(http->listener, (struct sockaddr *) (void *) &place, &size) != 0)
        return false;
    http->port = ntohs(place.sin_port);
    return true;
}

static void hang_up(struct small_request *request)
{
    if (request->file >= 0)
        (void) close(request->file);
    free(request->bytes);
    memset(request, 0, sizeof *request);
    request->file = -1;
}

void small_http_close(struct small_http *http)
{
    for (uint32_t i = 0; i < SMALL_HTTP_REQUESTS; i++)
        hang_up(&http->requests[i]);
    if (http->listener >= 0)
        (void) close(http->listener);
    http->listener = -1;
}

static void let_in(struct small_http *http)
{
    int file = accept4(http->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    for (uint32_t i = 0; file >= 0 && i < SMALL_HTTP_REQUESTS; i++) {
        struct small_request *request = &http->requests[i];
        if (request->file >= 0)
            continue;
        memset(request, 0, sizeof *request);
        request->bytes = malloc(SMALL_HTTP_HEAD_MAX + SMALL_HTTP_BODY_MAX + 1);
        request->file = request->bytes != NULL ? file : -1;
        if (request->file >= 0)
            return;
    }
    if (file >= 0)
        (void) close(file);
}

/* The value of a header in a head that ends with an empty line; false: it is not there. */
static bool header_of(const struct small_request *request, const char *name, char *to, size_t room)
{
    const char *end = request->bytes + request->head_size;
    size_t      size = strlen(name);
    for (const char *line = request->bytes; line < end;) {
        const char *next = memchr(line, '\n', (size_t) (end - line));
        const char *from = line + size + 1, *stop = next;
        if (next == NULL)
            return false;
        if ((size_t) (next - line) > size && line[size] == ':' &&
            strncasecmp(line, name, size) == 0) {
            while (from < stop && (*from == ' ' || *from == '\t'))
                from++;
            while (stop > from && (stop[-1] == '\r' || stop[-1] == ' ' || stop[-1] == '\t'))
                stop--;
            (void) snprintf(to, room, "%.*s", (int) (stop - from), from);
            return true;
        }
        line = next + 1;
    }
    return false;
}

/* The status that the head deserves, in the order of section 8.6 of the rules; 0: it may be read. */
static unsigned judge(const struct small_request *request)
{
    char text[256];
    bool is_post =
        strncmp(request->bytes, "POST ", 5) == 0 || strncmp(request->bytes, "PUT ", 4) == 0;
    bool has_type = header_of(request, "content-type", text, sizeof text);
    if (request->path == ARBITER__GATEWAY__REST_PATH__REST_PATH_UNSPECIFIED)
        return 404;
    if (!is_post)
        return 405;
    if (!rest_type_fits(has_type ? text : NULL, has_type ? strlen(text) : 0))
        return 415;
    return request->length > SMALL_HTTP_BODY_MAX ? 413 : 0;
}

static void read_target(struct small_request *request)
{
    const char *from = memchr(request->bytes, ' ', request->head_size);
    size_t      left = from != NULL ? (size_t) (request->bytes + request->head_size - from) - 1 : 0;
    size_t      size = 0;
    for (size_t i = 0; i < left && strchr(" ?\r\n", from[1 + i]) == NULL; i++)
        size++;
    if (from != NULL)
        request->path = rest_path_of(from + 1, size);
}

static void take_body(struct small_request *request, const uint8_t *in, size_t size)
{
    char  *to = request->bytes + request->head_size + request->body_size;
    size_t room = SMALL_HTTP_BODY_MAX - request->body_size;
    size_t got = size < room ? size : room;
    if (request->is_chunked)
        got = chunked_take(&request->chunked, in, got, (uint8_t *) to);
    else
        memmove(to, in, got);
    request->body_size += got;
    if (size > room)
        request->refusal = 413;
    else if (request->is_chunked && request->chunked.step == CHUNKED_BROKEN)
        request->refusal = 400;
    request->is_whole =
        request->refusal != 0 || (request->is_chunked ? request->chunked.step == CHUNKED_DONE
                                                      : request->body_size >= request->length);
}

/* The head has come, and perhaps more behind it. */
static void take_head(struct small_request *request, size_t head_size)
{
    static const char line[] = "HTTP/1.1 100 Continue\r\n\r\n";
    char              text[64];
    uint8_t           behind[SMALL_HTTP_HEAD_MAX];
    size_t            more = request->size - head_size;
    request->has_head = true;
    request->head_size = head_size;
    memcpy(behind, request->bytes + head_size, more);
    read_target(request);
    request->is_chunked = header_of(request, "transfer-encoding", text, sizeof text);
    if (header_of(request, "content-length", text, sizeof text))
        request->length = strtoul(text, NULL, 10);
    request->refusal = judge(request);
    request->is_whole = request->refusal != 0;
    if (request->is_whole)
        return;
    if (more == 0 && header_of(request, "expect", text, sizeof text))
        (void) send(request->file, line, sizeof line - 1, MSG_NOSIGNAL);
    take_body(request, behind, more);
}

static void find_head(struct small_request *request)
{
    for (size_t i = 3; i < request->size; i++)
        if (memcmp(request->bytes + i - 3, "\r\n\r\n", 4) == 0) {
            take_head(request, i + 1);
            return;
        }
}

/* What has come. Who has gone, or has a head that is too long, is cut off. */
static void read_some(struct small_request *request)
{
    uint8_t in[4096];
    size_t  room = request->has_head ? sizeof in : SMALL_HTTP_HEAD_MAX - request->size;
    ssize_t got = room > 0 ? recv(request->file, in, room, 0) : 0;
    if (got <= 0 && request->is_taken) {
        request->is_gone = true;
        return;
    }
    if (got <= 0) {
        hang_up(request);
        return;
    }
    if (request->is_whole)
        return; /* Behind its end. */
    if (request->has_head) {
        take_body(request, in, (size_t) got);
    } else {
        memcpy(request->bytes + request->size, in, (size_t) got);
        request->size += (size_t) got;
        find_head(request);
    }
    request->came_ms = clock_ms();
}

#define DOORS_MAX 16

void small_http_wait(struct small_http *const *all, size_t count, uint64_t wait_ms)
{
    struct pollfd         files[DOORS_MAX * (SMALL_HTTP_REQUESTS + 1)];
    struct small_request *requests[DOORS_MAX * (SMALL_HTTP_REQUESTS + 1)];
    struct small_http    *doors[DOORS_MAX * (SMALL_HTTP_REQUESTS + 1)];
    nfds_t                used = 0;
    for (size_t door = 0; door < count && door < DOORS_MAX; door++) {
        requests[used] = NULL;
        doors[used] = all[door];
        files[used++] = (struct pollfd){ all[door]->listener, POLLIN, 0 };
        for (uint32_t i = 0; i < SMALL_HTTP_REQUESTS; i++) {
            if (all[door]->requests[i].file < 0 || all[door]->requests[i].is_gone)
                continue;
            requests[used] = &all[door]->requests[i];
            files[used++] = (struct pollfd){ all[door]->requests[i].file, POLLIN, 0 };
        }
    }
    if (poll(files, used, wait_ms > INT32_MAX ? INT32_MAX : (int) wait_ms) <= 0)
        return;
    for (nfds_t i = 0; i < used; i++) {
        if (files[i].revents == 0)
            continue;
        if (requests[i] != NULL)
            read_some(requests[i]);
        else
            let_in(doors[i]);
    }
}

struct small_request *small_http_next(struct small_http *http)
{
    struct small_request *first = NULL;
    for (uint32_t i = 0; i < SMALL_HTTP_REQUESTS; i++) {
        struct small_request *request = &http->requests[i];
        if (request->file >= 0 && request->is_whole && !request->is_taken &&
            (first == NULL || request->came_ms < first->came_ms))
            first = request;
    }
    if (first == NULL)
        return NULL;
    first->is_taken = true;
    first->bytes[first->head_size + first->body_size] = '\0';
    return first;
}

const char *small_http_body(const struct small_request *request)
{
    return request->bytes + request->head_size;
}

static const char *phrase_of(unsigned status)
{
    switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 413: return "Content Too Large";
    default: return "Unsupported Media Type";
    }
}

void small_http_answer(struct small_request *request, unsigned status, const char *xml, size_t size,
                       uint64_t latency_ms)
{
    char head[256];
    int  head_size = snprintf(head, sizeof head,
                              "HTTP/1.1 %u %s\r\nContent-Type: application/xml; charset=UTF-8\r\n"
                               "Content-Length: %zu\r\nArbiter-Latency-Ms: %llu\r\n"
                               "%sConnection: close\r\n\r\n",
                              status, phrase_of(status), size, (unsigned long long) latency_ms,
                             status == 405 ? "Allow: POST, PUT\r\n" : "");
    if (request->file >= 0 &&
        send(request->file, head, (size_t) head_size, MSG_NOSIGNAL | MSG_MORE) == head_size)
        (void) send(request->file, xml, size, MSG_NOSIGNAL);
    if (request->file >= 0)
        (void) shutdown(request->file, SHUT_WR);
    hang_up(request);
}
