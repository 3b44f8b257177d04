/* players.c: who begins matches and plays them, with nothing of the client library in between. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "bus_bench.h"
#include "contract/engine.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "wire/names.h"

#define WINDOW 64u              /* Matches being begun at a time.                               */
#define PATIENCE_NS 20000000000 /* Nothing comes for so long: something is broken.               */
#define MEND_NS 250000000

struct bus_socket *player_connect(const struct house *house)
{
    char        address[BUS_ADDRESS_MAX];
    struct text fault;
    house_address(house, ENGINE, "requests", address);
    struct bus_place place = { .kind = BUS_DEALER,
                               .address = address,
                               .key = house->keys[ENGINE].public_key };
    return bus_open(house->player_bus, &place, &fault);
}

static void send(struct bus_socket *socket, const struct header *header,
                 const ProtobufCMessage *body)
{
    size_t   size = protobuf_c_message_get_packed_size(body);
    uint8_t *frame = bus_compose(socket, HEADER_SIZE + size);
    header_encode(frame, header);
    (void) protobuf_c_message_pack(body, frame + HEADER_SIZE);
    (void) bus_send(socket, 0);
}

bool house_wait(const struct house *house, struct bus *bus)
{
    char                address[BUS_ADDRESS_MAX];
    struct text         fault;
    struct bus_message  message;
    struct header       header;
    Arbiter__Wire__Ping ping = ARBITER__WIRE__PING__INIT;
    uint64_t            until_ns = now_ns() + PATIENCE_NS;
    bool                is_heard = false;
    house_address(house, ENGINE, "requests", address);
    struct bus_place   place = { .kind = BUS_DEALER,
                                 .address = address,
                                 .key = house->keys[ENGINE].public_key };
    struct bus_socket *socket = bus_open(bus, &place, &fault);
    header_init(&header, KIND(PING), NULL);
    while (!is_heard && now_ns() < until_ns) {
        (void) bus_mend(socket); /* What was said to a door that was not open is lost. */
        send(socket, &header, &ping.base);
        is_heard =
            bus_wait(&socket, 1, NULL, 0, 200) && bus_receive(socket, &message) == BUS_MESSAGE;
    }
    bus_close(&socket);
    return is_heard;
}

/* Moves that a match begins with, as if they had been said at its table. */
struct openings {
    Arbiter__Engine__Opening  opening[MOVES_MAX];
    Arbiter__Engine__Opening *list[MOVES_MAX];
};

static void put_openings(Arbiter__Engine__StartMatch *start, struct openings *openings,
                         const struct script *script, uint32_t moves)
{
    for (uint32_t i = 0; i < moves; i++) {
        Arbiter__Engine__Opening *opening = &openings->opening[i];
        arbiter__engine__opening__init(opening);
        opening->has_seat = opening->has_command = true;
        opening->seat = script->move[i].seat;
        opening->command = (ProtobufCBinaryData){ script->move[i].size,
                                                  (uint8_t *) (uintptr_t) script->move[i].bytes };
        openings->list[i] = opening;
    }
    start->opening = openings->list;
    start->n_opening = moves;
}

static void ask_start(const struct house *house, struct bus_socket *socket,
                      const struct scripts *scripts, uint8_t id[ID_SIZE], uint32_t number,
                      uint32_t moves)
{
    static struct openings      openings;
    Arbiter__Engine__StartMatch start = ARBITER__ENGINE__START_MATCH__INIT;
    Arbiter__Engine__MatchFacts facts = ARBITER__ENGINE__MATCH_FACTS__INIT;
    Arbiter__Engine__Holder     holder[SEATS], *holders[SEATS];
    struct header               header;
    facts.game = (char *) "dead";
    facts.setup = scripts->setup;
    facts.options = scripts->options;
    facts.has_seats = facts.has_seed = true;
    facts.seats = SEATS;
    facts.dice = (char *) "java";
    facts.seed = scripts->script[number % scripts->count].seed;
    for (uint32_t seat = 0; seat < SEATS; seat++) {
        arbiter__engine__holder__init(&holder[seat]);
        holder[seat].has_seat = holder[seat].has_player = holder[seat].has_key = true;
        holder[seat].seat = seat;
        holder[seat].player = (ProtobufCBinaryData){ ID_SIZE, id };
        holder[seat].key =
            (ProtobufCBinaryData){ BUS_KEY_SIZE, (uint8_t *) house->player.public_key };
        holders[seat] = &holder[seat];
    }
    start.match = &facts;
    start.holders = holders;
    start.n_holders = SEATS;
    put_openings(&start, &openings, &scripts->script[number % scripts->count], moves);
    header_init(&header, KIND(START_MATCH), id);
    send(socket, &header, &start.base);
}

