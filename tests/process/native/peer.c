/* peer.c: native_peer: a program that has nothing of ours but proto/ plays a match of nim, in zsock, zmsg, zcert and zmonitor.
 *
 *     native_peer LOBBY LOBBY-KEY KEY-FILE NAME
 *
 * It says hello to the lobby, sits down at a table against a bot of the house's, and contributes to
 * the dice. It plays until the match is over, checks every act's link of the chain, and asks how it
 * ended. */
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "contract/directory.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "contract/lobby.pb-c.h"
#include "contract/nim.pb-c.h"
#include "follow.h"

#define KIND(name) ARBITER__WIRE__KIND__KIND_##name
#define SEAT 0u
#define ANSWER_MS 500
#define TRIES 60
#define AGAIN_MS 50
#define QUIET_MS 300 /* So long without an act, and history is asked. */
#define CONTRIBUTION 16

struct peer {
    zcert_t    *cert;
    const char *name;
    struct line lobby, engine, stream, history;
    uint32_t    asked; /* The last number of an ask.                                              */
    uint8_t     match[MATCH_SIZE];
    bool        has_match;
    uint32_t    session, request; /* Of commands.                                                 */
    uint64_t    replied;          /* The last act that was ours.                                  */
    struct follow follow;
};

static void notice(struct peer *peer, const struct frame *frame)
{
    if (frame->head.kind != KIND(TABLE_EVENT))
        return;
    Arbiter__Lobby__TableEvent *event =
        arbiter__lobby__table_event__unpack(NULL, frame->size, frame->body);
    if (event != NULL && event->kind_case == ARBITER__LOBBY__TABLE_EVENT__KIND_MATCH_BEGINS) {
        memcpy(peer->match, event->match_begins->match_id.data, MATCH_SIZE);
        peer->has_match = true;
    }
    arbiter__lobby__table_event__free_unpacked(event, NULL);
}

/* Only what may go differently when it is asked again is no end. */
static void judge_refusal(const struct frame *frame)
{
    Arbiter__Wire__Refused *refused =
        arbiter__wire__refused__unpack(NULL, frame->size, frame->body);
    if (refused == NULL)
        give_up("a refusal that cannot be read");
    switch (refused->refusal) {
    case ARBITER__WIRE__REFUSAL__REFUSAL_AGAIN:
    case ARBITER__WIRE__REFUSAL__REFUSAL_ELSEWHERE:
    case ARBITER__WIRE__REFUSAL__REFUSAL_NO_SUCH_MATCH: break;
    default: give_up("refused (%d): %s", (int) refused->refusal, refused->sentence);
    }
    arbiter__wire__refused__free_unpacked(refused, NULL);
}

/* Whether this is the answer, or a refusal in its place. An answer has the request it answers, but Attached has the
 * session's last one. */
static bool is_answer(const struct head *asked, const struct frame *frame, uint16_t wanted)
{
    bool is_kind = frame->head.kind == wanted || frame->head.kind == KIND(REFUSED);
    bool is_request = frame->head.request == asked->request || frame->head.kind == KIND(ATTACHED);
    return is_kind && is_request && memcmp(frame->head.match, asked->match, MATCH_SIZE) == 0;
}

/* Says it until it is answered. */
static struct frame ask(struct peer *peer, struct line *line, const struct head *head,
                        const ProtobufCMessage *body, uint16_t wanted)
{
    struct frame frame;
    for (int i = 0; i < TRIES; i++) {
        int64_t until = zclock_mono() + ANSWER_MS, now;
        line_say(line, head, body);
        while ((now = zclock_mono()) < until) {
            if (!line_hear(line, (int) (until - now), &frame))
                continue;
            bool is_it = is_answer(head, &frame, wanted);
            if (is_it && frame.head.kind == wanted)
                return frame;
            if (is_it)
                judge_refusal(&frame);
            else
                notice(peer, &frame);
            frame_free(&frame);
            until = is_it ? zclock_mono() + AGAIN_MS : until;
        }
    }
    give_up("%s does not answer kind %u", line->address, head->kind);
}

