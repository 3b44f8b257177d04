/* kinds.c: the table of kinds.h. Pure. */
#include "wire/kinds.h"

#include "directory.pb-c.h"
#include "engine.pb-c.h"
#include "envelope.pb-c.h"
#include "lobby.pb-c.h"
#include "stream.pb-c.h"
#include "watchdog.pb-c.h"
#include "wire/names.h"

#define BODY(name, package, message) [KIND(name)] = (&arbiter__##package##__##message##__descriptor)

static const ProtobufCMessageDescriptor *const bodies[] = {
    BODY(HELLO, directory, hello),
    BODY(WELCOME, directory, welcome),
    BODY(DIRECTORY, directory, directory),
    BODY(REFUSED, wire, refused),
    BODY(PING, wire, ping),
    BODY(PONG, wire, pong),
    BODY(LOBBY_ASK, lobby, ask),
    BODY(LOBBY_ANSWER, lobby, answer),
    BODY(TABLE_EVENT, lobby, table_event),
    BODY(TABLE_ASK, lobby, table_ask),
    BODY(TABLE_ANSWER, lobby, table_answer),
    BODY(ATTACH, engine, attach),
    BODY(ATTACHED, engine, attached),
    BODY(COMMAND, engine, command),
    BODY(REPLY, engine, reply),
    BODY(CLOSED, engine, closed),
    BODY(LEGAL_ASK, engine, legal_ask),
    BODY(LEGAL_ANSWER, engine, legal_answer),
    BODY(FOLLOWED, engine, followed),
    BODY(START_MATCH, engine, start_match),
    BODY(MATCH_STARTED, engine, match_started),
    BODY(CHANGE_SEAT, engine, change_seat),
    BODY(ABORT_MATCH, engine, abort_match),
    BODY(ACCEPT_MATCH, engine, accept_match),
    BODY(HOUSE_REPLY, engine, house_reply),
    BODY(MATCH_OVER, engine, match_over),
    BODY(MATCH_OVER_HEARD, engine, match_over_heard),
    BODY(REGISTER, engine, register),
    BODY(REGISTERED, engine, registered),
    BODY(ACT, stream, act),
    BODY(HEAD, stream, head),
    BODY(SLOT_COUNT, stream, slot_count),
    BODY(MOVED_ASK, stream, moved_ask),
    BODY(MOVED_ANSWER, stream, moved_answer),
    BODY(HISTORY_ASK, stream, history_ask),
    BODY(HISTORY_ANSWER, stream, history_answer),
    BODY(FILE_ASK, stream, file_ask),
    BODY(FILE_ANSWER, stream, file_answer),
    BODY(WAITS, watchdog, waits),
    BODY(EXPIRE, watchdog, expire),
    BODY(BEAT, watchdog, beat),
    BODY(LEASES, watchdog, leases),
    BODY(ALERT, watchdog, alert),
    BODY(LIFE_ASK, watchdog, life_ask),
    BODY(LIFE, watchdog, life),
    BODY(SLOW, watchdog, slow),
    BODY(SLOW_ASK, watchdog, slow_ask),
    BODY(SLOW_LIST, watchdog, slow_list),
};

const ProtobufCMessageDescriptor *kinds_find(uint32_t kind)
{
    return kind < sizeof bodies / sizeof *bodies ? bodies[kind] : NULL;
}
