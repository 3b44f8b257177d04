/* rest_told.c: what the house says becomes of what players asked. Pure. */
#include <string.h>

#include "contract/envelope.pb-c.h"
#include "services/gateway/rest/rest_parts.h"
#include "wire/names.h"

#define RETRY_MS 500u
#define NO_SUCH_MATCH REFUSAL(NO_SUCH_MATCH)

static struct rest_player *find_player(struct rest *rest, const uint8_t *id)
{
    for (uint32_t i = 0; i < rest->settings.players_max; i++)
        if (rest->players[i].state > REST_QUEUED &&
            memcmp(rest->players[i].player, id, CLIENT_ID_SIZE) == 0)
            return &rest->players[i];
    return NULL;
}

static struct rest_player *find_seat(struct rest *rest, const uint8_t *match_id, uint32_t seat)
{
    for (uint32_t i = 0; i < rest->settings.players_max; i++) {
        struct rest_player *player = &rest->players[i];
        if (player->has_match && player->seat == seat &&
            memcmp(player->match_id, match_id, CLIENT_ID_SIZE) == 0)
            return player;
    }
    return NULL;
}

static void on_ticket(const struct rest_turn *turn, struct rest_player *player,
                      const struct client_event *event)
{
    Arbiter__Wire__SignedTicket ticket = ARBITER__WIRE__SIGNED_TICKET__INIT;
    struct rest_news            news;
    rest_read_answer(event->bytes, event->size, &news);
    if (news.ticket == NULL || news.signature == NULL)
        return; /* It is asked for again. */
    ticket.has_ticket = ticket.has_signature = true;
    ticket.ticket = (ProtobufCBinaryData){ news.ticket_size, (uint8_t *) news.ticket };
    ticket.signature = (ProtobufCBinaryData){ news.signature_size, (uint8_t *) news.signature };
    if (client_core_attach_for(turn->rest->client, player->match_id, player->seat, &ticket.base,
                               turn->now_ms, turn->out))
        player->retry_ms = UINT64_MAX; /* It goes on with CLIENT_ATTACHED, or CLIENT_LOST. */
}

static void on_answer(const struct rest_turn *turn, const struct client_event *event)
{
    struct rest        *rest = turn->rest;
    struct rest_news    news = { 0 };
    struct rest_player *player = NULL;
    for (uint32_t i = 0; i < rest->settings.players_max && player == NULL; i++)
        if (rest->players[i].state != REST_FREE && rest->players[i].ask == event->request)
            player = &rest->players[i];
    if (player == NULL || event->request == 0)
        return;
    player->ask = 0;
    if (event->kind == CLIENT_ANSWER)
        rest_read_answer(event->bytes, event->size, &news);
    if (player->state < REST_ENTERED) {
        rest_entered(turn, player, news.is_done, event);
        return;
    }
    if (player->must_rejoin) {
        rest_rejoined(turn, player, event);
        return;
    }
    if (player->state == REST_ATTACHING && news.is_done) {
        on_ticket(turn, player, event);
    } else if (player->state == REST_OVER && player->said == REST_LEAVE) {
        player->wants_out = false;
        player->is_named = player->is_named && news.is_done;
    } else if (!news.is_done && player->state == REST_ENTERED) {
        if (player->said == REST_HALF && !player->has_half)
            player->is_first_said = false;
        player->map.is_said = player->map.is_said && player->said != REST_HALF;
        if (!player->has_match)
            return; /* The match is about to begin; then it is said there. */
    }
    rest_pump(turn, player);
}

void rest_begins(const struct rest_turn *turn, struct rest_player *player,
                 const struct rest_table_news *news)
{
    struct rest *rest = turn->rest;
    if (rest->has_open && memcmp(rest->open, player->table, CLIENT_ID_SIZE) == 0 &&
        player->alone_ms != 0)
        rest->has_open = false; /* Another one has come, be it a bot. */
    player->has_match = true;
    player->seat = news->seat;
    memcpy(player->match_id, news->match_id, CLIENT_ID_SIZE);
    rest_changed(turn, player);
}

