/* rest_match_rig.h: a player of 2017 whose match has begun: what the player sends, what the match
 * says, played by hand. */
#ifndef ARBITER_TEST_REST_MATCH_RIG_H
#define ARBITER_TEST_REST_MATCH_RIG_H

#include "tests/unit/services/gateway/rest/rest_rig.h"

#include "contract/stream.pb-c.h"
#include "contract/treasure.pb-c.h"

#define HALF "0101010101010101010002020103030101010102010303010101010101010101"
#define OTHER "0101010101010101010302020103030101010102010303010101010101010001"
#define COMMAND 77u

static struct rest_player *player;

/* One player, whose match has begun; all further words are said by hand. */
static inline int begin_match(void **unused)
{
    int failed = begin(unused);
    register_one(1, 1, "A\nB\n01234567");
    player = player_of(1);
    player->has_match = true;
    memcpy(player->match_id, match_id, CLIENT_ID_SIZE);
    player->state = REST_PLAYING;
    outbox_reset(&out);
    return failed;
}

static inline void tell_match(enum client_event_kind kind, struct client_event *event)
{
    event->kind = kind;
    event->seat = player->seat;
    memcpy(event->match_id, match_id, CLIENT_ID_SIZE);
    rest_told(turn(), event);
}

static inline void reply(enum client_outcome outcome)
{
    struct client_event event = { .request = COMMAND, .outcome = outcome };
    tell_match(CLIENT_REPLY, &event);
}

static inline void happens(Arbiter__Treasure__Event *what)
{
    uint8_t                      inside[512], bytes[600];
    Arbiter__Stream__PublicEvent event = ARBITER__STREAM__PUBLIC_EVENT__INIT,
                                 *events[] = { &event };
    Arbiter__Stream__ActBody body = ARBITER__STREAM__ACT_BODY__INIT;
    event.has_event = true;
    event.event.data = inside;
    event.event.len = protobuf_c_message_pack(&what->base, inside);
    body.n_events = 1;
    body.events = events;
    struct client_event act = { .number = player->acts + 1, .bytes = bytes };
    act.size = protobuf_c_message_pack(&body.base, bytes);
    tell_match(CLIENT_ACT, &act);
}

static inline void asked(Arbiter__Treasure__Event__ActNow__Kind kind)
{
    Arbiter__Treasure__Event         event = ARBITER__TREASURE__EVENT__INIT;
    Arbiter__Treasure__Event__ActNow now = ARBITER__TREASURE__EVENT__ACT_NOW__INIT;
    now.has_kind = true;
    now.kind = kind;
    event.kind_case = ARBITER__TREASURE__EVENT__KIND_ACT_NOW;
    event.act_now = &now;
    happens(&event);
}

static inline void accepted(void)
{
    Arbiter__Treasure__Event               event = ARBITER__TREASURE__EVENT__INIT;
    Arbiter__Treasure__Event__HalfAccepted half = ARBITER__TREASURE__EVENT__HALF_ACCEPTED__INIT;
    event.kind_case = ARBITER__TREASURE__EVENT__KIND_HALF_ACCEPTED;
    event.half_accepted = &half;
    happens(&event);
}

static inline void joined(void)
{
    Arbiter__Treasure__Event                 event = ARBITER__TREASURE__EVENT__INIT;
    Arbiter__Treasure__Event__MapReady       map = ARBITER__TREASURE__EVENT__MAP_READY__INIT;
    map.full_map = (char *) (uintptr_t) HALF HALF;
    map.has_castle_x = map.has_castle_y = true;
    map.castle_x = map.castle_y = 1;
    event.kind_case = ARBITER__TREASURE__EVENT__KIND_MAP_READY;
    event.map_ready = &map;
    happens(&event);
}

static inline void ends(Arbiter__Treasure__Result result, Arbiter__Treasure__Reason reason)
{
    Arbiter__Treasure__Event          event = ARBITER__TREASURE__EVENT__INIT;
    Arbiter__Treasure__Event__GameEnd over = ARBITER__TREASURE__EVENT__GAME_END__INIT;
    over.has_result = over.has_reason = true;
    over.result = result;
    over.reason = reason;
    event.kind_case = ARBITER__TREASURE__EVENT__KIND_GAME_END;
    event.game_end = &over;
    happens(&event);
}

static inline void send_half(uint64_t route, const char *half)
{
    const Arbiter__Gateway__RestAsk ask = { .path = PATH(MAP),
                                            .has_id = true,
                                            .id = 1,
                                            .malformed = half == NULL,
                                            .half = (char *) (uintptr_t) half };
    rest_hear(turn(), route, &ask);
}

static inline void send_update(uint64_t route, int32_t x, int32_t to_x, int32_t turns)
{
    const Arbiter__Gateway__RestAsk ask = { .path = PATH(UPDATE),
                                            .has_id = true,
                                            .id = 1,
                                            .player_x = x,
                                            .player_y = 2,
                                            .wanted_x = to_x,
                                            .wanted_y = 2,
                                            .turns = turns };
    rest_hear(turn(), route, &ask);
}

/* As if the player's words had been said. */
static inline void under_way(enum rest_said said, uint64_t route)
{
    player->command = COMMAND;
    player->said = said;
    if (said == REST_UPDATE) {
        player->is_in_flight = true;
        player->flight = route;
        player->update.is_held = false;
        player->is_turn = false;
    }
}

static inline void begin_moves(void)
{
    asked(ARBITER__TREASURE__EVENT__ACT_NOW__KIND__KIND_HALF);
    send_half(1, HALF);
    accepted();
    joined();
    asked(ARBITER__TREASURE__EVENT__ACT_NOW__KIND__KIND_MOVE);
    assert_true(player->is_turn);
    outbox_reset(&out);
}

#endif
