/* client_took.c: a command's name, and where its time goes, from the caller to the engine and back. Pure. */
#include <string.h>

#include "client/client_private.h"

/* Each number makes another name. Scrambled, since some sort traces by their last bytes. */
static void name_command(struct client_core *core, uint8_t id[TRACE_ID_SIZE])
{
    const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t       number = ++core->named * odd;
    memcpy(id, core->ids, sizeof core->ids);
    memcpy(id + sizeof core->ids, &number, sizeof number);
}

void took_begin(const struct turn *turn, struct own_took *took)
{
    memset(took, 0, sizeof *took);
    took->came_ms = turn->now_ms;
    name_command(turn->core, took->id);
}

/* What an engine of version 1 does not read. Where it came from is a gateway's to say. */
void took_say(const struct turn *turn, struct own_took *took, const struct header *header,
              Arbiter__Engine__Command *command)
{
    if (took->sent_ms == 0)
        took->sent_ms = turn->now_ms;
    if (header->version == PROTOCOL_FIRST)
        return;
    command->has_id = true;
    command->id =
        (ProtobufCBinaryData){ .len = sizeof took->id,
                               .data = outbox_copy(turn->out, took->id, sizeof took->id) };
    command->has_door_us = turn->core->settings.peers.role == ROLE(GATEWAY);
    command->door_us = command->has_door_us ? (turn->now_ms - took->came_ms) * 1000 : 0;
}

void took_answered(const struct turn *turn, struct own_took *took,
                   const Arbiter__Engine__Reply *reply)
{
    took->answered_ms = turn->now_ms;
    took->number = reply->has_accepted && reply->accepted ? reply->number : 0;
    if (reply->took != NULL)
        trace_take(took->engine_us, reply->took);
}

/* The wait for the answer is the engine's four parts, and the way. */
static void put_parts(const struct client_seat *seat, uint64_t now_ms, struct trace *trace)
{
    const struct own_took *took = &seat->took;
    memcpy(trace->id, took->id, sizeof trace->id);
    memcpy(trace->match_id, seat->match_id, sizeof trace->match_id);
    memcpy(trace->us, took->engine_us, sizeof trace->us);
    trace->is_measured = true;
    trace->seat = seat->seat;
    trace->number = took->number;
    trace->us[TRACE_DOOR] = trace->us[TRACE_WAY] = 0;
    uint64_t sent_ms = took->sent_ms != 0 ? took->sent_ms : now_ms; /* Never; never answered. */
    uint64_t answered_ms = took->answered_ms != 0 ? took->answered_ms : now_ms;
    uint64_t engine_us = trace_sum_us(trace), wait_us = (answered_ms - sent_ms) * 1000;
    trace->us[TRACE_DOOR] = (sent_ms - took->came_ms) * 1000;
    trace->us[TRACE_WAY] = wait_us > engine_us ? wait_us - engine_us : 0;
    trace->us[TRACE_DELIVERY] = (now_ms - answered_ms) * 1000;
}

uint32_t client_core_play(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                          uint32_t seat, const uint8_t *command, size_t size, uint64_t now_ms,
                          struct outbox *out)
{
    const struct client_came here = { .came_ms = now_ms };
    return client_core_play_for(core, match_id, seat, command, size, &here, now_ms, out);
}

uint32_t client_core_play_for(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                              uint32_t seat, const uint8_t *command, size_t size,
                              const struct client_came *came, uint64_t now_ms, struct outbox *out)
{
    const struct turn   turn = { core, now_ms, out };
    struct client_seat *found = seat_find(core, match_id, seat);
    if (found == NULL || seat == NO_SEAT || found->next == 0 || found->own.kind != OWN_NONE ||
        size > core->settings.command_bytes)
        return 0;
    uint32_t number = ++core->numbers;
    command_start(&turn, found, OWN_PLAY, command, size, number);
    found->own.took.came_ms = came->came_ms < now_ms ? came->came_ms : now_ms;
    if (came->has_id)
        memcpy(found->own.took.id, came->id, sizeof came->id);
    command_pump(&turn, found);
    return number;
}

bool client_core_took(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                      uint32_t seat, uint64_t now_ms, struct trace *trace)
{
    const struct client_seat *found = seat_find(core, match_id, seat);
    if (found != NULL)
        put_parts(found, now_ms, trace);
    return found != NULL;
}