/* Waits for the next frame; false: none came, which is said. */
bool bench_next(struct bus_socket *socket, struct bus_message *message, struct header *header)
{
    uint64_t until_ns = now_ns() + PATIENCE_NS, mend_ns = 0;
    while (now_ns() < until_ns) {
        if (now_ns() > mend_ns + MEND_NS) {
            (void) bus_mend(socket);
            mend_ns = now_ns();
        }
        if (bus_wait(&socket, 1, NULL, 0, 100) && bus_receive(socket, message) == BUS_MESSAGE)
            return header_decode(header, message->bytes, message->size) == HEADER_GOOD;
    }
    fputs("bus_bench: the engine does not answer\n", stderr);
    return false;
}

static bool say_refused(const struct bus_message *message, const struct header *header)
{
    Arbiter__Wire__Refused *refused =
        header->kind != KIND(REFUSED)
            ? NULL
            : arbiter__wire__refused__unpack(NULL, message->size - HEADER_SIZE,
                                             message->bytes + HEADER_SIZE);
    fprintf(stderr, "bus_bench: kind %u: %s\n", header->kind,
            refused != NULL && refused->sentence != NULL ? refused->sentence : "unexpected");
    if (refused != NULL)
        arbiter__wire__refused__free_unpacked(refused, NULL);
    return false;
}

bool matches_begin(const struct house *house, const struct scripts *scripts,
                   uint8_t (*ids)[ID_SIZE], uint32_t count, uint32_t moves)
{
    char               address[BUS_ADDRESS_MAX];
    struct text        fault;
    struct bus_message message;
    struct header      header;
    uint32_t           asked = 0, begun = 0;
    bool               is_well = true;
    house_address(house, ENGINE, "requests", address);
    struct bus_place   place = { .kind = BUS_DEALER,
                                 .address = address,
                                 .key = house->keys[ENGINE].public_key };
    struct bus_socket *socket = bus_open(house->starter_bus, &place, &fault);
    while (begun < count && is_well) {
        for (; asked < count && asked < begun + WINDOW; asked++) {
            randombytes_buf(ids[asked], ID_SIZE);
            memcpy(ids[asked] + ID_SIZE - sizeof asked, &asked, sizeof asked);
            ask_start(house, socket, scripts, ids[asked], asked, moves);
        }
        is_well = bench_next(socket, &message, &header) &&
                  (header.kind == KIND(MATCH_STARTED) || say_refused(&message, &header));
        begun += is_well;
    }
    bus_close(&socket);
    return is_well;
}

void player_attach(struct player *player)
{
    Arbiter__Engine__Attach ask = ARBITER__ENGINE__ATTACH__INIT;
    struct header           header;
    header_init(&header, KIND(ATTACH), player->match_id);
    header.seat = player->attached;
    ask.has_view = true;
    send(player->socket, &header, &ask.base);
}

static bool sit_down(struct player *player)
{
    struct bus_message message;
    struct header      header;
    while (player->attached < SEATS) {
        player_attach(player);
        if (!bench_next(player->socket, &message, &header))
            return false;
        if (header.kind != KIND(ATTACHED))
            return say_refused(&message, &header);
        player->session[player->attached] = header.session;
        player->request[player->attached++] = header.request;
    }
    return true;
}

void player_move(struct player *player)
{
    Arbiter__Engine__Command command = ARBITER__ENGINE__COMMAND__INIT;
    struct header            header;
    uint32_t                 seat = player->script->move[player->at].seat;
    command.kind_case = ARBITER__ENGINE__COMMAND__KIND_PLAY;
    command.play =
        (ProtobufCBinaryData){ player->script->move[player->at].size,
                               (uint8_t *) (uintptr_t) player->script->move[player->at].bytes };
    header_init(&header, KIND(COMMAND), player->match_id);
    header.seat = seat;
    header.session = player->session[seat];
    header.request = ++player->request[seat];
    player->is_waiting = true;
    player->sent_ns = now_ns();
    send(player->socket, &header, &command.base);
}

