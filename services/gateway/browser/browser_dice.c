/* browser_dice.c: bytes for hosted dice that a page or a program makes itself, and this door only passes on. Pure.
 *
 * Who says so in its hello hears what is wanted, and answers. The lobby is told, so that the match's header says whose
 * bytes they are; from then on the header counts. If all such tabs of a player are away, nobody answers for
 * the seat: it falls silent in time, and the file says so. The gateway never puts bytes of its own in their place. */
#include "contract/browser_fields.h"
#include "contract/engine_fields.h"
#include "contract/envelope_fields.h"
#include "contract/lobby_fields.h"
#include "contract/stream_fields.h"
#include "services/gateway/browser/browser_parts.h"
#include "wire/field.h"
#include "wire/field_write.h"

#define ORIGINS_AT_ONCE 16u

#define ORIGIN(name) ARBITER__WIRE__ORIGIN__ORIGIN_##name

static_assert((int) CLIENT_WANTS_HASH == (int) ARBITER__BROWSER__DICE__WANTED__WANTED_HASH &&
                  (int) CLIENT_WANTS_BYTES == (int) ARBITER__BROWSER__DICE__WANTED__WANTED_REVEAL,
              "what the core wants is what pages are told");

static void put_seats(struct down *down, uint32_t field, uint32_t seats)
{
    for (uint32_t seat = 0; seat < CLIENT_DICE_SEATS; seat++)
        if ((seats >> seat & 1) != 0)
            down_number(down, field, seat);
}

static void put_hashes(struct down *down, const struct client_dice *dice)
{
    for (uint32_t seat = 0; seat < CLIENT_DICE_SEATS; seat++) {
        uint8_t  inside[CLIENT_KEY_SIZE + 8];
        uint8_t *end = field_number(inside, FIELD_STREAM_HASH_POSTED_SEAT, seat);
        end = field_bytes(end, FIELD_STREAM_HASH_POSTED_HASH, dice->hash[seat], CLIENT_KEY_SIZE);
        if ((dice->posted >> seat & 1) != 0)
            down_bytes(down, FIELD_BROWSER_DICE_HASHES, inside, (size_t) (end - inside));
    }
}

static void tell(const struct browser_turn *turn, struct browser_tab *tab,
                 const struct browser_seat *seat, uint32_t request)
{
    const struct client_dice *dice =
        client_core_dice(turn->browser->client, seat->match_id, seat->seat);
    struct down down = down_begin(turn->browser->scratch);
    if (dice == NULL)
        return;
    down_match(&down, seat->match_id, seat->seat);
    down_bytes(&down, FIELD_BROWSER_DICE_COMMITMENT, dice->commitment, sizeof dice->commitment);
    put_seats(&down, FIELD_BROWSER_DICE_SEATS, dice->seats);
    put_hashes(&down, dice);
    put_seats(&down, FIELD_BROWSER_DICE_SILENT, dice->silent);
    down_number(&down, FIELD_BROWSER_DICE_WANTED, dice->wanted);
    browser_tell(turn, tab, &down, FIELD_BROWSER_DOWN_DICE, request, BROWSER_NO_GAME);
}

uint32_t browser_origin(const struct browser_session *session)
{
    return session->owns_bytes ? ORIGIN(OWN) : ORIGIN(GATEWAY);
}

/* Of this seat, in an engine.Contributor; 0: it is another's. */
static uint32_t origin_in(struct reader contributor, uint32_t seat)
{
    struct wire_field field;
    uint32_t          of = NO_SEAT, origin = 0;
    while (wire_field(&contributor, &field)) {
        if (field.number == FIELD_WIRE_CONTRIBUTOR_SEAT)
            of = (uint32_t) field.value;
        if (field.number == FIELD_WIRE_CONTRIBUTOR_ORIGIN)
            origin = (uint32_t) field.value;
    }
    return of == seat ? origin : 0;
}

