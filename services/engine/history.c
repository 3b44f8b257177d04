/* history.c: questions about the past become reads, and reads become answers. Pure. */
#include "services/engine/history.h"

#include <stdbool.h>
#include <string.h>

#include "base/room.h"
#include "base/text.h"
#include "contract/envelope.pb-c.h"
#include "contract/stream.pb-c.h"
#include "core/greet.h"
#include "schema/cells.h"
#include "schema/journal.h"
#include "services/engine/history_file.h"
#include "wire/crypto.h"
#include "wire/names.h"
#include "wire/order.h"

#define OWN(number, otherwise) ((number) != 0 ? (number) : (otherwise))
#define ACT_OVERHEAD 160u /* What an act takes in a message beside its body.                    */
#define ACTS_MAX 400u     /* In one answer.                                                     */
#define LARGEST_BODY (60u << 10)
#define MESSAGE_BYTES_MAX (60u << 10)

/* The four reads of a question, in this order. */
enum part { PART_EPOCH, PART_MATCH, PART_LAST, PART_ACTS, PARTS };

struct asker {
    struct header header;
    uint64_t      route;
    uint32_t      door;
};

/* An act that was read; its body stands in the question's bytes. */
struct kept {
    uint64_t number, epoch, slot_count, actor;
    uint8_t  chain_before[CRYPTO_HASH_SIZE];
    uint8_t  command_hash[CRYPTO_HASH_SIZE];
    uint32_t body, body_size;
};

struct question {
    bool          is_open;
    bool          is_full;  /* What comes now has no room any more.                             */
    bool          is_wrong; /* A row was not what was written, or the store could not.          */
    uint8_t       match_id[HEADER_MATCH_SIZE];
    uint64_t      from, to;
    uint64_t      epoch, last, protocol;
    uint32_t      askers, acts, used;
    struct asker *asker;
    struct kept  *act;
    uint8_t      *bytes;
};

struct history {
    struct history_settings settings;
    struct file_question   *files;
    struct question         questions[];
};

static void fill_in(struct history_settings *own, const struct history_settings *settings)
{
    *own = *settings;
    own->questions_max = OWN(own->questions_max, 256);
    own->askers_max = OWN(own->askers_max, 16);
    own->answer_bytes = OWN(own->answer_bytes, 48u << 10);
    if (own->answer_bytes > MESSAGE_BYTES_MAX)
        own->answer_bytes = MESSAGE_BYTES_MAX;
    own->again_ms = OWN(own->again_ms, 100);
    own->files_max = OWN(own->files_max, 1);
}

static size_t bytes_room(const struct history_settings *settings)
{
    return room_for(settings->answer_bytes + LARGEST_BODY);
}

size_t history_bytes(const struct history_settings *settings)
{
    struct history_settings own;
    fill_in(&own, settings);
    size_t each = room_for(own.askers_max * sizeof(struct asker)) +
                  room_for(ACTS_MAX * sizeof(struct kept)) + bytes_room(&own);
    return room_for(sizeof(struct history) + own.questions_max * sizeof(struct question)) +
           own.questions_max * each + file_questions_bytes(&own);
}

struct history *history_init(void *memory, const struct history_settings *settings)
{
    struct history *history = memory;
    memset(memory, 0, history_bytes(settings));
    fill_in(&history->settings, settings);
    uint8_t *at = (uint8_t *) memory + room_for(sizeof *history + history->settings.questions_max *
                                                                      sizeof history->questions[0]);
    for (uint32_t i = 0; i < history->settings.questions_max; i++) {
        struct question *question = &history->questions[i];
        question->asker = room_take(&at, history->settings.askers_max * sizeof(struct asker));
        question->act = room_take(&at, ACTS_MAX * sizeof(struct kept));
        question->bytes = at;
        at += bytes_room(&history->settings);
    }
    history->files = file_questions_init(at, &history->settings);
    return history;
}

static void refuse(const struct asker *asker, uint32_t refusal, uint64_t after_ms,
                   const char *sentence, struct outbox *out)
{
    Arbiter__Wire__Refused *refused = outbox_message(out, &arbiter__wire__refused__descriptor);
    struct header           header = asker->header;
    refused->has_refusal = refused->has_after_ms = true;
    refused->refusal = (Arbiter__Wire__Refusal) refusal;
    refused->after_ms = after_ms;
    refused->sentence = (char *) outbox_copy(out, sentence, text_length(sentence) + 1);
    header.kind = KIND(REFUSED);
    outbox_send(out, asker->door, asker->route, &header, refused);
}

static uint32_t tag_of(uint32_t question, enum part part)
{
    return question * PARTS + (uint32_t) part;
}

