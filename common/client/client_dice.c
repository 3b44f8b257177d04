/* client_dice.c: our part of hosted dice, and what the secrets shown at the end prove. Pure.
 *
 * A contribution is a keyed hash of match, seat and the house's commitment under a secret of ours.
 * Nobody can foresee it. We can make it again after a restart or on a second device, and an aborted
 * match's id does not bring the same bytes again. The hash is posted, and when all hashes are acts
 * the bytes are revealed; whoever put other bytes in for us is found out.
 *
 * Only acts count, in the chain that is checked. An engine that says "all hashes are there" could
 * lie, and choose a colluding seat's bytes when it knows ours. */
#include <string.h>

#include "client/client_private.h"
#include "wire/house.h"
#include "wire/order.h"

#define STEP(name) ARBITER__ENGINE__DICE_ROUND__STEP__STEP_##name

static const char label[] = "arbiter contribution";

void dice_contribution(const struct client_core *core, const struct client_seat *seat,
                       uint8_t bytes[DICE_BYTES])
{
    uint8_t                            number[4];
    const struct client_core_settings *settings = &core->settings;
    if (settings->own_bytes != NULL) {
        settings->own_bytes(settings->own, seat->match_id, seat->seat, seat->dice.seen.commitment,
                            bytes);
        return;
    }
    order_put(number, seat->seat, sizeof number);
    const struct piece pieces[] = { { label, sizeof label - 1 },
                                    { seat->match_id, sizeof seat->match_id },
                                    { number, sizeof number },
                                    { seat->dice.seen.commitment,
                                      sizeof seat->dice.seen.commitment } };
    core->settings.crypto->keyed(bytes, DICE_BYTES, core->settings.secret, pieces,
                                 seat->dice.is_older ? 3 : 4);
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

/* All acts that the engine spoke of are here, and nothing that it did was found to be a lie. */
static bool is_trusted(const struct client_seat *seat)
{
    const uint32_t lies = 1u << CLIENT_FAULT_FORK | 1u << CLIENT_FAULT_DICE;
    return seat->next > seat->dice.behind && (seat->found & lies) == 0;
}

void dice_pump(const struct turn *turn, struct client_seat *seat)
{
    struct dice_round *dice = &seat->dice;
    uint8_t            bytes[DICE_BYTES], hash[CRYPTO_HASH_SIZE];
    bool               is_hash = dice->step == STEP(HASHES);
    bool is_wanted = seat->own.kind == OWN_NONE && is_trusted(seat) && is_awaited(seat, seat->seat);
    if (dice->is_callers) {
        enum client_wanted wanted = is_hash ? CLIENT_WANTS_HASH : CLIENT_WANTS_BYTES;
        caller_ask(turn, seat, is_wanted ? wanted : CLIENT_WANTS_NOTHING);
        return;
    }
    if (!is_wanted)
        return;
    dice_contribution(turn->core, seat, bytes);
    hash_of(turn->core, bytes, sizeof bytes, hash);
    if (is_hash)
        command_start(turn, seat, OWN_HASH, hash, sizeof hash, 0);
    else
        command_start(turn, seat, OWN_REVEAL, bytes, sizeof bytes, 0);
    dice->awaited &= ~(UINT32_C(1) << seat->seat); /* Said once; the command sees to the rest. */
    command_pump(turn, seat);
}

/* The house is bound once. Whoever shows two commitments could choose the one that suits it. */
static void take_commitment(const struct turn *turn, struct client_seat *seat, uint64_t number,
                            const uint8_t *bytes, size_t size)
{
    if (size != CRYPTO_HASH_SIZE)
        return;
    if (seat->dice.has_commitment && memcmp(seat->dice.seen.commitment, bytes, size) != 0)
        seat_fault(turn, seat, CLIENT_FAULT_DICE, number);
    if (seat->dice.has_commitment)
        return;
    seat->dice.has_commitment = true;
    memcpy(seat->dice.seen.commitment, bytes, size);
}

static uint32_t bit_of(uint32_t seat)
{
    return seat < CLIENT_DICE_SEATS ? UINT32_C(1) << seat : 0;
}

/* The header says who contributes, and whose bytes they are. A player's own program makes its own. A header that says
 * otherwise of it is false, whoever believes it. The first holder is meant, and a bot of the house's gives none. */
static void take_contributors(const struct turn *turn, struct client_seat *seat,
                              const Arbiter__Engine__Attached *attached)
{
    const Arbiter__Engine__MatchFacts *match = attached->match;
    bool is_first = seat->seat != NO_SEAT && attached->generation <= 1;
    bool is_own = turn->core->settings.peers.role != ROLE(CLIENT) || !is_first;
    seat->dice.is_named = match->protocol > PROTOCOL_FIRST && match->has_commitment;
    seat->dice.named = 0;
    for (size_t i = 0; i < match->n_contributors; i++) {
        const Arbiter__Wire__Contributor *one = match->contributors[i];
        seat->dice.named |= bit_of(one->seat);
        is_own =
            is_own || (one->seat == seat->seat && one->origin == ARBITER__WIRE__ORIGIN__ORIGIN_OWN);
    }
    if (seat->dice.is_named && !is_own)
        seat_fault(turn, seat, CLIENT_FAULT_DICE, attached->number);
}

/* The round opens, once: a second opening would ask for bytes that somebody has seen. It opens with a
 * commitment, or the house would not be bound when it knows our bytes. */
static void on_committed(const struct turn *turn, struct client_seat *seat, uint64_t number,
                         const struct house_news *news)
{
    struct dice_round *dice = &seat->dice;
    take_commitment(turn, seat, number, news->bytes, news->size);
    if (dice->step != STEP(UNSPECIFIED) || news->size != CRYPTO_HASH_SIZE) {
        seat_fault(turn, seat, CLIENT_FAULT_DICE, number);
        return;
    }
    dice->step = STEP(HASHES);
    if (dice->is_named && dice->named != (news->seats & ((UINT32_C(1) << CLIENT_DICE_SEATS) -
                                                         1))) /* Somebody is left out, or put in. */
        seat_fault(turn, seat, CLIENT_FAULT_DICE, number);
    dice->awaited = dice->seen.seats = news->seats & ((UINT32_C(1) << CLIENT_DICE_SEATS) - 1);
}

void dice_attached(const struct turn *turn, struct client_seat *seat,
                   const Arbiter__Engine__Attached *attached)
{
    const Arbiter__Engine__MatchFacts *match = attached->match;
    if (match != NULL && match->has_commitment)
        take_commitment(turn, seat, attached->number, match->commitment.data,
                        match->commitment.len);
    if (match != NULL)
        take_contributors(turn, seat, attached);
    if (attached->number > seat->dice.behind)
        seat->dice.behind = attached->number;
}

/* When all hashes are there the second round begins; of it we need to know our own part only. */
static void turn_round(struct client_seat *seat)
{
    struct dice_round *dice = &seat->dice;
    uint32_t           pending = dice->seen.seats & ~(dice->seen.posted | dice->seen.silent);
    if (dice->step != STEP(HASHES) || pending != 0)
        return;
    dice->step = STEP(REVEALS);
    dice->awaited = dice->is_posted ? UINT32_C(1) << seat->seat : 0;
}

/* Whether the hash that stands for us is of our bytes. A build of before made them without the
 * commitment; a round that it began, before we attached, is played to its end with those. */
static bool is_our_hash(const struct client_core *core, struct client_seat *seat, uint64_t number,
                        const struct house_news *news)
{
    uint8_t  bytes[DICE_BYTES], hash[CRYPTO_HASH_SIZE];
    uint32_t makings = number <= seat->dice.behind ? 2 : 1;
    for (uint32_t i = 0; i < makings; i++) {
        seat->dice.is_older = i == 1;
        dice_contribution(core, seat, bytes);
        hash_of(core, bytes, sizeof bytes, hash);
        if (news->size == sizeof hash && memcmp(news->bytes, hash, sizeof hash) == 0)
            return true;
    }
    seat->dice.is_older = false;
    return false;
}

static void on_our_hash(const struct turn *turn, struct client_seat *seat, uint64_t number,
                        const struct house_news *news)
{
    struct dice_round *dice = &seat->dice;
    dice->awaited &= ~(UINT32_C(1) << seat->seat); /* Perhaps another device was first. */
    dice->is_posted = dice->is_callers || is_our_hash(turn->core, seat, number, news);
    /* What stands there since before our time may be an earlier holder's. */
    if (!dice->is_posted && !(number <= dice->behind && seat->generation > 1))
        seat_fault(turn, seat, CLIENT_FAULT_DICE, number);
}

static void on_hash(const struct turn *turn, struct client_seat *seat, uint64_t number,
                    const struct house_news *news)
{
    struct client_dice *seen = &seat->dice.seen;
    uint32_t            bit = news->seat < CLIENT_DICE_SEATS ? UINT32_C(1) << news->seat : 0;
    if (seat->dice.step == STEP(UNSPECIFIED)) /* Who watches may have come in the middle. */
        return;
    /* A second hash, or a stranger's, would be chosen by somebody who knows the others' bytes. */
    if (news->size != CRYPTO_HASH_SIZE || seat->dice.step != STEP(HASHES) ||
        (bit & seen->seats & ~(seen->posted | seen->silent)) == 0) {
        seat_fault(turn, seat, CLIENT_FAULT_DICE, number);
        return;
    }
    seen->posted |= bit;
    memcpy(seen->hash[news->seat], news->bytes, CRYPTO_HASH_SIZE);
    if (is_ours(seat, news->seat))
        on_our_hash(turn, seat, number, news);
    turn_round(seat);
}

static void on_silent(const struct turn *turn, struct client_seat *seat, uint64_t number,
                      const struct house_news *news)
{
    if (is_ours(seat, news->seat)) {
        seat->dice.awaited &= ~(UINT32_C(1) << seat->seat);
        if (!seat->dice.is_callers) /* The caller may be away: that is its own affair. */
            seat_fault(turn, seat, CLIENT_FAULT_DICE, number);
    }
    if (news->seat < CLIENT_DICE_SEATS)
        seat->dice.seen.silent |= UINT32_C(1) << news->seat;
    turn_round(seat);
}

/* What we gave, if it is for us to say. */
static bool is_given(const struct client_core *core, const struct client_seat *seat,
                     const struct house_news *news)
{
    uint8_t bytes[DICE_BYTES];
    memcpy(bytes, seat->dice.bytes, sizeof bytes);
    if (!seat->dice.is_callers)
        dice_contribution(core, seat, bytes);
    return (!seat->dice.is_callers || seat->dice.has_bytes) && news->size == sizeof bytes &&
           memcmp(news->bytes, bytes, sizeof bytes) == 0;
}

static void on_revealed(const struct turn *turn, struct client_seat *seat, uint64_t number,
                        const struct house_news *news)
{
    struct client_event told = { .kind = CLIENT_DICE, .seat = seat->seat, .number = number };
    if (!is_ours(seat, news->seat))
        return;
    seat->dice.awaited = 0;
    seat->dice.is_revealed = is_given(turn->core, seat, news);
    if (!seat->dice.is_revealed) { /* A caller's may have come by another door. */
        if (!seat->dice.is_callers)
            seat_fault(turn, seat, CLIENT_FAULT_DICE, number);
        return;
    }
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
    if (news->dice_size > 0 && memcmp(hash, seat->dice.seen.commitment, sizeof hash) == 0)
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
    case HOUSE_DICE_COMMITTED: on_committed(turn, seat, number, &news); break;
    case HOUSE_HASH_POSTED: on_hash(turn, seat, number, &news); break;
    case HOUSE_BYTES_REVEALED: on_revealed(turn, seat, number, &news); break;
    case HOUSE_SEAT_SILENT: on_silent(turn, seat, number, &news); break;
    case HOUSE_SEAT_CHANGED:
        if (is_ours(seat, news.seat) && news.generation > seat->generation) {
            seat->generation = news.generation;
            if (seat->keys[0].generation != news.generation)
                seat_attach_again(turn, seat);
        }
        break;
    case HOUSE_SECRETS_SHOWN: on_shown(turn, seat, number, &news); break;
    default: break;
    }
}
