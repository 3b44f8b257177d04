/* engine_command.c: a seat asks to do something: done at most once, answered as often as it is asked. Pure. */
#include <string.h>

#include "contract/directory.pb-c.h"
#include "services/engine/engine_parts.h"

/* What the engine itself says no to. They are answers like the rules' own, and remembered like them. */
static const struct reason house_reasons[] = {
    [REASON_DICE_AWAITED - HOUSE_REASON] = { "DICE_AWAITED",
                                             "The match begins when its dice are made." },
    [REASON_NO_DICE_ROUND - HOUSE_REASON] = { "NO_DICE_ROUND", "No dice are being made now." },
    [REASON_NOT_AWAITED -
        HOUSE_REASON] = { "NOT_AWAITED", "Nothing is awaited of this seat in this round." },
    [REASON_WRONG_BYTES - HOUSE_REASON] = { "WRONG_BYTES",
                                            "These are not the bytes whose hash was posted, or "
                                            "not so many as there must be." },
    [REASON_NOT_FOR_PLAYERS - HOUSE_REASON] = { "NOT_FOR_PLAYERS", "Only a door may say this." },
    [REASON_ABORTED - HOUSE_REASON] = { "ABORTED", "The house has ended this match." },
};

static const struct reason *reason_of(const struct hosted *hosted, uint32_t judged)
{
    const struct game *game = hosted->setup->game->game;
    size_t             house = sizeof house_reasons / sizeof house_reasons[0];
    if (judged >= HOUSE_REASON && judged - HOUSE_REASON < house)
        return &house_reasons[judged - HOUSE_REASON];
    return judged < game->reason_kinds ? &game->reasons[judged] : NULL;
}

/* Whose time it was. What has no name is given one, for the logs. */
static struct trace *trace_of(const struct engine *engine, const struct event *event,
                              uint64_t number, struct outbox *out)
{
    const Arbiter__Engine__Command *ask = BODY(Arbiter__Engine__Command, event);
    struct trace                   *trace = outbox_took(out);
    memcpy(trace->id, ask->has_id ? ask->id.data : event->entropy, sizeof trace->id);
    memcpy(trace->match_id, event->header.match_id, sizeof trace->match_id);
    trace->seat = event->header.seat;
    trace->number = number;
    if (engine_is_from(engine, event, ROLE(GATEWAY)))
        trace->us[TRACE_DOOR] = ask->door_us;
    return trace;
}

/* The command's name goes back to who gave it one, and where its time went to gateways alone: how long rules think may say
 * something of what they know. NULL: it was judged before. */
static void name_answer(const struct engine *engine, const struct event *event,
                        Arbiter__Engine__Reply *reply, struct trace *trace, struct outbox *out)
{
    const Arbiter__Engine__Command *ask = BODY(Arbiter__Engine__Command, event);
    reply->has_id = ask->has_id && event->header.version > PROTOCOL_FIRST;
    if (!reply->has_id)
        return;
    reply->id = (ProtobufCBinaryData){ ask->id.len, outbox_copy(out, ask->id.data, ask->id.len) };
    if (trace != NULL && engine_is_from(engine, event, ROLE(GATEWAY)))
        reply->took = trace->answer = outbox_message(out, &arbiter__wire__took__descriptor);
}

/* The stored answer of a session: the same bytes however often it is given. */
static void give_answer(const struct engine *engine, const struct hosted *hosted,
                        const struct session *session, const struct event *event,
                        struct trace *trace, struct outbox *out)
{
    Arbiter__Engine__Reply *reply = outbox_message(out, &arbiter__engine__reply__descriptor);
    name_answer(engine, event, reply, trace, out);
    reply->has_request = reply->has_accepted = reply->has_number = reply->has_chain = true;
    reply->request = session->request;
    reply->accepted = session->verdict == ACCEPTED;
    reply->number = session->act;
    reply->chain =
        (ProtobufCBinaryData){ MATCH_HASH_SIZE, outbox_copy(out, session->chain, MATCH_HASH_SIZE) };
    if (session->verdict != ACCEPTED) {
        const struct reason *reason = reason_of(hosted, session->verdict);
        reply->has_verdict = session->verdict < HOUSE_REASON;
        reply->verdict = session->verdict;
        reply->reason = (char *) (reason != NULL ? reason->name : NULL);
        reply->sentence = (char *) (reason != NULL ? reason->sentence : NULL);
        engine_put_asks(session->asks, session->asks_size, &reply->n_asks, &reply->asks, out);
    }
    engine_answer(engine, event, KIND(REPLY), session->act, reply, out);
}

