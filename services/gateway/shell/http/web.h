/* web.h: HTTP by libwebsockets, as a door of the shell (shell/shell.h): who is connected, what they send.
 *
 * libwebsockets waits in a loop of its own, and Debian's build lets nobody else wait there. So the
 * shell's loop waits in that loop, and is woken by one file that stands for all its sockets. One
 * thread, no locks. A connection that waits for its answer costs its memory and nothing else. */
#ifndef ARBITER_GATEWAY_WEB_H
#define ARBITER_GATEWAY_WEB_H

#include <stdbool.h>
#include <stdint.h>

#include <sodium.h>

#include "base/text.h"
#include "services/gateway/gateway.h"
#include "services/gateway/shell/http/web_token.h"
#include "services/gateway/shell/ws/web_socket.h"
#include "shell/log.h"
#include "shell/networks.h"
#include "shell/shell.h"

struct web_settings {
    const char *address; /* Of loopback, unless told otherwise.                               */
    uint32_t    port;    /* 0: any that is free.                                              */
    uint32_t connections_max; /* At a time; more are refused.                                     */
    uint32_t per_address;     /* Of one address; 0: any number.                                   */
    uint32_t body_max;  /* Bytes of a request's body.                                        */
    bool     is_impl;   /* The dialect of refusals.                                          */
    const char *folder; /* Of the page's files; empty: there are none.                        */
    size_t      cache_bytes; /* For files and replays of matches that were asked for.          */
    uint32_t read_ms; /* A request must be there so long after its connection, or its first byte. */
    uint32_t idle_ms; /* A connection that asks for nothing more is closed after so long. */
    const char *tls_cert, *tls_key; /* Files; empty: no TLS.                                      */
    struct web_whos
         whos; /* Whose tokens /metrics and the operator's page take; none: they ask for none. */
    bool is_metrics_open; /* /metrics is for everybody, without a token too.                      */
    bool is_proxied;      /* All come from the address of somebody who speaks TLS for us.         */
    uint32_t per_crowd;   /* Of one in a network from which many may come.                    */
    struct networks crowds; /* Those.                                                           */
    uint8_t from_key[crypto_shorthash_KEYBYTES]; /* All gateways hash addresses by it.            */
    struct networks proxies; /* Those name the visitors for whom they speak.                      */
    struct web_socket_settings sockets;
    const struct log          *log;
    const struct gateway      *gateway; /* For /metrics; set when it stands. */
};

struct web;

/* Certificate and key: both files or none, and such as can be read. False, and a sentence. */
bool        web_tls_is_whole(const struct web_settings *settings, struct text *fault);
/* Whether the two files, which may be new ones, can be taken over while the door is open. False, and a sentence. */
bool        web_tls_fits(const struct web *web, struct text *fault);
/* Shows the new certificate to whoever comes from now on. False: it cannot be read any more. */
bool        web_tls_again(struct web *web);
/* Takes over bounds, networks, origins and tokens. Who is in stays in. */
void        web_change(struct web *web, const struct web_settings *settings);
/* Listens. NULL, and a sentence. */
struct web *web_open(const struct web_settings *settings, struct text *fault);
void        web_close(struct web **web);
uint32_t    web_port(const struct web *web);
/* What /metrics and /readyz look at. */
void        web_show(struct web *web, const struct gateway *gateway);
/* Answers that were given still arrive. */
void        web_flush(struct web *web);

/* The four functions of struct shell_side. */
void web_wait(void *asked, int file, int64_t wait_ms);
bool web_next(void *asked, struct event *event);
void web_send(void *asked, const struct effect *effect);
void web_bounds(void *asked, struct fullness *bounds);

#endif
