/* engine_ticket.c: the lobby's word that a gateway may speak for a player, checked once, at attach. Pure.
 *
 * The ticket is read by hand, because its signature is over the bytes as they came. Its end is a time of
 * people's clocks: the one place where the engine asks what o'clock it is. */
#include <string.h>

#include "contract/directory.pb-c.h"
#include "contract/envelope_fields.h"
#include "services/engine/engine_parts.h"
#include "wire/field_write.h"
#include "wire/varint.h"

#define SIGNATURE_SIZE 64u
#define TICKET_MAX 256u

static const char label[] = "arbiter ticket";

struct ticket {
    const uint8_t *player;
    const uint8_t *gateway;
    uint64_t       expires_ms;
};

/* Each of its three fields is as long as it must be, and no other is there. */
static bool read_ticket(const uint8_t *bytes, size_t size, struct ticket *ticket)
{
    struct reader in = reader_of(bytes, size);
    memset(ticket, 0, sizeof *ticket);
    while (in.at < in.end) {
        uint64_t      tag;
        struct reader body;
        if (!varint_read_short(&in, &tag))
            return false;
        if (tag == NUMBER_TAG(FIELD_WIRE_TICKET_EXPIRES_MS)) {
            if (!varint_read(&in, &ticket->expires_ms))
                return false;
            continue;
        }
        if ((tag & 7) != 2 || !varint_read_body(&in, &body))
            return false;
        size_t length = (size_t) (body.end - body.at);
        if (tag >> 3 == FIELD_WIRE_TICKET_PLAYER && length == PLAYER_SIZE)
            ticket->player = body.at;
        else if (tag >> 3 == FIELD_WIRE_TICKET_GATEWAY && length == CALLER_KEY_SIZE)
            ticket->gateway = body.at;
        else
            return false;
    }
    return ticket->player != NULL && ticket->gateway != NULL;
}

static bool is_signed(const struct engine *engine, const Arbiter__Wire__SignedTicket *ticket,
                      struct outbox *out)
{
    size_t size = sizeof label - 1 + ticket->ticket.len;
    if (engine->settings.helpers.verify == NULL || !engine->has_ticket_key ||
        ticket->signature.len != SIGNATURE_SIZE || ticket->ticket.len > TICKET_MAX)
        return false;
    uint8_t *text = outbox_take(out, size);
    memcpy(text, label, sizeof label - 1);
    memcpy(text + sizeof label - 1, ticket->ticket.data, ticket->ticket.len);
    return engine->settings.helpers.verify(ticket->signature.data, text, size, engine->ticket_key);
}

static bool is_banned(const struct engine *engine, const uint8_t *player)
{
    for (uint32_t i = 0; i < engine->banned_count; i++)
        if (memcmp(engine->banned[i], player, PLAYER_SIZE) == 0)
            return true;
    return false;
}

/* The lobby's key and its bans come with the directory; without a word about them they stay. */
void engine_directory_heard(struct engine *engine, const Arbiter__Directory__Directory *directory)
{
    if (directory->ticket_key.len == sizeof engine->ticket_key) {
        memcpy(engine->ticket_key, directory->ticket_key.data, sizeof engine->ticket_key);
        engine->has_ticket_key = true;
    }
    engine->banned_count = 0;
    for (size_t i = 0; i < directory->n_banned_players && i < BANNED_MAX; i++)
        if (directory->banned_players[i].len == PLAYER_SIZE)
            memcpy(engine->banned[engine->banned_count++], directory->banned_players[i].data,
                   PLAYER_SIZE);
}

bool engine_ticket_holds(const struct engine *engine, const struct event *event,
                         const Arbiter__Wire__SignedTicket *ticket, uint8_t player[PLAYER_SIZE],
                         struct outbox *out)
{
    struct ticket read;
    if (!engine_is_from(engine, event, ROLE(GATEWAY)) ||
        !read_ticket(ticket->ticket.data, ticket->ticket.len, &read) ||
        memcmp(read.gateway, event->caller.key, CALLER_KEY_SIZE) != 0 ||
        read.expires_ms <= event->wall_ms || is_banned(engine, read.player) ||
        !is_signed(engine, ticket, out))
        return false;
    memcpy(player, read.player, PLAYER_SIZE);
    return true;
}
