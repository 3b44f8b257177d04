/* order.h: numbers in network byte order. Pure. */
#ifndef ARBITER_ORDER_H
#define ARBITER_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* Writes the low `size` bytes of a number, the most significant one first; returns where to go on. */
static inline uint8_t *order_put(uint8_t *at, uint64_t number, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        at[i] = (uint8_t) (number >> 8 * (size - 1 - i));
    return at + size;
}

/* Reads one and steps over it. */
static inline uint64_t order_get(const uint8_t **at, uint32_t size)
{
    uint64_t number = 0;
    for (uint32_t i = 0; i < size; i++)
        number = number << 8 | (*at)[i];
    *at += size;
    return number;
}

#endif
