/* engine_over.c: how a match ends, and that the lobby hears of it. Pure. */
#include <string.h>

#include "contract/directory.pb-c.h"
#include "contract/stream.pb-c.h"
#include "services/engine/engine_parts.h"

void engine_tell_over(struct engine *engine, struct hosted *hosted, struct outbox *out)
{
    const struct match         *match = hosted->match;
    Arbiter__Engine__MatchOver *over =
        outbox_message(out, &arbiter__engine__match_over__descriptor);
    int32_t       outcome[SEATS_MAX] = { 0 };
    struct header header;
    hosted->told_ms = engine->now_ms;
    if (engine->lobby_door == 0)
        return;
    over->has_number = over->has_chain = over->has_aborted = true;
    over->number = match->number;
    over->chain =
        (ProtobufCBinaryData){ MATCH_HASH_SIZE, outbox_copy(out, match->chain, MATCH_HASH_SIZE) };
    over->aborted = hosted->aborted;
    if (!hosted->aborted) {
        match_outcome(match, outcome);
        over->n_outcome = hosted->seats_held;
        over->outcome =
            (int32_t *) (void *) outbox_copy(out, outcome, over->n_outcome * sizeof outcome[0]);
    }
    header_init(&header, KIND(MATCH_OVER), hosted->id);
    header.epoch = match->epoch;
    header.number = match->number;
    outbox_send(out, engine->lobby_door, engine->lobby_route, &header, over);
}

/* Behind the last act, so that fanouts know that nothing comes after it and stop saying where it stands. */
static void publish_end(const struct hosted *hosted, struct outbox *out)
{
    const struct match    *match = hosted->match;
    Arbiter__Stream__Head *head = outbox_message(out, &arbiter__stream__head__descriptor);
    struct header          header;
    head->has_number = head->has_chain = head->has_over = head->over = true;
    head->number = match->number;
    head->chain =
        (ProtobufCBinaryData){ MATCH_HASH_SIZE, outbox_copy(out, match->chain, MATCH_HASH_SIZE) };
    header_init(&header, KIND(HEAD), hosted->id);
    header.epoch = match->epoch;
    header.number = match->number;
    outbox_publish(out, &header, head);
}

void engine_match_is_over(struct engine *engine, struct hosted *hosted, struct outbox *out)
{
    hosted->phase = PHASE_OVER;
    engine_row_of_result(engine, hosted, out);
    engine_row_of_match(hosted, JOURNAL_LIVE, out);
    if (hosted->contributions == NULL)
        engine_row_of_snapshot(hosted, out); /* A match that never began has no state. */
    publish_end(hosted, out);
    engine_tell_over(engine, hosted, out);
}

/* The match lingers for who has not seen its end; the sweep drops it. */
void engine_on_match_over_heard(struct engine *engine, const struct event *event,
                                struct outbox *out)
{
    const struct slot *slot = &engine->slots[event->header.slot];
    struct hosted     *hosted = engine_table_find(engine, event->header.match_id);
    if (!engine_is_from(engine, event, ROLE(LOBBY)) || slot->state != SLOT_OURS || hosted == NULL ||
        hosted->phase != PHASE_OVER || hosted->heard || engine->full || engine->checking ||
        hosted->quarantined != NULL)
        return; /* MatchOver is repeated, so it will be said again. */
    engine_touch(engine, hosted);
    hosted->heard = true;
    hosted->told_ms = engine->now_ms;
    engine_fence(engine, hosted, out);
    engine_row_of_match(hosted, JOURNAL_LIVE, out);
}
