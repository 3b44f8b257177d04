/* outage.c: the engine is killed while people play, and they want to move as if nothing had happened.
 *
 * Each match makes one move, at its own time in ten seconds. A player without an answer says it
 * again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bus_bench.h"
#include "contract/envelope.pb-c.h"
#include "wire/names.h"

#define SPREAD_NS 10000000000ull
#define KILLED_NS 4000000000ull
#define STARTED_NS 250000000ull  /* After that, as `arbiter up` does. */
#define WATCHED_NS 4000000000ull /* Players who want to move so long after the death count. */
#define AGAIN_NS 500000000ull    /* As the client library does. */
#define MEND_NS 250000000ull
/* A thousand unanswered on one connection would be dropped as one who does not read. */
#define SOCKETS 100u

struct outage {
    struct house      *house;
    struct bus_socket *sockets[SOCKETS];
    struct player     *players;
    uint64_t           begun_ns, killed_ns, mended_ns;
    uint32_t           next, answered, refused;
    bool               is_up;
    struct times      *again;
};

static uint32_t place_of(const struct header *header)
{
    uint32_t place;
    memcpy(&place, header->match_id + ID_SIZE - sizeof place, sizeof place);
    return place < OUTAGE_MATCHES ? place : 0;
}

/* Everybody sits down on the seat that moves first; one on each connection at a time. */
static bool sit_down(struct outage *outage)
{
    struct bus_message message;
    struct header      header;
    for (uint32_t first = 0; first < OUTAGE_MATCHES; first += SOCKETS) {
        for (uint32_t i = 0; i < SOCKETS; i++)
            player_attach(&outage->players[first + i]);
        for (uint32_t i = 0; i < SOCKETS; i++) {
            struct player *player = &outage->players[first + i];
            if (!bench_next(player->socket, &message, &header) || header.kind != KIND(ATTACHED))
                return false;
            player->session[player->attached] = header.session;
            player->request[player->attached] = header.request;
        }
    }
    return true;
}

/* When this match wants to move, in nanoseconds from the beginning. */
static uint64_t due(uint32_t place)
{
    return SPREAD_NS / OUTAGE_MATCHES * place;
}

static void take(struct outage *outage, const struct header *header)
{
    struct player *player = &outage->players[place_of(header)];
    if (header->kind == KIND(REFUSED))
        outage->refused++;
    if (header->kind != KIND(REPLY) || !player->is_waiting)
        return;
    uint64_t now = now_ns(), wanted = outage->begun_ns + due(place_of(header));
    player->is_waiting = false;
    outage->answered++;
    if (outage->killed_ns == 0 || wanted > outage->killed_ns + WATCHED_NS)
        return;
    uint64_t from = wanted > outage->killed_ns ? wanted : outage->killed_ns;
    times_add(outage->again, (double) (now - from) / 1e6);
}

/* The next ones move. A player without an answer says it again, with the same number. */
static void speak(struct outage *outage)
{
    uint64_t now = now_ns();
    for (uint32_t i = 0; i < outage->next; i++) {
        struct player *player = &outage->players[i];
        if (!player->is_waiting || now < player->sent_ns + AGAIN_NS)
            continue;
        player->request[player->attached]--;
        player_move(player);
    }
    while (outage->next < OUTAGE_MATCHES && now >= outage->begun_ns + due(outage->next))
        player_move(&outage->players[outage->next++]);
}

static void harm(struct outage *outage)
{
    uint64_t now = now_ns();
    if (outage->killed_ns == 0 && now > outage->begun_ns + KILLED_NS) {
        house_kill(outage->house, ENGINE);
        outage->killed_ns = now_ns();
        outage->is_up = false;
    }
    if (!outage->is_up && now > outage->killed_ns + STARTED_NS) {
        house_start(outage->house, ENGINE);
        outage->is_up = true;
    }
    if (now <= outage->mended_ns + MEND_NS)
        return;
    for (uint32_t i = 0; i < SOCKETS; i++)
        (void) bus_mend(outage->sockets[i]);
    outage->mended_ns = now;
}

static void play(struct outage *outage)
{
    struct bus_message message;
    struct header      header;
    outage->begun_ns = now_ns();
    while (outage->answered < OUTAGE_MATCHES && now_ns() < outage->begun_ns + 4 * SPREAD_NS) {
        harm(outage);
        speak(outage);
        (void) bus_wait(outage->sockets, SOCKETS, NULL, 0, 1);
        for (uint32_t i = 0; i < SOCKETS; i++)
            while (bus_has(outage->sockets[i]) &&
                   bus_receive(outage->sockets[i], &message) == BUS_MESSAGE)
                if (header_decode(&header, message.bytes, message.size) == HEADER_GOOD)
                    take(outage, &header);
    }
}

bool outage_run(struct house *house, const struct scripts *scripts, uint8_t (*ids)[ID_SIZE],
                struct times *again)
{
    struct outage outage = { .house = house, .is_up = true, .again = again };
    outage.players = calloc(OUTAGE_MATCHES, sizeof *outage.players);
    bool is_seated = outage.players != NULL;
    for (uint32_t i = 0; i < SOCKETS; i++) {
        outage.sockets[i] = player_connect(house);
        is_seated = is_seated && outage.sockets[i] != NULL;
    }
    for (uint32_t i = 0; i < OUTAGE_MATCHES && outage.players != NULL; i++) {
        struct player *player = &outage.players[i];
        player->socket = outage.sockets[i % SOCKETS];
        player->script = &scripts->script[i % scripts->count];
        player->attached = player->script->move[0].seat;
        memcpy(player->match_id, ids[i], ID_SIZE);
    }
    is_seated = is_seated && sit_down(&outage);
    if (is_seated)
        play(&outage);
    for (uint32_t i = 0; i < SOCKETS; i++)
        bus_close(&outage.sockets[i]);
    free(outage.players);
    bool is_whole = is_seated && outage.answered == OUTAGE_MATCHES;
    if (!is_whole)
        fprintf(stderr, "bus_bench: %u of %u matches wanted to move, %u did; %u refusals\n",
                outage.next, OUTAGE_MATCHES, outage.answered, outage.refused);
    return is_whole;
}
