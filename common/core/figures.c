/* figures.c: the table of figures as data, and its two ways through a beat. */
#include "core/figures.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#define ROW(name, metric, kind, unit, about)                                                       \
    { #name, metric, kind, about, unit, offsetof(struct figures, name) },
const struct figure figure_list[FIGURE_COUNT] = { FIGURES(ROW) };

/* From a tenth of a millisecond to ten seconds. */
const uint64_t figure_steps_us[FIGURE_STEPS - 1] = { 100,     250,     500,     1000,
                                                     2500,    5000,    10000,   25000,
                                                     50000,   100000,  250000,  500000,
                                                     1000000, 2500000, 5000000, 10000000 };

uint64_t figure_value(const struct figure *figure, const struct figures *figures)
{
    return *(const uint64_t *) (const void *) ((const char *) figures + figure->offset);
}

void figures_put(const struct figures *figures, Arbiter__Watchdog__Beat *beat)
{
#define PUT(name, ...)                                                                             \
    beat->has_##name = true;                                                                       \
    beat->name = figures->name;
    FIGURES(PUT)
}

void figures_take(struct figures *figures, const Arbiter__Watchdog__Beat *beat)
{
#define TAKE(name, ...) figures->name = beat->name;
    FIGURES(TAKE)
}

#define BOUND_ROW(name, setting, about) { setting, about },
const struct bound_row bound_list[BOUND_COUNT] = { BOUNDS(BOUND_ROW) };

static_assert(sizeof(struct fullness) == BOUND_NUMBERS * sizeof(uint64_t),
              "numbers and nothing else");

size_t bounds_put(const struct fullness *bounds, uint64_t numbers[BOUND_NUMBERS])
{
    size_t count = BOUND_NUMBERS;
    memcpy(numbers, bounds, sizeof *bounds);
    while (count > 0 && numbers[count - 1] == 0)
        count--;
    return count;
}

void bounds_take(struct fullness *bounds, const uint64_t *numbers, size_t count)
{
    memset(bounds, 0, sizeof *bounds);
    count = count < BOUND_NUMBERS ? count : BOUND_NUMBERS;
    if (count > 0)
        memcpy(bounds, numbers, count * sizeof numbers[0]);
}
