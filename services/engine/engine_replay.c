/* engine_replay.c: acts out of the journal, their chain checked, their commands played by rules alone. Pure.
 *
 * The bytes that were published are hashed as they are stored, and not made again: comparing everything is
 * verify's work. A match whose chain does not hold, or whose rules now refuse what they took, is held for
 * inspection; all others are served. */
#include <string.h>

#include "schema/cells.h"
#include "services/engine/engine_parts.h"
#include "wire/order.h"

/* An act as its row says it. */
struct stored {
    uint64_t       number, epoch, actor, slot_count;
    uint8_t        chain[MATCH_HASH_SIZE];
    const uint8_t *command, *body;
    size_t         command_size, body_size;
};

static bool read_act(const struct row *row, struct stored *act)
{
    return cell_number(row, ACTS_NUMBER, &act->number) &&
           cell_number(row, ACTS_EPOCH, &act->epoch) && cell_number(row, ACTS_ACTOR, &act->actor) &&
           cell_bytes(row, ACTS_CHAIN, act->chain, sizeof act->chain) &&
           cell_find(row, ACTS_COMMAND, &act->command, &act->command_size) &&
           cell_find(row, ACTS_BODY, &act->body, &act->body_size);
}

static bool chain_holds(const struct engine *engine, const struct match *match,
                        const struct stored *act)
{
    const struct crypto_ops *crypto = engine->settings.helpers.crypto;
    uint8_t                  chain[MATCH_HASH_SIZE];
    uint8_t                  hash[CRYPTO_HASH_SIZE];
    memcpy(chain, match->chain, sizeof chain);
    chain_command(hash, crypto, match->secret, act->command, act->command_size);
    chain_next(chain, crypto, act->number, (uint32_t) act->actor, hash, act->body, act->body_size);
    return memcmp(chain, act->chain, sizeof chain) == 0;
}

static bool replay_said(struct engine *engine, struct hosted *hosted, const struct stored *act)
{
    struct house_news heard;
    if (!house_read(act->command, act->command_size, &heard))
        return false;
    hosted->match->number++;
    if (heard.kind == HOUSE_MATCH_ABORTED)
        hosted->aborted = true;
    if (heard.kind == HOUSE_DICE_COMMITTED && hosted->contributions == NULL) {
        hosted->phase = PHASE_DICE;
        hosted->contributions =
            slab_take(&engine->slab, &engine->undo, sizeof *hosted->contributions);
    }
    bool is_about_dice = heard.kind >= HOUSE_DICE_COMMITTED && heard.kind <= HOUSE_SEAT_SILENT;
    if (!is_about_dice)
        return true;
    return hosted->contributions != NULL && engine_dice_replay(hosted, &heard);
}

static bool replay_start(struct engine *engine, struct hosted *hosted)
{
    struct match_act act;
    if (hosted->phase == PHASE_PLAYED)
        return false;
    if (is_hosted_dice(hosted)) {
        if (hosted->contributions == NULL || !contributions_done(hosted->contributions) ||
            !engine_dice_make(hosted))
            return false;
        slab_give(&engine->slab, &engine->undo, hosted->contributions,
                  sizeof *hosted->contributions);
        hosted->contributions = NULL;
    }
    hosted->phase = PHASE_PLAYED;
    match_first(hosted->match, &engine->room, &act);
    return true;
}

static bool replay_seat(struct engine *engine, struct hosted *hosted, const struct stored *stored)
{
    struct command   command;
    struct match_act act;
    arena_reset(&engine->arena);
    return plan_decode_command(hosted->setup->terms.form->commands, stored->command,
                               stored->command_size, &engine->arena, &command) &&
           command.text_size <= MATCH_TEXT_MAX &&
           match_play(hosted->match, (uint32_t) stored->actor, &command, &engine->room, &act) ==
               ACCEPTED;
}

static bool replay_house(struct engine *engine, struct hosted *hosted, const struct stored *stored)
{
    const uint8_t   *at = stored->command;
    uint32_t         number = stored->command_size == 4 ? (uint32_t) order_get(&at, 4) : 0;
    struct match_act act;
    switch (stored->actor) {
    case ACTOR_TIME:
        return stored->command_size == 4 &&
               match_expire(hosted->match, number, &engine->room, &act);
    case ACTOR_HOUSE:
        return stored->command_size == 4 && number < hosted->seats_held &&
               match_leave(hosted->match, number, &engine->room, &act);
    case ACTOR_ANNUL:
        hosted->aborted = true;
        return match_annul(hosted->match, &engine->room, &act);
    default: return false;
    }
}

