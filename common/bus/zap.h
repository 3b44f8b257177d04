/* zap.h: who may connect: the table of admitted keys, and the thread that libzmq asks about each handshake.
 *
 * libzmq asks over an address of its own (ZeroMQ RFC 27). Without somebody there, or without an enforced
 * domain, CURVE lets everybody in; so the thread is started before any socket, and a service tries
 * the lock from outside before it opens (probe.c). */
#ifndef ARBITER_BUS_ZAP_H
#define ARBITER_BUS_ZAP_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/bus.h"

#define ZAP_DOMAIN "arbiter"

struct zap {
    void                 *context; /* libzmq's.                                                   */
    void                 *socket;  /* The thread's.                                               */
    pthread_t             thread;
    pthread_mutex_t       lock;       /* For the three below.                                     */
    struct bus_admission *admissions; /* By key.                                                  */
    size_t                count;
    uint64_t              admitted, refused;
};

/* Binds the address and starts the thread. False, and a sentence. */
bool     zap_start(struct zap *zap, void *context, struct text *fault);
/* Ends it; the context must have been shut down. */
void     zap_stop(struct zap *zap);
bool     zap_admit(struct zap *zap, const struct bus_admission *admissions, size_t count);
uint32_t zap_role_of(struct zap *zap, const uint8_t key[BUS_KEY_SIZE]);
void     zap_counts(struct zap *zap, uint64_t *admitted, uint64_t *refused);

#endif
