/* client_dice.c: our part of hosted dice, and what the secrets shown at the end prove. Pure.
 *
 * A contribution is a keyed hash of the match and the seat under a secret of ours. Nobody can
 * foresee it, and we can make it again after a restart or on a second device. The hash is posted,
 * and when all hashes are acts the bytes are revealed; whoever put other bytes in for us is found
 * out. */
#include <string.h>

#include "client/client_private.h"
#include "wire/house.h"
#include "wire/order.h"

#define STEP(name) ARBITER__ENGINE__DICE_ROUND__STEP__STEP_##name

static const char label[] = "arbiter contribution";

void dice_contribution(const struct client_core *core, const struct client_seat *seat,
                       uint8_t bytes[DICE_BYTES])
{
    uint8_t number[4];
    order_put(number, seat->seat, sizeof number);
    const struct piece pieces[] = { { label, sizeof label - 1 },
                                    { seat->match_id, sizeof seat->match_id },
                                    { number, sizeof number } };
    core->settings.crypto->keyed(bytes, DICE_BYTES, core->settings.secret, pieces, 3);
}

static void hash_of(const struct client_core *core, const void *bytes, size_t size,
                    uint8_t hash[CRYPTO_HASH_SIZE])
{
    const struct piece piece = { bytes, size };
    core->settings.crypto->hash(hash, &piece, 1);
}

static bool is_awaited(const struct client_seat *seat, uint32_t of)
{
    return of < 32 && (seat->dice.awaited >> of & 1) != 0;
}

/* Spectators contribute nothing, whatever a number says. */
static bool is_ours(const struct client_seat *seat, uint32_t of)
{
    return of == seat->seat && of < 32;
}

void dice_pump(const struct turn *turn, struct client_seat *seat)
{
    uint8_t bytes[DICE_BYTES], hash[CRYPTO_HASH_SIZE];
    if (seat->own.kind != OWN_NONE || seat->next == 0 || !is_awaited(seat, seat->seat))
        return;
    dice_contribution(turn->core, seat, bytes);
    if (seat->dice.step == STEP(HASHES)) {
        hash_of(turn->core, bytes, sizeof bytes, hash);
        command_start(turn, seat, OWN_HASH, hash, sizeof hash, 0);
    } else if (seat->dice.step == STEP(REVEALS)) {
        command_start(turn, seat, OWN_REVEAL, bytes, sizeof bytes, 0);
    }
    seat->dice.awaited &=
        ~(UINT32_C(1) << seat->seat); /* Said once; the command sees to the rest. */
}

static void take_commitment(struct client_seat *seat, const uint8_t *bytes, size_t size)
{
    if (size != CRYPTO_HASH_SIZE || seat->dice.has_commitment)
        return;
    seat->dice.has_commitment = true;
    memcpy(seat->dice.commitment, bytes, size);
}

void dice_attached(struct client_seat *seat, const Arbiter__Engine__Attached *attached)
{
    const Arbiter__Engine__DiceRound *round = attached->dice;
    if (attached->match != NULL && attached->match->has_commitment)
        take_commitment(seat, attached->match->commitment.data, attached->match->commitment.len);
    if (round == NULL || !round->has_step || attached->number + 1 != seat->next)
        return; /* Acts that are still to come say more. */
    seat->dice.step = round->step;
    seat->dice.awaited = 0;
    for (size_t i = 0; i < round->n_awaited; i++)
        if (round->awaited[i] < 32)
            seat->dice.awaited |= UINT32_C(1) << round->awaited[i];
    if (round->step == STEP(HASHES)) {
        seat->dice.pending = seat->dice.awaited;
        /* A hash of ours may be an act already; then we are not awaited. */
        seat->dice.is_posted = seat->seat < 32 && !is_awaited(seat, seat->seat);
    }
}

/* A seat has answered, or will not. When all hashes are there the second round begins; of it we need
 * to know our own part only. */
static void answered(struct client_seat *seat, uint32_t of)
{
    struct dice_round *dice = &seat->dice;
    if (of < 32)
        dice->pending &= ~(UINT32_C(1) << of);
    if (dice->step != STEP(HASHES) || dice->pending != 0)
        return;
    dice->step = STEP(REVEALS);
    dice->awaited = dice->is_posted ? UINT32_C(1) << seat->seat : 0;
}

