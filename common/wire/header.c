/* header.c: see header.h. Pure. */
#include "wire/header.h"

#include <assert.h>
#include <string.h>

#include "wire/kinds.h"
#include "wire/order.h"

_Static_assert(HEADER_SIZE == 1 + HEADER_MATCH_SIZE + 1 + 2 + 8 + 8 + 4 + 4 + 4, "the fields");
_Static_assert(TOPIC_SIZE == 1 + HEADER_MATCH_SIZE, "a topic is how a header begins");
_Static_assert(SLOTS == UINT8_MAX + 1, "a slot is one byte");

/* FNV-1a, and its four bytes folded into one. Ids are random, so anything would spread them; what
 * counts is that a program in another language has it in five lines. */
uint8_t header_slot(const uint8_t match_id[HEADER_MATCH_SIZE])
{
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < HEADER_MATCH_SIZE; i++)
        hash = (hash ^ match_id[i]) * 16777619u;
    hash ^= hash >> 16;
    return (uint8_t) (hash ^ hash >> 8);
}

void header_topic(uint8_t topic[TOPIC_SIZE], const uint8_t match_id[HEADER_MATCH_SIZE])
{
    topic[0] = header_slot(match_id);
    memcpy(topic + 1, match_id, HEADER_MATCH_SIZE);
}

void header_init(struct header *header, uint16_t kind, const uint8_t match_id[HEADER_MATCH_SIZE])
{
    *header = (struct header){ .version = PROTOCOL_FIRST, .kind = kind, .seat = NO_SEAT };
    if (match_id == NULL)
        return;
    header->slot = header_slot(match_id);
    memcpy(header->match_id, match_id, HEADER_MATCH_SIZE);
}

void header_encode(uint8_t bytes[HEADER_SIZE], const struct header *header)
{
    uint8_t *at = order_put(bytes, header->slot, 1);
    memcpy(at, header->match_id, HEADER_MATCH_SIZE);
    at = order_put(at + HEADER_MATCH_SIZE, header->version, 1);
    at = order_put(at, header->kind, 2);
    at = order_put(at, header->epoch, 8);
    at = order_put(at, header->number, 8);
    at = order_put(at, header->seat, 4);
    at = order_put(at, header->session, 4);
    at = order_put(at, header->request, 4);
    assert(at == bytes + HEADER_SIZE);
}

uint8_t header_spoken(uint32_t protocol)
{
    if (protocol < PROTOCOL_FIRST)
        return PROTOCOL_FIRST;
    return (uint8_t) (protocol < PROTOCOL_NEWEST ? protocol : PROTOCOL_NEWEST);
}

/* Frames about no match, such as a slot's count, name a slot and leave the id zeros. */
static bool is_own_slot(const struct header *header)
{
    static const uint8_t none[HEADER_MATCH_SIZE];
    return memcmp(header->match_id, none, sizeof none) == 0 ||
           header->slot == header_slot(header->match_id);
}

enum header_fault header_decode(struct header *header, const uint8_t *bytes, size_t size)
{
    memset(header, 0, sizeof *header);
    if (size < HEADER_SIZE)
        return HEADER_SHORT;
    const uint8_t *at = bytes;
    header->slot = (uint8_t) order_get(&at, 1);
    memcpy(header->match_id, at, HEADER_MATCH_SIZE);
    at += HEADER_MATCH_SIZE;
    header->version = (uint8_t) order_get(&at, 1);
    header->kind = (uint16_t) order_get(&at, 2);
    header->epoch = order_get(&at, 8);
    header->number = order_get(&at, 8);
    header->seat = (uint32_t) order_get(&at, 4);
    header->session = (uint32_t) order_get(&at, 4);
    header->request = (uint32_t) order_get(&at, 4);
    if (header->version < PROTOCOL_FIRST || header->version > PROTOCOL_NEWEST)
        return HEADER_OTHER_VERSION;
    if (kinds_find(header->kind) == NULL)
        return HEADER_NO_KIND;
    return is_own_slot(header) ? HEADER_GOOD : HEADER_OTHER_SLOT;
}
