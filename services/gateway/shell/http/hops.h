/* hops.h: who stands behind the proxies: X-Forwarded-For, read from its end, where our own proxies wrote. */
#ifndef ARBITER_GATEWAY_HOPS_H
#define ARBITER_GATEWAY_HOPS_H

#include "shell/networks.h"

/* The header is "VISITOR, PROXY, PROXY": each proxy adds whom it heard. So the last address that is no listed proxy's is
 * the visitor's. What stands before it the visitor may have made up. Where all are proxies', it is the first of them.
 * False: the last word is no address. */
bool hops_visitor(const struct networks *proxies, const char *text, size_t size,
                  struct address *visitor);

#endif
