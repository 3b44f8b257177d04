/* fanout_faults.c: what a faulty fanout says. */
#include <string.h>

#include "contract/envelope.pb-c.h"
#include "contract/stream.pb-c.h"
#include "contract/stream_fields.h"
#include "faults.h"
#include "frames.h"
#include "wire/field_write.h"
#include "wire/names.h"
#include "wire/varint.h"

/* The act that faults of the stream are about: late enough that everybody listens. */
#define THE_ACT 4u
/* HistoryAnswer.acts */
#define TAG_ACTS BYTES_TAG(FIELD_STREAM_HISTORY_ANSWER_ACTS)

/* An effect's bytes, to be changed. */
static uint8_t *own_bytes(struct effect *effect, struct outbox *out)
{
    uint8_t *bytes = outbox_copy(out, effect->bytes, effect->size);
    effect->bytes = bytes;
    return bytes;
}

static bool spoil_act(struct effect *effect, struct effect *later, struct outbox *out)
{
    static struct effect held;
    static uint8_t       held_bytes[64u << 10];
    bool                 is_it = effect->header.number == THE_ACT;
    if (fault_is(FAULT_ACT_SKIPPED))
        return !is_it;
    if (fault_is(FAULT_ACT_REPEATED) && is_it)
        *later = *effect;
    if (fault_is(FAULT_BODY_CHANGED) && is_it)
        own_bytes(effect, out)[effect->size - 1] ^= 1; /* Of its last field, which is the body. */
    if (fault_is(FAULT_OLD_EPOCH) && effect->header.epoch > 0)
        effect->header.epoch -= effect->header.number % 2;
    if (fault_is(FAULT_ACTS_SWAPPED) && is_it && effect->size <= sizeof held_bytes) {
        held = *effect;
        memcpy(held_bytes, effect->bytes, effect->size);
        return false;
    }
    if (fault_is(FAULT_ACTS_SWAPPED) && held.header.kind != 0) {
        held.bytes = held_bytes;
        *later = held;
        held.header.kind = 0;
    }
    return true;
}

static bool spoil_head(const struct effect *effect, struct outbox *out)
{
    const Arbiter__Stream__Head *said = (const Arbiter__Stream__Head *) (const void *) effect->body;
    Arbiter__Stream__Head       *head = (Arbiter__Stream__Head *) (uintptr_t) said;
    if (fault_is(FAULT_HEAD_AHEAD))
        head->number++;
    if (fault_is(FAULT_HEAD_CHAIN) && head->has_chain) {
        head->chain.data = outbox_copy(out, said->chain.data, said->chain.len);
        head->chain.data[0] ^= 1;
    }
    return !fault_is(FAULT_NO_HEADS);
}

/* Changes the last byte of the answer's first act, or takes its second act out. */
static void spoil_history(struct effect *effect, struct outbox *out)
{
    uint8_t      *bytes = own_bytes(effect, out);
    struct reader in = { bytes, bytes + effect->size }, act = { 0 };
    uint64_t      tag = 0;
    for (uint32_t i = 0; i < 2; i++) {
        const uint8_t *start = in.at;
        if (in.at == in.end || !varint_read_short(&in, &tag) || tag != TAG_ACTS ||
            !varint_read_body(&in, &act))
            return;
        if (i == 0 && fault_is(FAULT_HISTORY_CHANGED))
            bytes[act.end - bytes - 1] ^= 1;
        if (i == 1 && fault_is(FAULT_HISTORY_HOLE)) {
            memmove(bytes + (start - bytes), act.end, (size_t) (in.end - act.end));
            effect->size -= (size_t) (act.end - start);
        }
    }
}

bool spoil_effect(struct effect *effect, struct effect *later, struct outbox *out)
{
    uint16_t kind = effect->header.kind;
    if (effect->kind == EFFECT_PUBLISH && kind == KIND(ACT))
        return spoil_act(effect, later, out);
    if (effect->kind == EFFECT_PUBLISH && kind == KIND(HEAD) && effect->body != NULL)
        return spoil_head(effect, out);
    if (effect->kind == EFFECT_SEND && kind == KIND(HISTORY_ANSWER) && effect->bytes != NULL)
        spoil_history(effect, out);
    return !(fault_is(FAULT_NO_CATCH_UP) && effect->kind == EFFECT_SEND &&
             (kind == KIND(HISTORY_ASK) || kind == KIND(MOVED_ASK)));
}
