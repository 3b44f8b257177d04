/* toy.h: a service of forty lines and its clients, by which the world itself is tested.
 *
 * Servers count. Each client asks for one more, request after request. The server that holds the
 * one slot adds one. It keeps count and answer in one batch under its epoch, and answers. A server
 * that is asked and does not hold the slot takes it. So every promise of the product is there in
 * small: nothing acknowledged is lost, a request counts once, a stale server can do nothing. One
 * sees at a glance whether it holds: request n must be answered with n. */
#ifndef ARBITER_CLUSTER_TOY_H
#define ARBITER_CLUSTER_TOY_H

#include "core/core.h"
#include "world/world.h"

#define TOY_CLIENTS_MAX 8
#define TOY_SERVERS_MAX 3
#define TOY_SLOT 1u
#define TOY_REQUESTS 60u

enum toy_table { TOY_SLOTS, TOY_COUNTS, TOY_ANSWERS, TOY_STEPS };

struct toy_server_settings {
    uint8_t  client_key[TOY_CLIENTS_MAX][CALLER_KEY_SIZE];
    uint32_t clients;
};

struct toy_client_settings {
    uint32_t client;
    uint8_t  server_key[TOY_SERVERS_MAX][CALLER_KEY_SIZE];
    char     server_address[TOY_SERVERS_MAX][32];
    uint32_t servers;
};

/* What a client has got so far. */
struct toy_client {
    struct toy_client_settings settings;
    uint32_t                   request; /* The one that is asked.                              */
    uint32_t                   acked;
    uint32_t                   server;
    uint32_t                   tries;
    uint64_t                   resend_ms;
};

extern const struct core_ops toy_server_ops, toy_client_ops;
extern const struct cast     toy_cast;

size_t toy_server_bytes(void);
void   toy_server_init(void *memory, const struct toy_server_settings *settings);
void   toy_client_init(void *memory, const struct toy_client_settings *settings);

#endif