static Arbiter__Directory__Welcome *say_hello(struct peer *peer, struct line *line)
{
    Arbiter__Directory__Hello hello = ARBITER__DIRECTORY__HELLO__INIT;
    struct head               head = { .kind = KIND(HELLO), .seat = NOBODY };
    hello.has_role = hello.has_protocol = true;
    hello.role = ARBITER__DIRECTORY__ROLE__ROLE_CLIENT;
    hello.protocol = 1;
    hello.name = hello.software = "native_peer";
    struct frame                 frame = ask(peer, line, &head, &hello.base, KIND(WELCOME));
    Arbiter__Directory__Welcome *welcome =
        arbiter__directory__welcome__unpack(NULL, frame.size, frame.body);
    if (welcome == NULL || welcome->protocol != 1)
        give_up("%s does not welcome us in version 1", line->address);
    frame_free(&frame);
    return welcome;
}

static bool owns(const Arbiter__Directory__Service *service, uint8_t slot)
{
    for (size_t i = 0; i < service->n_slots; i++)
        if (service->slots[i]->first <= slot && slot <= service->slots[i]->last)
            return true;
    return false;
}

static bool set_door(struct line *line, const Arbiter__Directory__Service *service,
                     Arbiter__Directory__Door__Kind kind)
{
    for (size_t i = 0; i < service->n_doors; i++)
        if (service->doors[i]->kind == kind && service->key.len == KEY_SIZE) {
            (void) snprintf(line->address, sizeof line->address, "%s", service->doors[i]->address);
            memcpy(line->server, service->key.data, KEY_SIZE);
            return true;
        }
    return false;
}

/* Where the match's engine is, and a fanout; false: the directory does not know them yet. */
static bool find_doors(struct peer *peer, const Arbiter__Directory__Directory *directory)
{
    bool has_engine = false, has_fanout = false;
    for (size_t i = 0; i < directory->n_services; i++) {
        const Arbiter__Directory__Service *service = directory->services[i];
        if (service->role == ARBITER__DIRECTORY__ROLE__ROLE_ENGINE &&
            owns(service, slot_of(peer->match)))
            has_engine =
                set_door(&peer->engine, service, ARBITER__DIRECTORY__DOOR__KIND__KIND_REQUESTS);
        if (service->role == ARBITER__DIRECTORY__ROLE__ROLE_FANOUT)
            has_fanout =
                set_door(&peer->stream, service, ARBITER__DIRECTORY__DOOR__KIND__KIND_STREAM) &&
                set_door(&peer->history, service, ARBITER__DIRECTORY__DOOR__KIND__KIND_HISTORY);
    }
    return has_engine && has_fanout;
}

static Arbiter__Lobby__Answer *ask_lobby(struct peer *peer, Arbiter__Lobby__Ask *body)
{
    struct head  head = { .kind = KIND(LOBBY_ASK), .seat = NOBODY, .request = ++peer->asked };
    struct frame frame = ask(peer, &peer->lobby, &head, &body->base, KIND(LOBBY_ANSWER));
    Arbiter__Lobby__Answer *answer = arbiter__lobby__answer__unpack(NULL, frame.size, frame.body);
    if (answer == NULL)
        give_up("an answer of the lobby's that cannot be read");
    frame_free(&frame);
    return answer;
}

static Arbiter__Lobby__Answer *ask_and_get(struct peer *peer, Arbiter__Lobby__Ask *body)
{
    Arbiter__Lobby__Answer *answer = ask_lobby(peer, body);
    if (answer->verdict != ARBITER__LOBBY__VERDICT__VERDICT_DONE)
        give_up("the lobby says no (%d): %s", (int) answer->verdict, answer->sentence);
    return answer;
}

static void enter(struct peer *peer)
{
    Arbiter__Lobby__Ask      body = ARBITER__LOBBY__ASK__INIT;
    Arbiter__Lobby__BindName bind = ARBITER__LOBBY__BIND_NAME__INIT;
    line_open(&peer->lobby);
    Arbiter__Directory__Welcome *welcome = say_hello(peer, &peer->lobby);
    peer->asked = welcome->request;
    arbiter__directory__welcome__free_unpacked(welcome, NULL);
    bind.name = (char *) peer->name;
    body.kind_case = ARBITER__LOBBY__ASK__KIND_BIND_NAME;
    body.bind_name = &bind;
    arbiter__lobby__answer__free_unpacked(ask_and_get(peer, &body), NULL);
}

