/* bot_say.h: what a bot says in the log. Pure. */
#ifndef ARBITER_BOT_SAY_H
#define ARBITER_BOT_SAY_H

#include <stdint.h>

#include "core/outbox.h"

/* A seat that a bot gets up from. */
struct bot_given_up {
    const uint8_t *match_id;
    uint32_t       seat, refusals; /* So many, ...                                                */
    uint64_t       act;            /* ... at this act.                                            */
    uint64_t       so_far;         /* Seats given up by this process.                             */
    const char    *why;            /* The last refusal's sentence; "": it had none.               */
};
void bot_say_given_up(const struct bot_given_up *given_up, struct outbox *out);

#endif