/* The row of an accepted command is its answer, too: its session has no row of its own since the last snapshot. */
static void remember_answer(struct engine *engine, struct hosted *hosted, const struct row *row,
                            const struct stored *act)
{
    uint64_t number = 0;
    uint64_t request = 0;
    if (act->actor >= hosted->seats_held || !cell_number(row, ACTS_SESSION, &number) ||
        !cell_number(row, ACTS_REQUEST, &request) || number > UINT32_MAX || request > UINT32_MAX)
        return;
    struct session *session = engine_session_find(hosted, (uint32_t) act->actor, (uint32_t) number);
    if (session == NULL || request <= session->request)
        return; /* It is closed, or its row is newer. */
    engine_undo_keep(&engine->undo, session, sizeof *session);
    session->request = (uint32_t) request;
    session->verdict = ACCEPTED;
    session->act = act->number;
    memcpy(session->chain, act->chain, sizeof session->chain);
    (void) engine_session_keep_asks(engine, session, NULL, 0);
}

/* A player's command came in a session; what the house does has none. */
static bool is_asked_for(const struct row *row)
{
    uint64_t session = 0;
    return cell_number(row, ACTS_SESSION, &session) && session != 0;
}

/* By rules alone: nothing is written down, so the terms are the set-up's other ones for a moment. */
static bool replay_rules(struct engine *engine, struct hosted *hosted, const struct stored *act)
{
    struct match *match = hosted->match;
    bool          played = false;
    match_room_init(&engine->room, &hosted->setup->words, engine->room_memory);
    match->terms = &hosted->setup->words;
    if (act->actor == ACTOR_SAY)
        played = replay_said(engine, hosted, act);
    else if (act->actor == ACTOR_START)
        played = replay_start(engine, hosted);
    else if (hosted->phase != PHASE_PLAYED)
        played = false;
    else if (act->actor < hosted->seats_held)
        played = replay_seat(engine, hosted, act);
    else
        played = replay_house(engine, hosted, act);
    match->terms = &hosted->setup->terms;
    return played;
}

void engine_replay_act(struct engine *engine, struct hosted *hosted, const struct row *row,
                       struct outbox *out)
{
    struct stored act;
    struct match *match = hosted->match;
    if (hosted->quarantined != NULL)
        return;
    engine_touch(engine, hosted);
    if (!read_act(row, &act)) {
        engine_table_quarantine(engine, hosted, "its row is damaged", out);
        return;
    }
    if (act.number == match->number && act.number == hosted->snapshot) {
        if (memcmp(act.chain, match->chain, sizeof act.chain) != 0)
            engine_table_quarantine(engine, hosted, "the snapshot has another chain than the act",
                                    out);
        remember_answer(engine, hosted, row, &act);
        return;
    }
    if (act.number != match->number + 1) {
        engine_table_quarantine(engine, hosted, "the act behind it is missing", out);
        return;
    }
    if (match->number == 0)
        engine_table_begin_chain(engine, hosted);
    if (!chain_holds(engine, match, &act)) {
        engine_table_quarantine(engine, hosted, "the chain of the act behind it does not hold",
                                out);
        return;
    }
    if (!replay_rules(engine, hosted, &act)) {
        engine_table_quarantine(engine, hosted, "the rules refuse the act behind it", out);
        return;
    }
    memcpy(match->chain, act.chain, sizeof act.chain);
    hosted->is_moved = hosted->is_moved || is_asked_for(row);
    remember_answer(engine, hosted, row, &act);
}

void engine_replay_done(struct engine *engine, struct hosted *hosted, struct outbox *out)
{
    struct match *match = hosted->match;
    const char   *broken = NULL;
    engine_touch(engine, hosted);
    if (hosted->phase == PHASE_READING)
        engine_table_quarantine(engine, hosted, "it has no acts", out);
    if (hosted->phase == PHASE_PLAYED && hosted->quarantined == NULL)
        broken = match_check(match);
    if (broken != NULL)
        engine_table_quarantine(engine, hosted, broken, out);
    if (hosted->is_over)
        hosted->phase = PHASE_OVER;
    else if (hosted->phase == PHASE_PLAYED && hosted->quarantined == NULL &&
             match_to_act(match) == 0)
        engine_table_quarantine(engine, hosted, "it is over, and its result is missing", out);
    match->epoch = engine->slots[hosted->slot].epoch;
    hosted->is_recovered = true;
    engine_table_moved(engine, hosted);
    if (hosted->quarantined == NULL)
        engine_clock_recovered(engine, hosted);
}
