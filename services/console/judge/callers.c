/* callers.c: see callers.h. */
#include "services/console/judge/callers.h"

#include <stdio.h>
#include <string.h>

#include "contract/plain.pb-c.h"

bool callers_start(struct callers *callers, struct text *fault)
{
    const struct bus_settings settings = { .is_plain = true, .is_patient = true };
    memset(callers, 0, sizeof *callers);
    callers->bus = bus_start(&settings, fault);
    return callers->bus != NULL;
}

void callers_hang_up(struct callers *callers)
{
    for (uint32_t client = 0; client < CALLERS_MAX; client++)
        bus_close(&callers->socket[client]);
}

void callers_stop(struct callers *callers)
{
    if (callers->bus == NULL)
        return;
    callers_hang_up(callers);
    bus_stop(&callers->bus);
}

void callers_call(struct callers *callers, const char *host, uint32_t port)
{
    callers_hang_up(callers);
    (void) snprintf(callers->address, sizeof callers->address, "tcp://%.200s:%u", host, port);
}

static struct bus_socket *socket_of(struct callers *callers, uint32_t client)
{
    static const uint8_t   nobody[BUS_KEY_SIZE];
    const struct bus_place place = { .kind = BUS_DEALER,
                                     .address = callers->address,
                                     .key = nobody };
    struct text            fault;
    if (callers->socket[client] == NULL)
        callers->socket[client] = bus_open(callers->bus, &place, &fault);
    return callers->socket[client];
}

static bool send_bytes(struct callers *callers, uint32_t client, const uint8_t *bytes, size_t size)
{
    struct bus_socket *socket = socket_of(callers, client);
    if (socket == NULL)
        return false;
    memcpy(bus_compose(socket, size), bytes, size);
    return bus_send(socket, 0);
}

#define COMMAND_BYTES_MAX 512

bool callers_say(struct callers *callers, uint32_t client, const uint8_t *command, size_t size)
{
    uint8_t            bytes[COMMAND_BYTES_MAX + 16];
    Arbiter__Plain__Up up = ARBITER__PLAIN__UP__INIT;
    up.kind_case = ARBITER__PLAIN__UP__KIND_COMMAND;
    up.command = (ProtobufCBinaryData){ size, (uint8_t *) command };
    if (size > COMMAND_BYTES_MAX)
        return false;
    return send_bytes(callers, client, bytes, arbiter__plain__up__pack(&up, bytes));
}

bool callers_mumble(struct callers *callers, uint32_t client)
{
    static const uint8_t noise[] = { 0xff, 0x00, 0x6d, 0x6d, 0xff };
    return send_bytes(callers, client, noise, sizeof noise);
}

bool callers_hear(struct callers *callers, uint32_t client, const uint8_t **bytes, size_t *size)
{
    struct bus_message message;
    if (callers->socket[client] == NULL ||
        bus_receive(callers->socket[client], &message) != BUS_MESSAGE)
        return false;
    *bytes = message.bytes;
    *size = message.size;
    return true;
}

uint64_t callers_thrown_away(const struct callers *callers, uint32_t client)
{
    if (callers->socket[client] == NULL)
        return 0;
    const struct bus_counters *counters = bus_counters(callers->socket[client]);
    return counters->more_frames + counters->too_large;
}

bool callers_was_cut(struct callers *callers, uint32_t client)
{
    if (callers->socket[client] == NULL)
        return false;
    (void) bus_mend(callers->socket[client]);
    return bus_was_cut(callers->socket[client]);
}

void callers_wait(struct callers *callers, int64_t wait_ms)
{
    struct bus_socket *open[CALLERS_MAX];
    size_t             count = 0;
    for (uint32_t client = 0; client < CALLERS_MAX; client++)
        if (callers->socket[client] != NULL)
            open[count++] = callers->socket[client];
    (void) bus_wait(open, count, NULL, 0, wait_ms);
}