/* The service of bots may say hello later than we do. */
static void call_bot(struct peer *peer, ProtobufCBinaryData table)
{
    Arbiter__Lobby__Verdict verdict = ARBITER__LOBBY__VERDICT__VERDICT_NO_BOTS;
    for (int i = 0; i < TRIES && verdict == ARBITER__LOBBY__VERDICT__VERDICT_NO_BOTS; i++) {
        Arbiter__Lobby__Ask          body = ARBITER__LOBBY__ASK__INIT;
        Arbiter__Lobby__FillWithBots fill = ARBITER__LOBBY__FILL_WITH_BOTS__INIT;
        fill.has_table = true;
        fill.table = table;
        body.kind_case = ARBITER__LOBBY__ASK__KIND_FILL_WITH_BOTS;
        body.fill_with_bots = &fill;
        Arbiter__Lobby__Answer *answer = ask_lobby(peer, &body);
        verdict = answer->verdict;
        arbiter__lobby__answer__free_unpacked(answer, NULL);
        if (verdict == ARBITER__LOBBY__VERDICT__VERDICT_NO_BOTS)
            zclock_sleep(AGAIN_MS);
    }
    if (verdict != ARBITER__LOBBY__VERDICT__VERDICT_DONE)
        give_up("no bot comes (%d)", (int) verdict);
}

/* A table of two, and the match that begins there. */
static void sit_down(struct peer *peer)
{
    Arbiter__Lobby__Ask         body = ARBITER__LOBBY__ASK__INIT;
    Arbiter__Lobby__CreateTable create = ARBITER__LOBBY__CREATE_TABLE__INIT;
    struct frame                frame;
    create.game = "nim";
    create.setup_name = "classic";
    create.has_seats = true;
    create.seats = 2;
    body.kind_case = ARBITER__LOBBY__ASK__KIND_CREATE_TABLE;
    body.create_table = &create;
    Arbiter__Lobby__Answer *answer = ask_and_get(peer, &body);
    call_bot(peer, answer->table->table);
    arbiter__lobby__answer__free_unpacked(answer, NULL);
    for (int i = 0; i < TRIES && !peer->has_match; i++)
        if (line_hear(&peer->lobby, ANSWER_MS, &frame)) {
            notice(peer, &frame);
            frame_free(&frame);
        }
    if (!peer->has_match)
        give_up("no match begins");
}

static void connect_to_match(struct peer *peer)
{
    bool is_found = false;
    for (int i = 0; i < TRIES && !is_found; i++) {
        Arbiter__Directory__Welcome *welcome = say_hello(peer, &peer->lobby);
        is_found = welcome->directory != NULL && find_doors(peer, welcome->directory);
        arbiter__directory__welcome__free_unpacked(welcome, NULL);
        if (!is_found)
            zclock_sleep(AGAIN_MS);
    }
    if (!is_found)
        give_up("the directory has no engine, or no fanout");
    topic_of(peer->stream.topic, peer->match);
    line_open(&peer->stream);
    line_open(&peer->history);
    line_open(&peer->engine);
    arbiter__directory__welcome__free_unpacked(say_hello(peer, &peer->engine), NULL);
}

static struct head seat_head(const struct peer *peer, uint16_t kind, uint32_t request)
{
    struct head head = { .kind = kind, .seat = SEAT, .session = peer->session, .request = request };
    memcpy(head.match, peer->match, MATCH_SIZE);
    return head;
}

static void command(struct peer *peer, const Arbiter__Engine__Command *body)
{
    struct head             head = seat_head(peer, KIND(COMMAND), ++peer->request);
    struct frame            frame = ask(peer, &peer->engine, &head, &body->base, KIND(REPLY));
    Arbiter__Engine__Reply *reply = arbiter__engine__reply__unpack(NULL, frame.size, frame.body);
    if (reply == NULL || !reply->accepted)
        give_up("a command was refused: %s", reply != NULL ? reply->sentence : "");
    peer->replied = reply->number;
    follow_promise(&peer->follow, reply->number, reply->chain);
    arbiter__engine__reply__free_unpacked(reply, NULL);
    frame_free(&frame);
}

