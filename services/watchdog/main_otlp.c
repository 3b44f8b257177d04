/* main_otlp.c: slow commands as traces in OpenTelemetry's JSON (opentelemetry.io/docs/specs/otlp, "JSON Protobuf Encoding").
 *
 * A command's id is the trace's. What one process says of it is a span, and each part of its time a
 * span below that. Parts stand end to end in the order of trace.h, up to the process' own wall time
 * at the end. So their lengths are true, while `way` is in fact half before the engine's four parts. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/build.h"
#include "core/peers.h"
#include "core/trace.h"
#include "services/watchdog/main_parts.h"
#include "wire/names.h"

#define NS_PER_US 1000u
#define US_PER_MS 1000u
#define INTERNAL 1 /* SPAN_KIND_INTERNAL. */

static void put_hex(FILE *out, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        fprintf(out, "%02x", bytes[i]);
}

/* What a service calls itself is its operator's, but a quote must not end the text. */
static void put_name(FILE *out, const char *name)
{
    for (; *name != '\0'; name++)
        fputc(*name >= ' ' && *name <= '~' && *name != '"' && *name != '\\' ? *name : '_', out);
}

/* Another one for each process and part, the same whoever exports it (FNV-1a). */
static uint64_t span_id(const Arbiter__Watchdog__SlowCommand *command, uint32_t part)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < command->id.len; i++)
        hash = (hash ^ command->id.data[i]) * UINT64_C(1099511628211);
    for (const char *at = command->service; *at != '\0'; at++)
        hash = (hash ^ (uint8_t) *at) * UINT64_C(1099511628211);
    return (hash ^ part) * UINT64_C(1099511628211);
}

static void put_span(FILE *out, const Arbiter__Watchdog__SlowCommand *command, uint32_t part,
                     const char *name, uint64_t from_us, uint64_t to_us)
{
    fputs("{\"traceId\":\"", out);
    put_hex(out, command->id.data, command->id.len);
    fprintf(out, "\",\"spanId\":\"%016" PRIx64 "\"", span_id(command, part));
    if (part != TRACE_COUNT)
        fprintf(out, ",\"parentSpanId\":\"%016" PRIx64 "\"", span_id(command, TRACE_COUNT));
    fprintf(out,
            ",\"name\":\"%s\",\"kind\":%d,\"startTimeUnixNano\":\"%" PRIu64
            "\",\"endTimeUnixNano\":\"%" PRIu64 "\"",
            name, INTERNAL, from_us * NS_PER_US, to_us * NS_PER_US);
}

static void put_about(FILE *out, const Arbiter__Watchdog__SlowCommand *command)
{
    fputs(",\"attributes\":[{\"key\":\"arbiter.match\",\"value\":{\"stringValue\":\"", out);
    put_hex(out, command->match_id.data, command->match_id.len);
    fprintf(out, "\"}},{\"key\":\"arbiter.seat\",\"value\":{\"intValue\":\"%" PRIu32 "\"}}",
            command->seat);
    if (command->number > 0)
        fprintf(out, ",{\"key\":\"arbiter.act\",\"value\":{\"intValue\":\"%" PRIu64 "\"}}",
                command->number);
    fputs("]}", out);
}

static void put_spans(FILE *out, const Arbiter__Watchdog__SlowCommand *command)
{
    uint64_t us[TRACE_COUNT], sum_us = 0;
    trace_take(us, command->took);
    for (uint32_t part = 0; part < TRACE_COUNT; part++)
        sum_us += us[part];
    uint64_t end_us = command->at_ms * US_PER_MS;
    uint64_t at_us = end_us > sum_us ? end_us - sum_us : 0;
    put_span(out, command, TRACE_COUNT, "command", at_us, at_us + sum_us);
    put_about(out, command);
    for (uint32_t part = 0; part < TRACE_COUNT; part++) {
        if (us[part] == 0)
            continue;
        fputc(',', out);
        put_span(out, command, part, trace_names[part], at_us, at_us + us[part]);
        fputc('}', out);
        at_us += us[part];
    }
}

static void put_command(FILE *out, const Arbiter__Watchdog__SlowCommand *command)
{
    fprintf(out,
            "{\"resource\":{\"attributes\":[{\"key\":\"service.name\",\"value\":{\"stringValue\":"
            "\"arbiter-%s\"}},{\"key\":\"service.instance.id\",\"value\":{\"stringValue\":\"",
            command->role == ROLE(GATEWAY) ? "gateway" : "engine");
    put_name(out, command->service);
    fprintf(
        out,
        "\"}}]},\"scopeSpans\":[{\"scope\":{\"name\":\"arbiter\",\"version\":\"%s\"},\"spans\":[",
        arbiter_build.version);
    put_spans(out, command);
    fputs("]}]}", out);
}

char *otlp_body(const Arbiter__Watchdog__SlowList *list, size_t *size)
{
    char *body = NULL;
    FILE *out = open_memstream(&body, size);
    if (out == NULL)
        return NULL;
    fputs("{\"resourceSpans\":[", out);
    for (size_t i = 0; i < list->n_commands; i++) {
        if (i > 0)
            fputc(',', out);
        put_command(out, list->commands[i]);
    }
    fputs("]}", out);
    return fclose(out) == 0 ? body : NULL;
}
