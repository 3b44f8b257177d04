/* replay_scan.c: the first walk over a match file: what it is a match of, its dice, its end. */
#include <stdlib.h>
#include <string.h>

#include "dice/kinds.h"
#include "match/replay_private.h"
#include "wire/chain.h"
#include "wire/header.h"
#include "wire/order.h"
#include "json/config_file.h"

/* As chain 0 has them; returns how many bytes. */
static size_t contributors_of(const Arbiter__Match__Header *header, uint8_t bytes[2 * SEATS_MAX])
{
    uint8_t *at = bytes;
    for (size_t i = 0; i < header->n_contributors && i < SEATS_MAX; i++)
        at = order_put(order_put(at, header->contributors[i]->seat, 1),
                       (uint64_t) header->contributors[i]->origin, 1);
    return (size_t) (at - bytes);
}

void replay_chain_begin(uint8_t chain[MATCH_HASH_SIZE], const Arbiter__Match__Header *header)
{
    uint8_t             seed[8], contributors[2 * SEATS_MAX];
    struct chain_header hashed = { .protocol = header->protocol,
                                   .rules_version = header->rules_version,
                                   .seats = header->seats,
                                   .game = header->game,
                                   .game_size = strlen(header->game),
                                   .setup = header->setup,
                                   .setup_size = strlen(header->setup),
                                   .options = header->options,
                                   .options_size =
                                       header->options != NULL ? strlen(header->options) : 0,
                                   .dice = header->dice,
                                   .dice_size = strlen(header->dice),
                                   .commitment = header->commitment.data,
                                   .commitment_size = header->commitment.len,
                                   .contributors = contributors,
                                   .contributors_size = contributors_of(header, contributors) };
    memcpy(hashed.match_id, header->match_id.data, sizeof hashed.match_id);
    if (header->has_seed) {
        order_put(seed, (uint64_t) header->seed, 8);
        hashed.commitment = seed;
        hashed.commitment_size = sizeof seed;
    }
    chain_begin(chain, &crypto_sodium, &hashed);
}

/* Compiles the set-up; where nobody wants to read what is wrong with it, the faults go nowhere. */
static void *compile(const struct game *game, const Arbiter__Match__Header *header,
                     FILE *complaints)
{
    struct config_text config = { "set-up", header->setup, strlen(header->setup) };
    struct config_text options = { "options", header->options,
                                   header->options != NULL ? strlen(header->options) : 0 };
    size_t             size = 0;
    FILE              *out = complaints != NULL ? complaints : fopen("/dev/null", "w");
    void *setup = out != NULL ? config_compile(game, &config, &options, &size, out) : NULL;
    if (complaints == NULL && out != NULL)
        fclose(out);
    return setup;
}

static bool compile_setup(struct replay *replay, const Arbiter__Match__Header *header,
                          FILE *complaints)
{
    const struct game *game = replay->wire->game;
    uint32_t           least = 0;
    uint32_t           most = 0;
    /* A set-up's tree is many times its text; no match began with a longer one than a table takes. */
    if (strlen(header->setup) > CONFIG_TEXT_MAX ||
        (header->options != NULL && strlen(header->options) > CONFIG_TEXT_MAX))
        return match_file_fault(&replay->file, "the set-up in the header is too long");
    replay->setup = compile(game, header, complaints);
    if (replay->setup == NULL)
        return match_file_fault(&replay->file, "the game refuses the set-up in the header");
    game->seats(replay->setup, &least, &most);
    if (header->seats >= least && header->seats <= most)
        return true;
    return match_file_fault(&replay->file, "so many seats cannot play this set-up");
}

/* Open dice are made here; hosted ones when the contributions and the secret are known. */
static bool read_dice(struct replay *replay, const Arbiter__Match__Header *header)
{
    bool hosted = strcmp(header->dice, "chacha") == 0;
    if (strlen(header->dice) >= sizeof replay->dice_name || hosted != !header->has_seed)
        return match_file_fault(&replay->file, "open dice need a seed, hosted ones a commitment");
    memcpy(replay->dice_name, header->dice, strlen(header->dice) + 1);
    replay->heard->is_hosted = hosted;
    replay->heard->epoch = 1; /* The first there is. */
    if (hosted)
        contributions_open(&replay->heard->written, replay->id, header->commitment.data, 0);
    else if (!dice_open(&replay->dice, header->dice, (uint64_t) header->seed))
        return match_file_fault(&replay->file, "this build knows no such dice");
    return true;
}

