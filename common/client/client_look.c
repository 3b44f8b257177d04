/* client_look.c: how a match stands, and what a seat may do in it: asked when the caller wants to know, and told
 * behind the acts that led there. Pure. */
#include <string.h>

#include "client/client_private.h"

void legal_say(const struct turn *turn, struct client_seat *seat, uint32_t engine)
{
    Arbiter__Engine__LegalAsk *ask =
        outbox_message(turn->out, &arbiter__engine__legal_ask__descriptor);
    ask->has_luck = ask->has_best = true;
    ask->luck = seat->legal_luck;
    ask->best = seat->legal_best;
    struct header header;
    seat_header(turn->core, seat, KIND(LEGAL_ASK), &header);
    header.request = TAG_LEGAL | seat->legal_number;
    outbox_send(turn->out, DOOR_PEER, peers_connection(engine, DOOR_REQUESTS), &header, ask);
}

/* An answer is ahead of the acts that were told. Nobody has refused anything, and the act is on its
 * way. So this is asked again when the act should be here, and not after the ever longer waits for
 * a silent peer. */
static void due_behind_act(const struct turn *turn, struct client_seat *seat, struct due *due,
                           uint64_t number)
{
    stream_known(turn, seat, number, turn->core->settings.act_wait_ms);
    *due = due_now(turn);
    due->at_ms += turn->core->settings.act_wait_ms;
    outbox_wake(turn->out, due->at_ms);
}

/* The view that is told stands behind the last act that was told, or the caller would see things
 * twice, or never. An older view is no news. A newer one waits for its acts. */
void look_told(const struct turn *turn, struct client_seat *seat, const struct event *event,
               const Arbiter__Engine__Attached *attached)
{
    if (seat->look.at_ms == NO_WAKE || !attached->has_view)
        return;
    struct client_event told = { .kind = CLIENT_VIEW,
                                 .seat = seat->seat,
                                 .request = seat->look_number,
                                 .number = attached->number };
    memcpy(told.match_id, seat->match_id, CLIENT_ID_SIZE);
    if (attached->number + 1 != seat->next) {
        due_behind_act(turn, seat, &seat->look, attached->number);
    } else if (tell(turn->core, &told, event->bytes, event->size)) {
        seat->look = due_never();
    }
}

void legal_told(const struct turn *turn, struct client_seat *seat, const struct event *event)
{
    const Arbiter__Engine__LegalAnswer *answer = BODY(Arbiter__Engine__LegalAnswer, event);
    if (seat->legal.at_ms == NO_WAKE || event->header.request != (TAG_LEGAL | seat->legal_number))
        return;
    struct client_event told = { .kind = CLIENT_LEGAL,
                                 .seat = seat->seat,
                                 .request = seat->legal_number,
                                 .number = answer->has_number ? answer->number : 0 };
    memcpy(told.match_id, seat->match_id, CLIENT_ID_SIZE);
    if (told.number >= seat->next) { /* Its act is to be told first; then it is asked for again. */
        due_behind_act(turn, seat, &seat->legal, told.number);
    } else if (tell(turn->core, &told, event->bytes, event->size)) {
        seat->legal = due_never();
    }
}

/* Tells that the seat's question will not be answered. False: no room now. */
static bool tell_refused(const struct turn *turn, const struct client_seat *seat, uint32_t request,
                         uint32_t refusal, const struct event *event)
{
    struct client_event told = {
        .kind = CLIENT_REFUSED, .seat = seat->seat, .request = request, .refusal = refusal
    };
    memcpy(told.match_id, seat->match_id, CLIENT_ID_SIZE);
    return tell(turn->core, &told, event->bytes, event->size);
}

/* What will be refused again is tried as an attach: that one knows what becomes of the seat. A view that is too
 * large is no reason to lose it: acts come without. */
void look_refused(const struct turn *turn, struct client_seat *seat, const struct event *event,
                  uint32_t refusal)
{
    if (seat->look.at_ms == NO_WAKE)
        return;
    if (is_for_later(event))
        due_refused(turn, &seat->look, event);
    else if (refusal != REFUSAL(TOO_MUCH))
        seat_attach_again(turn, seat);
    else if (tell_refused(turn, seat, seat->look_number, refusal, event))
        seat->look = due_never();
}

void legal_refused(const struct turn *turn, struct client_seat *seat, const struct event *event,
                   uint32_t refusal)
{
    if (seat->legal.at_ms == NO_WAKE || event->header.request != (TAG_LEGAL | seat->legal_number))
        return;
    if (refusal == REFUSAL(ATTACH_AGAIN))
        seat_attach_again(turn, seat);
    bool is_final = refusal == REFUSAL(NOT_YOURS) || refusal == REFUSAL(MALFORMED) ||
                    (refusal == REFUSAL(TOO_MUCH) && !is_for_later(event));
    if (!is_final)
        due_refused(turn, &seat->legal, event);
    else if (tell_refused(turn, seat, seat->legal_number, refusal, event))
        seat->legal = due_never();
}