static void ask_store(uint32_t index, const struct question *question, struct outbox *out)
{
    struct query   query;
    const uint8_t *id = outbox_copy(out, question->match_id, HEADER_MATCH_SIZE);
    journal_ask_slot(&query, tag_of(index, PART_EPOCH), JOURNAL_SLOTS,
                     header_slot(question->match_id));
    outbox_read(out, &query);
    journal_ask_row(&query, tag_of(index, PART_MATCH), JOURNAL_MATCHES, id);
    outbox_read(out, &query);
    journal_ask_match(&query, tag_of(index, PART_LAST), JOURNAL_ACTS, id);
    query.descending = true;
    query.limit = 1;
    outbox_read(out, &query);
    journal_ask_match(&query, tag_of(index, PART_ACTS), JOURNAL_ACTS, id);
    query.has_from = true;
    query.from = (struct cell){ .kind = CELL_NUMBER, .number = (int64_t) question->from };
    query.has_to = question->to != 0;
    query.to = (struct cell){ .kind = CELL_NUMBER, .number = (int64_t) question->to };
    query.limit = ACTS_MAX;
    outbox_read(out, &query);
}

/* The question that is under way already, or a free place; NULL: there is none. */
static struct question *place_of(struct history *history, const uint8_t *match_id, uint64_t from,
                                 uint64_t to)
{
    struct question *free_place = NULL;
    for (uint32_t i = 0; i < history->settings.questions_max; i++) {
        struct question *question = &history->questions[i];
        if (!question->is_open) {
            free_place = free_place == NULL ? question : free_place;
        } else if (question->from == from && question->to == to &&
                   question->askers < history->settings.askers_max &&
                   memcmp(question->match_id, match_id, HEADER_MATCH_SIZE) == 0) {
            return question;
        }
    }
    return free_place;
}

static void on_ask(struct history *history, const struct event *event, struct outbox *out)
{
    const Arbiter__Stream__HistoryAsk *ask = BODY(Arbiter__Stream__HistoryAsk, event);
    struct asker asker = { event->header, event->caller.route, event->caller.door };
    uint64_t     from = ask->has_from && ask->from > 0 ? ask->from : 1;
    uint64_t     to = ask->has_to ? ask->to : 0;
    if (from > INT64_MAX || to > INT64_MAX || (ask->has_to && to < from)) {
        refuse(&asker, REFUSAL(MALFORMED), 0, "The last act asked for comes before the first.",
               out);
        return;
    }
    struct question *question = place_of(history, event->header.match_id, from, to);
    if (question == NULL) {
        refuse(&asker, REFUSAL(TOO_MUCH), history->settings.again_ms,
               "Too much is being asked at this door; ask again, or another one.", out);
        return;
    }
    if (!question->is_open) {
        question->is_open = true;
        question->is_full = question->is_wrong = false;
        memcpy(question->match_id, event->header.match_id, HEADER_MATCH_SIZE);
        question->from = from;
        question->to = to;
        question->epoch = question->last = question->protocol = 0;
        question->askers = question->acts = question->used = 0;
        ask_store((uint32_t) (question - history->questions), question, out);
    }
    question->asker[question->askers++] = asker;
}

/* An act in order that fits the budget is kept; the first one fits in any case. */
static void keep_act(const struct history *history, struct question *question,
                     const struct row *row)
{
    struct kept   *act = &question->act[question->acts];
    const uint8_t *body = NULL;
    size_t         size = 0;
    if (question->is_full || question->is_wrong || question->acts == ACTS_MAX)
        return;
    if (!cell_number(row, ACTS_NUMBER, &act->number) ||
        !cell_number(row, ACTS_EPOCH, &act->epoch) ||
        !cell_number(row, ACTS_SLOT_COUNT, &act->slot_count) ||
        !cell_number(row, ACTS_ACTOR, &act->actor) ||
        !cell_bytes(row, ACTS_CHAIN_BEFORE, act->chain_before, CRYPTO_HASH_SIZE) ||
        !cell_bytes(row, ACTS_COMMAND_HASH, act->command_hash, CRYPTO_HASH_SIZE) ||
        !cell_find(row, ACTS_BODY, &body, &size) || size > LARGEST_BODY ||
        act->number != question->from + question->acts) {
        question->is_wrong = true;
        return;
    }
    size_t budget = history->settings.answer_bytes;
    if (question->acts > 0 &&
        question->used + size + (question->acts + 1) * ACT_OVERHEAD > budget) {
        question->is_full = true;
        return;
    }
    act->body = question->used;
    act->body_size = (uint32_t) size;
    if (size > 0)
        memcpy(question->bytes + question->used, body, size);
    question->used += act->body_size;
    question->acts++;
}

