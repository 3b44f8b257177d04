/* bugs.c: see bugs.h. */
#include "bugs.h"

#include <string.h>

#include "contract/directory.pb-c.h"
#include "contract/engine.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "contract/stream.pb-c.h"
#include "contract/watchdog.pb-c.h"
#include "dice/commitment.h"
#include "house/nim_two.h"
#include "house/stage.h"
#include "schema/journal.h"
#include "wire/names.h"
#include "world/world.h"

/* A core's message, which a bug may change. */
#define OPEN_BODY(type, effect) ((type *) (void *) (uintptr_t) (effect)->body)

static const struct {
    const char *word, *sentence;
} bugs[BUGS_END] = { { "none", "nothing is planted" },
#define BUG(name, word, sentence) { word, sentence },
                     BUGS(BUG)
#undef BUG
};

const char *bug_word(enum bug bug)
{
    return bugs[bug].word;
}

const char *bug_sentence(enum bug bug)
{
    return bugs[bug].sentence;
}

enum bug bug_named(const char *called)
{
    uint32_t bug = 0;
    while (bug < BUGS_END && strcmp(bugs[bug].word, called) != 0)
        bug++;
    return (enum bug) bug;
}

bool bug_is(const struct world *world, const struct process *process, enum bug bug)
{
    if (world->plan.bug != (uint32_t) bug)
        return false;
    return process->role == ROLE(ENGINE) ||
           (process->role == ROLE(FANOUT) &&
            (bug == BUG_OLD_FRAMES || bug == BUG_NO_HEADS || bug == BUG_NO_MARKS)) ||
           (process->role == ROLE(WATCHDOG) && bug == BUG_WALL_CLOCK);
}

/* Whatever the wait's number, it is the open one's. */
static void freshen_wait(const struct process *process, struct event *event)
{
    Arbiter__Watchdog__Expire *expire =
        (Arbiter__Watchdog__Expire *) (void *) (uintptr_t) event->body;
    for (uint32_t i = 0; i < WAITS_SAID; i++)
        if (memcmp(process->said_wait[i].match_id, expire->match_id.data, MATCH_ID_BYTES) == 0)
            expire->wait = process->said_wait[i].wait;
}

/* What the core would drop goes on as it came. */
static void relay_old(struct world *world, struct process *process, const struct event *event)
{
    uint16_t  kind = event->header.kind;
    uint64_t *seen = &process->seen_epoch[event->header.slot];
    if (kind != KIND(ACT) && kind != KIND(HEAD) && kind != KIND(SLOT_COUNT))
        return;
    if (event->header.epoch >= *seen) {
        *seen = event->header.epoch;
        return;
    }
    struct effect effect = {
        .kind = EFFECT_PUBLISH, .header = event->header, .bytes = event->bytes, .size = event->size
    };
    if (world->cast->sent != NULL)
        world->cast->sent(world, process, &effect);
    net_publish(world, process, &effect);
}

/* The match's row says another version of nim than was kept. */
static void take_newest_rules(const struct process *process, struct event *event)
{
    static uint64_t memory[(sizeof(struct row) + ROW_COLUMNS_MAX * sizeof(struct cell)) / 8 + 1];
    struct row     *changed = (struct row *) (void *) memory;
    if (event->row->table != JOURNAL_LIVE || event->row->count > ROW_COLUMNS_MAX ||
        !stage_is_new(process) || event->row->cells[MATCHES_GAME].size != 3)
        return;
    size_t size = sizeof *event->row + event->row->count * sizeof event->row->cells[0];
    memcpy(changed, event->row, size);
    changed->cells[MATCHES_RULES_VERSION].number = NIM_TWO;
    event->row = changed;
}

void bugs_in_event(struct world *world, struct process *process, struct event *event)
{
    if (bug_is(world, process, BUG_WALL_CLOCK))
        event->now_ms = event->wall_ms;
    if (event->kind == EVENT_ROW && bug_is(world, process, BUG_NEWEST_RULES))
        take_newest_rules(process, event);
    if (event->kind != EVENT_MESSAGE)
        return;
    if (bug_is(world, process, BUG_STALE_WAIT) && event->header.kind == KIND(EXPIRE))
        freshen_wait(process, event);
    if (bug_is(world, process, BUG_OLD_FRAMES) && process->role == ROLE(FANOUT))
        relay_old(world, process, event);
}

