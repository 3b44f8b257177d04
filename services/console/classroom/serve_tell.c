/* serve_tell.c: what the house says, passed on to whom it is for, in its order. */
#include <stdio.h>
#include <string.h>

#include "contract/engine.pb-c.h"
#include "contract/plain.pb-c.h"
#include "services/console/classroom/serve_door.h"
#include "services/console/classroom/told.h"
#include "services/console/command/console.h"
#include "services/console/command/progress.h"
#include "wire/validate.h"

/* False: it could not go. */
static bool send_down(struct serve_door *door, uint64_t route, const Arbiter__Plain__Down *down)
{
    size_t size = arbiter__plain__down__get_packed_size(down);
    if (size > BUS_FRAME_MAX)
        return false;
    (void) arbiter__plain__down__pack(down, bus_compose(door->socket, size));
    return door->is_enveloped ? bus_send_enveloped(door->socket, route)
                              : bus_send(door->socket, route);
}

/* Whoever takes the place over is told it again. */
static void keep(struct serve_door *door, const struct plain_player *player,
                 const Arbiter__Plain__Down *down)
{
    static uint8_t frame[BUS_FRAME_MAX];
    size_t         size = arbiter__plain__down__get_packed_size(down);
    if (size > sizeof frame)
        return;
    (void) arbiter__plain__down__pack(down, frame);
    serve_log_add(&door->log[player - door->plain.player], frame, size);
}

/* A stream with a hole is none: what cannot go is the end of it. */
static void tell(struct serve_door *door, struct plain_player *player,
                 const Arbiter__Plain__Down *down)
{
    if ((player->is_owned || player->is_spoken) && !player->has_left)
        keep(door, player, down);
    if (!plain_hears(player) || send_down(door, player->route, down))
        return;
    player->is_deaf = true;
    complain("seat %d, \"%s\", has gone or does not read: it is told nothing more.",
             player->seat == PLAIN_NO_SEAT ? -1 : (int) player->seat, player->name);
}

static void tell_event(struct serve_door *door, struct plain_player *player, const uint8_t *event,
                       size_t size, const char *setup)
{
    static uint8_t       bytes[VALIDATE_BODY_MAX];
    Arbiter__Plain__Down down = ARBITER__PLAIN__DOWN__INIT;
    size_t   length = plain_complete(&door->plain, event, size, setup, bytes, sizeof bytes);
    uint32_t seat;
    if (length == 0 || (plain_is_for_one(&door->plain, event, size, &seat) &&
                        plain_of_seat(&door->plain, seat) != player))
        return;
    down.kind_case = ARBITER__PLAIN__DOWN__KIND_EVENT;
    down.event = (ProtobufCBinaryData){ length, bytes };
    tell(door, player, &down);
    if (plain_is_last(&door->plain, player, event, size))
        player->is_deaf = player->has_left = true;
}

/* The rules' code for a sentence of theirs; NULL: it is not theirs. */
static const char *reason_of(const struct game *game, const char *sentence)
{
    for (uint32_t i = 1; i < game->reason_kinds; i++)
        if (strcmp(game->reasons[i].sentence, sentence) == 0)
            return game->reasons[i].name;
    return NULL;
}

/* What follows from a command in vain stands behind it in the transcript. */
static void note_answer(struct serve_door *door, uint64_t route, const uint8_t *event, size_t size)
{
    struct serve_record *record = door->record;
    if (record != NULL && record->is_noting)
        serve_note_event(record, door, serve_record_client(record, route), event, size, false);
}

static void tell_again(struct serve_door *door, struct plain_player *player, const uint8_t *event,
                       size_t size)
{
    note_answer(door, player->route, event, size);
    tell_event(door, player, event, size, NULL);
}

