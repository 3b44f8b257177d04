/* archive.c: see archive.h. */
#include "services/gateway/archive/archive.h"

#include <string.h>

#include "contract/envelope.pb-c.h"
#include "wire/names.h"

#define ASK_MAX ARCHIVE_ASK_MAX
#define CODE_MAX 64u

/* A question, and whose. */
struct asker {
    uint64_t route; /* 0: nobody's.                                                             */
    bool     is_file;
    uint32_t number; /* Of the client's call; 0: it is not asked yet.                           */
    uint64_t until_ms;
    uint8_t  match_id[CLIENT_ID_SIZE];
    uint8_t  text[ASK_MAX]; /* The code, or the ask.                                            */
    size_t   text_size;
};

struct archive {
    struct archive_settings settings;
    struct client_core     *client;
    struct asker            askers[];
};

void archive_defaults(struct archive_settings *settings)
{
    settings->asks_max = 256;
    settings->patience_ms = 15000;
}

size_t archive_bytes(const struct archive_settings *settings)
{
    return sizeof(struct archive) + settings->asks_max * sizeof(struct asker);
}

struct archive *archive_init(void *memory, const struct archive_settings *settings,
                             struct client_core *client)
{
    struct archive *archive = memory;
    memset(memory, 0, archive_bytes(settings));
    archive->settings = *settings;
    archive->client = client;
    return archive;
}

static void send(const struct archive_turn *turn, uint64_t route, const void *message)
{
    const struct header header = { 0 };
    outbox_send(turn->out, DOOR_SIDE, route, &header, message);
}

static void send_word(const struct archive_turn *turn, uint64_t route,
                      const struct client_event *told)
{
    Arbiter__Gateway__LobbyWord *word =
        outbox_message(turn->out, &arbiter__gateway__lobby_word__descriptor);
    word->has_answer = told != NULL;
    if (word->has_answer)
        word->answer =
            (ProtobufCBinaryData){ told->size, outbox_copy(turn->out, told->bytes, told->size) };
    send(turn, route, word);
}

static void send_piece(const struct archive_turn *turn, uint64_t route,
                       const struct client_event *told)
{
    Arbiter__Gateway__FilePiece *piece =
        outbox_message(turn->out, &arbiter__gateway__file_piece__descriptor);
    piece->has_bytes = piece->has_last = true;
    piece->bytes =
        (ProtobufCBinaryData){ told->size, outbox_copy(turn->out, told->bytes, told->size) };
    piece->last = told->is_last;
    send(turn, route, piece);
}

static void refuse(const struct archive_turn *turn, uint64_t route, bool is_file, uint32_t refusal)
{
    if (!is_file) {
        send_word(turn, route, NULL);
        return;
    }
    Arbiter__Gateway__FilePiece *piece =
        outbox_message(turn->out, &arbiter__gateway__file_piece__descriptor);
    piece->has_refusal = true;
    piece->refusal = refusal;
    send(turn, route, piece);
}

/* Files go through a few at a time; the others wait for their turn. */
static void pump(const struct archive_turn *turn)
{
    struct archive *archive = turn->archive;
    for (uint32_t i = 0; i < archive->settings.asks_max; i++) {
        struct asker *asker = &archive->askers[i];
        if (asker->route == 0 || asker->number != 0)
            continue;
        asker->number = asker->is_file
                            ? client_core_file(archive->client, asker->match_id, asker->text,
                                               asker->text_size, turn->now_ms, turn->out)
                            : client_core_ask(archive->client, asker->text, asker->text_size,
                                              turn->now_ms, turn->out);
    }
}

static struct asker *open_asker(const struct archive_turn *turn, uint64_t route)
{
    for (uint32_t i = 0; i < turn->archive->settings.asks_max; i++) {
        struct asker *asker = &turn->archive->askers[i];
        if (asker->route != 0)
            continue;
        *asker = (struct asker){ .route = route };
        asker->until_ms = turn->now_ms + turn->archive->settings.patience_ms;
        return asker;
    }
    return NULL;
}

