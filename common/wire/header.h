/* header.h: the fixed header in front of every message, and the topic it begins with. Pure.
 *
 * It is not protobuf, because relays and filters look at it and at nothing else. Its first 17 bytes
 * are what a subscriber asks for. Every field stands at the same place in every frame. */
#ifndef ARBITER_HEADER_H
#define ARBITER_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HEADER_SIZE 48
#define PROTOCOL_FIRST 1  /* Versions of the protocol that are read here: from this one ... */
#define PROTOCOL_NEWEST 2 /* ... to this one; another one is refused.        */
#define HEADER_MATCH_SIZE 16
#define TOPIC_SIZE 17       /* Slot and match id.                              */
#define SLOTS 256           /* Matches hash into so many.                      */
#define NO_SEAT 0xffffffffu /* Nobody's seat: spectators, services.            */

struct header {
    uint8_t slot;
    uint8_t match_id[HEADER_MATCH_SIZE]; /* Zeros where there is no match.                 */
    uint8_t
        version; /* The one that a reader needs. Of a request also: the newest its sender reads. */
    uint16_t kind;   /* enum Kind of envelope.proto.                                        */
    uint64_t epoch;  /* Of the slot's owner; 0 from those who own none.                     */
    uint64_t number; /* The act this is, or the last one known.                             */
    uint32_t seat;
    uint32_t session; /* Of the seat; 0: none.                                              */
    uint32_t request; /* Of the session; an answer repeats it.                              */
};

enum header_fault {
    HEADER_GOOD,
    HEADER_SHORT,         /* Fewer bytes than a header has.                                 */
    HEADER_OTHER_VERSION, /* Not spoken here.                                               */
    HEADER_NO_KIND,       /* The kind is not in envelope.proto.                             */
    HEADER_OTHER_SLOT     /* The slot is not that of the match id.                          */
};

/* The slot of a match. */
uint8_t header_slot(const uint8_t match_id[HEADER_MATCH_SIZE]);
/* The first 17 bytes of every frame about a match. */
void    header_topic(uint8_t topic[TOPIC_SIZE], const uint8_t match_id[HEADER_MATCH_SIZE]);

/* A header for a match: its slot, the first version, NO_SEAT, and zeros. NULL: for no match. */
void header_init(struct header *header, uint16_t kind, const uint8_t match_id[HEADER_MATCH_SIZE]);
void header_encode(uint8_t bytes[HEADER_SIZE], const struct header *header);
/* The version to speak with somebody who says that this is the newest one it speaks. */
uint8_t           header_spoken(uint32_t protocol);
/* Reads and judges the header of a frame. Whatever the fault, `header` holds what could be read, so
 * that a refusal can name it; after HEADER_SHORT it is zeros. */
enum header_fault header_decode(struct header *header, const uint8_t *bytes, size_t size);

#endif
