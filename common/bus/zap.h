/* zap.h: who may connect: the table of admitted keys, and the actor that libzmq asks about each handshake.
 *
 * libzmq asks over an address of its own (ZeroMQ RFC 27). If nobody answers there, or the domain is
 * not enforced, CURVE lets everybody in. So the actor starts before the first door opens, and a
 * service tries the lock from outside before it opens (probe.c). A bus that only connects is never
 * asked, and has no actor. */
#ifndef ARBITER_BUS_ZAP_H
#define ARBITER_BUS_ZAP_H

#include <czmq.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/bus.h"

#define ZAP_DOMAIN "arbiter"

#define ZAP_OUT_MAX 64

/* A key that is not let in for a while. */
struct zap_shut_out {
    uint8_t  key[BUS_KEY_SIZE];
    uint64_t until_ms;
};

struct zap {
    pthread_mutex_t       lock;  /* For all below.                                                */
    zactor_t             *actor; /* NULL: no door has been opened.                                */
    void                 *asked; /* The actor's, in the context of the bus: here libzmq asks.     */
    struct bus_admission *admissions; /* By key.                                                  */
    size_t                count;
    uint64_t              admitted, refused;
    struct zap_shut_out   out[ZAP_OUT_MAX]; /* Who comes first is forgotten first.               */
    uint32_t              next_out;
};

void     zap_init(struct zap *zap);
/* Binds the address and starts the actor, unless it is there. False, and a sentence. */
bool     zap_start(struct zap *zap, void *context, struct text *fault);
/* Ends the actor. The table may be asked until the context is no more. */
void     zap_stop(struct zap *zap);
void     zap_free(struct zap *zap);
bool     zap_admit(struct zap *zap, const struct bus_admission *admissions, size_t count);
void     zap_shut_out(struct zap *zap, const uint8_t key[BUS_KEY_SIZE], uint32_t ms);
uint32_t zap_role_of(struct zap *zap, const uint8_t key[BUS_KEY_SIZE]);
void     zap_counts(struct zap *zap, uint64_t *admitted, uint64_t *refused);

#endif
