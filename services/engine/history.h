/* history.h: the door at which admitted keys ask for acts they missed: the engine's second core.
 *
 * And for finished matches as files (history_file.h).
 *
 * It runs beside the engine, in a shell and thread of its own with a read-only connection, so
 * reading never waits for playing. It keeps nothing. A question becomes a read of the journal,
 * where only committed acts can be seen. The read becomes one answer within a byte budget. Equal
 * questions are asked once; there are at most so many at a time. */
#ifndef ARBITER_HISTORY_H
#define ARBITER_HISTORY_H

#include <stddef.h>
#include <stdint.h>

#include "core/core.h"
#include "wire/crypto.h"

struct history_settings {
    uint32_t questions_max; /* Different ones at a time; 0: 256.                                */
    uint32_t askers_max;    /* Of one question; 0: 16.                                          */
    uint32_t answer_bytes;  /* Acts in one answer, at least one; 0: 49,152.                     */
    uint32_t again_ms;      /* Who is refused is told to come back so late; 0: 100.             */
    uint32_t files_max;     /* Pieces of finished matches' files made at a time; 0: 1.          */
    const struct crypto_ops *crypto; /* For their checks.                                       */
};

struct history;

size_t          history_bytes(const struct history_settings *settings);
struct history *history_init(void *memory, const struct history_settings *settings);

/* Its schema is the journal's; it writes nothing. */
extern const struct core_ops history_ops;

#endif
