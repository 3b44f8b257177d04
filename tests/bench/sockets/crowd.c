/* crowd.c: spectators of one match over WebSockets, and what each of them heard.
 *
 *     socket_crowd DIALECT PORT COUNT STALLED MATCH <paths
 *
 * COUNT of them connect, each to the next path on standard input ("-": all to /ws), and watch. Then "ready" is said, and
 * the standard input tells FIRST and LAST: the events all of them are to hear, in order. The last STALLED read nothing
 * from then on. At the end a line of JSON says how many events were heard in how many seconds. The
 * seconds count from that line, behind which they are set off, to the last event that the last one
 * heard. The line also says how many of those who stood still were told why they are closed. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "crowd.h"

#define ROOM (256u << 10)
#define PATH_MAX_BYTES 256
#define SLOW_BYTES 4096 /* What the kernel takes for one who reads nothing. */
#define AT_ONCE 64      /* So many open at a time. */
#define PATIENCE_MS 60000
#define LAST_WORDS_MS 10000 /* For those who stood still, to hear why they are closed. */

enum state { OPENING, JOINING, WATCHING, DONE, CLOSED };

struct spectator {
    int        file;
    enum state state;
    bool       is_stalled, was_told;
    uint64_t   next, heard; /* The event to be heard next; 0: whichever comes. */
    uint8_t   *kept;        /* Of a message that is not whole yet.                                */
    size_t     kept_size;
};

static const struct dialect *dialect;
static struct spectator     *crowd;
static int                   poller;
static uint32_t              count, watching, done, lost, faults;
static uint8_t               match_id[16];
static uint64_t              last_event;
static uint64_t              first_ns, last_ns;

