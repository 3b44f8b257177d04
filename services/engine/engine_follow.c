/* engine_follow.c: view and list behind acts, unasked, for sessions that wish for it. Pure.
 *
 * They are made when a batch was kept, once for all acts of a match in it, and leave with what the batch
 * said. So nobody asks for them, and nobody waits for another commit. They are hints: what finds no room
 * is left out, and whoever misses it asks. */
#include <string.h>

#include "services/engine/engine_parts.h"
#include "wire/varint.h"

/* One match's words for all its seats, and what settling may say behind them. */
#define SEAT_BYTES (192u << 10)
#define BEHIND_BYTES (OUTBOX_STEP_BYTES / 4)
#define BEHIND_EFFECTS (OUTBOX_STEP_EFFECTS / 2)
/* What a message may hold, with room for what is small. */
#define BODY_MAX (63u << 10)

static bool has_room(const struct outbox *out)
{
    return out->capacity - out->used > SEAT_BYTES + BEHIND_BYTES &&
           out->effects_max - out->effect_count > BEHIND_EFFECTS;
}

static size_t size_of_list(const Arbiter__Engine__LegalAnswer *legal)
{
    size_t size = legal->best.len + legal->proposal.len;
    for (size_t i = 0; i < legal->n_patterns; i++)
        size += varint_size(legal->patterns[i]);
    for (size_t i = 0; i < legal->n_values; i++)
        size +=
            varint_size((uint64_t) legal->values[i] << 1 ^ (legal->values[i] < 0 ? UINT64_MAX : 0));
    return size;
}

/* Whether both go into one message. */
static bool fits(const Arbiter__Engine__Followed *followed)
{
    size_t size = followed->legal != NULL ? size_of_list(followed->legal) : 0;
    if (followed->shown != NULL)
        size += followed->shown->view.len;
    for (size_t i = 0; followed->shown != NULL && i < followed->shown->n_asks; i++)
        size += followed->shown->asks[i].len + 4;
    return size <= BODY_MAX;
}

static void say(const struct engine *engine, const struct hosted *hosted, uint32_t seat,
                const struct session *session, Arbiter__Engine__Attached *shown, struct outbox *out)
{
    Arbiter__Engine__Followed *followed =
        outbox_message(out, &arbiter__engine__followed__descriptor);
    Arbiter__Engine__LegalAsk ask = ARBITER__ENGINE__LEGAL_ASK__INIT;
    struct header             header;
    seat_mask to_act = hosted->phase == PHASE_PLAYED ? match_to_act(hosted->match) : 0;
    ask.has_best = ask.best = session->best;
    ask.has_luck = session->has_luck;
    ask.luck = session->luck + hosted->match->number;
    followed->shown = shown;
    if ((to_act >> seat & 1) != 0)
        followed->legal = engine_legal_answer(engine, hosted, seat, &ask, out);
    if (!fits(followed))
        followed->legal = NULL; /* It is asked for, if it is needed. */
    if (followed->shown == NULL && followed->legal == NULL)
        return;
    header_init(&header, KIND(FOLLOWED), hosted->id);
    header.version = (uint8_t) session->version;
    header.seat = seat;
    header.session = session->number;
    header.epoch = engine->slots[hosted->slot].epoch;
    header.number = hosted->match->number;
    outbox_send(out, session->door, session->route, &header, followed);
}

void engine_follow(struct engine *engine, struct hosted *hosted, struct session *session,
                   const struct event *event, struct outbox *out)
{
    const Arbiter__Engine__LegalAsk *ask = (BODY(Arbiter__Engine__Attach, event))->follow;
    bool                             followed = session->follows;
    bool follows = ask != NULL && event->header.version > PROTOCOL_FIRST;
    if (!followed && !follows)
        return;
    engine_undo_keep(&engine->undo, session, sizeof *session);
    session->follows = follows;
    session->best = follows && ask->has_best && ask->best;
    session->has_luck = follows && ask->has_luck;
    session->luck = session->has_luck ? ask->luck : 0;
    if (!followed)
        say(engine, hosted, event->header.seat, session, NULL, out);
}

static bool is_followed(const struct hosted *hosted)
{
    for (uint32_t seat = 0; seat < hosted->seats_held; seat++)
        for (const struct session *one = hosted->seats[seat].sessions; one != NULL; one = one->next)
            if (one->follows)
                return true;
    return false;
}

void engine_follow_later(struct engine *engine, const struct hosted *hosted)
{
    uint32_t count = engine->moved_count;
    bool is_last = count > 0 && memcmp(engine->moved[count - 1], hosted->id, MATCH_ID_SIZE) == 0;
    if (is_last || count == MOVED_MATCHES_MAX || !is_followed(hosted))
        return;
    memcpy(engine->moved[engine->moved_count++], hosted->id, MATCH_ID_SIZE);
}

static void tell(const struct engine *engine, const struct hosted *hosted, struct outbox *out)
{
    for (uint32_t seat = 0; seat < hosted->seats_held; seat++)
        for (const struct session *one = hosted->seats[seat].sessions; one != NULL; one = one->next)
            if (one->follows && one->door != 0 && has_room(out))
                say(engine, hosted, seat, one, engine_standing(engine, hosted, seat, out), out);
}

/* A match that moved twice with another one between is listed twice, and told twice: that is rare, and no harm. */
void engine_follow_settled(struct engine *engine, bool is_kept, struct outbox *out)
{
    for (uint32_t i = 0; i < engine->moved_count; i++) {
        const struct hosted *hosted = is_kept ? engine_table_find(engine, engine->moved[i]) : NULL;
        if (hosted != NULL && hosted->quarantined == NULL && hosted->phase != PHASE_READING)
            tell(engine, hosted, out);
        memset(engine->moved[i], 0, MATCH_ID_SIZE);
    }
    engine->moved_count = 0;
}