static void on_hash(const struct turn *turn, struct client_seat *seat, uint64_t number,
                    const struct house_news *news)
{
    uint8_t bytes[DICE_BYTES], hash[CRYPTO_HASH_SIZE];
    if (is_ours(seat, news->seat)) {
        dice_contribution(turn->core, seat, bytes);
        hash_of(turn->core, bytes, sizeof bytes, hash);
        if (news->size != sizeof hash || memcmp(news->bytes, hash, sizeof hash) != 0)
            seat_fault(turn, seat, CLIENT_FAULT_DICE, number);
        seat->dice.is_posted = true;
    }
    answered(seat, news->seat);
}

static void on_revealed(const struct turn *turn, struct client_seat *seat, uint64_t number,
                        const struct house_news *news)
{
    uint8_t             bytes[DICE_BYTES];
    struct client_event told = { .kind = CLIENT_DICE, .seat = seat->seat, .number = number };
    if (!is_ours(seat, news->seat))
        return;
    dice_contribution(turn->core, seat, bytes);
    if (news->size != sizeof bytes || memcmp(news->bytes, bytes, sizeof bytes) != 0) {
        seat_fault(turn, seat, CLIENT_FAULT_DICE, number);
        return;
    }
    seat->dice.is_revealed = true;
    seat->dice.awaited = 0;
    memcpy(told.match_id, seat->match_id, CLIENT_ID_SIZE);
    tell(turn->core, &told, NULL, 0);
}

/* The secrets are those of the beginning, or the house lied. */
static void on_shown(const struct turn *turn, struct client_seat *seat, uint64_t number,
                     const struct house_news *news)
{
    struct client_core *core = turn->core;
    struct box_keys     keys;
    uint8_t             hash[CRYPTO_HASH_SIZE];
    seat->is_over = true;
    seat->last = number;
    if (news->size == CRYPTO_KEY_SIZE && seat->keys[0].seat != NO_SEAT) {
        box_keys_of_secret(&keys, core->settings.crypto, news->bytes, seat->seat,
                           seat->keys[0].generation);
        if (memcmp(keys.seal, seat->keys[0].seal, sizeof keys.seal) == 0)
            seat->proof |= CLIENT_PROOF_SEALS;
        else
            seat_fault(turn, seat, CLIENT_FAULT_SECRETS, number);
    }
    if (!seat->dice.has_commitment)
        return;
    hash_of(core, news->dice, news->dice_size, hash);
    if (news->dice_size > 0 && memcmp(hash, seat->dice.commitment, sizeof hash) == 0)
        seat->proof |= CLIENT_PROOF_DICE | (seat->dice.is_revealed ? CLIENT_PROOF_OWN_BYTES : 0);
    else
        seat_fault(turn, seat, CLIENT_FAULT_SECRETS, number);
}

void dice_hear(const struct turn *turn, struct client_seat *seat, uint64_t number,
               const uint8_t *event, size_t size)
{
    struct house_news news;
    if (!house_read(event, size, &news))
        return;
    switch (news.kind) {
    case HOUSE_DICE_COMMITTED:
        take_commitment(seat, news.bytes, news.size);
        seat->dice.step = STEP(HASHES);
        seat->dice.awaited = seat->dice.pending = news.seats;
        break;
    case HOUSE_HASH_POSTED: on_hash(turn, seat, number, &news); break;
    case HOUSE_BYTES_REVEALED: on_revealed(turn, seat, number, &news); break;
    case HOUSE_SEAT_SILENT:
        if (is_ours(seat, news.seat))
            seat_fault(turn, seat, CLIENT_FAULT_DICE, number);
        answered(seat, news.seat);
        break;
    case HOUSE_SEAT_CHANGED:
        if (is_ours(seat, news.seat)) {
            seat->generation = news.generation;
            if (seat->keys[0].generation != news.generation)
                seat_attach_again(turn, seat);
        }
        break;
    case HOUSE_SECRETS_SHOWN: on_shown(turn, seat, number, &news); break;
    default: break;
    }
}
