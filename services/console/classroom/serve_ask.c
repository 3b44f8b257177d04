/* serve_ask.c: questions to the house, one at a time, each waited for. */
#include <string.h>

#include "services/console/classroom/serve_door.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/progress.h"

/* The house answers within so long, restarts of its processes included, or something is broken. */
#define PATIENCE_S 120.0
#define LOOK_MS 50

bool serve_await(struct serve_door *door, uint32_t request)
{
    struct client_event event;
    double              begun = seconds_now();
    door->awaited = request;
    door->is_answered = door->is_done = false;
    door->sentence[0] = '\0';
    while (request != 0 && !door->is_answered && !interrupted() &&
           seconds_now() - begun < PATIENCE_S) {
        (void) children_tend(&door->cluster->children, seconds_now());
        if (client_next(door->client, LOOK_MS, &event))
            serve_take(door, &event);
    }
    return door->is_answered;
}

bool serve_ask(struct serve_door *door, const struct plain_player *player,
               Arbiter__Lobby__Ask__KindCase kind, void *message)
{
    Arbiter__Lobby__Ask ask = ARBITER__LOBBY__ASK__INIT;
    ask.kind_case = kind;
    ask.rejoin = message; /* All of the oneof's members are pointers at one place. */
    if (player != NULL) {
        ask.has_player = true;
        ask.player = (ProtobufCBinaryData){ PLAIN_ID_SIZE, (uint8_t *) player->id };
    }
    return serve_await(door, client_ask(door->client, &ask.base));
}