/* Nobody else at this table contributes, so the bytes may follow their hash at once. */
static void contribute(struct peer *peer)
{
    uint8_t                  bytes[CONTRIBUTION], hash[HASH_SIZE];
    Arbiter__Engine__Command body = ARBITER__ENGINE__COMMAND__INIT;
    randombytes_buf(bytes, sizeof bytes);
    (void) crypto_hash_sha256(hash, bytes, sizeof bytes);
    body.kind_case = ARBITER__ENGINE__COMMAND__KIND_HASH;
    body.hash = (ProtobufCBinaryData){ sizeof hash, hash };
    command(peer, &body);
    body.kind_case = ARBITER__ENGINE__COMMAND__KIND_REVEAL;
    body.reveal = (ProtobufCBinaryData){ sizeof bytes, bytes };
    command(peer, &body);
}

static void attach(struct peer *peer)
{
    Arbiter__Engine__Attach    body = ARBITER__ENGINE__ATTACH__INIT;
    struct head                head = seat_head(peer, KIND(ATTACH), 1);
    struct frame               frame = ask(peer, &peer->engine, &head, &body.base, KIND(ATTACHED));
    Arbiter__Engine__Attached *attached =
        arbiter__engine__attached__unpack(NULL, frame.size, frame.body);
    if (attached == NULL || attached->match == NULL || attached->match->seats != 2 ||
        attached->key.len != KEY_SIZE)
        give_up("the engine attaches us to something else");
    if (attached->dice == NULL ||
        attached->dice->step != ARBITER__ENGINE__DICE_ROUND__STEP__STEP_HASHES)
        give_up("the dice were made without us");
    peer->session = attached->session;
    follow_begin(&peer->follow, peer->match, attached->match);
    arbiter__engine__attached__free_unpacked(attached, NULL);
    frame_free(&frame);
    contribute(peer);
}

static void ask_history(struct peer *peer)
{
    Arbiter__Stream__HistoryAsk body = ARBITER__STREAM__HISTORY_ASK__INIT;
    struct head                 head = { .kind = KIND(HISTORY_ASK), .seat = NOBODY, .request = 1 };
    memcpy(head.match, peer->match, MATCH_SIZE);
    body.has_from = true;
    body.from = peer->follow.next;
    struct frame frame = ask(peer, &peer->history, &head, &body.base, KIND(HISTORY_ANSWER));
    Arbiter__Stream__HistoryAnswer *answer =
        arbiter__stream__history_answer__unpack(NULL, frame.size, frame.body);
    for (size_t i = 0; answer != NULL && i < answer->n_acts; i++)
        if (answer->acts[i]->number == peer->follow.next) {
            follow_take(&peer->follow, answer->acts[i]);
            peer->follow.fetched++;
        }
    arbiter__stream__history_answer__free_unpacked(answer, NULL);
    frame_free(&frame);
}

/* What the stream says; it is a hint, and what it left out is asked for. */
static void listen_on(struct peer *peer)
{
    struct frame frame;
    if (!line_hear(&peer->stream, QUIET_MS, &frame)) {
        ask_history(peer);
        return;
    }
    if (frame.head.kind == KIND(ACT) && frame.head.number == peer->follow.next) {
        Arbiter__Stream__Act *act = arbiter__stream__act__unpack(NULL, frame.size, frame.body);
        if (act == NULL)
            give_up("an act that cannot be read");
        follow_take(&peer->follow, act);
        peer->follow.live++;
        arbiter__stream__act__free_unpacked(act, NULL);
    } else if (frame.head.number >= peer->follow.next)
        ask_history(peer);
    frame_free(&frame);
}

/* The first thing that the engine says may be done. */
static void move(struct peer *peer)
{
    Arbiter__Engine__LegalAsk body = ARBITER__ENGINE__LEGAL_ASK__INIT;
    struct head               head = seat_head(peer, KIND(LEGAL_ASK), 7);
    struct frame frame = ask(peer, &peer->engine, &head, &body.base, KIND(LEGAL_ANSWER));
    Arbiter__Engine__LegalAnswer *legal =
        arbiter__engine__legal_answer__unpack(NULL, frame.size, frame.body);
    Arbiter__Nim__Command    nim = ARBITER__NIM__COMMAND__INIT;
    Arbiter__Nim__Take       take = ARBITER__NIM__TAKE__INIT;
    Arbiter__Engine__Command play = ARBITER__ENGINE__COMMAND__INIT;
    uint8_t                  bytes[64];
    /* A kind, two arguments, and of each where its values begin and how many there are. */
    if (legal == NULL || legal->n_patterns < 6 || legal->patterns[0] != 1 ||
        legal->patterns[1] != 2)
        give_up("it is our turn, and nothing may be done");
    take.has_heap = take.has_count = true;
    take.heap = (uint32_t) legal->values[legal->patterns[2]];
    take.count = (uint32_t) legal->values[legal->patterns[4]];
    nim.kind_case = ARBITER__NIM__COMMAND__KIND_TAKE;
    nim.take = &take;
    play.kind_case = ARBITER__ENGINE__COMMAND__KIND_PLAY;
    play.play = (ProtobufCBinaryData){ arbiter__nim__command__pack(&nim, bytes), bytes };
    command(peer, &play);
    arbiter__engine__legal_answer__free_unpacked(legal, NULL);
    frame_free(&frame);
}