/* False: it was not accepted, so this bench is wrong. */
static bool take_reply(struct player *player, const struct bus_message *message,
                       const struct header *header, struct times *times)
{
    if (header->kind != KIND(REPLY))
        return say_refused(message, header);
    Arbiter__Engine__Reply *reply = arbiter__engine__reply__unpack(
        NULL, message->size - HEADER_SIZE, message->bytes + HEADER_SIZE);
    bool is_accepted = reply != NULL && reply->accepted;
    if (!is_accepted)
        fprintf(stderr, "bus_bench: move %u: %s\n", player->at,
                reply != NULL && reply->sentence != NULL ? reply->sentence : "refused");
    if (reply != NULL)
        arbiter__engine__reply__free_unpacked(reply, NULL);
    times_add(times, (double) (now_ns() - player->sent_ns) / 1e6);
    player->is_waiting = false;
    player->at++;
    return is_accepted;
}

uint64_t players_play(struct player *players, uint32_t count, uint32_t until, uint64_t ns,
                      struct times *times)
{
    struct bus_socket **sockets = calloc(count, sizeof *sockets);
    uint64_t            until_ns = now_ns() + ns, moves = 0;
    uint32_t            waiting = 0;
    bool                is_well = sockets != NULL;
    for (uint32_t i = 0; i < count && is_well; i++) {
        sockets[i] = players[i].socket;
        if (players[i].at < until)
            player_move(&players[i]);
        waiting += players[i].is_waiting;
    }
    while (waiting > 0 && is_well) {
        struct bus_message message;
        struct header      header;
        (void) bus_wait(sockets, count, NULL, 0, 1000);
        for (uint32_t i = 0; i < count && is_well; i++) {
            struct player *player = &players[i];
            if (!bus_has(player->socket) || bus_receive(player->socket, &message) != BUS_MESSAGE)
                continue;
            is_well = header_decode(&header, message.bytes, message.size) == HEADER_GOOD &&
                      take_reply(player, &message, &header, times);
            bool is_in_time = now_ns() < until_ns;
            moves += is_in_time;
            if (is_in_time && player->at < until)
                player_move(player);
            else
                waiting--;
        }
    }
    free(sockets);
    return is_well ? moves : 0;
}

bool players_begin(const struct house *house, const struct scripts *scripts, struct player *players,
                   uint32_t count, uint32_t moves)
{
    uint8_t(*ids)[ID_SIZE] = calloc(count, sizeof *ids);
    struct times none = { .capacity = 0 };
    bool         is_well = ids != NULL && matches_begin(house, scripts, ids, count, 0);
    for (uint32_t i = 0; i < count && is_well; i++) {
        struct bus_socket *socket = players[i].socket;
        players[i] =
            (struct player){ .socket = socket, .script = &scripts->script[i % scripts->count] };
        memcpy(players[i].match_id, ids[i], ID_SIZE);
        if (socket == NULL)
            players[i].socket = player_connect(house);
        is_well = players[i].socket != NULL && sit_down(&players[i]);
    }
    free(ids);
    return is_well && (moves == 0 || players_play(players, count, moves, PATIENCE_NS, &none) > 0);
}

bool match_answers(struct bus_socket *socket, const uint8_t match_id[ID_SIZE], uint64_t ns)
{
    struct bus_message message;
    struct header      header;
    struct player      asking = { .socket = socket };
    uint64_t           until_ns = now_ns() + ns;
    memcpy(asking.match_id, match_id, ID_SIZE);
    player_attach(&asking);
    while (now_ns() < until_ns)
        if (bus_wait(&socket, 1, NULL, 0, 5) && bus_receive(socket, &message) == BUS_MESSAGE &&
            header_decode(&header, message.bytes, message.size) == HEADER_GOOD &&
            memcmp(header.match_id, match_id, ID_SIZE) == 0)
            return header.kind == KIND(ATTACHED);
    return false;
}
