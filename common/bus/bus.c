/* bus.c: a bus and its sockets from open to close. */
#include "bus/bus.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bus/bus_private.h"

#define SOCKETS_MAX 4096
#define READERS_MAX 65536
/* So many connections may read each topic, on the average. */
#define HOLDINGS 4

void *bus_cannot(struct text *fault, const char *what, const char *which)
{
    int why = zmq_errno();
    text_clear(fault);
    text_put(fault, what);
    if (which != NULL) {
        text_put(fault, " ");
        text_put(fault, which);
    }
    text_put(fault, ": ");
    text_put(fault, zmq_strerror(why));
    return NULL;
}

/* CZMQ would catch SIGINT and SIGTERM, which the shell waits for, and log to the standard output, which is for answers.
 * A child of a fork begins anew. */
void bus_begin_czmq(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static pid_t           begun_by;
    (void) pthread_mutex_lock(&lock);
    if (begun_by != getpid()) {
        zsys_handler_set(NULL);
        (void) zsys_init();
        zsys_set_logstream(NULL);
        zsys_set_max_sockets(SOCKETS_MAX);
        begun_by = getpid();
    }
    (void) pthread_mutex_unlock(&lock);
}

struct bus *bus_start(const struct bus_settings *settings, struct text *fault)
{
    struct bus *bus = calloc(1, sizeof *bus);
    if (bus == NULL)
        return bus_cannot(fault, "the bus", NULL);
    static const struct porter_limits none;
    bus->settings = *settings;
    zap_init(&bus->zap);
    if (memcmp(&settings->porter, &none, sizeof none) != 0)
        porter_set_limits(&settings->porter);
    bus->context = zmq_ctx_new();
    if (bus->context == NULL ||
        zmq_ctx_set(bus->context, ZMQ_IO_THREADS,
                    settings->io_threads != 0 ? (int) settings->io_threads : 1) != 0 ||
        zmq_ctx_set(bus->context, ZMQ_MAX_SOCKETS, SOCKETS_MAX) != 0) {
        (void) bus_cannot(fault, "the bus", NULL);
        if (bus->context != NULL)
            (void) zmq_ctx_term(bus->context);
        zap_free(&bus->zap);
        free(bus);
        return NULL;
    }
    return bus;
}

void bus_stop(struct bus **bus)
{
    if (*bus == NULL)
        return;
    assert(atomic_load(&(*bus)->sockets) == 0);
    zap_stop(&(*bus)->zap);
    while (zmq_ctx_term((*bus)->context) != 0 && zmq_errno() == EINTR)
        ;
    zap_free(&(*bus)->zap); /* Its actor has left: the context waits for all sockets. */
    free(*bus);
    *bus = NULL;
}

bool bus_admit(struct bus *bus, const struct bus_admission *admissions, size_t count)
{
    return zap_admit(&bus->zap, admissions, count);
}

uint32_t bus_role_of(struct bus *bus, const uint8_t key[BUS_KEY_SIZE])
{
    return zap_role_of(&bus->zap, key);
}

void bus_handshakes(struct bus *bus, uint64_t *admitted, uint64_t *refused)
{
    zap_counts(&bus->zap, admitted, refused);
}

void bus_shut_out(struct bus *bus, const uint8_t key[BUS_KEY_SIZE], uint32_t ms)
{
    zap_shut_out(&bus->zap, key, ms);
}

static bool is_unwelcome(const void *owner, const uint8_t *key)
{
    const struct bus *bus = owner;
    return bus_role_of((struct bus *) bus, key) == 0;
}

uint32_t bus_sweep(struct bus *bus)
{
    return bus->settings.is_plain ? 0 : porter_sweep(bus, is_unwelcome);
}