static void on_table(const struct rest_turn *turn, const struct client_event *event)
{
    struct rest_player    *player = find_player(turn->rest, event->player);
    struct rest_table_news news;
    if (player == NULL)
        return;
    if (event->kind == CLIENT_TABLE)
        rest_read_table(event->bytes, event->size, player->player, &news);
    else
        rest_read_table_now(event->bytes, event->size, player->player, &news);
    switch (news.kind) {
    case REST_TABLE_SAID: rest_read_event(turn, player, news.event, news.event_size); break;
    case REST_TABLE_BEGINS: rest_begins(turn, player, &news); break;
    case REST_TABLE_ENDED: player->wants_out = true; break;
    case REST_TABLE_CLOSED:
        if (player->state < REST_OVER && !player->has_match)
            player->has_ended = true;
        player->wants_out = false;
        break;
    default: return;
    }
    if (player->state >= REST_ENTERED)
        rest_pump(turn, player);
}

/* Nobody heard of the command: who waits for it waits on, unless somebody else does by now. */
static void take_back(const struct rest_turn *turn, struct rest_player *player)
{
    if (player->said == REST_UPDATE && player->is_in_flight && player->update.is_held)
        rest_answer_problem(turn, player->flight, player);
    else if (player->said == REST_UPDATE && player->is_in_flight && player->flight != 0) {
        player->update.is_held = true;
        player->update.route = player->flight;
    }
    player->is_in_flight = false;
}

/* False: what was refused would be refused again, so it is not said at once. */
static bool on_reply(const struct rest_turn *turn, struct rest_player *player,
                     const struct client_event *event)
{
    bool is_accepted = event->outcome == CLIENT_ACCEPTED;
    if (event->request != player->command)
        return true;
    player->command = 0;
    if (player->state == REST_OVER)
        return true;
    if (player->said == REST_UPDATE && is_accepted && player->is_in_flight) {
        player->is_in_flight = false;
        rest_answer_update(turn, player->flight, player);
        if (player->is_turn) /* The other has acted: this answer begins the turn's time. */
            player->turn_ms = turn->now_ms;
    } else if (!is_accepted) {
        take_back(turn, player);
    }
    if (event->outcome == CLIENT_UNSURE && player->said == REST_HALF && !player->has_half)
        player->is_first_said = player->map.is_said = false;
    if (event->outcome == CLIENT_UNSURE && player->said == REST_UPDATE)
        player->is_turn = true; /* Were it played, we would have been told so before. */
    return is_accepted || player->said != REST_MALFORMED;
}

static void on_match(const struct rest_turn *turn, const struct client_event *event)
{
    struct rest_player *player = find_seat(turn->rest, event->match_id, event->seat);
    if (event->kind == CLIENT_ATTACHED && event->seat == NO_SEAT)
        client_core_detach(turn->rest->client, event->match_id, NO_SEAT, turn->out);
    if (player == NULL)
        return; /* At the table without a seat one watches; nobody here wants to. */
    switch (event->kind) {
    case CLIENT_ATTACHED:
        if (player->state == REST_ATTACHING)
            player->state = REST_PLAYING;
        player->acts = 0; /* They are told from the first one on. */
        player->acts_there = event->number;
        break;
    case CLIENT_ACT:
        player->acts = event->number;
        rest_read_act(turn, player, event);
        break;
    case CLIENT_REPLY:
        if (!on_reply(turn, player, event))
            return;
        break;
    case CLIENT_OVER:
        client_core_detach(turn->rest->client, event->match_id, event->seat, turn->out);
        player->has_ended = true;
        break;
    case CLIENT_LOST: /* A ticket may be too old: a new one gives the seat back. */
        player->command = 0;
        take_back(turn, player);
        if (player->is_back && event->refusal == NO_SUCH_MATCH) {
            player->has_ended = true; /* So long ago that the house does not know it any more. */
            break;
        }
        if (player->state != REST_OVER) {
            player->state = REST_ATTACHING;
            player->retry_ms = turn->now_ms + RETRY_MS;
        }
        return;
    default: return;
    }
    rest_pump(turn, player);
    rest_answer_joined(turn, player);
    if (event->kind == CLIENT_REPLY && player->said == REST_HALF)
        rest_pump_mate(turn, player);
}

void rest_told(const struct rest_turn *turn, const struct client_event *event)
{
    switch (event->kind) {
    case CLIENT_ANSWER:
    case CLIENT_REFUSED: on_answer(turn, event); break;
    case CLIENT_TABLE:
    case CLIENT_TABLE_NOW: on_table(turn, event); break;
    case CLIENT_TABLE_LOST: break;
    default: on_match(turn, event); break;
    }
}
