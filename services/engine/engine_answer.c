/* engine_answer.c: who asks, whether they may, and the refusal if not. Pure. */
#include <string.h>

#include "contract/directory.pb-c.h"
#include "services/engine/engine_parts.h"

#define SOON_MS 100u /* What is being read or looked into will be known soon. */

void engine_answer(const struct engine *engine, const struct event *event, uint16_t kind,
                   uint64_t number, const void *body, struct outbox *out)
{
    struct header header = event->header;
    header.kind = kind;
    header.number = number;
    header.epoch = engine->slots[header.slot].epoch;
    outbox_send(out, event->caller.door, event->caller.route, &header, body);
}

void engine_refuse(const struct engine *engine, const struct event *event, uint32_t refusal,
                   uint64_t after_ms, const char *sentence, struct outbox *out)
{
    Arbiter__Wire__Refused *refused = outbox_message(out, &arbiter__wire__refused__descriptor);
    refused->has_refusal = true;
    refused->refusal = (Arbiter__Wire__Refusal) refusal;
    refused->sentence = (char *) outbox_copy(out, sentence, text_length(sentence) + 1);
    refused->has_after_ms = after_ms > 0;
    refused->after_ms = after_ms;
    engine_answer(engine, event, KIND(REFUSED), event->header.number, refused, out);
}

void engine_asked(struct engine *engine, const struct event *event, struct outbox *out)
{
    if (engine->asker_count == ASKERS_MAX)
        return;
    engine->askers[engine->asker_count++] =
        (struct asker){ event->header, event->caller.route, event->caller.door };
    if (engine->asker_count == ASKERS_MAX)
        out->wants_commit = true;
}

bool engine_is_from(const struct engine *engine, const struct event *event, uint32_t role)
{
    uint32_t peer = peers_of_event(event);
    if (peer != NO_PEER)
        return engine->peers.list[peer].role == role;
    return event->caller.role == role;
}

bool engine_is_slot_here(struct engine *engine, const struct event *event, struct outbox *out)
{
    const struct slot *slot = &engine->slots[event->header.slot];
    engine_asked(engine, event, out);
    if (slot->state == SLOT_FOREIGN || slot->state == SLOT_LEAVING) {
        bool is_coming = slot->wanted && !slot->was_ours;
        engine_refuse(engine, event, is_coming ? REFUSAL(AGAIN) : REFUSAL(ELSEWHERE), SOON_MS,
                      is_coming ? "This engine is taking the match's slot; ask again."
                                : "This match is held elsewhere; the directory says where.",
                      out);
        return false;
    }
    if (slot->state != SLOT_OURS || engine->checking) {
        engine_refuse(engine, event, REFUSAL(AGAIN), SOON_MS,
                      "The match is being read out of the journal; ask again.", out);
        return false;
    }
    outbox_fence(out, event->header.slot, slot->epoch);
    return true;
}

void engine_fence(const struct engine *engine, const struct hosted *hosted, struct outbox *out)
{
    outbox_fence(out, hosted->slot, engine->slots[hosted->slot].epoch);
}

struct hosted *engine_match_here(struct engine *engine, const struct event *event,
                                 struct outbox *out)
{
    struct hosted *hosted = engine_table_find(engine, event->header.match_id);
    if (hosted == NULL && engine_unread_refused(engine, event, out))
        return NULL;
    if (hosted == NULL && engine_awaits_marks(engine, event->header.slot)) {
        engine_refuse_early(engine, event, out);
        return NULL;
    }
    if (hosted == NULL) {
        engine_refuse(engine, event, REFUSAL(NO_SUCH_MATCH), 0,
                      "There is no such match, or it was over long ago.", out);
        return NULL;
    }
    if (hosted->quarantined != NULL) {
        engine_refuse(engine, event, REFUSAL(QUARANTINED), 0,
                      "The match is held for inspection; the operator has been told.", out);
        return NULL;
    }
    return hosted;
}

struct hosted *engine_match_asked(struct engine *engine, const struct event *event,
                                  struct outbox *out)
{
    static const uint8_t none[MATCH_ID_SIZE];
    if (memcmp(event->header.match_id, none, sizeof none) == 0) {
        engine_refuse(engine, event, REFUSAL(MALFORMED), 0, "The header names no match.", out);
        return NULL;
    }
    return engine_is_slot_here(engine, event, out) ? engine_match_here(engine, event, out) : NULL;
}

bool engine_may_write(struct engine *engine, const struct event *event, struct outbox *out)
{
    if (!engine->full)
        return true;
    uint64_t left =
        engine->full_until_ms > engine->now_ms ? engine->full_until_ms - engine->now_ms : SOON_MS;
    engine_refuse(engine, event, REFUSAL(AGAIN), left,
                  "The server's disk is full, and nothing has happened; ask again later.", out);
    return false;
}
