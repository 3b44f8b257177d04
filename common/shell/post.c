/* post.c: see post.h. */
#include "shell/post.h"

#include <inttypes.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock/clock.h"

#define WAITING_MAX 64u /* Requests; each holds what one beat of one process told. */
/* For one step of a request, and for all of it: a stop waits no longer than that. */
#define PATIENCE_S 2
#define REQUEST_MS 5000u
#define SAY_AGAIN_MS 60000u
#define PART_MAX 256u
#define ANSWER_MAX 4096u

struct waiting {
    char  *body;
    size_t size;
};

struct post {
    char              host[PART_MAX], port[16], path[PART_MAX];
    const struct log *log;

    pthread_t       thread;
    pthread_mutex_t lock; /* For those below. */
    pthread_cond_t  changed;
    bool            is_stopped;
    struct waiting  waiting[WAITING_MAX];
    uint32_t        first, count;
    uint64_t        full; /* Requests for which there was no room. */
    int             file; /* What the thread waits for; -1: nothing. */

    uint64_t failed, said_ms; /* The thread's own. */
};

/* http://HOST[:PORT][/PATH]; without a path that of OpenTelemetry. */
static bool read_url(struct post *post, const char *url)
{
    static const char scheme[] = "http://";
    if (strncmp(url, scheme, sizeof scheme - 1) != 0)
        return false;
    const char *host = url + sizeof scheme - 1;
    size_t      size = strcspn(host, ":/");
    const char *at = host + size;
    size_t      port = *at == ':' ? strspn(at + 1, "0123456789") : 0;
    if (size == 0 || size >= sizeof post->host || port >= sizeof post->port)
        return false;
    memcpy(post->host, host, size);
    (void) snprintf(post->port, sizeof post->port, "%.*s", port > 0 ? (int) port : 4,
                    port > 0 ? at + 1 : "4318");
    at += *at == ':' ? port + 1 : 0;
    if ((*at != '\0' && *at != '/') || strlen(at) >= sizeof post->path ||
        at[strcspn(at, " \r\n")] != '\0')
        return false;
    (void) snprintf(post->path, sizeof post->path, "%s", *at == '/' ? at : "/v1/traces");
    return true;
}

/* A connection that gives up soon; -1: there is none. */
static int connect_to(const struct post *post)
{
    const struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM };
    const struct timeval  patience = { .tv_sec = PATIENCE_S };
    struct addrinfo      *list = NULL;
    int                   file = -1;
    if (getaddrinfo(post->host, post->port, &hints, &list) != 0)
        return -1;
    for (const struct addrinfo *at = list; at != NULL && file < 0; at = at->ai_next) {
        file = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);
        if (file < 0)
            continue;
        (void) setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
        (void) setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        if (connect(file, at->ai_addr, at->ai_addrlen) != 0) {
            (void) close(file);
            file = -1;
        }
    }
    freeaddrinfo(list);
    return file;
}

