/* utf8.h: whether bytes are UTF-8 that may travel as a string. Pure. */
#ifndef ARBITER_UTF8_H
#define ARBITER_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Well-formed by RFC 3629 - no overlong forms, no surrogates, nothing above U+10FFFF - and without a
 * NUL, which would end the string early in C and nowhere else. */
bool utf8_is_string(const uint8_t *bytes, size_t size);

#endif
