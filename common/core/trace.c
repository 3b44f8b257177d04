/* trace.c: see trace.h. Pure. */
#include "core/trace.h"

#define NAME(upper, lower) [TRACE_##upper] = #lower,
const char *const trace_names[TRACE_COUNT] = { TRACE_PARTS(NAME) };

uint64_t trace_sum_us(const struct trace *trace)
{
    uint64_t sum = 0;
    for (uint32_t i = trace->is_measured ? TRACE_DOOR : TRACE_QUEUE; i < TRACE_COUNT; i++)
        sum += trace->us[i];
    return sum;
}

void trace_put(const uint64_t us[TRACE_COUNT], Arbiter__Wire__Took *took)
{
#define PUT(upper, lower)                                                                          \
    took->has_##lower##_us = us[TRACE_##upper] > 0;                                                \
    took->lower##_us = us[TRACE_##upper];
    TRACE_PARTS(PUT)
}

void trace_take(uint64_t us[TRACE_COUNT], const Arbiter__Wire__Took *took)
{
#define TAKE(upper, lower) us[TRACE_##upper] = took->lower##_us;
    TRACE_PARTS(TAKE)
}