/* Says it as the game does: an event where it has one for failures, and otherwise Refused. True: an event. */
static bool tell_failure(struct serve_door *door, uint64_t route, struct plain_player *player,
                         Arbiter__Plain__Refused *refused)
{
    static uint8_t       bytes[SERVE_SENTENCE_MAX + 64];
    Arbiter__Plain__Down down = ARBITER__PLAIN__DOWN__INIT;
    size_t size = plain_failure(&door->plain, player != NULL ? player->seat : PLAIN_NO_SEAT,
                                refused->sentence, bytes, sizeof bytes);
    down.kind_case = ARBITER__PLAIN__DOWN__KIND_REFUSED;
    down.refused = refused;
    if (size > 0) {
        down.kind_case = ARBITER__PLAIN__DOWN__KIND_EVENT;
        down.event = (ProtobufCBinaryData){ size, bytes };
        note_answer(door, route, bytes, size);
    }
    if (player != NULL)
        tell(door, player, &down);
    else
        (void) send_down(door, route, &down);
    return size > 0;
}

void serve_refuse(struct serve_door *door, uint64_t route, const char *sentence)
{
    struct plain           *plain = &door->plain;
    struct plain_player    *player = plain_of_route(plain, route);
    Arbiter__Plain__Refused refused = ARBITER__PLAIN__REFUSED__INIT;
    refused.sentence = (char *) (sentence[0] != '\0' ? sentence : "This is refused.");
    refused.reason = (char *) reason_of(plain->wire->game, refused.sentence);
    if (tell_failure(door, route, player, &refused) && player != NULL && player->asked_size > 0)
        tell_again(door, player, player->asked, player->asked_size);
}

static void begins_for(struct serve_door *door, struct plain_player *player)
{
    Arbiter__Plain__Down   down = ARBITER__PLAIN__DOWN__INIT;
    Arbiter__Plain__Begins begins = ARBITER__PLAIN__BEGINS__INIT;
    char                  *names[SEATS_MAX];
    struct plain_player   *other;
    while ((other = plain_of_seat(&door->plain, (uint32_t) begins.n_names)) != NULL)
        names[begins.n_names++] = other->name;
    begins.names = names;
    begins.has_seat = player != NULL;
    begins.seat = player != NULL ? player->seat : 0;
    down.kind_case = ARBITER__PLAIN__DOWN__KIND_BEGINS;
    down.begins = &begins;
    if (player != NULL)
        tell(door, player, &down);
    else
        serve_tell_watchers(door, &down);
}

void serve_begins(struct serve_door *door, struct plain_player *player)
{
    begins_for(door, player);
}

void serve_begins_for_all(struct serve_door *door)
{
    begins_for(door, NULL);
}

/* What all may hear goes to those who watch, as the first seat is told it. */
static void show_watchers(struct serve_door *door, const struct client_happening *happening)
{
    static uint8_t       bytes[VALIDATE_BODY_MAX];
    Arbiter__Plain__Down down = ARBITER__PLAIN__DOWN__INIT;
    uint32_t             seat;
    if (happening->is_private ||
        plain_is_for_one(&door->plain, happening->bytes, happening->size, &seat))
        return;
    size_t length =
        plain_complete(&door->plain, happening->bytes, happening->size, NULL, bytes, sizeof bytes);
    down.kind_case = ARBITER__PLAIN__DOWN__KIND_EVENT;
    down.event = (ProtobufCBinaryData){ length, bytes };
    if (length > 0)
        serve_tell_watchers(door, &down);
}

/* The rules refuse a command: why, and what is asked of its sender still. */
static void tell_refusal(struct serve_door *door, struct plain_player *player,
                         const Arbiter__Engine__Reply *reply)
{
    Arbiter__Plain__Refused refused = ARBITER__PLAIN__REFUSED__INIT;
    bool                    has_words = reply->sentence != NULL && reply->sentence[0] != '\0';
    uint32_t                seat;
    refused.reason = reply->reason;
    refused.sentence = has_words ? reply->sentence : (char *) "This is refused.";
    refused.n_asks = reply->n_asks;
    refused.asks = reply->asks;
    if (!tell_failure(door, player->route, player, &refused))
        return;
    for (size_t i = 0; i < reply->n_asks; i++) /* An offer of characters is not made again. */
        if (plain_is_for_one(&door->plain, reply->asks[i].data, reply->asks[i].len, &seat))
            tell_again(door, player, reply->asks[i].data, reply->asks[i].len);
}

