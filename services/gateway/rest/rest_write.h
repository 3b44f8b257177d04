/* rest_write.h: an answer as the XML of 2017. Pure: what is sent is a few fixed elements, and numbers. */
#ifndef ARBITER_GATEWAY_REST_WRITE_H
#define ARBITER_GATEWAY_REST_WRITE_H

#include <stddef.h>

#include "contract/gateway.pb-c.h"

#define REST_KIND(name) ARBITER__GATEWAY__REST_ANSWER__KIND__KIND_##name

#define REST_XML_MAX 1024 /* Beside the map. */

/* Returns the bytes written; `to` has room for REST_XML_MAX and the map. */
size_t   rest_write(char *to, const Arbiter__Gateway__RestAnswer *answer);
/* The HTTP status it goes with. */
unsigned rest_status(const Arbiter__Gateway__RestAnswer *answer);

#endif
