/* client_lobby.c: asks of the lobby: numbered, one under way, said again until answered. Pure.
 *
 * The lobby wants the requests of each player numbered upwards, for ever, and says at hello which
 * was the last. Gaps do no harm, so one counter serves ourselves and all players for whom we
 * speak. */
#include <assert.h>
#include <string.h>

#include "client/client_private.h"
#include "contract/lobby_fields.h"
#include "wire/field.h"

/* What the core must know of an ask it is handed as bytes. */
struct ask_facts {
    uint32_t       number; /* The caller's.                                                       */
    const uint8_t *bytes;
    size_t         size;
    uint8_t        player[CLIENT_ID_SIZE]; /* Zeros: for ourselves.                               */
    uint8_t        left[CLIENT_ID_SIZE]; /* The table one gets up from; zeros: it is another ask. */
};

static void take_id(const struct wire_field *field, uint8_t id[CLIENT_ID_SIZE])
{
    if (field->body.end - field->body.at == CLIENT_ID_SIZE)
        memcpy(id, field->body.at, CLIENT_ID_SIZE);
}

static void take_left(struct reader in, uint8_t left[CLIENT_ID_SIZE])
{
    for (struct wire_field field; wire_field(&in, &field);)
        if (field.number == FIELD_LOBBY_LEAVE_TABLE_TABLE)
            take_id(&field, left);
}

static bool first_ask(const struct client_core *core, struct ask_facts *facts)
{
    size_t            size;
    const uint8_t    *record = ring_first(&core->asks, &size);
    struct wire_field field;
    memset(facts, 0, sizeof *facts);
    if (record == NULL)
        return false;
    memcpy(&facts->number, record, sizeof facts->number);
    facts->bytes = record + sizeof facts->number;
    facts->size = size - sizeof facts->number;
    for (struct reader in = reader_of(facts->bytes, facts->size); wire_field(&in, &field);) {
        if (field.number == FIELD_LOBBY_ASK_PLAYER)
            take_id(&field, facts->player);
        if (field.number == FIELD_LOBBY_ASK_LEAVE_TABLE)
            take_left(field.body, facts->left);
    }
    return true;
}

static bool lobby_is_there(const struct client_core *core)
{
    return core->peers.list[PEERS_LOBBY].welcome;
}

bool client_core_lobby_is_old(const struct client_core *core)
{
    return core->peers.list[PEERS_LOBBY].welcome &&
           peers_version(&core->peers, PEERS_LOBBY) == PROTOCOL_FIRST;
}

void lobby_header(const struct client_core *core, struct header *header, uint16_t kind,
                  uint32_t request)
{
    header_init(header, kind, NULL);
    header->version = peers_version(&core->peers, PEERS_LOBBY);
    header->request = request;
}

static void say_ask(const struct turn *turn)
{
    struct client_core *core = turn->core;
    struct ask_facts    facts;
    struct header       header;
    if (!first_ask(core, &facts) || !lobby_is_there(core))
        return;
    if (core->ask.at_ms == NO_WAKE) { /* It has just become the first one. */
        core->ask = due_now(turn);
        core->lobby_request++;
        core->asked = 0;
    }
    if (!is_due(turn, &core->ask))
        return;
    lobby_header(core, &header, KIND(LOBBY_ASK), core->lobby_request);
    outbox_send_bytes(turn->out, DOOR_PEER, peers_connection(PEERS_LOBBY, DOOR_REQUESTS), &header,
                      outbox_copy(turn->out, facts.bytes, facts.size), facts.size);
    core->asked++;
    due_again(turn, &core->ask);
}

void lobby_pump(const struct turn *turn)
{
    say_ask(turn);
    if (lobby_is_there(turn->core))
        table_pump(turn);
}

void lobby_welcome(const struct turn *turn, const struct event *event)
{
    const Arbiter__Directory__Welcome *welcome = BODY(Arbiter__Directory__Welcome, event);
    struct client_core                *core = turn->core;
    struct client_event                told = { .kind = CLIENT_CONNECTED, .seat = NO_SEAT };
    if (welcome->has_player && welcome->player.len == CLIENT_ID_SIZE)
        memcpy(core->player, welcome->player.data, CLIENT_ID_SIZE);
    /* An ask that was under way keeps its number: it may be the very one that was answered. */
    if (core->ask.at_ms == NO_WAKE && welcome->request > core->lobby_request)
        core->lobby_request = welcome->request;
    if (core->ask.at_ms != NO_WAKE)
        core->ask = due_now(turn);
    for (uint32_t i = 0; i < core->settings.tables_max; i++)
        if (core->tables[i].is_used)
            core->tables[i].ask = due_now(turn);
    memcpy(told.player, core->player, CLIENT_ID_SIZE);
    tell(core, &told, NULL, 0);
}

