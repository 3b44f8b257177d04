/* kinds.c: the table of kinds.h. Pure. */
#include "wire/kinds.h"

#include "directory.pb-c.h"
#include "engine.pb-c.h"
#include "envelope.pb-c.h"
#include "lobby.pb-c.h"
#include "stream.pb-c.h"
#include "watchdog.pb-c.h"

#define KIND(name, package, message)                                                               \
    [ARBITER__WIRE__KIND__KIND_##name] = (&arbiter__##package##__##message##__descriptor)

static const ProtobufCMessageDescriptor *const bodies[] = {
    KIND(HELLO, directory, hello),
    KIND(WELCOME, directory, welcome),
    KIND(DIRECTORY, directory, directory),
    KIND(REFUSED, wire, refused),
    KIND(PING, wire, ping),
    KIND(PONG, wire, pong),
    KIND(LOBBY_ASK, lobby, ask),
    KIND(LOBBY_ANSWER, lobby, answer),
    KIND(TABLE_EVENT, lobby, table_event),
    KIND(TABLE_ASK, lobby, table_ask),
    KIND(TABLE_ANSWER, lobby, table_answer),
    KIND(ATTACH, engine, attach),
    KIND(ATTACHED, engine, attached),
    KIND(COMMAND, engine, command),
    KIND(REPLY, engine, reply),
    KIND(CLOSED, engine, closed),
    KIND(LEGAL_ASK, engine, legal_ask),
    KIND(LEGAL_ANSWER, engine, legal_answer),
    KIND(START_MATCH, engine, start_match),
    KIND(MATCH_STARTED, engine, match_started),
    KIND(CHANGE_SEAT, engine, change_seat),
    KIND(ABORT_MATCH, engine, abort_match),
    KIND(HOUSE_REPLY, engine, house_reply),
    KIND(MATCH_OVER, engine, match_over),
    KIND(MATCH_OVER_HEARD, engine, match_over_heard),
    KIND(REGISTER, engine, register),
    KIND(REGISTERED, engine, registered),
    KIND(ACT, stream, act),
    KIND(HEAD, stream, head),
    KIND(SLOT_COUNT, stream, slot_count),
    KIND(MOVED_ASK, stream, moved_ask),
    KIND(MOVED_ANSWER, stream, moved_answer),
    KIND(HISTORY_ASK, stream, history_ask),
    KIND(HISTORY_ANSWER, stream, history_answer),
    KIND(FILE_ASK, stream, file_ask),
    KIND(FILE_ANSWER, stream, file_answer),
    KIND(WAITS, watchdog, waits),
    KIND(EXPIRE, watchdog, expire),
    KIND(BEAT, watchdog, beat),
    KIND(LEASES, watchdog, leases),
    KIND(ALERT, watchdog, alert),
    KIND(LIFE_ASK, watchdog, life_ask),
    KIND(LIFE, watchdog, life),
};

const ProtobufCMessageDescriptor *kinds_find(uint32_t kind)
{
    return kind < sizeof bodies / sizeof *bodies ? bodies[kind] : NULL;
}
