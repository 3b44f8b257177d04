/* decimal.c: see decimal.h. */
#include "json/decimal.h"

#include <stdbool.h>

/* The digits of a number and where its point is: 12.50e1 has the digits 1250, two of them before the
 * point, which the exponent moves on to three. */
struct decimal {
    bool        negative;
    const char *digits; /* With the point still in it.                   */
    const char *digits_end;
    int64_t     before; /* Digits before the point; may be negative.     */
    bool        whole;
};

#define EXPONENT_MAX 100000 /* Beyond any number of digits there is room for. */

static void read_decimal(const char *at, const char *end, struct decimal *number)
{
    int64_t exponent = 0, sign = 1, last = 0, seen = 0;

    number->negative = *at == '-';
    number->digits = at + (number->negative ? 1 : 0);
    number->before = -1;
    for (at = number->digits; at < end && *at != 'e' && *at != 'E'; at++) {
        if (*at == '.') {
            number->before = seen;
            continue;
        }
        seen++;
        if (*at != '0')
            last = seen;
    }
    number->digits_end = at;
    if (number->before < 0)
        number->before = seen;
    for (at++; at < end; at++) {
        if (*at == '-' || *at == '+')
            sign = *at == '-' ? -1 : 1;
        else if (exponent < EXPONENT_MAX)
            exponent = exponent * 10 + (*at - '0');
    }
    number->before += sign * exponent;
    number->whole = last <= number->before;
    if (last == 0)
        number->before = 0;
}

/* Whether a whole number fits; it is summed up below zero, where there is room for one more. */
static bool sum_digits(const struct decimal *number, int64_t *value)
{
    const char *at = number->digits;
    int64_t     sum = 0;
    for (int64_t i = 0; i < number->before; i++) {
        if (at < number->digits_end && *at == '.')
            at++;
        int64_t digit = at < number->digits_end ? *at++ - '0' : 0;
        if (__builtin_mul_overflow(sum, 10, &sum) || __builtin_sub_overflow(sum, digit, &sum))
            return false;
    }
    if (!number->negative && sum == INT64_MIN)
        return false;
    *value = number->negative ? sum : -sum;
    return true;
}

enum decimal_kind decimal_whole(const char *text, size_t size, int64_t *value)
{
    struct decimal number;
    read_decimal(text, text + size, &number);
    *value = 0;
    if (!number.whole)
        return DECIMAL_FRACTION;
    if (sum_digits(&number, value))
        return DECIMAL_WHOLE;
    *value = number.negative ? INT64_MIN : INT64_MAX;
    return DECIMAL_TOO_BIG;
}
