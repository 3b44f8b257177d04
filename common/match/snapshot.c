/* snapshot.c: a match's digest, and a match as bytes for a quick start after a restart.
 *
 *     snapshot = layout (4) order (4) rules version (4) state's layout (4) state's bytes (4)
 *                seats (4) match id (16) number (8) epoch (8) chain (32) generations (4 each)
 *                dice (216) state digest (32)
 *
 * The state is the memory of this build and this processor's order of bytes: `order` is a number written
 * as it lies in memory. A snapshot saves time and promises nothing; whoever finds one it cannot read
 * replays the acts instead. */
#include <assert.h>
#include <string.h>

#include "dice/kinds.h"
#include "match/match.h"
#include "wire/order.h"

#define LAYOUT 1u
#define ORDER_MARK 0x01020304u
#define FRONT_SIZE (6 * 4 + MATCH_ID_SIZE + 8 + 8 + MATCH_HASH_SIZE)

static size_t digest_at(const struct match_terms *terms)
{
    return FRONT_SIZE + 4 * (size_t) terms->seats + DICE_SAVED_BYTES + terms->bounds.state_bytes;
}

void match_digest(const struct match *match, uint8_t digest[MATCH_HASH_SIZE])
{
    uint8_t dice[DICE_SAVED_BYTES];
    dice_save(&match->dice, dice);
    const struct piece pieces[] = { { dice, sizeof dice },
                                    { match->state, match->terms->bounds.state_bytes } };
    match->terms->form->crypto->hash(digest, pieces, 2);
}

size_t match_snapshot_bytes(const struct match_terms *terms)
{
    return digest_at(terms) + MATCH_HASH_SIZE;
}

/* What a snapshot of this match in this build begins with. */
static uint8_t *put_layout(uint8_t *at, const struct match *match)
{
    const struct match_terms *terms = match->terms;
    const uint32_t            mark = ORDER_MARK;
    at = order_put(at, LAYOUT, 4);
    memcpy(at, &mark, sizeof mark);
    at = order_put(at + sizeof mark, terms->game->version, 4);
    at = order_put(at, terms->game->layout, 4);
    at = order_put(at, terms->bounds.state_bytes, 4);
    at = order_put(at, terms->seats, 4);
    memcpy(at, match->id, MATCH_ID_SIZE);
    return at + MATCH_ID_SIZE;
}

static void hash_of(const struct match_terms *terms, const uint8_t *bytes,
                    uint8_t digest[MATCH_HASH_SIZE])
{
    const struct piece piece = { bytes, digest_at(terms) };
    terms->form->crypto->hash(digest, &piece, 1);
}

size_t match_save(const struct match *match, uint8_t *bytes, size_t capacity)
{
    const struct match_terms *terms = match->terms;
    assert(capacity >= match_snapshot_bytes(terms));
    uint8_t *at = put_layout(bytes, match);
    at = order_put(at, match->number, 8);
    at = order_put(at, match->epoch, 8);
    memcpy(at, match->chain, MATCH_HASH_SIZE);
    at += MATCH_HASH_SIZE;
    for (uint32_t seat = 0; seat < terms->seats; seat++)
        at = order_put(at, match->generation[seat], 4);
    dice_save(&match->dice, at);
    at += DICE_SAVED_BYTES;
    memcpy(at, match->state, terms->bounds.state_bytes);
    hash_of(terms, bytes, bytes + digest_at(terms));
    return match_snapshot_bytes(terms);
}

bool match_load(struct match *match, const uint8_t *bytes, size_t size)
{
    const struct match_terms *terms = match->terms;
    uint8_t                   front[FRONT_SIZE];
    uint8_t                   digest[MATCH_HASH_SIZE];
    struct dice               dice;
    size_t                    layout_size = (size_t) (put_layout(front, match) - front);
    if (size != match_snapshot_bytes(terms) || memcmp(bytes, front, layout_size) != 0)
        return false;
    hash_of(terms, bytes, digest);
    const uint8_t *saved_dice = bytes + FRONT_SIZE + 4 * (size_t) terms->seats;
    if (memcmp(digest, bytes + digest_at(terms), sizeof digest) != 0 ||
        !dice_load(&dice, saved_dice))
        return false;
    const uint8_t *at = bytes + layout_size;
    match->dice = dice;
    match->number = order_get(&at, 8);
    match->epoch = order_get(&at, 8);
    memcpy(match->chain, at, MATCH_HASH_SIZE);
    at += MATCH_HASH_SIZE;
    for (uint32_t seat = 0; seat < terms->seats; seat++)
        match_set_generation(match, seat, (uint32_t) order_get(&at, 4));
    memcpy(match->state, saved_dice + DICE_SAVED_BYTES, terms->bounds.state_bytes);
    return true;
}