static void on_row(struct history *history, const struct event *event)
{
    uint32_t index = event->tag / PARTS;
    if (index >= history->settings.questions_max || !history->questions[index].is_open)
        return;
    struct question *question = &history->questions[index];
    switch (event->tag % PARTS) {
    case PART_EPOCH:
        question->is_wrong |= !cell_number(event->row, SLOTS_EPOCH, &question->epoch);
        break;
    case PART_MATCH: /* One of before says nothing of it. */
        (void) cell_number(event->row, MATCHES_PROTOCOL, &question->protocol);
        break;
    case PART_LAST:
        question->is_wrong |= !cell_number(event->row, ACTS_NUMBER, &question->last);
        break;
    default: keep_act(history, question, event->row);
    }
}

static Arbiter__Stream__Act *act_of(const struct question *question, const struct kept *kept,
                                    struct outbox *out)
{
    Arbiter__Stream__Act *act = outbox_message(out, &arbiter__stream__act__descriptor);
    act->has_number = act->has_epoch = act->has_slot_count = act->has_actor = true;
    act->number = kept->number;
    act->epoch = kept->epoch;
    act->slot_count = kept->slot_count;
    act->actor = (uint32_t) kept->actor;
    act->has_chain_before = act->has_command_hash = act->has_body = true;
    act->chain_before =
        (ProtobufCBinaryData){ CRYPTO_HASH_SIZE,
                               outbox_copy(out, kept->chain_before, CRYPTO_HASH_SIZE) };
    act->command_hash =
        (ProtobufCBinaryData){ CRYPTO_HASH_SIZE,
                               outbox_copy(out, kept->command_hash, CRYPTO_HASH_SIZE) };
    act->body =
        (ProtobufCBinaryData){ kept->body_size,
                               outbox_copy(out, question->bytes + kept->body, kept->body_size) };
    return act;
}

/* One answer, sent to all who asked. */
static void answer(struct question *question, struct outbox *out)
{
    Arbiter__Stream__HistoryAnswer *said =
        outbox_message(out, &arbiter__stream__history_answer__descriptor);
    said->acts = outbox_take(out, question->acts * sizeof *said->acts);
    for (uint32_t i = 0; i < question->acts; i++)
        said->acts[said->n_acts++] = act_of(question, &question->act[i], out);
    said->has_last = true;
    said->last = question->last;
    for (uint32_t i = 0; i < question->askers; i++) {
        struct header header = question->asker[i].header;
        header.kind = KIND(HISTORY_ANSWER);
        header.version = header_spoken((uint32_t) question->protocol);
        header.epoch = question->epoch;
        header.number = question->last;
        outbox_send(out, question->asker[i].door, question->asker[i].route, &header, said);
    }
}

static void on_read_done(struct history *history, const struct event *event, struct outbox *out)
{
    uint32_t index = event->tag / PARTS;
    if (index >= history->settings.questions_max || !history->questions[index].is_open)
        return;
    struct question *question = &history->questions[index];
    question->is_wrong |= event->failed != 0;
    if (event->tag % PARTS != PART_ACTS)
        return;
    question->is_open = false;
    if (!question->is_wrong) {
        answer(question, out);
        return;
    }
    for (uint32_t i = 0; i < question->askers; i++)
        refuse(&question->asker[i], REFUSAL(AGAIN), history->settings.again_ms,
               "The journal could not be read; ask again.", out);
}

/* The reads of files have the tags behind those of questions. */
static uint32_t files_tag(const struct history *history)
{
    return history->settings.questions_max * PARTS;
}

/* What was read for a file. False: it was for a question. */
static bool on_file(struct history *history, const struct event *event, struct outbox *out)
{
    uint32_t first = files_tag(history);
    if (event->tag < first || event->tag - first >= history->settings.files_max)
        return false;
    if (event->kind == EVENT_ROW)
        file_on_row(history->files, event->tag - first, event);
    else
        file_on_done(history->files, &history->settings, first, event->tag - first, event, out);
    return true;
}

static void history_step(void *core, const struct event *event, struct outbox *out)
{
    struct history *history = core;
    if (greet_step(event, out))
        return;
    switch (event->kind) {
    case EVENT_MESSAGE:
        if (event->header.kind == KIND(HISTORY_ASK))
            on_ask(history, event, out);
        else if (event->header.kind == KIND(FILE_ASK))
            file_on_ask(history->files, &history->settings, files_tag(history), event, out);
        break;
    case EVENT_ROW:
        if (!on_file(history, event, out))
            on_row(history, event);
        break;
    case EVENT_READ_DONE:
        if (!on_file(history, event, out))
            on_read_done(history, event, out);
        break;
    case EVENT_STOP: outbox_exit(out); break;
    default: break;
    }
}

/* It keeps nothing, so there is nothing to undo. */
static void history_settle(void *core, enum store_outcome outcome, struct outbox *out)
{
    (void) core;
    (void) outcome;
    (void) out;
}

const struct core_ops history_ops = { .step = history_step,
                                      .settle = history_settle,
                                      .schema = &journal_schema };
