/* client_caller.c: bytes for hosted dice that the caller of the core makes itself, as a gateway's pages do. Pure.
 *
 * The core judges the round by the acts, as client_dice.c does for its own bytes, and says when a hash
 * or the bytes are wanted. If the caller does not answer, nobody does. */
#include <string.h>

#include "client/client_private.h"

/* The caller hears of it once, and answers when it can. */
void caller_ask(const struct turn *turn, struct client_seat *seat, enum client_wanted wanted)
{
    struct client_event told = { .kind = CLIENT_DICE_WANTED, .seat = seat->seat };
    if (seat->dice.seen.wanted == wanted)
        return;
    memcpy(told.match_id, seat->match_id, CLIENT_ID_SIZE);
    told.number = seat->next - 1;
    if (wanted == CLIENT_WANTS_NOTHING || tell(turn->core, &told, NULL, 0))
        seat->dice.seen.wanted = wanted;
}

/* The bytes are those whose hash stands in the acts. */
static bool fits(const struct client_core *core, const struct client_seat *seat,
                 const uint8_t *bytes)
{
    const struct piece piece = { bytes, DICE_BYTES };
    uint8_t            hash[CRYPTO_HASH_SIZE];
    core->settings.crypto->hash(hash, &piece, 1);
    return memcmp(hash, seat->dice.seen.hash[seat->seat], sizeof hash) == 0;
}

bool caller_contribute(const struct turn *turn, struct client_seat *seat, const uint8_t *bytes,
                       size_t size)
{
    struct dice_round *dice = &seat->dice;
    bool               is_hash = dice->seen.wanted == CLIENT_WANTS_HASH && size == CRYPTO_HASH_SIZE;
    bool               is_bytes = dice->seen.wanted == CLIENT_WANTS_BYTES && size == DICE_BYTES &&
                    fits(turn->core, seat, bytes);
    if (seat->own.kind != OWN_NONE || (!is_hash && !is_bytes))
        return false;
    if (is_bytes) {
        memcpy(dice->bytes, bytes, sizeof dice->bytes);
        dice->has_bytes = true;
    }
    dice->awaited &= ~(UINT32_C(1) << seat->seat);
    dice->seen.wanted = CLIENT_WANTS_NOTHING;
    command_start(turn, seat, is_hash ? OWN_HASH : OWN_REVEAL, bytes, size, 0);
    command_pump(turn, seat);
    return true;
}

void client_core_dice_by_caller(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                                uint32_t seat, bool is_callers)
{
    struct client_seat *found = seat_find(core, match_id, seat);
    if (found != NULL)
        found->dice.is_callers = is_callers;
}

const struct client_dice *client_core_dice(struct client_core *core,
                                           const uint8_t match_id[CLIENT_ID_SIZE], uint32_t seat)
{
    const struct client_seat *found = seat_find(core, match_id, seat);
    return found != NULL && found->dice.step != 0 ? &found->dice.seen : NULL;
}

bool client_core_contribute(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                            uint32_t seat, const uint8_t *bytes, size_t size, uint64_t now_ms,
                            struct outbox *out)
{
    const struct turn   turn = { core, now_ms, out };
    struct client_seat *found = seat_find(core, match_id, seat);
    return found != NULL && caller_contribute(&turn, found, bytes, size);
}
