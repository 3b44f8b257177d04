/* history_file.c: see history_file.h. */
#include "services/engine/history_file.h"

#include <assert.h>
#include <string.h>

#include "contract/envelope.pb-c.h"
#include "contract/stream.pb-c.h"
#include "history/journal_file.h"
#include "match/record.h"
#include "schema/cells.h"
#include "wire/names.h"

#define CODE_MAX 64u
#define RECORD_ROOM (192u << 10) /* An act is a command and a body, each of one message at most. */
#define ACTS_AT_ONCE 400u

struct file_question {
    bool         is_open;
    bool         is_allowed; /* He may have it.                                 */
    bool         is_doubted; /* The seats' keys are being looked at: is the caller's one of them? */
    bool         is_too_large;
    struct event asked; /* Its caller and header.                          */
    uint8_t      code[CODE_MAX];
    size_t       code_size;
    uint64_t     skip;
    uint64_t     next, next_skip; /* Where the next piece begins.                */
    bool         has_more;
    uint32_t     used, room;
    const struct crypto_ops *crypto;
    struct journal_file      file;
    char                     texts[JOURNAL_FILE_TEXTS];
    uint8_t                 *bytes; /* `room` and RECORD_ROOM.                               */
};

static size_t bytes_of(const struct history_settings *settings)
{
    return (settings->answer_bytes + RECORD_ROOM + 63u) & ~(size_t) 63u;
}

size_t file_questions_bytes(const struct history_settings *settings)
{
    return settings->files_max * (sizeof(struct file_question) + bytes_of(settings));
}

struct file_question *file_questions_init(void *memory, const struct history_settings *settings)
{
    struct file_question *questions = memory;
    uint8_t              *at = (uint8_t *) memory + settings->files_max * sizeof *questions;
    for (uint32_t i = 0; i < settings->files_max; i++) {
        questions[i].bytes = at + i * bytes_of(settings);
        questions[i].room = settings->answer_bytes;
        questions[i].crypto = settings->crypto;
    }
    return questions;
}

/* The answer is full before this record, or behind so many bytes of it. */
static bool stop(struct file_question *question, uint64_t skip)
{
    question->has_more = true;
    question->next = question->file.record;
    question->next_skip = skip;
    return false;
}

/* A record whole, or, where it alone is more than an answer holds, a piece of it. */
static bool put(void *taker, const Arbiter__Match__Record *record)
{
    struct file_question *question = taker;
    size_t                magic = question->file.record == 0 ? MATCH_FILE_MAGIC_SIZE : 0;
    size_t                size = magic + match_record_size(record);
    size_t   skip = question->file.record == question->file.from ? (size_t) question->skip : 0;
    uint8_t *to = question->bytes + question->used;
    if (size > RECORD_ROOM || skip > size) {
        question->is_too_large = true;
        return false;
    }
    if (question->used > 0 && question->used + size > question->room)
        return stop(question, 0);
    memcpy(to, MATCH_FILE_MAGIC, magic);
    match_record_write(to + magic, record, question->crypto);
    memmove(to, to + skip, size - skip);
    question->used += (uint32_t) (size - skip);
    if (question->used <= question->room)
        return true;
    question->used = question->room;
    return stop(question, skip + question->room);
}

static void refuse(const struct history_settings *settings, const struct event *asked,
                   uint32_t refusal, const char *sentence, struct outbox *out)
{
    Arbiter__Wire__Refused *refused = outbox_message(out, &arbiter__wire__refused__descriptor);
    refused->has_refusal = true;
    refused->refusal = (Arbiter__Wire__Refusal) refusal;
    refused->has_after_ms = refusal == REFUSAL(TOO_MUCH) || refusal == REFUSAL(AGAIN);
    refused->after_ms = settings->again_ms;
    refused->sentence = (char *) outbox_copy(out, sentence, text_length(sentence) + 1);
    outbox_answer(out, asked, KIND(REFUSED), refused);
}

/* The next read; false: there is none. */
static bool read_on(struct file_question *question, uint32_t tag, struct outbox *out)
{
    struct query query;
    if (question->is_doubted)
        journal_ask_match(&query, tag, JOURNAL_SEATS, question->file.id);
    else if (!journal_file_query(&question->file, &query))
        return false;
    query.tag = tag;
    outbox_read(out, &query);
    return true;
}

static void open_question(struct file_question *question, const struct event *event,
                          const Arbiter__Stream__FileAsk *ask)
{
    question->is_open = true;
    question->is_allowed = question->is_doubted = question->is_too_large = question->has_more =
        false;
    question->asked = (struct event){ .caller = event->caller, .header = event->header };
    question->code_size = ask->code.len;
    if (ask->code.len > 0)
        memcpy(question->code, ask->code.data, ask->code.len);
    question->skip = ask->has_skip ? ask->skip : 0;
    question->used = 0;
    journal_file_open(&question->file, event->header.match_id, ask->has_from ? ask->from : 0,
                      question->texts);
    question->file.put = put;
    question->file.taker = question;
    question->file.acts_limit = ACTS_AT_ONCE;
}