static void hear_wish(const struct archive_turn *turn, uint64_t route,
                      const ProtobufCBinaryData *text, const ProtobufCBinaryData *match_id)
{
    bool fits = text->len <= (match_id != NULL ? CODE_MAX : ASK_MAX) &&
                (match_id == NULL || match_id->len == CLIENT_ID_SIZE);
    struct asker *asker = fits ? open_asker(turn, route) : NULL;
    if (asker == NULL) {
        refuse(turn, route, match_id != NULL, fits ? REFUSAL(TOO_MUCH) : REFUSAL(MALFORMED));
        return;
    }
    asker->is_file = match_id != NULL;
    if (match_id != NULL)
        memcpy(asker->match_id, match_id->data, CLIENT_ID_SIZE);
    if (text->len > 0)
        memcpy(asker->text, text->data, text->len);
    asker->text_size = text->len;
    pump(turn);
}

static void hang_up(const struct archive_turn *turn, uint64_t route)
{
    for (uint32_t i = 0; i < turn->archive->settings.asks_max; i++) {
        struct asker *asker = &turn->archive->askers[i];
        if (asker->route != route)
            continue;
        if (asker->is_file)
            client_core_file_stop(turn->archive->client, asker->number);
        asker->route = 0;
        pump(turn);
    }
}

void archive_hear(const struct archive_turn *turn, const struct event *event)
{
    const ProtobufCMessageDescriptor *kind = event->body->descriptor;
    if (kind == &arbiter__gateway__file_wish__descriptor) {
        const Arbiter__Gateway__FileWish *wish = BODY(Arbiter__Gateway__FileWish, event);
        hear_wish(turn, event->caller.route, &wish->code, &wish->match_id);
    } else if (kind == &arbiter__gateway__lobby_wish__descriptor) {
        const Arbiter__Gateway__LobbyWish *wish = BODY(Arbiter__Gateway__LobbyWish, event);
        hear_wish(turn, event->caller.route, &wish->ask, NULL);
    } else if (kind == &arbiter__gateway__hangup__descriptor) {
        hang_up(turn, event->caller.route);
    }
}

static struct asker *find(struct archive *archive, uint32_t number)
{
    for (uint32_t i = 0; i < archive->settings.asks_max && number != 0; i++)
        if (archive->askers[i].route != 0 && archive->askers[i].number == number)
            return &archive->askers[i];
    return NULL;
}

bool archive_told(const struct archive_turn *turn, const struct client_event *told)
{
    bool          is_ours = told->kind == CLIENT_FILE;
    struct asker *asker = NULL;
    if (is_ours || told->kind == CLIENT_ANSWER || told->kind == CLIENT_REFUSED)
        asker = find(turn->archive, told->request);
    if (asker == NULL)
        return is_ours;
    asker->until_ms = turn->now_ms + turn->archive->settings.patience_ms;
    if (told->kind == CLIENT_FILE)
        send_piece(turn, asker->route, told);
    else if (told->kind == CLIENT_ANSWER)
        send_word(turn, asker->route, told);
    else
        refuse(turn, asker->route, asker->is_file, told->refusal);
    if (told->kind == CLIENT_FILE && !told->is_last)
        return true;
    asker->route = 0;
    pump(turn);
    return true;
}

void archive_tick(const struct archive_turn *turn)
{
    for (uint32_t i = 0; i < turn->archive->settings.asks_max; i++) {
        struct asker *asker = &turn->archive->askers[i];
        if (asker->route == 0 || asker->until_ms > turn->now_ms)
            continue;
        if (asker->is_file)
            client_core_file_stop(turn->archive->client, asker->number);
        refuse(turn, asker->route, asker->is_file, REFUSAL(AGAIN));
        asker->route = 0;
    }
    pump(turn);
}