static bool is_refusal(const struct effect *effect)
{
    return effect->kind == EFFECT_SEND && effect->header.kind == KIND(REPLY) &&
           !OPEN_BODY(Arbiter__Engine__Reply, effect)->accepted;
}

/* Answers go out before the batch is kept; once, and not again behind the commit. */
static void say_early(struct world *world, struct process *process, bool refusals_only)
{
    struct outbox *out = &process->out;
    uint32_t       kept = 0;
    for (uint32_t i = 0; i < out->effect_count; i++) {
        bool is_answer = out->effects[i].kind == EFFECT_SEND;
        if (is_answer && (!refusals_only || is_refusal(&out->effects[i])))
            net_send(world, process, &out->effects[i]);
        else
            out->effects[kept++] = out->effects[i];
    }
    out->effect_count = kept;
}

/* The answer is kept under the number of the request before: asked again, it would be played again. */
static void forget_answers(struct process *process)
{
    struct outbox *out = &process->out;
    for (uint32_t i = 0; i < out->row_count; i++) {
        struct row *row = out->rows[i];
        const char *name = process->ops->schema->tables[row->table].name;
        if (strcmp(name, "sessions") == 0 && row->op != ROW_DELETE &&
            row->cells[SESSIONS_REQUEST].number > 0)
            row->cells[SESSIONS_REQUEST].number--;
        if (strcmp(name, "acts") == 0 && row->cells[ACTS_REQUEST].number > 0)
            row->cells[ACTS_REQUEST].number--;
    }
}

static void drop_rows(struct process *process, const char *table)
{
    struct outbox *out = &process->out;
    uint32_t       kept = 0;
    for (uint32_t i = 0; i < out->row_count; i++) {
        const char *name = process->ops->schema->tables[out->rows[i]->table].name;
        if (strcmp(name, table) != 0)
            out->rows[kept++] = out->rows[i];
    }
    out->row_count = kept;
}

void bugs_in_batch(struct world *world, struct process *process)
{
    struct outbox *out = &process->out;
    if (bug_is(world, process, BUG_ACK_EARLY) && out->row_count > 0)
        say_early(world, process, false);
    if (bug_is(world, process, BUG_REFUSAL_EARLY) && out->row_count > 0)
        say_early(world, process, true);
    if (bug_is(world, process, BUG_NO_FENCE))
        out->fence_count = 0;
    if (bug_is(world, process, BUG_ANSWERS_FORGOTTEN)) {
        drop_rows(process, "answers");
        forget_answers(process);
    }
}

enum store_outcome bugs_in_outcome(const struct world *world, const struct process *process,
                                   enum store_outcome outcome)
{
    if (bug_is(world, process, BUG_SETTLE_SKIPPED) && outcome != STORE_COMMITTED)
        return STORE_COMMITTED;
    if (bug_is(world, process, BUG_UNKNOWN_REFUSED) && outcome == STORE_UNKNOWN)
        return STORE_BUSY;
    return outcome;
}

uint32_t bugs_in_read(const struct world *world, const struct process *process, uint32_t rows)
{
    return bug_is(world, process, BUG_READ_SHORT) && rows > 1 ? rows - 1 : rows;
}

void bugs_in_query(const struct world *world, const struct process *process, struct query *query)
{
    if (bug_is(world, process, BUG_SNAPSHOT_OFF) && query->has_from)
        query->from.number++;
}

/* The last caller's way back, instead of this one's. */
static void swap_route(struct process *process, struct effect *effect)
{
    if (effect->kind != EFFECT_SEND || effect->door == DOOR_PEER)
        return;
    uint64_t mine = effect->route;
    if (process->last_route != 0)
        effect->route = process->last_route;
    process->last_route = mine;
}