/* A batch that was not kept is not counted. */
static void count(struct engine *engine, uint64_t *counter)
{
    engine_undo_keep(&engine->undo, counter, sizeof *counter);
    ++*counter;
}

/* `act`: what the command became; NULL: nothing, or it was a contribution, the last act so far. The row of an act tells
 * the answer, too (engine_replay.c), so the session needs none before the next snapshot. That is not so if the house said
 * more behind it: then the answer names a later act than the command's own. */
static void answer(struct engine *engine, struct hosted *hosted, const struct event *event,
                   struct session *session, uint32_t judged, const struct match_act *act,
                   struct outbox *out)
{
    const uint8_t *asks = NULL;
    size_t         size = 0;
    uint64_t       number = act != NULL ? act->number : hosted->match->number;
    bool           by_act = act != NULL && number == hosted->match->number;
    if (judged != ACCEPTED)
        size = engine_write_asks(engine, hosted, event->header.seat, &asks);
    /* What it may hold is bounded by the batch, even if nothing moved. */
    engine_touch(engine, hosted);
    engine_undo_keep(&engine->undo, session, sizeof *session);
    session->request = event->header.request;
    session->verdict = judged;
    session->act = hosted->match->number;
    memcpy(session->chain, hosted->match->chain, sizeof session->chain);
    session->door = event->caller.door;
    session->route = event->caller.route;
    (void) engine_session_keep_asks(engine, session, asks, size);
    if (!by_act)
        engine_row_of_session(hosted, event->header.seat, session, false, out);
    engine_fence(engine, hosted, out);
    struct trace *trace = trace_of(engine, event, judged == ACCEPTED ? number : 0, out);
    give_answer(engine, hosted, session, event, trace, out);
    if (judged != ACCEPTED)
        count(engine, &engine->facts.refused);
}

void engine_command_answer(struct engine *engine, struct hosted *hosted, const struct event *event,
                           struct session *session, uint32_t judged, struct outbox *out)
{
    answer(engine, hosted, event, session, judged, NULL, out);
}

/* Think time is never believed of a player; a gateway, which sits nearer, may have measured it. */
static void put_think_time(const struct engine *engine, const struct hosted *hosted,
                           const struct event *event, struct command *command)
{
    const struct game *game = hosted->setup->game->game;
    if (command->kind >= game->command_kinds ||
        (game->commands[command->kind].flags & COMMAND_TIMED) == 0)
        return;
    if (engine_is_from(engine, event, ROLE(GATEWAY)) && command->arg[0] != ABSENT &&
        command->arg[0] >= 0)
        return;
    uint64_t ms = engine_clock_think_ms(engine, hosted, event->header.seat);
    command->arg[0] = ms > INT32_MAX ? INT32_MAX : (word) ms;
}

/* A door says it for a player who sent what is no command at all. */
static bool is_for_doors(const struct hosted *hosted, const struct command *command)
{
    static const char  malformed[] = "malformed";
    const struct game *game = hosted->setup->game->game;
    return command->kind < game->command_kinds && game->commands[command->kind].name != NULL &&
           text_is(malformed, sizeof malformed - 1, game->commands[command->kind].name);
}

static void play(struct engine *engine, struct hosted *hosted, const struct event *event,
                 struct session *session, struct outbox *out)
{
    const Arbiter__Engine__Command *ask = BODY(Arbiter__Engine__Command, event);
    struct command                  command;
    struct match_act                act;
    arena_reset(&engine->arena);
    if (!plan_decode_command(hosted->setup->terms.form->commands, ask->play.data, ask->play.len,
                             &engine->arena, &command) ||
        command.text_size > MATCH_TEXT_MAX) {
        engine_refuse(engine, event, REFUSAL(MALFORMED), 0, "This is no command of the game.", out);
        return;
    }
    if (hosted->phase == PHASE_DICE) {
        engine_command_answer(engine, hosted, event, session, REASON_DICE_AWAITED, out);
        return;
    }
    if (hosted->aborted) {
        engine_command_answer(engine, hosted, event, session, REASON_ABORTED, out);
        return;
    }
    if (is_for_doors(hosted, &command) && !engine_is_from(engine, event, ROLE(GATEWAY))) {
        engine_command_answer(engine, hosted, event, session, REASON_NOT_FOR_PLAYERS, out);
        return;
    }
    put_think_time(engine, hosted, event, &command);
    engine_act_begin(engine, hosted);
    engine->heard = &command;
    engine->heard_of = event->header.seat;
    verdict judged = match_play(hosted->match, event->header.seat, &command, &engine->room, &act);
    if (judged == ACCEPTED) {
        engine_act_done(engine, hosted, &act, &event->header, out);
        count(engine, &engine->facts.commands);
    }
    engine->heard = NULL;
    engine->heard_of = 0;
    answer(engine, hosted, event, session, judged, judged == ACCEPTED ? &act : NULL, out);
}