static uint64_t now_ns(void)
{
    struct timespec now;
    (void) clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

static void give_up(const char *why)
{
    fprintf(stderr, "socket_crowd: %s: %s\n", why, errno != 0 ? strerror(errno) : "it is wrong");
    exit(1);
}

#define BYTES 0x82
#define PING 9
#define PONG 0x8a

/* A frame under a mask of zeros. */
static void say(const struct spectator *who, uint8_t kind, const uint8_t *words, size_t size)
{
    uint8_t frame[WORDS_MAX + 6] = { kind, (uint8_t) (0x80 | size) };
    memcpy(frame + 6, words, size);
    if ((size > 0 || kind == PONG) &&
        send(who->file, frame, size + 6, MSG_NOSIGNAL) != (ssize_t) (size + 6))
        give_up("a word cannot be said");
}

static void close_one(struct spectator *who)
{
    (void) epoll_ctl(poller, EPOLL_CTL_DEL, who->file, NULL);
    (void) close(who->file);
    lost += !who->is_stalled && who->state != DONE;
    who->state = CLOSED;
}

static void is_in(struct spectator *who)
{
    uint8_t words[WORDS_MAX] = { 0 };
    if (dialect == &dialect_colyseus)
        say(who, BYTES, words, dialect->asks(words, match_id));
    who->state = WATCHING;
    watching++;
    if (who->is_stalled) /* From now on this one reads nothing. */
        (void) epoll_ctl(poller, EPOLL_CTL_DEL, who->file, NULL);
}

static void hear_event(struct spectator *who, uint64_t number)
{
    faults += number != who->next && who->next != 0;
    who->next = number + 1;
    who->heard++;
    if (who->is_stalled)
        return;
    last_ns = now_ns();
    if (number == last_event && last_event != 0) {
        who->state = DONE;
        done++;
    }
}

static void hear(struct spectator *who, const uint8_t *bytes, size_t size)
{
    uint8_t  words[WORDS_MAX] = { 0 };
    uint64_t number = 0;
    switch (dialect->read(bytes, size, &number)) {
    case MEANS_HELLO: say(who, BYTES, words, dialect->asks(words, match_id)); break;
    case MEANS_SHOWN:
        if (who->state == JOINING)
            is_in(who);
        break;
    case MEANS_EVENT: hear_event(who, number); break;
    case MEANS_CLOSING: who->was_told = true; break;
    case MEANS_NOTHING: break;
    }
}

/* The frame at `bytes`; 0: it is not whole. */
static size_t take_frame(struct spectator *who, const uint8_t *bytes, size_t size)
{
    size_t head = 2, body = size >= 2 ? bytes[1] & 127 : 0;
    if (size >= 4 && body == 126) {
        head = 4;
        body = (size_t) bytes[2] << 8 | bytes[3];
    } else if (size >= 10 && body == 127) {
        head = 10;
        body =
            (size_t) bytes[6] << 24 | (size_t) bytes[7] << 16 | (size_t) bytes[8] << 8 | bytes[9];
    } else if (body >= 126) {
        return 0;
    }
    if (size < 2 || size < head + body)
        return 0;
    if ((bytes[0] & 15) == PING)
        say(who, PONG, bytes + head, body);
    else if ((bytes[0] & 15) <= 2)
        hear(who, bytes + head, body);
    return head + body;
}

/* The door's answer to our wish for a WebSocket; 0: it is not whole. */
static size_t take_answer(struct spectator *who, const uint8_t *bytes, size_t size)
{
    uint8_t        words[WORDS_MAX] = { 0 };
    const uint8_t *end = memmem(bytes, size, "\r\n\r\n", 4);
    if (end == NULL)
        return 0;
    errno = 0;
    if (size < 12 || memcmp(bytes + 9, "101", 3) != 0)
        give_up("the door answers something else than 101");
    who->state = JOINING;
    say(who, BYTES, words, dialect->hello(words));
    return (size_t) (end - bytes) + 4;
}

static void take(struct spectator *who, uint8_t *bytes, size_t size)
{
    size_t at = 0, taken = 0;
    do {
        taken = who->state == OPENING ? take_answer(who, bytes + at, size - at)
                                      : take_frame(who, bytes + at, size - at);
        at += taken;
    } while (taken > 0 && at < size);
    free(who->kept);
    who->kept_size = size - at;
    who->kept = who->kept_size > 0 ? malloc(who->kept_size) : NULL;
    if (who->kept_size > 0 && who->kept == NULL)
        give_up("no memory");
    if (who->kept_size > 0)
        memcpy(who->kept, bytes + at, who->kept_size);
}

static void read_one(struct spectator *who)
{
    static uint8_t bytes[2 * ROOM];
    size_t         kept = who->kept_size;
    if (kept > ROOM)
        give_up("a message is too long");
    if (kept > 0)
        memcpy(bytes, who->kept, kept);
    ssize_t size = recv(who->file, bytes + kept, ROOM, MSG_DONTWAIT);
    if (size > 0)
        take(who, bytes, kept + (size_t) size);
    else if (size == 0 || (errno != EAGAIN && errno != EINTR))
        close_one(who);
}

/* False: nothing came in that time. */
static bool read_some(int wait_ms)
{
    struct epoll_event events[512];
    int                got = epoll_wait(poller, events, 512, wait_ms);
    for (int i = 0; i < got; i++)
        read_one(events[i].data.ptr);
    return got > 0;
}

static void connect_one(struct spectator *who, uint16_t port, const char *path)
{
    struct sockaddr_in to = { .sin_family = AF_INET,
                              .sin_port = htons(port),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    char               words[1024];
    int                small = SLOW_BYTES, on = 1;
    int                size = snprintf(words, sizeof words,
                                       "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nUpgrade: websocket\r\n"
                                                      "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                                      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n%s%s%s\r\n",
                                       path, port, dialect->subprotocol != NULL ? "Sec-WebSocket-Protocol: " : "",
                        dialect->subprotocol != NULL ? dialect->subprotocol : "",
                        dialect->subprotocol != NULL ? "\r\n" : "");
    who->file = socket(AF_INET, SOCK_STREAM, 0);
    if (who->file >= 0 && who->is_stalled)
        (void) setsockopt(who->file, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    if (who->file < 0 || connect(who->file, (struct sockaddr *) &to, sizeof to) != 0)
        give_up("no connection");
    (void) setsockopt(who->file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct epoll_event event = { .events = EPOLLIN, .data.ptr = who };
    if (send(who->file, words, (size_t) size, MSG_NOSIGNAL) != size ||
        epoll_ctl(poller, EPOLL_CTL_ADD, who->file, &event) != 0)
        give_up("no connection");
}

static void come_in(uint16_t port, uint32_t stalled, bool has_paths)
{
    char path[PATH_MAX_BYTES] = "/ws";
    for (uint32_t i = 0; i < count; i++) {
        if (has_paths && fgets(path, sizeof path, stdin) == NULL)
            give_up("a path is missing");
        path[strcspn(path, "\n")] = '\0';
        crowd[i].is_stalled = i >= count - stalled;
        connect_one(&crowd[i], port, path);
        while (watching + AT_ONCE < i && read_some(PATIENCE_MS))
            ;
    }
    while (watching < count)
        if (!read_some(PATIENCE_MS))
            give_up("not all were let in");
}

/* Those who stood still read again: what they hear, and why it ends. */
static uint32_t wake_stalled(void)
{
    uint32_t told = 0;
    uint64_t until_ns = now_ns() + (uint64_t) LAST_WORDS_MS * 1000000u;
    for (uint32_t i = 0; i < count; i++) {
        struct epoll_event event = { .events = EPOLLIN, .data.ptr = &crowd[i] };
        if (crowd[i].is_stalled)
            (void) epoll_ctl(poller, EPOLL_CTL_ADD, crowd[i].file, &event);
    }
    while (now_ns() < until_ns) {
        (void) read_some(100);
        told = 0;
        for (uint32_t i = 0; i < count; i++)
            told += crowd[i].is_stalled && crowd[i].was_told;
        uint32_t open = 0;
        for (uint32_t i = 0; i < count; i++)
            open += crowd[i].is_stalled && crowd[i].state != CLOSED;
        if (open == 0)
            break;
    }
    return told;
}

static void report(uint32_t stalled)
{
    uint64_t heard = 0;
    char     line[8];
    for (uint32_t i = 0; i < count; i++)
        heard += crowd[i].is_stalled ? 0 : crowd[i].heard;
    /* The parent may wait now until the door has closed those that stood still. */
    printf("heard\n");
    (void) fflush(stdout);
    bool was_told = fgets(line, sizeof line, stdin) != NULL;
    (void) was_told; /* The end of the input will do as well. */
    uint32_t told = wake_stalled();
    printf("{\"heard\": %llu, \"seconds\": %.3f, \"readers\": %u, \"faults\": %u, \"lost\": %u, "
           "\"told\": %u}\n",
           (unsigned long long) heard, (double) (last_ns - first_ns) / 1e9, count - stalled, faults,
           lost, told);
}

static void read_id(const char *text)
{
    for (size_t i = 0; i < sizeof match_id && strlen(text) >= 2 * sizeof match_id; i++) {
        char digits[3] = { text[2 * i], text[2 * i + 1], '\0' };
        match_id[i] = (uint8_t) strtoul(digits, NULL, 16);
    }
}

int main(int argc, char **argv)
{
    unsigned long long first = 0, last = 0;
    char               line[64];
    if (argc != 6) {
        fputs("usage: socket_crowd arbiter|colyseus PORT COUNT STALLED MATCH\n", stderr);
        return 2;
    }
    dialect = strcmp(argv[1], "colyseus") == 0 ? &dialect_colyseus : &dialect_arbiter;
    count = (uint32_t) strtoul(argv[3], NULL, 10);
    uint32_t stalled = (uint32_t) strtoul(argv[4], NULL, 10);
    read_id(argv[5]);
    crowd = calloc(count, sizeof *crowd);
    poller = epoll_create1(EPOLL_CLOEXEC);
    if (crowd == NULL || poller < 0 || count == 0 || stalled >= count)
        give_up("nothing to do");
    come_in((uint16_t) strtoul(argv[2], NULL, 10), stalled, dialect == &dialect_colyseus);
    printf("ready\n");
    (void) fflush(stdout);
    if (fgets(line, sizeof line, stdin) == NULL || sscanf(line, "%llu %llu", &first, &last) != 2)
        give_up("nobody says what is to be heard");
    last_event = last;
    first_ns = last_ns = now_ns(); /* One that is late to speak at all is not forgiven that. */
    for (uint32_t i = 0; i < count; i++)
        crowd[i].next = first;
    while (done + lost < count - stalled)
        if (!read_some(PATIENCE_MS))
            break; /* What was not heard by then is missing in the count. */
    report(stalled);
    return 0;
}
