/* live.c: acts on their way to readers: each once, in order, and only if the chain fits. */
#include "services/fanout/parts.h"

#include <string.h>

#include "contract/stream_fields.h"
#include "wire/chain.h"
#include "wire/field_write.h"
#include "wire/varint.h"

bool fanout_act_is_whole(const Arbiter__Stream__Act *act)
{
    return act->has_number && act->number > 0 && act->number < UINT64_MAX && act->has_epoch &&
           act->has_slot_count && act->slot_count > 0 && act->has_actor && act->has_chain_before &&
           act->chain_before.len == CRYPTO_HASH_SIZE && act->has_command_hash &&
           act->command_hash.len == CRYPTO_HASH_SIZE && act->has_body;
}

void fanout_chain_after(const struct fanout *fanout, const Arbiter__Stream__Act *act,
                        uint8_t chain[CRYPTO_HASH_SIZE])
{
    memcpy(chain, act->chain_before.data, CRYPTO_HASH_SIZE);
    chain_next(chain, fanout->settings.crypto, act->number, act->actor, act->command_hash.data,
               act->body.data, act->body.len);
}

/* The chain before an act, out of its bytes, which were judged when they came. */
static bool read_chain_before(const uint8_t *bytes, size_t size, uint8_t chain[CRYPTO_HASH_SIZE])
{
    struct reader in = reader_of(bytes, size), body = { NULL, NULL };
    uint64_t      tag, skipped;
    while (in.at < in.end && varint_read_short(&in, &tag)) {
        if ((tag & 7) == 2 ? !varint_read_body(&in, &body) : !varint_read(&in, &skipped))
            return false;
        if (tag != BYTES_TAG(FIELD_STREAM_ACT_CHAIN_BEFORE))
            continue;
        if (body.end - body.at != CRYPTO_HASH_SIZE)
            return false;
        memcpy(chain, body.at, CRYPTO_HASH_SIZE);
        return true;
    }
    return false;
}

/* The act behind it says it, if it is on the shelf still. */
bool fanout_chain_at(struct fanout *fanout, const struct fanout_match *match, uint64_t number,
                     uint8_t chain[CRYPTO_HASH_SIZE])
{
    if (number + 1 == match->next && match->has_chain) {
        memcpy(chain, match->chain, CRYPTO_HASH_SIZE);
        return true;
    }
    uint32_t act = shelf_find(fanout->shelf, fanout_match_owner(fanout, match), number + 1);
    if (number + 1 >= match->next || act == NO_ACT)
        return false;
    shelf_read(fanout->shelf, act, fanout->scratch);
    return read_chain_before(fanout->scratch, shelf_size(fanout->shelf, act), chain);
}

void fanout_say(struct outbox *out, enum say_level level, const struct fanout_match *match,
                uint64_t number, const char *sentence)
{
    static const char digits[] = "0123456789abcdef";
    struct text       text;
    text_clear(&text);
    text_put(&text, "match ");
    for (uint32_t i = 0; i < HEADER_MATCH_SIZE; i++) {
        text_put_bytes(&text, &digits[match->id[i] >> 4], 1);
        text_put_bytes(&text, &digits[match->id[i] & 15], 1);
    }
    text_put(&text, ", act ");
    text_put_number(&text, (int64_t) number);
    text_put(&text, ": ");
    text_put(&text, sentence);
    outbox_say(out, level, &text);
}

/* Puts an act on the shelf; the match's last ones are kept while somebody reads it. */
static void shelve(struct fanout *fanout, const struct fanout_match *match, uint64_t number,
                   const uint8_t *bytes, size_t size)
{
    uint64_t owner = fanout_match_owner(fanout, match);
    shelf_put(fanout->shelf, owner, number, bytes, (uint32_t) size);
    if (!match->is_read || number < match->next)
        return;
    shelf_keep(fanout->shelf, shelf_find(fanout->shelf, owner, number), true);
    if (number <= fanout->settings.keep_acts)
        return;
    uint32_t old = shelf_find(fanout->shelf, owner, number - fanout->settings.keep_acts);
    if (old != NO_ACT && shelf_is_kept(fanout->shelf, old))
        shelf_keep(fanout->shelf, old, false);
}

/* The one place where an act goes out live. It is the match's `next`. */
static void relay(struct fanout *fanout, struct fanout_match *match,
                  const Arbiter__Stream__Act *act, const struct header *header,
                  const uint8_t *bytes, size_t size, uint64_t now_ms, struct outbox *out)
{
    outbox_relay(out, header, bytes, size);
    fanout->facts.relayed++;
    shelve(fanout, match, act->number, bytes, size);
    fanout_chain_after(fanout, act, match->chain);
    match->has_chain = true;
    match->is_doubted = match->is_over = false;
    match->next = act->number + 1;
    match->head_step = 0;
    if (match->last < act->number)
        match->has_last_chain = false;
    if (match->last <= act->number)
        fanout_stands_at(match, act->number, act->epoch);
    fanout_match_moved(fanout, match, act->slot_count);
    fanout_head_soon(fanout, match, now_ms, HEAD_FIRST_MS);
    if (match->first_ask != NO_ASK)
        fanout_make_ready(fanout, match);
}

