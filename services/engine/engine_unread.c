/* engine_unread.c: matches of our slots that lie in the journal and cannot be read here, known by id. Pure.
 *
 * Only another build may have their rules. While one build replaces another, or is taken back,
 * slots come to engines without these rules. Such a match exists all the same, so the answer is
 * never "no such match". Callers are told to ask again; by then an engine that knows its rules
 * holds it. */
#include <string.h>

#include "services/engine/engine_parts.h"

#define RULES_AGAIN_MS 1000u

static const struct unread *find(const struct engine *engine, const uint8_t *id)
{
    for (uint32_t i = 0; i < engine->unread_count; i++)
        if (memcmp(engine->unread[i].id, id, MATCH_ID_SIZE) == 0)
            return &engine->unread[i];
    return NULL;
}

static void say(const uint8_t *id, const char *why, struct outbox *out)
{
    struct text text;
    text_clear(&text);
    text_put(&text, "match ");
    engine_put_id(&text, id);
    text_put(&text, " in the journal cannot be read: ");
    text_put(&text, why);
    outbox_say(out, SAY_ERROR, &text);
}

bool engine_unread_is_known(const struct engine *engine, const uint8_t *id)
{
    return find(engine, id) != NULL;
}

bool engine_unread_is_lost(const struct engine *engine, const uint8_t *id)
{
    const struct unread *unread = find(engine, id);
    return unread != NULL && !unread->lacks_rules;
}

/* It is read outside of what an undo brings back: a slot that is read once more begins by forgetting. */
void engine_unread_add(struct engine *engine, const uint8_t *id, const char *why, bool lacks_rules,
                       struct outbox *out)
{
    if (find(engine, id) != NULL)
        return;
    say(id, why, out);
    if (engine->unread_count == UNREAD_MAX) {
        engine->unread_more = true;
        return;
    }
    struct unread *unread = &engine->unread[engine->unread_count++];
    memcpy(unread->id, id, sizeof unread->id);
    unread->lacks_rules = lacks_rules;
}

void engine_unread_forget(struct engine *engine, uint32_t slot)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < engine->unread_count; i++)
        if (header_slot(engine->unread[i].id) != slot)
            engine->unread[kept++] = engine->unread[i];
    engine->unread_count = kept;
}

bool engine_unread_refused(struct engine *engine, const struct event *event, struct outbox *out)
{
    const struct unread *unread = find(engine, event->header.match_id);
    if (unread == NULL && !engine->unread_more)
        return false;
    if (unread != NULL && !unread->lacks_rules)
        engine_refuse(engine, event, REFUSAL(QUARANTINED), 0,
                      "The match is held for inspection; the operator has been told.", out);
    else
        engine_refuse(
            engine, event, REFUSAL(AGAIN), RULES_AGAIN_MS,
            "This engine does not have the rules the match is played by; it goes on at one "
            "that does. Ask again.",
            out);
    return true;
}