void file_on_ask(struct file_question *questions, const struct history_settings *settings,
                 uint32_t first_tag, const struct event *event, struct outbox *out)
{
    const Arbiter__Stream__FileAsk *ask = BODY(Arbiter__Stream__FileAsk, event);
    if (ask->code.len > CODE_MAX || (ask->has_from && ask->from > INT64_MAX / 2) ||
        (ask->has_skip && ask->skip > RECORD_ROOM)) {
        refuse(settings, event, REFUSAL(MALFORMED), "No file has such a place, or no table a code.",
               out);
        return;
    }
    for (uint32_t i = 0; i < settings->files_max; i++) {
        if (questions[i].is_open)
            continue;
        open_question(&questions[i], event, ask);
        (void) read_on(&questions[i], first_tag + i, out);
        return;
    }
    refuse(settings, event, REFUSAL(TOO_MUCH), "Too many files are being asked for; ask again.",
           out);
}

/* As with those who come to watch a running match (engine_attach.c). */
static void judge(struct file_question *question, const struct row *row)
{
    const uint8_t *code = NULL;
    size_t         size = 0;
    uint64_t       spectators = 0;
    (void) cell_number(row, MATCHES_SPECTATORS, &spectators);
    (void) cell_find(row, MATCHES_CODE, &code, &size);
    bool knows = size > 0 && size == question->code_size && memcmp(code, question->code, size) == 0;
    question->is_allowed = knows || (spectators != 0 && size == 0);
}

/* Or the caller sat there, at any time, by a key of its own. */
static void look_for_key(struct file_question *question, const struct row *row)
{
    uint8_t key[CALLER_KEY_SIZE];
    if (cell_bytes(row, SEATS_KEY, key, sizeof key) &&
        memcmp(key, question->asked.caller.key, sizeof key) == 0)
        question->is_allowed = true;
}

void file_on_row(struct file_question *questions, uint32_t index, const struct event *event)
{
    struct file_question *question = &questions[index];
    if (!question->is_open)
        return;
    if (question->is_doubted) {
        look_for_key(question, event->row);
        return;
    }
    if (question->file.part == FILE_MATCH)
        judge(question, event->row);
    (void) journal_file_row(&question->file, event->row);
}

/* Why it will not be answered; 0: it may be. */
static uint32_t refusal_of(const struct file_question *question)
{
    const struct journal_file *file = &question->file;
    if (file->is_wrong)
        return REFUSAL(QUARANTINED);
    if (file->part > FILE_MATCH && !file->is_there)
        return REFUSAL(NO_SUCH_MATCH);
    if (file->part > FILE_MATCH && !question->is_allowed)
        return REFUSAL(NOT_YOURS);
    if (file->part > FILE_RESULT && !file->is_over)
        return REFUSAL(NOT_OVER);
    return question->is_too_large ? REFUSAL(MALFORMED) : 0;
}

static const char *sentence_of(uint32_t refusal)
{
    switch (refusal) {
    case REFUSAL(NO_SUCH_MATCH): return "There is no such match here.";
    case REFUSAL(NOT_YOURS): return "The table is private: its code is needed to see its match.";
    case REFUSAL(NOT_OVER): return "The match goes on: its file is there when it is over.";
    case REFUSAL(QUARANTINED):
        return "The journal of this match is damaged; the operator knows why.";
    default: return "No file has such a place.";
    }
}

static void answer(struct file_question *question, struct outbox *out)
{
    const struct journal_file   *file = &question->file;
    Arbiter__Stream__FileAnswer *said =
        outbox_message(out, &arbiter__stream__file_answer__descriptor);
    if (file->part == FILE_ACTS && !question->has_more) { /* More acts than one read brings. */
        question->has_more = true;
        question->next = file->record;
        question->next_skip = 0;
    }
    said->has_bytes = said->has_from = said->has_skip = said->has_more = true;
    said->bytes =
        (ProtobufCBinaryData){ question->used, outbox_copy(out, question->bytes, question->used) };
    said->more = question->has_more;
    said->from = question->has_more ? question->next : file->record;
    said->skip = question->has_more ? question->next_skip : 0;
    outbox_answer(out, &question->asked, KIND(FILE_ANSWER), said);
}

static void finish(struct file_question *question, const struct history_settings *settings,
                   uint32_t refusal, struct outbox *out)
{
    if (refusal != 0)
        refuse(settings, &question->asked, refusal, sentence_of(refusal), out);
    else
        answer(question, out);
    question->is_open = false;
    memset(&question->file, 0, sizeof question->file); /* Secrets of matches that go on. */
}

void file_on_done(struct file_question *questions, const struct history_settings *settings,
                  uint32_t first_tag, uint32_t index, const struct event *event, struct outbox *out)
{
    struct file_question *question = &questions[index];
    if (!question->is_open)
        return;
    if (event->failed != 0) {
        refuse(settings, &question->asked, REFUSAL(AGAIN),
               "The journal could not be read; ask again.", out);
        question->is_open = false;
        return;
    }
    bool was_first = question->file.part == FILE_MATCH;
    if (question->is_doubted)
        question->is_doubted = false;
    else
        journal_file_done(&question->file);
    question->is_doubted = was_first && question->file.is_there && !question->is_allowed;
    uint32_t refusal = question->is_doubted ? 0 : refusal_of(question);
    if (refusal != 0 || !read_on(question, first_tag + index, out))
        finish(question, settings, refusal, out);
}
