/* hops.h: who stands behind the proxies: X-Forwarded-For, read from its end, where our own proxies wrote. */
#ifndef ARBITER_GATEWAY_HOPS_H
#define ARBITER_GATEWAY_HOPS_H

#include "shell/networks.h"

enum hops_found { HOPS_NOBODY, HOPS_VISITOR, HOPS_MORE };

/* The header is "VISITOR, PROXY, PROXY": each proxy adds whom it heard. So the last address that is no listed proxy's is
 * the visitor's. What stands before it the visitor may have made up. Where all are proxies', it is the first of them.
 * HOPS_MORE: something does stand before it. HOPS_NOBODY, which is 0: the last word is no address. */
enum hops_found hops_visitor(const struct networks *proxies, const char *text, size_t size,
                             struct address *visitor);

#endif
