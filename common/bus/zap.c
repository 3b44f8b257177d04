/* zap.c: see zap.h. */
#include "bus/zap.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

#include "base/clock.h"

#define ZAP_ADDRESS "inproc://zeromq.zap.01"
#define FRAMES_MAX 16
#define FRAME_MAX 256

/* The frames of a request that mean something here (RFC 27). */
enum { FRAME_VERSION, FRAME_REQUEST, FRAME_DOMAIN, FRAME_MECHANISM = 5, FRAME_KEY, FRAMES };

struct request {
    uint32_t count;
    size_t   size[FRAMES_MAX];
    uint8_t  bytes[FRAMES_MAX][FRAME_MAX];
};

static int by_key(const void *one, const void *other)
{
    return memcmp(((const struct bus_admission *) one)->key,
                  ((const struct bus_admission *) other)->key, BUS_KEY_SIZE);
}

/* The lock is the caller's. */
static uint32_t find_role(const struct zap *zap, const uint8_t key[BUS_KEY_SIZE])
{
    struct bus_admission sought = { 0 };
    memcpy(sought.key, key, sizeof sought.key);
    const struct bus_admission *found =
        zap->count == 0
            ? NULL
            : bsearch(&sought, zap->admissions, zap->count, sizeof *zap->admissions, by_key);
    return found != NULL ? found->role : 0;
}

uint32_t zap_role_of(struct zap *zap, const uint8_t key[BUS_KEY_SIZE])
{
    (void) pthread_mutex_lock(&zap->lock);
    uint32_t role = find_role(zap, key);
    (void) pthread_mutex_unlock(&zap->lock);
    return role;
}

bool zap_admit(struct zap *zap, const struct bus_admission *admissions, size_t count)
{
    struct bus_admission *list = calloc(count + 1, sizeof *list);
    if (list == NULL)
        return false;
    if (count > 0)
        memcpy(list, admissions, count * sizeof *list);
    qsort(list, count, sizeof *list, by_key);

    (void) pthread_mutex_lock(&zap->lock);
    struct bus_admission *old = zap->admissions;
    zap->admissions = list;
    zap->count = count;
    (void) pthread_mutex_unlock(&zap->lock);
    free(old);
    return true;
}

void zap_shut_out(struct zap *zap, const uint8_t key[BUS_KEY_SIZE], uint32_t ms)
{
    (void) pthread_mutex_lock(&zap->lock);
    struct zap_shut_out *out = &zap->out[zap->next_out++ % ZAP_OUT_MAX];
    memcpy(out->key, key, BUS_KEY_SIZE);
    out->until_ms = clock_us() / 1000 + ms;
    (void) pthread_mutex_unlock(&zap->lock);
}

/* The lock is the caller's. */
static bool is_shut_out(const struct zap *zap, const uint8_t key[BUS_KEY_SIZE])
{
    uint64_t now_ms = clock_us() / 1000;
    for (uint32_t i = 0; i < ZAP_OUT_MAX; i++)
        if (zap->out[i].until_ms > now_ms && memcmp(zap->out[i].key, key, BUS_KEY_SIZE) == 0)
            return true;
    return false;
}

void zap_counts(struct zap *zap, uint64_t *admitted, uint64_t *refused)
{
    (void) pthread_mutex_lock(&zap->lock);
    *admitted = zap->admitted;
    *refused = zap->refused;
    (void) pthread_mutex_unlock(&zap->lock);
}

/* False: the bus is being stopped. A frame too many or too long spoils the request, not us. */
static bool receive(void *socket, struct request *request)
{
    int    is_more = 1;
    size_t more_size = sizeof is_more;
    memset(request, 0, sizeof *request);
    for (uint32_t at = 0; is_more; at++) {
        uint8_t spare[FRAME_MAX];
        int     size = zmq_recv(socket, at < FRAMES_MAX ? request->bytes[at] : spare, FRAME_MAX, 0);
        if (size < 0 && errno == EINTR) {
            at--;
            continue;
        }
        if (size < 0)
            return false;
        if (at < FRAMES_MAX)
            request->size[at] = (size_t) size;
        request->count = at + 1;
        if (zmq_getsockopt(socket, ZMQ_RCVMORE, &is_more, &more_size) != 0)
            return false;
    }
    return true;
}

static bool frame_is(const struct request *request, uint32_t frame, const char *text)
{
    return request->size[frame] == strlen(text) &&
           memcmp(request->bytes[frame], text, strlen(text)) == 0;
}

static bool may_enter(struct zap *zap, const struct request *request)
{
    if (request->count != FRAMES || !frame_is(request, FRAME_VERSION, "1.0") ||
        !frame_is(request, FRAME_DOMAIN, ZAP_DOMAIN) ||
        !frame_is(request, FRAME_MECHANISM, "CURVE") || request->size[FRAME_KEY] != BUS_KEY_SIZE)
        return false;
    (void) pthread_mutex_lock(&zap->lock);
    bool is_admitted = find_role(zap, request->bytes[FRAME_KEY]) != 0 &&
                       !is_shut_out(zap, request->bytes[FRAME_KEY]);
    if (is_admitted)
        zap->admitted++;
    else
        zap->refused++;
    (void) pthread_mutex_unlock(&zap->lock);
    return is_admitted;
}

static bool answer(void *socket, const struct request *request, bool is_admitted)
{
    char user[BUS_KEY_TEXT] = "";
    if (is_admitted)
        bus_key_write(user, request->bytes[FRAME_KEY]);
    const char *words[] = {
        "1.0", NULL, is_admitted ? "200" : "400", is_admitted ? "OK" : "this key is not admitted",
        user,  ""
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const void *bytes =
            words[i] != NULL ? (const void *) words[i] : request->bytes[FRAME_REQUEST];
        size_t size = words[i] != NULL ? strlen(words[i]) : request->size[FRAME_REQUEST];
        int    flags = i + 1 < sizeof words / sizeof *words ? ZMQ_SNDMORE : 0;
        while (zmq_send(socket, bytes, size, flags) < 0)
            if (errno != EINTR)
                return false;
    }
    return true;
}

static void *serve(void *argument)
{
    struct zap     *zap = argument;
    struct request *request = calloc(1, sizeof *request);
    assert(request != NULL); /* At start, 4 KiB: a machine that has not got them runs nothing. */
    while (receive(zap->socket, request))
        if (!answer(zap->socket, request, may_enter(zap, request)))
            break;
    free(request);
    (void) zmq_close(zap->socket);
    return NULL;
}

static bool fail(struct zap *zap, struct text *fault)
{
    text_clear(fault);
    text_put(fault, "the thread that admits keys cannot be started");
    if (zap->socket != NULL)
        (void) zmq_close(zap->socket);
    (void) pthread_mutex_destroy(&zap->lock);
    return false;
}

bool zap_start(struct zap *zap, void *context, struct text *fault)
{
    int none = 0;
    memset(zap, 0, sizeof *zap);
    zap->context = context;
    (void) pthread_mutex_init(&zap->lock, NULL);
    zap->socket = zmq_socket(context, ZMQ_REP);
    if (zap->socket == NULL || zmq_setsockopt(zap->socket, ZMQ_LINGER, &none, sizeof none) != 0 ||
        zmq_bind(zap->socket, ZAP_ADDRESS) != 0 ||
        pthread_create(&zap->thread, NULL, serve, zap) != 0)
        return fail(zap, fault);
    return true;
}

void zap_stop(struct zap *zap)
{
    (void) pthread_join(zap->thread, NULL);
    (void) pthread_mutex_destroy(&zap->lock);
    free(zap->admissions);
}