static bool is_bound(enum bus_kind kind)
{
    return kind == BUS_ROUTER || kind == BUS_XPUB;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool is_loopback(const char *address)
{
    return begins(address, "ipc://") || begins(address, "inproc://") ||
           begins(address, "tcp://127.") || begins(address, "tcp://localhost:");
}

static bool bind_or_connect(struct bus_socket *socket, const char *address, struct text *fault)
{
    if (!is_bound(socket->place.kind)) {
        if (zmq_connect(socket->handle, address) == 0)
            return true;
        (void) bus_cannot(fault, "cannot connect to", address);
        return false;
    }
    size_t size = sizeof socket->address;
    porter_opens();
    bool is_open = zmq_bind(socket->handle, address) == 0;
    socket->blind = porter_opened();
    if (is_open && zmq_getsockopt(socket->handle, ZMQ_LAST_ENDPOINT, socket->address, &size) == 0)
        return true;
    (void) bus_cannot(fault, "cannot listen on", address);
    return false;
}

static bool is_wrong(const struct bus *bus, const struct bus_place *place, struct text *fault)
{
    const char *wrong = NULL;
    if (strlen(place->address) >= BUS_ADDRESS_MAX)
        wrong = "an address is too long: ";
    else if (bus->settings.is_plain && is_bound(place->kind) && !bus->settings.is_open &&
             !is_loopback(place->address))
        wrong = "a door without keys opens on loopback only, not on ";
    if (wrong == NULL)
        return false;
    text_clear(fault);
    text_put(fault, wrong);
    text_put(fault, place->address);
    return true;
}

static int type_of(enum bus_kind kind)
{
    static const int types[] = {
        [BUS_ROUTER] = ZMQ_ROUTER,
        [BUS_XPUB] = ZMQ_XPUB,
        [BUS_DEALER] = ZMQ_DEALER,
        [BUS_SUB] = ZMQ_SUB,
    };
    return types[kind];
}

static void close_handles(struct bus_socket *socket)
{
    porter_closes(socket->blind); /* Before its door: who comes later must be refused.        */
    if (socket->monitor != NULL) {
        (void) zmq_socket_monitor(socket->handle, NULL, 0);
        (void) zmq_close(socket->monitor);
    }
    if (socket->handle != NULL)
        (void) zmq_close(socket->handle);
}

struct bus_socket *bus_open(struct bus *bus, const struct bus_place *place, struct text *fault)
{
    if (is_wrong(bus, place, fault))
        return NULL;
    if (is_bound(place->kind) && !bus->settings.is_plain &&
        !zap_start(&bus->zap, bus->context, fault))
        return NULL;
    struct bus_socket *socket = calloc(1, sizeof *socket);
    if (socket == NULL)
        return bus_cannot(fault, "no memory for", place->address);
    socket->bus = bus;
    socket->place = *place;
    socket->place.address = socket->address;
    socket->blind = -1;
    if (place->key != NULL)
        memcpy(socket->key, place->key, BUS_KEY_SIZE);
    memcpy(socket->address, place->address, strlen(place->address));
    (void) zmq_msg_init(&socket->received);
    (void) zmq_msg_init(&socket->composed);
    uint32_t topics = bus->settings.readers_max != 0 ? bus->settings.readers_max : READERS_MAX;
    if (place->kind == BUS_XPUB && (!readers_open(&socket->readers, topics) ||
                                    !holders_open(&socket->holders, HOLDINGS * topics))) {
        (void) bus_cannot(fault, "no memory for", place->address);
        goto no_socket;
    }
    socket->handle = zmq_socket(bus->context, type_of(place->kind));
    if (socket->handle == NULL || !socket_set_options(bus, socket->handle, place)) {
        (void) bus_cannot(fault, "libzmq refuses a socket for", place->address);
        goto no_socket;
    }
    if (!is_bound(place->kind) && !socket_watch(socket)) {
        (void) bus_cannot(fault, "libzmq refuses to watch", place->address);
        goto no_socket;
    }
    if (!bind_or_connect(socket, place->address, fault))
        goto no_socket;
    atomic_fetch_add(&bus->sockets, 1);
    return socket;

no_socket:
    close_handles(socket);
    readers_close(&socket->readers);
    holders_close(&socket->holders);
    free(socket);
    return NULL;
}

void bus_close(struct bus_socket **socket)
{
    if (*socket == NULL)
        return;
    (void) zmq_msg_close(&(*socket)->received);
    (void) zmq_msg_close(&(*socket)->composed);
    close_handles(*socket);
    readers_close(&(*socket)->readers);
    holders_close(&(*socket)->holders);
    atomic_fetch_sub(&(*socket)->bus->sockets, 1);
    free(*socket);
    *socket = NULL;
}

const char *bus_address(const struct bus_socket *socket)
{
    return socket->address;
}

const struct bus_counters *bus_counters(const struct bus_socket *socket)
{
    return &socket->counters;
}

uint32_t bus_topics(const struct bus_socket *socket)
{
    return socket->readers.used;
}

bool bus_wait(struct bus_socket *const *sockets, size_t count, const int *files, size_t file_count,
              int64_t wait_ms)
{
    zmq_pollitem_t items[SOCKETS_MAX];
    int64_t        tend_ms = porter_tend();
    assert(count + file_count <= SOCKETS_MAX);
    for (size_t i = 0; i < count + file_count; i++)
        items[i] = (zmq_pollitem_t){ .socket = i < count ? sockets[i]->handle : NULL,
                                     .fd = i < count ? 0 : files[i - count],
                                     .events = ZMQ_POLLIN };
    if (tend_ms >= 0 && (wait_ms < 0 || wait_ms > tend_ms))
        wait_ms = tend_ms;
    int ready = zmq_poll(items, (int) (count + file_count), (long) wait_ms);
    for (size_t i = 0; i < count; i++)
        sockets[i]->has = ready > 0 && (items[i].revents & ZMQ_POLLIN) != 0;
    return ready > 0;
}

bool bus_has(const struct bus_socket *socket)
{
    return socket->has;
}

int bus_file(const struct bus_socket *socket)
{
    int    file = -1;
    size_t size = sizeof file;
    (void) zmq_getsockopt(socket->handle, ZMQ_FD, &file, &size);
    return file;
}
