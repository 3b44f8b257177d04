/* raw.c: libzmq alone, used as plainly as it can be: what the product is compared with. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <zmq.h>

#include "bus_bench.h"
#include "contract/envelope.pb-c.h"
#include "wire/names.h"

#define CLIENTS_MAX 512
/* A context holds some thousand sockets, and one thread of it carries for all of them. */
#define PER_CONTEXT 250
#define REQUEST_BYTES 70 /* As long as a command's frame, and as an answer's. */
#define ANSWER_BYTES 140

static void address_of(const struct raw *raw, const char *what, bool has_curve,
                       char address[BUS_ADDRESS_MAX])
{
    (void) snprintf(address, BUS_ADDRESS_MAX, "ipc://%s/raw-%s-%s", raw->folder, what,
                    has_curve ? "curve" : "plain");
}

static void *connect_to(void *context, const struct raw *raw, int kind, const char *address,
                        bool has_curve)
{
    void *socket = zmq_socket(context, kind);
    int   none = 0;
    (void) zmq_setsockopt(socket, ZMQ_LINGER, &none, sizeof none);
    if (has_curve) {
        (void) zmq_setsockopt(socket, ZMQ_CURVE_SERVERKEY, raw->server_public, 41);
        (void) zmq_setsockopt(socket, ZMQ_CURVE_PUBLICKEY, raw->public_key, 41);
        (void) zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, raw->secret_key, 41);
    }
    if (kind == ZMQ_SUB)
        (void) zmq_setsockopt(socket, ZMQ_SUBSCRIBE, "", 0);
    (void) zmq_connect(socket, address);
    return socket;
}

static void *bind_at(void *context, const struct raw *raw, int kind, const char *address,
                     bool has_curve)
{
    void *socket = zmq_socket(context, kind);
    int   one = 1;
    if (has_curve) {
        (void) zmq_setsockopt(socket, ZMQ_CURVE_SERVER, &one, sizeof one);
        (void) zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, raw->server_secret, 41);
    }
    if (kind == ZMQ_XPUB)
        (void) zmq_setsockopt(socket, ZMQ_XPUB_NODROP, &one, sizeof one);
    if (zmq_bind(socket, address) != 0)
        _exit(3);
    return socket;
}

static void echo(const struct raw *raw, bool has_curve)
{
    char      address[BUS_ADDRESS_MAX], id[16], bytes[ANSWER_BYTES];
    zmq_msg_t message;
    address_of(raw, "echo", has_curve, address);
    void *socket = bind_at(zmq_ctx_new(), raw, ZMQ_ROUTER, address, has_curve);
    memset(bytes, 'a', sizeof bytes);
    (void) zmq_msg_init(&message);
    for (;;) {
        int size = zmq_recv(socket, id, sizeof id, 0);
        if (size < 0 || zmq_msg_recv(&message, socket, 0) < 0)
            continue;
        (void) zmq_send(socket, id, (size_t) size, ZMQ_SNDMORE);
        (void) zmq_send(socket, bytes, sizeof bytes, 0);
    }
}

static void publish(const struct raw *raw, bool has_curve)
{
    char address[BUS_ADDRESS_MAX], bytes[FRAME_BYTES];
    address_of(raw, "pub", has_curve, address);
    void *socket = bind_at(zmq_ctx_new(), raw, ZMQ_XPUB, address, has_curve);
    memset(bytes, 'a', sizeof bytes);
    for (;;) {
        if (raw->is_publishing[has_curve] == 0)
            sleep_ms(5);
        else
            (void) zmq_send(socket, bytes, sizeof bytes, 0);
        while (zmq_recv(socket, bytes, sizeof bytes, ZMQ_DONTWAIT) >= 0)
            ;
    }
}