static void end_ask(struct client_core *core)
{
    ring_drop(&core->asks);
    core->ask = due_never();
}

static void on_answer(const struct turn *turn, const struct event *event)
{
    const Arbiter__Lobby__Answer *answer = BODY(Arbiter__Lobby__Answer, event);
    struct client_core           *core = turn->core;
    struct ask_facts              facts;
    if (core->ask.at_ms == NO_WAKE || event->header.request != core->lobby_request ||
        !first_ask(core, &facts))
        return;
    struct client_event told = { .kind = CLIENT_ANSWER, .seat = NO_SEAT, .request = facts.number };
    memcpy(told.player, facts.player, CLIENT_ID_SIZE);
    if (!tell(core, &told, event->bytes, event->size))
        return; /* It is asked again, and answered the same. */
    uint8_t player[CLIENT_ID_SIZE];
    memcpy(player, facts.player, CLIENT_ID_SIZE);
    end_ask(core);
    /* A player for whom another gateway spoke: our requests stand behind those of that gateway. */
    if (answer->has_last && answer->last > core->lobby_request)
        core->lobby_request = answer->last;
    if (answer->verdict == ARBITER__LOBBY__VERDICT__VERDICT_DONE && !id_is_none(facts.left))
        table_left(core, facts.left, player);
    if (answer->kind_case == ARBITER__LOBBY__ANSWER__KIND_PLAYER && id_is_none(player) &&
        id_is_whole(&answer->player->player))
        memcpy(core->player, answer->player->player.data, CLIENT_ID_SIZE);
    if (answer->kind_case == ARBITER__LOBBY__ANSWER__KIND_TABLE)
        table_look(turn, answer->table, player, true);
    if (answer->kind_case == ARBITER__LOBBY__ANSWER__KIND_TABLES)
        for (size_t i = 0; i < answer->tables->n_tables; i++)
            table_look(turn, answer->tables->tables[i], player, false);
}

/* The lobby answered later asks than this one. If this was never said before, or was put off each time, nothing
 * has happened: it goes on behind them. So it does if its very number went to what another device asked, since a
 * number is given once. Otherwise nobody can know whether it was done. */
static bool may_renumber(struct client_core *core, const Arbiter__Wire__Refused *refused)
{
    if (refused->refusal != REFUSAL(GAP) || !refused->has_request ||
        refused->request < core->lobby_request ||
        (core->asked > 1 && refused->request > core->lobby_request))
        return false;
    core->lobby_request = refused->request;
    core->ask = due_never();
    return true;
}

/* A lobby without room for one more table will have none in a moment, either. */
static bool may_go_otherwise(const struct event *event, uint32_t refusal)
{
    return refusal != REFUSAL(FULL) && is_for_later(event);
}

static void on_refused(const struct turn *turn, const struct event *event)
{
    const Arbiter__Wire__Refused *refused = BODY(Arbiter__Wire__Refused, event);
    struct client_core           *core = turn->core;
    struct ask_facts              facts;
    if ((event->header.request & TAG_TABLE) != 0) {
        table_refused(turn, event, may_go_otherwise(event, refused->refusal));
        return;
    }
    if (core->ask.at_ms == NO_WAKE || event->header.request != core->lobby_request ||
        !first_ask(core, &facts) || may_renumber(core, refused))
        return;
    if (may_go_otherwise(event, refused->refusal)) {
        core->asked -= core->asked > 0;
        due_refused(turn, &core->ask, event);
        return;
    }
    struct client_event told = { .kind = CLIENT_REFUSED,
                                 .seat = NO_SEAT,
                                 .request = facts.number,
                                 .refusal = refused->refusal };
    memcpy(told.player, facts.player, CLIENT_ID_SIZE);
    if (tell(core, &told, event->bytes, event->size))
        end_ask(core);
}

void lobby_message(const struct turn *turn, const struct event *event)
{
    switch (event->header.kind) {
    case KIND(LOBBY_ANSWER): on_answer(turn, event); break;
    case KIND(TABLE_EVENT): table_event(turn, event); break;
    case KIND(TABLE_ANSWER): table_answer(turn, event); break;
    case KIND(REFUSED): on_refused(turn, event); break;
    default: break;
    }
}
