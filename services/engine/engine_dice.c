/* engine_dice.c: hosted dice: the house is bound, then every seat, then all is shown; and the start. Pure. */
#include <string.h>

#include "services/engine/engine_parts.h"
#include "wire/order.h"

static void play_openings(struct engine *engine, struct hosted *hosted, struct outbox *out)
{
    const uint8_t *at = hosted->opening;
    const uint8_t *end = at + hosted->opening_size;
    while (at < end && hosted->phase == PHASE_PLAYED) {
        struct command   command;
        struct match_act act;
        uint32_t         seat = (uint32_t) order_get(&at, 1);
        size_t           size = (size_t) order_get(&at, 4);
        arena_reset(&engine->arena);
        /* What the rules refuse now was said in vain, as it would have been at the board. */
        if (plan_decode_command(hosted->setup->terms.form->commands, at, size, &engine->arena,
                                &command) &&
            command.text_size <= MATCH_TEXT_MAX) {
            engine_act_begin(engine, hosted);
            engine->heard = &command;
            engine->heard_of = seat;
            if (match_play(hosted->match, seat, &command, &engine->room, &act) == ACCEPTED)
                engine_act_done(engine, hosted, &act, NULL, out);
        }
        engine->heard = NULL;
        engine->heard_of = 0;
        at += size;
    }
}

void engine_match_begins(struct engine *engine, struct hosted *hosted, struct outbox *out)
{
    struct match_act act;
    engine_act_begin(engine, hosted);
    hosted->phase = PHASE_PLAYED;
    match_first(hosted->match, &engine->room, &act);
    engine_act_done(engine, hosted, &act, NULL, out);
    if (hosted->opening == NULL)
        return;
    play_openings(engine, hosted, out);
    slab_give(&engine->slab, &engine->undo, hosted->opening, hosted->opening_size);
    hosted->opening = NULL;
    hosted->opening_size = 0;
}

bool engine_dice_make(struct hosted *hosted)
{
    uint8_t key[DICE_KEY_BYTES];
    if (!contributions_key(hosted->contributions, hosted->dice_secret, key))
        return false;
    dice_chacha(&hosted->match->dice, key);
    return true;
}

void engine_dice_begin(struct engine *engine, struct hosted *hosted, struct outbox *out)
{
    if (!contributions_done(hosted->contributions) || !engine_dice_make(hosted))
        return;
    slab_give(&engine->slab, &engine->undo, hosted->contributions, sizeof *hosted->contributions);
    hosted->contributions = NULL;
    engine_match_begins(engine, hosted, out);
}

void engine_dice_open_round(struct engine *engine, struct hosted *hosted, struct outbox *out)
{
    struct house_said said;
    seat_mask         seats = 0;
    for (uint32_t seat = 0; seat < hosted->seats_held; seat++)
        seats |= hosted->seats[seat].bot ? 0 : 1u << seat;
    hosted->phase = PHASE_DICE;
    contributions_open(hosted->contributions, hosted->id, hosted->commitment, seats);
    house_dice_committed(&said, hosted->commitment, seats);
    engine_act_say(engine, hosted, &said, NULL, out);
    engine_dice_begin(engine, hosted, out);
}

static uint32_t post_hash(struct hosted *hosted, uint32_t seat, const ProtobufCBinaryData *hash)
{
    struct contributions *table = hosted->contributions;
    if (table->revealing != 0 || (table->awaited >> seat & 1) == 0)
        return REASON_NOT_AWAITED;
    if (hash->len != COMMITMENT_BYTES || !contributions_post(table, seat, hash->data))
        return REASON_WRONG_BYTES;
    return ACCEPTED;
}

static uint32_t reveal(struct hosted *hosted, uint32_t seat, const ProtobufCBinaryData *bytes)
{
    struct contributions *table = hosted->contributions;
    if (table->revealing == 0 || (table->awaited >> seat & 1) == 0)
        return REASON_NOT_AWAITED;
    if (bytes->len != CONTRIBUTION_BYTES || !contributions_reveal(table, seat, bytes->data))
        return REASON_WRONG_BYTES;
    return ACCEPTED;
}

uint32_t engine_dice_contribute(struct engine *engine, struct hosted *hosted,
                                const struct event *event, const Arbiter__Engine__Command *command,
                                struct outbox *out)
{
    uint32_t          seat = event->header.seat;
    bool              is_hash = command->kind_case == ARBITER__ENGINE__COMMAND__KIND_HASH;
    struct house_said said;
    if (hosted->phase != PHASE_DICE)
        return REASON_NO_DICE_ROUND;
    uint32_t judged =
        is_hash ? post_hash(hosted, seat, &command->hash) : reveal(hosted, seat, &command->reveal);
    if (judged != ACCEPTED)
        return judged;
    const ProtobufCBinaryData *bytes = is_hash ? &command->hash : &command->reveal;
    house_contribution(&said, is_hash ? HOUSE_HASH_POSTED : HOUSE_BYTES_REVEALED, seat, bytes->data,
                       bytes->len);
    engine_act_say(engine, hosted, &said, &event->header, out);
    return ACCEPTED;
}

void engine_dice_expire(struct engine *engine, struct hosted *hosted, seat_mask late,
                        struct outbox *out)
{
    engine_touch(engine, hosted);
    late &= hosted->contributions->awaited;
    contributions_silent(hosted->contributions, late);
    for (uint32_t seat = 0; seat < hosted->seats_held; seat++) {
        struct house_said said;
        if ((late >> seat & 1) == 0)
            continue;
        house_contribution(&said, HOUSE_SEAT_SILENT, seat, NULL, 0);
        engine_act_say(engine, hosted, &said, NULL, out);
    }
    engine_dice_begin(engine, hosted, out);
}

bool engine_dice_replay(struct hosted *hosted, const struct house_news *heard)
{
    struct contributions *table = hosted->contributions;
    switch (heard->kind) {
    case HOUSE_DICE_COMMITTED:
        contributions_open(table, hosted->id, hosted->commitment, heard->seats);
        return true;
    case HOUSE_HASH_POSTED:
        return heard->size == COMMITMENT_BYTES &&
               contributions_post(table, heard->seat, heard->bytes);
    case HOUSE_BYTES_REVEALED:
        return heard->size == CONTRIBUTION_BYTES &&
               contributions_reveal(table, heard->seat, heard->bytes);
    case HOUSE_SEAT_SILENT:
        if (heard->seat < hosted->seats_held)
            contributions_silent(table, 1u << heard->seat);
        return heard->seat < hosted->seats_held;
    default: return true;
    }
}
