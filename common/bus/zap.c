/* zap.c: see zap.h. */
#include "bus/zap.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bus/bus_private.h"
#include "clock/clock.h"

#define ZAP_ADDRESS "inproc://zeromq.zap.01"

/* The frames of a request that mean something here (RFC 27). */
enum { FRAME_VERSION, FRAME_REQUEST, FRAME_DOMAIN, FRAME_MECHANISM = 5, FRAME_KEY, FRAMES };

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
    out->until_ms = clock_ms() + ms;
    (void) pthread_mutex_unlock(&zap->lock);
}

/* The lock is the caller's. */
static bool is_shut_out(const struct zap *zap, const uint8_t key[BUS_KEY_SIZE])
{
    uint64_t now_ms = clock_ms();
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

/* A frame of a request; NULL: it has not so many. */
static zframe_t *frame_of(zmsg_t *request, unsigned number)
{
    zframe_t *frame = zmsg_first(request);
    for (; frame != NULL && number > 0; number--)
        frame = zmsg_next(request);
    return frame;
}

static bool frame_is(zmsg_t *request, unsigned number, const char *text)
{
    zframe_t *frame = frame_of(request, number);
    return frame != NULL && zframe_streq(frame, text);
}

/* The key that a request is about; NULL: it asks for something that is none of ours. */
static const uint8_t *asked_key(zmsg_t *request)
{
    zframe_t *key = frame_of(request, FRAME_KEY);
    if (zmsg_size(request) != FRAMES || !frame_is(request, FRAME_VERSION, "1.0") ||
        !frame_is(request, FRAME_DOMAIN, ZAP_DOMAIN) ||
        !frame_is(request, FRAME_MECHANISM, "CURVE") || zframe_size(key) != BUS_KEY_SIZE)
        return NULL;
    return zframe_data(key);
}

static bool may_enter(struct zap *zap, const uint8_t *key)
{
    if (key == NULL)
        return false;
    (void) pthread_mutex_lock(&zap->lock);
    bool is_admitted = find_role(zap, key) != 0 && !is_shut_out(zap, key);
    if (is_admitted)
        zap->admitted++;
    else
        zap->refused++;
    (void) pthread_mutex_unlock(&zap->lock);
    return is_admitted;
}

static void answer(struct zap *zap, void *asked)
{
    char    user[BUS_KEY_TEXT] = "";
    zmsg_t *request = zmsg_recv(asked), *reply = zmsg_new();
    if (request == NULL || reply == NULL) {
        zmsg_destroy(&request);
        zmsg_destroy(&reply);
        return; /* A signal came; libzmq's question is still there. */
    }
    const uint8_t *key = asked_key(request);
    zframe_t      *number = frame_of(request, FRAME_REQUEST);
    bool           is_admitted = may_enter(zap, key);
    if (is_admitted)
        bus_key_write(user, key);
    (void) zmsg_addstr(reply, "1.0");
    (void) zmsg_addmem(reply, number != NULL ? zframe_data(number) : NULL,
                       number != NULL ? zframe_size(number) : 0);
    (void) zmsg_addstr(reply, is_admitted ? "200" : "400");
    (void) zmsg_addstr(reply, is_admitted ? "OK" : "this key is not admitted");
    (void) zmsg_addstr(reply, user);
    (void) zmsg_addstr(reply, "");
    (void) zmsg_send(&reply, asked);
    zmsg_destroy(&request);
    zmsg_destroy(&reply);
}

/* The actor. Whatever comes by its pipe means the end. */
static void serve(zsock_t *pipe, void *argument)
{
    struct zap *zap = argument;
    void       *asked = zap->asked, *which;
    zpoller_t  *poller = zpoller_new(pipe, asked, NULL);
    assert(poller !=
           NULL); /* Some bytes at the start: a machine that has not got them runs nothing. */
    zpoller_set_nonstop(poller, true); /* Programs around us may have signals of their own. */
    (void) zsock_signal(pipe, 0);
    while ((which = zpoller_wait(poller, -1)) != pipe)
        if (which == asked)
            answer(zap, asked);
    zpoller_destroy(&poller);
    (void) zmq_close(asked); /* From here on the bus may be gone. */
}

/* The lock is the caller's. */
static bool start(struct zap *zap, void *context)
{
    int none = 0;
    if (zap->actor != NULL)
        return true;
    bus_begin_czmq();
    zap->asked = zmq_socket(context, ZMQ_REP);
    if (zap->asked == NULL)
        return false;
    if (zmq_setsockopt(zap->asked, ZMQ_LINGER, &none, sizeof none) == 0 &&
        zmq_bind(zap->asked, ZAP_ADDRESS) == 0)
        zap->actor = zactor_new(serve, zap);
    if (zap->actor == NULL)
        (void) zmq_close(zap->asked);
    return zap->actor != NULL;
}

bool zap_start(struct zap *zap, void *context, struct text *fault)
{
    (void) pthread_mutex_lock(&zap->lock);
    bool is_started = start(zap, context);
    (void) pthread_mutex_unlock(&zap->lock);
    if (!is_started) {
        text_clear(fault);
        text_put(fault, "the thread that admits keys cannot be started");
    }
    return is_started;
}

void zap_init(struct zap *zap)
{
    memset(zap, 0, sizeof *zap);
    (void) pthread_mutex_init(&zap->lock, NULL);
}

void zap_stop(struct zap *zap)
{
    zactor_destroy(&zap->actor);
}

void zap_free(struct zap *zap)
{
    (void) pthread_mutex_destroy(&zap->lock);
    free(zap->admissions);
}
