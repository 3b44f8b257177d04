/* engine_frames.c: what a faulty engine says, at its doors and in its stream. */
#include <string.h>

#include "contract/engine.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "contract/stream.pb-c.h"
#include "faults.h"
#include "frames.h"
#include "wire/names.h"

/* A core's message, which a fault may change. */
#define OPEN_BODY(type, effect) ((type *) (void *) (uintptr_t) (effect)->body)

static void spoil_attached(const struct effect *effect)
{
    static uint8_t             key[32];
    Arbiter__Engine__Attached *attached = OPEN_BODY(Arbiter__Engine__Attached, effect);
    if (!fault_is(FAULT_SPECTATOR_KEY))
        return;
    if (attached->has_key) {
        memcpy(key, attached->key.data, sizeof key);
    } else {
        attached->has_key = true;
        attached->key = (ProtobufCBinaryData){ sizeof key, key };
    }
}

static void spoil_reply(const struct effect *effect)
{
    Arbiter__Engine__Reply *reply = OPEN_BODY(Arbiter__Engine__Reply, effect);
    if (fault_is(FAULT_REPLY_CHAIN) && reply->chain.len > 0)
        reply->chain.data[0] ^= 1;
    if (fault_is(FAULT_YES_FOR_NO))
        reply->accepted = true;
    if (fault_is(FAULT_REPLY_NUMBER) && reply->accepted)
        reply->number++;
}

static void spoil_history(const struct effect *effect)
{
    const Arbiter__Stream__HistoryAnswer *answer =
        OPEN_BODY(Arbiter__Stream__HistoryAnswer, effect);
    for (size_t i = 0; fault_is(FAULT_PAST_REWRITTEN) && i < answer->n_acts; i++)
        if (answer->acts[i]->body.len > 0)
            answer->acts[i]->body.data[answer->acts[i]->body.len - 1] ^= 1;
}

bool spoil_effect(struct effect *effect, struct effect *later, struct outbox *out)
{
    bool is_message = effect->kind == EFFECT_SEND || effect->kind == EFFECT_PUBLISH;
    (void) later, (void) out;
    if (!is_message || effect->body == NULL)
        return true;
    if (effect->header.kind == KIND(ATTACHED))
        spoil_attached(effect);
    if (effect->header.kind == KIND(REPLY))
        spoil_reply(effect);
    if (effect->header.kind == KIND(HISTORY_ANSWER))
        spoil_history(effect);
    if (fault_is(FAULT_EPOCH_KEPT) && effect->header.epoch > 1) {
        effect->header.epoch = 1;
        if (effect->header.kind == KIND(ACT))
            OPEN_BODY(Arbiter__Stream__Act, effect)->epoch = 1;
    }
    return true;
}