static bool send_all(int file, const char *bytes, size_t size, uint64_t until_ms)
{
    while (size > 0 && clock_ms() < until_ms) {
        ssize_t sent = send(file, bytes, size, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        bytes += sent;
        size -= (size_t) sent;
    }
    return size == 0;
}

/* The answer's status; 0: there was none. What stands behind its first line says nothing that we could do. */
static int status_of(int file, uint64_t until_ms)
{
    char    line[ANSWER_MAX + 1] = "";
    size_t  size = 0;
    ssize_t came = 0;
    while (size < ANSWER_MAX && strchr(line, '\n') == NULL && clock_ms() < until_ms &&
           (came = recv(file, line + size, ANSWER_MAX - size, 0)) > 0) {
        size += (size_t) came;
        line[size] = '\0';
    }
    return strncmp(line, "HTTP/1.", 7) == 0 && size > 12 ? (int) strtol(line + 9, NULL, 10) : 0;
}

/* Whoever stops us shuts this down. False: he has come already. */
static bool wait_for(struct post *post, int file)
{
    (void) pthread_mutex_lock(&post->lock);
    post->file = post->is_stopped ? -1 : file;
    (void) pthread_mutex_unlock(&post->lock);
    return post->file >= 0;
}

static int send_one(struct post *post, const struct waiting *request)
{
    char     head[2 * PART_MAX + 256];
    uint64_t until_ms = clock_ms() + REQUEST_MS;
    int      status = 0, file = connect_to(post);
    if (file < 0)
        return 0;
    int size = snprintf(head, sizeof head,
                        "POST %s HTTP/1.1\r\nHost: %s:%s\r\nContent-Type: application/json\r\n"
                        "Content-Length: %zu\r\nConnection: close\r\n\r\n",
                        post->path, post->host, post->port, request->size);
    if (wait_for(post, file) && send_all(file, head, (size_t) size, until_ms) &&
        send_all(file, request->body, request->size, until_ms))
        status = status_of(file, until_ms);
    (void) wait_for(post, -1);
    (void) close(file);
    return status;
}

/* One line a minute: traces are for people who look for something, and nothing depends on them. */
static void say_failure(struct post *post, int status, uint64_t full)
{
    post->failed++;
    if (post->said_ms != 0 && clock_ms() - post->said_ms < SAY_AGAIN_MS)
        return;
    post->said_ms = clock_ms();
    log_print(post->log, SAY_WARNING,
              "what takes traces at %s:%s%s %s (status %d); not sent since the start: %" PRIu64
              ", and for want of room %" PRIu64,
              post->host, post->port, post->path, status == 0 ? "does not answer" : "takes nothing",
              status, post->failed, full);
}

static void *run(void *argument)
{
    struct post *post = argument;
    (void) pthread_mutex_lock(&post->lock);
    while (!post->is_stopped) {
        if (post->count == 0) {
            (void) pthread_cond_wait(&post->changed, &post->lock);
            continue;
        }
        struct waiting request = post->waiting[post->first];
        uint64_t       full = post->full;
        post->first = (post->first + 1) % WAITING_MAX;
        post->count--;
        (void) pthread_mutex_unlock(&post->lock);
        int status = send_one(post, &request);
        free(request.body);
        if (status < 200 || status > 299)
            say_failure(post, status, full);
        (void) pthread_mutex_lock(&post->lock);
    }
    (void) pthread_mutex_unlock(&post->lock);
    return NULL;
}

/* There is nothing beside the sockets to wait for, and nobody comes in there. */
static void side_wait(void *asked, int file, int64_t wait_ms)
{
    struct pollfd one = { .fd = file, .events = POLLIN };
    (void) asked;
    (void) poll(&one, 1, (int) wait_ms);
}

static bool side_next(void *asked, struct event *event)
{
    (void) asked;
    (void) event;
    return false;
}

void post_put(struct post *post, char *body, size_t size)
{
    (void) pthread_mutex_lock(&post->lock);
    bool has_room = body != NULL && post->count < WAITING_MAX;
    if (has_room)
        post->waiting[(post->first + post->count++) % WAITING_MAX] = (struct waiting){ body, size };
    post->full += !has_room;
    (void) pthread_cond_signal(&post->changed);
    (void) pthread_mutex_unlock(&post->lock);
    if (!has_room)
        free(body);
}

struct shell_side post_side(struct post *post,
                            void (*send)(void *asked, const struct effect *effect))
{
    return (struct shell_side){ post, side_wait, side_next, send, NULL };
}

bool post_judge(const char *url)
{
    struct post read;
    return read_url(&read, url);
}

struct post *post_start(const char *url, const struct log *log)
{
    struct post *post = calloc(1, sizeof *post);
    if (post == NULL || !read_url(post, url))
        goto none;
    post->log = log;
    post->file = -1;
    (void) pthread_mutex_init(&post->lock, NULL);
    (void) pthread_cond_init(&post->changed, NULL);
    if (pthread_create(&post->thread, NULL, run, post) == 0)
        return post;

none:
    free(post);
    return NULL;
}

void post_stop(struct post **post)
{
    struct post *stopped = *post;
    if (stopped == NULL)
        return;
    (void) pthread_mutex_lock(&stopped->lock);
    stopped->is_stopped = true;
    if (stopped->file >= 0)
        (void) shutdown(stopped->file, SHUT_RDWR);
    (void) pthread_cond_signal(&stopped->changed);
    (void) pthread_mutex_unlock(&stopped->lock);
    (void) pthread_join(stopped->thread, NULL);
    for (; stopped->count > 0; stopped->count--) {
        free(stopped->waiting[stopped->first].body);
        stopped->first = (stopped->first + 1) % WAITING_MAX;
    }
    (void) pthread_cond_destroy(&stopped->changed);
    (void) pthread_mutex_destroy(&stopped->lock);
    free(stopped);
    *post = NULL;
}
