/* crowd.h: spectators of one match, thousands of them in one process, and the two languages they are spoken to in. */
#ifndef ARBITER_BENCH_CROWD_H
#define ARBITER_BENCH_CROWD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORDS_MAX 512 /* Bytes a spectator says at a time.                                        */

/* What a message means to who hears it. */
enum meaning {
    MEANS_NOTHING,
    MEANS_HELLO, /* He is let in: `dialect.asks` is said.                                         */
    MEANS_SHOWN, /* He watches from now on.                                                       */
    MEANS_EVENT, /* Event `number` of the match.                                                  */
    MEANS_CLOSING
};

struct dialect {
    const char *name;
    const char *subprotocol; /* Of the WebSocket; NULL: none.                                     */
    /* What is said as soon as the connection stands, and once one is let in; how long that is. */
    size_t (*hello)(uint8_t words[WORDS_MAX]);
    size_t (*asks)(uint8_t words[WORDS_MAX], const uint8_t match_id[16]);
    enum meaning (*read)(const uint8_t *bytes, size_t size, uint64_t *number);
};

extern const struct dialect dialect_arbiter, dialect_colyseus;

#endif
