/* ask_lobby.c: says one ask and waits for the answer, as long as somebody has patience. */
#include "services/console/play/ask_lobby.h"

#include "services/console/command/console.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/progress.h"

#define PATIENCE_S 15.0

/* What the lobby said, if it was to this ask. */
static int judge(struct client *client, const struct client_event *event, const char *refusal,
                 void (*take)(void *taker, const Arbiter__Lobby__Answer *answer), void *taker)
{
    const Arbiter__Lobby__Answer *answer =
        event->kind == CLIENT_REFUSED
            ? NULL
            : (const Arbiter__Lobby__Answer *) (const void *) client_message(client, event);
    if (answer != NULL && answer->verdict == ARBITER__LOBBY__VERDICT__VERDICT_DONE) {
        if (take != NULL)
            take(taker, answer);
        return CONSOLE_OK;
    }
    complain("%s: %s", refusal,
             answer != NULL && answer->sentence != NULL ? answer->sentence : "it says no more.");
    return CONSOLE_DISAGREES;
}

int ask_lobby(struct client *client, const Arbiter__Lobby__Ask *ask, const char *refusal)
{
    return ask_lobby_for(client, ask, refusal, NULL, NULL);
}

int ask_lobby_for(struct client *client, const Arbiter__Lobby__Ask *ask, const char *refusal,
                  void (*take)(void *taker, const Arbiter__Lobby__Answer *answer), void *taker)
{
    struct client_event event;
    uint32_t            request = client_ask(client, &ask->base);
    double              until = seconds_now() + PATIENCE_S;
    while (!interrupted() && seconds_now() < until) {
        (void) client_next(client, 200, &event);
        if (event.request == request &&
            (event.kind == CLIENT_ANSWER || event.kind == CLIENT_REFUSED))
            return judge(client, &event, refusal, take, taker);
    }
    if (interrupted())
        return CONSOLE_INTERRUPTED;
    console_complain("the lobby does not answer; does \"arbiter up\" run?");
    return CONSOLE_BAD_INPUT;
}