static bool fits(const struct fanout_match *match, const Arbiter__Stream__Act *act)
{
    return !match->has_chain ||
           memcmp(match->chain, act->chain_before.data, sizeof match->chain) == 0;
}

/* An act with the number of one that was relayed: most often it is the same. */
static bool contradicts(struct fanout *fanout, const struct fanout_match *match,
                        const Arbiter__Stream__Act *act)
{
    uint8_t known[CRYPTO_HASH_SIZE], chain[CRYPTO_HASH_SIZE];
    if (!fanout_chain_at(fanout, match, act->number, known))
        return false;
    fanout_chain_after(fanout, act, chain);
    return memcmp(chain, known, sizeof chain) != 0;
}

/* The owner tells the match another way: from here on it is told as he does, to everybody. Nothing that was held of
 * it is shown beside that. */
static void begin_anew(struct fanout *fanout, struct fanout_match *match,
                       const Arbiter__Stream__Act *act, struct outbox *out)
{
    fanout->facts.forks++;
    fanout_say(out, SAY_ERROR, match, act->number,
               "the owner says another act than was relayed under this number: its store was set "
               "back. What was held is thrown away");
    fanout_match_disbelieve(fanout, match);
    match->next = match->last = act->number;
}

/* An act that may be the next, an old one, or one behind a gap. */
static void take_live(struct fanout *fanout, struct fanout_match *match, const struct event *event,
                      struct outbox *out)
{
    const Arbiter__Stream__Act *act = BODY(Arbiter__Stream__Act, event);
    if (act->number < match->next && contradicts(fanout, match, act)) {
        begin_anew(fanout, match, act, out);
    } else if (act->number < match->next) {
        fanout->facts.duplicates++;
        return;
    }
    bool is_gap = match->next != 0 && act->number > match->next;
    if (is_gap && fanout_match_is_wanted(fanout, match)) {
        fanout_match_moved(fanout, match, act->slot_count);
        fanout_learn(fanout, match, act->number, NULL, event->now_ms, out);
        return; /* It comes from history, behind those that are missing. */
    }
    if (is_gap || match->next == 0) {
        match->next = act->number;
        match->has_chain = false;
    }
    if (!fits(match, act)) {
        fanout->facts.forks++;
        fanout_say(out, SAY_WARNING, match, act->number,
                   "its chain does not fit the act before; not relayed, history is asked");
        match->is_doubted = true;
        fanout_fetch(fanout, match, event->now_ms, out);
        return;
    }
    relay(fanout, match, act, &event->header, event->bytes, event->size, event->now_ms, out);
}

void fanout_on_act(struct fanout *fanout, const struct event *event, struct outbox *out)
{
    const Arbiter__Stream__Act *act = BODY(Arbiter__Stream__Act, event);
    uint8_t                     slot = event->header.slot;
    if (!fanout_act_is_whole(act) || act->number != event->header.number ||
        slot != header_slot(event->header.match_id)) {
        fanout->facts.malformed++;
        return;
    }
    if (!fanout_slot_takes(fanout, event) || !fanout->slots[slot].is_followed)
        return;
    struct fanout_match *match = fanout_match_make(fanout, event->header.match_id);
    if (match != NULL) {
        match->version = event->header.version;
        take_live(fanout, match, event, out);
    } else {
        outbox_relay(out, &event->header, event->bytes, event->size);
        fanout->facts.relayed++;
    }
    fanout_slot_counted(fanout, slot, act->slot_count, event->now_ms, out);
}

void fanout_take_past(struct fanout *fanout, struct fanout_match *match,
                      const Arbiter__Stream__Act *act, const uint8_t *bytes, size_t size,
                      const struct event *event, struct outbox *out)
{
    bool is_next = act->number == match->next && fanout_match_is_wanted(fanout, match);
    if (!is_next) {
        shelve(fanout, match, act->number, bytes, size);
        return;
    }
    if (!fits(match, act)) {
        fanout->facts.forks++;
        fanout_say(out, SAY_ERROR, match, act->number,
                   "history has another past than was relayed; what was held is thrown away");
        fanout_match_disbelieve(fanout, match);
    }
    struct header header;
    header_init(&header, KIND(ACT), match->id);
    header.version = header_spoken(match->version);
    header.epoch = fanout->slots[match->slot].epoch;
    header.number = act->number;
    fanout->facts.fetched++;
    relay(fanout, match, act, &header, bytes, size, event->now_ms, out);
}
