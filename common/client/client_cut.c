/* client_cut.c: whom to ask for what was missed, and what a lost stream changes about it. Pure.
 *
 * A fanout that does not answer is not listened to any longer. When the stream itself is lost,
 * quiet means nothing any more. The client listens to another fanout, if there is one. Until that
 * fanout has spoken, it and the engine are asked in turn. So a fanout that is away, or comes and
 * goes, costs nobody a move. */
#include <string.h>

#include "client/client_private.h"

/* Every so many tries it is the engine's turn. */
#define ENGINE_EVERY 3
/* All seats together ask engines `engine_asks` times in so long: a gateway has thousands. Engines gather what is asked
 * alike, and say so when it is too much. */
#define ENGINE_WINDOW_MS 10u

/* The next fanout behind this one, round and round; NO_PEER: there is none. */
static uint32_t next_fanout(const struct peers *peers, uint32_t after)
{
    uint32_t next = peers_next(peers, ROLE(FANOUT), after);
    return next == NO_PEER ? peers_next(peers, ROLE(FANOUT), NO_PEER) : next;
}

/* The engine's own door for the past; NO_PEER: it has none, or nobody owns the match. */
static uint32_t engine_door(const struct client_core *core, const struct client_seat *seat)
{
    uint32_t engine = seat_engine(core, seat);
    bool     has_door =
        engine != NO_PEER && core->peers.list[engine].doors.address[DOOR_HISTORY][0] != '\0';
    return has_door ? engine : NO_PEER;
}

/* When the engine may be asked: each seat seldom, and all of them not at once. */
static uint64_t engine_free_ms(const struct client_core *core, const struct client_seat *seat)
{
    bool     is_full = core->engine_asks >= core->settings.engine_asks;
    uint64_t all_ms = is_full ? core->engine_history_ms : 0;
    return seat->engine_ms > all_ms ? seat->engine_ms : all_ms;
}

static uint32_t ask_engine(const struct turn *turn, struct client_seat *seat, uint32_t engine)
{
    struct client_core *core = turn->core;
    if (turn->now_ms >= core->engine_history_ms) {
        core->engine_history_ms = turn->now_ms + ENGINE_WINDOW_MS;
        core->engine_asks = 0;
    }
    core->engine_asks++;
    seat->engine_ms = turn->now_ms + turn->core->settings.engine_history_ms;
    seat->is_engines = false;
    return engine;
}

/* Whom to ask now. A fanout that was asked and kept silent is left for the next one. */
uint32_t cut_choose_door(const struct turn *turn, struct client_seat *seat)
{
    struct client_core *core = turn->core;
    uint32_t            engine = engine_door(core, seat);
    uint32_t            tries = seat->fetch.tries;
    uint32_t            fanout = next_fanout(&core->peers, seat->asked);
    if ((tries == 0 || seat->asked == NO_PEER) && stream_is_listening(core, seat))
        fanout = seat->fanout;
    bool is_silent = tries > 0 && seat->asked != NO_PEER && seat->asked == seat->fanout;
    if (is_silent && fanout == seat->fanout)
        seat->is_cut = seat->is_engines = true; /* There is no other. */
    bool is_engines = fanout == NO_PEER || tries % ENGINE_EVERY == ENGINE_EVERY - 1 ||
                      (seat->is_cut && seat->is_engines);
    if (is_engines && engine != NO_PEER && turn->now_ms >= engine_free_ms(core, seat))
        return ask_engine(turn, seat, engine);
    if (is_silent && fanout != NO_PEER)
        stream_listen(turn, seat, fanout);
    seat->asked = fanout;
    seat->is_engines = true;
    return fanout;
}

/* It is the engine's turn, and there is nobody better: it is waited for, if it may not be asked yet. */
bool cut_waits_for_engine(const struct turn *turn, struct client_seat *seat)
{
    const struct client_core *core = turn->core;
    uint64_t                  free_ms = engine_free_ms(core, seat);
    if (!seat->is_cut || !seat->is_engines || free_ms <= turn->now_ms ||
        engine_door(core, seat) == NO_PEER)
        return false;
    seat->fetch.at_ms = free_ms;
    outbox_wake(turn->out, free_ms);
    return true;
}

/* What was said since then did not come, and nothing will before somebody listens anew. If that is at another
 * fanout, it is asked first; at the same one, or if this happens again and again, the engine is. */
void cut_doubt(const struct turn *turn, struct client_seat *seat, bool is_same, uint64_t wait_ms)
{
    seat->fetch.tries = 0;
    seat->asked = NO_PEER;
    seat->is_engines = is_same || seat->is_cut;
    seat->is_cut = true;
    seat->quiet_ms = turn->core->settings.retry_ms;
    if (seat->next != 0 && seat->fetch.at_ms > turn->now_ms + wait_ms) {
        seat->fetch.at_ms = turn->now_ms + wait_ms;
        outbox_wake(turn->out, seat->fetch.at_ms);
    }
}

void cut_stream(const struct turn *turn, uint32_t fanout)
{
    for (uint32_t i = 0; i < turn->core->settings.seats_max; i++) {
        struct client_seat *seat = &turn->core->seats[i];
        if (!seat->is_used || seat->fanout != fanout)
            continue;
        uint32_t other = next_fanout(&turn->core->peers, fanout);
        if (other != fanout && other != NO_PEER)
            stream_listen(turn, seat, other);
        cut_doubt(turn, seat, seat->fanout == fanout, 0);
    }
}

/* Whoever says when to come back is not silent, and is not left for it. */
void cut_refused(const struct turn *turn, const struct event *event)
{
    const Arbiter__Wire__Refused *refused = BODY(Arbiter__Wire__Refused, event);
    uint32_t                      peer = peers_of_event(event);
    bool                          has_time = refused->has_after_ms && refused->after_ms > 0;
    bool                          is_engine = turn->core->peers.list[peer].role == ROLE(ENGINE);
    struct client_seat *seat = has_time ? seat_first(turn->core, event->header.match_id) : NULL;
    for (; seat != NULL; seat = seat_after(turn->core, seat)) {
        bool is_asked = seat->fetch.tries > 0 && (is_engine || seat->asked == peer);
        if (!is_asked || !is_for_later(event))
            continue;
        seat->asked = NO_PEER;
        seat->fetch.tries--; /* This was none. */
        due_refused(turn, &seat->fetch, event);
    }
}

/* A stream that brings something is whole again, behind what brought it; a fanout that answers is
 * asked on. A fanout that was behind when it was asked is not behind any more once something newer
 * is heard: pauses had grown long meanwhile. */
void cut_heard_from(struct client_seat *seat, const struct event *event)
{
    const bool is_answer = event->header.kind == KIND(HISTORY_ANSWER);
    if (seat->is_behind && !is_answer) {
        seat->is_behind = false;
        seat->fetch.tries = 0;
    }
    if (seat->fanout != peers_of_event(event))
        return;
    if (is_answer)
        seat->is_engines = false;
    else
        seat->is_cut = false;
}
