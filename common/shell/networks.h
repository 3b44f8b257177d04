/* networks.h: lists of networks, like "10.0.0.0/8,fd00::/8", and whether an address lies in one of them. */
#ifndef ARBITER_SHELL_NETWORKS_H
#define ARBITER_SHELL_NETWORKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "base/text.h"

#define NETWORKS_MAX 32u
#define NETWORKS_TEXT_MAX 1024u

/* IPv6, or IPv4 as ::ffff:a.b.c.d (RFC 4291, 2.5.5.2). */
struct address {
    uint8_t bytes[16];
};

struct network {
    struct address base;
    uint32_t       bits; /* Of the base that an address must share.                               */
};

struct networks {
    struct network all[NETWORKS_MAX];
    uint32_t       count;
};

/* "192.0.2.1" or "2001:db8::1"; an HTTP header may add a port: "192.0.2.1:80", "[2001:db8::1]:80". False: it is none. */
bool     address_read(struct address *address, const char *text, size_t size);
/* Of a socket's peer. False: it is neither IPv4 nor IPv6. */
bool     address_of(struct address *address, const struct sockaddr_storage *who);
/* What is counted as one: an IPv4 address, or of IPv6 the first 64 bits, which are one customer's. */
uint64_t address_half(const struct address *address);
/* Networks divided by commas; an address without "/BITS" is a network of its own. Empty: none. False, and a sentence. */
bool     networks_read(struct networks *networks, const char *text, struct text *fault);
bool     networks_hold(const struct networks *networks, const struct address *address);

#endif