static void on_reply(struct serve_door *door, const struct client_event *event)
{
    struct plain_player    *player = plain_of_seat(&door->plain, event->seat);
    const ProtobufCMessage *reply = client_message(door->client, event);
    if (event->request == door->awaited)
        door->is_answered = true;
    if (player == NULL || event->outcome == CLIENT_ACCEPTED || event->outcome == CLIENT_UNSURE)
        return;
    if (event->outcome == CLIENT_NOT_ACCEPTED && reply != NULL) {
        const Arbiter__Engine__Reply *refusal = (const void *) reply;
        serve_note_said(door->record, refusal->number);
        tell_refusal(door, player, refusal);
    } else
        serve_refuse(door, player->route, "This is no command of the game.");
}

/* A player who is offered something chooses, until anything more happens. */
static void follow_choice(struct serve_door *door, const struct plain_player *player,
                          const struct client_happening *happening)
{
    if (happening->is_private && door->plain.wire->game->registration != NULL) {
        door->chooser = player->seat;
        door->chooses_s = seconds_now();
        door->is_chooser_named = false;
    } else if (player->seat == door->chooser) {
        door->chooser = PLAIN_NO_SEAT;
    }
}

static void on_act(struct serve_door *door, const struct client_event *event)
{
    door->actor = event->number > door->acts ? event->actor : door->actor;
    door->acts = event->number > door->acts ? event->number : door->acts;
    struct plain_player    *player = plain_of_seat(&door->plain, event->seat);
    struct client_act       act = client_read_act(door->client, event);
    struct client_happening happening;
    while (player != NULL && client_happening(door->client, &act, &happening))
        if (!happening.is_house) {
            if (plain_is_late(&door->plain, player, happening.bytes, happening.size))
                complain("all wait for \"%s\" at seat %u, whose time ran out.", player->name,
                         player->seat);
            follow_choice(door, player, &happening);
            if (player->seat == 0)
                show_watchers(door, &happening);
            plain_follow(&door->plain, player, happening.bytes, happening.size);
            tell_event(door, player, happening.bytes, happening.size, NULL);
        }
}

/* The table says to the door itself what concerns all. */
static void on_begins(struct serve_door *door, const Arbiter__Lobby__MatchBegins *begins)
{
    if (door->has_begun || begins->match_id.len != CLIENT_ID_SIZE)
        return;
    door->has_begun = true;
    memcpy(door->match_id, begins->match_id.data, CLIENT_ID_SIZE);
    for (size_t i = 0; i < begins->n_seats; i++) {
        const Arbiter__Lobby__TableSeat *seat = begins->seats[i];
        if (seat->player == NULL || seat->player->player.len != PLAIN_ID_SIZE)
            continue;
        struct plain_player *player = plain_of_id(&door->plain, seat->player->player.data);
        if (player != NULL)
            player->seat = seat->seat;
    }
}

static void on_closed(struct serve_door *door, const char *sentence)
{
    static const char no_match[] = "The match could not begin";
    door->is_over = true;
    door->ending = door->ending == SERVE_BROKEN_OFF ? SERVE_BROKEN_OFF : SERVE_NOT_BEGUN;
    if (sentence == NULL || strncmp(sentence, no_match, sizeof no_match - 1) != 0)
        return;
    door->has_failed = true;
    (void) snprintf(door->sentence, sizeof door->sentence, "%s", sentence);
}

/* What is said at the table: the set-up to whoever has registered, all else to all of them. */
static void note_said(struct serve_door *door, const struct plain_player *player,
                      const Arbiter__Lobby__Said *said)
{
    bool is_setup = said->setup != NULL, is_first = door->ending == SERVE_GOES_ON;
    if (!is_setup && is_first)
        door->ending = door->has_spoken ? SERVE_BROKEN_OFF : SERVE_NOT_BEGUN;
    if (door->record == NULL || !plain_hears(player))
        return;
    if (!is_setup && is_first && !door->has_spoken)
        serve_note_timeout(door->record);
    serve_note_event(door->record, door,
                     is_setup ? serve_record_client(door->record, player->route) : TOLD_ALL,
                     said->event.data, said->event.len, is_setup);
}