/* The answer names the contribution's own act: the start, which may follow at once, is another one. */
static void contribute(struct engine *engine, struct hosted *hosted, const struct event *event,
                       struct session *session, struct outbox *out)
{
    const Arbiter__Engine__Command *ask = BODY(Arbiter__Engine__Command, event);
    engine_touch(engine, hosted);
    uint32_t judged = engine_dice_contribute(engine, hosted, event, ask, out);
    engine_command_answer(engine, hosted, event, session, judged, out);
    if (judged == ACCEPTED)
        engine_dice_begin(engine, hosted, out);
}

static void do_command(struct engine *engine, struct hosted *hosted, const struct event *event,
                       struct session *session, struct outbox *out)
{
    const Arbiter__Engine__Command *ask = BODY(Arbiter__Engine__Command, event);
    switch (ask->kind_case) {
    case ARBITER__ENGINE__COMMAND__KIND_PLAY: play(engine, hosted, event, session, out); break;
    case ARBITER__ENGINE__COMMAND__KIND_HASH:
    case ARBITER__ENGINE__COMMAND__KIND_REVEAL:
        contribute(engine, hosted, event, session, out);
        break;
    case ARBITER__ENGINE__COMMAND__KIND_DETACH:
        engine_session_close(engine, hosted, event->header.seat, session,
                             ARBITER__ENGINE__CLOSED__WHY__WHY_ASKED, out);
        break;
    default: engine_refuse(engine, event, REFUSAL(MALFORMED), 0, "The command is empty.", out);
    }
}

static void refuse_gap(const struct engine *engine, const struct event *event,
                       const struct session *session, struct outbox *out)
{
    Arbiter__Wire__Refused *refused = outbox_message(out, &arbiter__wire__refused__descriptor);
    refused->has_refusal = refused->has_request = true;
    refused->refusal = REFUSAL(GAP);
    refused->request = session->request;
    refused->sentence = (char *) "A request's number was skipped.";
    engine_answer(engine, event, KIND(REFUSED), event->header.number, refused, out);
}

void engine_on_command(struct engine *engine, const struct event *event, struct outbox *out)
{
    const Arbiter__Engine__Command *ask = BODY(Arbiter__Engine__Command, event);
    struct hosted                  *hosted = engine_match_asked(engine, event, out);
    if (hosted == NULL)
        return;
    struct session *session =
        engine_session_find(hosted, event->header.seat, event->header.session);
    uint32_t request = event->header.request;
    if (ask->has_id && ask->id.len != TRACE_ID_SIZE) {
        engine_refuse(engine, event, REFUSAL(MALFORMED), 0, "A command's id has 16 bytes.", out);
        return;
    }
    if (session == NULL) {
        engine_refuse(engine, event, REFUSAL(ATTACH_AGAIN), 0,
                      "This session is unknown or closed; attach again.", out);
        return;
    }
    if (memcmp(session->key, event->caller.key, sizeof session->key) != 0) {
        engine_refuse(engine, event, REFUSAL(NOT_YOURS), 0, "This session is another's.", out);
        return;
    }
    if (request == session->request && request > 0)
        give_answer(engine, hosted, session, event, NULL, out);
    else if (request <= session->request)
        return; /* A late copy of what was answered long ago: dropped. */
    else if (request != session->request + 1)
        refuse_gap(engine, event, session, out);
    else if (engine_may_go_on(engine, hosted, event, out) && engine_may_write(engine, event, out))
        do_command(engine, hosted, event, session, out);
}
