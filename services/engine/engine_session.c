/* engine_session.c: a holder's lines of requests: opened, found, closed; at most eight for a seat. Pure. */
#include <string.h>

#include "services/engine/engine_parts.h"

struct session *engine_session_find(const struct hosted *hosted, uint32_t seat, uint32_t number)
{
    struct session *session = seat < hosted->seats_held ? hosted->seats[seat].sessions : NULL;
    while (session != NULL && session->number != number)
        session = session->next;
    return session;
}

struct session *engine_session_unused(const struct hosted *hosted, uint32_t seat,
                                      const struct event *event, const uint8_t *player)
{
    struct session *session = hosted->seats[seat].sessions;
    while (session != NULL && (session->request > 0 || session->door != event->caller.door ||
                               session->route != event->caller.route ||
                               memcmp(session->key, event->caller.key, sizeof session->key) != 0 ||
                               memcmp(session->player, player, sizeof session->player) != 0))
        session = session->next;
    return session;
}

static void session_free(struct engine *engine, struct session *session)
{
    if (session->asks != NULL)
        slab_give(&engine->slab, &engine->undo, session->asks, session->asks_size);
    slab_give(&engine->slab, &engine->undo, session, sizeof *session);
}

void engine_sessions_free(struct engine *engine, struct seat *seat)
{
    while (seat->sessions != NULL) {
        struct session *next = seat->sessions->next;
        session_free(engine, seat->sessions);
        seat->sessions = next;
    }
    seat->open = 0;
}

bool engine_session_keep_asks(struct engine *engine, struct session *session, const uint8_t *asks,
                              size_t size)
{
    if (session->asks != NULL)
        slab_give(&engine->slab, &engine->undo, session->asks, session->asks_size);
    session->asks = NULL;
    session->asks_size = 0;
    if (size == 0)
        return true;
    session->asks = slab_take(&engine->slab, &engine->undo, size);
    if (session->asks == NULL)
        return false;
    memcpy(session->asks, asks, size);
    session->asks_size = (uint32_t) size;
    return true;
}

static const char *sentence_of(uint32_t why)
{
    switch (why) {
    case ARBITER__ENGINE__CLOSED__WHY__WHY_NINTH:
        return "Eight newer sessions were opened for this seat.";
    case ARBITER__ENGINE__CLOSED__WHY__WHY_CHANGED: return "The seat has another holder now.";
    default: return "The session is closed, as you asked.";
    }
}

static void tell_closed(const struct engine *engine, const struct hosted *hosted, uint32_t seat,
                        const struct session *session, uint32_t why, struct outbox *out)
{
    Arbiter__Engine__Closed *closed = outbox_message(out, &arbiter__engine__closed__descriptor);
    struct header            header;
    if (session->door == 0)
        return;
    closed->has_session = closed->has_why = true;
    closed->session = session->number;
    closed->why = (Arbiter__Engine__Closed__Why) why;
    closed->sentence =
        (char *) outbox_copy(out, sentence_of(why), text_length(sentence_of(why)) + 1);
    header_init(&header, KIND(CLOSED), hosted->id);
    header.version = header_spoken(session->version);
    header.seat = seat;
    header.session = session->number;
    header.epoch = engine->slots[hosted->slot].epoch;
    header.number = hosted->match->number;
    outbox_send(out, session->door, session->route, &header, closed);
}

/* The seat's highest number stays in the journal, closed, so that it is not given out again. */
void engine_session_close(struct engine *engine, struct hosted *hosted, uint32_t index,
                          struct session *session, uint32_t why, struct outbox *out)
{
    struct seat     *seat = &hosted->seats[index];
    struct session **link = &seat->sessions;
    engine_touch(engine, hosted);
    engine_fence(engine, hosted, out);
    if (session->number == seat->last_session)
        engine_row_of_session(hosted, index, session, true, out);
    else
        engine_row_of_session_gone(hosted, index, session->number, out);
    tell_closed(engine, hosted, index, session, why, out);
    while (*link != session)
        link = &(*link)->next;
    if (link != &seat->sessions)
        engine_undo_keep(&engine->undo, link, sizeof(struct session *));
    *link = session->next;
    seat->open--;
    session_free(engine, session);
}

static void close_oldest(struct engine *engine, struct hosted *hosted, uint32_t index,
                         struct outbox *out)
{
    struct session *oldest = hosted->seats[index].sessions;
    while (oldest->next != NULL)
        oldest = oldest->next;
    engine_session_close(engine, hosted, index, oldest, ARBITER__ENGINE__CLOSED__WHY__WHY_NINTH,
                         out);
}

/* The number before this one was kept in the journal for its number alone, if it is closed. */
static void forget_closed(const struct hosted *hosted, uint32_t index, struct outbox *out)
{
    uint32_t last = hosted->seats[index].last_session;
    if (last > 0 && engine_session_find(hosted, index, last) == NULL)
        engine_row_of_session_gone(hosted, index, last, out);
}

struct session *engine_session_open(struct engine *engine, struct hosted *hosted, uint32_t index,
                                    const struct event *event, const uint8_t *player,
                                    struct outbox *out)
{
    struct seat    *seat = &hosted->seats[index];
    struct session *session = slab_take(&engine->slab, &engine->undo, sizeof *session);
    if (session == NULL)
        return NULL;
    engine_touch(engine, hosted);
    engine_fence(engine, hosted, out);
    if (seat->open == SEAT_SESSIONS_MAX)
        close_oldest(engine, hosted, index, out);
    forget_closed(hosted, index, out);
    session->number = ++seat->last_session;
    memcpy(session->key, event->caller.key, sizeof session->key);
    memcpy(session->player, player, sizeof session->player);
    memcpy(session->chain, hosted->match->chain, sizeof session->chain);
    session->act = hosted->match->number;
    session->door = event->caller.door;
    session->route = event->caller.route;
    session->version = event->header.version;
    session->next = seat->sessions;
    seat->sessions = session;
    seat->open++;
    engine_row_of_session(hosted, index, session, false, out);
    return session;
}
