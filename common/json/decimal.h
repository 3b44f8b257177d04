/* decimal.h: a number as people write it, exactly.
 *
 * 2.0 and 20e-1 are the whole number 2; 2.5 is none. Nothing goes through floating point, which
 * would call 9007199254740993 its neighbour. */
#ifndef ARBITER_DECIMAL_H
#define ARBITER_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

enum decimal_kind { DECIMAL_FRACTION, DECIMAL_WHOLE, DECIMAL_TOO_BIG };

/* Reads a number that is written as JSON writes one. `value` is 0 for a fraction, and the nearest there
 * is for what does not fit. */
enum decimal_kind decimal_whole(const char *text, size_t size, int64_t *value);

#endif