/* What the header says of the seat, in an engine.Attached; 0: nothing, for the match is of version 1. */
static uint32_t origin_of(const struct client_event *event, uint32_t seat)
{
    struct wire_field field, inside;
    uint32_t          origin = 0;
    for (struct reader in = reader_of(event->bytes, event->size); wire_field(&in, &field);)
        for (struct reader match = field.body;
             field.number == FIELD_ENGINE_ATTACHED_MATCH && wire_field(&match, &inside);)
            if (inside.number == FIELD_ENGINE_MATCH_FACTS_CONTRIBUTORS && origin == 0)
                origin = origin_in(inside.body, seat);
    return origin;
}

void browser_dice_begin(const struct browser_turn *turn, const struct browser_seat *seat,
                        const struct client_event *event)
{
    const struct browser_session *session = &turn->browser->sessions[seat->session];
    uint32_t                      origin = origin_of(event, seat->seat);
    if (origin == 0)
        origin = browser_origin(session);
    client_core_dice_by_caller(turn->browser->client, seat->match_id, seat->seat,
                               origin == ORIGIN(OWN));
}

void browser_dice_wanted(const struct browser_turn *turn, const struct browser_seat *seat)
{
    for (uint32_t i = 0; i < turn->browser->settings.tabs_max; i++) {
        struct browser_tab *tab = &turn->browser->tabs[i];
        if (tab->route != 0 && tab->state == TAB_IN && tab->session == seat->session &&
            tab->owns_bytes)
            tell(turn, tab, seat, 0);
    }
}

void browser_dice_for(const struct browser_turn *turn, struct browser_tab *tab)
{
    struct browser *browser = turn->browser;
    browser->sessions[tab->session].owns_bytes = tab->owns_bytes;
    for (uint32_t i = 0; i < browser->settings.tabs_max; i++) {
        const struct browser_tab *other = &browser->tabs[i];
        if (other->route != 0 && other->state == TAB_IN && other->session == tab->session)
            browser->sessions[tab->session].owns_bytes |= other->owns_bytes;
    }
    for (uint32_t i = 0; i < browser->settings.seats_max && tab->owns_bytes; i++) {
        const struct browser_seat *seat = &browser->seats[i];
        const struct client_dice  *dice =
            seat->is_used && seat->session == tab->session
                 ? client_core_dice(browser->client, seat->match_id, seat->seat)
                 : NULL;
        if (dice != NULL && dice->wanted != CLIENT_WANTS_NOTHING)
            tell(turn, tab, seat, 0);
    }
}

/* "Who is this?" with the word in it: it changes nothing else, and nobody waits for the answer. */
static bool say_origin(const struct browser_turn *turn, struct browser_session *session)
{
    uint8_t                      ask[8];
    uint8_t                     *end = field_bytes(ask, FIELD_LOBBY_ASK_BIND_NAME, NULL, 0);
    const struct browser_pending pending = { .kind = WAIT_ASK,
                                             .session =
                                                 (uint32_t) (session - turn->browser->sessions),
                                             .serial = session->serial };
    return browser_ask_lobby(turn, pending, ask, (size_t) (end - ask), session);
}

void browser_dice_tick(const struct browser_turn *turn)
{
    struct browser *browser = turn->browser;
    uint32_t        said = 0;
    for (uint32_t i = 0; i < browser->settings.sessions_max && said < ORIGINS_AT_ONCE; i++) {
        struct browser_session *session = &browser->sessions[i];
        bool is_due = session->is_used && session->is_known && session->owns_bytes &&
                      session->welcome != browser->welcomes;
        if (is_due && !say_origin(turn, session))
            return;
        said += is_due;
    }
}

void browser_contribute(const struct browser_turn *turn, struct browser_tab *tab, uint32_t request,
                        const Arbiter__Browser__Contribute *said)
{
    const ProtobufCBinaryData *bytes = said->has_hash ? &said->hash : &said->reveal;
    struct browser_seat *seat = browser_seat_held(turn, tab, request, &said->match_id, said->seat);
    if (seat == NULL)
        return;
    if (said->has_hash == said->has_reveal ||
        !client_core_contribute(turn->browser->client, seat->match_id, seat->seat, bytes->data,
                                bytes->len, turn->now_ms, turn->out)) {
        browser_refuse(turn, tab, request, REFUSAL(NOT_YOURS),
                       "These bytes are not wanted of you now.", 0);
        return;
    }
    tell(turn, tab, seat, request);
}