/* The same act again, and its body another. */
static void publish_other(struct world *world, struct process *process, const struct effect *effect)
{
    Arbiter__Stream__Act *act = OPEN_BODY(Arbiter__Stream__Act, effect);
    if (act->body.len == 0)
        return;
    net_publish(world, process, effect);
    act->body.data[act->body.len - 1] ^= 1;
}

static void hand_out_key(struct effect *effect)
{
    static uint8_t             key[32];
    Arbiter__Engine__Attached *attached = OPEN_BODY(Arbiter__Engine__Attached, effect);
    if (effect->header.seat != NO_SEAT)
        memcpy(key, attached->key.data, attached->key.len < 32 ? attached->key.len : 32);
    else {
        attached->has_key = true;
        attached->key.data = key;
        attached->key.len = sizeof key;
    }
}

/* The open waits, as the engine tells them, so that a bug may know them. */
static void note_waits(struct process *process, const struct effect *effect)
{
    const Arbiter__Watchdog__Waits *waits = OPEN_BODY(Arbiter__Watchdog__Waits, effect);
    for (size_t i = 0; i < waits->n_waits; i++) {
        uint32_t at = waits->waits[i]->match_id.data[0] % WAITS_SAID;
        memcpy(process->said_wait[at].match_id, waits->waits[i]->match_id.data, MATCH_ID_BYTES);
        process->said_wait[at].wait = waits->waits[i]->wait;
    }
}

static void deny(const struct effect *effect)
{
    Arbiter__Wire__Refused *refused = OPEN_BODY(Arbiter__Wire__Refused, effect);
    if (refused->sentence != NULL && strstr(refused->sentence, "does not have the rules") != NULL)
        refused->refusal = REFUSAL(NO_SUCH_MATCH);
}

static void spoil_answer(struct world *world, struct process *process, struct effect *effect)
{
    bool is_attached = effect->header.kind == KIND(ATTACHED);
    if (bug_is(world, process, BUG_WRONG_ROUTE))
        swap_route(process, effect);
    if (bug_is(world, process, BUG_ATTACH_OFF) && is_attached)
        OPEN_BODY(Arbiter__Engine__Attached, effect)->number--;
    if (bug_is(world, process, BUG_KEY_LEAKS) && is_attached)
        hand_out_key(effect);
    if (bug_is(world, process, BUG_STALE_WAIT) && effect->header.kind == KIND(WAITS))
        note_waits(process, effect);
    if (bug_is(world, process, BUG_NEWEST_VERSION))
        effect->header.version = PROTOCOL_NEWEST;
    if (bug_is(world, process, BUG_RULES_DENIED) && effect->header.kind == KIND(REFUSED))
        deny(effect);
}

static void forget_marks(const struct effect *effect)
{
    Arbiter__Stream__MovedAsk *ask = OPEN_BODY(Arbiter__Stream__MovedAsk, effect);
    ask->n_marks = 0;
    ask->has_epoch = false;
    ask->epoch = 0;
}

bool bugs_in_effect(struct world *world, struct process *process, struct effect *effect)
{
    uint16_t kind = effect->header.kind;
    if (world->plan.bug == BUG_NONE)
        return true;
    if (effect->kind == EFFECT_SEND)
        spoil_answer(world, process, effect);
    if (bug_is(world, process, BUG_NO_MARKS) && kind == KIND(MOVED_ASK))
        forget_marks(effect);
    if (bug_is(world, process, BUG_OVER_LOST) && kind == KIND(MATCH_OVER))
        return false;
    if (effect->kind != EFFECT_PUBLISH)
        return true;
    if (bug_is(world, process, BUG_ACT_TWICE) && kind == KIND(ACT) && effect->body != NULL)
        publish_other(world, process, effect);
    if (bug_is(world, process, BUG_COUNT_WRONG) && kind == KIND(SLOT_COUNT))
        OPEN_BODY(Arbiter__Stream__SlotCount, effect)->count++;
    return !bug_is(world, process, BUG_NO_HEADS) ||
           (kind != KIND(HEAD) && kind != KIND(SLOT_COUNT));
}
