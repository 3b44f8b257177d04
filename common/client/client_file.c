/* client_file.c: finished matches as files, asked for piece by piece at the engine's history door. Pure.
 *
 * The pieces are told in order, each once; one for which there is no room now is asked for again, since
 * nothing is lost by that. */
#include <string.h>

#include "client/client_private.h"

/* By its number; with 0 a free place; NULL: there is none. */
static struct client_file *file_find(struct client_core *core, uint32_t number)
{
    for (uint32_t i = 0; i < core->settings.files_max; i++)
        if (core->files[i].number == number)
            return &core->files[i];
    return NULL;
}

/* What a piece is asked for with. */
static uint32_t next_request(struct client_core *core)
{
    uint32_t request = 0;
    while (request == 0)
        request = ++core->numbers & TAG_SERIAL;
    return request;
}

static void say_ask(const struct turn *turn, const struct client_file *file)
{
    uint32_t engine = peers_engine_of(&turn->core->peers, header_slot(file->match_id));
    if (engine == NO_PEER || turn->core->peers.list[engine].doors.address[DOOR_HISTORY][0] == '\0')
        return;
    Arbiter__Stream__FileAsk *ask =
        outbox_message(turn->out, &arbiter__stream__file_ask__descriptor);
    ask->has_from = ask->has_skip = true;
    ask->from = file->from;
    ask->skip = file->skip;
    ask->has_code = file->code_size > 0;
    ask->code = (ProtobufCBinaryData){ file->code_size,
                                       outbox_copy(turn->out, file->code, file->code_size) };
    struct header header;
    header_init(&header, KIND(FILE_ASK), file->match_id);
    header.version = peers_version(&turn->core->peers, engine);
    header.request = TAG_HISTORY | file->request;
    outbox_send(turn->out, DOOR_PEER, peers_connection(engine, DOOR_HISTORY), &header, ask);
}

void file_pump(const struct turn *turn)
{
    for (uint32_t i = 0; i < turn->core->settings.files_max; i++) {
        struct client_file *file = &turn->core->files[i];
        if (file->number == 0 || !is_due(turn, &file->due))
            continue;
        say_ask(turn, file);
        due_again(turn, &file->due);
    }
}

static void on_answer(const struct turn *turn, struct client_file *file, const struct event *event)
{
    const Arbiter__Stream__FileAnswer *answer = BODY(Arbiter__Stream__FileAnswer, event);
    struct client_event told = { .kind = CLIENT_FILE, .seat = NO_SEAT, .request = file->number };
    bool                is_ahead =
        answer->from > file->from || (answer->from == file->from && answer->skip > file->skip);
    told.is_last = !answer->more;
    told.number = file->told;
    memcpy(told.match_id, file->match_id, CLIENT_ID_SIZE);
    if ((answer->more && !is_ahead) ||
        !tell(turn->core, &told, answer->bytes.data, answer->bytes.len))
        return;
    file->told += answer->bytes.len;
    file->from = answer->from;
    file->skip = answer->skip;
    file->due = due_now(turn);
    file->request = next_request(turn->core);
    file->number = told.is_last ? 0 : file->number;
}

static void on_refused(const struct turn *turn, struct client_file *file, const struct event *event)
{
    const Arbiter__Wire__Refused *refused = BODY(Arbiter__Wire__Refused, event);
    struct client_event           told = { .kind = CLIENT_REFUSED, .seat = NO_SEAT };
    told.refusal = refused->has_refusal ? refused->refusal : REFUSAL(AGAIN);
    if (is_for_later(event)) {
        due_refused(turn, &file->due, event);
        return;
    }
    told.request = file->number;
    memcpy(told.match_id, file->match_id, CLIENT_ID_SIZE);
    if (tell(turn->core, &told, event->bytes, event->size))
        file->number = 0;
}

/* Who waits for this answer; NULL: nobody any more. */
static struct client_file *who_waits(struct client_core *core, const struct event *event)
{
    for (uint32_t i = 0; i < core->settings.files_max; i++) {
        struct client_file *file = &core->files[i];
        if (file->number != 0 && file->request == (event->header.request & TAG_SERIAL) &&
            memcmp(file->match_id, event->header.match_id, CLIENT_ID_SIZE) == 0)
            return file;
    }
    return NULL;
}

bool file_message(const struct turn *turn, const struct event *event)
{
    if ((event->header.request & ~TAG_SERIAL) != TAG_HISTORY ||
        (event->header.request & TAG_SERIAL) == 0)
        return false;
    struct client_file *file = who_waits(turn->core, event);
    if (file != NULL && event->header.kind == KIND(FILE_ANSWER))
        on_answer(turn, file, event);
    else if (file != NULL && event->header.kind == KIND(REFUSED))
        on_refused(turn, file, event);
    return true;
}

uint32_t client_core_file(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                          const uint8_t *code, size_t code_size, uint64_t now_ms,
                          struct outbox *out)
{
    const struct turn   turn = { core, now_ms, out };
    struct client_file *file = file_find(core, 0);
    if (file == NULL || code_size > sizeof file->code)
        return 0;
    *file = (struct client_file){ .code_size = code_size, .due = due_now(&turn) };
    memcpy(file->match_id, match_id, CLIENT_ID_SIZE);
    if (code_size > 0)
        memcpy(file->code, code, code_size);
    file->number = file->request = next_request(core);
    file_pump(&turn);
    return file->number;
}

void client_core_file_stop(struct client_core *core, uint32_t number)
{
    struct client_file *file = number != 0 ? file_find(core, number) : NULL;
    if (file != NULL)
        file->number = 0;
}
