/* rest_half.h: half maps as text: what two of them have in common, and how a map is spelt. Pure.
 *
 * Whether a half is any good the rules decide. The door must only know a half again that it has seen, and
 * write the joined map in the alphabet of who asks. */
#ifndef ARBITER_GATEWAY_REST_HALF_H
#define ARBITER_GATEWAY_REST_HALF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The text without the four kinds of white space, cut two characters behind the length of a half.
 * Those two tell all that a longer text would. Returns the bytes written; `to` has room for
 * REST_HALF_MAX(fields). */
#define REST_HALF_MAX(fields) (8 * (size_t) (fields) + 8)
size_t rest_half_strip(char *to, uint32_t fields, const char *text, size_t size);

/* Whether two texts mean the same half; one that means none is like no other. */
bool rest_half_same(const char *one, size_t one_size, const char *other, size_t other_size);

/* A map in the numeric alphabet, in the symbolic one; as long. `is_bare`: no figure on the castle. */
void rest_half_symbols(char *to, const uint8_t *map, size_t size, bool is_bare);

#endif
