/* lobby.c: the lobby's tables. Pure. */
#include "schema/lobby.h"
#include "schema/describe.h"

/* The last answer, as keys and players have it. */
#define KEPT                                                                                       \
    NUMBER("request"), NUMBER("verdict"), NUMBER("detail"), NUMBER("game"), NUMBER("answer"),      \
        BYTES("answer_id"), NUMBER("answer_number"), NUMBER("ask_digest")

static const struct column meta_columns[] = {
    NUMBER("id"),      NUMBER("starts"),  NUMBER("tables"),        NUMBER("results"),
    NUMBER("bots"),    NUMBER("persons"), BYTES("persons_secret"), NUMBER("audits"),
    NUMBER("stop_ms"), NUMBER("told"),    TEXT("notice")
};
static const struct column key_columns[] = {
    NUMBER("place"),  BYTES("key"), NUMBER("role"),       TEXT("name"),     NUMBER("admitted"),
    NUMBER("player"), KEPT,         NUMBER("drained_ms"), NUMBER("helper"),
};
static const struct column player_columns[] = {
    NUMBER("place"),
    BYTES("id"),
    TEXT("name"),
    NUMBER("bot"),
    NUMBER("guest"),
    NUMBER("banned"),
    NUMBER("until_ms"),
    TEXT("reason"),
    NUMBER("key"),
    KEPT,
    NUMBER("number"),
    NUMBER("seen_ms"),
    NUMBER("results_before"),
    NUMBER("muted"),
    NUMBER("muted_until_ms"),
    TEXT("mute_reason"),
    TEXT("avatar"),
};
static const struct column table_columns[] = {
    NUMBER("place"),      BYTES("id"),         NUMBER("serial"),     NUMBER("phase"),
    TEXT("game"),         TEXT("setup"),       TEXT("title"),        NUMBER("text"),
    NUMBER("seat_count"), NUMBER("seats_min"), NUMBER("host"),       NUMBER("options"),
    NUMBER("turn_ms"),    NUMBER("seed"),      TEXT("code"),         NUMBER("last_event"),
    NUMBER("stage"),      BYTES("match_id"),   NUMBER("seats"),      NUMBER("abort"),
    NUMBER("result"),     BYTES("invited"),    TEXT("abort_reason"), NUMBER("patience_ms"),
};
static const struct column text_columns[] = { NUMBER("table_place"), TEXT("setup"),
                                              TEXT("options") };
static const struct column desk_columns[] = { NUMBER("table_place"), BYTES("state") };
static const struct column seat_columns[] = {
    NUMBER("table_place"), NUMBER("seat"),   NUMBER("player"),
    NUMBER("generation"),  NUMBER("vacant"), NUMBER("changing"),
    NUMBER("promised"),    NUMBER("policy"), NUMBER("number"),
};
static const struct column member_columns[] = {
    NUMBER("table_place"), NUMBER("member"), NUMBER("player"), NUMBER("muted"),
    NUMBER("rematch"),     NUMBER("mutes"),  NUMBER("since"),
};
static const struct column vote_columns[] = { NUMBER("table_place"), NUMBER("seat"),
                                              NUMBER("voter"), NUMBER("choice"),
                                              NUMBER("friend_player") };
static const struct column event_columns[] = {
    NUMBER("table_place"), NUMBER("place"),  NUMBER("number"), NUMBER("kind"),  NUMBER("audience"),
    NUMBER("seat"),        NUMBER("source"), NUMBER("player"), NUMBER("other"), NUMBER("choice"),
    NUMBER("with_setup"),  NUMBER("figure"), NUMBER("serial"), BYTES("text"),
};
static const struct column result_columns[] = {
    NUMBER("number"),  BYTES("match_id"), TEXT("game"),     TEXT("setup"),    NUMBER("aborted"),
    NUMBER("over_ms"), BYTES("players"),  BYTES("outcome"), NUMBER("chance"),
};
static const struct column person_columns[] = {
    NUMBER("place"), NUMBER("number"), NUMBER("player"), TEXT("game"), TEXT("person"),
};
static const struct column audit_columns[] = {
    NUMBER("number"),   NUMBER("at_ms"), NUMBER("deed"), NUMBER("undone"), NUMBER("verdict"),
    NUMBER("helper"),   BYTES("key"),    TEXT("name"),   TEXT("token"),    BYTES("target"),
    NUMBER("until_ms"), TEXT("text"),    TEXT("reason"),
};

static const struct row_table tables[LOBBY_TABLES_COUNT] = {
    [LOBBY_META] = TABLE("meta", meta_columns, 1),
    [LOBBY_KEYS] = TABLE("keys", key_columns, 1),
    [LOBBY_PLAYERS] = TABLE("players", player_columns, 1),
    [LOBBY_TABLES] = TABLE("tables", table_columns, 1),
    [LOBBY_TEXTS] = TABLE("texts", text_columns, 1),
    [LOBBY_DESKS] = TABLE("desks", desk_columns, 1),
    [LOBBY_SEATS] = TABLE("seats", seat_columns, 2),
    [LOBBY_MEMBERS] = TABLE("members", member_columns, 2),
    [LOBBY_VOTES] = TABLE("votes", vote_columns, 3),
    [LOBBY_EVENTS] = TABLE("events", event_columns, 2),
    [LOBBY_RESULTS] = TABLE("results", result_columns, 1),
    [LOBBY_PERSONS] = TABLE_SINCE("persons", person_columns, 1, 3),
    [LOBBY_AUDIT] = TABLE_SINCE("audit", audit_columns, 1, 6),
};

const struct schema lobby_schema = {
    .name = "lobby",
    .version = 7,
    .oldest = 5, /* Without the audit, mutes and pictures; helpers are clients.                */
    .tables = tables,
    .table_count = LOBBY_TABLES_COUNT,
    .fences = NO_FENCES,
};