static enum serve_ending ending_by(uint32_t actor)
{
    return actor == ACTOR_TIME                                                  ? SERVE_OUT_OF_TIME
           : actor == ACTOR_HOUSE || actor == ACTOR_ANNUL || actor == ACTOR_SAY ? SERVE_ANNULLED
                                                                                : SERVE_FINISHED;
}

static void on_table(struct serve_door *door, const struct client_event *event)
{
    static const uint8_t              ourselves[CLIENT_ID_SIZE];
    const Arbiter__Lobby__TableEvent *told =
        (const Arbiter__Lobby__TableEvent *) (const void *) client_message(door->client, event);
    struct plain_player *player = plain_of_id(&door->plain, event->player);
    bool                 is_ours = memcmp(event->player, ourselves, CLIENT_ID_SIZE) == 0;
    if (told == NULL)
        return;
    if (player != NULL && told->kind_case == ARBITER__LOBBY__TABLE_EVENT__KIND_SAID &&
        told->said->has_event) {
        note_said(door, player, told->said);
        tell_event(door, player, told->said->event.data, told->said->event.len, told->said->setup);
    }
    if (is_ours && told->kind_case == ARBITER__LOBBY__TABLE_EVENT__KIND_MATCH_BEGINS)
        on_begins(door, told->match_begins);
    if (is_ours && told->kind_case == ARBITER__LOBBY__TABLE_EVENT__KIND_MATCH_ENDED) {
        door->is_over = true;
        door->ending = ending_by(door->actor);
    }
    if (is_ours && told->kind_case == ARBITER__LOBBY__TABLE_EVENT__KIND_TABLE_CLOSED)
        on_closed(door, told->table_closed->sentence);
}

static void on_answer(struct serve_door *door, const struct client_event *event)
{
    const Arbiter__Lobby__Answer *answer =
        (const Arbiter__Lobby__Answer *) (const void *) client_message(door->client, event);
    if (event->request != door->awaited)
        return;
    door->is_answered = true;
    door->is_done = answer != NULL && answer->verdict == ARBITER__LOBBY__VERDICT__VERDICT_DONE;
    if (answer == NULL)
        return;
    if (answer->sentence != NULL)
        (void) snprintf(door->sentence, sizeof door->sentence, "%s", answer->sentence);
    if (answer->kind_case == ARBITER__LOBBY__ANSWER__KIND_TABLE &&
        answer->table->table.len == CLIENT_ID_SIZE)
        memcpy(door->table, answer->table->table.data, CLIENT_ID_SIZE);
    if (answer->kind_case == ARBITER__LOBBY__ANSWER__KIND_TICKET) {
        size_t size = arbiter__wire__signed_ticket__get_packed_size(answer->ticket);
        door->ticket_size = size <= sizeof door->memory ? size : 0;
        if (door->ticket_size > 0)
            (void) arbiter__wire__signed_ticket__pack(answer->ticket, door->memory);
    }
}

static void on_refused(struct serve_door *door, const struct client_event *event)
{
    if (event->request != door->awaited)
        return;
    door->is_answered = true;
    door->is_done = false;
    (void) snprintf(door->sentence, sizeof door->sentence, "This is no command of the game.");
}

void serve_take(struct serve_door *door, const struct client_event *event)
{
    struct plain_player *player = plain_of_seat(&door->plain, event->seat);
    switch (event->kind) {
    case CLIENT_ANSWER: on_answer(door, event); break;
    case CLIENT_REFUSED: on_refused(door, event); break;
    case CLIENT_TABLE: on_table(door, event); break;
    case CLIENT_ATTACHED:
        if (player != NULL)
            player->is_attached = true;
        break;
    case CLIENT_ACT: on_act(door, event); break;
    case CLIENT_REPLY: on_reply(door, event); break;
    case CLIENT_LOST:
        complain("seat %d is lost (refusal %u).", (int) event->seat, (unsigned) event->refusal);
        break;
    case CLIENT_FAULT:
        complain("the house broke promise %d at act %llu.", (int) event->fault,
                 (unsigned long long) event->number);
        break;
    default: break;
    }
}