static bool read_header(struct replay *replay, const Arbiter__Match__Header *header,
                        FILE *complaints)
{
    if (header->protocol < PROTOCOL_FIRST || header->protocol > PROTOCOL_NEWEST)
        return match_file_fault(&replay->file, "it was written by another version of the protocol");
    if (strlen(header->game) >= sizeof replay->game)
        return match_file_fault(&replay->file, "the game's name is too long");
    memcpy(replay->game, header->game, strlen(header->game) + 1);
    memcpy(replay->id, header->match_id.data, sizeof replay->id);
    replay->protocol = header->protocol;
    replay->rules_version = header->rules_version;
    replay->seats = header->seats;
    for (size_t i = 0; i < header->n_contributors; i++)
        replay->origin[header->contributors[i]->seat] = header->contributors[i]->origin;
    replay_chain_begin(replay->chain, header);
    if (!read_dice(replay, header))
        return false;
    replay->wire =
        header->rules_version == 0 ? NULL : registry_find(header->game, header->rules_version);
    return replay->wire == NULL || compile_setup(replay, header, complaints);
}

/* The two rounds of contributions are over; they stand side by side in the file, in order of seats. */
static bool read_contribution(struct replay *replay, const Arbiter__Match__Contribution *given)
{
    struct contributions *contributions = &replay->heard->written;
    uint32_t              seat = 1u << given->seat;
    bool                  is_late = replay->heard->recorded >= seat;
    if (is_late || given->seat >= replay->seats || !replay->heard->is_hosted)
        return match_file_fault(&replay->file, "this contribution has no place here");
    replay->heard->recorded |= seat;
    if (given->has_hash) {
        contributions->posted |= seat;
        memcpy(contributions->hash[given->seat], given->hash.data, COMMITMENT_BYTES);
    }
    if (!given->has_revealed)
        return true;
    uint8_t hash[COMMITMENT_BYTES];
    commit_bytes(given->revealed.data, hash);
    if (!given->has_hash || memcmp(hash, given->hash.data, sizeof hash) != 0)
        return match_file_fault(&replay->file, "a contribution is not the one its seat announced");
    contributions->revealed |= seat;
    memcpy(contributions->bytes[given->seat], given->revealed.data, CONTRIBUTION_BYTES);
    return true;
}

/* In order of seats; of a seat, generation by generation, from act 1 on without a gap. */
static bool is_next_holder(const struct replay *replay, const Arbiter__Match__Seat *seat)
{
    uint32_t                    count = replay->holder_count;
    const struct replay_holder *last = count > 0 ? &replay->holders[count - 1] : NULL;
    if (last != NULL && last->seat == seat->seat)
        return seat->generation == last->generation + 1 && seat->since > last->since;
    return seat->seat == (last != NULL ? last->seat + 1 : 0) && seat->generation == 1 &&
           seat->since == 1;
}

static bool read_holder(struct replay *replay, const Arbiter__Match__Seat *seat)
{
    if (seat->seat >= replay->seats || replay->holder_count == REPLAY_HOLDERS_MAX)
        return match_file_fault(&replay->file,
                                "there is no such seat, or it changed hands too often");
    if (!is_next_holder(replay, seat))
        return match_file_fault(&replay->file,
                                "who held the seats does not go on from seat to seat, and from "
                                "generation to generation");
    struct replay_holder *holder = &replay->holders[replay->holder_count++];
    holder->seat = seat->seat;
    holder->generation = seat->generation;
    holder->since = seat->since;
    holder->bot = seat->bot;
    size_t size = seat->name != NULL ? strlen(seat->name) : 0;
    if (size > 0)
        memcpy(holder->name, seat->name, size < REPLAY_NAME_MAX ? size : REPLAY_NAME_MAX - 1);
    return true;
}