static void play(struct peer *peer)
{
    while (!peer->follow.is_over)
        if (peer->follow.turn == SEAT && peer->replied < peer->follow.next)
            move(peer);
        else
            listen_on(peer);
    for (uint32_t i = 0; i < peer->follow.heap_count; i++)
        if (peer->follow.heaps[i] != 0)
            give_up("the match is over, and heap %u is not empty", i);
    if (peer->follow.heap_count == 0 || (peer->follow.winners != 1 && peer->follow.winners != 2))
        give_up("the match is over, and nobody has won");
}

/* The lobby hears from the engine how it ended, and says so to whoever asks. */
static void check_result(struct peer *peer)
{
    for (int i = 0; i < TRIES; i++, zclock_sleep(AGAIN_MS)) {
        Arbiter__Lobby__Ask         body = ARBITER__LOBBY__ASK__INIT;
        Arbiter__Lobby__ListResults list = ARBITER__LOBBY__LIST_RESULTS__INIT;
        list.name = (char *) peer->name;
        body.kind_case = ARBITER__LOBBY__ASK__KIND_LIST_RESULTS;
        body.list_results = &list;
        Arbiter__Lobby__Answer       *answer = ask_and_get(peer, &body);
        size_t                        count = answer->results->n_results;
        const Arbiter__Lobby__Result *result = count > 0 ? answer->results->results[0] : NULL;
        bool                          is_there =
            result != NULL && memcmp(result->match_id.data, peer->match, MATCH_SIZE) == 0;
        if (is_there &&
            (result->n_outcome != 2 || (result->outcome[SEAT] > 0) != (peer->follow.winners == 1)))
            give_up("the lobby tells of another end");
        arbiter__lobby__answer__free_unpacked(answer, NULL);
        if (is_there)
            return;
    }
    give_up("the lobby never heard how it ended");
}

static void leave(struct peer *peer)
{
    char chain[2 * HASH_SIZE + 1], match[2 * MATCH_SIZE + 1];
    printf("match %s: %llu acts, %u live, %u fetched, %s, chain %s\n",
           sodium_bin2hex(match, sizeof match, peer->match, MATCH_SIZE),
           (unsigned long long) peer->follow.next - 1, peer->follow.live, peer->follow.fetched,
           peer->follow.winners == 1 ? "won" : "lost",
           sodium_bin2hex(chain, sizeof chain, peer->follow.chain, HASH_SIZE));
    line_close(&peer->engine);
    line_close(&peer->history);
    line_close(&peer->stream);
    line_close(&peer->lobby);
    zcert_destroy(&peer->cert);
}

int main(int argc, char **argv)
{
    struct peer peer = { .lobby = { .type = ZMQ_DEALER },
                         .engine = { .type = ZMQ_DEALER },
                         .stream = { .type = ZMQ_SUB },
                         .history = { .type = ZMQ_DEALER } };
    if (argc != 5 || sodium_init() < 0)
        give_up("say: native_peer LOBBY LOBBY-KEY KEY-FILE NAME");
    peer.cert = zcert_load(argv[3]);
    if (peer.cert == NULL || strlen(argv[2]) != 40 ||
        zmq_z85_decode(peer.lobby.server, argv[2]) == NULL)
        give_up("%s is no certificate, or %s no key", argv[3], argv[2]);
    peer.lobby.cert = peer.engine.cert = peer.stream.cert = peer.history.cert = peer.cert;
    peer.name = argv[4];
    (void) snprintf(peer.lobby.address, sizeof peer.lobby.address, "%s", argv[1]);
    enter(&peer);
    sit_down(&peer);
    connect_to_match(&peer);
    attach(&peer);
    play(&peer);
    check_result(&peer);
    leave(&peer);
    return 0;
}