bool raw_open(struct raw *raw, const char *folder)
{
    (void) snprintf(raw->folder, sizeof raw->folder, "%s", folder);
    raw->is_publishing = mmap(NULL, 2 * sizeof *raw->is_publishing, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (raw->is_publishing == MAP_FAILED ||
        zmq_curve_keypair(raw->server_public, raw->server_secret) != 0 ||
        zmq_curve_keypair(raw->public_key, raw->secret_key) != 0)
        return false;
    for (uint32_t i = 0; i < 4; i++) {
        pid_t child = fork();
        if (child == 0) {
            (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
            (i < 2 ? echo : publish)(raw, i % 2 != 0);
        }
        (i < 2 ? raw->echo : raw->publisher)[i % 2] = child;
    }
    return true;
}

void raw_close(struct raw *raw)
{
    for (uint32_t i = 0; i < 4; i++) {
        pid_t child = (i < 2 ? raw->echo : raw->publisher)[i % 2];
        if (child <= 0)
            continue;
        (void) kill(child, SIGKILL);
        (void) waitpid(child, NULL, 0);
    }
    if (raw->folder[0] != '\0')
        remove_folder(raw->folder);
}

static void ask(void *socket, uint64_t *asked_ns)
{
    char bytes[REQUEST_BYTES];
    memset(bytes, 'q', sizeof bytes);
    *asked_ns = now_ns();
    (void) zmq_send(socket, bytes, sizeof bytes, 0);
}

uint64_t raw_round_trips(const struct raw *raw, bool has_curve, uint32_t clients, uint64_t ns,
                         struct times *times)
{
    static zmq_pollitem_t items[CLIENTS_MAX];
    static uint64_t       asked_ns[CLIENTS_MAX];
    char                  address[BUS_ADDRESS_MAX], bytes[ANSWER_BYTES];
    void                 *context = zmq_ctx_new();
    uint64_t              count = 0, until_ns = 0;
    address_of(raw, "echo", has_curve, address);
    for (uint32_t i = 0; i < clients; i++) {
        items[i] = (zmq_pollitem_t){ .events = ZMQ_POLLIN };
        items[i].socket = connect_to(context, raw, ZMQ_DEALER, address, has_curve);
        ask(items[i].socket, &asked_ns[i]);
        (void) zmq_recv(items[i].socket, bytes, sizeof bytes, 0);
    }
    for (uint32_t i = 0; i < clients; i++)
        ask(items[i].socket, &asked_ns[i]);
    for (until_ns = now_ns() + ns; now_ns() < until_ns;) {
        (void) zmq_poll(items, (int) clients, 100);
        for (uint32_t i = 0; i < clients; i++) {
            if ((items[i].revents & ZMQ_POLLIN) == 0)
                continue;
            (void) zmq_recv(items[i].socket, bytes, sizeof bytes, 0);
            times_add(times, (double) (now_ns() - asked_ns[i]) / 1e6);
            ask(items[i].socket, &asked_ns[i]);
            count++;
        }
    }
    for (uint32_t i = 0; i < clients; i++)
        (void) zmq_close(items[i].socket);
    (void) zmq_ctx_term(context);
    return count;
}

/* In the listeners' process. */
static void hear(const struct raw *raw, bool has_curve, uint32_t count, volatile uint64_t *heard)
{
    static zmq_pollitem_t items[4 * PER_CONTEXT];
    char                  address[BUS_ADDRESS_MAX], bytes[FRAME_BYTES];
    void                 *context = NULL;
    address_of(raw, "pub", has_curve, address);
    for (uint32_t i = 0; i < count; i++) {
        if (i % PER_CONTEXT == 0)
            context = zmq_ctx_new();
        items[i] = (zmq_pollitem_t){ .events = ZMQ_POLLIN };
        items[i].socket = connect_to(context, raw, ZMQ_SUB, address, has_curve);
    }
    for (;;) {
        (void) zmq_poll(items, (int) count, 100);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t n = 0; (items[i].revents & ZMQ_POLLIN) != 0 && n < 64 &&
                                 zmq_recv(items[i].socket, bytes, sizeof bytes, ZMQ_DONTWAIT) >= 0;
                 n++)
                ++*heard;
    }
}

/* The same with the product's sockets. */
static void hear_house(const struct house *house, uint32_t fanouts, uint8_t (*ids)[ID_SIZE],
                       uint32_t count, uint32_t topics, volatile uint64_t *heard)
{
    static struct bus_socket *sockets[4 * PER_CONTEXT];
    char                      address[BUS_ADDRESS_MAX];
    struct bus_message        message;
    struct text               fault;
    struct bus               *bus = NULL;
    struct bus_place          place = { .kind = BUS_SUB, .address = address };
    for (uint32_t i = 0; i < count; i++) {
        uint8_t topic[TOPIC_SIZE];
        house_fanout(house, i % fanouts, address, &place.key);
        if (i % PER_CONTEXT == 0)
            bus = bus_start(&(struct bus_settings){ .keys = house->player }, &fault);
        sockets[i] = bus_open(bus, &place, &fault);
        if (sockets[i] == NULL)
            _exit(3);
        for (uint32_t n = 0; n < (topics == 0 ? 1 : topics); n++) {
            header_topic(topic, ids[topics == 0 ? i : n]);
            bus_listen(sockets[i], topic, sizeof topic);
        }
    }
    for (;;) {
        (void) bus_wait(sockets, count, NULL, 0, 100);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t n = 0;
                 bus_has(sockets[i]) && n < 64 && bus_receive(sockets[i], &message) == BUS_MESSAGE;
                 n++) {
                struct header header;
                (void) header_decode(&header, message.bytes, message.size);
                if (header.kind != KIND(ACT))
                    continue; /* Heads are not counted. */
                heard[0]++;
                heard[1] += message.size;
            }
    }
}

static pid_t begin(struct listeners *listeners)
{
    listeners->heard = mmap(NULL, 2 * sizeof *listeners->heard, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (listeners->heard == MAP_FAILED)
        return -1;
    listeners->process = fork();
    if (listeners->process == 0)
        (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
    return listeners->process;
}

bool raw_listen(const struct raw *raw, bool has_curve, uint32_t count, struct listeners *listeners)
{
    if (begin(listeners) == 0)
        hear(raw, has_curve, count, listeners->heard);
    return listeners->process > 0;
}

bool house_listen_at(const struct house *house, uint32_t fanouts, uint8_t (*ids)[ID_SIZE],
                     uint32_t count, uint32_t topics, struct listeners *listeners)
{
    if (begin(listeners) == 0)
        hear_house(house, fanouts, ids, count, topics, listeners->heard);
    return listeners->process > 0;
}

bool house_listen(const struct house *house, uint8_t (*ids)[ID_SIZE], uint32_t count,
                  uint32_t topics, struct listeners *listeners)
{
    return house_listen_at(house, 1, ids, count, topics, listeners);
}

void listeners_end(struct listeners *listeners)
{
    (void) kill(listeners->process, SIGKILL);
    (void) waitpid(listeners->process, NULL, 0);
    (void) munmap((void *) (uintptr_t) listeners->heard, 2 * sizeof *listeners->heard);
}