static bool read_end(struct replay *replay, const Arbiter__Match__End *end)
{
    struct replay_end *kept = &replay->end;
    kept->finished = end->reason == ARBITER__MATCH__END__REASON__REASON_FINISHED;
    kept->acts = end->acts;
    kept->outcomes = (uint32_t) end->n_outcome;
    for (size_t i = 0; i < end->n_outcome; i++)
        kept->outcome[i] = end->outcome[i];
    memcpy(kept->chain, end->chain.data, sizeof kept->chain);
    memcpy(kept->digest, end->digest.data, sizeof kept->digest);
    memcpy(kept->sealing_secret, end->sealing_secret.data, sizeof kept->sealing_secret);
    kept->has_dice_secret = end->has_dice_secret;
    if (end->has_dice_secret)
        memcpy(kept->dice_secret, end->dice_secret.data, sizeof kept->dice_secret);
    if (kept->outcomes != (kept->finished ? replay->seats : 0))
        return match_file_fault(&replay->file, "a finished match has an outcome for each seat, "
                                               "and any other none");
    if (kept->has_dice_secret != replay->heard->is_hosted)
        return match_file_fault(&replay->file, "hosted dice have a secret, and open ones none");
    return true;
}

static bool read_record(struct replay *replay, const Arbiter__Match__Record *record,
                        FILE *complaints)
{
    switch (record->kind_case) {
    case ARBITER__MATCH__RECORD__KIND_HEADER:
        return read_header(replay, record->header, complaints);
    case ARBITER__MATCH__RECORD__KIND_CONTRIBUTION:
        return read_contribution(replay, record->contribution);
    case ARBITER__MATCH__RECORD__KIND_SEAT: return read_holder(replay, record->seat);
    case ARBITER__MATCH__RECORD__KIND_END: return read_end(replay, record->end);
    default: return true; /* Acts are the second walk's. */
    }
}

static bool make_hosted_dice(struct replay *replay)
{
    struct contributions *contributions = &replay->heard->written;
    uint8_t               key[DICE_KEY_BYTES];
    if (!replay->heard->is_hosted)
        return true;
    contributions->revealing = 1;
    contributions->awaited = 0;
    if (!contributions_key(contributions, replay->end.dice_secret, key))
        return match_file_fault(&replay->file,
                                "the house's secret is not the one it was committed to");
    dice_chacha(&replay->dice, key);
    return true;
}

/* From protocol 2 on the header binds who contributes: every seat that began without a bot. */
static bool contributors_are_holders(struct replay *replay)
{
    if (replay->protocol == PROTOCOL_FIRST || !replay->heard->is_hosted)
        return true;
    for (uint32_t i = 0; i < replay->holder_count; i++) {
        const struct replay_holder *holder = &replay->holders[i];
        if (holder->generation == 1 && holder->bot != (replay->origin[holder->seat] == 0))
            return match_file_fault(&replay->file, "the header names other contributors to the "
                                                   "dice than the seats that began without a bot");
    }
    return true;
}

bool replay_scan(struct replay *replay, FILE *complaints)
{
    enum match_file_step step = match_file_next(&replay->file);
    while (step == MATCH_FILE_RECORD) {
        if (!read_record(replay, replay->file.record, complaints))
            return false;
        step = match_file_next(&replay->file);
    }
    if (step == MATCH_FILE_BAD)
        return false;
    if (replay->file.kind != ARBITER__MATCH__RECORD__KIND_END)
        return match_file_fault(&replay->file,
                                "there is no end: the match still runs, or the file was "
                                "cut; secrets, and with them all checks, come at the end");
    if (replay->end.acts != replay->file.acts)
        return match_file_fault(&replay->file, "the end counts another number of acts");
    if (replay->holder_count == 0 ||
        replay->holders[replay->holder_count - 1].seat + 1 != replay->seats)
        return match_file_fault(&replay->file, "not every seat has a holder");
    return contributors_are_holders(replay) && make_hosted_dice(replay);
}
